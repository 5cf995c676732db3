"""A ticket in words."""

import pytest

from keno.domain.request_text import parse
from tests.cards import card
from writer_station.readback import in_words, quick_pick_in_words, request_in_words


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "zero"), (7, "seven"), (13, "thirteen"), (20, "twenty"), (55, "fifty-five"),
        (80, "eighty"), (100, "one hundred"), (190, "one hundred ninety"),
        (10_000, "ten thousand"), (100_000, "one hundred thousand"),
        (1_234_567, "one million two hundred thirty-four thousand five hundred sixty-seven"),
        (10**12, "1,000,000,000,000"),
    ],
)  # fmt: skip
def test_numbers(number: int, words: str) -> None:
    assert in_words(number) == words


def test_a_king_ticket() -> None:
    request = parse("7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/9@1.00 x5", card())
    assert request_in_words(request) == (
        "King ticket, three groups. Seven, eighteen, thirty-three, sixty-one. Twelve, twenty-six, "
        "forty-nine, seventy. Four, thirty-eight, seventy-seven. King fifty-five. "
        "Three ways of eight, one of nine. Five games."
    )


def test_a_straight_ticket() -> None:
    request = parse("3 17 80: 1/3@1.00", card())
    assert request_in_words(request) == (
        "Straight ticket, three spots. Three, seventeen, eighty. One game."
    )


def test_a_quick_pick() -> None:
    assert quick_pick_in_words(8, 2) == "Quick-pick, eight spots. Two games."
