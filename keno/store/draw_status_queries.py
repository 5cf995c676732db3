"""What the RNG room reads from the ledger: the last games and the last boots of a location."""

from keno.store.rows import GameRow
from keno.store.transaction import Reads


def last_games(reads: Reads, location: str, limit: int) -> list[GameRow]:
    """The last games that are locked, drawn, settled or void, the newest first."""
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND state <> 'open' ORDER BY game DESC LIMIT ?",
        location,
        limit,
    )
    return [GameRow(**row) for row in rows]


def last_unlocks(reads: Reads, location: str, limit: int) -> list[str]:
    """The last unlocks of R that this location's chain has, the newest first."""
    rows = reads.rows(
        "SELECT message FROM unlocks WHERE location = ? ORDER BY boot DESC LIMIT ?",
        location,
        limit,
    )
    return [row["message"] for row in rows]
