"""15.6(b): $1,500.00 or more of a void, rewrite or refund waits for a supervisor, not the act."""

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import date

import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import Payment, Second
from keno.protocol.base import KindCents
from keno.service import listings, payouts, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import EXCEPTIONS, LARGE_PAYOUTS, OWED
from keno.service.ticket_record import authorisation as authorisation_record
from keno.store.exception_queries import ExceptionRow
from tests.houses import START_MS, Floor
from tests.integration.ledger.asking import balance, refused, rows, twice, value
from tests.integration.ledger.events import (
    approve,
    ask,
    coupon,
    deny,
    drawer,
    drawn,
    lock,
    look,
    redeem,
    refund,
    rewrite,
    second_location,
    sell_for,
    void,
)
from tests.integration.ledger.owing import LARGE, authorisation, cash, chips, large_floor, pay

BELOW = "1 2 3 4: 1/4@749.95 x2"
"""Costs $1,499.90."""
SMALL = "1 2 3 4: 1/4@5.00"
DAY = date(2026, 11, 15)


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    async with large_floor() as made:
        yield made


@pytest.fixture
async def east(floor: Floor) -> WriterContext:
    return await second_location(floor)


# Which act waits.


async def test_15_6_b_a_void_of_1500_00_waits_for_a_supervisor_and_is_void_at_once(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, LARGE)
    command = protocol.Void(floor.id(), sold.ticket, sold.code)
    done = await twice(floor, tickets.void, booth, command, code="other")
    assert (done.cash_cents, done.owed_cents, done.authorisation) == (0, 1_500_00, 1)
    assert (done.given_back, done.owed) == ((), (KindCents("cash", 1_500_00),))
    assert done.code == sold.code
    assert await drawer(floor, booth) == {"cash": 11_500_00}
    assert await rows(floor, "SELECT amount_cents, asked_by, state FROM authorisations") == [
        {"amount_cents": 1_500_00, "asked_by": "W1", "state": "pending"}
    ]
    async with refused(floor, Refusal.VOID):
        await void(floor, booth, sold)
    locked = await lock(floor)
    assert (locked.tickets, locked.handle_cents) == (0, 0)


async def test_15_6_b_a_void_of_1499_90_needs_nobody(floor: Floor, booth: WriterContext) -> None:
    done = await void(floor, booth, await floor.sell(booth, BELOW))
    assert (done.cash_cents, done.owed_cents, done.authorisation) == (1_499_90, 0, None)
    assert await drawer(floor, booth) == {"cash": 10_000_00}


async def test_15_6_b_a_coupon_given_back_counts_too(floor: Floor, booth: WriterContext) -> None:
    parts = (coupon(200_00, "PROMO-1"), cash(1_300_00))
    sold = await sell_for(floor, booth, LARGE, *parts)
    done = await void(floor, booth, sold)
    assert (done.owed_cents, done.coupon, done.coupon_cents) == (1_500_00, None, 0)
    assert await value(floor, "SELECT count(*) FROM coupons WHERE source = 'given_back'") == 0
    paid = await pay(floor, booth, sold, 1_300_00)
    assert (paid.coupon_cents, paid.cash_cents) == (200_00, 1_300_00)
    assert await rows(floor, "SELECT serial, cents FROM coupons WHERE source = 'given_back'") == [
        {"serial": paid.coupon, "cents": 200_00}
    ]


async def test_15_6_b_a_rewrite_waits_with_its_net_and_an_even_one_needs_nobody(
    floor: Floor, booth: WriterContext
) -> None:
    old = await floor.sell(booth, LARGE)
    even = await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, old, await floor.sale(booth, LARGE))
    )
    assert (even.voided.owed_cents, even.net) == (0, ())
    near = await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, even.sold, await floor.sale(booth, SMALL))
    )
    assert (near.voided.owed_cents, near.net) == (0, (KindCents("cash", 1_495_00),))
    dear = await floor.sell(booth, "1 2 3 4: 1/4@1505.00")
    cheap = await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, dear, await floor.sale(booth, SMALL))
    )
    assert (cheap.voided.cash_cents, cheap.voided.owed_cents, cheap.net) == (5_00, 1_500_00, ())
    assert await drawer(floor, booth) == {"cash": 10_000_00 + 5_00 + 1_505_00}
    asked = await authorisation(floor, 1)
    assert (asked.ticket, asked.amount_cents) == (dear.ticket, 1_500_00)
    paid = await pay(floor, booth, dear, 1_500_00)
    assert (paid.kind, paid.refund_cents) == ("void", 1_500_00)
    assert await drawer(floor, booth) == {"cash": 10_000_00 + 5_00 + 5_00}


async def test_15_6_b_a_rewrite_gives_at_once_what_pays_the_new_ticket(
    floor: Floor, booth: WriterContext
) -> None:
    old = await sell_for(floor, booth, "1: 1/1@2000.00", chips(1_900_00), cash(100_00))
    sale = await floor.sale(booth, "1: 1/1@200.00", tender=(cash(200_00),))
    done = await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    assert done.voided.given_back == (KindCents("cash", 100_00), KindCents("gaming_chips", 100_00))
    assert done.voided.owed == (KindCents("gaming_chips", 1_800_00),)
    assert done.net == (KindCents("cash", -100_00), KindCents("gaming_chips", 100_00))
    paid = await pay(floor, booth, old, 1_800_00)
    assert paid.given_back == (KindCents("gaming_chips", 1_800_00),)
    assert await drawer(floor, booth) == {"cash": 10_200_00}


async def test_15_6_b_a_refund_of_1500_00_waits_and_the_ticket_is_cancelled_at_once(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, "1 2 3 4: 1/4@100.00 x16")
    await floor.play()
    command = protocol.Refund(floor.id(), sold.ticket, sold.code, Payment(1_500_00))
    done = await twice(floor, payouts.refund, booth, command, code="other")
    assert (done.kind, done.refund_cents, done.owed_cents) == ("refund", 1_500_00, 1_500_00)
    assert (done.cash_cents, done.authorisation, done.authorised_by) == (0, 1, None)
    assert await drawer(floor, booth) == {"cash": 11_600_00}
    assert (await lock(floor)).tickets == 0
    paid = await pay(floor, booth, sold, 1_500_00)
    assert (paid.kind, paid.cash_cents, paid.authorised_by) == ("refund", 1_500_00, "S1")


@pytest.mark.parametrize(("act", "is_refund"), [("void", False), ("refund", True)])
async def test_15_6_b_the_supervisor_reads_which_act_owes(
    floor: Floor, booth: WriterContext, act: str, *, is_refund: bool
) -> None:
    sold = await floor.sell(booth, "1 2 3 4: 1/4@750.00 x3")
    if act == "void":
        await void(floor, booth, sold)
    else:
        await floor.play(drawn(11, 12, 13, 14))
        await refund(floor, booth, sold, Payment(1_500_00))
    found = await authorisation_record(
        floor.house, StaffContext("S1"), protocol.GetAuthorisation(floor.id(), 1), 900
    )
    assert (found.refund, found.record.state) == (is_refund, act)


async def test_15_6_b_awards_returns_and_refund_count_before_withholding(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, "1 2 3 4 5 6 7: 1/7@1.00 x3")
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7))
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await refund(floor, booth, sold, Payment(8_001_99))
    await refund(floor, booth, sold, Payment(8_002_00))
    money = await balance(floor)
    assert (money.paid_cents, money.open_cents, money.refunds_cents) == (0, 8_000_00, 2_00)
    owed = await look(floor, booth, sold)
    assert (owed.awards_cents, owed.refund_cents) == (8_000_00, 2_00)
    assert (owed.needs_authorisation, owed.tax_form_games) == (True, (1,))
    await approve(floor, await authorisation(floor, 1))
    async with refused(floor, Refusal.TAX_FORM_NEEDED):
        await payouts.redeem(floor.house, booth, protocol.Redeem(
            floor.id(), sold.ticket, sold.code, Payment(8_002_00)))  # fmt: skip
    payment = Payment(4_002_00, 2_000_00, "77", 2_000_00, "W-2G 1")
    paid = await redeem(floor, booth, sold, payment)
    assert (paid.withheld_cents, paid.check_cents) == (2_000_00, 2_000_00)
    money = await balance(floor)
    assert (money.paid_cents, money.open_cents) == (8_000_00, 0)
    assert await rows(floor, "SELECT event, cents FROM drawer WHERE event <> 'sale'") == [
        {"event": "opening", "cents": 10_000_00}, {"event": "refund", "cents": 2_00},
        {"event": "payout", "cents": 4_000_00},
    ]  # fmt: skip


async def test_15_6_b_a_refund_that_was_approved_before_is_paid_at_once(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, "1 2 3 4: 1/4@100.00 x16")
    await floor.play()
    await approve(floor, await ask(floor, booth, sold, refund=True))
    done = await refund(floor, booth, sold, Payment(1_500_00))
    assert (done.cash_cents, done.owed_cents, done.authorised_by) == (1_500_00, 0, "S1")
    assert await value(floor, "SELECT count(*) FROM owed_payments") == 0


async def test_15_6_b_the_act_commits_when_asked_so_that_no_lock_out_overtakes_it(
    floor: Floor, booth: WriterContext
) -> None:
    """A supervisor approved $1,600.00; then a game was played: the refund is $1,500.00 now."""
    sold = await floor.sell(booth, "1 2 3 4: 1/4@100.00 x17")
    await floor.play()
    await approve(floor, await ask(floor, booth, sold, refund=True))
    await floor.play()
    done = await refund(floor, booth, sold, Payment(1_500_00))
    assert (done.owed_cents, done.authorisation) == (1_500_00, 2)
    asked = await rows(floor, "SELECT amount_cents, state FROM authorisations")
    assert asked == [{"amount_cents": 1_600_00, "state": "lapsed"},
                     {"amount_cents": 1_500_00, "state": "pending"}]  # fmt: skip
    await pay(floor, booth, sold, 1_500_00)


async def test_15_6_b_a_refund_uses_the_pending_request_for_the_same_amount(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, "1 2 3 4: 1/4@100.00 x17")
    await floor.play()
    asked = await ask(floor, booth, sold, refund=True)
    assert (asked.amount_cents, asked.state) == (1_600_00, "pending")
    assert (await refund(floor, booth, sold, Payment(1_600_00))).authorisation == 1
    assert await value(floor, "SELECT state FROM authorisations") == "pending"


# The money.


async def test_15_6_b_what_waits_is_not_handed_over_without_an_approval(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, LARGE)
    await void(floor, booth, sold)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await redeem(floor, booth, sold, Payment(1_500_00))
    async with refused(floor, Refusal.AUTHORISATIONS_PENDING):
        await ask(floor, booth, sold)
    await approve(floor, await authorisation(floor, 1))
    for payment in (Payment(1_499_99), Payment(1_500_01), Payment(1_499_00, withheld_cents=1_00)):
        async with refused(floor, Refusal.PAYMENT_DIFFERS):
            await redeem(floor, booth, sold, payment)
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, Payment(1_500_00))
    paid = await twice(floor, payouts.redeem, booth, command, code="other")
    assert (paid.kind, paid.authorised_by, paid.refund_cents) == ("void", "S1", 1_500_00)
    assert await drawer(floor, booth) == {"cash": 10_000_00}
    assert await value(floor, "SELECT state FROM authorisations") == "used"
    async with refused(floor, Refusal.VOID):
        await redeem(floor, booth, sold, Payment(1_500_00))
    async with refused(floor, Refusal.VOID):
        await ask(floor, booth, sold)


async def test_15_6_b_refused_or_lapsed_it_stays_owed_and_the_ticket_is_never_live_again(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, LARGE)
    await void(floor, booth, sold)
    await deny(floor, await authorisation(floor, 1))
    assert (await look(floor, booth, sold)).total_cents == 1_500_00
    again = await ask(floor, booth, sold)
    assert (again.authorisation, again.amount_cents) == (2, 1_500_00)
    floor.clock.forward(minutes=5)
    assert [each.state for each in await payouts.lapse(floor.house, 120)] == ["lapsed"]
    await approve(floor, await ask(floor, booth, sold))
    floor.clock.forward(days=400)
    assert await payouts.lapse(floor.house, 120)
    async with refused(floor, Refusal.AUTHORISATION_NEEDED):
        await redeem(floor, booth, sold, Payment(1_500_00))
    assert await value(floor, "SELECT state FROM tickets") == "void"
    await ask(floor, booth, sold)
    await pay(floor, booth, sold, 1_500_00)


async def test_15_6_b_what_is_owed_never_expires(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, "1 2 3 4 5 6 7: 1/7@1.00 x3")
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7))
    await refund(floor, booth, sold, Payment(8_002_00))
    await floor.play()
    floor.clock.forward(days=1_000)
    await payouts.lapse(floor.house, 120)
    expired = await payouts.expire(floor.house, payouts.Expire(floor.id(), "main", "system"))
    assert expired.tickets == ()
    await approve(floor, await ask(floor, booth, sold))
    await redeem(floor, booth, sold, Payment(0, 8_002_00, "1", tax_form="W-2G 1"))


async def test_15_6_b_the_supervisor_is_neither_who_asked_nor_who_pays_nor_the_seller(
    floor: Floor, booth: WriterContext
) -> None:
    seller = await floor.booth("S2", "2")
    sold = await floor.sell(seller, LARGE)
    await void(floor, booth, sold)
    asked = await authorisation(floor, 1)
    async with refused(floor, Refusal.OWN_ACT):
        await approve(floor, asked, "S2")
    await approve(floor, asked, "S1")
    payer = await floor.booth("S1", "3")
    async with refused(floor, Refusal.OWN_ACT):
        await redeem(floor, payer, sold, Payment(1_500_00))
    own = await floor.sell(booth, LARGE)
    await void(floor, payer, own)
    async with refused(floor, Refusal.OWN_ACT):
        await approve(floor, await authorisation(floor, 2), "S1")
    await redeem(floor, seller, sold, Payment(1_500_00))


async def test_15_6_a_any_booth_of_the_house_pays_what_is_owed_kind_for_kind(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await sell_for(floor, booth, LARGE, chips(1_000_00), cash(500_00))
    await void(floor, booth, sold)
    asked = await authorisation(floor, 1)
    await approve(floor, asked)

    def command(cents: int, check: int = 0, *, in_cash: bool = False) -> protocol.Redeem:
        payment = Payment(cents, check, "9" if check else None)
        return protocol.Redeem(floor.id(), sold.ticket, sold.code, payment, "A", in_cash)

    async with refused(floor, Refusal.NOT_IN_DRAWER):
        await payouts.redeem(floor.house, east, command(1_500_00))
    async with refused(floor, Refusal.PAYMENT_DIFFERS):  # no check for chips
        await payouts.redeem(floor.house, east, command(999_00, 501_00, in_cash=True))
    paid = await payouts.redeem(floor.house, east, command(1_100_00, 400_00, in_cash=True))
    assert paid.given_back == (KindCents("cash", 1_100_00),)
    assert await drawer(floor, east) == {"cash": 8_900_00}
    assert await drawer(floor, booth) == {"cash": 10_500_00, "gaming_chips": 1_000_00}
    [row] = await rows(floor, "SELECT instead_cents, in_chips_cents FROM owed_payments")
    assert row == {"instead_cents": 1_000_00, "in_chips_cents": 0}
    again = await sell_for(floor, booth, LARGE, chips(1_500_00))
    await void(floor, booth, again)
    await approve(floor, await authorisation(floor, 2))
    await redeem(floor, booth, again, Payment(1_500_00))
    assert await drawer(floor, booth) == {"cash": 10_500_00, "gaming_chips": 1_000_00}


async def test_15_6_a_an_award_in_a_refund_that_another_location_pays_is_paid_elsewhere(
    floor: Floor, booth: WriterContext, east: WriterContext
) -> None:
    sold = await floor.sell(booth, "1 2 3 4 5 6 7: 1/7@1.00 x3")
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7))
    await refund(floor, booth, sold, Payment(8_002_00))
    assert (await balance(floor)).paid_elsewhere_cents == 0
    await approve(floor, await authorisation(floor, 1))
    payment = Payment(2_00, 8_000_00, "4", tax_form="W-2G 1")
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, payment, "A")
    await payouts.redeem(floor.house, east, command)
    assert (await balance(floor)).paid_elsewhere_cents == 8_000_00


async def test_15_6_a_check_pays_what_is_owed_once_in_the_house(
    floor: Floor, booth: WriterContext
) -> None:
    one, two = await floor.sell(booth, LARGE), await floor.sell(booth, LARGE)
    for number, sold in enumerate((one, two), 1):
        await void(floor, booth, sold)
        await approve(floor, await authorisation(floor, number))
    await redeem(floor, booth, one, Payment(0, 1_500_00, "Ch 7"))
    async with refused(floor, Refusal.CHECK_USED):
        await redeem(floor, booth, two, Payment(0, 1_500_00, "ch7"))
    winner = await floor.sell(booth, "1: 1/1@1.00")
    await floor.play(drawn(1))
    async with refused(floor, Refusal.CHECK_USED):
        await redeem(floor, booth, winner, Payment(0, 3_00, "CH7"))
    await redeem(floor, booth, two, Payment(0, 1_500_00, "8"))


async def test_15_3_c_a_held_ticket_is_not_paid_what_it_is_owed(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, LARGE)
    await void(floor, booth, sold)
    await approve(floor, await authorisation(floor, 1))
    hold = protocol.Hold(floor.id(), "main", sold.ticket, "two people claim it")
    await tickets.hold(floor.house, StaffContext("S1"), hold)
    async with refused(floor, Refusal.HELD):
        await redeem(floor, booth, sold, Payment(1_500_00))
    release = protocol.Hold(floor.id(), "main", sold.ticket, "settled", release=True)
    await tickets.hold(floor.house, StaffContext("S1"), release)
    await redeem(floor, booth, sold, Payment(1_500_00))


# Shifts, lookup and listings.


async def test_15_6_b_a_shift_closes_while_the_house_owes_money(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, LARGE)
    await void(floor, booth, sold)
    second = replace(booth, second="S1")
    closing = protocol.CloseShift(floor.id(), {"cash": 11_500_00}, Second("S1", ""))
    done = await shifts.close_shift(floor.house, second, closing)
    assert (done.tickets, set(done.over_short_cents.values())) == ((sold.ticket,), {0})
    other = await floor.booth("W2", "2")
    await pay(floor, other, sold, 1_500_00)
    closing = protocol.CloseShift(floor.id(), {"cash": 8_500_00}, Second("S1", ""))
    done = await shifts.close_shift(floor.house, replace(other, second="S1"), closing)
    assert (done.tickets, set(done.over_short_cents.values())) == ((sold.ticket,), {0})


async def test_15_6_b_a_drawer_closed_by_others_leaves_what_is_owed_asked_for(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, LARGE)
    await void(floor, booth, sold)
    closing = protocol.CloseOtherShift(
        floor.id(), booth.shift, {"cash": 11_500_00}, "gone home", Second("M1", "")
    )
    await shifts.close_other_shift(floor.house, StaffContext("S1", "M1"), closing)
    assert await value(floor, "SELECT state FROM authorisations") == "pending"


async def test_a_look_up_shows_what_an_ended_ticket_owes(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await sell_for(floor, booth, LARGE, chips(1_500_00))
    await void(floor, booth, sold)
    found = await payouts.lookup(
        floor.house, booth, protocol.Lookup(floor.id(), sold.ticket, sold.code)
    )
    assert (found.ticket.state, found.ticket.owed_cents) == ("void", 1_500_00)
    assert (found.ticket.payable_cents, found.ticket.why_not) == (1_500_00, None)
    assert found.owed is not None
    assert found.owed.given_back == (KindCents("gaming_chips", 1_500_00),)
    await pay(floor, booth, sold, 1_500_00)
    found = await payouts.lookup(
        floor.house, booth, protocol.Lookup(floor.id(), sold.ticket, sold.code)
    )
    assert (found.ticket.owed_cents, found.ticket.payable_cents) == (0, None)
    assert found.ticket.why_not_code == "void"


async def test_15_6_b_what_is_owed_is_listed_until_it_is_paid(
    floor: Floor, booth: WriterContext
) -> None:
    one, two = await floor.sell(booth, LARGE), await floor.sell(booth, LARGE)
    await void(floor, booth, one)
    await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, two, await floor.sale(booth, "1: 1/1@1.00"))
    )
    before, day = date(2026, 11, 14), DAY

    async def listed() -> list[tuple[int, str, str, int]]:
        found = await listings.listed(floor.house, OWED, "main", day)
        return [(each.ticket, each.kind, each.state, each.open_cents) for each in found]

    async def exceptional() -> list[ExceptionRow]:
        found = await listings.listed(floor.house, EXCEPTIONS, "main", day)
        return [each for each in found if each.kind == "owed"]

    assert await listings.listed(floor.house, OWED, "main", before) == []
    assert await listed() == [(1, "void", "pending", 1_500_00)]
    assert await exceptional() == [
        ExceptionRow("owed", START_MS, "W1", 1, None, "1", None, 1_500_00,
                     "A void that no drawer has paid: a supervisor authorises it."),
    ]  # fmt: skip
    await deny(floor, await authorisation(floor, 1))
    assert await listed() == [(1, "void", "denied", 1_500_00)]
    floor.clock.forward(days=1)
    day = date(2026, 11, 16)
    assert await listed() == [(1, "void", "denied", 1_500_00)]
    await ask(floor, booth, one)
    await pay(floor, booth, one, 1_500_00)
    assert await listed() == [(1, "void", "paid", 0)]
    [large] = await listings.listed(floor.house, LARGE_PAYOUTS, "main", day)
    assert (large.kind, large.refund_cents, large.total_cents) == ("void", 1_500_00, 1_500_00)
    assert (large.cash_cents, large.authorised_by) == (1_500_00, "S1")
    day = date(2026, 11, 17)
    assert await listed() == []
    day = DAY
    assert await exceptional() == []
