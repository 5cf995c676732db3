"""The house's register of coupons: a coupon stands in it before it is used, and works once."""

import asyncio
from collections.abc import Awaitable
from dataclasses import replace
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.coupon import BATCH_MAX
from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import Tender
from keno.protocol import CouponView, Sold
from keno.service import coupon_register, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.coupon_views import find_coupon
from keno.service.sell import sell
from tests.cards import card_text
from tests.clocks import confirm_time, trust
from tests.houses import COUPONS_END, Floor, new_floor
from tests.integration.ledger.asking import refused, rows, value
from tests.integration.ledger.events import (
    EIGHT,
    cash,
    coupon,
    drawer,
    play_void,
    rewrite,
    second_location,
    sell_for,
    void,
)
from tests.integration.ledger.floors import furnished_floor

DAY_MS = 86_400_000
TWO = "1 2: 1/2@2.00"
"""A ticket of $2.00."""
MIDNIGHT_OF_DAY = "2026-11-20"
"""A gaming day a few days after the test's clock begins."""
M1 = StaffContext("M1")
BOTH = StaffContext("M1", "S1")


async def pay(floor: Floor, booth: WriterContext, text: str, *tender: Tender) -> Sold:
    """Sell for coupons as they are, without registering them first."""
    return await sell(floor.house, await floor.sale(booth, text, tender=tender))


async def find(
    floor: Floor, booth: WriterContext, serial: str, rewrites: int | None = None
) -> CouponView:
    command = protocol.FindCoupon(floor.id(), serial, rewrites)
    return await find_coupon(floor.house, booth, command)


async def declare_void(
    floor: Floor, serial: str, reason: str = "misprinted", by: StaffContext = BOTH
) -> protocol.CouponVoided:
    command = protocol.VoidCoupon(floor.id(), serial, reason)
    return await coupon_register.void_coupon(floor.house, by, command)


async def register(floor: Floor, by: StaffContext = BOTH, **fields: object) -> protocol.CouponBatch:
    given: dict[str, object] = {"location": "main", "cents": 1_00, "ends_day": COUPONS_END}
    command = protocol.RegisterCoupons(floor.id(), **(given | fields))  # type: ignore[arg-type]
    return await coupon_register.register_coupons(floor.house, by, command)


async def issue(floor: Floor, by: StaffContext = BOTH, **fields: object) -> CouponView:
    given: dict[str, object] = {"location": "main", "cents": 1_00, "ends_day": COUPONS_END}
    command = protocol.IssueCoupon(floor.id(), **(given | fields))  # type: ignore[arg-type]
    return await coupon_register.issue_coupon(floor.house, by, command)


async def said(asked: Awaitable[object]) -> str:
    with pytest.raises(Refused) as refusal:
        await asked
    return refusal.value.message


# Before it is used.


async def test_a_coupon_stands_in_the_register_before_it_is_used(
    floor: Floor, booth: WriterContext
) -> None:
    for serial in ("NEVER-SEEN", "never-seen", "A-R1", "main-R1"):
        async with refused(floor, Refusal.COUPON_UNKNOWN):
            await pay(floor, booth, EIGHT, coupon(1_00, serial))
        async with refused(floor, Refusal.COUPON_UNKNOWN):
            await find(floor, booth, serial)
    await floor.registered(1_00, "NEVER-SEEN")
    await pay(floor, booth, EIGHT, coupon(1_00, "NEVER-SEEN"))


async def test_its_serial_has_one_form_and_case_does_not_matter(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "promo-a", "PROMO-b")
    stored = await rows(floor, "SELECT serial FROM coupons ORDER BY serial")
    assert [row["serial"] for row in stored] == ["PROMO-A", "PROMO-B"]
    assert (await find(floor, booth, "Promo-A")).serial == "PROMO-A"
    sold = await pay(floor, booth, EIGHT, coupon(1_00, "pRoMo-a"))
    assert (
        await value(floor, "SELECT spent_on FROM coupons WHERE serial = 'PROMO-A'") == sold.ticket
    )
    for serial in ("promo-a", "PROMO-A"):
        async with refused(floor, Refusal.COUPON_SPENT):
            await pay(floor, booth, EIGHT, coupon(1_00, serial))


async def test_two_serials_that_differ_in_case_are_one_coupon(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "A1")
    async with refused(floor, Refusal.COUPON_NEEDS_SERIAL):
        await pay(floor, booth, TWO, coupon(1_00, "a1"), coupon(1_00, "A1"))


@pytest.mark.parametrize(
    "serial", ["PRO MO", " PROMO", "PROMO ", "PROMO\u00a0", "\u0410BC", "PROM\u0131",
               "PROMO\u2010A", "\uff21B", "PRO_MO", "PRO.MO", "-PROMO", "PROMO-",
               "P" * 33, "", "PROMO\n", "a,b"],
)  # fmt: skip
async def test_a_serial_in_another_form_is_not_registered(floor: Floor, serial: str) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await register(floor, first=serial, last=serial)


@pytest.mark.parametrize("serial", ["\u0131P", "\u017fP", "\uff29P", "I\u200bP"])
async def test_a_letter_that_looks_alike_is_another_letter(
    floor: Floor, booth: WriterContext, serial: str
) -> None:
    """The upper case of a dotless i is an I, that of a long s an S."""
    await floor.registered(1_00, "IP", "SP")
    async with refused(floor, Refusal.MALFORMED):
        await pay(floor, booth, EIGHT, coupon(1_00, serial))
    async with refused(floor, Refusal.MALFORMED):
        await find(floor, booth, serial)


async def test_it_works_once_in_the_house_at_any_location(
    floor: Floor, booth: WriterContext
) -> None:
    east = await second_location(floor)
    await floor.registered(1_00, "PROMO-1")
    sold = await pay(floor, east, EIGHT, coupon(1_00, "PROMO-1"))
    assert await rows(floor, "SELECT location, spent_in, spent_on FROM coupons") == [
        {"location": "main", "spent_in": "east", "spent_on": sold.ticket}
    ]
    for place in (booth, east):
        async with refused(floor, Refusal.COUPON_SPENT):
            await pay(floor, place, EIGHT, coupon(1_00, "PROMO-1"))
        words = await said(find(floor, place, "PROMO-1"))
        assert words == "Coupon PROMO-1 was already used, for ticket B-1."


async def test_at_two_locations_at_the_same_instant_it_works_at_one(
    floor: Floor, booth: WriterContext
) -> None:
    east = await second_location(floor)
    await floor.registered(1_00, "PROMO-1")
    sales = [
        await floor.sale(place, EIGHT, tender=(coupon(1_00, serial),))
        for place, serial in ((booth, "PROMO-1"), (east, "promo-1"), (booth, "Promo-1"))
    ]
    done = await asyncio.gather(
        *(sell(floor.house, each) for each in sales), return_exceptions=True
    )
    assert [isinstance(each, Sold) for each in done] == [True, False, False]
    assert {each.reason for each in done if isinstance(each, Refused)} == {Refusal.COUPON_SPENT}
    assert await value(floor, "SELECT count(*) FROM tickets") == 1


async def test_coupons_together_never_exceed_the_price(floor: Floor, booth: WriterContext) -> None:
    await floor.registered(1_50, "C-1", "C-2")
    await floor.registered(5_00, "C-5")
    for tender in (
        (coupon(5_00, "C-5"),),
        (coupon(1_50, "C-1"), coupon(1_50, "C-2")),
        (coupon(5_00, "C-5"), *cash(-3_00)),
    ):
        async with refused(floor, Refusal.COUPON_TOO_LARGE):
            await pay(floor, booth, TWO, *tender)
    words = await said(pay(floor, booth, TWO, coupon(1_50, "C-1"), coupon(1_50, "C-2")))
    assert words == "2 coupons of $3.00 for a ticket of $2.00: no change is given for a coupon."
    await pay(floor, booth, TWO, coupon(1_50, "C-1"), *cash(50))


@pytest.mark.parametrize("cents", [1_00, 1_99, 2_00])
async def test_a_coupon_pays_its_value_and_no_other(
    floor: Floor, booth: WriterContext, cents: Cents
) -> None:
    await floor.registered(1_50, "C-1")
    async with refused(floor, Refusal.TENDER_DIFFERS):
        await pay(floor, booth, "1 2: 1/2@5.00", coupon(cents, "C-1"), *cash(5_00 - cents))


async def test_a_coupon_is_good_to_the_last_millisecond_of_its_last_gaming_day(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "C-1", "C-2", ends_day=MIDNIGHT_OF_DAY)
    ends_ms = (await find(floor, booth, "C-1")).ends_ms
    assert ends_ms is not None
    floor.clock.forward(ms=ends_ms - floor.clock.now_ms)
    await pay(floor, booth, EIGHT, coupon(1_00, "C-1"))
    floor.clock.forward(ms=1)
    async with refused(floor, Refusal.COUPON_EXPIRED):
        await pay(floor, booth, EIGHT, coupon(1_00, "C-2"))
    words = await said(find(floor, booth, "C-2"))
    assert words == "Coupon C-2 is over: it was good through gaming day 2026-11-20."


async def test_a_coupon_may_end_at_an_instant(floor: Floor, booth: WriterContext) -> None:
    ends_ms = floor.clock.now_ms + 90 * 60_000
    issued = await issue(floor, ends_day=None, ends_ms=ends_ms)
    assert (issued.ends_ms, issued.until) == (ends_ms, "until 2026-11-16 03:30")
    floor.clock.forward(minutes=91)
    async with refused(floor, Refusal.COUPON_EXPIRED):
        await pay(floor, booth, EIGHT, coupon(1_00, issued.serial))


async def test_no_coupon_is_over_while_the_clock_is_in_doubt(tmp_path: Path) -> None:
    """15.6(c): what a stepped clock ends, it must not end before a supervisor confirms the time."""
    async with new_floor(tmp_path) as floor:
        machine = trust(floor)
        booth = await floor.booth()
        await floor.registered(1_00, "C-1", ends_day=MIDNIGHT_OF_DAY)
        machine.step(30 * DAY_MS)
        await pay(floor, booth, EIGHT, *cash(1_00))  # the house's own time goes on
        assert (await find(floor, booth, "C-1")).cents == 1_00
        await confirm_time(floor, "machine")
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await pay(floor, booth, EIGHT, coupon(1_00, "C-1"))
        floor.clock.forward(days=2)
        async with refused(floor, Refusal.COUPON_EXPIRED):
            await pay(floor, booth, EIGHT, coupon(1_00, "C-1"))


# Into the register.


async def test_a_range_is_registered_with_value_and_end(floor: Floor, booth: WriterContext) -> None:
    done = await register(floor, first="promo-0098", last="PROMO-0101", cents=5_00)
    assert (done.coupons, done.first, done.last) == (4, "PROMO-0098", "PROMO-0101")
    stored = await rows(floor, "SELECT serial, cents, source, issued_by, second FROM coupons")
    assert stored == [
        {"serial": f"PROMO-{number:04}", "cents": 5_00, "source": "registered", "issued_by": "M1",
         "second": "S1"}
        for number in range(98, 102)
    ]  # fmt: skip
    assert (await find(floor, booth, "PROMO-0100")).until == f"through gaming day {COUPONS_END}"


@pytest.mark.parametrize(
    ("first", "last"),
    [("P-9", "P-10"), ("P-2", "P-1"), ("P-1", "Q-2"), ("P", "Q"), ("P-1", ""), ("", ""),
     ("P-00001", "P-10001"), ("1-1", "2-2")],
)  # fmt: skip
async def test_no_range_without_an_order(floor: Floor, first: str, last: str) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await register(floor, first=first, last=last)


async def test_the_largest_batch_is_one_transaction(floor: Floor) -> None:
    before = await value(floor, "SELECT max(seq) FROM audit")
    await register(floor, first="P-00001", last=f"P-{BATCH_MAX:05}")
    assert await value(floor, "SELECT count(*) FROM coupons") == BATCH_MAX
    assert await value(floor, "SELECT max(seq) FROM audit") == before + 1
    many = " ".join(f"Q-{number}" for number in range(BATCH_MAX + 1))
    async with refused(floor, Refusal.MALFORMED):
        await register(floor, serials=many)


@pytest.mark.parametrize(
    "serials", ["N-1 N-2 N-1", "N-1,n-1", "N-1\nKNOWN", "known\r\nN-1", "KNOWN"]
)
async def test_a_serial_is_registered_once_or_the_whole_batch_is_refused(
    floor: Floor, serials: str
) -> None:
    await floor.registered(2_00, "KNOWN")
    async with refused(floor, Refusal.COUPON_KNOWN):
        await register(floor, serials=serials)


async def test_two_batches_with_one_serial_in_common_at_the_same_instant(floor: Floor) -> None:
    done = await asyncio.gather(
        register(floor, serials="A-1 B-1"), register(floor, serials="a-1 C-1"),
        return_exceptions=True,
    )  # fmt: skip
    assert isinstance(done[0], protocol.CouponBatch)
    assert isinstance(done[1], Refused)
    assert await value(floor, "SELECT count(*) FROM coupons") == 2


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"cents": 0}, Refusal.MALFORMED),
        ({"cents": -5_00}, Refusal.MALFORMED),
        ({"cents": 10_000_01}, Refusal.MALFORMED),
        ({"ends_day": None}, Refusal.MALFORMED),
        ({"ends_ms": 10**13}, Refusal.MALFORMED),
        ({"ends_day": "tomorrow"}, Refusal.MALFORMED),
        ({"ends_day": "2026-11-14"}, Refusal.NOT_POSSIBLE_NOW),
        ({"ends_day": "2031-11-20"}, Refusal.NOT_POSSIBLE_NOW),
        ({"ends_day": None, "ends_ms": 0}, Refusal.NOT_POSSIBLE_NOW),
        ({"location": "nowhere"}, Refusal.UNKNOWN_STATION),
        ({"reason": "aaa"}, Refusal.REASON_EMPTY),
    ],
)
async def test_value_and_end_of_a_new_coupon_have_limits(
    floor: Floor, fields: dict[str, object], why: Refusal
) -> None:
    async with refused(floor, why):
        await issue(floor, **fields)
    async with refused(floor, why):
        await register(floor, first="P-1", last="P-2", **fields)


async def test_a_range_and_a_list_are_not_given_together(floor: Floor) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await register(floor, first="P-1", last="P-2", serials="P-3")


async def test_in_a_live_house_two_persons_issue_register_and_void() -> None:
    async with furnished_floor(card_text(approval="DGE 2026-1"), mode="live") as floor:
        await issue(floor)
        for by, why in (
            (M1, Refusal.AUTHORISATION_NEEDED),
            (StaffContext("M1", "M1"), Refusal.OWN_ACT),
            (StaffContext("M1", "W1"), Refusal.NOT_ALLOWED),
            (StaffContext("W1", "S1"), Refusal.NOT_ALLOWED),
        ):
            async with refused(floor, why):
                await issue(floor, by)
            async with refused(floor, why):
                await register(floor, by, first="P-1", last="P-2")
            async with refused(floor, why):
                await declare_void(floor, "A-R1", by=by)
        await register(floor, first="P-1", last="P-2")
        await declare_void(floor, "A-R1")


async def test_in_test_mode_one_person_suffices(floor: Floor) -> None:
    await issue(floor, M1)
    await register(floor, M1, first="P-1", last="P-2")
    await declare_void(floor, "P-1", by=M1)
    async with refused(floor, Refusal.OWN_ACT):  # but whoever is named must be another
        await issue(floor, StaffContext("M1", "M1"))


async def test_the_house_numbers_its_own_and_passes_over_what_the_register_has(
    floor: Floor, booth: WriterContext
) -> None:
    await register(floor, serials="a-r1 A-R3")
    assert [(await issue(floor)).serial for _ in range(2)] == ["A-R2", "A-R4"]
    sold = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    assert (await void(floor, booth, sold)).coupon == "A-R5"
    async with refused(floor, Refusal.COUPON_KNOWN):
        await register(floor, serials="A-R5")


# Void.


async def test_an_unused_coupon_is_declared_void_with_a_reason(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "C-1", "C-2")
    async with refused(floor, Refusal.REASON_EMPTY):
        await declare_void(floor, "C-1", reason="  ")
    async with refused(floor, Refusal.COUPON_UNKNOWN):
        await declare_void(floor, "C-3")
    done = await declare_void(floor, "c-1")
    assert (done.serial, done.cents) == ("C-1", 1_00)
    async with refused(floor, Refusal.COUPON_VOID):
        await pay(floor, booth, EIGHT, coupon(1_00, "C-1"))
    assert await said(find(floor, booth, "C-1")) == "Coupon C-1 was declared void."
    async with refused(floor, Refusal.COUPON_VOID):
        await declare_void(floor, "C-1")
    async with refused(floor, Refusal.COUPON_KNOWN):  # nor does it enter the register again
        await register(floor, serials="C-1")
    await pay(floor, booth, EIGHT, coupon(1_00, "C-2"))
    async with refused(floor, Refusal.COUPON_SPENT):
        await declare_void(floor, "C-2")


async def test_one_that_is_over_may_be_declared_void(floor: Floor) -> None:
    await floor.registered(1_00, "C-1", ends_day=MIDNIGHT_OF_DAY)
    floor.clock.forward(days=30)
    await declare_void(floor, "C-1")


@pytest.mark.parametrize("void_first", [True, False])
async def test_a_void_and_a_sale_at_the_same_instant(
    floor: Floor, booth: WriterContext, *, void_first: bool
) -> None:
    await floor.registered(1_00, "C-1")
    sale = await floor.sale(booth, EIGHT, tender=(coupon(1_00, "C-1"),))
    acts = [declare_void(floor, "C-1"), sell(floor.house, sale)]
    done = await asyncio.gather(*(acts if void_first else acts[::-1]), return_exceptions=True)
    reason = Refusal.COUPON_VOID if void_first else Refusal.COUPON_SPENT
    assert not isinstance(done[0], Exception)
    assert isinstance(done[1], Refused)
    assert done[1].reason is reason


# Given back.


async def ends_of(floor: Floor, serial: str | None) -> int:
    found: int = await value(floor, "SELECT ends_ms FROM coupons WHERE serial = ?", serial)
    return found


async def test_what_is_given_back_has_the_old_end_if_that_is_later_than_thirty_days(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(2_00, "LATE")
    sold = await pay(floor, booth, TWO, coupon(2_00, "LATE"))
    given = (await void(floor, booth, sold)).coupon
    assert await ends_of(floor, given) == await ends_of(floor, "LATE")


@pytest.mark.parametrize(("days", "last"), [(30, "2026-12-16"), (7, "2026-11-23")])
async def test_what_is_given_back_is_good_thirty_days_if_that_is_later_than_the_old_end(
    floor: Floor, booth: WriterContext, days: int, last: str
) -> None:
    """From gaming day 2026-11-16."""
    floor.house.coupon_days = days
    floor.clock.forward(minutes=240)  # six in the morning: gaming day 2026-11-16 begins
    await floor.registered(2_00, "EARLY", ends_day=MIDNIGHT_OF_DAY)
    sold = await pay(floor, booth, TWO, coupon(2_00, "EARLY"))
    given = (await void(floor, booth, sold)).coupon
    assert given is not None
    assert (await find(floor, booth, given)).until == f"through gaming day {last}"


async def test_of_several_coupons_the_latest_end_counts(floor: Floor, booth: WriterContext) -> None:
    await floor.registered(1_00, "EARLY", ends_day=MIDNIGHT_OF_DAY)
    await floor.registered(1_00, "LATE")
    sold = await pay(floor, booth, TWO, coupon(1_00, "EARLY"), coupon(1_00, "LATE"))
    given = (await void(floor, booth, sold)).coupon
    assert await ends_of(floor, given) == await ends_of(floor, "LATE")


async def test_what_is_given_back_is_used_at_any_location_and_given_back_again(
    floor: Floor, booth: WriterContext
) -> None:
    east = await second_location(floor)
    sold = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    first = (await void(floor, booth, sold)).coupon
    assert first == "A-R1"
    again = await pay(floor, east, TWO, coupon(2_00, first))
    assert (await void(floor, east, again)).coupon == "B-R1"


async def test_a_return_gives_a_coupon_of_the_register(floor: Floor, booth: WriterContext) -> None:
    sold = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    await play_void(floor)
    paid = await floor.pay(booth, sold, 0)
    assert (paid.coupon, paid.coupon_cents) == ("A-R1", 2_00)
    assert (await find(floor, booth, "A-R1")).cents == 2_00


# A rewrite keeps its coupon.


async def rewritten(
    floor: Floor, booth: WriterContext, old: Sold, text: str, *tender: Tender
) -> protocol.Rewritten:
    sale = await floor.sale(booth, text, tender=tender)
    return await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))


async def test_a_rewrite_keeps_its_coupon(floor: Floor, booth: WriterContext) -> None:
    old = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    async with refused(floor, Refusal.COUPON_SPENT):
        await find(floor, booth, "PROMO")
    assert (await find(floor, booth, "promo", old.ticket)).cents == 2_00
    done = await rewritten(floor, booth, old, "3 4: 1/2@2.00", coupon(2_00, "promo"))
    back = done.voided
    assert (back.cash_cents, back.coupon_cents, back.coupon, back.kept_cents) == (0, 0, None, 2_00)
    assert await rows(floor, "SELECT serial, spent_on FROM coupons") == [
        {"serial": "PROMO", "spent_on": done.sold.ticket}
    ]
    # One paper came in, at the first sale.
    assert await drawer(floor, booth) == {"currency": 10_000_00, "coupon": 2_00}
    async with refused(floor, Refusal.COUPON_SPENT):
        await pay(floor, booth, TWO, coupon(2_00, "PROMO"))
    given = await void(floor, booth, done.sold)
    assert (given.coupon, given.coupon_cents, given.kept_cents) == ("A-R1", 2_00, 0)


async def test_a_dearer_rewrite_keeps_its_coupon_and_takes_the_rest_in_cash(
    floor: Floor, booth: WriterContext
) -> None:
    old = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    done = await rewritten(floor, booth, old, "3 4: 1/2@5.00", coupon(2_00, "PROMO"), *cash(3_00))
    assert done.voided.kept_cents == 2_00
    assert await drawer(floor, booth) == {"currency": 10_003_00, "coupon": 2_00}


async def test_a_cheaper_rewrite_does_not_keep_a_coupon_that_is_worth_more(
    floor: Floor, booth: WriterContext
) -> None:
    """No change is given for a coupon; left out, it comes back whole as a new one."""
    old = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    for cents in (2_00, 1_00):
        reason = Refusal.COUPON_TOO_LARGE if cents > 1_00 else Refusal.TENDER_DIFFERS
        async with refused(floor, reason):
            await rewritten(floor, booth, old, "3 4: 1/2@1.00", coupon(cents, "PROMO"))
    done = await rewritten(floor, booth, old, "3 4: 1/2@1.00", *cash(1_00))
    assert (done.voided.coupon, done.voided.coupon_cents) == ("A-R1", 2_00)
    assert await drawer(floor, booth) == {"currency": 10_001_00, "coupon": 2_00}


async def test_of_two_coupons_a_rewrite_keeps_the_one_it_names_and_gives_the_other_back(
    floor: Floor, booth: WriterContext
) -> None:
    tender = (coupon(1_50, "KEEP"), coupon(2_50, "BACK"))
    old = await sell_for(floor, booth, "1 2: 1/2@5.00", *tender, *cash(1_00))
    done = await rewritten(floor, booth, old, TWO, coupon(1_50, "KEEP"), *cash(50))
    back = done.voided
    assert (back.cash_cents, back.coupon_cents, back.coupon, back.kept_cents) == (
        1_00, 2_50, "A-R1", 1_50
    )  # fmt: skip
    assert await drawer(floor, booth) == {"currency": 10_000_50, "coupon": 4_00}


async def test_a_rewrite_keeps_no_coupon_of_another_ticket(
    floor: Floor, booth: WriterContext
) -> None:
    await sell_for(floor, booth, TWO, coupon(2_00, "OTHER"))
    old = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    async with refused(floor, Refusal.COUPON_SPENT):
        await rewritten(floor, booth, old, TWO, coupon(2_00, "OTHER"))
    sale = await floor.sale(booth, TWO, tender=(coupon(2_00, "PROMO"),))
    async with refused(floor, Refusal.COUPON_SPENT):  # nor does a sale of its own
        await sell(floor.house, sale)


async def test_a_rewrite_keeps_a_coupon_that_is_over_meanwhile(
    floor: Floor, booth: WriterContext
) -> None:
    """It was used in time: the rewrite corrects that sale."""
    ends_ms = floor.clock.now_ms + 60_000
    issued = await issue(floor, cents=2_00, ends_day=None, ends_ms=ends_ms)
    old = await sell_for(floor, booth, TWO, coupon(2_00, issued.serial))
    floor.clock.forward(minutes=5)
    done = await rewritten(floor, booth, old, "3 4: 1/2@2.00", coupon(2_00, issued.serial))
    assert done.voided.kept_cents == 2_00


async def test_the_coupon_of_a_rewrite_at_another_station_stays_in_the_first_drawer(
    floor: Floor, booth: WriterContext
) -> None:
    old = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    other = await floor.booth("W2", "2")
    await rewritten(floor, other, old, "3 4: 1/2@2.00", coupon(2_00, "PROMO"))
    assert await drawer(floor, booth) == {"currency": 10_000_00, "coupon": 2_00}
    assert await drawer(floor, other) == {"currency": 10_000_00}


async def test_a_coupon_goes_through_several_rewrites(floor: Floor, booth: WriterContext) -> None:
    sold = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    for first in (3, 4, 5):
        text = f"{first} 9: 1/2@2.00"
        sold = (await rewritten(floor, booth, sold, text, coupon(2_00, "PROMO"))).sold
    assert await rows(floor, "SELECT spent_on FROM coupons") == [{"spent_on": 4}]
    assert await drawer(floor, booth) == {"currency": 10_000_00, "coupon": 2_00}


async def test_a_repeated_sale_returns_its_ticket_however_its_coupon_was_spelt(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "PROMO")
    sale = await floor.sale(booth, EIGHT, tender=(coupon(1_00, "promo"),))
    assert await sell(floor.house, sale) == await sell(floor.house, sale)
    otherwise = replace(sale, tender=(coupon(1_00, "PROMO"),))
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await sell(floor.house, otherwise)
