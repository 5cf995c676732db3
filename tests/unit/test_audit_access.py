"""Changes of access and attempts after lock-out, as the audit judges them (15.5(d), 15.6(b))."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from keno.audit.access import Access
from keno.audit.context import Audit
from keno.audit.findings import Step
from keno.audit.replayed_state import At

ROLES = {"A1": "administrator", "A2": "administrator", "M1": "manager", "S1": "supervisor",
         "S2": "supervisor", "W1": "writer"}  # fmt: skip


@dataclass
class Pictured:
    """A ledger at one moment: who is what, the games, and the attempts until then."""

    live: bool = True
    games: dict[int, str] = field(default_factory=lambda: {6: "locked", 7: "open"})
    attempts: set[int] = field(default_factory=set)

    def mode(self) -> str:
        return "live" if self.live else "test"

    def is_one_of(self, person: str | None, roles: frozenset[str]) -> bool:
        return ROLES.get(person or "") in roles

    def open_game(self, _location: str) -> dict[str, Any] | None:
        found = [game for game, state in self.games.items() if state == "open"]
        return {"game": found[0]} if found else None

    def game(self, _location: str, number: int) -> dict[str, Any] | None:
        return {"state": self.games[number]} if number in self.games else None

    def get(self, table: str, location: str, station: str, game: int, attempt: int) -> object:
        assert (table, location, station, game) == ("late_attempts", "main", "1", 7)
        return {} if attempt in self.attempts else None


def watched(picture: Pictured) -> tuple[Access, list[tuple[str, str | None]]]:
    """A watcher, and what it finds: table and column."""
    said: list[tuple[str, str | None]] = []

    def add(step: Step, place: Any, _message: str) -> None:
        assert step is Step.ORDER
        said.append((place.table, place.column))

    audit = SimpleNamespace(picture=picture, found=SimpleNamespace(add=add))
    return Access(cast("Audit", audit)), said


def late(picture: Pictured, actor: str = "W1", **changes: object) -> list[str | None]:
    access, said = watched(picture)
    row = {"location": "main", "station": "1", "open_game": 7, "attempt": 1, "game": 6,
           "writer": "W1"}  # fmt: skip
    access.insert(At(9, 1, "LateAttempt", actor), "late_attempts", row | changes)
    return [column for _, column in said]


@pytest.mark.parametrize(
    ("picture", "changes", "found"),
    [
        (Pictured(), {}, []),
        (Pictured(), {"open_game": 8}, ["open_game"]),
        (Pictured(), {"game": 5}, ["open_game"]),
        (Pictured(games={6: "locked"}), {}, ["open_game"]),
        (Pictured(), {"game": 7}, ["game"]),
        (Pictured(games={6: "settled", 7: "open"}), {}, []),
        (Pictured(attempts={2}), {"attempt": 1}, []),
        (Pictured(attempts={1}), {"attempt": 2}, []),
        (Pictured(attempts={1}), {"attempt": 3}, ["attempt"]),
        (Pictured(attempts={2, 3, 4}), {"attempt": 2}, ["attempt"]),
        (Pictured(), {"actor": "S1"}, ["writer"]),
    ],
)
def test_15_5_d_an_attempt_is_numbered_of_a_locked_game_and_of_its_writer(
    picture: Pictured, changes: dict[str, Any], found: list[str]
) -> None:
    assert late(picture, **changes) == found


def changed(actor: str, second: str | None, kind: str, subject: str, **who: object) -> list[Any]:
    access, said = watched(Pictured(live=bool(who.get("live", True))))
    row = {"change": 1, "kind": kind, "subject": subject, "actor": actor, "second": second}
    access.insert(At(9, 1, "Change", str(who.get("by", actor))), "access_changes", row)
    assert access.recorded
    return [column for _, column in said]


@pytest.mark.parametrize(
    ("actor", "second", "kind", "subject", "found"),
    [
        ("A1", "A2", "person_added", "W9", []),
        ("A1", "M1", "person_changed", "W9", []),
        ("A1", None, "person_added", "W9", ["second"]),
        ("S1", "A2", "person_added", "W9", ["actor"]),
        ("W1", "A2", "signing_key", "S1", ["actor"]),
        ("W1", "A2", "signing_key", "W1", []),
        ("W1", "A2", "password_set", "W1", ["actor"]),
        ("A1", "S1", "person_added", "W9", ["second"]),
        ("A1", "A1", "person_added", "W9", ["second"]),
        ("A1", "A2", "person_changed", "A2", ["second"]),
        ("A1", "A2", "station_enrolled", "A2", []),
        ("S1", "S2", "station_on", "1", []),
        ("S1", "S2", "station_off", "1", []),
        ("S1", "A2", "station_enrolled", "1", ["actor"]),
        ("A1", "S2", "station_enrolled", "1", ["second"]),
        ("S1", "W1", "station_off", "1", ["second"]),
        ("A1", "A1", "station_on", "1", ["second"]),
    ],
)
def test_15_6_b_two_people_who_may_change_access(
    actor: str, second: str | None, kind: str, subject: str, found: list[str]
) -> None:
    assert changed(actor, second, kind, subject) == found
    assert changed(actor, second, kind, subject, by="S9") == ["actor", *found]


def test_15_6_b_one_person_is_enough_in_a_test_house() -> None:
    assert changed("A1", None, "person_added", "W9", live=False) == []


@pytest.mark.parametrize(("table", "column"), [("users", "person"), ("stations", "station")])
def test_15_6_b_each_change_stands_beside_its_record(table: str, column: str) -> None:
    access, said = watched(Pictured())
    row = {column: "X1"}
    access.change(At(3, 1, "Old", "A1"), table, row, {})  # before the first record
    access.insert(At(4, 1, "Old", "A1"), table, row)
    assert said == []
    access.recorded = True
    access.change(At(1, 1, "Old", "A1"), table, {column: ""}, {})
    assert [said.pop()] == [(table, column)]
    record = {"change": 1, "kind": "person_added", "subject": "X1", "actor": "A1", "second": "A2"}
    access.insert(At(5, 1, "New", "A1"), "access_changes", record)
    access.insert(At(5, 1, "New", "A1"), table, row)
    access.change(At(5, 1, "New", "A1"), table, row, {})
    access.change(At(5, 1, "New", "A1"), "games", {}, {})
    access.insert(At(5, 1, "New", "A1"), "games", {})
    assert said == []
    access.change(At(5, 1, "New", "A1"), table, {column: "X2"}, {})
    access.change(At(6, 1, "New", "A1"), table, row, {})
    access.insert(At(6, 1, "New", "A1"), table, row)
    assert said == [(table, column)] * 3


def test_15_6_b_a_house_begun_by_two_records_each_change_from_its_beginning() -> None:
    access, _ = watched(Pictured())
    for seq, begun in ((1, False), (2, False), (2, True)):
        access.insert(At(seq, 1, "CreateHouse", "A1"), "users", {"person": "A1"})
        access.insert(At(seq, 1, "CreateHouse", "A1"), "locations", {})
        assert access.recorded is begun
