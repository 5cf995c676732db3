"""The station's websocket to the server: authenticates by key, reconnects, repeats commands.

Every command has a request id. After a reconnect, commands without a response are sent again with
the same id. The server repeats its first response, so nothing is done twice.
"""

import asyncio
import logging
import secrets
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import msgspec
from aiohttp import WSMsgType
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno.protocol import (
    PROTOCOL,
    Command,
    Hello,
    Message,
    Ok,
    Prove,
    RefusedReply,
    SignIn,
    SignOut,
    StationPlace,
    proof_of_station,
    read_server,
    write,
)
from keno.protocol.base import read_answer
from writer_station.refusals import RequestRefused

A = TypeVar("A")

log = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0
HEARTBEAT_SECONDS = 10.0
NOT_PROVED = 4001
"""Websocket close code by which the server rejects the station."""


class Lost(Exception):
    """Raised by `StationClient.ask` if the client ends before the response arrives."""


class NotAccepted(Exception):
    """Raised when the server rejects this station's key or speaks another protocol."""


def new_id() -> str:
    """Return a new random request id, by which the server recognises a repeated command."""
    return secrets.token_urlsafe(15)


def load_key(path: Path) -> Ed25519PrivateKey:
    """Read the station's Ed25519 private key from the file that `keno station enrol` wrote."""
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text("ascii")))


async def _heard(socket: aiohttp.ClientWebSocketResponse) -> Message:
    """Wait for the server's next message during the greeting, and return it.

    `NotAccepted` if the server rejects the station, ConnectionResetError if the connection ends
    otherwise.
    """
    frame = await socket.receive()
    if frame.type is WSMsgType.CLOSE and frame.data == NOT_PROVED:
        raise NotAccepted("this station is switched off, or its key is not known here")
    if frame.type is not WSMsgType.TEXT:
        raise ConnectionResetError("the line ended during the greeting")
    said: Message = read_server(frame.data)
    return said


@dataclass(eq=False)
class StationClient:
    """The websocket connection of one station to its server; `run` opens it and keeps it open.

    `hear` is called with every event. `line_changed` is called when the connection is ready or is
    lost.
    """

    url: str
    station: str
    key: Ed25519PrivateKey
    hear: Callable[[Message], None]
    session: aiohttp.ClientSession | None = None
    line_changed: Callable[[], None] = lambda: None
    tls: ssl.SSLContext | None = None
    """TLS context with the certificate authorities to trust; None trusts the system's."""
    _open: dict[str, tuple[Command[Any], "asyncio.Future[Any]"]] = field(default_factory=dict)
    _signed_in: SignIn | None = None
    _socket: aiohttp.ClientWebSocketResponse | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    place: StationPlace | None = None
    """Station and location as the server names them; None before the first connection."""

    async def run(self) -> None:
        """Connect, authenticate, and reconnect after each loss, until cancelled.

        `NotAccepted` if the server rejects the station. When this ends, every command without a
        response raises `Lost`.
        """
        session = self.session or aiohttp.ClientSession()
        try:
            while True:
                reason = "closed"
                try:
                    async with session.ws_connect(
                        self.url, compress=0, heartbeat=HEARTBEAT_SECONDS, max_msg_size=1 << 20,
                        ssl=True if self.tls is None else self.tls,
                    ) as socket:  # fmt: skip
                        await self._speak(socket)
                except NotAccepted:
                    self._signed_in = None
                    raise
                except (aiohttp.ClientError, OSError, TimeoutError) as error:
                    reason = str(error) or type(error).__name__
                self._socket = None
                if self._ready.is_set():
                    self._ready.clear()
                    self.line_changed()
                log.warning("station %s: no line (%s); trying again", self.station, reason)
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            self._socket = None
            for _, answer in self._open.values():
                if not answer.done():
                    answer.set_exception(Lost("the client has ended"))
            self._open.clear()  # a later run must not send what was reported as lost
            if self.session is None:
                await session.close()

    async def _speak(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        hello = await _heard(socket)
        if not isinstance(hello, Hello) or hello.protocol != PROTOCOL:
            raise NotAccepted("the server speaks another protocol")
        signed = self.key.sign(proof_of_station(hello.site, self.station, hello.nonce))
        await socket.send_str(write(Prove(self.station, signed.hex())))
        said = await _heard(socket)
        if not isinstance(said, Ok):
            raise NotAccepted("this station is switched off, or its key is not known here")
        self.place = msgspec.convert(said.answer, StationPlace)
        if self._signed_in is not None:
            await self._sign_in_again(socket, self._signed_in)
        self._socket = socket  # set first, so that requests made meanwhile are sent too
        for command, _ in tuple(self._open.values()):
            await socket.send_str(write(command))
        self._ready.set()
        self.line_changed()
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                self._take(read_server(frame.data))
        if socket.close_code == NOT_PROVED:
            self._signed_in = None  # switched off: the next writer must sign in

    async def _sign_in_again(self, socket: aiohttp.ClientWebSocketResponse, before: SignIn) -> None:
        """Send the writer's sign-in again after a reconnect and wait for its response.

        Open commands are sent only after that, because they belong to this writer. If the sign-in
        is refused, no writer is signed in.
        """
        await socket.send_str(write(before))
        while True:
            said = await _heard(socket)
            self._take(said)
            if isinstance(said, Ok | RefusedReply) and said.request_id == before.request_id:
                if isinstance(said, RefusedReply):
                    self._signed_in = None
                return

    def _take(self, said: Message) -> None:
        if isinstance(said, Ok | RefusedReply):
            command, answer = self._open.pop(said.request_id, (None, None))
            if answer is None or answer.done():
                return
            if isinstance(said, RefusedReply):
                answer.set_exception(RequestRefused(said.code, said.message, said.where))
            else:
                if isinstance(command, SignIn):
                    self._signed_in = command
                elif isinstance(command, SignOut):
                    self._signed_in = None
                answer.set_result(said.answer)
        else:
            self.hear(said)

    async def ask(self, command: Command[A]) -> A:
        """Send a command and return its response; after a reconnect the command is sent again.

        `RequestRefused` if the server refuses it, `Lost` if the client ends first.
        """
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._open[command.request_id] = (command, answer)
        socket = self._socket
        if socket is not None:
            with suppress(aiohttp.ClientError, ConnectionError):
                await socket.send_str(write(command))
        return read_answer(type(command), await answer)

    async def connected(self) -> None:
        """Wait until the station is connected and the server has accepted it."""
        await self._ready.wait()

    @property
    def up(self) -> bool:
        """Whether the station is connected and the server has accepted it."""
        return self._ready.is_set()

    @property
    def signed_in(self) -> bool:
        """Whether a writer is signed in; the client repeats the sign-in after a reconnect."""
        return self._signed_in is not None
