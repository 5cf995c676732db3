"""Two houses alike in every byte but the balls that are not shown yet, and all they answer.

Entropy, clocks and keys are the same, so both would draw the same numbers; the second house's
close has a salt that was searched for: its first balls are those of the first house, the others
are not. Whatever differs in an answer while these balls are on the board was told too early.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any

from aiohttp import WSMsgType
from aiohttp.test_utils import TestClient, TestServer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import protocol
from keno.config import Config, HouseConfig, ServerConfig, SessionConfig
from keno.draw.coordinator import DrawCoordinator, head_before
from keno.protocol import Command, Prove, Second, Sold, proof_of_station, read_server, write
from keno.service import people
from keno.service.common import WriterContext, require_game
from keno.service.listing_registry import LISTINGS, REPORTS
from keno.web.answering import answer
from keno.web.api import COOKIE
from keno.web.app import build
from keno.web.auth.limits import Buckets
from keno.web.auth.passwords import Cost, Passwords
from keno.web.auth.sessions import Sessions
from keno.web.server import Caller, Server
from rng.draw import Entropy, draw_numbers
from rng.keys import open_secret
from rng.records import SignedMessage, record, sign
from tests.houses import ADM
from tests.integration.conductor.playing import Parties, Room, new_room

BALLS_ALIKE = 2
PATIENCE_S = 180
NO_HEARTBEAT_S = 86_400
"""Heartbeats come by the machine's clock; what they would say is asked when the test says so."""
PASSWORD = "marker-pass-7431"  # noqa: S105 opens a house that a test made
DAY = "2026-11-15"
STATION_KEY = Ed25519PrivateKey.from_private_bytes(b"the key of a station of tests...")
Answers = dict[str, bytes]


def same_entropy() -> Entropy:
    """Bytes that look random and are the same in every house."""
    drawn = count()

    def entropy(size: int) -> bytes:
        made = b"".join(sha256(f"{next(drawn)}".encode()).digest() for _ in range(size // 32 + 1))
        return made[:size]

    return entropy


@dataclass
class Steered(DrawCoordinator):
    """A server that looks for a salt: with R's and W's secrets in hand, which it never has."""

    parties: Parties = field(kw_only=True)
    another: bool = field(kw_only=True)

    async def close(self, game: int) -> SignedMessage:
        body = await self._body(game)
        made = await self._made(game)
        sealed = made["commit_r"]["sealed"]
        r = open_secret(self.parties.keys.dek, self.genesis.chain, game, sealed)
        own = self.parties.witness._own_secrets  # noqa: SLF001 # what only W knows
        w, place = bytes.fromhex(own[self.genesis.chain, game]), self.genesis.place(game)

        def drawn(salt: bytes) -> list[int]:
            digest = sign(body | {"salt": salt.hex()}, self.signer).digest
            return list(draw_numbers(place, r, w, digest))

        salts = (sha256(f"{game} {index}".encode()).digest() for index in count())
        salt = next(salts)
        if self.another:
            alike = drawn(salt)[:BALLS_ALIKE]
            salt = next(each for each in salts if drawn(each)[:BALLS_ALIKE] == alike)
        self.salt = lambda: salt
        return await super().close(game)

    async def _body(self, game: int) -> dict[str, Any]:
        """The close as it will be made, but for its salt."""
        row = await self.ledger.read(lambda reads: require_game(reads, self.location, game))
        prev = await self.ledger.read(lambda reads: head_before(reads, self.genesis, game))
        return dict(
            record(
                "close",
                chain=self.genesis.chain,
                game=game,
                commit=row.commitment,
                prev=prev,
                root=row.root,
                leaves=row.leaves,
                tickets=row.tickets,
                handle_cents=row.handle_cents,
                last_ticket=row.last_ticket,
                salt="00" * 32,
                time_ms=self.ledger.clock(),
            )
        )


# ---------------------------------------------------------------- a house that answers


@dataclass
class WatchedHouse:
    """A house that plays by the virtual clock and answers over real sockets."""

    room: Room
    server: Server
    client: "TestClient[Any, Any]"
    booth: WriterContext
    sold: list[Sold] = field(default_factory=list)
    frames: dict[str, list[str]] = field(default_factory=dict)
    tasks: list["asyncio.Task[None]"] = field(default_factory=list)
    asked: "count[int]" = field(default_factory=count)

    async def play_until(self, second: float) -> None:
        """Let the clock go on, and everybody hear of it: a last word comes after all others."""
        await self.room.forward(second - self.room.time.now)
        last = protocol.Told("main", f"It is {second}.", "S1", 0)
        self.server.hub.publish("main", last)
        await self._until(lambda: all(write(last) in each for each in self.frames.values()))

    @staticmethod
    async def _until(ready: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not ready():  # noqa: ASYNC110 what a socket has sent is not announced
                await asyncio.sleep(0.005)

    async def watch(self) -> None:
        """A board, a station and a console that listen from now on."""
        board = await self.client.ws_connect("/ws/board/main")
        signed_in = {"Cookie": f"{COOKIE}={self.server.sessions.open('M1', 'manager')}"}
        console = await self.client.ws_connect("/ws/console", headers=signed_in)
        station = await self.client.ws_connect("/ws/station")
        hello = read_server(await station.receive_str())
        assert isinstance(hello, protocol.Hello)
        signed = STATION_KEY.sign(proof_of_station(hello.site, "s1", hello.nonce))
        await station.send_str(write(Prove("s1", signed.hex())))
        for name, socket in (("board", board), ("station", station), ("console", console)):
            heard = self.frames.setdefault(name, [])

            async def listen(socket: Any = socket, heard: list[str] = heard) -> None:
                while (frame := await socket.receive()).type is WSMsgType.TEXT:
                    if frame.data not in heard[-5:]:  # the first state may be said twice
                        heard.append(frame.data)

            self.tasks.append(asyncio.create_task(listen()))
        await self._until(lambda: all('"state"' in "".join(each) for each in self.frames.values()))

    async def answers(self) -> Answers:
        """What everybody is told at this moment: every route, every message, every frame."""
        found: Answers = {}
        token = self.server.sessions.open("M1", "manager")
        for path in self.paths():
            response = await self.client.get(path, headers={"Cookie": f"{COOKIE}={token}"})
            found[path] = str(response.status).encode() + await response.read()
        for each in self.sold:
            body = {"location": "main", "ticket": each.ticket, "code": each.code}
            checked = await self.client.post("/api/tickets/check", json=body)
            found[f"check {each.ticket}"] = await checked.read()
            for game in (1, 2):
                proof = await self.client.post("/api/tickets/proof", json=body | {"game": game})
                found[f"proof {each.ticket} {game}"] = await proof.read()
        for caller, command in self.commands():
            said = write(await answer(self.server, caller, command))
            found[f"{type(command).__name__} {next(self.asked)}"] = said.encode()
        found["heartbeat"] = write(self.room.main.state()).encode()
        for name, frames in self.frames.items():
            found[f"frames of the {name}"] = "\n".join(frames).encode()
        return found

    def paths(self) -> list[str]:
        return [
            "/api/locations",
            "/api/board/main",
            "/api/games?location=main",
            "/api/games?location=main&limit=100&before=3",
            "/api/places",
            "/api/results.json?location=main",
            f"/api/results.json?location=main&day={DAY}",
            "/api/results.csv?location=main",
            f"/api/results.csv?location=main&day={DAY}",
            *(f"/api/results.json?location=main&game={game}" for game in (1, 2, 3)),
            "/api/card?location=main",
            "/api/guide?location=main",
            *(f"/api/games/main/{game}" for game in (1, 2, 3)),
            *(f"/api/games/main/{game}/proof" for game in (1, 2)),
            "/api/ratecard?location=main",
            "/api/ratecard?location=main&version=1",
            "/api/listings",
            *(f"/api/listings/main/{name}.{kind}?day={DAY}" for name in REPORTS
              for kind in ("csv", "pdf")),
            "/api/games/main/1/void-request",
            f"/api/halts/{'ab' * 32}/resume-request",
            "/health",
        ]  # fmt: skip

    def commands(self) -> list[tuple[Caller, Command[Any]]]:
        """Everything about games and tickets that anybody may ask; what changes them comes last."""
        booth, new = self.booth, self.new_id
        writer = Caller("W1", "writer", "::1", booth.station, "main", booth.shift)
        manager = Caller("M1", "manager", "::1")
        pay, second = protocol.Payment(3_00), Second("S1", PASSWORD)
        asked: list[tuple[Caller, Command[Any]]] = []
        for sold in self.sold:
            number, code = sold.ticket, sold.code
            asked += [
                (writer, protocol.Lookup(new(), number, code)),
                (writer, protocol.RequestAuthorisation(new(), number, code)),
                (writer, protocol.Refund(new(), number, code, pay)),
                (manager, protocol.GetTicketRecord(new(), "main", number)),
                (writer, protocol.Void(new(), number, code)),
                (writer, protocol.VoidAndRewrite(new(), number, code, self.sale())),
            ]
        for listing in LISTINGS:
            asked.append((manager, protocol.Listing(new(), "main", listing, DAY)))
        asked += [
            (manager, protocol.GetFloor(new())),
            (manager, protocol.GetExposure(new(), "main", 100)),
            (manager, protocol.GetDrawStatus(new())),
            (manager, protocol.GetAuthorisation(new(), 1)),
            (manager, protocol.GetVoidQuote(new(), "main", 1)),
            (manager, protocol.GetCards(new(), "main")),
        ]
        last = self.sold[-1]
        request = last.request
        asked += [
            (writer, protocol.Resume(new(), [f"asked-{n}" for n in range(100)])),
            (writer, protocol.Price(new(), request)),
            (writer, protocol.GetStationOverview(new())),
            (writer, protocol.ConfirmPrint(new(), last.ticket)),
            (writer, protocol.ResolvePrint(new(), last.ticket, printed=True)),
            (writer, protocol.Reprint(new(), last.ticket)),
            (writer, protocol.Authorise(new(), 1, approve=False, second=second)),
            (writer, self.sale()),
            (writer, protocol.CloseGame(new(), "main", 1, second)),
            (manager, protocol.Override(new(), "main", "delay", "a reason", 1)),
            (manager, protocol.DeclareVoid(new(), "main", 1, "a reason", second, {})),
            (manager, protocol.GetHalts(new())),
            (
                manager,
                protocol.KeyPaper(
                    new(),
                    "main",
                    1,
                    last.code,
                    "1",
                    1,
                    1_00,
                    "1 2: 1/2@1.00",
                    "1",
                    "W1",
                    "2026-11-16 02:00:00",
                ),
            ),
            (manager, protocol.ResumeHalt(new(), "ab" * 32, second, {})),
            *((writer, protocol.Redeem(new(), s.ticket, s.code, pay)) for s in self.sold[:30]),
            (manager, protocol.Hold(new(), "main", self.sold[-1].ticket, "a reason")),
            (writer, protocol.Surrender(new(), self.sold[-2].ticket, second, "nobody paid")),
            (manager, protocol.CloseOtherShift(new(), 99, {}, "a reason", second)),
            (writer, protocol.DeclareNotIssued(new(), self.sold[-2].ticket)),
            *(
                (writer, command(new(), sold.ticket, sold.code, "nobody paid", second=second))
                for sold in self.sold[-3:-1]
                for command in (protocol.ConfirmNotIssued, protocol.TakeNotIssued)
            ),
        ]
        return asked

    def sale(self) -> protocol.SellTicket:
        now = self.room.main.state().open
        assert now is not None
        tender = [protocol.Tendered("currency", 1_00)]
        request = {"groups": [[1, 2]], "kings": [], "games": 1, "lines": [
            {"ways": 1, "spots": 2, "rate": "regular", "wager_cents": 1_00}]}  # fmt: skip
        return protocol.SellTicket(
            self.new_id(), now.game, now.card, 1_00, protocol.PaperOrigin(), request, tender
        )

    def new_id(self) -> str:
        return f"asked-{next(self.asked)}"


@asynccontextmanager
async def asked_house(folder: Path, *, another: bool) -> AsyncIterator[WatchedHouse]:
    """A house in game 1, with 61 tickets on a number each: some will win."""
    await asyncio.to_thread(folder.mkdir)
    async with new_room(folder, entropy=same_entropy(), begun=False) as room:

        def side(ledger: Any, location: str) -> DrawCoordinator:
            made = room.parties.side(ledger, location)
            fields = (made.ledger, made.genesis, made.signer, made.ask_r, made.ask_w)
            return Steered(*fields, parties=room.parties, another=another)

        room.side = side
        # What a quick-pick and a supposed draw are made of is the same in both houses too.
        chance = same_entropy()
        room.floor.house.choose = lambda spots: sorted(
            range(1, 81), key=lambda number: (chance(8), number)
        )[:spots]
        passwords = Passwords(folder / "passwords.json", Cost(32, 1, 1))
        for person in ("W1", "S1", "M1"):
            await passwords.set(person, PASSWORD)
        public = STATION_KEY.public_key().public_bytes_raw().hex()
        enrol = protocol.EnrolStation("enrol-s1", "s1", "main", public)
        await people.enrol_station(room.floor.house, ADM, enrol)
        config = Config(
            HouseConfig(folder=folder), ServerConfig(heartbeat_seconds=NO_HEARTBEAT_S),
            SessionConfig(), {},
        )  # fmt: skip
        often = Buckets(10_000, 10_000, time.monotonic)
        sessions = Sessions(900, 3_600)
        server = Server(room.floor.house, config, passwords, sessions, room.conductors)
        server.checks = server.proofs = often
        room.also = publishing(server)
        await room.start()
        booth = await room.floor.booth()
        async with TestClient(TestServer(build(server))) as client:
            asked = WatchedHouse(room, server, client, booth)
            asked.tasks.append(asyncio.create_task(server.hub.run()))
            for number in range(1, 62):
                games = " x3" if number > 50 else ""
                # Wagers differ, so that a sum tells who won, not only how many.
                dollars = 1 + number % 20 if number > 30 else 1
                text = f"{number}: 1/1@{dollars}.00{games}"
                asked.sold.append(await room.floor.sell(booth, text))
            await asked.watch()
            yield asked
            for task in asked.tasks:
                task.cancel()
            await asyncio.gather(*asked.tasks, return_exceptions=True)
        passwords.close()


def publishing(server: Server) -> Callable[[protocol.Message], None]:
    return lambda event: server.hub.publish("main", event)


def told_too_early(one: Answers, other: Answers) -> list[str]:
    """The answers by which somebody could tell the two houses apart."""
    assert one.keys() == other.keys()
    return [name for name in one if one[name] != other[name]]
