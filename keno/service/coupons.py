"""Coupons: check, spend and issue them.

Each coupon is spent once. The part of a price that a coupon paid is given back as a new coupon.
"""

import re

from keno.domain.coupon import coupon_part
from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.store import queries
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction


def check_coupons(
    tx: Transaction, location: str, tender: tuple[Tender, ...], spent: set[str]
) -> None:
    """Check the coupons in a sale's tender and add their serials to `spent`.

    Refuse a coupon that is spent, has another value or location, or has a serial of our form that
    was never issued. An unknown serial of another form is accepted. `spent` has the serials of the
    earlier sales in this transaction.
    """
    serials = [part.serial for part in tender if part.kind is TenderKind.COUPON and part.serial]
    if not serials:
        return
    for part in tender:
        if part.serial not in serials:
            continue
        coupon = queries.coupon(tx, part.serial)
        ours = _OWN_COUPON.fullmatch(part.serial)
        if coupon is None and ours and queries.location(tx, ours[1]) is not None:
            raise Refused(Refusal.TENDER_DIFFERS, f"Coupon {part.serial} was not issued here.")
        if part.serial in spent or (coupon is not None and coupon["spent_ms"] is not None):
            raise Refused(Refusal.COUPON_SPENT, f"Coupon {part.serial} was already used.")
        if coupon is not None and (coupon["location"], coupon["cents"]) != (location, part.cents):
            raise Refused(
                Refusal.TENDER_DIFFERS, f"Coupon {part.serial} is not worth that much here."
            )
    spent.update(serials)


def coupon_serial(location: str, number: int) -> str:
    """Return the serial of a coupon that a location issues for a part of a price given back."""
    return f"{location}-R{number}"


_OWN_COUPON = re.compile(r"(.+)-R[0-9]+", re.ASCII)
"""Pattern of serials that locations issue themselves; no other coupon may have one."""


def spend_coupon(tx: Transaction, location: str, serial: str, cents: Cents, ticket: int) -> None:
    """Mark a coupon as spent on a ticket; a coupon that the ledger lacks is inserted as spent.

    Raise sqlite3.IntegrityError for a coupon already spent; the ledger then refuses the command.
    """
    if not tx.change_if("coupons", {"serial": serial}, only_if={"spent_ms": None},
                        spent_ms=tx.now_ms, spent_on=ticket):  # fmt: skip
        tx.insert(
            "coupons",
            serial=serial,
            location=location,
            cents=cents,
            spent_ms=tx.now_ms,
            spent_on=ticket,
        )


def issue_coupon(tx: Transaction, location: str, ticket: int, cents: Cents) -> str | None:
    """Issue a new coupon of `cents` for money of a ticket that a coupon paid; return its serial.

    Returns None, and issues nothing, for 0 cents.
    """
    if not cents:
        return None
    serial = coupon_serial(location, tx.next_number(location, "coupon"))
    tx.insert("coupons", serial=serial, location=location, cents=cents, issued_ms=tx.now_ms,
              issued_for=ticket)  # fmt: skip
    return serial


def coupon_of(row: TicketRow, from_cents: Cents, to_cents: Cents) -> Cents:
    """Return the cents that coupons paid of a part of a ticket's price.

    The part is that from `from_cents` to `to_cents`, counted from the price's first cent. Coupons
    pay the first cents, which are those of the earliest games.
    """
    return coupon_part(row.coupon_cents, from_cents, to_cents)
