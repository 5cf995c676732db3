"""The hub: sends events to the watchers (boards, stations and consoles) of a location.

Events are sent in the order of publishing. The hub waits for no watcher: if too many bytes are
unsent, the watcher's connection is aborted. The client reconnects and gets the present state.
"""

import asyncio
import logging
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field

from aiohttp import ClientConnectionResetError, WSCloseCode, web

from keno.protocol import Message, write

log = logging.getLogger(__name__)

BACKLOG_BYTES = 32 * 1024
"""Maximum unsent bytes of a watcher before its connection is aborted."""
PIECE = 250
"""Number of watchers that get an event before other tasks, such as sales, may run."""
EVENTS_MAX = 1_000
"""Maximum events in the hub's queue."""


@dataclass(eq=False, slots=True)
class Watcher:
    """A websocket connection that receives a location's events."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport
    staff: bool = False
    """True for stations and consoles: they also get the events that only staff may see."""

    @property
    def behind(self) -> bool:
        return self.transport.get_write_buffer_size() > BACKLOG_BYTES


@dataclass(eq=False)
class Hub:
    """The queue of events, and the watchers of each location to whom the events are sent."""

    watchers: dict[str, set[Watcher]] = field(default_factory=lambda: defaultdict(set))
    dropped: int = 0

    def __post_init__(self) -> None:
        self._events: asyncio.Queue[tuple[str, str, bool]] = asyncio.Queue(EVENTS_MAX)

    def publish(self, location: str, event: Message, *, staff: bool = False) -> None:
        """Queue an event for a location's watchers; with `staff`, for stations and consoles only.

        If the queue is full, the event is logged and left out.
        """
        if self._events.full():
            log.error("events come faster than they can be sent; %s is left out", event)
        else:
            self._events.put_nowait((location, write(event), staff))

    async def run(self) -> None:
        """Send queued events to their watchers, without end."""
        while True:
            location, text, staff = await self._events.get()
            await self._send(location, text, staff=staff)

    async def _send(self, location: str, text: str, *, staff: bool) -> None:
        for index, watcher in enumerate(tuple(self.watchers[location]), 1):
            if staff and not watcher.staff:
                continue
            if watcher.behind:
                self.drop(location, watcher)
                continue
            with suppress(ClientConnectionResetError):
                await watcher.socket.send_str(text)
            if index % PIECE == 0:
                await asyncio.sleep(0)

    def drop(self, location: str, watcher: Watcher) -> None:
        """Remove a watcher that has too many unsent bytes, and abort its connection."""
        self.watchers[location].discard(watcher)
        self.dropped += 1
        log.warning("a watcher of %s fell behind and was dropped", location)
        watcher.transport.abort()

    async def close(self) -> None:
        """Close the connections of all watchers, when the server stops."""
        watchers = [watcher for each in self.watchers.values() for watcher in each]
        goodbyes = (w.socket.close(code=WSCloseCode.GOING_AWAY) for w in watchers)
        await asyncio.gather(*goodbyes)

    def count(self, *, staff: bool) -> int:
        """Return the number of staff's watchers (`staff`) or of boards, summed over locations.

        A console counts once at each location.
        """
        return sum(w.staff is staff for each in self.watchers.values() for w in each)
