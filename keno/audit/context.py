"""What all steps of one audit share."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from keno.audit.findings import Findings
from keno.audit.replayed_state import ReplayedState
from keno.store.rows import GameRow

Verify = Callable[[GameRow, str], list[int]]
"""Checks the whole proof of a draw and gives its twenty numbers, in order, or raises."""
Progress = Callable[[str, int, int], None]
"""Told now and then what is being done, how much of it, and of how much."""

SAMPLE = 50
"""Games that are graded by plain enumeration, and tickets in each of them, if nobody says."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Progress that nobody watches."""


@dataclass
class Sampled:
    """What was graded by plain enumeration."""

    size: int = SAMPLE
    seed: int = 1
    games: int = 0
    tickets: int = 0


@dataclass
class Audit:
    """One audit of one ledger."""

    connection: sqlite3.Connection
    found: Findings
    verify: Verify | None = None
    sampled: Sampled = field(default_factory=Sampled)
    progress: Progress = silent
    picture: ReplayedState = field(default_factory=ReplayedState)
    rows: int = 0
    """Rows of the chain."""
