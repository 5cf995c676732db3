"""A small house for tests: a real SQLite file, people, a booth, and a draw without an RNG.

The clock is the test's own; the draw's verifier takes the numbers from the proof's text, because
the real one comes with the RNG. Everything else is the real thing.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, cast

import msgspec

from keno import protocol
from keno.domain.money import Cents
from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.domain.shift import Tender, TenderKind
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol import PaperOrigin, Sold
from keno.service import cards, games, payouts, people, shifts, tickets
from keno.service.common import WriterContext
from keno.service.house import House
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.rows import GameRow
from tests.cards import CARD

START_MS = 1_794_812_400_000
"""2026-11-16 07:00 UTC."""
CODE_KEY = b"a key for tests, thirty-two long"
PASSPHRASE = "correct horse"  # noqa: S105 opens keys made by tests only


@dataclass
class Clock:
    """A clock that the test moves."""

    now_ms: int = START_MS

    def __call__(self) -> int:
        return self.now_ms

    def forward(self, *, minutes: int = 0, days: int = 0, ms: int = 0) -> None:
        self.now_ms += ms + minutes * 60_000 + days * 86_400_000


def verify(_: GameRow, proof: str) -> list[int]:
    """The draw's numbers as the proof states them; stands in for the RNG's verifier."""
    return [int(number) for number in msgspec.json.decode(proof)["numbers"]]


def proof_of(numbers: list[int]) -> str:
    return msgspec.json.encode({"numbers": numbers}).decode()


@dataclass
class Floor:
    """A house with one location "main" (A), writers W1 and W2, supervisor S1, manager M1,
    inspector I1, administrator ADM, stations 1 and 2.
    """

    house: House
    clock: Clock
    path: Path
    ids: "count[int]" = field(default_factory=lambda: count(1))

    @property
    def ledger(self) -> Ledger:
        return self.house.ledger

    def id(self) -> str:
        return f"r{next(self.ids)}"

    async def booth(
        self, writer: str = "W1", station: str = "1", bank_cents: Cents = 10_000_00,
        location: str = "main",
    ) -> WriterContext:  # fmt: skip
        """Open a shift with a bank."""
        state = await shifts.open_shift(
            self.house,
            WriterContext(location, station, writer, 0),
            protocol.OpenShift(self.id(), bank_cents),
        )
        return WriterContext(location, station, writer, state.shift)

    async def open_game(self, location: str = "main") -> GameRow:
        game = await self.ledger.read(lambda reads: queries.open_game(reads, location))
        assert game is not None
        return game

    async def sell(
        self, booth: WriterContext, text: str = "1 2 3 4 5 6 7 8: 1/8@1.00", *, printed: bool = True
    ) -> Sold:
        """Sell a request in the text form for currency, and confirm its print."""
        sold = await sell_ticket(self.house, await self.sale(booth, text))
        if printed:
            await tickets.confirm_print(
                self.house, booth, protocol.ConfirmPrint(self.id(), sold.ticket)
            )
        return sold

    async def sale(self, booth: WriterContext, text: str, **changes: object) -> Sale:
        """The command for such a sale."""
        game = await self.open_game(booth.location)
        current = await self.ledger.read(lambda reads: self.house.card(reads, game.card))
        request: KenoRequest = parse(text, current)
        price_cents = request.price_one_game_cents * request.games
        fields: dict[str, object] = {
            "request_id": self.id(),
            "booth": booth,
            "first_game": game.game,
            "card": game.card,
            "price_cents": price_cents,
            "origin": PaperOrigin(),
            "request": request,
            "tender": (Tender(TenderKind.CURRENCY, price_cents),),
        }
        return Sale(**(fields | changes))  # type: ignore[arg-type]

    async def play(self, numbers: list[int] | None = None, location: str = "main") -> games.Settled:
        """Lock the open game, draw these numbers, show and settle."""
        number = await self.lock(location)
        return await self.draw(number, numbers, location)

    async def lock(
        self, location: str = "main", actor: str = "conductor", approved_by: str | None = None
    ) -> int:
        game = await self.open_game(location)
        commitment = f"commitment {game.game + 1}"
        await games.lock_out(
            self.house,
            games.LockOut(self.id(), location, game.game, commitment, actor, approved_by),
        )
        return game.game

    async def draw(
        self, number: int, numbers: list[int] | None = None, location: str = "main"
    ) -> games.Settled:
        await games.close_book(self.house, location, number)
        drawn = numbers or list(range(61, 81))
        await games.record_draw(self.house, location, number, proof_of(drawn), verify)
        await games.show(self.house, location, number)
        return await games.settle(self.house, location, number)

    async def pay(self, booth: WriterContext, sold: Sold, cents: Cents) -> protocol.Paid:
        """Redeem a ticket in cash."""
        return await payouts.redeem(
            self.house,
            booth,
            protocol.Redeem(self.id(), sold.ticket, sold.code, protocol.Payment(cents)),
        )


def pick_origin(pick: QuickPick) -> protocol.QuickPickOrigin:
    """The origin of a sale whose numbers the system picks."""
    return protocol.QuickPickOrigin(pick.spots, pick.rate, pick.wager_cents, pick.games)


def written_sale(sale: Sale) -> protocol.SellTicket:
    """The command that asks for a sale."""
    picked = isinstance(sale.request, QuickPick)
    return protocol.SellTicket(
        sale.request_id,
        sale.first_game,
        sale.card,
        sale.price_cents,
        cast(Any, sale.origin),
        None if picked else to_written(cast(KenoRequest, sale.request)),
        [protocol.Tendered(part.kind, part.cents, part.serial) for part in sale.tender],
    )


def rewriting(
    request_id: str, old: Sold, sale: Sale
) -> tuple[WriterContext, protocol.VoidAndRewrite]:
    """Who rewrites a ticket, and the command for it."""
    command = protocol.VoidAndRewrite(request_id, old.ticket, old.code, written_sale(sale))
    return sale.booth, command


@asynccontextmanager
async def new_floor(
    path: Path,
    *,
    mode: str = "test",
    card_toml: str = CARD,
    clock: Clock | None = None,
    site: str = "test-house",
    first_game: bool = True,
) -> AsyncIterator[Floor]:
    """A new house in a new file; its first game open, unless the draw has to promise it first."""
    clock = clock or Clock()
    ledger = await Ledger.open(path / "ledger.db", clock)
    try:
        house = await people.create_house(
            ledger, site=site, mode=mode, code_key=CODE_KEY, administrator="ADM"
        )
        made = Floor(house, clock, path / "ledger.db")
        await furnish(made, card_toml)
        if first_game:
            await open_first(made, "commitment 1")
        yield made
    finally:
        await ledger.close()


@asynccontextmanager
async def reopened(path: Path, clock: Clock) -> AsyncIterator[Floor]:
    """The house of an existing file."""
    ledger = await Ledger.open(path, clock)
    try:
        house = await people.open_house(ledger, CODE_KEY)
        yield Floor(house, clock, path, count(1_000_000))
    finally:
        await ledger.close()


async def furnish(made: Floor, card_toml: str) -> None:
    """People, stations and a card."""
    house = made.house
    await people.add_location(
        house, people.AddLocation(made.id(), "main", "A", "Main Floor", "America/New_York", "ADM")
    )
    for person, role in (
        ("W1", "writer"), ("W2", "writer"), ("W3", "writer"), ("S1", "supervisor"),
        ("S2", "supervisor"), ("M1", "manager"), ("I1", "inspector"),
    ):  # fmt: skip
        await people.add_user(house, people.AddUser(made.id(), person, person, role, "ADM"))
    for station in ("1", "2", "3"):
        await people.enrol_station(
            house, people.EnrolStation(made.id(), station, "main", f"key {station}", "ADM")
        )
    await cards.post_card(house, cards.PostCard(made.id(), "main", card_toml, 1, 0, "M1", "S1"))


async def open_first(made: Floor, commitment: str) -> None:
    """Open the first game."""
    command = games.OpenFirst(made.id(), "main", 1, commitment, "conductor")
    await games.open_first(made.house, command)
