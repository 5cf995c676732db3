"""The conductor's clock: monotonic, with a wait that an event can cut short."""

import asyncio
from contextlib import suppress
from typing import Protocol


class Time(Protocol):
    """Protocol of a monotonic clock in seconds, with a wait for an event or a timeout."""

    def monotonic(self) -> float: ...
    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None: ...


class SystemClock:
    """The event loop's clock, as a `Time`."""

    def monotonic(self) -> float:
        return asyncio.get_running_loop().time()

    async def wait(self, changed: asyncio.Event, seconds: float | None) -> None:
        """Wait until the event is set or the seconds have passed; None waits without a limit."""
        with suppress(TimeoutError):
            await asyncio.wait_for(changed.wait(), seconds)
