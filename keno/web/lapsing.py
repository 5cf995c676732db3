"""Payouts that no supervisor answers in time lapse by themselves, and their station hears of it."""

import asyncio
import logging

from keno.domain.errors import Fault
from keno.messages import AuthorisationAnswered
from keno.service import payouts
from keno.web.server import Server

log = logging.getLogger(__name__)

LOOK_SECONDS = 1.0


async def lapsing(server: Server) -> None:
    """Look every second, for ever; what cannot be written now is written later."""
    while True:
        try:
            await lapse_now(server)
        except Fault as fault:
            log.warning("authorisations cannot lapse now: %s", fault)
        await asyncio.sleep(LOOK_SECONDS)


async def lapse_now(server: Server) -> None:
    """Let go of those that are over their time, and tell the staff of each."""
    for done in await payouts.lapse(server.house, server.config.house.authorisation_seconds):
        log.info("authorisation %d lapsed", done.authorisation)
        event = AuthorisationAnswered(done.authorisation, done.location, done.ticket, done.state,
                                      "", server.house.ledger.clock())  # fmt: skip
        server.hub.publish(done.location, event, staff=True)
