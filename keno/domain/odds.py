"""Exact odds of a catch, of a wager, and of a whole ticket whose ways share numbers.

`distribution.py` computes the distribution of a ticket's awards. `second_moment.py` computes the
variance of tickets whose distribution takes too many steps.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from math import comb

from keno.domain.distribution import award_distribution
from keno.domain.grading import Bet, Shape, shape_of
from keno.domain.money import Cents, format_dollars
from keno.domain.pricing import Priced
from keno.domain.ratecard import Rate, catches
from keno.domain.second_moment import second_moment
from keno.domain.wager import BALLS, DRAWS, NUMBERS, TicketType

# Work is counted in steps before it begins, so the same ticket at the same limit always gets the
# same answer. A step takes about a nanosecond.
PATRON_STEPS = 120_000_000
"""Maximum steps to compute the odds of a ticket for a patron."""
STATION_STEPS = 1_500_000_000
"""Maximum steps to compute the odds of a ticket for a station; enough for all lines ``n/s``."""


@cache
def draws_catching(spots: int, catch: int) -> int:
    """Return how many of the C(80, 20) draws catch exactly `catch` of `spots` spots."""
    if catch > BALLS:
        return 0
    return comb(spots, catch) * comb(NUMBERS - spots, BALLS - catch)


def catch_probability(spots: int, catch: int) -> Fraction:
    """Return the probability that a draw of 20 of 80 catches exactly `catch` of `spots` spots."""
    return Fraction(draws_catching(spots, catch), DRAWS)


def house_advantage(rate: Rate, spots: int, wager_cents: Cents, maximum: Cents) -> Fraction:
    """15.1: return 1 - expected payoff / wager for a way of `spots` spots at this wager.

    Each payoff is limited to `maximum`, the maximum payoff of a game in cents.
    """
    most = maximum * rate.base_cents
    back = sum(
        draws_catching(spots, catch) * min(cents * wager_cents, most)
        for catch, cents in rate.pays[spots].items()
    )
    return 1 - Fraction(back, DRAWS * rate.base_cents * wager_cents)


class MaximumEffect(StrEnum):
    """What the maximum payoff of a game does to the award of one ticket (15.3(e)).

    NONE: it never limits the award. LIMITS: it limits some awards, and the odds reckon with that.
    MAY_LIMIT: whether it limits awards was not computed, and mean and variance ignore it.
    """

    NONE = "none"
    LIMITS = "limits"
    MAY_LIMIT = "may_limit"


@dataclass(frozen=True)
class TicketOdds:
    """The odds of one game of a ticket if no other ticket wins, as `ticket_odds` returns them.

    `awards` has each possible award with its probability, the lowest first. `awards` and `variance`
    are None if they take too many steps. All figures include the limit by the maximum payoff,
    unless `maximum` is MAY_LIMIT. Mean and variance are then those without the limit: the true mean
    may be lower, and the true house advantage higher.
    """

    type: TicketType
    ways: int
    spots_marked: int
    price_cents: Cents
    mean_cents: Fraction
    variance: Fraction | None
    awards: tuple[tuple[Cents, Fraction], ...] | None
    maximum_cents: Cents
    maximum: MaximumEffect

    @property
    def house_advantage(self) -> Fraction:
        return 1 - Fraction(self.mean_cents, self.price_cents)

    @property
    def house_advantage_at_least(self) -> bool:
        """Whether the true house advantage may be higher than `house_advantage`."""
        return self.maximum is MaximumEffect.MAY_LIMIT

    @property
    def win_probability(self) -> Fraction | None:
        if self.awards is None:
            return None
        least, chance = self.awards[0]
        return Fraction(1) if least else 1 - chance

    @property
    def award_max_cents(self) -> Cents | None:
        return None if self.awards is None else self.awards[-1][0]


def maximum_sentence(odds: TicketOdds) -> str | None:
    """Return a sentence for screens on how the maximum limits a ticket's awards; None if not."""
    at_most = f"One game pays at most {format_dollars(odds.maximum_cents)} in all"
    match odds.maximum:
        case MaximumEffect.LIMITS:
            return (
                f"{at_most}, so the largest awards of this ticket are limited to that; "
                "these figures reckon with it."
            )
        case MaximumEffect.MAY_LIMIT:
            return (
                f"{at_most}. On paper this ticket could win more, so its house advantage is at "
                "least what is shown."
            )
        case _:
            return None


def ticket_odds(priced: Priced, steps_max: int | None = None) -> TicketOdds:
    """Return the exact odds of one game of a priced request.

    `awards` is left out if it takes more than `steps_max` steps. If the distribution itself takes
    more, the variance is computed by pairs of ways, or left out if these take more too. Without
    `steps_max` there is no limit of steps, only that of `HISTOGRAMS_MAX`.
    """
    request, shape = priced.request, merged(shape_of(priced))
    maximum_cents = priced.card.aggregate_max_cents
    found = award_distribution(shape, maximum_cents, steps_max)
    awards, squares = None, None
    effect = MaximumEffect.LIMITS if _way_is_limited(priced) else MaximumEffect.NONE
    if found is not None:
        effect = MaximumEffect.LIMITS if found.limited else effect
        mean, squares = found.moment(1), found.moment(2)
        if steps_max is None or found.steps <= steps_max:
            awards = found.awards
    else:
        highest = sum(bet.ways * max(bet.pays) for bet in shape.bets)
        effect = effect if highest <= maximum_cents else MaximumEffect.MAY_LIMIT
        mean, squares = mean_award(shape), second_moment(shape, steps_max)
    return TicketOdds(
        type=request.type,
        ways=request.ways,
        spots_marked=request.spots_marked,
        price_cents=request.price_one_game_cents,
        mean_cents=mean,
        variance=None if squares is None else squares - mean**2,
        awards=awards,
        maximum_cents=maximum_cents,
        maximum=effect,
    )


def _way_is_limited(priced: Priced) -> bool:
    """Return whether the game's maximum limits the highest payoff of any single way."""
    most = priced.card.aggregate_max_cents
    for line in priced.request.lines:
        rate = priced.card.rates[line.rate]
        for spots in priced.request.spots_of(line):
            best = max(
                (cents for catch, cents in rate.pays[spots].items() if catch in catches(spots)),
                default=0,
            )
            if best * line.wager_cents > most * rate.base_cents:
                return True
    return False


def merged(shape: Shape) -> Shape:
    """Return an equal shape with fewer bets: listed ways of equal spots and payoffs are one bet."""
    alike: dict[tuple[object, ...], list[Bet]] = {}
    for bet in shape.bets:
        alike.setdefault((bet.sets is None, bet.spots, bet.pays), []).append(bet)
    return Shape(shape.sizes, tuple(map(_one_bet, alike.values())))


def _one_bet(bets: list[Bet]) -> Bet:
    first = bets[0]
    if len(bets) == 1:
        return first
    sets = tuple(each for bet in bets for each in bet.sets or ())
    return Bet(first.line, first.spots, len(sets), sets, first.pays)


def mean_award(shape: Shape) -> Fraction:
    """Return a ticket's expected award in one game in cents, not limited by the game's maximum.

    Expectations add up whether or not ways share numbers.
    """
    draws = sum(
        bet.ways * draws_catching(bet.spots, catch) * bet.pays[catch]
        for bet in shape.bets
        for catch in catches(bet.spots)
    )
    return Fraction(draws, DRAWS)
