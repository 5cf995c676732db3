"""Award tables of the printed rate card: paid catches, odds and awards for each spot count.

Awards are what each rate pays at the wager named over its column.
"""

from collections.abc import Sequence

from keno.documents.flow import Block
from keno.documents.sheet import Box, DocumentSheet
from keno.documents.style import FIGURE, HEADING, INK, LABEL, QUIET, SMALL, Face
from keno.documents.wording import rate_title, shown_pays
from keno.domain import exact
from keno.domain.errors import counted
from keno.domain.money import Cents, format_dollars
from keno.domain.odds import catch_probability
from keno.domain.ratecard import Rate, RateCard

RATES_ABREAST = 4
"""Maximum rates side by side in one wide table."""
ROW = 8.35
"""Height of a row in a wide table, in points."""
ROW_NARROW = 8.5
"""Height of a row in a narrow table, in points."""
SPOTS_WIDE, CATCH_WIDE, ODDS_WIDE = 28.0, 24.0, 72.0
"""Widths of the columns for spots, catch and odds, in points."""
AWARD = FIGURE.but(weight=600)
ODDS = FIGURE.but(weight=400)
SPOTS = Face(10, 700)


def award_blocks(
    sheet: DocumentSheet, card: RateCard, width: float, column: float
) -> tuple[list[Block], list[Block]]:
    """Return the award tables as blocks: wide ones of panel width, narrow ones of column width.

    Spot counts up to the last that several rates pay are in wide tables, one column a rate. The
    rest are in narrow tables. `width` and `column` are in points.
    """
    wide: list[Block] = [_title(sheet, card, width)]
    narrow: list[Block] = []
    rates = list(card.rates.values())
    for start in range(0, len(rates), RATES_ABREAST):
        abreast = rates[start : start + RATES_ABREAST]
        paid = _spots(abreast)
        last = max((spots for spots in paid if _paying(abreast, spots) > 1), default=0)
        several = [spots for spots in paid if spots <= last]
        if several:
            wide.append(_heads(sheet, card, abreast))
            wide += [_wide(sheet, card, abreast, spots) for spots in several]
        for spots in paid[len(several) :]:
            rate = next(rate for rate in abreast if spots in rate.pays)
            narrow.append(_narrow(sheet, card, rate, spots, column))
    return wide, narrow


def _spots(rates: Sequence[Rate]) -> list[int]:
    return sorted({spots for rate in rates for spots in rate.pays})


def _paying(rates: Sequence[Rate], spots: int) -> int:
    return sum(spots in rate.pays for rate in rates)


def _paid_catches(rates: Sequence[Rate], spots: int) -> list[int]:
    """Return every catch of `spots` for which one of the rates pays, the highest first."""
    return sorted(
        {catch for rate in rates for catch, cents in rate.pays.get(spots, {}).items() if cents},
        reverse=True,
    )


def _award(rate: Rate, spots: int, catch: int, maximum: Cents) -> str:
    cents = rate.shown_award_cents(spots, catch, maximum)
    return format_dollars(cents) if cents else ""


def _odds(spots: int, catch: int) -> str:
    return exact.odds_to_one(catch_probability(spots, catch))


def _title(sheet: DocumentSheet, card: RateCard, width: float) -> Block:
    words = (
        "Awards are what is paid in all, the wager included, on one way at the price over the "
        "column; other wagers pay in exact proportion, up to "
        f"{format_dollars(card.aggregate_max_cents)} at most. Odds are against exactly that catch."
    )
    room = Box(0, 0, width, 0)
    height = 16 + sheet.paragraph(room, words, SMALL.but(colour=QUIET), draw=False)

    def draw(box: Box) -> None:
        sheet.text(box.x, box.y + 10, "What a catch pays", HEADING)
        sheet.paragraph(Box(box.x, box.y + 16, box.width, 0), words, SMALL.but(colour=QUIET))

    return Block(height, draw)


def _heads(sheet: DocumentSheet, card: RateCard, rates: Sequence[Rate]) -> Block:
    def draw(box: Box) -> None:
        low = box.bottom - 5
        sheet.text(box.x, low, "Spots", LABEL)
        sheet.text(box.x + SPOTS_WIDE + CATCH_WIDE, low, "Catch", LABEL, "right")
        sheet.text(box.x + SPOTS_WIDE + CATCH_WIDE + ODDS_WIDE, low, "Odds", LABEL, "right")
        each = _column(box, len(rates)) - 4
        for rate, right in zip(rates, _rights(box, len(rates)), strict=True):
            name = rate_title(card, rate.code)
            face = sheet.fitted(name, LABEL.but(weight=700, colour=INK), each)
            sheet.text(right, low - 9.5, name, face, "right")
            sheet.text(right, low, shown_pays(rate), LABEL, "right")

    return Block(25, draw, gap=7)


def _column(box: Box, rates: int) -> float:
    return (box.width - SPOTS_WIDE - CATCH_WIDE - ODDS_WIDE) / rates


def _rights(box: Box, rates: int) -> list[float]:
    """Return the x position in points at which each rate's column ends."""
    each = _column(box, rates)
    return [box.right - each * (rates - 1 - index) for index in range(rates)]


def _wide(sheet: DocumentSheet, card: RateCard, rates: Sequence[Rate], spots: int) -> Block:
    rows = _paid_catches(rates, spots)

    def draw(box: Box) -> None:
        sheet.rule(box.x, box.y, box.width)
        for index, catch in enumerate(rows):
            base = box.y + 2 + ROW * (index + 1) - 2
            if index == 0:
                sheet.text(box.x, base + 1, str(spots), SPOTS)
            sheet.text(box.x + SPOTS_WIDE + CATCH_WIDE, base, str(catch), AWARD, "right")
            right = box.x + SPOTS_WIDE + CATCH_WIDE + ODDS_WIDE
            sheet.text(right, base, _odds(spots, catch), ODDS, "right")
            for rate, end in zip(rates, _rights(box, len(rates)), strict=True):
                words = _award(rate, spots, catch, card.aggregate_max_cents)
                sheet.text(end, base, words, AWARD, "right")

    return Block(2 + ROW * len(rows) + 1.4, draw)


def _narrow(sheet: DocumentSheet, card: RateCard, rate: Rate, spots: int, width: float) -> Block:
    rows = _paid_catches([rate], spots)
    head = 17.0

    def draw(box: Box) -> None:
        sheet.text(box.x, box.y + 10, counted(spots, "spot"), SPOTS)
        words = f"{rate_title(card, rate.code)}, {shown_pays(rate)}"
        sheet.text(box.right, box.y + 10, words, LABEL, "right")
        sheet.rule(box.x, box.y + 14, width)
        for index, catch in enumerate(rows):
            base = box.y + head + ROW_NARROW * (index + 1) - 2
            sheet.text(box.x + 9, base, str(catch), AWARD, "right")
            sheet.text(box.right - 48, base, _odds(spots, catch), ODDS, "right")
            words = _award(rate, spots, catch, card.aggregate_max_cents)
            sheet.text(box.right, base, words, AWARD, "right")

    return Block(head + ROW_NARROW * len(rows), draw, gap=8)
