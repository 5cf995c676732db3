"""Queries of the conductor, of past games, and of a station that connects."""

from keno.domain.hours import EXTENDING
from keno.store.rows import GameRow
from keno.store.transaction import Reads, Row


def unfinished_games(reads: Reads, location: str) -> list[GameRow]:
    """Return games that are locked but not yet both settled and shown, the oldest first."""
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND (state IN ('locked', 'drawn')"
        " OR (state = 'settled' AND shown_ms IS NULL)) ORDER BY game",
        location,
    )
    return [GameRow(**row) for row in rows]


def last_shown(reads: Reads, location: str) -> GameRow | None:
    """Return the row of the latest game whose balls were all shown, or None."""
    row = reads.one(
        "SELECT * FROM games WHERE location = ? AND shown_ms IS NOT NULL AND numbers IS NOT NULL"
        " ORDER BY game DESC LIMIT 1",
        location,
    )
    return None if row is None else GameRow(**row)


def games_before(reads: Reads, location: str, before: int | None, limit: int) -> list[GameRow]:
    """Return at most `limit` shown or void games before a game, the newest first.

    None as `before` begins with the latest game.
    """
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
    """Return at most `limit` shown or void games that were locked in a span, the newest first.

    The span is from the first to before the second time, in UTC milliseconds. `before` is a game
    number or None, as for `games_before`.
    """
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
    """Return a game's overrides and its location's last switch to manual or automatic, in order.

    Each row has game, kind, seconds and ms.
    """
    return reads.rows(
        "SELECT game, kind, seconds, ms FROM overrides"
        " WHERE location = ? AND (game = ? OR override ="
        " (SELECT max(override) FROM overrides WHERE location = ?"
        " AND kind IN ('manual', 'automatic'))) ORDER BY override",
        location,
        game,
        location,
    )


def is_extended(reads: Reads, location: str, game: int) -> bool:
    """Return whether a game has a delay, a hold or a switch to manual, which move its close.

    Such a game is sold past closing time.
    """
    rows = overrides_in_force(reads, location, game)
    return any(row["game"] == game and row["kind"] in EXTENDING for row in rows)


def reason_of_hold(reads: Reads, location: str, game: int) -> str | None:
    """Return the reason of the latest override that held a game, or None."""
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
    """Return the number of live tickets that begin with a game and have unconfirmed prints."""
    return int(
        reads.value(
            "SELECT count(*) FROM stations s JOIN tickets t ON t.station = s.station"
            " WHERE s.location = ? AND t.printed = 0 AND t.state = 'live' AND t.first_game = ?",
            location,
            game,
        )
    )


def station_place(reads: Reads, station: str) -> Row | None:
    """Return a station's row with letter, name and time zone of its location, or None."""
    return reads.one(
        "SELECT s.*, l.letter, l.name, l.zone FROM stations s"
        " JOIN locations l ON l.location = s.location WHERE s.station = ?",
        station,
    )


def open_shift(reads: Reads, writer: str, station: str | None) -> int:
    """Return the number of a writer's open shift, at a station or (None) anywhere.

    0 if there is none.
    """
    found = reads.value(
        "SELECT shift FROM shifts WHERE closed_ms IS NULL AND writer = ?"
        " AND (? IS NULL OR station = ?)",
        writer,
        station,
        station,
    )
    return int(found or 0)
