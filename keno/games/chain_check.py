"""Checks the whole audit chain of the ledger at every start and once a day (15.7).

When a ledger is opened, only the rows after its stored head are checked, so that a large file opens
quickly. This check reads every row, in small pieces between sales. A break halts the house, and so
does a rate card that is not stored as it was posted: tickets are priced and paid by it.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator

import msgspec

from keno.domain.errors import Fault, Irregular
from keno.domain.halt import HaltFault
from keno.protocol import PostCard
from keno.service.house import House
from keno.store import halt_queries, queries
from keno.store.head import Head
from keno.store.opening import BREAKS, continues
from keno.store.transaction import Reads, Row

log = logging.getLogger(__name__)

PIECE_ROWS = 500
"""Maximum number of rows checked in one read."""
PIECE_SECONDS = 0.05
"""Seconds between two pieces, left for sales."""
DAY_SECONDS = 86_400.0
"""Seconds between two complete checks."""
RETRY_SECONDS = 10.0
"""Seconds before a check that failed with a Fault is retried."""
CARD_CHANGED = "The rate card {} is not stored as it was posted."
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
    """Check every row of the audit chain once, and the cards that it posts.

    Halt the house at each break, and for each changed card, that is not yet signed off. Raise a
    Fault if the ledger is closed or does not take the halt.
    """
    head = Head(0, bytes(32))

    def piece(reads: Reads) -> tuple[Head, list[str]]:
        tip, found = head, []
        for row in halt_queries.chain_piece(reads, head.seq, PIECE_ROWS):
            if not continues(tip, row):
                found.append(BREAKS.format(row["seq"]))
            elif row["kind"] == PostCard.ledger.kind:
                found += changed_cards(reads, row)
            tip = Head(row["seq"], row["hash"])
        return tip, found

    while True:
        tip, found = await house.ledger.read(piece)
        for each in found:
            await house.ledger.halt(Irregular(HaltFault.CHAIN, each))
        if tip.seq == head.seq:
            return
        head = tip
        await wait(PIECE_SECONDS)


def changed_cards(reads: Reads, row: Row) -> Iterator[str]:
    """Yield a finding for the card that an audit row posted, if the stored card is another."""
    for change in msgspec.json.decode(row["body"]):
        if change.get("insert") == "cards":
            version, posted = change["row"]["version"], change["row"]["toml"]
            if queries.card_text(reads, version) != posted:
                yield CARD_CHANGED.format(version)
