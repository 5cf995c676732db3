"""15.7: the quote of what declaring a game void would return, and the request file to void it."""

from collections.abc import Sequence

from keno.domain.coupon import coupon_part
from keno.domain.errors import Refused
from keno.domain.game import game_name
from keno.domain.money import Cents
from keno.domain.states import GameState, shown_state
from keno.draw.void_request import request_line
from keno.protocol.games import Alarm, VoidQuote
from keno.service.common import require_game
from keno.service.house import House
from keno.store import queries
from keno.store import void_quote_queries as stored
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Row


async def void_quote(
    house: House, location: str, number: int, alarms: Sequence[Alarm]
) -> VoidQuote:
    """Return what declaring a game void would give back, or why it is not possible.

    Nothing is changed. The wagers would be returned when each ticket is redeemed or refunded.
    """

    def load(reads: Reads) -> VoidQuote:
        game = require_game(reads, location, number)
        place = queries.location(reads, location)
        why_not, selling = _why_not(reads, game), queries.open_game(reads, location)
        counts = game.locked_ms is not None
        return VoidQuote(
            location=location,
            game=number,
            name=game_name("?" if place is None else place["letter"], number),
            state=shown_state(game.state, shown=game.shown_ms is not None),
            locked_ms=game.locked_ms,
            possible=why_not is None,
            why_not=why_not,
            tickets=(game.tickets or 0) if counts else 0,
            multi_race=stored.multi_races(reads, location, number) if counts else 0,
            returned_cents=(game.handle_cents or 0) if counts else 0,
            coupon_cents=_coupons(reads, game) if counts else 0,
            next_game=None if selling is None else selling.game,
            alarms=tuple(alarms),
        )

    return await house.ledger.read(load)


def _why_not(reads: Reads, game: GameRow) -> str | None:
    if game.state in (GameState.DRAWN, GameState.SETTLED):
        return f"Game {game.game} has its result, which stands."
    try:
        request_line(reads, game.location, game.game)
    except Refused as no:
        return no.message
    return None


def _coupons(reads: Reads, game: GameRow) -> Cents:
    """Return the cents of a game's wagers that coupons paid.

    A ticket's coupon pays for the ticket's earliest games first.
    """
    before = queries.game(reads, game.location, game.game - 1)
    after = 0 if before is None else before.last_ticket or 0
    rows = stored.bought_with_coupons(reads, game, after)
    return sum(_coupon_of_game(row, game.game) for row in rows)


def _coupon_of_game(row: Row, number: int) -> Cents:
    one_game = row["price_cents"] // (row["last_game"] - row["first_game"] + 1)
    start = (number - row["first_game"]) * one_game
    return coupon_part(row["coupon_cents"], start, start + one_game)


async def void_request(house: House, location: str, number: int) -> bytes:
    """Return the void request of a game as a file.

    Inspector and supervisor take the file to the generator's console, where they sign the void.
    """
    return await house.ledger.read(lambda reads: request_line(reads, location, number))
