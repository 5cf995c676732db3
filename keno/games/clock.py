"""The conductor's clock: a monotonic time, and a wait that an event can cut short."""

import asyncio
from contextlib import suppress
from typing import Protocol


class Time(Protocol):
    """A monotonic clock in seconds; `wait` ends at an event or after a number of seconds."""

    def monotonic(self) -> float: ...
    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None: ...


class SystemClock:
    """The running event loop's clock, in seconds, as a `Time` for the conductor."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None:
        """Wait until the event is set or the seconds have passed; None waits without a limit."""
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), seconds)
