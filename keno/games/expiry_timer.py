"""Timer that once an hour expires a location's claims whose time has passed (15.6(c))."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

from keno.domain.errors import Fault, Refused
from keno.domain.roles import SYSTEM
from keno.service.house import House
from keno.service.payouts import Expire, expire

log = logging.getLogger(__name__)

EXPIRE_SECONDS = 3_600.0
"""Seconds between two expiries."""
RETRY_SECONDS = 10.0
"""Seconds before a failed expiry is retried."""


Note = Callable[[Fault | Refused | None], None]
"""A function called with the error when claims cannot expire, and with None when they can."""


async def expire_forever(
    house: House,
    location: str,
    wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    note: Note = lambda _: None,
) -> None:
    """Expire the claims of a location now and then every hour, for ever; retry failures.

    `note` gets the outcome of each attempt.
    """
    while True:
        try:
            done = await expire(house, Expire(f"expiry-{secrets.token_hex(12)}", location, SYSTEM))
        except (Fault, Refused) as error:
            log.warning("%s: claims cannot expire now: %s", location, error)
            note(error)
            await wait(RETRY_SECONDS)
        else:
            note(None)
            if done.tickets:
                log.info("%s: %d claims expired", location, len(done.tickets))
            await wait(EXPIRE_SECONDS)
