"""The gaming guide as a PDF: the rules of keno abridged for patrons, in two columns.

The text is in `guide.txt`. Every amount, period and limit comes from the card; every example is
priced by the domain.
"""

import re
from collections.abc import Callable
from fractions import Fraction

from keno.documents import wording
from keno.documents.conditioning import shape_at
from keno.documents.cover import CALLED, draw_grid
from keno.documents.examples import Example, worked_examples
from keno.documents.flow import Block, Panels, joined
from keno.documents.guidetext import CHANCES, STEP, guide_source, said
from keno.documents.sheet import PORTRAIT, About, Box, DocumentSheet, plain
from keno.documents.style import (
    HEADING,
    INK,
    JADE,
    LABEL,
    LAMP,
    PAPER,
    QUIET,
    SUBHEADING,
    TITLE,
    Face,
)
from keno.documents.style import width as width_of
from keno.domain import exact
from keno.domain.money import format_dollars
from keno.domain.odds import catch_probability
from keno.domain.ratecard import RateCard

MARGIN, GAP = 46.0, 28.0
TITLE_HIGH, RUNNING_HIGH, FOOT_HIGH = 84.0, 26.0, 16.0
BODY = Face(10, leading=1.36)
SPOT, SPOT_STEP, GROUP_GAP = 12.0, 12.9, 6.0
LETTER = Face(7.6, 500, QUIET)


def gaming_guide(card: RateCard) -> bytes:
    """Return the PDF of the gaming guide for a card, in pages of two columns."""
    about = About(
        f"{card.name}: a guide to keno",
        card.name,
        "Gaming guide: the rules of keno abridged (N.J.A.C. 19:47-15)",
        card.version,
    )
    sheet = DocumentSheet(PORTRAIT, about)
    frame = sheet.page.inside(MARGIN, MARGIN - 6)
    columns = Box(frame.x, frame.y, frame.width, frame.height - FOOT_HIGH).columns(2, GAP)
    width = columns[0].width
    reserved = (TITLE_HIGH, TITLE_HIGH, *[RUNNING_HIGH] * 20)
    panels = Panels(width, columns[0].height, reserved=reserved)
    for block in _blocks(sheet, card, width):
        panels.add(block)
    for index in range(len(panels.placed)):
        if index % 2 == 0:
            if index:
                sheet.next_page()
            _head_and_foot(sheet, card, frame, index // 2 + 1)
        panels.draw(index, columns[index % 2])
    return sheet.finish()


def _head_and_foot(sheet: DocumentSheet, card: RateCard, frame: Box, page: int) -> None:
    if page == 1:
        name = sheet.fitted(card.name, TITLE, frame.width)
        sheet.text(frame.x, frame.y + 24, card.name, name)
        sheet.text(frame.x, frame.y + 48, "A guide to keno", Face(17, 500))
        sheet.rule(frame.x, frame.y + 62, frame.width, 1.2, INK)
    else:
        sheet.text(frame.x, frame.y + 8, "A guide to keno", LABEL.but(weight=700, colour=INK))
        sheet.rule(frame.x, frame.y + 14, frame.width, 1.2, INK)
    words = (
        f"The rules abridged, with the limits of rate card {card.version}. The whole rules are "
        "N.J.A.C. 19:47-15; ask for them at the booth."
    )
    sheet.text(frame.x, frame.bottom, words, LABEL)
    sheet.text(frame.right, frame.bottom, str(page), LABEL, "right")


def _blocks(sheet: DocumentSheet, card: RateCard, width: float) -> list[Block]:
    """Return the guide's text as blocks, with pictures or tables in place of names in brackets."""
    pictures: dict[str, Callable[[], list[Block]]] = {
        "[picture]": lambda: [_picture(sheet, card)],
        "[tickets]": lambda: [_kind(sheet, each, width) for each in worked_examples(card)],
        "[chances]": lambda: [_chances(sheet, card)],
    }
    text = guide_source()
    values = {name: plain(value) for name, value in said(card).items()}
    parts = text.strip().split("\n\n")
    blocks: list[Block] = []
    title = ""
    for part, after in zip(parts, [*parts[1:], ""], strict=True):
        if part.startswith("# "):
            title = part.removeprefix("# ")
            continue
        if part in pictures:
            made = pictures[part]()
        else:
            words = re.sub(r"\*(.+?)\*", r"<b>\1</b>", " ".join(part.split())).format(**values)
            step = words.startswith(STEP)
            more = after.startswith(STEP)
            made = [
                _step(sheet, words, width, more=more) if step else _paragraph(sheet, words, width)
            ]
        if title:
            made[0] = _titled(sheet, title, made[0])
        blocks += made
        title = ""
    return blocks


def _titled(sheet: DocumentSheet, title: str, block: Block) -> Block:
    def draw(box: Box) -> None:
        sheet.text(box.x, box.y + 12, title, HEADING.but(size=14))

    return joined(Block(20, draw, gap=17), block)


def _paragraph(sheet: DocumentSheet, words: str, width: float) -> Block:
    height = sheet.paragraph(Box(0, 0, width, 0), words, BODY, draw=False)
    return Block(height, lambda box: _put(sheet, box, words), gap=5)


def _put(sheet: DocumentSheet, box: Box, words: str) -> None:
    sheet.paragraph(box, words, BODY)


def _step(sheet: DocumentSheet, words: str, width: float, *, more: bool) -> Block:
    """Return a block for a step of the draw's proof: a jade check mark and its text.

    With `more` a line leads down to the next step.
    """
    said = words.removeprefix(STEP)
    indent = 20.0
    height = sheet.paragraph(Box(0, 0, width - indent, 0), said, BODY, draw=False)

    def draw(box: Box) -> None:
        if more:
            sheet.upright(box.x + 6, box.y + 15, height - 5, 0.9, JADE)
        sheet.shape("A", (box.x + 6, box.y + 7.5), 12, "", (JADE, JADE))
        sheet.text(box.x + 6, box.y + 11, "✓", Face(10, 700, PAPER), "centre")
        sheet.paragraph(Box(box.x + indent, box.y, box.width - indent, 0), said, BODY)

    return Block(height, draw, gap=6)


def _chances(sheet: DocumentSheet, card: RateCard) -> Block:
    """Return a table of the default rate by spots: odds of any award, and of all caught.

    The last column is the award of all caught at the rate's shown wager.
    """
    rate = card.rates[card.default_rate]
    spots = [each for each in CHANCES if each in rate.pays] or sorted(rate.pays)[:6]
    face, row = Face(9, 500), 13.0
    heads = ("Spots", "Any award", "All caught", f"{wording.shown_pays(rate)} then")

    def cells(number: int) -> tuple[str, ...]:
        paid = [catch for catch, cents in rate.pays[number].items() if cents]
        any_award = sum((catch_probability(number, each) for each in paid), Fraction(0))
        best = rate.shown_award_cents(number, number, card.aggregate_max_cents)
        return (
            str(number),
            exact.odds_to_one(any_award),
            exact.odds_to_one(catch_probability(number, number)),
            format_dollars(best),
        )

    def draw(box: Box) -> None:
        ends = [box.x + box.width * part for part in (0.1, 0.36, 0.7, 1.0)]
        for end, head in zip(ends, heads, strict=True):
            sheet.text(end, box.y + 9, head, LABEL, "right")
        for index, number in enumerate(spots):
            y = box.y + 13 + index * row
            sheet.rule(box.x, y, box.width)
            for end, words in zip(ends, cells(number), strict=True):
                sheet.text(end, y + 9.6, words, face, "right")

    return Block(14 + row * len(spots), draw, gap=7)


def _kind(sheet: DocumentSheet, example: Example, width: float) -> Block:
    """Return a block on a ticket type: explanation, numbers in shapes, conditioning, price."""
    words = f"<b>{example.name}.</b> {plain(example.note)}"
    height = sheet.paragraph(Box(0, 0, width, 0), words, BODY, draw=False)
    groups = 0.0 if example.quick else SPOT + 5

    def draw(box: Box) -> None:
        sheet.paragraph(Box(box.x, box.y, box.width, 0), words, BODY)
        x, y = box.x + SPOT / 2, box.y + height + 4 + SPOT / 2
        for index, numbers in enumerate(() if example.quick else example.request.all_groups):
            if letter := example.letter(index):
                sheet.text(x - SPOT / 2, y + 2.6, letter, LETTER)
                x += width_of(letter, LETTER) + 2
            for number in numbers:
                sheet.shape(shape_at(example, index), (x, y), SPOT, str(number))
                x += SPOT_STEP
            x += GROUP_GAP
        low = box.y + height + groups + 11
        sheet.text(box.x, low, "   ".join(example.conditioning), SUBHEADING.but(weight=600))
        price = f"{example.arithmetic} = {format_dollars(example.price_cents)}"
        sheet.text(box.right, low, price, LABEL.but(colour=INK), "right")

    return Block(height + groups + 14, draw, gap=7)


def _caught(card: RateCard) -> tuple[tuple[int, ...], int, int, int]:
    """Return a sample for the picture: numbers marked, spots, a catch that pays, and its award.

    The award is in cents at the minimum wager of the default rate.
    """
    rate = card.rates[card.default_rate]
    spots = min(rate.pays, key=lambda each: (abs(each - 5), each))
    catch = min((each for each, cents in rate.pays[spots].items() if cents and each), default=0)
    missed = [number for number in (*range(3, 81, 11), *range(1, 81)) if number not in CALLED]
    caught = (*CALLED[3:], *CALLED[:3])[:catch]
    numbers = sorted([*caught, *dict.fromkeys(missed)][: spots - catch + len(caught)])
    paid = card.payoffs(rate.code, spots, rate.min_cents(1))[catch]
    return tuple(numbers), spots, catch, paid


def _picture(sheet: DocumentSheet, card: RateCard) -> Block:
    cell = 13.6
    numbers, spots, catch, paid = _caught(card)
    rate = card.rates[card.default_rate]
    odds = exact.odds_to_one(catch_probability(spots, catch))
    words = (
        f"<b>{catch} of {spots} caught.</b><br/>"
        f"Pays {format_dollars(paid)} on {format_dollars(rate.min_cents(1))} at the "
        f"{plain(wording.rate_name(rate.code))} rate.<br/>Odds {odds}."
    )

    def draw(box: Box) -> None:
        draw_grid(sheet, box.x, box.y, cell, CALLED)
        x = box.x + 10 * cell + 12
        sheet.text(x, box.y + 9, "Your numbers", LABEL)
        for index, number in enumerate(numbers):
            row, column = divmod(index, 5)
            middle = (x + 7 + column * 17, box.y + 22 + row * 17)
            lit = number in CALLED
            sheet.shape("A", middle, 15, "", (INK, INK))
            colours = (LAMP, INK) if lit else (PAPER, QUIET)
            sheet.shape("A", middle, 13.4, str(number), colours)
        y = box.y + 20 + 17 * ((spots + 4) // 5)
        sheet.paragraph(Box(x, y, box.right - x, 0), words, Face(8.2, leading=1.3))

    return Block(8 * cell + 6, draw, gap=8)
