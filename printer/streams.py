"""Connections to a printer: a TCP socket, a device file, a serial line, the virtual printer."""

import asyncio
import os
import stat
import termios
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from printer.address import Address
from printer.virtual import VirtualPrinter

READ_BYTES = 4096
LOOK_S = 0.2
"""Seconds between two checks of the virtual printer's folder."""


class Stream(Protocol):
    """A connection to a printer; every error of its methods is raised as an OSError."""

    async def read(self) -> bytes:
        """Wait for bytes from the printer and return them; empty if the connection is closed."""

    async def write(self, data: bytes) -> None:
        """Send bytes; return when the connection has accepted all of them."""

    async def abort(self) -> None:
        """Close the connection at once, without sending the bytes that are left.

        A virtual printer finishes what it is drawing.
        """


async def open_stream(address: Address) -> Stream:
    """Open and return the connection to the printer of an address; OSError if that fails."""
    match address.kind:
        case "tcp":
            return SocketStream(*await asyncio.open_connection(address.target, address.port))
        case "virtual":
            device = VirtualPrinter(Path(address.target), address.profile.dots)
            return VirtualStream(device)
        case _:
            baud = address.baud if address.kind == "serial" else None
            return DeviceStream(address.target, baud)


class SocketStream:
    """A TCP connection to a printer, usually to port 9100."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    async def read(self) -> bytes:
        return await self._reader.read(READ_BYTES)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def abort(self) -> None:
        self._writer.transport.abort()
        with suppress(OSError):  # the connection is closed either way
            await self._writer.wait_closed()


class DeviceStream:
    """A character device: a USB printer's device file or, with a baud rate, a serial line."""

    def __init__(self, path: str, baud: int | None) -> None:
        self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
        try:
            _check_device(self._fd, path)
            if baud is not None:
                _raw(self._fd, baud)
        except termios.error as error:  # which is no OSError
            os.close(self._fd)
            raise OSError(*error.args) from None
        except OSError:
            os.close(self._fd)
            raise
        self._closed = False

    async def read(self) -> bytes:
        while not self._closed:
            try:
                return os.read(self._fd, READ_BYTES)
            except BlockingIOError:
                await self._ready(writing=False)
        return b""

    async def write(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            if self._closed:
                raise OSError("the device is closed")
            try:
                left = left[os.write(self._fd, left) :]
            except BlockingIOError:
                await self._ready(writing=True)

    async def _ready(self, *, writing: bool) -> None:
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[None] = loop.create_future()
        add, remove = (
            (loop.add_writer, loop.remove_writer)
            if writing
            else (loop.add_reader, loop.remove_reader)
        )
        add(self._fd, _wake, ready)
        try:
            await ready
        finally:
            if not self._closed:
                remove(self._fd)

    async def abort(self) -> None:
        if self._closed:
            return
        self._closed = True
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._fd)
        loop.remove_writer(self._fd)
        with suppress(termios.error):  # a line that is gone has nothing to flush
            if os.isatty(self._fd):
                termios.tcflush(self._fd, termios.TCIOFLUSH)
        os.close(self._fd)


def _wake(ready: "asyncio.Future[None]") -> None:
    if not ready.done():
        ready.set_result(None)


def _check_device(fd: int, path: str) -> None:
    if not stat.S_ISCHR(os.fstat(fd).st_mode):
        raise OSError(f"{path} is not a device")


def _raw(fd: int, baud: int) -> None:
    """Set a serial line to raw mode at this baud rate: eight bits, hardware flow control."""
    speed = getattr(termios, f"B{baud}")
    control = termios.CS8 | termios.CREAD | termios.CLOCAL | termios.CRTSCTS
    special = termios.tcgetattr(fd)[6]
    termios.tcsetattr(fd, termios.TCSANOW, [0, 0, control, 0, speed, speed, special])
    termios.tcflush(fd, termios.TCIOFLUSH)


class VirtualStream:
    """A connection to a virtual printer in this process, which draws in a worker thread."""

    def __init__(self, device: VirtualPrinter) -> None:
        self.device = device
        self._received: deque[bytes] = deque()
        self._arrived = asyncio.Event()
        self._drawing = asyncio.Lock()
        self._closed = False
        loop = asyncio.get_running_loop()

        def send(sent: bytes) -> None:
            loop.call_soon_threadsafe(self._take, sent)

        device.send = send

    def _take(self, sent: bytes) -> None:
        self._received.append(sent)
        self._arrived.set()

    async def read(self) -> bytes:
        while not self._received and not self._closed:
            self._arrived.clear()
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._arrived.wait()
            except TimeoutError:
                await self._alone(self.device.look)
        return self._received.popleft() if self._received else b""

    async def write(self, data: bytes) -> None:
        if self._closed:
            raise OSError("the virtual printer is closed")
        await self._alone(self.device.receive, data)

    async def _alone(self, work: Callable[..., None], *given: bytes) -> None:
        """Run `work` in a thread, after the one before it has ended, even if that was cancelled.

        The caller abandons a write as soon as its job is confirmed, while the thread may still be
        drawing.
        """
        async with self._drawing:
            drawing = asyncio.create_task(asyncio.to_thread(work, *given))
            try:
                await asyncio.shield(drawing)
            finally:
                await asyncio.wait({drawing})

    async def abort(self) -> None:
        self._closed = True
        self._arrived.set()
        async with self._drawing:  # wait until the printer has finished drawing
            self.device.send = _say_nothing


def _say_nothing(_: bytes) -> None:
    """Discard what the virtual printer sends after its connection was closed."""
