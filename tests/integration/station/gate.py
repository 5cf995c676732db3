"""A line between station and server that breaks when something certain is said on it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.integration.web.cutting import PIECE, Proxy

CUT_S = 30


@dataclass
class Gate(Proxy):
    """Cuts the line at the words it was told, once; with `stay_down` it lets nobody through."""

    words: bytes = b""
    swallow: bool = True
    """Whether what was said at the cut is lost; else it arrives, and then the line breaks."""
    stay_down: bool = False
    down: bool = False
    _was_cut: asyncio.Event = field(default_factory=asyncio.Event)

    def at(self, words: bytes, *, swallow: bool = True, stay_down: bool = False) -> None:
        """Cut at the next time that these words are said."""
        self.words, self.swallow, self.stay_down = words, swallow, stay_down
        self._was_cut.clear()

    async def cut_there(self) -> None:
        """Wait until it happened."""
        async with asyncio.timeout(CUT_S):
            await self._was_cut.wait()

    def lift(self) -> None:
        self.down = False

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.down:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()
            return
        await super().take(reader, writer)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(16 * PIECE):
                here = bool(self.words) and self.words in unmasked(piece)
                if not here or not self.swallow:
                    writer.write(piece)
                    await writer.drain()
                if here:
                    self.words, self.down = b"", self.stay_down
                    self.cuts += 1
                    self._was_cut.set()
                    return


def unmasked(piece: bytes) -> bytes:
    """A client's frames as they read without their masks, as far as they can be told apart."""
    found, rest = piece, piece
    while len(rest) > 6 and rest[0] == 0x81 and rest[1] & 0x80:
        length, start = rest[1] & 0x7F, 2
        if length == 126:
            length, start = int.from_bytes(rest[2:4], "big"), 4
        mask, body = rest[start : start + 4], rest[start + 4 : start + 4 + length]
        found += bytes(byte ^ mask[at % 4] for at, byte in enumerate(body))
        rest = rest[start + 4 + length :]
    return found


@asynccontextmanager
async def gate(target: int) -> AsyncIterator[Gate]:
    """Such a line at a port of its own."""
    made = Gate(target, lambda: False)
    server = await asyncio.start_server(made.take, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        for task in tuple(made.tasks):
            task.cancel()
        await asyncio.gather(*made.tasks, return_exceptions=True)
