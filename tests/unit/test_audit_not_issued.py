"""Tickets declared not issued, as the audit judges them (15.3(c))."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from keno.audit.context import Audit
from keno.audit.findings import Step
from keno.audit.not_issued import NotIssued
from keno.audit.replayed_state import At
from keno.store.read_only import TABLES

SOLD = {"location": "main", "number": 1, "writer": "W1", "station": "1", "shift": 4,
        "first_game": 6}  # fmt: skip
HELD = {"location": "main", "ticket": 1, "kind": "declared", "decision": None, "game": 6,
        "writer": "W1", "station": "1", "shift": 4}  # fmt: skip
AT_WORK = {"closed_ms": None, "locked": 0}


class Stored(list[tuple[Any, ...]]):
    """The stored rows: the ticket as it was sold, and nothing else."""

    def execute(self, sql: str, *_: object) -> "Stored":
        sold = tuple(SOLD.get(each) for each in TABLES["tickets"].columns)
        return Stored([sold] if " FROM tickets " in sql else [])

    def fetchone(self) -> tuple[Any, ...] | None:
        return next(iter(self), None)


def found(
    game: dict[str, Any] | None = None, shift: dict[str, Any] | None = None, actor: str = "W1",
    result_of: tuple[str, int] | None = None,
) -> list[tuple[str | None, str]]:  # fmt: skip
    """What a watcher reports of a declaration in row 9: column and message."""
    said: list[tuple[str | None, str]] = []

    def add(step: Step, place: Any, message: str) -> None:
        assert (step, place.table) == (Step.ENDINGS, "not_issued")
        said.append((place.column, message))

    def shift_of(table: str, number: int) -> dict[str, Any] | None:
        assert (table, number) == ("shifts", 4)
        return shift

    picture = SimpleNamespace(game=lambda *_: game, get=shift_of)
    audit = SimpleNamespace(picture=picture, found=SimpleNamespace(add=add), connection=Stored())
    watcher = NotIssued(cast("Audit", audit))
    if result_of is not None:
        location, number = result_of
        message = {"location": location, "game": number, "step": "result"}
        watcher.insert(At(8, 1, "StoreDrawMessage", "conductor"), "draws", message)
    watcher.insert(At(9, 1, "DeclareNotIssued", actor), "not_issued", HELD)
    return said


LOCKED = {"state": "locked"}


@pytest.mark.parametrize(
    ("game", "result_of", "state"),
    [
        (LOCKED, None, None),
        (LOCKED, ("main", 5), None),
        (LOCKED, ("east", 6), None),
        (LOCKED, ("main", 6), "locked"),
        ({"state": "open"}, None, "open"),
        ({"state": "drawn"}, None, "drawn"),
        (None, None, "None"),
    ],
)
def test_15_3_c_a_declaration_is_between_lock_out_and_draw(
    game: dict[str, Any] | None, result_of: tuple[str, int] | None, state: str | None
) -> None:
    said = f"was {state} or had a result in row 9: not between its lock-out and its draw."
    assert found(game, AT_WORK, result_of=result_of) == ([] if state is None else [("game", said)])


@pytest.mark.parametrize(
    ("shift", "actor"),
    [
        (None, "W1"),
        (AT_WORK | {"closed_ms": 5}, "W1"),
        (AT_WORK | {"locked": 1}, "W1"),
        (AT_WORK, "W2"),
    ],
)
def test_15_3_c_a_declaration_is_by_the_writer_in_the_open_shift_that_sold_it(
    shift: dict[str, Any] | None, actor: str
) -> None:
    said = f"did not declare it: row 9 is by {actor}."
    assert found(LOCKED, shift, actor) == [("writer", said)]
