"""The form filled in: every mark stands in its box, and what does not fit is refused."""

import pytest

from keno.documents.filled import filled_form
from keno.documents.request import HEIGHT, WIDTH, layout
from keno.documents.sheet import Box
from keno.domain.errors import Refusal, Refused
from keno.domain.pricing import price
from keno.domain.request_text import parse
from tests.unit.documents.reading import lines, words
from tests.unit.documents.test_every_document import LARKSPUR

STORY = "7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/12@2.50 x5 =27.50"
PLACES = layout()


def made(text: str) -> bytes:
    return filled_form(price(parse(text, LARKSPUR), LARKSPUR))


def written(pdf: bytes, box: Box) -> str:
    """What stands in a box of the form on the upper half of the page."""
    across, down = (612 - WIDTH) / 2, (396 - HEIGHT) / 2
    at = (int(box.x + across), int(box.y + down), int(box.width) + 1, int(box.height) + 1)
    return "".join("".join(lines(pdf, 1, at)).split())


def test_conditioning_wager_games_and_price_stand_in_their_boxes() -> None:
    pdf = made(STORY)
    first, second = PLACES.lines[:2]
    assert [written(pdf, first[name]) for name in ("ways", "spots")] == ["3", "8"]
    assert [written(pdf, second[name]) for name in ("ways", "spots")] == ["1", "12"]
    assert written(pdf, PLACES.fields["games"]) == "5"
    for box, digits in (
        (first["wager"], "100"), (second["wager"], "250"),
        (PLACES.fields["one game"], "550"), (PLACES.fields["total"], "2750"),
    ):  # fmt: skip
        assert "".join(each for each in written(pdf, box) if each.isdigit()) == digits
    groups = [written(pdf, PLACES.groups[letter]) for letter in ("A", "B", "C", "D")]
    assert groups == ["4", "4", "3", ""]
    assert written(pdf, PLACES.kings[0]) == "55"


def test_there_is_one_form_with_every_number_still_on_it() -> None:
    told = words(made(STORY)).split()
    assert told.count("Wager") == 1
    for number in range(1, 81):
        assert str(number) in told, number


def test_the_mark_of_a_rate_and_chosen_sets_are_written() -> None:
    pdf = made("1 2 3/4 5 6/7 8 9: AB,BC@1.25S")
    first = PLACES.lines[0]
    assert written(pdf, first["rate"]) == "S"
    assert written(pdf, first["sets"]) == "ABBC"


@pytest.mark.parametrize(
    "text",
    [
        "1/2/3/4/5/6/7: 7/1@1.00",
        "1 2/K3/K4/K5/K6: 1/6@1.00",
        "1/2/3/4/5/6: AB,BC,CD,DE,EF,FA,AC@1.00",
    ],
)
def test_what_the_form_has_no_room_for_is_refused(text: str) -> None:
    with pytest.raises(Refused) as no:
        made(text)
    assert no.value.reason is Refusal.REQUEST_TOO_LONG
