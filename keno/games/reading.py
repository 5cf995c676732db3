"""What a conductor reads from the ledger about its location's games."""

from keno.domain.game import game_name
from keno.protocol import CardChange, ShownGame
from keno.service.house import House
from keno.service.signed_numbers import drawn_numbers
from keno.store import queries, resume_queries
from keno.store.rows import GameRow
from keno.store.transaction import Row


async def letter_of(house: House, location: str) -> str:
    """Return the letter of a location, which precedes its game numbers; `?` if it is unknown."""
    place = await house.ledger.read(lambda reads: queries.location(reads, location))
    return "?" if place is None else str(place["letter"])


async def game_row(house: House, location: str, game: int) -> GameRow:
    """Return the row of a game; raise RuntimeError if the ledger lacks it."""
    row = await house.ledger.read(lambda reads: queries.game(reads, location, game))
    if row is None:
        raise RuntimeError(f"game {game} of {location} is gone")
    return row


async def open_game(house: House, location: str) -> GameRow | None:
    """Return the open game's row; None before the first game."""
    return await house.ledger.read(lambda reads: queries.open_game(reads, location))


async def require_open(house: House, location: str) -> GameRow:
    """Return the open game's row; raise RuntimeError if the location has no open game."""
    game = await open_game(house, location)
    if game is None:
        raise RuntimeError(f"{location} has no open game")
    return game


async def unfinished(house: House, location: str) -> list[GameRow]:
    """Return games that a stop left locked, or drawn but not shown or settled, in order."""
    return await house.ledger.read(lambda reads: resume_queries.unfinished_games(reads, location))


async def overrides(house: House, location: str, game: int) -> list[Row]:
    """Return the rows of the overrides in force for a game, in order.

    They are its own and the location's last switch to manual or automatic. Each row has `game`,
    `kind`, `seconds` and `ms` (when it was made, UTC).
    """
    return await house.ledger.read(
        lambda reads: resume_queries.overrides_in_force(reads, location, game)
    )


async def last_shown(house: House, location: str, letter: str) -> ShownGame | None:
    """Return number, name and winning numbers of the last game that was shown, or None."""
    last = await house.ledger.read(lambda reads: resume_queries.last_shown(reads, location))
    if last is None:
        return None
    return ShownGame(last.game, game_name(letter, last.game), drawn_numbers(last))


async def card_changes(house: House, location: str, game: int) -> list[CardChange]:
    """Return the posted rate cards that take effect after a game, with the first game of each."""
    rows = await house.ledger.read(lambda reads: queries.postings(reads, location))
    return [CardChange(row.card, row.first_game) for row in rows if row.first_game > game]


async def unconfirmed(house: House, location: str, game: int) -> bool:
    """Return whether a live ticket that begins with a game has an unconfirmed print."""
    return bool(
        await house.ledger.read(
            lambda reads: resume_queries.unconfirmed_of_game(reads, location, game)
        )
    )
