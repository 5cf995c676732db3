"""Elements of a layout, a sheet that collects them, and the parts that documents share. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from textwrap import wrap
from typing import Literal

from keno.domain.money import Cents, format_dollars
from keno.domain.ticket import ticket_number
from printer import drawing
from printer.documents import Printed, PrintedLocation
from printer.raster import Dots

Font = Literal["a", "b"]
CELL = {"a": (12, 24), "b": (9, 17)}
"""Width and height, in dots, of a character in the printer's own fonts A and B."""
LEADING = {"a": 27, "b": 21}
"""Dots from the top of one text line to the top of the next, by font."""


# ---------------------------------------------------------------- what a layout is made of


@dataclass(frozen=True, slots=True)
class Text:
    """An element of a layout: one line of text in one of the printer's own fonts."""

    text: str
    font: Font = "a"
    bold: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """An element of a layout: a picture as wide as the paper."""

    dots: Dots


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """An element of a layout: a QR code of `text` with a picture next to it.

    `module` (the side of its squares) and `left` (the margin) are in dots. If the printer draws QR
    codes itself, the picture `below` goes under the code. Otherwise this package draws the code
    as a picture, with `beside` at its right.
    """

    text: str
    module: int
    left: int
    beside: Dots
    below: Dots


@dataclass(frozen=True, slots=True)
class Feed:
    """An element of a layout: white paper of this many dots."""

    dots: int


@dataclass(frozen=True, slots=True)
class Cut:
    """An element of a layout: a cut, which ends the document."""


Element = Text | Picture | Code | Feed | Cut


@dataclass(frozen=True, slots=True)
class Layout:
    """A finished document: its elements from top to cut, and the width of the paper in dots."""

    dots: int
    elements: tuple[Element, ...]


# ---------------------------------------------------------------- a sheet being filled


@dataclass
class Sheet:
    """Collects the elements of one document from top to bottom, for one width of paper.

    `finish` returns the layout.
    """

    sizes: drawing.Sizes
    elements: list[Element] = field(default_factory=list)

    def columns(self, font: Font = "a") -> int:
        return (self.sizes.dots - self.sizes.margin) // CELL[font][0]

    def picture(self, *strips: Dots) -> None:
        self.elements += [Picture(strip) for strip in strips]

    def rule(self, above: int = 8, below: int = 12) -> None:
        self.picture(drawing.rule(self.sizes, above, below))

    def feed(self, dots: int) -> None:
        self.elements.append(Feed(dots))

    def say(self, text: str, font: Font = "a", *, bold: bool = False, indent: int = 0) -> None:
        """Add text on as many lines as it needs; those after the first begin with `indent` spaces.

        A line break in the text counts as a space. An empty text adds a blank line.
        """
        rows = wrap(text, self.columns(font), subsequent_indent=" " * indent) or [""]
        self.elements += [Text(row, font, bold) for row in rows]

    def pair(self, left: str, right: str, font: Font = "a", *, bold: bool = False) -> None:
        """Add a label at the left and its value at the right, on two lines if they are too long."""
        room = self.columns(font) - len(left) - len(right)
        if room >= 1:
            self.elements.append(Text(left + " " * room + right, font, bold))
            return
        self.say(left, font, bold=bold)
        rows = wrap(right, self.columns(font))
        self.elements += [Text(row.rjust(self.columns(font)), font, bold) for row in rows]

    def flow(self, chunks: Iterable[str], font: Font = "a") -> None:
        """Add short texts two spaces apart, as many on each line as fit.

        Only a text longer than a line is broken.
        """
        row = ""
        for chunk in chunks:
            if row and len(row) + 2 + len(chunk) <= self.columns(font):
                row += "  " + chunk
                continue
            if row:
                self._row(row, font)
            row = chunk
        if row:
            self._row(row, font)

    def _row(self, row: str, font: Font) -> None:
        if len(row) <= self.columns(font):
            self.elements.append(Text(row, font))
        else:
            self.say(row, font, indent=2)

    def sign(self, *who: str) -> None:
        """Add a line to sign on for each person, with the words for that person below it."""
        for each in who:
            self.feed(52)
            self.elements.append(Text("_" * min(32, self.columns())))
            self.say(each, "b")

    def finish(self, stamps: Sequence[tuple[str, str]]) -> Layout:
        """Add the stamps at the bottom and the cut, and return the finished layout."""
        if stamps:
            self.feed(16)
        for words, _ in stamps:
            self.picture(drawing.stamp(self.sizes, words))
        self.elements.append(Cut())
        return Layout(self.sizes.dots, tuple(self.elements))


# ---------------------------------------------------------------- what all papers share


def stamps_of(place: PrintedLocation, copy: int, *, void: bool = False) -> list[tuple[str, str]]:
    """Return a document's stamps (NO VALUE, VOID, REPRINT n) as pairs of words and sentence.

    `copy` is the number of the reprint, 0 for the original. The list is empty for a valid original.
    """
    stamps = []
    if place.no_value:
        stamps.append(("NO VALUE", "NO VALUE: made by a test or a demonstration."))
    if void:
        stamps.append(("VOID", "VOID: the ticket plays no game and is not paid."))
    if copy:
        stamps.append((f"REPRINT {copy}", f"REPRINT {copy}: printed again; it counts only once."))
    return stamps


def head(sheet: Sheet, by: Printed, stamps: Sequence[tuple[str, str]]) -> None:
    """Add the head of a document: stamps, the casino's band, and the stamps' sentences."""
    for words, _ in stamps:
        sheet.picture(drawing.stamp(sheet.sizes, words))
    if stamps:
        sheet.feed(10)
    sheet.picture(drawing.band(sheet.sizes, by.place.casino))
    if stamps:
        sheet.feed(8)
    for _, sentence in stamps:
        sheet.say(sentence, bold=True)


def said_when(sheet: Sheet, by: Printed, also: str) -> None:
    """Add lines with date and time of a document, station, writer and the text `also`."""
    station, writer = f"Station {by.station}", f"Writer {by.writer}"
    if len(moment(by.at)) + 1 + len(station) <= sheet.columns():
        sheet.pair(moment(by.at), station)
        sheet.pair(also, writer)
    else:
        sheet.pair(day(by.at), station)
        sheet.pair(clock(by.at), writer)
        sheet.say(also)


def day(at: datetime) -> str:
    """Format a date as ``Sat Nov 14, 2026``."""
    return f"{at:%a %b} {at.day}, {at.year}"


def clock(at: datetime) -> str:
    """Format a time as ``8:39:44 PM EST``.

    The zone distinguishes the hour that is repeated when daylight saving time ends.
    """
    half = "AM" if at.hour < 12 else "PM"
    shown = f"{(at.hour + 11) % 12 + 1}:{at.minute:02d}:{at.second:02d}"
    return f"{shown} {half} {at:%Z}".rstrip()


def moment(at: datetime) -> str:
    """Format date and time as ``Sat Nov 14, 2026 8:39:44 PM EST``."""
    return f"{day(at)} {clock(at)}"


def numbered(place: PrintedLocation, number: int, sold_letter: str = "") -> str:
    """Format a ticket's number with its location's letter: ``A-418 2276``.

    `sold_letter` is the letter of another location that sold the ticket, else empty.
    """
    return f"{sold_letter or place.letter}-{ticket_number(number)}"


def counted(count: int, one: str, many: str = "") -> str:
    """Format a count with its noun: ``1 way``, ``1,200 ways``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def dollars(sheet: Sheet, rows: Iterable[tuple[str, Cents]]) -> None:
    """Add a line for each labelled amount (in cents) that is not zero."""
    for label, cents in rows:
        if cents:
            sheet.pair(label, format_dollars(cents))
