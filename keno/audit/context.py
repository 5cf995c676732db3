"""The state that all steps of one audit share: connection, findings, sample, replayed state."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field

from keno.audit.findings import Findings
from keno.audit.replayed_state import ReplayedState
from keno.store.rows import GameRow

Verify = Callable[[GameRow, str], list[int]]
"""A function that verifies the proof of a game's draw, given the game's row and the proof's text.

It returns the twenty numbers in the order drawn, and raises an exception if the proof is wrong.
"""
Progress = Callable[[str, int, int], None]
"""A function called now and then to show the current step, the work done and the total work."""

SAMPLE = 50
"""Default number of games graded way by way; also of tickets, and of winners, in each game."""


def silent(_what: str, _done: int, _total: int) -> None:
    """Show no progress; the default `Progress`."""


@dataclass
class Sampled:
    """The sample graded way by way: its size and seed, and the games and tickets graded so far."""

    size: int = SAMPLE
    seed: int = 1
    games: int = 0
    tickets: int = 0


@dataclass
class Audit:
    """The state of one audit of one ledger: its findings so far, and what its steps share."""

    connection: sqlite3.Connection
    found: Findings
    verify: Verify | None = None
    sampled: Sampled = field(default_factory=Sampled)
    progress: Progress = silent
    picture: ReplayedState = field(default_factory=ReplayedState)
    rows: int = 0
    """Number of rows of the audit chain that were read."""
