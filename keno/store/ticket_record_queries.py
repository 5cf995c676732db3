"""What the record of one ticket and the check of its book read from the ledger."""

from keno.store.transaction import Reads, Row

Leaf = tuple[int, bytes]
"""A ticket's number, and its leaf hash as the book of a game has it."""

_LEAF = (
    "SELECT number, CASE WHEN ended_game IS NULL OR ended_game > ?1 THEN leaf"
    " ELSE ended_leaf END FROM tickets"
)


def earlier_leaves(reads: Reads, location: str, game: int) -> list[Leaf]:
    """Of the multi-race tickets of a game that were sold for a game before it."""
    return reads.connection.execute(
        f"{_LEAF} WHERE location = ?2 AND last_game > first_game AND last_game >= ?1"
        " AND first_game < ?1 ORDER BY number",
        (game, location),
    ).fetchall()


def leaves_between(
    reads: Reads, location: str, game: int, span: tuple[int, int], most: int
) -> list[Leaf]:
    """Of the tickets behind a number up to another, so many at once."""
    return reads.connection.execute(
        f"{_LEAF} WHERE location = ?2 AND number > ?3 AND number <= ?4 ORDER BY number LIMIT ?5",
        (game, location, *span, most),
    ).fetchall()


def asked_for(reads: Reads, location: str, ticket: int) -> list[Row]:
    """Every time a supervisor was asked about a ticket, with the answer."""
    return reads.rows(
        "SELECT state, asked_by, asked_ms, answered_by, answered_ms, reason FROM authorisations"
        " WHERE ticket = ? AND location = ? ORDER BY authorisation",
        ticket,
        location,
    )


def approvals_of(reads: Reads, location: str, ticket: int) -> list[Row]:
    """Reprints that a supervisor approved, dispute holds and releases."""
    return reads.rows(
        "SELECT kind, actor, CASE WHEN supervisor <> actor THEN supervisor END AS second, reason,"
        " ms FROM approvals WHERE ticket = ? AND location = ? ORDER BY approval",
        ticket,
        location,
    )
