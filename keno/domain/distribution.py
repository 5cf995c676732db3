"""The exact distribution of what a ticket wins in one game, ways that share numbers included.

A ticket's award depends on how many numbers each group catches. Groups that the conditioning
cannot tell apart are counted together, so draws are weighed by *histograms* of group hits, never
one by one: there are 3.5 quintillion draws and a few thousand histograms.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from keno.domain.grading import Hits, Shape, every_way_products, shape_awards
from keno.domain.money import Cents
from keno.domain.wager import BALLS, DRAWS, NUMBERS

HISTOGRAMS_MAX = 100_000
"""Maximum number of histograms for which a distribution is worked out: they are held in memory."""

# Work is counted in steps; a step is about a nanosecond.
CALL_STEPS = 2_000
"""One call of numpy, apart from what it does to each cell."""
CELLS_A_STEP = 2
"""Cells of small integers that numpy handles in one step."""
LOOKUP_STEPS = 80
"""One set of groups that is looked up."""
HISTOGRAM_STEPS = 200
"""To sort, weigh and add up one histogram."""
AWARD_STEPS = 8_000
"""To reduce the probability of one award to lowest terms, and to write and draw it."""

Classes = list[list[int]]
"""Groups by index; those of one class may be exchanged."""


@dataclass(frozen=True)
class Distribution:
    """Each possible award, ascending, and the number of draws that pay it."""

    cents: list[Cents]
    draws: list[int]
    limited: bool
    """Some draws would pay more without the maximum."""
    steps: int
    """The work of it, and of telling every award with its probability."""

    def moment(self, power: int) -> Fraction:
        total = sum(
            draws * cents**power for cents, draws in zip(self.cents, self.draws, strict=True)
        )
        return Fraction(total, DRAWS)

    @property
    def awards(self) -> tuple[tuple[Cents, Fraction], ...]:
        return tuple(
            (cents, Fraction(draws, DRAWS))
            for cents, draws in zip(self.cents, self.draws, strict=True)
        )


def award_distribution(
    shape: Shape, maximum_cents: Cents, steps_max: int | None = None
) -> Distribution | None:
    """What one game pays, at most the maximum; None above HISTOGRAMS_MAX or `steps_max` steps."""
    classes, steps = _classes_within(shape, steps_max)
    if not classes:
        return None
    hits = _histograms(shape, classes)
    awards = shape_awards(shape, hits)
    cents, where = np.unique(np.minimum(awards, maximum_cents), return_inverse=True)
    draws = np.zeros(len(cents), dtype=np.int64)
    np.add.at(draws, where, _draws_of(shape, classes, hits))
    return Distribution(
        cents=cents.tolist(),
        draws=draws.tolist(),
        limited=bool(awards.max() > maximum_cents),
        steps=steps + len(cents) * AWARD_STEPS,
    )


def _classes_within(shape: Shape, steps_max: int | None) -> tuple[Classes, int]:
    """The classes of alike groups and the steps of a distribution by them; none if too many.

    Groups that only seem alike give fewer histograms than there are, so they may be too many
    before anything is compared.
    """
    degrees = _degrees(shape)
    classes = _seemingly_alike(shape, degrees)
    if count_histograms(shape, classes) > HISTOGRAMS_MAX:
        return [], 0
    steps = _alike_steps(classes, degrees)
    if steps_max is not None and steps > steps_max // 2:
        return [], steps  # the other half is left if there are too many histograms after all
    classes = _alike(shape, classes)
    histograms = count_histograms(shape, classes)
    if histograms > HISTOGRAMS_MAX:
        return [], steps
    steps += _histogram_steps(shape, classes, histograms) + _award_steps(shape, histograms)
    return classes if steps_max is None or steps <= steps_max else [], steps


def _histogram_steps(shape: Shape, classes: Classes, histograms: int) -> int:
    """The work of listing so many histograms and weighing them."""
    calls = cells = 0
    for members in classes:
        hits = min(shape.sizes[members[0]], BALLS) + 1
        calls += hits * (8 * len(members) + 4)
        cells += len(members) * (hits + len(shape.sizes))
    return calls * CALL_STEPS + histograms * (cells // CELLS_A_STEP + HISTOGRAM_STEPS)


def _award_steps(shape: Shape, histograms: int) -> int:
    """The work of reckoning the award of so many histograms."""
    calls = cells = 0
    for bet in shape.bets:
        for members in bet.members:
            calls += 4 + members.shape[1]
            cells += len(members) * (members.shape[1] + 3)
    every = [bet.spots for bet in shape.bets if bet.sets is None]
    if every:
        for _, _, products in every_way_products(every, shape.sizes):
            terms = sum(len(moves) for _, moves in products)
            calls += 3 + 2 * terms
            cells += 2 * terms + 4
    return calls * CALL_STEPS + histograms * cells // CELLS_A_STEP


# Groups that may be exchanged.


def _degrees(shape: Shape) -> NDArray[np.int64]:
    """For each bet (a row) and group (a column), how many listed sets have the group."""
    degrees: NDArray[np.int64] = np.zeros((len(shape.bets), len(shape.sizes)), dtype=np.int64)
    for number, bet in enumerate(shape.bets):
        for members in bet.members:
            degrees[number] += np.bincount(members.ravel(), minlength=len(shape.sizes))
    return degrees


def _seemingly_alike(shape: Shape, degrees: NDArray[np.int64]) -> Classes:
    """Groups equal in size and in as many sets of each bet: a first and quick division."""
    classes: dict[tuple[int, bytes], list[int]] = {}
    for index, size in enumerate(shape.sizes):
        classes.setdefault((size, degrees[:, index].tobytes()), []).append(index)
    return list(classes.values())


def _alike_steps(classes: Classes, degrees: NDArray[np.int64]) -> int:
    """The work of `_alike` if every pair of every class has to be compared throughout."""
    sets: list[int] = degrees.sum(axis=0).tolist()
    compared = sum(comb(len(members), 2) * sets[members[0]] for members in classes)
    return (compared + 3 * sum(sets)) * LOOKUP_STEPS


def alike_groups(shape: Shape) -> Classes:
    """Groups sorted into classes whose members may be exchanged without changing any award.

    Two groups are alike if they are equal in size and exchanging them turns the listed sets of
    every bet into themselves. Exchanges of two generate all others, so a class is interchangeable
    as a whole. Alike groups are in equally many sets of each bet; therefore it is enough that the
    sets which have one of the two are sets again once it is exchanged.
    """
    return _alike(shape, _seemingly_alike(shape, _degrees(shape)))


def _alike(shape: Shape, seemingly: Classes) -> Classes:
    bits = [1 << index for index in range(len(shape.sizes))]
    sets_of: list[list[int]] = [[] for _ in bits]
    for number, bet in enumerate(shape.bets):
        for each in bet.sets or ():
            one = (number << NUMBERS) + sum([bits[index] for index in each])
            for index in each:
                sets_of[index].append(one)
    every = set[int]().union(*sets_of)
    classes: Classes = []
    for members in seemingly:
        parts: Classes = []
        for index in members:
            mine = bits[index]
            for part in parts:
                both = mine | bits[part[0]]
                if all(each & mine or each ^ both in every for each in sets_of[part[0]]):
                    part.append(index)
                    break
            else:
                parts.append([index])
        classes += parts
    return sorted(classes)


# Histograms of group hits.


def count_histograms(shape: Shape, classes: Classes) -> int:
    """How many histograms of group hits a draw can produce."""
    by_hits = [1] + [0] * BALLS
    for members in classes:
        one = _multisets_by_total(len(members), shape.sizes[members[0]])
        by_hits = [
            sum(by_hits[used] * one[total - used] for used in range(total + 1))
            for total in range(BALLS + 1)
        ]
    unmarked = NUMBERS - sum(shape.sizes)
    return sum(count for total, count in enumerate(by_hits) if BALLS - total <= unmarked)


@cache
def _multisets_by_total(groups: int, size: int) -> tuple[int, ...]:
    """How many multisets of hits, one for each of so many alike groups, have each total."""
    table = [[0] * (BALLS + 1) for _ in range(groups + 1)]
    table[0][0] = 1
    for hit in range(1, min(size, BALLS) + 1):
        for used in range(1, groups + 1):
            for total in range(hit, BALLS + 1):
                table[used][total] += table[used - 1][total - hit]
    return tuple(sum(row[total] for row in table) for total in range(BALLS + 1))


def _histograms(shape: Shape, classes: Classes) -> Hits:
    """One column of group hits for every histogram, falling within each class.

    Columns grow group by group. A column stays only if it can be completed, so there are never
    more of them than there are histograms in the end.
    """
    room = sum(shape.sizes)
    unmarked = NUMBERS - room
    columns = np.zeros((len(shape.sizes), 1), dtype=np.uint8)
    totals = np.zeros(1, dtype=np.int64)
    for members in classes:
        size = shape.sizes[members[0]]
        for position, group in enumerate(members):
            # Falling within the class: what the rest of it can still add is bounded by this one.
            left = len(members) - position - 1
            room -= size
            outside = room - left * size
            grown, grown_totals = [], []
            for hit in range(min(size, BALLS) + 1):
                total = totals + hit
                fits = (total <= BALLS) & (total + left * hit + outside + unmarked >= BALLS)
                if position:
                    fits &= columns[members[position - 1]] >= hit
                kept = columns[:, fits]
                kept[group] = hit
                grown.append(kept)
                grown_totals.append(total[fits])
            columns = np.concatenate(grown, axis=1)
            totals = np.concatenate(grown_totals)
    return columns


def _draws_of(shape: Shape, classes: Classes, hits: Hits) -> NDArray[np.int64]:
    """How many draws give each column's histogram.

    Every partial product divides the result, which is at most DRAWS: nothing overflows.
    """
    draws: NDArray[np.int64] = _table(
        comb(NUMBERS - sum(shape.sizes), BALLS - total) for total in range(BALLS + 1)
    )[hits.sum(axis=0, dtype=np.int64)]
    for members in classes:
        size = shape.sizes[members[0]]
        left = np.full(hits.shape[1], len(members), dtype=np.int64)
        choices = range(len(members) + 1)
        arrangements = np.stack([_table(comb(n, k) for k in choices) for n in choices])
        for hit in range(min(size, BALLS) + 1):
            here = np.count_nonzero(hits[members] == hit, axis=0)
            draws = draws * arrangements[left, here]
            left = left - here
        inside = _table(comb(size, hit) for hit in range(min(size, BALLS) + 1))
        for group in members:
            draws = draws * inside[hits[group]]
    return draws


def _table(values: Iterator[int]) -> NDArray[np.int64]:
    """A look-up table; entries too large to matter for any possible draw become zero."""
    return np.array([value if value <= DRAWS else 0 for value in values], dtype=np.int64)
