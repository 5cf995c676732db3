"""Exact odds against slow and obvious reckoning (15.1, 15.3(e))."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb, prod

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from keno.domain import distribution, exact
from keno.domain.distribution import alike_groups, award_distribution, count_histograms
from keno.domain.grading import shape_of
from keno.domain.odds import catch_probability, mean_award, ticket_odds
from keno.domain.second_moment import second_moment
from keno.domain.pricing import price
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays
from tests import plain
from tests.cards import card
from tests.strategies import KINDS, keno_requests

CARD = card()
VECTORS_MAX = 3_000
FAR_AWAY = 10**15
"""A maximum in cents that no ticket reaches."""


def hit_vectors(request: KenoRequest) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every vector of hits, group by group, with the number of draws that give it."""
    sizes = request.sizes
    unmarked = 80 - sum(sizes)
    for hits in product(*(range(min(size, 20) + 1) for size in sizes)):
        rest = 20 - sum(hits)
        if 0 <= rest <= unmarked:
            inside = prod(comb(size, hit) for size, hit in zip(sizes, hits, strict=True))
            yield hits, inside * comb(unmarked, rest)


def vector_award(request: KenoRequest, hits: tuple[int, ...]) -> int:
    return sum(
        plain.way_award(CARD, line, sum(request.sizes[i] for i in each), sum(hits[i] for i in each))
        for line in request.lines
        for each in plain.sets_of(request, line)
    )


def plain_distribution(request: KenoRequest) -> dict[int, Fraction]:
    draws: Counter[int] = Counter()
    for hits, weight in hit_vectors(request):
        draws[min(vector_award(request, hits), CARD.aggregate_max_cents)] += weight
    return {award: Fraction(weight, comb(80, 20)) for award, weight in sorted(draws.items())}


def few_vectors(request: KenoRequest) -> bool:
    ways = sum(len(plain.sets_of(request, line)) for line in request.lines)
    return prod(size + 1 for size in request.sizes) * ways <= VECTORS_MAX * 4


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_the_award_distribution_equals_going_through_every_vector_of_hits(
    kind: str, data: st.DataObject
) -> None:
    request = data.draw(keno_requests(kind))
    assume(few_vectors(request))
    awards = ticket_odds(price(request, CARD)).awards
    assert awards is not None
    assert dict(awards) == plain_distribution(request)
    assert [cents for cents, _ in awards] == sorted(cents for cents, _ in awards)


@given(keno_requests())
def test_without_a_maximum_the_mean_is_the_sum_of_the_ways_means(request: KenoRequest) -> None:
    shape = shape_of(price(request, CARD))
    means = sum(
        catch_probability(spots, catch) * plain.way_award(CARD, line, spots, catch)
        for line in request.lines
        for spots in (sum(request.sizes[i] for i in each) for each in plain.sets_of(request, line))
        for catch in range(min(spots, 20) + 1)
    )
    assert mean_award(shape) == means
    found = award_distribution(shape, FAR_AWAY)
    if found is not None:
        assert sum(chance for _, chance in found.awards) == 1
        assert found.moment(1) == means
        assert found.moment(2) == second_moment(shape)


def request_of(sizes: list[int], *lines: Line) -> KenoRequest:
    numbers = iter(range(1, 81))
    groups = tuple(tuple(next(numbers) for _ in range(size)) for size in sizes)
    return KenoRequest(groups, (), lines)


def test_a_190_way_eight_is_exact() -> None:
    request = request_of([4] * 20, EveryWay(190, 8, "regular", 25))
    found = ticket_odds(price(request, CARD))
    assert found.awards is not None
    assert sum(chance for _, chance in found.awards) == 1
    assert found.house_advantage == 1 - Fraction(mean_eight(), 1_00)
    # The most: five solid groups of four make ten solid eights, and no half-caught group adds
    # anything to five groups and twenty balls.
    assert found.award_max_cents == 10 * 25_000_00 // 4


def mean_eight() -> Fraction:
    pays = {5: 9_00, 6: 90_00, 7: 1_500_00, 8: 25_000_00}
    draws = sum(comb(8, c) * comb(72, 20 - c) * cents for c, cents in pays.items())
    return Fraction(draws, comb(80, 20))


def test_a_ticket_beyond_the_limit_still_has_exact_mean_and_variance() -> None:
    sizes = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    request = request_of(sizes, EveryWay(10, 10, "regular", 1_00))
    shape = shape_of(price(request, CARD))
    assert count_histograms(shape, alike_groups(shape)) > distribution.HISTOGRAMS_MAX
    found = ticket_odds(price(request, CARD))
    assert found.awards is None
    assert found.mean_cents == mean_award(shape)
    assert found.variance == variance_by_every_pair(request)


def variance_by_every_pair(request: KenoRequest) -> Fraction:
    """The variance from the joint law of every pair of ways, spelled out."""
    ways = [
        (line, plain.way_numbers(request, each))
        for line in request.lines
        for each in plain.sets_of(request, line)
    ]
    second = 0
    for line, mine in ways:
        for other_line, yours in ways:
            parts = [mine & yours, mine - yours, yours - mine]
            sizes = [len(part) for part in parts]
            for both, only, other in product(*(range(size + 1) for size in sizes)):
                rest = 20 - both - only - other
                if 0 <= rest <= 80 - sum(sizes):
                    draws = prod(map(comb, sizes, (both, only, other)))
                    second += (
                        draws
                        * comb(80 - sum(sizes), rest)
                        * plain.way_award(CARD, line, len(mine), both + only)
                        * plain.way_award(CARD, other_line, len(yours), both + other)
                    )
    return Fraction(second, comb(80, 20)) - mean_award(shape_of(price(request, CARD))) ** 2


@pytest.mark.parametrize(
    ("sizes", "lines", "expected"),
    [
        ([4, 4, 4], [EveryWay(3, 8, "regular", 1_00)], [[0, 1, 2]]),
        ([4, 4, 3], [EveryWay(1, 8, "regular", 1_00), ListedWays(((2,),), "regular", 1_00)],
         [[0, 1], [2]]),
        ([2, 2, 2, 2], [ListedWays(((0, 1), (2, 3)), "regular", 1_00)], [[0, 1], [2, 3]]),
        ([2, 2, 2], [ListedWays(((0, 1), (1, 2)), "regular", 1_00)], [[0, 2], [1]]),
        ([2, 2], [ListedWays(((0,),), "regular", 1_00), ListedWays(((0, 1),), "special", 1_25)],
         [[0], [1]]),
    ],
)  # fmt: skip
def test_groups_are_alike_only_if_exchanging_them_changes_nothing(
    sizes: list[int], lines: list[Line], expected: list[list[int]]
) -> None:
    shape = shape_of(price(request_of(sizes, *lines), CARD))
    assert alike_groups(shape) == expected


@given(keno_requests())
def test_histograms_are_counted_as_they_are_listed(request: KenoRequest) -> None:
    shape = shape_of(price(request, CARD))
    classes = alike_groups(shape)
    number = count_histograms(shape, classes)
    assume(number <= 20_000)
    seen = set()
    for hits, _ in hit_vectors(request) if few_vectors(request) else ():
        seen.add(tuple(tuple(sorted(hits[i] for i in members)) for members in classes))
    assert not seen or len(seen) == number
    found = award_distribution(shape, CARD.aggregate_max_cents)
    assert found is not None
    assert all(chance > 0 for _, chance in found.awards)


def test_15_1_known_odds() -> None:
    # Published everywhere: 8 of 8 is one in 230,114.61, 10 of 10 one in 8,911,711.18.
    assert exact.decimal(1 / catch_probability(8, 8), 2) == "230114.61"
    assert exact.decimal(1 / catch_probability(10, 10), 2) == "8911711.18"
    assert catch_probability(1, 1) == Fraction(1, 4)
    assert sum(catch_probability(40, catch) for catch in range(21)) == 1


def test_15_1_house_advantage_of_a_one_spot() -> None:
    request = KenoRequest(((1,),), (), (EveryWay(1, 1, "regular", 1_00),))
    assert ticket_odds(price(request, CARD)).house_advantage == Fraction(1, 4)
