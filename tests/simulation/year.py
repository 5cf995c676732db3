"""A house for a year, in small: random patrons and writers over a real ledger.

Every random choice comes from one seeded generator. What the house should answer is worked out
from a plain memory of tickets, games and drawers (`plainmoney.py`), never asked of the ledger.
"""

import asyncio
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from random import Random

from keno.domain.errors import Refusal
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.shift import Tender
from keno.domain.wager import KenoRequest, QuickPick
from keno.protocol import DigitalOrigin, PaperOrigin, PreviousOrigin, Sold
from keno.service import cards, games
from keno.service.common import WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from tests.cards import card as read_card
from tests.houses import pick_origin, proof_of, verify
from tests.plain import award as plain_award
from tests.simulation.acts import Acts, refused
from tests.simulation.patrons import request_text, tender_for, with_games
from tests.simulation.plainmoney import claim_ends, shared

BANK_CENTS = 40_000_00
SUPERVISORS = ("S1", "S2", "M1")


@dataclass(eq=False)
class Kept:
    """A ticket as the patron and the plain memory know it."""

    sold: Sold
    request: KenoRequest
    tender: tuple[Tender, ...]
    shift: int
    state: str = "live"
    printed: bool = False
    held: bool = False
    presented: bool = False
    awards: dict[int, int] = field(default_factory=dict)

    @property
    def one_game_cents(self) -> int:
        return self.sold.price_cents // self.request.games

    @property
    def coupon_cents(self) -> int:
        return sum(part.cents for part in self.tender if part.kind == "coupon")


@dataclass
class Game:
    """A game as the plain memory knows it."""

    state: str
    locked_ms: int
    card: str
    done_ms: int = 0


class Year:
    """The floor, its memory, and its seeded chance."""

    def __init__(self, acts: Acts, chance: Random, path: Path) -> None:
        self.acts, self.chance = acts, chance
        self.clock = acts.floor.clock
        picks = Random(chance.random())
        acts.house.choose = lambda spots: picks.sample(range(1, 81), spots)
        self.reader = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.tickets: dict[tuple[str, int], Kept] = {}
        self.games: dict[tuple[str, int], Game] = {}
        self.open_game = {"main": 1, "annex": 501}
        self.cards: dict[str, RateCard] = {}
        self.maximum_changes: dict[str, int] = {}
        self.booths: dict[str, list[WriterContext]] = {"main": [], "annex": []}
        self.drawers: dict[int, Counter[str]] = defaultdict(Counter)
        self.issued: dict[str, dict[str, int]] = {"main": {}, "annex": {}}
        self.unclaimed: dict[tuple[str, int], Kept] = {}
        self.losers: list[Kept] = []
        self.events: list[tuple[int, int, Callable[[Kept], Awaitable[None]], Kept]] = []
        self.order = count()
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

    def played_by(self, kept: Kept) -> list[Game]:
        """The ticket's games that are locked, drawn or void so far, in order."""
        numbers = range(kept.sold.first_game, kept.sold.last_game + 1)
        found = (self.games.get((kept.sold.location, number)) for number in numbers)
        return [game for game in found if game is not None]

    def in_game(self, location: str, number: int) -> list[Kept]:
        """Tickets that play a game; a surrendered one still does."""
        return [
            kept
            for (where, _), kept in self.tickets.items()
            if where == location
            and kept.state in ("live", "surrendered")
            and kept.sold.first_game <= number <= kept.sold.last_game
        ]

    def ends_ms(self, kept: Kept) -> int:
        game = self.games[kept.sold.location, kept.sold.last_game]
        return claim_ends(game.locked_ms, game.done_ms, self.cards[kept.sold.card])

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
        for part in sale.tender:
            self.drawers[sale.booth.shift][part.kind] += part.cents
            self.issued[sold.location].pop(part.serial or "", None)
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
        # A coupon that was given back is promised to one sale only.
        tender = tender_for(self.chance, price, serial, self.issued[location])
        for part in tender:
            self.issued[location].pop(part.serial or "", None)
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
        cash = kept.sold.price_cents - kept.coupon_cents
        if cash > self.drawers[booth.shift]["currency"]:
            await refused(
                Refusal.PAYMENT_DIFFERS, self.acts.void(booth, kept.sold, presented=presented)
            )
            return
        voided = await self.acts.void(booth, kept.sold, presented=presented)
        assert (voided.cash_cents, voided.coupon_cents) == (cash, kept.coupon_cents)
        self.gave_back(kept, booth, voided.coupon, kept.coupon_cents, cash)
        kept.state = "void"
        self.seen["void"] += 1

    async def _rewrite(self, kept: Kept, booth: WriterContext) -> None:
        """The successor is paid for first, so the drawer can pay the old ticket back."""
        location = kept.sold.location
        sale = replace(await self.sale(location, booth), origin=PaperOrigin())
        if isinstance(sale.request, QuickPick) or location in self.maximum_changes:
            return
        cash = kept.sold.price_cents - kept.coupon_cents
        fresh = sum(part.cents for part in sale.tender if part.kind == "currency")
        if cash > self.drawers[booth.shift]["currency"] + fresh:
            return
        done = await self.acts.rewrite_as(kept.sold, sale)
        assert (done.voided.cash_cents, done.voided.coupon_cents) == (cash, kept.coupon_cents)
        self.gave_back(kept, booth, done.voided.coupon, kept.coupon_cents, cash)
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
        cash_cents: int,
    ) -> None:
        """Coupon parts go back as a coupon, the rest as currency of the returning drawer."""
        assert (serial is not None) == (coupon_cents > 0)
        if serial is not None:
            self.issued[kept.sold.location][serial] = coupon_cents
        self.drawers[booth.shift]["currency"] -= cash_cents

    # Games.

    async def lock_out(self, location: str) -> None:
        number = await self.acts.floor.lock(location)
        assert number == self.open_game[location]
        row = self.reader.execute(
            "SELECT card FROM games WHERE location = ? AND game = ?", (location, number)
        ).fetchone()
        self.games[location, number] = Game("locked", self.clock.now_ms, row[0])
        self.open_game[location] += 1
        if self.open_game[location] > self.maximum_changes.get(location, 10**9):
            del self.maximum_changes[location]
        for kept in self.in_game(location, number):
            if kept.state == "live" and self.happens(0.1):
                late = self.acts.void(self.booth(location), kept.sold)
                reason = Refusal.HELD if kept.held else Refusal.LOCKED_OUT
                await refused(reason, late)
            elif kept.state == "live" and self.happens(0.02):
                await self.acts.surrender(self.booth(location), kept.sold, "S1", "left unpaid")
                kept.state = "surrendered"
                self.seen["surrendered"] += 1

    async def result(self, location: str) -> None:
        """Draw and settle the locked game, or declare it void."""
        number = self.open_game[location] - 1
        game = self.games[location, number]
        if self.happens(0.06):
            await self.acts.declare_void(location, number, "S2", "I1", "the RNG is lost")
            game.state, game.done_ms = "void", self.clock.now_ms
            self.seen["game void"] += 1
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
        expected = shared(graded, self.cards[game.card])
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

    async def post_card(self, location: str, toml: str, first_game: int) -> None:
        """Post a card; if it changes the maximum, longer multi-races are refused from now on."""
        opens_ms = self.clock.now_ms + 30 * 60_000
        post = cards.PostCard(self.acts.id, location, toml, first_game, opens_ms, "M1", "S1")
        posted = await cards.post_card(self.acts.house, post)
        self.cards[posted.card] = read_card(toml)
        if posted.changes_maximum:
            self.maximum_changes[location] = first_game
