"""Opens the ledger's file: connections, migrations, and the check against the head."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import aiosqlite

from keno.store.head import Head, HeadFile
from keno.store.schema import MIGRATIONS
from keno.store.transaction import Reads, Row, chain_hash

BREAKS = "The audit chain breaks at row {}."

T = TypeVar("T")


class LedgerUnsound(Exception):
    """Raised if the ledger on the disk is not the acknowledged one: the house must not start."""


class Connection(aiosqlite.Connection):
    """An aiosqlite connection that can run a whole function in one hop to its thread."""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result


async def connect(path: Path, mode: str) -> Connection:
    def connector() -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)

    def prepare(connection: sqlite3.Connection) -> None:
        with sound():
            connection.execute("PRAGMA foreign_keys = 1")
            connection.execute("PRAGMA synchronous = FULL")

    connection = Connection(connector, iter_chunk_size=1024)
    await connection
    try:
        await connection.run(prepare)
    except BaseException:
        await connection.close()
        raise
    return connection


async def look_before_writing(path: Path, head: HeadFile) -> None:
    """Check a ledger that a crash left with a write-ahead log, before anything can write to it.

    Closing a writing connection would delete a damaged log, which is evidence. Raise LedgerUnsound
    if the ledger does not reach its head.
    """
    if not path.with_name(path.name + "-wal").exists():
        return

    def check(connection: sqlite3.Connection) -> None:
        with sound():
            if connection.execute("PRAGMA user_version").fetchone()[0]:
                verified(Reads(connection), head)

    connection = await connect(path, "ro")
    try:
        await connection.run(check)
    finally:
        await connection.close()


@contextmanager
def sound() -> Iterator[None]:
    """Context manager that raises LedgerUnsound for database errors, except operational ones."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise LedgerUnsound(f"The ledger cannot be read: {error}.") from error


def verified(reads: Reads, kept: HeadFile) -> tuple[Head, str | None]:
    """Verify that the audit chain contains the acknowledged head; raise LedgerUnsound if not.

    Return the chain's last row as a head, and a sentence if the chain breaks after the old head,
    else None. Nothing acknowledged is lost in such a break: the ledger opens, but the house halts
    (15.7).
    """
    head = kept.head
    last = reads.value("SELECT max(seq) FROM audit")
    if head is None and last:
        raise LedgerUnsound(f"The head file {kept.path} is missing or damaged.")
    if head is not None and head.seq:
        found = reads.value("SELECT hash FROM audit WHERE seq = ?", head.seq)
        if found is None:
            raise LedgerUnsound(
                f"The ledger is behind its head: it ends at row {last}, but row {head.seq} "
                "was acknowledged. It was rolled back or has lost its end."
            )
        if found != head.hash:
            raise LedgerUnsound(f"Audit row {head.seq} is not the one that was acknowledged.")
    return _follow_chain(reads, head or Head(0, bytes(32)))


def _follow_chain(reads: Reads, head: Head) -> tuple[Head, str | None]:
    """Check the audit rows after the head; return the last as a head, and the first break in words.

    The second is None without a break. A crash can leave such rows, which no head acknowledged yet.
    """
    broken = None
    for row in reads.rows("SELECT * FROM audit WHERE seq > ? ORDER BY seq", head.seq):
        if not continues(head, row) and broken is None:
            broken = BREAKS.format(row["seq"])
        head = Head(row["seq"], row["hash"])
    return head, broken


def continues(head: Head, row: Row) -> bool:
    """Return whether an audit row has the number after the head's and a hash over the head."""
    expected = chain_hash(head.hash, row["seq"], row["ms"], row["kind"], row["actor"], row["body"])
    return bool(row["seq"] == head.seq + 1 and row["hash"] == expected)


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the file to the newest schema, one numbered step at a time.

    Raise LedgerUnsound if a newer version wrote it.
    """
    connection.execute("PRAGMA journal_mode = WAL")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise LedgerUnsound("The ledger was written by a newer version of keno.")
    for number in range(version, len(MIGRATIONS)):
        connection.executescript(
            f"BEGIN IMMEDIATE; {MIGRATIONS[number]}; PRAGMA user_version = {number + 1}; COMMIT;"
        )
