"""Queries of tickets that were printed and not issued, and of what they would be awarded."""

from dataclasses import dataclass

from keno.domain.money import Cents
from keno.domain.states import NotIssuedDecision, NotIssuedKind
from keno.store.exact_sums import halves, joined
from keno.store.owed_queries import PAYMENTS
from keno.store.transaction import Reads, Row


def find(reads: Reads, location: str, ticket: int) -> Row | None:
    """Return the row of a ticket that was declared or found not issued, or None."""
    return reads.one("SELECT * FROM not_issued WHERE location = ? AND ticket = ?", location, ticket)


def is_held(reads: Reads, location: str, ticket: int) -> bool:
    """Return whether a ticket is held as not issued and no supervisor has decided yet."""
    row = find(reads, location, ticket)
    return row is not None and row["decision"] is None


def is_exceptional(reads: Reads, location: str, ticket: int) -> bool:
    """Return whether a ticket was declared or found not issued and a supervisor then issued it."""
    row = find(reads, location, ticket)
    return row is not None and row["decision"] == NotIssuedDecision.ISSUED


def declared(reads: Reads, location: str, game: int) -> set[int]:
    """Return the numbers of the tickets that play a game and were declared not issued."""
    rows = reads.rows(
        "SELECT n.ticket FROM not_issued n JOIN tickets t ON t.location = n.location"
        " AND t.number = n.ticket WHERE n.location = ? AND n.kind = ?"
        " AND t.first_game <= ? AND t.last_game >= ?",
        location,
        NotIssuedKind.DECLARED,
        game,
        game,
    )
    return {row["ticket"] for row in rows}


def is_drawn(reads: Reads, location: str, game: int) -> bool:
    """Return whether the generator's result of a game is stored; the draw may be unrecorded yet."""
    return bool(
        reads.value(
            "SELECT EXISTS (SELECT 1 FROM draws WHERE location = ? AND game = ?"
            " AND step = 'result')",
            location,
            game,
        )
    )


# Listings.


@dataclass(frozen=True, slots=True)
class NotIssuedRow:
    ticket: int
    kind: str
    game: int
    ms: int
    writer: str
    station: str
    taken_by: str | None
    reason: str | None
    price_cents: Cents
    award_cents: Cents
    """Award in games that are shown; for a declared ticket what its share would have been."""
    decision: str
    """`confirmed` or `issued`; `unconfirmed` until a supervisor has decided."""
    decided_by: str | None
    decided_ms: int | None
    decided_reason: str | None
    paid_cents: Cents


def not_issued(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[NotIssuedRow]:
    """15.3(c): return the tickets declared or found not issued in a span."""
    won = (
        "SELECT coalesce(sum(w.award_cents), 0) FROM {} w JOIN games g ON g.location = w.location"
        " AND g.game = w.game AND g.shown_ms IS NOT NULL"
        " WHERE w.location = n.location AND w.ticket = n.ticket"
    )
    rows = reads.rows(
        "SELECT n.ticket, n.kind, n.game, n.ms, n.writer, n.station, n.taken_by, n.reason,"  # noqa: S608
        f" t.price_cents, ({won.format('awards')}) + ({won.format('not_issued_awards')})"
        " AS award_cents, coalesce(n.decision, 'unconfirmed') AS decision, n.decided_by,"
        " n.decided_ms, n.decided_reason, coalesce((SELECT e.awards_cents + e.returns_cents"
        f" + e.refund_cents FROM {PAYMENTS} e WHERE e.location = n.location"
        " AND e.ticket = n.ticket), 0) AS paid_cents"
        " FROM not_issued n JOIN tickets t ON t.location = n.location AND t.number = n.ticket"
        " WHERE n.location = ? AND n.ms >= ? AND n.ms < ? ORDER BY n.ms, n.ticket",
        location,
        from_ms,
        to_ms,
    )
    return [NotIssuedRow(**row) for row in rows]


# The balance.


def on_top(reads: Reads, location: str) -> dict[str | None, Cents]:
    """Return cents awarded beyond the maximum to tickets issued after all, by kind of their ending.

    The key None has tickets without an ending. Only games whose last ball is shown count.
    """
    rows = reads.connection.execute(
        f"SELECT e.kind, {halves('w.award_cents')} FROM not_issued_awards w JOIN not_issued n"  # noqa: S608
        " ON n.location = w.location AND n.ticket = w.ticket AND n.decision = ?"
        " JOIN games g ON g.location = w.location AND g.game = w.game AND g.shown_ms IS NOT NULL"
        " LEFT JOIN endings e ON e.location = w.location AND e.ticket = w.ticket"
        " WHERE w.location = ? GROUP BY e.kind",
        (NotIssuedDecision.ISSUED, location),
    )
    return {kind: joined(high, low) for kind, high, low in rows}
