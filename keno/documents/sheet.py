"""A sheet of paper: reportlab's canvas with y from the top, in points, and the house's typeface.

Only this module calls reportlab to draw; all others give positions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Literal
from xml.sax.saxutils import escape

from reportlab.graphics.barcode.code128 import Code128
from reportlab.lib.colors import Color
from reportlab.lib.enums import TA_CENTER, TA_LEFT, TA_RIGHT
from reportlab.lib.pagesizes import landscape, letter
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from keno.documents import style
from keno.documents.shapes import PATHS, TEXT_MIDDLE, Shape
from keno.documents.style import CAP_HEIGHT, INK, LINE, PAPER, Face

PORTRAIT: tuple[float, float] = letter
LANDSCAPE: tuple[float, float] = landscape(letter)

Align = Literal["left", "right", "centre"]
_ALIGNED: dict[Align, Literal[0, 1, 2]] = {"left": TA_LEFT, "right": TA_RIGHT, "centre": TA_CENTER}


@dataclass(frozen=True, slots=True)
class About:
    """Metadata of a PDF: title, author (`house`), subject, and its rate card's version, if any."""

    title: str
    house: str
    subject: str
    card: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A part of a page: left, top, width, height, in points from the page's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def inside(self, across: float, down: float | None = None) -> "Box":
        """Return the box without margins: `across` points left and right, `down` above and below.

        Without `down` all four margins are `across`.
        """
        down = across if down is None else down
        return Box(self.x + across, self.y + down, self.width - 2 * across, self.height - 2 * down)

    def columns(self, count: int, gap: float) -> list["Box"]:
        """Return this box divided into columns of equal width, `gap` points apart."""
        width = (self.width - gap * (count - 1)) / count
        return [
            Box(self.x + index * (width + gap), self.y, width, self.height)
            for index in range(count)
        ]


def plain(text: str) -> str:
    """Return text with &, < and > escaped, for `paragraph`, which reads `<b>` as markup."""
    return escape(text)


class DocumentSheet:
    """A PDF under construction, page by page; the same calls give the same bytes.

    Positions are in points from the top left of the current page. `finish` returns the PDF.
    """

    def __init__(self, size: tuple[float, float], about: About) -> None:
        style.register()
        self.width, self.height = size
        self._bytes = BytesIO()
        self._canvas = Canvas(
            self._bytes,
            pagesize=size,
            invariant=1,
            pageCompression=1,
            lang="en-US",
            initialFontName="House-400",  # type: ignore[arg-type]  # the stub says a number
        )
        self._canvas.setTitle(about.title)
        self._canvas.setAuthor(about.house)
        self._canvas.setSubject(about.subject)
        self._canvas.setCreator("keno")
        self._canvas.setKeywords(f"keno, rate card {about.card}" if about.card else "keno")

    @property
    def page(self) -> Box:
        return Box(0, 0, self.width, self.height)

    def next_page(self) -> None:
        self._canvas.showPage()

    def finish(self) -> bytes:
        self._canvas.showPage()
        self._canvas.save()
        return self._bytes.getvalue()

    # Text.

    def text(self, x: float, y: float, words: str, face: Face, align: Align = "left") -> None:
        """Draw one line of text; y is its baseline, x its left, right or middle by `align`."""
        self._canvas.setFont(face.font, face.size)
        self._canvas.setFillColor(face.colour)
        base = self.height - y
        if align == "right":
            self._canvas.drawRightString(x, base, words)
        elif align == "centre":
            self._canvas.drawCentredString(x, base, words)
        else:
            self._canvas.drawString(x, base, words)

    def fitted(self, words: str, face: Face, room: float) -> Face:
        """Return the face, smaller if the words would otherwise exceed `room` points on a line."""
        wide = style.width(words, face)
        return face if wide <= room else face.but(size=face.size * room / wide)

    def paragraph(
        self, box: Box, words: str, face: Face, align: Align = "left", *, draw: bool = True
    ) -> float:
        """Draw wrapped text from the top of a box, `<b>` allowed; return its height in points.

        Without `draw` nothing is drawn, only the height is returned. The box's own height is
        ignored.
        """
        name = f"{face.font}/{face.size}"
        made = Paragraph(
            words,
            ParagraphStyle(
                name,
                fontName=face.font,
                fontSize=face.size,
                leading=face.step,
                textColor=face.colour,
                alignment=_ALIGNED[align],
                splitLongWords=1,
            ),
        )
        _, height = made.wrap(box.width, 10_000)
        if draw:
            made.drawOn(self._canvas, box.x, self.height - box.y - height)
        return float(height)

    # Lines and shapes.

    def rule(
        self, x: float, y: float, width: float, weight: float = 0.5, colour: Color = LINE
    ) -> None:
        """Draw a horizontal line from (x, y) to the right; `weight` is its thickness in points."""
        self._stroke(weight, colour)
        self._canvas.line(x, self.height - y, x + width, self.height - y)

    def upright(
        self,
        x: float,
        y: float,
        height: float,
        weight: float = 0.5,
        colour: Color = LINE,
        dash: Sequence[float] = (),
    ) -> None:
        """Draw a vertical line from (x, y) downwards; `dash` has lengths of dashes and gaps."""
        self._stroke(weight, colour)
        self._canvas.setDash(list(dash))
        self._canvas.line(x, self.height - y, x, self.height - y - height)
        self._canvas.setDash([])

    def fill(self, box: Box, colour: Color = INK, radius: float = 0) -> None:
        self._canvas.setFillColor(colour)
        self._canvas.roundRect(
            box.x, self.height - box.bottom, box.width, box.height, radius, stroke=0, fill=1
        )

    def outline(
        self, box: Box, weight: float = 0.7, colour: Color = INK, radius: float = 0
    ) -> None:
        self._stroke(weight, colour)
        self._canvas.roundRect(
            box.x, self.height - box.bottom, box.width, box.height, radius, stroke=1, fill=0
        )

    def shape(
        self,
        shape: Shape,
        middle: tuple[float, float],
        size: float,
        words: str = "",
        colours: tuple[Color, Color] = (INK, PAPER),
    ) -> None:
        """Draw a filled group shape around the point `middle`, with a number or letter in it.

        `size` is its width in points; `colours` are those of the shape and of the words.
        """
        left, top, unit = middle[0] - size / 2, middle[1] - size / 2, size / 100
        path = self._canvas.beginPath()
        for step, at in PATHS[shape]:
            places = [
                left + value * unit if index % 2 == 0 else self.height - top - value * unit
                for index, value in enumerate(at)
            ]
            if step == "M":
                path.moveTo(*places)
            elif step == "L":
                path.lineTo(*places)
            elif step == "C":
                path.curveTo(*places)
            else:
                path.close()
        self._canvas.setFillColor(colours[0])
        self._canvas.drawPath(path, stroke=0, fill=1)
        if words:
            face = Face(size * (0.5 if shape == "K" else 0.54), 700, colours[1])
            base = top + TEXT_MIDDLE[shape] * unit + face.size * CAP_HEIGHT / 2
            self.text(middle[0], base, words, face, "centre")

    def barcode(self, x: float, y: float, height: float, words: str) -> None:
        """Draw a Code 128 barcode from its upper left corner, without a quiet zone around it."""
        code = Code128(words, barHeight=height, barWidth=0.9, quiet=False)
        code.drawOn(self._canvas, x, self.height - y - height)

    def _stroke(self, weight: float, colour: Color) -> None:
        self._canvas.setLineWidth(weight)
        self._canvas.setStrokeColor(colour)
