"""A clock that the test turns, and a ledger that says when nobody works with it.

Conductors do real work in real threads between two looks at the clock. The clock goes on only when
all that work is done, so an hour passes in seconds and always in the same way.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar
from unittest.mock import patch

from keno.domain.errors import Fault
from keno.domain.roles import SYSTEM
from keno.store.ledger import CANNOT_WRITE, Ledger, Many
from keno.store.transaction import Reads, Transaction
from tests.houses import Clock

T = TypeVar("T")
QUIET_TURNS = 25
"""So many turns of the event loop without work mean that everybody sleeps."""


class PowerCut(BaseException):
    """The process ends here, as far as the conductor knows."""


@dataclass
class Work:
    """What is under way outside the event loop, and where it is cut off."""

    under_way: int = 0
    writes: list[str] = field(default_factory=list)
    """The kinds of all writes of the games, in order."""
    cut: Callable[[str, int], bool] = lambda _kind, _index: False
    """Whether to cut before a write, given its kind and how many came before it."""
    full: dict[str, int] = field(default_factory=dict)
    """How many more writes of a kind find the disk full."""
    cut_after: bool = False
    """Cut after the write is durable instead: nobody hears of it."""


def before_write(number: int) -> Callable[[str, int], bool]:
    """Cut at the write with this number."""
    return lambda _kind, index: index == number


class WatchedLedger(Ledger):
    """A ledger that counts who waits for it, and that can fail the conductor at any write."""

    work: Work

    async def read(self, work: Callable[[Reads], T]) -> T:
        self.work.under_way += 1
        try:
            return await super().read(work)
        finally:
            self.work.under_way -= 1

    async def write(self, kind: str, actor: str, work: Callable[[Transaction], T]) -> T:
        mine = self.work
        cutting = actor == SYSTEM and mine.cut(kind, len(mine.writes))
        if actor == SYSTEM:
            mine.writes.append(kind)
        if cutting and not mine.cut_after:
            raise PowerCut(kind)
        if mine.full.get(kind, 0) > 0:
            mine.full[kind] -= 1
            raise Fault(CANNOT_WRITE)
        mine.under_way += 1
        try:
            done = await super().write(kind, actor, work)
        finally:
            mine.under_way -= 1
        if cutting:
            raise PowerCut(kind)
        return done

    def write_many(self, kind: str, actor: str, many: Many, item: object) -> "asyncio.Future[Any]":
        self.work.under_way += 1
        waiting = super().write_many(kind, actor, many, item)
        waiting.add_done_callback(self._done)
        return waiting

    def _done(self, _: "asyncio.Future[Any]") -> None:
        self.work.under_way -= 1


@contextmanager
def watched_threads(work: Work) -> Iterator[None]:
    """Count what is done in threads until whoever waits for it has heard of it."""
    to_thread = asyncio.to_thread

    async def counted(function: Callable[..., T], /, *given: Any, **named: Any) -> T:
        work.under_way += 1
        try:
            return await to_thread(function, *given, **named)
        finally:
            work.under_way -= 1

    with patch("asyncio.to_thread", counted):
        yield


@dataclass(eq=False)
class VirtualTime:
    """`Conductor.time` and the ledger's clock, which the test turns together or apart."""

    wall: Clock
    work: Work
    now: float = 0.0
    watch: Callable[[], None] = lambda: None
    """Looks after the conductors: raises if one has died."""
    _sleepers: dict["asyncio.Future[None]", float | None] = field(default_factory=dict)

    def monotonic(self) -> float:
        return self.now

    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None:
        if changed.is_set() or (seconds is not None and seconds <= 0):
            await asyncio.sleep(0)
            return
        sleeper: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers[sleeper] = None if seconds is None else round(self.now + seconds, 6)
        told = asyncio.ensure_future(changed.wait())
        ends: list[asyncio.Future[Any]] = [sleeper, told]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            del self._sleepers[sleeper]
            told.cancel()

    async def quiet(self) -> None:
        """Wait until everybody sleeps or waits for somebody who does not answer."""
        turns = 0
        while turns < QUIET_TURNS:
            await asyncio.sleep(0.0002 if self.work.under_way else 0)
            turns = 0 if self.work.under_way else turns + 1
            self.watch()

    async def forward(self, seconds: float) -> None:
        """Let so much time pass, waking everybody at their time and in their order."""
        target = round(self.now + seconds, 6)
        await self.quiet()
        while (due := self._next_due()) is not None and due <= target:
            self._set(due)
            for sleeper, until in tuple(self._sleepers.items()):
                if until is not None and until <= due and not sleeper.done():
                    sleeper.set_result(None)
            await self.quiet()
        self._set(target)

    def _next_due(self) -> float | None:
        return min((until for until in self._sleepers.values() if until is not None), default=None)

    def _set(self, now: float) -> None:
        self.wall.forward(ms=round(now * 1000) - round(self.now * 1000))
        self.now = max(self.now, now)

    def forget(self) -> None:
        """All sleepers are gone: their process has ended."""
        self._sleepers.clear()
