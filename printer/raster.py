"""One-bit pictures: glyphs of the typeface House, the shapes of groups, and a canvas.

Glyphs, words and shapes are small arrays of dots, made once and cached. Drawing lays one array over
another.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from printer.png import Dots, read_png

__all__ = ["Canvas", "Dots", "Shape", "Strike", "fitting", "shape", "strike"]

Shape = Literal["disc", "square", "hexagon", "parallelogram", "house", "shield", "crown"]


# ---------------------------------------------------------------- strikes


@dataclass(frozen=True)
class Strike:
    """The glyphs of the typeface House in one size and weight, as dots."""

    name: str
    """Size in dots and weight, such as ``46-700``."""
    above: int
    """Rows of dots of each glyph above the top of its capitals."""
    capital: int
    """Height of capitals and figures, in dots."""
    margin: int
    """Columns of each glyph's dots to the left of where the letter begins, for what overhangs."""
    glyphs: Mapping[str, tuple[Dots, int]]
    """The dots and the advance width, in 64ths of a dot, of each glyph, by character."""

    def width(self, text: str, track: int = 0) -> int:
        """Return a text's width in dots, from its first black column to its last.

        `track` is the extra space after each letter, in dots.
        """
        return int(self.word(text, track).shape[1])

    def word(self, text: str, track: int = 0) -> Dots:
        """Return the dots of a text in one line, without white columns at its sides.

        A letter without a glyph is replaced by its capital, or by a space. `track` is the extra
        space after each letter, in dots.
        """
        return _word(self.name, text, track)[0]

    def figures(self, text: str) -> tuple[Dots, int]:
        """Return the dots of a number, and where they begin: columns from its right edge, negative.

        The right edge includes the last figure's white space, so that numbers below each other
        align. Raise KeyError for a character without a glyph.
        """
        dots, left = _word(self.name, text, 0)
        return dots, left - sum(self.glyphs[each][1] for each in text) // 64

    def knows(self, text: str) -> bool:
        """Return whether every character of the text has a glyph."""
        return all(letter in self.glyphs for letter in text)


@cache
def strike(name: str) -> Strike:
    """Load and cache the strike with this name, which is size and weight, such as ``46-700``.

    Raise KeyError for a name that is not in strikes.json.
    """
    said = _index()[name]
    sheet = read_png(files("printer").joinpath(f"strikes/house-{name}.png").read_bytes())
    glyphs = {
        letter: (sheet[:, left : left + width], advance)
        for letter, (left, width, advance) in said["glyphs"].items()
    }
    return Strike(name, said["above"], said["capital"], said["margin"], glyphs)


@cache
def _index() -> dict[str, Any]:
    decoded: dict[str, Any] = json.loads(
        files("printer").joinpath("strikes/strikes.json").read_text()
    )
    return decoded


@lru_cache(maxsize=4_000)
def _word(name: str, text: str, track: int) -> tuple[Dots, int]:
    """Return the dots of a text without white sides, and the white columns cut off at its left."""
    face = strike(name)
    known = [letter if letter in face.glyphs else _plain(letter, face) for letter in text]
    space = sum(face.glyphs[letter][1] for letter in known) // 64 + track * len(text)
    height = next(iter(face.glyphs.values()))[0].shape[0]
    dots = np.zeros((height, space + 4 * face.margin + 8), np.uint8)
    at = face.margin * 64
    for letter in known:
        glyph, advance = face.glyphs[letter]
        left = round(at / 64) - face.margin
        dots[:, left : left + glyph.shape[1]] |= glyph
        at += advance + track * 64
    inked = np.flatnonzero(dots.any(axis=0))
    if len(inked) == 0:
        return dots[:, :0], 0
    first, last = int(inked[0]), int(inked[-1])
    return dots[:, first : last + 1], first - face.margin


def _plain(letter: str, face: Strike) -> str:
    """Return what replaces a letter that the strike lacks: its capital, else a space."""
    return letter.upper() if letter.upper() in face.glyphs else " "


def fitting(text: str, width: int, names: tuple[str, ...], track: int = 0) -> Strike:
    """Return the first of the named strikes in which a text fits `width` dots, else the last."""
    for name in names:
        if strike(name).width(text, track) <= width:
            return strike(name)
    return strike(names[-1])


# ---------------------------------------------------------------- shapes

_POLYGONS: dict[Shape, tuple[tuple[tuple[float, float], ...], float]] = {
    "square": (((4, 4), (96, 4), (96, 96), (4, 96)), 13),
    "hexagon": (((25, 4), (75, 4), (100, 50), (75, 96), (25, 96), (0, 50)), 5),
    "parallelogram": (((25, 5), (100, 5), (76, 95), (0, 95)), 7),
    "house": (((50, 0), (96, 36), (96, 96), (4, 96), (4, 36)), 7),
    "shield": (((4, 4), (96, 4), (96, 58), (80, 80), (50, 98), (20, 80), (4, 58)), 7),
    "crown": (((2, 9), (27, 29), (50, 1), (73, 29), (98, 9), (92, 97), (8, 97)), 4),
}
_FINE = 4


@cache
def shape(name: Shape, size: int, *, outline: bool = False) -> Dots:
    """Return a group's shape, `size` dots square: filled, or as an outline that is white inside."""
    if not outline:
        return _filled(name, size)
    line = max(3, size // 12)
    dots = _filled(name, size).copy()
    inner = _filled(name, size - 2 * line)
    hole = np.zeros_like(dots)
    hole[line : line + inner.shape[0], line : line + inner.shape[1]] = inner
    return dots & (1 - hole)


@cache
def _filled(name: Shape, size: int) -> Dots:
    centres = (np.arange(size * _FINE) + 0.5) * 100 / (size * _FINE)
    x, y = np.meshgrid(centres, centres)
    if name == "disc":
        covered = (x - 50) ** 2 + (y - 50) ** 2 <= 48.5**2
    else:
        covered = np.zeros_like(x, dtype=bool)
        for (x1, y1), (x2, y2) in pairwise(_rounded(*_POLYGONS[name])):
            if y1 != y2:
                crosses = (y1 > y) != (y2 > y)
                covered ^= crosses & (x < (x2 - x1) * (y - y1) / (y2 - y1) + x1)
    blocks = covered.reshape(size, _FINE, size, _FINE).sum(axis=(1, 3))
    return np.asarray(blocks * 2 >= _FINE * _FINE, np.uint8)


def _rounded(corners: tuple[tuple[float, float], ...], radius: float) -> list[tuple[float, float]]:
    """Return the points of a polygon's closed outline, each corner rounded by `radius`."""
    points = []
    for before, here, after in zip(
        corners[-1:] + corners[:-1], corners, corners[1:] + corners[:1], strict=True
    ):
        start, end = _towards(here, before, radius), _towards(here, after, radius)
        for step in range(7):
            t = step / 6
            a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
            points.append(
                (
                    a * start[0] + b * here[0] + c * end[0],
                    a * start[1] + b * here[1] + c * end[1],
                )
            )
    return [*points, points[0]]


def _towards(
    here: tuple[float, float], there: tuple[float, float], distance: float
) -> tuple[float, float]:
    away = ((there[0] - here[0]) ** 2 + (there[1] - here[1]) ** 2) ** 0.5
    part = min(0.5, distance / away)
    return here[0] + (there[0] - here[0]) * part, here[1] + (there[1] - here[1]) * part


# ---------------------------------------------------------------- the canvas


class Canvas:
    """A picture to draw on, white at first; what would lie outside its edges is left out."""

    def __init__(self, width: int, height: int) -> None:
        self.dots: Dots = np.zeros((height, width), np.uint8)

    @property
    def width(self) -> int:
        return int(self.dots.shape[1])

    @property
    def height(self) -> int:
        return int(self.dots.shape[0])

    def put(self, dots: Dots, x: int, y: int, *, white: bool = False) -> None:
        """Draw the black dots of a picture with its top left at (x, y), in black or white."""
        if x < 0 or y < 0:
            dots = dots[max(0, -y) :, max(0, -x) :]
            x, y = max(0, x), max(0, y)
        under = self.dots[y : y + dots.shape[0], x : x + dots.shape[1]]
        over = dots if under.shape == dots.shape else dots[: under.shape[0], : under.shape[1]]
        if white:
            under &= 1 - over
        else:
            under |= over

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Draw a black rectangle with its top left at (x, y)."""
        self.dots[max(0, y) : y + height, max(0, x) : x + width] = 1

    def text(
        self, text: str, x: int, y: int, name: str, *,
        align: Literal["left", "middle", "right"] = "left", white: bool = False,
    ) -> None:  # fmt: skip
        """Draw a text in the named strike, aligned at x, with the top of its capitals at y."""
        face = strike(name)
        word = face.word(text)
        x -= {"left": 0, "middle": word.shape[1] // 2, "right": word.shape[1]}[align]
        self.put(word, x, y - face.above, white=white)

    def figures(self, text: str, x: int, y: int, name: str) -> None:
        """Draw a number that ends at x; numbers below each other then align by figure."""
        dots, before = strike(name).figures(text)
        self.put(dots, x + before, y - strike(name).above)
