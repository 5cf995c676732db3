"""The print queue of a station: prints jobs in order and records the outcome of each in a file.

A job is *queued*, then *sent* (recorded before its first byte leaves), then *printed*, *not
printed* or *unknown*. A sent job is never sent again: a second print is another copy, which is
marked as a reprint. After a crash sent jobs become unknown; queued jobs are printed unless
withdrawn first.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from printer.documents import PrintDocument
from printer.escpos import encode
from printer.journal import KEPT_JOBS, Journal, Record, pack, unpack
from printer.layout import lay_out
from printer.transport import Outcome, Printer, PrintState

FINAL = frozenset({PrintState.PRINTED, PrintState.NOT_PRINTED, PrintState.UNKNOWN})
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class AlreadySent(Exception):
    """Raised when a copy of a document is submitted that is queued or was sent before."""


@dataclass(frozen=True, slots=True)
class Job:
    """One print job: a copy of the document `key`, its state, and the reason in words.

    `ms` is the time of the last change by the station's clock, in milliseconds.
    """

    number: int
    key: str
    copy: int
    state: PrintState
    reason: str
    ms: int
    sent: bool = False
    """Whether sending began, so that some of the job may be on paper."""

    @property
    def mark(self) -> bytes:
        """The four characters, from the job's number, with which the printer confirms this job."""
        number, letters = self.number % len(_DIGITS) ** 4, ""
        for _ in range(4):
            number, digit = divmod(number, len(_DIGITS))
            letters = _DIGITS[digit] + letters
        return letters.encode()


@dataclass
class Spool:
    """The print queue of one printer; `jobs` has every known job by number.

    `open_spool` makes it; the owner then runs `run` as a task.
    """

    printer: Printer
    journal: Journal
    clock_ms: Callable[[], int]
    jobs: dict[int, Job] = field(default_factory=dict)
    _data: dict[int, bytes] = field(default_factory=dict)
    _sent: set[tuple[str, int]] = field(default_factory=set)
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)
    _late: set["asyncio.Task[None]"] = field(default_factory=set)

    async def submit(self, paper: PrintDocument) -> Job:
        """Lay out, encode and queue a document; return its job, which is then on disk.

        `AlreadySent` if this copy is queued already or was sent before.
        """
        async with self._writing:
            if self._taken(paper.key, paper.copy):
                raise AlreadySent(f"{paper.key} was already sent; print it as a further copy")
            number = max(self.jobs, default=0) + 1
            job = Job(number, paper.key, paper.copy, PrintState.QUEUED, "", self.clock_ms())
            profile = self.printer.address.profile
            data = encode(lay_out(paper, profile.dots), profile, job.mark)
            await self._note(job, data=data)
        return job

    async def outcome(self, number: int) -> Outcome:
        """Wait until a job has ended, and return how: printed, not printed or unknown, and why."""
        async with self._changed:
            await self._changed.wait_for(lambda: self.jobs[number].state in FINAL)
        return Outcome(self.jobs[number].state, self.jobs[number].reason)

    async def resolve(self, number: int, *, printed: bool, by: str) -> Job:
        """Record whether person `by`, who looked, found an unknown job printed; return the job.

        Its copy counts as sent either way. A job that is not unknown raises a ValueError.
        """
        async with self._writing:
            job = self.jobs[number]
            if job.state is not PrintState.UNKNOWN:
                raise ValueError(f"job {number} is {job.state}, not unknown")
            state = PrintState.PRINTED if printed else PrintState.NOT_PRINTED
            return await self._note(replace(job, state=state, reason=f"{by} looked."))

    async def withdraw(self, number: int, reason: str) -> Job:
        """Mark a queued job as not printed, so that it never prints, and return it.

        Call it before `run` begins. A job that is not queued raises a ValueError.
        """
        async with self._writing:
            job = self.jobs[number]
            if job.state is not PrintState.QUEUED or job.sent:
                raise ValueError(f"job {number} is {job.state}, not queued")
            return await self._note(replace(job, state=PrintState.NOT_PRINTED, reason=reason))

    @property
    def queued(self) -> list[Job]:
        """Queued jobs, oldest first."""
        return [self.jobs[number] for number in sorted(self._data)
                if self.jobs[number].state is PrintState.QUEUED]  # fmt: skip

    @property
    def idle(self) -> bool:
        """Whether no job is queued or being printed."""
        return not self._data

    @property
    def unknown(self) -> list[Job]:
        """Jobs in the state unknown, which a person has to look for at the printer."""
        return [job for job in self.jobs.values() if job.state is PrintState.UNKNOWN]

    async def run(self) -> None:
        """Print queued jobs, in order, until cancelled."""
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda: self._next() is not None)
            job = self._next()
            if job is not None:
                await self._print(job)

    async def close(self) -> None:
        """Close the printer's connection and the journal; cancel `run` first."""
        for task in self._late:
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._late)
        await self.printer.close()
        self.journal.close()

    def waiting(self) -> dict[int, bytes]:
        """Return the bytes of all queued and sent jobs, by job number."""
        return dict(self._data)

    def _next(self) -> Job | None:
        waiting = (self.jobs[number] for number in sorted(self._data))
        return next((job for job in waiting if job.state is PrintState.QUEUED), None)

    def _taken(self, key: str, copy: int) -> bool:
        queued = any(self.jobs[each].key == key and self.jobs[each].copy == copy
                     for each in self._data)  # fmt: skip
        return queued or (key, copy) in self._sent

    async def _print(self, job: Job) -> None:
        async def sending() -> None:
            async with self._writing:
                await self._note(replace(job, state=PrintState.SENT, sent=True))

        data = self._data[job.number]
        outcome = await self.printer.print(data, job.mark, sending)
        async with self._writing:
            sent = self.jobs[job.number]
            await self._note(replace(sent, state=outcome.state, reason=outcome.reason))

    async def _note(self, job: Job, data: bytes | None = None) -> Job:
        """Write a job's new state to the journal, store it in memory and wake waiting callers.

        `data` has the bytes of a new job. Return the job with the time of the change.
        """
        job = replace(job, ms=self.clock_ms())
        record = to_record(job)
        if data is not None:
            record["data"] = pack(data)
        writing = asyncio.ensure_future(asyncio.to_thread(self.journal.append, record))
        try:
            await asyncio.shield(writing)
        finally:
            await writing  # finish the line even if the caller was cancelled
        self.remember(job, data)
        async with self._changed:
            self._changed.notify_all()
        return job

    def remember(self, job: Job, data: bytes | None = None) -> None:
        """Store a job's state in memory, and keep its bytes until it is printed or has failed."""
        self.jobs[job.number] = job
        if job.sent:
            self._sent.add((job.key, job.copy))
        if data is not None:
            self._data[job.number] = data
        if job.state is not PrintState.QUEUED and job.state is not PrintState.SENT:
            self._data.pop(job.number, None)

    def late(self, mark: bytes) -> None:
        """Mark the newest unknown job with this mark as printed.

        The printer calls it when it confirms a job after the timeout.
        """
        found = [job for job in self.unknown if job.mark == mark]
        if found:
            task = asyncio.create_task(self._confirm_late(found[-1].number))
            self._late.add(task)
            task.add_done_callback(self._late.discard)

    async def _confirm_late(self, number: int) -> None:
        async with self._writing:
            job = self.jobs[number]
            if job.state is PrintState.UNKNOWN:
                reason = "The printer confirmed it late."
                await self._note(replace(job, state=PrintState.PRINTED, reason=reason))


async def open_spool(path: Path, printer: Printer, clock_ms: Callable[[], int]) -> Spool:
    """Open a spool's file and return the spool; jobs in the state sent become unknown.

    `clock_ms` returns the time in milliseconds. `SpoolInUse` if another process has the file open,
    `SpoolDamaged` if it is broken.
    """
    journal = await asyncio.to_thread(Journal, path)
    try:
        records = await asyncio.to_thread(lambda: list(journal.read()))
        spool = Spool(printer, journal, clock_ms)
        for record in records:
            data = record.pop("data", None)
            spool.remember(from_record(record), None if data is None else unpack(data))
        for job in [job for job in spool.jobs.values() if job.state is PrintState.SENT]:
            died = replace(job, state=PrintState.UNKNOWN, reason="The station stopped meanwhile.")
            await asyncio.to_thread(journal.append, to_record(died))
            spool.remember(died)
            printer.doubt = True
        if journal.large:
            await asyncio.to_thread(journal.replace, spool_records(spool))
    except BaseException:
        journal.close()
        raise
    printer.late = spool.late
    return spool


def spool_records(spool: Spool) -> list[Record]:
    """Return the records that remain when the file is compacted.

    They are of all queued and sent jobs, and of the newest `KEPT_JOBS` jobs.
    """
    kept = sorted(spool.jobs)[-KEPT_JOBS:]
    waiting = spool.waiting()
    return [
        to_record(spool.jobs[number])
        | ({"data": pack(waiting[number])} if number in waiting else {})
        for number in sorted({*kept, *waiting})
    ]


def to_record(job: Job) -> Record:
    return {
        "job": job.number, "key": job.key, "copy": job.copy, "state": job.state.value,
        "reason": job.reason, "ms": job.ms, "sent": job.sent,
    }  # fmt: skip


def from_record(record: dict[str, Any]) -> Job:
    return Job(
        record["job"], record["key"], record["copy"], PrintState(record["state"]), record["reason"],
        record["ms"], record["sent"],
    )  # fmt: skip
