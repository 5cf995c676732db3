"""The back of the rate card: how to condition a request, with a priced example of every type."""

from keno.documents import wording
from keno.documents.examples import Example, worked_examples
from keno.documents.flow import Block
from keno.documents.shapes import KING, Shape, of_group
from keno.documents.sheet import Box, DocumentSheet, plain
from keno.documents.style import HEADING, LABEL, QUIET, SMALL, SUBHEADING, WASH, Face
from keno.domain.errors import counted
from keno.domain.money import format_dollars
from keno.domain.ratecard import RateCard

INTRO = (
    "Mark your numbers and circle each group. Write the conditioning as ways over spots, then the "
    "wager a way: <b>3/8 @1.00</b> is three ways of eight spots at $1.00 each. No letter behind "
    "the wager means the {default} rate{marks}. Ways times wager times games is the price; every "
    "way is then paid as a straight ticket."
)
NOTE_WIDE, GROUPS_AT, ASIDE_AT = 120.0, 138.0, 234.0
NOTE = Face(8, leading=1.28)
SPOT, SPOT_STEP = 13.0, 15.2
CONDITIONED = Face(9.5, 600)
PRICE = Face(11, 700)


def conditioning_blocks(sheet: DocumentSheet, card: RateCard, width: float) -> list[Block]:
    """Return the blocks of the rate card's back panel, from the top; `width` is in points."""
    examples = worked_examples(card)
    return [
        _intro(sheet, card, width),
        *(_example(sheet, each, width) for each in examples),
        _foot(sheet, width),
    ]


def _intro(sheet: DocumentSheet, card: RateCard, width: float) -> Block:
    marks = "".join(f", {plain(each)}" for each in wording.marks(card))
    words = INTRO.format(default=plain(card.default_rate), marks=marks)
    height = 17 + sheet.paragraph(Box(0, 0, width, 0), words, NOTE, draw=False)

    def draw(box: Box) -> None:
        sheet.text(box.x, box.y + 10, "How to condition your ticket", HEADING)
        sheet.paragraph(Box(box.x, box.y + 17, box.width, 0), words, NOTE)

    return Block(height, draw)


CHECK = (
    "<b>Read your ticket before the game closes.</b> You are paid by the ticket and not by the "
    "request. Until its first game closes a wrong ticket is voided and written anew; after that "
    "it stands as it is."
)


def _foot(sheet: DocumentSheet, width: float) -> Block:
    height = sheet.paragraph(Box(0, 0, width - 20, 0), CHECK, NOTE, draw=False)

    def draw(box: Box) -> None:
        sheet.fill(Box(box.x, box.y, width, height + 16), WASH, 6)
        sheet.paragraph(Box(box.x + 10, box.y + 7, width - 20, 0), CHECK, NOTE)

    return Block(height + 16, draw, gap=8)


def shape_at(example: Example, index: int) -> Shape:
    """Return the shape of a group or king of an example by its index; kings follow the groups."""
    return KING if index >= len(example.request.groups) else of_group(index)


def _example(sheet: DocumentSheet, example: Example, width: float) -> Block:
    request = example.request
    note = sheet.paragraph(Box(0, 0, NOTE_WIDE, 0), plain(example.note), NOTE, draw=False)
    groups = SPOT_STEP * (1 if example.quick else len(request.all_groups))
    aside = 13.0 * len(request.lines) + 10 + 15
    height = 9 + max(12 + note, groups, aside)

    def draw(box: Box) -> None:
        sheet.rule(box.x, box.y, width)
        top = box.y + 5
        sheet.text(box.x, top + 8, example.name, SUBHEADING)
        sheet.paragraph(Box(box.x, top + 12, NOTE_WIDE, 0), plain(example.note), NOTE)
        _groups(sheet, example, box.x + GROUPS_AT, top)
        _aside(sheet, example, Box(box.x + ASIDE_AT, top, box.right - box.x - ASIDE_AT, 0))

    return Block(height, draw, gap=4.5)


def _groups(sheet: DocumentSheet, example: Example, x: float, y: float) -> None:
    """Draw an example's numbers in shapes, one group to a line; of a quick-pick only its spots."""
    if example.quick:
        words = f"quick-pick, {counted(example.request.spots_marked, 'spot')}"
        sheet.text(x, y + 9, words, Face(9, 600))
        return
    for row, numbers in enumerate(example.request.all_groups):
        base = y + SPOT / 2 + row * SPOT_STEP + 2.6
        sheet.text(x - 4, base, example.letter(row), SMALL.but(colour=QUIET), "right")
        for place, number in enumerate(numbers):
            middle = (x + SPOT / 2 + place * SPOT_STEP, y + SPOT / 2 + row * SPOT_STEP)
            sheet.shape(shape_at(example, row), middle, SPOT, str(number))


def _aside(sheet: DocumentSheet, example: Example, box: Box) -> None:
    """Draw an example's conditioning with its ways beside it, then its price calculation."""
    y = box.y + 9
    several = len(example.request.all_groups) > 1
    lines = zip(example.request.lines, example.conditioning, strict=True)
    for line, words in lines:
        sheet.text(box.x, y, words, CONDITIONED)
        if several:
            _ways(sheet, example, example.ways_of(line), box.right, y)
        y += 13
    sheet.text(box.right, y - 1, example.arithmetic, LABEL.but(size=7.2), "right")
    sheet.text(box.right, y + 12, format_dollars(example.price_cents), PRICE, "right")
    total = f"{counted(example.request.ways, 'way')}"
    sheet.text(box.x, y + 12, total, SMALL.but(colour=QUIET))


def _ways(
    sheet: DocumentSheet, example: Example, ways: list[tuple[int, ...]], right: float, y: float
) -> None:
    """Draw each way as small shapes of its groups, in one line that ends at x = `right`."""
    size, x = 6.4, right
    for way in reversed(ways):
        for index in reversed(way):
            sheet.shape(shape_at(example, index), (x - size / 2, y - 3.3), size)
            x -= size + 0.6
        x -= 3
