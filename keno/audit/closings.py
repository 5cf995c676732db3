"""Checks who counted each closed drawer, and that no authorisation was left pending."""

from dataclasses import dataclass

import msgspec

from keno.audit.findings import Step
from keno.audit.replayed_state import At, Row
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.roles import DRAWER_COUNTERS, SUPERVISORS


@dataclass
class Closings(ReplayWatcher):
    """Checks, while the chain is replayed, the roles of the two people who closed each drawer.

    Older versions did not record the people: such a checkout is not checked.
    """

    def __post_init__(self) -> None:
        self.changed["shifts"] = self._closed

    def _closed(self, at: At, before: Row, values: Row) -> None:
        if values.get("closed_ms") is None:
            return
        # Before version 10 a drawer was counted by tender, currency and coin each by itself.
        by_tender = "coin" in msgspec.json.decode(values["expected"], type=dict[str, int])
        if by_tender != self.audit.picture.is_before(at, 10):
            self._say(at, before, "expected", "is counted in the kinds of another version.")
        by, second = values.get("closed_by"), values.get("closed_second")
        if by is None and at.kind == "CloseShift":
            return
        if by != at.actor:
            self._say(at, before, "closed_by", f"is {by}; {at.actor} closed the drawer.")
        elif at.kind == "CloseOtherShift":
            self._others(at, before, str(by), second)
        elif by != before["writer"] or not self._one_of(second, SUPERVISORS) or second == by:
            self._say(at, before, "closed_second", "was no supervisor beside the writer.")

    def _others(self, at: At, before: Row, by: str, second: str | None) -> None:
        """Check a drawer closed by others: a supervisor and a second person, neither its writer.

        No authorisation that the drawer asked for may be left pending, but of owed money.
        """
        if len({by, second, before["writer"]}) < 3:
            self._say(at, before, "closed_by", "is not one of two others who counted the drawer.")
        if not self._one_of(by, SUPERVISORS):
            self._say(at, before, "closed_by", f"is {by}, no supervisor at that time.")
        if not self._one_of(second, DRAWER_COUNTERS):
            self._say(at, before, "closed_second", f"is {second}, who does not count drawers.")
        waits = [
            asked
            for asked in self.audit.picture.held["authorisations"].values()
            if asked["asked_shift"] == before["shift"]
            and asked["state"] == "pending"
            and (asked["location"], asked["ticket"]) not in self.audit.picture.owed
        ]
        if waits:
            number = waits[0]["authorisation"]
            self._say(at, before, "closed_ms", f"left authorisation {number} of its drawer open.")

    def _one_of(self, person: str | None, roles: frozenset[str]) -> bool:
        return self.audit.picture.is_one_of(person, roles)

    def _say(self, at: At, shift: Row, column: str, message: str) -> None:
        self.audit.found.add(Step.ORDER, place_of("shifts", shift, column, at), message)
