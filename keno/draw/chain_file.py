"""The chain file of a location, read from the ledger, with which anyone can verify its draws."""

from collections.abc import Iterator

from keno.store import queries
from keno.store.transaction import Reads


def chain_lines(reads: Reads, location: str) -> Iterator[bytes]:
    """Yield the lines of a location's chain file: genesis, unlocks, then one line a game."""
    yield from _opening_lines(reads, location)
    for game in queries.games_with_draws(reads, location):
        yield _game_line(reads, location, game)


def game_lines(reads: Reads, location: str, game: int) -> bytes:
    """Return the genesis and unlock lines and one game's line, for `verify --part`."""
    return b"".join([*_opening_lines(reads, location), _game_line(reads, location, game)])


def _opening_lines(reads: Reads, location: str) -> Iterator[bytes]:
    for text in queries.genesis_texts(reads, location) + queries.unlock_texts(reads, location):
        yield text.encode() + b"\n"


def _game_line(reads: Reads, location: str, game: int) -> bytes:
    """Return the line of a game: its messages by step, as canonical JSON.

    Each message is stored as its canonical bytes, and steps sort as canonical names do.
    """
    steps = sorted(queries.draw_steps(reads, location, game).items())
    return b"{%s}\n" % ",".join([f'"{step}":{text}' for step, text in steps]).encode()
