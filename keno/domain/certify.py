"""The rules a rate card must keep (15.2(b), 15.3(d)-(e), 15.6(c)), checked on what was read.

The minimum wager that can be bought for every rate, spot count and tier gets its exact house
advantage and a verdict. All faults are reported together; each has a code and a sentence that says
where, and what to change.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from fractions import Fraction

from keno.domain import exact
from keno.domain.errors import counted
from keno.domain.minimum_ticket import (
    WAYS_JUDGED_MAX,
    MinimumTicket,
    TicketLimits,
    TierOffer,
    possible_ways,
)
from keno.domain.money import Cents, format_dollars
from keno.domain.odds import house_advantage
from keno.domain.ratecard import (
    AGGREGATE_MIN_CENTS,
    CLAIM_MINUTES_MAX,
    CLAIM_MINUTES_MIN,
    HOUSE_ADVANTAGE_MAX,
    AggregateShare,
    FullUpTo,
    Rate,
    RateCard,
    Tier,
    catches,
)


class Rules(IntEnum):
    """What a card was judged by. The ledger keeps it with the card, and the audit asks for it."""

    POSTED_MINIMUMS = 1
    """Each posted minimum was judged, even if no ticket could be bought at it."""
    BOUGHT_MINIMUMS = 2
    """The minimum that can be bought is judged, and a card must be sellable."""


RULES_NOW = Rules.BOUGHT_MINIMUMS


class CardFault(StrEnum):
    """Everything that can be wrong with a card."""

    MISSING_FIELD = "missing_field"
    UNKNOWN_FIELD = "unknown_field"
    WRONG_TYPE = "wrong_type"
    OUT_OF_RANGE = "out_of_range"
    BAD_CODE = "bad_code"
    BAD_MARK = "bad_mark"
    MARK_TAKEN = "mark_taken"
    UNKNOWN_TYPE = "unknown_type"
    UNKNOWN_DEFAULT_RATE = "unknown_default_rate"
    TOO_LARGE = "too_large"
    TIERS_OUT_OF_ORDER = "tiers_out_of_order"
    MINIMUM_STATED_TWICE = "minimum_stated_twice"
    MINIMUM_ABOVE_MAXIMUM = "minimum_above_maximum"
    MAXIMUM_NOT_REACHED = "maximum_not_reached"
    TICKET_MAX_TOO_LOW = "ticket_max_too_low"
    TICKET_MIN_TOO_HIGH = "ticket_min_too_high"
    WAYS_MAX_TOO_LOW = "ways_max_too_low"
    NEVER_SOLD = "never_sold"
    TIER_NEVER_REACHED = "tier_never_reached"
    GAMES_MIN_ABOVE_MAX = "games_min_above_max"
    CLAIM_STATED_TWICE = "claim_stated_twice"
    CLAIM_TOO_SHORT = "claim_too_short"
    CLAIM_TOO_LONG = "claim_too_long"
    AGGREGATE_TOO_LOW = "aggregate_too_low"
    SHARE_ABOVE_AGGREGATE = "share_above_aggregate"
    IMPOSSIBLE_CATCH = "impossible_catch"
    SPOTS_ABOVE_MAX = "spots_above_max"
    SPOTS_NOT_PAID = "spots_not_paid"
    NOT_WHOLE_CENTS = "not_whole_cents"
    OVER_LIMIT = "over_limit"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class FoundFault:
    """One thing that is wrong with a card, and a sentence that says where."""

    code: CardFault
    message: str


class Verdict(StrEnum):
    """What 15.3(e) says of one posted minimum."""

    OK = "ok"
    OVER_LIMIT = "over_limit"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class WagerVerdict:
    """The minimum wager of a rate, spot count and tier, with its exact house advantage."""

    rate: str
    spots: int
    wager_cents: Cents
    house_advantage: Fraction
    at_maximum: Fraction
    tier_ways: int
    """The tier holds from this number of ways on a ticket."""
    ticket: MinimumTicket | None
    """The ticket that was judged. None: the posted minimum was, because none can be bought."""

    @property
    def verdict(self) -> Verdict:
        """At most 30 percent passes; a card that gives money away is a misprint."""
        if self.house_advantage > HOUSE_ADVANTAGE_MAX:
            return Verdict.OVER_LIMIT
        return Verdict.NEGATIVE if self.house_advantage < 0 else Verdict.OK


def wager_verdicts(
    rates: Mapping[str, Rate], aggregate_max_cents: Cents, limits: TicketLimits | None
) -> list[WagerVerdict]:
    """Every rate, spot count and tier; without limits of a ticket, at the posted minimum."""
    return [
        verdict
        for rate in rates.values()
        for verdict in _verdicts_of_rate(rate, aggregate_max_cents, limits)
    ]


def card_verdicts(card: RateCard) -> list[WagerVerdict]:
    """Every rate, spot count and tier of a card that could be read."""
    return wager_verdicts(card.rates, card.aggregate_max_cents, ticket_limits(card))


def stated_advantages(card: RateCard) -> dict[tuple[str, int], WagerVerdict]:
    """By rate and spots what a rate card states: the verdict of the first tier."""
    return {(each.rate, each.spots): each for each in reversed(card_verdicts(card))}


def ticket_limits(card: RateCard) -> TicketLimits:
    return TicketLimits(card.ticket_min_cents, card.ticket_max_cents, card.ways_max)


def _verdicts_of_rate(
    rate: Rate, maximum: Cents, limits: TicketLimits | None
) -> Iterator[WagerVerdict]:
    offers = [None if limits is None else TierOffer(rate, tier, limits) for tier in rate.tiers]
    for spots in rate.pays:
        for tier, offer in zip(rate.tiers, offers, strict=True):
            ticket = None if offer is None else offer.minimum_ticket(spots)
            wager, highest = _judged(rate, tier, ticket)
            advantage = house_advantage(rate, spots, wager, maximum)
            at_maximum = house_advantage(rate, spots, highest, maximum)
            yield WagerVerdict(rate.code, spots, wager, advantage, at_maximum, tier.ways, ticket)


def _judged(rate: Rate, tier: Tier, ticket: MinimumTicket | None) -> tuple[Cents, Cents]:
    if ticket is None:
        return tier.min_cents, rate.highest_wager_cents(tier.min_cents)
    return ticket.wager_cents, ticket.highest_wager_cents


def check_advantage(wagers: list[WagerVerdict]) -> Iterator[FoundFault]:
    """15.3(e): the house advantage at a minimum wager is at most 30 percent."""
    for wager in wagers:
        advantage = wager.house_advantage
        stated = f"{exact.percent(advantage)}% ({exact.ratio(advantage)})"
        if wager.verdict is Verdict.OVER_LIMIT:
            yield FoundFault(
                CardFault.OVER_LIMIT,
                f"{_named(wager)} has a house advantage of {stated}; 15.3(e) allows 30% at most.",
            )
        elif wager.verdict is Verdict.NEGATIVE:
            yield FoundFault(
                CardFault.NEGATIVE, f"{_named(wager)} pays back more than it takes: {stated}."
            )


def _named(wager: WagerVerdict) -> str:
    spots, dollars = counted(wager.spots, "spot"), format_dollars(wager.wager_cents)
    at = f"rates.{wager.rate}: {spots} at {dollars}"
    return at if wager.ticket is None else f"{at} a way, {ticket_text(wager.ticket)},"


def ticket_text(ticket: MinimumTicket) -> str:
    """``on a straight ticket of 1 way for $1.00``: the ticket that was judged."""
    ways, price = counted(ticket.ways, "way"), format_dollars(ticket.price_cents)
    return f"on a {ticket.type} ticket of {ways} for {price}"


def check_sold(
    rates: Mapping[str, Rate], wagers: list[WagerVerdict], limits: TicketLimits
) -> Iterator[FoundFault]:
    """15.3(d): every rate, spot count and tier that is posted can be bought."""
    for rate in rates.values():
        if not rate.types or any(check_minima(rate)):
            continue  # a fault of its own, reported as such
        judged = [wager for wager in wagers if wager.rate == rate.code]
        bought = {wager.spots for wager in judged if wager.ticket is not None}
        unsold = [spots for spots in rate.pays if spots not in bought]
        if unsold:
            yield _why_unsold(rate, unsold[0], limits)
            continue
        yield from _tiers_never_reached(rate, judged)
        highest = max(wager.ticket.highest_wager_cents for wager in judged if wager.ticket)
        if highest < rate.max_cents:
            yield FoundFault(
                CardFault.MAXIMUM_NOT_REACHED,
                f"rates.{rate.code}: no ticket reaches the maximum "
                f"{format_dollars(rate.max_cents)} a way. Set max_cents to "
                f"{format_dollars(highest)}, or change step_cents or ticket_max_cents.",
            )


def _tiers_never_reached(rate: Rate, judged: list[WagerVerdict]) -> Iterator[FoundFault]:
    for index, tier in enumerate(rate.tiers):
        if not any(wager.ticket for wager in judged[index :: len(rate.tiers)]):
            yield FoundFault(
                CardFault.TIER_NEVER_REACHED,
                f"rates.{rate.code}: no ticket can be bought in the tier of "
                f"{format_dollars(tier.min_cents)} from {counted(tier.ways, 'way')}. Leave it out "
                "(the first tier begins at 1 way), or change ways_max, types or the price limits "
                "of a ticket.",
            )


def _why_unsold(rate: Rate, spots: int, limits: TicketLimits) -> FoundFault:
    """The first limit that keeps every ticket of this rate and spot count from being sold."""
    where = f"rates.{rate.code}: no ticket of {counted(spots, 'spot')} can be bought"
    possible = possible_ways(rate, spots)
    if not possible:
        return FoundFault(
            CardFault.NEVER_SOLD,
            f"{where}, because {' or '.join(sorted(rate.types))} tickets have no such way. "
            f"Allow another type in rates.{rate.code}.types, or leave pays.{spots} out.",
        )
    fewest, most = possible[0], min(possible[-1], limits.ways_max)
    if fewest > limits.ways_max:
        return FoundFault(
            CardFault.WAYS_MAX_TOO_LOW,
            f"{where}: a ticket of its types has {counted(fewest, 'way')} at least, and ways_max "
            f"is {limits.ways_max:,}. Raise ways_max or allow another type.",
        )
    cheapest = min(max(fewest, tier.ways) * tier.min_cents for tier in rate.tiers)
    if cheapest > limits.max_cents:
        return FoundFault(
            CardFault.TICKET_MAX_TOO_LOW,
            f"{where}: it costs {format_dollars(cheapest)} at least, and ticket_max_cents is "
            f"{format_dollars(limits.max_cents)}. Raise ticket_max_cents or lower the minimum.",
        )
    dearest = most * rate.max_cents
    if dearest < limits.min_cents:
        return FoundFault(
            CardFault.TICKET_MIN_TOO_HIGH,
            f"{where}: it costs {format_dollars(dearest)} at most, and ticket_min_cents is "
            f"{format_dollars(limits.min_cents)}. Lower ticket_min_cents or raise max_cents.",
        )
    return FoundFault(
        CardFault.NEVER_SOLD,
        f"{where}: with up to {counted(min(limits.ways_max, WAYS_JUDGED_MAX), 'way')} no wager on "
        f"its steps makes a price from {format_dollars(limits.min_cents)} to "
        f"{format_dollars(limits.max_cents)}. Change the steps or the price limits of a ticket.",
    )


def check_whole_cents(rate: Rate) -> Iterator[FoundFault]:
    """15.3(e): payoffs are in proportion to the wager and never rounded, so each is whole."""
    for tier in rate.tiers:
        # Whole cents at two neighbouring wagers mean whole cents at all of them.
        second = tier.min_cents + rate.step_cents
        wagers = [tier.min_cents] + ([second] if second <= rate.max_cents else [])
        for spots, pays in rate.pays.items():
            for catch, cents in pays.items():
                broken = [wager for wager in wagers if cents * wager % rate.base_cents]
                if broken:
                    payoff = exact.ratio(Fraction(cents * broken[0], rate.base_cents))
                    yield FoundFault(
                        CardFault.NOT_WHOLE_CENTS,
                        f"rates.{rate.code}: {catch} of {counted(spots, 'spot')} at a wager of "
                        f"{format_dollars(broken[0])} would pay {payoff} cents, "
                        "which is not whole.",
                    )


def check_catches(rate: Rate) -> Iterator[FoundFault]:
    """A payoff for a catch that cannot happen promises nothing and misleads."""
    for spots, pays in rate.pays.items():
        for catch in pays:
            if catch not in catches(spots):
                yield FoundFault(
                    CardFault.IMPOSSIBLE_CATCH,
                    f"rates.{rate.code}: {catch} of {spots} cannot be caught in a draw of 20.",
                )


def check_minima(rate: Rate) -> Iterator[FoundFault]:
    """15.3(d): no posted minimum above the posted maximum."""
    for tier in rate.tiers:
        if tier.min_cents > rate.max_cents:
            yield FoundFault(
                CardFault.MINIMUM_ABOVE_MAXIMUM,
                f"rates.{rate.code}: the minimum {format_dollars(tier.min_cents)} is above the "
                f"maximum {format_dollars(rate.max_cents)}.",
            )


def check_spots(rates: Mapping[str, Rate], spots_max: int) -> Iterator[FoundFault]:
    """15.2(b): every spot count up to the maximum is paid by at least one rate."""
    paid = {
        spots for rate in rates.values() for spots, pays in rate.pays.items() if any(pays.values())
    }
    for spots in range(1, spots_max + 1):
        if spots not in paid:
            yield FoundFault(
                CardFault.SPOTS_NOT_PAID,
                f"No rate pays a ticket of {counted(spots, 'spot')}, and spots_max is {spots_max}.",
            )
    for rate in rates.values():
        for spots in rate.pays:
            if spots > spots_max:
                yield FoundFault(
                    CardFault.SPOTS_ABOVE_MAX,
                    f"rates.{rate.code}.pays.{spots} is above spots_max {spots_max}.",
                )


def check_games(rates: Mapping[str, Rate], games_max: int) -> Iterator[FoundFault]:
    """A rate for more games than any ticket may play can never be sold."""
    for rate in rates.values():
        if rate.games_min > games_max:
            yield FoundFault(
                CardFault.GAMES_MIN_ABOVE_MAX,
                f"rates.{rate.code}.games_min is above multi_race_games_max {games_max:,}.",
            )


def check_marks(rates: Mapping[str, Rate]) -> Iterator[FoundFault]:
    """A mark behind a price stands for one rate only."""
    taken = set(rates)
    for rate in rates.values():
        if rate.mark is None:
            continue
        if rate.mark in taken - {rate.code}:
            yield FoundFault(
                CardFault.MARK_TAKEN,
                f"rates.{rate.code}.mark {rate.mark!r} already stands for another rate.",
            )
        taken.add(rate.mark)


def check_aggregate(maximum: Cents, share: AggregateShare | None) -> Iterator[FoundFault]:
    """15.3(e): the maximum aggregate payoff is not less than $100,000 a game."""
    if maximum < AGGREGATE_MIN_CENTS:
        yield FoundFault(
            CardFault.AGGREGATE_TOO_LOW,
            f"aggregate_max_cents is {format_dollars(maximum)}; 15.3(e) allows no maximum "
            f"below {format_dollars(AGGREGATE_MIN_CENTS)}.",
        )
    if isinstance(share, FullUpTo) and share.cents > maximum:
        yield FoundFault(
            CardFault.SHARE_ABOVE_AGGREGATE,
            f"aggregate_share pays in full up to {format_dollars(share.cents)}, which is above "
            f"aggregate_max_cents {format_dollars(maximum)}.",
        )


def check_claim(minutes: int) -> Iterator[FoundFault]:
    """15.6(c): a claim period is five minutes at least and a year at most."""
    if minutes < CLAIM_MINUTES_MIN:
        yield FoundFault(
            CardFault.CLAIM_TOO_SHORT,
            f"The claim period is {counted(minutes, 'minute')}; "
            f"15.6(c) allows {CLAIM_MINUTES_MIN} at least.",
        )
    if minutes > CLAIM_MINUTES_MAX:
        yield FoundFault(
            CardFault.CLAIM_TOO_LONG,
            f"The claim period is {minutes // (24 * 60):,} days or more; 15.6(c) allows 365.",
        )


def check_ticket_limits(ticket_min_cents: Cents, ticket_max_cents: Cents) -> Iterator[FoundFault]:
    """15.3(d): the least price of a ticket is not above the greatest."""
    if ticket_min_cents > ticket_max_cents:
        yield FoundFault(
            CardFault.MINIMUM_ABOVE_MAXIMUM,
            f"ticket_min_cents {format_dollars(ticket_min_cents)} is above ticket_max_cents "
            f"{format_dollars(ticket_max_cents)}.",
        )
