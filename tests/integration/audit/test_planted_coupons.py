"""A house whose register of coupons has a fault: the audit recomputes, so it finds it."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.coupon import given_back_end
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Sold
from keno.service import coupon_register, coupons, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from keno.store.coupon_queries import coupons_of_ticket
from keno.store.read_only import TABLES
from keno.store.transaction import Transaction
from tests.cards import card_text
from tests.fakes import change_unguarded
from tests.houses import Floor, rewriting, verify
from tests.integration.audit.busy import EIGHT
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.tampering import (
    Body,
    forget_head,
    rebuild_chain,
    rewrite_bodies,
    tampering,
)
from tests.integration.audit.test_planted import Patch, ledger, nothing
from tests.integration.ledger.floors import furnished_floor

BOTH = StaffContext("M1", "S1")


def pays(serial: str, cents: int = 1_00) -> tuple[Tender, ...]:
    return (Tender(TenderKind.COUPON, cents, serial),)


async def sold_for(floor: Floor, booth: WriterContext, *tender: Tender) -> Sold:
    sold = await sell(floor.house, await floor.sale(booth, EIGHT, tender=tender))
    await tickets.confirm_print(floor.house, booth, protocol.ConfirmPrint(floor.id(), sold.ticket))
    return sold


async def voided(floor: Floor, booth: WriterContext) -> None:
    """A ticket paid by the coupon PROMO is given back."""
    await floor.registered(1_00, "PROMO", ends_day="2026-12-31")
    sold = await sold_for(floor, booth, *pays("PROMO"))
    await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, sold.code))


async def rewritten(floor: Floor, booth: WriterContext) -> None:
    """A rewrite keeps PROMO, which paid ticket 2; OTHER paid ticket 1."""
    await floor.registered(1_00, "PROMO", "OTHER")
    await sold_for(floor, booth, *pays("OTHER"))
    old = await sold_for(floor, booth, *pays("PROMO"))
    right = await floor.sale(booth, "1 2 3: 1/3@1.00", tender=pays("PROMO"))
    await tickets.void_and_rewrite(floor.house, *rewriting(floor.id(), old, right))


async def issued(floor: Floor, _: WriterContext) -> None:
    command = protocol.IssueCoupon(floor.id(), "main", 1_00, "2026-12-31")
    await coupon_register.issue_coupon(floor.house, BOTH, command)


@pytest.mark.parametrize("events", [voided, rewritten, issued])
def test_without_a_fault_the_register_is_sound(tmp_path: Path, events: Any) -> None:
    assert audit(ledger(tmp_path, events), verify=verify)["sound"]


def test_a_coupon_that_works_twice(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(coupons, "check_usable", nothing)
    monkeypatch.setattr(Transaction, "change_if", change_unguarded)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.registered(1_00, "PROMO")
        for _ in range(2):
            await sold_for(floor, booth, *pays("PROMO"))

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("PROMO",), "spent_on")


def test_a_coupon_that_pays_after_its_end(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(coupons, "check_usable", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.registered(1_00, "PROMO", ends_day="2026-11-20")
        floor.clock.forward(days=10)
        await sold_for(floor, booth, *pays("PROMO"))

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("PROMO",), "spent_on")


def test_a_coupon_that_pays_more_than_its_value(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(coupons, "check_worth", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.registered(50, "PROMO")
        await sold_for(floor, booth, *pays("PROMO"))

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("PROMO",), "spent_on")


def test_a_coupon_of_another_ticket_that_a_rewrite_takes(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    """OTHER paid ticket 1, which stays in play without it."""
    monkeypatch.setattr(coupons, "check_usable", nothing)
    monkeypatch.setattr(Transaction, "change_if", change_unguarded)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.registered(1_00, "OTHER")
        await sold_for(floor, booth, *pays("OTHER"))
        old = await sold_for(floor, booth, Tender(TenderKind.CURRENCY, 1_00))
        right = await floor.sale(booth, "1 2 3: 1/3@1.00", tender=pays("OTHER"))
        await tickets.void_and_rewrite(floor.house, *rewriting(floor.id(), old, right))

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("OTHER",), "spent_on")


@pytest.mark.parametrize("second", [None, "W1"])
def test_a_coupon_that_one_person_issued_in_a_live_house(
    monkeypatch: Patch, second: str | None
) -> None:
    monkeypatch.setattr(coupon_register, "_people", lambda *_: second)

    async def build() -> None:
        async with furnished_floor(card_text(approval="DGE 2026-1"), mode="live") as floor:
            command = protocol.IssueCoupon(
                floor.id(), "main", 1_00, "2026-12-31", reason="her birthday"
            )
            await coupon_register.issue_coupon(floor.house, StaffContext("M1"), command)
            first = found_only_by(floor.path, Step.ORDER)
            assert named(first) == ("coupons", ("A-R1",), "second")

    asyncio.run(build())


def test_a_coupon_that_a_writer_issued(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(coupon_register, "_people", lambda *_: "S1")

    async def events(floor: Floor, _: WriterContext) -> None:
        command = protocol.IssueCoupon(floor.id(), "main", 1_00, "2026-12-31")
        await coupon_register.issue_coupon(floor.house, StaffContext("W1", "S1"), command)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("A-R1",), "issued_by")


def test_a_coupon_that_a_writer_declared_void(tmp_path: Path, monkeypatch: Patch) -> None:
    async def events(floor: Floor, _: WriterContext) -> None:
        await floor.registered(1_00, "PROMO")
        monkeypatch.setattr(coupon_register, "_people", lambda *_: "S1")
        command = protocol.VoidCoupon(floor.id(), "PROMO", "misprinted")
        await coupon_register.void_coupon(floor.house, StaffContext("W1", "S1"), command)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("PROMO",), "void_by")


@pytest.mark.parametrize(
    ("check", "fields", "column"),
    [
        ("check_value", {"cents": 10_000_01}, "cents"),
        ("check_end", {"ends_day": "2040-01-01"}, "ends_ms"),
    ],
)
def test_a_coupon_with_a_value_or_an_end_that_no_command_takes(
    tmp_path: Path, monkeypatch: Patch, check: str, fields: dict[str, Any], column: str
) -> None:
    monkeypatch.setattr(coupon_register, check, nothing)

    async def events(floor: Floor, _: WriterContext) -> None:
        given: dict[str, Any] = {
            "location": "main",
            "cents": 1_00,
            "ends_day": "2026-12-31",
        } | fields
        command = protocol.IssueCoupon(floor.id(), **given)
        await coupon_register.issue_coupon(floor.house, BOTH, command)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("coupons", ("A-R1",), column)


def test_a_number_that_the_house_skips(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr(
        coupon_register, "next_serial", lambda tx, _: f"A-R{tx.next_number('main', 'coupon')}1"
    )
    first = found_only_by(ledger(tmp_path, issued), Step.ORDER)
    assert named(first) == ("coupons", ("A-R11",), "serial")


async def one_paid_and_one_void(floor: Floor, booth: WriterContext) -> None:
    await floor.registered(1_00, "PROMO", "OTHER")
    command = protocol.VoidCoupon(floor.id(), "OTHER", "misprinted")
    await coupon_register.void_coupon(floor.house, BOTH, command)
    await sold_for(floor, booth, *pays("PROMO"))


def test_a_coupon_that_never_was_in_the_register(tmp_path: Path) -> None:
    """Registered was another; the chain is rebuilt, and the table says what it would say."""
    path = ledger(tmp_path, one_paid_and_one_void)

    def rename(kind: str, body: Body) -> None:
        for change in body if kind == "RegisterCoupons" else ():
            if "coupons" in change:
                change["coupons"] = ["NEW", "OTHER"]

    with tampering(path) as connection:
        rewrite_bodies(connection, rename)
        rebuild_chain(connection)
        names = ", ".join(name for name in TABLES["coupons"].columns if name != "serial")
        connection.execute(
            f"INSERT INTO coupons (serial, {names}) SELECT 'NEW', {names} FROM coupons"  # noqa: S608
            " WHERE serial = 'PROMO'"
        )
        connection.execute(
            "UPDATE coupons SET spent_ms = NULL, spent_in = NULL, spent_on = NULL"
            " WHERE serial = 'NEW'"
        )
        connection.execute(
            "UPDATE coupons SET source = 'taken_over', issued_ms = NULL, issued_by = NULL,"
            " second = NULL, ends_ms = NULL WHERE serial = 'PROMO'"
        )
    forget_head(path)
    first = found_only_by(path, Step.ORDER)
    assert named(first) == ("coupons", ("PROMO",), "spent_on")
    assert first["message"] == "paid for ticket 1 and is not in the register."


def test_a_coupon_that_pays_after_it_was_void(tmp_path: Path) -> None:
    path = ledger(tmp_path, one_paid_and_one_void)

    def another(kind: str, body: Body) -> None:
        if kind == "sell":
            body["tender"][0][2] = "OTHER"

    with tampering(path) as connection:
        rewrite_bodies(connection, another)
        rebuild_chain(connection)
        spent = connection.execute(
            "SELECT spent_ms, spent_in, spent_on FROM coupons WHERE serial = 'PROMO'"
        ).fetchone()
        change = "UPDATE coupons SET spent_ms = ?, spent_in = ?, spent_on = ? WHERE serial = ?"
        connection.execute(change, (*spent, "OTHER"))
        connection.execute(change, (None, None, None, "PROMO"))
    forget_head(path)
    report = audit(path, verify=verify, steps={Step.ORDER})
    assert report["discrepancies"] == 1
    assert named(report["first_discrepancy"]) == ("coupons", ("OTHER",), "spent_on")


@pytest.mark.parametrize("ms", [-1, 1, 400 * 86_400_000], ids=["less", "more", "a year"])
def test_a_coupon_given_back_with_another_end(tmp_path: Path, monkeypatch: Patch, ms: int) -> None:
    end: Callable[..., Any] = given_back_end
    monkeypatch.setattr(coupons, "given_back_end", lambda *given: end(*given) + ms)
    first = found_only_by(ledger(tmp_path, voided), Step.ORDER)
    assert named(first) == ("coupons", ("A-R1",), "ends_ms")


def test_a_coupon_given_back_with_another_value(tmp_path: Path, monkeypatch: Patch) -> None:
    give_back = coupons.give_back
    monkeypatch.setattr(
        tickets,
        "give_coupon_back",
        lambda house, tx, row, cents: give_back(house, tx, row, cents + 1),
    )
    first = found_only_by(ledger(tmp_path, voided), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "coupon_cents")


def test_a_coupon_that_a_rewrite_keeps_and_gives_back_too(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr(
        tickets, "give_coupon_back",
        lambda house, tx, row, _: coupons.give_back(house, tx, row, row.coupon_cents),
    )  # fmt: skip
    first = found_only_by(ledger(tmp_path, rewritten), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 2), "coupon_cents")


def test_a_coupon_that_a_rewrite_keeps_and_the_drawer_counts_twice(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    def kept(tx: Transaction, row: Any, _shift: int) -> int:
        left = coupons_of_ticket(tx, row.location, row.number)
        return int(row.coupon_cents) - sum(each.cents for each in left)

    monkeypatch.setattr(tickets, "kept_by_rewrite", kept)
    first = found_only_by(ledger(tmp_path, rewritten), Step.DRAWERS)
    assert named(first)[0] == "drawer"
