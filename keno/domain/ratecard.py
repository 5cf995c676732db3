"""A rate card: its rates, limits and payoffs (15.1, 15.2(b), 15.3(d)-(e)).

The classes have what a card states and compute what follows from it. `cardfile.py` reads a card
from TOML and finds its faults.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from keno.domain.money import Cents
from keno.domain.wager import BALLS, NUMBERS, TicketType

AGGREGATE_MIN_CENTS = 100_000_00
"""15.3(e): minimum and default of the maximum aggregate payoff of a game, in cents."""
HOUSE_ADVANTAGE_MAX = Fraction(30, 100)
"""15.3(e): maximum house advantage at the lowest wager offered; exactly this is allowed."""
CLAIM_MINUTES_MAX = 365 * 24 * 60
"""15.6(c): maximum and default claim period in minutes: one year."""
CLAIM_MINUTES_MIN = 5
"""15.6(c): minimum claim period in minutes from the start of the game."""


@dataclass(frozen=True, slots=True)
class Tier:
    """A minimum wager per way, in cents, for tickets of at least `ways` ways."""

    ways: int
    min_cents: Cents


@dataclass(frozen=True, slots=True)
class Proportional:
    """Rule if the awards of a game exceed its maximum: all share the maximum in proportion."""


@dataclass(frozen=True, slots=True)
class FullUpTo:
    """Rule if the awards of a game exceed its maximum: each is paid in full up to `cents`.

    What is left of the maximum is shared in proportion to the part of each award above `cents`. If
    the full parts alone exceed the maximum, all awards share it in proportion.
    """

    cents: Cents


AggregateShare = Proportional | FullUpTo


def catches(spots: int) -> range:
    """Return the catches that are possible on this number of spots when 20 of 80 are drawn."""
    return range(max(0, spots - (NUMBERS - BALLS)), min(spots, BALLS) + 1)


@dataclass(frozen=True)
class Rate:
    """One rate of a card: the payoffs of each spot count, and the wagers and tickets it allows.

    `pays` has the payoff in cents by spots and catch, for a wager of `base_cents`. `mark` is
    printed behind a price; None means that the code is printed.
    """

    code: str
    base_cents: Cents
    max_cents: Cents
    step_cents: Cents
    tiers: tuple[Tier, ...]
    pays: Mapping[int, Mapping[int, Cents]]
    mark: str | None = None
    types: frozenset[TicketType] = frozenset(TicketType)
    games_min: int = 1

    def min_cents(self, ways: int) -> Cents:
        """Return the minimum wager per way, in cents, on a ticket with this number of ways."""
        return next(tier.min_cents for tier in reversed(self.tiers) if tier.ways <= ways)

    def highest_wager_cents(self, min_cents: Cents) -> Cents:
        """Return the highest wager up to `max_cents` that whole steps from `min_cents` reach."""
        steps = max(0, self.max_cents - min_cents) // self.step_cents
        return min_cents + steps * self.step_cents

    @property
    def shown_wager_cents(self) -> Cents:
        """The wager in cents at which cards show payoffs: the base price if it can be bought."""
        least = self.min_cents(1)
        offered = least <= self.base_cents <= self.max_cents
        on_step = (self.base_cents - least) % self.step_cents == 0
        return self.base_cents if offered and on_step else least

    def shown_award_cents(self, spots: int, catch: int, maximum: Cents) -> Cents:
        """Return a catch's award in cents at `shown_wager_cents`; 0 if the rate lacks the spots."""
        if spots not in self.pays:
            return 0
        return int(self.payoff(spots, catch, self.shown_wager_cents, maximum))

    def payoff(self, spots: int, catch: int, wager_cents: Cents, maximum: Cents) -> Fraction:
        """15.3(e): return the payoff in cents: in proportion to the wager, up to the maximum."""
        at_base = self.pays[spots].get(catch, 0)
        return min(Fraction(at_base * wager_cents, self.base_cents), Fraction(maximum))


@dataclass(frozen=True)
class RateCard:
    """A version of a house's rate card. A ticket is paid by the version it was sold under.

    `claim_minutes` is the claim period; `aggregate_max_cents` is the maximum that one game pays in
    all.
    """

    name: str
    version: str
    spots_max: int
    aggregate_max_cents: Cents
    aggregate_share: AggregateShare
    multi_race_games_max: int
    multi_race_refunds: bool
    claim_minutes: int
    ticket_min_cents: Cents
    ticket_max_cents: Cents
    ways_max: int
    default_rate: str
    rates: Mapping[str, Rate] = field(repr=False)
    approval: str | None = None

    def payoffs(self, code: str, spots: int, wager_cents: Cents) -> tuple[Cents, ...]:
        """Return the payoffs of one way in cents, indexed by catch and limited to the maximum."""
        rate, maximum = self.rates[code], self.aggregate_max_cents
        return tuple(
            int(rate.payoff(spots, catch, wager_cents, maximum)) for catch in range(spots + 1)
        )

    def mark_of(self, code: str) -> str:
        """Return what is printed behind a price: "" for the default rate, else the mark or code."""
        if code == self.default_rate:
            return ""
        rate = self.rates.get(code)
        return code if rate is None or rate.mark is None else rate.mark

    def rate_of_mark(self, mark: str) -> str | None:
        """Return the code of the rate that a mark or code behind a price names; None if unknown."""
        return self._marks.get(mark)

    @cached_property
    def _marks(self) -> dict[str, str]:
        marks = {code: code for code in self.rates}
        marks |= {rate.mark: code for code, rate in self.rates.items() if rate.mark is not None}
        return marks | {"": self.default_rate}
