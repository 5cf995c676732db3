"""15.4(b): what the keno request form contains, and that a scanner can find its way on it."""

import subprocess
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from keno.documents.request import FORM_NUMBER, HEIGHT, WIDTH, layout, request_form
from keno.documents.sheet import Box
from tests.unit.documents.reading import lines, words
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
    assert "empty is regular, S special, E economy, M marathon." in TEXT
    assert "$1.00 to $1,000.00" in TEXT
    assert "1 to 1,000" in TEXT


def test_no_two_boxes_touch_and_all_are_on_the_form() -> None:
    for index, box in enumerate(boxes()):
        assert box.x >= 0
        assert box.y >= 0
        assert box.right <= WIDTH
        assert box.bottom <= HEIGHT
        assert all(apart(box, other) for other in boxes()[:index])


def scanned(tmp_path: Path) -> Image.Image:
    """The page as a scanner sees it, two dots to a point."""
    pdf = tmp_path / "request.pdf"
    pdf.write_bytes(MADE)
    subprocess.run(
        ["pdftoppm", "-gray", "-r", "144", "-singlefile", pdf, tmp_path / "page"],
        check=True,
        timeout=60,
    )
    return Image.open(tmp_path / "page.pgm")


def test_a_scanner_finds_the_corner_marks_and_empty_boxes(tmp_path: Path) -> None:
    page = scanned(tmp_path)
    left = (612 - WIDTH) / 2
    for top in ((396 - HEIGHT) / 2, 396 + (396 - HEIGHT) / 2):

        def seen(box: Box, inset: float, top: float = top) -> tuple[int, int]:
            """The darkest and the lightest dot inside a box."""
            sides = (box.x + inset, box.y + inset, box.right - inset, box.bottom - inset)
            corner = (left, top) * 2
            crop = [round((at + side) * 2) for at, side in zip(corner, sides, strict=True)]
            dots = page.crop((crop[0], crop[1], crop[2], crop[3])).tobytes()
            return min(dots), max(dots)

        assert all(seen(corner, 1) == (0, 0) for corner in PLACES.corners)
        assert all(seen(number, 2)[0] < 128 for number in PLACES.numbers.values())
        rooms = (*PLACES.groups.values(), *PLACES.kings, *(line["ways"] for line in PLACES.lines))
        assert all(seen(room, 2) == (255, 255) for room in rooms)


def test_a_scanner_reads_the_form_number(tmp_path: Path) -> None:
    read = zxingcpp.read_barcodes(scanned(tmp_path))
    assert [code.text for code in read] == [FORM_NUMBER, FORM_NUMBER]
