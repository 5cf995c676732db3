"""Exact numbers as text, checked against `decimal` with digits to spare."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.exact import decimal, odds_to_one, percent, ratio, square_root

FRACTIONS = st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**9)
NOT_NEGATIVE = st.fractions(min_value=0, max_value=10**9, max_denominator=10**9)
PROBABILITIES = st.fractions(min_value=0, max_value=1, max_denominator=10**12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(0), "0/1"),
        (Fraction(3), "3/1"),
        (Fraction(6, 8), "3/4"),
        (Fraction(-1, 3), "-1/3"),
        (Fraction(10**30, 7), f"{10**30}/7"),
    ],
)
def test_a_ratio_is_in_lowest_terms_and_always_has_its_slash(value: Fraction, text: str) -> None:
    assert ratio(value) == text


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(0), 6, "0.000000"),
        (Fraction(1, 3), 6, "0.333333"),
        (Fraction(2, 3), 6, "0.666667"),
        (Fraction(-2, 3), 2, "-0.67"),
        (Fraction(1, 2), 0, "0"),
        (Fraction(3, 2), 0, "2"),
        (Fraction(5, 2), 0, "2"),
        (Fraction(1, 8), 2, "0.12"),  # a tie goes to the even digit
        (Fraction(3, 8), 2, "0.38"),
        (Fraction(-1, 8), 2, "-0.12"),
        (Fraction(-1, 1000), 2, "0.00"),  # never -0
        (Fraction(-1, 3), 0, "0"),
        (Fraction(999, 1000), 2, "1.00"),
        (Fraction(1, 10**6), 6, "0.000001"),
        (Fraction(10**20), 2, f"{10**20}.00"),
    ],
)
def test_a_decimal_is_rounded_with_ties_to_even(value: Fraction, places: int, text: str) -> None:
    assert decimal(value, places) == text


def test_six_places_are_the_default() -> None:
    assert decimal(Fraction(1, 7)) == "0.142857"
    assert percent(Fraction(1, 7)) == "14.285714"
    assert square_root(Fraction(2)) == "1.414214"


def test_a_percentage_is_the_value_in_hundredths() -> None:
    assert percent(Fraction(30, 100), 2) == "30.00"
    assert percent(Fraction(-1, 3), 1) == "-33.3"


@given(FRACTIONS, st.integers(0, 9))
def test_decimals_agree_with_the_decimal_module(value: Fraction, places: int) -> None:
    with localcontext() as context:
        context.prec = 60
        quotient = Decimal(value.numerator) / value.denominator
        rounded = quotient.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
    assert decimal(value, places) == f"{abs(rounded) if rounded == 0 else rounded:f}"


@given(FRACTIONS, st.integers(0, 9))
def test_a_decimal_is_within_half_of_its_last_place(value: Fraction, places: int) -> None:
    assert abs(Fraction(decimal(value, places)) - value) <= Fraction(1, 2 * 10**places)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (Fraction(0), 6, "0.000000"),
        (Fraction(4), 2, "2.00"),
        (Fraction(1, 4), 2, "0.50"),
        (Fraction(3), 4, "1.7321"),
        (Fraction(10**12 - 1), 0, "1000000"),
        (Fraction(10**40), 0, str(10**20)),
    ],
)
def test_square_roots(value: Fraction, places: int, text: str) -> None:
    assert square_root(value, places) == text


@given(NOT_NEGATIVE, st.integers(0, 9))
def test_a_square_root_is_the_nearest_of_its_places(value: Fraction, places: int) -> None:
    root, half = Fraction(square_root(value, places)), Fraction(1, 2 * 10**places)
    assert max(root - half, Fraction(0)) ** 2 <= value <= (root + half) ** 2


def test_the_square_root_of_less_than_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="nonnegative"):
        square_root(Fraction(-1))


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (Fraction(0), "never"),
        (Fraction(1), "0.00 to 1"),
        (Fraction(1, 4), "3.00 to 1"),
        (Fraction(5, 36), "6.20 to 1"),
        (Fraction(1, 230_114), "230,113.00 to 1"),
        (Fraction(100, 23_011_461), "230,113.61 to 1"),
        (Fraction(1, 1_000_000), "999,999.00 to 1"),
        (Fraction(1, 1_000_001), "1,000,000 to 1"),
        (Fraction(2, 2_000_005), "1,000,002 to 1"),  # 1,000,001.5: the tie goes to the even
        (Fraction(1, 8_911_712), "8,911,711 to 1"),
    ],
)
def test_odds_are_stated_with_to(probability: Fraction, text: str) -> None:
    assert odds_to_one(probability) == text


@given(PROBABILITIES.filter(bool))
def test_odds_never_say_for_and_give_the_probability_back(probability: Fraction) -> None:
    against, words = odds_to_one(probability).split(" ", 1)
    assert words == "to 1"
    exact_odds = 1 / probability - 1
    assert abs(Fraction(against.replace(",", "")) - exact_odds) <= Fraction(1, 2)


@given(st.lists(PROBABILITIES.filter(bool), min_size=2, max_size=5))
def test_the_likelier_never_has_the_longer_odds(probabilities: list[Fraction]) -> None:
    stated = [
        Fraction(odds_to_one(each).removesuffix(" to 1").replace(",", ""))
        for each in sorted(probabilities)
    ]
    assert all(longer >= shorter for longer, shorter in pairwise(stated))
