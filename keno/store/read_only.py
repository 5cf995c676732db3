"""Read-only access to a ledger file, for `keno audit` and proofs: opening, schema, rows, sums."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from keno.store.exact_sums import halves, joined, total
from keno.store.paper_queries import NEVER_PAID, RECORDED
from keno.store.schema import MIGRATIONS

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of a table of the schema, and those of them that form its key."""

    columns: tuple[str, ...]
    key: tuple[str, ...]


# The file.


def open_read_only(path: Path, *, tolerant: bool = False) -> sqlite3.Connection:
    """Return a connection that reads a ledger and never writes to it.

    Without a write-ahead log no process has the file open: it is read directly, on a read-only disk
    too. With a log, the file is read through the log, beside a running server. If `tolerant`, bytes
    that are not valid UTF-8 are read as backslash escapes.
    """
    alone = "" if log_of(path).exists() else "&immutable=1"
    uri = f"{path.absolute().as_uri()}?mode=ro{alone}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)
    connection.execute("PRAGMA query_only = 1")
    connection.execute("PRAGMA temp_store = MEMORY")
    if tolerant:
        connection.text_factory = lambda raw: raw.decode("utf-8", "backslashreplace")
    return connection


class LedgerNotReadable(Exception):
    """Raised if a file is missing or not a ledger of this version: a code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def open_ledger(path: Path) -> sqlite3.Connection:
    """Return a read-only connection to a ledger of this version; all its reads see one snapshot.

    Raise LedgerNotReadable if the file is missing or is not such a ledger.
    """
    if not path.is_file():
        raise LedgerNotReadable("not_found", f"There is no file {path}.")
    try:
        connection = open_read_only(path)
        found = version(connection)
        connection.execute("BEGIN")
    except sqlite3.DatabaseError as error:
        raise LedgerNotReadable("not_a_ledger", f"{path} is not a ledger: {error}.") from None
    if found != len(MIGRATIONS):
        connection.close()
        raise LedgerNotReadable("not_a_ledger", f"{path} is not a ledger of this version of keno.")
    return connection


def log_of(path: Path) -> Path:
    """Return the path of the write-ahead log of a database file."""
    return path.with_name(path.name + "-wal")


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def schema(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Return the SQL that created each table, index and trigger, by kind and name."""
    rows = connection.execute(
        "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    )
    return {(kind, name): sql for kind, name, sql in rows}


def _newest() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    for migration in MIGRATIONS:
        connection.executescript(migration)
    return connection


@lru_cache(maxsize=1)
def newest_schema() -> dict[tuple[str, str], str]:
    """Return the schema that a sound ledger of this version has, as `schema` returns it."""
    return schema(_newest())


def _describe() -> dict[str, Table]:
    connection = _newest()
    tables = {}
    for kind, name in schema(connection):
        if kind == "table":
            columns = connection.execute(f"PRAGMA table_info({name})").fetchall()
            keyed = sorted((part[5], part[1]) for part in columns if part[5])
            key = tuple(column for _, column in keyed)
            tables[name] = Table(tuple(part[1] for part in columns), key)
    return tables


TABLES: Mapping[str, Table] = _describe()


def integrity(connection: sqlite3.Connection) -> Iterator[str]:
    """Yield a sentence for each fault that SQLite finds in pages, indexes, types or references."""
    for (said,) in connection.execute("PRAGMA integrity_check(20)"):
        if said != "ok":
            yield said
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} refers to something that {parent} does not have"


# Tables.


def count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def audit_rows(connection: sqlite3.Connection) -> Iterator[tuple[int, int, str, str, str, bytes]]:
    """Yield the audit chain from its first row: seq, ms, kind, actor, body, hash."""
    return connection.execute("SELECT seq, ms, kind, actor, body, hash FROM audit ORDER BY seq")


def last_seq(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT max(seq) FROM audit").fetchone()[0] or 0)


def moment_of(connection: sqlite3.Connection, seq: int) -> int | None:
    """Return the time of an audit row in UTC milliseconds; 0 for row 0, None if it is missing."""
    row = connection.execute("SELECT ms FROM audit WHERE seq = ?", (seq,)).fetchone()
    return 0 if seq == 0 else None if row is None else int(row[0])


def actors(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Return the pairs of kind and actor that occur in the audit chain."""
    return set(connection.execute("SELECT DISTINCT kind, actor FROM audit"))


def whole(connection: sqlite3.Connection, table: str) -> Iterator[Values]:
    """Yield every row of a table as a tuple of all its columns, ordered by its key."""
    about = TABLES[table]
    return connection.execute(
        f"SELECT {', '.join(about.columns)} FROM {table} ORDER BY {', '.join(about.key)}"  # noqa: S608
    )


def by_key(connection: sqlite3.Connection, table: str) -> Callable[[Values], Values | None]:
    """Return a function that returns a row of a table by its key, or None if there is none."""
    about = TABLES[table]
    tests = " AND ".join(f"{name} = ?" for name in about.key)
    sql = f"SELECT {', '.join(about.columns)} FROM {table} WHERE {tests}"  # noqa: S608
    execute = connection.execute

    def find(key: Values) -> Values | None:
        found: Values | None = execute(sql, key).fetchone()
        return found

    return find


# Tickets and awards.


def tickets(
    connection: sqlite3.Connection, location: str, columns: tuple[str, ...]
) -> Iterator[Values]:
    """Yield these columns of a location's tickets, ordered by number."""
    return connection.execute(
        f"SELECT {', '.join(columns)} FROM tickets WHERE location = ? ORDER BY number",  # noqa: S608
        (location,),
    )


def ticket_locations(connection: sqlite3.Connection) -> list[str]:
    """Return the locations named on tickets, also those that the ledger does not have."""
    return [
        row[0] for row in connection.execute("SELECT DISTINCT location FROM tickets ORDER BY 1")
    ]


def awards_by_game(connection: sqlite3.Connection) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield all awards in order of game: location, game, ticket, graded_cents, award_cents.

    `graded_cents` is before, `award_cents` after the game's maximum was shared. Awards of tickets
    declared not issued are not included.
    """
    return connection.execute(
        "SELECT location, game, ticket, graded_cents, award_cents FROM awards"
        " ORDER BY location, game, ticket"
    )


def awards_of(connection: sqlite3.Connection, location: str, ticket: int) -> dict[int, int]:
    """Return a ticket's awards in cents by game, after the game's maximum was shared.

    For a ticket declared not issued they are what its share would have been.
    """
    return dict(
        connection.execute(
            "SELECT game, award_cents FROM awards WHERE location = ?1 AND ticket = ?2 UNION ALL"
            " SELECT game, award_cents FROM not_issued_awards"
            " WHERE location = ?1 AND ticket = ?2",
            (location, ticket),
        ).fetchall()
    )


def recorded_of(
    connection: sqlite3.Connection, location: str, ticket: int
) -> dict[int, tuple[int, int]]:
    """Return a ticket's awards in cents by game, before and after the game's maximum was shared.

    Those of a ticket declared not issued are included.
    """
    found = connection.execute(
        "SELECT game, graded_cents, award_cents FROM awards WHERE location = ?1 AND ticket = ?2"
        " UNION ALL SELECT game, graded_cents, award_cents FROM not_issued_awards"
        " WHERE location = ?1 AND ticket = ?2",
        (location, ticket),
    )
    return {game: (graded, award) for game, graded, award in found}


def graded_in(connection: sqlite3.Connection, location: str, game: int) -> dict[int, int]:
    """Return the awards of a game in cents by ticket, before the game's maximum was shared."""
    return dict(
        connection.execute(
            "SELECT ticket, graded_cents FROM awards WHERE location = ? AND game = ?",
            (location, game),
        ).fetchall()
    )


def award_sums(connection: sqlite3.Connection, location: str) -> dict[str | None, int]:
    """Return a location's awards in cents, summed by the kind of ending of their tickets.

    The key None has the sum of tickets without an ending.
    """
    return _sums(
        connection,
        f"SELECT e.kind, {halves('a.award_cents')} FROM awards a LEFT JOIN endings e"  # noqa: S608
        " ON e.location = a.location AND e.ticket = a.ticket WHERE a.location = ? GROUP BY 1",
        location,
    )


def on_top_sums(connection: sqlite3.Connection, location: str) -> dict[str | None, int]:
    """Return cents awarded beyond the maximum to tickets issued after all, by kind of their ending.

    The key None has the sum of tickets without an ending.
    """
    return _sums(
        connection,
        f"SELECT e.kind, {halves('w.award_cents')} FROM not_issued_awards w JOIN not_issued n"  # noqa: S608
        " ON n.location = w.location AND n.ticket = w.ticket AND n.decision = 'issued'"
        " LEFT JOIN endings e ON e.location = w.location AND e.ticket = w.ticket"
        " WHERE w.location = ? GROUP BY 1",
        location,
    )


def _sums(connection: sqlite3.Connection, sql: str, location: str) -> dict[str | None, int]:
    rows = connection.execute(sql, (location,))
    return {kind: joined(high, low) for kind, high, low in rows}


def by_paper_sums(connection: sqlite3.Connection, location: str) -> tuple[int, int]:
    """Return two sums in cents of tickets whose record was wrong, and which their paper paid.

    The first was paid beyond the maximum. The second are the awards of the wrong records, never
    paid.
    """
    paid = "FROM paper_awards WHERE location = ?1"
    return (
        total(connection, "award_cents", paid, location),
        total(connection, RECORDED, NEVER_PAID, location),
    )


# Drawers.


def drawer_between(connection: sqlite3.Connection, first: int, after: int) -> list[Values]:
    """Return drawer entries numbered from `first` to before `after`, in order.

    Columns: entry, shift, event, kind, cents, ticket, ms.
    """
    return connection.execute(
        "SELECT entry, shift, event, kind, cents, ticket, ms FROM drawer"
        " WHERE entry >= ? AND entry < ? ORDER BY entry",
        (first, after),
    ).fetchall()


def drawer_by_shift(connection: sqlite3.Connection) -> Iterator[Values]:
    """Yield all drawer entries ordered by shift: shift, entry, event, kind, cents, ticket, ms."""
    return connection.execute(
        "SELECT shift, entry, event, kind, cents, ticket, ms FROM drawer ORDER BY shift"
    )


def taken_for(
    connection: sqlite3.Connection, shift: int, ticket: int
) -> list[tuple[str, str, int]]:
    """Return event (sale or change), tender kind and cents of what a ticket's sale moved."""
    return connection.execute(
        "SELECT event, kind, cents FROM drawer WHERE shift = ? AND ticket = ?"
        " AND event IN ('sale', 'change')",
        (shift, ticket),
    ).fetchall()


def sales_by_shift(connection: sqlite3.Connection) -> dict[int, tuple[int, int]]:
    """Return the cents of tickets sold, by shift, and the part of these cents paid by coupon."""
    rows = connection.execute(
        f"SELECT shift, {halves('price_cents')}, {halves('coupon_cents')} FROM tickets"  # noqa: S608
        " GROUP BY shift"
    )
    return {row[0]: (joined(*row[1:3]), joined(*row[3:])) for row in rows}


def endings_by_shift(connection: sqlite3.Connection) -> Iterator[Values]:
    """Yield the endings of tickets that belong to a shift, ordered by shift.

    Each has all columns, in the schema's order.
    """
    columns = ", ".join(TABLES["endings"].columns)
    return connection.execute(
        f"SELECT {columns} FROM endings WHERE shift IS NOT NULL ORDER BY shift, ticket"  # noqa: S608
    )
