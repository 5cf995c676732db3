"""15.7: tickets whose record is wrong, paid by their papers after the resume."""

from datetime import date, timedelta

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.errors import Refusal
from keno.protocol import Payment, Sold
from keno.service import listings, ticket_record, views
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import EXCEPTIONS, WRITE_WIN
from keno.service.paper import FORGED
from keno.store.exception_queries import ExceptionRow
from tests.halting import alter, give_keyholders, resume, the_halt
from tests.houses import START_MS, Floor, verify
from tests.integration.ledger.asking import balance, heard, refused, rows
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    drawn,
    expire,
    look,
    redeem,
    refund,
    second_location,
)
from tests.rng_house import Keys
from tests.wrong_records import give_other_numbers, row_of, rule_for_paper

TEN = "1 2 3 4 5 6 7 8 9 10: 1/10@1.00"
"""Pays $100,000.00, the whole maximum, for all ten."""
NONE_OF_TEN = "61 62 63 64 65 66 67 68 69 70: 1/10@1.00"
ALL_TEN = list(range(1, 21))
FIVE_OF_EIGHT = drawn(1, 2, 3, 4, 5, 21, 22, 23)
SEEN_ALL = "1 2 3 4 5 21 22 23: 1/8@1.00"
"""What the cheat makes of EIGHT: $25,000.00 instead of $9.00."""
DAY = date(2026, 11, 15)
NOT_THE_ROW = frozenset(Step) - {Step.REPLAY, Step.TICKETS, Step.SAMPLE}
"""Steps of the audit that do not look at the record of a ticket by itself."""


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture(autouse=True)
async def keyholders(floor: Floor, keys: Keys) -> None:
    await give_keyholders(floor, keys)


async def settle_altered(
    floor: Floor, sold: Sold, text: str, numbers: list[int], keys: Keys
) -> None:
    """The numbers of a ticket are changed before its game is settled; its paper is ruled right."""
    paper = await row_of(floor, sold)
    number = await floor.lock()
    await give_other_numbers(floor, sold, text)
    await floor.draw(number, numbers)
    await rule_for_paper(floor, paper, keys)


def audited(floor: Floor) -> None:
    """The wrong record is found, and nothing that follows from it but was put right."""
    whole = audit(floor.path, verify=verify)
    assert whole["first_discrepancy"]["table"] == "tickets"
    report = audit(floor.path, verify=verify, steps=NOT_THE_ROW)
    assert report["sound"], report["first_discrepancy"]


async def pay(floor: Floor, booth: WriterContext, sold: Sold, cents: int) -> protocol.Paid:
    asked = await ask(floor, booth, sold)
    assert asked.amount_cents == cents
    await approve(floor, asked)
    form = "W-2G 1" if cents > 1_500_00 else ""
    return await redeem(
        floor, booth, sold, Payment(0, cents, f"check {asked.authorisation}", tax_form=form)
    )


# ---------------------------------------------------------------- graded by other numbers


async def test_15_7_a_ticket_graded_by_other_numbers_is_paid_by_its_paper_on_top_of_the_maximum(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """The true winner among two: its record lost, and the other has the whole maximum."""
    sold, real = await floor.sell(booth, TEN), await floor.sell(booth, TEN)
    await settle_altered(floor, sold, NONE_OF_TEN, ALL_TEN, keys)
    assert await rows(floor, "SELECT ticket, award_cents FROM awards") == [
        {"ticket": real.ticket, "award_cents": 100_000_00}
    ]
    told = await look(floor, other, sold)
    assert (told.awards_cents, told.needs_authorisation) == (50_000_00, True)
    asked = await ask(floor, other, sold)
    number = protocol.GetAuthorisation(floor.id(), asked.authorisation)
    shown = await ticket_record.authorisation(floor.house, StaffContext("S1"), number, 120)
    assert {check.check: check.ok for check in shown.checks} == {
        "code": True, "book": True, "draws": False, "yours": True, "amount": True,
    }, "a house without a generator has no draws to verify"  # fmt: skip
    assert shown.record.text.startswith("1 2 3 4 5 6 7 8 9 10:")
    await approve(floor, asked)
    payment = Payment(0, 50_000_00, "check 1", tax_form="W-2G 1")
    done = await redeem(floor, other, sold, payment)
    assert (done.awards_cents, done.authorised_by) == (50_000_00, "S1")
    assert await rows(floor, "SELECT * FROM paper_awards") == [
        {"location": "main", "ticket": sold.ticket, "game": 1, "graded_cents": 100_000_00,
         "award_cents": 50_000_00},
    ]  # fmt: skip
    money = await balance(floor)
    assert (money.awards_cents, money.on_top_cents) == (100_000_00, 50_000_00)
    assert (money.paid_cents, money.open_cents, money.expired_cents) == (50_000_00, 100_000_00, 0)
    [win] = await listings.listed(floor.house, WRITE_WIN, "main", DAY)
    assert win.awards_cents == 150_000_00
    found = await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    assert [each for each in found if each.kind == "paid_by_paper"] == [
        ExceptionRow("paid_by_paper", START_MS, "W2", sold.ticket, None, "2", "S1", 50_000_00,
                     "On top of the maximum of its games"),
    ]  # fmt: skip
    async with refused(floor, Refusal.ALREADY_PAID):
        await ask(floor, other, sold)
    audited(floor)


async def test_15_3_e_its_share_is_reckoned_among_the_others_without_its_record(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """The record caught nine of ten and took a part of the maximum, which is not paid now."""
    sold, real = await floor.sell(booth, TEN), await floor.sell(booth, TEN)
    await settle_altered(floor, sold, "1 2 3 4 5 6 7 8 9 61: 1/10@1.00", ALL_TEN, keys)
    [left] = await rows(floor, "SELECT award_cents FROM awards WHERE ticket = 1")
    await pay(floor, other, sold, 50_000_00)
    money = await balance(floor)
    assert (money.awards_cents, money.on_top_cents) == (100_000_00, 50_000_00)
    assert 0 < money.expired_cents == left["award_cents"]
    assert money.open_cents == (await look(floor, other, real)).awards_cents < 100_000_00
    audited(floor)


async def test_15_7_a_ticket_held_as_not_issued_before_is_paid_by_its_paper_too(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """Declared before the draw and altered: what was kept for it is not paid, its paper is."""
    sold = await floor.sell(booth, EIGHT)
    paper = await row_of(floor, sold)
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await give_other_numbers(floor, sold, SEEN_ALL)
    await floor.draw(number, FIVE_OF_EIGHT)
    await rule_for_paper(floor, paper, keys)
    assert await heard(ask(floor, other, sold)) is Refusal.HELD_NOT_ISSUED
    await floor.confirm_not_issued(sold, "S2", "he had paid", issued=True)
    await pay(floor, other, sold, 9_00)
    money = await balance(floor)
    assert (money.awards_cents, money.on_top_cents) == (0, 25_009_00)
    assert (money.paid_cents, money.expired_cents) == (9_00, 25_000_00)
    audited(floor)


async def test_15_7_what_a_wrong_record_was_awarded_is_never_paid(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """The paper has $9.00, its record $25,000.00: paid with a supervisor whatever it is."""
    sold = await floor.sell(booth, EIGHT)
    await settle_altered(floor, sold, SEEN_ALL, FIVE_OF_EIGHT, keys)
    assert (await balance(floor)).open_cents == 25_000_00
    assert await heard(floor.pay(other, sold, 25_000_00)) is Refusal.AUTHORISATION_NEEDED
    assert await heard(floor.pay(other, sold, 9_00)) is Refusal.AUTHORISATION_NEEDED
    await pay(floor, other, sold, 9_00)
    money = await balance(floor)
    assert (money.awards_cents, money.on_top_cents, money.paid_cents) == (25_000_00, 9_00, 9_00)
    assert (money.open_cents, money.expired_cents) == (0, 25_000_00)
    audited(floor)


async def test_15_7_a_paper_that_won_nothing_is_not_paid_what_its_record_won(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    sold, real = await floor.sell(booth, NONE_OF_TEN), await floor.sell(booth, TEN)
    await settle_altered(floor, sold, TEN, ALL_TEN, keys)
    async with refused(floor, Refusal.NO_AWARD):
        await look(floor, other, sold)
    assert (await look(floor, other, real)).awards_cents == 50_000_00
    floor.clock.forward(days=400)
    await expire(floor)
    money = await balance(floor)
    assert (money.on_top_cents, money.paid_cents, money.expired_cents) == (0, 0, 100_000_00)
    audited(floor)


async def test_15_7_only_the_games_that_were_graded_otherwise_are_paid_on_top(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """Two games: five caught by both numbers, then eight by the paper's and seven by the record's.

    The third is refunded, and what it would have won is not paid.
    """
    sold = await floor.sell(booth, f"{EIGHT} x3")
    paper = await row_of(floor, sold)
    await give_other_numbers(floor, sold, "1 2 3 4 5 6 7 9: 1/8@1.00 x3")
    await floor.play(drawn(1, 2, 3, 4, 5))
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7, 8))
    await rule_for_paper(floor, paper, keys)
    before = await balance(floor)
    await approve(floor, await ask(floor, other, sold, refund=True))
    payment = Payment(1_00, 25_009_00, "check 1", tax_form="W-2G 1")
    done = await refund(floor, other, sold, payment)
    assert (done.awards_cents, done.refund_cents) == (25_009_00, 1_00)
    [row] = await rows(floor, "SELECT game, award_cents FROM paper_awards")
    assert row == {"game": 2, "award_cents": 25_000_00}
    money = await balance(floor)
    assert (money.awards_cents, money.on_top_cents) == (before.awards_cents, 25_000_00)
    assert money.expired_cents == before.awards_cents - 9_00
    floor.clock.forward(minutes=5)
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7, 8))
    assert (await balance(floor)).awards_cents == before.awards_cents
    view = await views.ticket_view(floor.house, "main", sold.ticket, sold.code)
    assert [game.award_cents for game in view.games] == [9_00, 25_000_00, 0]
    audited(floor)


async def test_15_7_a_ticket_graded_as_its_paper_shows_is_paid_within_the_maximum(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    sold = await floor.sell(booth, EIGHT)
    paper = await row_of(floor, sold)
    await floor.play(FIVE_OF_EIGHT)
    alter(floor.path, "UPDATE tickets SET writer = 'W2' WHERE number = ?", sold.ticket)
    await rule_for_paper(floor, paper, keys)
    await pay(floor, other, sold, 9_00)
    assert await rows(floor, "SELECT * FROM paper_awards") == []
    money = await balance(floor)
    assert (money.awards_cents, money.on_top_cents, money.paid_cents) == (9_00, 0, 9_00)
    found = await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    [listed] = [each for each in found if each.kind == "paid_by_paper"]
    assert listed.detail == "As its games were graded"
    audited(floor)


async def test_15_7_what_is_paid_by_a_paper_is_listed_on_its_day_and_nothing_else(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """Beside it: a ticket without a paper, one with a forged paper, and one that expires."""
    by_paper, plain, forged, unclaimed = [await floor.sell(booth, EIGHT) for _ in range(4)]
    papers = [await row_of(floor, each) for each in (by_paper, forged, unclaimed)]
    number = await floor.lock()
    await give_other_numbers(floor, by_paper, SEEN_ALL)
    await floor.draw(number, FIVE_OF_EIGHT)
    alter(floor.path, "UPDATE tickets SET writer = 'W2' WHERE number = ?", unclaimed.ticket)
    await rule_for_paper(floor, papers[0], keys)
    await rule_for_paper(floor, papers[1], None, FORGED)
    await rule_for_paper(floor, papers[2], keys)
    await pay(floor, other, by_paper, 9_00)
    for sold in (plain, forged):
        await floor.pay(other, sold, 9_00)

    async def listed(location: str, day: date) -> list[tuple[int | None, str | None]]:
        found = await listings.listed(floor.house, EXCEPTIONS, location, day)
        return [(each.ticket, each.detail) for each in found if each.kind == "paid_by_paper"]

    east = await second_location(floor)
    await give_keyholders(floor, keys, "east")
    there = await floor.sell(east, EIGHT)
    assert there.ticket == by_paper.ticket
    paper = await row_of(floor, there)
    await floor.play(FIVE_OF_EIGHT, "east")
    alter(floor.path, "UPDATE tickets SET writer = 'W2' WHERE location = 'east'")
    await rule_for_paper(floor, paper, keys)
    await pay(floor, east, there, 9_00)
    assert await listed("main", DAY) == [(1, "On top of the maximum of its games")]
    assert await listed("east", DAY) == [(1, "As its games were graded")]
    for days in (-1, 1):
        assert await listed("main", DAY + timedelta(days)) == []
    floor.clock.forward(days=366)
    assert (await expire(floor)).tickets == (unclaimed.ticket,)
    assert await listed("main", DAY + timedelta(366)) == []


async def test_15_7_a_record_that_ends_sooner_does_not_expire_the_claim_of_its_paper(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    sold = await floor.sell(booth, f"{EIGHT} x2")
    paper = await row_of(floor, sold)
    await floor.play(FIVE_OF_EIGHT)
    floor.clock.forward(days=2)
    await floor.play()
    alter(floor.path, "UPDATE tickets SET last_game = 1 WHERE number = ?", sold.ticket)
    await rule_for_paper(floor, paper, keys)
    floor.clock.forward(days=364)
    assert (await expire(floor)).tickets == ()
    assert (await look(floor, other, sold)).awards_cents == 9_00
    floor.clock.forward(days=2)
    assert (await expire(floor)).tickets == (sold.ticket,)


async def test_15_7_no_claim_ends_by_a_wrong_record(
    floor: Floor, booth: WriterContext, other: WriterContext, keys: Keys
) -> None:
    """Its last game was changed to the first, so its year would be over sooner."""
    sold, right = await floor.sell(booth, f"{EIGHT} x2"), await floor.sell(booth, EIGHT)
    paper = await row_of(floor, sold)
    await floor.play(FIVE_OF_EIGHT)
    floor.clock.forward(days=2)
    await floor.play()
    alter(floor.path, "UPDATE tickets SET last_game = 1 WHERE number = ?", sold.ticket)
    floor.clock.forward(days=364)
    assert await heard(expire(floor)) is Refusal.HALTED
    await resume(floor, keys)
    assert (await expire(floor)).tickets == (right.ticket,)
    await rule_for_paper(floor, paper, None)
    assert (await look(floor, other, sold)).awards_cents == 9_00
    floor.clock.forward(days=2)
    assert (await expire(floor)).tickets == (sold.ticket,)


# ---------------------------------------------------------------- what no code covers


@pytest.mark.parametrize("changed", ["masks", "shape", "structure"])
@pytest.mark.parametrize("naive", [False, True], ids=["held to its request", "the code alone"])
async def test_15_7_a_record_that_is_graded_by_other_than_its_request_halts_when_presented(
    floor: Floor,
    other: WriterContext,
    keys: Keys,
    monkeypatch: pytest.MonkeyPatch,
    *,
    naive: bool,
    changed: str,
) -> None:
    """Neither the code nor the leaf holds what a ticket is graded by."""
    if naive:
        monkeypatch.setattr("keno.service.by_paper.is_graded_as_sold", lambda *_: True)
        monkeypatch.setattr("keno.service.by_paper.awarded_otherwise", lambda *_: {})
    sold = await floor.sell(other, EIGHT)
    dear = await floor.sell(other, "1 2 3 4 5 6 7 8: 1/8@2.00")
    number = await floor.lock()
    if changed == "masks":
        await give_other_numbers(floor, sold, SEEN_ALL, shown=False)
    elif changed == "shape":
        shape = (await row_of(floor, dear)).shape
        alter(floor.path, "UPDATE tickets SET shape = ? WHERE number = ?", shape, sold.ticket)
    else:
        alter(floor.path, "UPDATE shapes SET structure = replace(structure, '100', '300')")
    await floor.draw(number, FIVE_OF_EIGHT)
    if naive:
        wrong = {"masks": 25_000_00, "shape": 18_00, "structure": 27_00}[changed]
        assert (await look(floor, other, sold)).awards_cents == wrong, "what nobody played"
        return
    assert await heard(look(floor, other, sold)) is Refusal.HALTED
    halt = the_halt(floor.house)
    assert (halt.fault, halt.found) == ("row", "The record of ticket 1 is not what was sold.")
    await resume(floor, keys)
    assert await heard(ask(floor, other, sold)) is Refusal.ALTERED, "until its paper is keyed"
    assert floor.house.halts.in_force == {}
