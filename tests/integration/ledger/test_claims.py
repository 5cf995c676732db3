"""The time to claim: a year or less, five minutes at least, by the ledger's own clock (15.6(c))."""

import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import Payment
from keno.service import games, payouts, tickets
from keno.service.common import StaffContext, WriterContext
from tests.cards import card_text
from tests.houses import Floor, proof_of, verify
from tests.integration.ledger.asking import heard, refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    drawn,
    expire,
    look,
    play_void,
    redeem,
    refund,
)
from tests.integration.ledger.floors import furnished_floor

WINS_9 = drawn(1, 2, 3, 4, 5)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)
NOTHING = payouts.Expired((), 0, 0)


async def test_15_6_c_a_ticket_is_paid_until_the_last_moment_of_a_year(
    floor: Floor, booth: WriterContext
) -> None:
    first, second = await floor.sell(booth), await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365)
    assert await expire(floor) == NOTHING
    assert (await floor.pay(booth, first, 9_00)).cash_cents == 9_00
    floor.clock.forward(ms=1)
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, second, 9_00)
    async with refused(floor, Refusal.EXPIRED):
        await look(floor, booth, second)


async def test_15_6_c_what_nobody_claimed_expires_and_is_kept(
    floor: Floor, booth: WriterContext
) -> None:
    won = await floor.sell(booth)
    await floor.sell(booth, "70 71: 1/2@1.00")
    paid = await floor.sell(booth)
    returned = await floor.sell(booth, "9 10: 1/2@3.00 x2")
    await floor.play(drawn(1, 2, 3, 4, 5, 40))
    await floor.pay(booth, paid, 9_00)
    await play_void(floor)
    floor.clock.forward(days=365, ms=1)
    command = payouts.Expire(floor.id(), "main", "conductor")
    expired = await twice(floor, payouts.expire, command, actor="another")
    assert expired == payouts.Expired((won.ticket, 2, returned.ticket), 9_00 + 12_00, 3_00)
    assert await expire(floor) == NOTHING
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, won, 9_00)
    endings = await rows(
        floor, "SELECT ticket, awards_cents, returns_cents, cash_cents FROM endings"
               " WHERE kind = 'expiry' ORDER BY ticket"
    )  # fmt: skip
    assert [tuple(each.values()) for each in endings] == [
        (1, 9_00, 0, 0), (2, 12_00, 0, 0), (4, 0, 3_00, 0),
    ]  # fmt: skip


async def test_15_6_c_1_the_time_of_a_multi_race_begins_with_its_last_game(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x2")
    await floor.play(WINS_9)
    floor.clock.forward(days=300)
    await floor.play()
    floor.clock.forward(days=365)
    assert await expire(floor) == NOTHING
    assert (await floor.pay(booth, sold, 9_00)).awards_cents == 9_00


async def test_a_multi_race_with_a_game_to_come_does_not_expire(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, EIGHT + " x3")
    await floor.play(WINS_9)
    await floor.play()
    floor.clock.forward(days=800)
    assert await expire(floor) == NOTHING


@pytest.mark.parametrize("late_minutes", [0, 9])
async def test_15_6_c_2_a_claim_lasts_five_minutes_from_the_settlement_at_least(
    late_minutes: int,
) -> None:
    toml = card_text(claim_days=None, claim_minutes=5)
    async with furnished_floor(toml) as floor:
        booth = await floor.booth()
        first, second = await floor.sell(booth), await floor.sell(booth)
        await floor.lock()
        floor.clock.forward(minutes=late_minutes)  # the draw was a long time coming
        await floor.draw(1, WINS_9)
        floor.clock.forward(minutes=5)
        assert await expire(floor) == NOTHING
        assert (await floor.pay(booth, first, 9_00)).cash_cents == 9_00
        floor.clock.forward(ms=1)
        assert (await expire(floor)).tickets == (second.ticket,)


async def test_a_clock_that_jumps_back_extends_no_claim(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365, ms=1)
    await floor.sell(booth)  # the ledger has recorded this time
    floor.clock.forward(days=-365)
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, sold, 9_00)


async def test_presenting_a_ticket_stops_its_clock(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365)
    await look(floor, booth, sold)
    floor.clock.forward(days=30)
    assert await expire(floor) == NOTHING
    assert (await floor.pay(booth, sold, 9_00)).cash_cents == 9_00


async def test_a_ticket_presented_in_time_waits_for_what_it_still_needs(
    floor: Floor, booth: WriterContext
) -> None:
    large, held = await floor.sell(booth), await floor.sell(booth)
    unprinted = await floor.sell(booth, printed=False)
    unclaimed = await floor.sell(booth)
    await floor.play(WINS_1500)
    await tickets.hold(
        floor.house,
        StaffContext("S1"),
        protocol.Hold(floor.id(), "main", held.ticket, "two claimants"),
    )
    floor.clock.forward(days=365)
    assert await heard(floor.pay(booth, large, 1_500_00)) is Refusal.AUTHORISATION_NEEDED
    assert await heard(floor.pay(booth, held, 1_500_00)) is Refusal.HELD
    assert await heard(floor.pay(booth, unprinted, 1_500_00)) is Refusal.PRINT_UNCONFIRMED
    floor.clock.forward(days=1)
    assert (await expire(floor)).tickets == (unclaimed.ticket,)
    assert await value(floor, "SELECT count(*) FROM endings") == 1


async def test_a_ticket_presented_too_late_or_too_early_stops_no_clock(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x2")
    await floor.play(WINS_9)
    async with refused(floor, Refusal.NOT_COMPLETE):
        await look(floor, booth, sold)
    await floor.play()
    floor.clock.forward(days=365, ms=1)
    async with refused(floor, Refusal.EXPIRED):
        await look(floor, booth, sold)
    assert (await expire(floor)).tickets == (sold.ticket,)


async def test_a_ticket_refused_at_its_refund_has_not_stopped_its_clock(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x2")
    await floor.play(WINS_9)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await refund(floor, booth, sold, Payment(1))
    await floor.play()
    floor.clock.forward(days=365, ms=1)
    assert (await expire(floor)).tickets == (sold.ticket,)


async def test_a_ticket_held_in_dispute_does_not_expire(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    by = StaffContext("S1")
    hold = protocol.Hold(floor.id(), "main", sold.ticket, "lost, the patron says")
    await tickets.hold(floor.house, by, hold)
    floor.clock.forward(days=400)
    assert await expire(floor) == NOTHING


async def test_a_void_game_has_its_own_settlement(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, "1 2: 1/2@5.00")
    await play_void(floor)
    floor.clock.forward(days=365)
    assert await expire(floor) == NOTHING
    floor.clock.forward(ms=1)
    assert await expire(floor) == payouts.Expired((sold.ticket,), 0, 5_00)


async def test_an_undrawn_or_unsettled_game_expires_nothing(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    floor.clock.forward(days=400)
    assert await expire(floor) == NOTHING
    await games.record_draw(floor.house, "main", 1, proof_of(WINS_9), verify)
    assert await expire(floor) == NOTHING
    await games.show(floor.house, "main", 1)
    await games.settle(floor.house, "main", 1)
    floor.clock.forward(minutes=5)
    assert (await redeem(floor, booth, sold, Payment(9_00))).awards_cents == 9_00
