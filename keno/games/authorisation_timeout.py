"""Timer that lets payout authorisations lapse: unanswered requests and stale approvals.

An approval is stale when its gaming day is over or its giver lost the right (15.6(b)).
"""

import asyncio
import logging
from collections.abc import Callable

from keno.domain.errors import Fault, Refused
from keno.protocol import AuthorisationAnswered
from keno.service import payouts
from keno.service.house import House

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0
"""Seconds between two checks."""
Publish = Callable[[str, AuthorisationAnswered], None]
"""A function that sends an event to the staff of a location."""


async def lapse_forever(house: House, seconds: int, publish: Publish) -> None:
    """Every second let requests older than `seconds` and stale approvals lapse; never return.

    A failure is logged and retried a second later.
    """
    while True:
        try:
            await lapse_now(house, seconds, publish)
        except (Fault, Refused) as error:
            log.warning("authorisations cannot lapse now: %s", error)
        await asyncio.sleep(LOOK_SECONDS)


async def lapse_now(house: House, seconds: int, publish: Publish) -> None:
    """Let requests older than `seconds` and stale approvals lapse once.

    Publish an event for each.
    """
    for done in await payouts.lapse(house, seconds):
        log.info("authorisation %d lapsed", done.authorisation)
        event = AuthorisationAnswered(done.authorisation, done.location, done.ticket, done.state,
                                      "", house.ledger.clock())  # fmt: skip
        publish(done.asked_in, event)
