"""One transaction of the ledger: reads, guarded changes, and the audit row they make.

Every row that a command inserts or changes is written down with its new values. The audit chain
is so a full record of how the tables came about: `keno audit` replays it and compares.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any

import msgspec

Row = Mapping[str, Any]
_encode = msgspec.json.Encoder(order="deterministic").encode
ROWS_AT_ONCE = 256
"""Of the widest table this makes some six thousand values; SQLite takes five times as many."""


def row_text(values: object) -> str:
    """Values as the audit writes them: JSON, names sorted, bytes in base64."""
    return _encode(values).decode()


def chain_hash(previous: bytes, seq: int, ms: int, kind: str, actor: str, body: str) -> bytes:
    """The hash of an audit row, which seals all rows before it."""
    return sha256(previous + _encode([seq, ms, kind, actor, body])).digest()


@lru_cache
def _insert_sql(table: str, names: tuple[str, ...], rows: int) -> str:
    marks = ", ".join([f"({', '.join('?' * len(names))})"] * rows)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES {marks}"  # noqa: S608 our own names


class ImpossibleChange(Exception):
    """A row is not as its command has just read it. This ends the writer."""


class Reads:
    """Reading from a connection; every query of `queries.py` takes one."""

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
        """The only column of the only row, or None."""
        row = self.connection.execute(sql, values).fetchone()
        return None if row is None else row[0]


class Transaction(Reads):
    """What a command may do to the ledger. It is committed or undone as a whole."""

    def __init__(self, connection: sqlite3.Connection, now_ms: int) -> None:
        super().__init__(connection)
        self.now_ms = now_ms
        """Never before anything the ledger has recorded, whatever the wall clock says."""
        self.changes: list[dict[str, Any]] = []

    def insert(self, table: str, **values: object) -> None:
        """Insert one row; the schema decides whether it may exist."""
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.connection.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks})",  # noqa: S608 names are our own
            tuple(values.values()),
        )
        self.changes.append({"insert": table, "row": values})

    def change(self, table: str, key: Row, *, only_if: Row | None = None, **values: object) -> None:
        """Change the one row that is as expected; if there is none, the invariant is broken."""
        if not self.change_if(table, key, only_if=only_if, **values):
            raise ImpossibleChange(f"no row of {table} has {dict(key) | dict(only_if or {})}")

    def change_if(
        self, table: str, key: Row, *, only_if: Row | None = None, **values: object
    ) -> bool:
        """Change one row if it is as expected; False if it is not, and the caller refuses."""
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
        """Insert many rows in few statements; whoever calls writes their audit.

        Each statement lets other threads run, and waits for its turn again: few are fast. Their
        sizes are powers of two, so that there are few different ones to prepare.
        """
        done = 0
        while done < len(rows):
            at_once = min(1 << (len(rows) - done).bit_length() - 1, ROWS_AT_ONCE)
            piece = rows[done : done + at_once]
            insert = _insert_sql(table, tuple(names), at_once)
            self.connection.execute(insert, [value for row in piece for value in row])
            done += at_once

    def next_number(self, location: str, name: str, count: int = 1) -> int:
        """The first of so many new numbers, without gap or reuse, whatever crashes."""
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
        """Add (game, tickets, cents) to what plays from that game on."""
        self.connection.executemany(
            "INSERT INTO steps (location, game, tickets, cents) VALUES (?, ?, ?, ?)"
            " ON CONFLICT (location, game) DO UPDATE SET"
            " tickets = steps.tickets + excluded.tickets, cents = steps.cents + excluded.cents",
            [(location, game, tickets, cents) for game, tickets, cents in steps],
        )
