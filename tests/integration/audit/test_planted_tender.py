"""Faults in change, voids, banks and counts, which the audit finds by what came in."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.audit import Step
from keno.domain import tender
from keno.domain.shift import Tender
from keno.domain.states import DrawerKind, TenderKind
from keno.domain.tender import Received
from keno.protocol import Second
from keno.service import drawers, shifts, tickets
from keno.service.common import WriterContext
from keno.service.sell import sell
from keno.store.transaction import Transaction
from tests.houses import Floor, rewriting
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.test_planted import Patch, ledger, nothing
from tests.integration.audit.test_planted_people import ledger as empty_ledger

SEVEN = "1 2: 1/2@7.00"
CHIPS, TOKENS = TenderKind.GAMING_CHIPS, TenderKind.SLOT_TOKENS


async def sold_for(floor: Floor, booth: WriterContext, *parts: Tender) -> protocol.Sold:
    return await sell(floor.house, await floor.sale(booth, SEVEN, tender=parts))


async def voided(floor: Floor, booth: WriterContext, sold: protocol.Sold) -> protocol.Voided:
    command = protocol.Void(floor.id(), sold.ticket, sold.code)
    return await tickets.void(floor.house, booth, command)


def test_15_4_c_large_change_that_nobody_approved(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.sell.check_change", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await sold_for(floor, booth, Tender(CHIPS, 1_507_00))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("tickets", ("main", 1), "price_cents")
    assert "without a supervisor" in first["message"]


def test_15_4_c_change_that_the_drawer_did_not_hold(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.drawers.held", lambda *_: 10**12)

    async def events(floor: Floor) -> None:
        await sold_for(floor, await floor.booth(bank_cents=17_99), Tender(CHIPS, 25_00))

    first = found_only_by(empty_ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("tickets", ("main", 1), "price_cents")
    assert "did not hold" in first["message"]


def test_15_4_c_change_for_a_coupon(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.sell.check_tender", nothing)
    monkeypatch.setattr("keno.service.sell.check_change", nothing)
    insert = Transaction.insert_many

    def insert_whole(tx: Transaction, table: str, names: Any, rows: Any) -> None:
        if table == "tickets":  # the ledger itself takes no coupon above the price
            at = list(names).index("coupon_cents")
            rows = [(*row[:at], min(row[at], 7_00), *row[at + 1 :]) for row in rows]
        insert(tx, table, names, rows)

    monkeypatch.setattr(Transaction, "insert_many", insert_whole)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.registered(10_00, "PROMO-1")
        await sold_for(floor, booth, Tender(TenderKind.COUPON, 10_00, "PROMO-1"))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS, Step.REPLAY)
    assert first["table"] == "tickets"


def test_15_4_e_chips_that_came_back_as_cash(tmp_path: Path, monkeypatch: Patch) -> None:
    real = Received.gives_back

    def all_cash(received: Received) -> dict[DrawerKind, int]:
        return tender.in_cash(real(received), {})[0]

    monkeypatch.setattr(Received, "gives_back", all_cash)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await voided(floor, booth, await sold_for(floor, booth, Tender(CHIPS, 7_00)))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("endings", ("main", 1), "in_chips_cents")


def test_15_4_e_chips_given_back_for_a_ticket_with_change(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """A $25 chip for a $7 ticket is $7 cash, not $7 in chips."""

    def in_kind(_: Received) -> dict[DrawerKind, int]:
        return dict.fromkeys(DrawerKind, 0) | {DrawerKind.GAMING_CHIPS: 7_00}

    monkeypatch.setattr(Received, "gives_back", in_kind)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await voided(floor, booth, await sold_for(floor, booth, Tender(CHIPS, 25_00)))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("endings", ("main", 1), "in_chips_cents")


def test_15_4_e_cash_in_place_of_chips_that_is_not_recorded(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    def unrecorded(
        back: Mapping[DrawerKind, int], kept: Mapping[DrawerKind, int]
    ) -> tuple[dict[DrawerKind, int], int]:
        return tender.in_cash(back, kept)[0], 0

    monkeypatch.setattr("keno.service.tickets.in_cash", unrecorded)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await sold_for(floor, booth, Tender(CHIPS, 7_00))
        command = protocol.Void(floor.id(), sold.ticket, sold.code, in_cash=True)
        await tickets.void(floor.house, booth, command)

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("endings", ("main", 1), "in_chips_cents")


def test_15_4_e_a_rewrite_that_gives_cash_for_chips_it_keeps(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.tickets.in_cash", lambda back, _: tender.in_cash(back, {}))

    async def events(floor: Floor, booth: WriterContext) -> None:
        old = await sold_for(floor, booth, Tender(CHIPS, 7_00))
        five = (Tender(CHIPS, 5_00),)
        by, command = rewriting("again", old, await floor.sale(booth, "1 2: 1/2@5.00", tender=five))
        again = protocol.VoidAndRewrite("again", old.ticket, old.code, command.sale, in_cash=True)
        await tickets.void_and_rewrite(floor.house, by, again)

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("endings", ("main", 1), "in_chips_cents")


def test_15_4_e_chips_that_the_drawer_did_not_hold(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.drawers.held", lambda *_: 10**12)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await sold_for(floor, booth, Tender(TOKENS, 7_00))
        await voided(floor, await floor.booth("W2", "2"), sold)

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert (first["table"], first["column"]) == ("drawer", "cents")
    assert "leaves -700 in slot_tokens" in first["message"]


def test_an_opening_bank_by_one_person_in_a_live_house(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.shifts.require_second", nothing)

    async def events(floor: Floor) -> None:
        by = WriterContext("main", "1", "W1", 0)
        await shifts.open_shift(floor.house, by, protocol.OpenShift("bank", 100_00))

    first = found_only_by(empty_ledger(tmp_path, events, "live"), Step.ORDER)
    assert named(first) == ("slips", ("main", 1), "second")


def test_an_opening_bank_without_its_slip(tmp_path: Path, monkeypatch: Patch) -> None:
    insert = Transaction.insert

    def insert_no_slip(tx: Transaction, table: str, **values: Any) -> None:
        if table != "slips":
            insert(tx, table, **values)

    monkeypatch.setattr(Transaction, "insert", insert_no_slip)
    monkeypatch.setattr(Transaction, "next_number", lambda *_: 1)

    async def events(floor: Floor) -> None:
        await floor.booth(bank_cents=100_00)

    first = found_only_by(empty_ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("drawer", (1,), "cents")


def test_a_fill_of_another_kind_than_its_slip(tmp_path: Path, monkeypatch: Patch) -> None:
    real = drawers.drawer_entry

    def in_cash(*asked: Any, **_: DrawerKind) -> None:
        real(*asked)

    async def events(floor: Floor, booth: WriterContext) -> None:
        monkeypatch.setattr("keno.service.shifts.drawer_entry", in_cash)
        fill = protocol.Fill(floor.id(), 50_00, Second("S1", ""), "gaming_chips")
        await shifts.fill(floor.house, replace(booth, second="S1"), fill)

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("drawer", (1,), "cents")


@pytest.mark.parametrize(
    ("fault", "column"), [("denominations", "denominations"), ("kinds", "expected")]
)
def test_a_count_that_does_not_add_up(
    tmp_path: Path, monkeypatch: Patch, fault: str, column: str
) -> None:
    """The pieces make other cash than was counted; currency and coin are counted apart."""
    change = Transaction.change_if

    def changed(tx: Transaction, table: str, key: Any, **values: Any) -> bool:
        if "expected" in values and fault == "kinds":
            apart = '{"coin":0,"coupon":0,"currency":10000000,"gaming_chips":0,"slot_tokens":0}'
            values |= {"expected": apart, "counted": apart, "denominations": None}
        elif "expected" in values:
            values["denominations"] = '{"10000":1}'
        return change(tx, table, key, **values)

    monkeypatch.setattr(Transaction, "change_if", changed)

    async def events(floor: Floor, booth: WriterContext) -> None:
        by = replace(booth, second="S1")
        command = protocol.CloseShift("close", {"cash": 100_000_00}, Second("S1", ""))
        await shifts.close_shift(floor.house, by, command)

    finder = Step.ORDER if fault == "kinds" else Step.DRAWERS
    first = found_only_by(ledger(tmp_path, events), finder)
    assert named(first) == ("shifts", (1,), column)
