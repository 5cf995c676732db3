"""A house and its plain model side by side: how they are compared, the clock, and tickets."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from itertools import count as counting
from pathlib import Path
from typing import Any, TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from hypothesis.strategies import DataObject, SearchStrategy

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX
from keno.domain.request_text import parse
from keno.domain.wager import KenoRequest
from keno.protocol import PaperOrigin, Sold
from keno.service import listings, shifts, tickets
from keno.service.common import WriterContext
from keno.service.listing_registry import BALANCE
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from tests.cards import card, card_text
from tests.halting import give_keyholders
from tests.houses import START_MS, Clock, new_floor, reopened, verify, written_sale
from tests.rng_house import Keys
from tests.simulation import recount
from tests.simulation.acts import Acts, cur
from tests.simulation.coupon_tender import WRONG_COUPONS, CouponTender
from tests.simulation.model import Model, NotYet, Shift, Ticket
from tests.simulation.plain_coupons import PlainCoupon
from tests.simulation.plainmoney import came_in
from tests.simulation.tendered import TENDERS, back_of, gave, net_of, parts_of, second_of

T = TypeVar("T")
Method = TypeVar("Method", bound=Callable[..., None])

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
KEYHOLDERS = Keys()
WRONG_CODE = "0000000000000000"

who = st.sampled_from(("W1", "W1", "W1", "S1", "S1", "W2"))
payers = st.sampled_from(("W1", "W1", "W1", "S1", "S1", "W2", "W3"))
"""W3 is at another location, which pays tickets of this one."""
which = st.integers(0, 30)
people = st.sampled_from(("S1", "S2", "M1", "W1"))
reasons = st.sampled_from(("a reason", "a reason", "a reason", "a reason", " ", "--"))
WORDLESS = (" ", "--")
"""Texts of `reasons` that say nothing."""


def letter_of(booth: WriterContext) -> str | None:
    """All tickets are of main; another location names it by its letter."""
    return None if booth.location == "main" else "A"


def act(weight: int = 1, **arguments: Any) -> Callable[[Method], Method]:
    """Something that may happen, with what it is given, and how often it does."""

    def mark(method: Method) -> Method:
        ACTS[method.__name__] = (weight, st.fixed_dictionaries(arguments))
        return method

    return mark


ACTS: dict[str, tuple[int, SearchStrategy[dict[str, Any]]]] = {}


async def furnish(folder: Path) -> None:
    """One house for all runs; each begins with a copy of its file."""
    async with new_floor(folder, card_toml=CARD_TOML) as floor:
        acts = Acts(floor)
        await acts.add_location("annex", "B", card_text(version="2"), "9", 1)
        for person in ("S1", "S2", "M1"):
            await acts.give_key(person)
        await give_keyholders(floor, KEYHOLDERS, "main", "annex")
        KEYS.update(acts.keys)


class HouseMachine(CouponTender, RuleBasedStateMachine):
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
        self.house.halts.signers.update(dict.fromkeys(("main", "annex"), KEYHOLDERS.signers["S"]))
        self.acts = Acts(self.floor)
        self.acts.keys = KEYS
        self.model = Model(CARD, START_MS)
        self.sales: list[tuple[Sale, Sold]] = []
        for writer, station in (("W1", "1"), ("S1", "2")):
            self.open_shift(writer, station, 3_000_00)
        there = self.runner.run(self.floor.booth("W3", "9", 3_000_00, "annex"))
        drawer = Counter({"cash": 3_000_00})
        self.model.shifts[there.shift] = Shift("W3", "9", drawer, location="annex")
        for index, tender in enumerate(("currency", "half", "chips", "coupon")):
            self.sell_one("W1", REQUESTS[index], 1 + index % 3, tender)
        self.rewrite(writer="W1", index=1, request=REQUESTS[0], many=2, tender="kept", wrong=None)

    def teardown(self) -> None:
        path = self.folder / "ledger.db"
        try:
            recount.check_books(recount.Books(path))
            self.runner.run(self.stack.aclose())
            report = audit(path, verify=verify)
            assert report["sound"], report["first_discrepancy"]
        finally:
            self.runner.run(self.stack.aclose())
            self.runner.close()
            shutil.rmtree(self.folder)

    @rule(chosen=st.data())
    def something_happens(self, chosen: DataObject) -> None:
        names = [name for name, (weight, _) in ACTS.items() for _ in range(weight)]
        name = chosen.draw(st.sampled_from(names))
        getattr(self, name)(**chosen.draw(ACTS[name][1]))

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
            [told] = await listings.listed(self.house, BALANCE, "main", None)
            assert told == self.model.balance()
            assert told.balanced
            drawers = await self.floor.ledger.read(
                lambda reads: {n: shifts.expected(reads, n) for n in self.model.shifts}
            )
            for number, shift in self.model.shifts.items():
                held = {kind: shift.drawer[kind] for kind in recount.KINDS}
                assert {kind.value: cents for kind, cents in drawers[number].items()} == held

        self.runner.run(ask())

    def booth_of(self, writer: str, *, stale: bool = False) -> WriterContext:
        """The writer's last drawer, open or not; or where it is not."""
        numbers = [n for n, shift in self.model.shifts.items() if shift.writer == writer]
        number = numbers[-1] if numbers else 99
        shift = self.model.shifts[number] if numbers else Shift(writer, "1", Counter())
        station = "3" if stale and shift.station != "3" else shift.station
        return WriterContext(shift.location, station, writer, number)

    def ticket(self, index: int, likely: Sequence[Ticket] = ()) -> tuple[int, str, Ticket | None]:
        """Number and code of some ticket, most often a likely one; rarely of none at all."""
        known = likely if likely and index % 4 else [*self.model.tickets.values()]
        if index == 30 or not known:
            return len(self.model.tickets) + 1, WRONG_CODE, None
        found = known[-1 - index % len(known)]
        return found.number, found.code, found

    def drawer(self, booth: WriterContext) -> Counter[str]:
        return self.model.shifts[booth.shift].drawer

    def in_play(self) -> list[Ticket]:
        return [ticket for ticket in self.model.tickets.values() if ticket.end is None]

    def for_open_game(self) -> list[Ticket]:
        return [ticket for ticket in self.in_play() if ticket.first == self.model.open_game]

    def claimable(self) -> list[Ticket]:
        return [
            ticket
            for ticket in self.in_play()
            if len(self.model.played(ticket)) == ticket.request.games
            and not self.model.drawing(ticket)
            and self.model.due(ticket).total
        ]

    def cancellable(self) -> list[Ticket]:
        return [ticket for ticket in self.in_play() if self.model.refund(ticket) is None]

    # Time.

    @act(step=st.sampled_from((1, 1_000, 5 * 60_000, 31 * 60_000, 5 * 3_600_000)))
    def wait(self, step: int) -> None:
        self.move_clock(self.clock.now_ms + step)

    @act(index=which, after=st.sampled_from((0, 1)))
    def wait_for_the_end_of_a_claim(self, index: int, after: int) -> None:
        ticket = self.ticket(index, self.claimable())[2]
        if ticket is None or self.model.halted("main"):
            return
        if len(self.model.played(ticket)) == ticket.request.games:
            self.move_clock(max(self.clock.now_ms, self.model.open_until_ms(ticket) + after))

    @act(step=st.sampled_from((1, 60 * 60_000)))
    def the_clock_jumps_back(self, step: int) -> None:
        """What the ledger has recorded counts: nothing becomes possible again."""
        self.move_clock(self.clock.now_ms - step)

    def move_clock(self, now_ms: int) -> None:
        self.clock.now_ms = now_ms
        self.model.now_ms = max(self.model.now_ms, now_ms)
        seen = self.runner.run(self.floor.ledger.write("See", "nobody", lambda tx: tx.now_ms))
        assert seen == self.model.now_ms

    # Selling.

    @act(4,
        writer=who,
        request=st.sampled_from(REQUESTS),
        many=st.integers(1, 3),
        tender=st.sampled_from((*TENDERS, "coupon", "half", "returned")),
        wrong=st.sampled_from((*[None] * 14, "stale", "game", "card", "price", "tender",
                               *WRONG_COUPONS)),
        printed=st.sampled_from((True, True, True, False)),
    )  # fmt: skip
    def sell(self, *, writer: str, request: KenoRequest, many: int, tender: str, wrong: str | None,
             printed: bool) -> None:  # fmt: skip
        sale = self.sale(writer, request, many, tender, wrong)
        reason = self.not_sold(sale)
        sold = self.agree(reason, sell_ticket(self.house, sale))
        if sold is None:
            return
        ticket = self.remember(sale, sold)
        if printed:
            self.confirm_one(ticket.number, ticket.code, ticket)

    def sell_one(self, writer: str, request: KenoRequest, many: int, tender: str) -> None:
        self.sell(
            writer=writer, request=request, many=many, tender=tender, wrong=None, printed=True
        )

    def sale(
        self, writer: str, request: KenoRequest, many: int, tender: str, wrong: str | None = None
    ) -> Sale:
        price = request.price_one_game_cents * many
        returned = tender == "returned"
        parts = self.with_returned(price) if returned else parts_of(tender, price)
        if wrong == "tender":
            parts = (cur(price - 1),)
        elif wrong in WRONG_COUPONS:
            parts = self.wrong_coupon(wrong, price)
        if wrong != "serial":
            parts = tuple(map(self.registered, parts))
        if wrong == "price":
            price, parts = price + 5, (cur(price + 5),)
        game = self.model.open_game - (wrong == "game")
        booth = self.booth_of(writer, stale=wrong == "stale")
        booth = replace(booth, second=second_of(tender))
        version = "9" if wrong == "card" else "1"
        request = replace(request, games=many)
        return Sale(self.acts.id, booth, game, version, price, PaperOrigin(), request, parts)

    def not_sold(self, sale: Sale, rewrites: int | None = None) -> NotYet:
        if reason := self.model.register.misfit(sale.tender, sale.price_cents):
            return reason
        if sum(part.cents for part in sale.tender) < sale.price_cents:
            return Refusal.TENDER_DIFFERS
        if sale.card != "1":
            return Refusal.CARD_CHANGED
        assert isinstance(sale.request, KenoRequest)
        price = sale.request.price_one_game_cents * sale.request.games
        late = Refusal.GAME_CLOSED if sale.first_game != self.model.open_game else None
        return (
            (Refusal.PRICE_DIFFERS if sale.price_cents != price else None)
            or self.model.halted("main")
            or self.model.booth(sale.booth)
            or late
            or (Refusal.HOUSE_CLOSED if self.model.night else None)
            or self.model.register.refusal(sale.tender, self.model.now_ms, rewrites)
            or self.model.change(
                sale.booth.writer, self.drawer(sale.booth), sale.tender, price, sale.booth.second
            )
        )

    def remember(self, sale: Sale, sold: Sold) -> Ticket:
        assert sold.ticket == len(self.model.tickets) + 1
        assert sold.last_game == sold.first_game + sale.request.games - 1
        by_coupon = sum(part.cents for part in sale.tender if part.kind == "coupon")
        assert isinstance(sale.request, KenoRequest)
        ticket = Ticket(
            sold.ticket, sold.code, sale.request, sold.first_game, sold.price_cents, by_coupon,
            sale.booth.station, sale.booth.shift, tender=sale.tender,
        )  # fmt: skip
        self.model.sell(ticket, sale.tender)
        self.sales.append((sale, sold))
        return ticket

    @act(index=which, other=st.booleans())
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

    @act(2, index=which, wrong_station=st.sampled_from((False, False, True)))
    def confirm(self, index: int, *, wrong_station: bool) -> None:
        unprinted = [ticket for ticket in self.in_play() if not ticket.printed]
        self.confirm_one(*self.ticket(index, unprinted), wrong_station=wrong_station)

    def confirm_one(
        self, number: int, _: str, ticket: Ticket | None, *, wrong_station: bool = False
    ) -> None:
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
        booth = WriterContext("main", station, "W1", 1)
        command = protocol.ConfirmPrint(self.acts.id, number)
        if (
            self.agree(reason, tickets.confirm_print(self.house, booth, command))
            and ticket is not None
        ):
            ticket.printed = True

    @act(
        writer=who,
        station=st.sampled_from((*STATIONS, "7")),
        bank_cents=st.sampled_from((0, 3_000_00, 3_000_00, -1, CENTS_MAX, CENTS_MAX + 1)),
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
        elif not 0 <= bank_cents <= CENTS_MAX:
            reason = Refusal.PAYMENT_DIFFERS
        by = WriterContext("main", station, writer, 0)
        command = protocol.OpenShift(self.acts.id, bank_cents)
        opened = self.agree(reason, shifts.open_shift(self.house, by, command))
        if opened is not None:
            drawer = Counter({"cash": bank_cents})
            self.model.slips += bank_cents > 0
            self.model.shifts[opened.shift] = Shift(writer, station, drawer)


class Tickets(HouseMachine):
    """What happens to a sold ticket before it is paid."""

    @act(writer=who, index=which, supervisor=st.sampled_from((None, None, "S1", "S2", "W1")))
    def reprint(self, writer: str, index: int, supervisor: str | None) -> None:
        booth = self.booth_of(writer)
        number, _, ticket = self.ticket(index, [t for t in self.in_play() if not t.printed])
        reason = self.model.booth(booth)
        if reason is None and ticket is None:
            reason = Refusal.UNKNOWN_TICKET
        if reason is None and ticket is not None:
            state = self.model.games[ticket.first].state
            if ticket.station != booth.station:
                reason = Refusal.NOT_ALLOWED
            elif ticket.end is not None:
                reason = Refusal.VOID
            elif ticket.printed or state != "open":
                reason = self.model.supervisor(writer, supervisor)
        by = replace(booth, second=supervisor)
        command = protocol.Reprint(self.acts.id, number)
        again = self.agree(reason, tickets.reprint(self.house, by, command))
        if again is not None and ticket is not None:
            ticket.reprints += 1
            ticket.printed = self.model.games[ticket.first].state not in ("open", "locked")
            assert again.reprints == ticket.reprints

    @act(
        2, writer=who, index=which, how=st.sampled_from(("code", "code", "list", "wrong")),
        in_cash=st.sampled_from((False, False, True)),
    )  # fmt: skip
    def void(self, writer: str, index: int, how: str, *, in_cash: bool) -> None:
        booth = self.booth_of(writer)
        number, code, ticket = self.ticket(index, self.for_open_game())
        code = WRONG_CODE if how == "wrong" else code
        reason = self.model.halted("main") or self.model.booth(booth)
        if reason is None and ticket is None:
            reason = Refusal.UNKNOWN_TICKET
        if reason is None and ticket is not None:
            reason = self.not_voided(booth, ticket, how, in_cash=in_cash)
        command = protocol.Void(self.acts.id, number, None if how == "list" else code, in_cash)
        voided = self.agree(reason, tickets.void(self.house, booth, command))
        if voided is not None and ticket is not None:
            back = back_of(ticket, {} if in_cash else None)
            assert gave(voided) == +back
            left = ticket.coupon_cents
            assert (voided.coupon_cents, voided.kept_cents) == (left, 0)
            assert voided.coupon == self.model.give_back(booth.shift, back, ticket, left)
            ticket.end, ticket.ended_game = "void", ticket.first

    def not_voided(
        self, booth: WriterContext, ticket: Ticket, how: str, *, in_cash: bool
    ) -> NotYet:
        if how == "wrong":
            return Refusal.ALTERED
        if how == "list":
            if ticket.station != booth.station:
                return Refusal.NOT_ALLOWED
            if ticket.printed:
                return Refusal.ALTERED
        if reason := self.model.void(ticket):
            return reason
        back = back_of(ticket, {} if in_cash else None)
        return self.model.lacks(self.drawer(booth), back)

    @act(4,
        writer=who, index=which, request=st.sampled_from(REQUESTS), many=st.integers(1, 3),
        paid=st.tuples(st.sampled_from(TENDERS), st.booleans()),
        wrong=st.sampled_from((*[None] * 5, *["in cash"] * 3, "game", "price")),
    )  # fmt: skip
    def rewrite(self, *, writer: str, index: int, request: KenoRequest, many: int,
                paid: tuple[str, bool], wrong: str | None) -> None:  # fmt: skip
        """Paid in some way for what the coupons of the old ticket do not pay, if it keeps them."""
        tender, keep = paid
        likely = self.for_open_game()
        if keep:
            likely = [each for each in likely if each.coupon_cents] or likely
        number, code, ticket = self.ticket(index, likely)
        in_cash = wrong == "in cash"
        sale = self.sale(writer, request, many, tender, wrong)
        coupons: dict[str, PlainCoupon] = {}
        if keep and ticket is not None:
            sale, coupons = self.with_kept(sale, ticket, tender)
        came = came_in(sale.tender)
        kept = came if in_cash else None
        reason = self.model.halted("main") or self.model.booth(sale.booth)
        reason = reason or self.model.paper(number, code)
        if reason is None and ticket is not None:
            reason = self.model.void(ticket) or self.not_sold(sale, number)
            if reason is None:
                there = Counter(self.drawer(sale.booth))
                there.update(came, cash=sale.price_cents - came.total())
                reason = self.model.lacks(there, back_of(ticket, kept))
        asked = protocol.VoidAndRewrite(self.acts.id, number, code, written_sale(sale), in_cash)
        done = self.agree(reason, tickets.void_and_rewrite(self.house, sale.booth, asked))
        if done is not None and ticket is not None:
            back, said = back_of(ticket, kept), done.voided
            assert gave(said) == +back
            moved = sum(each.cents for each in coupons.values())
            left = ticket.coupon_cents - moved
            assert (said.coupon_cents, said.kept_cents) == (left, moved)
            for each in coupons.values():
                each.ticket = None  # the new ticket takes them below
            assert said.coupon == self.model.give_back(sale.booth.shift, back, ticket, left)
            self.drawer(sale.booth)["coupon"] -= moved
            net = net_of(ticket, back, came, sale.price_cents)
            assert {each.kind: each.cents for each in done.net} == net
            ticket.end, ticket.ended_game = "void", ticket.first
            self.remember(sale, done.sold)
            self.sales.pop()  # its id is the command's own affair
