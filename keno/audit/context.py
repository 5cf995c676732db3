"""State shared by all steps of one audit."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from keno.audit.findings import Findings
from keno.audit.replayed_state import ReplayedState
from keno.store.rows import GameRow

Verify = Callable[[GameRow, str], list[int]]
"""A function that verifies the proof of a game's draw and returns its twenty numbers in order.

It raises if the proof does not verify.
"""
Progress = Callable[[str, int, int], None]
"""A function called now and then with the current step, the work done and the total work."""

SAMPLE = 50
"""Default number of games graded by plain enumeration, and of tickets in each of them."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Ignore the progress: the default `Progress`."""


@dataclass
class Sampled:
    """Size and seed of the sample, and how many games and tickets were graded by enumeration."""

    size: int = SAMPLE
    seed: int = 1
    games: int = 0
    tickets: int = 0


@dataclass
class Audit:
    """The state of one audit of one ledger, shared by its steps."""

    connection: sqlite3.Connection
    found: Findings
    verify: Verify | None = None
    sampled: Sampled = field(default_factory=Sampled)
    progress: Progress = silent
    picture: ReplayedState = field(default_factory=ReplayedState)
    rows: int = 0
    """Number of rows of the chain."""
