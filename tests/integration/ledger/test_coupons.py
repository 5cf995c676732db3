"""The house's register of coupons: a coupon stands in it before it is used, and works once."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import Tender
from keno.protocol import Sold
from keno.service import tickets
from keno.service.common import WriterContext
from keno.service.sell import sell
from tests.clocks import confirm_time, trust
from tests.houses import Floor, new_floor
from tests.integration.ledger.asking import refused, rows, value
from tests.integration.ledger.coupon_acts import (
    SOON,
    TWO,
    find,
    issue,
    pay,
    register,
    said,
)
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

DAY_MS = 86_400_000


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
    await floor.registered(1_00, "C-1", "C-2", ends_day=SOON)
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
        await floor.registered(1_00, "C-1", ends_day=SOON)
        machine.step(30 * DAY_MS)
        await pay(floor, booth, EIGHT, *cash(1_00))  # the house's own time goes on
        assert (await find(floor, booth, "C-1")).cents == 1_00
        await confirm_time(floor, "machine")
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await pay(floor, booth, EIGHT, coupon(1_00, "C-1"))
        floor.clock.forward(days=2)
        async with refused(floor, Refusal.COUPON_EXPIRED):
            await pay(floor, booth, EIGHT, coupon(1_00, "C-1"))


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
    await floor.registered(2_00, "EARLY", ends_day=SOON)
    sold = await pay(floor, booth, TWO, coupon(2_00, "EARLY"))
    given = (await void(floor, booth, sold)).coupon
    assert given is not None
    assert (await find(floor, booth, given)).until == f"through gaming day {last}"


async def test_of_several_coupons_the_latest_end_counts(floor: Floor, booth: WriterContext) -> None:
    await floor.registered(1_00, "EARLY", ends_day=SOON)
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
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 2_00}
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
    assert await drawer(floor, booth) == {"cash": 10_003_00, "coupon": 2_00}


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
    assert await drawer(floor, booth) == {"cash": 10_001_00, "coupon": 2_00}


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
    assert await drawer(floor, booth) == {"cash": 10_000_50, "coupon": 4_00}


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
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 2_00}
    assert await drawer(floor, other) == {"cash": 10_000_00}


async def test_a_coupon_goes_through_several_rewrites(floor: Floor, booth: WriterContext) -> None:
    sold = await sell_for(floor, booth, TWO, coupon(2_00, "PROMO"))
    for first in (3, 4, 5):
        text = f"{first} 9: 1/2@2.00"
        sold = (await rewritten(floor, booth, sold, text, coupon(2_00, "PROMO"))).sold
    assert await rows(floor, "SELECT spent_on FROM coupons") == [{"spent_on": 4}]
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 2_00}


async def test_a_repeated_sale_returns_its_ticket_however_its_coupon_was_spelt(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.registered(1_00, "PROMO")
    sale = await floor.sale(booth, EIGHT, tender=(coupon(1_00, "promo"),))
    assert await sell(floor.house, sale) == await sell(floor.house, sale)
    otherwise = replace(sale, tender=(coupon(1_00, "PROMO"),))
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await sell(floor.house, otherwise)
