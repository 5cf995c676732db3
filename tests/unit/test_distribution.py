"""Groups that may be exchanged, and histograms of their hits."""

import pytest
from hypothesis import assume, given

from keno.domain.distribution import (
    AWARD_STEPS,
    alike_groups,
    award_distribution,
    count_histograms,
)
from keno.domain.grading import shape_of
from keno.domain.pricing import price
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays
from tests import plain
from tests.cards import card
from tests.strategies import keno_requests
from tests.unit.test_odds import few_vectors, request_of

CARD = card()
FAR_AWAY = 10**15
"""A maximum in cents that no ticket reaches."""


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
        # Each group is in as many sets as any other, and no two may be exchanged but opposites.
        ([1] * 4, [ListedWays(((0, 1), (1, 2), (2, 3), (0, 3)), "regular", 1_00)],
         [[0, 2], [1, 3]]),
        ([1] * 5, [ListedWays(((0, 1), (1, 2), (2, 3), (3, 4), (0, 4)), "regular", 1_00)],
         [[0], [1], [2], [3], [4]]),
    ],
)  # fmt: skip
def test_groups_are_alike_only_if_exchanging_them_changes_nothing(
    sizes: list[int], lines: list[Line], expected: list[list[int]]
) -> None:
    shape = shape_of(price(request_of(sizes, *lines), CARD))
    assert alike_groups(shape) == expected


@given(keno_requests())
def test_alike_groups_are_those_whose_exchange_leaves_every_bet_as_it_is(
    request: KenoRequest,
) -> None:
    shape = shape_of(price(request, CARD))
    class_of = {index: each for each in map(tuple, alike_groups(shape)) for index in each}
    assert sorted(class_of) == list(range(len(shape.sizes)))
    for one, mine in class_of.items():
        for other, yours in class_of.items():
            turned = {one: other, other: one}
            same = shape.sizes[one] == shape.sizes[other] and all(
                {frozenset(each) for each in bet.sets}
                == {frozenset(turned.get(index, index) for index in each) for each in bet.sets}
                for bet in shape.bets
                if bet.sets is not None
            )
            assert same == (mine == yours)


@given(keno_requests())
def test_histograms_are_counted_as_they_are_listed(request: KenoRequest) -> None:
    shape = shape_of(price(request, CARD))
    classes = alike_groups(shape)
    number = count_histograms(shape, classes)
    assume(number <= 20_000)
    seen = set()
    for hits, _ in plain.hit_vectors(request.sizes) if few_vectors(request) else ():
        seen.add(tuple(tuple(sorted(hits[i] for i in members)) for members in classes))
    assert not seen or len(seen) == number
    found = award_distribution(shape, CARD.aggregate_max_cents)
    assert found is not None
    assert all(draws > 0 for draws in found.draws)
    assert sum(chance for _, chance in found.awards) == 1


@given(keno_requests())
def test_the_steps_of_a_distribution_are_its_limit(request: KenoRequest) -> None:
    shape = shape_of(price(request, CARD))
    found = award_distribution(shape, FAR_AWAY)
    if found is None:
        assert award_distribution(shape, FAR_AWAY, 10**15) is None
        return
    steps = found.steps - len(found.cents) * AWARD_STEPS
    assert award_distribution(shape, FAR_AWAY, steps) in (None, found)  # None: half for comparing
    assert award_distribution(shape, FAR_AWAY, 2 * steps) == found
    assert award_distribution(shape, FAR_AWAY, steps - 1) is None
