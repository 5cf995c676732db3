"""Queries of the console's live floor: stations, drawers, prints, payouts, exceptions.

An index or a key serves each query.
"""

from keno.store.clock_queries import last_steps
from keno.store.exact_sums import halves, joined
from keno.store.transaction import Reads, Row

LOOK_BACK = 1_000
"""Maximum number of the house's latest authorisations searched for denials and lapses."""


def stations(reads: Reads) -> list[Row]:
    """Return every station with its open shift (None in its columns without one), by location."""
    return reads.rows(
        "SELECT s.location, s.station, s.enabled, o.shift, o.writer, o.locked, o.opened_ms"
        " FROM stations s LEFT JOIN shifts o ON o.station = s.station AND o.closed_ms IS NULL"
        " ORDER BY s.location, s.station"
    )


def drawer_after(reads: Reads, shift: int, entry: int) -> list[Row]:
    """Return the movements of a shift's drawer after an entry, summed in cents by event and tender.

    Each row has the number of its last entry. An index covers the query.
    """
    rows = reads.connection.execute(
        f"SELECT event, kind, max(entry), {halves('cents')} FROM drawer"  # noqa: S608
        " WHERE shift = ? AND entry > ? GROUP BY event, kind",
        (shift, entry),
    )
    names = ("event", "kind", "last", "cents")
    return [dict(zip(names, (*row[:3], joined(*row[3:])), strict=True)) for row in rows]


def unprinted(reads: Reads) -> dict[str, Row]:
    """Return by station the count of live tickets with unconfirmed print, and the oldest of them.

    SQLite takes the other columns from the row that has the minimum.
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
    """Return pending authorisations that a location's stations asked for, the oldest first."""
    return reads.rows(
        "SELECT a.authorisation, a.ticket, a.amount_cents, a.asked_by, a.asked_ms, o.station,"
        " l.letter FROM locations l CROSS JOIN authorisations a CROSS JOIN shifts o"
        " WHERE a.location = l.location AND o.shift = a.asked_shift AND o.location = ?"
        " AND a.state IN ('pending', 'approved') AND a.state = 'pending' ORDER BY a.authorisation",
        location,
    )


# The latest exceptions of a location (?1), at most a number (?2) of each.

FORGED_PAPERS = (
    "SELECT 'forged_paper' AS kind, ticket, actor, ms FROM papers"
    " WHERE location = ?1 AND verdict = 'forged' ORDER BY paper DESC LIMIT ?2"
)
APPROVALS = (
    "SELECT kind, game, ticket, actor, CASE WHEN supervisor <> actor THEN supervisor END AS second,"
    " reason, ms FROM approvals WHERE location = ?1 ORDER BY approval DESC LIMIT ?2"
)
OVERRIDES = (
    "SELECT CASE kind WHEN 'void' THEN 'void_game' ELSE 'override' END AS kind,"
    " CASE WHEN kind <> 'void' THEN kind END AS override, seconds, game, actor, second, reason, ms"
    " FROM overrides WHERE location = ?1 ORDER BY overrides.override DESC LIMIT ?2"
)
NOT_ISSUED = (
    "SELECT CASE kind WHEN 'found' THEN 'found_not_issued' ELSE 'not_issued' END AS kind,"
    " game, ticket, writer AS actor, taken_by AS second, reason, ms FROM not_issued"
    " WHERE location = ?1 ORDER BY ms DESC LIMIT ?2"
)
"""15.3(c): query of tickets declared or found not issued."""
ISSUED_AFTER_ALL = (
    "SELECT 'issued_after_all' AS kind, game, ticket, decided_by AS actor,"
    " decided_reason AS reason, decided_ms AS ms FROM not_issued WHERE location = ?1"
    " AND decision = 'issued' ORDER BY decided_ms DESC LIMIT ?2"
)
SURRENDERS = (
    "SELECT 'surrender' AS kind, ticket, actor,"
    " CASE WHEN supervisor <> actor THEN supervisor END AS second, reason, ms FROM endings"
    " WHERE kind = 'surrender' AND location = ?1 ORDER BY ms DESC LIMIT ?2"
)
NOT_GIVEN = (
    "SELECT state AS kind, ticket, amount_cents AS cents, asked_by AS actor,"  # noqa: S608
    " coalesce(answered_by, given_by) AS second, reason, answered_ms AS ms,"
    " CASE WHEN a.location <> o.location THEN l.letter END AS letter"
    " FROM authorisations a JOIN shifts o ON o.shift = a.asked_shift"
    " JOIN locations l ON l.location = a.location WHERE o.location = ?1"
    " AND state NOT IN ('pending', 'approved', 'used')"
    f" AND authorisation > (SELECT max(authorisation) FROM authorisations) - {LOOK_BACK}"
    " ORDER BY answered_ms DESC LIMIT ?2"
)
CLOSED_BY_OTHERS = (
    "SELECT 'closed_by_others' AS kind, closed_by AS actor, closed_second AS second,"
    " closed_reason AS reason, closed_ms AS ms, writer AS subject, station FROM shifts"
    " WHERE location = ?1 AND closed_by <> writer ORDER BY closed_ms DESC LIMIT ?2"
)
LATE_ATTEMPTS = (
    "SELECT 'late_attempt' AS kind, game, ticket, writer AS actor, ms, act AS subject, station"
    " FROM late_attempts WHERE location = ?1 ORDER BY ms DESC LIMIT ?2"
)
ACCESS_CHANGES = (
    "SELECT a.kind, a.actor, a.second, a.reason, a.ms, a.subject, s.station FROM access_changes a"
    " LEFT JOIN stations s ON a.kind LIKE 'station%' AND s.station = a.subject"
    " WHERE (s.location IS NULL OR s.location = ?1)"
    " AND a.ms > (SELECT opened_ms FROM games WHERE location = ?1 ORDER BY game LIMIT 1)"
    " ORDER BY a.change DESC LIMIT ?2"
)
"""Query of changes of people and of the location's stations since its first game was opened."""
STARTS = (
    "SELECT 'server_start' AS kind, '' AS actor, ms FROM starts WHERE ms >"
    " (SELECT opened_ms FROM games WHERE location = ?1 ORDER BY game LIMIT 1)"
    " ORDER BY start DESC LIMIT ?2"
)
GIVEN_IN_CASH = (
    "SELECT 'given_in_cash' AS kind, ticket, actor, instead_cents AS cents, ms FROM endings"
    " WHERE kind = 'void' AND location = ?1 AND instead_cents > 0 ORDER BY ms DESC LIMIT ?2"
)
"""15.4(e): query of voids that gave cash in place of chips or tokens."""
OF_A_LOCATION = (
    FORGED_PAPERS, APPROVALS, OVERRIDES, NOT_ISSUED, ISSUED_AFTER_ALL, SURRENDERS, NOT_GIVEN,
    GIVEN_IN_CASH,
    CLOSED_BY_OTHERS, LATE_ATTEMPTS, ACCESS_CHANGES, STARTS,
)  # fmt: skip


def exceptions(reads: Reads, location: str, limit: int) -> list[Row]:
    """Return the latest exceptions of a location, at most `limit`, the newest first."""
    none = dict.fromkeys(("override", "seconds", "game", "ticket", "cents", "second", "reason"))
    found = [row for sql in OF_A_LOCATION for row in reads.rows(sql, location, limit)]
    found.extend(last_steps(reads, limit))
    found.sort(key=lambda row: row["ms"], reverse=True)
    return [{**none, **row} for row in found[:limit]]
