"""The smallest ticket that can be bought for a rate, a spot count and a tier (15.3(d)-(e)).

The certifier judges a rate card by the wagers of these tickets. Each is a ticket of that rate
alone, with one wager on all its ways and the fewest ways that its types, the tier and the limits of
a ticket allow. More ways would divide the ticket's minimum price among them and hide what a smaller
ticket has to pay.

Possible numbers of ways are kept as the bits of an integer: bit n means that n ways are possible.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from math import comb
from operator import or_

from keno.domain.money import Cents
from keno.domain.ratecard import Rate, Tier
from keno.domain.wager import GROUPS_MAX, NUMBERS, TicketType

WAYS_JUDGED_MAX = 4_000
"""Maximum ways of a ticket that is considered; a list of 4,000 ways still fits a ticket's leaf."""

Bits = int


@dataclass(frozen=True, slots=True)
class TicketLimits:
    """A card's limits for every ticket: price of one game in cents, and maximum number of ways."""

    min_cents: Cents
    max_cents: Cents
    ways_max: int


@dataclass(frozen=True, slots=True)
class MinimumTicket:
    """The smallest ticket that can be bought for a rate, a spot count and a tier.

    `wager_cents` is its lowest wager per way; `price_cents` is its price for one game.
    """

    type: TicketType
    ways: int
    wager_cents: Cents
    highest_wager_cents: Cents
    """The highest wager per way, in cents, on a ticket of as many ways."""

    @property
    def price_cents(self) -> Cents:
        return self.ways * self.wager_cents


@dataclass(frozen=True)
class TierOffer:
    """One tier of a rate with a card's ticket limits; it finds the smallest ticket of the tier."""

    rate: Rate
    tier: Tier
    limits: TicketLimits

    def minimum_ticket(self, spots: int) -> MinimumTicket | None:
        """Return the ticket of fewest ways that has a way of these spots, at its lowest wager.

        Return None if no ticket with such a way can be bought in the tier.
        """
        paid = frozenset(self.rate.pays)
        by_type = {each: ways_of_type(each, spots, paid) for each in self.rate.types}
        possible = self.sellable & _union(by_type.values())
        if not possible:
            return None
        ways = _lowest(possible)
        return MinimumTicket(
            next(each for each in TicketType if by_type.get(each, 0) >> ways & 1),
            ways,
            self._lowest_wager(ways),
            self._on_step(min(self.rate.max_cents, self.limits.max_cents // ways)),
        )

    @cached_property
    def sellable(self) -> Bits:
        """As bits, the numbers of ways in this tier for which a wager within all limits exists."""
        later = [each.ways - 1 for each in self.rate.tiers if each.ways > self.tier.ways]
        most = min([WAYS_JUDGED_MAX, self.limits.ways_max, *later])
        digits = ("01"[self._within_limits(ways)] for ways in range(most, self.tier.ways - 1, -1))
        return int("".join(digits) or "0", 2) << self.tier.ways

    def _within_limits(self, ways: int) -> bool:
        wager = self._lowest_wager(ways)
        return wager <= self.rate.max_cents and ways * wager <= self.limits.max_cents

    def _lowest_wager(self, ways: int) -> Cents:
        """15.3(d): return the lowest wager per way, in cents, on a ticket of `ways` ways.

        It is the tier's minimum, raised by steps until the ticket reaches its minimum price.
        """
        missing = -(-self.limits.min_cents // ways) - self.tier.min_cents
        return (
            self.tier.min_cents + max(0, -(-missing // self.rate.step_cents)) * self.rate.step_cents
        )

    def _on_step(self, most: Cents) -> Cents:
        """Return the highest wager up to `most` cents that whole steps from the minimum reach."""
        steps = (most - self.tier.min_cents) // self.rate.step_cents
        return self.tier.min_cents + steps * self.rate.step_cents


# How many ways a ticket of each type can have.


def possible_ways(rate: Rate, spots: int) -> tuple[int, int] | None:
    """Return the fewest and the most ways of a ticket with a way of these spots, at any price.

    Return None if no ticket type of the rate can have such a way.
    """
    paid = frozenset(rate.pays)
    possible = _union(ways_of_type(each, spots, paid) for each in rate.types)
    return (_lowest(possible), possible.bit_length() - 1) if possible else None


def ways_of_type(kind: TicketType, spots: int, paid: frozenset[int]) -> Bits:
    """Return, as bits, the numbers of ways that a ticket of a type can have, up to WAYS_JUDGED_MAX.

    Every way has a spot count in `paid`, and at least one way has `spots` spots.
    """
    match kind:
        case TicketType.STRAIGHT:
            return 1 << 1
        case TicketType.SPLIT:
            # The most ways: one group of these spots, all others of the smallest paid size.
            return _between(2, 1 + (NUMBERS - spots) // min(paid))
        case TicketType.WAY:
            return _way_tickets(spots, paid)
        case TicketType.COMBINATION:
            return _between(
                _fewest_combined(spots, paid, unequal=True), _most_combined(spots, paid)
            )
        case TicketType.KING:
            # Eighty kings can be combined to every set of numbers.
            most = sum(comb(NUMBERS, each) for each in paid)
            return _between(_fewest_combined(spots, paid, unequal=False), most)


def _fewest_combined(spots: int, paid: frozenset[int], *, unequal: bool) -> int:
    """Return the fewest ways of a combination (`unequal`) or king ticket with a way of `spots`.

    A way of one spot combines no groups, so a second way has to combine some. Two equal groups
    alone are a way ticket, so a two-spot combination needs a second way too. If no paid way has two
    spots or more, return more ways than WAYS_JUDGED_MAX.
    """
    if max(paid) < 2:
        return WAYS_JUDGED_MAX + 1
    return 2 if spots == 1 or (spots == 2 and unequal) else 1


def _most_combined(spots: int, paid: frozenset[int]) -> int:
    """Return the most ways of a combination ticket of at most fifty groups with a way of `spots`.

    Only ways of 1, 2, or 78 and more spots have fewer sets than WAYS_JUDGED_MAX. Small ways have
    most sets if all groups are single numbers; 78 spots and more need a large group beside 49
    single numbers.
    """
    if any(2 < each < 78 for each in paid):
        return WAYS_JUDGED_MAX
    ones = GROUPS_MAX - 1
    beside_a_large_group = {1: ones, 2: comb(ones, 2), 78: comb(ones, 2), 79: ones, 80: 1}
    most = sum(beside_a_large_group[each] for each in paid) if max(paid) > 2 else 0
    if spots > 2 or 2 not in paid:
        return most
    return max(most, comb(GROUPS_MAX, 2) + NUMBERS * (1 in paid))


@lru_cache(maxsize=1024)
def _way_tickets(spots: int, paid: frozenset[int]) -> Bits:
    """15.2(c)3: return, as bits, the numbers of ways of a way ticket with a way of `spots`.

    All groups are equal in size, and a line takes all sets of one, two or more groups.
    """
    possible = 0
    for size in range(1, spots + 1):
        taken, rest = divmod(spots, size)
        if rest:
            continue
        for groups in range(max(2, taken), min(GROUPS_MAX, NUMBERS // size) + 1):
            alone = 1 << min(comb(groups, taken), WAYS_JUDGED_MAX + 1)
            sums = alone
            for count in _other_counts(groups, size, taken, paid):
                sums |= sums << count & _ALL
            # A ticket of single groups only is a split ticket.
            possible |= sums & ~alone if taken == 1 else sums
    return possible & _ALL


def _other_counts(groups: int, size: int, taken: int, paid: frozenset[int]) -> Iterator[int]:
    for many in range(1, groups + 1):
        if many != taken and many * size in paid:
            count = comb(groups, many)
            if count <= WAYS_JUDGED_MAX:
                yield count


def _between(low: int, high: int) -> Bits:
    high = min(high, WAYS_JUDGED_MAX)
    return (1 << (high + 1)) - (1 << low) if low <= high else 0


def _union(each: Iterable[Bits]) -> Bits:
    return reduce(or_, each, 0)


def _lowest(bits: Bits) -> int:
    return (bits & -bits).bit_length() - 1


_ALL: Bits = _between(1, WAYS_JUDGED_MAX)
