"""Made-up patrons: random keno requests and tender, from a seeded generator."""

from random import Random

from keno.domain.money import format_plain
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from tests.simulation.acts import coupon

CASH_KINDS = (
    TenderKind.CURRENCY,
    TenderKind.CURRENCY,
    TenderKind.COIN,
    TenderKind.GAMING_CHIPS,
    TenderKind.SLOT_TOKENS,
)


def marks(chance: Random, *sizes: int) -> list[str]:
    """Disjoint groups of random numbers."""
    numbers = chance.sample(range(1, 81), sum(sizes))
    groups = []
    for size in sizes:
        groups.append(" ".join(map(str, sorted(numbers[:size]))))
        numbers = numbers[size:]
    return groups


def wager(chance: Random) -> str:
    return format_plain(chance.choice((1_00, 1_00, 1_05, 2_00, 5_00, 12_35, 20_00)))


def request_text(chance: Random) -> str:
    """A request of any ticket type for one game, in the text form."""
    return chance.choice(REQUESTS)(chance)


def _straight(chance: Random, least: int = 1, most: int = 6) -> str:
    spots = chance.randint(least, most)
    return f"{marks(chance, spots)[0]}: 1/{spots}@{wager(chance)}"


def _solid(chance: Random) -> str:
    return _straight(chance, 7, 10)


def _split(chance: Random) -> str:
    return f"{'/'.join(marks(chance, 3, 3, 3))}: 3/3@{wager(chance)}"


def _uneven_split(chance: Random) -> str:
    groups = "/".join(marks(chance, 2, 4, 5))
    return f"{groups}: A@{wager(chance)} B@{wager(chance)} C@1.00"


def _way(chance: Random) -> str:
    size, price = chance.randint(2, 4), wager(chance)
    return f"{'/'.join(marks(chance, size, size, size))}: 3/{2 * size}@{price} 3/{size}@{price}"


def _many_ways(chance: Random) -> str:
    return f"{'/'.join(marks(chance, *[2] * 8))}: 28/4@0.25 56/6@0.25"


def _combination(chance: Random) -> str:
    return f"{'/'.join(marks(chance, 2, 3, 3))}: AB,ABC@{wager(chance)} C@{wager(chance)}"


def _king(chance: Random) -> str:
    group, other, king = marks(chance, 3, 4, 1)
    return f"{group}/{other}/K{king}: AK1,BK1,ABK1@{wager(chance)} A@1.00"


def _kings(chance: Random) -> str:
    kings = "/".join(f"K{king}" for king in marks(chance, 1, 1, 1))
    return f"{kings}: K1K2,K1K3,K1K2K3@{wager(chance)}"


def _special(chance: Random) -> str:
    spots = chance.randint(2, 8)
    return f"{marks(chance, spots)[0]}: 1/{spots}@{chance.choice(('1.25', '2.50', '5.00'))}S"


REQUESTS = (_straight, _straight, _solid, _split, _uneven_split, _way, _many_ways, _combination,
            _king, _kings, _special)  # fmt: skip


def with_games(chance: Random, text: str) -> str:
    """The same for several games, sometimes at the rate that is for five games or more."""
    if chance.random() < 0.3:
        spots = chance.randint(1, 4)
        text = f"{marks(chance, spots)[0]}: 1/{spots}@{chance.choice(('0.50', '2.00'))}5race"
        return f"{text} x{chance.randint(5, 12)}"
    return f"{text} x{chance.randint(2, 9)}"


def tender_for(
    chance: Random, price_cents: int, serial: str, issued: dict[str, int], *, rich: bool
) -> tuple[Tender, ...]:
    """Random kinds that make the price, sometimes more: coupons of others and of the house too.

    Chips and tokens are changed only where the drawer is rich enough.
    """
    parts: list[Tender] = []
    left = price_cents
    fitting = [each for each, cents in issued.items() if cents <= left]
    if fitting and chance.random() < 0.5:
        spent = chance.choice(fitting)
        parts.append(coupon(issued[spent], spent))
        left -= issued[spent]
    if left and chance.random() < 0.25:
        cents = chance.randint(1, left)
        parts.append(coupon(cents, serial))
        left -= cents
    while left:
        cents = left if chance.random() < 0.7 else chance.randint(1, left)
        kind = chance.choice(CASH_KINDS)
        left -= cents
        if chance.random() < 0.3 and (rich or kind in CASH_KINDS[:3]):
            cents += chance.randint(1, 25_00)  # what is beyond the price is change
        parts.append(Tender(kind, cents))
    return tuple(parts)
