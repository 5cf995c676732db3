"""Endings: what finally became of a ticket (void, payout, refund, surrender or expiry)."""

from keno.service.common import WriterContext
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction

AMOUNTS = (
    "awards_cents", "returns_cents", "refund_cents", "coupon_cents", "withheld_cents",
    "cash_cents", "check_cents",
)  # fmt: skip
"""Columns of an ending that are 0 cents unless they are given."""


def record_ending(
    tx: Transaction, row: TicketRow, booth: WriterContext | str, **values: object
) -> None:
    """Insert the ending of a ticket, by a writer at a booth or by an actor's name.

    The table's key allows one ending for each ticket.
    """
    if isinstance(booth, str):
        who: dict[str, object] = {"actor": booth}
    else:
        who = {"actor": booth.writer, "station": booth.station, "shift": booth.shift}
    tx.insert("endings", location=row.location, ticket=row.number, ms=tx.now_ms,
              **(dict.fromkeys(AMOUNTS, 0) | who | values))  # fmt: skip
