"""Tender with coupons, right and wrong, for the sales of the house and of its plain model."""

import asyncio
from dataclasses import replace
from datetime import date

from keno.domain.shift import Tender
from keno.service.sale import Sale
from tests.houses import Floor
from tests.simulation.acts import coupon, cur
from tests.simulation.model import Model, Ticket
from tests.simulation.plain_coupons import PlainCoupon
from tests.simulation.plainmoney import day_ends_ms
from tests.simulation.tendered import parts_of

WRONG_COUPONS = ("serial", "spent", "forged", "worth", "void", "over", "large")
"""What can be wrong with a coupon."""
END = date(2026, 12, 31)
"""The last gaming day of a print shop's coupons."""


class CouponTender:
    """Coupons that a patron brings, most of them good."""

    floor: Floor
    model: Model
    runner: asyncio.Runner

    def wrong_coupon(self, wrong: str, price: int) -> tuple[Tender, ...]:
        """A coupon that cannot be used: used, over, void, of another value, or of none at all."""
        coupons = self.model.register.coupons
        unknown = f"A-R{self.model.register.numbered + 1}"
        fits = {
            "spent": [each for each, found in coupons.items() if found.ticket is not None],
            "void": [each for each, found in coupons.items() if found.void],
            "over": [each for each, found in coupons.items()
                     if self.model.now_ms > found.ends_ms],
            "worth": [each for each, found in coupons.items() if found.cents != price],
        }.get(wrong, [])  # fmt: skip
        if fits:
            return (coupon(price, fits[-1].lower()),)
        return (coupon(price + (wrong == "large"), "" if wrong == "serial" else unknown),)

    def registered(self, part: Tender) -> Tender:
        """A coupon without a serial is one of a print shop, which is registered first."""
        if part.kind != "coupon" or part.serial:
            return part
        serial = f"P-{next(self.floor.ids)}"
        self.runner.run(self.floor.registered(part.cents, serial, ends_day=END.isoformat()))
        self.model.register.enter(part.cents, day_ends_ms(END), serial)
        return coupon(part.cents, serial.lower())

    def with_returned(self, price: int) -> tuple[Tender, ...]:
        for serial, found in self.model.register.good(self.model.now_ms).items():
            if found.cents <= price:
                rest = (cur(price - found.cents),) if price > found.cents else ()
                return (coupon(found.cents, serial), *rest)
        return (cur(price),)

    def with_kept(
        self, sale: Sale, ticket: Ticket, tender: str
    ) -> tuple[Sale, dict[str, PlainCoupon]]:
        """The sale that keeps what it can of the coupons of the ticket it replaces.

        The rest is tendered as said; the sale stays as it is if there is none to keep.
        """
        kept, left = {}, sale.price_cents
        for serial, found in self.model.register.of_ticket(ticket.number).items():
            if found.cents <= left:
                kept[serial], left = found, left - found.cents
        if not kept:
            return sale, kept
        rest = parts_of(tender, left) if left else ()
        parts = [coupon(found.cents, serial) for serial, found in kept.items()]
        return replace(sale, tender=(*parts, *rest)), kept
