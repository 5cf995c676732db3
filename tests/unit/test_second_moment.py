"""The mean square of an award by pairs of ways, against every pair spelled out."""

from dataclasses import replace

import pytest
from hypothesis import given

from keno.domain import grading
from keno.domain.distribution import award_distribution
from keno.domain.grading import shape_of
from keno.domain.odds import merged
from keno.domain.pricing import Priced, price
from keno.domain.ratecard import RateCard
from keno.domain.second_moment import second_moment
from keno.domain.wager import EveryWay, KenoRequest, ListedWays, count_sets
from tests import plain
from tests.cards import card
from tests.strategies import keno_requests
from tests.unit.test_odds import request_of

CARD = card()
FAR_AWAY = 10**15
"""A maximum in cents that no ticket reaches."""


def wide_card() -> RateCard:
    """A card that pays ways of up to eighty spots."""
    pays = {spots: {5: 1_00, 20: 5_000_00} | {0: 2_00} for spots in range(20, 81)}
    rate = replace(CARD.rates["regular"], pays=pays)
    return replace(CARD, spots_max=80, ways_max=10_000, rates={"regular": rate})


@given(keno_requests())
def test_it_equals_that_of_the_distribution(request: KenoRequest) -> None:
    shape = shape_of(price(request, CARD))
    found = award_distribution(shape, FAR_AWAY)
    assert found is None or found.moment(2) == second_moment(shape) == second_moment(merged(shape))


@given(keno_requests())
def test_it_equals_that_of_every_pair_however_the_ways_are_kept(request: KenoRequest) -> None:
    priced = price(request, CARD)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "SPELLED_OUT_MAX", 0)
        shape = shape_of(priced)
    assert all((bet.sets is None) == isinstance(request.lines[bet.line], EveryWay)
               for bet in shape.bets)  # fmt: skip
    assert second_moment(shape) == plain.second_moment(request, CARD)


def test_two_ways_may_have_more_than_eighty_spots_together() -> None:
    wide = wide_card()
    request = request_of([30, 20, 30], ListedWays(((0, 1), (1, 2)), "regular", 1_00))
    shape = shape_of(Priced(request, wide))
    found = award_distribution(shape, FAR_AWAY)
    assert found is not None
    assert second_moment(shape) == found.moment(2) == plain.second_moment(request, wide)


def test_every_set_of_45_of_78_spots_is_exact() -> None:
    sizes = list(range(1, 13))
    assert count_sets(sizes, 45) == 113
    wide = wide_card()
    request = request_of(sizes, EveryWay(113, 45, "regular", 1_00))
    assert second_moment(shape_of(Priced(request, wide))) == plain.second_moment(request, wide)


def test_all_totals_are_paired_at_once() -> None:
    wide = wide_card()
    sizes = [3, 7, 7, 9, 12, 20]
    totals = [total for total in range(20, 59) if count_sets(sizes, total)]
    lines = [EveryWay(count_sets(sizes, total), total, "regular", 1_00) for total in totals]
    request = request_of(sizes, *lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grading, "SPELLED_OUT_MAX", 1)  # some bets are listed, some are not
        shape = shape_of(Priced(request, wide))
    assert {bet.sets is None for bet in shape.bets} == {True, False}
    assert second_moment(shape) == plain.second_moment(request, wide)


@given(keno_requests())
def test_a_limit_is_kept_and_changes_nothing_else(request: KenoRequest) -> None:
    shape = shape_of(price(request, CARD))
    assert second_moment(shape, 0) is None
    assert second_moment(shape, 10**12) == second_moment(shape)
