"""The listings the law names, and the house's balance; all read from the ledger."""

from datetime import date, timedelta

from keno.domain.errors import Refusal, Refused
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.shift import HouseBalance
from keno.service.house import House, gaming_day
from keno.store import exception_queries, listing_queries, queries
from keno.store.transaction import Reads, Row


async def voids(house: House, location: str, day: date) -> list[Row]:
    """15.4(e): voided tickets of a gaming day, by the station that voided them."""
    return await house.ledger.read(
        lambda reads: listing_queries.voids(reads, location, *_span(reads, location, day))
    )


async def winning_numbers(house: House, location: str, day: date) -> list[Row]:
    """15.5(h): the winning numbers of a gaming day; kept for ever, so for a year and more.

    A game whose balls are still being shown is not told yet.
    """
    rows = await house.ledger.read(
        lambda reads: listing_queries.winning_numbers(reads, location, *_span(reads, location, day))
    )
    return [row for row in rows if row["shown_ms"] is not None]


async def overrides(house: House, location: str, day: date) -> list[Row]:
    """15.5(e): overrides of the lock-out with who and why."""
    return await house.ledger.read(
        lambda reads: listing_queries.overrides(reads, location, *_span(reads, location, day))
    )


async def large_payouts(house: House, location: str, day: date) -> list[Row]:
    """15.6(b): payouts and refunds of $1,500.00 or more, with the authorisation of each."""
    return await house.ledger.read(
        lambda reads: listing_queries.large_payouts(
            reads, location, *_span(reads, location, day), AUTHORISATION_CENTS
        )
    )


async def exceptions(house: House, location: str, day: date) -> list[Row]:
    """What was out of the ordinary on a gaming day, in the order it happened.

    Dispute holds and releases, reprints, surrenders, void games, authorisations that were denied
    or lapsed, checkouts that were over or short, and tickets sold that day whose print nobody has
    confirmed to this moment.
    """
    return await house.ledger.read(
        lambda reads: exception_queries.exceptions(reads, location, *_span(reads, location, day))
    )


async def approvals(house: House, location: str, day: date) -> list[Row]:
    """Reprints, closes by a writer, dispute holds and releases, with the supervisor of each."""
    return await house.ledger.read(
        lambda reads: listing_queries.approvals(reads, location, *_span(reads, location, day))
    )


async def balance(house: House, location: str) -> HouseBalance:
    """The terms of the house's two equations."""
    return HouseBalance(
        **await house.ledger.read(lambda reads: listing_queries.balance(reads, location))
    )


def _span(reads: Reads, location: str, day: date) -> tuple[int, int]:
    row = queries.location(reads, location)
    if row is None:
        raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {location}.")
    days = gaming_day(row)
    return days.begins_ms(day), days.begins_ms(day + timedelta(days=1))
