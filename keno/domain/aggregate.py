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
    """Return what each ticket is paid for the game in cents, in the order given.

    If the awards add up to more than `maximum`, they are reduced as `share` says, to add up to it.
    """
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


def share_if_among(
    winners: tuple[NDArray[np.int64], CentsArray],
    left_out: tuple[int, Cents],
    maximum: Cents,
    share: AggregateShare,
) -> Cents:
    """Return the cents that `left_out` would be paid if it were one of the winners.

    `winners` holds the ticket numbers and awards that share the maximum; `left_out` is one ticket
    number and its award, which has no share. What the winners are paid does not change.
    """
    tickets = np.append(winners[0], np.int64(left_out[0]))
    awards = np.append(winners[1], np.int64(left_out[1]))
    return int(share_awards(tickets, awards, maximum, share)[-1])


def share_bounds(
    award: Cents, total: Cents, maximum: Cents, share: AggregateShare
) -> tuple[Cents, Cents]:
    """Return the least and most cents that one award can be paid, given the total of all awards.

    They are the award itself if nothing is shared, and a cent apart at most in a plain proportion.
    What a card pays in full beforehand depends on all awards, so with FullUpTo the bounds are
    wider.
    """
    if total <= maximum:
        return award, award
    in_proportion = award * maximum // total
    in_full = min(award, share.cents) if isinstance(share, FullUpTo) else 0
    least = min(in_full, in_proportion) if isinstance(share, FullUpTo) else in_proportion
    return least, in_full - ((in_full - award) * maximum // total)


STORED_MAX = 2**63 - 1
"""Maximum integer that a column of the ledger holds."""


def stored_total(total: Cents) -> Cents:
    """Return the total of a game's awards before sharing as the ledger stores it.

    A total that no column holds is stored as STORED_MAX; the awards themselves are stored exactly.
    """
    return min(total, STORED_MAX)


def exact_sum(cents: CentsArray) -> Cents:
    """Return the sum as a Python integer, which cannot overflow as a numpy int64 sum could."""
    low = int((cents & 0xFFFFFFFF).sum(dtype=np.int64))
    return (int((cents >> 32).sum(dtype=np.int64)) << 32) + low


def _in_proportion(tickets: NDArray[np.int64], awards: CentsArray, amount: Cents) -> CentsArray:
    """Divide `amount` among the tickets in proportion to their awards, in whole cents.

    `amount` is at most the sum of the awards. The parts add up to it exactly.
    """
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
