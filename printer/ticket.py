"""Lays out the keno ticket: a picture, then the thirteen items of 15.4(c) as text.

What the picture shows is repeated as text in the printer's own font, so that a program can read
every item as characters.
"""

from keno.domain.money import format_dollars, format_plain
from keno.domain.ratecard import FullUpTo
from keno.domain.request_text import set_name
from keno.domain.ticket import ticket_number
from keno.domain.wager import KenoRequest, Line, ListedWays, TicketType
from printer import drawing
from printer.documents import Terms, TicketPaper
from printer.qr import qr
from printer.raster import strike
from printer.sheet import Code, Layout, Sheet, counted, head, numbered, said_when, stamps_of

COMMITMENT_DIGITS = 32


def lay_out_ticket(paper: TicketPaper, sheet: Sheet) -> Layout:
    """Lay out a whole ticket on an empty sheet and return the finished layout."""
    stamps = stamps_of(paper.by.place, paper.copy, void=paper.void)
    head(sheet, paper.by, stamps)
    _picture(sheet, paper)
    _read_back(sheet, paper)
    _statements(sheet, paper)
    _code(sheet, paper)
    return sheet.finish(stamps)


# ---------------------------------------------------------------- the picture


def _picture(sheet: Sheet, paper: TicketPaper) -> None:
    sizes, request, letter = sheet.sizes, paper.request, paper.by.place.letter
    games = f"{letter}-{paper.first_game}"
    if request.multi_race:
        games += f"–{paper.last_game}"
    sheet.feed(8)
    sheet.picture(
        drawing.labelled(
            sizes,
            ("Ticket number", ticket_number(paper.number)),
            ("First and last game", games),
        )
    )
    many = drawing.many(request)
    if not many:
        sheet.rule(0, 8)
        sheet.picture(drawing.grid(sizes, request))
    if many or len(request.all_groups) > 1:
        sheet.rule(8, 14)
        sheet.picture(drawing.group_list(sizes, request))
    sheet.rule(4 if not many else 8, 14)
    sheet.picture(drawing.conditioning_table(sizes, paper))
    ways = drawing.ways_picture(sizes, request)
    if ways is not None:
        sheet.feed(6)
        sheet.picture(ways)
    sheet.rule(2, 0)
    sheet.picture(drawing.amount(sizes, "Total price", paper.price_cents))
    sheet.rule(0, 12)


# ---------------------------------------------------------------- the same in words


def _read_back(sheet: Sheet, paper: TicketPaper) -> None:
    by, request = paper.by, paper.request
    said_when(sheet, by, f"Rate card {paper.terms.card}")
    sheet.feed(8)
    sheet.say(f"{by.place.casino} Keno, {by.place.location}", "b")
    sheet.say(f"Ticket {numbered(by.place, paper.number)}: {type_name(request)}", "b")
    sheet.flow(group_texts(request), "b")
    sheet.say(games_text(paper), "b")
    for line in request.lines:
        sheet.say(line_text(request, line, paper.terms), "b", indent=2)
    one_game = format_dollars(request.price_one_game_cents)
    sheet.say(f"{counted(request.ways, 'way')} played a game, {one_game} a game", "b")
    sheet.say(f"Total price {format_dollars(paper.price_cents)}", "b")


def type_name(request: KenoRequest) -> str:
    """Return the ticket type in words: ``king ticket``, ``multi-race way ticket``."""
    race = "multi-race " if request.multi_race else ""
    return f"{race}{request.type.value} ticket"


def group_texts(request: KenoRequest) -> list[str]:
    """Return the numbers of each group as text: ``A: 7 18 33 61``, ``K1: 55`` for a king.

    The only group of a straight ticket has no letter.
    """
    if request.type is TicketType.STRAIGHT:
        return [" ".join(map(str, request.all_groups[0]))]
    names = drawing.group_names(request)
    return [
        f"{name}: {' '.join(map(str, group))}"
        for name, group in zip(names, request.all_groups, strict=True)
    ]


def games_text(paper: TicketPaper) -> str:
    """Return a ticket's games as text: ``5 games, first A-12, last A-16``."""
    letter = paper.by.place.letter
    return (
        f"{counted(paper.request.games, 'game')}, "
        f"first {letter}-{paper.first_game}, last {letter}-{paper.last_game}"
    )


def line_text(request: KenoRequest, line: Line, terms: Terms) -> str:
    """Return one line of the conditioning with ways, wager and rate, as text.

    For example ``3/8 @1.00: 3 ways at $1.00 a way, rate regular``.
    """
    return (
        f"{conditioned(request, line, terms)}: {counted(line.ways, 'way')} at "
        f"{format_dollars(line.wager_cents)} a way, rate {line.rate}"
    )


def conditioned(request: KenoRequest, line: Line, terms: Terms) -> str:
    """Return one line of the conditioning as writers write it: ``3/8 @1.00``.

    Listed ways have their groups: ``2/4 (AB CD) @1.25S``. The wager has the rate's mark behind it.
    """
    counts = request.spots_of(line)
    shown = " ".join(f"{counts[spots]}/{spots}" for spots in sorted(counts))
    if isinstance(line, ListedWays):
        shown += f" ({' '.join(set_name(each, request) for each in line.sets)})"
    return f"{shown} @{format_plain(line.wager_cents)}{terms.marks.get(line.rate, line.rate)}"


# ---------------------------------------------------------------- statements and code


def _statements(sheet: Sheet, paper: TicketPaper) -> None:
    letter = paper.by.place.letter
    sheet.feed(12)
    sheet.say(maximum_text(paper.terms))
    sheet.feed(10)
    sheet.say(
        "Bring this ticket: winning patrons must present a computer-generated keno ticket "
        "to collect winnings.",
        bold=True,
    )
    sheet.feed(10)
    sheet.say(
        f"Claim within {claim_text(paper.terms.claim_minutes)} of the start of game "
        f"{letter}-{paper.last_game}. Read this ticket before game {letter}-{paper.first_game} "
        "starts: awards are paid by what it says."
    )


def maximum_text(terms: Terms) -> str:
    """Return the sentences about the maximum payoff of a game, for the ticket (15.4(c)11).

    They say how the awards are shared if they come to more than the maximum.
    """
    most = f"Most paid in one game to all winners: {format_dollars(terms.maximum_cents)}."
    if isinstance(terms.share, FullUpTo):
        return (
            f"{most} If its awards come to more, each ticket's is paid in full up to "
            f"{format_dollars(terms.share.cents)} and the rest is shared in proportion to what "
            "exceeds it."
        )
    return (
        f"{most} If its awards come to more, each winning ticket is paid its share in proportion."
    )


def claim_text(minutes: int) -> str:
    """Return the claim period as text (15.4(c)13): ``one year (365 days)``, ``30 days``."""
    if minutes == 365 * 1440:
        return "one year (365 days)"
    for unit, name in ((1440, "day"), (60, "hour")):
        if minutes % unit == 0:
            return counted(minutes // unit, name)
    return counted(minutes, "minute")


def code_groups(code: str) -> list[str]:
    """Split a validation code or commitment into groups of four characters, for keying."""
    return [code[at : at + 4] for at in range(0, len(code), 4)]


def _code(sheet: Sheet, paper: TicketPaper) -> None:
    sizes, place = sheet.sizes, paper.by.place
    groups = code_groups(paper.code)
    sealed = code_groups(paper.commitment[:COMMITMENT_DIGITS])
    sheet.feed(10)
    sheet.say(f"Sealed before game {place.letter}-{paper.first_game} opened:", "b")
    sheet.say(" ".join(sealed) or "not known here", "b")
    sheet.say(f"Key {numbered(place, paper.number)} code {' '.join(groups)}", "b")
    sheet.feed(14)
    modules = qr(paper.scanned).shape[0]
    left = sizes.gap + sizes.margin
    module = max(3, min(6, (sizes.dots // 2) // modules))
    side = modules * module
    room = sizes.dots - left - side - sizes.gap * 3 // 2
    small, large = sizes.label, sizes.key
    rows = (
        (small, "Scan to check it"), (small, "and prove the draw,"), (small, "or key"),
        (large, numbered(place, paper.number)),
        (large, " ".join(groups[:2])), (large, " ".join(groups[2:])),
    )  # fmt: skip
    wide = (
        (small, "Scan to check it and prove the draw, or key"),
        (large, numbered(place, paper.number)),
        (large, " ".join(groups)),
    )
    below = drawing.key(sizes, sizes.dots - left, _height(sizes, wide), wide)
    beside = drawing.key(sizes, room, max(side, _height(sizes, rows)), rows)
    sheet.elements.append(Code(paper.scanned, module, left, beside, below))
    sheet.feed(8)


def _height(sizes: drawing.Sizes, rows: tuple[tuple[str, str], ...]) -> int:
    return sum(strike(name).capital + sizes.gap for name, _ in rows)
