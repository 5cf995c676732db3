"""The one house style of every document: typeface, sizes, colours. White paper and black ink;
amber only where a number is called or won, jade only where something is proven.
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
"""Of the size; House has the same for capitals and figures."""


@dataclass(frozen=True, slots=True)
class Face:
    """How a piece of text looks."""

    size: float
    weight: Weight = 400
    colour: Color = INK
    leading: float = 1.32

    @property
    def font(self) -> str:
        return f"House-{self.weight}"

    @property
    def step(self) -> float:
        """From one line to the next, in points."""
        return self.size * self.leading

    def but(
        self,
        size: float | None = None,
        weight: Weight | None = None,
        colour: Color | None = None,
    ) -> "Face":
        """The same face with something changed."""
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
    """Make House known to reportlab, once; the code points that it has."""
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
    """The signs of a text that House does not have, each once."""
    return sorted({sign for sign in text if ord(sign) not in register()})


def width(text: str, face: Face) -> float:
    """How wide a text is in a face."""
    register()
    return float(pdfmetrics.stringWidth(text, face.font, face.size))
