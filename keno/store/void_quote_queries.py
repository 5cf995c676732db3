"""Which tickets a void game would give something back to; an index answers each question."""

from keno.store.rows import GameRow
from keno.store.transaction import Reads, Row


def multi_races(reads: Reads, location: str, game: int) -> int:
    """How many tickets play this game and others."""
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
    """Tickets that play a locked game and were paid with coupons; after that number they begin
    with this game, before it they are multi-races of earlier ones.
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
