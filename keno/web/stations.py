"""A station's websocket: it proves its key, a writer signs in, commands are answered in order.

Slow commands (a second person's password, exact odds) run beside, so that a sale never waits for
them. A connection that says too much, too fast or nothing readable is refused, then closed.
"""

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import ClientConnectionResetError, WSMsgType, web
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from keno.domain.errors import Fault, Refusal, Refused
from keno.messages import (
    PROTOCOL,
    Hello,
    Message,
    Ok,
    Price,
    Prove,
    SignIn,
    SignOut,
    proof_of_station,
    read_station,
    write,
)
from keno.messages import Refusal as No
from keno.store import queries
from keno.store.transaction import Reads, Row
from keno.web.answering import UNAVAILABLE, answer, read
from keno.web.hub import Watcher
from keno.web.limits import Bucket
from keno.web.operations import OPERATIONS, find_shift
from keno.web.server import Caller, Server, StationState

log = logging.getLogger(__name__)

PROVE_SECONDS = 10
SLOW_AT_ONCE = 4
"""So many slow commands of one station at a time."""
BAD_MAX = 20
"""After so many refused frames in a row the connection is closed."""


async def station_socket(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /ws/station`."""
    if server.hub.count(staff=True) >= server.config.server.stations_max:
        raise web.HTTPServiceUnavailable(text="Too many stations are connected.")
    socket = web.WebSocketResponse(
        compress=False,
        heartbeat=server.config.server.heartbeat_seconds,
        max_msg_size=server.config.server.message_bytes_max,
    )
    await socket.prepare(request)
    address = request.remote or "?"
    nonce = secrets.token_hex(32)
    house = server.house
    await socket.send_str(
        write(Hello(PROTOCOL, house.site, house.mode, nonce, house.ledger.clock()))
    )
    station = await _proved(server, socket, nonce)
    if station is None or request.transport is None:
        log.warning("a station from %s did not prove its key", address)
        await socket.close(code=4001, message=b"not proved")
        return socket
    location = station["location"]
    watcher = Watcher(socket, request.transport, staff=True)
    connection = _Connection(server, socket, station["station"], location, address)
    server.hub.watchers[location].add(watcher)
    server.stations[connection.station] = StationState(
        connection.station, location, None, "unknown", "unknown"
    )
    try:
        await connection.send(Ok("", {"station": connection.station, "location": location}))
        await connection.send(server.conductor(location).state())
        await connection.run()
    finally:
        server.hub.watchers[location].discard(watcher)
        server.stations.pop(connection.station, None)
        connection.stop()
    return socket


async def _proved(server: Server, socket: web.WebSocketResponse, nonce: str) -> Row | None:
    """The station whose enrolled key signed the nonce, if it does so in time."""
    try:
        frame = await socket.receive(timeout=PROVE_SECONDS)
    except TimeoutError:
        return None
    said = read(frame.data, read_station) if frame.type is WSMsgType.TEXT else None
    if not isinstance(said, Prove) or not said.station.isascii():
        return None

    def find(reads: Reads) -> Row | None:
        return queries.station(reads, said.station)

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
    """One station that has proved its key."""

    server: Server
    socket: web.WebSocketResponse
    station: str
    location: str
    address: str
    caller: Caller | None = None
    tasks: set["asyncio.Task[None]"] = field(default_factory=set)
    pricing: bool = False

    async def run(self) -> None:
        """Answer until the station leaves."""
        rate = self.server.config.server.messages_per_second
        bucket = Bucket(rate, 2 * rate, time.monotonic)
        bad = 0
        async for frame in self.socket:
            if frame.type is not WSMsgType.TEXT:
                await self.socket.close(code=1003, message=b"text only")
                return
            message = (
                read(frame.data, read_station)
                if bucket.take()
                else No("", Refusal.TOO_FAST, "Too many messages at once. Wait a second.")
            )
            if isinstance(message, No | Prove):
                bad += 1
                log.info("station %s: unreadable or too fast", self.station)
                await self.send(
                    message
                    if isinstance(message, No)
                    else No("", Refusal.MALFORMED, "This station has proved its key.")
                )
                if bad >= BAD_MAX:
                    await self.socket.close(code=1008, message=b"too many bad messages")
                    return
                continue
            bad = 0
            await self._do(message)

    async def _do(self, message: Any) -> None:
        if isinstance(message, SignIn | SignOut):
            await self._beside(message, self._sign)
        elif self.caller is None:
            await self.send(No(message.request_id, Refusal.NOT_SIGNED_IN, "Sign in first."))
        elif OPERATIONS[type(message)].slow:
            await self._beside(message, self._answer)
        else:
            await self.send(await answer(self.server, self.caller, message))

    async def _beside(self, message: Any, work: Any) -> None:
        """Run a slow command beside the others, a few at a time, one price at a time."""
        price = isinstance(message, Price)
        if len(self.tasks) >= SLOW_AT_ONCE or (price and self.pricing):
            await self.send(
                No(message.request_id, Refusal.TOO_FAST, "One after the other, please.")
            )
            return
        self.pricing = self.pricing or price
        task = asyncio.create_task(work(message))
        self.tasks.add(task)

        def done(task: "asyncio.Task[None]") -> None:
            self.tasks.discard(task)
            if price:
                self.pricing = False

        task.add_done_callback(done)

    async def _answer(self, message: Any) -> None:
        caller = self.caller
        if caller is not None:
            await self.send(await answer(self.server, caller, message))

    async def _sign(self, message: SignIn | SignOut) -> None:
        if isinstance(message, SignOut):
            self._is(None)
            await self.send(Ok(message.request_id, {}))
            return
        try:
            user = await self.server.sign_in(message.person, message.password, self.address)
        except (Refused, Fault) as no:
            code = no.reason if isinstance(no, Refused) else UNAVAILABLE
            log.warning("station %s: sign-in of %r: %s", self.station, message.person[:40], no)
            await self.send(No(message.request_id, code, str(no)))
            return
        caller = Caller(user.person, user.role, self.address, self.station, self.location)
        await find_shift(self.server, caller)
        self._is(caller)
        said = {"person": user.person, "name": user.name, "role": user.role, "shift": caller.shift}
        await self.send(Ok(message.request_id, said))

    def _is(self, caller: Caller | None) -> None:
        self.caller = caller
        known = self.server.stations.get(self.station)
        if known is not None:
            self.server.stations[self.station] = StationState(
                known.station,
                known.location,
                None if caller is None else caller.person,
                known.printer,
                known.paper,
            )

    async def send(self, message: Message) -> None:
        with suppress(ClientConnectionResetError):
            await self.socket.send_str(write(message))

    def stop(self) -> None:
        """The station is gone. What was asked is finished all the same; Resume tells of it."""
        self.caller = None
