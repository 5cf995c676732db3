"""Every guarded change alone decides between two commands that both read the ledger as it was.

The writer runs one command after the other, so in a sound house what was read still holds and a
guard never refuses. Here the second command reads a snapshot from before the first. Without guards
(`tests/fakes.py`) the same two commands are both done, or break the ledger.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.domain.errors import Irregular, Refused
from keno.domain.halt import HaltFault
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Second, Sold
from keno.service import coupon_register, games, halts, payouts, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from keno.store.transaction import ImpossibleChange
from tests import houses
from tests.fakes import Stale, StaleWithoutGuards, without_keys
from tests.halting import BOTH, give_keyholders, signed_order, the_halt
from tests.houses import PASSPHRASE, Floor, new_floor, proof_of, verify
from tests.integration.crash.test_races import (
    FIRST_TWENTY,
    ONE_SPOT,
    authorised,
    redeem,
    signing_key,
    winners,
)
from tests.rng_house import Keys

Act = Callable[[], Awaitable[object]]
Prepare = Callable[[Floor], Awaitable[tuple[Act, Act]]]


async def two_voids(floor: Floor) -> tuple[Act, Act]:
    booth = await floor.booth()
    sold = await floor.sell(booth, ONE_SPOT)

    def act() -> Awaitable[object]:
        command = protocol.Void(floor.id(), sold.ticket, sold.code)
        return tickets.void(floor.house, booth, command)

    return act, act


async def two_refunds(floor: Floor) -> tuple[Act, Act]:
    booth = await floor.booth()
    sold = await floor.sell(booth, f"{ONE_SPOT} x5")
    await floor.play()

    def act() -> Awaitable[object]:
        payment = protocol.Payment(4_00)
        command = protocol.Refund(floor.id(), sold.ticket, sold.code, payment)
        return payouts.refund(floor.house, booth, command)

    return act, act


async def two_checkouts(floor: Floor) -> tuple[Act, Act]:
    booth = await floor.booth()

    def act() -> Awaitable[object]:
        counted = {"currency": 10_000_00}
        command = protocol.CloseShift(floor.id(), counted, Second("S1", ""))
        return shifts.close_shift(floor.house, replace(booth, second="S1"), command)

    return act, act


async def two_decisions_about_a_ticket_not_issued(floor: Floor) -> tuple[Act, Act]:
    booth = await floor.booth()
    sold = await floor.sell(booth, ONE_SPOT)
    await floor.lock()
    await floor.declare_not_issued(booth, sold)
    return (
        lambda: floor.confirm_not_issued(sold, "S1"),
        lambda: floor.confirm_not_issued(sold, "S2", issued=True),
    )


# Authorisations.


async def asked(floor: Floor) -> tuple[WriterContext, Sold, int]:
    """A supervisor was asked about a large payout."""
    booth = await floor.booth()
    sold, _ = await winners(floor, booth)
    question = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
    done = await payouts.request_authorisation(floor.house, booth, question)
    return booth, sold, done.authorisation


async def approve(floor: Floor, number: int, supervisor: str) -> object:
    signature = await payouts.sign_authorisation(floor.house, number, supervisor, PASSPHRASE)
    by = StaffContext(supervisor)
    command = protocol.Authorise(floor.id(), number, approve=True)
    return await payouts.authorise(floor.house, by, command, signature)


async def two_supervisors_approve(floor: Floor) -> tuple[Act, Act]:
    _, _, number = await asked(floor)
    key = protocol.SetSigningKey(floor.id(), "")
    await people.set_signing_key(floor.house, StaffContext("S2"), key, *signing_key())
    return lambda: approve(floor, number, "S1"), lambda: approve(floor, number, "S2")


async def an_approval_and_a_lapse(floor: Floor) -> tuple[Act, Act]:
    _, _, number = await asked(floor)
    return lambda: approve(floor, number, "S1"), lambda: payouts.lapse(floor.house, 30)


async def an_approval_and_a_drawer_closed_by_others(floor: Floor) -> tuple[Act, Act]:
    booth, _, number = await asked(floor)
    key = protocol.SetSigningKey(floor.id(), "")
    await people.set_signing_key(floor.house, StaffContext("S2"), key, *signing_key())

    def close() -> Awaitable[object]:
        counted = {"currency": 10_000_00}
        command = protocol.CloseOtherShift(
            floor.id(), booth.shift, counted, "she went home ill", Second("W2", "")
        )
        return shifts.close_other_shift(floor.house, StaffContext("S1", "W2"), command)

    return lambda: approve(floor, number, "S2"), close


async def two_payouts_of_one_authorisation(floor: Floor) -> tuple[Act, Act]:
    booth = await floor.booth()
    sold, _ = await winners(floor, booth)
    await authorised(floor, booth, sold)

    def act() -> Awaitable[object]:
        return redeem(floor, booth, sold, 1_500_00)

    return act, act


# Games.


async def two_lock_outs(floor: Floor) -> tuple[Act, Act]:
    def act() -> Awaitable[object]:
        command = games.LockOut(floor.id(), "main", 1, "commitment 2", SYSTEM)
        return games.lock_out(floor.house, command)

    return act, act


async def two_books(floor: Floor) -> tuple[Act, Act]:
    await floor.lock()

    def act() -> Awaitable[object]:
        return games.close_book(floor.house, "main", 1)

    return act, act


async def two_draws(floor: Floor) -> tuple[Act, Act]:
    await floor.lock()
    await games.close_book(floor.house, "main", 1)

    def act(numbers: list[int]) -> Awaitable[object]:
        return games.record_draw(floor.house, "main", 1, proof_of(numbers), verify)

    return lambda: act(list(range(1, 21))), lambda: act(list(range(2, 22)))


async def two_settlings(floor: Floor) -> tuple[Act, Act]:
    await floor.lock()
    await games.close_book(floor.house, "main", 1)
    await games.record_draw(floor.house, "main", 1, proof_of(FIRST_TWENTY), verify)

    def act() -> Awaitable[object]:
        return games.settle(floor.house, "main", 1)

    return act, act


async def two_void_games(floor: Floor) -> tuple[Act, Act]:
    await floor.lock()

    def act() -> Awaitable[object]:
        by = StaffContext("S1", "I1")
        command = protocol.DeclareVoid(
            floor.id(), "main", 1, "The generator is dead.", Second("I1", ""), {}
        )
        return games.declare_void(floor.house, by, command)

    return act, act


async def two_resumes(floor: Floor) -> tuple[Act, Act]:
    keys = Keys()
    await give_keyholders(floor, keys)
    await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="main"))
    digest = the_halt(floor.house).halt
    order = await signed_order(floor.house, digest, keys)

    def act() -> Awaitable[object]:
        command = protocol.ResumeHalt(floor.id(), digest, Second("I1", ""), order)
        return halts.resume_halt(floor.house, BOTH, command)

    return act, act


# Coupons.


async def two_sales_for(floor: Floor, booth: WriterContext, serial: str) -> tuple[Act, Act]:
    tender = (Tender(TenderKind.COUPON, 1_00, serial),)
    commands = [await floor.sale(booth, ONE_SPOT, tender=tender) for _ in range(2)]
    first, second = commands
    return lambda: sell(floor.house, first), lambda: sell(floor.house, second)


async def two_sales_for_a_coupon_of_the_house(floor: Floor) -> tuple[Act, Act]:
    """A void gave a coupon back as a new one."""
    booth = await floor.booth()
    await floor.registered(1_00, "PROMO")
    tender = (Tender(TenderKind.COUPON, 1_00, "PROMO"),)
    sold = await sell(floor.house, await floor.sale(booth, ONE_SPOT, tender=tender))
    void = protocol.Void(floor.id(), sold.ticket, sold.code)
    voided = await tickets.void(floor.house, booth, void)
    assert voided.coupon == "A-R1"
    return await two_sales_for(floor, booth, voided.coupon)


async def two_sales_for_a_registered_coupon(floor: Floor) -> tuple[Act, Act]:
    await floor.registered(1_00, "PROMO")
    return await two_sales_for(floor, await floor.booth(), "PROMO")


def void_coupon(floor: Floor) -> Awaitable[object]:
    command = protocol.VoidCoupon(floor.id(), "PROMO", "misprinted")
    return coupon_register.void_coupon(floor.house, StaffContext("M1"), command)


async def a_sale_and_a_void_of_its_coupon(floor: Floor) -> tuple[Act, Act]:
    sold, _ = await two_sales_for_a_registered_coupon(floor)
    return sold, lambda: void_coupon(floor)


async def two_voids_of_a_coupon(floor: Floor) -> tuple[Act, Act]:
    await floor.registered(1_00, "PROMO")
    return lambda: void_coupon(floor), lambda: void_coupon(floor)


# The guards.

DONE, NOTHING = "done", "nothing"


@dataclass(frozen=True)
class Guard:
    """Two commands, and what becomes of the second with its guard and without."""

    prepare: Prepare
    guarded: str
    naive: str = DONE
    loose: tuple[str, ...] = ()
    """Tables whose keys and checks would stop the naive command too."""


GUARDS = (
    Guard(two_voids, "void", loose=("endings", "drawer")),
    Guard(two_refunds, "cancelled", loose=("endings", "drawer")),
    Guard(two_checkouts, "shift_closed"),
    Guard(two_decisions_about_a_ticket_not_issued, "not_possible_now", naive="not_possible_now"),
    Guard(two_supervisors_approve, "not_possible_now"),
    Guard(an_approval_and_a_lapse, NOTHING, loose=("authorisations",)),
    Guard(an_approval_and_a_drawer_closed_by_others, "ImpossibleChange", loose=("authorisations",)),
    Guard(two_payouts_of_one_authorisation, "authorisation_needed", loose=("endings", "drawer")),
    Guard(two_lock_outs, "not_possible_now", naive="not_possible_now"),
    Guard(two_books, "ImpossibleChange"),
    Guard(two_draws, "not_possible_now", naive="not_possible_now"),
    Guard(two_settlings, "not_possible_now"),
    Guard(two_void_games, "not_possible_now", loose=("overrides",)),
    Guard(two_resumes, "not_possible_now", naive="not_possible_now"),
    Guard(two_sales_for_a_coupon_of_the_house, "coupon_spent"),
    Guard(two_sales_for_a_registered_coupon, "coupon_spent"),
    Guard(a_sale_and_a_void_of_its_coupon, "coupon_spent", loose=("coupons",)),
    Guard(two_voids_of_a_coupon, "coupon_spent", loose=("coupons",)),
)


async def outcome(floor: Floor, asked: Awaitable[object]) -> str:
    """What became of a command; if it failed, how. The writer goes on."""
    try:
        answer = await asked
    except Refused as refused:
        return refused.reason.value
    except ImpossibleChange:
        return "ImpossibleChange"
    finally:
        assert not floor.ledger.died.done()
    return NOTHING if answer == () else DONE


@pytest.mark.parametrize("kind", [Stale, StaleWithoutGuards], ids=["guarded", "naive"])
@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.prepare.__name__)
async def test_the_guard_alone_decides_between_two_commands(
    guard: Guard,
    kind: type[Stale],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(houses, "Ledger", kind)
    async with new_floor(tmp_path) as floor:
        first, second = await guard.prepare(floor)
        assert isinstance(floor.ledger, Stale)
        floor.ledger.freeze()
        if not kind.guarded:
            await without_keys(floor.ledger, *guard.loose)
        floor.clock.forward(minutes=1)
        assert await outcome(floor, first()) == DONE
        floor.clock.forward(minutes=1)
        got = await outcome(floor, second())
    assert got == (guard.guarded if kind.guarded else guard.naive)
    if kind.guarded and guard.naive == guard.guarded:  # the ledger would refuse it alike
        assert "broke a constraint" not in caplog.text
    steps = frozenset(Step) if kind.guarded else frozenset(Step) - {Step.SCHEMA, Step.FILE}
    assert audit(floor.path, verify=verify, steps=steps)["sound"] is (got != DONE)
