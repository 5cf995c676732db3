"""How a coupon pays a ticket: the earliest games first; its part of a refund is a coupon again."""

from keno.domain.money import Cents


def coupon_part(coupon_cents: Cents, from_cents: Cents, to_cents: Cents) -> Cents:
    """Return how many cents of a price's part from `from_cents` to `to_cents` a coupon paid.

    The coupon pays the first cents of the price. For five games at $4.00 a $10.00 coupon pays games
    one and two and half of game three.
    """
    return max(0, min(coupon_cents, to_cents) - min(coupon_cents, from_cents))
