"""The maximum aggregate payoff of a game, shared to the cent (15.3(e)).

Awards here are per ticket and game, after each way was limited to the maximum. If they add up to
more than the maximum, they are shared so that they add up to it exactly: whole cents by largest
remainder, ties to the lower ticket number. A million winners have few different awards, so the
exact arithmetic is done once for each different award.
"""

import numpy as np
from numpy.typing import NDArray

from keno.domain.money import Cents
from keno.domain.ratecard import AggregateShare, FullUpTo

CentsArray = NDArray[np.int64]


def share_awards(
    tickets: NDArray[np.int64], awards: CentsArray, maximum: Cents, share: AggregateShare
) -> CentsArray:
    """What each ticket is paid for the game; the same order as given."""
    if len(set(awards.shape + tickets.shape)) > 1:
        raise ValueError("each award belongs to one ticket")
    if awards.size and int(awards.min()) < 0:
        raise ValueError("an award is never negative")
    if exact_sum(awards) <= maximum:
        return awards.copy()
    if isinstance(share, FullUpTo):
        in_full = np.minimum(awards, share.cents)
        rest = maximum - exact_sum(in_full)
        if rest >= 0:
            return in_full + _in_proportion(tickets, awards - in_full, rest)
    return _in_proportion(tickets, awards, maximum)


def exact_sum(cents: CentsArray) -> Cents:
    """The sum as a Python integer: a game of enormous awards must not wrap around."""
    low = int((cents & 0xFFFFFFFF).sum(dtype=np.int64))
    return (int((cents >> 32).sum(dtype=np.int64)) << 32) + low


def _in_proportion(tickets: NDArray[np.int64], awards: CentsArray, amount: Cents) -> CentsArray:
    """Share an amount, at most the sum of the awards, in proportion to them."""
    total = exact_sum(awards)
    if total == 0:
        return np.zeros_like(awards)
    values, which = np.unique(awards, return_inverse=True)
    shares = [divmod(int(value) * amount, total) for value in values]
    paid: CentsArray = np.array([whole for whole, _ in shares], dtype=np.int64)[which]
    left = amount - exact_sum(paid)
    if left:
        ranked = sorted({remainder for _, remainder in shares}, reverse=True)
        rank_of = {remainder: rank for rank, remainder in enumerate(ranked)}
        rank = np.array([rank_of[remainder] for _, remainder in shares], dtype=np.int64)[which]
        paid[np.lexsort((tickets, rank))[:left]] += 1
    return paid
