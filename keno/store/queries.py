"""Queries of the ledger that many commands use, by topic: people, games, tickets, shifts, money."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from keno.domain.money import Cents
from keno.store.rows import (
    AuthorisationRow,
    GameRow,
    PostingRow,
    ShiftRow,
    TicketRow,
    UserRow,
)
from keno.store.transaction import Reads, Row, Transaction

FETCH = 20_000
"""Maximum number of rows fetched at a time from a large book."""


# House, people, stations, cards.


def house(reads: Reads) -> Row | None:
    return reads.one("SELECT * FROM house")


def location(reads: Reads, name: str) -> Row | None:
    return reads.one("SELECT * FROM locations WHERE location = ?", name)


def location_of_letter(reads: Reads, letter: str) -> Row | None:
    return reads.one("SELECT * FROM locations WHERE letter = ?", letter)


def locations(reads: Reads) -> list[Row]:
    return reads.rows("SELECT * FROM locations ORDER BY location")


def users(reads: Reads) -> list[UserRow]:
    return [UserRow(**row) for row in reads.rows("SELECT * FROM users ORDER BY person")]


def user(reads: Reads, person: str) -> UserRow | None:
    row = reads.one("SELECT * FROM users WHERE person = ?", person)
    return None if row is None else UserRow(**row)


def station(reads: Reads, name: str) -> Row | None:
    return reads.one("SELECT * FROM stations WHERE station = ?", name)


def stations(reads: Reads) -> list[Row]:
    return reads.rows("SELECT * FROM stations ORDER BY location, station")


def station_taken(reads: Reads, name: str, public_key: str) -> bool:
    return bool(
        reads.rows("SELECT 1 FROM stations WHERE station = ? OR public_key = ?", name, public_key)
    )


def card_text(reads: Reads, version: str) -> str | None:
    text: str | None = reads.value("SELECT toml FROM cards WHERE version = ?", version)
    return text


def postings(reads: Reads, location: str) -> list[PostingRow]:
    rows = reads.rows("SELECT * FROM postings WHERE location = ? ORDER BY first_game", location)
    return [PostingRow(**row) for row in rows]


def version_began_ms(reads: Reads, version: int) -> int:
    """Return the time, in UTC ms, of the last record before the migration to a schema version.

    0 if the ledger was created with that version.
    """
    ms = reads.value("SELECT ms FROM migrations WHERE version = ?", version)
    return int(ms or 0)


# Games.


def game(reads: Reads, location: str, number: int) -> GameRow | None:
    row = reads.one("SELECT * FROM games WHERE location = ? AND game = ?", location, number)
    return None if row is None else GameRow(**row)


def open_game(reads: Reads, location: str) -> GameRow | None:
    row = reads.one("SELECT * FROM games WHERE location = ? AND state = 'open'", location)
    return None if row is None else GameRow(**row)


def games_between(reads: Reads, location: str, first: int, last: int) -> list[GameRow]:
    rows = reads.rows(
        "SELECT * FROM games WHERE location = ? AND game BETWEEN ? AND ? ORDER BY game",
        location,
        first,
        last,
    )
    return [GameRow(**row) for row in rows]


def last_number(reads: Reads, location: str, name: str) -> int:
    last = reads.value("SELECT last FROM counters WHERE location = ? AND name = ?", location, name)
    return int(last or 0)


def in_play(reads: Reads, before: GameRow | None, location: str, number: int) -> tuple[int, Cents]:
    """Return how many tickets play a game so far, and their cents for it.

    They are those of the game `before` it and the stored step from that game to this one.
    """
    sql = "SELECT tickets, cents FROM steps WHERE location = ? AND game = ?"
    step = reads.one(sql, location, number) or {"tickets": 0, "cents": 0}
    tickets, cents = (0, 0) if before is None else (before.tickets or 0, before.handle_cents or 0)
    return tickets + step["tickets"], cents + step["cents"]


# Messages of the draw.


def genesis_text(reads: Reads, chain: str) -> str | None:
    text: str | None = reads.value("SELECT genesis FROM chains WHERE chain = ?", chain)
    return text


def genesis_texts(reads: Reads, location: str) -> list[str]:
    rows = reads.rows("SELECT genesis FROM chains WHERE location = ? ORDER BY rowid", location)
    return [row["genesis"] for row in rows]


def unlock_text(reads: Reads, location: str, boot: int) -> str | None:
    text: str | None = reads.value(
        "SELECT message FROM unlocks WHERE location = ? AND boot = ?", location, boot
    )
    return text


def unlock_texts(reads: Reads, location: str) -> list[str]:
    rows = reads.rows("SELECT message FROM unlocks WHERE location = ? ORDER BY boot", location)
    return [row["message"] for row in rows]


def draw_step(reads: Reads, location: str, game: int, step: str) -> str | None:
    text: str | None = reads.value(
        "SELECT message FROM draws WHERE location = ? AND game = ? AND step = ?",
        location,
        game,
        step,
    )
    return text


def draw_steps(reads: Reads, location: str, game: int) -> dict[str, str]:
    rows = reads.rows(
        "SELECT step, message FROM draws WHERE location = ? AND game = ?", location, game
    )
    return {row["step"]: row["message"] for row in rows}


def games_with_draws(reads: Reads, location: str) -> list[int]:
    rows = reads.rows("SELECT DISTINCT game FROM draws WHERE location = ? ORDER BY game", location)
    return [row["game"] for row in rows]


# Tickets.


def ticket(reads: Reads, location: str, number: int) -> TicketRow | None:
    row = reads.one("SELECT * FROM tickets WHERE location = ? AND number = ?", location, number)
    return None if row is None else TicketRow(**row)


def tickets_asked(reads: Reads, request_ids: Sequence[str]) -> dict[str, TicketRow]:
    """Return the tickets that were already sold for these request ids, by request id."""
    found = {}
    for start in range(0, len(request_ids), 500):
        piece = request_ids[start : start + 500]
        marks = ", ".join("?" * len(piece))
        for row in reads.rows(
            f"SELECT * FROM tickets WHERE request_id IN ({marks})",  # noqa: S608
            *piece,
        ):
            found[row["request_id"]] = TicketRow(**row)
    return found


def answered(reads: Reads, request_ids: Sequence[str]) -> set[str]:
    """Return those of these request ids that a command other than a sale has already used."""
    found: set[str] = set()
    for start in range(0, len(request_ids), 500):
        piece = request_ids[start : start + 500]
        marks = ", ".join("?" * len(piece))
        found.update(
            row[0]
            for row in reads.connection.execute(
                f"SELECT request_id FROM answers WHERE request_id IN ({marks})",  # noqa: S608
                piece,
            )
        )
    return found


def ending(reads: Reads, location: str, number: int) -> Row | None:
    return reads.one("SELECT * FROM endings WHERE location = ? AND ticket = ?", location, number)


def awards_of_ticket(reads: Reads, location: str, number: int) -> dict[int, Cents]:
    """Return a ticket's awards in cents by game, after the game's maximum was shared.

    For a ticket declared not issued they are what its share would have been.
    """
    rows = reads.rows(
        "SELECT game, award_cents FROM awards WHERE location = ?1 AND ticket = ?2 UNION ALL"
        " SELECT game, award_cents FROM not_issued_awards WHERE location = ?1 AND ticket = ?2",
        location,
        number,
    )
    return {row["game"]: row["award_cents"] for row in rows}


def winners(reads: Reads, location: str, number: int) -> int:
    count = reads.value(
        "SELECT count(*) FROM awards WHERE location = ? AND game = ?", location, number
    )
    return int(count)


def unconfirmed_of_shift(reads: Reads, shift: int) -> int:
    count = reads.value(
        "SELECT count(*) FROM tickets WHERE printed = 0 AND state = 'live' AND shift = ?"
        " AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.location = tickets.location"
        " AND e.ticket = tickets.number)",
        shift,
    )
    return int(count)


def last_live_game(reads: Reads, location: str) -> int:
    """Return the last game that any multi-race ticket of a location plays; 0 if there is none.

    Void and refunded tickets do not count; paid ones do. The game may be over already.
    """
    last = reads.value(
        "SELECT max(last_game) FROM tickets WHERE location = ? AND last_game > first_game"
        " AND state = 'live'",
        location,
    )
    return int(last or 0)


def book_rows(
    reads: Reads, location: str, number: int, after: int, last: int
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the tickets of a game in pieces, ascending by number, for its book.

    Columns: number, state, ended_game, leaf, ended_leaf, shape, masks, cents of one game. The first
    piece, perhaps empty, has multi-race tickets that began earlier. The others have those that
    begin with this game: numbers above `after` up to `last`, at most FETCH in a piece.
    """
    new = (
        "SELECT number, state, ended_game, leaf, ended_leaf, shape, masks,"
        " price_cents / (last_game - first_game + 1) FROM tickets"
    )
    earlier = reads.connection.execute(
        f"{new} WHERE location = ? AND last_game > first_game AND last_game >= ?"
        " AND first_game < ? ORDER BY number",
        (location, number, number),
    ).fetchall()
    yield sorted(earlier)
    cursor = reads.connection.execute(
        f"{new} WHERE location = ? AND number > ? AND number <= ? ORDER BY number",
        (location, after, last),
    )
    while piece := cursor.fetchmany(FETCH):
        yield piece


def intern_shape(tx: Transaction, card: str, structure: str) -> int:
    """Return the number of a stored shape; insert the shape if the ledger does not have it yet."""
    known = tx.value("SELECT shape FROM shapes WHERE card = ? AND structure = ?", card, structure)
    if known is not None:
        return int(known)
    made = tx.value(
        "INSERT INTO shapes (card, structure) VALUES (?, ?) RETURNING shape", card, structure
    )
    return int(made)


def shapes(reads: Reads, ids: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return rate card and structure of each of these shapes, by shape number."""
    wanted = sorted(set(ids))
    found: dict[int, tuple[str, str]] = {}
    for start in range(0, len(wanted), 500):
        piece = wanted[start : start + 500]
        marks = ", ".join("?" * len(piece))
        for row in reads.rows(
            f"SELECT * FROM shapes WHERE shape IN ({marks})",  # noqa: S608
            *piece,
        ):
            found[row["shape"]] = (row["card"], row["structure"])
    return found


# Shifts and money.


def shift(reads: Reads, number: int) -> ShiftRow | None:
    row = reads.one("SELECT * FROM shifts WHERE shift = ?", number)
    return None if row is None else ShiftRow(**row)


def shifts_of_sales(
    reads: Reads, numbers: Iterable[int]
) -> tuple[dict[int, ShiftRow], frozenset[int]]:
    """Return these shifts by number, and the numbers of those with a disabled station or writer."""
    wanted = list(set(numbers))
    found: dict[int, ShiftRow] = {}
    off = set()
    for start in range(0, len(wanted), 500):
        piece = wanted[start : start + 500]
        marks = ", ".join("?" * len(piece))
        for *row, works in reads.connection.execute(
            f"SELECT {_SHIFT_COLUMNS}, t.enabled AND u.active FROM shifts s"  # noqa: S608
            " JOIN stations t ON t.station = s.station JOIN users u ON u.person = s.writer"
            f" WHERE s.shift IN ({marks})",
            piece,
        ):
            found[row[0]] = ShiftRow(*row)
            if not works:
                off.add(row[0])
    return found, frozenset(off)


_SHIFT_COLUMNS = ", ".join(f"s.{name}" for name in ShiftRow.__slots__)


def open_shifts(reads: Reads, writer: str, station: str) -> list[int]:
    """Return the numbers of the open shifts of a writer or at a station."""
    rows = reads.rows(
        "SELECT shift FROM shifts WHERE closed_ms IS NULL AND (writer = ? OR station = ?)",
        writer,
        station,
    )
    return [row["shift"] for row in rows]


def authorisation(reads: Reads, number: int) -> AuthorisationRow | None:
    row = reads.one("SELECT * FROM authorisations WHERE authorisation = ?", number)
    return None if row is None else AuthorisationRow(**row)


def open_authorisation(reads: Reads, location: str, number: int) -> AuthorisationRow | None:
    row = reads.one(
        "SELECT * FROM authorisations WHERE location = ? AND ticket = ?"
        " AND state IN ('pending', 'approved')",
        location,
        number,
    )
    return None if row is None else AuthorisationRow(**row)


def unanswered(reads: Reads, asked_until_ms: int) -> list[int]:
    """Return the numbers of pending authorisations that were asked for up to a time, in UTC ms.

    The query uses the index of open authorisations.
    """
    rows = reads.rows(
        "SELECT authorisation FROM authorisations INDEXED BY one_open_authorisation"
        " WHERE state IN ('pending', 'approved') AND state = 'pending' AND asked_ms <= ?"
        " ORDER BY authorisation",
        asked_until_ms,
    )
    return [row["authorisation"] for row in rows]


def approved_unused(reads: Reads) -> list[AuthorisationRow]:
    """Return approved authorisations that no payout has used yet.

    The query uses the index of open authorisations.
    """
    rows = reads.rows(
        "SELECT * FROM authorisations INDEXED BY one_open_authorisation"
        " WHERE state IN ('pending', 'approved') AND state = 'approved' ORDER BY authorisation"
    )
    return [AuthorisationRow(**row) for row in rows]


def late_attempts(reads: Reads, location: str, station: str, open_game: int) -> int:
    """Return how many acts a station attempted after lock-out while `open_game` was open."""
    count = reads.value(
        "SELECT count(*) FROM late_attempts WHERE location = ? AND station = ? AND open_game = ?",
        location,
        station,
        open_game,
    )
    return int(count)


def next_key(reads: Reads, table: str, column: str) -> int:
    """Return the next free number of a column that numbers a table's rows across all locations."""
    last = reads.value(f"SELECT max({column}) FROM {table}")  # noqa: S608 names are our own
    return int(last or 0) + 1


def expirable(
    reads: Reads, location: str, locked_before_ms: int, settled_before_ms: int
) -> list[TicketRow]:
    """Return tickets without an ending that are owed something and may have expired.

    All their games are settled or void. The last one was locked before `locked_before_ms`, and
    settled or void before `settled_before_ms`.
    """
    rows = reads.rows(
        "SELECT DISTINCT t.* FROM tickets t JOIN games g ON g.location = t.location"
        " AND g.game = t.last_game WHERE t.location = ? AND t.state = 'live'"
        " AND g.locked_ms < ? AND coalesce(g.settled_ms, g.voided_ms) < ?"
        " AND NOT EXISTS (SELECT 1 FROM games u WHERE u.location = t.location"
        " AND u.game BETWEEN t.first_game AND t.last_game AND u.state NOT IN ('settled', 'void'))"
        " AND (EXISTS (SELECT 1 FROM awards a WHERE a.location = t.location"
        " AND a.ticket = t.number AND a.award_cents > 0)"
        " OR EXISTS (SELECT 1 FROM not_issued_awards n WHERE n.location = t.location"
        " AND n.ticket = t.number AND n.award_cents > 0)"
        " OR EXISTS (SELECT 1 FROM games v WHERE v.location = t.location AND v.state = 'void'"
        " AND v.game BETWEEN t.first_game AND t.last_game))"
        " AND NOT EXISTS (SELECT 1 FROM endings e WHERE e.location = t.location"
        " AND e.ticket = t.number) ORDER BY t.number",
        location,
        locked_before_ms,
        settled_before_ms,
    )
    return [TicketRow(**row) for row in rows]


def answer(reads: Reads, request_id: str) -> Row | None:
    return reads.one("SELECT * FROM answers WHERE request_id = ?", request_id)
