"""Short ways to use the house's register of coupons on a test floor."""

from collections.abc import Awaitable

import pytest

from keno import protocol
from keno.domain.errors import Refused
from keno.domain.shift import Tender
from keno.protocol import CouponView, Sold
from keno.service import coupon_register
from keno.service.common import StaffContext, WriterContext
from keno.service.coupon_views import find_coupon
from keno.service.sell import sell
from tests.houses import COUPONS_END, Floor

TWO = "1 2: 1/2@2.00"
"""A ticket of $2.00."""
SOON = "2026-11-20"
"""A gaming day a few days after the test's clock begins."""
M1 = StaffContext("M1")
BOTH = StaffContext("M1", "S1")


async def pay(floor: Floor, booth: WriterContext, text: str, *tender: Tender) -> Sold:
    """Sell for coupons as they are, without registering them first."""
    return await sell(floor.house, await floor.sale(booth, text, tender=tender))


async def find(
    floor: Floor, booth: WriterContext, serial: str, rewrites: int | None = None
) -> CouponView:
    command = protocol.FindCoupon(floor.id(), serial, rewrites)
    return await find_coupon(floor.house, booth.location, command)


async def declare_void(
    floor: Floor, serial: str, reason: str = "misprinted", by: StaffContext = BOTH
) -> protocol.CouponVoided:
    command = protocol.VoidCoupon(floor.id(), serial, reason)
    return await coupon_register.void_coupon(floor.house, by, command)


async def register(floor: Floor, by: StaffContext = BOTH, **fields: object) -> protocol.CouponBatch:
    given: dict[str, object] = {"location": "main", "cents": 1_00, "ends_day": COUPONS_END}
    command = protocol.RegisterCoupons(floor.id(), **(given | fields))  # type: ignore[arg-type]
    return await coupon_register.register_coupons(floor.house, by, command)


async def issue(floor: Floor, by: StaffContext = BOTH, **fields: object) -> CouponView:
    given: dict[str, object] = {"location": "main", "cents": 1_00, "ends_day": COUPONS_END}
    command = protocol.IssueCoupon(floor.id(), **(given | fields))  # type: ignore[arg-type]
    return await coupon_register.issue_coupon(floor.house, by, command)


async def said(asked: Awaitable[object]) -> str:
    with pytest.raises(Refused) as refusal:
        await asked
    return refusal.value.message
