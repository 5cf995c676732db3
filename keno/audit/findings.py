"""The discrepancies that an audit finds, each with its step, table, key, column and sentence."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import msgspec

from keno.domain.errors import Refused

KEPT_MAX = 1_000
"""Maximum discrepancies kept in full; further ones are only counted."""
SHOWN_MAX = 60
"""Maximum characters of a value in a message."""

GARBAGE = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    Refused,
    TypeError,
    ValueError,
    msgspec.MsgspecError,
)
"""Exceptions that reading or computing from a damaged or forged value may raise."""


class Step(StrEnum):
    """The steps of an audit, in the order in which they run."""

    SCHEMA = "schema"
    CHAIN = "chain"
    HEAD = "head"
    REPLAY = "replay"
    TICKETS = "tickets"
    ORDER = "order"
    LOCK_OUTS = "lock-outs"
    DRAWS = "draws"
    GRADING = "grading"
    SAMPLE = "sample"
    ENDINGS = "endings"
    DRAWERS = "drawers"
    BALANCE = "balance"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class FindingPlace:
    """Where a discrepancy is: table, key, column, and the time and location that it concerns.

    `ms` is in UTC milliseconds; `at` is the location if the key has none.
    """

    table: str
    key: Mapping[str, Any] = field(default_factory=dict)
    column: str | None = None
    ms: int | None = None
    at: str | None = None

    @property
    def location(self) -> str | None:
        return self.at if self.at is not None else self.key.get("location")

    def __str__(self) -> str:
        parts = [self.table, *(str(value) for value in self.key.values())]
        name = " ".join(parts)
        return name if self.column is None else f"{name}, {self.column}"


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """One discrepancy: the step that found it, its place, and a sentence about it."""

    step: Step
    place: FindingPlace
    message: str

    def __str__(self) -> str:
        return f"{self.place}: {self.message}"

    def as_json(self) -> dict[str, Any]:
        return {
            "step": self.step.value,
            "table": self.place.table,
            "key": {name: plain(value) for name, value in self.place.key.items()},
            "column": self.place.column,
            "message": self.message,
        }


@dataclass
class Findings:
    """The discrepancies found so far, and their number; steps not in `steps` are left out."""

    steps: Collection[Step] = frozenset(Step)
    kept: list[Discrepancy] = field(default_factory=list)
    count: int = 0

    def add(self, step: Step, place: FindingPlace, message: str) -> None:
        if step not in self.steps:
            return
        self.count += 1
        if len(self.kept) < KEPT_MAX:
            self.kept.append(Discrepancy(step, place, message))

    @property
    def first(self) -> Discrepancy | None:
        return self.kept[0] if self.kept else None


def plain(value: object) -> object:
    """Return a value in a form that JSON can hold: bytes as hex, others unchanged."""
    return value.hex() if isinstance(value, bytes) else value


def shown(value: object) -> str:
    """Return a value as text for a sentence, cut to `SHOWN_MAX` characters; None is "nothing"."""
    text = "nothing" if value is None else str(plain(value))
    return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
