"""Commands and answers about the house's register of coupons: issue, register, void, find."""

from typing import ClassVar

from keno.domain.roles import COUPON_APPROVERS, SUPERVISORS, WRITERS
from keno.protocol.base import (
    CONSOLE,
    EVERYWHERE,
    Answer,
    Cents,
    Command,
    LedgerForm,
    Second,
    Whole,
)


class CouponView(Answer, frozen=True):
    """The answer to `find_coupon` and `issue_coupon`: a coupon that can be used now.

    `ends_ms` is the last millisecond at which it is good, in UTC; None: it has no end. `until` says
    the same in words, in the local time of the place that asks.
    """

    serial: str
    cents: Cents
    ends_ms: int | None
    until: str


class CouponBatch(Answer, frozen=True):
    """The answer to `register_coupons`: how many there are, from which serial to which, and value.

    `cents` is the value of one coupon.
    """

    coupons: int
    first: str
    last: str
    cents: Cents
    ends_ms: int
    until: str


class CouponVoided(Answer, frozen=True):
    """The answer to `void_coupon`: the coupon, its value, and when it was declared void."""

    serial: str
    cents: Cents
    voided_ms: int


class FindCoupon(Command[CouponView], frozen=True, tag="find_coupon"):
    """Look a coupon up by its serial: what it is worth, or why it cannot be used now."""

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE

    serial: str
    rewrites: Whole | None = None
    """The ticket to be rewritten: its own coupons can pay the ticket in its place."""
    location: str = ""
    """At a console: the location of the ticket, and whose local time is written."""


class IssueCoupon(Command[CouponView], frozen=True, tag="issue_coupon"):
    """Issue one coupon, numbered by the house; in a live house a second person approves it."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = COUPON_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "IssueCoupon",
        "request_id location cents ends_day? ends_ms? actor=by.person second?=by.second reason?",
    )

    location: str
    """Whose numbers and gaming days it has; it is good in the whole house."""
    cents: Cents
    ends_day: str | None = None
    """The last gaming day on which it is good, such as 2026-12-31."""
    ends_ms: Whole | None = None
    """Instead of a day: the last millisecond at which it is good, in UTC."""
    second: Second | None = None
    reason: str = ""


class RegisterCoupons(Command[CouponBatch], frozen=True, tag="register_coupons"):
    """Register a batch of printed coupons of one value, by a range or by a list of serials.

    All are registered or none. In a live house a second person approves it.
    """

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = COUPON_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "RegisterCoupons",
        "request_id location cents first? last? serials? ends_day? ends_ms? actor=by.person"
        " second?=by.second reason?",
    )

    location: str
    """Whose gaming days their end is of; they are good in the whole house."""
    cents: Cents
    first: str = ""
    """First serial of a range whose serials differ in their last digits, such as PROMO-0001."""
    last: str = ""
    serials: str = ""
    """Instead of a range: the serials, with white space or commas between them."""
    ends_day: str | None = None
    ends_ms: Whole | None = None
    second: Second | None = None
    reason: str = ""


class VoidCoupon(Command[CouponVoided], frozen=True, tag="void_coupon"):
    """Declare an unused coupon void, with a reason; in a live house a second person approves it."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = COUPON_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "VoidCoupon", "request_id serial actor=by.person second?=by.second reason"
    )

    serial: str
    reason: str
    second: Second | None = None
