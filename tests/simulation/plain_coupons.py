"""The register of coupons once more, in plain words: what it has, and why one cannot be used."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta

from keno.domain.errors import Refusal
from keno.domain.shift import Tender
from tests.simulation.plainmoney import day_ends_ms, gaming_day

GOOD_DAYS = 30


@dataclass
class PlainCoupon:
    cents: int
    ends_ms: int
    ticket: int | None = None
    """The ticket that it paid."""
    void: bool = False


@dataclass
class PlainRegister:
    """Coupons by their serial in capitals."""

    coupons: dict[str, PlainCoupon] = field(default_factory=dict)
    numbered: int = 0

    def enter(self, cents: int, ends_ms: int, serial: str | None = None) -> str:
        """One more; without a serial of its own it gets the next number that is free."""
        if serial is None:
            self.numbered += 1
            while f"A-R{self.numbered}" in self.coupons:
                self.numbered += 1
            serial = f"A-R{self.numbered}"
        self.coupons[serial.upper()] = PlainCoupon(cents, ends_ms)
        return serial

    def misfit(self, tender: Iterable[Tender], price_cents: int) -> Refusal | None:
        """What is wrong with coupons whatever the register has."""
        parts = [part for part in tender if part.kind == "coupon"]
        if not all(part.serial for part in parts):
            return Refusal.COUPON_NEEDS_SERIAL
        together = sum(part.cents for part in parts)
        return Refusal.COUPON_TOO_LARGE if together > price_cents else None

    def refusal(
        self, tender: Iterable[Tender], now_ms: int, rewrites: int | None = None
    ) -> Refusal | None:
        """Why a tender's coupons cannot be used now; those of a rewritten ticket can."""
        for part in tender:
            if part.serial is None:
                continue
            found = self.coupons.get(part.serial.upper())
            if found is None:
                return Refusal.COUPON_UNKNOWN
            if found.ticket is None or found.ticket != rewrites:
                if found.ticket is not None:
                    return Refusal.COUPON_SPENT
                if found.void:
                    return Refusal.COUPON_VOID
                if now_ms > found.ends_ms:
                    return Refusal.COUPON_EXPIRED
            if found.cents != part.cents:
                return Refusal.TENDER_DIFFERS
        return None

    def spend(self, tender: Iterable[Tender], ticket: int) -> None:
        for part in tender:
            if part.serial is not None:
                self.coupons[part.serial.upper()].ticket = ticket

    def of_ticket(self, ticket: int) -> dict[str, PlainCoupon]:
        return {serial: each for serial, each in self.coupons.items() if each.ticket == ticket}

    def give_back(self, ticket: int, cents: int, now_ms: int) -> str | None:
        """The serial of the new coupon that gives a ticket's money back; None for no money."""
        if not cents:
            return None
        day = day_ends_ms(gaming_day(now_ms) + timedelta(days=GOOD_DAYS))
        ends = [each.ends_ms for each in self.of_ticket(ticket).values()]
        return self.enter(cents, max([day, *ends]))

    def good(self, now_ms: int) -> dict[str, PlainCoupon]:
        """Those that can be used."""
        return {
            serial: each
            for serial, each in self.coupons.items()
            if each.ticket is None and not each.void and now_ms <= each.ends_ms
        }
