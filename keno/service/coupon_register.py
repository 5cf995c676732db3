"""Commands on the house's register of coupons: issue one, register a batch, declare one void.

In a live house each needs a second person. A coupon is worth money from this moment on.
"""

from keno.domain.coupon import (
    CouponSource,
    check_batch,
    check_end,
    check_usable,
    check_value,
    serials_between,
    until,
)
from keno.domain.errors import Refusal, Refused, counted
from keno.domain.game import check_reason
from keno.domain.roles import COUPON_APPROVERS, SUPERVISORS
from keno.protocol.coupons import (
    CouponBatch,
    CouponView,
    CouponVoided,
    IssueCoupon,
    RegisterCoupons,
    VoidCoupon,
)
from keno.service.access_changes import approved_by_second
from keno.service.binding import answers
from keno.service.common import StaffContext, answer_once, require_user
from keno.service.coupons import check_coupon_text, next_serial, open_coupon, rules_of
from keno.service.house import House, days_of
from keno.service.listings import read_day
from keno.store import queries
from keno.store.coupon_queries import known_forms
from keno.store.transaction import Transaction


@answers(IssueCoupon)
async def issue_coupon(house: House, by: StaffContext, command: IssueCoupon) -> CouponView:
    """Enter one coupon in the register, numbered by the house, and return it."""

    def work(tx: Transaction) -> CouponView:
        ends_ms = _entry(tx, command)
        second = _people(house, tx, by, command.reason)
        serial = next_serial(tx, command.location)
        tx.insert("coupons", serial=serial, location=command.location, cents=command.cents,
                  source=CouponSource.ISSUED.value, issued_ms=tx.now_ms, issued_by=by.person,
                  second=second, reason=command.reason or None, ends_ms=ends_ms)  # fmt: skip
        words = until(ends_ms, days_of(tx, command.location))
        return CouponView(serial, command.cents, ends_ms, words)

    return await answer_once(house, by, command, work)


@answers(RegisterCoupons)
async def register_coupons(house: House, by: StaffContext, command: RegisterCoupons) -> CouponBatch:
    """Enter a batch of printed coupons in the register, all or none.

    Refuse a serial that the register has, in whichever case, or that comes twice in the batch.
    """

    def work(tx: Transaction) -> CouponBatch:
        serials = _serials(command)
        ends_ms = _entry(tx, command)
        second = _people(house, tx, by, command.reason)
        known = known_forms(tx, serials)
        if known:
            more = f" and {counted(len(known) - 1, 'other')}" if len(known) > 1 else ""
            are = "are" if more else "is"
            raise Refused(
                Refusal.COUPON_KNOWN,
                f"{known[0]}{more} {are} in the register already. Nothing was registered.",
                "serials",
            )
        fields = {"location": command.location, "cents": command.cents,
                  "source": CouponSource.REGISTERED.value, "issued_ms": tx.now_ms,
                  "issued_by": by.person, "second": second, "reason": command.reason or None,
                  "ends_ms": ends_ms}  # fmt: skip
        names, values = ("serial", *fields), tuple(fields.values())
        tx.insert_many("coupons", names, [(serial, *values) for serial in serials])
        tx.changes.append({"coupons": serials, "row": fields})
        words = until(ends_ms, days_of(tx, command.location))
        return CouponBatch(len(serials), serials[0], serials[-1], command.cents, ends_ms, words)

    return await answer_once(house, by, command, work)


@answers(VoidCoupon)
async def void_coupon(house: House, by: StaffContext, command: VoidCoupon) -> CouponVoided:
    """Declare an unused coupon void, with a reason; refuse one that is used or void already."""
    check_coupon_text(command.serial)

    def work(tx: Transaction) -> CouponVoided:
        check_reason(command.reason)
        row = open_coupon(tx, command.serial)
        coupon = rules_of(tx, row)
        # One that is over may still be declared void: its paper was destroyed.
        check_usable(coupon, row.ends_ms or 0, days_of(tx, row.location))
        second = _people(house, tx, by, command.reason)
        if not tx.change_if("coupons", {"serial": row.serial},
                            only_if={"spent_ms": None, "void_ms": None}, void_ms=tx.now_ms,
                            void_by=by.person, void_second=second,
                            void_reason=command.reason):  # fmt: skip
            raise Refused(Refusal.COUPON_SPENT, f"Coupon {row.serial} was already used.", "serial")
        return CouponVoided(row.serial, row.cents, tx.now_ms)

    return await answer_once(house, by, command, work)


def _serials(command: RegisterCoupons) -> list[str]:
    """Return the serials of a batch in the register's form; refuse a malformed range or list."""
    if command.serials and (command.first or command.last):
        raise Refused(Refusal.MALFORMED, "Give a range or a list of serials, not both.", "serials")
    if command.serials:
        return check_batch(command.serials.replace(",", " ").split())
    return serials_between(command.first, command.last)


def _people(house: House, tx: Transaction, by: StaffContext, reason: str) -> str | None:
    """Return the second person after a check of both people's roles; None if none was named."""
    require_user(tx, by.person, SUPERVISORS)
    second = approved_by_second(house, tx, by, COUPON_APPROVERS)
    if reason or house.live:
        check_reason(reason)
    return second


def _entry(tx: Transaction, command: IssueCoupon | RegisterCoupons) -> int:
    """Return a new coupon's last good millisecond, after a check of its place, value and end."""
    if queries.location(tx, command.location) is None:
        raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {command.location}.")
    check_value(command.cents)
    days = days_of(tx, command.location)
    if (command.ends_day is None) == (command.ends_ms is None):
        raise Refused(
            Refusal.MALFORMED,
            "A coupon has an end: name its last gaming day, such as 2026-12-31.",
            "ends_day",
        )
    if command.ends_ms is not None:
        ends_ms = command.ends_ms
    else:
        ends_ms = days.ends_ms(read_day(command.ends_day or ""))
    check_end(ends_ms, tx.now_ms, days)
    return ends_ms
