"""Computes the exact odds of a draft for the writer's page. Pure; it can take over a second."""

from fractions import Fraction
from typing import Any

from keno.domain.exact import decimal, percent
from keno.domain.odds import STATION_STEPS, catch_probability, maximum_sentence, ticket_odds
from keno.domain.pricing import Priced

ROWS_MAX = 4
WHOLE_FROM = 100
"""Minimum odds against (to one) that are written without a decimal."""


def chances(priced: Priced, draft: int) -> dict[str, Any]:
    """Return the odds of a priced draft as the page shows them.

    They are the odds of each spot count's best award and of any award, the house advantage, and the
    effect of the maximum of a game. `draft` is the page's number of the draft.
    """
    odds = ticket_odds(priced, STATION_STEPS)
    any_award = odds.win_probability
    at_least = "at least " if odds.house_advantage_at_least else ""
    return {
        "draft": draft,
        "rows": _rows(priced),
        "any": None if any_award is None else to_one(any_award),
        "advantage": f"{at_least}{percent(odds.house_advantage, 1)} %",
        "maximum": maximum_sentence(odds),
        "maximum_cents": odds.maximum_cents,
    }


def _rows(priced: Priced) -> list[dict[str, Any]]:
    """Return the highest award of each spot count, with its catch and odds.

    The largest spot counts come first, at most `ROWS_MAX`.
    """
    best: dict[int, tuple[int, int]] = {}
    request = priced.request
    for line in request.lines:
        for spots in request.spots_of(line):
            pays = priced.card.payoffs(line.rate, spots, line.wager_cents)
            award, catch = max((cents, catch) for catch, cents in enumerate(pays))
            best[spots] = max(best.get(spots, (0, 0)), (award, catch))
    return [
        {
            "what": f"{catch} of {spots}",
            "award_cents": award,
            "odds": to_one(catch_probability(spots, catch)),
        }
        for spots, (award, catch) in sorted(best.items(), reverse=True)[:ROWS_MAX]
    ]


def to_one(probability: Fraction) -> str:
    """Format a probability as odds against: ``6.2 to 1``, ``230,113 to 1``.

    A probability of zero is ``never``.
    """
    if probability == 0:
        return "never"
    against = Fraction(1 - probability, probability)
    if against >= WHOLE_FROM:
        return f"{int(against):,} to 1"
    return f"{decimal(against, 1)} to 1"
