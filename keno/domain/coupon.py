"""Coupons: deemed spent on the earliest games; what comes back of them comes back as a coupon."""

from keno.domain.money import Cents


def coupon_part(coupon_cents: Cents, from_cents: Cents, to_cents: Cents) -> Cents:
    """How much of the part of a price from one cent to another was paid by coupon.

    A ticket of five games at $4.00 with a $10.00 coupon: the coupon paid the first $10.00, so all
    of games one and two, and half of game three.
    """
    return max(0, min(coupon_cents, to_cents) - min(coupon_cents, from_cents))
