"""A house and its plain model side by side: how they are compared, the clock, and selling."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import count as counting
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from keno.domain.errors import Refusal, Refused
from keno.domain.notation import parse
from keno.domain.shift import Tender
from keno.domain.wager import KenoRequest
from keno.service import listings, shifts, tickets
from keno.service.common import Booth
from keno.service.sell import Paper, Sell, Sold
from keno.service.sell import sell as sell_ticket
from tests.cards import card, card_text
from tests.houses import START_MS, Clock, new_floor, reopened
from tests.simulation import recount
from tests.simulation.acts import Acts, chips, coupon, cur
from tests.simulation.model import Model, NotYet, Shift, Ticket

T = TypeVar("T")

CARD_TOML = card_text(claim_days=None, claim_minutes=30)
CARD = card(CARD_TOML)
REQUESTS = tuple(
    parse(text, CARD)
    for text in (
        "1 2: 1/2@1.00",
        "1 2 3 4 5 6: 1/6@1.00",  # all six pay exactly $1,500.00
        "1 2 3 4 5 6 7: 1/7@1.05",
        "1 2 3 4 5 6 7 8: 1/8@3.00",  # two of these exceed the maximum
        "1 2/3 4/61 62: 3/4@1.00",
        "61 62 63/K1/K2: AK1,AK2@1.00 A@2.35",
        "78 79: 1/2@20.00",
    )
)
DRAWS = ([*range(1, 21)], [*range(61, 81)], [*range(1, 8), *range(61, 74)], [*range(30, 50)])
WRITERS = ("W1", "W2", "S1")  # a supervisor may take a drawer, and then not approve their own acts
STATIONS = ("1", "2", "3")
KEYS: dict[str, Ed25519PrivateKey] = {}
WRONG_CODE = "0000000000000000"

who = st.sampled_from(WRITERS)
which = st.integers(0, 30)
people = st.sampled_from(("S1", "S2", "M1", "W1"))
reasons = st.sampled_from(("a reason", "a reason", "a reason", " "))


async def furnish(folder: Path) -> None:
    """One house for all runs; each begins with a copy of its file."""
    async with new_floor(folder, card_toml=CARD_TOML) as floor:
        acts = Acts(floor)
        for person in ("S1", "S2", "M1"):
            await acts.give_key(person)
        KEYS.update(acts.keys)


class House(RuleBasedStateMachine):
    """A house and its model, side by side."""

    runs = counting()

    def __init__(self, template: Path) -> None:
        super().__init__()
        self.folder = template / f"run {next(self.runs)}"
        shutil.copytree(template / "furnished", self.folder)
        self.clock = Clock()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        opened = reopened(self.folder / "ledger.db", self.clock)
        self.floor = self.runner.run(self.stack.enter_async_context(opened))
        self.house = self.floor.house
        self.acts = Acts(self.floor)
        self.acts.keys = KEYS
        self.model = Model(CARD, START_MS)
        self.sales: list[tuple[Sell, Sold]] = []
        for writer, station in (("W1", "1"), ("S1", "2")):
            self.open_shift(writer, station, 3_000_00)

    def teardown(self) -> None:
        try:
            recount.check_books(recount.Books(self.folder / "ledger.db"))
        finally:
            self.runner.run(self.stack.aclose())
            self.runner.close()
            shutil.rmtree(self.folder)

    # The two compared.

    def agree(self, expected: NotYet, command: Awaitable[T]) -> T | None:
        """The answer, if both accept; None if both refuse for the same reason."""

        async def run() -> T | Refusal:
            try:
                return await command
            except Refused as refused:
                return refused.reason

        answer = self.runner.run(run())
        if expected is None:
            assert not isinstance(answer, Refusal), f"refused as {answer}, the model accepts"
            return answer
        assert answer is expected, f"the model refuses as {expected}, the house says {answer}"
        return None

    @invariant()
    def money_is_the_same(self) -> None:
        async def ask() -> None:
            told = await listings.balance(self.house, "main")
            assert told == self.model.balance()
            assert told.balanced
            drawers = await self.floor.ledger.read(
                lambda reads: {n: shifts.expected(reads, n) for n in self.model.shifts}
            )
            for number, shift in self.model.shifts.items():
                held = {kind: shift.drawer[kind] for kind in recount.KINDS}
                assert {kind.value: cents for kind, cents in drawers[number].items()} == held

        self.runner.run(ask())

    def booth_of(self, writer: str, *, stale: bool = False) -> Booth:
        """The writer's last drawer, open or not; or where it is not."""
        numbers = [n for n, shift in self.model.shifts.items() if shift.writer == writer]
        number = numbers[-1] if numbers else 99
        station = self.model.shifts[number].station if numbers else "1"
        return Booth("main", "3" if stale and station != "3" else station, writer, number)

    def ticket(self, index: int) -> tuple[int, str, Ticket | None]:
        """Number and code of some ticket; of none at all if the index is beyond the last."""
        found = self.model.tickets.get(index % (len(self.model.tickets) + 2))
        if found is None:
            return len(self.model.tickets) + 1, WRONG_CODE, None
        return found.number, found.code, found

    # Time.

    @rule(step=st.sampled_from((1, 1_000, 5 * 60_000, 31 * 60_000)))
    def wait(self, step: int) -> None:
        self.move_clock(self.clock.now_ms + step)

    @rule(index=which, after=st.sampled_from((0, 1)))
    def wait_for_the_end_of_a_claim(self, index: int, after: int) -> None:
        ticket = self.ticket(index)[2]
        if ticket is not None and len(self.model.played(ticket)) == ticket.request.games:
            self.move_clock(max(self.clock.now_ms, self.model.ends_ms(ticket) + after))

    @rule(step=st.sampled_from((1, 60 * 60_000)))
    def the_clock_jumps_back(self, step: int) -> None:
        """What the ledger has recorded counts: nothing becomes possible again."""
        self.move_clock(self.clock.now_ms - step)

    def move_clock(self, now_ms: int) -> None:
        self.clock.now_ms = now_ms
        self.model.now_ms = max(self.model.now_ms, now_ms)
        seen = self.runner.run(self.floor.ledger.write("See", "nobody", lambda tx: tx.now_ms))
        assert seen == self.model.now_ms

    # Selling.

    @rule(
        writer=who,
        request=st.sampled_from(REQUESTS),
        many=st.integers(1, 3),
        tender=st.sampled_from(("currency", "chips", "coupon", "half", "returned")),
        wrong=st.sampled_from((*[None] * 12, "stale", "game", "card", "price", "tender", "serial",
                               "spent", "forged", "worth")),
        printed=st.sampled_from((True, True, True, False)),
    )  # fmt: skip
    def sell(self, *, writer: str, request: KenoRequest, many: int, tender: str, wrong: str | None,
             printed: bool) -> None:  # fmt: skip
        sale = self.sale(writer, request, many, tender, wrong)
        reason = self.not_sold(sale)
        sold = self.agree(reason, sell_ticket(self.house, sale))
        if sold is None:
            return
        self.remember(sale, sold)
        if printed:
            self.confirm(sold.ticket, wrong_station=False)

    def sale(
        self, writer: str, request: KenoRequest, many: int, tender: str, wrong: str | None = None
    ) -> Sell:
        price = request.price_one_game_cents * many
        serial = f"P-{next(self.floor.ids)}"
        parts: tuple[Tender, ...] = {
            "currency": (cur(price),),
            "chips": (chips(price),),
            "coupon": (coupon(price, serial),),
            "half": (coupon(price // 2, serial), cur(price - price // 2)),
            "returned": self.with_returned(price),
        }[tender]
        spent = [each for each, (_, used) in self.model.coupons.items() if used]
        ours = [each for each, (cents, used) in self.model.coupons.items()
                if not used and cents != price]  # fmt: skip
        if wrong == "tender":
            parts = (*parts, cur(1))
        elif wrong == "serial":
            parts = (Tender(coupon(price, "").kind, price),)
        elif wrong == "spent" and spent:
            parts = (coupon(price, spent[-1]),)
        elif wrong == "forged":
            parts = (coupon(price, f"main-R{self.model.issued + 1}"),)
        elif wrong == "worth" and ours:
            parts = (coupon(price, ours[-1]),)
        if wrong == "price":
            price, parts = price + 5, (cur(price + 5),)
        game = self.model.open_game - (wrong == "game")
        booth = self.booth_of(writer, stale=wrong == "stale")
        version = "9" if wrong == "card" else "1"
        request = replace(request, games=many)
        return Sell(self.acts.id, booth, game, version, price, Paper(), request, parts)

    def with_returned(self, price: int) -> tuple[Tender, ...]:
        for serial, (cents, spent) in self.model.coupons.items():
            if not spent and cents <= price:
                rest = (cur(price - cents),) if price > cents else ()
                return (coupon(cents, serial), *rest)
        return (cur(price),)

    def not_sold(self, sale: Sell) -> NotYet:
        if sum(part.cents for part in sale.tender) != sale.price_cents:
            return Refusal.TENDER_DIFFERS
        if any(part.kind == "coupon" and part.serial is None for part in sale.tender):
            return Refusal.COUPON_NEEDS_SERIAL
        if sale.card != "1":
            return Refusal.CARD_CHANGED
        assert isinstance(sale.request, KenoRequest)
        if sale.price_cents != sale.request.price_one_game_cents * sale.request.games:
            return Refusal.PRICE_DIFFERS
        if reason := self.model.booth(sale.booth):
            return reason
        if sale.first_game != self.model.open_game:
            return Refusal.GAME_CLOSED
        return self.model.coupon(sale.tender)

    def remember(self, sale: Sell, sold: Sold) -> Ticket:
        assert sold.ticket == len(self.model.tickets) + 1
        assert sold.last_game == sold.first_game + sale.request.games - 1
        by_coupon = sum(part.cents for part in sale.tender if part.kind == "coupon")
        assert isinstance(sale.request, KenoRequest)
        ticket = Ticket(
            sold.ticket, sold.code, sale.request, sold.first_game, sold.price_cents, by_coupon,
            sale.booth.station, sale.booth.shift,
        )  # fmt: skip
        self.model.sell(ticket, sale.tender)
        self.sales.append((sale, sold))
        return ticket

    @precondition(lambda self: self.sales)
    @rule(index=which, other=st.booleans())
    def ask_again(self, index: int, *, other: bool) -> None:
        """A repeated request gets the same ticket; the same id for something else gets nothing."""
        sale, sold = self.sales[index % len(self.sales)]
        if other:
            changed = replace(sale, first_game=sale.first_game + 1)
            self.agree(Refusal.REQUEST_ID_REUSED, sell_ticket(self.house, changed))
            return
        again = self.agree(None, sell_ticket(self.house, sale))
        assert again is not None
        assert (again.ticket, again.code) == (sold.ticket, sold.code)

    # Two commands that others here begin with.

    @rule(number=which, wrong_station=st.sampled_from((False, False, True)))
    def confirm(self, number: int, *, wrong_station: bool) -> None:
        found = self.ticket(number)
        ticket = found[2]
        station = "1" if ticket is None else ticket.station
        if wrong_station:
            station = STATIONS[STATIONS.index(station) - 1]
        reason: NotYet = None
        if ticket is None:
            reason = Refusal.UNKNOWN_TICKET
        elif wrong_station:
            reason = Refusal.NOT_ALLOWED
        elif not ticket.printed and self.model.games[ticket.first].state not in ("open", "locked"):
            reason = Refusal.PRINT_UNCONFIRMED
        booth = Booth("main", station, "W1", 1)
        command = tickets.ConfirmPrint(self.acts.id, booth, found[0])
        if self.agree(reason, tickets.confirm_print(self.house, command)) and ticket is not None:
            ticket.printed = True

    @rule(
        writer=who,
        station=st.sampled_from((*STATIONS, "7")),
        bank_cents=st.sampled_from((0, 3_000_00, 3_000_00, -1)),
    )
    def open_shift(self, writer: str, station: str, bank_cents: int) -> None:
        taken = any(
            not shift.closed and (shift.writer == writer or shift.station == station)
            for shift in self.model.shifts.values()
        )
        reason: NotYet = None
        if station not in STATIONS:
            reason = Refusal.UNKNOWN_STATION
        elif taken:
            reason = Refusal.SHIFT_OPEN
        elif bank_cents < 0:
            reason = Refusal.PAYMENT_DIFFERS
        command = shifts.OpenShift(self.acts.id, "main", station, writer, bank_cents)
        opened = self.agree(reason, shifts.open_shift(self.house, command))
        if opened is not None:
            drawer = Counter({"currency": bank_cents})
            self.model.shifts[opened.shift] = Shift(writer, station, drawer)
