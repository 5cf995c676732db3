"""A house of real processes that a test kills: server, generator, witness, and one who watches.

The test sees it only from outside: what the board is told, what a station is answered, and after
the end what the files say.
"""

import asyncio
import json
import secrets
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
from aiohttp import WSMsgType
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import protocol
from keno.demo.processes import Parties
from keno.protocol import (
    Ball,
    Closing,
    ConfirmPrint,
    Message,
    OpenShift,
    PaperOrigin,
    Result,
    SellTicket,
    SignIn,
    Sold,
    State,
    Tendered,
    read_server,
)
from keno.serve import CODE_KEY, LEDGER, PASSWORDS, now_ms
from keno.service import cards, people
from keno.service.common import StaffContext
from keno.setup import write_secret
from keno.store.ledger import Ledger
from keno.web.auth.passwords import Passwords
from tests.cards import CARD
from tests.houses import ADM
from tests.integration.commands import ROOT
from writer_station.client import StationClient, new_id
from writer_station.refusals import RequestRefused

SITE = "example-casino"
PASSWORD = "for a test of kills only"  # noqa: S105 opens a house that a test made
STATION_KEY = Ed25519PrivateKey.from_private_bytes(b"the key of a station of tests...")
PATIENCE_S = 90
INTERVAL_S = 5
SPOTS = [3, 17, 25, 44]
REQUEST = {
    "groups": [SPOTS], "kings": [], "games": 1,
    "lines": [{"ways": 1, "spots": 4, "rate": "regular", "wager_cents": 100}],
}  # fmt: skip

STATES: dict[str, Callable[[Message], bool]] = {
    "open": lambda e: isinstance(e, State) and e.drawing is None and e.open is not None,
    "closing": lambda e: isinstance(e, Closing),
    "locked": lambda e: isinstance(e, State) and e.drawing is not None and not e.drawing.balls,
    "first ball": lambda e: isinstance(e, Ball) and e.index == 0,
    "a ball": lambda e: isinstance(e, Ball) and e.index == 9,
    "last ball": lambda e: isinstance(e, Ball) and e.index == 19,
    "result": lambda e: isinstance(e, Result),
}
"""What can be seen of a game from outside."""


async def make_house(folder: Path) -> None:
    """A location, a writer, a station and a card, as `keno serve` finds them."""
    key = secrets.token_bytes(32)
    write_secret(folder / CODE_KEY, key.hex())
    passwords = Passwords(folder / PASSWORDS)
    await passwords.set("W1", PASSWORD)
    passwords.close()
    ledger = await Ledger.open(folder / LEDGER, now_ms)
    try:
        house = await people.create_house(
            ledger, site=SITE, mode="test", code_key=key, administrator="ADM"
        )
        await people.add_location(
            house, ADM, protocol.AddLocation("1", "main", "A", "Main", "America/New_York")
        )
        for person, role in (("W1", "writer"), ("S1", "supervisor"), ("M1", "manager")):
            await people.add_user(house, ADM, protocol.AddUser(person, person, person, role, ""))
        public = STATION_KEY.public_key().public_bytes_raw().hex()
        enrol = protocol.EnrolStation("2", "s1", "main", public)
        await people.enrol_station(house, ADM, enrol)
        await cards.post_card(
            house, StaffContext("M1", "S1"), protocol.PostCard("3", "main", CARD, 1), 0
        )
    finally:
        await ledger.close()


def settings(parties: Parties, port: int) -> str:
    """Games as short as they can be."""
    home = parties.home
    return "\n".join(
        [
            "[house]", 'folder = "."', "[server]", f'listen = "127.0.0.1:{port}"',
            "[locations.main]", f"interval_seconds = {INTERVAL_S}", "closing_notice_seconds = 1",
            "ball_seconds = 0.03", "print_wait_seconds = 1",
            f"generator = {json.dumps(parties.generator_address)}",
            f"witness = {json.dumps(parties.witness_address)}",
            f"genesis = {json.dumps(str(home.genesis_file('main')))}",
            f"server_key = {json.dumps(str(home.server_key))}",
        ]
    )  # fmt: skip


@dataclass
class Killed:
    """The house, and everything it has promised to anybody."""

    folder: Path
    parties: Parties
    port: int
    server: Process | None = None
    events: "asyncio.Queue[Message]" = field(default_factory=asyncio.Queue)
    shown: dict[int, list[int]] = field(default_factory=dict)
    balls: dict[tuple[int, int], int] = field(default_factory=dict)
    sold: list[Sold] = field(default_factory=list)
    now: State | None = None

    async def start(self) -> None:
        with (self.folder / "server.log").open("ab") as log:
            self.server = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "keno", "serve", "--config",
                str(self.folder / "keno.toml"), stdout=log, stderr=log, cwd=ROOT,
            )  # fmt: skip

    async def kill(self, who: str) -> None:
        """SIGKILL, and start it again."""
        if who == "generator":
            await self.parties.restart_generator()
        elif who == "witness":
            await self.parties.restart_witness()
        else:
            assert self.server is not None
            self.server.kill()
            await self.server.wait()
            await self.start()

    async def stop(self) -> int:
        assert self.server is not None
        self.server.terminate()
        return await asyncio.wait_for(self.server.wait(), PATIENCE_S)

    async def seen(self, state: str) -> Message:
        """Wait until a game is seen in a state, from now on."""
        while not self.events.empty():
            self.events.get_nowait()
        async with asyncio.timeout(PATIENCE_S):
            while not STATES[state](event := await self.events.get()):
                pass
        return event

    async def shown_after(self, game: int) -> None:
        """Wait until a later game than this one is shown."""
        async with asyncio.timeout(PATIENCE_S):
            while max(self.shown, default=0) <= game:
                await self.events.get()

    # ------------------------------------------------------------ who watches and who buys

    async def watch(self) -> None:
        """A board that comes back whenever it is cut off."""
        address = f"http://127.0.0.1:{self.port}/ws/board/main"
        async with aiohttp.ClientSession() as web:
            while True:
                with suppress(aiohttp.ClientError, OSError):
                    async with web.ws_connect(address, heartbeat=5) as board:
                        while (frame := await board.receive()).type is WSMsgType.TEXT:
                            self._hear(read_server(frame.data))
                await asyncio.sleep(0.05)

    def _hear(self, event: Message) -> None:
        """Nothing that was shown once is ever shown otherwise."""
        if isinstance(event, State):
            self.now = event
            if event.last is not None:
                kept = self.shown.setdefault(event.last.game, event.last.numbers)
                assert kept == event.last.numbers
        elif isinstance(event, Result):
            assert self.shown.setdefault(event.game, event.numbers) == event.numbers
        elif isinstance(event, Ball):
            place = (event.game, event.index)
            assert self.balls.setdefault(place, event.number) == event.number
        self.events.put_nowait(event)

    async def buy(self, client: StationClient) -> None:
        """One ticket after the other; what is answered counts."""
        await client.connected()
        await client.ask(SignIn(new_id(), "W1", PASSWORD))
        await client.ask(OpenShift(new_id(), 1_000_00))
        while True:
            await asyncio.sleep(0.05)
            now = None if self.now is None else self.now.open
            if now is None:
                continue
            sale = SellTicket(new_id(), now.game, now.card, 1_00, PaperOrigin(), REQUEST,
                              [Tendered("currency", 1_00)])  # fmt: skip
            try:
                sold = await client.ask(sale)
                self.sold.append(sold)
                await client.ask(ConfirmPrint(new_id(), sold.ticket))
            except RequestRefused as no:
                if no.code not in ("game_closed", "unavailable", "print_unconfirmed"):
                    raise


@asynccontextmanager
async def killed_house(folder: Path, parties: Parties, port: int) -> AsyncIterator[Killed]:
    """Everything up; who watches or buys and fails, fails the test."""
    await make_house(folder)
    (folder / "keno.toml").write_text(settings(parties, port), encoding="utf-8")
    house = Killed(folder, parties, port)
    await house.start()
    address = f"http://127.0.0.1:{port}/ws/station"
    client = StationClient(address, "s1", STATION_KEY, lambda _: None)
    tasks = [asyncio.create_task(each) for each in (house.watch(), client.run(), house.buy(client))]
    try:
        yield house
        assert not any(task.done() for task in tasks), [task for task in tasks if task.done()]
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if house.server is not None and house.server.returncode is None:
            house.server.kill()
            await house.server.wait()
