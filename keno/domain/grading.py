"""Grading: how many numbers each way caught, and what that pays (15.2(c)2, 15.6(a)).

A ticket's *shape* is everything but its numbers: group sizes, which sets of groups are ways, and
what each catch pays. Tickets of one shape are graded together, as columns of group hits. Ways
that are "all sets of so many spots" are counted from how many groups of each size had how many
hits, without going through the sets: a 190-way eight costs no more than a straight ticket.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from keno.domain.money import Cents
from keno.domain.pricing import Priced
from keno.domain.wager import BALLS, NUMBERS, EveryWay, KenoRequest, check_drawn

GROUP_BYTES = 10
"""Eighty numbers, one bit each: number n is bit n - 1, least significant byte first."""
ROWS_AT_ONCE = 16_384
"""Rows go through the counting in pieces that stay in the processor's cache."""

Hits = NDArray[np.uint8]
"""One row a group, one column a ticket: how many numbers of the group were drawn."""
CentsArray = NDArray[np.int64]

_PACKED = np.dtype([("low", "<u8"), ("high", "<u2")])


@dataclass(frozen=True)
class Bet:
    """The ways of one line that have one spot count. `sets` is None where all sets play."""

    line: int
    spots: int
    ways: int
    sets: tuple[tuple[int, ...], ...] | None
    pays: tuple[Cents, ...]

    @cached_property
    def pays_array(self) -> CentsArray:
        return np.array(self.pays, dtype=np.int64)


@dataclass(frozen=True)
class Shape:
    """A ticket without its numbers. Equal shapes are graded in one go."""

    sizes: tuple[int, ...]
    bets: tuple[Bet, ...]


def shape_of(priced: Priced) -> Shape:
    """The shape of a request under the card it is sold by."""
    return Shape(priced.request.sizes, tuple(_bets(priced)))


def _bets(priced: Priced) -> Iterator[Bet]:
    request = priced.request
    for index, line in enumerate(request.lines):
        if isinstance(line, EveryWay):
            yield Bet(index, line.spots, line.ways, None, priced.payoffs(line, line.spots))
            continue
        for spots, ways in sorted(request.spots_of(line).items()):
            sets = tuple(each for each in line.sets if request.set_spots(each) == spots)
            yield Bet(index, spots, ways, sets, priced.payoffs(line, spots))


def pack(request: KenoRequest) -> bytes:
    """The request's groups and kings as bit masks, ten bytes a group: what the ledger keeps."""
    return b"".join(pack_mask(_bits(group)) for group in request.all_groups)


def pack_mask(bits: int) -> bytes:
    """Eighty bits as ten bytes."""
    return bits.to_bytes(GROUP_BYTES, "little")


def unpack(masks: bytes | memoryview) -> NDArray[np.void]:
    """Packed masks as an array with the fields `low` (numbers 1 to 64) and `high`."""
    return np.frombuffer(masks, dtype=_PACKED)


def _bits(numbers: Sequence[int]) -> int:
    return sum(1 << (number - 1) for number in numbers)


def group_hits(masks: bytes | memoryview, drawn: Sequence[int]) -> Hits:
    """Of each packed group, how many numbers are among the twenty drawn."""
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
    """The award of every ticket, in their order, before the game's maximum is shared.

    `masks` holds the packed groups of all tickets one after the other; `shape_of_ticket` says
    which shape each ticket has, and so how many groups are its own.
    """
    hits = group_hits(masks, drawn)
    widths = np.array([len(shape.sizes) for shape in shapes], dtype=np.int64)
    ends = np.cumsum(widths[shape_of_ticket])
    if hits.size != (ends[-1] if ends.size else 0):
        raise ValueError("the masks do not hold exactly the groups of these tickets")
    by_shape = np.argsort(shape_of_ticket, kind="stable")
    bounds = np.searchsorted(shape_of_ticket[by_shape], np.arange(len(shapes) + 1))
    awards = np.zeros(len(shape_of_ticket), dtype=np.int64)
    for index, shape in enumerate(shapes):
        tickets = by_shape[bounds[index] : bounds[index + 1]]
        if tickets.size:
            first = ends[tickets] - widths[index]
            rows = np.stack([hits[first + group] for group in range(len(shape.sizes))])
            awards[tickets] = shape_awards(shape, rows)
    return awards


def shape_awards(shape: Shape, hits: Hits) -> CentsArray:
    """The awards of tickets of one shape from the hits of their groups (a row a group)."""
    awards = np.zeros(hits.shape[1], dtype=np.int64)
    for start in range(0, hits.shape[1], ROWS_AT_ONCE):
        piece = hits[:, start : start + ROWS_AT_ONCE]
        total = awards[start : start + ROWS_AT_ONCE]
        for bet in shape.bets:
            total += _bet_awards(bet, shape.sizes, piece)
    return awards


def _bet_awards(bet: Bet, sizes: tuple[int, ...], hits: Hits) -> CentsArray:
    if bet.sets is not None:
        awards = np.zeros(hits.shape[1], dtype=np.int64)
        for members in bet.sets:
            awards += bet.pays_array[_catches(members, hits)]
        return awards
    awards = catch_counts(bet, sizes, hits).T @ bet.pays_array
    return awards


def _catches(members: tuple[int, ...], hits: Hits) -> Hits:
    caught = hits[members[0]]
    for member in members[1:]:
        caught = caught + hits[member]
    return caught


def catch_counts(bet: Bet, sizes: tuple[int, ...], hits: Hits) -> NDArray[np.int64]:
    """For each catch (rows) and ticket (columns), how many ways of the bet have that catch."""
    counts = np.zeros((len(bet.pays), hits.shape[1]), dtype=np.int64)
    if bet.sets is not None:
        for members in bet.sets:
            caught = _catches(members, hits)
            for catch in range(len(bet.pays)):
                counts[catch] += caught == catch
        return counts
    return _count_every_way(bet.spots, sizes, hits)


def _count_every_way(spots: int, sizes: tuple[int, ...], hits: Hits) -> NDArray[np.int64]:
    """Count sets that total `spots` by catch: multiply out (1 + x^size y^hits) per group.

    Groups of one size with the same hits are alike, so their factors come as one power, whose
    coefficients are binomials. Counts wrap at 2^64 on the way and are exact at the end, because
    a ticket has far fewer ways than that.
    """
    tickets = hits.shape[1]
    sums = np.zeros((spots + 1, spots + 1, tickets), dtype=np.int64)
    sums[0, 0] = 1
    for size in sorted(set(sizes)):
        if size > spots:
            continue
        of_size = hits[[index for index, each in enumerate(sizes) if each == size]]
        for hit in range(min(size, BALLS) + 1):
            alike = np.count_nonzero(of_size == hit, axis=0)
            before = sums.copy()
            for taken in range(1, min(len(of_size), spots // size) + 1):
                ways = _binomials(taken)[alike]
                across, up = taken * size, taken * hit
                sums[across:, up:] += before[: spots + 1 - across, : spots + 1 - up] * ways
    return sums[spots]


@lru_cache(maxsize=NUMBERS)
def _binomials(taken: int) -> NDArray[np.int64]:
    """How many ways to take so many of 0, 1, 2 … 80 alike, wrapped to 64 bits."""
    counts = [comb(alike, taken) % 2**64 for alike in range(NUMBERS + 1)]
    return np.array(counts, dtype=np.uint64).view(np.int64)
