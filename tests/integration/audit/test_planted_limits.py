"""A house that forgot a limit, a check number or a tax form: the audit finds it by itself."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import Step
from keno.domain.money import CENTS_MAX
from keno.protocol import Payment, PreviousOrigin, Second
from keno.service import payouts, shifts
from keno.service.common import WriterContext
from keno.service.sell import sell
from keno.store.transaction import Transaction
from tests.houses import Floor
from tests.integration.audit.busy import EIGHT, LOW
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.test_planted import Patch, ledger, nothing

ABOVE = CENTS_MAX + 1


@asynccontextmanager
async def unguarded(floor: Floor, trigger: str) -> AsyncIterator[None]:
    """The ledger without one of its triggers for a while."""
    sql = "SELECT sql FROM sqlite_master WHERE name = ?"
    found = await floor.ledger.read(lambda reads: str(reads.value(sql, trigger)))
    await run(floor, f"DROP TRIGGER {trigger}")
    yield
    await run(floor, found)


async def run(floor: Floor, sql: str) -> None:
    def work(tx: Transaction) -> None:
        tx.connection.execute(sql)

    await floor.ledger.write("-", "-", work)


async def pay(floor: Floor, booth: WriterContext, payment: Payment) -> None:
    sold = await floor.sell(booth, "1 2 3: 1/3@1.00")
    await floor.play(LOW)
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, payment)
    await payouts.redeem(floor.house, booth, command)


def test_15_6_a_check_number_that_is_used_twice(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.payment.is_check_used", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        async with unguarded(floor, "a_check_works_once"):
            for number in ("B-77", "B-78", "b-7 7"):
                await pay(floor, booth, Payment(0, 42_00, number))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 3), "check_number")


@pytest.mark.parametrize("form", [None, "W-2G 1"], ids=["without a form", "none was due"])
def test_15_6_something_is_withheld_without_its_tax_form(
    tmp_path: Path, monkeypatch: Patch, form: str | None
) -> None:
    monkeypatch.setattr("keno.service.payouts.check_payment", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        async with unguarded(floor, "withheld_with_a_form"):
            await pay(floor, booth, Payment(0, 0, None, 42_00, form))

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "withheld_cents")


def test_a_slip_above_the_largest_amount(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.shifts.CENTS_MAX", ABOVE)

    async def events(floor: Floor, booth: WriterContext) -> None:
        by = replace(booth, second="S1")
        async with (
            unguarded(floor, "slips_within_the_limit"),
            unguarded(floor, "drawer_within_the_limit"),
        ):
            command = protocol.Fill(floor.id(), ABOVE, Second("S1", ""))
            await shifts.fill(floor.house, by, command)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("slips", ("main", 2), "cents")


def test_a_bank_above_the_largest_amount(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.shifts.CENTS_MAX", ABOVE)

    async def events(floor: Floor, _: WriterContext) -> None:
        async with (
            unguarded(floor, "slips_within_the_limit"),
            unguarded(floor, "drawer_within_the_limit"),
        ):
            await floor.booth("W2", "2", bank_cents=ABOVE)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("slips", ("main", 2), "cents")


def test_15_3_b_a_refunded_ticket_that_is_played_again(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.sell.check_replay", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, f"{EIGHT} x2")
        await floor.play()
        command = protocol.Refund(floor.id(), sold.ticket, sold.code, Payment(1_00))
        await payouts.refund(floor.house, booth, command)
        await floor.play()
        origin = PreviousOrigin(sold.ticket, sold.code)
        await sell(floor.house, await floor.sale(booth, f"{EIGHT} x2", origin=origin))

    first = found_only_by(ledger(tmp_path, events), Step.TICKETS)
    assert named(first) == ("tickets", ("main", 2), "origin")


@pytest.mark.parametrize("letter", ["A", "Z"], ids=["of a live ticket", "of no location"])
def test_15_3_b_a_letter_under_which_no_played_ticket_was_sold(
    tmp_path: Path, monkeypatch: Patch, letter: str
) -> None:
    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth)
        monkeypatch.setattr("keno.service.sell.check_replay", nothing)
        monkeypatch.setattr("keno.service.common.sold_in", lambda *_: "main")
        origin = PreviousOrigin(sold.ticket, sold.code, letter=letter)
        await sell(floor.house, await floor.sale(booth, EIGHT, origin=origin))

    first = found_only_by(ledger(tmp_path, events), Step.TICKETS)
    assert named(first) == ("tickets", ("main", 2), "origin")
