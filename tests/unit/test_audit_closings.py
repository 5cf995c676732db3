"""Who counted a closed drawer, as the audit judges it (15.7)."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from keno.audit.closings import Closings
from keno.audit.context import Audit
from keno.audit.findings import Step
from keno.audit.replayed_state import At

ROLES = {"S1": "supervisor", "S2": "supervisor", "I1": "inspector", "W1": "writer", "W2": "writer"}
OWN, OTHER = "CloseShift", "CloseOtherShift"
PENDING = {
    "authorisation": 8, "asked_shift": 4, "state": "pending", "location": "main", "ticket": 6,
}  # fmt: skip
OWED = 7
"""A ticket whose money waits for a supervisor: the house owes it, not the drawer."""


def found(
    kind: str, actor: str, values: dict[str, Any], asked: dict[str, Any] | None = None,
    table: str = "shifts", seq: int = 10,
) -> list[tuple[str | None, object]]:  # fmt: skip
    """The columns that a watcher reports, each with the shift, for a change of W1's shift 4."""
    said: list[tuple[str | None, object]] = []

    def add(step: Step, place: Any, _message: str) -> None:
        assert (step, place.table, place.location) == (Step.ORDER, "shifts", "main")
        said.append((place.column, place.key))

    picture = SimpleNamespace(
        is_before=lambda at, version: at.seq < version,
        is_one_of=lambda person, roles: ROLES.get(person) in roles,
        owed={("main", OWED): {}},
        held={"authorisations": {} if asked is None else {(8,): asked}},
    )
    audit = SimpleNamespace(picture=picture, found=SimpleNamespace(add=add))
    before = {"shift": 4, "location": "main", "writer": "W1"}
    Closings(cast("Audit", audit)).change(At(seq, 1, kind, actor), table, before, values)
    return said


def closed(by: str | None, second: str | None) -> dict[str, Any]:
    return {"closed_ms": 1, "closed_by": by, "closed_second": second, "expected": '{"cash":0}'}


@pytest.mark.parametrize(
    ("kind", "actor", "by", "second", "columns"),
    [
        (OWN, "W1", "W1", "S1", []),
        (OWN, "W1", None, None, []),  # as older versions wrote it
        (OTHER, "W1", None, None, ["closed_by"]),
        (OWN, "S2", "W1", "S1", ["closed_by"]),
        (OWN, "W2", "W2", "S1", ["closed_second"]),
        (OWN, "W1", "W1", "W2", ["closed_second"]),
        (OWN, "W1", "W1", None, ["closed_second"]),
        (OTHER, "S1", "S1", "W2", []),
        (OTHER, "S1", "S1", "S2", []),
        (OTHER, "S1", "S1", "S1", ["closed_by"]),
        (OTHER, "S1", "S1", "W1", ["closed_by"]),
        (OTHER, "W2", "W2", "S1", ["closed_by"]),
        (OTHER, "S1", "S1", "I1", ["closed_second"]),
    ],
)
def test_15_7_a_drawer_is_counted_by_its_writer_or_two_others_and_a_supervisor(
    kind: str, actor: str, by: str | None, second: str | None, columns: list[str]
) -> None:
    values = closed(by, second)
    assert found(kind, actor, values) == [(each, {"shift": 4}) for each in columns]
    assert found(kind, actor, values, table="people") == []
    assert found(kind, actor, values | {"closed_ms": None}) == []


@pytest.mark.parametrize(
    ("expected", "seq", "columns"),
    [
        ('{"cash":0}', 10, []),
        ('{"coin":0,"currency":0}', 9, []),
        ('{"coin":0,"currency":0}', 10, ["expected"]),
        ('{"cash":0}', 9, ["expected"]),
    ],
)
def test_a_drawer_is_counted_in_the_kinds_of_its_version(
    expected: str, seq: int, columns: list[str]
) -> None:
    """Rows before number 10 are of before version 10 here."""
    values = closed("W1", "S1") | {"expected": expected}
    assert found(OWN, "W1", values, seq=seq) == [(each, {"shift": 4}) for each in columns]


def test_15_7_a_supervisors_own_drawer_needs_another_supervisor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(ROLES, "W1", "supervisor")
    assert found(OWN, "W1", closed("W1", "S1")) == []
    assert found(OWN, "W1", closed("W1", "W1")) == [("closed_second", {"shift": 4})]


@pytest.mark.parametrize(
    ("changes", "columns"),
    [
        ({}, ["closed_ms"]),
        ({"state": "approved"}, []),
        ({"asked_shift": 5}, []),
        ({"ticket": OWED}, []),
    ],
)
def test_15_7_a_closed_drawer_leaves_no_authorisation_of_its_own_open(
    changes: dict[str, Any], columns: list[str]
) -> None:
    said = found(OTHER, "S1", closed("S1", "W2"), PENDING | changes)
    assert said == [(each, {"shift": 4}) for each in columns]
