"""Grading: how many numbers each way caught, and what that pays (15.2(c)2, 15.6(a)).

A ticket's *shape* is everything but its numbers: group sizes, which sets of groups are ways, and
what each catch pays. Tickets of one shape are graded together, as columns of group hits. If a line
plays every set of a given spot count, its sets are not enumerated. Their catches are counted from
the number of groups of each size and hit count. A 190-way eight therefore costs no more than a
straight ticket.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from math import comb

import numpy as np
from numpy.typing import NDArray

from keno.domain.money import Cents
from keno.domain.pricing import Priced
from keno.domain.ratecard import RateCard
from keno.domain.wager import (
    BALLS,
    NUMBERS,
    EveryWay,
    KenoRequest,
    Line,
    check_drawn,
    set_counts,
)

GROUP_BYTES = 10
"""Bytes of a packed group: number n (1 to 80) is bit n - 1, least significant byte first."""
TICKETS_AT_ONCE = 16_384
"""Maximum tickets of one shape graded at once, so that they fit the processor's cache."""
LISTED_AT_ONCE = 65_536
"""Maximum listed ways times tickets that are graded at once."""
SPELLED_OUT_MAX = 16
"""Maximum ways for which adding up the groups of each way is faster than counting by hits."""

Hits = NDArray[np.uint8]
"""How many numbers of each group (a row) of each ticket (a column) were drawn."""
CentsArray = NDArray[np.int64]

_PACKED = np.dtype([("low", "<u8"), ("high", "<u2")])


@dataclass(frozen=True)
class Bet:
    """The ways of one line that have one spot count, and what each pays by catch.

    `sets` lists the ways as sets of group indices. It is None if the line plays every set of
    `spots` and these are more than SPELLED_OUT_MAX.
    """

    line: int
    spots: int
    ways: int
    sets: tuple[tuple[int, ...], ...] | None
    pays: tuple[Cents, ...]

    @cached_property
    def pays_array(self) -> CentsArray:
        return np.array(self.pays, dtype=np.int64)

    @cached_property
    def members(self) -> list[NDArray[np.intp]]:
        """The listed sets as arrays of group indices: one array a set length, one row a set."""
        by_length: dict[int, list[tuple[int, ...]]] = {}
        for each in self.sets or ():
            by_length.setdefault(len(each), []).append(each)
        return [np.array(sets, dtype=np.intp) for sets in by_length.values()]


@dataclass(frozen=True)
class Shape:
    """A ticket without its numbers: its group sizes and bets. Grading works shape by shape."""

    sizes: tuple[int, ...]
    bets: tuple[Bet, ...]


def shape_of(priced: Priced) -> Shape:
    """Return the shape of a priced request under its card."""
    return shape_for(priced.request.sizes, priced.request.lines, priced.card)


def shape_for(sizes: tuple[int, ...], lines: Sequence[Line], card: RateCard) -> Shape:
    """Return the shape of groups of these sizes under these lines and this card."""
    return Shape(sizes, tuple(_bets(sizes, lines, card)))


def _bets(sizes: tuple[int, ...], lines: Sequence[Line], card: RateCard) -> Iterator[Bet]:
    payoffs = cache(card.payoffs)
    for index, line in enumerate(lines):
        pays = partial(payoffs, line.rate, wager_cents=line.wager_cents)
        if isinstance(line, EveryWay):
            few = line.ways <= SPELLED_OUT_MAX
            sets = tuple(every_set(sizes, line.spots)) if few else None
            yield Bet(index, line.spots, line.ways, sets, pays(line.spots))
            continue
        by_spots: dict[int, list[tuple[int, ...]]] = {}
        for each in line.sets:
            by_spots.setdefault(sum([sizes[member] for member in each]), []).append(each)
        for spots, listed in sorted(by_spots.items()):
            yield Bet(index, spots, len(listed), tuple(listed), pays(spots))


def pack(request: KenoRequest) -> bytes:
    """Return a request's groups and kings as bit masks of GROUP_BYTES each, for the ledger."""
    return b"".join([pack_mask(_bits(group)) for group in request.all_groups])


def pack_mask(bits: int) -> bytes:
    """Return eighty bits as ten bytes, least significant byte first."""
    return bits.to_bytes(GROUP_BYTES, "little")


def unpack(masks: bytes | memoryview) -> NDArray[np.void]:
    """Return packed masks as an array with fields `low` (numbers 1 to 64) and `high` (65 to 80)."""
    return np.frombuffer(masks, dtype=_PACKED)


def _bits(numbers: Sequence[int]) -> int:
    return sum(map(_BIT.__getitem__, numbers))


_BIT = [0] + [1 << bit for bit in range(NUMBERS)]


def group_hits(masks: bytes | memoryview, drawn: Sequence[int]) -> Hits:
    """Return how many numbers of each packed group are among the twenty drawn, as a flat array.

    Refuse a draw that is not twenty different numbers from 1 to 80.
    """
    check_drawn(drawn)
    draw = unpack(pack_mask(_bits(drawn)))[0]
    groups = unpack(masks)
    hits: Hits = np.bitwise_count(groups["low"] & draw["low"])
    hits += np.bitwise_count(groups["high"] & draw["high"])
    return hits


def grade(
    shapes: Sequence[Shape],
    shape_of_ticket: NDArray[np.integer],
    masks: bytes | memoryview,
    drawn: Sequence[int],
) -> CentsArray:
    """Return the award of every ticket in cents, in their order, before the maximum is shared.

    `masks` holds the packed groups of all tickets one after the other. `shape_of_ticket` holds the
    index of each ticket's shape in `shapes`, which determines how many groups the ticket has. Raise
    ValueError if `masks` has too few or too many groups; refuse a wrong draw as `group_hits` does.
    """
    hits = group_hits(masks, drawn)
    widths = np.array([len(shape.sizes) for shape in shapes], dtype=np.int64)
    ends = np.cumsum(widths[shape_of_ticket])
    if hits.size != (ends[-1] if ends.size else 0):
        raise ValueError("the masks do not hold exactly the groups of these tickets")
    # Sorting 16-bit keys is ten times as fast as sorting 32-bit keys.
    keys = shape_of_ticket.astype(np.uint16 if len(shapes) < 2**16 else np.int64)
    by_shape = np.argsort(keys, kind="stable")
    bounds = np.concatenate(([0], np.cumsum(np.bincount(keys, minlength=len(shapes)))))
    awards = np.zeros(len(shape_of_ticket), dtype=np.int64)
    for index, shape in enumerate(shapes):
        for start in range(bounds[index], bounds[index + 1], TICKETS_AT_ONCE):
            tickets = by_shape[start : min(start + TICKETS_AT_ONCE, bounds[index + 1])]
            first = ends[tickets] - widths[index]
            columns = np.stack([hits[first + group] for group in range(len(shape.sizes))])
            awards[tickets] = shape_awards(shape, columns)
    return awards


def shape_awards(shape: Shape, hits: Hits) -> CentsArray:
    """Return the awards in cents of tickets of one shape, from the hits of their groups.

    `hits` has a row for each group and a column for each ticket. The awards are those before the
    game's maximum is shared.
    """
    awards: CentsArray = np.zeros(hits.shape[1], dtype=np.int64)
    at_once = max(1, LISTED_AT_ONCE // max(1, hits.shape[1]))
    for bet in shape.bets:
        for members in bet.members:
            for start in range(0, len(members), at_once):
                caught = _catches(members[start : start + at_once], hits)
                awards += bet.pays_array.take(caught).sum(axis=0)
    every = [bet for bet in shape.bets if bet.sets is None]
    if every:
        counted = _every_way_by_catch(every, shape.sizes, hits)
        for bet in every:
            for catch, counts in counted[bet.spots].items():
                if bet.pays[catch]:
                    awards += counts * bet.pays_array[catch]
    return awards


Packed = list[tuple[Shape, NDArray[np.void]]]
"""Each shape with the packed groups of its tickets: one row a group, one column a ticket."""


def by_shape(
    shapes: Sequence[Shape], shape_of_ticket: NDArray[np.integer], masks: bytes | memoryview
) -> Packed:
    """Return the packed groups of all tickets sorted by shape, for grading against many draws.

    The arguments are those of `grade`. Raise ValueError if `masks` has too few or too many groups.
    """
    groups = unpack(masks)
    widths = np.array([len(shape.sizes) for shape in shapes], dtype=np.int64)
    ends = np.cumsum(widths[shape_of_ticket])
    if groups.size != (ends[-1] if ends.size else 0):
        raise ValueError("the masks do not hold exactly the groups of these tickets")
    by_number = np.argsort(shape_of_ticket, kind="stable")
    bounds = np.cumsum(np.bincount(shape_of_ticket, minlength=len(shapes)))
    found: Packed = []
    for index, shape in enumerate(shapes):
        tickets = by_number[bounds[index - 1] if index else 0 : bounds[index]]
        first = ends[tickets] - widths[index]
        found.append((shape, np.stack([groups[first + group] for group in range(widths[index])])))
    return found


def total_awards(packed: Packed, draws: Sequence[Sequence[int]]) -> list[Cents]:
    """Return what all tickets together win in each draw, in cents, before the maximum is shared."""
    for drawn in draws:
        check_drawn(drawn)
    drawn_bits = unpack(b"".join([pack_mask(_bits(drawn)) for drawn in draws]))
    high: CentsArray = np.zeros(len(draws), dtype=np.int64)
    low: CentsArray = np.zeros(len(draws), dtype=np.int64)
    at_once = max(1, TICKETS_AT_ONCE // max(1, len(draws)))
    for shape, groups in packed:
        for start in range(0, groups.shape[1], at_once):
            piece = groups[:, start : start + at_once, None]
            hits: Hits = np.bitwise_count(piece["low"] & drawn_bits["low"])
            hits += np.bitwise_count(piece["high"] & drawn_bits["high"])
            awards = shape_awards(shape, hits.reshape(len(groups), -1)).reshape(-1, len(draws))
            # The halves are summed apart, so that enormous awards do not overflow.
            high += (awards >> 32).sum(axis=0, dtype=np.int64)
            low += (awards & 0xFFFFFFFF).sum(axis=0, dtype=np.int64)
    return [(int(upper) << 32) + int(lower) for upper, lower in zip(high, low, strict=True)]


def catch_counts(bet: Bet, sizes: tuple[int, ...], hits: Hits) -> NDArray[np.int64]:
    """Count the ways of a bet that have each catch (a row) on each ticket (a column)."""
    counts: NDArray[np.int64] = np.zeros((len(bet.pays), hits.shape[1]), dtype=np.int64)
    if bet.sets is None:
        for catch, ways in _every_way_by_catch([bet], sizes, hits)[bet.spots].items():
            counts[catch] = ways
        return counts
    tickets = np.arange(hits.shape[1])
    for members in bet.members:
        for caught in _catches(members, hits):
            counts[caught, tickets] += 1
    return counts


def every_set(sizes: Sequence[int], spots: int) -> Iterator[tuple[int, ...]]:
    """Yield all sets of groups, as indices, whose sizes add up to this number of spots."""
    left = [set_counts(tuple(sizes[index:])) for index in range(len(sizes) + 1)]

    def sets_from(first: int, wanted: int) -> Iterator[tuple[int, ...]]:
        if wanted == 0:
            yield ()
        for index in range(first, len(sizes) if wanted else first):
            if not left[index][wanted]:
                return
            rest = wanted - sizes[index]
            if rest >= 0 and left[index + 1][rest]:
                for more in sets_from(index + 1, rest):
                    yield (index, *more)

    return sets_from(0, spots)


def _catches(members: NDArray[np.intp], hits: Hits) -> Hits:
    """Return how many numbers each of these sets (a row) caught on each ticket (a column)."""
    caught: Hits = hits[members[:, 0]]
    for member in members.T[1:]:
        caught += hits[member]
    return caught


EveryWayCounts = dict[int, dict[int, NDArray[np.unsignedinteger]]]
"""For each spot count and catch, the number of sets of groups with both on each ticket."""
Term = tuple[int, int]
"""The total spots of a set of groups, and the numbers it caught."""
Products = list[tuple[int, list[tuple[Term, Term]]]]
"""For each number of groups taken, pairs of a term and the term it becomes by taking them."""


def _every_way_by_catch(bets: Sequence[Bet], sizes: tuple[int, ...], hits: Hits) -> EveryWayCounts:
    """Return how many sets total each bet's spots, by catch and ticket, as a polynomial product.

    Each group is a factor (1 + x^size y^hits); sets are the terms of x^spots. Groups of one size
    with the same hits form one power, whose coefficients are binomials. Intermediate counts may
    overflow, but the results are exact, since the bets' own ways fit the type.
    """
    kind = np.uint16 if max(bet.ways for bet in bets) < 2**16 else np.uint32
    counts: dict[Term, NDArray[np.unsignedinteger]]
    counts = {(0, 0): np.ones(hits.shape[1], dtype=kind)}
    for size, hit, products in every_way_products([bet.spots for bet in bets], sizes):
        of_size = hits[[index for index, each in enumerate(sizes) if each == size]]
        alike = np.count_nonzero(of_size == hit, axis=0)
        grown: dict[Term, NDArray[np.unsignedinteger]] = {}
        for taken, terms in products:
            ways = _binomials(taken, kind).take(alike)
            for term, place in terms:
                more = counts[term] * ways if taken else counts[term]
                grown[place] = grown[place] + more if place in grown else more
        counts = grown
    found: EveryWayCounts = {bet.spots: {} for bet in bets}
    for (spots, catch), ways in counts.items():
        found[spots][catch] = ways
    return found


def every_way_products(
    wanted: Sequence[int], sizes: tuple[int, ...]
) -> Iterator[tuple[int, int, Products]]:
    """Yield the steps of the polynomial product for groups of `sizes`: size, hit count, products.

    They do not depend on a draw. Each step takes groups of one size and one hit count. Only totals
    that can still become a spot count in `wanted` are kept.
    """
    terms: set[Term] = {(0, 0)}
    for size in sorted(set(sizes)):
        useful = _useful(wanted, tuple(each for each in sizes if each >= size))
        for hit in range(min(size, BALLS) + 1):
            if hit == min(size, BALLS):
                useful = _useful(wanted, tuple(each for each in sizes if each > size))
            products = [
                (taken, _moved(terms, taken * size, taken * hit, useful))
                for taken in range(min(sizes.count(size), max(wanted) // size) + 1)
            ]
            yield size, hit, products
            terms = {place for _, moves in products for _, place in moves}


def _moved(
    terms: set[Term], more_spots: int, more_caught: int, useful: set[int]
) -> list[tuple[Term, Term]]:
    return [
        ((spots, catch), (spots + more_spots, catch + more_caught))
        for spots, catch in terms
        if spots + more_spots in useful and catch + more_caught <= BALLS
    ]


def _useful(wanted: Sequence[int], left: tuple[int, ...]) -> set[int]:
    """Return the totals that groups of the sizes in `left` can complete to a wanted total."""
    counts = set_counts(left)
    return {spots - rest for spots in wanted for rest in range(spots + 1) if counts[rest]}


@lru_cache(maxsize=2 * NUMBERS)
def _binomials(taken: int, kind: type[np.unsignedinteger]) -> NDArray[np.unsignedinteger]:
    """Return the binomial coefficients C(n, taken) for n from 0 to 80, modulo the type's range."""
    wrap = int(np.iinfo(kind).max) + 1
    return np.array([comb(alike, taken) % wrap for alike in range(NUMBERS + 1)], dtype=kind)
