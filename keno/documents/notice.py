"""The notice of a new rate card as a PDF, posted at the booth.

It names the card, its first game, when it was posted, and everything that it changes.
"""

from datetime import datetime

from keno.documents.difference import Change, Topic, changes_maximum, compare
from keno.documents.flow import Block, Panels, joined
from keno.documents.sheet import PORTRAIT, About, Box, DocumentSheet, plain
from keno.documents.style import HEADING, INK, LABEL, LINE, QUIET, Face
from keno.domain.ratecard import RateCard

MARGIN = 54.0
HEAD_HIGH, RUNNING_HIGH, FOOT_HIGH = 268.0, 30.0, 104.0
WHAT_WIDE, BEFORE_AT = 216.0, 226.0
ROW = Face(11, 400, leading=1.3)
KEPT = (
    "Tickets bought before that game stay good and are paid by the card they were sold under. "
    "The whole card, with all awards and odds, is at the booth."
)
REACHING = (
    " Because the maximum changes, no multi-race ticket that would reach that game is sold from "
    "now on."
)


def new_card_notice(
    old: RateCard, new: RateCard, first_game: str, posted: datetime | None = None
) -> bytes:
    """Return the PDF of the notice; without `posted` its time is left to be written by hand.

    `first_game` is the name of the first game under the new card.
    """
    about = About(
        f"{new.name}: new rate card {new.version} from game {first_game}",
        new.name,
        f"Notice of a new keno rate card: {new.version} in place of {old.version}",
        new.version,
    )
    sheet = DocumentSheet(PORTRAIT, about)
    frame = sheet.page.inside(MARGIN, MARGIN - 8)
    panels = Panels(
        frame.width, frame.height - FOOT_HIGH, reserved=(HEAD_HIGH, *[RUNNING_HIGH] * 100)
    )
    for topic in compare(old, new):
        for block in _topic(sheet, topic, old, new):
            panels.add(block)
    pages = len(panels.placed)
    for index in range(pages):
        if index:
            sheet.next_page()
            _running_head(sheet, new, frame, first_game)
        else:
            _head(sheet, old, new, frame, first_game)
        panels.draw(index, frame)
        _foot(sheet, Box(frame.x, frame.bottom - FOOT_HIGH + 18, frame.width, 0), old, new, posted)
        if pages > 1:
            where = f"Page {index + 1} of {pages}"
            sheet.text(frame.right, frame.bottom, where, LABEL, "right")
    return sheet.finish()


def _head(sheet: DocumentSheet, old: RateCard, new: RateCard, frame: Box, first_game: str) -> None:
    name = sheet.fitted(new.name, Face(17, 600), frame.width)
    sheet.text(frame.x, frame.y + 14, new.name, name)
    sheet.text(frame.x, frame.y + 68, "New rate card", Face(46, 700))
    words = f"Card {new.version} takes the place of card {old.version}"
    sheet.text(frame.x, frame.y + 94, words, sheet.fitted(words, Face(17), frame.width))
    sheet.rule(frame.x, frame.y + 114, frame.width, 1.6, INK)
    sheet.text(frame.x, frame.y + 138, "From game", Face(14, 500, QUIET))
    game = sheet.fitted(first_game, Face(66, 700), frame.width)
    sheet.text(frame.x, frame.y + 194, first_game, game)
    reaching = REACHING if changes_maximum(old, new) else ""
    sheet.paragraph(Box(frame.x, frame.y + 208, frame.width, 0), KEPT + reaching, Face(10.5))


def _running_head(sheet: DocumentSheet, new: RateCard, frame: Box, first_game: str) -> None:
    words = f"{new.name}: new rate card {new.version} from game {first_game}"
    face = sheet.fitted(words, LABEL.but(size=9, colour=INK), frame.width)
    sheet.text(frame.x, frame.y + 9, words, face)
    sheet.rule(frame.x, frame.y + 16, frame.width, 1.2, INK)


def _topic(sheet: DocumentSheet, topic: Topic, old: RateCard, new: RateCard) -> list[Block]:
    """Return a topic's blocks, one for each change; the topic's head is repeated on a new page."""

    def head(title: str) -> Block:
        def draw(box: Box) -> None:
            base, quiet = box.y + 13, LABEL.but(size=9)
            sheet.text(box.x, base, title, sheet.fitted(title, HEADING, WHAT_WIDE))
            sheet.text(box.x + BEFORE_AT, base, f"Card {old.version}", quiet)
            strong = quiet.but(weight=700, colour=INK)
            sheet.text(_after_at(box), base, f"Card {new.version}", strong)

        return Block(22, draw, gap=14)

    again = head(f"{topic.title}, continued")
    first, *rows = [_row(sheet, change) for change in topic.changes]
    return [
        joined(head(topic.title), first),
        *(Block(row.height, row.draw, again=again) for row in rows),
    ]


def _after_at(box: Box) -> float:
    return box.x + BEFORE_AT + (box.width - BEFORE_AT) / 2 + 4


def _row(sheet: DocumentSheet, change: Change) -> Block:
    width = sheet.width - 2 * MARGIN
    each = (width - BEFORE_AT) / 2 - 8
    cells = (
        (0.0, WHAT_WIDE, plain(change.what), ROW),
        (BEFORE_AT, each, plain(change.before), ROW.but(colour=QUIET)),
        (_after_at(Box(0, 0, width, 0)), each, plain(change.after), ROW.but(weight=700)),
    )
    height = max(
        sheet.paragraph(Box(0, 0, room, 0), words, face, draw=False)
        for _, room, words, face in cells
    )

    def draw(box: Box) -> None:
        sheet.rule(box.x, box.y, box.width, 0.5, LINE)
        for at, room, words, face in cells:
            sheet.paragraph(Box(box.x + at, box.y + 2.5, room, 0), words, face)

    return Block(height + 6, draw)


def _foot(
    sheet: DocumentSheet, box: Box, old: RateCard, new: RateCard, posted: datetime | None
) -> None:
    """Draw when the card was posted, lines for two signatures, and the rule about notice."""
    when = "" if posted is None else f"{posted:%a %b} {posted.day}, {posted.year} {_clock(posted)}"
    places = (("Posted", 0.0, 0.36, when), ("by", 0.39, 0.3, ""), ("and by", 0.72, 0.28, ""))
    for label, at, wide, words in places:
        x = box.x + box.width * at
        sheet.rule(x, box.y + 26, box.width * wide, 0.7, INK)
        sheet.text(x, box.y + 38, label, LABEL.but(size=9))
        sheet.text(x, box.y + 21, words, Face(12, 600))
    said = (
        "Posted at least 30 minutes before that game opens. "
        f"Until then card {old.version} is in force."
    )
    sheet.text(box.x, box.y + 60, said, LABEL.but(size=9))
    if new.approval is not None:
        approved = f"Approval: {new.approval}"
        face = sheet.fitted(approved, LABEL.but(size=9), box.width)
        sheet.text(box.x, box.y + 73, approved, face)


def _clock(time: datetime) -> str:
    """Return a local time as ``9:08 PM``."""
    return f"{time.hour % 12 or 12}:{time:%M} {'AM' if time.hour < 12 else 'PM'}"
