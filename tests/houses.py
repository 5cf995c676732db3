"""A small house for tests: a real SQLite file, people, stations, and a draw without an RNG.

The clock is the test's own, and the draw's verifier takes the numbers from the proof's text.
Everything else is the product's code.
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
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol import PaperOrigin, Sold
from keno.service import cards, coupon_register, games, not_issued, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.house import House
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.rows import GameRow
from tests.cards import CARD

ADM = StaffContext("ADM")
"""The context of the administrator."""
BOTH = StaffContext("ADM", "ADM2")
"""The context of both administrators, which a live house needs."""
WHY = "setting the house up"
START_MS = 1_794_812_400_000
"""The time at which the test's clock starts, in ms: 2026-11-16 07:00 UTC."""
COUPONS_END = "2030-12-31"
"""The last gaming day of coupons whose end a test does not care about."""
CODE_KEY = b"a key for tests, thirty-two long"
PASSPHRASE = "correct horse"  # noqa: S105 opens keys made by tests only


@dataclass
class Clock:
    """A clock that moves only when the test moves it."""

    now_ms: int = START_MS

    def __call__(self) -> int:
        return self.now_ms

    def forward(self, *, minutes: int = 0, days: int = 0, ms: int = 0) -> None:
        self.now_ms += ms + minutes * 60_000 + days * 86_400_000


def verify(_: GameRow, proof: str) -> list[int]:
    """Return the numbers that a proof states, unchecked; replaces the RNG's verifier."""
    return [int(number) for number in msgspec.json.decode(proof)["numbers"]]


def proof_of(numbers: list[int]) -> str:
    return msgspec.json.encode({"numbers": numbers}).decode()


@dataclass
class Floor:
    """A test house with one location "main" (A) and stations 1 and 2.

    Its people are writers W1 and W2, supervisor S1, manager M1, inspector I1, administrator ADM.
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
        """Open a shift with a bank and return the writer's context; in live mode with S2."""
        state = await shifts.open_shift(
            self.house,
            WriterContext(location, station, writer, 0, "S2" if self.house.live else None),
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
        """Return the sale of a request in the text form, for currency and the open game."""
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

    async def registered(
        self, cents: Cents, *serials: str, ends_day: str = COUPONS_END, location: str = "main"
    ) -> protocol.CouponBatch:
        """Register printed coupons of one value, by two people."""
        command = protocol.RegisterCoupons(
            self.id(), location, cents, serials=" ".join(serials), ends_day=ends_day
        )
        by = StaffContext("M1", "S1")
        return await coupon_register.register_coupons(self.house, by, command)

    async def play(
        self, numbers: list[int] | None = None, location: str = "main", actor: str = SYSTEM
    ) -> games.Settled:
        """Lock the open game out, draw these numbers, show and settle it."""
        number = await self.lock(location, actor)
        return await self.draw(number, numbers, location)

    async def lock(
        self, location: str = "main", actor: str = SYSTEM, approved_by: str | None = None
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

    async def declare_not_issued(self, booth: WriterContext, sold: Sold) -> protocol.TicketDone:
        """Declare a ticket not issued at the station that sold it, after its lock-out."""
        return await not_issued.declare_not_issued(
            self.house, booth, protocol.DeclareNotIssued(self.id(), sold.ticket)
        )

    async def confirm_not_issued(
        self, sold: Sold, supervisor: str = "S1", reason: str = "not paid for",
        *, issued: bool = False, code: str | None = None,
    ) -> protocol.TicketDone:  # fmt: skip
        """Let a supervisor decide about a ticket held as not issued, with its code."""
        command = protocol.ConfirmNotIssued(self.id(), sold.ticket, code or sold.code, reason,
                                            issued, sold.location)  # fmt: skip
        return await not_issued.confirm_not_issued(self.house, StaffContext(supervisor), command)

    async def take_not_issued(
        self, sold: Sold, supervisor: str = "S1", reason: str = "in the drawer at the count",
        *, code: str | None = None,
    ) -> protocol.TicketDone:  # fmt: skip
        """Let a supervisor take a not issued ticket that was found after its draw."""
        command = protocol.TakeNotIssued(self.id(), sold.ticket, code or sold.code, reason,
                                         sold.location)  # fmt: skip
        return await not_issued.take_not_issued(self.house, StaffContext(supervisor), command)

    async def pay(self, booth: WriterContext, sold: Sold, cents: Cents) -> protocol.Paid:
        """Redeem a ticket in cash."""
        return await payouts.redeem(
            self.house,
            booth,
            protocol.Redeem(self.id(), sold.ticket, sold.code, protocol.Payment(cents)),
        )


def pick_origin(pick: QuickPick) -> protocol.QuickPickOrigin:
    """Return the origin of a quick-pick sale."""
    return protocol.QuickPickOrigin(pick.spots, pick.rate, pick.wager_cents, pick.games)


def written_sale(sale: Sale) -> protocol.SellTicket:
    """Return the wire command of a sale."""
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
    """Return the writer's context and the command that voids `old` and sells `sale`."""
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
    """Open a new house in a new ledger; with `first_game` its first game is open."""
    clock = clock or Clock()
    ledger = await Ledger.open(path / "ledger.db", clock)
    try:
        house = await people.create_house(
            ledger, site=site, mode=mode, code_key=CODE_KEY, administrator="ADM",
            second="ADM2" if mode == "live" else None,
        )  # fmt: skip
        made = Floor(house, clock, path / "ledger.db")
        await furnish(made, card_toml)
        if first_game:
            await open_first(made, "commitment 1")
        yield made
    finally:
        await ledger.close()


@asynccontextmanager
async def reopened(path: Path, clock: Clock) -> AsyncIterator[Floor]:
    """Open the house of an existing ledger."""
    ledger = await Ledger.open(path, clock)
    try:
        house = await people.open_house(ledger, CODE_KEY)
        yield Floor(house, clock, path, count(1_000_000))
    finally:
        await ledger.close()


async def furnish(made: Floor, card_toml: str) -> None:
    """Add location, people, stations and a rate card; in a live house by both administrators."""
    house = made.house
    by, why = (BOTH, WHY) if house.live else (ADM, "")
    await people.add_location(
        house, ADM, protocol.AddLocation(made.id(), "main", "A", "Main Floor", "America/New_York")
    )
    for person, role in (
        ("W1", "writer"), ("W2", "writer"), ("W3", "writer"), ("S1", "supervisor"),
        ("S2", "supervisor"), ("M1", "manager"), ("I1", "inspector"),
    ):  # fmt: skip
        await people.add_user(
            house, by, protocol.AddUser(made.id(), person, person, role, "", reason=why)
        )
    for station in ("1", "2", "3"):
        key = f"key {station}"
        await people.enrol_station(
            house, by, protocol.EnrolStation(made.id(), station, "main", key, reason=why)
        )
    await cards.post_card(
        house, StaffContext("M1", "S1"), protocol.PostCard(made.id(), "main", card_toml, 1), 0
    )


async def open_first(made: Floor, commitment: str) -> None:
    """Open the first game with this commitment."""
    command = games.OpenFirst(made.id(), "main", 1, commitment, SYSTEM)
    await games.open_first(made.house, command)
