"""A proxy that stands between a station and the server, and cuts or swallows what passes."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PIECE = 4_096


@dataclass
class Proxy:
    """Passes bytes on; after each piece `cut` says whether the line ends there."""

    target: int
    cut: Callable[[], bool]
    port: int = 0
    connections: int = 0
    cuts: int = 0
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.close()
            return
        pairs = ((reader, far_writer), (far_reader, writer))
        ends = [asyncio.create_task(self._pump(*pair)) for pair in pairs]
        self.tasks.update(ends)
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in (writer, far_writer):
                each.transport.abort()
            for end in ends:
                end.cancel()
            await asyncio.gather(*ends, return_exceptions=True)
            self.tasks.difference_update(ends)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while piece := await reader.read(PIECE):
                if self.cut():
                    self.cuts += 1
                    writer.write(piece[: len(piece) // 2])
                    return
                writer.write(piece)
                await writer.drain()


@asynccontextmanager
async def cutting(target: int, cut: Callable[[], bool]) -> AsyncIterator[Proxy]:
    """Such a proxy at a port of its own."""
    proxy = Proxy(target, cut)
    server = await asyncio.start_server(proxy.take, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        for task in tuple(proxy.tasks):
            task.cancel()
        await asyncio.gather(*proxy.tasks, return_exceptions=True)
