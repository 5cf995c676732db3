"""The house style of every document: typeface, sizes and colours.

Paper is white and ink black. Amber (LAMP) marks only drawn or winning numbers, jade only proven
results.
"""

from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Literal

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

Weight = Literal[400, 500, 600, 700]
WEIGHTS: tuple[Weight, ...] = (400, 500, 600, 700)

INK = HexColor("#000000")
QUIET = HexColor("#5A5347")
LINE = HexColor("#B8AE9F")
WASH = HexColor("#F6F1E7")
LAMP = HexColor("#FFB84A")
JADE = HexColor("#0B6B47")
PAPER = HexColor("#FFFFFF")

CAP_HEIGHT = 0.7
"""Height of capitals and figures in the typeface House, as a fraction of the size."""


@dataclass(frozen=True, slots=True)
class Face:
    """How text looks: size in points, weight, colour, and line height as a factor of the size."""

    size: float
    weight: Weight = 400
    colour: Color = INK
    leading: float = 1.32

    @property
    def font(self) -> str:
        return f"House-{self.weight}"

    @property
    def step(self) -> float:
        """Distance from one line to the next, in points."""
        return self.size * self.leading

    def but(
        self,
        size: float | None = None,
        weight: Weight | None = None,
        colour: Color | None = None,
    ) -> "Face":
        """Return a copy of this face with another size, weight or colour; None keeps the value."""
        return replace(
            self, size=size or self.size, weight=weight or self.weight, colour=colour or self.colour
        )


TITLE = Face(30, 700, leading=1.05)
HEADING = Face(13, 700, leading=1.15)
SUBHEADING = Face(9.5, 700, leading=1.2)
TEXT = Face(9)
SMALL = Face(7.6, leading=1.3)
LABEL = Face(7.6, 500, QUIET, leading=1.3)
FIGURE = Face(7.4, 500)


@cache
def register() -> frozenset[int]:
    """Register the typeface House with reportlab, once; return the code points that it contains."""
    points: set[int] = set()
    for weight in WEIGHTS:
        source = files("keno") / "documents" / "type" / f"house-{weight}.ttf"
        font = TTFont(f"House-{weight}", BytesIO(source.read_bytes()))
        pdfmetrics.registerFont(font)
        points = set(font.face.charToGlyph)
    for name in (f"House-{weight}" for weight in WEIGHTS):
        pdfmetrics.registerFontFamily(
            name, normal=name, bold="House-700", italic=name, boldItalic="House-700"
        )
    return frozenset(points)


def missing_signs(text: str) -> list[str]:
    """Return the characters of a text that the typeface House lacks, each once, sorted."""
    return sorted({sign for sign in text if ord(sign) not in register()})


def width(text: str, face: Face) -> float:
    """Return the width of a text in a face, in points."""
    register()
    return float(pdfmetrics.stringWidth(text, face.font, face.size))
