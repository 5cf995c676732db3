"""The console's command `listing`: returns a listing's rows if the caller's role may read it."""

from keno import protocol
from keno.service import listings
from keno.web.operations.table import operation
from keno.web.server import Caller, Server


@operation(protocol.Listing, listings.listed)
async def _listing(server: Server, caller: Caller, asked: protocol.Listing) -> object:
    server.conductor(asked.location)
    listing = listings.readable(asked.listing, caller.role)
    day = listings.read_day(asked.day) if listing.of_day else None
    rows = await listings.listed(server.house, listing, asked.location, day)
    return rows if listing.of_day else rows[0]
