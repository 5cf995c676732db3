"""What a game could cost: totals over many draws, and how they are summed up."""

from fractions import Fraction
from math import isqrt
from random import Random
from statistics import fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from keno.domain.errors import Refused
from keno.domain.exposure import Spread, spread
from keno.domain.grading import Shape, by_shape, grade, pack, shape_of, total_awards
from keno.domain.odds import mean_award
from keno.domain.pricing import price
from keno.domain.request_text import parse
from keno.domain.wager import KenoRequest
from tests.cards import card
from tests.strategies import keno_requests

CARD = card()
BOOK = [
    "1 2 3 4 5 6 7 8: 1/8@1.00", "9 10 11 12 13 14 15 16: 1/8@1.00", "80: 1/1@5.00",
    "1 2 / 3 4 / 5 6: 3/4@1.00", "7 8 9: 1/3@2.00", "7 8 9: 1/3@2.00",
]  # fmt: skip


def packed(played: list[KenoRequest]) -> tuple[list[Shape], NDArray[np.int64], bytes]:
    shapes = [shape_of(price(each, CARD)) for each in played]
    different = list(dict.fromkeys(shapes))
    which = np.array([different.index(shape) for shape in shapes], dtype=np.int64)
    return different, which, b"".join(pack(each) for each in played)


def draws_of(seed: int, count: int) -> list[list[int]]:
    chance = Random(seed)
    return [chance.sample(range(1, 81), 20) for _ in range(count)]


@given(st.lists(keno_requests(), max_size=6), st.integers(0, 2**32), st.integers(1, 5))
def test_totals_are_the_sums_of_what_every_ticket_wins(
    played: list[KenoRequest], seed: int, count: int
) -> None:
    shapes, which, masks = packed(played)
    draws = draws_of(seed, count)
    one_by_one = [int(grade(shapes, which, masks, drawn).sum()) for drawn in draws]
    assert total_awards(by_shape(shapes, which, masks), draws) == one_by_one


def test_the_mean_agrees_with_the_exact_odds() -> None:
    played = [parse(text, CARD) for text in BOOK]
    shapes, which, masks = packed(played)
    book = by_shape(shapes, which, masks)
    exact = sum((mean_award(shape_of(price(each, CARD))) for each in played), Fraction(0))
    found = spread(total_awards(book, draws_of(7431, 40_000)), 50_000_00)
    error = found.standard_deviation_cents / isqrt(found.draws)
    assert abs(found.mean_cents - exact) < 4 * error
    assert error < exact / 4


def test_a_book_without_tickets_costs_nothing() -> None:
    nothing = by_shape([], np.zeros(0, dtype=np.int64), b"")
    assert total_awards(nothing, draws_of(1, 3)) == [0, 0, 0]


def test_masks_of_other_tickets_and_numbers_that_are_no_draw_are_mistakes() -> None:
    shapes, which, masks = packed([parse(BOOK[0], CARD)])
    with pytest.raises(ValueError, match="exactly the groups"):
        by_shape(shapes, which, masks * 2)
    with pytest.raises(Refused, match="A draw is 20 numbers"):
        total_awards(by_shape(shapes, which, masks), [[1, 2, 3]])


def test_a_spread_of_a_hundred_draws() -> None:
    totals = [100 * each for each in range(1, 101)]
    assert spread(totals[::-1], 95_00) == Spread(
        draws=100, mean_cents=50_50, standard_deviation_cents=29_01, p50_cents=50_00,
        p90_cents=90_00, p99_cents=99_00, largest_cents=100_00, reached_maximum=6,
    )  # fmt: skip


@given(st.lists(st.integers(0, 10**12), min_size=2, max_size=50))
def test_a_spread_is_what_statistics_say(totals: list[int]) -> None:
    found = spread(totals, 10**13)
    assert found.mean_cents == pytest.approx(fmean(totals), abs=1)
    assert found.standard_deviation_cents == pytest.approx(stdev(totals), rel=1e-9, abs=1)
    for percent, cents in ((50, found.p50_cents), (90, found.p90_cents), (99, found.p99_cents)):
        assert sum(each <= cents for each in totals) * 100 >= percent * len(totals)
        assert sum(each < cents for each in totals) * 100 < percent * len(totals)
    assert found.largest_cents == max(totals)
    assert found.reached_maximum == 0


def test_totals_beyond_64_bits_do_not_wrap() -> None:
    totals = [2**70, 2**70 + 2]
    assert spread(totals, 2**70 + 1).mean_cents == 2**70 + 1
    assert spread(totals, 2**70 + 1).reached_maximum == 1


def test_one_draw_has_no_spread() -> None:
    with pytest.raises(ValueError, match="one draw"):
        spread([1], 1)
