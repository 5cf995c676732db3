"""What is done at the console: games, disputes, listings."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import date
from typing import Any

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.domain.roles import INSPECTORS, SUPERVISORS
from keno.draw.coordinator import PartyRefused
from keno.protocol import Told
from keno.service import games, listings
from keno.service.common import check_text
from keno.web.operations.table import first_answer, operation
from keno.web.server import Caller, Server
from rng.records import read_message

# Games and disputes.


@operation(protocol.Override, games.override)
async def _override(server: Server, caller: Caller, asked: protocol.Override) -> object:
    conductor = server.conductor(asked.location)
    now = conductor.state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    before = await first_answer(server, caller, asked.request_id)
    command = games.Override(asked.request_id, asked.location, before.get("game", now.game),
                             asked.kind, caller.person, asked.reason, asked.seconds)  # fmt: skip
    return await (games.override(server.house, command) if before else conductor.override(command))


@operation(protocol.CloseGame, games.lock_out)
async def _close_game(server: Server, caller: Caller, asked: protocol.CloseGame) -> object:
    approved_by = (
        None if asked.second is None else await server.second(asked.second, caller, SUPERVISORS)
    )
    if caller.role not in SUPERVISORS and approved_by is None:
        raise Refused(Refusal.AUTHORISATION_NEEDED, "A supervisor must approve the close.")
    conductor = server.conductor(asked.location)
    await conductor.close_by_hand(asked.game, caller.person, approved_by)
    return {"game": asked.game}


@operation(protocol.DeclareVoid, games.declare_void)
async def _declare_void(server: Server, caller: Caller, asked: protocol.DeclareVoid) -> object:
    inspector = await server.second(asked.second, caller, INSPECTORS)
    try:
        order = read_message(asked.order, "void")
    except (TypeError, ValueError) as error:
        raise Refused(Refusal.MALFORMED, f"That is no void order: {error}.", "order") from None
    command = games.DeclareVoid(
        asked.request_id, asked.location, asked.game, caller.person, inspector, asked.reason
    )
    try:
        return await server.conductor(asked.location).declare_void(command, order)
    except PartyRefused as no:
        said = f"The order was refused: {no.sentence.rstrip('.')}."
        raise Refused(Refusal.NOT_POSSIBLE_NOW, said, "order") from None


@operation(protocol.Tell)
async def _tell(server: Server, caller: Caller, asked: protocol.Tell) -> object:
    server.conductor(asked.location)
    check_text(asked.text, 200)
    event = Told(asked.location, asked.text, caller.person, server.house.ledger.clock())
    server.publish_to_staff(asked.location, event)
    return {}


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
