"""The ledger: one connection that writes, readers apart, and one task that commits in groups.

Everything that waits to be written goes into one durable transaction: what takes a disk a
millisecond is shared by all stations that sell in it. A command that is refused is undone alone
(a savepoint) and does not disturb its neighbours. The task's death is the ledger's: every caller,
now and later, gets a Fault, and `died` tells the server to end.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, TypeVar

import aiosqlite

from keno.domain.errors import Fault, Refused
from keno.store.head import Head, HeadFile
from keno.store.schema import MIGRATIONS
from keno.store.transaction import Reads, Transaction, chain_hash, row_text

log = logging.getLogger(__name__)

BATCH_MAX = 512
QUEUE_MAX = 20_000
"""Commands that may wait; more are told that the house is too busy."""
READERS = 2
PASSING = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_BUSY)
"""Disk full or file locked: nothing of the batch was written. After any other error, a failed sync
above all, nobody knows what the disk holds, and only a start can tell.
"""
STOPPED = "The ledger has stopped. Call the supervisor."
CANNOT_WRITE = "The ledger cannot write at this moment. Nothing was sold or paid."

T = TypeVar("T")
Item = TypeVar("Item")
Clock = Callable[[], int]
"""UTC milliseconds."""
Many = Callable[[Transaction, list[Any]], list[Any]]
"""Does many items of one kind at once; gives an answer or a Refused for each, in order."""


class LedgerUnsound(Exception):
    """The ledger on the disk is not the one that was acknowledged: nothing may go on."""


class _Connection(aiosqlite.Connection):
    """An aiosqlite connection that takes a whole piece of work in one hop to its thread."""

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        result: T = await self._execute(work, self._conn)  # type: ignore[no-untyped-call]
        return result


@dataclass(slots=True)
class _Job(Generic[T]):
    """One command that waits for the next commit."""

    kind: str
    actor: str
    work: Callable[[Transaction], T] | None
    many: Many | None
    item: object
    done: "asyncio.Future[T]" = field(default_factory=asyncio.Future)


class Ledger:
    """A SQLite file and its head; open one with `Ledger.open`."""

    def __init__(self, path: Path, clock: Clock, head: HeadFile, database: _Connection) -> None:
        self.path = path
        self._db = database
        self._writer: asyncio.Task[None] | None = None
        self.clock = clock
        self.head = head
        self.died: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self._waiting: list[_Job[Any]] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._stopped = False
        self._closed = False
        self._readers: asyncio.Queue[_Connection] = asyncio.Queue()
        self._reader_count = 0
        self._seq = 0
        self._hash = bytes(32)
        self._last_ms = 0
        self.shapes: dict[tuple[str, str], int] = {}
        """Shapes that are in the ledger; emptied whenever a transaction is undone."""

    @classmethod
    async def open(cls, path: Path, clock: Clock, head_path: Path | None = None) -> "Ledger":
        """Open or create a ledger, migrate it, and check it against its head."""
        head = HeadFile(head_path or path.with_name(path.name + ".head"))
        try:
            await _look(path, head)
            ledger = cls(path, clock, head, await _connect(path, "rwc"))
        except BaseException:
            head.close()
            raise
        try:
            await ledger._db.run(ledger._start)
            for _ in range(READERS):
                reader = await _connect(path, "ro")
                ledger._readers.put_nowait(reader)
                ledger._reader_count += 1
                await reader.run(lambda connection: connection.execute("PRAGMA query_only = 1"))
        except BaseException:
            await ledger._disconnect()
            raise
        writer = asyncio.create_task(ledger._write_forever(), name="ledger writer")
        writer.add_done_callback(ledger._on_death)
        ledger._writer = writer
        log.info("ledger open: %s, sqlite %s, head %d", path, sqlite3.sqlite_version, ledger._seq)
        return ledger

    async def close(self) -> None:
        """Answer what waits, then close the file; whoever comes later gets a Fault."""
        if self._closed:
            return
        self._stopped = self._closed = True
        if self._writer is not None and not self._writer.done():
            await self.settled()
            self._writer.remove_done_callback(self._on_death)
            self._writer.cancel()
        await self._disconnect()

    async def settled(self) -> None:
        """Wait until everything that was asked so far is answered."""
        if self._writer is not None and not self._writer.done():
            await self._idle.wait()

    async def write(self, kind: str, actor: str, work: Callable[[Transaction], T]) -> T:
        """Do one command durably. `Refused` leaves everything as it was."""
        return await self._submit(_Job(kind, actor, work, None, None))

    def write_many(self, kind: str, actor: str, many: Many, item: object) -> "asyncio.Future[Any]":
        """Do one item together with all others that wait for the same function."""
        return self._submit(_Job(kind, actor, None, many, item))

    async def read(self, work: Callable[[Reads], T]) -> T:
        """Read a consistent picture of what is committed, apart from the writer."""
        if self._closed:
            raise Fault(STOPPED)
        reader = await self._readers.get()
        try:
            return await reader.run(lambda connection: _in_one_picture(connection, work))
        finally:
            self._readers.put_nowait(reader)

    def _submit(self, job: _Job[T]) -> "asyncio.Future[T]":
        """Let a job wait for the next commit. Who stops waiting for it cancels the answer only."""
        if self._stopped:
            raise Fault(STOPPED)
        if len(self._waiting) >= QUEUE_MAX:
            raise Fault("The house is too busy at this moment. Try again.")
        self._waiting.append(job)
        self._idle.clear()
        self._wake.set()
        return job.done

    # The one task that writes.

    async def _write_forever(self) -> None:
        while True:
            if not self._waiting:
                self._wake.clear()
                self._idle.set()
                await self._wake.wait()
            await asyncio.sleep(0)  # who was just answered may ask again and share this commit
            jobs, self._waiting = self._waiting[:BATCH_MAX], self._waiting[BATCH_MAX:]
            try:
                answers = await self._db.run(partial(self._commit, jobs))
            except BaseException as error:
                if getattr(error, "sqlite_errorcode", None) not in PASSING:
                    self._waiting[:0] = jobs
                    raise
                log.critical("ledger cannot write: %s", error)
                answers = [Fault(CANNOT_WRITE) for _ in jobs]
            for job, answer in zip(jobs, answers, strict=True):
                _answer(job, answer)

    def _on_death(self, writer: "asyncio.Task[None]") -> None:
        error = None if writer.cancelled() else writer.exception()
        log.critical("ledger writer died: %r", error)
        self._stopped = True
        if not self.died.done():
            self.died.set_result(error or asyncio.CancelledError())
        for job in self._waiting:
            _answer(job, Fault(STOPPED))
        self._waiting.clear()
        self._idle.set()

    def _commit(self, jobs: list[_Job[Any]], connection: sqlite3.Connection) -> list[Any]:
        """Run all jobs in one transaction; in the connection's own thread."""
        seq, tip, last_ms = self._seq, self._hash, self._last_ms
        now_ms = max(self.clock(), last_ms)
        answers: list[Any] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            chain = _Chain(connection, seq, tip)
            for many, group in groupby(jobs, key=lambda job: job.many):
                if many is None:
                    answers += [self._run_one(connection, now_ms, job, chain) for job in group]
                else:
                    answers += _run_many(connection, now_ms, many, list(group), chain)
            chain.flush()
            connection.execute("COMMIT")
        except BaseException:
            self.shapes.clear()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self._seq, self._hash, self._last_ms = chain.seq, chain.tip, now_ms
        if chain.seq != seq:
            only_sales = all(job.many is not None for job in jobs)
            self.head.write(Head(chain.seq, chain.tip), sync=not only_sales)
        return answers

    def _run_one(
        self, connection: sqlite3.Connection, now_ms: int, job: _Job[Any], chain: "_Chain"
    ) -> object:
        """One command in its savepoint: its answer, or its refusal with nothing changed."""
        transaction = Transaction(connection, now_ms)
        if job.work is None:
            raise ValueError(f"{job.kind} has nothing to do")
        connection.execute("SAVEPOINT command")
        try:
            answer = job.work(transaction)
        except (Refused, Fault) as no:
            connection.execute("ROLLBACK TO command")
            connection.execute("RELEASE command")
            return no
        connection.execute("RELEASE command")
        if transaction.changes:
            chain.add(now_ms, job.kind, job.actor, row_text(transaction.changes))
        return answer

    # Starting and ending.

    def _start(self, connection: sqlite3.Connection) -> None:
        reads = Reads(connection)
        with _sound():
            _migrate(connection)
            head = _verified(reads, self.head)
        self._seq, self._hash = head.seq, head.hash
        self._last_ms = reads.value("SELECT ms FROM audit WHERE seq = ?", self._seq) or 0
        self.head.write(head)

    async def _disconnect(self) -> None:
        for _ in range(self._reader_count):
            reader = await self._readers.get()  # waits for whoever still reads
            await reader.close()
        await self._db.close()
        self.head.close()


class _Chain:
    """The audit rows of one transaction, each sealed by the one before."""

    def __init__(self, connection: sqlite3.Connection, seq: int, tip: bytes) -> None:
        self.connection = connection
        self.seq = seq
        self.tip = tip
        self.rows: list[tuple[Any, ...]] = []

    def add(self, ms: int, kind: str, actor: str, body: str) -> None:
        self.seq += 1
        self.tip = chain_hash(self.tip, self.seq, ms, kind, actor, body)
        self.rows.append((self.seq, ms, kind, actor, body, self.tip))

    def flush(self) -> None:
        names = ("seq", "ms", "kind", "actor", "body", "hash")
        Transaction(self.connection, 0).insert_many("audit", names, self.rows)


def _run_many(
    connection: sqlite3.Connection, now_ms: int, many: Many, jobs: list[_Job[Any]], chain: _Chain
) -> list[object]:
    """Items of one kind, done together; each accepted one gets an audit row of its own."""
    answers = []
    for job, (body, answer) in zip(
        jobs, many(Transaction(connection, now_ms), [job.item for job in jobs]), strict=True
    ):
        if body is not None:
            chain.add(now_ms, job.kind, job.actor, body)
        answers.append(answer)
    return answers


def _answer(job: _Job[Any], answer: object) -> None:
    if job.done.done():
        return
    if isinstance(answer, Exception):
        job.done.set_exception(answer)
    else:
        job.done.set_result(answer)


def _in_one_picture(connection: sqlite3.Connection, work: Callable[[Reads], T]) -> T:
    connection.execute("BEGIN")
    try:
        return work(Reads(connection))
    finally:
        connection.execute("COMMIT")


async def _connect(path: Path, mode: str) -> _Connection:
    def connector() -> sqlite3.Connection:
        uri = f"{path.absolute().as_uri()}?mode={mode}"
        return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=10)

    def prepare(connection: sqlite3.Connection) -> None:
        with _sound():
            connection.execute("PRAGMA foreign_keys = 1")
            connection.execute("PRAGMA synchronous = FULL")

    connection = _Connection(connector, iter_chunk_size=1024)
    await connection
    try:
        await connection.run(prepare)
    except BaseException:
        await connection.close()
        raise
    return connection


async def _look(path: Path, head: HeadFile) -> None:
    """Check what a crash left, before anything can write to it: closing a connection that writes
    would clear a damaged log away, and the log is evidence.
    """
    if not path.with_name(path.name + "-wal").exists():
        return

    def check(connection: sqlite3.Connection) -> None:
        with _sound():
            if connection.execute("PRAGMA user_version").fetchone()[0]:
                _verified(Reads(connection), head)

    connection = await _connect(path, "ro")
    try:
        await connection.run(check)
    finally:
        await connection.close()


@contextmanager
def _sound() -> Iterator[None]:
    """What SQLite can reach and not read is unsound."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            raise
        raise LedgerUnsound(f"The ledger cannot be read: {error}.") from error


def _verified(reads: Reads, kept: HeadFile) -> Head:
    """The end of the chain, which must reach and hold the head that was acknowledged."""
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


def _follow_chain(reads: Reads, head: Head) -> Head:
    """Verify the few rows that were committed after the head was last written."""
    for row in reads.rows("SELECT * FROM audit WHERE seq > ? ORDER BY seq", head.seq):
        expected = chain_hash(
            head.hash, row["seq"], row["ms"], row["kind"], row["actor"], row["body"]
        )
        if row["seq"] != head.seq + 1 or row["hash"] != expected:
            raise LedgerUnsound(f"The audit chain breaks at row {row['seq']}.")
        head = Head(row["seq"], row["hash"])
    return head


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring the file to the newest schema, one numbered step at a time."""
    connection.execute("PRAGMA journal_mode = WAL")
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(MIGRATIONS):
        raise LedgerUnsound("The ledger was written by a newer version of keno.")
    for number in range(version, len(MIGRATIONS)):
        connection.executescript(
            f"BEGIN IMMEDIATE; {MIGRATIONS[number]}; PRAGMA user_version = {number + 1}; COMMIT;"
        )
