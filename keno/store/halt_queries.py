"""Queries of halts in the ledger, and of the audit chain in pieces."""

from dataclasses import dataclass

from keno.store.transaction import Reads, Row


@dataclass(frozen=True, slots=True)
class HaltRow:
    """A halt of the server (15.7), with its resume once two keyholders have ended the halt."""

    halt: str
    """Digest of the halt."""
    location: str
    scope: str
    fault: str
    found: str
    halted_ms: int
    message: str
    resumed_ms: int | None = None
    resume: str | None = None
    resumed_by: str | None = None
    second: str | None = None


def halts(reads: Reads) -> list[HaltRow]:
    """Return all halts of the house, ended or not, the oldest first."""
    rows = reads.rows("SELECT * FROM halts ORDER BY halted_ms, halt")
    return [HaltRow(**row) for row in rows]


def halt(reads: Reads, digest: str) -> HaltRow | None:
    row = reads.one("SELECT * FROM halts WHERE halt = ?", digest)
    return None if row is None else HaltRow(**row)


def halted_spans(reads: Reads, location: str) -> list[tuple[int, int | None]]:
    """Return begin and end of the times for which a location was halted, in UTC milliseconds.

    These are its own halts and the house's. The end is None while a halt is in force.
    """
    rows = reads.rows(
        "SELECT halted_ms, resumed_ms FROM halts WHERE location = ? OR scope = 'house'"
        " ORDER BY halted_ms",
        location,
    )
    return [(row["halted_ms"], row["resumed_ms"]) for row in rows]


def chain_piece(reads: Reads, after: int, rows: int) -> list[Row]:
    """Return up to `rows` rows of the audit chain after the row numbered `after`, in order."""
    return reads.rows("SELECT * FROM audit WHERE seq > ? ORDER BY seq LIMIT ?", after, rows)
