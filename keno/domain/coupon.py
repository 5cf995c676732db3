"""Coupons: their serials, what refuses one, and which part of a price a coupon paid.

A coupon stands in the house's register before it is used. It works once in the house, for a ticket
of at least its value. It pays the earliest games first; its part of a refund is a coupon again.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from keno.domain.day import GamingDay, local_time
from keno.domain.errors import Refusal, Refused, counted
from keno.domain.money import Cents, format_dollars

SERIAL_MAX = 32
"""Maximum characters of the serial of a coupon that enters the register."""
COUPON_CENTS_MAX = 10_000_00
"""Maximum value in cents of a coupon that is issued or registered."""
BATCH_MAX = 10_000
"""Maximum number of coupons that one command registers."""
COUPON_DAYS_MAX = 1_827
"""Maximum days from the registration of a coupon to its end: five years."""
GIVEN_BACK_DAYS_MAX = 365
"""Maximum of the setting for how many days a coupon that is given back is good."""

_SERIAL = re.compile(r"[A-Z0-9]([A-Z0-9-]*[A-Z0-9])?", re.ASCII)
_NUMBERED = re.compile(r"(.*?)([0-9]{1,12})", re.ASCII)


class CouponSource(StrEnum):
    """How a coupon entered the register."""

    ISSUED = "issued"
    REGISTERED = "registered"
    GIVEN_BACK = "given_back"
    TAKEN_OVER = "taken_over"
    """Used in an older version, which knew no register; its end is unknown."""

    @property
    def word(self) -> str:
        return self.value.replace("_", " ")


@dataclass(frozen=True, slots=True)
class Coupon:
    """What decides whether a coupon can be used.

    `ends_ms` is its last good millisecond, None if it has no end; `used_for` names the ticket that
    it paid, such as A-17.
    """

    serial: str
    cents: Cents
    ends_ms: int | None
    used_for: str | None = None
    void: bool = False


def coupon_part(coupon_cents: Cents, from_cents: Cents, to_cents: Cents) -> Cents:
    """Return how many cents of a price's part from `from_cents` to `to_cents` a coupon paid.

    The coupon pays the first cents of the price. For five games at $4.00 a $10.00 coupon pays games
    one and two and half of game three.
    """
    return max(0, min(coupon_cents, to_cents) - min(coupon_cents, from_cents))


def same_form(serial: str) -> str:
    """Return a serial as serials are compared: in upper case, for ASCII letters only.

    Other letters stay: the upper case of a dotless i would be an I.
    """
    return serial.upper() if serial.isascii() else serial


def check_serial(serial: str) -> str:
    """Return a serial in the register's form: upper case letters, digits and hyphens within.

    Raise Refused for other text, which two people could read in two ways.
    """
    form = same_form(serial)
    if len(form) > SERIAL_MAX or not _SERIAL.fullmatch(form):
        shown = "".join(c for c in serial[:SERIAL_MAX] if c.isprintable())
        raise Refused(
            Refusal.MALFORMED,
            f"The serial {shown!r} is not 1 to {SERIAL_MAX} letters A to Z, digits and hyphens.",
            "serial",
        )
    return form


def serials_between(first: str, last: str) -> list[str]:
    """Return the serials of a printed batch from the first to the last: PROMO-0001 to PROMO-0500.

    Raise Refused unless both differ in their last digits only, and are in order.
    """
    begin, end = (_NUMBERED.fullmatch(check_serial(each)) for each in (first, last))
    if begin is None or end is None or begin[1] != end[1] or len(begin[2]) != len(end[2]):
        raise Refused(
            Refusal.MALFORMED,
            "A range is two serials that differ in their last digits only, with as many digits, "
            "such as PROMO-0001 and PROMO-0500.",
            "last",
        )
    low, high = int(begin[2]), int(end[2])
    if high < low:
        raise Refused(Refusal.MALFORMED, "The last serial of the range comes first.", "last")
    _check_size(high - low + 1)
    return [f"{begin[1]}{number:0{len(begin[2])}}" for number in range(low, high + 1)]


def check_batch(serials: Sequence[str]) -> list[str]:
    """Return the serials of a listed batch in the register's form.

    Raise Refused for an empty or too large batch, a malformed serial, or one that comes twice.
    """
    _check_size(len(serials))
    forms = [check_serial(each) for each in serials]
    seen: set[str] = set()
    for form in forms:
        if form in seen:
            raise Refused(Refusal.COUPON_KNOWN, f"{form} comes twice in the batch.", "serials")
        seen.add(form)
    return forms


def _check_size(size: int) -> None:
    if not 1 <= size <= BATCH_MAX:
        raise Refused(
            Refusal.MALFORMED,
            f"A batch has 1 to {BATCH_MAX:,} coupons; this one has {size:,}.",
            "serials",
        )


def check_value(cents: Cents) -> None:
    """Raise Refused unless a new coupon's value is $0.01 to `COUPON_CENTS_MAX`."""
    if not 1 <= cents <= COUPON_CENTS_MAX:
        raise Refused(
            Refusal.MALFORMED,
            f"A coupon is worth $0.01 to {format_dollars(COUPON_CENTS_MAX)}.",
            "cents",
        )


def check_end(ends_ms: int, now_ms: int, days: GamingDay) -> None:
    """Raise Refused unless a new coupon's end lies ahead, at most `COUPON_DAYS_MAX` days."""
    last = days.ends_ms(days.of(now_ms) + timedelta(days=COUPON_DAYS_MAX))
    if not now_ms < ends_ms <= last:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            f"A coupon ends after this moment and at most {COUPON_DAYS_MAX:,} days ahead.",
            "ends_day",
        )


def check_usable(coupon: Coupon, now_ms: int, days: GamingDay) -> None:
    """Raise Refused if a coupon is used, void, or over at `now_ms`.

    `days` is the calendar of the place whose writer reads the sentence out.
    """
    name = f"Coupon {coupon.serial}"
    if coupon.used_for is not None:
        raise Refused(
            Refusal.COUPON_SPENT,
            f"{name} was already used, for ticket {coupon.used_for}.",
            "tender",
        )
    if coupon.void:
        raise Refused(Refusal.COUPON_VOID, f"{name} was declared void.", "tender")
    if coupon.ends_ms is not None and now_ms > coupon.ends_ms:
        said = f"{name} is over: it was good {until(coupon.ends_ms, days)}."
        raise Refused(Refusal.COUPON_EXPIRED, said, "tender")


def check_worth(coupon: Coupon, cents: Cents) -> None:
    """Raise Refused unless the tender states a coupon's value: no change is given for it."""
    if coupon.cents != cents:
        raise Refused(
            Refusal.TENDER_DIFFERS,
            f"Coupon {coupon.serial} is worth {format_dollars(coupon.cents)}, "
            f"not {format_dollars(cents)}.",
            "tender",
        )


def unknown_coupon(serial: str) -> Refused:
    """Return the refusal of a coupon that is not in the register."""
    return Refused(
        Refusal.COUPON_UNKNOWN, f"Coupon {serial} is not in the register of this house.", "tender"
    )


def check_coupons_fit(coupons: Iterable[tuple[str | None, Cents]], price_cents: Cents) -> None:
    """Raise Refused unless each coupon has its own serial and together they pay at most the price.

    `coupons` are serials and values in cents. Two serials that differ in case are one.
    """
    parts = list(coupons)
    serials = [same_form(serial) for serial, _ in parts if serial]
    if len(set(serials)) < len(parts):
        raise Refused(
            Refusal.COUPON_NEEDS_SERIAL, "Each coupon needs its own serial number.", "tender"
        )
    total = sum(cents for _, cents in parts)
    if total > price_cents:
        raise Refused(
            Refusal.COUPON_TOO_LARGE,
            f"{counted(len(parts), 'coupon').capitalize()} of {format_dollars(total)} for a ticket "
            f"of {format_dollars(price_cents)}: no change is given for a coupon.",
            "tender",
        )


def given_back_end(ends: Iterable[int | None], today: date, default_days: int, days: GamingDay,
                   ) -> int | None:  # fmt: skip
    """Return the end of a coupon that gives money back, in UTC milliseconds; None for no end.

    `ends` are those of the coupons that paid. It is the latest of them or the end of the gaming day
    `default_days` after today, whichever is later. A coupon without an end has the latest.
    """
    default = days.ends_ms(today + timedelta(days=default_days))
    known = list(ends)
    return None if None in known else max([default, *(each for each in known if each is not None)])


def until(ends_ms: int, days: GamingDay) -> str:
    """Return an end in words: the last gaming day if it is one's end, else the local time."""
    text = end_text(ends_ms, days)
    return f"until {text}" if " " in text else f"through gaming day {text}"


def end_text(ends_ms: int, days: GamingDay) -> str:
    """Return an end as ``2026-12-31``, the gaming day that it is the end of, or with local time."""
    day = days.of(ends_ms)
    if days.ends_ms(day) == ends_ms:
        return day.isoformat()
    return f"{local_time(days.zone, ends_ms):%Y-%m-%d %H:%M}"
