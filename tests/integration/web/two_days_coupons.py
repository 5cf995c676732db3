"""Coupons on the two days: registered, issued, used here and elsewhere, void, given back, over."""

from keno import protocol
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Sold
from keno.service import coupon_register, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from tests.houses import COUPONS_END, Floor
from tests.integration.ledger.events import EIGHT, void

BY = StaffContext("M1", "S1")
TODAY = "2026-11-15"
"""The first of the two days."""


async def use(floor: Floor, booth: WriterContext, serial: str) -> Sold:
    """Pay a ticket of a dollar by a coupon."""
    tender = (Tender(TenderKind.COUPON, 1_00, serial),)
    sold = await sell(floor.house, await floor.sale(booth, EIGHT, tender=tender))
    confirm = protocol.ConfirmPrint(floor.id(), sold.ticket)
    await tickets.confirm_print(floor.house, booth, confirm)
    return sold


async def coupons(floor: Floor, booth: WriterContext, much: int, reason: str) -> None:
    """A batch of so many and four: as many used, one void, one given back, one used elsewhere."""
    place = booth.location
    first = f"{place}{much}-01"
    batch = protocol.RegisterCoupons(
        floor.id(), place, 1_00, first, f"{place}{much}-{much + 4:02}", ends_day=COUPONS_END,
        reason=reason,
    )  # fmt: skip
    await coupon_register.register_coupons(floor.house, BY, batch)
    for number in range(much):
        await use(floor, booth, f"{place}{much}-{number + 1:02}")
        floor.clock.forward(ms=300)
    await void(floor, booth, await use(floor, booth, f"{place}{much}-{much + 1:02}"))
    torn = protocol.VoidCoupon(floor.id(), f"{place}{much}-{much + 2:02}", reason)
    await coupon_register.void_coupon(floor.house, BY, torn)
    if place != "main":
        await use(floor, booth, "main2-06" if much == 3 else "main4-08")
    ends_day = TODAY if much in (2, 3) else COUPONS_END  # those of the first day are over with it
    issued = protocol.IssueCoupon(floor.id(), place, much * 1_00, ends_day, reason=reason)
    await coupon_register.issue_coupon(floor.house, BY, issued)
