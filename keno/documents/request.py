"""The empty keno request form (15.4(b)) as a PDF, two to a page.

`layout` gives every position relative to the form's own corner, so that a scanner can later read
the marks: it finds the corner marks, reads the form number and looks into the boxes.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from keno.documents import wording
from keno.documents.shapes import GROUPS, KING, Shape
from keno.documents.sheet import PORTRAIT, About, Box, DocumentSheet, plain
from keno.documents.style import INK, LABEL, LINE, PAPER, QUIET, SMALL, SUBHEADING, WASH, Face
from keno.domain.money import format_dollars
from keno.domain.ratecard import RateCard
from keno.domain.wager import NUMBERS

FORM_NUMBER = "KR-1"
"""Number of the form, printed on it; it changes whenever a box of the layout moves."""
WIDTH, HEIGHT = 556.0, 352.0
"""Size of a form; all lengths here are in points."""
CORNER = 11.0
CELL_ACROSS, CELL_DOWN, BAR = 26.4, 23.6, 7.0
GRID_AT = (0.0, 46.0)
SIDE_AT = 292.0
LINES = 5
"""Maximum conditioning lines on a form."""
LINE_TOP, LINE_STEP = 76.0, 24.0
KINGS = 3
"""Maximum kings on a form."""


@dataclass(frozen=True)
class FormLayout:
    """The box of every mark and field of a form, in points from the form's upper left corner."""

    corners: tuple[Box, ...]
    numbers: dict[int, Box]
    groups: dict[Shape, Box]
    kings: tuple[Box, ...]
    lines: tuple[dict[str, Box], ...]
    fields: dict[str, Box] = field(default_factory=dict)


def layout() -> FormLayout:
    """Return the layout of the request form: corner marks, numbers, and fields to be filled in."""
    far, low = WIDTH - CORNER, HEIGHT - CORNER
    corners = [Box(x, y, CORNER, CORNER) for y in (0.0, low) for x in (0.0, far)]
    # A fifth mark beside the first tells which way is up.
    corners.append(Box(CORNER * 1.5, 0, CORNER / 2, CORNER))
    under = GRID_AT[1] + 8 * CELL_DOWN + BAR + 19
    return FormLayout(
        corners=tuple(corners),
        numbers={number: _cell(number) for number in range(1, NUMBERS + 1)},
        groups={shape: Box(22 + index * 44.6, under, 20, 19) for index, shape in enumerate(GROUPS)},
        kings=tuple(Box(72 + index * 60.0, under + 27, 30, 19) for index in range(KINGS)),
        lines=tuple(_line(LINE_TOP + index * LINE_STEP) for index in range(LINES)),
        fields={
            "one game": Box(SIDE_AT + 148, 203, 116, 22),
            "games": Box(SIDE_AT + 148, 230, 116, 22),
            "total": Box(SIDE_AT + 110, 267, 148, 34),
        },
    )


def _cell(number: int) -> Box:
    row, column = divmod(number - 1, 10)
    x = GRID_AT[0] + column * CELL_ACROSS
    y = GRID_AT[1] + row * CELL_DOWN + (BAR if row >= 4 else 0)
    return Box(x + 1, y + 1, CELL_ACROSS - 2, CELL_DOWN - 2)


def _line(y: float) -> dict[str, Box]:
    """Return the boxes of a conditioning line by name: ways, spots, listed sets, wager, rate."""
    places = {"ways": (0, 44), "spots": (54, 30), "sets": (92, 70), "wager": (170, 60)}
    boxes = {name: Box(SIDE_AT + x, y, width, 20) for name, (x, width) in places.items()}
    return boxes | {"rate": Box(SIDE_AT + 238, y, 26, 20)}


Fill = Callable[[DocumentSheet, Box, FormLayout], None]
"""Function that writes entries into a drawn form, given the sheet, the form's box and layout."""


def request_form(card: RateCard, fill: Fill | None = None) -> bytes:
    """Return the PDF of a page with two empty forms, or with one form that `fill` writes into."""
    about = About(
        f"{card.name}: keno request",
        card.name,
        f"Keno request, form {FORM_NUMBER} (N.J.A.C. 19:47-15.4(b))",
        card.version,
    )
    sheet = DocumentSheet(PORTRAIT, about)
    across = (sheet.width - WIDTH) / 2
    for half in (0, 1):
        top = half * sheet.height / 2 + (sheet.height / 2 - HEIGHT) / 2
        form = Box(across, top, WIDTH, HEIGHT)
        _form(sheet, card, form)
        if fill is not None:
            fill(sheet, form, layout())
            break
    middle = sheet.height / 2
    sheet.rule(0, middle, 18, 0.5)
    sheet.rule(sheet.width - 18, middle, 18, 0.5)
    return sheet.finish()


def _at(form: Box, box: Box) -> Box:
    return Box(form.x + box.x, form.y + box.y, box.width, box.height)


def _form(sheet: DocumentSheet, card: RateCard, form: Box) -> None:
    places = layout()
    for corner in places.corners:
        sheet.fill(_at(form, corner))
    name = sheet.fitted(card.name, Face(13, 700), SIDE_AT - 38)
    sheet.text(form.x + 26, form.y + 10, card.name, name)
    sheet.text(form.x + SIDE_AT, form.y + 10, "Keno request", Face(13, 500))
    _grid(sheet, form, places)
    _groups(sheet, form, places)
    _conditioning(sheet, card, form, places)
    _prices(sheet, card, form, places)
    _foot(sheet, form)


def _grid(sheet: DocumentSheet, form: Box, places: FormLayout) -> None:
    sheet.text(form.x, form.y + 32, "Numbers", SUBHEADING)
    sheet.text(form.x + 50, form.y + 32, "Mark each number you play.", SMALL.but(colour=QUIET))
    figures = Face(10.5, 500)
    for number, box in places.numbers.items():
        cell = _at(form, box)
        sheet.outline(cell, 0.5, LINE, 4)
        base = cell.y + cell.height / 2 + figures.size * 0.35
        sheet.text(cell.x + cell.width / 2, base, str(number), figures, "centre")


def _groups(sheet: DocumentSheet, form: Box, places: FormLayout) -> None:
    first = _at(form, places.groups["A"])
    words = "Circle each group and write how many spots it has. Circle a king by itself."
    sheet.text(form.x, first.y - 7, words, SMALL.but(colour=QUIET))
    for shape, box in places.groups.items():
        room = _at(form, box)
        sheet.shape(shape, (room.x - 12, room.y + room.height / 2), 16, shape)
        _room(sheet, room)
    king = _at(form, places.kings[0])
    sheet.text(form.x, king.y + 13, "Kings", SUBHEADING)
    for index, box in enumerate(places.kings):
        room = _at(form, box)
        sheet.shape(KING, (room.x - 14, room.y + room.height / 2), 17, f"{index + 1}")
        _room(sheet, room)


def _room(sheet: DocumentSheet, box: Box, weight: float = 0.7) -> None:
    """Draw an empty box to write in."""
    sheet.fill(box, PAPER, 3)
    sheet.outline(box, weight, INK, 3)


def _conditioning(sheet: DocumentSheet, card: RateCard, form: Box, places: FormLayout) -> None:
    x, y = form.x + SIDE_AT, form.y + 32
    sheet.text(x, y, "Conditioning and wager", SUBHEADING)
    rates = ", ".join([f"Rate: empty is {card.default_rate}", *wording.marks(card)])
    room, face = Box(x, y + 3.5, WIDTH - SIDE_AT, 0), SMALL.but(colour=QUIET)
    if sheet.paragraph(room, plain(rates) + ".", face, draw=False) > 2.5 * face.step:
        rates = f"Rate: its mark on the rate card; empty is {card.default_rate}"
    sheet.paragraph(room, plain(rates) + ".", face)
    heads = {
        "ways": "Ways", "spots": "Spots", "sets": "Only these sets", "wager": "Wager a way",
        "rate": "Rate",
    }  # fmt: skip
    for name, head in heads.items():
        box = _at(form, places.lines[0][name])
        sheet.text(box.x + box.width / 2, box.y - 5, head, LABEL, "centre")
    for line in places.lines:
        for name, box in line.items():
            room = _at(form, box)
            _room(sheet, room)
            if name == "wager":
                _money(sheet, room, 3)
        slash = _at(form, line["spots"])
        sheet.text(slash.x - 5, slash.y + 15, "/", Face(13, 500), "centre")


def _money(sheet: DocumentSheet, box: Box, digits: int) -> None:
    """Draw the marks of an amount box: dollar sign, a place for each digit, decimal point."""
    sheet.text(box.x + 4, box.y + box.height / 2 + 3.4, "$", Face(9.5, 500))
    each = (box.width - 13) / (digits + 2)
    for index in range(1, digits + 2):
        x = box.x + 13 + index * each
        if index == digits:
            sheet.text(x, box.bottom - 5, ".", Face(13, 700), "centre")
        else:
            sheet.upright(x, box.bottom - 5, 5, 0.4)


def _prices(sheet: DocumentSheet, card: RateCard, form: Box, places: FormLayout) -> None:
    x = form.x + SIDE_AT
    least, most = format_dollars(card.ticket_min_cents), format_dollars(card.ticket_max_cents)
    rows = {
        "one game": ("Price of one game", f"ways × wager; {least} to {most}"),
        "games": ("Number of games", f"1 to {card.multi_race_games_max:,}"),
        "total": ("Total price", "price × games"),
    }
    total = _at(form, places.fields["total"])
    back = Box(x - 6, total.y - 6, form.right - x + 6, total.height + 12)
    sheet.fill(back, WASH, 6)
    for name, (label, note) in rows.items():
        box = _at(form, places.fields[name])
        _room(sheet, box, 1.1 if name == "total" else 0.7)
        middle = box.y + box.height / 2
        sheet.text(x, middle - 0.5, label, SUBHEADING)
        sheet.text(x, middle + 9.5, note, LABEL.but(size=7.2))
        if name != "games":
            _money(sheet, box, 6)
    games = _at(form, places.fields["games"])
    for index in range(1, 6):
        sheet.upright(games.x + index * games.width / 6, games.bottom - 5, 5, 0.4)


def _foot(sheet: DocumentSheet, form: Box) -> None:
    words = (
        "Hand this form to a keno writer. <b>Compare your ticket with it before the game "
        "closes:</b> you are paid by the ticket, not by this form."
    )
    sheet.paragraph(Box(form.x + 26, form.bottom - 21, 256, 0), words, SMALL)
    sheet.barcode(form.x + SIDE_AT, form.bottom - 19, 17, FORM_NUMBER)
    sheet.text(form.right - 26, form.bottom - 4, f"Form {FORM_NUMBER}", LABEL, "right")
