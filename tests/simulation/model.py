"""A house in plain dicts: what every command should answer, by the decisions page.

No ledger, no SQL, none of `keno.service`: a command is allowed or refused for the reason that a
reader of the page would give, and money moves in counters.
"""

from collections import Counter
from dataclasses import dataclass, field

from keno.domain.errors import Refusal
from keno.domain.ratecard import RateCard
from keno.domain.shift import HouseBalance, Tender
from keno.domain.wager import KenoRequest
from keno.service.common import WriterContext
from tests.plain import award as plain_award
from tests.simulation.plain_coupons import PlainRegister
from tests.simulation.plain_halts import PlainHalts
from tests.simulation.plainmoney import (
    claim_ends,
    coupon_in,
    for_chips,
    gaming_day,
    in_drawer,
    lacks_chips,
    next_day_ends_ms,
    shared,
    tax_threshold,
)

SUPERVISORS = ("S1", "S2", "M1")
AUTHORISED_CENTS = 1_500_00

NotYet = Refusal | None
"""Why not; None if nothing speaks against it."""


@dataclass
class Game:
    state: str = "open"
    locked_ms: int = 0
    done_ms: int = 0
    shown: bool = False
    delayed: bool = False
    closed: bool = False
    """Whether its book has its root."""
    drawn: list[int] = field(default_factory=list)

    @property
    def told(self) -> bool:
        """May its result be acted on?"""
        return self.state == "void" or (self.state == "settled" and self.shown)


@dataclass
class Ticket:
    number: int
    code: str
    request: KenoRequest
    first: int
    price_cents: int
    coupon_cents: int
    station: str
    shift: int
    end: str | None = None
    """What became of it: void, payout, refund, surrender, expiry."""
    ended_game: int | None = None
    printed: bool = False
    reprints: int = 0
    held_until_ms: int = 0
    presented_ms: int | None = None
    """When a payout of it was last under way in time."""
    paid_in: str = "main"
    not_issued: str | None = None
    """Declared before the draw, or found after it."""
    decision: str | None = None
    """What a supervisor decided with its paper: confirmed or issued."""
    awards: dict[int, int] = field(default_factory=dict)
    tender: tuple[Tender, ...] = ()

    @property
    def exceptional(self) -> bool:
        """Held as not issued, and issued after all."""
        return self.decision == "issued"

    @property
    def last(self) -> int:
        return self.first + self.request.games - 1

    @property
    def one_game_cents(self) -> int:
        return self.price_cents // self.request.games

    @property
    def games(self) -> range:
        """Those it takes part in."""
        return range(self.first, self.last + 1 if self.ended_game is None else self.ended_game)


@dataclass
class Shift:
    writer: str
    station: str
    drawer: Counter[str]
    locked: bool = False
    closed: bool = False
    location: str = "main"


@dataclass
class Authorisation:
    """An authorisation that a writer asked for."""

    ticket: int
    amount_cents: int
    by: str
    shift: int
    state: str = "pending"
    answered_by: str = ""
    answered_ms: int = 0


@dataclass(frozen=True)
class Due:
    """What a ticket is owed, and how much of it goes back as a coupon."""

    awards: int
    returns: int
    refund: int
    coupon: int
    taxed: bool

    @property
    def total(self) -> int:
        return self.awards + self.returns + self.refund


class Model:
    """All that a house remembers."""

    def __init__(self, card: RateCard, now_ms: int) -> None:
        self.card = card
        self.now_ms = now_ms
        self.open_game = 1
        self.games = {1: Game()}
        self.tickets: dict[int, Ticket] = {}
        self.shifts: dict[int, Shift] = {}
        self.register = PlainRegister()
        self.slips = 0
        self.checks: set[str] = set()
        self.asked: dict[int, Authorisation] = {}
        self.halts = PlainHalts("main", "annex")
        self.night = False
        """Whether main is closed by its opening hours: it sells nothing, all else goes on."""

    # Why not.

    def halted(self, *locations: str) -> NotYet:
        return Refusal.HALTED if self.halts.halted(*locations) else None

    def booth(self, booth: WriterContext) -> NotYet:
        shift = self.shifts.get(booth.shift)
        here = shift is not None and (shift.writer, shift.station) == (booth.writer, booth.station)
        ready = shift is not None and here and not shift.locked and not shift.closed
        return None if ready else Refusal.SHIFT_CLOSED

    def paper(self, number: int, code: str) -> NotYet:
        ticket = self.tickets.get(number)
        if ticket is None:
            return Refusal.UNKNOWN_TICKET
        return None if code == ticket.code else Refusal.ALTERED

    def standing(self, ticket: Ticket) -> NotYet:
        gone = {
            "void": Refusal.VOID,
            "surrender": Refusal.NOT_ISSUED,
            "payout": Refusal.ALREADY_PAID,
            "refund": Refusal.CANCELLED,
            "expiry": Refusal.EXPIRED,
        }
        if ticket.end is not None:
            return gone[ticket.end]
        if ticket.not_issued and ticket.decision is None:
            return Refusal.HELD_NOT_ISSUED
        return Refusal.HELD if self.now_ms <= ticket.held_until_ms else None

    def supervisor(self, writer: str, supervisor: str | None) -> NotYet:
        if supervisor is None:
            return Refusal.AUTHORISATION_NEEDED
        if supervisor not in SUPERVISORS:
            return Refusal.NOT_ALLOWED
        return Refusal.OWN_ACT if supervisor == writer else None

    def void(self, ticket: Ticket) -> NotYet:
        locked = self.games[ticket.first].state != "open"
        return self.standing(ticket) or (Refusal.LOCKED_OUT if locked else None)

    def drawing(self, ticket: Ticket) -> NotYet:
        waits = any(not game.told for game in self.played(ticket))
        return Refusal.DRAWING if waits else None

    def redeem(self, ticket: Ticket) -> NotYet:
        if reason := self.standing(ticket):
            return reason
        if len(self.played(ticket)) < ticket.request.games:
            return Refusal.NOT_COMPLETE
        if reason := self.drawing(ticket):
            return reason
        if self.now_ms > self.open_until_ms(ticket):
            return Refusal.EXPIRED
        if self.due(ticket).total == 0:
            return Refusal.NO_AWARD
        return None if ticket.printed else Refusal.PRINT_UNCONFIRMED

    def refund(self, ticket: Ticket) -> NotYet:
        if reason := self.standing(ticket):
            return reason
        if ticket.request.games == 1:
            return Refusal.NOT_MULTI_RACE
        played = self.played(ticket)
        if not played:
            return Refusal.VOID_INSTEAD
        if reason := self.drawing(ticket):
            return reason
        if len(played) == ticket.request.games:
            return Refusal.NOTHING_TO_REFUND
        return None if ticket.printed else Refusal.PRINT_UNCONFIRMED

    def seller(self, ticket: int) -> str:
        return self.shifts[self.tickets[ticket].shift].writer

    def authorised(self, ticket: Ticket, due: Due, writer: str) -> NotYet:
        if not self.needs_authorisation(ticket, due.total):
            return None
        if ticket.exceptional and self.seller(ticket.number) == writer:
            return Refusal.OWN_ACT
        asked = self.open_question(ticket)
        if asked is None or asked.state != "approved":
            return Refusal.AUTHORISATION_NEEDED
        if asked.amount_cents != due.total:
            return Refusal.AUTHORISATION_DIFFERS
        if asked.answered_by == writer:
            return Refusal.OWN_ACT
        return Refusal.AUTHORISATION_NEEDED if self.stale(asked) else None

    def stale(self, asked: Authorisation) -> bool:
        """Approved on another gaming day."""
        return asked.state == "approved" and gaming_day(asked.answered_ms) != gaming_day(
            self.now_ms
        )

    def needs_authorisation(self, ticket: Ticket, total_cents: int) -> bool:
        return ticket.exceptional or total_cents >= AUTHORISED_CENTS

    def open_question(self, ticket: Ticket) -> Authorisation | None:
        return next(
            (
                asked
                for asked in self.asked.values()
                if asked.ticket == ticket.number and asked.state in ("pending", "approved")
            ),
            None,
        )

    # What is owed.

    def played(self, ticket: Ticket) -> list[Game]:
        """Its games that are no longer open."""
        found = (self.games.get(number) for number in range(ticket.first, ticket.last + 1))
        return [game for game in found if game is not None and game.state != "open"]

    def ends_ms(self, ticket: Ticket) -> int:
        """The end of its time to claim, which does not run during a halt."""
        last = self.games[ticket.last]
        ends = claim_ends(last.locked_ms, last.done_ms, self.card)
        return self.halts.later("main", last.locked_ms, ends)

    def open_until_ms(self, ticket: Ticket) -> int:
        """The last moment at which a ticket whose games are over can be paid."""
        ends, since = self.ends_ms(ticket), ticket.presented_ms
        kept_open = (0, 0) if since is None else (since, next_day_ends_ms(since))
        return self.halts.open_until_ms("main", ends, kept_open, ticket.held_until_ms)

    def is_over(self, ticket: Ticket) -> bool:
        last = self.games.get(ticket.last)
        done = last is not None and last.state in ("settled", "void")
        return done and self.now_ms > self.open_until_ms(ticket)

    def in_time(self, ticket: Ticket) -> bool:
        last = self.games.get(ticket.last)
        done = last is not None and last.state in ("settled", "void")
        return done and not self.halted("main") and self.now_ms <= self.ends_ms(ticket)

    def due(self, ticket: Ticket, *, refund: bool = False) -> Due:
        one, played = ticket.one_game_cents, self.played(ticket)
        void = [index for index, game in enumerate(played) if game.state == "void"]
        coupon = sum(coupon_in(ticket.coupon_cents, at * one, (at + 1) * one) for at in void)
        undrawn = ticket.price_cents - len(played) * one if refund else 0
        if undrawn:
            coupon += coupon_in(ticket.coupon_cents, len(played) * one, ticket.price_cents)
        taxed = any(award - one >= tax_threshold(2026) for award in ticket.awards.values())
        awards = sum(ticket.awards.values())
        return Due(awards, len(void) * one, undrawn, coupon, taxed)

    # What happens.

    def sell(self, ticket: Ticket, tender: tuple[Tender, ...]) -> None:
        self.tickets[ticket.number] = ticket
        drawer = self.shifts[ticket.shift].drawer
        drawer["cash"] -= sum(part.cents for part in tender) - ticket.price_cents
        for part in tender:
            drawer[in_drawer(part.kind)] += part.cents
        self.register.spend(tender, ticket.number)

    def change(
        self, writer: str, drawer: Counter[str], tender: tuple[Tender, ...], price_cents: int,
        second: str | None,
    ) -> NotYet:  # fmt: skip
        """Why the change of a sale cannot be given; None if it can."""
        cents = for_chips(tender, price_cents)
        if cents >= AUTHORISED_CENTS and (reason := self.supervisor(writer, second)):
            return reason
        return Refusal.PAYMENT_DIFFERS if cents > drawer["cash"] else None

    def lacks(self, drawer: Counter[str], back: Counter[str]) -> NotYet:
        """Why a drawer cannot give this back; None if it can."""
        if back["cash"] > drawer["cash"]:
            return Refusal.PAYMENT_DIFFERS
        return Refusal.NOT_IN_DRAWER if lacks_chips(drawer, back) else None

    def give_back(
        self, shift: int, back: Counter[str], ticket: Ticket, coupon_cents: int
    ) -> str | None:
        """What leaves a drawer by kind, and a new coupon; its serial."""
        self.shifts[shift].drawer.subtract(back)
        return self.register.give_back(ticket.number, coupon_cents, self.now_ms)

    def lock_out(self) -> None:
        game = self.games[self.open_game]
        game.state, game.locked_ms = "locked", self.now_ms
        self.open_game += 1
        self.games[self.open_game] = Game()

    def playing(self, number: int) -> list[Ticket]:
        return [ticket for ticket in self.tickets.values() if number in ticket.games]

    def settle(self, number: int) -> tuple[int, int, int]:
        """Grade and share: winners, graded, awards."""
        game = self.games[number]
        graded = {
            ticket.number: cents
            for ticket in self.playing(number)
            if (cents := plain_award(ticket.request, self.card, game.drawn))
        }
        left_out = {
            each: graded.pop(each)
            for each in [*graded]
            if self.tickets[each].not_issued == "declared"
        }
        for each, cents in left_out.items():  # as if it alone were among the winners too
            self.tickets[each].awards[number] = shared(graded | {each: cents}, self.card)[each]
        awards = shared(graded, self.card)
        for ticket, cents in awards.items():
            self.tickets[ticket].awards[number] = cents
        game.state, game.done_ms = "settled", self.now_ms
        return len(awards), sum(graded.values()), sum(awards.values())

    def lapsed(self) -> list[Ticket]:
        """Claims whose time has passed; none of them ends in a halt."""
        return (
            []
            if self.halted("main")
            else [
                ticket
                for ticket in self.tickets.values()
                if ticket.end is None
                and len(self.played(ticket)) == ticket.request.games
                and self.games[ticket.last].state in ("settled", "void")
                and self.now_ms > self.open_until_ms(ticket)
                and self.due(ticket).total
            ]
        )

    def balance(self) -> HouseBalance:
        """The two equations' terms, ticket by ticket."""
        terms: Counter[str] = Counter()
        for ticket in self.tickets.values():
            terms["sales_cents"] += ticket.price_cents
            if ticket.end == "void":
                terms["voids_cents"] += ticket.price_cents
            elif ticket.end == "refund":
                left = ticket.request.games - len(ticket.games)
                terms["refunds_cents"] += left * ticket.one_game_cents
            for number in ticket.games:
                state = self.games.get(number, Game()).state
                name = {"void": "returns_due", "drawn": "handle_drawn", "settled": "handle_drawn"}
                terms[f"{name.get(state, 'undrawn_multi_race')}_cents"] += ticket.one_game_cents
            won = sum(ticket.awards.values())
            declared = ticket.not_issued == "declared"
            if declared and not ticket.exceptional:
                continue
            terms["on_top_cents" if declared else "awards_cents"] += won
            paid = {"payout": "paid", "refund": "paid", "surrender": "expired", "expiry": "expired"}
            terms[f"{paid.get(ticket.end or '', 'open')}_cents"] += won
            terms["paid_elsewhere_cents"] += 0 if ticket.paid_in == "main" else won
        return HouseBalance(**terms)
