"""The query for the exposure of an open game: what its tickets sold so far could win."""

from typing import Any

from keno.store.transaction import Reads


def playing(reads: Reads, location: str, game: int, after: int) -> list[tuple[Any, ...]]:
    """Return shape, masks and cents for one game of every ticket sold so far for an open game.

    Tickets that begin with this game have numbers above `after`, the last number of the game
    before; the others are multi-race.
    """
    what = (
        "SELECT shape, masks, price_cents / (last_game - first_game + 1) FROM tickets"
        " WHERE location = ?1 AND (ended_game IS NULL OR ended_game > ?2)"
    )
    return reads.connection.execute(
        f"{what} AND last_game > first_game AND last_game >= ?2 AND first_game < ?2"
        f" UNION ALL {what} AND number > ?3",
        (location, game, after),
    ).fetchall()
