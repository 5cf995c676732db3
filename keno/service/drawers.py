"""Entries of currency in a writer's drawer: every movement is a row of the shift."""

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import INTO_THE_DRAWER
from keno.store import queries
from keno.store.transaction import Transaction


def drawer_entry(
    tx: Transaction, shift: int, event: str, cents: Cents, ticket: int | None = None
) -> None:
    """Insert a row for currency put into or taken out of a shift's drawer.

    The event says which. Refuse to take out more than the drawer holds.
    """
    if event not in INTO_THE_DRAWER and cents > queries.currency(tx, shift):
        raise Refused(Refusal.PAYMENT_DIFFERS, "The drawer does not hold that much currency.")
    entry = queries.next_key(tx, "drawer", "entry")
    tx.insert("drawer", entry=entry, shift=shift, event=event, kind="currency", cents=cents,
              ticket=ticket, ms=tx.now_ms)  # fmt: skip
