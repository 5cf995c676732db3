"""A house whose tickets may be large, and what is owed paid in it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from keno import protocol
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Payment, Sold
from keno.service.authorising import authorised_row
from keno.service.common import WriterContext
from tests.cards import card_text
from tests.houses import Floor
from tests.integration.ledger.asking import balance, rows, sound
from tests.integration.ledger.events import approve, give_keys, redeem
from tests.integration.ledger.floors import furnished_floor

LARGE = "1 2 3 4: 1/4@750.00 x2"
"""Costs $1,500.00."""


@asynccontextmanager
async def large_floor() -> AsyncIterator[Floor]:
    """A house whose tickets may be large; at the end its ledger must be sound and balanced."""
    card = card_text(rates__regular__max_cents=4_000_00, ticket_max_cents=4_000_00)
    async with furnished_floor(card) as made:
        await give_keys(made)
        yield made
        await balance(made)
        sound(made)


def chips(cents: int) -> Tender:
    return Tender(TenderKind.GAMING_CHIPS, cents)


def cash(cents: int) -> Tender:
    return Tender(TenderKind.CURRENCY, cents)


async def pay(floor: Floor, by: WriterContext, sold: Sold, cents: int) -> protocol.Paid:
    """Let a supervisor approve what a ticket owes, which was asked for, and pay it in cash."""
    asked = await rows(floor, "SELECT max(authorisation) AS number FROM authorisations")
    await approve(floor, await authorisation(floor, asked[0]["number"]))
    return await redeem(floor, by, sold, Payment(cents))


async def authorisation(floor: Floor, number: int) -> protocol.Authorised:
    return await floor.ledger.write("Test", "W1", lambda tx: authorised_row(tx, number))
