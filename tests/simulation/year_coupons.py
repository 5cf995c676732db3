"""Coupons of a simulated year: printed ones, those given back, and those that cannot be used."""

from dataclasses import dataclass, field
from datetime import timedelta
from random import Random

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.service import coupon_register
from keno.service.common import StaffContext, WriterContext
from keno.service.sell import sell
from tests.houses import Floor
from tests.simulation.acts import coupon
from tests.simulation.plain_coupons import GOOD_DAYS
from tests.simulation.plainmoney import day_ends_ms, gaming_day

HOUR_MS = 3_600_000


@dataclass
class Purse:
    """Every coupon that a patron has or had, by its serial."""

    chance: Random
    cents: dict[str, int] = field(default_factory=dict)
    ends_ms: dict[str, int] = field(default_factory=dict)
    unused: set[str] = field(default_factory=set)
    void: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)

    def usable(self, now_ms: int) -> dict[str, int]:
        """Values of the unused coupons that will be good for a while."""
        return {
            serial: self.cents[serial]
            for serial in sorted(self.unused)
            if self.ends_ms[serial] > now_ms + 2 * HOUR_MS
        }

    async def registered(self, floor: Floor, cents: int, serial: str) -> None:
        """One of a print shop, good for a day or for a long time."""
        now_ms = floor.clock.now_ms
        ends_ms = day_ends_ms(gaming_day(now_ms) + timedelta(days=self.chance.choice((1, 10, 90))))
        command = protocol.RegisterCoupons(
            floor.id(), "main", cents, serials=serial.lower(), ends_ms=ends_ms
        )
        by = StaffContext("M1", "S1")
        await coupon_register.register_coupons(floor.house, by, command)
        self.cents[serial], self.ends_ms[serial] = cents, ends_ms

    def given_back(self, serial: str, cents: int, now_ms: int, paid: list[str]) -> int:
        """The end that a new coupon must have: the old one, or thirty days if that is later."""
        day = day_ends_ms(gaming_day(now_ms) + timedelta(days=GOOD_DAYS))
        self.cents[serial] = cents
        self.ends_ms[serial] = max([day, *(self.ends_ms[each] for each in paid)])
        self.unused.add(serial)
        return self.ends_ms[serial]

    async def refused(self, floor: Floor, booth: WriterContext) -> Refusal:
        """Somebody tries a coupon that is unknown, used, void or over, in either case."""
        now_ms = floor.clock.now_ms
        over = [each for each in sorted(self.unused) if self.ends_ms[each] < now_ms]
        if self.chance.random() < 0.3:
            serial = f"VOID-{len(self.void)}"
            await self.registered(floor, 1_00, serial)
            command = protocol.VoidCoupon(floor.id(), serial, "misprinted")
            by = StaffContext("M1", "S1")
            await coupon_register.void_coupon(floor.house, by, command)
            self.void.add(serial)
        tried = {
            "NEVER-SEEN": {Refusal.COUPON_UNKNOWN},
            **{each: {Refusal.COUPON_SPENT} for each in sorted(self.used)[-3:]},
            **{each: {Refusal.COUPON_VOID} for each in sorted(self.void)[-3:]},
            # Nothing is over while the clock is in doubt, nor for a day after it was set ahead.
            **{each: {Refusal.COUPON_EXPIRED, Refusal.CLOCK_UNCONFIRMED} for each in over[-3:]},
        }
        serial = self.chance.choice(sorted(tried))
        cents = self.cents.get(serial, 1_00)
        text = f"1: 1/1@{cents // 100}.{cents % 100:02}"
        if cents % 100 or not 1_00 <= cents <= 20_00:
            text, cents = "1: 1/1@1.00", 1_00
        sale = await floor.sale(booth, text, tender=(coupon(cents, serial.swapcase()),))
        with pytest.raises(Refused) as no:
            await sell(floor.house, sale)
        assert no.value.reason in tried[serial], (serial, no.value)
        return no.value.reason
