"""A listing as a PDF: house, location, gaming day, who made it and when, and its rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from keno.documents.flow import Block, Panels, joined
from keno.documents.listings import Group, ListedLocation, groups, on_paper, total
from keno.documents.sheet import LANDSCAPE, About, Align, Box, DocumentSheet, plain
from keno.documents.style import (
    HEADING,
    INK,
    LABEL,
    LINE,
    QUIET,
    TITLE,
    WASH,
    Face,
    register,
    width,
)
from keno.service.listing_registry import ListingColumn, ListingDefinition

MARGIN, GAP = 40.0, 8.0
HEAD_HIGH, RUNNING_HIGH, FOOT_HIGH = 100.0, 28.0, 26.0
CELL = Face(8.2, 400, leading=1.28)
SUM = CELL.but(weight=700)
COLUMN_HEAD = LABEL.but(size=7.2)
ABOVE = 3.6
"""Points left free above and below the words of a row."""
CELL_MAX = 300
"""Maximum characters of a cell on paper; the CSV file has the whole text."""
MISSING = "?"
"""Printed in place of a character that the typeface lacks."""
CHANGED = (
    f"{MISSING} stands for a sign that the typeface lacks; long reasons are cut: "
    "the CSV file has them whole."
)


@dataclass(frozen=True, slots=True)
class Facts:
    """The texts in the head and foot of a listing, as they are printed.

    `span` says from when to when the gaming day lasts, `made` when the PDF was made, and `by` who
    made it. `no_value` marks a test house.
    """

    house: str
    location: str
    day: str
    span: str
    made: str
    by: str
    no_value: bool


def listing_sheet(
    listing: ListingDefinition[Any], rows: Sequence[object], place: ListedLocation, facts: Facts
) -> bytes:
    """Return the PDF of a listing with these rows, on as many pages as needed.

    Without rows it says that there are none. Cells are cut to CELL_MAX characters, and MISSING
    replaces a character that the typeface lacks; the foot of each page then says so.
    """
    about = About(
        f"{listing.title}, {facts.location}, {place.day.isoformat()}",
        printable(facts.house),
        f"{listing.title} of the gaming day {place.day.isoformat()} {listing.clause}".strip(),
    )
    sheet = DocumentSheet(LANDSCAPE, about)
    frame = sheet.page.inside(MARGIN, MARGIN - 6)
    found = groups(listing, rows, place)
    pages = _poured(sheet, frame, listing, found, rows)
    count = len(pages.placed)
    changed = any(_cell(cell) != " ".join(cell.split()) for cell in _cells(found))
    for index in range(count):
        if index:
            sheet.next_page()
            _running_head(sheet, frame, listing.title, facts)
        else:
            _head(sheet, frame, listing, facts)
        pages.draw(index, frame)
        _foot(sheet, frame, f"Page {index + 1} of {count}", facts, changed=changed)
    return sheet.finish()


def printable(text: str) -> str:
    """Return the text on one line, with a `?` for each character that the typeface lacks."""
    known = register()
    line = " ".join(text.split())
    return "".join(sign if ord(sign) in known else MISSING for sign in line)


def _cells(found: Sequence[Group]) -> Iterator[str]:
    for group in found:
        for row in group.rows:
            yield from row


def _cell(cell: str) -> str:
    """Return the text of a cell cut to CELL_MAX and made printable."""
    return printable(cell if len(cell) <= CELL_MAX else f"{cell[:CELL_MAX]} …")


# ---------------------------------------------------------------- head and foot


def _head(sheet: DocumentSheet, frame: Box, listing: ListingDefinition[Any], facts: Facts) -> None:
    left = frame.width * 0.56
    house = printable(facts.house)
    sheet.text(frame.x, frame.y + 11, house, sheet.fitted(house, Face(12, 600), left))
    sheet.text(frame.x, frame.y + 48, listing.title, sheet.fitted(listing.title, TITLE, left))
    where = f"{printable(facts.location)}, {facts.day}"
    sheet.text(frame.x, frame.y + 68, where, sheet.fitted(where, Face(12), left))
    told = (
        ("Gaming day", facts.span),
        ("Made", facts.made),
        ("by", facts.by),
        *([("Clause", listing.clause)] if listing.clause else []),
    )
    x, room = frame.x + frame.width * 0.6, frame.width * 0.4
    for index, (label, words) in enumerate(told):
        base = frame.y + 20 + index * 16
        sheet.text(x, base, label, LABEL.but(size=9))
        said = printable(words)
        sheet.text(x + 62, base, said, sheet.fitted(said, Face(9, 500), room - 62))
    sheet.rule(frame.x, frame.y + 82, frame.width, 1.6, INK)


def _running_head(sheet: DocumentSheet, frame: Box, title: str, facts: Facts) -> None:
    words = printable(f"{facts.house}: {title}, {facts.location}, {facts.day}")
    face = sheet.fitted(words, LABEL.but(size=9, colour=INK), frame.width)
    sheet.text(frame.x, frame.y + 9, words, face)
    sheet.rule(frame.x, frame.y + 16, frame.width, 1.2, INK)


def _foot(sheet: DocumentSheet, frame: Box, where: str, facts: Facts, *, changed: bool) -> None:
    sheet.rule(frame.x, frame.bottom - 14, frame.width, 0.5, LINE)
    words = "Times by the location's clock. Made from the ledger."
    if facts.no_value:
        words = f"TEST HOUSE: nothing here has any value. {words}"
    if changed:
        words = f"{words} {CHANGED}"
    sheet.text(frame.x, frame.bottom - 2, words, LABEL)
    sheet.text(frame.right, frame.bottom - 2, where, LABEL, "right")


# ---------------------------------------------------------------- rows


def _poured(
    sheet: DocumentSheet,
    frame: Box,
    listing: ListingDefinition[Any],
    found: Sequence[Group],
    rows: Sequence[object],
) -> Panels:
    """Return pages as panels with the rows, the sums of each group and the total placed on them."""
    room = frame.height - FOOT_HIGH
    poured = Panels(frame.width, room, reserved=(HEAD_HIGH, *[RUNNING_HIGH] * (len(rows) + 2)))
    columns = _Columns(sheet, frame.width, on_paper(listing))
    for group in found:
        for block in columns.group(group):
            poured.add(block)
    everything = total(listing, rows)
    if not rows:
        poured.add(columns.nothing(f"No {listing.many} on this gaming day."))
    elif listing.grouping is not None:
        poured.add(columns.total(everything.sums, f"In all {everything.counted}", gap=14))
    return poured


class _Columns:
    """The columns of a listing on a sheet: where they are, and how rows and sums are drawn."""

    def __init__(self, sheet: DocumentSheet, wide: float, columns: Sequence[ListingColumn]) -> None:
        self.sheet = sheet
        self.columns = columns
        share = (wide - GAP * (len(columns) - 1)) / sum(column.width for column in columns)
        self.rooms = [column.width * share for column in columns]
        self.starts = [sum(self.rooms[:n]) + GAP * n for n in range(len(columns))]
        self.balls = sum(column.key.startswith("ball_") for column in columns)

    def group(self, group: Group) -> list[Block]:
        """Return blocks for a group: heading with first row, each other row, and its sums.

        No block is split over two pages. Above a row or sums that begin a new page, the heading
        (with ", continued") and the column heads are repeated. Raise ValueError without rows.
        """
        first, *others = [self._row(cells) for cells in group.rows]
        continued = f"{group.heading}, continued" if group.heading else ""
        again = self._head(continued)
        rows = [Block(row.height, row.draw, again=again) for row in others]
        last = self.total(group.sums, group.counted)
        return [joined(self._head(group.heading), first), *rows,
                Block(last.height, last.draw, again=again)]  # fmt: skip

    def nothing(self, words: str) -> Block:
        face = Face(11, 400, QUIET)
        return Block(20, lambda box: self.sheet.text(box.x, box.y + 14, words, face))

    def total(self, sums: Sequence[str], words: str, gap: float = 0) -> Block:
        def draw(box: Box) -> None:
            self.sheet.fill(Box(box.x, box.y, box.width, box.height), WASH)
            self.sheet.rule(box.x, box.y, box.width, 0.9, INK)
            base = box.y + ABOVE + CELL.size
            self.sheet.text(box.x + 3, base, words, SUM)
            for index, cell in enumerate(sums):
                if cell:
                    self._line(index, cell, SUM, box.x, base)

        return Block(CELL.step + 2 * ABOVE, draw, gap)

    def _head(self, heading: str) -> Block:
        above = 20.0 if heading else 0.0

        def draw(box: Box) -> None:
            if heading:
                self.sheet.text(box.x, box.y + 12, printable(heading), HEADING.but(size=11))
            if self.balls:
                start = self.starts[len(self.columns) - self.balls]
                self.sheet.text(box.x + start, box.y + 7, "In the order drawn", COLUMN_HEAD)
            for index, column in enumerate(self.columns):
                if not column.key.startswith("ball_"):
                    self._line(index, column.heading, COLUMN_HEAD, box.x, box.y + above + 7)

        return Block(above + 12, draw, gap=14)

    def _row(self, cells: Sequence[str]) -> Block:
        """Return the block of one row; cells wider than their column are wrapped into lines."""
        said = [_cell(cell) for cell in cells]
        broken = {
            index: self.sheet.paragraph(self._box(index, 0, 0), plain(cell), CELL, draw=False)
            for index, cell in enumerate(said)
            if width(cell, CELL) > self.rooms[index]
        }
        height = max([CELL.step, *broken.values()])

        def draw(box: Box) -> None:
            self.sheet.rule(box.x, box.y, box.width, 0.5, LINE)
            for index, cell in enumerate(said):
                if index in broken:
                    at = self._box(index, box.x, box.y + ABOVE - 0.9)
                    self.sheet.paragraph(at, plain(cell), CELL, self._align(index))
                elif cell:
                    self._line(index, cell, self._face(index), box.x, box.y + ABOVE + CELL.size)

        return Block(height + 2 * ABOVE, draw)

    def _face(self, index: int) -> Face:
        return SUM if self.columns[index].kind in ("ticket", "game") and not index else CELL

    def _box(self, index: int, x: float, y: float) -> Box:
        return Box(x + self.starts[index], y, self.rooms[index], 0)

    def _align(self, index: int) -> Align:
        return "right" if self.columns[index].kind in ("cents", "number") else "left"

    def _line(self, index: int, words: str, face: Face, x: float, base: float) -> None:
        """Draw one line of text in its column, in a smaller size if it is too wide."""
        face = self.sheet.fitted(words, face, self.rooms[index])
        align = self._align(index)
        at = self.starts[index] + (self.rooms[index] if align == "right" else 0)
        self.sheet.text(x + at, base, words, face, align)
