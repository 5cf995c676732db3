"""The hub: sends events to all watchers (boards, stations and consoles) of a location.

Events are sent in the order in which they were published. The hub waits for no watcher: one whose
send buffer is full is dropped, reconnects, and starts from the present state.
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
"""Maximum unsent bytes of a watcher before it is dropped; below that, sending never waits."""
PIECE = 250
"""Number of watchers after which other tasks, such as sales, get a turn."""
EVENTS_MAX = 1_000
"""Maximum events that wait to be sent."""


@dataclass(eq=False, slots=True)
class Watcher:
    """A websocket connection that receives a location's events."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport
    staff: bool = False
    """True for stations and consoles, which also get authorisations and messages."""

    @property
    def behind(self) -> bool:
        return self.transport.get_write_buffer_size() > BACKLOG_BYTES


@dataclass(eq=False)
class Hub:
    """Sends each published event to all watchers of its location."""

    watchers: dict[str, set[Watcher]] = field(default_factory=lambda: defaultdict(set))
    dropped: int = 0

    def __post_init__(self) -> None:
        self._events: asyncio.Queue[tuple[str, str, bool]] = asyncio.Queue(EVENTS_MAX)

    def publish(self, location: str, event: Message, *, staff: bool = False) -> None:
        """Queue an event for all watchers of a location, or its staff alone; drop it if full."""
        if self._events.full():
            log.error("events come faster than they can be sent; %s is left out", event)
        else:
            self._events.put_nowait((location, write(event), staff))

    async def run(self) -> None:
        """Send published events for ever."""
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
        """Abort the connection of a watcher that does not read; it will reconnect."""
        self.watchers[location].discard(watcher)
        self.dropped += 1
        log.warning("a watcher of %s fell behind and was dropped", location)
        watcher.transport.abort()

    async def close(self) -> None:
        """Close the connections of all watchers, because the server stops."""
        watchers = [watcher for each in self.watchers.values() for watcher in each]
        goodbyes = (w.socket.close(code=WSCloseCode.GOING_AWAY) for w in watchers)
        await asyncio.gather(*goodbyes)

    def count(self, *, staff: bool) -> int:
        """Return how many staff watchers, or other watchers, are connected."""
        return sum(w.staff is staff for each in self.watchers.values() for w in each)
