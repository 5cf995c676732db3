"""What is done at the console: disputes, listings."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import date
from typing import Any

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.service import listings
from keno.web.operations.table import operation
from keno.web.server import Caller, Server

# Listings.


LISTINGS: dict[str, Callable[..., Awaitable[Any]]] = {
    "winning_numbers": listings.winning_numbers,
    "voids": listings.voids,
    "overrides": listings.overrides,
    "large_payouts": listings.large_payouts,
    "exceptions": listings.exceptions,
    "approvals": listings.approvals,
}


@operation(protocol.Listing, *LISTINGS.values(), listings.balance)
async def _listing(server: Server, _: Caller, asked: protocol.Listing) -> object:
    server.conductor(asked.location)
    if asked.listing == "balance":
        return asdict(await listings.balance(server.house, asked.location))
    listing = LISTINGS.get(asked.listing)
    if listing is None:
        names = ", ".join([*LISTINGS, "balance"])
        raise Refused(Refusal.MALFORMED, f"A listing is one of {names}.", "listing")
    return await listing(server.house, asked.location, _day(asked.day))


def _day(text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.min
    if not YEARS[0] <= day.year <= YEARS[1]:
        raise Refused(Refusal.MALFORMED, "A day is written like 2026-11-16.", "day")
    return day


YEARS = (1971, 9998)
"""Outside of these a day may begin at no time that can be written."""
