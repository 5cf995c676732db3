"""Pictures of one bit a dot: PNG both ways, strikes, shapes, the canvas."""

import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from printer import drawing
from printer.drawing import NARROW, SHAPES, WIDE
from printer.png import Dots, read_png, write_png
from printer.raster import Canvas, fitting, shape, strike
from printer.strikes import make
from tests.unit.printer.papers import TICKETS

STRIKES = Path(make.__file__).parent


@st.composite
def pictures(draw: st.DrawFn) -> Dots:
    height, width = draw(st.integers(1, 40)), draw(st.integers(1, 70))
    bits = draw(st.binary(min_size=height * width, max_size=height * width))
    return np.asarray(np.frombuffer(bits, np.uint8) % 2, np.uint8).reshape(height, width)


@given(pictures())
def test_a_png_is_read_back_by_us_and_by_pillow(dots: Dots) -> None:
    content = write_png(dots)
    assert (read_png(content) == dots).all()
    theirs = np.asarray(Image.open(io.BytesIO(content)).convert("L"))
    assert ((theirs < 128) == dots.astype(bool)).all()


def test_another_png_is_refused() -> None:
    grey = io.BytesIO()
    Image.new("L", (8, 8)).save(grey, "PNG")
    with pytest.raises(ValueError, match="one bit"):
        read_png(grey.getvalue())
    with pytest.raises(ValueError, match="not a PNG"):
        read_png(b"GIF89a..")
    filtered = io.BytesIO()
    noise = np.kron(np.eye(64, dtype=np.uint8), np.ones((1, 8), np.uint8))
    Image.fromarray(noise.astype(bool)).save(filtered, "PNG")
    content = filtered.getvalue()
    assert (read_png(content) == 1 - noise).all()  # pillow does not filter one-bit rows


def test_the_strikes_in_the_repository_are_what_the_script_makes(tmp_path: Path) -> None:
    make.make_house(tmp_path)
    made = sorted(file.name for file in tmp_path.iterdir())
    kept = sorted(
        file.name
        for file in STRIKES.iterdir()
        if file.suffix in (".png", ".json") and not file.name.startswith("resident-")
    )
    assert made == kept
    for name in made:
        if name.endswith(".png"):  # zlib may pack otherwise; the dots may not differ
            ours, fresh = (read_png((folder / name).read_bytes()) for folder in (STRIKES, tmp_path))
            assert (ours == fresh).all(), name
        else:
            assert (STRIKES / name).read_text() == (tmp_path / name).read_text()


@pytest.mark.parametrize("name", make.STRIKES)
def test_figures_have_one_width_and_nothing_is_empty(name: str) -> None:
    face = strike(name)
    assert len({face.glyphs[figure][1] for figure in "0123456789"}) == 1
    for letter, (dots, _) in face.glyphs.items():
        assert dots.any() == (letter != " "), letter


def test_numbers_in_a_list_stand_in_columns() -> None:
    canvas = Canvas(200, 120)
    for row, number in enumerate(("11", "71", "80")):
        canvas.figures(number, 150, 10 + 35 * row, "34-600")
    ends = [np.flatnonzero(canvas.dots[10 + 35 * row :][:24].any(axis=0))[-1] for row in range(3)]
    assert max(ends) - min(ends) <= 6  # a one is narrower than its cell, but the cells align


def test_the_largest_strike_that_fits_is_taken() -> None:
    names = ("52-700", "34-700")
    assert fitting("418 2276", 576, names).name == "52-700"
    assert fitting("418 2276", strike("52-700").width("418 2276") - 1, names).name == "34-700"
    assert fitting("418 2276", 1, names).name == "34-700"


def test_a_letter_without_a_glyph_becomes_its_capital_or_nothing() -> None:
    face = strike("46-700")
    assert not face.knows("Ł")
    assert face.width("Ł") == 0
    assert (face.word("AŁA") != face.word("A A")).sum() == 0


def test_what_falls_off_the_canvas_is_cut_off() -> None:
    canvas = Canvas(20, 20)
    block = np.ones((10, 10), np.uint8)
    for x, y in ((-5, -5), (15, 15), (-5, 15), (30, 0), (0, -30)):
        canvas.put(block, x, y)
    assert canvas.dots.sum() == 3 * 25
    canvas.put(block, 0, 0, white=True)
    assert canvas.dots.sum() == 2 * 25


def test_shapes_differ_from_each_other_and_from_their_outlines() -> None:
    seen = {}
    for size in (24, 36, 46):
        for form in (*SHAPES, "crown"):
            filled = shape(form, size)
            outline = shape(form, size, outline=True)
            assert filled.shape == (size, size)
            assert 0 < outline.sum() < filled.sum()
            assert filled.tobytes() not in seen
            seen[filled.tobytes()] = form


@pytest.mark.parametrize("sizes", [WIDE, NARROW], ids=["80 mm", "58 mm"])
def test_strokes_are_at_least_two_dots_and_reversed_ones_as_well(sizes: drawing.Sizes) -> None:
    """A single dot is lost in the paper; the README of the look asks for two."""
    for name in (sizes.number, sizes.label, *sizes.marks, sizes.listed, sizes.key):
        stem = strike(name).word("1")
        middle = stem[stem.shape[0] // 2]
        assert middle.sum() >= 2, name


@pytest.mark.parametrize("sizes", [WIDE, NARROW], ids=["80 mm", "58 mm"])
def test_only_marked_numbers_change_in_the_grid(sizes: drawing.Sizes) -> None:
    request = TICKETS["king"].request
    marked = {number for group in request.all_groups for number in group}
    plain = drawing.grid(sizes, TICKETS["straight"].request)
    ticket = drawing.grid(sizes, request)
    both = {number for group in TICKETS["straight"].request.all_groups for number in group}
    for number in set(range(1, 81)) - marked - both:
        row, column = divmod(number - 1, 10)
        top = row * sizes.cell + (sizes.gap * 3 // 4 if row >= 4 else 0) + 12
        left = column * sizes.dots // 10 + 8
        cell = np.s_[top : top + sizes.cell - 24, left : left + sizes.dots // 10 - 16]
        assert (plain[cell] == ticket[cell]).all()


@pytest.mark.parametrize("sizes", [WIDE, NARROW], ids=["80 mm", "58 mm"])
@pytest.mark.parametrize("name", ["straight", "king", "two kings", "way of six"])
def test_every_marked_number_is_white_in_its_shape(name: str, sizes: drawing.Sizes) -> None:
    request = TICKETS[name].request
    dots = drawing.grid(sizes, request)
    marked = {number for group in request.all_groups for number in group}
    for number in range(1, 81):
        row, column = divmod(number - 1, 10)
        middle = row * sizes.cell + sizes.cell // 2 + (sizes.gap * 3 // 4 if row >= 4 else 0)
        x = (2 * column + 1) * sizes.dots // 20
        half = sizes.mark // 2 - 4
        black = dots[middle - half : middle + half, x - half : x + half].mean()
        assert black > 0.45 if number in marked else black < 0.3, number


def test_paper_is_80_or_58_millimetres() -> None:
    with pytest.raises(ValueError, match="576 or 384"):
        drawing.sizes_for(512)
