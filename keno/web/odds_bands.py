"""The chances of a ticket as a picture: how many of a hundred games pay, and bands of awards. Pure.

The first band holds awards up to the price of a game; above it bands go by powers of ten dollars.
Decades that are rarer than one in a million are told together with the one below, and there are
five bands at most.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from keno.domain.money import Cents
from keno.domain.odds import TicketOdds

BANDS_MAX = 5
RARE = Fraction(1, 1_000_000)


@dataclass
class Band:
    """Awards from one amount to another, and the chance of any of them."""

    low_cents: Cents
    high_cents: Cents
    chance: Fraction

    def joined(self, above: "Band") -> "Band":
        return Band(self.low_cents, above.high_cents, self.chance + above.chance)


def picture(odds: TicketOdds) -> dict[str, Any] | None:
    """What a page draws of the odds of one game; nothing if they are too intricate."""
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
    """Awards with their chances, ascending, in at most five bands."""
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
    """How many times as often it does not happen, for drawing."""
    return float((1 - chance) / chance)


def to_one(chance: Fraction) -> str:
    """Odds against: ``6.2 to 1``; whole numbers from a hundred on."""
    if not chance:
        return "never"
    odds = (1 - chance) / chance
    if odds >= 100:
        return f"{round(odds):,} to 1"
    tenths = round(odds * 10)
    return f"{tenths // 10}.{tenths % 10} to 1"
