"""Ledgers as older versions of the schema made them, from the rows of one of today."""

import sqlite3
from pathlib import Path

from keno.store.schema import MIGRATIONS


def as_version(path: Path, version: int) -> Path:
    """Return a file beside a closed ledger with the same rows in an older version's schema.

    What today's tables lack is null there; no ticket may be held in dispute.
    """
    old = path.with_name("old.db")
    with sqlite3.connect(old) as connection:
        for migration in MIGRATIONS[:version]:
            connection.executescript(migration)
        connection.execute("ATTACH ? AS kept", (str(path),))
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        for (name,) in tables.fetchall():
            if name == "migrations":  # its rows are made with the schema
                continue
            kept = {row[1] for row in connection.execute(f"PRAGMA kept.table_info({name})")}
            named = [column for _, column, *_ in connection.execute(f"PRAGMA table_info({name})")]
            columns = ", ".join(column if column in kept else "NULL" for column in named)
            connection.execute(
                f"INSERT INTO main.{name} SELECT {columns} FROM kept.{name}"  # noqa: S608
            )
        if version >= 8:
            connection.execute("DELETE FROM migrations WHERE version > ?", (version,))
        connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    path.with_name("ledger.db.head").rename(old.with_name("old.db.head"))
    return old
