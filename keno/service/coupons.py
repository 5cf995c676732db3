"""Coupons that pay tickets: checked, spent, moved by a rewrite, and given back as new ones.

A coupon stands in the house's register before it is used (15.3(b)) and works once in the house, at
any location. The part of a price that a coupon paid is given back as a new coupon.
"""

from dataclasses import dataclass, field, replace

from keno.domain.coupon import (
    SERIAL_MAX,
    Coupon,
    CouponSource,
    check_serial,
    check_usable,
    check_worth,
    coupon_part,
    given_back_end,
    same_form,
    unknown_coupon,
)
from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.shift import DrawerEvent, Tender
from keno.domain.states import TenderKind
from keno.service.clock_steps import check_expiry
from keno.service.house import House, days_of
from keno.store import queries
from keno.store.coupon_queries import CouponRow, coupons_of_form, coupons_of_ticket
from keno.store.rows import TicketRow
from keno.store.transaction import Reads, Transaction

StoredTender = tuple[str, Cents, str | None]
"""A part of a sale's tender as the ledger stores it: kind, cents, and a coupon's serial."""

SENT_MAX = 64
"""Maximum characters of a presented serial; older versions took as many."""


def check_coupon_text(serial: str) -> None:
    """Refuse a serial that no coupon of any version can have, such as one with a space."""
    if len(serial) > SENT_MAX or not serial.isascii() or not serial.isprintable():
        said = (
            f"The serial of a coupon has letters A to Z, digits and hyphens, {SERIAL_MAX} at most."
        )
        raise Refused(Refusal.MALFORMED, said, "tender")
    if " " in serial:  # "P 1" and "P1" would be two coupons, and it works once
        raise Refused(Refusal.MALFORMED, "The serial of a coupon has no spaces.", "tender")


@dataclass(frozen=True, slots=True)
class CouponUse:
    """Where and when coupons are presented, and which of them are good or not beside the register.

    `taken` are serials that earlier tender of the same transaction used. Coupons of `rewrites`, the
    ticket that is being rewritten, can be used again, for the ticket in its place.
    """

    location: str
    now_ms: int
    taken: set[str] = field(default_factory=set)
    rewrites: TicketRow | None = None


def check_coupons(
    house: House, tx: Transaction, use: CouponUse, tender: tuple[Tender, ...]
) -> list[StoredTender]:
    """Return a sale's tender with each coupon under the serial of the register.

    Refuse a coupon that is unknown, used, void, over, or worth another amount. The accepted
    serials are added to those taken.
    """
    stored: list[StoredTender] = []
    own = replace(use, taken=set(use.taken))
    for part in tender:
        serial = part.serial
        if part.kind is TenderKind.COUPON:
            row = usable_coupon(house, tx, own, serial or "", part.cents)
            check_worth(rules_of(tx, row), part.cents)
            own.taken.add(row.serial)
            serial = row.serial
        stored.append((part.kind.value, part.cents, serial))
    use.taken.update(own.taken)
    return stored


def usable_coupon(
    house: House, reads: Reads, use: CouponUse, serial: str, cents: Cents | None = None
) -> CouponRow:
    """Return the coupon of the register that a serial names, if it can be used now; else refuse.

    Where old serials differ in case only, a usable one goes before others, then the one spelt so,
    of this value, of this location.
    """
    judged = [(_why_not(reads, use, row), row) for row in _named(reads, serial)]
    refused, row = min(
        judged,
        key=lambda each: (
            each[0] is not None,
            each[1].serial != serial,
            each[1].cents != cents,
            each[1].location != use.location,
        ),
    )
    if refused is None:
        return row
    if refused.reason is Refusal.COUPON_EXPIRED:
        check_expiry(house, reads, use.now_ms)
    raise refused


def open_coupon(reads: Reads, serial: str) -> CouponRow:
    """Return the coupon that a serial names, one that is neither used nor void before others.

    Among those, the one spelt so goes first. Refuse an unknown serial.
    """
    return min(
        _named(reads, serial),
        key=lambda row: ((row.spent_ms or row.void_ms) is not None, row.serial != serial),
    )


def _named(reads: Reads, serial: str) -> list[CouponRow]:
    """Return the coupons that a serial names: one, or more in an old ledger; refuse an unknown."""
    found = coupons_of_form(reads, same_form(serial))
    if not found:
        raise unknown_coupon(check_serial(serial))
    return found


def _why_not(reads: Reads, use: CouponUse, row: CouponRow) -> Refused | None:
    """Return why a coupon cannot be used now; None if it can."""
    if row.serial in use.taken:
        return _used(row.serial)
    if use.rewrites is not None and _paid(row, use.rewrites):
        return None
    try:
        check_usable(rules_of(reads, row), use.now_ms, days_of(reads, use.location))
    except Refused as refused:
        return refused
    return None


def _used(serial: str) -> Refused:
    return Refused(Refusal.COUPON_SPENT, f"Coupon {serial} was already used.", "tender")


def _paid(row: CouponRow, ticket: TicketRow) -> bool:
    return (row.spent_in, row.spent_on) == (ticket.location, ticket.number)


def rules_of(reads: Reads, row: CouponRow) -> Coupon:
    """Return a coupon of the register as the domain's rules take it."""
    used_for = None
    if row.spent_in is not None:
        place = queries.location(reads, row.spent_in)
        used_for = f"{'?' if place is None else place['letter']}-{row.spent_on}"
    return Coupon(row.serial, row.cents, row.ends_ms, used_for, row.void_ms is not None)


def spend_coupon(
    tx: Transaction, location: str, serial: str, ticket: int, rewrites: TicketRow | None = None
) -> None:
    """Mark a coupon of the register as spent on a ticket, or as moved to it by a rewrite.

    Refused if the coupon is not as `check_coupons` saw it.
    """
    fresh: dict[str, object] = {"spent_ms": None, "void_ms": None}
    if rewrites is not None and any(
        row.serial == serial for row in coupons_of_ticket(tx, rewrites.location, rewrites.number)
    ):
        fresh = {"spent_in": rewrites.location, "spent_on": rewrites.number}
    if not tx.change_if("coupons", {"serial": serial}, only_if=fresh, spent_ms=tx.now_ms,
                        spent_in=location, spent_on=ticket):  # fmt: skip
        raise _used(serial)


def give_back(house: House, tx: Transaction, row: TicketRow, cents: Cents) -> str | None:
    """Enter a new coupon of `cents` for money of a ticket that coupons paid; return its serial.

    Its end is that of the coupons that paid, or some days from now (`House.coupon_days`), whichever
    is later. Returns None, and enters nothing, for 0 cents.
    """
    if not cents:
        return None
    days = days_of(tx, row.location)
    paid = coupons_of_ticket(tx, row.location, row.number)
    ends = [each.ends_ms for each in paid if each.source != CouponSource.TAKEN_OVER]
    ends_ms = given_back_end(ends, days.of(tx.now_ms), house.coupon_days, days)
    serial = next_serial(tx, row.location)
    tx.insert("coupons", serial=serial, location=row.location, cents=cents,
              source=CouponSource.GIVEN_BACK.value, issued_ms=tx.now_ms, issued_for=row.number,
              ends_ms=ends_ms)  # fmt: skip
    return serial


def kept_by_rewrite(tx: Transaction, row: TicketRow, shift: int) -> Cents:
    """Return the cents of a ticket's coupons that its rewrite moved to the new ticket.

    Their paper is in the drawer of the first sale. The new sale has taken it in a second time, so
    as much leaves this drawer again.
    """
    left = coupons_of_ticket(tx, row.location, row.number)
    kept = row.coupon_cents - sum(each.cents for each in left)
    if kept:
        tx.insert("drawer", entry=queries.next_key(tx, "drawer", "entry"), shift=shift,
                  event=DrawerEvent.VOID.value, kind=TenderKind.COUPON.value, cents=kept,
                  ticket=row.number, ms=tx.now_ms)  # fmt: skip
    return kept


def next_serial(tx: Transaction, location: str) -> str:
    """Return the next serial of a location's own coupons: its letter, and a number.

    A number whose serial the register has already, from a printed batch or an older version, is
    passed over.
    """
    place = queries.location(tx, location)
    letter = "X" if place is None else place["letter"]
    while True:
        serial = f"{letter}-R{tx.next_number(location, 'coupon')}"
        if not coupons_of_form(tx, serial):
            return serial


def coupon_of(row: TicketRow, from_cents: Cents, to_cents: Cents) -> Cents:
    """Return the cents that coupons paid of a part of a ticket's price.

    The part is that from `from_cents` to `to_cents`, counted from the price's first cent. Coupons
    pay the first cents, which are those of the earliest games.
    """
    return coupon_part(row.coupon_cents, from_cents, to_cents)
