"""Checks the whole audit chain of the ledger at every start and once a day (15.7).

When a ledger is opened, only the rows after its stored head are checked, so that a large file opens
quickly. This check reads every row, in small pieces between sales. A break halts the house.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from keno.domain.errors import Fault, Irregular
from keno.domain.halt import HaltFault
from keno.service.house import House
from keno.store import halt_queries
from keno.store.head import Head
from keno.store.opening import BREAKS, continues
from keno.store.transaction import Reads

log = logging.getLogger(__name__)

PIECE_ROWS = 500
"""Maximum number of rows checked in one read."""
PIECE_SECONDS = 0.05
"""Seconds between two pieces, left for sales."""
DAY_SECONDS = 86_400.0
"""Seconds between two complete checks."""
RETRY_SECONDS = 10.0
"""Seconds before a check that failed with a Fault is retried."""
Wait = Callable[[float], Awaitable[None]]
"""A function that waits for a number of seconds."""


async def check_chain_daily(house: House, wait: Wait = asyncio.sleep) -> None:
    """Check the whole audit chain now and then once a day, for ever.

    A break that is not yet signed off halts the house; the daily checks go on. After a Fault the
    check is retried in `RETRY_SECONDS`.
    """
    while True:
        try:
            await check_chain(house, wait)
        except Fault as error:
            log.warning("the chain cannot be checked now: %s", error)
            await wait(RETRY_SECONDS)
        else:
            await wait(DAY_SECONDS)


async def check_chain(house: House, wait: Wait = asyncio.sleep) -> None:
    """Check every row of the audit chain once; halt the house at each break not yet signed off.

    Raise a Fault if the ledger is closed or does not take the halt.
    """
    head = Head(0, bytes(32))

    def piece(reads: Reads) -> tuple[Head, list[int]]:
        tip, breaks = head, []
        for row in halt_queries.chain_piece(reads, head.seq, PIECE_ROWS):
            if not continues(tip, row):
                breaks.append(row["seq"])
            tip = Head(row["seq"], row["hash"])
        return tip, breaks

    while True:
        tip, breaks = await house.ledger.read(piece)
        for seq in breaks:
            await house.ledger.halt(Irregular(HaltFault.CHAIN, BREAKS.format(seq)))
        if tip.seq == head.seq:
            return
        head = tip
        await wait(PIECE_SECONDS)
