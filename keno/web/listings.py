"""HTTP handlers for listings of a gaming day: their columns as JSON, their rows as CSV and PDF."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from aiohttp import web

from keno import protocol
from keno.documents.listings import ListedLocation, as_csv, clock_words, local
from keno.domain.errors import Refusal, Refused
from keno.service import listings
from keno.service.house import gaming_day
from keno.service.listing_registry import REPORTS, ListingDefinition
from keno.store import queries
from keno.web.answering import check_role
from keno.web.api import who
from keno.web.reading import as_json
from keno.web.server import Caller, Server


@dataclass(frozen=True, slots=True)
class _Found:
    """A listing's rows for a day, with its definition, the location's name, and the caller."""

    listing: ListingDefinition[Any]
    rows: Sequence[object]
    place: ListedLocation
    name: str
    caller: Caller

    @property
    def file(self) -> str:
        return f"keno-{self.place.location}-{self.listing.name}-{self.place.day.isoformat()}"


async def forms(request: web.Request, server: Server) -> web.Response:
    """`GET /api/listings`: titles and columns of the listings that the caller may read, as JSON."""
    caller = await who(request, server)
    check_role(protocol.Listing("", "", "", ""), caller)
    return as_json(listings.views(caller.role))


async def as_table(request: web.Request, server: Server) -> web.Response:
    """`GET /api/listings/{location}/{listing}.csv?day=…`: a gaming day's rows, as a CSV file."""
    found = await _found(request, server)
    text = await asyncio.to_thread(as_csv, found.listing, found.rows, found.place)
    return web.Response(
        text=text,
        content_type="text/csv",
        charset="utf-8",
        headers={"Content-Disposition": f'attachment; filename="{found.file}.csv"'},
    )


async def as_paper(request: web.Request, server: Server) -> web.Response:
    """`GET /api/listings/{location}/{listing}.pdf?day=…`: a gaming day's rows, as a PDF."""
    found = await _found(request, server)
    by = await server.house.ledger.read(lambda reads: queries.user(reads, found.caller.person))
    name = found.caller.person if by is None else by.name
    now_ms = server.house.ledger.clock()
    async with server.listing:
        made = await asyncio.to_thread(_drawn, server, found, name, now_ms)
    return web.Response(
        body=made,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{found.file}.pdf"'},
    )


async def _found(request: web.Request, server: Server) -> _Found:
    """Return the rows of the listing, location and day that the request names.

    Refused if the name or day is not valid or the caller's role may not read the listing.
    """
    caller = await who(request, server)
    location, name = request.match_info["location"], request.match_info["listing"]
    check_role(protocol.Listing("", location, name, ""), caller)
    if name not in REPORTS:
        names = ", ".join(REPORTS)
        raise Refused(Refusal.MALFORMED, f"As a file a listing is one of {names}.", "listing")
    server.conductor(location)
    listing = listings.readable(name, caller.role)
    day = listings.read_day(request.query.get("day", ""))
    rows = await listings.listed(server.house, listing, location, day)
    row = await server.house.ledger.read(lambda reads: queries.location(reads, location))
    if row is None:
        raise Refused(Refusal.UNKNOWN_STATION, "There is no such location.")
    place = ListedLocation(location, row["letter"], gaming_day(row), day)
    return _Found(listing, rows, place, row["name"], caller)


def _drawn(server: Server, found: _Found, name: str, now_ms: int) -> bytes:
    # Drawing code is imported when something is drawn: reportlab is slow to import.
    from keno.documents.listingsheet import Facts, listing_sheet  # noqa: PLC0415

    place, caller = found.place, found.caller
    day, now = place.day, local(place, now_ms)
    begins = local(place, place.days.begins_ms(day))
    ends_ms = place.days.begins_ms(day + timedelta(days=1))
    over = "" if now_ms >= ends_ms else ", before the day is over"
    who_made = name if name == caller.person else f"{name} ({caller.person})"
    facts = Facts(
        house=server.config.house.name or server.house.site,
        location=f"{found.name} ({place.letter})",
        day=f"{day:%A}, {day:%B} {day.day}, {day.year}",
        span=f"from {clock_words(begins)} to {clock_words(local(place, ends_ms))} the next day",
        made=f"{now:%b} {now.day}, {now.year} {clock_words(now, seconds=True)} {now:%Z}{over}",
        by=f"{who_made}, {caller.role}",
        no_value=server.house.mode != "live",
    )
    return listing_sheet(found.listing, found.rows, place, facts)
