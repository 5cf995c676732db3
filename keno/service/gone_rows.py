"""Check for tickets whose ending or hold is in the audit chain while its row is missing (15.7).

After the resume such a ticket is still refused: as ended, or as held until a supervisor has taken
its paper again.
"""

from keno.domain.errors import Irregular, Refusal
from keno.domain.halt import HaltFault
from keno.domain.states import Ending
from keno.store import not_issued_queries, owed_queries, queries
from keno.store.rows import TicketRow
from keno.store.trace_queries import traced_rows
from keno.store.transaction import Reads

PAID = "Ticket {} was paid, and the row of its payout is gone."
VOIDED = "Ticket {} was voided, and the row of that is gone."
SURRENDERED = "Ticket {} was confirmed as not issued, and the row of that is gone."
HELD = "Ticket {} was held as not issued, and the row of that is gone."


def check_kept(reads: Reads, row: TicketRow) -> None:
    """Raise `Irregular`, which halts the location, if the row of a ticket's ending or hold is gone.

    The audit chain shows that the ticket ended, or was held as not issued. Called before a ticket
    is paid.
    """
    traced = traced_rows(reads, row.location, row.number)
    key = row.location, row.number
    if "endings" in traced and queries.ending(reads, *key) is None:
        raise _gone(row, *_ENDED.get(traced["endings"].get("kind"), _BY_PAYMENT))
    if "owed_payments" in traced and owed_queries.payment(reads, *key) is None:
        raise _gone(row, *_BY_PAYMENT)
    if "not_issued" in traced and not_issued_queries.find(reads, *key) is None:
        raise _gone(row, HELD, Refusal.HELD_NOT_ISSUED)


_BY_PAYMENT = PAID, Refusal.ALREADY_PAID
_ENDED: dict[object, tuple[str, Refusal]] = {
    Ending.VOID: (VOIDED, Refusal.VOID),
    Ending.SURRENDER: (SURRENDERED, Refusal.NOT_ISSUED),
}
"""Finding and refusal by the kind of an ending; those of a payout or refund by default."""


def _gone(row: TicketRow, found: str, reason: Refusal) -> Irregular:
    said = found.format(row.number)
    return Irregular(HaltFault.ROW, said, location=row.location, reason=reason)
