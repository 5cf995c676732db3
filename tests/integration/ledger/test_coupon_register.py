"""How coupons enter the house's register, by two persons, and are declared void."""

import asyncio

import pytest

from keno import protocol
from keno.domain.coupon import BATCH_MAX
from keno.domain.errors import Refusal, Refused
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from tests.cards import card_text
from tests.houses import COUPONS_END, WHY, Floor
from tests.integration.ledger.asking import refused, rows, value
from tests.integration.ledger.coupon_acts import (
    BOTH,
    M1,
    SOON,
    TWO,
    declare_void,
    find,
    issue,
    pay,
    register,
    said,
)
from tests.integration.ledger.events import (
    EIGHT,
    coupon,
    sell_for,
    void,
)
from tests.integration.ledger.floors import furnished_floor

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
        await issue(floor, BOTH, **fields)
    async with refused(floor, why):
        await register(floor, BOTH, first="P-1", last="P-2", **fields)


async def test_a_range_and_a_list_are_not_given_together(floor: Floor) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await register(floor, first="P-1", last="P-2", serials="P-3")


async def test_in_a_live_house_two_persons_issue_register_and_void() -> None:
    async with furnished_floor(card_text(approval="DGE 2026-1"), mode="live") as floor:
        await issue(floor, reason=WHY)
        async with refused(floor, Refusal.REASON_EMPTY):
            await issue(floor)
        async with refused(floor, Refusal.REASON_EMPTY):
            await register(floor, first="P-1", last="P-2")
        for by, why in (
            (M1, Refusal.AUTHORISATION_NEEDED),
            (StaffContext("M1", "M1"), Refusal.OWN_ACT),
            (StaffContext("M1", "W1"), Refusal.NOT_ALLOWED),
            (StaffContext("W1", "S1"), Refusal.NOT_ALLOWED),
        ):
            async with refused(floor, why):
                await issue(floor, by, reason=WHY)
            async with refused(floor, why):
                await register(floor, by, first="P-1", last="P-2", reason=WHY)
            async with refused(floor, why):
                await declare_void(floor, "A-R1", by=by)
        await register(floor, first="P-1", last="P-2", reason=WHY)
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
    await floor.registered(1_00, "C-1", ends_day=SOON)
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
