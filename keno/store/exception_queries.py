"""Queries of the exceptions listing: unusual events of a location in a span of time."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from keno.domain.money import Cents, format_dollars
from keno.domain.states import NOT_ANSWERED, NOT_GIVEN
from keno.store.clock_queries import steps_between
from keno.store.owed_queries import PAYMENTS, UNPAID
from keno.store.transaction import Reads

KINDS = (
    "halt", "forged_paper", "hold", "release", "reprint", "not_issued", "found_not_issued",
    "issued_after_all", "paid_not_issued", "paid_by_paper", "surrender", "void_game", *NOT_GIVEN,
    "closed_by_others", "over", "short", "over_short", "unconfirmed_print", "late_attempt",
    "chips_changed", "given_in_cash", "owed", "person_added", "person_changed", "password_set",
    "signing_key", "station_enrolled", "station_on", "station_off", "server_start", "clock_step",
)  # fmt: skip
"""Kinds of exceptions, in the order in which those of one moment are listed.

`over_short`: a drawer was right in sum, but not in each kind of tender. `not_issued`: a ticket was
declared not issued before the draw, and no supervisor had decided with its paper when the span
ended.
"""


@dataclass(frozen=True, slots=True)
class ExceptionRow:
    """An exception of a location; a field that does not apply is None."""

    kind: str
    ms: int
    actor: str
    ticket: int | None = None
    game: int | None = None
    station: str | None = None
    second: str | None = None
    cents: Cents | None = None
    detail: str | None = None


# Queries of a location and a span: rows with the fields of an exception.

HALTS = (
    "SELECT 'halt' AS kind, halted_ms AS ms, coalesce(resumed_by, 'conductor') AS actor, second,"
    " found AS detail FROM halts WHERE (location = ? OR scope = 'house')"
    " AND halted_ms >= ? AND halted_ms < ? ORDER BY halted_ms, halt"
)
"""Query of halts of this location and of the house (15.7), with the people who resumed them."""
FORGED_PAPERS = (
    "SELECT 'forged_paper' AS kind, p.ms, p.actor, p.ticket, t.station,"
    " 'The signed book has another ticket.' AS detail FROM papers p"
    " JOIN tickets t ON t.location = p.location AND t.number = p.ticket WHERE p.location = ?"
    " AND p.verdict = 'forged' AND p.ms >= ? AND p.ms < ? ORDER BY p.paper"
)
HOLDS = (
    "SELECT a.kind, a.ms, a.actor, a.ticket, t.station, t.price_cents AS cents,"
    " a.reason AS detail FROM approvals a JOIN tickets t ON t.location = a.location"
    " AND t.number = a.ticket WHERE a.location = ? AND a.kind IN ('hold', 'release')"
    " AND a.ms >= ? AND a.ms < ? ORDER BY a.approval"
)
REPRINTS = (
    "SELECT 'reprint' AS kind, r.ms, r.actor, r.ticket, t.station, r.supervisor AS second,"
    " t.price_cents AS cents, 'Reprint ' || r.copy || ' of this ticket' AS detail"
    " FROM reprints r JOIN tickets t ON t.location = r.location AND t.number = r.ticket"
    " WHERE r.location = ? AND r.ms >= ? AND r.ms < ? ORDER BY r.ms, r.ticket, r.copy"
)
NOT_ISSUED = (
    "SELECT CASE n.kind WHEN 'found' THEN 'found_not_issued' ELSE 'not_issued' END AS kind,"
    " n.ms, n.writer AS actor, n.ticket, n.game, n.station, n.taken_by AS second,"
    " t.price_cents AS cents, coalesce(n.reason, 'No supervisor has confirmed it with its"
    " paper.') AS detail FROM not_issued n JOIN tickets t ON t.location = n.location"
    " AND t.number = n.ticket WHERE n.location = ?1 AND n.ms >= ?2 AND n.ms < ?3"
    " AND (n.kind = 'found' OR n.decided_ms IS NULL OR n.decided_ms >= ?3)"
    " ORDER BY n.ms, n.ticket"
)
"""15.3(c): query of tickets declared not issued in a span and undecided at its end.

Tickets found not issued after their draw are included, decided or not.
"""
ISSUED_AFTER_ALL = (
    "SELECT 'issued_after_all' AS kind, n.decided_ms AS ms, n.decided_by AS actor, n.ticket,"
    " n.game, n.station, t.price_cents AS cents, n.decided_reason AS detail FROM not_issued n"
    " JOIN tickets t ON t.location = n.location AND t.number = n.ticket WHERE n.location = ?"
    " AND n.decision = 'issued' AND n.decided_ms >= ? AND n.decided_ms < ?"
    " ORDER BY n.decided_ms, n.ticket"
)
PAID_NOT_ISSUED = (
    "SELECT 'paid_not_issued' AS kind, e.ms, e.actor, e.ticket, e.station, a.answered_by AS second,"  # noqa: S608
    " e.awards_cents + e.returns_cents + e.refund_cents AS cents,"
    " CASE n.kind WHEN 'declared' THEN 'On top of the maximum of its games'"
    " ELSE 'Within the maximum of its games' END AS detail"
    f" FROM {PAYMENTS} e JOIN not_issued n ON n.location = e.location AND n.ticket = e.ticket"
    " LEFT JOIN authorisations a ON a.authorisation = e.authorisation WHERE e.location = ?"
    " AND e.ms >= ? AND e.ms < ? ORDER BY e.ms, e.ticket"
)
PAID_BY_PAPER = (
    "SELECT 'paid_by_paper' AS kind, e.ms, e.actor, e.ticket, e.station, a.answered_by AS second,"  # noqa: S608
    " e.awards_cents + e.returns_cents + e.refund_cents AS cents,"
    " CASE WHEN EXISTS (SELECT 1 FROM paper_awards x WHERE x.location = e.location"
    " AND x.ticket = e.ticket) THEN 'On top of the maximum of its games'"
    f" ELSE 'As its games were graded' END AS detail FROM {PAYMENTS} e"
    " LEFT JOIN authorisations a ON a.authorisation = e.authorisation WHERE e.location = ?"
    " AND e.ms >= ? AND e.ms < ?"
    " AND EXISTS (SELECT 1 FROM papers p WHERE p.location = e.location"
    " AND p.ticket = e.ticket AND p.verdict = 'ledger_wrong' AND p.ms <= e.ms)"
    " ORDER BY e.ms, e.ticket"
)
"""15.7: query of tickets with a wrong record, paid after their paper was ruled right."""
SURRENDERS = (
    "SELECT 'surrender' AS kind, e.ms, coalesce(n.writer, e.actor) AS actor, e.ticket,"
    " coalesce(n.station, e.station) AS station, e.supervisor AS second,"
    " t.price_cents AS cents, e.reason AS detail"
    " FROM endings e JOIN tickets t ON t.location = e.location AND t.number = e.ticket"
    " LEFT JOIN not_issued n ON n.location = e.location AND n.ticket = e.ticket"
    " WHERE e.location = ? AND e.kind = 'surrender' AND e.ms >= ? AND e.ms < ?"
    " ORDER BY e.ticket"
)
VOID_GAMES = (
    "SELECT 'void_game' AS kind, o.ms, o.actor, o.game, o.second, g.handle_cents AS cents,"
    " o.reason AS detail FROM overrides o JOIN games g ON g.location = o.location"
    " AND g.game = o.game WHERE o.location = ? AND o.kind = 'void' AND o.ms >= ? AND o.ms < ?"
    " ORDER BY o.override"
)
CLOSED_BY_OTHERS = (
    "SELECT 'closed_by_others' AS kind, closed_ms AS ms, closed_by AS actor,"
    " closed_second AS second, station, 'Shift ' || shift || ' closed by ' || closed_by || ' and '"
    " || closed_second || ' for ' || writer || ': ' || closed_reason AS detail FROM shifts"
    " WHERE location = ? AND closed_ms >= ? AND closed_ms < ? AND closed_by <> writer"
    " ORDER BY shift"
)
"""Query of drawers that others closed for their writer: who counted them, and why."""
UNCONFIRMED = (
    "SELECT 'unconfirmed_print' AS kind, t.sold_ms AS ms, t.writer AS actor, t.number AS ticket,"
    " t.first_game AS game, t.station, t.price_cents AS cents,"
    " 'Nobody has said that it is on paper.' AS detail FROM tickets t WHERE t.location = ?"
    " AND t.printed = 0 AND t.state = 'live' AND t.sold_ms >= ? AND t.sold_ms < ? AND NOT EXISTS"
    " (SELECT 1 FROM endings e WHERE e.location = t.location AND e.ticket = t.number)"
    " ORDER BY t.number"
)
LATE_ATTEMPTS = (
    "SELECT 'late_attempt' AS kind, ms, writer AS actor, ticket, game, station,"
    " 'Refused: ' || act || ' after lock-out, attempt ' || attempt || ' of this station'"
    " AS detail FROM late_attempts WHERE location = ? AND ms >= ? AND ms < ?"
    " ORDER BY open_game, station, attempt"
)
"""15.5(d): query of sales and voids that were refused because their game was locked out."""
CHIPS_CHANGED = (
    "SELECT 'chips_changed' AS kind, a.ms, a.actor, a.ticket, t.station, a.supervisor AS second,"
    " (SELECT sum(cents) FROM drawer d WHERE d.shift = t.shift AND d.ticket = t.number"
    " AND d.event = 'change') AS cents, 'Change in cash for chips or tokens' AS detail"
    " FROM approvals a JOIN tickets t ON t.location = a.location AND t.number = a.ticket"
    " WHERE a.location = ? AND a.kind = 'change' AND a.ms >= ? AND a.ms < ? ORDER BY a.approval"
)
"""15.4(c): query of large change that was given in cash for chips or tokens."""
GIVEN_IN_CASH = (
    "SELECT 'given_in_cash' AS kind, ms, actor, ticket, station, instead_cents AS cents,"
    " 'The drawer could not make up the chips or tokens.' AS detail"
    " FROM (SELECT location, ms, actor, ticket, station, instead_cents FROM endings"
    " WHERE kind = 'void' UNION ALL SELECT location, ms, actor, ticket, station, instead_cents"
    " FROM owed_payments) WHERE instead_cents > 0 AND location = ? AND ms >= ? AND ms < ?"
    " ORDER BY ms, ticket"
)
"""15.4(e): query of voids that gave cash in place of the chips or tokens that came in."""
STILL_OWED = (
    "SELECT 'owed' AS kind, e.ms, e.actor, e.ticket, e.station, e.owed_cents AS cents,"  # noqa: S608
    " CASE WHEN e.rewritten_as IS NOT NULL THEN 'A rewrite' WHEN e.kind = 'void' THEN 'A void'"
    " ELSE 'A refund' END || ' that no drawer has paid: a supervisor authorises it.' AS detail"
    f" FROM endings e WHERE e.location = ? AND {UNPAID} AND e.ms >= ? AND e.ms < ?"
    " ORDER BY e.ms, e.ticket"
)
"""15.6(b): query of voids, rewrites and refunds of a span whose money still waits."""
ACCESS_CHANGES = (
    "SELECT a.kind, a.ms, a.actor, a.second, s.station, trim(CASE WHEN s.station IS NULL"
    " THEN a.subject ELSE 'Station ' || a.subject END || ' ' || a.detail)"
    " || coalesce(': ' || a.reason, '') AS detail"
    " FROM access_changes a LEFT JOIN stations s ON a.kind LIKE 'station%'"
    " AND s.station = a.subject WHERE (s.location IS NULL OR s.location = ?)"
    " AND a.ms >= ? AND a.ms < ? ORDER BY a.change"
)
"""Query of changes of people and keys, and of the stations of this location."""
OF_A_LOCATION = (
    HALTS, FORGED_PAPERS, HOLDS, REPRINTS, NOT_ISSUED, ISSUED_AFTER_ALL, PAID_NOT_ISSUED,
    PAID_BY_PAPER, SURRENDERS, VOID_GAMES, CLOSED_BY_OTHERS, UNCONFIRMED, LATE_ATTEMPTS,
    CHIPS_CHANGED, GIVEN_IN_CASH, STILL_OWED, ACCESS_CHANGES,
)  # fmt: skip


def exceptions(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[ExceptionRow]:
    """Return all exceptions of a location in a span (UTC milliseconds), in order of time.

    They are: halts, forged papers, dispute holds and releases, reprints, tickets that were not
    issued and what became of them, payouts by paper, void games, denied or lapsed authorisations,
    drawers that two others closed, checkouts over or short, tickets sold in the span whose print is
    still unconfirmed, attempts after lock-out, large change for chips, voids that gave cash in
    place of chips, and what voids, rewrites and refunds of the span still owe. Of the whole house,
    each location lists changes of people, keys and its own stations, starts of the server and steps
    of the clock.
    """
    span = (location, from_ms, to_ms)
    found = [
        *(ExceptionRow(**row) for sql in OF_A_LOCATION for row in reads.rows(sql, *span)),
        *_not_given(reads, *span),
        *_checkouts(reads, *span),
        *_starts(reads, from_ms, to_ms),
        *(ExceptionRow("clock_step", **row) for row in steps_between(reads, from_ms, to_ms)),
    ]
    return sorted(found, key=lambda row: (row.ms, KINDS.index(row.kind), row.ticket or 0))


def _not_given(reads: Reads, *span: object) -> list[ExceptionRow]:
    """Return authorisations that a supervisor denied in a span, and those that lapsed in it.

    Each is an exception of the location that asked. If the ticket is of another location, only the
    detail names it.
    """
    rows = reads.rows(
        "SELECT state AS kind, answered_ms AS ms, asked_by AS actor,"
        " CASE WHEN a.location = o.location THEN ticket END AS ticket,"
        " coalesce(answered_by, given_by) AS second, amount_cents AS cents,"
        " CASE WHEN a.location = o.location THEN '' ELSE 'Ticket ' || l.letter || '-' || ticket"
        " || ': ' END || CASE state WHEN 'lapsed' THEN coalesce(reason, ?) ELSE reason END"
        " AS detail FROM authorisations a JOIN shifts o ON o.shift = a.asked_shift"
        " JOIN locations l ON l.location = a.location WHERE o.location = ?"
        " AND state NOT IN ('pending', 'approved', 'used') AND answered_ms >= ?"
        " AND answered_ms < ? ORDER BY authorisation",
        NOT_ANSWERED,
        *span,
    )
    return [ExceptionRow(**row) for row in rows]


def _starts(reads: Reads, from_ms: int, to_ms: int) -> list[ExceptionRow]:
    rows = reads.rows(
        "SELECT ms FROM starts WHERE ms >= ? AND ms < ? ORDER BY start", from_ms, to_ms
    )
    return [
        ExceptionRow("server_start", row["ms"], "the server", detail="The server was started.")
        for row in rows
    ]


# Checkouts.


def _checkouts(reads: Reads, *span: object) -> Iterator[ExceptionRow]:
    """Yield an exception for each shift closed in a span whose count differs in any tender."""
    for row in reads.rows(
        "SELECT shift, closed_ms, writer, station, expected, counted, closed_by, closed_second"
        " FROM shifts WHERE location = ? AND closed_ms >= ? AND closed_ms < ? ORDER BY shift",
        *span,
    ):
        expected = msgspec.json.decode(row["expected"], type=dict[str, int])
        counted = msgspec.json.decode(row["counted"], type=dict[str, int])
        differs = {
            kind: cents
            for kind in expected | counted
            if (cents := counted.get(kind, 0) - expected.get(kind, 0))
        }
        if differs:
            total = sum(differs.values())
            kind = "over" if total > 0 else "short" if total < 0 else "over_short"
            parts = ", ".join(_difference(name, cents) for name, cents in sorted(differs.items()))
            if row["closed_by"] not in (None, row["writer"]):
                parts += f". Counted by {row['closed_by']} and {row['closed_second']}"
            yield ExceptionRow(kind, row["closed_ms"], row["writer"], station=row["station"],
                       cents=abs(total), detail=f"Shift {row['shift']}: {parts}")  # fmt: skip


def _difference(kind: str, cents: Cents) -> str:
    how = "over" if cents > 0 else "short"
    return f"{kind.replace('_', ' ')} {format_dollars(abs(cents))} {how}"
