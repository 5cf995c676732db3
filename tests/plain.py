"""Reference implementation of grading and odds: slow and obvious, way by way.

It shares no code with what it checks, except the request itself.
"""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations, product
from math import comb, prod

from keno.domain.ratecard import RateCard
from keno.domain.wager import EveryWay, KenoRequest, Line


def sets_of(request: KenoRequest, line: Line) -> list[tuple[int, ...]]:
    """Return all sets of groups that a line plays, found by trying every set."""
    if not isinstance(line, EveryWay):
        return list(line.sets)
    sizes = [len(group) for group in request.groups] + [1] * len(request.kings)
    most = min(len(sizes), line.spots // min(sizes))
    every = chain.from_iterable(
        combinations(range(len(sizes)), taken) for taken in range(1, most + 1)
    )
    return [each for each in every if sum(sizes[index] for index in each) == line.spots]


def way_numbers(request: KenoRequest, members: tuple[int, ...]) -> set[int]:
    """Return the numbers of one way, given the indexes of its groups."""
    groups = [*request.groups, *((king,) for king in request.kings)]
    return {number for index in members for number in groups[index]}


def way_award(card: RateCard, line: Line, spots: int, catch: int) -> int:
    """Return the award of one way in cents, limited to the maximum; asserts whole cents."""
    rate = card.rates[line.rate]
    cents = Fraction(rate.pays[spots].get(catch, 0)) * line.wager_cents / rate.base_cents
    assert cents.denominator == 1
    return min(int(cents), card.aggregate_max_cents)


def ways(request: KenoRequest, card: RateCard, drawn: list[int]) -> list[tuple[int, int, int, int]]:
    """Grade a request: return every way as (line index, spots, catch, award in cents)."""
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
    """Return a ticket's award in cents, before the game's maximum is shared."""
    return sum(cents for _, _, _, cents in ways(request, card, drawn))


def hit_vectors(sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every vector of hits by group, and the number of draws that give it."""
    unmarked = 80 - sum(sizes)
    for hits in product(*(range(min(size, 20) + 1) for size in sizes)):
        rest = 20 - sum(hits)
        if 0 <= rest <= unmarked:
            inside = prod(comb(size, hit) for size, hit in zip(sizes, hits, strict=True))
            yield hits, inside * comb(unmarked, rest)


def distribution(request: KenoRequest, card: RateCard) -> dict[int, Fraction]:
    """Return the probability of each total award of one game, limited to the card's maximum."""
    ways = [(line, each) for line in request.lines for each in sets_of(request, line)]
    draws: Counter[int] = Counter()
    for hits, weight in hit_vectors(request.sizes):
        total = sum(
            way_award(card, line, sum(request.sizes[i] for i in each), sum(hits[i] for i in each))
            for line, each in ways
        )
        draws[min(total, card.aggregate_max_cents)] += weight
    return {total: Fraction(weight, comb(80, 20)) for total, weight in sorted(draws.items())}


def second_moment(request: KenoRequest, card: RateCard) -> Fraction:
    """Return the mean square of a game's total award without limit, from every pair of ways."""

    @cache
    def pays(line: int, spots: int) -> list[int]:
        caught = range(min(spots, 20) + 1)
        return [way_award(card, request.lines[line], spots, catch) for catch in caught]

    @cache
    def together(line: int, other: int, shared: int, only: int, other_only: int) -> int:
        outside = 80 - shared - only - other_only
        ours, theirs = pays(line, shared + only), pays(other, shared + other_only)
        return sum(
            comb(shared, both) * comb(only, mine) * comb(other_only, yours)
            * comb(outside, 20 - both - mine - yours)
            * ours[both + mine] * theirs[both + yours]
            for both in range(min(shared, 20) + 1)
            for mine in range(min(only, 20 - both) + 1)
            if ours[both + mine]
            for yours in range(min(other_only, 20 - both - mine) + 1)
        )  # fmt: skip

    ways = [
        (index, way_numbers(request, each))
        for index, line in enumerate(request.lines)
        for each in sets_of(request, line)
    ]
    squares = sum(
        together(line, other, len(mine & yours), len(mine - yours), len(yours - mine))
        for (line, mine), (other, yours) in product(ways, repeat=2)
    )
    return Fraction(squares, comb(80, 20))
