"""A rate card: rates, limits and payoffs (15.1, 15.2(b), 15.3(d)-(e)).

Only what a card says and what follows from it. Reading one from TOML and finding its faults is
`cardfile.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from keno.domain.money import Cents
from keno.domain.wager import BALLS, NUMBERS, TicketType

AGGREGATE_MIN_CENTS = 100_000_00
"""15.3(e): a maximum aggregate payoff is never less, and this is the default."""
HOUSE_ADVANTAGE_MAX = Fraction(30, 100)
"""15.3(e): at the minimum wager offered. Exactly this passes."""
CLAIM_MINUTES_MAX = 365 * 24 * 60
"""15.6(c): a winning ticket is valid for a year at most, and by default."""
CLAIM_MINUTES_MIN = 5
"""15.6(c): never less than five minutes from the start of the game."""


@dataclass(frozen=True, slots=True)
class Tier:
    """The least wager a way in force from so many ways on the ticket."""

    ways: int
    min_cents: Cents


@dataclass(frozen=True, slots=True)
class Proportional:
    """The maximum is shared in proportion to every award."""


@dataclass(frozen=True, slots=True)
class FullUpTo:
    """Awards are paid in full up to an amount; the rest is shared by what exceeds it."""

    cents: Cents


AggregateShare = Proportional | FullUpTo


def catches(spots: int) -> range:
    """The catches that can happen on so many spots: 20 of 80 are drawn."""
    return range(max(0, spots - (NUMBERS - BALLS)), min(spots, BALLS) + 1)


@dataclass(frozen=True)
class Rate:
    """One price list: what each catch pays at the base price, and what may be wagered."""

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
        """The least wager a way on a ticket of so many ways."""
        return next(tier.min_cents for tier in reversed(self.tiers) if tier.ways <= ways)

    def highest_wager_cents(self, min_cents: Cents) -> Cents:
        """The highest wager that whole steps from this minimum reach."""
        steps = max(0, self.max_cents - min_cents) // self.step_cents
        return min_cents + steps * self.step_cents

    @property
    def shown_wager_cents(self) -> Cents:
        """The wager whose payoffs are shown: the base price if one way can be bought at it."""
        least = self.min_cents(1)
        offered = least <= self.base_cents <= self.max_cents
        on_step = (self.base_cents - least) % self.step_cents == 0
        return self.base_cents if offered and on_step else least

    def shown_award_cents(self, spots: int, catch: int, maximum: Cents) -> Cents:
        """What a catch pays at the wager that is shown; whole cents, as the certifier holds."""
        if spots not in self.pays:
            return 0
        return int(self.payoff(spots, catch, self.shown_wager_cents, maximum))

    def payoff(self, spots: int, catch: int, wager_cents: Cents, maximum: Cents) -> Fraction:
        """15.3(e): in exact proportion to the wager until the maximum is reached."""
        at_base = self.pays[spots].get(catch, 0)
        return min(Fraction(at_base * wager_cents, self.base_cents), Fraction(maximum))


@dataclass(frozen=True)
class RateCard:
    """One version of a house's card. A ticket is paid by the version it was sold under."""

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
        """What each catch pays on one way, by catch, limited to the maximum."""
        rate, maximum = self.rates[code], self.aggregate_max_cents
        return tuple(
            int(rate.payoff(spots, catch, wager_cents, maximum)) for catch in range(spots + 1)
        )

    def mark_of(self, code: str) -> str:
        """What is printed behind a price: nothing for the default rate, else mark or code."""
        if code == self.default_rate:
            return ""
        rate = self.rates.get(code)
        return code if rate is None or rate.mark is None else rate.mark

    def rate_of_mark(self, mark: str) -> str | None:
        """The rate code a mark behind a price stands for; a code stands for itself."""
        return self._marks.get(mark)

    @cached_property
    def _marks(self) -> dict[str, str]:
        marks = {code: code for code in self.rates}
        marks |= {rate.mark: code for code, rate in self.rates.items() if rate.mark is not None}
        return marks | {"": self.default_rate}
