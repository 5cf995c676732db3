"""Voids of the two days whose money waits for a supervisor: still asked, refused, or paid."""

from functools import partial
from typing import Any

from keno.protocol import Payment
from keno.service.authorising import authorised_row
from keno.service.common import WriterContext
from tests.houses import Floor
from tests.integration.ledger.events import approve, deny, redeem, void
from tests.integration.web.exceptional import Tables, day_of

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


# ---------------------------------------------------------------- the same, from the tables

PAID = (
    "SELECT location, ticket, ms, awards_cents + returns_cents + refund_cents AS total,"
    " cash_cents, check_cents, withheld_cents, authorisation FROM endings"
    " WHERE kind IN ('payout', 'refund') UNION ALL"
    " SELECT p.location, p.ticket, p.ms, e.owed_cents, p.cash_cents, p.check_cents,"
    " p.withheld_cents, p.authorisation FROM owed_payments p JOIN endings e"
    " USING (location, ticket)"
)
"""All payments: of tickets that end with them, and later of what voids owed."""
OWED_COLUMNS = (
    "ticket", "ms", "kind", "actor", "owed_cents", "state", "paid_ms", "authorised_by",
    "open_cents",
)  # fmt: skip


def owed_of_tables(told: Tables, location: str, day: str) -> list[tuple[Any, ...]]:
    """What was owed on a day: since that day or before, and not paid before it."""
    payments = {(r["location"], r["ticket"]): r for r in told.raw("SELECT * FROM owed_payments")}
    asked = {(r["location"], r["ticket"]): r for r in told.raw("SELECT * FROM authorisations")}
    found: list[tuple[Any, ...]] = []
    for row in told.raw("SELECT * FROM endings WHERE owed_cents > 0"):
        paid = payments.get((row["location"], row["ticket"]))
        until = "9999" if paid is None else day_of(paid["ms"])
        if row["location"] == location and day_of(row["ms"]) <= day <= until:
            answer = asked[location, row["ticket"]]
            found.append(
                (row["ticket"], row["ms"], "void", row["actor"], row["owed_cents"],
                 "paid" if paid else answer["state"], paid and paid["ms"], answer["answered_by"],
                 0 if paid else row["owed_cents"])
            )  # fmt: skip
    return found
