"""15.4(b): what the keno request form contains, and that a scanner can find its way on it."""

import pytest

from keno.documents.request import FORM_NUMBER, HEIGHT, WIDTH, layout, request_form
from keno.documents.sheet import Box
from tests.unit.documents.reading import lines, pages, words
from tests.unit.documents.test_every_document import LARKSPUR

MADE = request_form(LARKSPUR)
TEXT = words(MADE)
PLACES = layout()
UPPER, LOWER = (0, 0, 612, 396), (0, 396, 612, 396)


def boxes() -> list[Box]:
    """Every box that is marked, written in or looked for."""
    return [
        *PLACES.corners,
        *PLACES.numbers.values(),
        *PLACES.groups.values(),
        *PLACES.kings,
        *(box for line in PLACES.lines for box in line.values()),
        *PLACES.fields.values(),
    ]


def apart(one: Box, other: Box) -> bool:
    across = one.right <= other.x or other.right <= one.x
    return across or one.bottom <= other.y or other.bottom <= one.y


@pytest.mark.parametrize("half", [UPPER, LOWER])
def test_15_4_b_1_a_grid_lists_1_to_80(half: tuple[int, int, int, int]) -> None:
    left = (half[0], half[1], 306, half[3])
    told = lines(MADE, 1, left)
    for row in range(8):
        assert " ".join(str(row * 10 + each) for each in range(1, 11)) in told


@pytest.mark.parametrize(
    "area",
    [
        "Number of games",
        "Wager a way",
        "Conditioning and wager",
        "Total price",
        "Ways",
        "Spots",
        "Only these sets",
        "Rate",
        "Kings",
        "Circle each group",
        f"Form {FORM_NUMBER}",
    ],
)
def test_15_4_b_2_to_5_each_area_is_there_on_both_forms(area: str) -> None:
    assert TEXT.count(area) >= 2


def test_it_names_the_rates_and_limits_of_the_card() -> None:
    assert "empty is Regular, S Special, E Economy, M Marathon." in TEXT
    assert "$1.00 to $1,000.00" in TEXT
    assert "1 to 1,000" in TEXT


def test_no_two_boxes_touch_and_all_are_on_the_form() -> None:
    for index, box in enumerate(boxes()):
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= WIDTH
        assert box.bottom <= HEIGHT
        assert all(apart(box, other) for other in boxes()[:index])


def test_corner_marks_are_solid_where_the_layout_says() -> None:
    """They are the first things drawn on each form: filled boxes at the four corners."""
    content = pages(MADE)[0].get_contents()
    assert content is not None
    assert len(PLACES.corners) == 5
    xs = {box.x for box in PLACES.corners[:4]}
    ys = {box.y for box in PLACES.corners[:4]}
    assert (min(xs), max(xs)) == (0, WIDTH - PLACES.corners[0].width)
    assert (min(ys), max(ys)) == (0, HEIGHT - PLACES.corners[0].height)
