"""What the live floor reads from the ledger; an index or a key answers each question."""

from keno.store.transaction import Reads, Row

LOOK_BACK = 1_000
"""Denials and lapses are looked for among so many authorisations, the last of the house."""


def stations(reads: Reads) -> list[Row]:
    """Every station with its open shift, by location and name."""
    return reads.rows(
        "SELECT s.location, s.station, s.enabled, o.shift, o.writer, o.locked, o.opened_ms"
        " FROM stations s LEFT JOIN shifts o ON o.station = s.station AND o.closed_ms IS NULL"
        " ORDER BY s.location, s.station"
    )


def drawer_after(reads: Reads, shift: int, entry: int) -> list[Row]:
    """What came into and out of a drawer after an entry, by event and kind; the index has both."""
    return reads.rows(
        "SELECT event, kind, sum(cents) AS cents, max(entry) AS last FROM drawer"
        " WHERE shift = ? AND entry > ? GROUP BY event, kind",
        shift,
        entry,
    )


def unprinted(reads: Reads) -> dict[str, Row]:
    """Of each station with live tickets whose print is unconfirmed: how many, and the oldest.

    Beside a minimum SQLite gives the other columns of the row that has it.
    """
    rows = reads.rows(
        "SELECT s.station, count(*) AS count, min(t.number) AS oldest_ticket,"
        " t.sold_ms AS oldest_ms FROM stations s CROSS JOIN tickets t"
        " WHERE t.station = s.station AND t.printed = 0 AND t.state = 'live'"
        " AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.location = t.location"
        " AND e.ticket = t.number) GROUP BY s.station"
    )
    return {row["station"]: row for row in rows}


def pending(reads: Reads, location: str) -> list[Row]:
    """Payouts that wait for a supervisor, the oldest first, with the station that asks."""
    return reads.rows(
        "SELECT a.authorisation, a.ticket, a.amount_cents, a.asked_by, a.asked_ms, o.station"
        " FROM authorisations a JOIN shifts o ON o.shift = a.asked_shift WHERE a.location = ?"
        " AND a.state IN ('pending', 'approved') AND a.state = 'pending' ORDER BY a.authorisation",
        location,
    )


def exceptions(reads: Reads, location: str, limit: int) -> list[Row]:
    """The last of what is out of the ordinary, the newest first."""
    found = [
        *_approvals(reads, location, limit),
        *_overrides(reads, location, limit),
        *_surrenders(reads, location, limit),
        *_not_given(reads, location, limit),
    ]
    return sorted(found, key=lambda row: row["ms"], reverse=True)[:limit]


def _approvals(reads: Reads, location: str, limit: int) -> list[Row]:
    return reads.rows(
        "SELECT kind, NULL AS override, NULL AS seconds, game, ticket, NULL AS cents,"
        " actor, CASE WHEN supervisor <> actor THEN supervisor END AS second, reason, ms"
        " FROM approvals WHERE location = ? ORDER BY approval DESC LIMIT ?",
        location,
        limit,
    )


def _overrides(reads: Reads, location: str, limit: int) -> list[Row]:
    return reads.rows(
        "SELECT CASE kind WHEN 'void' THEN 'void_game' ELSE 'override' END AS kind,"
        " CASE WHEN kind <> 'void' THEN kind END AS override, seconds, game, NULL AS ticket,"
        " NULL AS cents, actor, second, reason, ms"
        " FROM overrides WHERE location = ? ORDER BY overrides.override DESC LIMIT ?",
        location,
        limit,
    )


def _surrenders(reads: Reads, location: str, limit: int) -> list[Row]:
    return reads.rows(
        "SELECT 'surrender' AS kind, NULL AS override, NULL AS seconds, NULL AS game, ticket,"
        " NULL AS cents, actor, supervisor AS second, reason, ms"
        " FROM endings WHERE kind = 'surrender' AND location = ? ORDER BY ms DESC LIMIT ?",
        location,
        limit,
    )


def _not_given(reads: Reads, location: str, limit: int) -> list[Row]:
    return reads.rows(
        "SELECT state AS kind, NULL AS override, NULL AS seconds, NULL AS game, ticket,"
        " amount_cents AS cents, asked_by AS actor, answered_by AS second, reason,"
        " answered_ms AS ms FROM authorisations WHERE location = ?"
        " AND state IN ('denied', 'lapsed')"
        " AND authorisation > (SELECT max(authorisation) FROM authorisations) - ?"
        " ORDER BY answered_ms DESC LIMIT ?",
        location,
        LOOK_BACK,
        limit,
    )
