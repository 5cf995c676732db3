"""Queries of the register of coupons."""

from collections.abc import Sequence
from dataclasses import dataclass

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
