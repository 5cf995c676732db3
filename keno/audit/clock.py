"""Checks steps of the clock: who confirmed the time, and what was recorded before (15.6(c))."""

from dataclasses import dataclass

from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import SUPERVISORS, At, Row, SaleSeen
from keno.audit.watcher import ReplayWatcher, place_of

CONFIRMATION = frozenset({"confirmed_by", "confirmed_ms", "confirmed_wall_ms", "choice"})
DAY_MS = 24 * 3_600_000


@dataclass
class ClockSteps(ReplayWatcher):
    """Checks, while the chain is replayed, steps of the clock, confirmations, and rows between."""

    def __post_init__(self) -> None:
        self._picture = self.audit.picture
        self._unconfirmed: Row | None = None
        self._ahead_ms = 0
        """The last time, in UTC milliseconds, to which a confirmation set the clock ahead."""
        self.inserted = {"clock_steps": self._found, "endings": self._ended}
        self.changed = {"clock_steps": self._confirmed}

    def sale(self, sold: SaleSeen) -> None:
        self._check_open(sold.at)

    def insert(self, at: At, table: str, row: Row) -> None:
        if table not in ("clock_steps", "halts"):
            self._check_open(at)
        super().insert(at, table, row)

    def change(self, at: At, table: str, before: Row, values: Row) -> None:
        if table != "clock_steps":
            self._check_open(at)
        super().change(at, table, before, values)

    def _ended(self, at: At, row: Row) -> None:
        if row["kind"] != "expiry":
            return
        place = place_of("endings", row, "kind", at)
        if self._unconfirmed is not None:
            self._say(place, f"is expiry in row {at.seq}, while the time was not confirmed.")
        elif 0 <= at.ms - self._ahead_ms < DAY_MS:
            self._say(place, f"is expiry in row {at.seq}, a day after the time was set ahead.")

    def _found(self, at: At, row: Row) -> None:
        if self._unconfirmed is not None or any(row[name] is not None for name in CONFIRMATION):
            self._say(
                place_of("clock_steps", row, "found_ms", at),
                "was recorded beside another, or confirmed.",
            )
        self._unconfirmed = row

    def _confirmed(self, at: At, before: Row, values: Row) -> None:
        if before["confirmed_ms"] is not None or set(values) != CONFIRMATION:
            self._say(
                place_of("clock_steps", before, "confirmed_ms", at), f"was changed in row {at.seq}."
            )
        person = values.get("confirmed_by")
        if person != at.actor or not self._picture.is_one_of(person, SUPERVISORS):
            self._say(
                place_of("clock_steps", before, "confirmed_by", at), "was no supervisor then."
            )
        if values.get("choice") == "machine" and values.get("confirmed_wall_ms", 0) > at.ms:
            self._ahead_ms = values["confirmed_wall_ms"]
        if at.ms < before["found_ms"] and values.get("confirmed_wall_ms") != at.ms:
            place = place_of("clock_steps", before, "confirmed_ms", at)
            self._say(place, "went back to a time not confirmed.")
        self._unconfirmed = None

    def _check_open(self, at: At) -> None:
        """Report a row recorded after a new boot of the machine, before its time was confirmed.

        The confirmation itself and a halt (15.7) are allowed.
        """
        step = self._unconfirmed
        if step is not None and step["what"] == "restarted" and at.kind != "ConfirmClock":
            place = FindingPlace("audit", {"seq": at.seq}, "ms", at.ms)
            self._say(place, "was recorded while the house was closed for its clock.")

    def _say(self, place: FindingPlace, message: str) -> None:
        self.audit.found.add(Step.ORDER, place, message)
