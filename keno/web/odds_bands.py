"""The chances of a ticket as data for a picture: wins in a hundred games, and bands of awards.

A band is a range of awards with the chance of winning one of them. The first band has awards up to
the price of a game; above it there is one band for each power of ten dollars. Bands rarer than one
in a million are joined with the band below. There are at most five bands.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from keno.domain.money import Cents
from keno.domain.odds import TicketOdds

BANDS_MAX = 5
"""Maximum number of bands."""
RARE = Fraction(1, 1_000_000)
"""Chance below which a band is joined with the one below it."""


@dataclass
class Band:
    """A range of awards in cents, both ends included, and the chance that one of them is won."""

    low_cents: Cents
    high_cents: Cents
    chance: Fraction

    def joined(self, above: "Band") -> "Band":
        return Band(self.low_cents, above.high_cents, self.chance + above.chance)


def picture(odds: TicketOdds) -> dict[str, Any] | None:
    """Return the data of the picture for one game of a ticket; None if its odds are too complex."""
    if odds.awards is None or odds.win_probability is None:
        return None
    paying = [(cents, chance) for cents, chance in odds.awards if cents]
    more = sum((chance for cents, chance in paying if cents > odds.price_cents), Fraction(0))
    return {
        "of_100": round(odds.win_probability * 100),
        "more_of_100": round(more * 100),
        "any": to_one(odds.win_probability),
        "bands": [
            {
                "low_cents": band.low_cents,
                "high_cents": band.high_cents,
                "odds": to_one(band.chance),
                "against": against(band.chance),
            }
            for band in bands(paying, odds.price_cents)
        ],
    }


def bands(paying: list[tuple[Cents, Fraction]], price_cents: Cents) -> list[Band]:
    """Return at most `BANDS_MAX` bands for awards, given with their chances in ascending order."""
    found: list[Band] = []
    last = ""
    for cents, chance in paying:
        key = "up to the price" if cents <= price_cents else str(len(str(cents)))
        band = Band(cents, cents, chance)
        if key == last:
            found[-1] = found[-1].joined(band)
        else:
            found.append(band)
        last = key
    while len(found) > 2 and found[-1].chance < RARE:
        found[-2:] = [found[-2].joined(found[-1])]
    first = 1 if found and found[0].low_cents <= price_cents else 0
    while len(found) > BANDS_MAX:
        found[first : first + 2] = [found[first].joined(found[first + 1])]
    return found


def against(chance: Fraction) -> int | float:
    """Return the odds against a chance as a number: 6.2 means 6.2 to 1."""
    return float((1 - chance) / chance)


def to_one(chance: Fraction) -> str:
    """Return the odds against a chance as text: ``6.2 to 1``, or ``never`` for chance 0.

    From 100 on the odds are whole.
    """
    if not chance:
        return "never"
    odds = (1 - chance) / chance
    if odds >= 100:
        return f"{round(odds):,} to 1"
    tenths = round(odds * 10)
    return f"{tenths // 10}.{tenths % 10} to 1"
