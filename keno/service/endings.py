"""Endings: what finally became of a ticket (void, payout, refund, surrender or expiry)."""

from keno.service.common import WriterContext
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction

AMOUNTS = (
    "awards_cents", "returns_cents", "refund_cents", "coupon_cents", "withheld_cents",
    "cash_cents", "check_cents", "in_chips_cents", "in_tokens_cents", "instead_cents",
    "owed_cents", "owed_chips_cents", "owed_tokens_cents", "owed_coupon_cents",
)  # fmt: skip
"""Columns of an ending that are 0 cents unless they are given."""


def record_ending(
    tx: Transaction, row: TicketRow, booth: WriterContext | str, **values: object
) -> None:
    """Insert the row of a ticket's ending; the table's key allows one for each ticket.

    `booth` is the writer's context, or the name of an actor without a station. `values` are further
    columns, such as kind and amounts.
    """
    if isinstance(booth, str):
        who: dict[str, object] = {"actor": booth}
    else:
        who = {"actor": booth.writer, "station": booth.station, "shift": booth.shift}
    tx.insert("endings", location=row.location, ticket=row.number, ms=tx.now_ms,
              **(dict.fromkeys(AMOUNTS, 0) | who | values))  # fmt: skip
