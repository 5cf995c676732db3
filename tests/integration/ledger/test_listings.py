"""The listings the law names, by gaming day, and the house's two equations."""

import sqlite3
from contextlib import closing
from dataclasses import astuple, replace
from datetime import date

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal
from keno.protocol import Payment
from keno.service import games, listings, payouts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import (
    APPROVALS,
    BALANCE,
    LARGE_PAYOUTS,
    LISTINGS,
    OVERRIDES,
    VOIDS,
    WINNING_NUMBERS,
    WRITE_WIN,
)
from tests.houses import Clock, Floor, proof_of, verify
from tests.integration.ledger.asking import balance, changed, refused
from tests.integration.ledger.events import (
    EIGHT,
    coupon,
    drawn,
    expire,
    play_void,
    redeem,
    refund,
    rewrite,
    second_location,
    sell_for,
    void,
)

# The clock starts at 02:00 in New York, so before six: still the gaming day of the 15th.
DAY, NEXT = date(2026, 11, 15), date(2026, 11, 16)


async def test_15_4_e_voids_are_listed_by_station_and_gaming_day(
    floor: Floor, booth: WriterContext
) -> None:
    other = await floor.booth("W2", "2")
    sold = [await floor.sell(booth) for _ in range(4)]
    await void(floor, other, sold[0])
    await void(floor, booth, sold[1])
    done = await tickets.void_and_rewrite(
        floor.house, *rewrite(floor, sold[2], await floor.sale(booth, EIGHT))
    )
    listed = await listings.listed(floor.house, VOIDS, "main", DAY)
    assert [(row.voided_at, row.ticket, row.rewritten_as) for row in listed] == [
        ("1", 2, None), ("1", 3, done.sold.ticket), ("2", 1, None),
    ]  # fmt: skip
    assert [(row.sold_at, row.sold_by, row.actor) for row in listed] == [
        ("1", "W1", "W1"), ("1", "W1", "W1"), ("1", "W1", "W2"),
    ]  # fmt: skip
    assert {row.price_cents for row in listed} == {1_00}


async def test_a_void_belongs_to_the_day_it_commits(floor: Floor, booth: WriterContext) -> None:
    sold = [await floor.sell(booth) for _ in range(2)]
    floor.clock.forward(minutes=4 * 60, ms=-1)  # the last moment before six
    await void(floor, booth, sold[0])
    floor.clock.forward(ms=1)
    await void(floor, booth, sold[1])
    for day, number in ((DAY, 1), (NEXT, 2)):
        listed = await listings.listed(floor.house, VOIDS, "main", day)
        assert [row.ticket for row in listed] == [number]


async def test_a_listing_is_of_one_location(floor: Floor, booth: WriterContext) -> None:
    east = await second_location(floor)
    await void(floor, east, await floor.sell(east))
    await floor.sell(booth)
    assert await listings.listed(floor.house, VOIDS, "main", DAY) == []
    assert len(await listings.listed(floor.house, VOIDS, "east", DAY)) == 1
    for listing in LISTINGS.values():
        async with refused(floor, Refusal.UNKNOWN_STATION):
            await listings.listed(floor.house, listing, "nowhere", DAY)


async def test_15_5_h_winning_numbers_are_listed_by_the_day_of_the_lock_out(floor: Floor) -> None:
    await floor.play(drawn(7, 1, 80))
    await play_void(floor)
    floor.clock.forward(minutes=4 * 60, ms=-1)
    await floor.lock()  # locked before six, drawn after it
    floor.clock.forward(ms=1)
    await floor.draw(3, drawn(3))
    await floor.play(drawn(4))
    listed = await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY)
    assert [(row.game, row.result) for row in listed] == [(1, "drawn"), (2, "void"), (3, "drawn")]
    assert (listed[0].numbers or "").startswith("[7,1,80,79,")
    assert (listed[1].numbers, listed[1].shown_ms) == (None, None)
    assert listed[1].voided_ms is not None
    after = await listings.listed(floor.house, WINNING_NUMBERS, "main", NEXT)
    assert [row.game for row in after] == [4]


async def test_15_5_h_winning_numbers_are_there_after_more_than_a_year(floor: Floor) -> None:
    await floor.play(drawn(7))
    floor.clock.forward(days=5 * 366)
    await floor.play(drawn(8))
    assert len(await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY)) == 1


@pytest.mark.parametrize("guarded", [True, False], ids=["guarded", "naive"])
@pytest.mark.parametrize(
    "change", ["numbers = '[1]'", "numbers = NULL, drawn_ms = NULL, state = 'locked'",
               "proof = '{}'", "proof = NULL", "drawn_ms = drawn_ms + 1"],
)  # fmt: skip
async def test_15_5_h_recorded_numbers_are_never_changed(
    floor: Floor, change: str, *, guarded: bool
) -> None:
    """The schema refuses it to everyone; a schema without the trigger does not."""
    await floor.play(drawn(7))
    await floor.ledger.close()
    with closing(sqlite3.connect(floor.path, isolation_level=None)) as raw:
        raw.execute("PRAGMA ignore_check_constraints = 1")
        if not guarded:
            raw.execute("DROP TRIGGER numbers_are_final")
        before = raw.execute("SELECT * FROM games WHERE game = 1").fetchone()
        if guarded:
            with pytest.raises(sqlite3.IntegrityError, match="never changed"):
                raw.execute(f"UPDATE games SET {change} WHERE game = 1")  # noqa: S608
        else:
            raw.execute(f"UPDATE games SET {change} WHERE game = 1")  # noqa: S608
        after = raw.execute("SELECT * FROM games WHERE game = 1").fetchone()
        assert (before == after) is guarded


@pytest.mark.parametrize("table", ["games", "tickets", "awards", "endings", "audit"])
async def test_15_5_h_what_was_drawn_sold_won_and_paid_is_never_deleted(
    floor: Floor, booth: WriterContext, table: str
) -> None:
    """Not even by somebody at the file itself, as long as its triggers are there."""
    sold = await floor.sell(booth, EIGHT)
    await floor.play(drawn(1, 2, 3, 4, 5))
    await floor.pay(booth, sold, 9_00)
    with (
        closing(sqlite3.connect(floor.path)) as connection,
        pytest.raises(sqlite3.IntegrityError, match="never deleted"),
    ):
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 # one of ours


async def test_no_result_is_told_before_its_last_ball_is_shown(floor: Floor) -> None:
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(drawn(7)), verify)
    await games.settle(floor.house, "main", 1)
    assert await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY) == []
    await games.show(floor.house, "main", 1)
    assert len(await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY)) == 1


async def test_15_6_b_a_large_award_that_expired_is_no_payout(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, EIGHT)
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7, 8))
    floor.clock.forward(days=365, ms=1)
    assert (await expire(floor)).tickets == (1,)
    for day in (15, 16):
        listed = await listings.listed(floor.house, LARGE_PAYOUTS, "main", date(2027, 11, day))
        assert listed == []


async def test_15_5_e_overrides_are_listed_with_who_and_why(floor: Floor) -> None:
    by = StaffContext("S1")
    command = protocol.Override(floor.id(), "main", "delay", "a bus has arrived")
    await games.override(floor.house, by, command, 1)
    await play_void(floor)
    floor.clock.forward(days=1)
    await games.override(
        floor.house,
        StaffContext("M1"),
        protocol.Override(floor.id(), "main", "manual", "a storm"),
        2,
    )
    listed = await listings.listed(floor.house, OVERRIDES, "main", DAY)
    assert [(row.kind, row.actor, row.second, row.reason) for row in listed] == [
        ("delay", "S1", None, "a bus has arrived"),
        ("void", "S1", "I1", "the RNG is lost"),
    ]
    assert len(await listings.listed(floor.house, OVERRIDES, "main", NEXT)) == 1


# ---------------------------------------------------------------- the two equations


async def test_the_house_balances_after_everything_that_can_happen_to_a_ticket(
    floor: Floor, booth: WriterContext
) -> None:
    """Figures worked out by hand; see the price and fate of each ticket."""
    paid = await floor.sell(booth)  # 1.00: wins 9.00, paid
    gone = await floor.sell(booth)  # 1.00: wins 9.00, expires
    await floor.sell(booth, "70 71: 1/2@2.00")  # 2.00: loses
    voided = await floor.sell(booth, "9: 1/1@5.00")  # 5.00: void
    multi = await floor.sell(booth, EIGHT + " x5")  # 5.00: game 2 void, games 3-5 refunded
    mixed = await sell_for(floor, booth, "9: 1/1@3.00 x2", coupon(6_00, "P1"))  # game 2 void
    left = await floor.sell(booth)  # 1.00: catches 9.00, not issued
    await floor.sell(booth, "9: 1/1@4.00 x10")  # 40.00: two played, eight undrawn
    await void(floor, booth, voided)
    await balanced(floor)
    first = await floor.lock()
    await floor.declare_not_issued(booth, left)
    await floor.draw(
        first, drawn(1, 2, 3, 4, 5, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52)
    )
    await balanced(floor)
    await play_void(floor)
    await floor.pay(booth, paid, 9_00)
    await refund(floor, booth, multi, Payment(13_00))
    await redeem(floor, booth, mixed, Payment(0))
    await floor.confirm_not_issued(left)
    await balanced(floor)
    floor.clock.forward(days=366)
    assert (await expire(floor)).tickets == (gone.ticket,)
    await balanced(floor)
    [balance] = await listings.listed(floor.house, BALANCE, "main", None)
    assert balance.sales_cents == 61_00
    assert (balance.voids_cents, balance.refunds_cents) == (5_00, 3_00)
    assert balance.returns_due_cents == 1_00 + 3_00 + 4_00
    assert balance.undrawn_multi_race_cents == 32_00
    assert balance.handle_drawn_cents == 1_00 + 1_00 + 2_00 + 1_00 + 3_00 + 1_00 + 4_00
    assert (balance.awards_cents, balance.paid_cents) == (27_00, 18_00)
    assert (balance.open_cents, balance.expired_cents) == (0, 9_00)


async def balanced(floor: Floor) -> None:
    [balance] = await listings.listed(floor.house, BALANCE, "main", None)
    assert balance.balanced, balance


async def test_open_awards_stay_open_until_they_are_paid(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.play(drawn(1, 2, 3, 4, 5))
    [balance] = await listings.listed(floor.house, BALANCE, "main", None)
    assert balance.open_cents == 9_00
    await payouts.redeem(
        floor.house,
        booth,
        protocol.Redeem(floor.id(), sold.ticket, sold.code, Payment(0, 9_00, "77")),
    )
    [balance] = await listings.listed(floor.house, BALANCE, "main", None)
    assert (balance.open_cents, balance.paid_cents) == (0, 9_00)


@pytest.mark.parametrize("days", [0, 1])
def test_the_clock_of_these_tests_starts_before_six_in_the_morning(days: int) -> None:
    """What the days above rest on."""
    clock = Clock()
    clock.forward(days=days)
    assert clock.now_ms // 3_600_000 % 24 == 7  # 07:00 UTC is 02:00 in New York


async def test_what_a_supervisor_approved_is_kept_with_who_and_why(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    locked = games.LockOut("close", "main", 1, "commitment 2", "W1", approved_by="S1")
    await games.lock_out(floor.house, locked)
    await tickets.reprint(
        floor.house, replace(booth, second="S1"), protocol.Reprint("again", sold.ticket)
    )
    by = StaffContext("S1")
    hold = protocol.Hold("hold", "main", sold.ticket, "two claim it")
    await tickets.hold(floor.house, by, hold)
    await tickets.hold(
        floor.house, *changed(by, hold, request_id="free", reason="settled", release=True)
    )
    listed = await listings.listed(floor.house, APPROVALS, "main", DAY)
    assert [
        (row.kind, row.ticket, row.game, row.actor, row.supervisor, row.reason) for row in listed
    ] == [
        ("lock_out", None, 1, "W1", "S1", None),
        ("reprint", sold.ticket, None, "W1", "S1", None),
        ("hold", sold.ticket, None, "S1", "S1", "two claim it"),
        ("release", sold.ticket, None, "S1", "S1", "settled"),
    ]
    assert await listings.listed(floor.house, APPROVALS, "main", NEXT) == []


async def written(floor: Floor, day: date) -> list[tuple[object, ...]]:
    return [astuple(row) for row in await listings.listed(floor.house, WRITE_WIN, "main", day)]


async def test_write_and_win_are_of_the_writer_who_sold_and_the_day_of_the_lock_out(
    floor: Floor, booth: WriterContext
) -> None:
    other = await floor.booth("W2", "2")
    race = await floor.sell(booth, "1 2 3 4 5: 1/5@1.00 x4")
    await floor.sell(booth)
    await void(floor, other, await floor.sell(booth))
    await floor.sell(other, "9: 1/1@2.00")
    assert await written(floor, DAY) == []
    await floor.play(drawn(1, 2, 3, 4, 5))
    first = [
        ("W1", 2, 2_00, 729_00, -727_00, "-36350.00", 0), ("W2", 1, 2_00, 0, 2_00, "100.00", 0),
    ]  # fmt: skip
    assert await written(floor, DAY) == first
    await play_void(floor)
    first[0] = (*first[0][:-1], 1_00)
    assert await written(floor, DAY) == first, "a void game has no handle"
    floor.clock.forward(minutes=4 * 60)
    await floor.play()
    await floor.sell(other, "1 2 3 4 5: 1/5@3.00")
    await refund(floor, other, race, Payment(722_00))
    await floor.play()
    assert await written(floor, DAY) == first
    assert await written(floor, NEXT) == [
        ("W1", 1, 1_00, 0, 1_00, "100.00", 0), ("W2", 1, 3_00, 0, 3_00, "100.00", 0),
    ]  # fmt: skip


async def test_a_multi_race_ticket_counts_once_and_plays_a_part_in_each_game(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, "61: 1/1@1.00 x3")
    for _ in range(2):
        await floor.play()
    assert await written(floor, DAY) == [("W1", 1, 2_00, 6_00, -4_00, "-200.00", 0)]
    floor.clock.forward(minutes=4 * 60)
    await floor.play(drawn(1))
    assert await written(floor, NEXT) == [("W1", 1, 1_00, 0, 1_00, "100.00", 0)]


async def test_a_game_is_not_written_before_its_last_ball_is_shown(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth)
    number = await floor.lock()
    await games.close_book(floor.house, "main", number)
    proof = proof_of(drawn(1, 2, 3, 4, 5))
    await games.record_draw(floor.house, "main", number, proof, verify)
    await games.settle(floor.house, "main", number)
    assert await written(floor, DAY) == []
    await games.show(floor.house, "main", number)
    assert await written(floor, DAY) == [("W1", 1, 1_00, 9_00, -8_00, "-800.00", 0)]


async def test_a_void_game_has_no_handle_and_its_wagers_are_listed_apart(
    floor: Floor, booth: WriterContext
) -> None:
    """Five tickets of $1.00 in a void game and one in a drawn one: $1.00 is the day's handle."""
    other = await floor.booth("W2", "2")
    for by in (booth, booth, booth, booth, other):
        await floor.sell(by, "1 2 3: 1/3@1.00")
    await play_void(floor)
    assert await written(floor, DAY) == [
        ("W1", 0, 0, 0, 0, None, 4_00), ("W2", 0, 0, 0, 0, None, 1_00),
    ]  # fmt: skip
    await floor.sell(other, "1 2 3: 1/3@1.00")
    await floor.play()
    assert await written(floor, DAY) == [
        ("W1", 0, 0, 0, 0, None, 4_00), ("W2", 1, 1_00, 0, 1_00, "100.00", 1_00),
    ]  # fmt: skip
    found = await balance(floor)
    assert (found.handle_drawn_cents, found.returns_due_cents) == (1_00, 5_00)
    [day] = audit(floor.path, verify=verify)["days"]
    assert (day["handle_cents"], day["void_cents"], day["games"]) == (1_00, 5_00, 2)
