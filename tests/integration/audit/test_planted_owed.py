"""15.6(b): a house that handed over what had to wait, or paid it wrongly: the audit finds it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import Step
from keno.domain.shift import Tender
from keno.domain.states import DrawerKind, TenderKind
from keno.protocol import Payment, Sold
from keno.service import payouts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from keno.store.transaction import Transaction
from tests.houses import Floor, rewriting
from tests.integration.audit.busy import LOW, approve, give_key
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.test_planted import Patch, ledger, nothing
from tests.integration.audit.test_planted_limits import unguarded

LARGE = "1/2/3/4/5/6/7/8/9/10: 45/2@20.00 x2"
"""Costs $1,800.00."""
Acts = Callable[[Floor, WriterContext], Awaitable[None]]


async def voided(floor: Floor, booth: WriterContext, *parts: Tender) -> Sold:
    """A ticket of $1,800.00 that was voided, and a supervisor with a key."""
    await give_key(floor, "S1")
    tender = parts or (Tender(TenderKind.CURRENCY, 1_800_00),)
    sold = await sell(floor.house, await floor.sale(booth, LARGE, tender=tender))
    command = protocol.Void(floor.id(), sold.ticket, sold.code)
    await tickets.void(floor.house, booth, command)
    return sold


async def redeem(floor: Floor, booth: WriterContext, sold: Sold, payment: Payment) -> None:
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, payment)
    await payouts.redeem(floor.house, booth, command)


async def paid(floor: Floor, booth: WriterContext, *parts: Tender) -> None:
    """A void of $1,800.00 whose money was authorised and handed over."""
    sold = await voided(floor, booth, *parts)
    await approve(floor, 1, "S1")
    coupons = sum(each.cents for each in parts if each.kind is TenderKind.COUPON)
    await redeem(floor, booth, sold, Payment(1_800_00 - coupons))


async def refunded(floor: Floor, booth: WriterContext) -> Sold:
    await give_key(floor, "S1")
    sold = await floor.sell(booth, "1 2 3 4 5 6 7: 1/7@1.00 x3")
    await floor.play(LOW)
    payment = Payment(8_002_00, tax_form="W-2G 1")
    command = protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
    await payouts.refund(floor.house, booth, command)
    return sold


async def a_void(floor: Floor, booth: WriterContext) -> None:
    await voided(floor, booth)


@pytest.mark.parametrize("gate", ["tickets", "payouts"])
def test_15_6_b_1500_00_that_was_handed_over_without_a_supervisor(
    tmp_path: Path, monkeypatch: Patch, gate: str
) -> None:
    monkeypatch.setattr(f"keno.service.{gate}.must_wait", lambda _: False)
    monkeypatch.setattr("keno.service.payouts.use_authorisation", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await (voided if gate == "tickets" else refunded)(floor, booth)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "owed_cents")


def test_15_6_b_money_below_1500_00_that_was_made_to_wait(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """The net of a rewrite is $1,440.00: that it gave back nothing at once makes it no larger."""
    monkeypatch.setattr("keno.service.tickets.must_wait", lambda _: True)
    monkeypatch.setattr("keno.service.tickets.given_at_once",
                        lambda *_: dict.fromkeys(DrawerKind, 0))  # fmt: skip

    async def events(floor: Floor, booth: WriterContext) -> None:
        old = await floor.sell(booth, LARGE)
        sale = await floor.sale(booth, "1/2/3/4/5/6/7/8/9/10: 45/2@8.00")
        await tickets.void_and_rewrite(floor.house, *rewriting(floor.id(), old, sale))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "owed_cents")


def test_15_6_b_a_rewrite_that_gave_other_kinds_at_once(tmp_path: Path, monkeypatch: Patch) -> None:
    """The new ticket is paid in cash: of the old one's cash it takes what it costs."""
    other = dict.fromkeys(DrawerKind, 0) | {DrawerKind.GAMING_CHIPS: 100}
    monkeypatch.setattr("keno.service.tickets.given_at_once", lambda *_: other)

    async def events(floor: Floor, booth: WriterContext) -> None:
        kinds = Tender(TenderKind.GAMING_CHIPS, 900_00), Tender(TenderKind.CURRENCY, 900_00)
        old = await sell(floor.house, await floor.sale(booth, LARGE, tender=kinds))
        sale = await floor.sale(booth, "1: 1/1@1.00")
        await tickets.void_and_rewrite(floor.house, *rewriting(floor.id(), old, sale))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("endings", ("main", 1), "in_chips_cents")


def test_15_6_b_owed_money_of_which_no_supervisor_was_told(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.tickets.ask_for", lambda *_: 1)
    first = found_only_by(ledger(tmp_path, a_void), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "owed_cents")


def test_15_6_b_a_supervisor_who_was_asked_for_another_amount(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    insert = Transaction.insert

    def other(tx: Transaction, table: str, **values: object) -> None:
        values |= {"amount_cents": 1_700_00} if table == "authorisations" else {}
        insert(tx, table, **values)

    monkeypatch.setattr(Transaction, "insert", other)
    first = found_only_by(ledger(tmp_path, a_void), Step.ENDINGS)
    assert first["column"] in ("amount_cents", "owed_cents")


def test_15_6_b_owed_money_paid_by_who_authorised_it(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.authorising.check_authorised", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await voided(floor, booth)
        await approve(floor, 1, "S1")
        await redeem(floor, await floor.booth("S1", "2"), sold, Payment(1_800_00))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("owed_payments", ("main", 1), "authorisation")


def test_15_6_b_owed_money_paid_on_a_lapsed_approval(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.authorising.why_not_usable", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await voided(floor, booth)
        await approve(floor, 1, "S1")
        floor.clock.forward(days=2)
        await redeem(floor, booth, sold, Payment(1_800_00))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("authorisations", (1,), "state")


def test_15_6_b_more_paid_than_was_owed(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.owed.check_payment", nothing)
    monkeypatch.setattr("keno.service.owed.give_back", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await voided(floor, booth)
        await approve(floor, 1, "S1")
        async with unguarded(floor, "paid_as_owed"):
            await redeem(floor, booth, sold, Payment(1_801_00))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS, Step.DRAWERS)
    assert named(first) == ("owed_payments", ("main", 1), "cash_cents")


def test_15_6_b_owed_money_that_did_not_leave_the_drawer(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.owed.give_back", nothing)
    first = found_only_by(ledger(tmp_path, paid), Step.DRAWERS)
    assert named(first) == ("drawer", (1,), "cents")


def test_15_6_b_owed_chips_that_were_paid_in_cash_unrecorded(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    all_cash = dict.fromkeys(DrawerKind, 0) | {DrawerKind.CASH: 1_800_00}
    monkeypatch.setattr("keno.service.owed.owed_kinds", lambda _: dict(all_cash))

    async def events(floor: Floor, booth: WriterContext) -> None:
        await paid(floor, booth, Tender(TenderKind.GAMING_CHIPS, 1_800_00))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("owed_payments", ("main", 1), "in_chips_cents")


def test_15_6_b_an_owed_coupon_that_was_never_issued(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.owed.give_coupon_back", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.registered(300_00, "PROMO-1")
        kinds = Tender(TenderKind.COUPON, 300_00, "PROMO-1"), Tender(TenderKind.CURRENCY, 1_500_00)
        await paid(floor, booth, *kinds)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("owed_payments", ("main", 1), "coupon_cents")


def test_15_6_a_refund_that_waited_paid_without_its_tax_form(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.owed.check_payment", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await refunded(floor, booth)
        await approve(floor, 1, "S1")
        await redeem(floor, booth, sold, Payment(8_002_00))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("owed_payments", ("main", 1), "tax_form")


def test_15_6_b_owed_money_of_a_held_ticket(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.owed.is_held", lambda *_: False)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await voided(floor, booth)
        await approve(floor, 1, "S1")
        hold = protocol.Hold(floor.id(), "main", sold.ticket, "two people claim it")
        await tickets.hold(floor.house, StaffContext("S1"), hold)
        await redeem(floor, booth, sold, Payment(1_800_00))

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("owed_payments", ("main", 1), "ms")


def test_15_6_a_check_that_paid_before_and_then_what_was_owed(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.payment.is_check_used", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        async with unguarded(floor, "a_check_of_what_was_owed_works_once"):
            for number in (1, 2):
                sold = await voided(floor, booth)
                await approve(floor, number, "S1")
                await redeem(floor, booth, sold, Payment(0, 1_800_00, "77"))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("owed_payments", ("main", 2), "check_number")


def test_15_6_b_an_approval_that_a_refund_let_lapse_without_cause(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """It was for the amount of the refund, and could have been used."""
    monkeypatch.setattr("keno.service.payouts.is_approved", lambda *_: False)
    monkeypatch.setattr("keno.service.owed.OTHER_AMOUNT", "for no reason")

    async def events(floor: Floor, booth: WriterContext) -> None:
        await give_key(floor, "S1")
        sold = await floor.sell(booth, "1 2 3 4 5 6 7: 1/7@1.00 x3")
        await floor.play(LOW)
        ask = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code, refund=True)
        await payouts.request_authorisation(floor.house, booth, ask)
        await approve(floor, 1, "S1")

        def lapse_anyway(tx: Transaction, *_: object) -> int:
            tx.change("authorisations", {"authorisation": 1}, state="lapsed", answered_by=None,
                      answered_ms=tx.now_ms, signature=None, reason="x", given_by="S1")  # fmt: skip
            tx.insert("authorisations", authorisation=2, location="main", ticket=1,
                      amount_cents=8_002_00, asked_by="W1", asked_shift=booth.shift,
                      asked_ms=tx.now_ms, state="pending")  # fmt: skip
            return 2

        monkeypatch.setattr("keno.service.owed._ask", lapse_anyway)
        command = protocol.Refund(floor.id(), sold.ticket, sold.code, Payment(8_002_00))
        await payouts.refund(floor.house, booth, command)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("authorisations", (1,), "state")


def test_15_6_b_owed_money_approved_by_who_ended_the_ticket(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.payouts.check_not_own_act", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await give_key(floor, "S1")
        sold = await floor.sell(booth, LARGE)
        ended = protocol.Void(floor.id(), sold.ticket, sold.code)
        await tickets.void(floor.house, await floor.booth("S1", "2"), ended)
        no = protocol.Authorise(floor.id(), 1, approve=False, reason="not now")
        await payouts.authorise(floor.house, StaffContext("M1"), no)
        asked = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
        await payouts.request_authorisation(floor.house, booth, asked)
        await approve(floor, 2, "S1")
        await redeem(floor, booth, sold, Payment(1_800_00))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("owed_payments", ("main", 1), "authorisation")


def test_15_4_c_a_rewrite_that_changed_chips_to_cash(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.tickets._check_changed", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        old = await floor.sell(booth, LARGE)
        tender = (Tender(TenderKind.GAMING_CHIPS, 1_800_00),)
        sale = await floor.sale(booth, LARGE, tender=tender)
        await tickets.void_and_rewrite(floor.house, *rewriting(floor.id(), old, sale))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("endings", ("main", 1), "rewritten_as")
