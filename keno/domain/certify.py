"""The rules that a rate card must keep (15.2(b), 15.3(d)-(e), 15.6(c)), one function a rule.

For every rate, spot count and tier the lowest wager that can be bought gets its exact house
advantage and a verdict. Every fault is reported, not only the first: a code, and a sentence that
says where it is and often what to change.
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
from keno.domain.money import CENTS_MAX, Cents, format_dollars
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
    """Versions of the certification rules; the ledger keeps each card's version for the audit."""

    POSTED_MINIMUMS = 1
    """Every posted minimum is judged, even if no ticket can be bought at it."""
    BOUGHT_MINIMUMS = 2
    """The lowest wager that can be bought is judged, and every posted wager must be buyable."""
    LIMITED_AMOUNTS = 3
    """A ticket with the most games, and what it can be paid, is at most CENTS_MAX too."""


RULES_NOW = Rules.LIMITED_AMOUNTS


class CardFault(StrEnum):
    """Codes of everything that can be wrong with a rate card."""

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
    TICKET_ABOVE_LIMIT = "ticket_above_limit"
    PAYOUT_ABOVE_LIMIT = "payout_above_limit"
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
    """A fault of a rate card: its code and a sentence that says where it is."""

    code: CardFault
    message: str


class Verdict(StrEnum):
    """Verdict on the house advantage at a minimum wager: within 15.3(e), above, or below zero."""

    OK = "ok"
    OVER_LIMIT = "over_limit"
    NEGATIVE = "negative"


@dataclass(frozen=True, slots=True)
class WagerVerdict:
    """The exact house advantage at the minimum wager of one rate, spot count and tier.

    `at_maximum` is the house advantage at the highest wager instead.
    """

    rate: str
    spots: int
    wager_cents: Cents
    house_advantage: Fraction
    at_maximum: Fraction
    tier_ways: int
    """The fewest ways on a ticket for which the tier applies."""
    ticket: MinimumTicket | None
    """The ticket that was judged. None if the posted minimum was judged without a ticket."""

    @property
    def verdict(self) -> Verdict:
        """OVER_LIMIT above 30 percent, NEGATIVE below zero (a misprint), else OK."""
        if self.house_advantage > HOUSE_ADVANTAGE_MAX:
            return Verdict.OVER_LIMIT
        return Verdict.NEGATIVE if self.house_advantage < 0 else Verdict.OK


def wager_verdicts(
    rates: Mapping[str, Rate], aggregate_max_cents: Cents, limits: TicketLimits | None
) -> list[WagerVerdict]:
    """Return a verdict for every rate, spot count and tier.

    The lowest wager that can be bought within `limits` is judged. If `limits` is None or no ticket
    can be bought, the posted minimum is judged.
    """
    return [
        verdict
        for rate in rates.values()
        for verdict in _verdicts_of_rate(rate, aggregate_max_cents, limits)
    ]


def card_verdicts(card: RateCard) -> list[WagerVerdict]:
    """Return a verdict for every rate, spot count and tier of a card, within its ticket limits."""
    return wager_verdicts(card.rates, card.aggregate_max_cents, ticket_limits(card))


def stated_advantages(card: RateCard) -> dict[tuple[str, int], WagerVerdict]:
    """Return the verdicts of each rate's first tier, by rate code and spots.

    Their house advantages are those that a printed rate card states.
    """
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
    """15.3(e): yield a fault for each house advantage above 30 percent or below zero."""
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
    """Return the judged ticket as words: ``on a straight ticket of 1 way for $1.00``."""
    ways, price = counted(ticket.ways, "way"), format_dollars(ticket.price_cents)
    return f"on a {ticket.type} ticket of {ways} for {price}"


def check_sold(
    rates: Mapping[str, Rate], wagers: list[WagerVerdict], limits: TicketLimits
) -> Iterator[FoundFault]:
    """15.3(d): yield a fault for each posted rate, tier or maximum that cannot be bought.

    Of a rate only the first spot count that cannot be bought is named.
    """
    for rate in rates.values():
        if not rate.types or any(check_minima(rate)):
            continue  # these faults are reported elsewhere
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
    """Return the fault for a rate's `spots` that cannot be bought; it names the limit to change."""
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
    """15.3(e): yield a fault for each payoff that is not whole cents at some wager.

    Payoffs are in proportion to the wager and are never rounded.
    """
    for tier in rate.tiers:
        # If a payoff is whole at two neighbouring wagers, it is whole at every wager of the steps.
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
    """Yield a fault for each payoff whose catch no draw of 20 can produce."""
    for spots, pays in rate.pays.items():
        for catch in pays:
            if catch not in catches(spots):
                yield FoundFault(
                    CardFault.IMPOSSIBLE_CATCH,
                    f"rates.{rate.code}: {catch} of {spots} cannot be caught in a draw of 20.",
                )


def check_minima(rate: Rate) -> Iterator[FoundFault]:
    """15.3(d): yield a fault for each tier of a rate whose minimum is above the rate's maximum."""
    for tier in rate.tiers:
        if tier.min_cents > rate.max_cents:
            yield FoundFault(
                CardFault.MINIMUM_ABOVE_MAXIMUM,
                f"rates.{rate.code}: the minimum {format_dollars(tier.min_cents)} is above the "
                f"maximum {format_dollars(rate.max_cents)}.",
            )


def check_spots(rates: Mapping[str, Rate], spots_max: int) -> Iterator[FoundFault]:
    """15.2(b): yield a fault for each spot count up to `spots_max` that no rate pays.

    Spot counts above `spots_max` that a rate lists are faults too.
    """
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
    """Yield a fault for each rate that needs more games than a ticket may play."""
    for rate in rates.values():
        if rate.games_min > games_max:
            yield FoundFault(
                CardFault.GAMES_MIN_ABOVE_MAX,
                f"rates.{rate.code}.games_min is above multi_race_games_max {games_max:,}.",
            )


def check_marks(rates: Mapping[str, Rate]) -> Iterator[FoundFault]:
    """Yield a fault for each rate whose mark is the mark or code of another rate."""
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
    """15.3(e): yield a fault if the maximum aggregate payoff is below $100,000.00 a game.

    An amount paid in full that is above the maximum is a fault too.
    """
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
    """15.6(c): yield a fault if the claim period is under five minutes or over 365 days."""
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
    """15.3(d): yield a fault if the minimum price of a ticket is above its maximum price."""
    if ticket_min_cents > ticket_max_cents:
        yield FoundFault(
            CardFault.MINIMUM_ABOVE_MAXIMUM,
            f"ticket_min_cents {format_dollars(ticket_min_cents)} is above ticket_max_cents "
            f"{format_dollars(ticket_max_cents)}.",
        )


def check_amounts(
    ticket_max_cents: Cents, aggregate_max_cents: Cents, games_max: int
) -> Iterator[FoundFault]:
    """Yield a fault if a ticket with the most games, or its payout, could exceed CENTS_MAX.

    A game pays a ticket the maximum aggregate payoff at most.
    """
    for name, cents, code, what in (
        ("ticket_max_cents", ticket_max_cents, CardFault.TICKET_ABOVE_LIMIT, "ticket"),
        ("aggregate_max_cents", aggregate_max_cents, CardFault.PAYOUT_ABOVE_LIMIT, "payout"),
    ):
        total = cents * games_max
        if total > CENTS_MAX:
            yield FoundFault(
                code,
                f"{name} is {format_dollars(cents)}: a {what} of {counted(games_max, 'game')} "
                f"could be {format_dollars(total)}. No {what} is above "
                f"{format_dollars(CENTS_MAX)}: lower {name} or multi_race_games_max.",
            )
