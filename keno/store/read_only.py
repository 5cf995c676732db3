"""What `keno audit` reads: the file as it is, never written, and whole tables row after row."""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from keno.store.schema import MIGRATIONS

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the schema: its columns, and those that make its key."""

    columns: tuple[str, ...]
    key: tuple[str, ...]


# The file.


def open_read_only(path: Path, *, tolerant: bool = False) -> sqlite3.Connection:
    """Open a ledger so that nothing is written, not even beside it where that can be helped.

    Without a write-ahead log nobody has the file open, and it is read as it lies there, on a
    read-only disk too. With one, it is read through the log, beside a running server. `tolerant`
    reads text that is not UTF-8 any more with its odd bytes spelled out.
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
    """A file that is missing, or not a ledger of this version: a code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def open_ledger(path: Path) -> sqlite3.Connection:
    """Open a ledger of this version read-only; all that is read is of one moment."""
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
    """The write-ahead log of a database."""
    return path.with_name(path.name + "-wal")


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def schema(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """Every table, index and trigger with the words that made it."""
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
    """The schema that a sound ledger of this version has."""
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
    """What SQLite itself finds wrong with the file: pages, indexes, types, CHECKs, references."""
    for (said,) in connection.execute("PRAGMA integrity_check(20)"):
        if said != "ok":
            yield said
    for table, row, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {row} of {table} refers to something that {parent} does not have"


# Tables.


def count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608


def audit_rows(connection: sqlite3.Connection) -> Iterator[tuple[int, int, str, str, str, bytes]]:
    """The chain from its first row: seq, ms, kind, actor, body, hash."""
    return connection.execute("SELECT seq, ms, kind, actor, body, hash FROM audit ORDER BY seq")


def last_seq(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT max(seq) FROM audit").fetchone()[0] or 0)


def actors(connection: sqlite3.Connection) -> set[tuple[str, str]]:
    """Kinds and actors that stand in the chain."""
    return set(connection.execute("SELECT DISTINCT kind, actor FROM audit"))


def whole(connection: sqlite3.Connection, table: str) -> Iterator[Values]:
    """Every row of a table by its key."""
    about = TABLES[table]
    return connection.execute(
        f"SELECT {', '.join(about.columns)} FROM {table} ORDER BY {', '.join(about.key)}"  # noqa: S608
    )


def by_key(connection: sqlite3.Connection, table: str) -> Callable[[Values], Values | None]:
    """A way to look up one row after the other by key."""
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
    """These columns of a location's tickets, by number."""
    return connection.execute(
        f"SELECT {', '.join(columns)} FROM tickets WHERE location = ? ORDER BY number",  # noqa: S608
        (location,),
    )


def ticket_locations(connection: sqlite3.Connection) -> list[str]:
    """Locations that stand on tickets, whether or not they exist."""
    return [
        row[0] for row in connection.execute("SELECT DISTINCT location FROM tickets ORDER BY 1")
    ]


def awards_by_game(connection: sqlite3.Connection) -> Iterator[tuple[str, int, int, int, int]]:
    """location, game, ticket, graded_cents, award_cents."""
    return connection.execute(
        "SELECT location, game, ticket, graded_cents, award_cents FROM awards"
        " ORDER BY location, game, ticket"
    )


def awards_of(connection: sqlite3.Connection, location: str, ticket: int) -> dict[int, int]:
    """What a ticket won, by game."""
    return dict(
        connection.execute(
            "SELECT game, award_cents FROM awards WHERE location = ? AND ticket = ?",
            (location, ticket),
        ).fetchall()
    )


def award_sums(connection: sqlite3.Connection, location: str) -> dict[str | None, int]:
    """Awards by how their ticket ended; None is those that are still open."""
    return dict(
        connection.execute(
            "SELECT e.kind, sum(a.award_cents) FROM awards a LEFT JOIN endings e"
            " ON e.location = a.location AND e.ticket = a.ticket WHERE a.location = ? GROUP BY 1",
            (location,),
        ).fetchall()
    )


# Drawers.


def drawer_between(connection: sqlite3.Connection, first: int, after: int) -> list[Values]:
    """Whole drawer entries of a range of numbers."""
    return connection.execute(
        "SELECT entry, shift, event, kind, cents, ticket, ms FROM drawer"
        " WHERE entry >= ? AND entry < ? ORDER BY entry",
        (first, after),
    ).fetchall()


def drawer_by_shift(connection: sqlite3.Connection) -> Iterator[Values]:
    """shift, entry, event, kind, cents, ticket, ms."""
    return connection.execute(
        "SELECT shift, entry, event, kind, cents, ticket, ms FROM drawer ORDER BY shift, entry"
    )


def sales_by_shift(connection: sqlite3.Connection) -> dict[int, tuple[int, int]]:
    """What a shift sold, and how much of it was paid by coupon."""
    rows = connection.execute(
        "SELECT shift, sum(price_cents), sum(coupon_cents) FROM tickets GROUP BY shift"
    )
    return {shift: (price, coupon) for shift, price, coupon in rows}


def endings_by_shift(connection: sqlite3.Connection) -> Iterator[Values]:
    """Endings in a drawer: their columns in the schema's order, by shift."""
    columns = ", ".join(TABLES["endings"].columns)
    return connection.execute(
        f"SELECT {columns} FROM endings WHERE shift IS NOT NULL ORDER BY shift, ticket"  # noqa: S608
    )
