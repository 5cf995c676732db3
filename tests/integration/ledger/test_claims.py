"""The time to claim: a year or less, five minutes at least, by the ledger's own clock (15.6(c))."""

import asyncio
from typing import Any

import msgspec
import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Fault, Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.roles import SYSTEM
from keno.games import expiry_timer
from keno.protocol import Payment, Sold
from keno.service import games, payouts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.house import House
from tests.cards import card_text
from tests.halting import alter
from tests.houses import START_MS, Floor, proof_of, verify
from tests.integration.ledger.asking import heard, refused, rows, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    drawn,
    expire,
    give_keys,
    look,
    play_void,
    redeem,
    refund,
    second_location,
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
    command = payouts.Expire(floor.id(), "main", SYSTEM)
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


async def test_15_6_c_the_timer_expires_claims_and_retries_a_ledger_that_cannot_write(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365, ms=1)
    later = Refused(Refusal.NOT_POSSIBLE_NOW, "Later.")
    failing: list[Exception] = [Fault("The disk is full."), later]
    waited: list[float] = []
    states: list[str | None] = []

    async def faulty(house: House, command: payouts.Expire) -> payouts.Expired:
        if failing:
            raise failing.pop(0)
        return await payouts.expire(house, command)

    async def wait(seconds: float) -> None:
        waited.append(seconds)
        states.append(await value(floor, "SELECT max(kind) FROM endings"))
        if len(waited) == 4:
            raise asyncio.CancelledError

    monkeypatch.setattr(expiry_timer, "expire", faulty)
    with pytest.raises(asyncio.CancelledError):
        await expiry_timer.expire_forever(floor.house, "main", wait)
    assert waited == [10, 10, 3_600, 3_600]
    assert states == [None, None, "expiry", "expiry"]
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, sold, 9_00)


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


# What keeps a claim open beyond its time. The floor is in New York; its day begins at six.

LAST_DAY_ENDS_MS = START_MS - 7 * 3_600_000 + 365 * 86_400_000 + 11 * 3_600_000
"""2027-11-16 06:00 in New York: the end of the gaming day in which a year's claim ends."""
NEXT_DAY_ENDS_MS = LAST_DAY_ENDS_MS + 86_400_000 - 1


async def hold(floor: Floor, sold: Sold, until_day: str | None = None, **changes: Any) -> None:
    command = protocol.Hold(floor.id(), "main", sold.ticket, "two claimants", until_day=until_day)
    await tickets.hold(floor.house, StaffContext("S1"), msgspec.structs.replace(command, **changes))


async def looked(floor: Floor, booth: WriterContext, sold: Sold) -> protocol.TicketView:
    command = protocol.Lookup(floor.id(), sold.ticket, sold.code)
    return (await payouts.lookup(floor.house, booth, command)).ticket


async def test_15_6_c_a_look_up_keeps_no_claim_open(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    await looked(floor, booth, sold)
    floor.clock.forward(days=365)
    await looked(floor, booth, sold)
    floor.clock.forward(ms=1)
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, sold, 9_00)
    assert (await expire(floor)).tickets == (sold.ticket,)
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_6_c_a_claim_under_way_stays_open_until_the_end_of_the_next_gaming_day(
    floor: Floor, booth: WriterContext
) -> None:
    asked, refused_once, unclaimed = [await floor.sell(booth) for _ in range(3)]
    unprinted = await floor.sell(booth, printed=False)
    await floor.play(WINS_1500)
    floor.clock.forward(days=365)
    await ask(floor, booth, asked)
    assert await heard(floor.pay(booth, refused_once, 1)) is Refusal.AUTHORISATION_NEEDED
    assert (await looked(floor, booth, unprinted)).why_not_code == Refusal.PRINT_UNCONFIRMED
    floor.clock.forward(ms=1)
    for sold in (asked, refused_once, unprinted):
        assert (await looked(floor, booth, sold)).claim_until_ms == NEXT_DAY_ENDS_MS
    assert (await expire(floor)).tickets == (unclaimed.ticket,)
    # What is under way only now, beyond its time, adds nothing.
    assert await heard(floor.pay(booth, refused_once, 1)) is Refusal.AUTHORISATION_NEEDED
    floor.clock.now_ms = NEXT_DAY_ENDS_MS
    assert await expire(floor) == NOTHING
    assert await heard(floor.pay(booth, refused_once, 1)) is Refusal.AUTHORISATION_NEEDED
    floor.clock.forward(ms=1)
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, refused_once, 1)
    late = (asked.ticket, refused_once.ticket, unprinted.ticket)
    assert (await expire(floor)).tickets == late
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_6_c_a_payout_refused_in_time_is_paid_on_the_next_day(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365)
    assert await heard(floor.pay(booth, sold, 8_99)) is Refusal.PAYMENT_DIFFERS
    floor.clock.now_ms = NEXT_DAY_ENDS_MS
    assert (await floor.pay(booth, sold, 9_00)).cash_cents == 9_00
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_6_c_a_ticket_held_as_not_issued_stays_open_once_presented(
    floor: Floor, booth: WriterContext
) -> None:
    """No payout can follow its look-up until a supervisor has decided: it counts as presented."""
    await give_keys(floor)
    other = await floor.booth("W2", "2")
    shown, tried, unclaimed = [await floor.sell(booth) for _ in range(3)]
    number = await floor.lock()
    for sold in (shown, tried, unclaimed):
        await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    floor.clock.forward(days=365)
    assert (await looked(floor, other, shown)).why_not_code == Refusal.HELD_NOT_ISSUED
    assert await heard(floor.pay(other, tried, 9_00)) is Refusal.HELD_NOT_ISSUED
    floor.clock.forward(ms=1)
    assert (await expire(floor)).tickets == (unclaimed.ticket,)
    floor.clock.now_ms = NEXT_DAY_ENDS_MS
    for sold in (shown, tried):
        await floor.confirm_not_issued(sold, "S2", issued=True)
        await approve(floor, await ask(floor, other, sold))
        assert (await floor.pay(other, sold, 9_00)).cash_cents == 9_00
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_6_c_a_claim_under_way_early_does_not_shorten_the_time(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    assert await heard(floor.pay(booth, sold, 8_99)) is Refusal.PAYMENT_DIFFERS
    floor.clock.forward(days=365)
    assert (await floor.pay(booth, sold, 9_00)).cash_cents == 9_00


async def test_15_6_c_a_claim_is_put_under_way_only_if_that_extends_it(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):  # a year is left
        await floor.pay(booth, sold, 8_99)
    floor.clock.forward(days=365)
    assert await heard(floor.pay(booth, sold, 8_99)) is Refusal.PAYMENT_DIFFERS
    async with refused(floor, Refusal.PAYMENT_DIFFERS):  # open until the same day
        await floor.pay(booth, sold, 8_99)


async def test_15_6_c_a_ticket_with_games_to_come_has_no_last_moment(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x2")
    for _ in range(2):
        assert (await looked(floor, booth, sold)).claim_until_ms is None
        await floor.play(WINS_9)
    assert (await looked(floor, booth, sold)).claim_until_ms == START_MS + 365 * 86_400_000


@pytest.mark.parametrize("lost", [False, True], ids=["recorded", "its row is lost"])
@pytest.mark.parametrize("halted", ["main", "east", None])
async def test_15_7_a_claim_waits_for_a_halt_of_its_location_or_of_the_house(
    floor: Floor, booth: WriterContext, halted: str | None, *, lost: bool
) -> None:
    east = await second_location(floor)
    sold = {"main": await floor.sell(booth), "east": await floor.sell(east)}
    for location in sold:
        await floor.play(WINS_9, location)
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location=halted))
    if lost:
        alter(floor.path, "DELETE FROM halts")
    for at, ticket in ((booth, sold["main"]), (east, sold["east"])):
        waits = halted in (at.location, None)
        ends_ms = (await looked(floor, at, ticket)).claim_until_ms
        assert ends_ms == (None if waits else START_MS + 365 * 86_400_000)


async def test_a_ticket_presented_too_late_or_too_early_keeps_no_claim_open(
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


async def test_a_ticket_refused_at_its_refund_keeps_no_claim_open(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x2")
    await floor.play(WINS_9)
    async with refused(floor, Refusal.PAYMENT_DIFFERS):
        await refund(floor, booth, sold, Payment(1))
    await floor.play()
    floor.clock.forward(days=365, ms=1)
    assert (await expire(floor)).tickets == (sold.ticket,)


async def test_15_6_c_a_ticket_held_in_dispute_expires_with_its_hold(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365)
    await hold(floor, sold)
    [row] = await rows(floor, "SELECT held_by, held_until_ms FROM tickets")
    ends_ms = LAST_DAY_ENDS_MS + 30 * 86_400_000 - 1
    assert row == {"held_by": "S1", "held_until_ms": ends_ms}
    floor.clock.now_ms = ends_ms
    view = await looked(floor, booth, sold)
    assert (view.why_not_code, view.claim_until_ms, view.held_until_ms) == (
        Refusal.HELD, ends_ms, ends_ms,
    )  # fmt: skip
    assert await expire(floor) == NOTHING
    floor.clock.forward(ms=1)
    assert (await looked(floor, booth, sold)).held_until_ms is None
    async with refused(floor, Refusal.EXPIRED):
        await floor.pay(booth, sold, 9_00)
    assert (await expire(floor)).tickets == (sold.ticket,)
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_6_c_a_released_ticket_is_paid_until_the_end_of_the_next_gaming_day(
    floor: Floor, booth: WriterContext
) -> None:
    first, second = await floor.sell(booth), await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365)
    for sold in (first, second):
        await hold(floor, sold, "2027-12-24")
    floor.clock.forward(days=20)
    for sold in (first, second):
        await hold(floor, sold, release=True)
    floor.clock.now_ms = NEXT_DAY_ENDS_MS + 20 * 86_400_000
    assert (await floor.pay(booth, first, 9_00)).cash_cents == 9_00
    floor.clock.forward(ms=1)
    assert (await expire(floor)).tickets == (second.ticket,)
    assert audit(floor.path, verify=verify)["sound"]


async def test_a_hold_that_ran_out_within_the_time_leaves_the_ticket_to_be_paid(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    await hold(floor, sold, "2026-11-20")
    floor.clock.forward(days=6)
    assert (await floor.pay(booth, sold, 9_00)).cash_cents == 9_00
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_6_c_a_hold_opens_no_claim_again(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth)
    await floor.play(WINS_9)
    floor.clock.forward(days=365, ms=1)
    async with refused(floor, Refusal.EXPIRED):
        await hold(floor, sold)


@pytest.mark.parametrize(
    ("until_day", "reason"),
    [
        ("2026-11-14", Refusal.NOT_POSSIBLE_NOW),  # the gaming day before
        ("2027-11-16", Refusal.NOT_POSSIBLE_NOW),
        ("tomorrow", Refusal.MALFORMED),
    ],
)
async def test_a_hold_ends_within_a_year(
    floor: Floor, booth: WriterContext, until_day: str, reason: Refusal
) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, reason):
        await hold(floor, sold, until_day)


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
