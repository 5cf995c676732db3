"""A house whose commands have a fault: the audit recomputes, so it finds what they let through."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec import structs

from keno import protocol
from keno.audit import Step, audit
from keno.domain import grading
from keno.domain.cardfile import CardReport, judge_posted
from keno.domain.certify import RULES_NOW, Rules
from keno.domain.shift import Tender
from keno.domain.states import DrawerKind, TenderKind
from keno.protocol import Payment, Second
from keno.service import cards, claims, drawers, games, payouts, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from keno.store.transaction import Transaction
from tests.cards import card_text
from tests.houses import Floor, new_floor, proof_of, verify
from tests.integration.audit.busy import EIGHT, LOW, approve, give_key
from tests.integration.audit.finding import found_only_by, named

Events = Callable[[Floor, WriterContext], Awaitable[None]]
Patch = pytest.MonkeyPatch


def nothing(*_: object, **__: object) -> None:
    """A check that was forgotten."""


def ledger(folder: Path, events: Events) -> Path:
    """A house in which these events happened."""

    async def build() -> Path:
        async with new_floor(folder) as floor:
            await events(floor, await floor.booth(bank_cents=100_000_00))
            return floor.path

    return asyncio.run(build())


def test_15_4_a_a_price_that_is_not_the_cards(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.sell.price", lambda *_: SimpleNamespace(price_cents=150))

    async def events(floor: Floor, booth: WriterContext) -> None:
        tender = (Tender(TenderKind.CURRENCY, 150),)
        await sell(floor.house, await floor.sale(booth, EIGHT, price_cents=150, tender=tender))

    first = found_only_by(ledger(tmp_path, events), Step.TICKETS)
    assert named(first) == ("tickets", ("main", 1), "price_cents")


@pytest.mark.parametrize(
    ("rules", "column"), [(int(RULES_NOW), "toml"), (2, "rules")], ids=["judged", "by older rules"]
)
def test_15_3_e_a_card_is_judged_by_the_rules_of_its_posting(
    tmp_path: Path, monkeypatch: Patch, rules: int | None, column: str
) -> None:
    """Lawful by its posted minimums only; naming older rules does not help."""
    greedy = card_text(version="2", ticket_min_cents=10_00)
    assert judge_posted(greedy, Rules.POSTED_MINIMUMS).certified
    assert not judge_posted(greedy).certified
    insert = Transaction.insert

    def insert_card(tx: Transaction, table: str, **values: Any) -> None:
        insert(tx, table, **values | ({"rules": rules} if values.get("toml") == greedy else {}))

    monkeypatch.setattr(Transaction, "insert", insert_card)

    async def events(floor: Floor, _: WriterContext) -> None:
        async def certify(toml: str) -> CardReport:
            return judge_posted(toml, Rules.POSTED_MINIMUMS)

        floor.house.certify = certify
        opens_ms = floor.clock.now_ms + 40 * 60_000
        by = StaffContext("M1")
        command = protocol.PostCard(floor.id(), "main", greedy, 2)
        await cards.post_card(floor.house, by, command, opens_ms)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("cards", ("2",), column)


def test_15_3_e_a_card_that_is_stored_under_another_name_is_found(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    insert = Transaction.insert

    def insert_renamed(tx: Transaction, table: str, **values: Any) -> None:
        if values.get("version", values.get("card")) == "2":
            values["version" if table == "cards" else "card"] = "3"
        insert(tx, table, **values)

    monkeypatch.setattr(Transaction, "insert", insert_renamed)

    async def events(floor: Floor, _: WriterContext) -> None:
        opens_ms = floor.clock.now_ms + 40 * 60_000
        command = protocol.PostCard(floor.id(), "main", card_text(version="2"), 2)
        await cards.post_card(floor.house, StaffContext("M1"), command, opens_ms)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("cards", ("3",), "toml")


def test_15_3_e_a_maximum_that_nobody_applied(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.games.share_awards", lambda _, awards, *__: awards)

    async def events(floor: Floor, booth: WriterContext) -> None:
        for _ in range(5):
            await floor.sell(booth, EIGHT)
        await floor.play(LOW)

    first = found_only_by(ledger(tmp_path, events), Step.GRADING)
    assert named(first) == ("awards", ("main", 1, 1), "award_cents")


def test_a_fast_path_that_grades_wrongly_everywhere(tmp_path: Path, monkeypatch: Patch) -> None:
    """If the fast path is wrong, it is wrong in the house and in the audit alike."""
    for place in ("keno.service.games.grade", "keno.audit.games.grade"):
        monkeypatch.setattr(place, lambda *given: grading.grade(*given) // 2)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.sell(booth, EIGHT)
        await floor.play(LOW)

    first = found_only_by(ledger(tmp_path, events), Step.SAMPLE)
    assert named(first) == ("awards", ("main", 1, 1), "graded_cents")


def test_a_sharing_that_is_wrong_everywhere(tmp_path: Path, monkeypatch: Patch) -> None:
    for place in ("keno.service.games.share_awards", "keno.audit.games.share_awards"):
        monkeypatch.setattr(place, lambda _, awards, *__: awards // 2)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.sell(booth, EIGHT)
        await floor.play(LOW)

    first = found_only_by(ledger(tmp_path, events), Step.SAMPLE)
    assert named(first) == ("awards", ("main", 1, 1), "award_cents")


def test_a_root_that_is_not_the_books(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.store.book.root", lambda _: bytes(32))

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.sell(booth, EIGHT)
        await floor.play(LOW)

    first = found_only_by(ledger(tmp_path, events), Step.LOCK_OUTS)
    assert named(first) == ("games", ("main", 1), "root")


def test_numbers_with_a_gap(tmp_path: Path, monkeypatch: Patch) -> None:
    real = Transaction.next_number

    def skipping(tx: Transaction, location: str, name: str, count: int = 1) -> int:
        return real(tx, location, name, count + 1)

    monkeypatch.setattr(Transaction, "next_number", skipping)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.sell(booth, EIGHT)
        await floor.sell(booth, EIGHT)

    path = ledger(tmp_path, events)
    assert not audit(path, steps={Step.LOCK_OUTS})["sound"]
    assert not audit(path, steps={Step.REPLAY})["sound"]


def test_15_5_d_a_draw_that_is_not_its_proof(tmp_path: Path) -> None:
    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.sell(booth, EIGHT)
        number = await floor.lock()
        await games.close_book(floor.house, "main", number)
        await games.record_draw(floor.house, "main", number, proof_of(LOW), lambda *_: LOW[::-1])

    first = found_only_by(ledger(tmp_path, events), Step.DRAWS)
    assert named(first) == ("games", ("main", 1), "numbers")


def test_15_4_e_a_void_after_lock_out(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.tickets.check_void", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, EIGHT)
        await floor.lock()
        await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, sold.code))

    path = ledger(tmp_path, events)
    first = audit(path, verify=verify, steps={Step.ORDER})["first_discrepancy"]
    assert named(first) == ("tickets", ("main", 1), "state")
    assert named(found_only_by(path, Step.ORDER, Step.LOCK_OUTS)) == named(first)


async def _won(floor: Floor, booth: WriterContext) -> Any:
    """A ticket that won $25,000.00."""
    sold = await floor.sell(booth, EIGHT)
    await floor.play(LOW)
    return sold


LARGE = Payment(25_000_00, tax_form="W-2G 1")


def test_15_6_b_a_large_payout_without_authorisation(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.claims.AUTHORISATION_CENTS", 10**9)

    async def events(floor: Floor, booth: WriterContext) -> None:
        won = await _won(floor, booth)
        command = protocol.Redeem(floor.id(), won.ticket, won.code, LARGE)
        await payouts.redeem(floor.house, booth, command)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "authorisation")


def test_15_6_b_a_signature_that_is_not_the_supervisors(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.payouts.check_signature", nothing)
    monkeypatch.setattr("keno.service.authorising.check_signature", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        won = await _won(floor, booth)
        await give_key(floor, "S1")
        asked = protocol.RequestAuthorisation(floor.id(), won.ticket, won.code)
        await payouts.request_authorisation(floor.house, booth, asked)
        await payouts.authorise(
            floor.house,
            StaffContext("S1"),
            protocol.Authorise(floor.id(), 1, approve=True),
            "00" * 64,
        )
        command = protocol.Redeem(floor.id(), won.ticket, won.code, LARGE)
        await payouts.redeem(floor.house, booth, command)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("authorisations", (1,), "signature")


def test_15_6_b_a_seller_who_authorised_it(tmp_path: Path, monkeypatch: Patch) -> None:
    """S2 sold the ticket at a drawer of their own; W1 asks, and S2 signs."""
    monkeypatch.setattr("keno.service.payouts.check_not_seller", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        won = await _won(floor, await floor.booth("S2", "2"))
        await give_key(floor, "S2")
        asked = protocol.RequestAuthorisation(floor.id(), won.ticket, won.code)
        await payouts.request_authorisation(floor.house, booth, asked)
        await approve(floor, 1, "S2")
        command = protocol.Redeem(floor.id(), won.ticket, won.code, LARGE)
        await payouts.redeem(floor.house, booth, command)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("authorisations", (1,), "answered_by")


def test_15_6_b_an_authorisation_that_lapsed_as_it_was_asked(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.store.queries.unanswered", lambda *_: [1])

    async def events(floor: Floor, booth: WriterContext) -> None:
        won = await _won(floor, booth)
        asked = protocol.RequestAuthorisation(floor.id(), won.ticket, won.code)
        await payouts.request_authorisation(floor.house, booth, asked)
        await payouts.lapse(floor.house, 900)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("authorisations", (1,), "answered_ms")


def test_15_6_b_a_payer_who_authorised_it(tmp_path: Path, monkeypatch: Patch) -> None:
    """W1 asks, the supervisor S2 signs, and S2 pays it out of a drawer of their own."""
    monkeypatch.setattr("keno.service.authorising.check_authorised", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        won = await _won(floor, booth)
        await give_key(floor, "S2")
        by = booth
        asked = protocol.RequestAuthorisation(floor.id(), won.ticket, won.code)
        await payouts.request_authorisation(floor.house, by, asked)
        await approve(floor, 1, "S2")
        own = await floor.booth("S2", "2", 100_000_00)
        by = own
        command = protocol.Redeem(floor.id(), won.ticket, won.code, LARGE)
        await payouts.redeem(floor.house, by, command)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS)
    assert named(first) == ("endings", ("main", 1), "authorisation")


def test_a_payout_of_more_than_was_won(tmp_path: Path, monkeypatch: Patch) -> None:
    def generous(*given: Any, exceptional: bool) -> protocol.Owed:
        owed = claims.owed_for(*given, exceptional=exceptional)
        return structs.replace(owed, awards_cents=owed.awards_cents + 1)

    monkeypatch.setattr("keno.service.payouts.owed_for", generous)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, "1 2 3: 1/3@1.00")
        await floor.play(LOW)
        await floor.pay(booth, sold, 42_01)

    first = found_only_by(ledger(tmp_path, events), Step.ENDINGS, Step.DRAWERS, Step.BALANCE)
    assert named(first) == ("endings", ("main", 1), "awards_cents")


def test_a_drawer_that_pays_less_than_it_says(tmp_path: Path, monkeypatch: Patch) -> None:
    real = drawers.drawer_entry

    def thief(
        tx: Transaction, shift: int, event: str, cents: int, ticket: int, kind: DrawerKind
    ) -> None:
        real(tx, shift, event, cents - 1, ticket, kind)

    monkeypatch.setattr("keno.service.drawers.drawer_entry", thief)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, EIGHT)
        await tickets.void(floor.house, booth, protocol.Void(floor.id(), sold.ticket, sold.code))

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("drawer", (1,), "cents")


def test_a_checkout_that_expects_too_little(tmp_path: Path, monkeypatch: Patch) -> None:
    real = shifts.expected

    def less(reads: Any, shift: int) -> Any:
        return {kind: max(0, cents - 100) for kind, cents in real(reads, shift).items()}

    monkeypatch.setattr("keno.service.shifts.expected", less)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await floor.sell(booth, EIGHT)
        by = WriterContext("main", "1", "W1", booth.shift, "S1")
        command = protocol.CloseShift(floor.id(), {}, Second("S1", ""))
        await shifts.close_shift(floor.house, by, command)

    first = found_only_by(ledger(tmp_path, events), Step.DRAWERS)
    assert named(first) == ("shifts", (1,), "expected")


def test_a_sale_in_a_locked_shift(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.sell.check_shift", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await shifts.lock_shift(
            floor.house,
            WriterContext("main", "1", "W1", booth.shift),
            protocol.LockShift(floor.id()),
        )
        await floor.sell(booth, EIGHT)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert first["table"] == "tickets"


def test_a_fill_without_a_supervisor(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.common.require_user", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        await shifts.fill(
            floor.house,
            replace(booth, second="W2"),
            protocol.Fill(floor.id(), 5_00, Second("W2", "")),
        )

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("slips", ("main", 2), "second")  # the first is the bank's


def test_15_6_c_a_ticket_paid_after_its_claim_ended(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.claims.expiry_ms", nothing)

    async def events(floor: Floor, booth: WriterContext) -> None:
        sold = await floor.sell(booth, "1 2 3: 1/3@1.00")
        await floor.play(LOW)
        floor.clock.forward(days=366)
        await floor.pay(booth, sold, 42_00)

    first = found_only_by(ledger(tmp_path, events), Step.ORDER)
    assert named(first) == ("endings", ("main", 1), "kind")
