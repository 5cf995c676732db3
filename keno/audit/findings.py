"""Findings of the audit: each discrepancy with its step, table, key and column, in order."""

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
"""Exceptions that reading a damaged or forged value may raise."""


class Step(StrEnum):
    """Steps of the audit, in this order; findings of steps that are not wanted are dropped."""

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
    """Where something is wrong: table, key, column, and the time and location it belongs to."""

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
    """A finding: the step that found it, the place, and what is wrong there."""

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
    """The discrepancies found so far, in the order found, and their number."""

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
    """Return a value as JSON can hold it: bytes in hex."""
    return value.hex() if isinstance(value, bytes) else value


def shown(value: object) -> str:
    """Return a value as text for a message, cut to `SHOWN_MAX` characters."""
    text = "nothing" if value is None else str(plain(value))
    return text if len(text) <= SHOWN_MAX else f"{text[: SHOWN_MAX - 1]}…"
