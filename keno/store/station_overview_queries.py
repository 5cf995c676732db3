"""What a station's desk reads from the ledger; an index answers each question."""

from keno.store.transaction import Reads, Row

_SOLD = (
    "SELECT number AS ticket, price_cents, first_game, last_game, sold_ms,"
    " coalesce((SELECT kind FROM endings e WHERE e.location = t.location"
    " AND e.ticket = t.number), state) AS state, printed, reprints FROM tickets t"
)


def last_sold(reads: Reads, station: str, limit: int) -> list[Row]:
    """The last tickets of a station, the newest first.

    Confirmed prints and the others have an index each, which are merged from their ends.
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
    """Live tickets of a station whose print is unconfirmed, the oldest first."""
    return reads.rows(
        "SELECT t.number AS ticket, t.price_cents, t.first_game, t.request_id, t.reprints,"
        " g.state AS game_state FROM tickets t"
        " JOIN games g ON g.location = t.location AND g.game = t.first_game"
        " WHERE t.station = ? AND t.printed = 0 AND t.state = 'live'"
        " AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.location = t.location"
        " AND e.ticket = t.number) ORDER BY t.number",
        station,
    )


def authorisations(reads: Reads, shift: int, denied_since_ms: int) -> list[Row]:
    """What a shift asked for: pending, approved and not used, or denied or lapsed since then."""
    return reads.rows(
        "SELECT authorisation, ticket, amount_cents, state, answered_by, reason"
        " FROM authorisations WHERE asked_shift = ? AND (state IN ('pending', 'approved')"
        " OR (state IN ('denied', 'lapsed') AND answered_ms >= ?)) ORDER BY authorisation",
        shift,
        denied_since_ms,
    )
