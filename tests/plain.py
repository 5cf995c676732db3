"""Grading the slow and obvious way: every way spelled out, every ball looked up.

Shares no code with what it checks beyond the request itself.
"""

from fractions import Fraction
from itertools import chain, combinations

from keno.domain.ratecard import RateCard
from keno.domain.wager import EveryWay, KenoRequest, Line


def sets_of(request: KenoRequest, line: Line) -> list[tuple[int, ...]]:
    """All sets of groups a line plays, found by trying every set there is."""
    if not isinstance(line, EveryWay):
        return list(line.sets)
    sizes = [len(group) for group in request.groups] + [1] * len(request.kings)
    most = min(len(sizes), line.spots // min(sizes))
    every = chain.from_iterable(
        combinations(range(len(sizes)), taken) for taken in range(1, most + 1)
    )
    return [each for each in every if sum(sizes[index] for index in each) == line.spots]


def way_numbers(request: KenoRequest, members: tuple[int, ...]) -> set[int]:
    """The numbers of one way."""
    groups = [*request.groups, *((king,) for king in request.kings)]
    return {number for index in members for number in groups[index]}


def way_award(card: RateCard, line: Line, spots: int, catch: int) -> int:
    """What one way pays, limited to the maximum; whole cents or the card was not certified."""
    rate = card.rates[line.rate]
    cents = Fraction(rate.pays[spots].get(catch, 0)) * line.wager_cents / rate.base_cents
    assert cents.denominator == 1
    return min(int(cents), card.aggregate_max_cents)


def ways(request: KenoRequest, card: RateCard, drawn: list[int]) -> list[tuple[int, int, int, int]]:
    """Every way as (line, spots, catch, award)."""
    balls = set(drawn)
    graded = []
    for index, line in enumerate(request.lines):
        for members in sets_of(request, line):
            numbers = way_numbers(request, members)
            catch = len(numbers & balls)
            award = way_award(card, line, len(numbers), catch)
            graded.append((index, len(numbers), catch, award))
    return graded


def award(request: KenoRequest, card: RateCard, drawn: list[int]) -> int:
    """The ticket's award before the game's total is shared."""
    return sum(cents for _, _, _, cents in ways(request, card, drawn))
