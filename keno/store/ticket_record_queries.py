"""Queries of a ticket's record (authorisations, approvals), and of a book's leaves to check it."""

from keno.store.transaction import Reads, Row

Leaf = tuple[int, bytes]
"""A ticket's number, and its leaf hash as the book of a game has it."""

_LEAF = (
    "SELECT number, CASE WHEN ended_game IS NULL OR ended_game > ?1 THEN leaf"
    " ELSE ended_leaf END FROM tickets"
)


def earlier_leaves(reads: Reads, location: str, game: int) -> list[Leaf]:
    """Return the leaves of a game's book for multi-race tickets begun in an earlier game."""
    return reads.connection.execute(
        f"{_LEAF} WHERE location = ?2 AND last_game > first_game AND last_game >= ?1"
        " AND first_game < ?1 ORDER BY number",
        (game, location),
    ).fetchall()


def leaves_between(
    reads: Reads, location: str, game: int, span: tuple[int, int], most: int
) -> list[Leaf]:
    """Return a game's leaves of the tickets numbered above span[0] up to span[1].

    At most `most` leaves are returned, ascending by number.
    """
    return reads.connection.execute(
        f"{_LEAF} WHERE location = ?2 AND number > ?3 AND number <= ?4 ORDER BY number LIMIT ?5",
        (game, location, *span, most),
    ).fetchall()


def asked_for(reads: Reads, location: str, ticket: int) -> list[Row]:
    """Return all authorisations of a ticket, with their answers, in order.

    Each row has state, asked_by, asked_ms, answered_by, answered_ms and reason. `answered_by` of an
    approval that lapsed is who gave it; it is None if no person answered.
    """
    return reads.rows(
        "SELECT state, asked_by, asked_ms, coalesce(answered_by, given_by) AS answered_by,"
        " answered_ms, reason FROM authorisations"
        " WHERE ticket = ? AND location = ? ORDER BY authorisation",
        ticket,
        location,
    )


def approvals_of(reads: Reads, location: str, ticket: int) -> list[Row]:
    """Return a ticket's approved reprints, dispute holds and releases, in order.

    Each row has kind, actor, second, reason and ms (UTC). `second` is the supervisor; it is None if
    the actor is that supervisor. `reason` is None for a reprint.
    """
    return reads.rows(
        "SELECT kind, actor, CASE WHEN supervisor <> actor THEN supervisor END AS second, reason,"
        " ms FROM approvals WHERE ticket = ? AND location = ? ORDER BY approval",
        ticket,
        location,
    )
