"""Queries of what voids, rewrites and refunds owe until a supervisor authorises it (15.6(b))."""

from dataclasses import dataclass

from keno.domain.money import Cents
from keno.store.exact_sums import total
from keno.store.transaction import Reads, Row

UNPAID = (
    "e.owed_cents > 0 AND NOT EXISTS (SELECT 1 FROM owed_payments p"
    " WHERE p.location = e.location AND p.ticket = e.ticket)"
)
"""SQL condition of an ending `e` whose money still waits."""


def unpaid(reads: Reads, location: str, ticket: int) -> Row | None:
    """Return the ending of a ticket that still owes money; None if it owes nothing."""
    return reads.one(
        f"SELECT * FROM endings e WHERE e.location = ? AND e.ticket = ? AND {UNPAID}",  # noqa: S608
        location,
        ticket,
    )


def payment(reads: Reads, location: str, ticket: int) -> Row | None:
    """Return the row by which what a ticket was owed was handed over, or None."""
    return reads.one(
        "SELECT * FROM owed_payments WHERE location = ? AND ticket = ?", location, ticket
    )


_OWED = (
    "EXISTS (SELECT 1 FROM endings e WHERE e.location = a.location AND e.ticket = a.ticket"
    " AND e.owed_cents > 0)"
)
"""15.6(b): SQL condition of an authorisation of money that the house owes, not a drawer."""


def pending_authorisations(reads: Reads, shift: int) -> int:
    """Return how many open authorisations keep a shift from closing: not those of owed money."""
    count = reads.value(
        "SELECT count(*) FROM authorisations a WHERE asked_shift = ?"  # noqa: S608
        f" AND state IN ('pending', 'approved') AND NOT {_OWED}",
        shift,
    )
    return int(count)


def pending_of_shift(reads: Reads, shift: int) -> list[int]:
    """Return the pending authorisations that a shift asked for, without those of owed money."""
    rows = reads.rows(
        "SELECT authorisation FROM authorisations a"  # noqa: S608
        f" WHERE asked_shift = ? AND state = 'pending' AND NOT {_OWED} ORDER BY authorisation",
        shift,
    )
    return [row["authorisation"] for row in rows]


def awards_owed(reads: Reads, location: str) -> Cents:
    """Return the cents of awards in a location's refunds whose money still waits."""
    rest = f"FROM endings e WHERE e.location = ? AND {UNPAID}"
    return total(reads.connection, "e.awards_cents", rest, location)


PAYMENTS = (
    "(SELECT location, ticket, kind, ms, actor, station, shift, awards_cents, returns_cents,"
    " refund_cents, coupon_cents, withheld_cents, cash_cents, check_cents, check_number, tax_form,"
    " authorisation FROM endings WHERE kind IN ('payout', 'refund') AND owed_cents = 0 UNION ALL"
    " SELECT p.location, p.ticket, e.kind, p.ms, p.actor, p.station, p.shift, e.awards_cents,"
    " e.returns_cents, CASE e.kind WHEN 'void' THEN e.owed_cents ELSE e.refund_cents END,"
    " p.coupon_cents, p.withheld_cents, p.cash_cents, p.check_cents, p.check_number, p.tax_form,"
    " p.authorisation FROM owed_payments p JOIN endings e ON e.location = p.location"
    " AND e.ticket = p.ticket)"
)
"""SQL of all payments of the house: at the end of a ticket, and later of what was owed.

Of a void and a rewrite only what was owed is a payment; it stands under `refund_cents`.
"""


@dataclass(frozen=True, slots=True)
class OwedRow:
    ticket: int
    ms: int
    kind: str
    """`void`, `rewrite` or `refund`."""
    actor: str
    station: str | None
    owed_cents: Cents
    authorisation: int | None
    """The last authorisation that was asked for."""
    state: str
    """`pending`, `approved`, `denied` or `lapsed`: of that authorisation; `paid` once paid."""
    paid_ms: int | None
    paid_by: str | None
    authorised_by: str | None
    open_cents: Cents
    """What is still owed: 0 once it was paid."""


def owed(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[OwedRow]:
    """15.6(b): return what a location's voids, rewrites and refunds owed at a time of a span.

    Listed is what was owed before the span's end and not paid before its begin, as it is now.
    """
    rows = reads.rows(
        "SELECT e.ticket, e.ms, CASE WHEN e.rewritten_as IS NULL THEN e.kind ELSE 'rewrite' END"
        " AS kind, e.actor, e.station, e.owed_cents, a.authorisation,"
        " CASE WHEN p.ms IS NULL THEN a.state ELSE 'paid' END AS state, p.ms AS paid_ms,"
        " p.actor AS paid_by, a.answered_by AS authorised_by,"
        " CASE WHEN p.ms IS NULL THEN e.owed_cents ELSE 0 END AS open_cents FROM endings e"
        " LEFT JOIN owed_payments p ON p.location = e.location AND p.ticket = e.ticket"
        " LEFT JOIN authorisations a ON a.authorisation = coalesce(p.authorisation,"
        " (SELECT max(l.authorisation) FROM authorisations l WHERE l.ticket = e.ticket"
        " AND l.location = e.location))"
        " WHERE e.location = ?1 AND e.owed_cents > 0 AND e.ms < ?3 AND (p.ms IS NULL OR p.ms >= ?2)"
        " ORDER BY e.ms, e.ticket",
        location,
        from_ms,
        to_ms,
    )
    return [OwedRow(**row) for row in rows]
