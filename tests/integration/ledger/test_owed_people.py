"""15.6(b): who approves money that waits, how it is paid, and what a rewrite may not change."""

from collections.abc import AsyncIterator

import pytest

from keno.domain.errors import Refusal, Refused
from keno.protocol import Payment
from keno.service import tickets
from keno.service.common import WriterContext
from tests.houses import Floor
from tests.integration.ledger.asking import refused
from tests.integration.ledger.events import (
    approve,
    ask,
    coupon,
    deny,
    redeem,
    rewrite,
    sell_for,
    void,
)
from tests.integration.ledger.owing import LARGE, authorisation, cash, chips, large_floor, pay

THREE = "1 2 3 4: 1/4@1500.00 x2"
"""Costs $3,000.00."""


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    async with large_floor() as made:
        yield made


async def test_15_4_c_no_rewrite_changes_1500_00_of_chips_to_cash(
    floor: Floor, booth: WriterContext
) -> None:
    """Even at the same price, and together with change of its sale below $1,500.00."""
    old = await floor.sell(booth, THREE)
    for tender in ((chips(3_000_00),), (chips(3_001_00),), (chips(1_500_00), cash(1_500_00))):
        sale = await floor.sale(booth, THREE, tender=tender)
        with pytest.raises(Refused, match="void the ticket, and sell the new one") as exc:
            await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
        assert exc.value.reason is Refusal.TENDER_DIFFERS
    sale = await floor.sale(booth, THREE, tender=(chips(1_499_99), cash(1_500_01)))
    done = await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    assert {each.kind: each.cents for each in done.net} == {
        "cash": 1_499_99, "gaming_chips": -1_499_99,
    }  # fmt: skip


async def test_15_6_b_who_ended_a_ticket_does_not_approve_what_it_owes(
    floor: Floor, booth: WriterContext
) -> None:
    """Neither after another supervisor's denial, nor when somebody else had asked before."""
    ender = await floor.booth("S1", "3")
    sold = await floor.sell(booth, LARGE)
    await void(floor, ender, sold)
    await deny(floor, await authorisation(floor, 1), "S2")
    asked = await ask(floor, booth, sold)
    async with refused(floor, Refusal.OWN_ACT):
        await approve(floor, asked, "S1")
    await approve(floor, asked, "S2")
    await redeem(floor, booth, sold, Payment(1_500_00))


@pytest.mark.parametrize("at_first", [True, False], ids=["same drawer", "another drawer"])
async def test_15_6_b_a_rewrite_that_keeps_a_coupon_is_sound_when_the_rest_is_paid(
    floor: Floor, booth: WriterContext, *, at_first: bool
) -> None:
    other = await floor.booth("W2", "2", 10_000_00)
    old = await sell_for(floor, booth, "1: 1/1@2000.00", coupon(5_00, "K-1"), cash(1_995_00))
    sale = await floor.sale(booth, "1: 1/1@100.00", tender=(coupon(5_00, "K-1"), cash(95_00)))
    done = await tickets.void_and_rewrite(floor.house, *rewrite(floor, old, sale))
    assert (done.voided.kept_cents, done.voided.owed_cents) == (5_00, 1_900_00)
    paid = await pay(floor, booth if at_first else other, old, 1_900_00)
    assert paid.cash_cents == 1_900_00


@pytest.mark.parametrize("number", ["", "   "])
async def test_15_6_a_check_of_blanks_pays_nothing(
    floor: Floor, booth: WriterContext, number: str
) -> None:
    sold = await floor.sell(booth, LARGE)
    await void(floor, booth, sold)
    await approve(floor, await authorisation(floor, 1))
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await redeem(floor, booth, sold, Payment(0, 1_500_00, number))
    await redeem(floor, booth, sold, Payment(0, 1_500_00, "7"))
