"""Entries of a writer's drawer: what it holds, and every movement, which is a row of the shift."""

from collections.abc import Iterable, Mapping
from typing import Any

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents, format_dollars
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.shift import INTO_THE_DRAWER, DrawerEvent, received_for
from keno.domain.states import DrawerKind, TenderKind
from keno.domain.tender import (
    CASH,
    CHANGED_IN_ORDER,
    Received,
    by_drawer_kind,
    drawer_kind,
    tender_kind,
)
from keno.protocol.base import KindCents
from keno.protocol.payouts import Owed, Payment
from keno.service.common import require_second
from keno.service.sale import Sale
from keno.store import drawer_queries, queries
from keno.store.rows import TicketRow
from keno.store.transaction import Reads, Transaction


def held(reads: Reads, shift: int, kind: DrawerKind) -> Cents:
    """Return the cents of a kind that the drawer of a shift should hold now."""
    return drawer_queries.held(
        reads, shift, [each for each in TenderKind if drawer_kind(each) is kind]
    )


def drawer_entry(
    tx: Transaction,
    shift: int,
    event: str,
    cents: Cents,
    ticket: int | None = None,
    kind: DrawerKind = DrawerKind.CASH,
) -> None:
    """Insert a row for what is put into or taken out of a shift's drawer; the event says which.

    Refuse to take out more of a kind than the drawer holds.
    """
    if event not in INTO_THE_DRAWER and cents > held(tx, shift, kind):
        raise Refused(
            Refusal.PAYMENT_DIFFERS, f"The drawer does not hold that much {_NAMED[kind]}."
        )
    entry = queries.next_key(tx, "drawer", "entry")
    tx.insert("drawer", entry=entry, shift=shift, event=event, kind=tender_kind(kind).value,
              cents=cents, ticket=ticket, ms=tx.now_ms)  # fmt: skip


_NAMED = {
    DrawerKind.CASH: "cash",
    DrawerKind.GAMING_CHIPS: "in gaming chips",
    DrawerKind.COUPON: "in coupons",
    DrawerKind.SLOT_TOKENS: "in slot tokens",
}
"""The kinds of a drawer, as a sentence about its content names them."""


def check_change(tx: Transaction, sale: Sale, in_batch: Iterable[Mapping[str, Any]]) -> str | None:
    """15.4(c): refuse change that the drawer does not hold with what came in for the ticket.

    `in_batch` has the accepted sales that are not in the drawer yet. Return the supervisor who
    approves large change for chips or tokens; None if none is needed.
    """
    booth, received = sale.booth, received_for(sale.tender, sale.price_cents)
    changed = received.changed_cents
    if not changed:  # the cash that came in holds the change
        return None
    supervisor = None
    if changed >= AUTHORISATION_CENTS:
        if booth.second is None:
            needed = f"A supervisor approves {format_dollars(changed)} in cash for chips or tokens."
            raise Refused(Refusal.AUTHORISATION_NEEDED, needed, "tender")
        supervisor = require_second(tx, booth)
    ahead = sum(
        sum(cents for kind, cents, _ in row["tender"] if kind in CASH) - row["change"]
        for row in in_batch
        if row["shift"] == booth.shift
    )
    if changed > held(tx, booth.shift, DrawerKind.CASH) + ahead:
        lacks = f"The drawer does not hold {format_dollars(changed)} in cash for the change."
        raise Refused(Refusal.PAYMENT_DIFFERS, lacks, "tender")
    return supervisor


def give_back(tx: Transaction, shift: int, ticket: int, back: Mapping[DrawerKind, Cents]) -> None:
    """Insert rows for what a void takes out of a drawer, by kind; a coupon's part is no row.

    Refuse what the drawer does not hold; only if it lacks chips or tokens may cash do instead.
    """
    for kind in CHANGED_IN_ORDER:
        cents = back[kind]
        if not cents:
            continue
        if kind is not DrawerKind.CASH and cents > held(tx, shift, kind):
            lacks = f"The drawer does not hold {format_dollars(cents)} {_NAMED[kind]}"
            raise Refused(Refusal.NOT_IN_DRAWER, f"{lacks}: give it in cash.")
        drawer_entry(tx, shift, DrawerEvent.VOID, cents, ticket, kind)


def pay_out(tx: Transaction, shift: int, ticket: int, owed: Owed, payment: Payment) -> None:
    """Insert drawer entries for a payment's cash: first as refund, then as return, then award."""
    parts = (
        ("refund", owed.refund_cents - owed.coupon_of_refund_cents),
        ("return", owed.returns_cents - owed.coupon_of_returns_cents),
        ("payout", owed.awards_cents),
    )
    left = payment.cash_cents
    for event, cents in parts:
        taken = min(left, cents)
        if taken:
            drawer_entry(tx, shift, event, taken, ticket)
            left -= taken


def kind_cents(amounts: Mapping[DrawerKind, Cents]) -> tuple[KindCents, ...]:
    """Return amounts by kind as answers have them, without those of 0 cents."""
    return tuple(KindCents(kind.value, amounts[kind]) for kind in DrawerKind if amounts[kind])


def received_for_ticket(reads: Reads, row: TicketRow) -> Received:
    """Return what came in for a ticket, and its change, from the drawer of the shift that sold it.

    Raise ValueError if the entries do not make the ticket's price.
    """
    rows = drawer_queries.taken_for(reads, row.shift, row.number)
    moved = [(event, TenderKind(kind), cents) for event, kind, cents in rows]
    change = sum(cents for event, _, cents in moved if event == DrawerEvent.CHANGE)
    came = by_drawer_kind((kind, cents) for event, kind, cents in moved
                          if event == DrawerEvent.SALE)  # fmt: skip
    if sum(came.values()) - change != row.price_cents:
        raise ValueError(f"the drawer's entries of ticket {row.number} do not make its price")
    return Received(came, change)
