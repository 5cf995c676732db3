"""Queries of a station's overview for its writer: sales, prints, shifts, authorisations.

An index serves each query.
"""

from keno.store.transaction import Reads, Row

_SOLD = (
    "SELECT number AS ticket, price_cents, first_game, last_game, sold_ms,"
    " coalesce((SELECT kind FROM endings e WHERE e.location = t.location"
    " AND e.ticket = t.number), state) AS state, printed, reprints FROM tickets t"
)


def last_sold(reads: Reads, station: str, limit: int) -> list[Row]:
    """Return at most `limit` last tickets of a station, with their state, the newest first.

    Confirmed and unconfirmed prints have an index each; the query merges both.
    """
    return reads.rows(
        f"{_SOLD} WHERE station = ? AND printed = 0"
        f" UNION ALL {_SOLD} WHERE station = ? AND printed = 1"
        " ORDER BY number DESC LIMIT ?",
        station,
        station,
        limit,
    )


def unprinted(reads: Reads, station: str) -> list[Row]:
    """Return live tickets of a station whose print is unconfirmed, the oldest first."""
    return reads.rows(
        "SELECT t.number AS ticket, t.price_cents, t.first_game, t.request_id, t.reprints,"
        " g.state AS game_state FROM tickets t"
        " JOIN games g ON g.location = t.location AND g.game = t.first_game"
        " WHERE t.station = ? AND t.printed = 0 AND t.state = 'live'"
        " AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.location = t.location"
        " AND e.ticket = t.number) ORDER BY t.number",
        station,
    )


def other_shift(reads: Reads, station: str, writer: str) -> Row | None:
    """Return the open shift of another person at a station, or None."""
    return reads.one(
        "SELECT s.shift, s.writer, u.name, s.opened_ms FROM shifts s"
        " JOIN users u ON u.person = s.writer"
        " WHERE s.station = ? AND s.closed_ms IS NULL AND s.writer <> ?",
        station,
        writer,
    )


def authorisations(reads: Reads, shift: int, denied_since_ms: int) -> list[Row]:
    """Return authorisations of a shift: open ones, and those denied or lapsed since a time."""
    return reads.rows(
        "SELECT authorisation, ticket, amount_cents, state, answered_by, reason, l.letter"
        " FROM authorisations a JOIN locations l ON l.location = a.location"
        " WHERE asked_shift = ? AND (state IN ('pending', 'approved')"
        " OR (state NOT IN ('pending', 'approved', 'used') AND answered_ms >= ?))"
        " ORDER BY authorisation",
        shift,
        denied_since_ms,
    )
