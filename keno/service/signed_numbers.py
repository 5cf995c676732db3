"""The numbers of a drawn game: the stored numbers, compared with the result that R signed (15.7).

Tickets are graded by the signed numbers, so that a changed row of a game changes no award.
"""

import msgspec

from keno.domain.errors import Irregular, Refusal
from keno.domain.halt import HaltFault
from keno.service.house import House
from keno.store import queries
from keno.store.rows import GameRow
from keno.store.transaction import Reads
from rng.records import Genesis, check_signed, read_message

SIGNED_MAX = 10_000
"""Maximum games whose signed numbers are kept in memory."""


def drawn_numbers(game: GameRow) -> list[int]:
    """Return the twenty stored numbers of a game in ball order; ValueError if it is not drawn."""
    if game.numbers is None:
        raise ValueError(f"game {game.game} is not drawn")
    return [int(number) for number in game.numbers.strip("[]").split(",")]


def signed_numbers(house: House, reads: Reads, game: GameRow) -> list[int]:
    """Return the numbers of a drawn game in ball order, as R signed them, for grading.

    If the stored numbers differ, raise `Irregular`, which halts, until a resume; then return the
    signed numbers. Return the stored numbers if the location has no genesis.
    """
    stored = drawn_numbers(game)
    genesis = house.geneses.get(game.location)
    if genesis is None:
        return stored
    signed = _signed(house, reads, game, genesis)
    if signed == stored:
        return stored
    found = f"The numbers of game {game.game} are not those that the generator signed."
    if signed is None or not house.halts.signed_off(game.location, HaltFault.BOOK, found):
        place = game.location
        raise Irregular(HaltFault.BOOK, found, location=place, reason=Refusal.BAD_DRAW)
    return signed


def _signed(house: House, reads: Reads, game: GameRow, genesis: Genesis) -> list[int] | None:
    """Return the numbers that R signed for a game; None if the ledger has no valid result of R."""
    key = game.location, game.game
    known = house.signed.get(key)
    if known is not None:
        return known
    text = queries.draw_step(reads, *key, "result")
    try:
        result = read_message(msgspec.json.decode(text or "null"), "result")
        check_signed(result, genesis.key("R"))
    except ValueError:
        return None
    if (result["chain"], result["game"]) != (genesis.chain, game.game):
        return None
    numbers = [int(number) for number in result["numbers"]]
    if len(house.signed) >= SIGNED_MAX:
        house.signed = {}
    house.signed[key] = numbers
    return numbers
