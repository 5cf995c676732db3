"""What was out of the ordinary on a gaming day, read from the tables."""

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from keno.domain.money import Cents, format_dollars
from keno.store.transaction import Reads

KINDS = (
    "hold", "release", "reprint", "surrender", "void_game", "denied", "lapsed", "over",
    "short", "over_short", "unconfirmed_print",
)  # fmt: skip
"""`over_short` is a drawer that is right in sum, but not in each kind of tender."""


@dataclass(frozen=True, slots=True)
class ExceptionRow:
    """One exception; a field that does not apply is None."""

    kind: str
    ms: int
    actor: str
    ticket: int | None = None
    game: int | None = None
    station: str | None = None
    second: str | None = None
    cents: Cents | None = None
    detail: str | None = None


def exceptions(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[ExceptionRow]:
    """All exceptions of a span, in the order they happened.

    Dispute holds and releases, reprints, surrenders, void games, authorisations that were denied
    or lapsed, checkouts that were over or short, and tickets sold in the span whose print is
    unconfirmed to this moment.
    """
    span = (location, from_ms, to_ms)
    found = [
        *_holds(reads, *span),
        *_reprints(reads, *span),
        *_surrenders(reads, *span),
        *_void_games(reads, *span),
        *_not_given(reads, *span),
        *_checkouts(reads, *span),
        *_unconfirmed(reads, *span),
    ]
    return sorted(found, key=lambda row: (row.ms, KINDS.index(row.kind), row.ticket or 0))


def _holds(reads: Reads, *span: object) -> list[ExceptionRow]:
    rows = reads.rows(
        "SELECT a.kind, a.ms, a.actor, a.ticket, t.station, t.price_cents AS cents,"
        " a.reason AS detail FROM approvals a JOIN tickets t ON t.location = a.location"
        " AND t.number = a.ticket WHERE a.location = ? AND a.kind IN ('hold', 'release')"
        " AND a.ms >= ? AND a.ms < ? ORDER BY a.approval",
        *span,
    )
    return [ExceptionRow(**row) for row in rows]


def _reprints(reads: Reads, *span: object) -> list[ExceptionRow]:
    rows = reads.rows(
        "SELECT r.ms, r.actor, r.ticket, t.station, r.supervisor AS second,"
        " t.price_cents AS cents, 'Reprint ' || r.copy || ' of this ticket' AS detail"
        " FROM reprints r JOIN tickets t ON t.location = r.location AND t.number = r.ticket"
        " WHERE r.location = ? AND r.ms >= ? AND r.ms < ? ORDER BY r.ms, r.ticket, r.copy",
        *span,
    )
    return [ExceptionRow("reprint", **row) for row in rows]


def _surrenders(reads: Reads, *span: object) -> list[ExceptionRow]:
    rows = reads.rows(
        "SELECT e.ms, e.actor, e.ticket, e.station, e.supervisor AS second,"
        " t.price_cents AS cents, e.reason AS detail"
        " FROM endings e JOIN tickets t ON t.location = e.location AND t.number = e.ticket"
        " WHERE e.location = ? AND e.kind = 'surrender' AND e.ms >= ? AND e.ms < ?"
        " ORDER BY e.ticket",
        *span,
    )
    return [ExceptionRow("surrender", **row) for row in rows]


def _void_games(reads: Reads, *span: object) -> list[ExceptionRow]:
    rows = reads.rows(
        "SELECT o.ms, o.actor, o.game, o.second, g.handle_cents AS cents, o.reason AS detail"
        " FROM overrides o JOIN games g ON g.location = o.location AND g.game = o.game"
        " WHERE o.location = ? AND o.kind = 'void' AND o.ms >= ? AND o.ms < ? ORDER BY o.override",
        *span,
    )
    return [ExceptionRow("void_game", **row) for row in rows]


def _not_given(reads: Reads, *span: object) -> list[ExceptionRow]:
    """Authorisations that a supervisor denied, and those that nobody answered."""
    rows = reads.rows(
        "SELECT state AS kind, answered_ms AS ms, asked_by AS actor, ticket,"
        " answered_by AS second, amount_cents AS cents, CASE state WHEN 'lapsed'"
        " THEN 'No supervisor answered in time.' ELSE reason END AS detail FROM authorisations"
        " WHERE location = ? AND state IN ('denied', 'lapsed') AND answered_ms >= ?"
        " AND answered_ms < ? ORDER BY authorisation",
        *span,
    )
    return [ExceptionRow(**row) for row in rows]


def _unconfirmed(reads: Reads, *span: object) -> list[ExceptionRow]:
    rows = reads.rows(
        "SELECT t.sold_ms AS ms, t.writer AS actor, t.number AS ticket, t.first_game AS game,"
        " t.station, t.price_cents AS cents, 'Nobody has said that it is on paper.' AS detail"
        " FROM tickets t WHERE t.location = ? AND t.printed = 0 AND t.state = 'live'"
        " AND t.sold_ms >= ? AND t.sold_ms < ? AND NOT EXISTS (SELECT 1 FROM endings e"
        " WHERE e.location = t.location AND e.ticket = t.number) ORDER BY t.number",
        *span,
    )
    return [ExceptionRow("unconfirmed_print", **row) for row in rows]


# Checkouts.


def _checkouts(reads: Reads, *span: object) -> Iterator[ExceptionRow]:
    """Closed shifts of which some kind of tender was not what it should have been."""
    for row in reads.rows(
        "SELECT shift, closed_ms, writer, station, expected, counted FROM shifts"
        " WHERE location = ? AND closed_ms >= ? AND closed_ms < ? ORDER BY shift",
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
            yield ExceptionRow(kind, row["closed_ms"], row["writer"], station=row["station"],
                       cents=abs(total), detail=f"Shift {row['shift']}: {parts}")  # fmt: skip


def _difference(kind: str, cents: Cents) -> str:
    how = "over" if cents > 0 else "short"
    return f"{kind.replace('_', ' ')} {format_dollars(abs(cents))} {how}"
