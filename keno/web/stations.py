"""The websocket of a writer's station: the station proves its key, then its commands are answered.

Commands are answered in order, after a writer has signed in. Slow commands (a second person's
password, exact odds) run concurrently, so that a sale never waits for them. Messages that come too
fast or cannot be read are refused; `BAD_MAX` of them in a row close the connection.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from aiohttp import ClientConnectionResetError, WSCloseCode, WSMsgType, web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from keno.domain.errors import Refusal
from keno.protocol import (
    PROTOCOL,
    Hello,
    Message,
    Ok,
    Price,
    Prove,
    RefusedReply,
    SignedIn,
    SignIn,
    SignOut,
    StationPlace,
    proof_of_station,
    read_station,
    write,
)
from keno.protocol.base import Empty
from keno.store import resume_queries
from keno.store.transaction import Reads, Row
from keno.web.answering import answer, read, tell, too_fast
from keno.web.auth.limits import Bucket
from keno.web.hub import Watcher
from keno.web.operations import find_shift
from keno.web.server import Caller, Server, StationState

log = logging.getLogger(__name__)

PROVE_SECONDS = 10
"""Maximum seconds between the server's greeting and a station's proof of its key."""
NOT_PROVED = 4001
"""Websocket close code for a station that did not prove its key or was disabled."""
SLOW_AT_ONCE = 4
"""Maximum slow commands of one station that run at a time."""
BAD_MAX = 20
"""Maximum refused frames in a row before the connection is closed."""


async def station_socket(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /ws/station`: check a station's key, then answer its commands and send it events.

    It returns when the station has disconnected. If `stations_max` stations are connected, or as
    many connections have not proved a key, the request gets status 503. A station that does not
    prove its key in `PROVE_SECONDS` is closed with `NOT_PROVED`. One that became too many meanwhile
    is closed with TRY_AGAIN_LATER.
    """
    most = server.config.server.stations_max
    if len(server.lines) >= most or server.unproved >= most:
        raise web.HTTPServiceUnavailable(text="Too many stations are connected.")
    socket = web.WebSocketResponse(
        compress=False,
        heartbeat=server.config.server.heartbeat_seconds,
        max_msg_size=server.config.server.message_bytes_max,
    )
    server.unproved += 1
    try:
        await socket.prepare(request)
        station = await _greeted(server, socket)
    finally:
        server.unproved -= 1
    if station is None or request.transport is None:
        log.warning("a station from %s did not prove its key", server.address(request))
        await socket.close(code=NOT_PROVED, message=b"not proved")
    elif len(server.lines) >= most:
        await socket.close(code=WSCloseCode.TRY_AGAIN_LATER, message=b"too many stations")
    else:
        place = (station["station"], station["location"])
        watcher = Watcher(socket, request.transport, staff=True)
        connection = _Connection(server, socket, *place, server.address(request))
        await _listen(connection, watcher, _place(server, station))
    return socket


async def _greeted(server: Server, socket: web.WebSocketResponse) -> Row | None:
    """Send a greeting with a nonce, and wait for the proof of the station's key.

    Return the station's row, or None if it did not prove in time the key of an enabled station of
    this server.
    """
    house, nonce = server.house, secrets.token_hex(32)
    hello = Hello(PROTOCOL, house.site, house.mode, nonce, house.ledger.clock())
    with suppress(ClientConnectionResetError):
        await socket.send_str(write(hello))
    return await _proved(server, socket, nonce)


def _place(server: Server, station: Row) -> StationPlace:
    """Return a station's location, and the facts of the house that its papers show."""
    house, named = server.house, server.config.house.name
    public = server.config.server.public
    return StationPlace(
        station=station["station"],
        location=station["location"],
        letter=station["letter"],
        name=station["name"],
        zone=station["zone"],
        casino=named or house.site,
        no_value=house.mode != "live",
        scan_prefix="" if public is None else f"{public}/t/",
    )


async def _listen(connection: "_Connection", watcher: Watcher, place: StationPlace) -> None:
    """Serve a station until it disconnects: answer its commands and send its location's events."""
    server, name, location = connection.server, connection.station, connection.location
    server.hub.watchers[location].add(watcher)
    server.lines.add(connection)
    server.stations[name] = StationState(name, location, None, "unknown", "unknown")
    try:
        await connection.send(Ok("", place))
        await connection.send(server.conductor(location).state())
        await connection.run()
    finally:
        server.hub.watchers[location].discard(watcher)
        server.lines.discard(connection)
        if not any(line.station == name for line in server.lines):
            server.stations.pop(name, None)


async def _proved(server: Server, socket: web.WebSocketResponse, nonce: str) -> Row | None:
    """Return the row of the enabled station that signed the nonce in time; else None.

    Also None if this server does not run the games of the station's location.
    """
    try:
        frame = await socket.receive(timeout=PROVE_SECONDS)
    except TimeoutError:
        return None
    said = read(frame.data, read_station) if frame.type is WSMsgType.TEXT else None
    if not isinstance(said, Prove):
        return None

    def find(reads: Reads) -> Row | None:
        return resume_queries.station_place(reads, said.station)

    station = await server.house.ledger.read(find)
    if station is None or not station["enabled"]:
        return None
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(station["public_key"]))
        signed = proof_of_station(server.house.site, said.station, nonce)
        key.verify(bytes.fromhex(said.signature), signed)
    except (ValueError, InvalidSignature):
        return None
    return station if station["location"] in server.conductors else None


@dataclass(eq=False)
class _Connection:
    """The connection of a station that has proved its key: it runs commands and sends answers.

    `caller` is the signed-in writer or None; `tasks` are the slow commands that run.
    """

    server: Server
    socket: web.WebSocketResponse
    station: str
    location: str
    address: str
    caller: Caller | None = None
    tasks: set["asyncio.Task[object]"] = field(default_factory=set)
    pricing: bool = False

    async def run(self) -> None:
        """Answer commands until the station disconnects or sends `BAD_MAX` bad frames in a row.

        Frames over the rate limit count as bad. A frame that is not text ends it at once.
        """
        rate = self.server.config.server.messages_per_second
        bucket = Bucket(rate, 2 * rate, time.monotonic)
        bad = 0
        async for frame in self.socket:
            if frame.type is not WSMsgType.TEXT:
                await self.socket.close(code=1003, message=b"text only")
                return
            message = read(frame.data, read_station) if bucket.take() else too_fast(frame.data)
            if isinstance(message, Prove):
                message = RefusedReply("", Refusal.MALFORMED, "This station has proved its key.")
            if isinstance(message, RefusedReply):
                bad += 1
                log.info("station %s refused: %s", self.station, message.code)
                await self.send(message)
                if bad >= BAD_MAX:
                    await self.socket.close(code=1008, message=b"too many bad messages")
                    return
                continue
            bad = 0
            await self._do(message)

    async def _do(self, message: Any) -> None:
        caller = self.caller
        if isinstance(message, SignOut):
            self.leave()
            await self.send(Ok(message.request_id, Empty()))
        elif isinstance(message, SignIn):
            await self._beside(message, self._sign_in(message))
        elif caller is None:
            log.info("station %s refused: nobody is signed in", self.station)
            await self.send(
                RefusedReply(message.request_id, Refusal.NOT_SIGNED_IN, "Sign in first.")
            )
        elif message.slow or getattr(message, "second", None) is not None:
            await self._beside(message, self._answer(caller, message))
        else:
            await self._answer(caller, message)

    async def _beside(self, message: Any, work: Coroutine[Any, Any, None]) -> None:
        """Run a command concurrently; refuse more than `SLOW_AT_ONCE`, or two prices at a time."""
        price = isinstance(message, Price)
        if len(self.tasks) >= SLOW_AT_ONCE or (price and self.pricing):
            work.close()
            log.info("station %s refused: too many slow commands", self.station)
            await self.send(
                RefusedReply(message.request_id, Refusal.TOO_FAST, "One after the other, please.")
            )
            return
        self.pricing = self.pricing or price
        task = self._keep(work)
        if price:
            task.add_done_callback(self._priced)

    def _keep(self, work: Coroutine[Any, Any, object]) -> "asyncio.Task[object]":
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def _priced(self, _: "asyncio.Task[object]") -> None:
        self.pricing = False

    async def _answer(self, caller: Caller, message: Any) -> None:
        await self.send(await answer(self.server, caller, message))

    async def _sign_in(self, message: SignIn) -> None:
        who = f"{message.person[:40]!r} at {self.station}"
        await self.send(await tell(self.server, who, message, self._enter(message)))

    async def _enter(self, message: SignIn) -> SignedIn:
        user = await self.server.sign_in(message.person, message.password, self.address)
        caller = Caller(user.person, user.role, self.address, self.station, self.location)
        await find_shift(self.server, caller)
        self._is(caller)
        return SignedIn(user.person, user.name, user.role, caller.shift)

    def leave(self) -> None:
        """Sign the writer out."""
        self._is(None)

    def cut(self) -> None:
        """Sign the writer out and close the connection, because the station was disabled."""
        self.leave()
        self._keep(self.socket.close(code=NOT_PROVED, message=b"switched off"))

    def _is(self, caller: Caller | None) -> None:
        self.caller = caller
        known = self.server.stations.get(self.station)
        if known is not None:
            person = None if caller is None else caller.person
            self.server.stations[self.station] = replace(known, writer=person)

    async def send(self, message: Message) -> None:
        with suppress(ClientConnectionResetError):
            await self.socket.send_str(write(message))
