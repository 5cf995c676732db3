"""Voids of the two days whose money waits for a supervisor: still asked, refused, or paid."""

from functools import partial

from keno.protocol import Payment
from keno.service.authorising import authorised_row
from keno.service.common import WriterContext
from tests.houses import Floor
from tests.integration.ledger.events import approve, deny, redeem, void

DEAR = "1/2/3/4/5/6/7/8/9/10: 45/2@20.00 x2"
"""Costs $1,800.00."""


async def money_waits(floor: Floor, booth: WriterContext, much: int) -> None:
    """As many voids: the first one's money stays asked for, then by turns it is paid or refused."""
    for number in range(much):
        sold = await floor.sell(booth, DEAR)
        done = await void(floor, booth, sold)
        floor.clock.forward(ms=300)
        work = partial(authorised_row, number=done.authorisation or 0)
        asked = await floor.ledger.write("Test", "W1", work)
        if number % 2:
            await approve(floor, asked, "S1")
            floor.clock.forward(ms=300)
            await redeem(floor, booth, sold, Payment(1_800_00))
        elif number:
            await deny(floor, asked, "S2")
