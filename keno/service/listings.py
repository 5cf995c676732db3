"""Reading of listings: a listing's rows for a location and day, and what the reports tab gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, TypeVar

from keno.domain.errors import Refusal, Refused
from keno.service.house import House, gaming_day
from keno.service.listing_registry import LISTINGS, REPORTS, ListingColumn, ListingDefinition
from keno.store import queries
from keno.store.transaction import Reads

R = TypeVar("R")
YEARS = (1971, 9998)
"""First and last year of a gaming day that can be requested."""


async def listed(
    house: House, listing: ListingDefinition[R], location: str, day: date | None
) -> list[R]:
    """Return the rows of a listing for a location and gaming day, read from the ledger.

    `day` is None for a listing of the present state. Refuse an unknown location.
    """
    return await house.ledger.read(lambda reads: rows_of(reads, listing, location, day))


def rows_of(
    reads: Reads, listing: ListingDefinition[R], location: str, day: date | None
) -> list[R]:
    """Return the rows of a listing for a location and gaming day, from an open read connection.

    `day` is None for a listing of the present state. Refuse an unknown location.
    """
    row = queries.location(reads, location)
    if row is None:
        raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {location}.")
    if day is None:
        return list(listing.query(reads, location, 0, 0))
    days = gaming_day(row)
    span = days.begins_ms(day), days.begins_ms(day + timedelta(days=1))
    return list(listing.query(reads, location, *span))


def readable(name: str, role: str) -> ListingDefinition[Any]:
    """Return the definition of a listing by its name.

    Refuse an unknown name, or a listing that the role may not read.
    """
    listing = LISTINGS.get(name)
    if listing is None:
        raise Refused(Refusal.MALFORMED, f"A listing is one of {', '.join(LISTINGS)}.", "listing")
    if role not in listing.roles:
        raise Refused(Refusal.NOT_ALLOWED, f"The role {role} cannot read this listing.")
    return listing


def read_day(text: str) -> date:
    """Return a gaming day from its ISO text; refuse other text, or a year outside `YEARS`."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not YEARS[0] <= day.year <= YEARS[1]:
        raise Refused(Refusal.MALFORMED, "A day is written like 2026-11-16.", "day")
    return day


# What the console's reports tab is given of a listing.


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of a listing as the console's reports tab gets it."""

    key: str
    heading: str
    kind: str
    summed: bool
    words: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ListingView:
    """A listing as the reports tab gets it; `group_key` is empty if rows are not grouped."""

    name: str
    title: str
    clause: str
    what: str
    one: str
    many: str
    none: str
    group_key: str
    group_heading: str
    columns: tuple[ColumnView, ...]


def views(role: str) -> list[ListingView]:
    """Return the listings that the reports tab offers to a role."""
    return [_view(each) for each in REPORTS.values() if role in each.roles]


def _view(listing: ListingDefinition[Any]) -> ListingView:
    grouping = listing.grouping
    grouped = grouping if grouping is not None and grouping.on_screen else None
    summed = grouping is None or grouping.summed is None
    return ListingView(
        listing.name,
        listing.title,
        listing.clause,
        listing.what,
        listing.one,
        listing.many,
        listing.none,
        "" if grouped is None else grouped.key,
        "" if grouped is None else grouped.heading,
        tuple(_column(column, summed=summed) for column in listing.screen_columns),
    )


def _column(column: ListingColumn, *, summed: bool) -> ColumnView:
    return ColumnView(
        column.key, column.heading, column.kind, column.summed and summed, column.words
    )
