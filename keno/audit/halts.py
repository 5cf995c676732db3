"""Checks halts (15.7): signatures of halts and resumes, and that nothing happened in between."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from keno.audit.context import Audit
from keno.audit.findings import GARBAGE, FindingPlace, Step
from keno.audit.replayed_state import At, Row, SaleSeen
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.halt import Span
from keno.store.halt_files import folder_of, is_own, is_resumed, read_halts
from rng.records import Genesis, SignedMessage, read_genesis
from rng.resuming import read_halting

MOVED = frozenset({"locked", "drawn", "settled"})
"""States that no game may enter while its location is halted."""
NOT_ENDED = frozenset({"payout", "refund", "void", "expiry"})
"""Kinds of endings that no ticket may get while its location is halted."""
COLUMNS = {
    "location": "location",
    "scope": "scope",
    "fault": "fault",
    "found": "found",
    "halted_ms": "time_ms",
}
"""Columns of a halt, each with the field of its signed record that it must equal."""


@dataclass
class HaltChecks(ReplayWatcher):
    """Checks, while the chain is replayed, halts, resumes, and acts that a halt should stop."""

    def __post_init__(self) -> None:
        self.inserted = {
            "halts": self._halted, "endings": self._ended, "not_issued": self._held,
        }  # fmt: skip
        self.changed = {
            "halts": self._resumed, "games": self._game_moved, "not_issued": self._decided,
        }  # fmt: skip

    def sale(self, sold: SaleSeen) -> None:
        self._during(sold.at, sold.sale.location, "A ticket was sold")

    def _ended(self, at: At, row: Row) -> None:
        if row["kind"] in NOT_ENDED:
            shift = self.audit.picture.get("shifts", row["shift"])
            paid_in = [] if shift is None else [shift["location"]]
            for location in dict.fromkeys([row["location"], *paid_in]):
                self._during(at, location, f"The {row['kind']} of a ticket was recorded")

    def _held(self, at: At, row: Row) -> None:
        self._during(at, row["location"], "A ticket was held as not issued")

    def _game_moved(self, at: At, before: Row, values: Row) -> None:
        if values.get("state") in MOVED:
            self._during(at, before["location"], f"A game became {values['state']}")

    def _decided(self, at: At, before: Row, _: Row) -> None:
        self._during(at, before["location"], "A ticket held as not issued was decided")

    def _during(self, at: At, location: str, what: str) -> None:
        for row in self.audit.picture.held["halts"].values():
            open_ = row["resumed_ms"] is None
            if open_ and (row["scope"] == "house" or row["location"] == location):
                place = FindingPlace("audit", {"seq": at.seq}, "kind", at.ms, location)
                self.audit.found.add(Step.ORDER, place, f"{what} during halt {row['halt'][:16]}.")
                return

    def _halted(self, at: At, row: Row) -> None:
        message = _read(row["message"], "halt")
        genesis = self._genesis(row["location"])
        if message is None or message.digest != row["halt"]:
            self._say(at, row, "halt", "is not the digest of its message.")
            return
        for column, field in COLUMNS.items():
            if row[column] != message[field]:
                self._say(at, row, column, "is not as the server signed it.")
        if genesis is not None and not is_own(message, genesis):
            self._say(at, row, "message", "is not signed by the server of this location.")
        if row["halted_ms"] > at.ms:
            self._say(at, row, "halted_ms", "is later than its record.")

    def _resumed(self, at: At, before: Row, values: Row) -> None:
        halt, resume = _read(before["message"], "halt"), _read(values.get("resume"), "resume")
        genesis = self._genesis(before["location"])
        if halt is None or resume is None or genesis is None:
            self._say(at, before, "resume", "cannot be read, or has no genesis to check it.")
        elif not is_resumed(resume, halt, genesis):
            self._say(at, before, "resume", "is not this halt's, signed by both keyholders.")
        if values.keys() != {"resumed_ms", "resume", "resumed_by", "second"}:
            self._say(at, before, "resume", "changed more than the end of the halt.")
        if before["resumed_ms"] is not None:
            self._say(at, before, "resumed_ms", "ended a halt a second time.")
        if values.get("resumed_ms") != max(at.ms, before["halted_ms"]):
            self._say(at, before, "resumed_ms", f"is not the time of row {at.seq}.")

    def _genesis(self, location: str) -> Genesis | None:
        """Return the genesis of a location's chain, if stored by now in the replay; else None."""
        texts = [
            row["genesis"]
            for row in self.audit.picture.held["chains"].values()
            if row["location"] == location
        ]
        try:
            return read_genesis(msgspec.json.decode(texts[0])) if texts else None
        except GARBAGE:
            return None

    def _say(self, at: At, row: Row, column: str, message: str) -> None:
        self.audit.found.add(Step.ORDER, place_of("halts", row, column, at), message)

    # The files beside the ledger.

    def compare_files(self, ledger: Path) -> None:
        """Report halts that lack a file beside the ledger, and halt files that the ledger lacks."""
        halts, files = self.audit.picture.held["halts"], read_halts(folder_of(ledger))
        written = {file.halt.digest for file in files if file.halt is not None}
        for (digest,), row in halts.items():
            if digest not in written:
                self._file(f"{digest}.halt", "is missing: the ledger has that halt.", row)
        for file in files:
            if file.halt is None or (file.halt.digest,) not in halts:
                self._file(file.name, "is no halt of this ledger.", None)

    def _file(self, name: str, message: str, row: Row | None) -> None:
        ms, location = (None, None) if row is None else (row["halted_ms"], row["location"])
        place = FindingPlace("halt file", {"file": name}, None, ms, location)
        self.audit.found.add(Step.HEAD, place, message)


def _read(text: object, name: str) -> SignedMessage | None:
    try:
        return read_halting(msgspec.json.decode(str(text)), name)
    except GARBAGE:
        return None


def halted_spans(audit: Audit, location: str) -> list[Span]:
    """Return the begin and end of each halt of a location so far; the end is None if in force.

    Times are in UTC milliseconds; halts of the whole house count too.
    """
    return [
        (row["halted_ms"], row["resumed_ms"])
        for row in audit.picture.held["halts"].values()
        if row["scope"] == "house" or row["location"] == location
    ]


def listed_halts(audit: Audit) -> Iterator[dict[str, Any]]:
    """Yield every halt with its resume, in order of time, as data for the report."""
    for row in sorted(audit.picture.held["halts"].values(), key=lambda each: each["halted_ms"]):
        resume = None if row["resume"] is None else _read(row["resume"], "resume")
        yield {
            name: row[name]
            for name in ("halt", "location", "scope", "fault", "found", "halted_ms", "resumed_ms")
        } | {
            "resumed_by": row["resumed_by"],
            "second": row["second"],
            "reason": None if resume is None else resume["reason"],
        }
