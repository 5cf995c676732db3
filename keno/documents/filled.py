"""The keno request form as a PDF, filled in with a request that a patron built on a web page."""

from keno.documents.request import KINGS, LINES, FormLayout, request_form
from keno.documents.shapes import GROUPS, KING, Shape
from keno.documents.sheet import Box, DocumentSheet
from keno.documents.style import Face
from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents, format_plain
from keno.domain.pricing import Priced
from keno.domain.request_text import set_name
from keno.domain.wager import EveryWay, KenoRequest, Line

WRITTEN = Face(12, 600)
SETS_MAX = 14
"""Maximum characters in a form's box for listed sets."""


def filled_form(priced: Priced) -> bytes:
    """Return the PDF of one filled-in request form; raise Refused if the request does not fit."""
    _check_room(priced.request)

    def fill(sheet: DocumentSheet, form: Box, places: FormLayout) -> None:
        _marks(sheet, form, places, priced.request)
        _lines(sheet, form, places, priced)
        _prices(sheet, form, places, priced)

    return request_form(priced.card, fill)


def _check_room(request: KenoRequest) -> None:
    sets = [_sets(line, request) for line in request.lines]
    fits = (
        len(request.groups) <= len(GROUPS)
        and len(request.kings) <= KINGS
        and len(request.lines) <= LINES
        and all(len(each) <= SETS_MAX for each in sets)
    )
    if not fits:
        raise Refused(
            Refusal.REQUEST_TOO_LONG,
            f"The form has room for {len(GROUPS)} groups, {KINGS} kings and {LINES} lines. "
            "Write this request by hand on two forms, or show its code.",
        )


def _shape(index: int, request: KenoRequest) -> Shape:
    return GROUPS[index] if index < len(request.groups) else KING


def _marks(sheet: DocumentSheet, form: Box, places: FormLayout, request: KenoRequest) -> None:
    """Draw a request's numbers in the shape of their group, the group sizes, and the kings."""
    for index, numbers in enumerate(request.all_groups):
        for number in numbers:
            middle = _middle(form, places.numbers[number])
            sheet.shape(_shape(index, request), middle, 21, str(number))
    for index, numbers in enumerate(request.groups):
        _write(sheet, form, places.groups[GROUPS[index]], str(len(numbers)))
    for index, king in enumerate(request.kings):
        _write(sheet, form, places.kings[index], str(king))


def _lines(sheet: DocumentSheet, form: Box, places: FormLayout, priced: Priced) -> None:
    request, card = priced.request, priced.card
    for line, boxes in zip(request.lines, places.lines, strict=False):
        counts = request.spots_of(line)
        spots = ",".join(map(str, sorted(counts)))
        _write(sheet, form, boxes["ways"], str(line.ways))
        _write(sheet, form, boxes["spots"], spots)
        _write(sheet, form, boxes["sets"], _sets(line, request))
        _write_money(sheet, form, boxes["wager"], line.wager_cents, 3)
        _write(sheet, form, boxes["rate"], card.mark_of(line.rate))


def _sets(line: Line, request: KenoRequest) -> str:
    if isinstance(line, EveryWay):
        return ""
    return " ".join(set_name(each, request) for each in line.sets)


def _prices(sheet: DocumentSheet, form: Box, places: FormLayout, priced: Priced) -> None:
    boxes = places.fields
    _write_money(sheet, form, boxes["one game"], priced.price_one_game_cents, 6)
    _write(sheet, form, boxes["games"], str(priced.request.games))
    _write_money(sheet, form, boxes["total"], priced.price_cents, 6)


def _middle(form: Box, box: Box) -> tuple[float, float]:
    return form.x + box.x + box.width / 2, form.y + box.y + box.height / 2


def _write(sheet: DocumentSheet, form: Box, box: Box, words: str) -> None:
    x, y = _middle(form, box)
    face = sheet.fitted(words or " ", WRITTEN, box.width - 4)
    sheet.text(x, y + face.size * 0.35, words, face, "centre")


def _write_money(sheet: DocumentSheet, form: Box, box: Box, cents: Cents, digits: int) -> None:
    """Write an amount into a box: a digit in each of its places, `digits` places for dollars."""
    whole, _, part = format_plain(cents).partition(".")
    each = (box.width - 13) / (digits + 2)
    _, middle = _middle(form, box)
    face = WRITTEN.but(size=min(WRITTEN.size, each * 1.5))
    for place, digit in enumerate(whole.replace(",", "").rjust(digits) + part):
        x = form.x + box.x + 13 + (place + 0.5) * each
        sheet.text(x, middle + face.size * 0.35, digit.strip(), face, "centre")
