"""Makes the request for a void order, which two keyholders sign at the generator (15.7)."""

from keno.domain.errors import Refusal, Refused
from keno.domain.states import GameState
from keno.draw import coordinator
from keno.store import queries
from keno.store.transaction import Reads
from rng.canonical import encode_line


def request_line(reads: Reads, location: str, number: int) -> bytes:
    """Return the request to void a game: its signed messages up to its countersign, as a JSON line.

    The request never has the numbers, so that keyholders cannot choose by them. Raise Refused if
    the game is not locked or has ended.
    """
    genesis, made = (
        coordinator.genesis_of(reads, location),
        coordinator.load(reads, location, number),
    )
    row = queries.game(reads, location, number)
    if genesis is None or row is None or row.state != GameState.LOCKED or made.keys() & ENDS:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            f"Only a locked game without a result can be void, and game {number} is not one.",
        )
    asked = {
        "genesis": genesis.message.written(),
        "game": {step: each.written() for step, each in made.items() if step in BEFORE_NUMBERS},
        "prev": coordinator.head_before(reads, genesis, number),
        "last_ticket": row.last_ticket,
    }
    return encode_line(asked)


BEFORE_NUMBERS = ("commit_r", "commit_w", "close", "countersign")
ENDS = frozenset({"attest", "void"})
"""Names of the messages of which either ends a game."""
