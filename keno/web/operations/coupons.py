"""Looking a coupon up, at a station or at a console."""

from keno import protocol
from keno.protocol.coupons import CouponView
from keno.service import coupon_views
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.FindCoupon, coupon_views.find_coupon)
async def _find_coupon(server: Server, caller: Caller, asked: protocol.FindCoupon) -> CouponView:
    location = caller.location or asked.location
    return await coupon_views.find_coupon(server.house, location, asked)
