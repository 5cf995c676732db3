"""What a game could cost the house: statistics of its total awards over simulated draws."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

from keno.domain.money import Cents


@dataclass(frozen=True)
class Spread:
    """Statistics in cents of a game's total award over `draws` simulated draws.

    The totals are those before the maximum is shared: the house pays at most the maximum.
    `p90_cents` is the least total that at least 90 percent of the draws do not exceed.
    """

    draws: int
    mean_cents: Cents
    standard_deviation_cents: Cents
    p50_cents: Cents
    p90_cents: Cents
    p99_cents: Cents
    largest_cents: Cents
    reached_maximum: int
    """Number of draws whose total reached or exceeded the maximum."""


def spread(totals: Sequence[Cents], maximum: Cents) -> Spread:
    """Return the statistics of a game's totals in cents, one total for each simulated draw.

    Raise ValueError for fewer than two. The mean is rounded to the cent, the deviation down to it.
    """
    count = len(totals)
    if count < 2:
        raise ValueError("one draw has no spread")
    ranked = sorted(totals)
    total, squares = sum(ranked), sum([each * each for each in ranked])
    variance = (count * squares - total * total) // (count * (count - 1))
    return Spread(
        draws=count,
        mean_cents=(2 * total + count) // (2 * count),
        standard_deviation_cents=isqrt(variance),
        p50_cents=_percentile(ranked, 50),
        p90_cents=_percentile(ranked, 90),
        p99_cents=_percentile(ranked, 99),
        largest_cents=ranked[-1],
        reached_maximum=sum(each >= maximum for each in ranked),
    )


def _percentile(ranked: Sequence[Cents], percent: int) -> Cents:
    """Return the least total that at least `percent` percent of the sorted totals do not exceed."""
    return ranked[-(-percent * len(ranked) // 100) - 1]
