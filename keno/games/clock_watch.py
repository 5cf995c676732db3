"""Timer that checks the machine's clock every second, records doubts, and stores its offsets."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from keno.domain.errors import Fault
from keno.service.clock_steps import record_step
from keno.service.house import House

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""Seconds between two checks; every write to the ledger checks the clock as well."""
LOOKS_PER_KEEP = 60
"""Number of checks after which the clock's offsets are stored again."""


async def watch_clock(
    house: House, wait: Callable[[float], Awaitable[None]] = asyncio.sleep
) -> None:
    """Check the machine's clock for ever, every LOOK_SECONDS, and record a time in doubt.

    A record that cannot be written is retried at the next check.
    """
    looks = 0
    while True:
        try:
            await record_step(house)
        except Fault as fault:
            log.warning("a clock step cannot be recorded now: %s", fault)
        looks += 1
        if looks % LOOKS_PER_KEEP == 0 and house.ledger.trusted_clock is not None:
            await asyncio.to_thread(house.ledger.trusted_clock.keep)
        await wait(LOOK_SECONDS)
