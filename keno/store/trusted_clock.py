"""The trusted clock: the machine's wall clock, as long as its boot clock confirms it (15.6(c)).

A wall clock can be set; the boot clock (CLOCK_BOOTTIME) only runs. NTP slews both alike, so their
difference stays the same until the wall clock is stepped. A step beyond a small bound puts the time
in doubt: time goes on by the boot clock from the last trusted instant until a supervisor confirms
it. After a new boot only the ledger's last record is left to compare with. A wall time before that
record, or long after it, closes the house until a supervisor confirms the time.

A ledger that is opened with any other clock uses that clock unchecked, as tests do.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

log = logging.getLogger(__name__)

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
READING_MS = 50
"""Maximum milliseconds for a reading of both clocks; a slower one is repeated."""
READINGS = 10
HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class ClockLimits:
    """How far a house's clock may deviate before its time must be confirmed."""

    step_ms: int = 2_000
    """Maximum milliseconds by which the wall clock may deviate from the boot clock, in total."""
    gap_ms: int = 36 * HOUR_MS
    """Maximum milliseconds from the last record to the first instant of a new boot."""


@dataclass(frozen=True, slots=True)
class MachineClock:
    """Functions that read the clocks of a machine; tests pass their own."""

    wall_ms: Callable[[], int]
    boot_ms: Callable[[], int]
    boot_id: Callable[[], str]


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


def _boot_ms() -> int:
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000


def _boot_id() -> str:
    return BOOT_ID.read_text("ascii").strip()


THIS_MACHINE = MachineClock(_wall_ms, _boot_ms, _boot_id)


class Doubt(StrEnum):
    """Reasons for which a supervisor must confirm the time."""

    STEPPED = "stepped"
    """The wall clock was stepped since this boot; time goes on by the boot clock."""
    RESTARTED = "restarted"
    """After a new boot nothing confirms the wall clock; the house is closed."""


class ClockChoice(StrEnum):
    """The times of which a supervisor confirms one: the machine's or the ledger's."""

    MACHINE = "machine"
    LEDGER = "ledger"


@dataclass(frozen=True, slots=True)
class ClockReading:
    """Wall clock and boot clock at one moment, in milliseconds."""

    wall_ms: int
    boot_ms: int

    @property
    def offset_ms(self) -> int:
        return self.wall_ms - self.boot_ms


@dataclass(frozen=True, slots=True)
class KeptOffsets:
    """Content of the clock file beside the head file: a boot, and offsets to its boot clock."""

    boot_id: str
    trusted_ms: int
    """Trusted time less boot time, in milliseconds."""
    wall_ms: int
    """Wall time less boot time when it was last trusted or confirmed, in milliseconds."""

    def line(self) -> str:
        text = f"keno-clock/1 {self.boot_id} {self.trusted_ms} {self.wall_ms}"
        return f"{text} {sha256(text.encode()).hexdigest()[:16]}\n"


def read_offsets(path: Path) -> KeptOffsets | None:
    """Return the offsets in a clock file; None if the file is missing or damaged."""
    try:
        text = path.read_text("ascii")
        _, boot_id, trusted_ms, wall_ms, _ = text.split()
        kept = KeptOffsets(boot_id, int(trusted_ms), int(wall_ms))
    except (OSError, ValueError):
        return None
    return kept if kept.line() == text else None


def write_offsets(path: Path, kept: KeptOffsets) -> None:
    """Replace the clock file durably with these offsets."""
    beside = path.with_name(path.name + ".new")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(kept.line())
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class TrustedClock:
    """A clock that returns UTC milliseconds and that no large step of the wall clock moves.

    The ledger calls `begin` once at its start; calling the object then returns the time.
    """

    def __init__(
        self, machine: MachineClock = THIS_MACHINE, limits: ClockLimits | None = None
    ) -> None:
        self._machine = machine
        self._limits = limits or ClockLimits()
        self._lock = threading.Lock()
        """Lock for reading and judging the clocks; the ledger's writer thread takes it too."""
        self._path: Path | None = None
        self._boot_id = ""
        self._trusted_ms = 0
        self._wall_ms = 0
        self._doubt: Doubt | None = None
        self._doubted_wall_ms = 0

    def begin(self, path: Path, last_ms: int, unconfirmed: Doubt | None = None) -> None:
        """Judge the machine's time at a start, by the clock file or by the ledger's last record.

        `path` is the clock file. `last_ms` is the time of the last record, 0 if there was no game
        yet. `unconfirmed` is a doubt that the ledger has recorded and that is not confirmed.
        """
        with self._lock:
            self._path, self._boot_id = path, self._machine.boot_id()
            now = self._read()
            kept = read_offsets(path)
            if kept is not None and kept.boot_id == self._boot_id:
                self._trusted_ms, self._wall_ms = kept.trusted_ms, kept.wall_ms
                self._judge(now)
                if unconfirmed is not None and self._doubt is None:
                    self._put_in_doubt(Doubt.STEPPED, now)
            else:
                self._begin_boot(now, last_ms, unconfirmed)
        self.keep()

    def _begin_boot(self, now: ClockReading, last_ms: int, unconfirmed: Doubt | None) -> None:
        gap_ms = now.wall_ms - last_ms
        near = unconfirmed is None and 0 <= gap_ms <= self._limits.gap_ms
        if near or not last_ms:
            self._trusted_ms = self._wall_ms = now.offset_ms
            return
        self._trusted_ms, self._wall_ms = last_ms - now.boot_ms, now.offset_ms
        self._put_in_doubt(Doubt.RESTARTED, now)

    def __call__(self) -> int:
        with self._lock:
            now = self._read()
            if self._doubt is None:
                self._judge(now)
            return now.boot_ms + self._trusted_ms

    @property
    def doubt(self) -> Doubt | None:
        """The reason why the time must be confirmed; None while the time is trusted."""
        return self._doubt

    @property
    def closed(self) -> bool:
        """Whether the house is closed: nothing is recorded until the time is confirmed."""
        return self._doubt is Doubt.RESTARTED

    @property
    def doubted_wall_ms(self) -> int:
        """The wall time at which the time came in doubt, in UTC milliseconds."""
        return self._doubted_wall_ms

    def reading(self) -> ClockReading:
        """Return the wall clock and the boot clock now, in milliseconds, trusted or not."""
        with self._lock:
            return self._read()

    def confirm(self, choice: ClockChoice, shown: ClockReading) -> None:
        """End a doubt by a supervisor's choice: take over the wall clock, or keep the trusted time.

        `shown` is the reading that the supervisor saw. If the wall clock was stepped since then,
        the next reading is in doubt again.
        """
        with self._lock:
            self._wall_ms = shown.offset_ms
            if choice is ClockChoice.MACHINE:
                self._trusted_ms = shown.offset_ms
            self._doubt = None
        log.warning("the time is confirmed: %s", choice)
        self.keep()

    def keep(self) -> None:
        """Write the offsets to the clock file, for a later start on this boot.

        Nothing is written while the house is closed after a new boot, so that each start judges the
        time again. A failed write is only logged.
        """
        with self._lock:
            if self._path is None or self.closed:
                return
            kept = KeptOffsets(self._boot_id, self._trusted_ms, self._wall_ms)
            try:
                write_offsets(self._path, kept)
            except OSError as error:
                log.warning("the clock's offsets cannot be kept: %s", error)

    def forget(self) -> None:
        """Remove the clock file, so that the next start judges the time as on a new boot.

        A confirmation calls this before the time changes.
        """
        with self._lock:
            if self._path is not None:
                self._path.unlink(missing_ok=True)

    # Methods that need the lock to be held.

    def _read(self) -> ClockReading:
        """Return both clocks; read again if the process was suspended between the readings."""
        for _ in range(READINGS):
            before = self._machine.boot_ms()
            wall_ms = self._machine.wall_ms()
            after = self._machine.boot_ms()
            if after - before <= READING_MS:
                return ClockReading(wall_ms, after)
        boot_ms = self._machine.boot_ms()
        return ClockReading(boot_ms + self._wall_ms, boot_ms)  # assume an unstepped wall clock

    def _judge(self, now: ClockReading) -> None:
        bound_ms = self._limits.step_ms
        followed = abs(self._wall_ms - self._trusted_ms) <= bound_ms
        if followed and abs(now.offset_ms - self._wall_ms) <= bound_ms:
            self._trusted_ms = now.offset_ms
        elif not followed and abs(now.offset_ms - self._trusted_ms) <= bound_ms:
            self._trusted_ms = self._wall_ms = now.offset_ms  # the wall clock was corrected
        elif abs(now.offset_ms - self._wall_ms) > bound_ms:
            self._put_in_doubt(Doubt.STEPPED, now)

    def _put_in_doubt(self, doubt: Doubt, now: ClockReading) -> None:
        self._doubt, self._doubted_wall_ms = doubt, now.wall_ms
        log.critical(
            "the clock is in doubt (%s): trusted time %d ms, machine's time %d ms",
            doubt,
            now.boot_ms + self._trusted_ms,
            now.wall_ms,
        )
