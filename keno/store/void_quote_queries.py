"""Queries of tickets to which a void of a game would return something; all use an index."""

from keno.store.rows import GameRow
from keno.store.transaction import Reads, Row


def multi_races(reads: Reads, location: str, game: int) -> int:
    """Return the number of multi-race tickets that still play a game."""
    found = reads.value(
        "SELECT count(*) FROM tickets WHERE location = ? AND last_game > first_game"
        " AND last_game >= ? AND first_game <= ? AND (ended_game IS NULL OR ended_game > ?)",
        location,
        game,
        game,
        game,
    )
    return int(found or 0)


def bought_with_coupons(reads: Reads, game: GameRow, after: int) -> list[Row]:
    """Return prices, coupon cents and games of tickets that play a locked game, paid with coupons.

    Tickets numbered above `after` begin with this game; the others are multi-race tickets of
    earlier games.
    """
    earlier = reads.rows(
        "SELECT price_cents, coupon_cents, first_game, last_game FROM tickets"
        " WHERE location = ? AND last_game > first_game AND last_game >= ? AND first_game < ?"
        " AND (ended_game IS NULL OR ended_game > ?) AND coupon_cents > 0",
        game.location,
        game.game,
        game.game,
        game.game,
    )
    new = reads.rows(
        "SELECT price_cents, coupon_cents, first_game, last_game FROM tickets"
        " WHERE location = ? AND number > ? AND number <= ?"
        " AND (ended_game IS NULL OR ended_game > ?) AND coupon_cents > 0",
        game.location,
        after,
        game.last_ticket,
        game.game,
    )
    return earlier + new
