"""Queries of the console's draw status: the last games and the last unlocks of a location."""

from keno.store.rows import GameRow
from keno.store.transaction import Reads


def last_games(reads: Reads, location: str, limit: int) -> list[GameRow]:
    """Return at most `limit` last games that are not open, the newest first."""
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND state <> 'open' ORDER BY game DESC LIMIT ?",
        location,
        limit,
    )
    return [GameRow(**row) for row in rows]


def last_unlocks(reads: Reads, location: str, limit: int) -> list[str]:
    """Return at most `limit` last unlock messages of R, as JSON, the newest boot first."""
    rows = reads.rows(
        "SELECT message FROM unlocks WHERE location = ? ORDER BY boot DESC LIMIT ?",
        location,
        limit,
    )
    return [row["message"] for row in rows]
