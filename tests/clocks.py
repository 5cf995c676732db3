"""A fake machine whose clocks a test sets, and houses that run on these clocks.

No test can step the clock of the machine it runs on. `MachineClock` is where the program reads its
clocks, so the whole program runs on the clocks of a `ClockedMachine`.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from keno import protocol
from keno.protocol.clock import ClockConfirmed, ClockDoubt
from keno.service import clock_steps, people
from keno.service.common import StaffContext
from keno.service.house import House
from keno.store.ledger import Ledger
from keno.store.trusted_clock import (
    ClockLimits,
    MachineClock,
    TrustedClock,
    read_offsets,
    write_offsets,
)
from tests.houses import CODE_KEY, START_MS, Clock, Floor

SECOND_MS, HOUR_MS, DAY_MS = 1_000, 3_600_000, 86_400_000


@dataclass
class ClockedMachine:
    """A machine with a wall clock that can be stepped and a boot clock that only runs."""

    wall_ms: int = START_MS
    boot_ms: int = 5_000_000
    boots: int = 1
    ids: "count[int]" = field(default_factory=lambda: count(2_000_000))

    @property
    def clocks(self) -> MachineClock:
        return MachineClock(lambda: self.wall_ms, lambda: self.boot_ms, lambda: f"b{self.boots}")

    def forward(self, ms: int) -> None:
        """Let `ms` milliseconds pass on both clocks."""
        self.wall_ms += ms
        self.boot_ms += ms

    def step(self, ms: int) -> None:
        """Step the wall clock by `ms` milliseconds."""
        self.wall_ms += ms

    def reboot(self, away_ms: int = 60_000) -> None:
        """Reboot: the wall clock advances by `away_ms`, the boot clock restarts."""
        self.wall_ms += away_ms
        self.boot_ms = 20_000
        self.boots += 1


@asynccontextmanager
async def floor_on(
    machine: ClockedMachine, path: Path, *, naive: bool = False, limits: ClockLimits | None = None
) -> AsyncIterator[Floor]:
    """Open the house of an existing ledger on a machine's clocks.

    With `naive` the ledger uses the wall clock alone.
    """
    clock = TrustedClock(machine.clocks, limits)
    ledger = await Ledger.open(path, (lambda: machine.wall_ms) if naive else clock)
    try:
        house = await people.open_house(ledger, CODE_KEY)
        yield Floor(house, Clock(), path, machine.ids)
    finally:
        await ledger.close()


def leave_step(ledger: Path, ms: int) -> None:
    """Rewrite the file beside a ledger as if the machine's clock had been stepped by `ms`."""
    path = ledger.with_name(f"{ledger.name}.clock")
    kept = read_offsets(path)
    assert kept is not None
    before = replace(kept, trusted_ms=kept.trusted_ms - ms, wall_ms=kept.wall_ms - ms)
    write_offsets(path, before)


def leave_boot(ledger: Path) -> None:
    """Rewrite the file beside a ledger as if the machine had been rebooted."""
    path = ledger.with_name(f"{ledger.name}.clock")
    kept = read_offsets(path)
    assert kept is not None
    write_offsets(path, replace(kept, boot_id="another-boot"))


@dataclass
class SteppedClock:
    """The offset in ms of a wall clock from the test's own clock."""

    off_ms: int = 0

    def step(self, ms: int) -> None:
        self.off_ms += ms


def trust(floor: Floor) -> SteppedClock:
    """Give an open house a trusted clock and return its wall clock, which the test can step."""
    wall = SteppedClock()
    machine = MachineClock(lambda: floor.clock() + wall.off_ms, floor.clock, lambda: "b1")
    clock = TrustedClock(machine)
    clock.begin(floor.path.with_name(f"{floor.path.name}.clock"), 0)
    floor.ledger.clock = floor.ledger.trusted_clock = clock
    return wall


async def doubt_of(house: House) -> ClockDoubt | None:
    """Return the clock step that waits for confirmation, as the console shows it; None without."""
    await clock_steps.record_step(house)
    return await house.ledger.read(lambda reads: clock_steps.clock_doubt(house, reads))


async def confirm_time(
    floor: Floor, choice: str = "machine", by: str = "S1", **otherwise: object
) -> ClockConfirmed:
    """Confirm the pending clock step by the machine's or the ledger's time (`choice`)."""
    doubt = await doubt_of(floor.house)
    assert doubt is not None
    fields: dict[str, object] = {
        "step": doubt.step, "choice": choice, "machine_ms": doubt.machine_ms, "password": "",
    }  # fmt: skip
    command = protocol.ConfirmClock(floor.id(), **(fields | otherwise))  # type: ignore[arg-type]
    return await clock_steps.confirm_clock(floor.house, StaffContext(by), command)
