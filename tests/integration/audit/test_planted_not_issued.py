"""Tickets not issued, in a house whose commands have a fault: the audit finds what they allow."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import Step
from keno.domain.roles import SYSTEM
from keno.domain.states import Ending
from keno.service import not_issued, payouts
from keno.service.common import WriterContext, require_ticket
from keno.service.endings import record_ending
from keno.store.transaction import Transaction
from tests.houses import Floor
from tests.integration.audit.busy import EIGHT, LOW, approve, give_key
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.test_planted import ledger, nothing

Patch = pytest.MonkeyPatch
LOSES = "61 62: 1/2@1.00"


@contextmanager
def without_trigger(tx: Transaction, name: str) -> Iterator[None]:
    """The ledger's own guard is away, and back before anybody looks."""
    sql = tx.value("SELECT sql FROM sqlite_master WHERE name = ?", name)
    tx.connection.execute(f"DROP TRIGGER {name}")
    yield
    tx.connection.execute(sql)


def insert_past(monkeypatch: Patch, table: str, trigger: str) -> None:
    """Let inserts into a table pass without its trigger."""
    insert = Transaction.insert

    def past(tx: Transaction, into: str, **values: object) -> None:
        if into != table:
            return insert(tx, into, **values)
        with without_trigger(tx, trigger):
            return insert(tx, into, **values)

    monkeypatch.setattr(Transaction, "insert", past)


def test_15_3_c_a_declaration_after_the_draw(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.not_issued.check_declared_not_issued", nothing)
    insert_past(monkeypatch, "not_issued", "declared_before_the_draw")

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, LOSES)
        await floor.play(LOW)
        await floor.declare_not_issued(booth, sold)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("not_issued", ("main", 1), "game")


def test_15_3_c_a_ticket_taken_after_it_was_paid(tmp_path: Path, monkeypatch: Patch) -> None:
    """In the same millisecond: the order of the chain shows it."""
    monkeypatch.setattr("keno.service.not_issued.check_found_not_issued", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, EIGHT)
        await floor.play([1, 2, 3, 4, 5, *range(61, 76)])
        await floor.pay(booth, sold, 9_00)
        await floor.take_not_issued(sold)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("not_issued", ("main", 1), "ms")


def test_15_3_c_a_declaration_after_the_generator_answered(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.store.not_issued_queries.is_drawn", lambda *_: False)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, LOSES)
        number = await floor.lock()

        def answered(tx: Transaction) -> None:
            tx.insert("draws", location="main", game=number, step="result", message="{}")

        await floor.ledger.write("StoreDrawMessage", SYSTEM, answered)
        await floor.declare_not_issued(booth, sold)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("not_issued", ("main", 1), "game")


def test_15_3_c_a_declaration_by_another_writer(tmp_path: Path, monkeypatch: Patch) -> None:
    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, LOSES)
        other = await floor.booth("W2", "2")
        await floor.lock()
        with monkeypatch.context() as loose:
            loose.setattr("keno.service.not_issued.require_shift", nothing)
            by = WriterContext("main", "1", "W1", booth.shift)
            command = protocol.DeclareNotIssued(floor.id(), sold.ticket)
            await _as("W2", floor, by, command)
        assert other.writer == "W2"

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("not_issued", ("main", 1), "writer")


async def _as(
    writer: str, floor: Floor, by: WriterContext, command: protocol.DeclareNotIssued
) -> None:
    """The row of the chain is by somebody else than the row of the table says."""
    write = floor.ledger.write

    async def written(kind: str, _: str, work: object) -> object:
        return await write(kind, writer, work)  # type: ignore[arg-type]

    floor.ledger.write = written  # type: ignore[method-assign,assignment]
    try:
        await not_issued.declare_not_issued(floor.house, by, command)
    finally:
        floor.ledger.write = write  # type: ignore[method-assign]


async def _declared_winner(floor: Floor, booth: WriterContext) -> None:
    sold = await floor.sell(booth, EIGHT)
    number = await floor.lock()
    await floor.declare_not_issued(booth, sold)
    await floor.draw(number, LOW)


def test_15_3_e_a_share_for_a_ticket_that_was_not_issued(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.store.not_issued_queries.declared", lambda *_: set())
    first = found_only_by(ledger(tmp_path, _declared_winner), Step.GRADING)
    assert named(first) == ("awards", ("main", 1, 1), "ticket")


def test_15_3_e_a_share_on_top_that_is_not_what_it_would_have_been(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.games.share_if_among", lambda *_: 1)
    first = found_only_by(ledger(tmp_path, _declared_winner), Step.GRADING)
    assert named(first) == ("not_issued_awards", ("main", 1, 1), "award_cents")


def test_15_3_c_a_decision_by_a_writer(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.not_issued.require_user", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, LOSES)
        await floor.lock()
        await floor.declare_not_issued(booth, sold)
        await floor.confirm_not_issued(sold, "W2")

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("not_issued", ("main", 1), "decided_by")


def test_15_3_c_a_payout_while_it_was_held(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.store.not_issued_queries.is_held", lambda *_: False)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, "1 2: 1/2@1.00")
        await floor.play(LOW)
        await floor.take_not_issued(sold)
        await floor.pay(booth, sold, 12_00)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "kind")


def test_15_3_c_a_payout_by_its_seller(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.authorising.check_not_paid_by_seller", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, "1 2: 1/2@1.00")
        await floor.play(LOW)
        await give_key(floor, "S1")
        await floor.take_not_issued(sold)
        await floor.confirm_not_issued(sold, "S2", issued=True)
        asked = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
        await payouts.request_authorisation(floor.house, booth, asked)
        await approve(floor, 1, "S1")
        await floor.pay(booth, sold, 12_00)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "kind")


def test_15_3_c_a_surrender_as_older_versions_wrote_it(tmp_path: Path, monkeypatch: Patch) -> None:
    """By its number alone: lawful in the rows before version 8, and in none after them."""
    insert_past(monkeypatch, "endings", "surrendered_with_its_paper")

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, LOSES)
        await floor.play(LOW)

        def work(tx: Transaction) -> None:
            row = require_ticket(tx, "main", sold.ticket)
            record_ending(tx, row, booth, kind=Ending.SURRENDER, supervisor="S1", reason="left")

        await floor.ledger.write("Surrender", "W1", work)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "kind")
