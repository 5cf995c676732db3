"""A house behind real sockets in this process, and the stations, consoles and boards that ask it.

The draw is left out: its game stays open until somebody closes it by hand. Everything else is the
real application around a real ledger.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, cast

import aiohttp
from aiohttp import WSMsgType, web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import protocol
from keno.config import Config, HouseConfig, ServerConfig, SessionConfig
from keno.domain.errors import Fault
from keno.draw.coordinator import DrawCoordinator
from keno.games.authorisation_timeout import lapse_forever
from keno.games.conductor import Conductor, Schedule
from keno.protocol import (
    Command,
    Hello,
    Message,
    Ok,
    OpenShift,
    PaperOrigin,
    Prove,
    RefusedReply,
    Second,
    SellTicket,
    SignIn,
    Tendered,
    proof_of_station,
    read_server,
    write,
)
from keno.service import people
from keno.web.app import build
from keno.web.auth.passwords import Cost, Passwords
from keno.web.auth.sessions import Sessions
from keno.web.server import Server
from tests.cards import CARD, card_text
from tests.consoles import Console, at_console
from tests.houses import ADM, BOTH, WHY, Floor, new_floor

PASSWORD = "marker-pass-7431"  # noqa: S105 opens a house that a test made
CHEAP = Cost(memory_kib=32, iterations=1, lanes=1)
PEOPLE = {
    "W1": "writer", "W2": "writer", "W3": "writer", "S1": "supervisor", "S2": "supervisor",
    "M1": "manager", "I1": "inspector", "C1": "accounting", "ADM": "administrator",
}  # fmt: skip
STATIONS = ("s1", "s2", "s3", "off")
REQUEST = {
    "groups": [[1, 2, 3, 4, 5, 6, 7, 8]], "kings": [], "games": 1,
    "lines": [{"ways": 1, "spots": 8, "rate": "regular", "wager_cents": 100}],
}  # fmt: skip
PLACE = {
    "station": "s1", "location": "main", "letter": "A", "name": "Main Floor",
    "zone": "America/New_York", "casino": "test-house", "no_value": True, "scan_prefix": "",
}  # fmt: skip
"""What station s1 is told when it has proved its key."""
ANSWER_SECONDS = 60
_ids = count(1)


def new_id() -> str:
    return f"wire-{next(_ids)}"


def key_of(station: str) -> Ed25519PrivateKey:
    """The station's private key, the same in every test."""
    return Ed25519PrivateKey.from_private_bytes(station.encode().ljust(32, b"."))


def sale(request_id: str = "", **changes: Any) -> SellTicket:
    """A straight eight for a dollar in game 1."""
    fields: dict[str, Any] = {
        "first_game": 1, "card_version": "1", "price_cents": 100, "origin": PaperOrigin(),
        "request": REQUEST, "tender": [Tendered("currency", 100)],
    }  # fmt: skip
    return SellTicket(request_id or new_id(), **(fields | changes))


async def _nobody(_: dict[str, Any]) -> dict[str, Any]:
    raise Fault("Nobody is asked here.")


class Side:
    """A draw that promises and is never asked to draw."""

    location = "main"
    genesis = None
    """There are no keys, so the stored numbers of its games count."""

    def __init__(self) -> None:
        self.ask_r = self.ask_w = _nobody

    async def begin(self) -> None:
        return None

    async def commit(self, game: int) -> str:
        return f"commitment {game}"


@dataclass
class Line:
    """A station's or a board's websocket."""

    socket: aiohttp.ClientWebSocketResponse
    events: list[Message] = field(default_factory=list)
    code: int | None = None
    """With which the server closed the line."""

    async def say(self, said: Message | str) -> None:
        await self.socket.send_str(said if isinstance(said, str) else write(said))

    async def hear(self) -> Any:
        """The next thing the server says; None if it has closed the line."""
        frame = await self.socket.receive(timeout=ANSWER_SECONDS)
        if frame.type is WSMsgType.CLOSE:
            self.code = frame.data
        return read_server(frame.data) if frame.type is WSMsgType.TEXT else None

    async def hear_all(self) -> None:
        """Read for ever, which also answers pings."""
        async for _ in self.socket:
            continue

    async def answer(self, request_id: str) -> Ok | RefusedReply:
        """The answer to a request; events that come meanwhile are kept."""
        while True:
            said = await self.hear()
            if said is None:
                raise ConnectionResetError(f"the line was closed with {self.code}")
            if isinstance(said, Ok | RefusedReply) and said.request_id == request_id:
                return said
            self.events.append(said)

    async def ask(self, command: Command[Any]) -> Any:
        """The answer of a command that must succeed."""
        said = await self.reply(command)
        assert isinstance(said, Ok), said
        return said.answer

    async def reply(self, command: Command[Any]) -> Ok | RefusedReply:
        await self.say(command)
        return await self.answer(command.request_id)

    async def no(self, command: Command[Any]) -> str:
        """The code with which a command is refused."""
        said = await self.reply(command)
        assert isinstance(said, RefusedReply), said
        return said.code

    def drop(self) -> None:
        """Cut the line without a word."""
        response = self.socket._response  # noqa: SLF001 there is no public way to be rude
        if response.connection is not None and response.connection.transport is not None:
            response.connection.transport.abort()
        response.close()


def proof(station: str, hello: Hello) -> Prove:
    """The answer of a station to the greeting."""
    signed = key_of(station).sign(proof_of_station(hello.site, station, hello.nonce))
    return Prove(station, signed.hex())


@dataclass
class Served:
    """A house that answers at an address, and what went wrong in its event loop."""

    floor: Floor
    server: Server
    conductor: Conductor
    runner: web.AppRunner
    http: aiohttp.ClientSession
    port: int
    troubles: list[dict[str, Any]]
    lines: list[Line] = field(default_factory=list)

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def raw(self, path: str = "/ws/station", **options: Any) -> Line:
        socket = await self.http.ws_connect(f"{self.base}{path}", compress=0, **options)
        self.lines.append(Line(socket))
        return self.lines[-1]

    async def board(self, **options: Any) -> Line:
        return await self.raw("/ws/board/main", **options)

    async def greeted(self) -> tuple[Line, Hello]:
        """A connection that has heard the nonce and not answered."""
        line = await self.raw()
        hello = await line.hear()
        assert isinstance(hello, Hello)
        return line, hello

    async def proved(self, station: str = "s1") -> Line:
        """A station that has proved its key; nobody is signed in."""
        line, hello = await self.greeted()
        await line.say(proof(station, hello))
        await line.answer("")
        return line

    async def station(
        self, station: str = "s1", person: str = "W1", *, bank_cents: int | None = 1_000_00
    ) -> Line:
        """A writer at a station, with an open shift if there is a bank."""
        line = await self.proved(station)
        await line.ask(SignIn(new_id(), person, PASSWORD))
        if bank_cents is not None:
            second = Second("S2", PASSWORD) if self.floor.house.live else None
            await line.ask(OpenShift(new_id(), bank_cents, second))
        return line

    def console(self, person: str | None) -> AbstractAsyncContextManager[Console]:
        """A browser at the console, signed in if a person is named."""
        return at_console(self.base, person, PASSWORD)

    async def money(self) -> Any:
        """Everything that decides money, as the ledger has it."""
        tables = (
            "tickets", "endings", "shifts", "slips", "drawer", "coupons", "authorisations",
            "awards",
        )  # fmt: skip
        return await self.floor.ledger.read(
            lambda reads: {name: reads.rows(f"SELECT * FROM {name}") for name in tables}  # noqa: S608 our own names
        )


@asynccontextmanager
async def serving(
    folder: Path, *, session: SessionConfig | None = None, live: bool = False, **settings: Any
) -> AsyncIterator[Served]:
    """A house with its people, four stations (one switched off) and game 1 open."""
    config = Config(
        HouseConfig(folder=folder), ServerConfig(**settings), session or SessionConfig(), {}
    )
    schedule = Schedule(automatic=False, closing_notice_seconds=3600)
    card = card_text(approval="DGE 2026-1") if live else CARD
    mode = "live" if live else "test"
    async with (
        new_floor(folder, mode=mode, card_toml=card) as floor,
        serving_floor(floor, config, Side(), schedule) as made,
    ):
        yield made


@asynccontextmanager
async def serving_floor(
    floor: Floor, config: Config, side: Side, schedule: Schedule
) -> AsyncIterator[Served]:
    """A house that is open already; four stations and every password are added to it."""
    troubles: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, what: troubles.append(what))
    passwords = Passwords(config.house.folder / "passwords.json", CHEAP)
    await _furnish(floor, passwords)
    idle, life = config.session.idle_minutes * 60, config.session.hours * 3600
    server = Server(floor.house, config, passwords, Sessions(idle, life, time.monotonic))
    opened = asyncio.Event()

    def publish(event: Message) -> None:
        server.hub.publish("main", event)
        opened.set()

    conductor = Conductor(floor.house, cast(DrawCoordinator, side), schedule, publish)
    server.conductors["main"] = conductor
    lapse = lapse_forever(floor.house, config.house.authorisation_seconds, server.publish_to_staff)
    running = (server.hub.run(), conductor.run(), lapse)
    tasks = [asyncio.create_task(each) for each in running]
    await opened.wait()
    runner = web.AppRunner(build(server), access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with aiohttp.ClientSession() as http:
        port = runner.addresses[0][1]
        made = Served(floor, server, conductor, runner, http, port, troubles)
        yield made
        for line in made.lines:
            line.drop()
    for task in tasks:
        task.cancel()
    ends = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    await runner.cleanup()
    passwords.close()


async def _furnish(floor: Floor, passwords: Passwords) -> None:
    house = floor.house
    by, why = (BOTH, WHY) if house.live else (ADM, "")
    await people.add_user(
        house, by, protocol.AddUser(floor.id(), "C1", "C1", "accounting", "", reason=why)
    )
    for station in STATIONS:
        public = key_of(station).public_key().public_bytes_raw().hex()
        await people.enrol_station(
            house, by, protocol.EnrolStation(floor.id(), station, "main", public, reason=why)
        )
    await people.enable_station(
        house, by, protocol.EnableStation(floor.id(), "off", enabled=False, reason=why)
    )
    for person in (*PEOPLE, *(["ADM2"] if house.live else [])):
        await passwords.set(person, PASSWORD)
