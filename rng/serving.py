"""Answers questions on a socket, one line for one line, and ends the process when it must.

An answer leaves only after the party behind it has returned, so after its journal is on the disk.
Whatever goes wrong beyond a refusal ends the process at once: half a state answers nobody.
"""

import asyncio
import os
import resource
import socket
import sys
import traceback
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader, StreamWriter
from collections.abc import Callable
from pathlib import Path

from rng.asking import Halted, Refusal
from rng.canonical import LINE_BYTES_MAX, encode_line
from rng.journal import NotDurable

EXIT_CRASHED = 70
EXIT_NOT_DURABLE = 75
"""The disk failed. Not to be started again before people have looked at it."""
EXIT_HALTED = 76
"""Something was found that can only be broken or forged; people have to look."""

CONNECTIONS_MAX = 32
IDLE_S = 3600

Reply = Callable[[bytes], bytes]


def say(text: str) -> None:
    """Tell the operator's log."""
    print(text, file=sys.stderr, flush=True)


def keep_memory_to_itself() -> None:
    """No core dump: a picture of a process that holds a key would be a copy of the key."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def or_end(reply: Reply) -> Reply:
    """Return a reply that ends the process where there can be none."""

    def replying(line: bytes) -> bytes:
        try:
            return reply(line)
        except NotDurable as error:
            say(f"ALARM: {error}. The process ends; nothing was answered.")
            os._exit(EXIT_NOT_DURABLE)
        except Halted as error:
            say(f"ALARM: HALTED: {error}. The process ends; nothing was answered.")
            os._exit(EXIT_HALTED)
        except Exception:  # noqa: BLE001 # whatever it is: to go on with half a state is worse
            traceback.print_exc()
            os._exit(EXIT_CRASHED)

    return replying


async def listen(address: str, reply: Reply) -> asyncio.Server:
    """Open the socket at `unix:PATH` or `tcp:HOST:PORT`."""
    kind, _, where = address.partition(":")
    answering = _Connections(or_end(reply)).serve
    if kind == "unix":
        return await asyncio.start_unix_server(
            answering, sock=unix_socket(Path(where), 0o117), limit=LINE_BYTES_MAX
        )
    host, _, port = where.rpartition(":")
    if kind != "tcp" or not host or not port.isdecimal():
        raise ValueError(f"{address} is neither unix:PATH nor tcp:HOST:PORT")
    return await asyncio.start_server(answering, host, int(port), limit=LINE_BYTES_MAX)


def unix_socket(path: Path, mask: int) -> socket.socket:
    """Bind a Unix socket, in place of one that a dead process left behind."""
    path.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX)
    before = os.umask(mask)
    try:
        bound.bind(str(path))
    finally:
        os.umask(before)
    return bound


class _Connections:
    """So many connections at most, each answered in order."""

    def __init__(self, reply: Reply) -> None:
        self._reply = reply
        self._open = 0

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._open += 1
        try:
            if self._open <= CONNECTIONS_MAX:
                await self._answer_all(reader, writer)
        except (TimeoutError, ConnectionError):
            pass  # the asker is gone; it asks again on a new connection
        finally:
            self._open -= 1
            writer.close()

    async def _answer_all(self, reader: StreamReader, writer: StreamWriter) -> None:
        while True:
            try:
                line = await asyncio.wait_for(reader.readuntil(b"\n"), IDLE_S)
            except IncompleteReadError:
                return
            except LimitOverrunError:
                too_long = f"A line has {LINE_BYTES_MAX} bytes at most."
                refusal = {"refused": Refusal.MALFORMED.value, "message": too_long}
                writer.write(encode_line(refusal))
                await writer.drain()
                return
            writer.write(self._reply(line))
            await writer.drain()
