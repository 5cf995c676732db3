"""The station's websocket: it proves its key, keeps the line, and loses no answer.

Every command carries an id. If the line breaks, commands without an answer are asked again under
the same id as soon as the line is back: the server gives the first answer again, never a second
ticket.
"""

import asyncio
import logging
import secrets
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
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
    proof_of_station,
    read_server,
    write,
)

log = logging.getLogger(__name__)

AGAIN_SECONDS = 1.0
HEARTBEAT_SECONDS = 10.0
NOT_PROVED = 4001
"""The close code of a server that does not accept the station."""


class Lost(Exception):
    """The line is gone and the client was told to end."""


class NotAccepted(Exception):
    """The server does not accept this station or speaks another protocol."""


class SaidNo(Exception):
    """The server refused a command: its code, a sentence to read out, and the field."""

    def __init__(self, code: str, message: str, where: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.where = where


def new_id() -> str:
    """A request id that nobody else has."""
    return secrets.token_urlsafe(15)


def load_key(path: Path) -> Ed25519PrivateKey:
    """The key that `keno station enrol` made."""
    return Ed25519PrivateKey.from_private_bytes(bytes.fromhex(path.read_text("ascii")))


async def _heard(socket: aiohttp.ClientWebSocketResponse) -> Message:
    """The next word; a line that ends here is a lost line unless the server sent us away."""
    frame = await socket.receive()
    if frame.type is WSMsgType.CLOSE and frame.data == NOT_PROVED:
        raise NotAccepted("this station is switched off, or its key is not known here")
    if frame.type is not WSMsgType.TEXT:
        raise ConnectionResetError("the line ended during the greeting")
    said: Message = read_server(frame.data)
    return said


@dataclass(eq=False)
class StationClient:
    """One station at one server. `hear` gets every event; `line_changed` is called when the line
    comes up or is lost.
    """

    url: str
    station: str
    key: Ed25519PrivateKey
    hear: Callable[[Message], None]
    session: aiohttp.ClientSession | None = None
    line_changed: Callable[[], None] = lambda: None
    tls: ssl.SSLContext | None = None
    """Whom to trust; None is the system's own list."""
    _open: dict[str, tuple[Command[Any], "asyncio.Future[Any]"]] = field(default_factory=dict)
    _signed_in: SignIn | None = None
    _socket: aiohttp.ClientWebSocketResponse | None = None
    _ready: asyncio.Event = field(default_factory=asyncio.Event)
    place: dict[str, Any] = field(default_factory=dict)
    """Which station of which location the server takes this for."""

    async def run(self) -> None:
        """Keep the line until cancelled; raises `NotAccepted` if the server will not have us."""
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
            self._open.clear()  # whoever was told so must not see it done after all
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
        self.place = said.answer
        if self._signed_in is not None:
            await self._sign_in_again(socket, self._signed_in)
        self._socket = socket  # first: what is asked meanwhile goes out too, twice at worst
        for command, _ in tuple(self._open.values()):
            await socket.send_str(write(command))
        self._ready.set()
        self.line_changed()
        async for frame in socket:
            if frame.type is WSMsgType.TEXT:
                self._take(read_server(frame.data))
        if socket.close_code == NOT_PROVED:
            self._signed_in = None  # switched off: whoever comes back signs in themselves

    async def _sign_in_again(self, socket: aiohttp.ClientWebSocketResponse, before: SignIn) -> None:
        """The open commands belong to the writer: nothing is asked before they are back."""
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
                answer.set_exception(SaidNo(said.code, said.message, said.where))
            else:
                if isinstance(command, SignIn):
                    self._signed_in = command
                elif isinstance(command, SignOut):
                    self._signed_in = None
                answer.set_result(said.answer)
        else:
            self.hear(said)

    async def ask(self, command: Command[Any]) -> Any:
        """The answer to a command, however often the line breaks; `SaidNo` if it is refused."""
        answer: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._open[command.request_id] = (command, answer)
        socket = self._socket
        if socket is not None:
            with suppress(aiohttp.ClientError, ConnectionError):
                await socket.send_str(write(command))
        return await answer

    async def connected(self) -> None:
        """Wait until the line is there."""
        await self._ready.wait()

    @property
    def up(self) -> bool:
        """Whether the line is there."""
        return self._ready.is_set()

    @property
    def signed_in(self) -> bool:
        """Whether a writer is signed in, and will be again after a lost line."""
        return self._signed_in is not None
