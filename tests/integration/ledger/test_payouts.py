"""Paying a ticket: what it is owed, once, in the parts named, from this drawer (15.4(d), 15.6)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace as replace_struct

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Payment, Second, Sold
from keno.service import games, payouts, shifts
from keno.service import payment as payment_rules
from keno.service.common import WriterContext
from tests.cards import card_text
from tests.houses import Floor, proof_of, verify
from tests.integration.ledger.asking import refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    coupon,
    drawer,
    drawn,
    give_keys,
    look,
    play_void,
    redeem,
    second_location,
    sell_for,
    void,
)
from tests.integration.ledger.floors import furnished_floor

WINS_9 = drawn(1, 2, 3, 4, 5)
WINS_90 = drawn(1, 2, 3, 4, 5, 6)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)


async def winner(floor: Floor, booth: WriterContext, numbers: list[int] = WINS_9) -> Sold:
    """A ticket of $1.00 that won, and was looked at."""
    sold = await floor.sell(booth)
    await floor.play(numbers)
    await look(floor, booth, sold)
    return sold


# ---------------------------------------------------------------- look and redeem


async def test_15_6_a_a_winning_ticket_is_looked_at_and_paid_from_the_drawer(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    command = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    owed = await twice(floor, payouts.look, booth, command, ticket=2)
    assert (owed.awards_cents, owed.returns_cents, owed.refund_cents) == (9_00, 0, 0)
    assert (owed.total_cents, owed.coupon_cents) == (9_00, 0)
    assert (owed.needs_authorisation, owed.tax_form_games) == (False, ())
    pay = protocol.Redeem(floor.id(), sold.ticket, sold.code, Payment(9_00))
    paid = await twice(floor, payouts.redeem, booth, pay, payment=Payment(0, 9_00, "77"))
    assert paid == protocol.Paid(
        "main",
        1,
        "payout",
        9_00,
        0,
        0,
        0,
        None,
        0,
        9_00,
        0,
        None,
        None,
        floor.clock.now_ms,
        "A",
        "Main Floor",
    )
    assert await drawer(floor, booth) == {"cash": 9_992_00}


async def test_15_6_a_a_ticket_is_paid_once(floor: Floor, booth: WriterContext) -> None:
    sold = await winner(floor, booth)
    await floor.pay(booth, sold, 9_00)
    other = await floor.booth("W2", "2")
    for each in (booth, other):
        async with refused(floor, Refusal.ALREADY_PAID):
            await floor.pay(each, sold, 9_00)
        async with refused(floor, Refusal.ALREADY_PAID):
            await look(floor, each, sold)


async def test_the_drawer_that_pays_is_the_one_of_the_paying_writer(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await winner(floor, booth)
    other = await floor.booth("W2", "2", bank_cents=20_00)
    await floor.pay(other, sold, 9_00)
    assert await drawer(floor, booth) == {"cash": 10_001_00}
    assert await drawer(floor, other) == {"cash": 11_00}


async def test_a_payout_is_made_in_an_open_shift(floor: Floor, booth: WriterContext) -> None:
    sold = await winner(floor, booth)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await floor.pay(replace(booth, shift=7), sold, 9_00)
    await shifts.lock_shift(
        floor.house, WriterContext("main", "1", "W1", booth.shift), protocol.LockShift(floor.id())
    )
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await look(floor, booth, sold)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await floor.pay(booth, sold, 9_00)


async def test_what_is_not_ours_is_not_paid(floor: Floor, booth: WriterContext) -> None:
    sold = await winner(floor, booth)
    east = await second_location(floor)
    async with refused(floor, Refusal.ALTERED):
        await floor.pay(booth, replace_struct(sold, code="0" * 16), 9_00)
    for number in (0, 2, 2**53 - 1):
        async with refused(floor, Refusal.UNKNOWN_TICKET):
            await floor.pay(booth, replace_struct(sold, ticket=number), 9_00)
    async with refused(floor, Refusal.UNKNOWN_TICKET):
        await floor.pay(east, sold, 9_00)


async def test_a_void_or_losing_ticket_is_not_paid(floor: Floor, booth: WriterContext) -> None:
    voided, lost = await floor.sell(booth), await floor.sell(booth, "30 31: 1/2@1.00")
    await void(floor, booth, voided)
    await floor.play(drawn(1, 2, 3, 4, 5, 30))
    async with refused(floor, Refusal.VOID):
        await look(floor, booth, voided)
    async with refused(floor, Refusal.NO_AWARD):
        await look(floor, booth, lost)
    async with refused(floor, Refusal.NO_AWARD):
        await floor.pay(booth, lost, 0)


async def test_nothing_is_payable_before_the_game_is_settled_and_shown(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.NOT_COMPLETE):
        await look(floor, booth, sold)
    await floor.lock()
    async with refused(floor, Refusal.DRAWING):
        await look(floor, booth, sold)
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(WINS_9), verify)
    async with refused(floor, Refusal.DRAWING):
        await look(floor, booth, sold)
    await games.settle(floor.house, "main", 1)
    async with refused(floor, Refusal.DRAWING):  # the last ball is not shown
        await floor.pay(booth, sold, 9_00)
    await games.show(floor.house, "main", 1)
    assert (await floor.pay(booth, sold, 9_00)).awards_cents == 9_00


async def test_15_4_d_a_multi_race_is_paid_after_its_last_game_for_all_of_them(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x3")
    for numbers in (WINS_9, WINS_90):
        await floor.play(numbers)
        async with refused(floor, Refusal.NOT_COMPLETE):
            await look(floor, booth, sold)
    await floor.play(WINS_9)
    assert (await look(floor, booth, sold)).awards_cents == 108_00
    assert (await floor.pay(booth, sold, 108_00)).cash_cents == 108_00


async def test_a_drawer_pays_no_more_currency_than_it_holds(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=7_00)
    sold = await winner(floor, booth)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await floor.pay(booth, sold, 9_00)
    await shifts.fill(
        floor.house, replace(booth, second="S1"), protocol.Fill(floor.id(), 1_00, Second("S1", ""))
    )
    await floor.pay(booth, sold, 9_00)
    assert await drawer(floor, booth) == {}


# ---------------------------------------------------------------- cash, check, withholding


@pytest.mark.parametrize(
    "payment",
    [
        Payment(8_99),
        Payment(9_01),
        Payment(10_00, withheld_cents=-1_00),
        Payment(-1_00, 10_00, "77"),
        Payment(10_00, -1_00, "77"),
        Payment(8_00, 1_00),
        Payment(8_00, 1_00, ""),
        Payment(9_00, 0, "77"),
        Payment(0, withheld_cents=9_01),
        Payment(2**62, 0, None, 9_00 - 2**62),
    ],
)
async def test_cash_check_and_withholding_add_up_to_what_is_owed(
    floor: Floor, booth: WriterContext, payment: Payment
) -> None:
    sold = await winner(floor, booth)
    with pytest.raises(Refused) as exc:
        await redeem(floor, booth, sold, payment)
    assert exc.value.reason in (Refusal.PAYMENT_DIFFERS, Refusal.MALFORMED)
    assert await value(floor, "SELECT count(*) FROM endings") == 0
    assert await drawer(floor, booth) == {"cash": 10_001_00}


@pytest.mark.parametrize("number", [None, ""])
async def test_a_payout_without_a_check_has_no_check_number(
    floor: Floor, booth: WriterContext, number: str | None
) -> None:
    sold = await winner(floor, booth)
    await redeem(floor, booth, sold, Payment(9_00, 0, number))
    assert await value(floor, "SELECT check_number FROM endings") is None


async def test_15_6_a_a_payout_may_be_part_check_and_part_cash(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await winner(floor, booth, WINS_90)
    paid = await redeem(floor, booth, sold, Payment(10_00, 80_00, "00077"))
    assert (paid.cash_cents, paid.check_cents, paid.check_number) == (10_00, 80_00, "00077")
    assert await drawer(floor, booth) == {"cash": 9_991_00}


async def test_15_6_a_a_payout_may_be_a_casino_check(floor: Floor) -> None:
    booth = await floor.booth(bank_cents=0)
    sold = await winner(floor, booth, WINS_90)
    paid = await redeem(floor, booth, sold, Payment(0, 90_00, "77"))
    assert (paid.cash_cents, paid.check_cents) == (0, 90_00)
    assert await drawer(floor, booth) == {"cash": 1_00}


async def test_award_withheld_and_paid_are_kept_apart() -> None:
    async with taxed_floor(3_000_00, IN_2026) as (floor, booth, sold):
        payment = Payment(30_00, 2_250_00, "77", 720_00, "W-2G 1")
        paid = await redeem(floor, booth, sold, payment)
        assert (paid.awards_cents, paid.withheld_cents) == (3_000_00, 720_00)
        [ending] = await rows(floor, "SELECT * FROM endings")
        assert (ending["awards_cents"], ending["withheld_cents"]) == (3_000_00, 720_00)
        assert (ending["cash_cents"], ending["check_cents"]) == (30_00, 2_250_00)
        assert await drawer(floor, booth) == {"cash": 9_971_00}


@pytest.mark.parametrize("form", [None, "W-2G 1"])
async def test_something_is_withheld_only_with_its_tax_form(
    floor: Floor, booth: WriterContext, form: str | None
) -> None:
    """All of $9.00 was withheld: no form is due for it, so a form does not help either."""
    sold = await winner(floor, booth)
    for withheld in (9_00, 1):
        payment = Payment(9_00 - withheld, withheld_cents=withheld, tax_form=form)
        with pytest.raises(Refused, match="Nothing is withheld here") as exc:
            await redeem(floor, booth, sold, payment)
        assert exc.value.reason is Refusal.PAYMENT_DIFFERS
    assert await value(floor, "SELECT count(*) FROM endings") == 0
    await redeem(floor, booth, sold, Payment(9_00))


async def test_nothing_is_withheld_before_the_form_is_there() -> None:
    async with taxed_floor(3_000_00, IN_2026) as (floor, booth, sold):
        for form in (None, ""):
            async with refused(floor, Refusal.TAX_FORM_NEEDED):
                await redeem(floor, booth, sold, Payment(2_280_00, 0, None, 720_00, form))


# ---------------------------------------------------------------- check numbers


@pytest.mark.parametrize("again", ["B-77", "b-77", "B - 77"])
async def test_a_check_number_works_once_in_the_house(
    floor: Floor, booth: WriterContext, again: str
) -> None:
    sold = [await floor.sell(booth) for _ in range(2)]
    east = await second_location(floor)
    await floor.play(WINS_9)
    await redeem(floor, booth, sold[0], Payment(0, 9_00, "B-77"))
    second = protocol.Redeem(floor.id(), sold[1].ticket, sold[1].code,
                             Payment(1_00, 8_00, again), "A")  # fmt: skip
    for by in (booth, east):
        with pytest.raises(Refused, match="a check number works once") as exc:
            await payouts.redeem(floor.house, by, second)
        assert exc.value.reason is Refusal.CHECK_USED
    await redeem(floor, booth, sold[1], Payment(1_00, 8_00, "B-78"))


@pytest.mark.parametrize("number", ["7" * 65, "7\n7", "n\u00ba 7"])
async def test_a_check_number_is_plain_text(
    floor: Floor, booth: WriterContext, number: str
) -> None:
    sold = await winner(floor, booth)
    async with refused(floor, Refusal.MALFORMED):
        await redeem(floor, booth, sold, Payment(0, 9_00, number))


async def test_no_command_uses_a_check_number_twice_past_the_schema(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold = [await floor.sell(booth) for _ in range(2)]
    await floor.play(WINS_9)
    await redeem(floor, booth, sold[0], Payment(0, 9_00, "B-77"))
    monkeypatch.setattr(payment_rules, "is_check_used", lambda *_: False)
    with pytest.raises(Refused, match="contradicts what is recorded"):
        await redeem(floor, booth, sold[1], Payment(0, 9_00, "b -77"))


# ---------------------------------------------------------------- the tax form


@asynccontextmanager
async def taxed_floor(
    award_cents: int, local: datetime, games_played: int = 1
) -> AsyncIterator[tuple[Floor, WriterContext, Sold]]:
    """A ticket of $1.00 a game that won so much in its first game, and the supervisor's yes."""
    rate = {"base_cents": 100, "min_cents": 100, "max_cents": 100, "step_cents": 100, "mark": "T",
            "pays": {"6": {"3": 1_00, "4": 4_00, "5": 90_00, "6": award_cents}}}  # fmt: skip
    start_ms = int(local.timestamp() * 1000)
    async with furnished_floor(card_text(rates__taxed=rate), start_ms=start_ms) as floor:
        booth = await floor.booth()
        await give_keys(floor)
        sold = await floor.sell(booth, f"1 2 3 4 5 6: 1/6@1.00T x{games_played}")
        await floor.play(drawn(1, 2, 3, 4, 5, 6))
        for _ in range(games_played - 1):
            await floor.play()
        await approve(floor, await ask(floor, booth, sold))
        yield floor, booth, sold


IN_2025 = datetime(2026, 1, 1, 1, 0, tzinfo=UTC)
"""Still New Year's Eve at the booth, which is in New York."""
IN_2026 = datetime(2026, 1, 1, 5, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("award_cents", "at", "needed"),
    [
        (1_500_99, IN_2025, False),
        (1_501_00, IN_2025, True),
        (1_501_00, IN_2026, False),
        (2_000_99, IN_2026, False),
        (2_001_00, IN_2026, True),
    ],
)
async def test_a_tax_form_is_needed_from_the_dated_threshold_less_the_price_of_the_game(
    award_cents: int, at: datetime, *, needed: bool
) -> None:
    async with taxed_floor(award_cents, at) as (floor, booth, sold):
        owed = await look(floor, booth, sold)
        assert owed.tax_form_games == ((1,) if needed else ())
        assert owed.needs_authorisation
        if needed:
            for form in (None, ""):
                async with refused(floor, Refusal.TAX_FORM_NEEDED):
                    await redeem(floor, booth, sold, Payment(award_cents, tax_form=form))
        paid = await redeem(
            floor, booth, sold, Payment(award_cents, tax_form="W-2G 1" if needed else None)
        )
        assert paid.cash_cents == award_cents
        form = "W-2G 1" if needed else None
        assert await value(floor, "SELECT tax_form FROM endings") == form


async def test_the_tax_form_is_for_each_game_by_itself() -> None:
    """Two games of $1,500.00 are $3,000.00 to authorise, and no form in 2026."""
    async with furnished_floor() as floor:
        booth = await floor.booth()
        await give_keys(floor)
        sold = await floor.sell(booth, EIGHT + " x2")
        await floor.play(WINS_1500)
        await floor.play(WINS_1500)
        owed = await look(floor, booth, sold)
        assert (owed.awards_cents, owed.tax_form_games) == (3_000_00, ())
        await approve(floor, await ask(floor, booth, sold))
        assert (await floor.pay(booth, sold, 3_000_00)).awards_cents == 3_000_00


# ---------------------------------------------------------------- returns of a void game (15.7)


async def test_15_7_a_void_games_wager_is_returned(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, "1 2: 1/2@5.00")
    await play_void(floor)
    owed = await look(floor, booth, sold)
    assert (owed.awards_cents, owed.returns_cents, owed.total_cents) == (0, 5_00, 5_00)
    assert (await floor.pay(booth, sold, 5_00)).returns_cents == 5_00
    assert await drawer(floor, booth) == {"cash": 10_000_00}
    assert await value(floor, "SELECT cents FROM drawer WHERE event = 'return'") == 5_00
    async with refused(floor, Refusal.ALREADY_PAID):
        await floor.pay(booth, sold, 5_00)


async def test_15_7_a_multi_race_returns_the_void_games_share_with_its_redemption(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, "1 2: 1/2@5.00 x3")
    await floor.play(drawn(1, 2))
    await play_void(floor)
    async with refused(floor, Refusal.NOT_COMPLETE):
        await look(floor, booth, sold)
    await floor.play()
    owed = await look(floor, booth, sold)
    assert (owed.awards_cents, owed.returns_cents) == (60_00, 5_00)
    await floor.pay(booth, sold, 65_00)
    parts = await rows(floor, "SELECT event, cents FROM drawer WHERE ticket = 1 ORDER BY entry")
    assert parts == [
        {"event": "sale", "cents": 15_00},
        {"event": "return", "cents": 5_00},
        {"event": "payout", "cents": 60_00},
    ]


async def test_a_coupon_is_spent_on_the_earliest_games_and_its_part_returns_as_a_coupon(
    floor: Floor, booth: WriterContext
) -> None:
    """Five games of $4.00, $10.00 of them by coupon: all of games 1 and 2, half of game 3."""
    currency = Tender(TenderKind.CURRENCY, 10_00)
    sold = await sell_for(floor, booth, "1 2: 1/2@4.00 x5", coupon(10_00, "PROMO-1"), currency)
    await floor.play()
    await play_void(floor)
    await play_void(floor)
    await play_void(floor)
    await floor.play()
    owed = await look(floor, booth, sold)
    assert (owed.returns_cents, owed.coupon_cents) == (12_00, 6_00)
    for cents in (12_00, 6_01, 5_99):
        async with refused(floor, Refusal.PAYMENT_DIFFERS):
            await floor.pay(booth, sold, cents)
    paid = await floor.pay(booth, sold, 6_00)
    assert (paid.cash_cents, paid.coupon_cents, paid.coupon) == (6_00, 6_00, "A-R1")
    assert await drawer(floor, booth) == {"cash": 10_004_00, "coupon": 10_00}
    await sell_for(floor, booth, "1: 1/1@6.00", coupon(6_00, "A-R1"))


async def test_a_wager_made_by_coupon_alone_returns_no_cash(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await sell_for(floor, booth, "1 2: 1/2@4.00", coupon(4_00, "PROMO-1"))
    await play_void(floor)
    await look(floor, booth, sold)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await floor.pay(booth, sold, 4_00)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await redeem(floor, booth, sold, Payment(0, 4_00, "77"))
    paid = await floor.pay(booth, sold, 0)
    assert (paid.cash_cents, paid.coupon_cents) == (0, 4_00)
    assert await drawer(floor, booth) == {"cash": 10_000_00, "coupon": 4_00}


async def test_an_award_won_with_a_coupon_is_paid_in_cash(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await sell_for(floor, booth, EIGHT, coupon(1_00, "PROMO-1"))
    await floor.play(WINS_9)
    paid = await floor.pay(booth, sold, 9_00)
    assert (paid.cash_cents, paid.coupon_cents) == (9_00, 0)


async def test_nothing_is_withheld_from_a_return(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, "1 2: 1/2@5.00")
    await play_void(floor)
    await look(floor, booth, sold)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await redeem(floor, booth, sold, Payment(4_99, withheld_cents=1))
