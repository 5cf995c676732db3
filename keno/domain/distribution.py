"""The exact distribution of what a ticket wins in one game, ways that share numbers included.

A ticket's award depends on how many numbers each group catches. Groups that the conditioning cannot
tell apart are counted together, so draws are weighed by *histograms* of group hits, never one by
one: there are 3.5 quintillion draws and a few thousand histograms.
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
"""Maximum histograms for which a distribution is computed; all are held in memory at once."""

# Work is counted in steps; a step is about a nanosecond.
CALL_STEPS = 2_000
"""Steps of one numpy call, without the work on its cells."""
CELLS_A_STEP = 2
"""Cells of small integers that numpy handles in one step."""
LOOKUP_STEPS = 80
"""Steps to look up one set of groups."""
HISTOGRAM_STEPS = 200
"""Steps to sort, weigh and add up one histogram."""
AWARD_STEPS = 8_000
"""Steps to reduce the probability of one award to lowest terms, and to write and draw it."""

Classes = list[list[int]]
"""Lists of group indices; exchanging two groups of one list changes no award."""


@dataclass(frozen=True)
class Distribution:
    """The possible awards of a ticket in one game, ascending, and the number of draws for each.

    The awards in `cents` are limited by the maximum; `draws` has one count for each of them.
    """

    cents: list[Cents]
    draws: list[int]
    limited: bool
    """Whether some draws would pay more without the maximum."""
    steps: int
    """Steps to compute the distribution and to list every award with its probability."""

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
    """Return the distribution of a ticket's award in one game, limited to `maximum_cents`.

    Return None if it needs more than HISTOGRAMS_MAX histograms or `steps_max` steps; these are
    without the steps to list its awards.
    """
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
    """Return classes of alike groups, and the steps of a distribution computed by them.

    The classes are empty if HISTOGRAMS_MAX or `steps_max` would be exceeded. Classes of seemingly
    alike groups give a lower bound of the number of histograms, so HISTOGRAMS_MAX is checked first
    before any groups are compared.
    """
    degrees = _degrees(shape)
    classes = _seemingly_alike(shape, degrees)
    if count_histograms(shape, classes) > HISTOGRAMS_MAX:
        return [], 0
    steps = _alike_steps(classes, degrees)
    if steps_max is not None and steps > steps_max // 2:
        return [], steps  # comparing groups may take at most half of the steps
    classes = alike_groups(shape, classes)
    histograms = count_histograms(shape, classes)
    if histograms > HISTOGRAMS_MAX:
        return [], steps
    steps += _histogram_steps(shape, classes, histograms) + _award_steps(shape, histograms)
    return classes if steps_max is None or steps <= steps_max else [], steps


def _histogram_steps(shape: Shape, classes: Classes, histograms: int) -> int:
    """Estimate the steps to list and weigh histograms: fixed steps and steps for each histogram."""
    calls = cells = 0
    for members in classes:
        hits = min(shape.sizes[members[0]], BALLS) + 1
        calls += hits * (8 * len(members) + 4)
        cells += len(members) * (hits + len(shape.sizes))
    return calls * CALL_STEPS + histograms * (cells // CELLS_A_STEP + HISTOGRAM_STEPS)


def _award_steps(shape: Shape, histograms: int) -> int:
    """Estimate the steps to compute the awards of this number of histograms."""
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


# Classes of groups that may be exchanged.


def _degrees(shape: Shape) -> NDArray[np.int64]:
    """Count the listed sets that contain each group: one row a bet, one column a group."""
    degrees: NDArray[np.int64] = np.zeros((len(shape.bets), len(shape.sizes)), dtype=np.int64)
    for number, bet in enumerate(shape.bets):
        for members in bet.members:
            degrees[number] += np.bincount(members.ravel(), minlength=len(shape.sizes))
    return degrees


def _seemingly_alike(shape: Shape, degrees: NDArray[np.int64]) -> Classes:
    """Sort groups into classes of equal size and equal number of sets in each bet.

    Alike groups are always in one such class; `alike_groups` divides them further.
    """
    classes: dict[tuple[int, bytes], list[int]] = {}
    for index, size in enumerate(shape.sizes):
        classes.setdefault((size, degrees[:, index].tobytes()), []).append(index)
    return list(classes.values())


def _alike_steps(classes: Classes, degrees: NDArray[np.int64]) -> int:
    """Return the steps of `alike_groups` if it has to compare every pair of every class."""
    sets: list[int] = degrees.sum(axis=0).tolist()
    compared = sum(comb(len(members), 2) * sets[members[0]] for members in classes)
    return (compared + 3 * sum(sets)) * LOOKUP_STEPS


def alike_groups(shape: Shape, seemingly: Classes | None = None) -> Classes:
    """Sort groups into classes whose members may be exchanged without changing any award.

    Two groups are alike if they are equal in size and exchanging them turns the listed sets of
    every bet into themselves. Any exchange is made of exchanges of two, so the members of a class
    can be permuted freely. Alike groups are in equally many sets of each bet. So it is enough that
    every set with one of the two groups, once that group is replaced by the other, is a set again.
    """
    if seemingly is None:
        seemingly = _seemingly_alike(shape, _degrees(shape))
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
    """Count the histograms of group hits that draws can produce."""
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
    """Count the multisets of hits of alike groups, indexed by the total of the hits."""
    table = [[0] * (BALLS + 1) for _ in range(groups + 1)]
    table[0][0] = 1
    for hit in range(1, min(size, BALLS) + 1):
        for used in range(1, groups + 1):
            for total in range(hit, BALLS + 1):
                table[used][total] += table[used - 1][total - hit]
    return tuple(sum(row[total] for row in table) for total in range(BALLS + 1))


def _histograms(shape: Shape, classes: Classes) -> Hits:
    """Return all histograms, one a column; in a class of alike groups the hits never rise.

    Columns grow group by group. A column is kept only if it can be completed, so there are never
    more columns than there are histograms in the end.
    """
    room = sum(shape.sizes)
    unmarked = NUMBERS - room
    columns = np.zeros((len(shape.sizes), 1), dtype=np.uint8)
    totals = np.zeros(1, dtype=np.int64)
    for members in classes:
        size = shape.sizes[members[0]]
        for position, group in enumerate(members):
            # Hits never rise within a class, so this hit limits what the rest of the class can add.
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
    """Return how many draws produce each histogram, that is each column of `hits`.

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
    """Return an array to look values up in; values above DRAWS, which no draw needs, are zero."""
    return np.array([value if value <= DRAWS else 0 for value in values], dtype=np.int64)
