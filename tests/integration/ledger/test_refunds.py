"""Refunds: all undrawn games of a multi-race or none, once, with what is won so far (15.4(d))."""

import pytest
from msgspec.structs import replace as replace_struct

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Payment
from keno.service import claims, games, payouts, shifts
from keno.service.common import WriterContext
from tests.cards import card_text
from tests.houses import Floor, proof_of, verify
from tests.integration.ledger.asking import refused, rows, twice, unchanged, value
from tests.integration.ledger.events import (
    EIGHT,
    coupon,
    drawer,
    drawn,
    lock,
    look,
    play_void,
    refund,
    sell_for,
    void,
)
from tests.integration.ledger.floors import furnished_floor

WINS_9 = drawn(1, 2, 3, 4, 5)


async def test_15_4_d_a_refund_pays_the_undrawn_games_and_what_is_won_so_far(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x5")
    await floor.play(WINS_9)
    await floor.play()
    command = protocol.Refund(floor.id(), sold.ticket, sold.code, Payment(12_00))
    paid = await twice(floor, payouts.refund, booth, command, payment=Payment(12_01))
    assert (paid.kind, paid.awards_cents, paid.refund_cents) == ("refund", 9_00, 3_00)
    assert (paid.cash_cents, paid.returns_cents) == (12_00, 0)
    assert await drawer(floor, booth) == {"cash": 9_993_00}
    parts = await rows(floor, "SELECT event, cents FROM drawer WHERE ticket = 1 ORDER BY entry")
    assert [tuple(each.values()) for each in parts] == [
        ("sale", 5_00), ("refund", 3_00), ("payout", 9_00),
    ]  # fmt: skip
    [row] = await rows(floor, "SELECT state, ended_game FROM tickets")
    assert row == {"state": "cancelled", "ended_game": 3}
    assert (await lock(floor)).tickets == 0


async def test_15_4_d_a_ticket_is_refunded_once_and_then_neither_paid_nor_voided(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x3")
    await floor.play(WINS_9)
    await refund(floor, booth, sold, Payment(11_00))
    other = await floor.booth("W2", "2")
    for each in (booth, other):
        async with refused(floor, Refusal.CANCELLED):
            await refund(floor, each, sold, Payment(11_00))
    async with refused(floor, Refusal.CANCELLED):
        await void(floor, booth, sold)
    await floor.play(WINS_9)
    await floor.play(WINS_9)
    async with refused(floor, Refusal.CANCELLED):
        await look(floor, booth, sold)
    async with refused(floor, Refusal.CANCELLED):
        await floor.pay(booth, sold, 9_00)


async def test_15_4_d_a_refund_is_made_in_an_open_shift(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, EIGHT + " x3")
    await floor.play()
    await shifts.lock_shift(floor.house, booth, protocol.LockShift(floor.id()))
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await refund(floor, booth, sold, Payment(2_00))
    await shifts.lock_shift(floor.house, booth, protocol.LockShift(floor.id(), unlock=True))
    await refund(floor, booth, sold, Payment(2_00))


async def test_15_4_d_wait_while_a_game_is_locked_and_unsettled(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x3")
    await floor.lock()
    async with refused(floor, Refusal.DRAWING):
        await refund(floor, booth, sold, Payment(2_00))
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(drawn()), verify)
    async with refused(floor, Refusal.DRAWING):
        await refund(floor, booth, sold, Payment(2_00))
    await games.settle(floor.house, "main", 1)
    async with refused(floor, Refusal.DRAWING):  # not before the last ball is shown
        await refund(floor, booth, sold, Payment(2_00))
    await games.show(floor.house, "main", 1)
    assert (await refund(floor, booth, sold, Payment(2_00))).refund_cents == 2_00


async def test_15_4_d_what_is_no_undrawn_multi_race_is_not_refunded(
    floor: Floor, booth: WriterContext
) -> None:
    one, multi = await floor.sell(booth), await floor.sell(booth, EIGHT + " x2")
    unprinted = await floor.sell(booth, EIGHT + " x3", printed=False)
    async with refused(floor, Refusal.VOID_INSTEAD):
        await refund(floor, booth, multi, Payment(2_00))
    await floor.play()
    async with refused(floor, Refusal.NOT_MULTI_RACE):
        await refund(floor, booth, one, Payment(1_00))
    async with refused(floor, Refusal.PRINT_UNCONFIRMED):
        await refund(floor, booth, unprinted, Payment(2_00))
    await floor.play()
    async with refused(floor, Refusal.NOTHING_TO_REFUND):
        await refund(floor, booth, multi, Payment(0))
    async with refused(floor, Refusal.ALTERED):
        await refund(floor, booth, replace_struct(multi, code="0" * 16), Payment(0))


async def test_15_4_d_a_card_need_not_offer_refunds() -> None:
    async with furnished_floor(card_text(multi_race_refunds=False)) as floor:
        booth = await floor.booth()
        sold = await floor.sell(booth, EIGHT + " x2")
        await floor.play()
        async with refused(floor, Refusal.REFUNDS_NOT_OFFERED):
            await refund(floor, booth, sold, Payment(1_00))


@pytest.mark.parametrize("cents", [1_99, 2_01, 3_00, 0])
async def test_a_refund_is_for_all_undrawn_games_or_none(
    floor: Floor, booth: WriterContext, cents: int
) -> None:
    sold = await floor.sell(booth, EIGHT + " x3")
    await floor.play()
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await refund(floor, booth, sold, Payment(cents))


async def test_15_7_a_refund_returns_the_void_games_too(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, EIGHT + " x4")
    await floor.play(WINS_9)
    await play_void(floor)
    paid = await refund(floor, booth, sold, Payment(12_00))
    assert (paid.awards_cents, paid.returns_cents, paid.refund_cents) == (9_00, 1_00, 2_00)


async def test_the_coupons_part_of_a_refund_comes_back_as_a_coupon(
    floor: Floor, booth: WriterContext
) -> None:
    """Five games of $4.00 with a $10.00 coupon: game 1 played, game 2 void, games 3 to 5 refunded.

    The coupon paid games 1 and 2 and half of game 3, so $4.00 of the return and $2.00 of the
    refund are a coupon, and $10.00 of the refund is cash.
    """
    currency = Tender(TenderKind.CURRENCY, 10_00)
    sold = await sell_for(floor, booth, "1 2: 1/2@4.00 x5", coupon(10_00, "PROMO-1"), currency)
    await floor.play()
    await play_void(floor)
    for cents in (16_00, 12_00, 6_00):
        async with refused(floor, Refusal.PAYMENT_DIFFERS):
            await refund(floor, booth, sold, Payment(cents))
    paid = await refund(floor, booth, sold, Payment(10_00))
    assert (paid.returns_cents, paid.refund_cents) == (4_00, 12_00)
    assert (paid.coupon_cents, paid.cash_cents) == (6_00, 10_00)
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 10_00}
    assert await value(floor, "SELECT cents FROM coupons WHERE serial = ?", paid.coupon) == 6_00


async def test_a_coupon_spent_on_played_games_is_spent(floor: Floor, booth: WriterContext) -> None:
    currency = Tender(TenderKind.CURRENCY, 8_00)
    sold = await sell_for(floor, booth, "1 2: 1/2@4.00 x3", coupon(4_00, "PROMO-1"), currency)
    await floor.play()
    paid = await refund(floor, booth, sold, Payment(8_00))
    assert (paid.cash_cents, paid.coupon_cents, paid.coupon) == (8_00, 0, None)


# What a refund would pay, without paying it.


async def test_a_quote_is_what_the_refund_then_pays(floor: Floor, booth: WriterContext) -> None:
    currency = Tender(TenderKind.CURRENCY, 10_00)
    sold = await sell_for(floor, booth, "1 2: 1/2@4.00 x5", coupon(10_00, "PROMO-1"), currency)
    await floor.play(drawn(1, 2))
    await play_void(floor)
    async with unchanged(floor):
        owed = await claims.refund_quote(floor.house, "main", sold.ticket, sold.code)
    assert (owed.returns_cents, owed.refund_cents, owed.games) == (4_00, 12_00, 3)
    assert (owed.coupon_of_returns_cents, owed.coupon_of_refund_cents) == (4_00, 2_00)
    assert owed.awards_cents > 0
    assert (owed.needs_authorisation, owed.tax_form_games) == (False, ())
    cash = owed.total_cents - owed.coupon_cents
    paid = await refund(floor, booth, sold, Payment(cash))
    assert (paid.awards_cents, paid.refund_cents) == (owed.awards_cents, owed.refund_cents)
    async with refused(floor, Refusal.CANCELLED):
        await claims.refund_quote(floor.house, "main", sold.ticket, sold.code)


async def test_a_quote_is_refused_as_the_refund_would_be(
    floor: Floor, booth: WriterContext
) -> None:
    one, multi = await floor.sell(booth), await floor.sell(booth, EIGHT + " x2")
    unprinted = await floor.sell(booth, EIGHT + " x3", printed=False)

    async def quote(number: int, code: str) -> object:
        return await claims.refund_quote(floor.house, "main", number, code)

    async with refused(floor, Refusal.VOID_INSTEAD):
        await quote(multi.ticket, multi.code)
    await floor.lock()
    async with refused(floor, Refusal.DRAWING):
        await quote(multi.ticket, multi.code)
    await floor.draw(1)
    async with refused(floor, Refusal.NOT_MULTI_RACE):
        await quote(one.ticket, one.code)
    async with refused(floor, Refusal.PRINT_UNCONFIRMED):
        await quote(unprinted.ticket, unprinted.code)
    async with refused(floor, Refusal.ALTERED):
        await quote(multi.ticket, one.code)
    await floor.play()
    async with refused(floor, Refusal.NOTHING_TO_REFUND):
        await quote(multi.ticket, multi.code)
