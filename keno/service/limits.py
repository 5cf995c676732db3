"""Limits on sums of amounts: the tickets of one game, and what one drawer holds."""

from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX, HELD_CENTS_MAX, Cents, format_dollars
from keno.domain.shift import INTO_THE_DRAWER
from keno.service.sale import Sale
from keno.store import drawer_queries, queries
from keno.store.rows import GameRow
from keno.store.transaction import Transaction

LARGE_SALE_CENTS = CENTS_MAX // 1_000
"""Minimum cents of a sale for which the drawer is looked through.

Millions of smaller sales fit one drawer before a sum of it is too large for a page.
"""


def in_play_cents(tx: Transaction, game: GameRow) -> Cents:
    """Return the cents that the tickets sold so far for the open game cost for it."""
    before = queries.game(tx, game.location, game.game - 1)
    return queries.in_play(tx, before, game.location, game.game)[1]


def check_room(tx: Transaction, sale: Sale, in_play: Cents) -> Cents:
    """Return the cents of a sale for its first game; refuse it if game or drawer cannot hold it.

    All tickets of a game cost HELD_CENTS_MAX for it at most; `in_play` is what those sold so far
    cost. A ticket of several games is checked at its first: each later game has none but these.
    """
    one_game = sale.price_cents // sale.request.games
    if in_play + one_game > HELD_CENTS_MAX:
        raise Refused(
            Refusal.AMOUNT_TOO_LARGE,
            f"The tickets of game {sale.first_game} would cost more than "
            f"{format_dollars(HELD_CENTS_MAX)}: sell this one for the next game.",
        )
    if sale.price_cents >= LARGE_SALE_CENTS:
        check_drawer_room(tx, sale.booth.shift, sale.price_cents)
    return one_game


def check_drawer_room(tx: Transaction, shift: int, more_cents: Cents) -> None:
    """Refuse to put money into a drawer if it would hold more than HELD_CENTS_MAX of all kinds."""
    held = sum(
        cents if event in INTO_THE_DRAWER else -cents
        for event, _, cents in drawer_queries.drawer(tx, shift)
    )
    if held + more_cents > HELD_CENTS_MAX:
        raise Refused(
            Refusal.AMOUNT_TOO_LARGE,
            f"The drawer would hold more than {format_dollars(HELD_CENTS_MAX)}.",
        )
