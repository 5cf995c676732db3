"""Exact odds against slow and obvious reckoning (15.1, 15.3(e))."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from pathlib import Path
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from keno.domain import distribution, exact
from keno.domain.errors import Refused
from keno.domain.grading import shape_of
from keno.domain.odds import (
    PATRON_STEPS,
    STATION_STEPS,
    MaximumEffect,
    TicketOdds,
    catch_probability,
    maximum_sentence,
    mean_award,
    ticket_odds,
)
from keno.domain.pricing import Priced, price
from keno.domain.request_text import parse
from keno.domain.second_moment import second_moment
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays, count_sets
from keno.service.counter import EXAMPLE, load_card, usable_card
from tests import plain
from tests.cards import card, card_text
from tests.counts import count
from tests.strategies import KINDS, keno_requests

ROOT = Path(__file__).parents[2]
CARD = card()
LARKSPUR = usable_card(load_card(EXAMPLE))
VECTORS_MAX = 12_000


def few_vectors(request: KenoRequest) -> bool:
    ways = sum(len(plain.sets_of(request, line)) for line in request.lines)
    return prod(size + 1 for size in request.sizes) * ways <= VECTORS_MAX


def request_of(sizes: list[int], *lines: Line) -> KenoRequest:
    numbers = iter(range(1, 81))
    groups = tuple(tuple(next(numbers) for _ in range(size)) for size in sizes)
    return KenoRequest(groups, (), lines)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=count(60, 3_000))
@given(data=st.data())
def test_odds_equal_going_through_every_vector_of_hits(kind: str, data: st.DataObject) -> None:
    request = data.draw(keno_requests(kind))
    assume(few_vectors(request))
    found, expected = ticket_odds(price(request, CARD)), plain.distribution(request, CARD)
    assert found.awards is not None
    assert found.awards == tuple(expected.items())
    mean = sum(cents * chance for cents, chance in expected.items())
    assert found.mean_cents == mean
    assert found.variance == sum(c**2 * chance for c, chance in expected.items()) - mean**2
    assert found.win_probability == 1 - expected.get(0, 0)
    assert found.award_max_cents == max(expected)
    assert found.house_advantage == 1 - mean / request.price_one_game_cents
    assert not found.house_advantage_at_least
    unlimited = Priced(request, replace(CARD, aggregate_max_cents=10**12))
    limited = found.mean_cents < mean_award(shape_of(unlimited))
    assert found.maximum is (MaximumEffect.LIMITS if limited else MaximumEffect.NONE)


@given(keno_requests())
def test_without_a_maximum_the_mean_is_the_sum_of_the_ways_means(request: KenoRequest) -> None:
    means = sum(
        catch_probability(spots, catch) * plain.way_award(CARD, line, spots, catch)
        for line in request.lines
        for spots in (sum(request.sizes[i] for i in each) for each in plain.sets_of(request, line))
        for catch in range(min(spots, 20) + 1)
    )
    assert mean_award(shape_of(price(request, CARD))) == means


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


def test_15_1_known_odds() -> None:
    # Published everywhere: 8 of 8 is one in 230,114.61, 10 of 10 one in 8,911,711.18.
    assert exact.decimal(1 / catch_probability(8, 8), 2) == "230114.61"
    assert exact.decimal(1 / catch_probability(10, 10), 2) == "8911711.18"
    assert catch_probability(1, 1) == Fraction(1, 4)
    assert sum(catch_probability(40, catch) for catch in range(21)) == 1


def test_15_1_house_advantage_of_a_one_spot() -> None:
    request = KenoRequest(((1,),), (), (EveryWay(1, 1, "regular", 1_00),))
    assert ticket_odds(price(request, CARD)).house_advantage == Fraction(1, 4)


# The maximum of a game.

SINGLES = "/".join(map(str, range(1, 16)))
BILLION = f"{SINGLES}: 5005/9@0.10"
"""On paper its best draw pays $25,025,000.00."""
WIDE = request_of(list(range(1, 11)), EveryWay(10, 10, "regular", 1_00))
"""Too many histograms for a distribution."""


def test_15_3_e_odds_reckon_with_the_maximum_that_one_game_pays() -> None:
    found = ticket_odds(price(parse(BILLION, LARKSPUR), LARKSPUR))
    pays = {5: 3_00, 6: 45_00, 7: 325_00, 8: 4_000_00, 9: 50_000_00}
    mean = Fraction(0)
    for hits in range(16):
        ways = {catch: comb(hits, catch) * comb(15 - hits, 9 - catch) for catch in pays}
        award = min(sum(ways[catch] * pays[catch] for catch in pays) // 10, 100_000_00)
        mean += award * Fraction(comb(15, hits) * comb(65, 20 - hits), comb(80, 20))
    assert found.mean_cents == mean
    assert exact.percent(found.house_advantage) == "32.791566"
    assert found.award_max_cents == 100_000_00
    assert found.maximum is MaximumEffect.LIMITS
    assert maximum_sentence(found) == (
        "One game pays at most $100,000.00 in all, so the largest awards of this ticket are "
        "limited to that; these figures reckon with it."
    )


def test_15_3_e_a_single_way_that_the_maximum_limits_is_said_too() -> None:
    eight = "1 2 3 4 5 6 7 8: 1/8@{}"
    limited = ticket_odds(price(parse(eight.format("20.00"), LARKSPUR), LARKSPUR))
    assert exact.percent(limited.house_advantage) == "35.986145"
    assert limited.maximum is MaximumEffect.LIMITS
    assert not limited.house_advantage_at_least
    whole = ticket_odds(price(parse(eight.format("4.00"), LARKSPUR), LARKSPUR))
    assert exact.percent(whole.house_advantage) == "27.294824"  # it pays the maximum exactly
    assert maximum_sentence(whole) is None


def test_15_3_e_a_payoff_for_a_catch_that_no_draw_gives_is_not_limited() -> None:
    odd = card(card_text(rates__regular__pays__8__9=1_000_000_00))
    found = ticket_odds(price(parse("1 2 3 4 5 6 7 8: 1/8@1.00", odd), odd))
    assert maximum_sentence(found) is None


def test_15_3_e_without_a_distribution_the_advantage_is_at_least_what_is_given() -> None:
    priced = price(parse(BILLION, LARKSPUR), LARKSPUR)
    found, limited = ticket_odds(priced, 0), ticket_odds(priced)
    assert found.maximum is MaximumEffect.MAY_LIMIT
    assert found.house_advantage_at_least
    assert exact.percent(found.house_advantage) == "28.593630"
    assert found.house_advantage < limited.house_advantage
    assert maximum_sentence(found) == (
        "One game pays at most $100,000.00 in all. On paper this ticket could win more, so its "
        "house advantage is at least what is shown."
    )


def test_15_3_e_a_ticket_that_cannot_reach_the_maximum_is_exact_without_a_distribution() -> None:
    found = ticket_odds(Priced(WIDE, replace(CARD, aggregate_max_cents=1_000_000_00)))
    assert found.awards is None
    assert found.maximum is MaximumEffect.NONE
    assert not found.house_advantage_at_least
    assert maximum_sentence(found) is None


# The work is limited.


def test_awards_are_listed_if_they_take_exactly_the_limit_and_not_one_step_more() -> None:
    priced = price(parse("1 2 3 4/5 6 7 8/9 10 11 12: 3/8@1.00", CARD), CARD)
    whole = distribution.award_distribution(shape_of(priced), CARD.aggregate_max_cents)
    assert whole is not None
    assert ticket_odds(priced, whole.steps).awards == whole.awards
    beyond = ticket_odds(priced, whole.steps - 1)
    assert (beyond.awards, beyond.mean_cents) == (None, whole.moment(1))


def test_a_ticket_of_too_many_histograms_has_an_exact_mean_and_variance() -> None:
    shape = shape_of(price(WIDE, CARD))
    assert distribution.award_distribution(shape, 10**15) is None
    found = ticket_odds(price(WIDE, CARD))
    assert (found.awards, found.win_probability, found.award_max_cents) == (None, None, None)
    assert found.mean_cents == mean_award(shape)
    assert found.variance == plain.second_moment(WIDE, CARD) - found.mean_cents**2


@given(keno_requests(), st.sampled_from([0, 1, 10**5, 10**6, 10**7]))
def test_a_limit_takes_figures_away_and_changes_none(request: KenoRequest, limit: int) -> None:
    priced = price(request, CARD)
    whole, found = ticket_odds(priced), ticket_odds(priced, limit)
    assert found == ticket_odds(priced, limit)
    assert (found.type, found.ways, found.price_cents) == (
        whole.type, whole.ways, whole.price_cents,
    )  # fmt: skip
    assert found.awards in (None, whole.awards)
    if found.maximum is whole.maximum:
        assert found.mean_cents == whole.mean_cents
        assert found.variance in (None, whole.variance)
    else:
        assert found.mean_cents == mean_award(shape_of(priced)) >= whole.mean_cents
    if not limit:
        assert found.awards is None
        assert found.variance is None


def test_the_variance_by_pairs_is_given_where_the_distribution_is_too_much() -> None:
    sets = tuple(combinations(range(16), 3))[:-1]  # one is left out: groups are of two kinds
    priced = price(request_of([1] * 16, ListedWays(sets, "regular", 25)), LARKSPUR)
    shape = shape_of(priced)
    limits = [10**exponent for exponent in range(9)]
    answers = [ticket_odds(priced, limit) for limit in limits]
    known = [(each.variance is not None, each.awards is not None) for each in answers]
    assert known[0] == (False, False)
    assert known[-1] == (True, True)
    assert known == sorted(known)
    mean = mean_award(shape)
    squares = second_moment(shape)
    assert squares is not None
    assert {each.variance for each in answers} == {None, squares - mean**2}


def test_awards_too_many_to_tell_leave_mean_and_variance_exact() -> None:
    request = request_of([3, 4, 5, 6, 7, 8], *every([3, 4, 5, 6, 7, 8], range(3, 21), 1_00))
    priced = Priced(request, LARKSPUR)
    whole, found = ticket_odds(priced), ticket_odds(priced, PATRON_STEPS)
    assert whole.awards is not None
    assert found.awards is None
    assert (found.mean_cents, found.variance) == (whole.mean_cents, whole.variance)
    assert found.maximum is whole.maximum is MaximumEffect.LIMITS


@given(keno_requests(), st.randoms(use_true_random=False))
def test_a_line_in_two_parts_has_the_same_odds(request: KenoRequest, random: Random) -> None:
    lines: list[Line] = []
    for line in request.lines:
        if isinstance(line, ListedWays) and line.ways > 1:
            cut = random.randint(1, line.ways - 1)
            parts = line.sets[:cut], line.sets[cut:]
            lines += [ListedWays(part, line.rate, line.wager_cents) for part in parts]
        else:
            lines.append(line)
    random.shuffle(lines)
    parted = replace(request, lines=tuple(lines))
    for limit in (None, 10**6, 0):
        found, other = (ticket_odds(Priced(each, CARD), limit) for each in (request, parted))
        assert replace(other, type=found.type) == found  # half a way ticket is a combination


def every(sizes: list[int], totals: range, wager_cents: int) -> list[EveryWay]:
    counted = [(count_sets(sizes, total), total) for total in totals]
    return [EveryWay(ways, total, "regular", wager_cents) for ways, total in counted if ways]


def all_totals(sizes: list[int]) -> TicketOdds:
    """The odds of every total of the shipped card, whatever the ticket would cost."""
    request = request_of(sizes, *every(sizes, range(1, 21), 1_00))
    return ticket_odds(Priced(request, LARKSPUR), PATRON_STEPS)


@pytest.mark.parametrize(
    "sizes",
    [
        list(range(1, 13)), [4] * 20, [1] * 50, [2] * 40, [1] * 10 + [2] * 10 + [3] * 10,
        [1] * 8 + [2] * 8 + [4] * 8, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], [3] * 26,
        [1] * 40 + [20, 20], [5] * 16, [1, 2, 4, 8, 16],
    ],
    ids=str,
)  # fmt: skip
def test_all_totals_of_any_groups_are_exact_within_a_patrons_limit(sizes: list[int]) -> None:
    assert all_totals(sizes).variance is not None


@pytest.mark.parametrize("seed", range(count(20, 1_000)))
def test_all_totals_of_random_groups_are_exact_within_a_patrons_limit(seed: int) -> None:
    random = Random(seed)
    kinds = random.choices(range(1, 13), k=random.randint(1, 12))
    sizes: list[int] = []
    for size in random.choices(kinds, k=random.randint(1, 50)):
        sizes += [size] * (sum(sizes) + size <= 80)
    assert all_totals(sizes).variance is not None


def test_kings_with_all_totals_are_exact_within_a_patrons_limit() -> None:
    groups = tuple((3 * index + 1, 3 * index + 2, 3 * index + 3) for index in range(5))
    kings = tuple(range(16, 81))
    lines = every([3] * 5 + [1] * len(kings), range(1, 21), 10)
    request = KenoRequest(groups, kings, tuple(lines))
    assert ticket_odds(Priced(request, LARKSPUR), PATRON_STEPS).awards is not None


@given(keno_requests())
def test_odds_of_the_tests_tickets_are_whole_within_a_patrons_limit(request: KenoRequest) -> None:
    whole = ticket_odds(price(request, CARD))
    assert ticket_odds(price(request, CARD), STATION_STEPS) == whole
    found = ticket_odds(price(request, CARD), PATRON_STEPS)
    assert found == replace(whole, awards=found.awards)


def test_odds_of_the_documents_tickets_are_whole_within_a_patrons_limit() -> None:
    texts = [file.read_text() for file in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))]
    told = {
        each
        for text in texts
        for each in re.findall(r"[0-9][0-9 /K]*: [^`'\"\n]*@[^`'\"\n]*", text)
    }
    asked = 0
    for text in sorted(told):
        try:
            priced = price(parse(text.replace("…", ""), LARKSPUR), LARKSPUR)
        except Refused:
            continue
        assert ticket_odds(priced, PATRON_STEPS) == ticket_odds(priced)
        assert ticket_odds(priced).awards is not None
        asked += 1
    assert asked >= 2
