"""The socket server of R and W: answers each line, and ends the process on an error.

An answer is sent only after the party has returned it, so after its journal is on the disk. Any
error but a refusal ends the process at once: a partial state must answer no question.
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

from rng.asking import Halted, Rejection
from rng.canonical import LINE_BYTES_MAX, encode_line
from rng.journal import NotDurable

EXIT_CRASHED = 70
"""Exit code after an unexpected error."""
EXIT_NOT_DURABLE = 75
"""Exit code after the disk failed. People must look before it is started again."""
EXIT_HALTED = 76
"""Exit code after R or W found something broken or forged. People must look before a new start."""

CONNECTIONS_MAX = 32
"""Maximum connections that are served at once."""
IDLE_S = 3600
"""Seconds without a line after which a connection is closed."""

Reply = Callable[[bytes], bytes]
"""A function that returns the response line to a request line."""


def say(text: str) -> None:
    """Write a line to the operator's log (standard error)."""
    print(text, file=sys.stderr, flush=True)


def keep_memory_to_itself() -> None:
    """Disable core dumps, because a dump of this process would copy its key."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def or_end(reply: Reply) -> Reply:
    """Return `reply` wrapped so that an exception in it ends the process with an exit code."""

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
    """Listen at `unix:PATH` or `tcp:HOST:PORT` and answer each line by `reply`; return the server.

    Raise `ValueError` for another form of address. An exception in `reply` ends the process.
    """
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
    """Return a socket bound to a path, replacing a file left there; `mask` is the umask for it."""
    path.unlink(missing_ok=True)
    bound = socket.socket(socket.AF_UNIX)
    before = os.umask(mask)
    try:
        bound.bind(str(path))
    finally:
        os.umask(before)
    return bound


class _Connections:
    """Serves at most CONNECTIONS_MAX connections at once; one more is closed.

    The lines of each connection are answered in order.
    """

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
                refusal = {"refused": Rejection.MALFORMED.value, "message": too_long}
                writer.write(encode_line(refusal))
                await writer.drain()
                return
            writer.write(self._reply(line))
            await writer.drain()
