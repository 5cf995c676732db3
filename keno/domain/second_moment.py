"""The expected square of a ticket's award, computed by pairs of ways for a ticket's variance.

It needs no distribution of awards. What two ways pay together depends on their spots and on how
many spots they share. So for each two bets, pairs of ways are counted by the spots they share, and
each count is multiplied by the products of payoffs that its draws give.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate, product
from math import comb
from operator import mul

import numpy as np
from numpy.typing import NDArray

from keno.domain.grading import Bet, Shape
from keno.domain.wager import BALLS, DRAWS, NUMBERS, set_counts

PAIRS_AT_ONCE = 65_536
"""Maximum pairs of listed ways compared at once, so that they fit the processor's cache."""
LIMB = 21
"""Bits of each part into which a number of draws is split, so that sums of parts fit 64 bits."""

# Work is counted in steps; a step is about a nanosecond.
PAIR_STEPS = 8
"""Steps to count the spots that two listed ways share."""
KIND_STEPS = 60_000
"""Steps to count what one kind of listed way shares, without SHARE_STEPS."""
SHARE_STEPS = 200
"""Steps to count the sets of one total that share some number of spots with a kind of way."""
SPOTS_STEPS = 60_000
"""Steps to set up the pairs of ways of two spot counts, without DRAW_STEPS."""
DRAW_STEPS = 7
"""Steps to count the draws for one combination of shared and separate catches of two ways."""
BETS_STEPS = 10_000
"""Steps to weigh the pairs of two bets, without CELL_STEPS."""
CELL_STEPS = 150
"""Steps to weigh the pairs of two bets with one catch of each."""

Counts = NDArray[np.int64]
Pairs = dict[tuple[int, int], Counts]
"""For two bet indices in ascending order: numbers of pairs of ways, by spots they share."""
Kinds = Counter[tuple[int, ...]]
"""Numbers of listed ways, by the sorted sizes of their groups."""


def second_moment(shape: Shape, steps_max: int | None = None) -> Fraction | None:
    """Return E[award^2] of one game in cents squared, not limited by the game's maximum.

    Return None if the computation takes more than `steps_max` steps.
    """
    listed = [bet for bet in shape.bets if bet.sets is not None]
    every = [bet for bet in shape.bets if bet.sets is None]
    if steps_max is not None:
        steps_max -= _steps(listed, every, shape.sizes)
        if steps_max < 0:
            return None
    kinds = [_kinds(bet, shape.sizes) for bet in listed] if every else []
    if steps_max is not None and _steps_of_kinds(kinds, every) > steps_max:
        return None
    pairs = _pairs_of_listed(listed, shape.sizes) | _pairs_of_every(every, shape.sizes, len(listed))
    for index, mine in enumerate(kinds):
        for other, counts in enumerate(_pairs_with_every(mine, every, shape.sizes)):
            pairs[index, len(listed) + other] = counts
    return Fraction(_weighed(listed + every, pairs), DRAWS)


def _steps(listed: Sequence[Bet], every: Sequence[Bet], sizes: tuple[int, ...]) -> int:
    """Estimate the steps of `second_moment` without those of `_pairs_with_every`."""
    sets = sum(bet.ways for bet in listed)
    steps = sets * (sets + 1) // 2 * PAIR_STEPS
    if every:
        top = max(bet.spots for bet in every)
        steps += 4 * sum((min(top, total) + 1) ** 3 for total in accumulate(sizes))
    bets = [*listed, *every]
    paid = [len(_paid(bet)) for bet in bets]
    steps += (sum(paid) ** 2 + sum(each**2 for each in paid)) // 2 * CELL_STEPS
    steps += comb(len(bets) + 1, 2) * BETS_STEPS
    catches = comb(BALLS + 3, 3)
    all_spots = sorted({bet.spots for bet in bets})
    shares = sum((spots + 1) * (len(all_spots) - index) for index, spots in enumerate(all_spots))
    steps += comb(len(all_spots) + 1, 2) * SPOTS_STEPS
    return steps + shares * catches * DRAW_STEPS


def _steps_of_kinds(kinds: Sequence[Kinds], every: Sequence[Bet]) -> int:
    shares = sum(bet.spots + 1 for bet in every)
    return sum(map(len, kinds)) * (KIND_STEPS + shares * SHARE_STEPS)


# Pairs of ways, by how many spots they share.


def _pairs_of_listed(bets: Sequence[Bet], sizes: tuple[int, ...]) -> Pairs:
    """Count pairs of listed ways, by bets and shared spots, by comparing every two of them."""
    pairs: Pairs = {}
    if not bets:
        return pairs
    low, high = _number_masks(bets, sizes)
    ends = np.cumsum([bet.ways for bet in bets])
    width = max(bet.spots for bet in bets) + 1
    places = np.repeat(np.arange(len(bets)) * width, [bet.ways for bet in bets])
    for index, bet in enumerate(bets):
        first, cells = ends[index] - bet.ways, (len(bets) - index) * width
        counts = np.zeros(cells, dtype=np.int64)
        at_once = max(1, PAIRS_AT_ONCE // (len(low) - first))
        for start in range(first, ends[index], at_once):
            rows = slice(start, min(start + at_once, ends[index]))
            shared = np.bitwise_count(low[rows, None] & low[first:])
            shared += np.bitwise_count(high[rows, None] & high[first:])
            found = shared + (places[first:] - index * width)
            counts += np.bincount(found.ravel(), minlength=cells)
        for other, row in enumerate(counts.reshape(-1, width)):
            pairs[index, index + other] = row
    return pairs


def _number_masks(
    bets: Sequence[Bet], sizes: tuple[int, ...]
) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
    """Return each listed set as a mask of 80 bits, its low 64 and high 16 bits apart.

    Each group of n spots has n bits of its own.
    """
    starts = accumulate(sizes, initial=0)
    bits = [((1 << size) - 1) << start for size, start in zip(sizes, starts, strict=False)]
    low = np.array([each & (2**64 - 1) for each in bits], dtype=np.uint64)
    high = np.array([each >> 64 for each in bits], dtype=np.uint16)
    members = [each for bet in bets for each in bet.members]
    return (
        np.concatenate([np.bitwise_or.reduce(low[each], axis=1) for each in members]),
        np.concatenate([np.bitwise_or.reduce(high[each], axis=1) for each in members]),
    )


def _pairs_of_every(bets: Sequence[Bet], sizes: tuple[int, ...], first: int) -> Pairs:
    """Count pairs of ways of bets on every set, by bets and shared spots, as a polynomial product.

    Each group is in neither set, in one, in the other or in both. `first` is the index of the first
    of these bets among all bets.
    """
    if not bets:
        return {}
    top = max(bet.spots for bet in bets)
    # Intermediate counts may overflow 64 bits; the final numbers of pairs are far smaller.
    sums = np.zeros((top + 1,) * 3, dtype=np.int64)
    sums[0, 0, 0] = 1
    reached = 0
    for size in sizes:
        if size > top:
            continue
        before = sums[: reached + 1, : reached + 1, : reached + 1].copy()
        fits = min(reached, top - size) + 1
        here, moved = slice(0, reached + 1), slice(size, size + fits)
        sums[moved, here, here] += before[:fits]
        sums[here, moved, here] += before[:, :fits]
        sums[moved, moved, moved] += before[:fits, :fits, :fits]
        reached = min(reached + size, top)
    return {
        (first + index, first + other): sums[bet.spots, bets[other].spots]
        for index, bet in enumerate(bets)
        for other in range(index, len(bets))
    }


def _kinds(bet: Bet, sizes: tuple[int, ...]) -> Kinds:
    """Count the listed ways of a bet by the sizes of their groups.

    Ways of one kind (equal sizes) share spots with equally many sets of a bet on every set.
    """
    return Counter([tuple(sorted([sizes[index] for index in each])) for each in bet.sets or ()])


def _pairs_with_every(kinds: Kinds, every: Sequence[Bet], sizes: tuple[int, ...]) -> list[Counts]:
    """Count pairs of a listed way and a way of each bet on every set, by shared spots."""
    pairs = [[0] * (bet.spots + 1) for bet in every]
    for inside, ways in kinds.items():
        outside = Counter(sizes) - Counter(inside)
        within, without = set_counts(inside), set_counts(tuple(sorted(outside.elements())))
        for bet, counts in zip(every, pairs, strict=True):
            for shared in range(bet.spots + 1):
                counts[shared] += ways * within[shared] * without[bet.spots - shared]
    return [np.array(counts, dtype=np.int64) for counts in pairs]


# Products of what the two ways of a pair pay.


def _weighed(bets: Sequence[Bet], pairs: Pairs) -> int:
    """Return the sum, over all draws and pairs of ways, of the product of their payoffs."""
    by_spots: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for index, other in pairs:
        by_spots[bets[index].spots, bets[other].spots].append((index, other))
    weighed = 0
    for (spots, other_spots), of_these in by_spots.items():
        catches = sorted({catch for index, _ in of_these for catch in _paid(bets[index])})
        others = sorted({catch for _, other in of_these for catch in _paid(bets[other])})
        if not catches or not others:
            continue
        least = max(0, spots + other_spots - NUMBERS)
        draws = _joint_draws((spots, other_spots), least, catches, others)
        limbs = [draws >> at & (1 << LIMB) - 1 for at in (0, LIMB, 2 * LIMB)]
        for index, other in of_these:
            counts = pairs[index, other][least : least + len(draws)]
            mine, yours = bets[index].pays, bets[other].pays
            pays = [mine[catch] * yours[each] for catch, each in product(catches, others)]
            parts = [sum(map(mul, pays, (counts @ limb).tolist())) for limb in limbs]
            total = parts[0] + (parts[1] << LIMB) + (parts[2] << 2 * LIMB)
            weighed += total if index == other else 2 * total
    return weighed


def _paid(bet: Bet) -> list[int]:
    """Return the catches of a bet that pay something and are possible."""
    return [catch for catch, cents in enumerate(bet.pays[: BALLS + 1]) if cents]


def _joint_draws(
    both_spots: tuple[int, int], least: int, catches: list[int], others: list[int]
) -> Counts:
    """Count the draws by spots that two ways share (a row) and by their two catches (a column).

    Rows begin at `least` shared spots. Columns are the pairs of paying catches of the two ways.
    Every product of binomials counts a part of all draws, so it fits 64 bits; it is zero where
    nothing can be drawn.
    """
    spots, other_spots = both_spots
    together, mine, yours = _catches_of_two()
    pays, other_pays = np.zeros((2, BALLS + 1), dtype=np.bool_)
    pays[catches], other_pays[others] = True, True
    wanted = pays[together + mine] & other_pays[together + yours]
    together, mine, yours = together[wanted], mine[wanted], yours[wanted]
    shared = np.arange(least, min(spots, other_spots) + 1)
    outside, rest = NUMBERS - spots - other_spots + shared, BALLS - together - mine - yours
    choose = _choose()
    draws: Counts = choose[shared].take(together, axis=1)
    draws *= choose[spots - shared].take(mine, axis=1)
    draws *= choose[other_spots - shared].take(yours, axis=1)
    draws *= choose[outside].take(rest, axis=1)
    cells = (together + mine) * (BALLS + 1) + together + yours
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    return np.add.reduceat(draws, starts, axis=1)


@cache
def _catches_of_two() -> tuple[Counts, Counts, Counts]:
    """Return all triples of catches of two ways: shared, of the first alone, of the second alone.

    They are sorted by the total catch of the first way, then by that of the second.
    """
    found = [
        (together, mine, yours)
        for together in range(BALLS + 1)
        for mine in range(BALLS + 1 - together)
        for yours in range(BALLS + 1 - together - mine)
    ]
    found.sort(key=lambda each: (each[0] + each[1], each[0] + each[2]))
    together, mine, yours = np.array(found, dtype=np.int64).T
    return together, mine, yours


@cache
def _choose() -> Counts:
    """Return the binomials C(n, k) for n up to 80 and k up to 20, none above DRAWS."""
    return np.array(
        [[comb(of, taken) for taken in range(BALLS + 1)] for of in range(NUMBERS + 1)],
        dtype=np.int64,
    )
