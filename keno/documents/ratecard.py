"""The printed rate card, a sheet folded once: cover, awards inside, conditioning on the back.

Odds are printed once for all rates, because they depend only on spots and catch. A card with more
rates than fit continues in further panels, two to a page.
"""

from keno.documents.awards import award_blocks
from keno.documents.conditioning import conditioning_blocks
from keno.documents.cover import cover_blocks
from keno.documents.flow import Panels
from keno.documents.sheet import LANDSCAPE, About, Box, DocumentSheet
from keno.domain.ratecard import RateCard

MARGIN_ACROSS, MARGIN_DOWN = 26.0, 24.0
COLUMN_GAP = 16.0
PANELS_FOLDED = 4
"""Panels of one sheet folded once: two a side."""


def rate_card(card: RateCard) -> bytes:
    """Return the PDF of a rate card: two pages to fold once, or more if four panels are too few."""
    about = About(
        f"{card.name}: keno rate card {card.version}",
        card.name,
        "Keno rate card: awards, odds, return, limits and conditioning (N.J.A.C. 19:47-15)",
        card.version,
    )
    sheet = DocumentSheet(LANDSCAPE, about)
    left, right = sheet.page.columns(2, 0)
    frames = [half.inside(MARGIN_ACROSS, MARGIN_DOWN) for half in (left, right)]
    panels = _pour(sheet, card, frames[0])
    for page, pair in enumerate(_pages(len(panels.placed))):
        if page:
            sheet.next_page()
        sheet.upright(right.x, 0, 9, dash=(2, 2))
        sheet.upright(right.x, sheet.height - 9, 9, dash=(2, 2))
        for index, frame in zip(pair, frames, strict=True):
            if index is not None:
                panels.draw(index, frame)
    return sheet.finish()


def _pour(sheet: DocumentSheet, card: RateCard, frame: Box) -> Panels:
    panels = Panels(frame.width, frame.height)
    for block in cover_blocks(sheet, card, frame.width):
        panels.add(block)
    panels.new_panel()
    column = (frame.width - COLUMN_GAP) / 2
    wide, narrow = award_blocks(sheet, card, frame.width, column)
    for block in wide:
        panels.add(block)
    if panels.left < sum(block.height for block in narrow) / 2:
        panels.new_panel()
    panels.add_in_columns(narrow, 2, COLUMN_GAP)
    panels.new_panel()
    for block in conditioning_blocks(sheet, card, frame.width):
        panels.add(block)
    return panels


def _pages(count: int) -> list[tuple[int | None, int | None]]:
    """Return the indices of the left and right panel of each page; None is an empty panel.

    Up to four panels are folded: the back is beside the cover. More panels are in order.
    """
    if count <= PANELS_FOLDED:
        at = [index if index < count else None for index in range(PANELS_FOLDED)]
        return [(at[3], at[0]), (at[1], at[2])]
    return [(index, index + 1 if index + 1 < count else None) for index in range(0, count, 2)]
