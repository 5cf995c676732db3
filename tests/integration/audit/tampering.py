"""Writing to a ledger behind its back: past keys, checks and triggers, and the chain rebuilt."""

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from keno.store.halt_files import folder_of
from keno.store.read_only import TABLES
from keno.store.transaction import chain_hash, row_text

Body = Any


def copy_of(ledger: Path, folder: Path) -> Path:
    """A closed ledger, its head and its halts somewhere else."""
    for name in (ledger.name, ledger.name + ".head"):
        shutil.copyfile(ledger.with_name(name), folder / name)
    if folder_of(ledger).exists():
        shutil.copytree(folder_of(ledger), folder_of(folder / ledger.name))
    return folder / ledger.name


@contextmanager
def tampering(path: Path) -> Iterator[sqlite3.Connection]:
    """Write past every guard, and leave the guards as they were."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA foreign_keys = 0")
    connection.execute("PRAGMA ignore_check_constraints = 1")
    triggers = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid"
    ).fetchall()
    connection.execute("BEGIN")
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    for _, sql in triggers:
        connection.execute(sql)
    connection.execute("COMMIT")
    connection.close()


def rebuild_chain(connection: sqlite3.Connection) -> None:
    """Give every audit row the hash it would have had, numbered without a gap."""
    rows = connection.execute(
        "SELECT seq, ms, kind, actor, body FROM audit ORDER BY seq"
    ).fetchall()
    connection.execute("DELETE FROM audit")
    tip = bytes(32)
    for seq, (_, ms, kind, actor, body) in enumerate(rows, start=1):
        tip = chain_hash(tip, seq, ms, kind, actor, body)
        connection.execute(
            "INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?)", (seq, ms, kind, actor, body, tip)
        )


def rewrite_bodies(connection: sqlite3.Connection, change: Callable[[str, Body], None]) -> None:
    """Let `change` alter the body of any row, given its kind, and write it as the ledger would."""
    rows = connection.execute("SELECT seq, kind, body FROM audit").fetchall()
    for seq, kind, text in rows:
        body = json.loads(text)
        change(kind, body)
        again = row_text(body)
        if again != text:
            connection.execute("UPDATE audit SET body = ? WHERE seq = ?", (again, seq))


def forget_head(path: Path) -> None:
    """Without its head a ledger has nobody outside who knows how long it was."""
    path.with_name(path.name + ".head").unlink()


# One value.


def another(value: object, declared: str, random: Random) -> object:
    """The same value with one bit or character changed; something where there was nothing."""
    if value is None:
        return {"INTEGER": random.randrange(1, 100), "TEXT": "x", "BLOB": bytes(32)}[declared]
    if isinstance(value, int):
        return value ^ (1 << random.randrange(31))
    if isinstance(value, str):
        at = random.randrange(max(1, len(value)))
        signs = [sign for sign in "0123456789abcXYZ.:," if value[at : at + 1] != sign]
        return value[:at] + random.choice(signs) + value[at + 1 :]
    assert isinstance(value, bytes)
    at = random.randrange(len(value))
    return value[:at] + bytes([value[at] ^ (1 << random.randrange(8))]) + value[at + 1 :]


def change_one(path: Path, table: str, column: str, random: Random) -> dict[str, object]:
    """Change one value of a column in one row; gives the row's key as it was."""
    keys = TABLES[table].key
    with tampering(path) as connection:
        columns = connection.execute(f"PRAGMA table_info({table})")
        declared = next(kind for _, name, kind, *_ in columns if name == column)
        rows = connection.execute(
            f"SELECT rowid, {', '.join(keys)}, {column} FROM {table}"  # noqa: S608
        )
        rowid, *key, value = random.choice(rows.fetchall())
        for _ in range(100):
            try:
                connection.execute(
                    f"UPDATE {table} SET {column} = ? WHERE rowid = ?",  # noqa: S608
                    (another(value, declared, random), rowid),
                )
            except sqlite3.IntegrityError:
                continue  # another row has that value already
            return dict(zip(keys, key, strict=True))
    raise AssertionError(f"nothing else fits {table}.{column}")
