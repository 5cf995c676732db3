"""Websocket frames by hand, for what no honest client would send."""

import asyncio
import os
import socket
import struct
from base64 import b64encode
from contextlib import suppress
from dataclasses import dataclass

TEXT, BINARY, CLOSE, PING, PONG, CONTINUE = 1, 2, 8, 9, 10, 0


def frame(content: bytes, kind: int = TEXT, *, final: bool = True, masked: bool = True) -> bytes:
    """One frame as a client sends it."""
    size, mark = len(content), 0x80 if masked else 0
    head = bytes([(0x80 if final else 0) | kind])
    if size < 126:
        head += bytes([mark | size])
    elif size < 1 << 16:
        head += bytes([mark | 126]) + struct.pack(">H", size)
    else:
        head += bytes([mark | 127]) + struct.pack(">Q", size)
    if not masked:
        return head + content
    mask = os.urandom(4)
    return head + mask + bytes(each ^ mask[index % 4] for index, each in enumerate(content))


@dataclass
class Raw:
    """A connection that is upgraded and otherwise left to the test."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, *content: bytes) -> None:
        for each in content:
            self.writer.write(each)
        await self.writer.drain()

    async def text(self) -> bytes:
        """The content of the server's next text frame."""
        async with asyncio.timeout(20):
            while True:
                first, size = await self.reader.readexactly(2)
                if size == 126:
                    size = int.from_bytes(await self.reader.readexactly(2), "big")
                content = await self.reader.readexactly(size)
                if first & 15 == TEXT:
                    return content

    async def until_closed(self) -> bytes:
        """All that the server still said; it may also hang up on what it has not read."""
        said = bytearray()
        with suppress(ConnectionResetError):
            async with asyncio.timeout(20):
                while more := await self.reader.read(65_536):
                    said += more
        return bytes(said)

    def close(self) -> None:
        self.writer.close()


async def open_raw(port: int, path: str, receive_bytes: int | None = None) -> Raw:
    """A websocket at a path; nothing answers its pings, and it may hardly read."""
    line = socket.socket()
    if receive_bytes is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_bytes)
    line.setblocking(False)  # noqa: FBT003 the socket takes no name
    await asyncio.get_running_loop().sock_connect(line, ("127.0.0.1", port))
    reader, writer = await asyncio.open_connection(sock=line, limit=receive_bytes or 1 << 16)
    key = b64encode(os.urandom(16)).decode()
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101"), answer
    return Raw(reader, writer)
