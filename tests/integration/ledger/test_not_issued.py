"""15.3(c): a printed ticket that was not paid for, after lock-out: held, decided with its paper."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from msgspec import structs

from keno import protocol
from keno.domain.errors import Refusal
from keno.protocol import Payment, Second
from keno.service import listings, not_issued, shifts
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import EXCEPTIONS, LISTINGS, WRITE_WIN
from keno.store.exception_queries import ExceptionRow
from keno.store.not_issued_queries import NotIssuedRow
from keno.store.transaction import Transaction
from tests.houses import START_MS, Floor
from tests.integration.ledger.asking import balance, heard, refused, rows, sound, twice, value
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    declare_void,
    drawer,
    drawn,
    expire,
    look,
    redeem,
    refund,
    void,
)

TEN = "1 2 3 4 5 6 7 8 9 10: 1/10@1.00"
"""Pays $100,000.00, the whole maximum, for all ten."""
WINS_9 = drawn(1, 2, 3, 4, 5)
ALL_TEN = list(range(1, 21))
WRONG_CODE = "0000000000000000"
DAY = date(2026, 11, 15)  # 02:00 in New York, before the gaming day of the 16th begins


async def of_tickets(floor: Floor, day: date) -> list[ExceptionRow]:
    """The exceptions of a day that are about a ticket."""
    found = await listings.listed(floor.house, EXCEPTIONS, "main", day)
    return [each for each in found if each.ticket is not None]


# ---------------------------------------------------------------- declared before the draw


async def test_15_3_c_a_ticket_declared_before_the_draw_is_held_and_its_price_is_owed(
    floor: Floor, booth: WriterContext
) -> None:
    sold, issued = await floor.sell(booth), await floor.sell(booth)
    number = await floor.lock()
    command = protocol.DeclareNotIssued(floor.id(), sold.ticket)
    done = await twice(floor, not_issued.declare_not_issued, booth, command, ticket=issued.ticket)
    assert (done.location, done.ticket, done.ms) == ("main", sold.ticket, START_MS)
    assert await rows(floor, "SELECT * FROM endings") == []
    assert await drawer(floor, booth) == {"cash": 10_002_00}
    [row] = await rows(floor, "SELECT * FROM not_issued")
    assert row == {
        "location": "main", "ticket": sold.ticket, "kind": "declared", "game": number,
        "writer": "W1", "station": "1", "shift": booth.shift, "taken_by": None, "reason": None,
        "ms": START_MS, "decision": None, "decided_by": None, "decided_reason": None,
        "decided_ms": None,
    }  # fmt: skip
    async with refused(floor, Refusal.HELD_NOT_ISSUED):
        await floor.declare_not_issued(booth, sold)
    async with refused(floor, Refusal.HELD_NOT_ISSUED):
        await void(floor, booth, sold)
    settled = await floor.draw(number, WINS_9)
    assert (settled.winners, settled.awards_cents) == (1, 9_00)
    assert await heard(floor.pay(booth, sold, 9_00)) is Refusal.HELD_NOT_ISSUED
    assert (await floor.pay(booth, issued, 9_00)).cash_cents == 9_00
    sound(floor)


async def test_15_3_c_only_its_writer_declares_it_at_its_station_in_its_shift(
    floor: Floor, booth: WriterContext, other: WriterContext
) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.STILL_OPEN):
        await floor.declare_not_issued(booth, sold)
    await floor.lock()
    async with refused(floor, Refusal.NOT_ALLOWED):
        await floor.declare_not_issued(other, sold)
    async with refused(floor, Refusal.UNKNOWN_TICKET):
        await floor.declare_not_issued(booth, structs.replace(sold, ticket=99))
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await floor.declare_not_issued(replace(booth, shift=99), sold)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await floor.declare_not_issued(replace(booth, station="3"), sold)
    await floor.declare_not_issued(booth, sold)


async def test_15_3_c_its_writer_does_not_declare_it_at_another_station_or_in_a_later_shift(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.lock()
    moved = replace(booth, station="2")
    await shifts.move_shift(floor.house, moved, protocol.MoveShift(floor.id()))
    async with refused(floor, Refusal.NOT_ALLOWED):
        await floor.declare_not_issued(moved, sold)
    await shifts.move_shift(floor.house, booth, protocol.MoveShift(floor.id()))
    command = protocol.CloseShift(floor.id(), {"currency": 10_001_00}, Second("S1", ""))
    await shifts.close_shift(floor.house, replace(booth, second="S1"), command)
    later = await floor.booth(booth.writer, booth.station)
    async with refused(floor, Refusal.NOT_ALLOWED):
        await floor.declare_not_issued(later, sold)


async def test_15_3_c_not_in_a_void_game_nor_once_the_generator_has_answered(
    floor: Floor, booth: WriterContext
) -> None:
    first, second = await floor.sell(booth), await floor.sell(booth)
    number = await floor.lock()

    def answer(tx: Transaction) -> None:
        tx.insert("draws", location="main", game=number, step="result", message="{}")

    await floor.ledger.write("StoreDrawMessage", "conductor", answer)
    async with refused(floor, Refusal.DRAW_RECORDED):
        await floor.declare_not_issued(booth, first)
    await declare_void(floor, number)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await floor.declare_not_issued(booth, second)


# ---------------------------------------------------------------- decided with the paper


async def test_15_3_c_a_supervisor_confirms_with_the_paper_and_no_award_is_payable(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    for supervisor, code, reason, why in (
        ("W2", sold.code, "left", Refusal.NOT_ALLOWED),
        ("I1", sold.code, "left", Refusal.NOT_ALLOWED),
        ("nobody", sold.code, "left", Refusal.UNKNOWN_PERSON),
        ("S1", sold.code, " ", Refusal.REASON_EMPTY),
        ("S1", WRONG_CODE, "left", Refusal.ALTERED),
    ):
        async with refused(floor, why):
            await floor.confirm_not_issued(sold, supervisor, reason, code=code)
    command = protocol.ConfirmNotIssued(
        floor.id(), sold.ticket, sold.code, "the patron left", location="main"
    )
    by = StaffContext("S1")
    await twice(floor, not_issued.confirm_not_issued, by, command, issued=True)
    [ending] = await rows(floor, "SELECT * FROM endings")
    assert (ending["kind"], ending["supervisor"], ending["reason"], ending["shift"]) == (
        "surrender", "S1", "the patron left", None,
    )  # fmt: skip
    assert await heard(floor.pay(booth, sold, 9_00)) is Refusal.NOT_ISSUED
    async with refused(floor, Refusal.NOT_ISSUED):
        await floor.confirm_not_issued(sold, issued=True)
    told = await balance(floor)
    assert (told.awards_cents, told.on_top_cents, told.expired_cents) == (0, 0, 0)
    assert told.handle_drawn_cents == 1_00  # it is in the book and in the handle
    sound(floor)


async def test_15_3_c_a_supervisor_who_sold_it_does_not_decide(floor: Floor) -> None:
    own = await floor.booth("S1")
    sold, late = await floor.sell(own), await floor.sell(own)
    number = await floor.lock()
    await floor.declare_not_issued(own, sold)
    async with refused(floor, Refusal.OWN_ACT):
        await floor.confirm_not_issued(sold)
    await floor.draw(number)
    async with refused(floor, Refusal.OWN_ACT):
        await floor.take_not_issued(late)
    await floor.confirm_not_issued(sold, "S2")


# ---------------------------------------------------------------- the maximum


@pytest.mark.parametrize("holds", [True, False], ids=["guarded", "naive"])
async def test_15_3_e_the_winner_has_the_whole_maximum_though_a_ticket_not_issued_won_too(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    if not holds:
        monkeypatch.setattr("keno.store.not_issued_queries.declared", lambda *_: set())
    left, real = await floor.sell(booth, TEN), await floor.sell(booth, TEN)
    number = await floor.lock()
    await floor.declare_not_issued(booth, left)
    settled = await floor.draw(number, ALL_TEN)
    awards = await rows(floor, "SELECT ticket, award_cents FROM awards ORDER BY ticket")
    won = {row["ticket"]: row["award_cents"] for row in awards}
    assert (won.get(real.ticket) == 100_000_00) is holds
    if not holds:
        assert won == {left.ticket: 50_000_00, real.ticket: 50_000_00}
        return
    assert won == {real.ticket: 100_000_00}
    assert (settled.winners, settled.graded_cents, settled.awards_cents) == (
        1, 100_000_00, 100_000_00,
    )  # fmt: skip
    [apart] = await rows(floor, "SELECT * FROM not_issued_awards")
    assert (apart["ticket"], apart["graded_cents"], apart["award_cents"]) == (
        left.ticket, 100_000_00, 50_000_00,
    )  # fmt: skip
    [game] = await rows(floor, "SELECT tickets, handle_cents, leaves FROM games WHERE game = 1")
    assert (game["tickets"], game["handle_cents"], game["leaves"]) == (2, 2_00, 2)
    sound(floor)


async def test_15_3_e_several_that_were_not_issued_are_each_reckoned_among_the_winners_alone(
    floor: Floor, booth: WriterContext
) -> None:
    """The real winner has 25,000.00; each of the others would have 80,000.00 of the rest."""
    apart = [await floor.sell(booth, text) for text in (TEN, TEN, "80: 1/1@1.00")]
    real = await floor.sell(booth, EIGHT)
    number = await floor.lock()
    for each in apart:
        await floor.declare_not_issued(booth, each)
    await floor.draw(number, ALL_TEN)
    assert await value(floor, "SELECT award_cents FROM awards") == 25_000_00
    found = await rows(floor, "SELECT award_cents FROM not_issued_awards")
    assert [row["award_cents"] for row in found] == [80_000_00, 80_000_00]
    assert await value(floor, "SELECT ticket FROM awards") == real.ticket
    sound(floor)


# ---------------------------------------------------------------- issued after all


async def test_15_3_c_issued_after_all_is_paid_on_top_of_the_maximum_by_authorisation(
    floor: Floor, booth: WriterContext, other: WriterContext
) -> None:
    left, real = await floor.sell(booth, TEN), await floor.sell(booth, TEN)
    number = await floor.lock()
    await floor.declare_not_issued(booth, left)
    await floor.draw(number, ALL_TEN)
    assert await heard(ask(floor, other, left)) is Refusal.HELD_NOT_ISSUED
    await floor.confirm_not_issued(left, "S2", "he paid, and his wife has the slip", issued=True)
    told = await balance(floor)
    assert (told.awards_cents, told.on_top_cents) == (100_000_00, 50_000_00)
    assert (told.open_cents, told.paid_cents) == (150_000_00, 0)
    for sold, cents in ((left, 50_000_00), (real, 100_000_00)):
        await approve(floor, await ask(floor, other, sold))
        payment = Payment(0, cents, f"check for {cents}", tax_form="W-2G 1")
        done = await redeem(floor, other, sold, payment)
        assert (done.awards_cents, done.authorised_by) == (cents, "S1")
    told = await balance(floor)
    assert (told.awards_cents, told.on_top_cents) == (100_000_00, 50_000_00)
    assert (told.open_cents, told.paid_cents) == (0, 150_000_00)
    [win] = await listings.listed(floor.house, WRITE_WIN, "main", DAY)
    assert (win.write_cents, win.awards_cents) == (2_00, 150_000_00)
    found = await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    assert [each for each in found if each.kind == "paid_not_issued"] == [
        ExceptionRow("paid_not_issued", START_MS, "W2", left.ticket, None, "2", "S1", 50_000_00,
                     "On top of the maximum of its games"),
    ]  # fmt: skip
    sound(floor)


async def test_15_6_b_a_ticket_issued_after_all_needs_an_authorisation_whatever_it_pays(
    floor: Floor, booth: WriterContext, other: WriterContext
) -> None:
    sold = await floor.sell(booth)
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    await floor.confirm_not_issued(sold, "S2", "he came back", issued=True)
    assert (await look(floor, other, sold)).needs_authorisation
    assert await heard(floor.pay(other, sold, 9_00)) is Refusal.AUTHORISATION_NEEDED
    assert await heard(ask(floor, booth, sold)) is Refusal.OWN_ACT
    asked = await ask(floor, other, sold)
    async with refused(floor, Refusal.NOT_ALLOWED):
        await approve(floor, asked, "W1")
    await approve(floor, asked)
    assert await heard(floor.pay(booth, sold, 9_00)) is Refusal.OWN_ACT
    assert (await floor.pay(other, sold, 9_00)).authorised_by == "S1"
    assert await heard(floor.pay(other, sold, 9_00)) is Refusal.ALREADY_PAID
    sound(floor)


async def test_a_multi_race_has_no_share_in_any_of_its_games_and_is_refunded_as_an_exception(
    floor: Floor, booth: WriterContext, other: WriterContext
) -> None:
    sold = await floor.sell(booth, EIGHT + " x3")
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    await floor.confirm_not_issued(sold, issued=True)
    await floor.play(WINS_9)
    assert await rows(floor, "SELECT * FROM awards") == []
    assert len(await rows(floor, "SELECT * FROM not_issued_awards")) == 2
    asked = await ask(floor, other, sold, refund=True)
    assert asked.amount_cents == 9_00 + 9_00 + 1_00
    await approve(floor, asked)
    await refund(floor, other, sold, Payment(19_00))
    told = await balance(floor)
    assert (told.awards_cents, told.on_top_cents, told.paid_cents) == (0, 18_00, 18_00)
    sound(floor)


async def test_15_6_c_a_ticket_held_as_not_issued_expires_with_its_claim(
    floor: Floor, booth: WriterContext
) -> None:
    kept, free = await floor.sell(booth), await floor.sell(booth)
    number = await floor.lock()
    for each in (kept, free):
        await floor.declare_not_issued(booth, each)
    await floor.draw(number, WINS_9)
    await floor.confirm_not_issued(free, issued=True)
    floor.clock.forward(days=366)
    done = await expire(floor)
    assert (done.tickets, done.awards_cents) == ((kept.ticket, free.ticket), 18_00)
    told = await balance(floor)
    assert (told.on_top_cents, told.expired_cents) == (9_00, 9_00)
    for sold, issued in ((free, True), (kept, True), (kept, False)):
        async with refused(floor, Refusal.EXPIRED):
            await floor.confirm_not_issued(sold, issued=issued)
    sound(floor)


# ---------------------------------------------------------------- found after the draw


async def test_15_3_c_what_is_found_after_the_draw_is_held_listed_and_not_paid_to_its_writer(
    floor: Floor, booth: WriterContext, other: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.lock()
    async with refused(floor, Refusal.DRAWING):
        await floor.take_not_issued(sold)
    await floor.draw(1, WINS_9)
    async with refused(floor, Refusal.ALTERED):
        await floor.take_not_issued(sold, code=WRONG_CODE)
    await floor.take_not_issued(sold)
    async with refused(floor, Refusal.HELD_NOT_ISSUED):
        await floor.take_not_issued(sold)
    async with refused(floor, Refusal.DRAW_RECORDED):  # with the paper it does not end either
        await floor.confirm_not_issued(sold)
    assert await drawer(floor, booth) == {"cash": 10_001_00}
    [row] = await listings.listed(floor.house, LISTINGS["not_issued"], "main", DAY)
    assert (row.kind, row.award_cents, row.decision) == ("found", 9_00, "unconfirmed")
    told = await balance(floor)
    assert (told.awards_cents, told.on_top_cents, told.open_cents) == (9_00, 0, 9_00)
    for writer in (booth, other):
        assert await heard(floor.pay(writer, sold, 9_00)) is Refusal.HELD_NOT_ISSUED
    await floor.confirm_not_issued(sold, "S2", "it was his: he showed the request", issued=True)
    assert await heard(ask(floor, booth, sold)) is Refusal.OWN_ACT
    await approve(floor, await ask(floor, other, sold))
    assert (await floor.pay(other, sold, 9_00)).cash_cents == 9_00
    told = await balance(floor)
    assert (told.awards_cents, told.on_top_cents, told.paid_cents) == (9_00, 0, 9_00)
    sound(floor)


async def test_15_3_c_a_ticket_held_and_released_is_not_held_again(
    floor: Floor, booth: WriterContext
) -> None:
    declared, taken = await floor.sell(booth), await floor.sell(booth)
    number = await floor.lock()
    await floor.declare_not_issued(booth, declared)
    await floor.confirm_not_issued(declared, issued=True)
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await floor.declare_not_issued(booth, declared)
    await floor.draw(number, WINS_9)
    await floor.take_not_issued(taken)
    await floor.confirm_not_issued(taken, issued=True)
    for each in (declared, taken):
        async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
            await floor.take_not_issued(each)


# ---------------------------------------------------------------- what is listed


async def test_15_3_c_what_is_unconfirmed_at_the_days_end_is_an_exception_of_that_day(
    floor: Floor, booth: WriterContext
) -> None:
    early, late, never = [await floor.sell(booth) for _ in range(3)]
    number = await floor.lock()
    for each in (early, late, never):
        await floor.declare_not_issued(booth, each)
    await floor.draw(number, WINS_9)
    await floor.confirm_not_issued(early)
    floor.clock.forward(days=1)
    await floor.confirm_not_issued(late, "S2", "found in the drawer")
    found = await of_tickets(floor, DAY)
    assert [(each.kind, each.ticket, each.actor, each.second) for each in found] == [
        ("not_issued", late.ticket, "W1", None),
        ("not_issued", never.ticket, "W1", None),
        ("surrender", early.ticket, "W1", "S1"),
    ]
    assert found[0].detail == "No supervisor has confirmed it with its paper."
    assert found[0].cents == 1_00
    after = await of_tickets(floor, DAY + timedelta(days=1))
    assert [(each.kind, each.ticket, each.second) for each in after] == [
        ("surrender", late.ticket, "S2"),
    ]


async def test_15_3_c_the_listing_tells_what_was_declared_confirmed_and_unconfirmed(
    floor: Floor, booth: WriterContext
) -> None:
    sold = [await floor.sell(booth) for _ in range(4)]
    number = await floor.lock()
    for each in sold[:3]:
        await floor.declare_not_issued(booth, each)
    hidden = await listings.listed(floor.house, LISTINGS["not_issued"], "main", DAY)
    assert {row.award_cents for row in hidden} == {0}
    await floor.draw(number, WINS_9)
    floor.clock.forward(minutes=5)
    await floor.confirm_not_issued(sold[0])
    await floor.confirm_not_issued(sold[1], "S2", "he came back", issued=True)
    await floor.take_not_issued(sold[3])
    later = START_MS + 300_000
    assert await listings.listed(floor.house, LISTINGS["not_issued"], "main", DAY) == [
        NotIssuedRow(1, "declared", 1, START_MS, "W1", "1", None, None, 1_00, 9_00, "confirmed",
                     "S1", later, "not paid for", 0),
        NotIssuedRow(2, "declared", 1, START_MS, "W1", "1", None, None, 1_00, 9_00, "issued",
                     "S2", later, "he came back", 0),
        NotIssuedRow(3, "declared", 1, START_MS, "W1", "1", None, None, 1_00, 9_00, "unconfirmed",
                     None, None, None, 0),
        NotIssuedRow(4, "found", 1, later, "W1", "1", "S1", "in the drawer at the count", 1_00,
                     9_00, "unconfirmed", None, None, None, 0),
    ]  # fmt: skip


async def test_a_ticket_held_as_not_issued_does_not_keep_a_shift_open(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    await floor.lock()
    await floor.declare_not_issued(booth, sold)
    by = replace(booth, second="S1")
    command = protocol.CloseShift(floor.id(), {"currency": 10_001_00}, Second("S1", ""))
    done = await shifts.close_shift(floor.house, by, command)
    assert done.expected_cents["cash"] == 10_001_00
    assert done.over_short_cents["cash"] == 0
    assert done.tickets == ()
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await floor.declare_not_issued(booth, sold)
