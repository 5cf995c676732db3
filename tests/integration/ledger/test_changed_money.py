"""15.7: awards, payouts and holds that somebody with the disk changed: a presentation halts."""

from collections.abc import Awaitable, Callable

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.errors import Refusal
from keno.protocol import Payment, Sold
from keno.service import payouts, ticket_record, tickets
from keno.service.common import StaffContext, WriterContext
from keno.store import drawer_queries
from keno.store.transaction import Reads
from tests.halting import alter, give_keyholders, resume, the_halt
from tests.houses import Floor, verify
from tests.integration.ledger.asking import heard, rows, value
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    drawn,
    give_keys,
    look,
    redeem,
    refund,
    rewrite,
    second_location,
    void,
)
from tests.rng_house import Keys
from tests.wrong_records import row_of, rule_for_paper

TEN = "1 2 3 4 5 6 7 8 9 10: 1/10@1.00"
"""Pays $100,000.00, the whole maximum, for all ten."""
ALL_TEN = list(range(1, 21))
WINS_9 = drawn(1, 2, 3, 4, 5)
LOSES = "61 62 63 64 65 66 67 68: 1/8@1.00"
NOT_THE_AWARD = frozenset(Step) - {Step.REPLAY, Step.GRADING, Step.SAMPLE, Step.BALANCE}
"""Steps of the audit that do not look at the awards of a game by themselves."""


@pytest.fixture
def keys() -> Keys:
    return Keys()


@pytest.fixture
async def other(floor: Floor, keys: Keys) -> WriterContext:
    """Writer W2 at station 2, supervisors with their keys, and keyholders."""
    await give_keyholders(floor, keys)
    await give_keys(floor)
    return await floor.booth("W2", "2", 200_000_00)


# ---------------------------------------------------------------- awards


AWARDS = {
    "raised": "UPDATE awards SET graded_cents = 140000, award_cents = 140000",
    "lowered": "UPDATE awards SET award_cents = 1",
    "raised before the maximum": "UPDATE awards SET graded_cents = 140000",
    "taken away": "DELETE FROM awards",
    "of another game": "UPDATE awards SET game = 2",
    "without a total": "UPDATE games SET graded_cents = NULL",
    "given twice": "INSERT INTO not_issued_awards VALUES ('main', 1, 2, 900, 900)",
}
WITHOUT_GUARD = {
    "raised": 1_400_00,
    "lowered": 1,
    "raised before the maximum": 9_00,
    "taken away": None,
    "of another game": 9_00,
    "without a total": 9_00,
    "given twice": 18_00,
}


@pytest.mark.parametrize("changed", AWARDS)
@pytest.mark.parametrize("naive", [False, True], ids=["graded again", "the row alone"])
async def test_15_7_an_award_that_the_ticket_did_not_win_halts_and_is_not_paid(
    floor: Floor, other: WriterContext, monkeypatch: pytest.MonkeyPatch, *, naive: bool,
    changed: str,
) -> None:  # fmt: skip
    if naive:
        monkeypatch.setattr("keno.service.by_paper.awarded_otherwise", lambda *_: {})
    sold = await floor.sell(other, f"{EIGHT} x2")
    await floor.play(WINS_9)
    await floor.play()
    alter(floor.path, AWARDS[changed])
    if naive:
        paid = WITHOUT_GUARD[changed]
        if paid is None:
            assert await heard(look(floor, other, sold)) is Refusal.NO_AWARD
        else:
            assert (await floor.pay(other, sold, paid)).cash_cents == paid, "and no supervisor"
        return
    held = await floor.ledger.read(
        lambda reads: drawer_queries.held(reads, other.shift, ["currency"])
    )
    assert await heard(floor.pay(other, sold, 1_400_00)) is Refusal.HALTED
    halt = the_halt(floor.house)
    assert (halt.fault, halt.location) == ("row", "main")
    assert halt.found == "An award of ticket 1 is not what it won."
    assert held == await floor.ledger.read(
        lambda reads: drawer_queries.held(reads, other.shift, ["currency"])
    )
    assert await rows(floor, "SELECT * FROM endings") == []
    assert await value(floor, "SELECT kind FROM audit ORDER BY seq DESC") == "Halt"


async def test_15_7_an_award_of_a_ticket_that_lost_halts(
    floor: Floor, other: WriterContext
) -> None:
    lost, won = await floor.sell(other, LOSES), await floor.sell(other, EIGHT)
    await floor.play(WINS_9)
    alter(floor.path, "UPDATE awards SET ticket = ?", lost.ticket)
    assert await heard(floor.pay(other, lost, 9_00)) is Refusal.HALTED
    assert "ticket 1" in the_halt(floor.house).found
    assert await heard(look(floor, other, won)) is Refusal.HALTED


PRESENTED: dict[str, Callable[[Floor, WriterContext, Sold], Awaitable[object]]] = {
    "look": look,
    "redeem": lambda floor, booth, sold: floor.pay(booth, sold, 9_00),
    "ask": ask,
    "ask for a refund": lambda floor, booth, sold: ask(floor, booth, sold, refund=True),
    "refund": lambda floor, booth, sold: refund(floor, booth, sold, Payment(10_00)),
    "look up": lambda floor, booth, sold: payouts.lookup(
        floor.house, booth, protocol.Lookup(floor.id(), sold.ticket, sold.code)
    ),
}


@pytest.mark.parametrize("presented", PRESENTED)
async def test_15_7_every_presentation_grades_again(
    floor: Floor, other: WriterContext, presented: str
) -> None:
    sold = await floor.sell(other, f"{EIGHT} x2")
    await floor.play(WINS_9)
    if "refund" not in presented:
        await floor.play()
    alter(floor.path, AWARDS["raised"])
    assert await heard(PRESENTED[presented](floor, other, sold)) is Refusal.HALTED
    assert the_halt(floor.house).found == "An award of ticket 1 is not what it won."


@pytest.mark.parametrize("cents", [50_000_00, 50_000_01, 100_000_00, 49_999_99])
async def test_15_3_e_a_share_of_the_maximum_is_held_to_the_total_of_its_game(
    floor: Floor, other: WriterContext, cents: int
) -> None:
    sold, _ = await floor.sell(other, TEN), await floor.sell(other, TEN)
    await floor.play(ALL_TEN)
    alter(floor.path, "UPDATE awards SET award_cents = ? WHERE ticket = 1", cents)
    if cents == 50_000_00:
        assert (await look(floor, other, sold)).awards_cents == cents
    else:
        assert await heard(look(floor, other, sold)) is Refusal.HALTED


@pytest.mark.parametrize("cents", [50_000_00, 100_000_00])
async def test_15_3_c_the_award_of_a_ticket_declared_not_issued_is_held_to_the_total_with_its_own(
    floor: Floor, other: WriterContext, cents: int
) -> None:
    """It was no part of the total, which the other winner reaches alone."""
    sold, _ = await floor.sell(other, TEN), await floor.sell(other, TEN)
    number = await floor.lock()
    await floor.declare_not_issued(other, sold)
    await floor.draw(number, ALL_TEN)
    await floor.confirm_not_issued(sold, issued=True)
    alter(floor.path, "UPDATE not_issued_awards SET award_cents = ?", cents)
    if cents == 50_000_00:
        assert (await look(floor, other, sold)).awards_cents == cents
    else:
        assert await heard(look(floor, other, sold)) is Refusal.HALTED


@pytest.mark.parametrize("changed", ["raised", "lowered", "taken away", "of another game"])
async def test_15_7_a_ticket_whose_award_was_changed_is_paid_by_its_paper(
    floor: Floor, other: WriterContext, keys: Keys, changed: str
) -> None:
    sold = await floor.sell(other, EIGHT)
    await floor.play(WINS_9)
    await floor.play()
    alter(floor.path, AWARDS[changed])
    assert await heard(look(floor, other, sold)) is Refusal.HALTED
    await resume(floor, keys)
    assert await heard(ask(floor, other, sold)) is Refusal.ALTERED, "until its paper is keyed"
    assert floor.house.halts.in_force == {}
    await rule_for_paper(floor, await row_of(floor, sold), None)
    asked = await ask(floor, other, sold)
    assert asked.amount_cents == 9_00
    await approve(floor, asked)
    await redeem(floor, other, sold, Payment(9_00))
    paid, *nothing = await rows(floor, "SELECT game, award_cents FROM paper_awards ORDER BY game")
    assert paid == {"game": 1, "award_cents": 9_00}
    assert nothing == ([{"game": 2, "award_cents": 0}] if changed == "of another game" else [])
    report = audit(floor.path, verify=verify)
    assert report["first_discrepancy"]["table"] == "awards"
    others = audit(floor.path, verify=verify, steps=NOT_THE_AWARD)
    assert others["sound"], others["first_discrepancy"]


async def test_15_7_no_claim_ends_by_a_changed_award(floor: Floor, other: WriterContext) -> None:
    sold = await floor.sell(other, EIGHT)
    await floor.play(WINS_9)
    alter(floor.path, AWARDS["lowered"])
    floor.clock.forward(days=366)
    command = payouts.Expire(floor.id(), "main", "system")
    assert await heard(payouts.expire(floor.house, command)) is Refusal.HALTED
    assert await value(floor, "SELECT count(*) FROM endings WHERE ticket = ?", sold.ticket) == 0


# ---------------------------------------------------------------- payouts whose rows are gone


PAYMENTS = {"cash": Payment(9_00), "check": Payment(0, 9_00, "check 1")}


@pytest.mark.parametrize("payment", PAYMENTS)
@pytest.mark.parametrize("naive", [False, True], ids=["traced", "the row alone"])
async def test_15_7_a_ticket_whose_payout_is_gone_halts_and_is_not_paid_twice(
    floor: Floor, other: WriterContext, keys: Keys, monkeypatch: pytest.MonkeyPatch, *,
    naive: bool, payment: str,
) -> None:  # fmt: skip
    if naive:
        monkeypatch.setattr("keno.service.claims.check_kept", lambda *_: None)
    sold = await floor.sell(other, EIGHT)
    await floor.play(WINS_9)
    await redeem(floor, other, sold, PAYMENTS[payment])
    assert await heard(floor.pay(other, sold, 9_00)) is Refusal.ALREADY_PAID
    alter(floor.path, "DELETE FROM endings")
    if naive:
        assert (await floor.pay(other, sold, 9_00)).cash_cents == 9_00, "twice"
        return
    entries = await rows(floor, "SELECT * FROM drawer")
    assert await heard(floor.pay(other, sold, 9_00)) is Refusal.HALTED
    halt = the_halt(floor.house)
    assert (halt.fault, halt.location) == ("row", "main")
    assert halt.found == "Ticket 1 was paid, and the row of its payout is gone."
    assert await rows(floor, "SELECT * FROM drawer") == entries
    await resume(floor, keys)
    for presented in ("redeem", "ask", "look", "look up"):
        assert await heard(PRESENTED[presented](floor, other, sold)) is Refusal.ALREADY_PAID
    assert floor.house.halts.in_force == {}


@pytest.mark.parametrize("naive", [False, True], ids=["traced", "the row alone"])
async def test_15_7_a_ticket_whose_refund_is_gone_is_not_refunded_twice(
    floor: Floor, other: WriterContext, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.claims.check_kept", lambda *_: None)
    sold = await floor.sell(other, f"{EIGHT} x2")
    await floor.play(WINS_9)
    await refund(floor, other, sold, Payment(10_00))
    alter(floor.path, "DELETE FROM endings")
    alter(floor.path, "UPDATE tickets SET state = 'live', ended_game = NULL, ended_leaf = NULL")
    again = refund(floor, other, sold, Payment(10_00))
    if naive:
        assert (await again).cash_cents == 10_00
        return
    assert await heard(again) is Refusal.HALTED
    assert the_halt(floor.house).found == "Ticket 1 was paid, and the row of its payout is gone."


async def test_15_7_a_supervisor_who_is_asked_again_finds_that_it_was_paid(
    floor: Floor, other: WriterContext
) -> None:
    sold = await floor.sell(other, TEN)
    await floor.play(drawn(1, 2, 3, 4, 5, 6, 7, 8, 9))
    asked = await ask(floor, other, sold)
    await approve(floor, asked)
    paid = Payment(0, asked.amount_cents, "check 1", tax_form="W-2G 1")
    await redeem(floor, other, sold, paid)
    alter(floor.path, "DELETE FROM endings")
    number = protocol.GetAuthorisation(floor.id(), asked.authorisation)
    shown = ticket_record.authorisation(floor.house, StaffContext("S1"), number, 120)
    assert await heard(shown) is Refusal.HALTED


async def test_a_ticket_of_the_same_number_at_another_location_is_paid(
    floor: Floor, other: WriterContext
) -> None:
    east = await second_location(floor)
    here, there = await floor.sell(other, EIGHT), await floor.sell(east, EIGHT)
    assert here.ticket == there.ticket
    await floor.play(WINS_9)
    await floor.play(WINS_9, "east")
    await floor.pay(other, here, 9_00)
    assert (await floor.pay(east, there, 9_00)).location == "east"


# ---------------------------------------------------------------- voids whose rows are gone


@pytest.mark.parametrize("how", ["void", "rewrite"])
@pytest.mark.parametrize("naive", [False, True], ids=["traced", "the row alone"])
async def test_15_4_e_a_voided_ticket_that_was_made_live_again_halts_and_is_not_paid(
    floor: Floor, other: WriterContext, monkeypatch: pytest.MonkeyPatch, *, naive: bool, how: str
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.claims.check_kept", lambda *_: None)
    sold = await floor.sell(other, EIGHT)
    if how == "void":
        await void(floor, other, sold)
    else:
        await tickets.void_and_rewrite(
            floor.house, *rewrite(floor, sold, await floor.sale(other, LOSES))
        )
    alter(floor.path, "DELETE FROM endings")
    alter(floor.path, "UPDATE tickets SET state = 'live', ended_game = NULL, ended_leaf = NULL")
    alter(floor.path, "UPDATE steps SET tickets = tickets + 1, cents = cents + 100 WHERE game = 1")
    await floor.play(WINS_9)
    if naive:
        assert (await floor.pay(other, sold, 9_00)).cash_cents == 9_00, "for a price given back"
        return
    assert await heard(floor.pay(other, sold, 9_00)) is Refusal.HALTED
    assert the_halt(floor.house).found == "Ticket 1 was voided, and the row of that is gone."


# ---------------------------------------------------------------- holds whose rows are gone


@pytest.mark.parametrize("kind", ["declared", "found"])
@pytest.mark.parametrize("naive", [False, True], ids=["traced", "the row alone"])
async def test_15_3_c_a_ticket_whose_hold_is_gone_halts_and_its_seller_is_not_paid(
    floor: Floor, other: WriterContext, keys: Keys, monkeypatch: pytest.MonkeyPatch, *,
    naive: bool, kind: str,
) -> None:  # fmt: skip
    if naive:
        monkeypatch.setattr("keno.service.claims.check_kept", lambda *_: None)
    booth = await floor.booth()
    sold = await floor.sell(booth, EIGHT)
    number = await floor.lock()
    if kind == "declared":
        await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    if kind == "found":
        await floor.take_not_issued(sold)
    assert await heard(floor.pay(booth, sold, 9_00)) is Refusal.HELD_NOT_ISSUED
    alter(floor.path, "DELETE FROM not_issued")
    if naive:
        assert (await floor.pay(booth, sold, 9_00)).cash_cents == 9_00, "to its seller"
        return
    assert await heard(floor.pay(booth, sold, 9_00)) is Refusal.HALTED
    halt = the_halt(floor.house)
    assert halt.found == "Ticket 1 was held as not issued, and the row of that is gone."
    assert await rows(floor, "SELECT * FROM endings") == []
    await resume(floor, keys)
    assert await heard(floor.pay(booth, sold, 9_00)) is Refusal.HELD_NOT_ISSUED
    assert floor.house.halts.in_force == {}
    await floor.take_not_issued(sold, "S2")
    await floor.confirm_not_issued(sold, "S2", "he had paid", issued=True)
    assert await heard(ask(floor, booth, sold)) is Refusal.OWN_ACT
    await approve(floor, await ask(floor, other, sold))
    assert (await redeem(floor, other, sold, Payment(9_00))).authorised_by == "S1"


@pytest.mark.parametrize("naive", [False, True], ids=["traced", "the row alone"])
async def test_15_3_c_a_ticket_confirmed_as_not_issued_whose_ending_is_gone_halts(
    floor: Floor, other: WriterContext, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    if naive:
        monkeypatch.setattr("keno.service.claims.check_kept", lambda *_: None)
    booth = await floor.booth()
    sold = await floor.sell(booth, EIGHT)
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await floor.draw(number, WINS_9)
    await floor.confirm_not_issued(sold)
    alter(floor.path, "DELETE FROM endings")
    alter(floor.path, "UPDATE not_issued SET decision = 'issued'")
    if naive:
        assert (await ask(floor, other, sold)).amount_cents == 9_00
        return
    assert await heard(ask(floor, other, sold)) is Refusal.HALTED
    found = "Ticket 1 was confirmed as not issued, and the row of that is gone."
    assert the_halt(floor.house).found == found


# ---------------------------------------------------------------- its cost


GROWS = frozenset(
    {"answers", "audit", "awards", "draws", "endings", "not_issued_awards", "tickets"}
)


async def test_a_payout_goes_through_no_table_that_grows(
    floor: Floor, other: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    sold = await floor.sell(other, EIGHT)
    await floor.play(WINS_9)
    asked: list[tuple[str, tuple[object, ...]]] = []
    reading = Reads.rows

    def noted(self: Reads, sql: str, *values: object) -> list[object]:
        asked.append((sql, values))
        return reading(self, sql, *values)  # type: ignore[return-value]

    monkeypatch.setattr(Reads, "rows", noted)
    await floor.pay(other, sold, 9_00)
    monkeypatch.undo()
    steps = []
    for sql, values in asked:
        if sql.lstrip().startswith("SELECT"):
            steps += await rows(floor, f"EXPLAIN QUERY PLAN {sql}", *values)
    said = [step["detail"] for step in steps]
    scanned = {each.split()[1] for each in said if each.startswith("SCAN")}
    assert not scanned & GROWS, said
    assert any("USING INDEX audit_of_ticket" in each for each in said)
