"""What the conductor and a writer's connection read from the ledger to go on where they were."""

from keno.store.rows import GameRow
from keno.store.transaction import Reads, Row


def unfinished_games(reads: Reads, location: str) -> list[GameRow]:
    """Games that are locked and not yet settled and shown, the oldest first."""
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND (state IN ('locked', 'drawn')"
        " OR (state = 'settled' AND shown_ms IS NULL)) ORDER BY game",
        location,
    )
    return [GameRow(**row) for row in rows]


def last_shown(reads: Reads, location: str) -> GameRow | None:
    """The last game whose result may be told."""
    row = reads.one(
        "SELECT * FROM games WHERE location = ? AND shown_ms IS NOT NULL AND numbers IS NOT NULL"
        " ORDER BY game DESC LIMIT 1",
        location,
    )
    return None if row is None else GameRow(**row)


def games_before(reads: Reads, location: str, before: int | None, limit: int) -> list[GameRow]:
    """Games that can be told of, the newest first."""
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND (? IS NULL OR game < ?)"
        " AND (shown_ms IS NOT NULL OR state = 'void') ORDER BY game DESC LIMIT ?",
        location,
        before,
        before,
        limit,
    )
    return [GameRow(**row) for row in rows]


def games_of_span(
    reads: Reads, location: str, span: tuple[int, int], before: int | None, limit: int
) -> list[GameRow]:
    """Games that can be told of and that closed in a span of time, the newest first."""
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND locked_ms >= ? AND locked_ms < ?"
        " AND (? IS NULL OR game < ?) AND (shown_ms IS NOT NULL OR state = 'void')"
        " ORDER BY game DESC LIMIT ?",
        location,
        *span,
        before,
        before,
        limit,
    )
    return [GameRow(**row) for row in rows]


def overrides_in_force(reads: Reads, location: str, game: int) -> list[Row]:
    """Overrides of this game, and the last word on manual or automatic; in their order."""
    return reads.rows(
        "SELECT kind, seconds, ms FROM overrides WHERE location = ? AND (game = ? OR override ="
        " (SELECT max(override) FROM overrides WHERE location = ?"
        " AND kind IN ('manual', 'automatic'))) ORDER BY override",
        location,
        game,
        location,
    )


def reason_of_hold(reads: Reads, location: str, game: int) -> str | None:
    """What was said when this game was held, the last time."""
    reason: str | None = reads.value(
        "SELECT reason FROM overrides WHERE location = ? AND game = ? AND kind = 'hold'"
        " ORDER BY override DESC LIMIT 1",
        location,
        game,
    )
    return reason


def count_overrides(reads: Reads, location: str) -> int:
    return int(reads.value("SELECT count(*) FROM overrides WHERE location = ?", location))


def unconfirmed_of_game(reads: Reads, location: str, game: int) -> int:
    """Tickets sold for a game whose print nobody has confirmed yet."""
    return int(
        reads.value(
            "SELECT count(*) FROM stations s JOIN tickets t ON t.station = s.station"
            " WHERE s.location = ? AND t.printed = 0 AND t.state = 'live' AND t.first_game = ?",
            location,
            game,
        )
    )


def station_place(reads: Reads, station: str) -> Row | None:
    """A station, with the letter, the name and the zone of its location."""
    return reads.one(
        "SELECT s.*, l.letter, l.name, l.zone FROM stations s"
        " JOIN locations l ON l.location = s.location WHERE s.station = ?",
        station,
    )


def open_shift(reads: Reads, writer: str, station: str | None) -> int:
    """The writer's open shift, at this station or anywhere; 0 if there is none."""
    found = reads.value(
        "SELECT shift FROM shifts WHERE closed_ms IS NULL AND writer = ?"
        " AND (? IS NULL OR station = ?)",
        writer,
        station,
        station,
    )
    return int(found or 0)
