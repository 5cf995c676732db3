"""Every kind of tender through every act, worked out by hand: what each drawer holds afterwards.

A ticket costs $7.00. Drawer A, which sells it, has a bank of $200.00; drawer B, at another station,
one of $100.00. Amounts are dollars, in the order cash, chips, coupons, tokens.
"""

import re
from dataclasses import dataclass

import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.shift import Tender
from keno.domain.states import DrawerKind, TenderKind
from keno.protocol import Payment, Second
from keno.service import shifts, tickets
from keno.service.common import WriterContext
from keno.service.views import ticket_view
from printer.layout import lay_out
from printer.sheet import Text
from tests.houses import Floor
from tests.integration.ledger.asking import refused, sound
from tests.integration.ledger.events import (
    drawer,
    drawn,
    play_void,
    redeem,
    refund,
    rewrite,
    sell_for,
)
from writer_station import papers
from writer_station.papers import PrintContext

SEVEN, TEN, FIVE = "1 2: 1/2@7.00", "1 2: 1/2@10.00", "1 2: 1/2@5.00"
AWARD = 84
"""Of two of two at $7.00, in dollars."""
CUR, COIN = TenderKind.CURRENCY, TenderKind.COIN
CHIP, TOKEN, COUPON = TenderKind.GAMING_CHIPS, TenderKind.SLOT_TOKENS, TenderKind.COUPON
Holds = tuple[int, int, int, int]
"""Dollars of cash, chips, coupons and tokens."""
Parts = list[tuple[TenderKind, int]]
LACKS = Refusal.NOT_IN_DRAWER


@dataclass(frozen=True)
class Case:
    """A tender for the ticket of $7.00, and what it makes."""

    parts: Parts
    change: int
    a_sold: Holds
    a_void: Holds
    """A after a void at A."""
    b_void: Holds | None
    """B after a void at B; None if B lacks the chips or tokens."""
    b_in_cash: Holds
    a_paid: Holds
    a_returned: Holds
    dearer: Parts | None = None
    """What pays a rewrite of $10.00; None for coupons."""
    cheaper: Parts | None = None
    a_dearer: Holds | None = None
    b_dearer: Holds | None = None
    a_cheaper: Holds | None = None
    b_cheaper: Holds | None = None
    """B after a rewrite of $5.00 there; None if B lacks the chips or tokens."""
    b_cheaper_in_cash: Holds | None = None


TABLE = {
    "cash": Case(
        [(CUR, 7)], 0,
        a_sold=(207, 0, 0, 0), a_void=(200, 0, 0, 0),
        b_void=(93, 0, 0, 0), b_in_cash=(93, 0, 0, 0),
        a_paid=(123, 0, 0, 0), a_returned=(200, 0, 0, 0),
        dearer=[(CUR, 10)], a_dearer=(210, 0, 0, 0), b_dearer=(103, 0, 0, 0),
        cheaper=[(CUR, 5)], a_cheaper=(205, 0, 0, 0), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "cash with change": Case(
        [(CUR, 20)], 13,
        a_sold=(207, 0, 0, 0), a_void=(200, 0, 0, 0),
        b_void=(93, 0, 0, 0), b_in_cash=(93, 0, 0, 0),
        a_paid=(123, 0, 0, 0), a_returned=(200, 0, 0, 0),
        dearer=[(CUR, 20)], a_dearer=(210, 0, 0, 0), b_dearer=(103, 0, 0, 0),
        cheaper=[(CUR, 20)], a_cheaper=(205, 0, 0, 0), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "coin": Case(
        [(COIN, 7)], 0,
        a_sold=(207, 0, 0, 0), a_void=(200, 0, 0, 0),
        b_void=(93, 0, 0, 0), b_in_cash=(93, 0, 0, 0),
        a_paid=(123, 0, 0, 0), a_returned=(200, 0, 0, 0),
        dearer=[(COIN, 10)], a_dearer=(210, 0, 0, 0), b_dearer=(103, 0, 0, 0),
        cheaper=[(COIN, 5)], a_cheaper=(205, 0, 0, 0), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "chips": Case(
        [(CHIP, 7)], 0,
        a_sold=(200, 7, 0, 0), a_void=(200, 0, 0, 0),
        b_void=None, b_in_cash=(93, 0, 0, 0),
        a_paid=(116, 7, 0, 0), a_returned=(193, 7, 0, 0),
        # The chips stand for seven of the ten dollars: three more come in.
        dearer=[(CHIP, 7), (CUR, 3)], a_dearer=(203, 7, 0, 0), b_dearer=(103, 0, 0, 0),
        # Two dollars in chips go back: B has none, and gives two in cash.
        cheaper=[(CHIP, 5)], a_cheaper=(200, 5, 0, 0), b_cheaper=None,
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "a $25 chip": Case(
        [(CHIP, 25)], 18,
        a_sold=(182, 25, 0, 0), a_void=(175, 25, 0, 0),  # $7 cash
        b_void=(93, 0, 0, 0), b_in_cash=(93, 0, 0, 0),
        a_paid=(98, 25, 0, 0), a_returned=(175, 25, 0, 0),
        dearer=[(CUR, 10)], a_dearer=(185, 25, 0, 0), b_dearer=(103, 0, 0, 0),
        cheaper=[(CUR, 5)], a_cheaper=(180, 25, 0, 0), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "tokens": Case(
        [(TOKEN, 7)], 0,
        a_sold=(200, 0, 0, 7), a_void=(200, 0, 0, 0),
        b_void=None, b_in_cash=(93, 0, 0, 0),
        a_paid=(116, 0, 0, 7), a_returned=(193, 0, 0, 7),
        dearer=[(TOKEN, 7), (CHIP, 3)], a_dearer=(200, 3, 0, 7), b_dearer=(100, 3, 0, 0),
        cheaper=[(TOKEN, 5)], a_cheaper=(200, 0, 0, 5), b_cheaper=None,
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "tokens with change": Case(
        [(TOKEN, 10)], 3,
        a_sold=(197, 0, 0, 10), a_void=(190, 0, 0, 10),
        b_void=(93, 0, 0, 0), b_in_cash=(93, 0, 0, 0),
        a_paid=(113, 0, 0, 10), a_returned=(190, 0, 0, 10),
        dearer=[(CUR, 10)], a_dearer=(200, 0, 0, 10), b_dearer=(103, 0, 0, 0),
        cheaper=[(CUR, 5)], a_cheaper=(195, 0, 0, 10), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "a $5 chip and $5, change from the cash": Case(
        [(CHIP, 5), (CUR, 5)], 3,
        a_sold=(202, 5, 0, 0), a_void=(200, 0, 0, 0),
        b_void=None, b_in_cash=(93, 0, 0, 0),
        a_paid=(118, 5, 0, 0), a_returned=(195, 5, 0, 0),
        dearer=[(CHIP, 5), (CUR, 5)], a_dearer=(205, 5, 0, 0), b_dearer=(103, 0, 0, 0),
        cheaper=[(CHIP, 5)], a_cheaper=(200, 5, 0, 0), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "chips and tokens, both changed": Case(
        [(CHIP, 10), (TOKEN, 10)], 13,  # 10 for the chips, 3 for the tokens
        a_sold=(187, 10, 0, 10), a_void=(180, 10, 0, 10),
        b_void=(93, 0, 0, 0), b_in_cash=(93, 0, 0, 0),
        a_paid=(103, 10, 0, 10), a_returned=(180, 10, 0, 10),
        # A $10 chip again: nothing but three dollars changes hands. $7 go out and $10 come in.
        dearer=[(CHIP, 10)], a_dearer=(180, 20, 0, 10), b_dearer=(93, 10, 0, 0),
        cheaper=[(CHIP, 10)], a_cheaper=(175, 20, 0, 10), b_cheaper=(88, 10, 0, 0),
        b_cheaper_in_cash=(88, 10, 0, 0),
    ),
    "chips and tokens, the chips changed": Case(
        [(CHIP, 5), (TOKEN, 4)], 2,
        a_sold=(198, 5, 0, 4), a_void=(195, 5, 0, 0),  # $3 cash and $4 in tokens
        b_void=None, b_in_cash=(93, 0, 0, 0),
        a_paid=(114, 5, 0, 4), a_returned=(191, 5, 0, 4),
        dearer=[(TOKEN, 4), (CUR, 6)], a_dearer=(201, 5, 0, 4), b_dearer=(103, 0, 0, 0),
        cheaper=[(TOKEN, 4), (CUR, 1)], a_cheaper=(196, 5, 0, 4), b_cheaper=(98, 0, 0, 0),
        b_cheaper_in_cash=(98, 0, 0, 0),
    ),
    "a coupon": Case(
        [(COUPON, 7)], 0,
        a_sold=(200, 0, 7, 0), a_void=(200, 0, 7, 0),  # a new coupon: the old one stays
        b_void=(100, 0, 0, 0), b_in_cash=(100, 0, 0, 0),
        a_paid=(116, 0, 7, 0), a_returned=(200, 0, 7, 0),
    ),
    "a coupon and a $25 chip": Case(
        [(COUPON, 3), (CHIP, 25)], 21,
        a_sold=(179, 25, 3, 0), a_void=(175, 25, 3, 0),
        b_void=(96, 0, 0, 0), b_in_cash=(96, 0, 0, 0),
        a_paid=(95, 25, 3, 0), a_returned=(175, 25, 3, 0),
    ),
    "a coupon and chips": Case(
        [(COUPON, 3), (CHIP, 4)], 0,
        a_sold=(200, 4, 3, 0), a_void=(200, 0, 3, 0),
        b_void=None, b_in_cash=(96, 0, 0, 0),
        a_paid=(116, 4, 3, 0), a_returned=(196, 4, 3, 0),
    ),
}  # fmt: skip
CASES = pytest.mark.parametrize("name", TABLE)
REWRITTEN = pytest.mark.parametrize("name", [name for name, each in TABLE.items() if each.dearer])


def tendered(parts: Parts) -> tuple[Tender, ...]:
    return tuple(
        Tender(kind, dollars * 100, f"PROMO-{index}" if kind is COUPON else None)
        for index, (kind, dollars) in enumerate(parts)
    )


BOOTH = PrintContext.of(protocol.StationPlace("1", "main", "A", "Main Floor"))


def slip_of(voided: protocol.Voided, done: protocol.Rewritten | None = None) -> list[str]:
    """The lines of a void slip as they are printed, with single spaces."""
    rewritten = () if done is None else (done.sold.ticket, done.net)
    layout = lay_out(papers.void_slip(BOOTH, voided, "W1", *rewritten))
    return [" ".join(each.text.split()) for each in layout.elements if isinstance(each, Text)]


def net_on(lines: list[str]) -> int:
    """What the slip of a rewrite says was handed to the patron, less what was received."""
    found = 0
    for line in lines:
        if match := re.fullmatch(r"(To the patron|Received), [a-z ]+ \$([0-9]+)\.00", line):
            found += int(match[2]) * (1 if match[1] == "To the patron" else -1)
    return found


class House:
    """The two drawers, and the ticket that A sold."""

    def __init__(self, floor: Floor, a: WriterContext, b: WriterContext) -> None:
        self.floor, self.a, self.b = floor, a, b

    async def sold(self, case: Case, text: str = SEVEN) -> protocol.Sold:
        sold = await sell_for(self.floor, self.a, text, *tendered(case.parts))
        assert sold.price_cents == 7_00
        return sold

    async def void(
        self, by: WriterContext, sold: protocol.Sold, *, in_cash: bool = False
    ) -> protocol.Voided:
        command = protocol.Void(self.floor.id(), sold.ticket, sold.code, in_cash)
        return await tickets.void(self.floor.house, by, command)

    async def rewrite(
        self, by: WriterContext, sold: protocol.Sold, text: str, parts: Parts | None,
        *, in_cash: bool = False,
    ) -> protocol.Rewritten:  # fmt: skip
        sale = await self.floor.sale(by, text, tender=tendered(parts or []))
        _, command = rewrite(self.floor, sold, sale)
        command = protocol.VoidAndRewrite(
            command.request_id, command.ticket, command.code, command.sale, in_cash
        )
        done = await tickets.void_and_rewrite(self.floor.house, by, command)
        confirm = protocol.ConfirmPrint(self.floor.id(), done.sold.ticket)
        await tickets.confirm_print(self.floor.house, by, confirm)
        return done

    async def gives_back(self, sold: protocol.Sold) -> Parts:
        """What the look-up says that a void gives back, as tender for the next ticket."""
        view = await ticket_view(self.floor.house, "main", sold.ticket, sold.code)
        assert sum(each.cents for each in view.gives_back) == 7_00
        return [
            (CUR if each.kind == "cash" else TenderKind(each.kind), each.cents // 100)
            for each in view.gives_back
        ]

    async def holds(self, booth: WriterContext, expected: Holds | None) -> None:
        """Compare a drawer with the table, close it with this count, and audit the ledger."""
        assert expected is not None
        kinds = dict(zip(DrawerKind, (dollars * 100 for dollars in expected), strict=True))
        there = {kind.value: cents for kind, cents in kinds.items() if cents}
        assert await drawer(self.floor, booth) == there
        by = WriterContext("main", booth.station, booth.writer, booth.shift, "S1")
        command = protocol.CloseShift(self.floor.id(), there, Second("S1", ""))
        closed = await shifts.close_shift(self.floor.house, by, command)
        assert closed.expected_cents == closed.counted_cents == kinds
        assert not any(closed.over_short_cents.values())
        sound(self.floor)


@pytest.fixture
async def house(floor: Floor) -> House:
    a = await floor.booth("W1", "1", 200_00)
    return House(floor, a, await floor.booth("W2", "2", 100_00))


def test_the_table_knows_every_kind_and_keeps_the_price() -> None:
    """What a drawer gains is the price, in every row; only the kinds differ."""
    for name, case in TABLE.items():
        assert sum(dollars for _, dollars in case.parts) - case.change == 7, name
        assert sum(case.a_sold) == 207, name
    kinds = {kind for case in TABLE.values() for kind, _ in case.parts}
    assert kinds == set(TenderKind)


@CASES
async def test_15_4_c_a_sale_takes_in_what_is_received_and_gives_change(
    house: House, name: str
) -> None:
    sold = await house.sold(TABLE[name])
    assert sold.change_cents == TABLE[name].change * 100
    await house.holds(house.a, TABLE[name].a_sold)


@CASES
async def test_15_4_e_a_void_gives_back_what_came_in(house: House, name: str) -> None:
    case = TABLE[name]
    voided = await house.void(house.a, await house.sold(case))
    assert voided.in_cash_cents == 0
    assert sum(each.cents for each in voided.given_back) == 7_00
    said = slip_of(voided)
    assert "Total paid back $7.00" in said
    for kind, before, after in zip(("cash", "gaming chips", "", "slot tokens"),
                                   case.a_sold, case.a_void, strict=True):  # fmt: skip
        line = f"Paid back in {kind} ${before - after}.00"
        assert (line in said) == (kind != "" and before > after), (line, said)
    coupons = [line for line in said if line.startswith(f"Coupon {voided.coupon} $")]
    assert len(coupons) == (voided.coupon is not None)
    await house.holds(house.a, case.a_void)


@CASES
async def test_15_4_e_a_void_at_another_station_gives_back_what_came_in_or_cash(
    house: House, name: str
) -> None:
    case = TABLE[name]
    sold = await house.sold(case)
    if case.b_void is None:
        async with refused(house.floor, LACKS):
            await house.void(house.b, sold)
        voided = await house.void(house.b, sold, in_cash=True)
        assert voided.in_cash_cents > 0
        instead = f"${voided.in_cash_cents // 100}.00 of the cash is in place of chips"
        assert any(instead in line for line in slip_of(voided))
        await house.holds(house.b, case.b_in_cash)
    else:
        await house.void(house.b, sold)
        await house.holds(house.b, case.b_void)
    await house.holds(house.a, case.a_sold)  # A keeps what it took in


@CASES
async def test_15_4_e_what_is_asked_for_in_cash_is_given_in_cash(house: House, name: str) -> None:
    case = TABLE[name]
    voided = await house.void(house.b, await house.sold(case), in_cash=True)
    by_coupon = sum(dollars for kind, dollars in case.parts if kind is COUPON)
    assert (voided.cash_cents, voided.coupon_cents) == ((7 - by_coupon) * 100, by_coupon * 100)
    await house.holds(house.b, case.b_in_cash)


@REWRITTEN
@pytest.mark.parametrize("at", ["a", "b"])
async def test_15_4_e_a_rewrite_that_is_dearer(house: House, name: str, at: str) -> None:
    case = TABLE[name]
    booth = house.a if at == "a" else house.b
    done = await house.rewrite(booth, await house.sold(case), TEN, case.dearer)
    assert sum(each.cents for each in done.net) == -3_00
    assert net_on(slip_of(done.voided, done)) == -3
    await house.holds(booth, case.a_dearer if at == "a" else case.b_dearer)


@REWRITTEN
@pytest.mark.parametrize("at", ["a", "b"])
async def test_15_4_e_a_rewrite_that_is_cheaper(house: House, name: str, at: str) -> None:
    case = TABLE[name]
    booth = house.a if at == "a" else house.b
    sold = await house.sold(case)
    if at == "b" and case.b_cheaper is None:
        async with refused(house.floor, LACKS):
            await house.rewrite(booth, sold, FIVE, case.cheaper)
        done = await house.rewrite(booth, sold, FIVE, case.cheaper, in_cash=True)
        assert done.voided.in_cash_cents == 2_00
        assert [(each.kind, each.cents) for each in done.net] == [("cash", 2_00)]
        await house.holds(booth, case.b_cheaper_in_cash)
        return
    done = await house.rewrite(booth, sold, FIVE, case.cheaper)
    assert sum(each.cents for each in done.net) == 2_00
    assert net_on(slip_of(done.voided, done)) == 2
    await house.holds(booth, case.a_cheaper if at == "a" else case.b_cheaper)


@REWRITTEN
async def test_15_4_e_an_even_rewrite_needs_nothing_in_the_drawer(floor: Floor, name: str) -> None:
    """What came in goes towards the new ticket: in an empty drawer nothing changes hands."""
    case = TABLE[name]
    house = House(floor, await floor.booth("W1", "1", 200_00), await floor.booth("W2", "2", 0))
    sold = await house.sold(case)
    back = await house.gives_back(sold)
    done = await house.rewrite(house.b, sold, SEVEN, back)
    assert done.net == ()
    assert "Nothing changed hands." in slip_of(done.voided, done)
    await house.holds(house.b, (0, 0, 0, 0))


@CASES
async def test_15_6_a_payout_is_in_cash_whatever_paid_the_ticket(house: House, name: str) -> None:
    case = TABLE[name]
    sold = await house.sold(case)
    await house.floor.play(drawn(1, 2))
    await house.floor.pay(house.a, sold, AWARD * 100)
    await house.holds(house.a, case.a_paid)


@CASES
async def test_15_7_a_return_after_a_void_game_is_in_cash_and_coupon(
    house: House, name: str
) -> None:
    case = TABLE[name]
    sold = await house.sold(case)
    await play_void(house.floor)
    by_coupon = sum(dollars for kind, dollars in case.parts if kind is COUPON)
    paid = await redeem(house.floor, house.a, sold, Payment((7 - by_coupon) * 100))
    assert paid.coupon_cents == by_coupon * 100
    await house.holds(house.a, case.a_returned)


@pytest.mark.parametrize(
    ("parts", "sold", "cash", "refunded"),
    [
        # Three games at $7.00: $21.00; the first is drawn, $14.00 go back.
        ([(CUR, 50)], (221, 0, 0, 0), 14, (207, 0, 0, 0)),
        ([(COIN, 21)], (221, 0, 0, 0), 14, (207, 0, 0, 0)),
        ([(CHIP, 25)], (196, 25, 0, 0), 14, (182, 25, 0, 0)),
        ([(CHIP, 21)], (200, 21, 0, 0), 14, (186, 21, 0, 0)),
        ([(TOKEN, 20), (CHIP, 25)], (176, 25, 0, 20), 14, (162, 25, 0, 20)),
        # The coupon pays the first game and $3.00 of the second: $3.00 stay coupon.
        ([(COUPON, 10), (CHIP, 25)], (186, 25, 10, 0), 11, (175, 25, 10, 0)),
    ],
)
async def test_15_4_d_a_refund_is_in_cash_and_coupon(
    house: House, parts: Parts, sold: Holds, cash: int, refunded: Holds
) -> None:
    ticket = await sell_for(house.floor, house.a, SEVEN + " x3", *tendered(parts))
    kinds = dict(zip(DrawerKind, (dollars * 100 for dollars in sold), strict=True))
    assert await drawer(house.floor, house.a) == {k.value: c for k, c in kinds.items() if c}
    await house.floor.play(drawn(3, 4))
    await refund(house.floor, house.a, ticket, Payment(cash * 100))
    await house.holds(house.a, refunded)
