"""Queries of the register of coupons."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from typing import Any
from zoneinfo import ZoneInfo

from keno.domain.coupon import end_text
from keno.domain.day import GamingDay
from keno.domain.money import Cents
from keno.store.transaction import Reads

AT_ONCE = 500
"""Maximum serials that one SELECT asks for."""


@dataclass(frozen=True, slots=True)
class CouponRow:
    """A coupon of the register; see `keno/store/coupons_schema.py`."""

    serial: str
    location: str
    cents: Cents
    source: str
    issued_ms: int | None
    issued_by: str | None
    second: str | None
    reason: str | None
    issued_for: int | None
    ends_ms: int | None
    spent_ms: int | None
    spent_in: str | None
    spent_on: int | None
    void_ms: int | None
    void_by: str | None
    void_second: str | None
    void_reason: str | None


def coupons_of_form(reads: Reads, form: str) -> list[CouponRow]:
    """Return the coupons whose serial in upper case is `form`, in the order of their serials.

    Only in a ledger that began before version 10 can there be more than one.
    """
    rows = reads.rows("SELECT * FROM coupons WHERE upper(serial) = ? ORDER BY serial", form)
    return [CouponRow(**row) for row in rows]


def coupons_of_ticket(reads: Reads, location: str, ticket: int) -> list[CouponRow]:
    """Return the coupons that paid a ticket."""
    rows = reads.rows(
        "SELECT * FROM coupons WHERE spent_on = ? AND spent_in = ? ORDER BY serial",
        ticket,
        location,
    )
    return [CouponRow(**row) for row in rows]


def known_forms(reads: Reads, forms: Sequence[str]) -> list[str]:
    """Return those of these serials, all in upper case, that a coupon of the register has."""
    found: list[str] = []
    for begin in range(0, len(forms), AT_ONCE):
        part = forms[begin : begin + AT_ONCE]
        marks = ", ".join("?" * len(part))
        rows = reads.rows(
            f"SELECT upper(serial) AS form FROM coupons WHERE upper(serial) IN ({marks})",  # noqa: S608
            *part,
        )
        found += [row["form"] for row in rows]
    return sorted(found)


@dataclass(frozen=True, slots=True)
class CouponListRow:
    """Coupons of one entry into the register that are alike; a used or void one has its own row."""

    serial: str
    last: str
    """The last serial of those alike; of one coupon, its own."""
    coupons: int
    cents: Cents
    """The value of one."""
    total_cents: Cents
    source: str
    state: str
    """`open`, `used` or `void`, at the end of the span."""
    issued_ms: int | None
    issued_by: str | None
    second: str | None
    reason: str | None
    given_for: str | None
    """Name of the ticket whose money it gave back."""
    ends_ms: int | None
    until: str | None
    """The end as text: a gaming day, or a local time; None without an end."""
    spent_ms: int | None
    used_on: str | None
    """Name of the ticket that it paid."""
    void_ms: int | None
    void_by: str | None
    void_second: str | None
    void_reason: str | None


def coupon_list(reads: Reads, location: str, from_ms: int, to_ms: int) -> list[CouponListRow]:
    """Return the coupons that were good, used or declared void in a span of time.

    A location lists those that it entered and those that paid its tickets. Coupons that are over,
    used or void before the span are left out.
    """
    rows = reads.rows(
        "SELECT min(serial) AS serial, max(serial) AS last, count(*) AS coupons, cents,"
        " sum(cents) AS total_cents, source, state, issued_ms, issued_by, second, reason,"
        " CASE WHEN issued_for IS NULL THEN NULL ELSE letter || '-' || issued_for END AS given_for,"
        " ends_ms, zone, day_starts, CASE state WHEN 'used' THEN spent_ms END AS spent_ms,"
        " CASE state WHEN 'used' THEN (SELECT letter FROM locations WHERE location = spent_in)"
        " || '-' || spent_on END AS used_on, CASE state WHEN 'void' THEN void_ms END AS void_ms,"
        " CASE state WHEN 'void' THEN void_by END AS void_by,"
        " CASE state WHEN 'void' THEN void_second END AS void_second,"
        " CASE state WHEN 'void' THEN void_reason END AS void_reason"
        " FROM (SELECT c.*, l.letter, l.zone, l.day_starts, CASE WHEN spent_ms < ?3 THEN 'used'"
        " WHEN void_ms < ?3 THEN 'void' ELSE 'open' END AS state"
        " FROM coupons c JOIN locations l USING (location)"
        " WHERE ?1 IN (location, spent_in) AND coalesce(issued_ms, spent_ms) < ?3"
        " AND (spent_ms IS NULL OR spent_ms >= ?2) AND (void_ms IS NULL OR void_ms >= ?2)"
        " AND (ends_ms IS NULL OR ends_ms >= ?2))"
        " GROUP BY location, source, issued_ms, cents, ends_ms, issued_by, issued_for, state,"
        " CASE state WHEN 'open' THEN '' ELSE serial END"
        " ORDER BY issued_ms, location, min(serial)",
        location,
        from_ms,
        to_ms,
    )
    return [_listed(dict(row)) for row in rows]


def _listed(row: dict[str, Any]) -> CouponListRow:
    days = GamingDay(ZoneInfo(row.pop("zone")), time.fromisoformat(row.pop("day_starts")))
    ends_ms = row["ends_ms"]
    return CouponListRow(**row, until=None if ends_ms is None else end_text(ends_ms, days))


def whole_register(reads: Reads, *, used_too: bool) -> list[CouponRow]:
    """Return every coupon of the house in the order of serials; if not `used_too`, the open ones.

    Open is what is neither used nor void.
    """
    rows = reads.rows(
        "SELECT * FROM coupons WHERE ? OR (spent_ms IS NULL AND void_ms IS NULL) ORDER BY serial",
        used_too,
    )
    return [CouponRow(**row) for row in rows]
