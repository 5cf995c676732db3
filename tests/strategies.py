"""Hypothesis strategies for keno requests of every ticket type that the test card offers.

`keno_requests("way")` draws way tickets, `keno_requests()` any kind. `TYPE_OF_KIND` has the ticket
type of each kind. Requests are built rather than filtered wherever possible.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from keno.domain.ratecard import Rate
from keno.domain.wager import (
    NUMBERS,
    EveryWay,
    KenoRequest,
    Line,
    ListedWays,
    TicketType,
    count_sets,
)
from tests.cards import card

CARD = card()

TYPE_OF_KIND = {
    "straight": TicketType.STRAIGHT,
    "split_equal": TicketType.SPLIT,
    "split_unequal": TicketType.SPLIT,
    "way": TicketType.WAY,
    "combination": TicketType.COMBINATION,
    "king": TicketType.KING,
    "several_kings": TicketType.KING,
    "kings_only": TicketType.KING,
}
KINDS = (*TYPE_OF_KIND, "multi_race")
"""Kinds of requests; a multi-race is any of the other kinds for more than one game."""

Set = tuple[int, ...]
LineShape = int | tuple[Set, ...]
"""A line without its rate: the spots of an ``n/s``, or its listed sets."""


@dataclass(frozen=True)
class Shape:
    """A request without numbers, rates and games: sizes of groups and kings, and the lines."""

    sizes: tuple[int, ...]
    kings: int
    lines: tuple[LineShape, ...]
    one_rate: bool = False

    @property
    def ways(self) -> int:
        return sum(
            count_sets(self.sizes, line) if isinstance(line, int) else len(line)
            for line in self.lines
        )

    def spots(self, line: LineShape) -> set[int]:
        if isinstance(line, int):
            return {line}
        return {sum(self.sizes[index] for index in each) for each in line}


def keno_requests(kind: str | None = None) -> SearchStrategy[KenoRequest]:
    """Return the strategy for requests of one of `KINDS`, or of any; about half have a price."""
    if kind is None:
        return st.sampled_from(tuple(TYPE_OF_KIND)).flatmap(_requests)
    if kind == "multi_race":
        return st.sampled_from(tuple(TYPE_OF_KIND)).flatmap(lambda each: _requests(each, 2))
    return _requests(kind)


def _shuffle(seed: int) -> list[int]:
    """Return the eighty numbers shuffled by a seed; seed 0 leaves them in order."""
    numbers = list(range(1, NUMBERS + 1))
    if seed:
        Random(seed).shuffle(numbers)
    return numbers


_shuffled = st.integers(0, 2**32).map(_shuffle)


@st.composite
def _requests(draw: DrawFn, kind: str, games_min: int = 1) -> KenoRequest:
    shape = draw(SHAPES[kind])
    games = draw(st.integers(games_min, CARD.multi_race_games_max))
    numbers = draw(_shuffled)
    marked = []
    for size in shape.sizes:
        marked.append(tuple(numbers[:size]))
        numbers = numbers[size:]
    first_king = len(marked) - shape.kings
    request = KenoRequest(
        groups=tuple(marked[:first_king]),
        kings=tuple(king for (king,) in marked[first_king:]),
        lines=draw(_lines(shape, TYPE_OF_KIND[kind], games)),
        games=games,
    )
    assume(request.type is TYPE_OF_KIND[kind])  # chosen sets may turn out to be all of them
    price_cents = request.price_one_game_cents * games
    return replace(request, price_cents=draw(st.sampled_from([None, price_cents])))


@st.composite
def _lines(draw: DrawFn, shape: Shape, ticket_type: TicketType, games: int) -> tuple[Line, ...]:
    """Draw rates and wagers that the card offers for the lines of a shape."""
    all_spots = {spots for line in shape.lines for spots in shape.spots(line)}
    shared = draw(_terms(all_spots, shape.ways, ticket_type, games)) if shape.one_rate else None
    lines: list[Line] = []
    for line in shape.lines:
        rate, wager_cents = shared or draw(
            _terms(shape.spots(line), shape.ways, ticket_type, games)
        )
        if isinstance(line, int):
            lines.append(EveryWay(count_sets(shape.sizes, line), line, rate, wager_cents))
        else:
            lines.append(ListedWays(line, rate, wager_cents))
    return tuple(lines)


def _terms(
    spots: set[int], ways: int, ticket_type: TicketType, games: int
) -> SearchStrategy[tuple[str, int]]:
    """Return the strategy for a rate code and a wager a way in cents that the card offers."""
    offered = [
        rate
        for rate in CARD.rates.values()
        if spots <= rate.pays.keys() and ticket_type in rate.types and games >= rate.games_min
    ]
    return st.sampled_from(offered).flatmap(
        lambda rate: st.tuples(st.just(rate.code), _wagers(rate, ways))
    )


def _wagers(rate: Rate, ways: int) -> SearchStrategy[int]:
    """Return the strategy for wagers in cents: the minimum plus whole steps, up to the maximum."""
    least = rate.min_cents(ways)
    most = min(rate.max_cents, CARD.ticket_max_cents // ways)
    steps = (most - least) // rate.step_cents
    return st.integers(0, steps).map(lambda step: least + step * rate.step_cents)


# Shapes: one strategy for each kind.


@st.composite
def _straight(draw: DrawFn) -> Shape:
    spots = draw(st.integers(1, CARD.spots_max))
    forms: list[LineShape] = [spots, ((0,),)]
    return Shape((spots,), 0, (draw(st.sampled_from(forms)),))


@st.composite
def _split_equal(draw: DrawFn) -> Shape:
    size = draw(st.integers(1, CARD.spots_max))
    sizes = (size,) * draw(st.integers(2, 8))
    kings = draw(st.integers(0, len(sizes))) if size == 1 else 0
    lines = draw(st.just((size,)) | _dealt([(index,) for index in range(len(sizes))]))
    return Shape(sizes, kings, lines, one_rate=True)


@st.composite
def _split_unequal(draw: DrawFn) -> Shape:
    sizes = draw(st.lists(st.integers(1, 10), min_size=2, max_size=6))
    assume(len(set(sizes)) > 1)
    kings = draw(st.integers(0, 2))
    sizes += [1] * kings
    lines = draw(_dealt([(index,) for index in range(len(sizes))]))
    return Shape(tuple(sizes), kings, lines)


@st.composite
def _way(draw: DrawFn) -> Shape:
    size = draw(st.integers(1, 5))
    count = draw(st.integers(2, 7))
    most = min(count, CARD.spots_max // size)
    taken = draw(st.lists(st.integers(1, most), min_size=1, unique=True))
    assume(max(taken) > 1)
    lines: list[LineShape] = []
    for many in taken:
        forms: list[LineShape] = [many * size, tuple(combinations(range(count), many))]
        lines.append(draw(st.sampled_from(forms)))
    return Shape((size,) * count, 0, tuple(lines), one_rate=True)


@st.composite
def _chosen(draw: DrawFn, groups: tuple[int, int], kings: tuple[int, int]) -> Shape:
    """Draw a shape with at least one listed set of two groups, with a king if there are any."""
    king_count = draw(st.integers(*kings))
    sizes = (
        *draw(st.lists(st.integers(1, 5), min_size=groups[0], max_size=groups[1])),
        *[1] * king_count,
    )
    first_king = len(sizes) - king_count
    sets = [
        each
        for many in range(1, len(sizes) + 1)
        for each in combinations(range(len(sizes)), many)
        if sum(sizes[index] for index in each) <= CARD.spots_max
    ]
    wanted = [each for each in sets if len(each) > 1 and (not king_count or each[-1] >= first_king)]
    chosen = {draw(st.sampled_from(wanted)), *draw(st.lists(st.sampled_from(sets), max_size=8))}
    # A group that no chosen set plays is bet by itself.
    chosen |= {(index,) for index in range(len(sizes)) if not any(index in each for each in chosen)}
    # All sets of some totals may be bet as ``n/s`` in place of the listed ones.
    totals = {sum(sizes[index] for index in each) for each in chosen}
    every = draw(st.sets(st.sampled_from(sorted(totals)), max_size=2))
    listed = sorted(
        each for each in chosen if sum(sizes[index] for index in each) not in every
    )  # sorted, since the order of a set is no part of the example
    lines = (*sorted(every), *(draw(_dealt(listed)) if listed else ()))
    shape = Shape(sizes, king_count, lines)
    assume(shape.ways <= CARD.ways_max)
    return shape


@st.composite
def _dealt(draw: DrawFn, sets: Sequence[Set]) -> tuple[LineShape, ...]:
    """Draw lines that share the listed sets among them, in any order."""
    order = draw(st.permutations(sets))
    cuts = draw(st.lists(st.integers(1, len(sets)), max_size=2))
    ends = sorted({*cuts, len(sets)})
    starts = [0, *ends[:-1]]
    return tuple(tuple(order[start:end]) for start, end in zip(starts, ends, strict=True))


SHAPES: dict[str, SearchStrategy[Shape]] = {
    "straight": _straight(),
    "split_equal": _split_equal(),
    "split_unequal": _split_unequal(),
    "way": _way(),
    "combination": _chosen((2, 5), (0, 0)),
    "king": _chosen((1, 4), (1, 1)),
    "several_kings": _chosen((1, 3), (2, 3)),
    "kings_only": _chosen((0, 0), (2, 5)),
}
