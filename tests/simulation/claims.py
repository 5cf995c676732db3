"""How the patrons of a simulated year come for their money, and how the writers' shifts change."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

from keno.domain.errors import Refusal, Refused
from keno.protocol import Paid
from keno.service.common import WriterContext
from tests.simulation.acts import refused
from tests.simulation.plainmoney import coupon_in, tax_threshold
from tests.simulation.recount import KINDS
from tests.simulation.year import BANK_CENTS, SUPERVISORS, Kept, Year

DAY_MS = 86_400_000
# Clocks in New York, written out: what is left of UTC, from each instant on.
CLOCK_CHANGES = (
    ("2025-03-09T07:00+00:00", -4),
    ("2025-11-02T06:00+00:00", -5),
    ("2026-03-08T07:00+00:00", -4),
    ("2026-11-01T06:00+00:00", -5),
    ("2027-03-14T07:00+00:00", -4),
)


def local(ms: int) -> datetime:
    """The time in New York without asking a time-zone library."""
    instant = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    hours = [off for since, off in CLOCK_CHANGES if datetime.fromisoformat(since) <= instant][-1]
    return instant + timedelta(hours=hours)


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
                await self._complete(kept)
            elif self.happens(0.05):
                await refused(Refusal.NOT_COMPLETE if not kept.held else Refusal.HELD,
                              self.acts.pay(self.booth(location), kept.sold, 1))  # fmt: skip
            elif self.happens(0.08):
                await self.cancel(kept)

    async def _complete(self, kept: Kept) -> None:
        if Owed(self, kept).total == 0:
            self.losers.append(kept)
            if self.happens(0.1):
                nothing = self.acts.pay(self.booth(kept.sold.location), kept.sold, 1)
                await refused(Refusal.HELD if kept.held else Refusal.NO_AWARD, nothing)
            return
        self.unclaimed[self.key(kept)] = kept
        now, ends = self.clock.now_ms, self.ends_ms(kept)
        fate = self.chance.random()
        if self.happens(0.08):
            await self.acts.hold(kept.sold, "S1", "a dispute")
            kept.held = True
            self.plan(now + self.chance.randint(0, 2 * (ends - now)), self.release, kept)
        if fate < 0.5:
            self.plan(now, self.claim, kept)
        elif fate < 0.7:
            self.plan(self.chance.randint(now, ends), self.claim, kept)
        elif fate < 0.8:
            self.plan(ends, self.claim, kept)  # the last millisecond
        elif fate < 0.88:
            self.plan(ends, self.look, kept)  # which stops the clock, to be paid later
            self.plan(ends + self.chance.randint(1, DAY_MS), self.claim, kept)
        else:
            self.plan(ends + 1, self.claim, kept)  # a millisecond too late
            if self.happens(0.5):
                self.plan(ends + 1, self.sweep_of, kept)

    async def look(self, kept: Kept) -> None:
        if kept.state != "live" or kept.held or not kept.printed:
            return
        owed = Owed(self, kept)
        said = await self.acts.look(self.booth(kept.sold.location), kept.sold)
        assert (said.awards_cents, said.returns_cents, said.refund_cents, said.coupon_cents) == (
            owed.awards, owed.returns, 0, owed.coupon
        )  # fmt: skip
        assert said.needs_authorisation == (owed.total >= 1_500_00)
        assert bool(said.tax_form_games) == owed.taxed
        kept.presented = True
        self.seen["clock stopped"] += 1

    async def release(self, kept: Kept) -> None:
        await self.acts.hold(kept.sold, "S2", "settled", release=True)
        kept.held = False
        self.plan(self.clock.now_ms + self.chance.randint(0, DAY_MS), self.claim, kept)

    async def claim(self, kept: Kept) -> None:
        """Present a ticket for its money, with whatever that needs."""
        booth = self.booth(kept.sold.location)
        if kept.state != "live":
            reason = {"paid": Refusal.ALREADY_PAID, "expired": Refusal.EXPIRED}[kept.state]
            await refused(reason, self.acts.pay(booth, kept.sold, 1))
            return
        late = self.clock.now_ms > self.ends_ms(kept) and not kept.presented
        if kept.held:
            await refused(Refusal.HELD, self.acts.pay(booth, kept.sold, 1))
            kept.presented = kept.presented or not late
            return
        if late:
            self.seen["too late"] += 1
            await refused(Refusal.EXPIRED, self.acts.pay(booth, kept.sold, 1))
            return
        self.seen["at the last millisecond"] += self.clock.now_ms == self.ends_ms(kept)
        if not kept.printed:
            await refused(Refusal.PRINT_UNCONFIRMED, self.acts.pay(booth, kept.sold, 1))
            kept.presented = True
            if not await self.reprint(kept):
                self.plan(self.clock.now_ms + DAY_MS, self.claim, kept)
                return
        await self._pay(kept, booth)

    async def _pay(self, kept: Kept, booth: WriterContext) -> None:
        owed = Owed(self, kept)
        if owed.total >= 1_500_00:
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
        assert (paid.authorised_by is not None) == (owed.total >= 1_500_00)
        self.gave_back(kept, booth, paid.coupon, owed.coupon, paid.cash_cents)
        self.seen[paid.kind] += 1
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
        if cash > self.drawers[booth.shift]["currency"]:
            cash = 0
        number = f"{next(self.order)}" if left - cash else None
        return {"cash_cents": cash, "check_cents": left - cash, "check_number": number,
                "withheld_cents": withheld}  # fmt: skip

    async def cancel(self, kept: Kept) -> None:
        """Cancel what is left of a multi-race."""
        booth = self.booth(kept.sold.location)
        owed = Owed(self, kept, refund=True)
        parts = self._parts(booth, owed)
        if kept.held or not kept.printed:
            reason = Refusal.HELD if kept.held else Refusal.PRINT_UNCONFIRMED
            await refused(reason, self.acts.refund(booth, kept.sold, **parts))
            return
        if owed.total >= 1_500_00:
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
        now = self.clock.now_ms
        due = {
            key: kept
            for key, kept in self.unclaimed.items()
            if key[0] == location
            and now > self.ends_ms(kept)
            and not kept.presented
            and not kept.held
        }
        self.seen["held beyond its time"] += any(
            kept.held and not kept.presented and now > self.ends_ms(kept)
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
        self.drawers[booth.shift]["currency"] += BANK_CENTS
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
        open_questions = [
            kept
            for kept in self.tickets.values()
            if kept.shift == booth.shift and kept.state == "live" and not kept.printed
        ]
        if open_questions:
            await refused(Refusal.PRINTS_UNCONFIRMED, self.acts.check_out(booth, {}))
            for kept in open_questions:
                assert await self.reprint(kept)
        tally = self.drawers[booth.shift]
        counted = {kind: tally[kind] for kind in KINDS}
        counted["currency"] += self.chance.choice((0, 0, 25, 1_00))
        sheet = await self.acts.check_out(booth, counted, "S2")
        assert sheet.expected_cents == {kind: tally[kind] for kind in KINDS}
        self.booths[location].remove(booth)
        await self.open_shift(location, booth.writer, booth.station)
        self.seen["checkout"] += 1

    async def slips(self, location: str) -> None:
        """A fill, a credit, or a break."""
        booth = self.booth(location)
        fate = self.chance.random()
        cents = self.chance.randint(1, 1_000_00)
        if fate < 0.4:
            await self.acts.fill(booth, cents, "S1")
            self.drawers[booth.shift]["currency"] += cents
        elif fate < 0.8 and cents <= self.drawers[booth.shift]["currency"]:
            await self.acts.credit(booth, cents, "M1")
            self.drawers[booth.shift]["currency"] -= cents
        else:
            await self.acts.rest(booth)
            await refused(Refusal.SHIFT_CLOSED, self.acts.fill(booth, cents, "S1"))
            state = await self.acts.rest(booth, back=True)
            tally = self.drawers[booth.shift]
            assert state.expected_cents == {kind: tally[kind] for kind in KINDS}
