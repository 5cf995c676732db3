"""Void games of a presented ticket: each must have been ordered void by two keyholders (15.7).

A wager is returned only for such a game, so that a changed row of a game returns nothing.
"""

from collections.abc import Sequence

import msgspec

from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.states import GameState
from keno.domain.ticket import PlayedGame
from keno.service.house import House
from keno.store import queries
from keno.store.transaction import Reads
from rng.records import Genesis, check_void, read_message


def check_voids(house: House, reads: Reads, location: str, games: Sequence[PlayedGame]) -> None:
    """Raise `Irregular`, which halts, if a void game of a ticket was never ordered void.

    After the resume the ticket is refused instead. A location without a genesis has no signed
    orders, so nothing is checked there.
    """
    genesis = house.geneses.get(location)
    for game in games:
        if genesis is None or game.state is not GameState.VOID:
            continue
        if _is_ordered(reads, location, game.number, genesis):
            continue
        found = f"Game {game.number} is recorded as void, and no two keyholders ordered that."
        if not house.halts.signed_off(location, HaltFault.BOOK, found):
            raise Irregular(HaltFault.BOOK, found, location=location)
        raise Refused(Refusal.NOT_POSSIBLE_NOW, f"{found} Nothing is returned for it.")


def _is_ordered(reads: Reads, location: str, game: int, genesis: Genesis) -> bool:
    text = queries.draw_step(reads, location, game, "void")
    try:
        order = read_message(msgspec.json.decode(text or "null"), "void")
        check_void(order, genesis)
    except ValueError:
        return False
    return (order["chain"], order["game"]) == (genesis.chain, game)
