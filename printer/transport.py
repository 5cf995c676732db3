"""Sends a job to the printer and finds out whether it was printed.

A job is printed when the printer answers the request at its end, not when the connection has taken
its bytes. Before the first byte every error means "not printed". After it only the answer means
"printed". Everything else is "unknown" until a person has looked at the paper. The printer's buffer
is then cleared, so that the rest of the job does not come out with the next roll.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from printer.address import Address, read_address
from printer.escpos import CLEAR_BUFFER, STATUS_BACK, ask_status, in_doubt
from printer.status import (
    Answer,
    Answers,
    Cleared,
    Confirmed,
    RealTime,
    Status,
    StatusBack,
    Transmitted,
    from_real_time,
)
from printer.streams import Stream, open_stream


class PrintState(StrEnum):
    """The state of a print job: queued, sent, or one of three final states.

    The final states are printed, not printed, and unknown.
    """

    QUEUED = "queued"
    SENT = "sent"
    PRINTED = "printed"
    NOT_PRINTED = "not printed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a job ended: printed, not printed or unknown, and the reason in words."""

    state: PrintState
    reason: str


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Timeouts of a printer, in seconds.

    `connect_s` is for connecting, `answer_s` for a status request, `job_s` for a job. A job also
    gets a second for every `bytes_a_second` bytes.
    """

    connect_s: float = 3.0
    answer_s: float = 2.0
    job_s: float = 20.0
    """Seconds before a job fails, beside the time for its length."""
    grace_s: float = 2.0
    """Seconds to wait for a confirmation after the printer reported that it stopped."""
    bytes_a_second: float = 10_000.0


PATIENT = Timeouts(connect_s=60.0, answer_s=60.0, job_s=120.0)
"""Timeouts of the virtual printer, which always answers but may run on a busy machine."""


class Unreachable(Exception):
    """Raised if a printer cannot be connected to or does not answer a status request."""


class Printer:
    """One printer, connected to on demand; calls to it are executed one at a time."""

    def __init__(self, address: Address | str, timeouts: Timeouts | None = None) -> None:
        self.address = read_address(address) if isinstance(address, str) else address
        virtual = self.address.kind == "virtual"
        self.timeouts = timeouts or (PATIENT if virtual else Timeouts())
        self.late: Callable[[bytes], None] = lambda _: None
        """Called with the mark of a job whose answer came after the job was given up."""
        self.changed: Callable[[Status], None] = lambda _: None
        """Called with each status from the printer, requested or not, while connected."""
        self.doubt = False
        """Whether paper of an unfinished job may hang out of the printer.

        If so, the paper is marked IN DOUBT and cut off before the next job.
        """
        self._busy = asyncio.Lock()
        self._line: _Line | None = None

    async def status(self) -> Status:
        """Request and return the printer's status; `Unreachable` if it does not respond."""
        async with self._busy:
            return await self._ask()

    async def print(
        self, data: bytes, mark: bytes, sending: Callable[[], Awaitable[None]]
    ) -> Outcome:
        """Send a job once, wait for its confirmation, and return how it ended.

        `mark` is the mark that `data` was encoded with. `sending` is awaited before the first byte.
        If the printer is unreachable or stopped beforehand, nothing is sent and the job is not
        printed.
        """
        async with self._busy:
            try:
                status = await self._ask()
            except Unreachable as error:
                return Outcome(PrintState.NOT_PRINTED, str(error))
            if status.stopped:
                return Outcome(PrintState.NOT_PRINTED, " ".join(status.words()))
            await sending()
            try:
                line = await self._connected()
            except Unreachable as error:
                return Outcome(PrintState.NOT_PRINTED, str(error))
            return await self._send(line, data, mark)

    async def close(self) -> None:
        """Close the connection if one is open; the next call connects again."""
        if self._line is not None:
            await self._line.close()
            self._line = None

    async def _ask(self) -> Status:
        line = await self._connected()
        try:
            async with asyncio.timeout(self.timeouts.answer_s):
                status = Status()
                for which in (1, 2, 3, 4):
                    byte = await line.ask(ask_status(which))
                    status = from_real_time(status, which, byte)
        except TimeoutError:
            await self.close()
            raise Unreachable("The printer does not answer.") from None
        except OSError as error:
            await self.close()
            raise Unreachable(f"The line to the printer broke: {said(error)}.") from None
        line.status = status
        self.changed(status)
        return status

    async def _connected(self) -> "_Line":
        if self._line is not None and not self._line.closed.done():
            return self._line
        await self.close()
        try:
            async with asyncio.timeout(self.timeouts.connect_s):
                stream = await open_stream(self.address)
                self._line = _Line(stream, self._late, self._changed)
                await stream.write(STATUS_BACK)
        except TimeoutError:
            await self.close()
            raise Unreachable(f"No connection to {self.address.text}: it takes too long.") from None
        except OSError as error:
            await self.close()
            reason = said(error)
            raise Unreachable(f"No connection to {self.address.text}: {reason}.") from None
        return self._line

    def _late(self, mark: bytes) -> None:
        self.late(mark)

    def _changed(self, status: Status) -> None:
        self.changed(status)

    async def _send(self, line: "_Line", data: bytes, mark: bytes) -> Outcome:
        confirmed = line.expect(mark if self.address.profile.confirms else b"")
        data = (in_doubt() if self.doubt else b"") + data
        self.doubt = True  # until the printer has confirmed this job
        writing = asyncio.create_task(line.stream.write(data))
        try:
            reason = await self._await_paper(line, confirmed, writing, len(data))
            if not confirmed.done():
                reason += " " + await self._clear(line, confirmed, writing)
        finally:
            line.forget(mark)
            writing.cancel()
            await asyncio.wait({writing})  # raises only if this call itself is cancelled
            if not writing.cancelled():
                writing.exception()  # a broken connection shows in the line
        went_on = line.worst.stopped_by_cause and not line.status.stopped
        if confirmed.done() and not went_on:
            self.doubt = False
            return Outcome(PrintState.PRINTED, "The printer confirmed it.")
        if confirmed.done():  # parts of it may be on two rolls
            reason = f"{' '.join(line.worst.words())} Then it went on: is the paper whole?"
        if not self.address.profile.confirms:  # a late answer has no mark to tell its job
            await self.close()
        return Outcome(PrintState.UNKNOWN, reason)

    async def _await_paper(
        self, line: "_Line", confirmed: "asyncio.Future[None]", writing: "asyncio.Task[None]",
        length: int,
    ) -> str:  # fmt: skip
        """Wait until the job is confirmed or has failed, and return the reason of a failure.

        If `confirmed` is done, the returned reason has no meaning.
        """
        limit_s = self.timeouts.job_s + length / self.timeouts.bytes_a_second
        try:
            async with asyncio.timeout(limit_s):
                while await self._await_any(line, confirmed, writing):
                    await asyncio.wait({confirmed, line.closed}, timeout=self.timeouts.grace_s,
                                       return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
                    # The feed button takes it offline briefly; a stop with a cause ends the job.
                    if line.stopped or confirmed.done():
                        return "It stopped while printing: " + " ".join(line.worst.words())
                return "The line to the printer broke while it printed."
        except TimeoutError:
            return "The printer did not confirm it in time."

    @staticmethod
    async def _await_any(
        line: "_Line", confirmed: "asyncio.Future[None]", writing: "asyncio.Task[None]"
    ) -> bool:
        """Wait for a confirmation, a broken connection or a stopped printer.

        Return True if the printer stopped, and neither of the others happened.
        """
        stopped = asyncio.create_task(line.stop())
        watched: set[asyncio.Future[None]] = {confirmed, line.closed, stopped}
        try:
            while not any(each.done() for each in watched):
                sending = set() if writing.done() else {writing}
                await asyncio.wait(watched | sending, return_when=asyncio.FIRST_COMPLETED)
                if writing.done() and not writing.cancelled() and writing.exception() is not None:
                    return False
            return not confirmed.done() and not line.closed.done()
        finally:
            stopped.cancel()

    async def _clear(
        self, line: "_Line", confirmed: "asyncio.Future[None]", writing: "asyncio.Task[None]"
    ) -> str:
        """Clear the printer's buffer, on a new connection if the old one is stuck or closed.

        Return a sentence that says whether it was cleared.
        """
        if line.closed.done() or not writing.done():
            await self.close()
        try:
            fresh = await self._connected()
            cleared = fresh.expect_cleared()
            async with asyncio.timeout(self.timeouts.answer_s):
                await fresh.stream.write(CLEAR_BUFFER)
                either: set[asyncio.Future[None]] = {cleared, confirmed, fresh.closed}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        except (TimeoutError, OSError, Unreachable):
            return NOT_CLEARED
        if cleared.done() or confirmed.done():
            return "What was left in the printer was cleared."
        return NOT_CLEARED


NOT_CLEARED = "Switch the printer off and on before it is used again."


def said(error: OSError) -> str:
    """Return the operating system's message for an error, without number and full stop."""
    words = os.strerror(error.errno) if error.errno else str(error)
    return (words or type(error).__name__).rstrip(".")


class _Line:
    """An open connection to a printer, which gives each answer received to the waiting caller."""

    def __init__(
        self, stream: Stream, late: Callable[[bytes], None], changed: Callable[[Status], None]
    ) -> None:
        loop = asyncio.get_running_loop()
        self.stream = stream
        self.status = Status()
        self.worst = Status()
        """The union of all statuses received since the current job began."""
        self.closed: asyncio.Future[None] = loop.create_future()
        self._late, self._told = late, changed
        self._changed = asyncio.Event()
        self._asked: asyncio.Future[int] | None = None
        self._confirmed: tuple[bytes, asyncio.Future[None]] | None = None
        self._cleared: asyncio.Future[None] | None = None
        self._ignored: set[bytes] = set()
        self._reading = asyncio.create_task(self._read())

    async def ask(self, question: bytes) -> int:
        """Send a real-time status request and return the byte that answers it.

        OSError if the connection closes first.
        """
        self._asked = asyncio.get_running_loop().create_future()
        await self.stream.write(question)
        either: set[asyncio.Future[Any]] = {self._asked, self.closed}
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
        if not self._asked.done():
            raise OSError("the printer closed it")
        return self._asked.result()

    def expect(self, mark: bytes) -> "asyncio.Future[None]":
        """Begin a job: return a future that is done when the printer confirms this mark.

        With an empty mark any answer to GS r completes it.
        """
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._confirmed = mark, answer
        self.worst = self.status
        return answer

    def forget(self, mark: bytes) -> None:
        """Stop waiting for this mark; a later confirmation is reported as late.

        It is ignored if the printer had stopped for a cause during the job.
        """
        self._confirmed = None
        if self.worst.stopped_by_cause:
            self._ignored.add(mark)

    def expect_cleared(self) -> "asyncio.Future[None]":
        self._cleared = asyncio.get_running_loop().create_future()
        return self._cleared

    @property
    def stopped(self) -> bool:
        """Whether the printer is stopped now, or stopped for a cause during the current job."""
        return self.status.stopped or self.worst.stopped_by_cause

    async def stop(self) -> None:
        """Wait until the printer reports that it stopped."""
        while not self.stopped:
            self._changed.clear()
            await self._changed.wait()

    async def close(self) -> None:
        self._reading.cancel()
        with suppress(asyncio.CancelledError):
            await self._reading
        await self.stream.abort()

    async def _read(self) -> None:
        answers = Answers()
        try:
            while received := await self.stream.read():
                for answer in answers.feed(received):
                    self._heard(answer)
        except OSError:
            return  # any error means that the connection is closed
        finally:
            if not self.closed.done():
                self.closed.set_result(None)

    def _heard(self, answer: Answer) -> None:
        match answer:
            case StatusBack(status):
                self.status = status
                self.worst = self.worst.and_also(status)
                self._changed.set()
                self._told(status)
            case RealTime(byte) if self._asked is not None and not self._asked.done():
                self._asked.set_result(byte)
            case Confirmed(mark):
                self._answered(mark)
            case Transmitted() if self._confirmed is not None and self._confirmed[0] == b"":
                self._answered(b"")
            case Cleared() if self._cleared is not None and not self._cleared.done():
                self._cleared.set_result(None)
            case _:
                pass  # an unrequested answer has no meaning

    def _answered(self, mark: bytes) -> None:
        if self._confirmed is not None and self._confirmed[0] == mark:
            if not self._confirmed[1].done():
                self._confirmed[1].set_result(None)
        elif mark not in self._ignored:
            self._late(mark)
