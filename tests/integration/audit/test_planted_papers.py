"""Payouts by paper in a house whose commands have a fault: the audit finds what they allow."""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.roles import SYSTEM
from keno.service import payouts
from keno.service.common import WriterContext
from keno.store.read_only import TABLES
from keno.store.transaction import Transaction
from tests.halting import give_keyholders
from tests.houses import Floor, verify
from tests.integration.audit.busy import EIGHT, IN_NO_SOUND_LEDGER, LOW, approve, give_key
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.tampering import change_one
from tests.integration.audit.test_planted import Events, ledger
from tests.rng_house import Keys
from tests.wrong_records import give_other_numbers, row_of, rule_for_paper

Patch = pytest.MonkeyPatch
FIVE = "1 2 3 4 5 78 79 80: 1/8@1.00"
"""What the paper of the altered ticket shows: $9.00. Its record catches all eight."""
OTHERS = frozenset(Step) - {Step.REPLAY, Step.TICKETS, Step.SAMPLE}
"""The altered record itself is always found, by these three; what follows from it is not sound
either unless it was paid by its paper."""


def paid_by_paper(*, cents: int = 9_00, halted: bool = True, asked: bool = True) -> Events:
    """A ticket is altered before its game is settled, and paid after its paper was ruled right."""

    async def events(floor: Floor, booth: WriterContext) -> None:
        keys = Keys()
        await give_keyholders(floor, keys)
        await give_key(floor, "S1")
        sold = await floor.sell(booth, FIVE)
        paper = await row_of(floor, sold)
        await give_other_numbers(floor, sold, EIGHT)
        await floor.play(LOW)
        await rule_for_paper(floor, paper, keys if halted else None)
        if asked:
            command = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
            await payouts.request_authorisation(floor.house, booth, command)
            await approve(floor, 1, "S1")
        form = "W-2G 1" if cents > 1_500_00 else ""
        payment = protocol.Payment(cents, tax_form=form)
        await payouts.redeem(
            floor.house, booth, protocol.Redeem(floor.id(), sold.ticket, sold.code, payment)
        )

    return events


def found(path: Path, *steps: Step) -> dict[str, Any]:
    """The first discrepancy apart from the altered record itself."""
    report = audit(path, verify=verify, steps=steps or OTHERS)
    assert not report["sound"]
    first: dict[str, Any] = report["first_discrepancy"]
    return first


def test_15_7_a_payout_by_paper_leaves_nothing_to_find_but_the_altered_record(
    tmp_path: Path,
) -> None:
    path = ledger(tmp_path, paid_by_paper())
    report = audit(path, verify=verify, steps=OTHERS)
    assert report["sound"], report["first_discrepancy"]
    assert named(audit(path, verify=verify)["first_discrepancy"])[0] == "tickets"


def test_15_7_a_share_that_the_paper_does_not_make(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.by_paper.share_if_among", lambda *_: 1)
    path = ledger(tmp_path, paid_by_paper(cents=1))
    assert named(found(path)) == ("endings", ("main", 1), "awards_cents")
    assert named(found(path, Step.GRADING)) == ("paper_awards", ("main", 1, 1), "award_cents")


def test_15_7_a_wrong_record_is_paid_in_spite_of_its_paper(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    for place in ("by_paper", "claims"):
        monkeypatch.setattr(f"keno.service.{place}.awards_by_paper", lambda *_: [])
    path = ledger(tmp_path, paid_by_paper(cents=25_000_00))
    assert named(found(path)) == ("endings", ("main", 1), "awards_cents")
    assert named(found(path, Step.GRADING)) == ("paper_awards", ("main", 1, 1), "award_cents")


def test_15_7_what_was_paid_by_a_paper_is_not_recorded(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.payouts.record_awards_by_paper", lambda *_: None)
    first = found(ledger(tmp_path, paid_by_paper()))
    assert named(first) == ("paper_awards", ("main", 1, 1), "award_cents")


def test_15_7_a_payout_by_paper_without_a_resume(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.by_paper._is_resumed", lambda *_: True)
    first = found(ledger(tmp_path, paid_by_paper(halted=False)))
    assert named(first) == ("endings", ("main", 1), "kind")


def test_15_7_a_payout_by_paper_without_a_supervisor(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.payouts.is_exceptional", lambda *_: False)
    first = found(ledger(tmp_path, paid_by_paper(asked=False)))
    assert named(first) == ("endings", ("main", 1), "authorisation")


def test_15_7_an_award_by_paper_that_no_payout_made(tmp_path: Path) -> None:
    async def events(floor: Floor, booth: WriterContext) -> None:
        await paid_by_paper()(floor, booth)
        await floor.play(LOW)

        def work(tx: Transaction) -> None:
            tx.insert("paper_awards", location="main", ticket=1, game=2, graded_cents=0,
                      award_cents=0)  # fmt: skip

        await floor.ledger.write("Settle", SYSTEM, work)

    first = found(ledger(tmp_path, events))
    assert named(first) == ("paper_awards", ("main", 1, 2), "ticket")


def test_15_7_a_ruling_for_a_paper_that_was_not_sold(tmp_path: Path) -> None:
    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, FIVE)
        await rule_for_paper(floor, replace(await row_of(floor, sold), writer="W2"), None)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("papers", (1,), "content")


@pytest.mark.parametrize("column", TABLES[IN_NO_SOUND_LEDGER].columns)
def test_15_7_a_changed_award_by_paper_is_found(tmp_path: Path, column: str) -> None:
    """Beside the altered record, without which nothing is paid so."""
    path = ledger(tmp_path, paid_by_paper())
    before = audit(path, verify=verify, steps={Step.REPLAY})["discrepancies"]
    change_one(path, IN_NO_SOUND_LEDGER, column, Random(column))
    after = audit(path, verify=verify, steps={Step.REPLAY})["discrepancies"]
    assert after > before
