"""A transaction of the ledger: reads, guarded changes, and the audit row they make.

Every row that a command inserts or changes is recorded with its new values. The audit chain is
therefore a full record of how the tables came about: `keno audit` replays it and compares.
"""

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

Row = Mapping[str, Any]
_encode = msgspec.json.Encoder(order="deterministic").encode
ROWS_AT_ONCE = 256
"""Maximum number of rows of one INSERT.

The widest table then has some six thousand values; SQLite takes five times as many.
"""


def row_text(values: object) -> str:
    """Return values as text for an audit row: JSON, names sorted, bytes in base64."""
    return _encode(values).decode()


def chain_hash(previous: bytes, seq: int, ms: int, kind: str, actor: str, body: str) -> bytes:
    """Return the hash of an audit row, which covers all rows before it."""
    return sha256(previous + _encode([seq, ms, kind, actor, body])).digest()


@lru_cache
def _insert_sql(table: str, names: tuple[str, ...], rows: int) -> str:
    marks = ", ".join([f"({', '.join('?' * len(names))})"] * rows)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES {marks}"  # noqa: S608 our own names


class ImpossibleChange(Exception):
    """Raised if a row differs from what its command has read: the command fails and is undone."""


class Reads:
    """Read access to a connection of the ledger; all query functions take one."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def rows(self, sql: str, *values: object) -> list[Row]:
        cursor = self.connection.execute(sql, values)
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor]

    def one(self, sql: str, *values: object) -> Row | None:
        rows = self.rows(sql, *values)
        if len(rows) > 1:
            raise ValueError(f"more than one row answers {sql!r}")
        return rows[0] if rows else None

    def value(self, sql: str, *values: object) -> Any:
        """Return the first column of the first row, or None without a row."""
        row = self.connection.execute(sql, values).fetchone()
        return None if row is None else row[0]


class Transaction(Reads):
    """Write access for one command, which is committed or undone as a whole."""

    def __init__(self, connection: sqlite3.Connection, now_ms: int) -> None:
        super().__init__(connection)
        self.now_ms = now_ms
        """The command's time in UTC milliseconds: never before the last recorded time, unless the
        command itself corrects the time.
        """
        self.after_commit: list[Callable[[], object]] = []
        """Functions called in the writer's thread when the batch is durable, before the next."""
        self.changes: list[dict[str, Any]] = []

    def insert(self, table: str, **values: object) -> None:
        """Insert one row and record it for the audit row."""
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.connection.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks})",  # noqa: S608 names are our own
            tuple(values.values()),
        )
        self.changes.append({"insert": table, "row": values})

    def change(self, table: str, key: Row, *, only_if: Row | None = None, **values: object) -> None:
        """Change the row with this key and the values `only_if`, and record it for the audit row.

        Raise ImpossibleChange if there is no such row.
        """
        if not self.change_if(table, key, only_if=only_if, **values):
            raise ImpossibleChange(f"no row of {table} has {dict(key) | dict(only_if or {})}")

    def change_if(
        self, table: str, key: Row, *, only_if: Row | None = None, **values: object
    ) -> bool:
        """Change the row with this key and the values `only_if`, and record it for the audit row.

        Return whether there was such a row; if not, the caller refuses its command.
        """
        guards = dict(key) | dict(only_if or {})
        tests = " AND ".join(f"{name} IS ?" for name in guards)
        sets = ", ".join(f"{name} = ?" for name in values)
        done = self.connection.execute(
            f"UPDATE {table} SET {sets} WHERE {tests}",  # noqa: S608 names are our own
            (*values.values(), *guards.values()),
        )
        if done.rowcount > 1:
            raise ValueError(f"a change of one row of {table} met {done.rowcount}")
        if done.rowcount:
            self.changes.append({"change": table, "key": dict(key), "set": values})
        return bool(done.rowcount)

    def insert_many(
        self, table: str, names: Sequence[str], rows: Sequence[tuple[Any, ...]]
    ) -> None:
        """Insert many rows in few statements; the caller records them in the audit row.

        Each statement releases the interpreter lock and waits for it again, so few statements are
        fast. Their sizes are powers of two, so that few different statements are prepared.
        """
        done = 0
        while done < len(rows):
            at_once = min(1 << (len(rows) - done).bit_length() - 1, ROWS_AT_ONCE)
            piece = rows[done : done + at_once]
            insert = _insert_sql(table, tuple(names), at_once)
            self.connection.execute(insert, [value for row in piece for value in row])
            done += at_once

    def next_number(self, location: str, name: str, count: int = 1) -> int:
        """Reserve `count` consecutive numbers of a location's named counter; return the first.

        No number is skipped or reused, even after a crash.
        """
        last = self.value(
            "INSERT INTO counters (location, name, last) VALUES (?, ?, ?)"
            " ON CONFLICT (location, name) DO UPDATE SET last = counters.last + excluded.last"
            " RETURNING last",
            location,
            name,
            count,
        )
        return int(last) - count + 1

    def add_steps(self, location: str, steps: Iterable[tuple[int, int, int]]) -> None:
        """Add each (game, tickets, cents per game) to the step stored for the game.

        A step is by how much the totals in play change at a game: a sale adds one step where the
        ticket begins and one after its end.
        """
        self.connection.executemany(
            "INSERT INTO steps (location, game, tickets, cents) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (location, game) DO UPDATE SET"
            " tickets = steps.tickets + excluded.tickets, cents = steps.cents + excluded.cents",
            [(location, game, tickets, cents) for game, tickets, cents in steps],
        )
