"""Draws the picture strips of printed documents in the typeface House.

They are the band, stamps, rules, and a ticket's grid, groups, conditioning, ways and price. A
public function returns a strip of dots, as wide as the paper unless it takes a width. All measures
are in `WIDE` (80 mm paper) and `NARROW` (58 mm).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from keno.domain.money import format_dollars
from keno.domain.request_text import LETTERS
from keno.domain.wager import NUMBERS, EveryWay, KenoRequest, Line
from printer.documents import TicketPaper
from printer.raster import Canvas, Dots, Shape, Strike, fitting, shape, strike

GRID_GROUPS_MAX = 6
"""Maximum groups drawn on the grid, each in its own shape; a ticket with more has a list only."""
SHAPED_GROUPS_MAX = 12
"""Maximum groups with a shape: the first six are filled, the next six are outlined.

If there are more groups, each has only its letter.
"""
PICTURED_WAYS_MAX = 16
PICTURED_RATES_MAX = 8
SHAPES: tuple[Shape, ...] = ("disc", "square", "hexagon", "parallelogram", "house", "shield")
_LOWER: dict[Shape, float] = {"crown": 0.14, "house": 0.08, "shield": -0.05}
"""Distance of a shape's number below the shape's middle, as a fraction of the shape's size."""


@dataclass(frozen=True)
class Sizes:
    """All measures for one width of paper: lengths in dots, and names of strikes (fonts)."""

    dots: int
    margin: int
    gap: int
    band: int
    band_left: tuple[str, ...]
    band_right: str
    track: int
    stamp: int
    stamp_word: tuple[str, ...]
    label: str
    head: tuple[str, ...]
    number: str
    marks: tuple[str, str]
    cell: int
    mark: int
    letter: str
    lettered: str
    badge: int
    listed: str
    listed_many: str
    figures: tuple[str, ...]
    columns: tuple[float, float]
    way: int
    way_label: str
    price: tuple[str, ...]
    key: str


WIDE = Sizes(
    dots=576, margin=8, gap=16, band=92, band_left=("46-700", "34-700", "25-500"),
    band_right="46-500", track=7, stamp=116, stamp_word=("72-700", "46-700"), label="25-500",
    head=("52-700", "46-700", "34-700"), number="25-500", marks=("29-700", "26-700"), cell=45,
    mark=46, letter="26-700", lettered="34-700", badge=40, listed="46-600", listed_many="34-600",
    figures=("46-600", "34-600", "30-600"), columns=(0.4, 0.585), way=28, way_label="26-700",
    price=("84-700", "58-700", "46-700"), key="34-600",
)  # fmt: skip
NARROW = Sizes(
    dots=384, margin=4, gap=12, band=66, band_left=("34-700", "25-500", "18-600"),
    band_right="34-500", track=4, stamp=84, stamp_word=("46-700", "34-700"), label="18-600",
    head=("34-700", "26-700", "22-700"), number="18-600", marks=("22-700", "22-700"), cell=38,
    mark=36, letter="22-700", lettered="26-700", badge=32, listed="34-600", listed_many="26-700",
    figures=("34-600", "30-600", "26-700"), columns=(0.375, 0.545), way=24, way_label="22-700",
    price=("58-700", "46-700", "34-700"), key="30-600",
)  # fmt: skip


def sizes_for(dots: int) -> Sizes:
    """Return the measures for paper `dots` wide; a ValueError unless it is 576 or 384."""
    for sizes in (WIDE, NARROW):
        if sizes.dots == dots:
            return sizes
    raise ValueError(f"paper is {WIDE.dots} or {NARROW.dots} dots wide, not {dots}")


# ---------------------------------------------------------------- bands and rules


@cache
def band(sizes: Sizes, casino: str) -> Dots:
    """Return the band at the top of a document: the casino's name and KENO, white on black.

    If the name is too long, KENO is left out.
    """
    name, game, edge = casino.upper(), "KENO", sizes.margin + sizes.gap
    right = strike(sizes.band_right).width(game, sizes.track)
    room = sizes.dots - 2 * edge - sizes.gap - right
    face = fitting(name, room, sizes.band_left, sizes.track)
    strip = Canvas(sizes.dots, sizes.band)
    strip.fill(0, 0, sizes.dots, sizes.band)
    if face.width(name, sizes.track) > room:  # a long name has the band for itself
        game, room = "", sizes.dots - 2 * edge
    track = sizes.track if face.width(name, sizes.track) <= room else 0
    _reversed(strip, face.word(name, track), edge, face)
    right_face = strike(sizes.band_right)
    word = right_face.word(game, sizes.track)
    _reversed(strip, word, sizes.dots - edge - word.shape[1], right_face)
    return strip.dots


def _reversed(strip: Canvas, word: Dots, x: int, face: Strike) -> None:
    """Draw a word in white at `x`, vertically centred in a black strip."""
    strip.put(word, x, (strip.height - face.capital) // 2 - face.above, white=True)


@cache
def stamp(sizes: Sizes, words: str) -> Dots:
    """Return a stamp, such as VOID or REPRINT 2: framed white words on a black band."""
    strip = Canvas(sizes.dots, sizes.stamp)
    strip.fill(0, 0, sizes.dots, sizes.stamp)
    frame = Canvas(sizes.dots, sizes.stamp)
    inset, line = sizes.stamp // 11, 4
    frame.fill(inset, inset, sizes.dots - 2 * inset, sizes.stamp - 2 * inset)
    inner = frame.dots[inset + line : -inset - line, inset + line : -inset - line]
    inner[:] = 0
    strip.put(frame.dots, 0, 0, white=True)
    track = sizes.track + 3
    face = fitting(words, sizes.dots - 4 * inset - 2 * line, sizes.stamp_word, track)
    word = face.word(words, track)
    _reversed(strip, word, (sizes.dots - word.shape[1]) // 2, face)
    return strip.dots


@cache
def rule(sizes: Sizes, above: int, below: int) -> Dots:
    """Return a horizontal line two dots high, with `above` and `below` white rows around it."""
    strip = Canvas(sizes.dots, above + 2 + below)
    strip.fill(0, above, sizes.dots, 2)
    return strip.dots


def labelled(sizes: Sizes, left: tuple[str, str], right: tuple[str, str]) -> Dots:
    """Return a strip with two (label, value) pairs, each label over its value, side by side.

    If they do not fit, the right pair is below the left one.
    """
    room = sizes.dots - 2 * sizes.margin - 5 * sizes.gap // 2
    label = strike(sizes.label)
    for name in sizes.head:
        face = strike(name)
        if face.width(left[1]) + face.width(right[1]) <= room:
            strip = Canvas(sizes.dots, label.capital + face.capital + 3 * sizes.gap - 4)
            low = sizes.gap // 2 + label.capital + sizes.gap
            for (small, large), x, align in (
                (left, sizes.margin, "left"), (right, sizes.dots - sizes.margin, "right"),
            ):  # fmt: skip
                strip.text(small, x, sizes.gap // 2, sizes.label, align=align)  # type: ignore[arg-type]
                strip.text(large, x, low, name, align=align)  # type: ignore[arg-type]
            return strip.dots
    return np.vstack([labelled(sizes, left, ("", "")), labelled(sizes, ("", ""), right)])


# ---------------------------------------------------------------- the grid


def many(request: KenoRequest) -> bool:
    """Return whether a request has too many groups for the grid.

    The ticket then has no grid, only the list of groups.
    """
    return len(request.groups) > GRID_GROUPS_MAX or len(request.all_groups) > SHAPED_GROUPS_MAX


def grid(sizes: Sizes, request: KenoRequest) -> Dots:
    """Return the grid of the numbers 1 to 80, with the marked ones in their group's shape.

    Kings are in a crown.
    """
    strip = Canvas(0, 0)
    strip.dots = _plain_grid(sizes).copy()
    for index, group in enumerate(request.all_groups):
        form: Shape = "crown" if index >= len(request.groups) else SHAPES[index]
        for number in group:
            _mark(strip, sizes, number, form)
    return strip.dots


def _cell(sizes: Sizes, number: int) -> tuple[int, int]:
    """Return x and y, in dots, of the middle of a number's cell on the grid.

    There is a gap below the first 40 numbers.
    """
    row, column = divmod(number - 1, 10)
    lower = sizes.gap * 3 // 4 if row >= 4 else 0
    return (2 * column + 1) * sizes.dots // 20, row * sizes.cell + sizes.cell // 2 + lower


def _mark(strip: Canvas, sizes: Sizes, number: int, form: Shape) -> None:
    x, y = _cell(sizes, number)
    half = sizes.dots // 20
    top = y - sizes.mark // 2
    strip.dots[max(0, top + 4) : y + sizes.mark // 2 - 4, x - half : x + half] = 0
    strip.put(shape(form, sizes.mark), x - sizes.mark // 2, top)
    face = strike(sizes.marks[0 if form in ("disc", "square") else 1])
    lower = round(_LOWER.get(form, 0) * sizes.mark)
    strip.text(str(number), x, y - face.capital // 2 + lower, face.name, align="middle", white=True)


@cache
def _plain_grid(sizes: Sizes) -> Dots:
    strip = Canvas(sizes.dots, 8 * sizes.cell + sizes.gap * 3 // 4 + 2)
    face = strike(sizes.number)
    for number in range(1, NUMBERS + 1):
        x, y = _cell(sizes, number)
        strip.text(str(number), x, y - face.capital // 2, face.name, align="middle")
    return strip.dots


# ---------------------------------------------------------------- the list of groups


def group_names(request: KenoRequest) -> list[str]:
    """Return the names of a request's groups and kings: letters, then K1, K2 and so on."""
    letters = list(LETTERS[: len(request.groups)])
    return letters + [f"K{index + 1}" for index in range(len(request.kings))]


def badge(canvas: Canvas, sizes: Sizes, request: KenoRequest, index: int, at: tuple[int, int],
          size: int) -> None:  # fmt: skip
    """Draw the sign of group `index` on a canvas at `at`: its shape with its letter.

    With more than `SHAPED_GROUPS_MAX` groups it is only the letter. A king is a crown, with its
    number if there are several.
    """
    x, y = at
    face, groups = strike(sizes.letter), len(request.groups)
    middle = y + (size - face.capital) // 2
    name = group_names(request)[index]
    if index >= groups:
        canvas.put(shape("crown", size), x, y)
        if len(request.kings) > 1:
            canvas.text(name[1:], x + size // 2, middle + size // 7, face.name, align="middle",
                        white=True)  # fmt: skip
    elif groups > SHAPED_GROUPS_MAX:
        large = strike(sizes.lettered)
        middle = y + (size - large.capital) // 2
        canvas.text(name, x + size // 2, middle, large.name, align="middle")
    else:
        form = SHAPES[index % len(SHAPES)]
        outline = index >= len(SHAPES)
        canvas.put(shape(form, size, outline=outline), x, y)
        lower = round(_LOWER.get(form, 0) * size)
        canvas.text(name, x + size // 2, middle + lower, face.name, align="middle",
                    white=not outline)  # fmt: skip


def group_list(sizes: Sizes, request: KenoRequest) -> Dots:
    """Return the list of groups: badge and numbers of each, one group below the other.

    If the groups are many and small, the list has two columns.
    """
    dense = many(request)
    name = sizes.listed_many if dense else sizes.listed
    face = strike(name)
    size = sizes.badge - (6 if dense else 0)
    indent = sizes.margin + size + sizes.gap
    longest = max(map(len, request.all_groups))
    close = face.width("80") + sizes.gap * 2 // 3
    halves = 2 if dense and indent + longest * close <= sizes.dots // 2 else 1
    step = face.width("80") + sizes.gap * 4 // 3
    if halves == 2:
        step = min(step, (sizes.dots // 2 - indent) // longest)
    room = sizes.dots // halves
    tail = 0 if dense else strike(sizes.label).width("80 spots") + sizes.gap
    across = max(1, (room - indent - tail) // step)
    high = max(size, face.capital) + sizes.gap * 2 // 3
    rows = [-(-len(group) // across) for group in request.all_groups]
    per_half = -(-len(rows) // halves)
    strip = Canvas(
        sizes.dots, high * max(sum(rows[start : start + per_half])
                               for start in range(0, len(rows), per_half))
    )  # fmt: skip
    y = 0
    for index, group in enumerate(request.all_groups):
        left = room * (index // per_half)
        y = 0 if index % per_half == 0 else y
        badge(strip, sizes, request, index, (left + sizes.margin, y), size)
        for place, number in enumerate(group):
            x = left + indent + (place % across) * step + face.width("80")
            top = y + (place // across) * high + (size - face.capital) // 2
            strip.figures(str(number), x, top, name)
        if not dense:
            said = "king" if index >= len(request.groups) else _spots(len(group))
            low = y + (size - strike(sizes.label).capital) // 2
            strip.text(said, sizes.dots - sizes.margin, low, sizes.label, align="right")
        y += rows[index] * high
    return strip.dots


def _spots(count: int) -> str:
    return f"{count} spot" if count == 1 else f"{count} spots"


# ---------------------------------------------------------------- conditioning and price


def conditioning_table(sizes: Sizes, paper: TicketPaper) -> Dots:
    """Return the conditioning table: a row for each rate and wager, with its conditioning and ways.

    The number of games is at the right of the first row. With more than `PICTURED_RATES_MAX` rates
    and wagers, one row has only the totals and refers to the text below.
    """
    request = paper.request
    label = strike(sizes.label)
    ways_x, rate_x = (round(sizes.dots * part) for part in sizes.columns)
    right = sizes.dots - sizes.margin
    head = Canvas(sizes.dots, label.capital + sizes.gap)
    for text, x in (("Conditioning", sizes.margin), ("Ways", ways_x), ("Rate a way", rate_x)):
        head.text(text, x, 0, sizes.label)
    head.text("Games", right, 0, sizes.label, align="right")
    rates: dict[tuple[str, int], list[Line]] = {}
    for line in request.lines:
        rates.setdefault((line.rate, line.wager_cents), []).append(line)
    strips = [head.dots]
    if len(rates) > PICTURED_RATES_MAX:
        strip = Canvas(sizes.dots, strike(sizes.figures[-1]).capital + sizes.gap)
        strip.text("in words below", sizes.margin, 0, sizes.label)
        strip.text(f"{request.ways:,}", ways_x, 0, sizes.figures[-1])
        strip.text(f"{request.games:,}", right, 0, sizes.figures[-1], align="right")
        return np.vstack([head.dots, strip.dots])
    face = strike(sizes.figures[0])
    for index, ((rate, wager), lines) in enumerate(rates.items()):
        words = _counts(request, lines)
        rows = _wrapped(sizes, words, ways_x - sizes.margin - 16)
        strip = Canvas(sizes.dots, len(rows) * (face.capital + sizes.gap))
        for place, (row, name) in enumerate(rows):
            top = place * (face.capital + sizes.gap) + face.capital - strike(name).capital
            strip.text(row, sizes.margin, top, name)
        ways = f"{sum(line.ways for line in lines):,}"
        money = format_dollars(wager) + paper.terms.marks.get(rate, rate)
        games = f"{request.games:,}" if index == 0 else ""
        room = right - rate_x - strike(sizes.figures[-1]).width(games) - sizes.gap
        for text, x, width in ((ways, ways_x, rate_x - ways_x - 10), (money, rate_x, room)):
            fits = fitting(text, width, sizes.figures)
            strip.text(text, x, face.capital - fits.capital, fits.name)
        fits = _beside(sizes, games, right - rate_x, money)
        strip.text(games, right, face.capital - fits.capital, fits.name, align="right")
        strips.append(strip.dots)
    return np.vstack(strips)


def _beside(sizes: Sizes, games: str, room: int, money: str) -> Strike:
    """Return the largest font in which the number of games fits beside the wager.

    `room` is the width for both in dots; `money` is the text of the wager.
    """
    taken = fitting(money, room, sizes.figures).width(money)
    return fitting(games, room - taken - sizes.gap, sizes.figures)


def _counts(request: KenoRequest, lines: list[Line]) -> list[str]:
    words = []
    for line in lines:
        counts = request.spots_of(line)
        words += [f"{counts[spots]}/{spots}" for spots in sorted(counts)]
    return words


def _wrapped(sizes: Sizes, words: list[str], room: int) -> list[tuple[str, str]]:
    """Break words into rows of at most `room` dots; return (text, name of strike) of each.

    The strike is the largest in which all words fit in one row, else the smallest.
    """
    face = fitting(" ".join(words), room, sizes.figures)
    rows = [""]
    for word in words:
        longer = f"{rows[-1]} {word}".strip()
        if face.width(longer) <= room or not rows[-1]:
            rows[-1] = longer
        else:
            rows.append(word)
    return [(row, face.name) for row in rows]


def ways_picture(sizes: Sizes, request: KenoRequest) -> Dots | None:
    """Return a picture of all ways, each as the shapes of its groups, with labels such as ``3/8``.

    None if there are too many groups or ways, or if every way is a single group.
    """
    if len(request.groups) > GRID_GROUPS_MAX or len(request.all_groups) > 10:
        return None
    rows = [row for line in request.lines for row in _ways_by_spots(request, line)]
    sets = [each for _, members in rows for each in members]
    if len(sets) > PICTURED_WAYS_MAX or all(len(each) == 1 for each in sets):
        return None
    face = strike(sizes.way_label)
    indent = sizes.margin + max(face.width(label) for label, _ in rows) + 2 * sizes.gap
    high, step = sizes.way + sizes.gap * 3 // 4, sizes.way + 3
    placed: list[tuple[str, tuple[int, ...], int, int]] = []
    y = 0
    for label, members in rows:
        x = indent
        for place, each in enumerate(members):
            if x > indent and x + len(each) * step > sizes.dots - sizes.margin:
                x, y = indent, y + high
            placed.append((label if place == 0 else "", each, x, y))
            x += len(each) * step + sizes.gap * 3 // 2
        y += high
    strip = Canvas(sizes.dots, y)
    for label, each, x, top in placed:
        strip.text(label, sizes.margin, top + (sizes.way - face.capital) // 2, face.name)
        for place, index in enumerate(each):
            _small(strip, sizes, request, index, (x + place * step, top))
    return strip.dots


def _ways_by_spots(request: KenoRequest, line: Line) -> list[tuple[str, list[tuple[int, ...]]]]:
    """Return the ways of a line by number of spots, each with a label: (``3/8``, three ways).

    A way is a tuple of group indexes.
    """
    sets = _sets(request, line)
    spots = sorted({request.set_spots(each) for each in sets})
    by_spots = [(count, [s for s in sets if request.set_spots(s) == count]) for count in spots]
    return [(f"{len(members)}/{count}", members) for count, members in by_spots]


def _small(canvas: Canvas, sizes: Sizes, request: KenoRequest, index: int,
           at: tuple[int, int]) -> None:  # fmt: skip
    king = index - len(request.groups)
    canvas.put(shape("crown" if king >= 0 else SHAPES[index], sizes.way), *at)
    if king >= 0 and len(request.kings) > 1:
        face = strike("18-600")
        canvas.text(str(king + 1), at[0] + sizes.way // 2,
                    at[1] + (sizes.way - face.capital) // 2 + 3, face.name,
                    align="middle", white=True)  # fmt: skip


def _sets(request: KenoRequest, line: Line) -> list[tuple[int, ...]]:
    if not isinstance(line, EveryWay):
        return list(line.sets)
    indexes = range(len(request.all_groups))
    return [
        each
        for count in range(1, len(request.all_groups) + 1)
        for each in combinations(indexes, count)
        if request.set_spots(each) == line.spots
    ]


def amount(sizes: Sizes, label: str, cents: int) -> Dots:
    """Return a strip with a small label at the left and dollars, as large as fits, at the right."""
    text = format_dollars(cents)
    small = strike(sizes.label)
    room = sizes.dots - 2 * sizes.margin - small.width(label) - sizes.gap
    face = fitting(text, room, sizes.price)
    strip = Canvas(sizes.dots, face.capital + 2 * sizes.gap)
    strip.text(text, sizes.dots - sizes.margin, sizes.gap, face.name, align="right")
    strip.text(label, sizes.margin, sizes.gap + face.capital - small.capital, sizes.label)
    return strip.dots


def key(sizes: Sizes, width: int, height: int, rows: tuple[tuple[str, str], ...]) -> Dots:
    """Return a picture of this size with rows of text, to go beside or below a QR code.

    Each row is (strike name, text); a text too wide gets a smaller strike.
    """
    strip = Canvas(width, height)
    y = 4
    for name, text in rows:
        face = fitting(text, width, (name, sizes.key, sizes.letter, sizes.label))
        strip.text(text, 0, y, face.name)
        y += face.capital + sizes.gap - (4 if name == sizes.label else 0)
    return strip.dots


@cache
def all_shapes(sizes: Sizes) -> Dots:
    """Return a strip with every shape, filled and outlined, for the test page."""
    strip = Canvas(sizes.dots, 2 * (sizes.mark + sizes.gap))
    step = sizes.dots // 7
    for index, form in enumerate((*SHAPES, "crown")):
        x = index * step + (step - sizes.mark) // 2
        strip.put(shape(form, sizes.mark), x, 0)
        strip.put(shape(form, sizes.mark, outline=True), x, sizes.mark + sizes.gap)
    return strip.dots
