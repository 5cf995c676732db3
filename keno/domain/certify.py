"""The rules a rate card must keep (15.2(b), 15.3(d)-(e), 15.6(c)), checked on what was read.

Every posted minimum of every rate and spot count gets its exact house advantage and a verdict.
All faults are reported together; each has a code and a sentence that says where.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from keno.domain import exact
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
    catches,
)


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
    TIERS_OUT_OF_ORDER = "tiers_out_of_order"
    MINIMUM_ABOVE_MAXIMUM = "minimum_above_maximum"
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
class Fault:
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
    """One posted minimum of a rate for one spot count, with its exact house advantage."""

    rate: str
    spots: int
    wager_cents: Cents
    house_advantage: Fraction
    at_maximum: Fraction

    @property
    def verdict(self) -> Verdict:
        """At most 30 percent passes; a card that gives money away is a misprint."""
        if self.house_advantage > HOUSE_ADVANTAGE_MAX:
            return Verdict.OVER_LIMIT
        return Verdict.NEGATIVE if self.house_advantage < 0 else Verdict.OK


def wager_verdicts(rates: Mapping[str, Rate], aggregate_max_cents: Cents) -> list[WagerVerdict]:
    """Every rate and spot count at every posted minimum, each tier and not only the lowest."""
    return [
        WagerVerdict(
            rate.code,
            spots,
            tier.min_cents,
            house_advantage(rate, spots, tier.min_cents, aggregate_max_cents),
            house_advantage(
                rate, spots, rate.highest_wager_cents(tier.min_cents), aggregate_max_cents
            ),
        )
        for rate in rates.values()
        for spots in rate.pays
        for tier in rate.tiers
    ]


def check_advantage(wagers: list[WagerVerdict]) -> Iterator[Fault]:
    """15.3(e): the house advantage at a minimum wager is at most 30 percent."""
    for wager in wagers:
        at = f"rates.{wager.rate}: {wager.spots} spots at {format_dollars(wager.wager_cents)}"
        advantage = wager.house_advantage
        stated = f"{exact.percent(advantage)}% ({exact.ratio(advantage)})"
        if wager.verdict is Verdict.OVER_LIMIT:
            yield Fault(
                CardFault.OVER_LIMIT,
                f"{at} has a house advantage of {stated}; 15.3(e) allows 30% at most.",
            )
        elif wager.verdict is Verdict.NEGATIVE:
            yield Fault(CardFault.NEGATIVE, f"{at} pays back more than it takes: {stated}.")


def check_whole_cents(rate: Rate) -> Iterator[Fault]:
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
                    yield Fault(
                        CardFault.NOT_WHOLE_CENTS,
                        f"rates.{rate.code}: {catch} of {spots} spots at a wager of "
                        f"{format_dollars(broken[0])} would pay {payoff} cents, "
                        "which is not whole.",
                    )


def check_catches(rate: Rate) -> Iterator[Fault]:
    """A payoff for a catch that cannot happen promises nothing and misleads."""
    for spots, pays in rate.pays.items():
        for catch in pays:
            if catch not in catches(spots):
                yield Fault(
                    CardFault.IMPOSSIBLE_CATCH,
                    f"rates.{rate.code}: {catch} of {spots} cannot be caught in a draw of 20.",
                )


def check_minima(rate: Rate) -> Iterator[Fault]:
    """15.3(d): no posted minimum above the posted maximum."""
    for tier in rate.tiers:
        if tier.min_cents > rate.max_cents:
            yield Fault(
                CardFault.MINIMUM_ABOVE_MAXIMUM,
                f"rates.{rate.code}: the minimum {format_dollars(tier.min_cents)} is above the "
                f"maximum {format_dollars(rate.max_cents)}.",
            )


def check_spots(rates: Mapping[str, Rate], spots_max: int) -> Iterator[Fault]:
    """15.2(b): every spot count up to the maximum is paid by at least one rate."""
    paid = {
        spots for rate in rates.values() for spots, pays in rate.pays.items() if any(pays.values())
    }
    for spots in range(1, spots_max + 1):
        if spots not in paid:
            yield Fault(
                CardFault.SPOTS_NOT_PAID,
                f"No rate pays a ticket of {spots} spots, and spots_max is {spots_max}.",
            )
    for rate in rates.values():
        for spots in rate.pays:
            if spots > spots_max:
                yield Fault(
                    CardFault.SPOTS_ABOVE_MAX,
                    f"rates.{rate.code}.pays.{spots} is above spots_max {spots_max}.",
                )


def check_games(rates: Mapping[str, Rate], games_max: int) -> Iterator[Fault]:
    """A rate for more games than any ticket may play can never be sold."""
    for rate in rates.values():
        if rate.games_min > games_max:
            yield Fault(
                CardFault.GAMES_MIN_ABOVE_MAX,
                f"rates.{rate.code}.games_min is above multi_race_games_max {games_max:,}.",
            )


def check_marks(rates: Mapping[str, Rate]) -> Iterator[Fault]:
    """A mark behind a price stands for one rate only."""
    taken = set(rates)
    for rate in rates.values():
        if rate.mark is None:
            continue
        if rate.mark in taken - {rate.code}:
            yield Fault(
                CardFault.MARK_TAKEN,
                f"rates.{rate.code}.mark {rate.mark!r} already stands for another rate.",
            )
        taken.add(rate.mark)


def check_aggregate(maximum: Cents, share: AggregateShare | None) -> Iterator[Fault]:
    """15.3(e): the maximum aggregate payoff is not less than $100,000 a game."""
    if maximum < AGGREGATE_MIN_CENTS:
        yield Fault(
            CardFault.AGGREGATE_TOO_LOW,
            f"aggregate_max_cents is {format_dollars(maximum)}; 15.3(e) allows no maximum "
            f"below {format_dollars(AGGREGATE_MIN_CENTS)}.",
        )
    if isinstance(share, FullUpTo) and share.cents > maximum:
        yield Fault(
            CardFault.SHARE_ABOVE_AGGREGATE,
            f"aggregate_share pays in full up to {format_dollars(share.cents)}, which is above "
            f"aggregate_max_cents {format_dollars(maximum)}.",
        )


def check_claim(minutes: int) -> Iterator[Fault]:
    """15.6(c): a claim period is five minutes at least and a year at most."""
    if minutes < CLAIM_MINUTES_MIN:
        yield Fault(
            CardFault.CLAIM_TOO_SHORT,
            f"The claim period is {minutes} minutes; 15.6(c) allows {CLAIM_MINUTES_MIN} at least.",
        )
    if minutes > CLAIM_MINUTES_MAX:
        yield Fault(
            CardFault.CLAIM_TOO_LONG,
            f"The claim period is {minutes // (24 * 60):,} days or more; 15.6(c) allows 365.",
        )


def check_ticket_limits(ticket_min_cents: Cents, ticket_max_cents: Cents) -> Iterator[Fault]:
    """15.3(d): the least price of a ticket is not above the greatest."""
    if ticket_min_cents > ticket_max_cents:
        yield Fault(
            CardFault.MINIMUM_ABOVE_MAXIMUM,
            f"ticket_min_cents {format_dollars(ticket_min_cents)} is above ticket_max_cents "
            f"{format_dollars(ticket_max_cents)}.",
        )
