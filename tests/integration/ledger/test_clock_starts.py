"""The trusted clock at a start: the same boot, a new one, offsets that are lost (15.6(c))."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.games.schedule import Schedule, take_up
from keno.service import payouts, tickets
from keno.service.sell import sell
from keno.store.ledger import Ledger
from keno.store.trusted_clock import KeptOffsets, TrustedClock, read_offsets, write_offsets
from tests.clocks import (
    DAY_MS,
    HOUR_MS,
    SECOND_MS,
    ClockedMachine,
    confirm_time,
    doubt_of,
    floor_on,
)
from tests.houses import START_MS, Clock, new_floor
from tests.integration.ledger.asking import refused, value
from tests.integration.ledger.events import expire
from tests.integration.ledger.unclaimed import BOOTH, BOTH, sound, unclaimed_house


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    return await unclaimed_house(tmp_path)


# ---------------------------------------------------------------- starts


@BOTH
async def test_15_6_c_a_start_on_the_same_boot_takes_the_boot_clock(
    path: Path, *, naive: bool
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path, naive=naive):
        pass
    machine.forward(HOUR_MS)
    machine.step(400 * DAY_MS)
    async with floor_on(machine, path, naive=naive) as floor:
        late = floor.ledger.clock() != START_MS + HOUR_MS
        assert late is naive
        if naive:
            return
        found = await doubt_of(floor.house)
        assert found is not None
        assert found.what == "stepped"
        await floor.sell(BOOTH)
    async with floor_on(machine, path) as floor:
        assert (await doubt_of(floor.house)) is not None, "a restart confirms nothing"
        machine.step(-400 * DAY_MS)
    async with floor_on(machine, path) as floor:
        assert (await doubt_of(floor.house)) is not None, "nor does a clock that came back"
        await floor.sell(BOOTH)
        await confirm_time(floor, "machine")
        assert (await floor.sell(BOOTH)).sold_ms == START_MS + HOUR_MS
    sound(path)


async def test_15_6_c_offsets_are_kept_at_the_start_and_at_a_confirmation(path: Path) -> None:
    """A server that is killed a moment later starts with them."""
    machine, file = ClockedMachine(), path.with_name("ledger.db.clock")
    async with floor_on(machine, path) as floor:
        begun = START_MS - machine.boot_ms
        assert read_offsets(file) == KeptOffsets("b1", begun, begun)
        machine.step(HOUR_MS)
        await confirm_time(floor, "machine")
        assert read_offsets(file) == KeptOffsets("b1", begun + HOUR_MS, begun + HOUR_MS)


async def test_15_6_c_no_offsets_of_before_a_confirmation_outlive_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed before the new ones are written, the server starts as on a new boot."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(40 * HOUR_MS)
        monkeypatch.setattr(TrustedClock, "keep", lambda _: None)
        await confirm_time(floor, "machine")
        assert read_offsets(path.with_name("ledger.db.clock")) is None


async def test_15_6_c_a_small_correction_before_a_start_is_followed_at_the_start(
    path: Path,
) -> None:
    machine = ClockedMachine()
    for step_ms in (0, 1_500):
        machine.step(step_ms)
        async with floor_on(machine, path):
            pass
    machine.step(400 * DAY_MS)
    async with floor_on(machine, path) as floor:
        assert floor.ledger.clock() == START_MS + 1_500


async def test_a_machine_that_cannot_say_its_boot_is_refused_as_such(path: Path) -> None:
    def no_boot_id() -> str:
        raise OSError("no boot id")

    clocks = replace(ClockedMachine().clocks, boot_id=no_boot_id)
    with pytest.raises(OSError, match="no boot id"):
        await Ledger.open(path, TrustedClock(clocks))


async def test_15_5_d_a_restart_beside_a_stepped_clock_closes_the_game_when_it_is_due(
    path: Path,
) -> None:
    """What is left of the open game is reckoned by the trusted clock."""
    machine = ClockedMachine()
    async with floor_on(machine, path):
        pass
    machine.forward(100 * SECOND_MS)
    machine.step(HOUR_MS)
    async with floor_on(machine, path) as floor:
        game, now_ms = await floor.open_game(), floor.ledger.clock()
        schedule = Schedule(1, 300, 60, 2.0, 5, automatic=True)
        close = take_up(schedule, game, [], now_ms, 0.0)
        assert close.left(0.0) == 200


@pytest.mark.parametrize(
    ("away_ms", "closed"),
    [(60_000, False), (36 * HOUR_MS, False), (36 * HOUR_MS + 1, True), (40 * HOUR_MS, True),
     (400 * DAY_MS, True), (-1, True), (-HOUR_MS, True)],
)  # fmt: skip
@BOTH
async def test_15_6_c_a_new_boot_opens_within_36_hours_of_the_last_record(
    path: Path, away_ms: int, *, closed: bool, naive: bool
) -> None:
    machine = ClockedMachine()
    machine.reboot(away_ms)
    async with floor_on(machine, path, naive=naive) as floor:
        if naive or not closed:
            await floor.sell(BOOTH)
            assert await doubt_of(floor.house) is None
            return
        sale = await floor.sale(BOOTH, "1 2: 1/2@1.00")
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await sell(floor.house, sale)
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await floor.lock()
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await expire(floor)
        code = await value(floor, "SELECT code FROM tickets WHERE number = 1")
        command = protocol.Redeem(floor.id(), 1, code, protocol.Payment(9_00))
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await payouts.redeem(floor.house, BOOTH, command)
        found = await doubt_of(floor.house)
        assert found is not None
        assert (found.what, found.machine_ms) == ("restarted", machine.wall_ms)
        await confirm_time(floor, "machine")
        sold = await sell(floor.house, sale)
        assert sold.sold_ms == max(machine.wall_ms, START_MS)
    sound(path)


@BOTH
async def test_15_7_a_halt_is_recorded_while_the_house_is_closed_for_its_clock(
    path: Path, monkeypatch: pytest.MonkeyPatch, *, naive: bool
) -> None:
    if naive:
        clock_only = frozenset({"ClockStep", "ConfirmClock"})
        monkeypatch.setattr("keno.store.ledger.UNDATED_KINDS", clock_only)
    machine = ClockedMachine()
    machine.reboot(40 * HOUR_MS)
    async with floor_on(machine, path) as floor:
        found = Irregular(HaltFault.CHAIN, "The audit chain breaks at row 7.")
        if naive:
            async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
                await floor.ledger.halt(found)
            return
        await doubt_of(floor.house)
        assert (await floor.ledger.halt(found)).reason is Refusal.HALTED
        assert await value(floor, "SELECT halted_ms < ? FROM halts", machine.wall_ms) == 1
        await confirm_time(floor, "machine")
        with pytest.raises(Refused) as no:
            await floor.sell(BOOTH)
        assert no.value.reason is Refusal.HALTED
    sound(path)


async def test_a_repeated_request_is_answered_while_the_house_is_closed(path: Path) -> None:
    """A station that lost an answer over the reboot must hear that its ticket was sold."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        sale = await floor.sale(BOOTH, "1 2: 1/2@1.00")
        sold = await sell(floor.house, sale)
        confirm = protocol.ConfirmPrint(floor.id(), sold.ticket)
        done = await tickets.confirm_print(floor.house, BOOTH, confirm)
    machine.reboot(40 * HOUR_MS)
    async with floor_on(machine, path) as floor:
        assert await sell(floor.house, sale) == sold
        assert await tickets.confirm_print(floor.house, BOOTH, confirm) == done
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await sell(floor.house, await floor.sale(BOOTH, "3 4: 1/2@1.00"))


async def test_15_6_c_a_closed_house_stays_closed_over_restarts(path: Path) -> None:
    machine = ClockedMachine()
    machine.reboot(40 * HOUR_MS)
    for _ in range(2):
        async with (
            floor_on(machine, path) as floor,
            refused(floor, Refusal.CLOCK_UNCONFIRMED),
        ):
            await floor.lock()
        machine.forward(60 * SECOND_MS)
    async with floor_on(machine, path) as floor:
        assert await doubt_of(floor.house) is not None
    machine.step(-39 * HOUR_MS)
    async with floor_on(machine, path) as floor:
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await floor.lock()
        await confirm_time(floor, "machine")
        await floor.lock()
    machine.forward(60 * SECOND_MS)
    async with floor_on(machine, path) as floor:
        assert floor.ledger.clock() == machine.wall_ms
        assert await doubt_of(floor.house) is None
    sound(path)


async def test_a_step_that_nobody_confirmed_closes_the_house_after_a_reboot(path: Path) -> None:
    """The boot clock, which knew better, is gone."""
    machine = ClockedMachine()
    async with floor_on(machine, path) as floor:
        machine.step(HOUR_MS)
        assert await doubt_of(floor.house) is not None
    machine.reboot()
    async with floor_on(machine, path) as floor:
        async with refused(floor, Refusal.CLOCK_UNCONFIRMED):
            await floor.lock()
        await confirm_time(floor, "ledger")
        assert (await floor.sell(BOOTH)).sold_ms == START_MS
    sound(path)


async def test_a_house_without_a_game_opens_whatever_the_clock_says(tmp_path: Path) -> None:
    """It is still being set up: there is no claim to lose."""
    async with new_floor(tmp_path, clock=Clock(START_MS), first_game=False) as floor:
        path = floor.path
    machine = ClockedMachine()
    machine.reboot(100 * DAY_MS)
    async with floor_on(machine, path) as floor:
        assert await doubt_of(floor.house) is None
        assert floor.ledger.clock() == machine.wall_ms


@pytest.mark.parametrize("damage", [lambda file: file.unlink(), lambda file: file.write_text("?")])
async def test_offsets_that_are_lost_are_judged_as_a_new_boot(
    path: Path, damage: Callable[[Path], Any]
) -> None:
    machine = ClockedMachine()
    async with floor_on(machine, path):
        pass
    damage(path.with_name("ledger.db.clock"))
    machine.step(40 * HOUR_MS)
    async with floor_on(machine, path) as floor:
        found = await doubt_of(floor.house)
        assert found is not None
        assert found.what == "restarted"


def test_offsets_are_kept_and_a_changed_file_is_not_believed(tmp_path: Path) -> None:
    kept, file = KeptOffsets("b1", 17, -4), tmp_path / "clock"
    write_offsets(file, kept)
    assert read_offsets(file) == kept
    file.write_text(file.read_text().replace(" 17 ", " 18 "))
    assert read_offsets(file) is None
    assert read_offsets(tmp_path / "none") is None
