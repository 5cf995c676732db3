"""15.4(b): what the keno request form contains, and that a scanner can find its way on it."""

import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
import zxingcpp
from PIL import Image

from keno.documents.request import FORM_NUMBER, HEIGHT, WIDTH, layout, request_form
from keno.documents.sheet import Box
from tests.unit.documents.reading import lines, words
from tests.unit.documents.test_every_document import LARKSPUR

LEFT = (612 - WIDTH) / 2
TOPS = ((396 - HEIGHT) / 2, 396 + (396 - HEIGHT) / 2)
UPPER, LOWER = (0, 0, 612, 396), (0, 396, 612, 396)


@cache
def made() -> bytes:
    return request_form(LARKSPUR)


@cache
def text() -> str:
    return words(made())


def boxes() -> list[Box]:
    """Every box that is marked, written in or looked for."""
    return [
        *layout().corners,
        *layout().numbers.values(),
        *layout().groups.values(),
        *layout().kings,
        *(box for line in layout().lines for box in line.values()),
        *layout().fields.values(),
    ]


def apart(one: Box, other: Box) -> bool:
    across = one.right <= other.x or other.right <= one.x
    return across or one.bottom <= other.y or other.bottom <= one.y


@pytest.mark.parametrize("half", [UPPER, LOWER])
def test_15_4_b_1_a_grid_lists_1_to_80(half: tuple[int, int, int, int]) -> None:
    left = (half[0], half[1], 306, half[3])
    told = lines(made(), 1, left)
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
    assert text().count(area) >= 2


def test_15_4_b_the_areas_say_the_rates_and_limits_of_the_card() -> None:
    assert "empty is regular, S special, E economy, M marathon." in text()
    assert "$1.00 to $1,000.00" in text()
    assert "1 to 1,000" in text()
    assert text().count("ways × wager") == text().count("price × games") == 2
    assert text().count("Price of one game") == 2
    assert text().count("Mark each number you play.") == text().count("Numbers") == 2
    assert text().count("Larkspur Keno Keno request") == 2
    assert text().count("Hand this form to a keno writer.") == 2


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("ways", "Ways"),
        ("spots", "Spots"),
        ("sets", "Only these sets"),
        ("wager", "Wager a way"),
        ("rate", "Rate"),
    ],
)
def test_15_4_b_4_each_box_of_a_line_has_its_head(name: str, head: str) -> None:
    box = layout().lines[0][name]
    for half in (UPPER, LOWER):
        at = (round(LEFT + box.x) - 6, round(half[1] + TOPS[0] + box.y) - 13)
        assert head in " ".join(lines(made(), 1, (*at, round(box.width) + 12, 12)))


def beside(box: Box, top: float, reach: int) -> str:
    """What is written at the left of a box."""
    x, y = round(LEFT + box.x) - reach, round(top + box.y)
    return "".join(lines(made(), 1, (x, y, reach, round(box.height))))


@pytest.mark.parametrize("top", TOPS)
def test_15_4_b_4_each_box_says_what_is_written_in_it(tmp_path: Path, top: float) -> None:
    """A group's letter and a king's number in their shapes, a stroke from ways to spots."""
    page = scanned(tmp_path)
    kings = {str(at): box for at, box in enumerate(layout().kings, 1)}
    for name, box in [*layout().groups.items(), *kings.items()]:
        assert beside(box, top, 21) == name
        shape = Box(box.x - 20, box.y, 16, box.height)
        assert seen(page, top, shape, 0)[0] < 64
    assert all(beside(line["spots"], top, 9) == "/" for line in layout().lines)


def test_a_card_of_more_rates_than_fit_says_where_their_marks_are() -> None:
    regular = LARKSPUR.rates["regular"]
    many = {f"rate of the house {index}": regular for index in range(12)}
    told = words(request_form(replace(LARKSPUR, rates={"regular": regular} | many)))
    assert told.count("Rate: its mark on the rate card; empty is regular.") == 2
    assert "of the house" not in told


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
    pdf.write_bytes(made())
    subprocess.run(
        ["pdftoppm", "-gray", "-r", "144", "-singlefile", pdf, tmp_path / "page"],
        check=True,
        timeout=60,
    )
    return Image.open(tmp_path / "page.pgm")


def rooms() -> list[Box]:
    """Every box that a patron writes in."""
    places = layout()
    lines = [box for line in places.lines for box in line.values()]
    return [*places.groups.values(), *places.kings, *lines, *places.fields.values()]


def wagers() -> list[Box]:
    return [line["wager"] for line in layout().lines]


def seen(page: Image.Image, top: float, box: Box, inset: float) -> tuple[int, int]:
    """The darkest and the lightest dot inside a box."""
    sides = (box.x + inset, box.y + inset, box.right - inset, box.bottom - inset)
    crop = [round((at + side) * 2) for at, side in zip((LEFT, top) * 2, sides, strict=True)]
    dots = page.crop((crop[0], crop[1], crop[2], crop[3])).tobytes()
    return min(dots), max(dots)


def edges(box: Box) -> list[Box]:
    """A square of three points in the middle of each side."""
    middle = [(box.x, box.y + box.height / 2), (box.right, box.y + box.height / 2)]
    middle += [(box.x + box.width / 2, box.y), (box.x + box.width / 2, box.bottom)]
    return [Box(x - 1.5, y - 1.5, 3, 3) for x, y in middle]


def drawn(page: Image.Image, top: float, box: Box, ink: int) -> bool:
    return all(seen(page, top, edge, 0)[0] < ink for edge in edges(box))


def test_15_4_b_2_to_5_every_box_to_write_in_is_drawn(tmp_path: Path) -> None:
    page = scanned(tmp_path)
    for top in TOPS:
        assert all(drawn(page, top, room, 128) for room in rooms())
        assert all(seen(page, top, room, 2)[1] == 255 for room in rooms())  # white to write on
        assert all(drawn(page, top, cell, 250) for cell in layout().numbers.values())


@pytest.mark.parametrize("half", [UPPER, LOWER])
def test_15_4_b_3_and_5_wagers_and_prices_are_written_in_dollars(
    half: tuple[int, int, int, int],
) -> None:
    games = layout().fields["games"]
    for box in (*wagers(), *layout().fields.values()):
        x, y = round(LEFT + box.x), round(half[1] + TOPS[0] + box.y)
        told = " ".join(lines(made(), 1, (x, y, round(box.width), round(box.height))))
        assert told.replace(" ", "") == ("" if box == games else "$.")


def test_a_scanner_finds_the_corner_marks_and_empty_boxes(tmp_path: Path) -> None:
    page = scanned(tmp_path)
    assert len(layout().corners) == 5  # one more beside the first: which way is up
    for top in TOPS:
        assert all(seen(page, top, corner, 1) == (0, 0) for corner in layout().corners)
        assert all(seen(page, top, number, 2)[0] < 128 for number in layout().numbers.values())
        ways = [line["ways"] for line in layout().lines]
        empty = (*layout().groups.values(), *layout().kings, *ways)
        assert all(seen(page, top, room, 2) == (255, 255) for room in empty)


def test_two_forms_are_cut_apart_at_marks_on_both_sides(tmp_path: Path) -> None:
    page = scanned(tmp_path)
    for x in (-LEFT + 4, 612 - LEFT - 14):
        assert seen(page, 0, Box(x, 394, 10, 4), 0)[0] < 200


def test_15_4_b_a_place_for_each_digit_is_marked_in_its_box(tmp_path: Path) -> None:
    page = scanned(tmp_path)
    for top in TOPS:
        for box in (*wagers(), *layout().fields.values()):
            foot = Box(box.x + 14, box.bottom - 5, box.width - 16, 3.5)
            assert seen(page, top, foot, 0)[0] < 200


def test_a_scanner_reads_the_form_number(tmp_path: Path) -> None:
    read = zxingcpp.read_barcodes(scanned(tmp_path))
    assert [code.text for code in read] == [FORM_NUMBER, FORM_NUMBER]
