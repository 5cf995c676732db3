"""Looking a coupon up by its serial, before it is tendered."""

from keno.domain.coupon import until
from keno.domain.day import GamingDay
from keno.protocol.coupons import CouponView, FindCoupon
from keno.service.common import require_ticket
from keno.service.coupons import CouponUse, check_coupon_text, usable_coupon
from keno.service.house import House, days_of
from keno.store.transaction import Reads


async def find_coupon(house: House, location: str, command: FindCoupon) -> CouponView:
    """Return the coupon that a serial names, if it can be used at this location now.

    Refuse one that is unknown, used, void or over, in the words that a sale would use.
    """
    check_coupon_text(command.serial)

    def look(reads: Reads) -> CouponView:
        rewrites = None
        if command.rewrites is not None:
            rewrites = require_ticket(reads, location, command.rewrites)
        use = CouponUse(location, house.ledger.clock(), rewrites=rewrites)
        row = usable_coupon(house, reads, use, command.serial)
        days = days_of(reads, location)
        return CouponView(row.serial, row.cents, row.ends_ms, end_words(row.ends_ms, days))

    return await house.ledger.read(look)


def end_words(ends_ms: int | None, days: GamingDay) -> str:
    """Return until when a coupon is good, in words."""
    return "without an end" if ends_ms is None else until(ends_ms, days)
