"""The maximum aggregate payoff, shared to the cent (15.3(e))."""

from fractions import Fraction
from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.aggregate import exact_sum, share_awards, share_bounds, share_if_among
from keno.domain.ratecard import AggregateShare, FullUpTo, Proportional
from tests.counts import count

MAXIMUM = 100_000_00
POLICIES: list[AggregateShare] = [Proportional(), FullUpTo(5_000_00)]


def shared(
    awards: list[int], share: AggregateShare, maximum: int = MAXIMUM, first: int = 1
) -> list[int]:
    tickets = np.arange(first, first + len(awards), dtype=np.int64)
    paid = share_awards(tickets, np.array(awards, dtype=np.int64), maximum, share)
    return [int(cents) for cents in paid]


def plainly_shared(awards: list[int], share: AggregateShare, maximum: int) -> list[int]:
    """The decision in words, one award at a time, with fractions; tickets 1, 2, 3 …"""
    if sum(awards) <= maximum:
        return awards
    in_full = [0] * len(awards)
    if isinstance(share, FullUpTo) and sum(min(a, share.cents) for a in awards) <= maximum:
        in_full = [min(award, share.cents) for award in awards]
    over = [award - full for award, full in zip(awards, in_full, strict=True)]
    rest = maximum - sum(in_full)
    exact = [Fraction(each * rest, sum(over)) for each in over]
    paid = [int(each) for each in exact]
    by_remainder = sorted(range(len(awards)), key=lambda i: (paid[i] - exact[i], i))
    for index in by_remainder[: rest - sum(paid)]:
        paid[index] += 1
    return [full + each for full, each in zip(in_full, paid, strict=True)]


award_lists = st.lists(
    st.one_of(st.integers(0, 50), st.integers(0, 10**7), st.sampled_from([0, 900, 9000, 10**7])),
    max_size=60,
)
policies = st.one_of(st.just(Proportional()), st.integers(1, 10**6).map(FullUpTo))
maxima = st.one_of(st.integers(1, 1000), st.integers(1, 10**8))


@given(award_lists, policies, maxima)
def test_15_3_e_sharing_agrees_with_the_decision_worked_out_plainly(
    awards: list[int], share: AggregateShare, maximum: int
) -> None:
    assert shared(awards, share, maximum) == plainly_shared(awards, share, maximum)


@given(award_lists, policies, maxima)
def test_15_3_e_what_an_award_is_paid_lies_within_its_bounds(
    awards: list[int], share: AggregateShare, maximum: int
) -> None:
    for award, paid in zip(awards, shared(awards, share, maximum), strict=True):
        least, most = share_bounds(award, sum(awards), maximum, share)
        assert least <= paid <= most <= award
        if isinstance(share, Proportional) or sum(awards) <= maximum:
            assert most - least <= (sum(awards) > maximum)


@pytest.mark.parametrize(
    ("award", "total", "share", "bounds"),
    [
        (10, 100, Proportional(), (10, 10)),
        (10, 101, Proportional(), (9, 10)),
        (10, 200, Proportional(), (5, 5)),
        (10, 200, FullUpTo(4), (4, 7)),
        (10, 200, FullUpTo(8), (5, 9)),
        (10, 200, FullUpTo(10), (5, 10)),
        (10, 200, FullUpTo(30), (5, 10)),
    ],
)
def test_15_3_e_the_bounds_of_an_award(
    award: int, total: int, share: AggregateShare, bounds: tuple[int, int]
) -> None:
    assert share_bounds(award, total, 100, share) == bounds


@given(award_lists, policies, maxima)
def test_15_3_e_awards_add_up_to_the_maximum_exactly_and_keep_their_order(
    awards: list[int], share: AggregateShare, maximum: int
) -> None:
    paid = shared(awards, share, maximum)
    assert sum(paid) == min(sum(awards), maximum)
    assert all(0 <= got <= award for got, award in zip(paid, awards, strict=True))
    ranked = sorted(zip(awards, paid, strict=True))
    for (less, got_less), (more, got_more) in pairwise(ranked):
        assert got_less <= got_more or less == more
        if less == more:
            assert abs(got_more - got_less) <= 1


@given(award_lists, policies, maxima, st.randoms())
def test_15_3_e_sharing_does_not_depend_on_the_order_of_tickets(
    awards: list[int], share: AggregateShare, maximum: int, random: Random
) -> None:
    tickets = list(range(1, len(awards) + 1))
    by_ticket = dict(zip(tickets, shared(awards, share, maximum), strict=True))
    pairs = list(zip(tickets, awards, strict=True))
    random.shuffle(pairs)
    numbers = np.array([ticket for ticket, _ in pairs], dtype=np.int64)
    mixed = np.array([award for _, award in pairs], dtype=np.int64)
    paid = share_awards(numbers, mixed, maximum, share)
    assert {t: int(p) for (t, _), p in zip(pairs, paid, strict=True)} == by_ticket


@pytest.mark.parametrize("share", POLICIES)
def test_15_3_e_at_the_maximum_nothing_is_shared(share: AggregateShare) -> None:
    assert shared([60_000_00, 40_000_00], share) == [60_000_00, 40_000_00]
    assert sum(shared([60_000_00, 40_000_01], share)) == MAXIMUM


def test_the_odd_cent_goes_to_the_lower_ticket_number() -> None:
    assert shared([10, 10, 10], Proportional(), maximum=10) == [4, 3, 3]
    assert shared([10, 10, 10], Proportional(), maximum=11) == [4, 4, 3]


def test_awards_in_full_up_to_an_amount_leave_small_winners_whole() -> None:
    # 100 winners of $50.00 and two of $100,000.00: 5,000.00 + 2 x 5,000.00 in full,
    # 85,000.00 left for the two alike.
    awards = [50_00] * 100 + [100_000_00] * 2
    paid = shared(awards, FullUpTo(5_000_00))
    assert paid == [50_00] * 100 + [47_500_00] * 2


def test_15_3_e_parts_in_full_may_be_all_that_there_is() -> None:
    assert shared([10, 100], FullUpTo(10), maximum=20) == [10, 10]
    assert shared([10, 100], FullUpTo(10), maximum=19) == [2, 17]


def test_if_the_parts_in_full_exceed_the_maximum_all_share_in_proportion() -> None:
    awards = [5_000_00] * 30
    assert shared(awards, FullUpTo(5_000_00)) == shared(awards, Proportional())


def test_15_3_e_millions_of_winners_are_shared_to_the_cent() -> None:
    winners = count(200_000, 5_000_000)
    random = np.random.default_rng(15)
    awards = random.choice(np.array([9_00, 90_00, 1500_00, 25_000_00, 7, 13]), size=winners)
    tickets = random.permutation(winners).astype(np.int64)
    for share in POLICIES:
        paid = share_awards(tickets, awards.astype(np.int64), MAXIMUM, share)
        assert exact_sum(paid) == MAXIMUM
        assert bool((paid <= awards).all())


def test_enormous_awards_do_not_wrap_around() -> None:
    awards = np.full(20, 2**62, dtype=np.int64)
    assert exact_sum(awards) == 20 * 2**62
    assert exact_sum(np.array([2**32, 2**32 - 1, 2**32 - 1], dtype=np.int64)) == 3 * 2**32 - 2
    paid = share_awards(np.arange(20, dtype=np.int64), awards, MAXIMUM, Proportional())
    assert [int(cents) for cents in paid] == [5_000_00] * 20


def test_a_negative_award_is_a_broken_invariant() -> None:
    with pytest.raises(ValueError, match="negative"):
        shared([1, -1], Proportional())


def test_an_award_without_its_ticket_is_a_broken_invariant() -> None:
    tickets = np.arange(1, 4, dtype=np.int64)
    for awards in (2, 4):
        with pytest.raises(ValueError, match="belongs to one ticket"):
            share_awards(tickets, np.full(awards, 5, dtype=np.int64), 1_00, Proportional())


def test_no_winner_no_share() -> None:
    assert shared([], Proportional()) == []


@pytest.mark.parametrize(("ticket", "cents"), [(3, 51), (7, 50)])
def test_15_3_e_a_ticket_left_out_takes_its_turn_by_number_for_the_cent_left_over(
    ticket: int, cents: int
) -> None:
    winners = np.array([5]), np.array([100])
    assert share_if_among(winners, (ticket, 100), 101, Proportional()) == cents
