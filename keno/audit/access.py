"""Checks changes of people, keys and stations, and attempts to sell or void after lock-out.

Every change must have a row of `access_changes` in the same audit row, with a second person in a
live house. Older versions wrote no such rows. They are required from the first one on, or from the
start if the house was created with two administrators.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import partial

from keno.audit.findings import Step
from keno.audit.replayed_state import At, Row
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.roles import ACCESS_APPROVERS, ADMINISTRATORS, STATION_KEEPERS

SWITCHES = ("station_on", "station_off")


@dataclass
class Access(ReplayWatcher):
    """Checks, while the chain is replayed, every change of people, keys and stations.

    The person who made it was allowed to, in a live house a second person approved it, and a row of
    `access_changes` records it. Late attempts (sales or voids after lock-out) are checked too.
    """

    recorded: bool = False
    """Whether every change must have a row of `access_changes` from here on."""
    _row: tuple[int, str] = (0, "")
    """The last recorded change: number of its audit row, and the person or station changed."""
    _first: Counter[int] = field(default_factory=Counter)
    """Number of people added so far by the audit row that created the house."""

    def __post_init__(self) -> None:
        self.inserted = {
            "access_changes": self._change,
            "late_attempts": self._late,
            "users": self._person_added,
            "stations": partial(self._covered, "stations", "station"),
        }
        self.changed = {
            "users": partial(self._covered, "users", "person"),
            "stations": partial(self._covered, "stations", "station"),
        }

    def _person_added(self, at: At, row: Row) -> None:
        if at.kind == "CreateHouse":
            self._first[at.seq] += 1
            self.recorded = self._first[at.seq] > 1
        else:
            self._covered("users", "person", at, row)

    def _covered(self, table: str, column: str, at: At, row: Row, *_values: Row) -> None:
        """Report a person or station that was changed without a row of `access_changes`."""
        if self.recorded and self._row != (at.seq, row[column]):
            self._say(table, row, column, at, f"was changed in row {at.seq} without a record.")

    def _change(self, at: At, row: Row) -> None:
        self.recorded = True
        self._row = (at.seq, row["subject"])
        picture, second, kind = self.audit.picture, row["second"], row["kind"]
        if row["actor"] != at.actor:
            self._say("access_changes", row, "actor", at, f"is not {at.actor}, who did it.")
        allowed = STATION_KEEPERS if kind in SWITCHES else ADMINISTRATORS
        own_key = kind == "signing_key" and row["actor"] == row["subject"]
        if not own_key and not picture.is_one_of(row["actor"], allowed):
            self._say("access_changes", row, "actor", at, "was not allowed to do this then.")
        if second is None:
            if picture.mode() == "live":
                self._say("access_changes", row, "second", at, "is missing: one person did it.")
            return
        approvers = STATION_KEEPERS if kind in SWITCHES else ACCESS_APPROVERS
        own = second == row["actor"] or (
            not kind.startswith("station") and second == row["subject"]
        )
        if own or not picture.is_one_of(second, approvers):
            self._say("access_changes", row, "second", at, "could not approve this then.")

    def _late(self, at: At, row: Row) -> None:
        """15.5(d): report a late attempt whose record contradicts the chain.

        Its game must be locked out then, its `open_game` the open one, its number the next of its
        station in that game, and its writer the one who acted.
        """
        picture = self.audit.picture
        now, game = picture.open_game(row["location"]), picture.game(row["location"], row["game"])
        if now is None or now["game"] != row["open_game"] or game is None:
            self._say("late_attempts", row, "open_game", at, "was not open at that moment.")
        elif game["state"] == "open":
            self._say("late_attempts", row, "game", at, "was not locked out at that moment.")
        place = (row["location"], row["station"], row["open_game"])
        if row["attempt"] > 1 and picture.get("late_attempts", *place, row["attempt"] - 1) is None:
            self._say("late_attempts", row, "attempt", at, "is out of sequence.")
        if row["writer"] != at.actor:
            self._say("late_attempts", row, "writer", at, f"is not {at.actor}, who tried.")

    def _say(self, table: str, row: Row, column: str, at: At, message: str) -> None:
        self.audit.found.add(Step.ORDER, place_of(table, row, column, at), message)
