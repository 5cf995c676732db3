"""Dollars as written, cents as kept: what is read, what is not, and that writing is reversible."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.money import CENTS_MAX, format_dollars, format_plain, parse_dollars


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("0", 0),
        ("0.00", 0),
        ("0.01", 1),
        ("1", 100),
        ("1.25", 125),
        ("$1.25", 125),
        ("007", 700),
        ("1250.50", 125_050),
        ("1,250.50", 125_050),
        ("$4,200.00", 420_000),
        ("100,000", 10_000_000),
        ("1,234,567.89", 123_456_789),
        ("9999999999.99", CENTS_MAX - 1),
        ("9,999,999,999.99", CENTS_MAX - 1),
        ("10,000,000,000.00", CENTS_MAX),
    ],
)
def test_amounts_as_people_write_them_are_read(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$",
        ".50",
        "1.",
        "1.5",
        "1.500",
        "1,5",
        "12,34.00",
        "1234,567",
        ",100",
        "1,,000",
        "-1",
        "+1",
        "1e3",
        "1_000",
        " 1",
        "1 ",
        "1\n",
        "1$",
        "$$1",
        "1.00.00",
        "0x10",
        "NaN",
        "one",
        "\u0661",  # a digit, but not ours
        "\u00bd",
        "1\u066b25",
        "\ud800",
    ],
)
def test_anything_else_is_not_an_amount(text: str) -> None:
    with pytest.raises(ValueError, match="dollars"):
        parse_dollars(text)


@pytest.mark.parametrize(
    "text", ["10,000,000,000.01", "10000000000.01", "1,000,000,000,000,000.00", "9" * 5_000]
)
def test_an_amount_above_the_largest_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match="dollars"):
        parse_dollars(text)


@pytest.mark.parametrize(
    ("cents", "plain", "dollars"),
    [
        (0, "0.00", "$0.00"),
        (5, "0.05", "$0.05"),
        (99, "0.99", "$0.99"),
        (100, "1.00", "$1.00"),
        (125_050, "1250.50", "$1,250.50"),
        (100_000_00, "100000.00", "$100,000.00"),
        (-1, "-0.01", "-$0.01"),
        (-125_050, "-1250.50", "-$1,250.50"),
        (CENTS_MAX, "10000000000.00", "$10,000,000,000.00"),
    ],
)
def test_amounts_are_written_with_their_cents(cents: int, plain: str, dollars: str) -> None:
    assert format_plain(cents) == plain
    assert format_dollars(cents) == dollars


@given(st.integers(0, CENTS_MAX - 1))
def test_what_is_written_is_read_back(cents: int) -> None:
    assert parse_dollars(format_plain(cents)) == cents
    assert parse_dollars(format_dollars(cents)) == cents


def test_the_largest_amount_is_read_back_too() -> None:
    assert parse_dollars(format_plain(CENTS_MAX)) == CENTS_MAX


@given(st.text(alphabet=st.sampled_from("0123456789.,$- \n\ud800x"), max_size=20) | st.text())
def test_any_text_is_an_amount_or_a_value_error(text: str) -> None:
    try:
        cents = parse_dollars(text)
    except ValueError:
        return
    assert parse_dollars(format_plain(cents)) == cents
