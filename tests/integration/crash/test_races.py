"""What must happen once or not at all, asked for by many at the same time.

Every race is also run without its guard (`tests/fakes.py`), and must then be lost: a race test that
a naive ledger passes would prove nothing.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from random import Random

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.errors import Refused
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Sold
from keno.service import authorising, games, payouts, people, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell as sell_ticket
from keno.store import drawer_queries, queries
from keno.store.ledger import Ledger
from keno.store.rows import GameRow
from tests import fakes, houses
from tests.counts import count
from tests.fakes import CheckThenAct, without_keys
from tests.houses import PASSPHRASE, Floor, new_floor, verify
from tests.integration.crash.witness import complaints
from tests.integration.crash.workload import many_sales
from tests.integration.ledger.asking import rows
from tests.integration.ledger.events import second_location

FIRST_TWENTY = list(range(1, 21))
ONE_SPOT = "1: 1/1@1.00"
ALL_OF_TEN = "1/2/3/4/5/6/7/8/9/10: 45/2@20.00"
"""Costs $900.00 a game, in 45 ways."""
SIX_SPOT = "1 2 3 4 5 6: 1/6@1.00"
"""Pays $1,500.00 for all six, which a supervisor must authorise."""
CHIPS = ("gaming_chips",)
NOT_ISSUED = ("endings", "not_issued_awards", "not_issued")
"""Tables that guard each other against a declaration behind the draw."""

guarded_and_naive = pytest.mark.parametrize(
    ("kind", "holds"), [(Ledger, True), (CheckThenAct, False)], ids=["guarded", "naive"]
)

bound_and_naive = pytest.mark.parametrize("holds", [True, False], ids=["guarded", "naive"])


@asynccontextmanager
async def floor_with(
    kind: type[Ledger], path: Path, monkeypatch: pytest.MonkeyPatch, *loose: str
) -> AsyncIterator[Floor]:
    """A house on this kind of ledger; the naive one also loses the keys of some tables."""
    monkeypatch.setattr(houses, "Ledger", kind)
    async with new_floor(path) as floor:
        if kind is CheckThenAct:
            await without_keys(floor.ledger, *loose)
        yield floor


async def outcomes(asked: Iterable[Awaitable[object]]) -> Counter[str]:
    """Everybody at once: how often each kind of answer and each refusal came."""
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, Refused):
            raise answer
    return Counter(
        answer.reason.value if isinstance(answer, Refused) else type(answer).__name__
        for answer in answers
    )


def judge(floor: Floor, wrong: str, *, holds: bool) -> None:
    """With its guard the house is sound; without it the witness names what went wrong."""
    found = complaints(floor.path)
    if holds:
        assert found == []
    else:
        assert any(wrong in each for each in found), found


def redeem(
    floor: Floor, booth: WriterContext, sold: Sold, cents: int, letter: str | None = None
) -> Awaitable[protocol.Paid]:
    payment = protocol.Payment(cents)
    command = protocol.Redeem(floor.id(), sold.ticket, sold.code, payment, letter)
    return payouts.redeem(floor.house, booth, command)


@guarded_and_naive
async def test_fifty_redemptions_of_one_ticket_pay_once(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    async with floor_with(kind, tmp_path, monkeypatch, "endings", "drawer") as floor:
        both = [await floor.booth("W1", "1"), await floor.booth("W2", "2")]
        sold = await floor.sell(both[0], ONE_SPOT)
        await floor.play(FIRST_TWENTY)
        got = await outcomes(redeem(floor, both[n % 2], sold, 3_00) for n in range(50))
        assert got == ({"Paid": 1, "already_paid": 49} if holds else {"Paid": 50})
        judge(floor, "ended 50 times", holds=holds)


@guarded_and_naive
async def test_15_6_a_fifty_redemptions_at_two_locations_pay_once(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    async with floor_with(kind, tmp_path, monkeypatch, "endings", "drawer") as floor:
        both = [await floor.booth("W1", "1"), await second_location(floor)]
        sold = await floor.sell(both[0], ONE_SPOT)
        await floor.play(FIRST_TWENTY)
        got = await outcomes(redeem(floor, both[n % 2], sold, 3_00, letter="A") for n in range(50))
        assert got == ({"Paid": 1, "already_paid": 49} if holds else {"Paid": 50})
        judge(floor, "ended 50 times", holds=holds)
        if holds:
            assert audit(floor.path, verify=verify)["sound"]


@guarded_and_naive
async def test_two_refunds_of_one_ticket_pay_once(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    async with floor_with(kind, tmp_path, monkeypatch, "endings", "drawer") as floor:
        both = [await floor.booth("W1", "1"), await floor.booth("W2", "2")]
        sold = await floor.sell(both[0], f"{ONE_SPOT} x5")
        await floor.play(FIRST_TWENTY)
        payment = protocol.Payment(3_00 + 4_00)
        got = await outcomes(
            payouts.refund(
                floor.house,
                booth,
                protocol.Refund(floor.id(), sold.ticket, sold.code, payment),
            )
            for booth in both
        )
        assert got == ({"Paid": 1, "cancelled": 1} if holds else {"Paid": 2})
        judge(floor, "ended 2 times", holds=holds)


@guarded_and_naive
async def test_a_refund_does_not_cancel_a_game_that_was_just_locked(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    """The last game is locked out while the refund is on its way."""
    async with floor_with(kind, tmp_path, monkeypatch, "endings", "drawer") as floor:
        booth = await floor.booth()
        sold = await floor.sell(booth, f"{ONE_SPOT} x2")
        await floor.play(FIRST_TWENTY)
        payment = protocol.Payment(3_00 + 1_00)
        command = protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
        lock = games.LockOut(floor.id(), "main", 2, "commitment 3", SYSTEM)
        got = await outcomes(
            [games.lock_out(floor.house, lock), payouts.refund(floor.house, booth, command)]
        )
        assert got == ({"Locked": 1, "drawing": 1} if holds else {"Locked": 1, "Paid": 1})
        judge(floor, "locked with other tickets", holds=holds)


@guarded_and_naive
async def test_no_sale_and_no_void_lands_behind_a_lock_out(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    for seed in range(count(2, 100)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        async with floor_with(kind, folder, monkeypatch, "drawer") as floor:
            await race_a_lock_out(floor, Random(seed))
            judge(floor, "behind its lock-out", holds=holds)
            if holds:
                await floor.draw(1)


async def race_a_lock_out(floor: Floor, random: Random) -> None:
    """Sales, voids and one lock-out in any order, some a moment after the others."""
    booth = await floor.booth()
    live = [await floor.sell(booth, ONE_SPOT) for _ in range(10)]
    sales = await many_sales(floor, booth, ONE_SPOT, 40)
    voids = [protocol.Void(floor.id(), sold.ticket, sold.code) for sold in live]
    lock = games.LockOut(floor.id(), "main", 1, "commitment 2", SYSTEM)
    racers = [sell_ticket(floor.house, sale) for sale in sales]
    racers += [tickets.void(floor.house, booth, void) for void in voids]  # type: ignore[misc]
    random.shuffle(racers)
    racers.insert(len(racers) // 2, games.lock_out(floor.house, lock))  # type: ignore[arg-type]

    async def a_moment_later(asked: Awaitable[object]) -> object:
        for _ in range(random.choice((0, 0, 0, 1, 5))):
            await asyncio.sleep(0)
        return await asked

    got = await outcomes(a_moment_later(asked) for asked in racers)
    assert got["Locked"] == 1
    assert got.total() == 51
    assert set(got) <= {"Locked", "Sold", "Voided", "game_closed", "locked_out"}


@guarded_and_naive
async def test_15_3_c_no_ticket_is_declared_not_issued_behind_its_draw(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    """The audit's own reckoning judges the order; the naive ledger also loses the table's guard."""
    late = 0
    for seed in range(count(3, 100)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        async with floor_with(kind, folder, monkeypatch, *NOT_ISSUED) as floor:
            await race_a_draw(floor, Random(seed))
            report = audit(floor.path, verify=houses.verify, steps={Step.ENDINGS})
            late += not report["sound"]
    assert (late == 0) is holds


async def race_a_draw(floor: Floor, random: Random) -> None:
    """Declarations of ten tickets, some of them asked as the draw is on its way to the ledger."""
    booth = await floor.booth()
    sold = [await floor.sell(booth, ONE_SPOT) for _ in range(10)]
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    proof = houses.proof_of(FIRST_TWENTY)
    verified = asyncio.Event()

    def verify(game: GameRow, text: str) -> list[int]:
        verified.set()
        return houses.verify(game, text)

    async def declare(each: Sold, *, late: bool) -> protocol.TicketDone:
        if late:
            await verified.wait()
        return await floor.declare_not_issued(booth, each)

    racers: list[Awaitable[object]] = [
        declare(each, late=random.random() < 0.5) for each in sold[:-1]
    ]
    racers += [declare(sold[-1], late=True)]
    random.shuffle(racers)
    got = await outcomes([*racers, games.record_draw(floor.house, "main", 1, proof, verify)])
    assert got["GameDone"] == 1
    assert set(got) <= {"GameDone", "TicketDone", "draw_recorded"}
    await games.show(floor.house, "main", 1)
    settled = await games.settle(floor.house, "main", 1)
    assert settled.winners == 10 - got["TicketDone"]


# Authorisations.


@cache
def signing_key() -> tuple[str, str]:
    """One is enough for all tests: sealing is slow on purpose."""
    return people.new_signing_key(PASSPHRASE)


async def winners(floor: Floor, booth: WriterContext) -> tuple[Sold, Sold]:
    """Two tickets that need a supervisor, and a supervisor who has a key."""
    public, sealed = signing_key()
    await people.set_signing_key(
        floor.house, StaffContext("S1"), protocol.SetSigningKey("key", ""), public, sealed
    )
    both = await floor.sell(booth, SIX_SPOT), await floor.sell(booth, SIX_SPOT)
    await floor.play(FIRST_TWENTY)
    return both


async def authorised(
    floor: Floor, booth: WriterContext, sold: Sold, *, refund: bool = False
) -> int:
    """The supervisor's yes to one ticket."""
    question = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code, refund=refund)
    asked = await payouts.request_authorisation(floor.house, booth, question)
    await sign(floor, asked.authorisation)
    return asked.authorisation


async def sign(floor: Floor, number: int) -> None:
    """The supervisor's signature under a question."""
    signature = await payouts.sign_authorisation(floor.house, number, "S1", PASSPHRASE)
    await payouts.authorise(
        floor.house,
        StaffContext("S1"),
        protocol.Authorise(floor.id(), number, approve=True),
        signature,
    )


async def test_one_authorisation_and_fifty_redemptions_pay_once(tmp_path: Path) -> None:
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        sold, _ = await winners(floor, booth)
        await authorised(floor, booth, sold)
        got = await outcomes(redeem(floor, booth, sold, 1_500_00) for _ in range(50))
        assert got == {"Paid": 1, "already_paid": 49}
        assert complaints(floor.path) == []


@bound_and_naive
async def test_an_authorisation_does_not_pay_another_ticket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    if not holds:
        monkeypatch.setattr(queries, "open_authorisation", fakes.any_open_authorisation)
        monkeypatch.setattr(authorising, "check_authorised", fakes.any_authorisation)
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        meant, other = await winners(floor, booth)
        await authorised(floor, booth, meant)
        got = await outcomes([redeem(floor, booth, other, 1_500_00)])
        assert got == ({"authorisation_needed": 1} if holds else {"Paid": 1})
        judge(floor, "with another's authorisation", holds=holds)


@bound_and_naive
async def test_a_signature_for_one_ticket_does_not_authorise_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    if not holds:
        monkeypatch.setattr(payouts, "check_signature", fakes.any_signature)
        monkeypatch.setattr(authorising, "check_signature", fakes.any_signature)
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        meant, other = await winners(floor, booth)
        signed = await authorised(floor, booth, meant)
        signature = await payouts.sign_authorisation(floor.house, signed, "S1", PASSPHRASE)
        question = protocol.RequestAuthorisation(floor.id(), other.ticket, other.code)
        asked = await payouts.request_authorisation(floor.house, booth, question)
        reused = protocol.Authorise(floor.id(), asked.authorisation, approve=True)
        got = await outcomes(
            [payouts.authorise(floor.house, StaffContext("S1"), reused, signature)]
        )
        assert got == ({"authorisation_differs": 1} if holds else {"Authorised": 1})
        got = await outcomes([redeem(floor, booth, other, 1_500_00)])
        assert got == ({"authorisation_needed": 1} if holds else {"Paid": 1})
        judge(floor, "has another's signature", holds=holds)


@bound_and_naive
async def test_an_authorisation_does_not_pay_another_amount(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    """A refund was authorised; then another game is drawn and the refund is worth less.

    It waits for an authorisation of its own amount.
    """
    if not holds:
        monkeypatch.setattr(authorising, "check_authorised", fakes.any_authorisation)
        monkeypatch.setattr(payouts, "is_approved", lambda *_: True)
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        await winners(floor, booth)
        sold = await floor.sell(booth, f"{SIX_SPOT} x5")
        await floor.play(FIRST_TWENTY)
        await authorised(floor, booth, sold, refund=True)
        await floor.play(list(range(61, 81)))
        payment = protocol.Payment(1_500_00 + 3_00)
        command = protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
        done = await payouts.refund(floor.house, booth, command)
        assert (done.owed_cents, done.cash_cents) == ((1_503_00, 0) if holds else (0, 1_503_00))
        judge(floor, "with another's authorisation", holds=holds)


@guarded_and_naive
async def test_15_6_b_fifty_redemptions_pay_what_a_void_owes_once(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    async with floor_with(kind, tmp_path, monkeypatch, "owed_payments", "drawer") as floor:
        both = [await floor.booth("W1", "1", 80_000_00), await floor.booth("W2", "2", 80_000_00)]
        await winners(floor, both[0])
        sold = await floor.sell(both[0], f"{ALL_OF_TEN} x2")
        void = protocol.Void(floor.id(), sold.ticket, sold.code)
        owed = await tickets.void(floor.house, both[0], void)
        assert owed.authorisation is not None
        await sign(floor, owed.authorisation)
        asked = [redeem(floor, both[n % 2], sold, owed.owed_cents) for n in range(50)]
        got = await outcomes(asked)
        assert got == ({"Paid": 1, "void": 49} if holds else {"Paid": 50})
        judge(floor, "was paid what it was owed 50 times", holds=holds)
        if holds:
            assert audit(floor.path, verify=verify)["sound"]


@guarded_and_naive
async def test_15_4_e_two_voids_give_the_last_chips_of_a_drawer_back_once(
    kind: type[Ledger], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, holds: bool
) -> None:
    async with floor_with(kind, tmp_path, monkeypatch, "drawer") as floor:
        one, two = await floor.booth("W1", "1"), await floor.booth("W2", "2")
        chips = (Tender(TenderKind.GAMING_CHIPS, 1_00),)
        for booth in (two, one, one):
            sale = await floor.sale(booth, ONE_SPOT, tender=chips)
            await sell_ticket(floor.house, sale)
        sold = await rows(floor, "SELECT number, code FROM tickets WHERE station = '1'")
        asked = [protocol.Void(floor.id(), each["number"], each["code"]) for each in sold]
        got = await outcomes(tickets.void(floor.house, two, each) for each in asked)
        assert got == ({"Voided": 1, "not_in_drawer": 1} if holds else {"Voided": 2})
        held = await floor.ledger.read(lambda reads: drawer_queries.held(reads, two.shift, CHIPS))
        assert held == (0 if holds else -1_00)
