"""The timer of authorisations: a request that no supervisor answers in time lapses."""

import asyncio
import logging
from collections.abc import Callable

from keno.domain.errors import Fault
from keno.protocol import AuthorisationAnswered
from keno.service import payouts
from keno.service.house import House

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""Seconds between two looks."""
Publish = Callable[[str, AuthorisationAnswered], None]
"""Sends an event to the staff of a location."""


async def lapse_forever(house: House, seconds: int, publish: Publish) -> None:
    """Let requests lapse that are older than `seconds`; retry what cannot be written now."""
    while True:
        try:
            await lapse_now(house, seconds, publish)
        except Fault as fault:
            log.warning("authorisations cannot lapse now: %s", fault)
        await asyncio.sleep(LOOK_SECONDS)


async def lapse_now(house: House, seconds: int, publish: Publish) -> None:
    """Let overdue requests lapse, and publish an event for each."""
    for done in await payouts.lapse(house, seconds):
        log.info("authorisation %d lapsed", done.authorisation)
        event = AuthorisationAnswered(done.authorisation, done.location, done.ticket, done.state,
                                      "", house.ledger.clock())  # fmt: skip
        publish(done.location, event)
