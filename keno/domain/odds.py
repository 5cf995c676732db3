"""Exact odds: of one catch, of one wager, and of a whole ticket whose ways share numbers.

A ticket's award depends on how many numbers each group catches. Groups that the conditioning
cannot tell apart are counted together, so draws are weighed by *histograms* of group hits, never
one by one: there are 3.5 quintillion draws and a few thousand histograms.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray

from keno.domain.grading import Bet, Hits, Shape, pack_mask, shape_awards, shape_of, unpack
from keno.domain.money import Cents, format_dollars
from keno.domain.pricing import Priced
from keno.domain.ratecard import Rate, catches
from keno.domain.wager import BALLS, NUMBERS, TicketType

DRAWS = comb(NUMBERS, BALLS)
"""Every count of draws is at most this, which fits 64 bits with room to spare."""
HISTOGRAMS_MAX = 100_000
"""Beyond so many histograms the award distribution is not worked out, only mean and variance."""
PATRON_STEPS = 100_000_000
"""Maximum work on the odds that a patron asks for, in steps."""
STATION_STEPS = 10 * PATRON_STEPS
"""Maximum work on the odds that a writer's station asks for, in steps."""
PAIR_ROWS_AT_ONCE = 256


@cache
def draws_catching(spots: int, catch: int) -> int:
    """How many draws catch exactly so many of so many spots."""
    if catch > BALLS:
        return 0
    return comb(spots, catch) * comb(NUMBERS - spots, BALLS - catch)


def catch_probability(spots: int, catch: int) -> Fraction:
    """Hypergeometric, 20 of 80."""
    return Fraction(draws_catching(spots, catch), DRAWS)


def house_advantage(rate: Rate, spots: int, wager_cents: Cents, maximum: Cents) -> Fraction:
    """15.1: one less what comes back on average, with the maximum payoff applied."""
    most = maximum * rate.base_cents
    back = sum(
        draws_catching(spots, catch) * min(cents * wager_cents, most)
        for catch, cents in rate.pays[spots].items()
    )
    return 1 - Fraction(back, DRAWS * rate.base_cents * wager_cents)


class MaximumEffect(StrEnum):
    """What the maximum payoff of a game does to the award of one ticket (15.3(e))."""

    NONE = "none"
    LIMITS = "limits"
    MAY_LIMIT = "may_limit"


@dataclass(frozen=True)
class TicketOdds:
    """What one game of a ticket pays if no other ticket wins.

    `awards` and `variance` are None where they are too much work. All figures reckon with the
    maximum payoff, unless `maximum` is MAY_LIMIT: mean and variance are then those before it, so
    the mean is at most, and the house advantage at least, what is given.
    """

    type: TicketType
    ways: int
    spots_marked: int
    price_cents: Cents
    mean_cents: Fraction
    variance: Fraction | None
    awards: tuple[tuple[Cents, Fraction], ...] | None
    maximum_cents: Cents
    maximum: MaximumEffect

    @property
    def house_advantage(self) -> Fraction:
        return 1 - Fraction(self.mean_cents, self.price_cents)

    @property
    def house_advantage_at_least(self) -> bool:
        """The house advantage may be more than what is given."""
        return self.maximum is MaximumEffect.MAY_LIMIT

    @property
    def win_probability(self) -> Fraction | None:
        if self.awards is None:
            return None
        least, chance = self.awards[0]
        return Fraction(1) if least else 1 - chance

    @property
    def award_max_cents(self) -> Cents | None:
        return None if self.awards is None else self.awards[-1][0]


def maximum_sentence(odds: TicketOdds) -> str | None:
    """What the maximum does to these odds, in the words of every screen; None if nothing."""
    at_most = f"One game pays at most {format_dollars(odds.maximum_cents)} in all"
    match odds.maximum:
        case MaximumEffect.LIMITS:
            return (
                f"{at_most}, so the largest awards of this ticket are limited to that; "
                "these figures reckon with it."
            )
        case MaximumEffect.MAY_LIMIT:
            return (
                f"{at_most}. On paper this ticket could win more, so its house advantage is at "
                "least what is shown."
            )
        case _:
            return None


def ticket_odds(priced: Priced, steps_max: int | None = None) -> TicketOdds:
    """The exact odds of one game of a priced request, as far as `steps_max` steps of work go."""
    request, shape = priced.request, shape_of(priced)
    maximum_cents = priced.card.aggregate_max_cents
    mean = mean_award(shape)
    awards = award_distribution(shape, maximum_cents) if steps_max is None or steps_max else None
    variance: Fraction | None
    if awards is not None:
        capped = sum((chance * cents for cents, chance in awards), Fraction(0))
        effect = MaximumEffect.NONE if capped == mean else MaximumEffect.LIMITS
        mean = capped
        variance = sum((chance * cents**2 for cents, chance in awards), Fraction(0)) - mean**2
    else:
        highest = sum(bet.ways * max(bet.pays) for bet in shape.bets)
        effect = MaximumEffect.NONE if highest <= maximum_cents else MaximumEffect.MAY_LIMIT
        many = steps_max is not None and sum(bet.ways for bet in shape.bets) ** 2 > steps_max
        variance = None if many else _second_moment_by_pairs(shape) - mean**2
    return TicketOdds(
        type=request.type,
        ways=request.ways,
        spots_marked=request.spots_marked,
        price_cents=request.price_one_game_cents,
        mean_cents=mean,
        variance=variance,
        awards=awards,
        maximum_cents=maximum_cents,
        maximum=effect,
    )


def mean_award(shape: Shape) -> Fraction:
    """Means add up whether or not ways share numbers."""
    draws = sum(
        bet.ways * draws_catching(bet.spots, catch) * bet.pays[catch]
        for bet in shape.bets
        for catch in catches(bet.spots)
    )
    return Fraction(draws, DRAWS)


# The distribution of the total award, by histograms of group hits.


def award_distribution(
    shape: Shape, maximum_cents: Cents
) -> tuple[tuple[Cents, Fraction], ...] | None:
    """Each possible award with its probability, ascending; None above HISTOGRAMS_MAX.

    No award exceeds the maximum payoff of a game.
    """
    classes = alike_groups(shape)
    if count_histograms(shape, classes) > HISTOGRAMS_MAX:
        return None
    hits = _histograms(shape, classes)
    awards = np.minimum(shape_awards(shape, hits), maximum_cents)
    draws = _draws_of(shape, classes, hits)
    values, where = np.unique(awards, return_inverse=True)
    totals = np.zeros(len(values), dtype=np.int64)
    np.add.at(totals, where, draws)
    return tuple(
        (int(cents), Fraction(int(count), DRAWS))
        for cents, count in zip(values, totals, strict=True)
    )


def alike_groups(shape: Shape) -> list[list[int]]:
    """Groups sorted into classes whose members may be exchanged without changing any award.

    Two groups are alike if they are equal in size and exchanging them turns the listed sets of
    every bet into themselves. Exchanges of two generate all others, so a class is interchangeable
    as a whole.
    """
    listed = [
        frozenset(sum(1 << index for index in each) for each in bet.sets)
        for bet in shape.bets
        if bet.sets is not None
    ]
    classes: list[list[int]] = []
    for index, size in enumerate(shape.sizes):
        for members in classes:
            first = members[0]
            if shape.sizes[first] == size and _exchangeable(first, index, listed):
                members.append(index)
                break
        else:
            classes.append([index])
    return classes


def _exchangeable(a: int, b: int, listed: list[frozenset[int]]) -> bool:
    both = (1 << a) | (1 << b)
    return all(
        each ^ both in sets
        for sets in listed
        for each in sets
        if each & both and each & both != both
    )


def count_histograms(shape: Shape, classes: list[list[int]]) -> int:
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


def _histograms(shape: Shape, classes: list[list[int]]) -> Hits:
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


def _draws_of(shape: Shape, classes: list[list[int]], hits: Hits) -> NDArray[np.int64]:
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


# The variance of any ticket, however complex, by pairs of ways.


def _second_moment_by_pairs(shape: Shape) -> Fraction:
    """E[award^2] as a sum over pairs of ways, counted by how many spots a pair shares."""
    draws = 0
    for one, other in product(shape.bets, repeat=2):
        for shared, pairs in _pairs_by_shared_spots(one, other, shape.sizes).items():
            draws += pairs * _joint_pay(one.spots, other.spots, shared, one.pays, other.pays)
    return Fraction(draws, DRAWS)


@lru_cache(maxsize=4096)
def _joint_pay(
    spots: int, other_spots: int, shared: int, pays: tuple[Cents, ...], other: tuple[Cents, ...]
) -> int:
    """Sum over all draws of the product of what two ways pay, which share some spots."""
    only, other_only = spots - shared, other_spots - shared
    outside = NUMBERS - shared - only - other_only
    return sum(
        comb(shared, both)
        * comb(only, mine)
        * comb(other_only, yours)
        * comb(outside, BALLS - both - mine - yours)
        * pays[both + mine]
        * other[both + yours]
        for both in range(min(shared, BALLS) + 1)
        for mine in range(min(only, BALLS - both) + 1)
        if pays[both + mine]
        for yours in range(min(other_only, BALLS - both - mine) + 1)
    )


def _pairs_by_shared_spots(one: Bet, other: Bet, sizes: tuple[int, ...]) -> Counter[int]:
    """How many pairs of ways, one of each bet, share each number of spots."""
    if one.sets is None and other.sets is None:
        return _pairs_every_every(one.spots, other.spots, sizes)
    if one.sets is not None and other.sets is not None:
        return _pairs_listed_listed(one.sets, other.sets, sizes)
    if one.sets is None:
        one, other = other, one
    pairs: Counter[int] = Counter()
    for members in one.sets or ():
        inside = tuple(sorted(sizes[index] for index in members))
        outside = tuple(sorted(size for index, size in enumerate(sizes) if index not in members))
        pairs.update(_sharing(inside, outside, other.spots))
    return pairs


@lru_cache(maxsize=4096)
def _sharing(inside: tuple[int, ...], outside: tuple[int, ...], spots: int) -> Counter[int]:
    """Sets that total `spots`, by how many of those come from the groups inside."""
    within, without = [1] + [0] * spots, [1] + [0] * spots
    for sizes, counts in ((inside, within), (outside, without)):
        for size in sizes:
            for total in range(spots, size - 1, -1):
                counts[total] += counts[total - size]
    return Counter(
        {shared: within[shared] * without[spots - shared] for shared in range(spots + 1)}
    )


def _pairs_every_every(spots: int, other_spots: int, sizes: tuple[int, ...]) -> Counter[int]:
    """Each group is in neither set, in one, in the other or in both: multiply that out."""
    top = min(spots, other_spots)
    # Counts may wrap at 2^64 on the way; there are far fewer pairs than that in the end.
    sums = np.zeros((spots + 1, other_spots + 1, top + 1), dtype=np.int64)
    sums[0, 0, 0] = 1
    for size in sizes:
        before = sums.copy()
        if size <= spots:
            sums[size:] += before[: spots + 1 - size]
        if size <= other_spots:
            sums[:, size:] += before[:, : other_spots + 1 - size]
        if size <= top:
            sums[size:, size:, size:] += before[
                : spots + 1 - size, : other_spots + 1 - size, : top + 1 - size
            ]
    return Counter({shared: int(sums[spots, other_spots, shared]) for shared in range(top + 1)})


def _pairs_listed_listed(
    one: tuple[tuple[int, ...], ...], other: tuple[tuple[int, ...], ...], sizes: tuple[int, ...]
) -> Counter[int]:
    """Pair by pair: only these were chosen, so there is nothing to multiply out."""
    rows, columns = _number_masks(one, sizes), _number_masks(other, sizes)
    pairs: NDArray[np.int64] = np.zeros(NUMBERS + 1, dtype=np.int64)
    for start in range(0, len(rows), PAIR_ROWS_AT_ONCE):
        piece = rows[start : start + PAIR_ROWS_AT_ONCE, None]
        shared = np.bitwise_count(piece["low"] & columns["low"])
        shared += np.bitwise_count(piece["high"] & columns["high"])
        pairs += np.bincount(shared.ravel(), minlength=NUMBERS + 1)
    return Counter({spots: int(count) for spots, count in enumerate(pairs) if count})


def _number_masks(sets: tuple[tuple[int, ...], ...], sizes: tuple[int, ...]) -> NDArray[np.void]:
    """Each set as bits, a group of n spots being n bits of its own."""
    bits = [((1 << size) - 1) << sum(sizes[:index]) for index, size in enumerate(sizes)]
    return unpack(b"".join(pack_mask(sum(bits[index] for index in each)) for each in sets))
