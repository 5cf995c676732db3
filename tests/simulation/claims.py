"""How the patrons of a simulated year come for their money, and how the writers' shifts change."""

import asyncio
from datetime import timedelta
from typing import Any

from keno.domain.errors import Refusal, Refused
from keno.domain.money import CENTS_MAX
from keno.protocol import Paid
from keno.service.common import StaffContext, WriterContext
from tests.simulation.acts import refused
from tests.simulation.plainmoney import (
    coupon_in,
    day_ends_ms,
    gaming_day,
    local,
    tax_threshold,
)
from tests.simulation.recount import KINDS
from tests.simulation.year import BANK_CENTS, SUPERVISORS, Year
from tests.simulation.year_memory import Kept

DAY_MS = 86_400_000


class Owed:
    """What a ticket is owed now, part by part."""

    def __init__(self, year: Year, kept: Kept, *, refund: bool = False) -> None:
        played = year.played_by(kept)
        one = kept.one_game_cents
        self.awards = sum(kept.awards.values())
        void = [index for index, game in enumerate(played) if game.state == "void"]
        self.returns = one * len(void)
        self.coupon = sum(coupon_in(kept.coupon_cents, at * one, (at + 1) * one) for at in void)
        self.refund = kept.sold.price_cents - len(played) * one if refund else 0
        if refund:
            self.coupon += coupon_in(kept.coupon_cents, len(played) * one, kept.sold.price_cents)
        self.total = self.awards + self.returns + self.refund
        threshold = tax_threshold(local(year.clock.now_ms).year)
        self.taxed = any(award - one >= threshold for award in kept.awards.values())


class Claims(Year):
    """A year with claims, refunds, holds, expiries and shifts."""

    # When patrons come.

    async def after_result(self, location: str) -> None:
        """Everybody whose last game this was makes plans; others may cancel the rest."""
        number = self.open_game[location] - 1
        for kept in self.in_game(location, number):
            if kept.state != "live":
                continue
            if kept.sold.last_game == number:
                await self.complete(kept)
            elif self.happens(0.05):
                await refused(Refusal.HELD if self.held(kept) else Refusal.NOT_COMPLETE,
                              self.acts.pay(self.booth(location), kept.sold, 1))  # fmt: skip
            elif self.happens(0.08):
                await self.cancel(kept)

    async def complete(self, kept: Kept) -> None:
        if Owed(self, kept).total == 0:
            self.losers.append(kept)
            if self.happens(0.1):
                nothing = self.acts.pay(self.booth(kept.sold.location), kept.sold, 1)
                await refused(Refusal.HELD if self.held(kept) else Refusal.NO_AWARD, nothing)
            return
        self.unclaimed[self.key(kept)] = kept
        now = self.clock.now_ms
        ends = min(self.ends_ms(kept), now + 60 * DAY_MS)  # it has no end yet in a halt
        fate = self.chance.random()
        if self.happens(0.08):
            until = gaming_day(now) + timedelta(days=self.chance.choice((0, 3, 30, 60)))
            await self.acts.hold(kept.sold, "S1", "a dispute", until_day=until.isoformat())
            kept.held_until_ms = day_ends_ms(until)
            self.plan(now + self.chance.randint(0, 2 * (ends - now)), self.release, kept)
        if fate < 0.5:
            self.plan(now, self.claim, kept)
        elif fate < 0.7:
            self.plan(self.chance.randint(now, ends), self.claim, kept)
        elif fate < 0.8:
            self.plan(ends, self.claim, kept)  # the last millisecond
        elif fate < 0.88:
            self.plan(ends, self.break_off, kept)  # which keeps it open, to be paid later
            self.plan(ends + self.chance.randint(1, 2 * DAY_MS), self.claim, kept)
        elif fate < 0.92:
            self.plan(ends, self.look, kept)  # which keeps nothing open
            self.plan(ends + self.chance.randint(1, DAY_MS), self.claim, kept)
        else:
            self.plan(ends + 1, self.claim, kept)  # a millisecond too late
            if self.happens(0.5):
                self.plan(ends + 1, self.sweep_of, kept)

    async def look(self, kept: Kept) -> None:
        if kept.state != "live" or self.held(kept) or not kept.printed:
            return
        owed = Owed(self, kept)
        said = await self.acts.look(self.booth(kept.sold.location), kept.sold)
        assert (said.awards_cents, said.returns_cents, said.refund_cents, said.coupon_cents) == (
            owed.awards, owed.returns, 0, owed.coupon
        )  # fmt: skip
        assert said.needs_authorisation == self.large(kept, owed.total)
        assert bool(said.tax_form_games) == owed.taxed
        self.seen["looked at"] += 1

    async def break_off(self, kept: Kept) -> None:
        """A payout that does not come about: the claim is under way."""
        if kept.state != "live" or self.held(kept) or not kept.printed:
            return
        owed = Owed(self, kept)
        short = self.acts.pay(self.paying_booth(kept), kept.sold, owed.total + 1)
        if self.halts.halted(kept.sold.location):
            await refused(Refusal.HALTED, short)
            return
        large = self.large(kept, owed.total)
        await refused(Refusal.AUTHORISATION_NEEDED if large else Refusal.PAYMENT_DIFFERS, short)
        self.under_way(kept)
        self.seen["kept open"] += 1

    async def release(self, kept: Kept) -> None:
        await self.acts.hold(kept.sold, "S2", "settled", release=True)
        if self.held(kept):
            kept.presented_ms = self.clock.now_ms
        kept.held_until_ms = 0
        self.plan(self.clock.now_ms + self.chance.randint(0, DAY_MS), self.claim, kept)

    def _claimed_in(self, kept: Kept) -> str:
        """Any booth of the house pays; most patrons go back to the one they know."""
        if self.happens(0.8):
            return kept.sold.location
        return "annex" if kept.sold.location == "main" else "main"

    async def claim(self, kept: Kept) -> None:
        """Present a ticket for its money, with whatever that needs."""
        booth = self.paying_booth(kept, self._claimed_in(kept))
        if self.halts.halted(booth.location, kept.sold.location):
            await refused(Refusal.HALTED, self.acts.pay(booth, kept.sold, 1))
            self.seen["claim in a halt"] += 1
            self.plan(self.clock.now_ms + self.chance.randint(1, DAY_MS), self.claim, kept)
            return
        if kept.state != "live":
            reason = {"paid": Refusal.ALREADY_PAID, "expired": Refusal.EXPIRED}[kept.state]
            await refused(reason, self.acts.pay(booth, kept.sold, 1))
            return
        if self.held(kept):
            await refused(Refusal.HELD, self.acts.pay(booth, kept.sold, 1))
            self.under_way(kept)
            return
        if self.clock.now_ms > self.open_until_ms(kept):
            self.seen["too late"] += 1
            reason = Refusal.CLOCK_UNCONFIRMED if self.in_doubt else Refusal.EXPIRED
            await refused(reason, self.acts.pay(booth, kept.sold, 1))
            return
        self.seen["at the last millisecond"] += self.clock.now_ms == self.ends_ms(kept)
        self.seen["open by a halt"] += (
            self.own_end_ms(kept) < self.clock.now_ms <= self.ends_ms(kept)
        )
        if not kept.printed:
            await refused(Refusal.PRINT_UNCONFIRMED, self.acts.pay(booth, kept.sold, 1))
            self.under_way(kept)
            if not await self.reprint(kept):
                self.plan(self.clock.now_ms + DAY_MS, self.claim, kept)
                return
        await self._pay(kept, booth)

    async def _pay(self, kept: Kept, booth: WriterContext) -> None:
        owed = Owed(self, kept)
        if self.large(kept, owed.total):
            await self._authorise(kept, booth, owed, refund=False)
        parts = self._parts(booth, owed)
        if self.happens(0.1):
            wrong = parts | {"cash_cents": parts["cash_cents"] + 1}
            await refused(Refusal.PAYMENT_DIFFERS, self.acts.pay(booth, kept.sold, **wrong))
        if owed.taxed:
            self.seen["tax form"] += 1
            if self.happens(0.3):
                await refused(Refusal.TAX_FORM_NEEDED, self.acts.pay(booth, kept.sold, **parts))
            parts["tax_form"] = f"W-2G {next(self.order)}"
        others = [each for each in self.booths[kept.sold.location] if each != booth]
        tries = [self.acts.pay(booth, kept.sold, **parts)]
        if others and self.happens(0.2):  # the same paper at two stations in the same instant
            tries.append(self.acts.pay(others[0], kept.sold, **parts))
        answers = await asyncio.gather(*tries, return_exceptions=True)
        paid = answers[0]
        assert isinstance(paid, Paid), paid
        for second in answers[1:]:
            assert isinstance(second, Refused), second
            assert second.reason is Refusal.ALREADY_PAID
            self.seen["presented twice"] += 1
        self._paid(kept, booth, owed, paid)
        kept.state = "paid"
        self.losers.append(kept)
        del self.unclaimed[self.key(kept)]

    def _paid(self, kept: Kept, booth: WriterContext, owed: Owed, paid: Paid) -> None:
        assert (paid.awards_cents, paid.returns_cents, paid.refund_cents, paid.coupon_cents) == (
            owed.awards, owed.returns, owed.refund, owed.coupon
        )  # fmt: skip
        handed = paid.withheld_cents + paid.cash_cents + paid.check_cents + paid.coupon_cents
        assert handed == owed.total
        assert (paid.authorised_by is not None) == self.large(kept, owed.total)
        self.gave_back(kept, booth, paid.coupon, owed.coupon, {"cash": paid.cash_cents})
        self.seen[paid.kind] += 1
        self.seen["paid elsewhere"] += booth.location != kept.sold.location
        self.seen["returned"] += owed.returns > 0

    async def _authorise(
        self, kept: Kept, booth: WriterContext, owed: Owed, *, refund: bool
    ) -> None:
        self.seen["authorised"] += 1
        if self.happens(0.3) and not refund:
            hasty = self.acts.pay(booth, kept.sold, owed.total - owed.coupon)
            await refused(Refusal.AUTHORISATION_NEEDED, hasty)
        asked = await self.acts.ask(booth, kept.sold, refund=refund)
        if self.happens(0.2):
            if self.happens(0.5):
                await self.acts.approve(asked, "S1")
            await self.acts.deny(asked, "S2", "let me see the ticket")
            asked = await self.acts.ask(booth, kept.sold, refund=refund)
        await self.acts.approve(asked, self.chance.choice(SUPERVISORS))

    def _parts(self, booth: WriterContext, owed: Owed) -> dict[str, Any]:
        """Cash, check or both, less what is withheld of a taxed award."""
        withheld = owed.awards * 24 // 100 if owed.taxed and self.happens(0.5) else 0
        left = owed.total - owed.coupon - withheld
        cash = self.chance.choice((0, left, left, self.chance.randint(0, left)))
        if cash > self.drawers[booth.shift]["cash"]:
            cash = 0
        number = f"{next(self.order)}" if left - cash else None
        return {"cash_cents": cash, "check_cents": left - cash, "check_number": number,
                "withheld_cents": withheld}  # fmt: skip

    async def cancel(self, kept: Kept) -> None:
        """Cancel what is left of a multi-race."""
        booth = self.paying_booth(kept)
        owed = Owed(self, kept, refund=True)
        parts = self._parts(booth, owed)
        if self.held(kept) or not kept.printed:
            reason = Refusal.HELD if self.held(kept) else Refusal.PRINT_UNCONFIRMED
            await refused(reason, self.acts.refund(booth, kept.sold, **parts))
            return
        if self.large(kept, owed.total):
            await self._authorise(kept, booth, owed, refund=True)
        if owed.taxed:
            parts["tax_form"] = f"W-2G {next(self.order)}"
        paid = await self.acts.refund(booth, kept.sold, **parts)
        self._paid(kept, booth, owed, paid)
        kept.state = "cancelled"
        await refused(Refusal.CANCELLED, self.acts.refund(booth, kept.sold, **parts))

    async def sweep_of(self, kept: Kept) -> None:
        await self.sweep(kept.sold.location)

    async def sweep(self, location: str) -> None:
        """Close the claims whose time has passed: exactly those, to the millisecond."""
        if self.in_doubt:
            await refused(Refusal.CLOCK_UNCONFIRMED, self.acts.expire(location))
            return
        now = self.clock.now_ms
        due = {
            key: kept
            for key, kept in self.unclaimed.items()
            if key[0] == location
            and now > self.open_until_ms(kept)
            and not self.halts.halted(location)
        }
        self.seen["held beyond its time"] += any(
            self.held(kept) and now > self.ends_ms(kept)
            for key, kept in self.unclaimed.items()
            if key[0] == location
        )
        expired = await self.acts.expire(location)
        assert set(expired.tickets) == {ticket for _, ticket in due}
        owed = [Owed(self, kept) for kept in due.values()]
        assert expired.awards_cents == sum(each.awards for each in owed)
        assert expired.returns_cents == sum(each.returns for each in owed)
        for key, kept in due.items():
            kept.state = "expired"
            del self.unclaimed[key]
            self.seen["expired"] += 1

    # Shifts.

    async def open_shift(self, location: str, writer: str, station: str) -> None:
        booth = await self.acts.floor.booth(writer, station, BANK_CENTS, location)
        self.drawers[booth.shift]["cash"] += BANK_CENTS
        self.booths[location].append(booth)

    async def reprint(self, kept: Kept) -> bool:
        """After the result only a supervisor can have it printed, at the station that sold it."""
        booth = self.booth_at(kept.sold.station)
        if booth is None:
            return False
        await refused(Refusal.PRINT_UNCONFIRMED, self.acts.confirm(booth, kept.sold))
        await refused(Refusal.AUTHORISATION_NEEDED, self.acts.reprint(booth, kept.sold))
        await self.acts.reprint(booth, kept.sold, "S2")
        kept.printed = True
        self.seen["reprinted after the result"] += 1
        return True

    async def change_shift(self, location: str) -> None:
        """Close a drawer with its count, and open another."""
        booth = self.booth(location)
        if self.happens(0.2):
            await self.close_other(booth)
            return
        open_questions = [
            kept
            for kept in self.tickets.values()
            if kept.shift == booth.shift
            and kept.state in ("live", "not issued")
            and not kept.printed
        ]
        if open_questions:
            await refused(Refusal.PRINTS_UNCONFIRMED, self.acts.check_out(booth, {}))
            for kept in open_questions:
                assert await self.reprint(kept)
        tally = self.drawers[booth.shift]
        counted = {kind: tally[kind] for kind in KINDS}
        counted["cash"] += self.chance.choice((0, 0, 25, 1_00))
        sheet = await self.acts.check_out(booth, counted, "S2")
        assert sheet.expected_cents == {kind: tally[kind] for kind in KINDS}
        self.booths[location].remove(booth)
        await self.open_shift(location, booth.writer, booth.station)
        self.seen["checkout"] += 1

    async def close_other(self, booth: WriterContext) -> None:
        """The writer is gone: two others count the drawer, whatever is open in it."""
        tally = self.drawers[booth.shift]
        counted = {kind: tally[kind] for kind in KINDS}
        by, why = StaffContext("S2", "M1"), "gone home"
        own = StaffContext("S2", booth.writer)
        await refused(Refusal.OWN_ACT, self.acts.close_other(booth, counted, own, why))
        sheet = await self.acts.close_other(booth, counted, by, why)
        assert sheet.expected_cents == counted
        self.booths[booth.location].remove(booth)
        await self.open_shift(booth.location, booth.writer, booth.station)
        self.seen["closed by others"] += 1

    async def slips(self, location: str) -> None:
        """A fill, a credit, or a break."""
        booth = self.booth(location)
        fate = self.chance.random()
        cents = self.chance.randint(1, 1_000_00)
        cents = CENTS_MAX if cents % 20 == 0 else cents
        kind = self.chance.choice(("cash", "cash", "gaming_chips", "slot_tokens"))
        drawer = self.drawers[booth.shift]
        if fate < 0.4:
            await self.acts.fill(booth, cents, "S1", kind)
            drawer[kind] += cents
        elif fate < 0.8 and cents <= drawer[kind]:
            await self.acts.credit(booth, cents, "M1", kind)
            drawer[kind] -= cents
        else:
            await self.acts.rest(booth)
            await refused(Refusal.SHIFT_CLOSED, self.acts.fill(booth, cents, "S1"))
            state = await self.acts.rest(booth, back=True)
            tally = self.drawers[booth.shift]
            assert state.expected_cents == {kind: tally[kind] for kind in KINDS}
