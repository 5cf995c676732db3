"""Worker processes for long computations, so that these never delay a sale.

A lane is one worker process and the queue before it. The process starts with the first request. It
runs one function at a time, at low priority and with bounded memory. It ends when its standard
input closes, so it never outlives the server. It keeps no state. If it is killed, the request under
way fails and the next request starts a new process.
"""

import asyncio
import logging
import os
import pickle  # both ends are this very program
import queue
import resource
import signal
import sys
import threading
import traceback
from asyncio.subprocess import PIPE, Process
from collections import OrderedDict, deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, TypeVar, TypeVarTuple

from keno.domain.errors import Fault, Refusal, Refused

log = logging.getLogger(__name__)

WAITING_MAX = 32
WAITING_EACH = 4
"""Maximum requests that wait in a lane's queue: in all, and of one caller."""
MEMORY_BYTES = 1 << 30
"""Maximum bytes of a worker's address space."""
LENGTH = 8
"""Bytes of the length field before each pickle on the pipes."""
FAILED = "This could not be worked out just now. Try again."
Args = TypeVarTuple("Args")
T = TypeVar("T")


# ---------------------------------------------------------------- in the server


class Queue:
    """A lane's queue: one request runs at a time, and waiting callers take turns.

    In each round one request of every waiting caller runs. So a caller with many requests delays
    another by one request at most.
    """

    def __init__(self) -> None:
        self._busy = False
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    async def enter(self, who: str) -> None:
        """Wait until it is this request's turn; refuse it at once if the queue is full.

        The caller `who` must call `leave` when the request is done.
        """
        if not self._busy:
            self._busy = True
            return
        own = self._waiting.get(who, deque())
        if len(own) >= WAITING_EACH or sum(map(len, self._waiting.values())) >= WAITING_MAX:
            raise Refused(Refusal.TOO_FAST, "Many people ask at this moment. Try again.")
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(who, own).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(who)
            raise

    def leave(self, who: str) -> None:
        """End the turn of caller `who`, and start that of the next caller who waits."""
        if who in self._waiting:
            self._waiting.move_to_end(who)
        while self._waiting:
            other, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[other] = turns
            if not turn.done():
                turn.set_result(None)
                return
        self._busy = False


@dataclass(eq=False)
class Lane:
    """One worker process, started at the first request, and the queue of requests before it."""

    name: str
    seconds: float
    """Maximum seconds of one request, then the process is killed; normal work takes far less."""
    niceness: int = 15
    """Niceness of the process; the server has 0, and a higher value means a lower priority."""
    process: Process | None = None
    closed: bool = False
    _killed: bool = False
    _queue: Queue = field(default_factory=Queue)
    _pipes: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Lock held by the request that uses the process's pipes."""

    async def run(self, who: str, work: Callable[[*Args], T], *args: *Args) -> T:
        """Return the result of a module-level function, computed in the worker process.

        Arguments and result are pickled. `who` is the caller (address, station or person), for the
        queue's turns. `Refused` is raised again here. A process that dies or takes too long raises
        `Fault`, and any other exception in the worker raises `RuntimeError`.
        """
        await self._queue.enter(who)
        try:
            async with self._pipes:
                kind, answer = await self._asked(pickle.dumps((work, args)))
        finally:
            self._queue.leave(who)
        if kind == "refused":
            raise Refused(*answer)
        if kind == "broken":
            raise RuntimeError(f"in the worker for {self.name}:\n{answer}")
        made: T = answer
        return made

    async def close(self) -> None:
        """Kill the process for good: the request under way and all later ones raise `Fault`."""
        self.closed = True
        self._kill()
        async with self._pipes:  # a request under way has seen its process end
            await self._end()

    async def _asked(self, content: bytes) -> tuple[str, Any]:
        process = await self._started()
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a worker has pipes")
        done = False
        try:
            async with asyncio.timeout(self.seconds):
                process.stdin.write(len(content).to_bytes(LENGTH) + content)
                await process.stdin.drain()
                length = int.from_bytes(await process.stdout.readexactly(LENGTH))
                answer = await process.stdout.readexactly(length)
                done = True
        except (OSError, EOFError, TimeoutError) as error:
            log.warning("the worker for %s failed: %r", self.name, error)
            raise Fault(FAILED) from None
        finally:
            if not done:  # also if the request was cancelled: its answer must not reach another
                await self._end()
        found: tuple[str, Any] = pickle.loads(answer)  # noqa: S301 from our own process
        return found

    async def _started(self) -> Process:
        """Return the lane's process, started anew if there is none or it has died."""
        if self.closed:
            raise Fault(FAILED)
        if self.process is not None and self.process.returncode is not None:
            await self._end()
        if self.process is None:
            self._killed = False
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__, str(self.niceness), stdin=PIPE, stdout=PIPE,
                env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
            )  # fmt: skip
            log.info("the worker for %s is process %d", self.name, self.process.pid)
        return self.process

    def _kill(self) -> None:
        """Kill the process, at most once: a second signal would reap it before the event loop."""
        if self.process is not None and not self._killed:
            self._killed = True
            with suppress(ProcessLookupError):
                self.process.kill()

    async def _end(self) -> None:
        self._kill()
        process, self.process = self.process, None
        if process is None or process.stdin is None:
            return
        process.stdin.close()
        await process.communicate()
        with suppress(OSError):  # what was not read any more
            await process.stdin.wait_closed()


@dataclass(frozen=True)
class Workers:
    """The four lanes of a server, by whom they serve."""

    light: Lane = field(default_factory=lambda: Lane("patrons", 30, niceness=2))
    """Lane of patrons' requests that take a few milliseconds: ordinary tickets."""
    heavy: Lane = field(default_factory=lambda: Lane("patrons' intricate tickets", 60))
    """Lane of patrons' longer requests: intricate tickets, large bodies, handouts and PDFs."""
    stations: Lane = field(default_factory=lambda: Lane("stations", 60, niceness=5))
    """Lane of stations' requests for odds; patrons have other lanes and cannot delay a writer."""
    cards: Lane = field(default_factory=lambda: Lane("rate cards", 600))
    """Lane of requests to certify rate cards."""

    async def close(self) -> None:
        """Kill the processes of all lanes for good, when the server stops."""
        for lane in (self.light, self.heavy, self.stations, self.cards):
            await lane.close()


# ---------------------------------------------------------------- in the worker


def main(niceness: int) -> None:
    """Run a worker process: set its priority and memory limit, then answer requests.

    The process ends when its standard input closes.
    """
    for each in (signal.SIGINT, signal.SIGTERM):  # the server ends first, and this one with it
        signal.signal(each, signal.SIG_IGN)
    os.nice(niceness)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    asked: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    with os.fdopen(os.dup(1), "wb") as answers, os.fdopen(os.dup(0), "rb") as questions:
        os.dup2(2, 1)  # what a library prints is no answer
        threading.Thread(target=_read, args=(questions, asked), daemon=True).start()
        while True:
            answer = pickle.dumps(_done(asked.get()))
            answers.write(len(answer).to_bytes(LENGTH) + answer)
            answers.flush()


def _read(questions: BinaryIO, asked: "queue.SimpleQueue[bytes]") -> None:
    """Put requests from the pipe into the queue, in a thread; exit the process at its end."""
    while len(head := questions.read(LENGTH)) == LENGTH:
        asked.put(questions.read(int.from_bytes(head)))
    os._exit(0)


def _done(content: bytes) -> tuple[str, Any]:
    try:
        work, args = pickle.loads(content)  # noqa: S301 from our own server
        return "ok", work(*args)
    except Refused as no:
        return "refused", (no.reason, no.message, no.where)
    except MemoryError:
        os._exit(1)  # the next request gets a process with all of its memory
    except Exception:  # noqa: BLE001 our mistake: the server logs it
        return "broken", traceback.format_exc()


if __name__ == "__main__":
    main(int(sys.argv[1]))
