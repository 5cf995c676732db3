"""The ledger: one writing connection, separate readers, and one task that commits in batches.

All queued commands share one durable transaction, so that one disk sync of a millisecond serves all
stations. A command that is refused, breaks a constraint or fails otherwise is undone alone (a
savepoint) and does not affect the others. Only an error of the file itself ends the writer task.
The ledger is then dead: every caller, now and later, gets a Fault, and `died` makes the server end.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Generic, TypeVar

from keno.domain.errors import Fault, Irregular, Refusal, Refused
from keno.domain.roles import SYSTEM
from keno.store.head import Head, HeadFile
from keno.store.opening import (
    Connection,
    connect,
    look_before_writing,
    migrate,
    sound,
    verified,
)
from keno.store.transaction import Reads, Transaction, chain_hash, row_text
from keno.store.trusted_clock import Doubt, TrustedClock

log = logging.getLogger(__name__)

BATCH_MAX = 512
QUEUE_MAX = 20_000
"""Maximum commands in the queue; one more raises a Fault ("too busy")."""
READERS = 2
PASSING = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_BUSY)
"""SQLite error codes after which the next batch may succeed: disk full or file locked.

Nothing was written then. After any other error, a failed sync above all, the content of the disk is
unknown, and only a restart can check it.
"""
STOPPED = "The ledger has stopped. Call the supervisor."
CANNOT_WRITE = "The ledger cannot write at this moment. Nothing was sold or paid."
CLOCK_UNCONFIRMED = "The house is closed until a supervisor confirms the time at the console."
NOT_TAKEN = "The ledger does not take this: it contradicts what is recorded. Nothing was changed."
"""Refusal of a command that broke a constraint of the tables."""
OVERFLOW = "integer overflow"
"""SQLite's error for a sum() above 64 bits: a fault of the command, not of the file."""
HALT = "Halt"
"""Kind of the audit row of a halt, whose actor is the system."""
UNDATED_KINDS = frozenset({"ClockStep", "ConfirmClock", HALT})
"""Kinds of commands that may be recorded while the house is closed for its clock."""

T = TypeVar("T")
Item = TypeVar("Item")
Clock = Callable[[], int]
"""A function that returns UTC milliseconds."""
Many = Callable[[Transaction, list[Any]], list[Any]]
"""A function that processes many items at once.

It returns for each item, in order, the body of its audit row (None if nothing is to be recorded)
and its answer or a Refused.
"""
RecordHalt = Callable[[Transaction, Irregular], Refused]
"""A function that records the halt for an irregularity and returns the command's refusal."""


@dataclass(slots=True)
class _Job(Generic[T]):
    """A queued command and the future of its answer.

    It has either `work`, or `many` with its `item`.
    """

    kind: str
    actor: str
    work: Callable[[Transaction], T] | None
    many: Many | None
    item: object
    done: "asyncio.Future[T]" = field(default_factory=asyncio.Future)


class Ledger:
    """The ledger: a SQLite file and its head file, with one writer task and several readers.

    `Ledger.open` opens one; `write` runs commands, `read` runs queries.
    """

    def __init__(self, path: Path, clock: Clock, head: HeadFile, database: Connection) -> None:
        self.path = path
        self._db = database
        self._writer: asyncio.Task[None] | None = None
        self.clock = clock
        self.trusted_clock = clock if isinstance(clock, TrustedClock) else None
        """The clock if it is a TrustedClock; None if another clock is used, as in tests."""
        self.head = head
        self.died: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self._waiting: list[_Job[Any]] = []
        self._wake = asyncio.Event()
        self._idle = asyncio.Event()
        self._stopped = False
        self._closed = False
        self._readers: asyncio.Queue[Connection] = asyncio.Queue()
        self._reader_count = 0
        self._seq = 0
        self._hash = bytes(32)
        self._last_ms = 0
        self.shapes: dict[tuple[str, str], int] = {}
        """Cache of the shapes' numbers, by card and structure; cleared when anything is undone."""
        self.record_halt: RecordHalt | None = None
        """Function that records a halt, set by the house; None if no halt is recorded.

        It runs in the writer's transaction, so that the next command is already halted.
        """
        self.broken: str | None = None
        """Sentence that says where the audit chain breaks after the head; None if it does not.

        The house halts for a break.
        """

    @classmethod
    async def open(cls, path: Path, clock: Clock, head_path: Path | None = None) -> "Ledger":
        """Open or create a ledger, migrate it, check it against its head, and return it.

        Raise LedgerUnsound if the ledger does not reach its head or cannot be read.
        """
        head = HeadFile(head_path or path.with_name(path.name + ".head"))
        try:
            await look_before_writing(path, head)
            ledger = cls(path, clock, head, await connect(path, "rwc"))
        except BaseException:
            head.close()
            raise
        try:
            await ledger._db.run(ledger._start)
            for _ in range(READERS):
                reader = await connect(path, "ro")
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
        """Wait until queued commands are answered, then close; later commands raise a Fault."""
        if self._closed:
            return
        self._stopped = self._closed = True
        if self._writer is not None and not self._writer.done():
            await self.settled()
            self._writer.remove_done_callback(self._on_death)
            self._writer.cancel()
        await self._disconnect()

    async def settled(self) -> None:
        """Wait until every queued command is answered."""
        if self._writer is not None and not self._writer.done():
            await self._idle.wait()

    async def write(self, kind: str, actor: str, work: Callable[[Transaction], T]) -> T:
        """Run `work` as one durable command and return its answer.

        If rows change, the command gets an audit row with this kind and actor. If `work` raises,
        nothing is changed and the exception is raised here. Refuse a broken constraint, and a
        change (but of UNDATED_KINDS) while the house is closed for its clock. Raise a Fault if the
        ledger has stopped, is too busy or cannot write.
        """
        return await self._submit(_Job(kind, actor, work, None, None))

    def write_many(self, kind: str, actor: str, many: Many, item: object) -> "asyncio.Future[Any]":
        """Queue an item for `many`, which processes consecutive items queued for it together.

        Return the future of the item's answer, which raises what `write` would raise. Raise a Fault
        at once if the ledger has stopped or is too busy.
        """
        return self._submit(_Job(kind, actor, None, many, item))

    async def read(self, work: Callable[[Reads], T]) -> T:
        """Run `work` on a snapshot of what is committed, in a reader's thread; return its result.

        An Irregular that it raises is recorded as a halt, and the refusal of the halt is raised.
        Raise a Fault if the ledger is closed.
        """
        if self._closed:
            raise Fault(STOPPED)
        reader = await self._readers.get()
        try:
            return await reader.run(lambda connection: _in_one_picture(connection, work))
        except Irregular as found:
            irregular = found
        finally:
            self._readers.put_nowait(reader)
        raise await self.halt(irregular)

    async def halt(self, irregular: Irregular) -> Refused:
        """15.7: record the halt for an irregularity; return the refusal for the caller to raise."""
        record = self.record_halt
        if record is None:
            return irregular
        (refused,) = await self.write(HALT, SYSTEM, lambda tx: [record(tx, irregular)])
        return refused

    def _submit(self, job: _Job[T]) -> "asyncio.Future[T]":
        """Queue a job for the next commit; cancelling its future does not cancel the job.

        Raise a Fault if the ledger has stopped or the queue is full.
        """
        if self._stopped:
            raise Fault(STOPPED)
        if len(self._waiting) >= QUEUE_MAX:
            raise Fault("The house is too busy at this moment. Try again.")
        self._waiting.append(job)
        self._idle.clear()
        self._wake.set()
        return job.done

    # The writer task.

    async def _write_forever(self) -> None:
        while True:
            if not self._waiting:
                self._wake.clear()
                self._idle.set()
                await self._wake.wait()
            await asyncio.sleep(0)  # callers just answered may send again and share this commit
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
        """Run all jobs in one transaction and return their answers; runs in the writer's thread."""
        seq, tip = self._seq, self._hash
        now_ms = max(self.clock(), self._last_ms)
        answers: list[Any] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            chain = _Chain(connection, seq, tip, now_ms)
            for many, group in groupby(jobs, key=lambda job: job.many):
                if many is None:
                    answers += [self._run_one(connection, job, chain) for job in group]
                elif self._clock_closed:
                    answers += [self._run_closed(connection, many, job, chain) for job in group]
                else:
                    answers += self._run_many(connection, many, list(group), chain)
            chain.flush()
            connection.execute("COMMIT")
        except BaseException:
            self.shapes.clear()
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        self._seq, self._hash, self._last_ms = chain.seq, chain.tip, chain.now_ms
        if chain.seq != seq:
            only_sales = all(job.many is not None for job in jobs)
            self.head.write(Head(chain.seq, chain.tip), sync=not only_sales)
        for act in chain.after_commit:
            act()
        return answers

    def _run_one(self, connection: sqlite3.Connection, job: _Job[Any], chain: "_Chain") -> object:
        """Run one command in a savepoint; return its answer, or the exception that undid it."""
        transaction = Transaction(connection, chain.now_ms)
        work = job.work
        if work is None:
            raise ValueError(f"{job.kind} has nothing to do")

        def run() -> tuple[object, str]:
            answer = work(transaction)
            if transaction.changes and self._clock_closed and job.kind not in UNDATED_KINDS:
                raise _clock_unconfirmed()
            return answer, row_text(transaction.changes) if transaction.changes else ""

        done = self._undoable(connection, job.kind, run)
        if isinstance(done, Exception):
            return self._refusal_of(connection, done, chain)
        answer, body = done
        chain.now_ms = transaction.now_ms
        chain.after_commit += transaction.after_commit
        if body:
            chain.add(job.kind, job.actor, body)
        return answer

    @property
    def _clock_closed(self) -> bool:
        return self.trusted_clock is not None and self.trusted_clock.closed

    def _run_closed(
        self,
        connection: sqlite3.Connection,
        many: Many,
        job: _Job[Any],
        chain: "_Chain",
    ) -> object:
        """Run an item of `write_many` while the house is closed for its clock.

        Return its answer if it repeats an earlier request; else undo it and return a refusal.
        """

        def run() -> object:
            [(body, answer)] = many(Transaction(connection, chain.now_ms), [job.item])
            if body is not None:
                raise _clock_unconfirmed()
            return answer

        done = self._undoable(connection, job.kind, run)
        self.shapes.clear()
        return self._refusal_of(connection, done, chain)

    def _run_many(
        self,
        connection: sqlite3.Connection,
        many: Many,
        jobs: list[_Job[Any]],
        chain: "_Chain",
    ) -> list[object]:
        """Run items of `write_many` together and return their answers, each exception in its place.

        Each accepted item gets an audit row. If all fail together, each is run by itself, so that
        one does not fail the others.
        """
        items = [job.item for job in jobs]
        done = self._undoable(
            connection, jobs[0].kind, lambda: many(Transaction(connection, chain.now_ms), items)
        )
        if isinstance(done, Exception):
            self.shapes.clear()
            if len(jobs) > 1:
                alone = [self._run_many(connection, many, [job], chain) for job in jobs]
                return [answer for (answer,) in alone]
            done = [(None, done)]
        for job, (body, _) in zip(jobs, done, strict=True):
            if body is not None:
                chain.add(job.kind, job.actor, body)
        return [self._refusal_of(connection, answer, chain) for _, answer in done]

    def _undoable(
        self, connection: sqlite3.Connection, kind: str, run: Callable[[], T]
    ) -> T | Exception:
        """Run work in a savepoint and return its result.

        If it fails, undo it and return the exception. A broken constraint, or a sum above 64 bits,
        is returned as a Refused. An error of the file itself is raised: only a restart can check
        what the disk holds.
        """
        connection.execute("SAVEPOINT command")
        failed: Exception
        try:
            done = run()
        except (Refused, Fault) as no:
            failed = no
        except sqlite3.IntegrityError as error:
            log.critical("%s broke a constraint and was undone: %s", kind, error)
            self.shapes.clear()
            failed = Refused(Refusal.NOT_POSSIBLE_NOW, NOT_TAKEN)
        except sqlite3.Error as error:
            if str(error) != OVERFLOW:
                raise
            log.critical("%s made too large a sum and was undone", kind)
            self.shapes.clear()
            failed = Refused(Refusal.NOT_POSSIBLE_NOW, NOT_TAKEN)
        except Exception as error:
            log.critical("%s failed and was undone", kind, exc_info=error)
            self.shapes.clear()
            failed = error
        else:
            connection.execute("RELEASE command")
            return done
        connection.execute("ROLLBACK TO command")
        connection.execute("RELEASE command")
        return failed

    def _refusal_of(
        self, connection: sqlite3.Connection, answer: object, chain: "_Chain"
    ) -> object:
        """Return the caller's answer; for an Irregular, record its halt and return the refusal."""
        record = self.record_halt
        if record is None or not isinstance(answer, Irregular):
            return answer
        irregular, tx = answer, Transaction(connection, chain.now_ms)
        done = self._undoable(connection, HALT, lambda: [record(tx, irregular)])
        if isinstance(done, Exception):
            return done
        if tx.changes:
            chain.add(HALT, SYSTEM, row_text(tx.changes))
        return done[0]

    # Starting and ending.

    def _start(self, connection: sqlite3.Connection) -> None:
        reads = Reads(connection)
        with sound():
            migrate(connection)
            head, self.broken = verified(reads, self.head)
        self._seq, self._hash = head.seq, head.hash
        self._last_ms = reads.value("SELECT ms FROM audit WHERE seq = ?", self._seq) or 0
        self.head.write(head)
        if self.trusted_clock is not None:
            open_step = reads.value("SELECT what FROM clock_steps WHERE confirmed_ms IS NULL")
            unconfirmed = None if open_step is None else Doubt(open_step)
            beside = self.head.path.with_suffix(".clock")
            # Before its first game a house has no claims to lose, and may have no supervisor yet.
            played = reads.value("SELECT 1 FROM games LIMIT 1")
            self.trusted_clock.begin(beside, self._last_ms if played else 0, unconfirmed)

    async def _disconnect(self) -> None:
        for _ in range(self._reader_count):
            reader = await self._readers.get()  # waits for a reader in use
            await reader.close()
        await self._db.close()
        if self.trusted_clock is not None:
            await asyncio.to_thread(self.trusted_clock.keep)
        self.head.close()


class _Chain:
    """Collects the audit rows of one transaction, each with the hash over the one before."""

    def __init__(self, connection: sqlite3.Connection, seq: int, tip: bytes, now_ms: int) -> None:
        self.connection = connection
        self.seq = seq
        self.tip = tip
        self.now_ms = now_ms
        """The time of the next row; a confirmed correction of the clock sets it back."""
        self.after_commit: list[Callable[[], object]] = []
        self.rows: list[tuple[Any, ...]] = []

    def add(self, kind: str, actor: str, body: str) -> None:
        self.seq += 1
        self.tip = chain_hash(self.tip, self.seq, self.now_ms, kind, actor, body)
        self.rows.append((self.seq, self.now_ms, kind, actor, body, self.tip))

    def flush(self) -> None:
        names = ("seq", "ms", "kind", "actor", "body", "hash")
        Transaction(self.connection, 0).insert_many("audit", names, self.rows)


def _clock_unconfirmed() -> Refused:
    return Refused(Refusal.CLOCK_UNCONFIRMED, CLOCK_UNCONFIRMED)


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
