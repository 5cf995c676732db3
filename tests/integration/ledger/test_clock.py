"""The trusted clock: no step of the machine's clock ends a claim or dates a ticket (15.6(c))."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.games.clock_watch import watch_clock
from keno.service import clock_steps, payouts, tickets
from keno.service.common import StaffContext
from keno.store import clock_queries, exception_queries, floor_queries
from keno.store.trusted_clock import ClockLimits, Doubt
from tests.clocks import (
    DAY_MS,
    HOUR_MS,
    SECOND_MS,
    ClockedMachine,
    confirm_time,
    doubt_of,
    floor_on,
)
from tests.houses import START_MS, Floor
from tests.integration.ledger.asking import refused, rows, value
from tests.integration.ledger.events import expire
from tests.integration.ledger.unclaimed import BOOTH, BOTH, sound, unclaimed_house


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return await unclaimed_house(tmp_path)


# ---------------------------------------------------------------- a step while running


@BOTH
async def test_15_6_c_a_step_of_400_days_ends_no_claim_and_dates_no_ticket(
    path: Path, *, naive: bool
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path, naive=naive) as floor:
        machine.forward(60 * SECOND_MS)
        machine.step(400 * DAY_MS)
        machine.forward(5 * SECOND_MS)
        if naive:
            assert (await expire(floor)).tickets == (1, 2), "unclaimed winners are lost"
        else:
            async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
                await expire(floor)
        sold = await floor.sell(BOOTH)
        dated_ahead = sold.sold_ms > START_MS + DAY_MS
        assert dated_ahead is naive
        assert naive or sold.sold_ms == START_MS + 65 * SECOND_MS
    if not naive:
        sound(path)


@BOTH
async def test_15_6_c_a_claim_is_not_refused_as_ended_by_a_stepped_clock(
    path: Path, *, naive: bool
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path, naive=naive) as floor:
        machine.step(400 * DAY_MS)
        code = await value(floor, "SELECT code FROM tickets WHERE number = 1")
        pay = payouts.redeem(
            floor.house, BOOTH, protocol.Redeem(floor.id(), 1, code, protocol.Payment(9_00))
        )
        if naive:
            with pytest.raises(Refused) as no:
                await pay
            assert no.value.reason is Refusal.EXPIRED
        else:
            assert (await pay).cash_cents == 9_00
    if not naive:
        sound(path)


async def test_15_6_c_a_claim_that_ends_while_the_time_is_in_doubt_waits(path: Path) -> None:
    """A correction backwards may show that the claim has not ended: it is not refused as ended."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.forward(365 * DAY_MS + HOUR_MS)
        floor.ledger.clock()
        machine.step(-2 * HOUR_MS)
        code = await value(floor, "SELECT code FROM tickets WHERE number = 1")
        command = protocol.Redeem(floor.id(), 1, code, protocol.Payment(9_00))
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await payouts.redeem(floor.house, BOOTH, command)
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await expire(floor)
        await confirm_time(floor, "ledger")
        async with refused(floor, Refusal.EXPIRED):
            await payouts.redeem(floor.house, BOOTH, command)
        assert (await expire(floor)).tickets == (1, 2)
    sound(path)


async def test_15_6_c_a_hold_is_not_refused_as_too_late_while_the_time_is_in_doubt(
    path: Path,
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:

        async def refused_hold(reason: Refusal) -> None:
            command = protocol.Hold(floor.id(), "main", 1, "a dispute", release=False)
            async with refused(floor, reason):
                await tickets.hold(floor.house, StaffContext("S1"), command)

        machine.forward(365 * DAY_MS + HOUR_MS)
        floor.ledger.clock()
        machine.step(-2 * HOUR_MS)
        await refused_hold(Refusal.CLOCK_UNCONFIRMED)
        await confirm_time(floor, "ledger")
        await refused_hold(Refusal.EXPIRED)
        machine.step(400 * DAY_MS)
        assert await doubt_of(floor.house) is not None
        await confirm_time(floor, "machine")
        await refused_hold(Refusal.CLOCK_UNCONFIRMED)
        machine.forward(DAY_MS)
        assert (await expire(floor)).tickets == (1, 2)
        machine.step(HOUR_MS)
        await refused_hold(Refusal.EXPIRED)
    sound(path)


async def test_15_5_d_an_hour_back_dates_sales_by_the_boot_clock(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        times = []
        for step in (0, -HOUR_MS, 0, 2 * HOUR_MS):
            machine.step(step)
            machine.forward(10 * SECOND_MS)
            times.append((await floor.sell(BOOTH)).sold_ms - START_MS)
        assert times == [10_000, 20_000, 30_000, 40_000]
    sound(path)


async def test_small_corrections_are_followed_and_do_not_add_up(path: Path) -> None:
    """A leap second or a step of NTP within the bound; never more than the bound in all."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        clock = floor.ledger.trusted_clock
        assert clock is not None
        machine.step(-SECOND_MS)
        assert floor.ledger.clock() == machine.wall_ms
        machine.step(3 * SECOND_MS)
        assert floor.ledger.clock() == machine.wall_ms
        assert clock.doubt is None
        trusted_ms = machine.wall_ms
        machine.step(1)
        assert floor.ledger.clock() == trusted_ms
        assert clock.doubt is Doubt.STEPPED


async def test_the_bound_is_a_setting(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path, limits=ClockLimits(step_ms=HOUR_MS)) as floor:
        machine.step(HOUR_MS)
        assert floor.ledger.clock() == machine.wall_ms
        assert await doubt_of(floor.house) is None


async def test_a_reading_that_was_interrupted_is_taken_again(path: Path) -> None:
    """A process that is suspended between its readings has not seen a step."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        clock = floor.ledger.trusted_clock
        assert clock is not None
        wall, suspended = machine.clocks.wall_ms, [True, True]

        def interrupted() -> int:
            found = wall()
            if suspended and suspended.pop():
                machine.forward(60 * SECOND_MS)
            return found

        clock._machine = type(machine.clocks)(  # noqa: SLF001 the machine is suspended just there
            interrupted, machine.clocks.boot_ms, machine.clocks.boot_id
        )
        assert clock() == machine.wall_ms
        assert clock.doubt is None


async def test_15_6_c_a_machine_that_interrupts_every_reading_puts_no_time_in_doubt(
    path: Path,
) -> None:
    """The time goes on by the boot clock alone, and a step is seen once a reading is whole."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        clock = floor.ledger.trusted_clock
        assert clock is not None
        whole = machine.clocks

        def interrupted() -> int:
            machine.forward(SECOND_MS)
            return whole.wall_ms()

        clock._machine = replace(whole, wall_ms=interrupted)  # noqa: SLF001 as above
        assert clock() == machine.wall_ms
        assert clock.doubt is None
        clock._machine = whole  # noqa: SLF001 as above
        machine.step(HOUR_MS)
        assert clock() == machine.wall_ms - HOUR_MS
        assert clock.doubt is Doubt.STEPPED


# ---------------------------------------------------------------- confirmation


async def test_15_6_c_a_confirmed_step_goes_on_from_the_confirmed_instant(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(HOUR_MS)
        shown = await doubt_of(floor.house)
        assert shown is not None
        assert (shown.what, shown.ledger_ms, shown.machine_ms) == (
            "stepped", START_MS, START_MS + HOUR_MS,
        )  # fmt: skip
        machine.forward(20 * SECOND_MS)
        done = await confirm_time(floor, "machine")
        assert done.ms == machine.wall_ms
        assert await doubt_of(floor.house) is None
        assert (await floor.sell(BOOTH)).sold_ms == machine.wall_ms
        [step] = await rows(floor, "SELECT * FROM clock_steps")
        assert step == {
            "step": 1, "what": "stepped", "found_ms": START_MS, "wall_ms": START_MS + HOUR_MS,
            "confirmed_by": "S1", "confirmed_ms": START_MS + 20_000,
            "confirmed_wall_ms": machine.wall_ms, "choice": "machine",
        }  # fmt: skip
        assert (await expire(floor)).tickets == ()
    sound(path)


@pytest.mark.parametrize("clock", ["trusted", "unchecked"])
async def test_15_6_c_a_time_that_was_not_shown_is_not_confirmed(path: Path, clock: str) -> None:
    """The step is not recorded yet, or no step is ever found."""
    machine = ClockedMachine()
    async with floor_on(machine, path, naive=clock == "unchecked") as floor:
        machine.step(HOUR_MS)
        assert floor.ledger.clock() == START_MS + (HOUR_MS if clock == "unchecked" else 0)
        command = protocol.ConfirmClock(floor.id(), 1, "machine", machine.wall_ms, "")
        async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
            await clock_steps.confirm_clock(floor.house, StaffContext("S1"), command)


@BOTH
async def test_15_6_c_time_that_was_confirmed_backwards_waits_and_never_goes_back(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    """Unless a confirmed step jumped over it; the naive house goes back to any time."""
    machine = ClockedMachine()
    if naive:
        monkeypatch.setattr(clock_queries, "is_jumped_over", lambda *_: True)
    async with floor_on(machine, path) as floor:
        machine.step(-HOUR_MS)
        await confirm_time(floor, "machine")
        assert (await floor.sell(BOOTH)).sold_ms == START_MS - (HOUR_MS if naive else 0)
        machine.forward(2 * HOUR_MS)
        assert (await floor.sell(BOOTH)).sold_ms == START_MS + HOUR_MS
    assert audit(path)["sound"] is not naive


async def test_the_ledgers_time_goes_on_beside_a_wrong_clock_until_it_is_set_right(
    path: Path,
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(DAY_MS)
        await confirm_time(floor, "ledger")
        machine.forward(10 * SECOND_MS)
        assert (await floor.sell(BOOTH)).sold_ms == START_MS + 10_000
        machine.step(2 * SECOND_MS)
        assert floor.ledger.clock() == START_MS + 10_000, "a wrong clock is not followed"
        assert await doubt_of(floor.house) is None
        machine.step(-DAY_MS)
        assert floor.ledger.clock() == machine.wall_ms
        assert await doubt_of(floor.house) is None
        machine.step(-DAY_MS)
        found = await doubt_of(floor.house)
        assert found is not None
        assert found.step == 2
    sound(path)


async def test_a_confirmation_is_for_the_time_that_was_shown(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(HOUR_MS)
        shown = await doubt_of(floor.house)
        assert shown is not None
        for otherwise, reason in (
            ({"by": "W1"}, Refusal.NOT_ALLOWED),
            ({"by": "I1"}, Refusal.NOT_ALLOWED),
            ({"step": 2}, Refusal.NOT_POSSIBLE_NOW),
            ({"choice": "mine"}, Refusal.MALFORMED),
            ({"machine_ms": START_MS}, Refusal.NOT_POSSIBLE_NOW),
        ):
            async with refused(floor, reason):
                await confirm_time(floor, **otherwise)
        command = protocol.ConfirmClock(
            "once", shown.step, "machine", shown.machine_ms - clock_steps.SHOWN_MS, ""
        )
        by = StaffContext("M1")
        done = await clock_steps.confirm_clock(floor.house, by, command)
        machine.step(HOUR_MS)
        assert await clock_steps.confirm_clock(floor.house, by, command) == done
        again = await doubt_of(floor.house)
        assert again is not None, "a repeat confirms nothing new"
        assert again.step == 2
    sound(path)


async def test_a_house_with_another_clock_has_nothing_to_confirm(path: Path) -> None:
    async with floor_on(ClockedMachine(), path, naive=True) as floor:
        assert await doubt_of(floor.house) is None
        command = protocol.ConfirmClock(floor.id(), 1, "machine", START_MS, "")
        async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
            await clock_steps.confirm_clock(floor.house, StaffContext("S1"), command)


# ---------------------------------------------------------------- exceptions, audit, the timer


async def test_15_6_c_a_step_is_an_exception_with_both_times(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(HOUR_MS)
        assert await doubt_of(floor.house) is not None
        span = (START_MS, START_MS + DAY_MS)
        for confirmed, actor in (("Not confirmed yet.", ""),
                                 ("The machine's time was confirmed.", "S1")):  # fmt: skip
            listed = await floor.ledger.read(
                lambda reads: exception_queries.exceptions(reads, "main", *span)
            )
            [step] = [row for row in listed if row.kind == "clock_step"]
            assert (step.actor, step.ms) == (actor, START_MS)
            both = "Ledger time 2026-11-16 07:00:00 UTC, machine time 2026-11-16 08:00:00 UTC"
            assert step.detail == f"{both}. {confirmed}"
            now = await floor.ledger.read(lambda reads: floor_queries.exceptions(reads, "main", 9))
            assert [row["reason"] for row in now if row["kind"] == "clock_step"] == [both]
            if not actor:
                await confirm_time(floor)


async def test_the_timer_records_a_step_without_any_command(path: Path) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(HOUR_MS)
        waited = []

        async def wait(seconds: float) -> None:
            waited.append(seconds)
            if len(waited) == 3:
                raise TimeoutError

        with pytest.raises(TimeoutError):
            await watch_clock(floor.house, wait)
        assert await value(floor, "SELECT count(*) FROM clock_steps") == 1


@asynccontextmanager
async def tampered(path: Path, what: str) -> AsyncIterator[Floor]:
    """A house whose step is recorded, and then forgotten by its clock."""
    machine = ClockedMachine()
    if what == "restarted":
        machine.reboot(40 * HOUR_MS)
    async with floor_on(machine, path) as floor:
        machine.step(400 * DAY_MS if what == "stepped" else 0)
        assert await doubt_of(floor.house) is not None
        clock = floor.ledger.trusted_clock
        assert clock is not None
        clock._doubt = None  # noqa: SLF001 the guard is gone; the audit must see it
        clock._trusted_ms = clock._wall_ms = machine.wall_ms - machine.boot_ms  # noqa: SLF001
        yield floor


async def test_the_audit_finds_a_claim_that_ended_while_the_time_was_not_confirmed(
    path: Path,
) -> None:
    async with tampered(path, "stepped") as floor:
        assert (await expire(floor)).tickets == (1, 2)
    found = audit(path)["first_discrepancy"]
    assert (found["table"], found["column"]) == ("endings", "kind")
    assert "while the time was not confirmed" in found["message"]


async def test_the_audit_finds_what_was_recorded_while_the_house_was_closed(path: Path) -> None:
    async with tampered(path, "restarted") as floor:
        await floor.sell(BOOTH)
    found = audit(path)["first_discrepancy"]
    assert "closed for its clock" in found["message"]
