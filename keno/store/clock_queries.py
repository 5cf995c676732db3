"""Queries of steps of the machine's clock that put the time in doubt."""

from datetime import UTC, datetime
from typing import Any

from keno.store.transaction import Reads, Row

CONFIRMED = {
    "machine": "The machine's time was confirmed.",
    "ledger": "The ledger's time was confirmed.",
    None: "Not confirmed yet.",
}


def unconfirmed_step(reads: Reads) -> Row | None:
    """Return the clock step that waits to be confirmed, or None; there is one at most."""
    return reads.one("SELECT * FROM clock_steps WHERE confirmed_ms IS NULL")


def is_jumped_over(reads: Reads, ms: int) -> bool:
    """Return whether a confirmed clock step went ahead over an instant (UTC milliseconds).

    Nothing was recorded at such an instant. A step that was corrected later does not count.
    """
    return bool(
        reads.value(
            "SELECT count(*) FROM clock_steps ahead"
            " WHERE choice = 'machine' AND confirmed_ms <= ?1 AND confirmed_wall_ms > ?1"
            " AND NOT EXISTS (SELECT 1 FROM clock_steps later WHERE later.step > ahead.step"
            " AND later.confirmed_ms < ahead.confirmed_wall_ms)",
            ms,
        )
    )


def last_set_ahead_ms(reads: Reads, now_ms: int) -> int | None:
    """Return the latest time, up to now, to which a confirmed step set the clock ahead; else None.

    Times are UTC milliseconds.
    """
    found: int | None = reads.value(
        "SELECT max(confirmed_wall_ms) FROM clock_steps"
        " WHERE choice = 'machine' AND confirmed_wall_ms > confirmed_ms AND confirmed_wall_ms <= ?",
        now_ms,
    )
    return found


def steps_between(reads: Reads, from_ms: int, to_ms: int) -> list[dict[str, Any]]:
    """Return the clock steps from `from_ms` to before `to_ms`, as time, person and detail.

    The exceptions listing shows them. A correction is listed when it was confirmed, not at the
    wrong time at which it was found.
    """
    rows = reads.rows(
        "SELECT *, min(found_ms, coalesce(confirmed_ms, found_ms)) AS ms FROM clock_steps"
        " WHERE ms >= ? AND ms < ? ORDER BY step",
        from_ms,
        to_ms,
    )
    return [
        {
            "ms": row["ms"],
            "actor": row["confirmed_by"] or "",
            "detail": f"{_both_times(row)}. {CONFIRMED[row['choice']]}",
        }
        for row in rows
    ]


def last_steps(reads: Reads, limit: int) -> list[Row]:
    """Return at most `limit` latest clock steps, the newest first, as rows of the live floor."""
    rows = reads.rows("SELECT * FROM clock_steps ORDER BY step DESC LIMIT ?", limit)
    return [
        {
            "kind": "clock_step",
            "actor": row["confirmed_by"] or "",
            "reason": _both_times(row),
            "ms": row["found_ms"],
        }
        for row in rows
    ]


def _both_times(row: Row) -> str:
    """Return ledger time and machine time of a step in words, in UTC.

    The house has one clock while its locations have time zones.
    """
    return f"Ledger time {_second(row['found_ms'])}, machine time {_second(row['wall_ms'])}"


def _second(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"
