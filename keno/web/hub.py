"""Everybody who watches: boards, stations and consoles, each location by itself.

Events go out one after the other in the order they were published. Nobody is waited for: whoever
does not take what is sent is dropped, connects again and starts from the state of the moment.
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
"""Above this much unsent, a watcher is dropped; below, sending never waits."""
PIECE = 250
"""After so many watchers the sales get their turn."""
EVENTS_MAX = 1_000


@dataclass(eq=False, slots=True)
class Watcher:
    """One connection that is told of a location's events."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport
    staff: bool = False
    """Stations and consoles also hear of authorisations and messages."""

    @property
    def behind(self) -> bool:
        return self.transport.get_write_buffer_size() > BACKLOG_BYTES


@dataclass(eq=False)
class Hub:
    """Sends each event to all who watch its location."""

    watchers: dict[str, set[Watcher]] = field(default_factory=lambda: defaultdict(set))
    dropped: int = 0

    def __post_init__(self) -> None:
        self._events: asyncio.Queue[tuple[str, str, bool]] = asyncio.Queue(EVENTS_MAX)

    def publish(self, location: str, event: Message, *, staff: bool = False) -> None:
        """Let it be sent to everybody, or to the staff alone."""
        if self._events.full():
            log.error("events come faster than they can be sent; %s is left out", event)
        else:
            self._events.put_nowait((location, write(event), staff))

    async def run(self) -> None:
        """Send what is published, for ever."""
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
        """Cut a watcher off that does not listen; it will come back."""
        self.watchers[location].discard(watcher)
        self.dropped += 1
        log.warning("a watcher of %s fell behind and was dropped", location)
        watcher.transport.abort()

    async def close(self) -> None:
        """The house closes: say so to everybody who watches, all at once."""
        watchers = [watcher for each in self.watchers.values() for watcher in each]
        goodbyes = (w.socket.close(code=WSCloseCode.GOING_AWAY) for w in watchers)
        await asyncio.gather(*goodbyes)

    def count(self, *, staff: bool) -> int:
        return sum(w.staff is staff for each in self.watchers.values() for w in each)
