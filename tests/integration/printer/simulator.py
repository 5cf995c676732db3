"""A printer on a TCP port that can be made to fail: the virtual printer behind a faulty line.

What is wrong with the line is decided here, what is wrong with the printer in the device itself.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from printer.virtual import VirtualPrinter


@dataclass
class Simulator:
    """A device and its line."""

    device: VirtualPrinter
    port: int = 0
    confirms_late_s: float = 0.0
    """How late it answers GS ( H."""
    mute: bool = False
    """It takes bytes and says nothing."""
    cut_after: int | None = None
    """The line breaks when so many bytes of a connection have arrived."""
    power_cycle_after: int | None = None
    """The printer goes off and on when so many have arrived."""
    confirms: bool = True
    """Whether it knows GS ( H."""
    trouble_after: tuple[int, str] | None = None
    """So many bytes, and then this trouble."""
    says_first: bytes = b""
    """Said before it answers GS ( H."""
    refuses: bool = False
    connections: int = 0
    received: bytearray = field(default_factory=bytearray)
    _writers: set[asyncio.StreamWriter] = field(default_factory=set)
    _handlers: set["asyncio.Task[None]"] = field(default_factory=set)

    @property
    def address(self) -> str:
        return f"tcp://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        self.connections += 1
        self._writers.add(writer)
        task = asyncio.create_task(self._serve(reader, writer))
        self._handlers.add(task)
        await asyncio.wait({task})

    async def stop(self) -> None:
        """Hang up everywhere."""
        for task in self._handlers:
            task.cancel()
        await asyncio.gather(*self._handlers, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.transport.abort()
            return
        sending: set[asyncio.Task[None]] = set()

        def send(sent: bytes) -> None:
            if self.mute or (sent[:2] == b"\x37\x22" and not self.confirms):
                return
            if sent[:2] == b"\x37\x22" and self.says_first:
                sending.add(asyncio.create_task(self._send(writer, self.says_first, 0.0)))
            late_s = self.confirms_late_s if sent[:2] == b"\x37\x22" else 0.0
            sending.add(asyncio.create_task(self._send(writer, sent, late_s)))

        self.device.send = send
        count = 0
        try:
            while data := await reader.read(2048):
                self.received += data
                count += len(data)
                if not self._happens(count, data):
                    writer.transport.abort()
                    return
        except ConnectionError:
            return  # the driver hung up
        finally:
            for task in sending:
                task.cancel()

    def _happens(self, count: int, data: bytes) -> bool:
        """Let the device have the bytes; False if the line breaks here."""
        if self.cut_after is not None and count > self.cut_after:
            self.cut_after = None
            return False
        if self.power_cycle_after is not None and count > self.power_cycle_after:
            self.power_cycle_after = None
            self.device.power_cycle()
            return False
        self.device.receive(data)
        if self.trouble_after is not None and count > self.trouble_after[0]:
            self.device.trouble(self.trouble_after[1], there=True)
            self.trouble_after = None
        return True

    @staticmethod
    async def _send(writer: asyncio.StreamWriter, sent: bytes, delay_s: float) -> None:
        await asyncio.sleep(delay_s)
        with suppress(ConnectionError):
            writer.write(sent)
            await writer.drain()


@asynccontextmanager
async def simulator(folder: Path, roll_dots: int | None = None) -> AsyncIterator[Simulator]:
    """A printer on a free port."""
    simulated = Simulator(VirtualPrinter(folder, roll_dots=roll_dots))
    server = await asyncio.start_server(simulated.serve, "127.0.0.1", 0)
    simulated.port = server.sockets[0].getsockname()[1]
    async with server:
        yield simulated
        await simulated.stop()
