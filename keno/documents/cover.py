"""The cover of the rate card: house, what keno is, limits, maximum, claims, house advantage."""

from collections.abc import Sequence

from keno.documents import wording
from keno.documents.flow import Block
from keno.documents.sheet import Box, DocumentSheet, plain
from keno.documents.style import (
    FIGURE,
    INK,
    LABEL,
    LAMP,
    LINE,
    QUIET,
    SMALL,
    SUBHEADING,
    TITLE,
    Face,
)
from keno.domain import exact
from keno.domain.certify import card_verdicts, stated_advantages
from keno.domain.errors import counted
from keno.domain.money import format_dollars
from keno.domain.ratecard import Rate, RateCard
from keno.domain.wager import BALLS, NUMBERS

CALLED = (4, 6, 7, 12, 18, 21, 22, 26, 31, 33, 34, 37, 38, 42, 52, 55, 61, 70, 74, 80)
"""Drawn numbers of the sample picture on the cover."""
CELL = 13.4
"""Size of a cell of the picture's grid, in points."""
KENO = (
    f"Mark from 1 to {{spots}} of {NUMBERS} numbers. {BALLS} are drawn. The more of yours are "
    "among them, the more you are paid: the tables inside say how much, and at what odds."
)
SPOTS_ABREAST = 10
"""Maximum spot counts side by side in the table of returns."""


def cover_blocks(sheet: DocumentSheet, card: RateCard, width: float) -> list[Block]:
    """Return the blocks of the rate card's cover, from the top; `width` is in points."""
    rates = list(card.rates.values())
    return [
        _title(sheet, card, width),
        _rates_head(sheet),
        *(_rate(sheet, card, rate, width) for rate in rates),
        _limits(sheet, card),
        _promises(sheet, card, width),
        *_returns(sheet, card, rates, width),
    ]


def _title(sheet: DocumentSheet, card: RateCard, width: float) -> Block:
    grid = 10 * CELL
    room = width - grid - 18

    def draw(box: Box) -> None:
        y = box.y
        name = plain(card.name)
        y += sheet.paragraph(Box(box.x, y - 4, room, 0), name, TITLE) + 4
        sheet.text(box.x, y + 10, "Rate card", Face(15, 500))
        sheet.text(box.x + 70, y + 10, card.version, Face(15, 700))
        words = KENO.format(spots=card.spots_max)
        sheet.paragraph(Box(box.x, y + 19, room, 0), words, Face(8.6))
        draw_grid(sheet, box.right - grid, box.y, CELL, CALLED)

    title = sheet.paragraph(Box(0, 0, room, 0), plain(card.name), TITLE, draw=False)
    words = sheet.paragraph(Box(0, 0, room, 0), KENO, Face(8.6), draw=False)
    return Block(max(8 * CELL + 4, title + 21 + words), draw)


def draw_grid(sheet: DocumentSheet, x: float, y: float, cell: float, called: Sequence[int]) -> None:
    """Draw the grid of 80 numbers from its upper left corner (x, y), with the `called` ones lit.

    `cell` is the size of a number's cell in points.
    """
    figures = Face(cell * 0.5, 500, QUIET)
    for number in range(1, NUMBERS + 1):
        row, column = divmod(number - 1, 10)
        bar = cell * 0.3 if row >= 4 else 0
        middle = (x + (column + 0.5) * cell, y + (row + 0.5) * cell + bar)
        if number in called:
            sheet.shape("A", middle, cell * 0.92, str(number), (LAMP, INK))
        else:
            base = middle[1] + figures.size * 0.35
            sheet.text(middle[0], base, str(number), figures, "centre")


RATE_COLUMNS = (0.0, 66.0, 108.0, 262.0)
"""Left edges of the columns in the table of rates, in points from the table's left edge."""


def _rates_head(sheet: DocumentSheet) -> Block:
    def draw(box: Box) -> None:
        sheet.text(box.x, box.y + 9, "Rates and limits", SUBHEADING)
        heads = ("Rate", "Spots", "Least a way", "Most a way, steps")
        for at, words in zip(RATE_COLUMNS, heads, strict=True):
            sheet.text(box.x + at, box.y + 21, words, LABEL)

    return Block(24, draw, gap=12)


def _rate(sheet: DocumentSheet, card: RateCard, rate: Rate, width: float) -> Block:
    least = wording.minimum(rate)
    room = RATE_COLUMNS[3] - RATE_COLUMNS[2] - 8
    only = wording.tickets(rate)
    lines = sheet.paragraph(Box(0, 0, room, 0), least, SMALL, draw=False)
    height = max(lines, SMALL.step) + (SMALL.step if only else 0) + 3

    def draw(box: Box) -> None:
        sheet.rule(box.x, box.y, width)
        base = box.y + SMALL.size + 2
        name = wording.rate_title(card, rate.code)
        face = sheet.fitted(name, SMALL.but(weight=700), RATE_COLUMNS[1] - 6)
        sheet.text(box.x, base, name, face)
        sheet.text(box.x + RATE_COLUMNS[1], base, wording.spots_paid(rate), SMALL)
        sheet.paragraph(Box(box.x + RATE_COLUMNS[2], box.y + 1.7, room, 0), least, SMALL)
        most = f"{format_dollars(rate.max_cents)}, by {format_dollars(rate.step_cents)}"
        sheet.text(box.x + RATE_COLUMNS[3], base, most, SMALL)
        if only:
            low = box.y + lines + SMALL.size + 2
            sheet.text(box.x + RATE_COLUMNS[1], low, f"only {only}", SMALL.but(colour=QUIET))

    return Block(height, draw)


def _limits(sheet: DocumentSheet, card: RateCard) -> Block:
    rows = wording.limits(card)

    def draw(box: Box) -> None:
        sheet.rule(box.x, box.y, box.width)
        for index, (label, value) in enumerate(rows):
            column, row = index % 2, index // 2
            x = box.x + column * box.width / 2
            y = box.y + 10 + row * 22
            sheet.text(x, y, label, LABEL)
            sheet.text(x, y + 10, value, SMALL.but(weight=600, size=8.6))

    return Block(24.0 * ((len(rows) + 1) // 2), draw, gap=2)


def _promises(sheet: DocumentSheet, card: RateCard, width: float) -> Block:
    parts = (
        f"<b>Maximum.</b> {wording.maximum(card)} {wording.sharing(card)}",
        f"<b>Claims.</b> {wording.claim(card)} Bring the ticket: only it is paid.",
        f"<b>Multi-race.</b> {wording.refunds(card)}",
    )
    heights = [sheet.paragraph(Box(0, 0, width, 0), part, SMALL, draw=False) for part in parts]

    def draw(box: Box) -> None:
        sheet.rule(box.x, box.y, box.width, 0.9, INK)
        y = box.y + 5
        for part, height in zip(parts, heights, strict=True):
            sheet.paragraph(Box(box.x, y, box.width, 0), part, SMALL)
            y += height + 2

    return Block(5 + sum(heights) + 2 * len(heights), draw, gap=4)


def _returns(
    sheet: DocumentSheet, card: RateCard, rates: Sequence[Rate], width: float
) -> list[Block]:
    blocks = [_returns_head(sheet, card, width)]
    spots = sorted({each for rate in rates for each in rate.pays})
    for start in range(0, len(spots), SPOTS_ABREAST):
        part = spots[start : start + SPOTS_ABREAST]
        paying = [rate for rate in rates if any(each in rate.pays for each in part)]
        blocks.append(_returns_part(sheet, card, paying, part))
    return blocks


def _returns_head(sheet: DocumentSheet, card: RateCard, width: float) -> Block:
    worst = max(card_verdicts(card), key=lambda w: w.at_maximum)
    words = (
        "In percent of the wager, at the minimum that can be bought. "
        f"Where the maximum cuts off an award the house keeps more: at the highest wagers up to "
        f"{exact.percent(worst.at_maximum, 2)}% ({wording.rate_name(worst.rate)}, "
        f"{counted(worst.spots, 'spot')})."
    )
    face = SMALL.but(colour=QUIET)
    height = 13 + sheet.paragraph(Box(0, 0, width, 0), plain(words), face, draw=False)

    def draw(box: Box) -> None:
        sheet.text(box.x, box.y + 9, "Return and house advantage", SUBHEADING)
        sheet.paragraph(Box(box.x, box.y + 13, box.width, 0), plain(words), face)

    return Block(height, draw, gap=8)


def _returns_part(
    sheet: DocumentSheet, card: RateCard, rates: Sequence[Rate], spots: Sequence[int]
) -> Block:
    label, row = 74.0, 8.8
    judged = stated_advantages(card)

    def draw(box: Box) -> None:
        each = (box.width - label) / SPOTS_ABREAST
        ends = [box.x + label + each * (index + 1) for index in range(len(spots))]
        sheet.text(box.x, box.y + 8, "Spots", LABEL)
        for end, number in zip(ends, spots, strict=True):
            sheet.text(end, box.y + 8, str(number), LABEL.but(weight=700, colour=INK), "right")
        y = box.y + 11
        for rate in rates:
            sheet.rule(box.x, y, box.width, 0.4, LINE)
            name = wording.rate_name(rate.code)
            sheet.text(box.x, y + row - 1.6, name, sheet.fitted(name, FIGURE, label - 24))
            sheet.text(box.x + label, y + row - 1.6, "return", LABEL.but(size=6.6), "right")
            sheet.text(box.x + label, y + 2 * row - 1.6, "house", LABEL.but(size=6.6), "right")
            for end, number in zip(ends, spots, strict=True):
                if number in rate.pays:
                    kept = judged[rate.code, number].house_advantage
                    back = exact.percent(1 - kept, 2)
                    sheet.text(end, y + row - 1.6, back, FIGURE, "right")
                    low = y + 2 * row - 1.6
                    sheet.text(end, low, exact.percent(kept, 2), FIGURE, "right")
            y += 2 * row + 1

    return Block(11 + (2 * row + 1) * len(rates), draw, gap=4)
