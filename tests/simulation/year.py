"""A house for a year, in small: random patrons and writers over a real ledger.

Every random choice comes from one seeded generator. What the house should answer is worked out
from a plain memory of tickets, games and drawers (`plainmoney.py`), never asked of the ledger.
"""

import asyncio
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol import DigitalOrigin, PaperOrigin, PreviousOrigin, Sold
from keno.service import cards, games
from keno.service.common import StaffContext, WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from tests.cards import card as read_card
from tests.houses import pick_origin, proof_of, verify
from tests.plain import award as plain_award
from tests.simulation import plainmoney as plain
from tests.simulation.acts import Acts, cur, refused
from tests.simulation.patrons import request_text, tender_for, with_games
from tests.simulation.plain_halts import PlainHalts
from tests.simulation.year_coupons import Purse
from tests.simulation.year_memory import Kept, KnownGame

BANK_CENTS = 40_000_00
RICH_CENTS = 5_000_00
"""Cents of cash with which a drawer surely has the change of all that is sold at once."""
SUPERVISORS = ("S1", "S2", "M1")
DECIDED_AGAIN_MS = 10 * 60_000
"""Milliseconds before a decision that a halt refused is tried again."""


class Year:
    """The floor, its memory, and its seeded chance."""

    def __init__(self, acts: Acts, chance: Random, path: Path) -> None:
        self.acts, self.chance = acts, chance
        self.clock = acts.floor.clock
        picks = Random(chance.random())
        acts.house.choose = lambda spots: picks.sample(range(1, 81), spots)
        self.reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.tickets: dict[tuple[str, int], Kept] = {}
        self.games: dict[tuple[str, int], KnownGame] = {}
        self.open_game = {"main": 1, "annex": 501}
        self.cards: dict[str, RateCard] = {}
        self.maximum_changes: dict[str, int] = {}
        self.booths: dict[str, list[WriterContext]] = {"main": [], "annex": []}
        self.drawers: dict[int, Counter[str]] = defaultdict(Counter)
        self.purse = Purse(chance)
        self.unclaimed: dict[tuple[str, int], Kept] = {}
        self.losers: list[Kept] = []
        self.events: list[tuple[int, int, Callable[[Kept], Awaitable[None]], Kept]] = []
        self.order = count()
        self.halts = PlainHalts("main", "annex")
        self.in_doubt = False
        """Whether the time waits to be confirmed: no claim ends then."""
        self.seen: Counter[str] = Counter()
        """What happened how often, so that a year in which nothing happened is noticed."""

    # Time.

    async def until(self, ms: int) -> None:
        """Let patrons come who have planned to, each at their own millisecond."""
        while self.events and self.events[0][0] <= ms:
            when, _, act, kept = heappop(self.events)
            self.clock.now_ms = max(self.clock.now_ms, when)
            await act(kept)
        self.clock.now_ms = max(self.clock.now_ms, ms)

    async def wait(self, ms: int) -> None:
        await self.until(self.clock.now_ms + ms)

    def plan(self, when_ms: int, act: Callable[[Kept], Awaitable[None]], kept: Kept) -> None:
        heappush(self.events, (when_ms, next(self.order), act, kept))

    def happens(self, probability: float) -> bool:
        return self.chance.random() < probability

    def booth(self, location: str) -> WriterContext:
        return self.chance.choice(self.booths[location])

    def booth_at(self, station: str) -> WriterContext | None:
        everywhere = [*self.booths["main"], *self.booths["annex"]]
        return next((booth for booth in everywhere if booth.station == station), None)

    def key(self, kept: Kept) -> tuple[str, int]:
        return kept.sold.location, kept.sold.ticket

    def played_by(self, kept: Kept) -> list[KnownGame]:
        """The ticket's games that are locked, drawn or void so far, in order."""
        numbers = range(kept.sold.first_game, kept.sold.last_game + 1)
        found = (self.games.get((kept.sold.location, number)) for number in numbers)
        return [game for game in found if game is not None]

    def in_game(self, location: str, number: int) -> list[Kept]:
        """Tickets that play a game; one that was not issued still does."""
        return [
            kept
            for (where, _), kept in self.tickets.items()
            if where == location
            and kept.state in ("live", "not issued", "surrendered")
            and kept.sold.first_game <= number <= kept.sold.last_game
        ]

    def ends_ms(self, kept: Kept) -> int:
        """The end of its time to claim, which does not run during a halt."""
        game = self.games[kept.sold.location, kept.sold.last_game]
        return self.halts.later(kept.sold.location, game.locked_ms, self.own_end_ms(kept))

    def own_end_ms(self, kept: Kept) -> int:
        """The end of its time to claim without any halt."""
        game = self.games[kept.sold.location, kept.sold.last_game]
        return plain.claim_ends(game.locked_ms, game.done_ms, self.cards[kept.sold.card])

    def open_until_ms(self, kept: Kept) -> int:
        """The last moment at which it can be paid."""
        since = kept.presented_ms
        kept_open = (0, 0) if since is None else (since, plain.next_day_ends_ms(since))
        return self.halts.open_until_ms(
            kept.sold.location, self.ends_ms(kept), kept_open, kept.held_until_ms
        )

    def under_way(self, kept: Kept) -> None:
        """Within its time a claim that is under way stays open to the end of the next day."""
        now = self.clock.now_ms
        if now <= self.ends_ms(kept) and plain.next_day_ends_ms(now) > self.open_until_ms(kept):
            kept.presented_ms = now

    def held(self, kept: Kept) -> bool:
        return self.clock.now_ms <= kept.held_until_ms

    # Selling.

    async def sell_some(self, location: str, most: int = 5) -> None:
        """Several patrons at several stations at once."""
        wanted = [await self.sale(location) for _ in range(self.chance.randint(2, most))]
        limit = self.maximum_changes.get(location, 10**9)
        first = self.open_game[location]
        sold: list[Awaitable[Sold]] = []
        for sale in wanted:
            if first < limit <= first + sale.request.games - 1:
                self.seen["maximum changes ahead"] += 1
                await refused(Refusal.CARD_CHANGE_AHEAD, sell_ticket(self.acts.house, sale))
            else:
                sold.append(self.keep(sale))
        await asyncio.gather(*sold)

    async def keep(self, sale: Sale) -> Sold:
        sold = await sell_ticket(self.acts.house, sale)
        self.remember(sale, sold)
        return sold

    def remember(self, sale: Sale, sold: Sold) -> Kept:
        request = sale.request
        if isinstance(request, QuickPick):
            request = from_written(sold.request)
        kept = Kept(sold, request, sale.tender, sale.booth.shift)
        self.tickets[self.key(kept)] = kept
        drawer = self.drawers[sale.booth.shift]
        change = sum(part.cents for part in sale.tender) - sold.price_cents
        assert sold.change_cents == change
        self.seen["change"] += change > 0
        self.seen["change for chips"] += plain.for_chips(sale.tender, sold.price_cents) > 0
        drawer["cash"] -= change
        for part in sale.tender:
            drawer[plain.in_drawer(part.kind)] += part.cents
        self.purse.used |= {part.serial for part in sale.tender if part.serial is not None}
        self.seen["quick-pick" if isinstance(sale.request, QuickPick) else request.type] += 1
        return kept

    async def sale(self, location: str, booth: WriterContext | None = None) -> Sale:
        """A sale of anything by any origin for any tender."""
        text = request_text(self.chance)
        if self.happens(0.35):
            text = with_games(self.chance, text)
        sale = await self.acts.floor.sale(booth or self.booth(location), text)
        price = sale.price_cents
        serial = f"PROMO-{next(self.order)}"
        # A coupon that was given back, at either location, is promised to one sale only.
        usable = self.purse.usable(self.clock.now_ms)
        rich = self.drawers[sale.booth.shift]["cash"] > RICH_CENTS
        tender = tender_for(self.chance, price, serial, usable, rich=rich)
        for part in tender:
            if part.serial == serial:
                await self.purse.registered(self.acts.floor, part.cents, serial)
            self.purse.unused.discard(part.serial or "")
        return replace(self._by_origin(sale, location), tender=tender)

    def _by_origin(self, sale: Sale, location: str) -> Sale:
        request = sale.request
        assert isinstance(request, KenoRequest)
        if location == "annex" and self.happens(0.3):
            return replace(sale, origin=DigitalOrigin('{"from":"a phone"}'))
        line = request.lines[0]
        if request.type == "straight" and self.happens(0.4):
            picked = QuickPick(request.spots_marked, line.rate, line.wager_cents, request.games)
            return replace(sale, origin=pick_origin(picked), request=picked)
        earlier = [kept for kept in self.losers[-20:] if kept.sold.location == location]
        if earlier and self.happens(0.2):
            old = self.chance.choice(earlier).sold
            self.seen["previous"] += 1
            return replace(sale, origin=PreviousOrigin(old.ticket, old.code, change_confirmed=True))
        return replace(sale, origin=PaperOrigin())

    async def correct(self, location: str) -> None:
        """Before lock-out: prints, voids and rewrites of the tickets for the open game."""
        number = self.open_game[location]
        new = [kept for kept in self.in_game(location, number) if kept.sold.first_game == number]
        await asyncio.gather(*[self._print(kept) for kept in new if not kept.printed])
        if self.happens(0.1):
            reason = await self.purse.refused(self.acts.floor, self.booth(location))
            self.seen[reason] += 1
        for kept in new:
            booth = self.booth_at(kept.sold.station)
            if not kept.printed and booth is not None and self.happens(0.3):
                await self.void(kept, booth, presented=False)
            elif self.happens(0.07):
                await self.void(kept, self.booth(location))
            elif kept.printed and self.happens(0.05):
                await self._rewrite(kept, self.booth(location))

    async def _print(self, kept: Kept) -> None:
        booth = self.booth_at(kept.sold.station)
        fate = self.chance.random()
        if booth is None or fate < 0.08:
            return  # nobody confirms it
        if fate < 0.18:
            await self.acts.reprint(booth, kept.sold)
            self.seen["reprinted"] += 1
        await self.acts.confirm(booth, kept.sold)
        kept.printed = True

    async def void(self, kept: Kept, booth: WriterContext, *, presented: bool = True) -> None:
        back = plain.comes_back(kept.tender, kept.sold.price_cents)
        drawer, in_cash = self.drawers[booth.shift], False
        if plain.lacks_chips(drawer, back):
            if back["cash"] <= drawer["cash"]:
                why = Refusal.NOT_IN_DRAWER
                await refused(why, self.acts.void(booth, kept.sold, presented=presented))
            back, in_cash = plain.given(back, {}), True
        asked = self.acts.void(booth, kept.sold, presented=presented, in_cash=in_cash)
        if back["cash"] > drawer["cash"]:
            await refused(Refusal.PAYMENT_DIFFERS, asked)
            return
        voided = await asked
        assert (voided.cash_cents, voided.coupon_cents) == (back["cash"], kept.coupon_cents)
        self.gave_back(kept, booth, voided.coupon, kept.coupon_cents, back)
        self.seen["chips in cash"] += in_cash
        kept.state = "void"
        self.seen["void"] += 1

    async def _rewrite(self, kept: Kept, booth: WriterContext) -> None:
        """The successor is paid for first, so the drawer can pay the old ticket back."""
        location = kept.sold.location
        sale = replace(await self.sale(location, booth), origin=PaperOrigin())
        if isinstance(sale.request, QuickPick) or location in self.maximum_changes:
            return
        old = [part for part in kept.tender if part.kind == "coupon"]
        moved = kept.coupon_cents if old and kept.coupon_cents <= sale.price_cents else 0
        if moved:
            rest = sale.price_cents - moved
            sale = replace(sale, tender=(*old, *([cur(rest)] if rest else [])))
            self.seen["coupon kept"] += 1
        came = plain.came_in(sale.tender)
        there = Counter(self.drawers[booth.shift])
        there.update(came)
        there["cash"] -= came.total() - sale.price_cents
        back, in_cash = plain.comes_back(kept.tender, kept.sold.price_cents), False
        if plain.lacks_chips(there, back):
            back, in_cash = plain.given(back, came), True
        if back["cash"] > there["cash"]:
            return
        done = await self.acts.rewrite_as(kept.sold, sale, in_cash=in_cash)
        said, left = done.voided, kept.coupon_cents - moved
        assert (said.cash_cents, said.coupon_cents, said.kept_cents) == (back["cash"], left, moved)
        self.drawers[booth.shift]["coupon"] -= moved
        self.gave_back(kept, booth, said.coupon, left, back)
        kept.state = "void"
        successor = self.remember(sale, done.sold)
        await self.acts.confirm(booth, done.sold)
        successor.printed = True
        self.seen["rewritten"] += 1

    def gave_back(
        self,
        kept: Kept,
        booth: WriterContext,
        serial: str | None,
        coupon_cents: int,
        back: Mapping[str, int],
    ) -> None:
        """Coupon parts go back as a coupon, the rest by kind from the returning drawer."""
        assert (serial is not None) == (coupon_cents > 0)
        if serial is not None:
            paid = [part.serial for part in kept.tender if part.serial is not None]
            ends_ms = self.purse.given_back(serial, coupon_cents, self.clock.now_ms, paid)
            found = self.reader.execute("SELECT ends_ms FROM coupons WHERE serial = ?", (serial,))
            assert found.fetchone() == (ends_ms,)
            self.seen["coupon given back"] += 1
        self.drawers[booth.shift].subtract(back)

    # Games.

    async def lock_out(self, location: str) -> None:
        number = await self.acts.floor.lock(location)
        assert number == self.open_game[location]
        row = self.reader.execute(
            "SELECT card FROM games WHERE location = ? AND game = ?", (location, number)
        ).fetchone()
        self.games[location, number] = KnownGame("locked", self.clock.now_ms, row[0])
        self.open_game[location] += 1
        if self.open_game[location] > self.maximum_changes.get(location, 10**9):
            del self.maximum_changes[location]
        for kept in self.in_game(location, number):
            if kept.state == "live" and self.happens(0.1):
                late = self.acts.void(self.booth(location), kept.sold)
                reason = Refusal.HELD if self.held(kept) else Refusal.LOCKED_OUT
                await refused(reason, late)
            elif kept.sold.first_game == number and self.happens(0.05):
                await self.not_issued(kept)

    async def not_issued(self, kept: Kept) -> None:
        """One key at the station that sold it, where another writer could pay it; by number never.

        A supervisor decides within minutes.
        """
        here = self.booths[kept.sold.location]
        booth = next((each for each in here if each.shift == kept.shift), None)
        if booth is None or len(here) < 2 or kept.state != "live" or self.held(kept):
            return
        await refused(Refusal.PAPER_NEEDED, self.acts.surrender(booth, kept.sold, "S1", "left"))
        await self.acts.not_issued(booth, kept.sold)
        kept.state, kept.declared = "not issued", True
        self.seen["not issued"] += 1
        self.plan(self.clock.now_ms + self.chance.randint(0, 4 * 60_000), self.decide, kept)

    async def decide(self, kept: Kept) -> None:
        """A supervisor decides with the paper."""
        location = kept.sold.location
        last = self.games.get((location, kept.sold.last_game))
        over = last is not None and last.state in ("settled", "void")
        halted = self.halts.halted(location)
        reason = Refusal.HALTED if halted else Refusal.HELD_NOT_ISSUED
        await refused(reason, self.acts.pay(self.booth(location), kept.sold, 1))
        if halted:
            decision = self.acts.decide(kept.sold, "S2", "with its paper")
            await refused(Refusal.HALTED, decision)
            self.plan(self.clock.now_ms + DECIDED_AGAIN_MS, self.decide, kept)
            return
        if over:
            self.under_way(kept)
        issued = self.happens(0.5)
        await self.acts.decide(kept.sold, "S2", "with its paper", issued=issued)
        kept.state, kept.exceptional = ("live" if issued else "surrendered"), issued
        self.seen["issued after all" if issued else "surrendered"] += 1
        if over and issued:
            await self.complete(kept)

    async def complete(self, kept: Kept) -> None:
        """The last game of a ticket is over, and its patron makes plans."""
        raise NotImplementedError

    def large(self, kept: Kept, cents: int) -> bool:
        """Whether a payout needs a supervisor."""
        return kept.exceptional or cents >= 1_500_00

    def paying_booth(self, kept: Kept, location: str = "") -> WriterContext:
        """Any booth there; of a ticket that was held as not issued not its seller's."""
        every = self.booths[location or kept.sold.location]
        return self.chance.choice(
            [each for each in every if not kept.exceptional or each.writer != kept.sold.writer]
        )

    async def result(self, location: str) -> None:
        """Draw and settle the locked game, or declare it void."""
        number = self.open_game[location] - 1
        game = self.games[location, number]
        if game.state == "void":
            return
        if self.happens(0.06):
            await self.declare_void(location, number)
            return
        house = self.acts.house
        await games.close_book(house, location, number)
        drawn = self._draw(location, number)
        await games.record_draw(house, location, number, proof_of(drawn), verify)
        await self.wait(30_000)
        await games.show(house, location, number)
        await games.settle(house, location, number)
        game.state, game.done_ms = "settled", self.clock.now_ms
        self._check_awards(location, number, drawn)

    async def declare_void(self, location: str, number: int) -> None:
        game = self.games[location, number]
        await self.acts.declare_void(location, number, "S2", "I1", "the RNG is lost")
        game.state, game.done_ms = "void", self.clock.now_ms
        self.seen["game void"] += 1

    def _draw(self, location: str, number: int) -> list[int]:
        """Twenty numbers; now and then those that some patrons have, so that much is won."""
        drawn: list[int] = []
        playing = self.in_game(location, number)
        if playing and self.happens(0.35):
            for kept in self.chance.sample(playing, min(3, len(playing))):
                drawn += [n for group in kept.request.all_groups for n in group]
        drawn = list(dict.fromkeys(drawn))[:20]
        others = [n for n in range(1, 81) if n not in drawn]
        drawn += self.chance.sample(others, 20 - len(drawn))
        self.chance.shuffle(drawn)
        return drawn

    def _check_awards(self, location: str, number: int, drawn: list[int]) -> None:
        """Every award, graded by the ticket's own card and shared by the game's."""
        graded = {}
        for kept in self.in_game(location, number):
            cents = plain_award(kept.request, self.cards[kept.sold.card], drawn)
            if cents:
                graded[kept.sold.ticket] = cents
        game = self.games[location, number]
        left_out = {
            each: graded.pop(each) for each in [*graded] if self.tickets[location, each].declared
        }
        self._check_left_out(location, number, graded, left_out)
        expected = plain.shared(graded, self.cards[game.card])
        rows = self.reader.execute(
            "SELECT ticket, graded_cents, award_cents FROM awards WHERE location = ? AND game = ?",
            (location, number),
        ).fetchall()
        assert {ticket: (before, award) for ticket, before, award in rows} == {
            ticket: (graded[ticket], expected[ticket]) for ticket in graded
        }
        for ticket, award in expected.items():
            kept = self.tickets[location, ticket]
            kept.awards[number] = award
            self.seen["award by an older card"] += kept.sold.card != game.card
        self.seen["shared"] += sum(graded.values()) > sum(expected.values())

    def _check_left_out(
        self, location: str, number: int, graded: dict[int, int], left_out: dict[int, int]
    ) -> None:
        """Each ticket that was not issued would have had its share among the winners alone."""
        card = self.cards[self.games[location, number].card]
        rows = self.reader.execute(
            "SELECT ticket, award_cents FROM not_issued_awards WHERE location = ? AND game = ?",
            (location, number),
        ).fetchall()
        expected = {
            each: plain.shared(graded | {each: cents}, card)[each]
            for each, cents in left_out.items()
        }
        assert dict(rows) == expected
        for ticket, award in expected.items():
            self.tickets[location, ticket].awards[number] = award
            self.seen["left out of the maximum"] += 1

    async def post_card(self, location: str, toml: str, first_game: int) -> None:
        """Post a card; if it changes the maximum, longer multi-races are refused from now on."""
        opens_ms = self.clock.now_ms + 30 * 60_000
        by = StaffContext("M1", "S1")
        post = protocol.PostCard(self.acts.id, location, toml, first_game)
        posted = await cards.post_card(self.acts.house, by, post, opens_ms)
        self.cards[posted.card] = read_card(toml)
        if posted.changes_maximum:
            self.maximum_changes[location] = first_game
