"""The same layout as a PDF, for people without a printer: text stays text, pictures keep dots.

It takes some milliseconds and blocks; off the event loop, please.
"""

import io
from collections.abc import Sequence

import numpy as np
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from printer.drawing import sizes_for
from printer.escpos import code_strip, printable
from printer.png import Dots
from printer.sheet import CELL, LEADING, Code, Element, Feed, Layout, Picture, Text

DOT = 72 / 203
"""A dot of the printer's head, in points."""
MARGIN = 32 * DOT
"""Four millimetres beside what the head reaches."""
COURIER = 0.6
"""How wide a character of Courier is, of its size."""


def to_pdf(layouts: Sequence[Layout], author: str = "") -> bytes:
    """One page for each paper, as long as the paper is; the same layouts give the same bytes."""
    file = io.BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(", ".join(layout.title for layout in layouts))
    canvas.setAuthor(author)
    for layout in layouts:
        _page(canvas, layout)
    canvas.save()
    return file.getvalue()


def _page(canvas: Canvas, layout: Layout) -> None:
    length = sum(_length(each) for each in layout.elements) * DOT + 2 * MARGIN
    canvas.setPageSize((layout.dots * DOT + 2 * MARGIN, length))
    y = length - MARGIN
    for element in layout.elements:
        _draw(canvas, element, layout.dots, y)
        y -= _length(element) * DOT
    canvas.showPage()


def _length(element: Element) -> int:
    match element:
        case Text():
            return LEADING[element.font]
        case Picture():
            return int(element.dots.shape[0])
        case Code():
            return int(code_strip(element, 2_000).shape[0])
        case Feed():
            return element.dots
        case _:
            return 0


def _draw(canvas: Canvas, element: Element, dots: int, y: float) -> None:
    if isinstance(element, Text):
        width, height = CELL[element.font]
        size = width * DOT / COURIER
        canvas.setFont("Courier-Bold" if element.bold else "Courier", size)
        shown = printable(element.text).decode("cp1252")
        canvas.drawString(MARGIN + sizes_for(dots).margin * DOT, y - height * DOT * 0.75, shown)
    elif isinstance(element, Picture):
        _picture(canvas, element.dots, y)
    elif isinstance(element, Code):
        _picture(canvas, code_strip(element, dots), y)


def _picture(canvas: Canvas, dots: Dots, y: float) -> None:
    height, width = dots.shape
    if height:
        packed = np.packbits(1 - dots, axis=1).tobytes()
        image = ImageReader(Image.frombytes("1", (width, height), packed))
        canvas.drawImage(image, MARGIN, y - height * DOT, width * DOT, height * DOT)
