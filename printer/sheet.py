"""What a layout is made of, a sheet that collects it, and the parts that all papers share. Pure."""

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
"""The cell of the printer's own faces, in dots."""
LEADING = {"a": 27, "b": 21}
"""From one line to the next."""


# ---------------------------------------------------------------- what a layout is made of


@dataclass(frozen=True, slots=True)
class Text:
    """One line in the printer's own face."""

    text: str
    font: Font = "a"
    bold: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Dots as wide as the paper."""

    dots: Dots


@dataclass(frozen=True, slots=True, eq=False)
class Code:
    """A QR code: drawn by us it has `beside` at its right, by the printer `below` under it."""

    text: str
    module: int
    left: int
    beside: Dots
    below: Dots


@dataclass(frozen=True, slots=True)
class Feed:
    """White paper."""

    dots: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The end of a paper."""


Element = Text | Picture | Code | Feed | Cut


@dataclass(frozen=True, slots=True)
class Layout:
    """A paper from its top to its cut."""

    dots: int
    title: str
    elements: tuple[Element, ...]


# ---------------------------------------------------------------- a sheet being filled


@dataclass
class Sheet:
    """Collects the elements of one paper."""

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
        """A sentence in as many lines as it takes; further ones are indented."""
        rows = wrap(text, self.columns(font), subsequent_indent=" " * indent) or [""]
        self.elements += [Text(row, font, bold) for row in rows]

    def pair(self, left: str, right: str, font: Font = "a", *, bold: bool = False) -> None:
        """A label and its value at the right edge; in two lines where one is too narrow."""
        room = self.columns(font) - len(left) - len(right)
        if room >= 1:
            self.elements.append(Text(left + " " * room + right, font, bold))
            return
        self.say(left, font, bold=bold)
        rows = wrap(right, self.columns(font))
        self.elements += [Text(row.rjust(self.columns(font)), font, bold) for row in rows]

    def flow(self, chunks: Iterable[str], font: Font = "a") -> None:
        """Chunks two spaces apart, as many in a line as fit; only a longer one is broken."""
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
        """A line for each person to sign on."""
        for each in who:
            self.feed(52)
            self.elements.append(Text("_" * min(32, self.columns())))
            self.say(each, "b")

    def finish(self, title: str, stamps: Sequence[tuple[str, str]]) -> Layout:
        """The stamps again at the bottom, then the cut."""
        if stamps:
            self.feed(16)
        for words, _ in stamps:
            self.picture(drawing.stamp(self.sizes, words))
        self.elements.append(Cut())
        return Layout(self.sizes.dots, title, tuple(self.elements))


# ---------------------------------------------------------------- what all papers share


def stamps_of(place: PrintedLocation, copy: int, *, void: bool = False) -> list[tuple[str, str]]:
    """What must be unmistakable: the words of the band, and a sentence that explains them."""
    stamps = []
    if place.no_value:
        stamps.append(("NO VALUE", "NO VALUE: made by a test or a demonstration."))
    if void:
        stamps.append(("VOID", "VOID: the ticket plays no game and is not paid."))
    if copy:
        stamps.append((f"REPRINT {copy}", f"REPRINT {copy}: printed again; it counts only once."))
    return stamps


def head(sheet: Sheet, by: Printed, stamps: Sequence[tuple[str, str]]) -> None:
    """Stamps, the casino's band, and the stamps' sentences."""
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
    """The date and time, the station and the writer, and one thing more."""
    station, writer = f"Station {by.station}", f"Writer {by.writer}"
    if len(moment(by.at)) + 1 + len(station) <= sheet.columns():
        sheet.pair(moment(by.at), station)
        sheet.pair(also, writer)
    else:
        sheet.pair(day(by.at), station)
        sheet.pair(clock(by.at), writer)
        sheet.say(also)


def day(at: datetime) -> str:
    """``Sat Nov 14, 2026``."""
    return f"{at:%a %b} {at.day}, {at.year}"


def clock(at: datetime) -> str:
    """``8:39:44 PM EST``: local time with its zone, so that no hour is twice."""
    half = "AM" if at.hour < 12 else "PM"
    shown = f"{(at.hour + 11) % 12 + 1}:{at.minute:02d}:{at.second:02d}"
    return f"{shown} {half} {at:%Z}".rstrip()


def moment(at: datetime) -> str:
    """Day and clock."""
    return f"{day(at)} {clock(at)}"


def numbered(place: PrintedLocation, number: int) -> str:
    """``A-418 2276``: a ticket's number with its location's letter."""
    return f"{place.letter}-{ticket_number(number)}"


def counted(count: int, one: str, many: str = "") -> str:
    """``1 way``, ``1,200 ways``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def dollars(sheet: Sheet, rows: Iterable[tuple[str, Cents]]) -> None:
    """Amounts that are not zero, each in its line."""
    for label, cents in rows:
        if cents:
            sheet.pair(label, format_dollars(cents))
