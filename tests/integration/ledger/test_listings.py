"""The listings the law names, by gaming day, and the house's two equations."""

from dataclasses import replace
from datetime import date

import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import Payment, Second
from keno.service import games, listings, payouts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import (
    APPROVALS,
    BALANCE,
    LISTINGS,
    OVERRIDES,
    VOIDS,
    WINNING_NUMBERS,
)
from tests.houses import Clock, Floor, proof_of, verify
from tests.integration.ledger.asking import changed, refused
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
    assert [row.game for row in listed] == [1, 3]
    assert listed[0].numbers.startswith("[7,1,80,79,")
    after = await listings.listed(floor.house, WINNING_NUMBERS, "main", NEXT)
    assert [row.game for row in after] == [4]


async def test_15_5_h_winning_numbers_are_there_after_more_than_a_year(floor: Floor) -> None:
    await floor.play(drawn(7))
    floor.clock.forward(days=5 * 366)
    await floor.play(drawn(8))
    assert len(await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY)) == 1


async def test_no_result_is_told_before_its_last_ball_is_shown(floor: Floor) -> None:
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(drawn(7)), verify)
    await games.settle(floor.house, "main", 1)
    assert await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY) == []
    await games.show(floor.house, "main", 1)
    assert len(await listings.listed(floor.house, WINNING_NUMBERS, "main", DAY)) == 1


async def test_15_5_e_overrides_are_listed_with_who_and_why(floor: Floor) -> None:
    command = games.Override(floor.id(), "main", 1, "delay", "S1", "a bus has arrived")
    await games.override(floor.house, command)
    await play_void(floor)
    floor.clock.forward(days=1)
    await games.override(
        floor.house, games.Override(floor.id(), "main", 2, "manual", "M1", "a storm")
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
    left = await floor.sell(booth)  # 1.00: wins 9.00, surrendered
    await floor.sell(booth, "9: 1/1@4.00 x10")  # 40.00: two played, eight undrawn
    await void(floor, booth, voided)
    await balanced(floor)
    await floor.play(drawn(1, 2, 3, 4, 5, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52))
    await balanced(floor)
    await play_void(floor)
    await floor.pay(booth, paid, 9_00)
    await refund(floor, booth, multi, Payment(13_00))
    await redeem(floor, booth, mixed, Payment(0))
    await tickets.surrender(
        floor.house,
        replace(booth, second="S1"),
        protocol.Surrender(floor.id(), left.ticket, Second("S1", ""), "never paid"),
    )
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
    assert (balance.awards_cents, balance.paid_cents) == (36_00, 18_00)
    assert (balance.open_cents, balance.expired_cents) == (0, 18_00)


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
