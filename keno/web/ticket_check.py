"""HTTP handlers for a patron's ticket: its awards game by game, and the proof that it was played.

The proof shows that the ticket was in a game's book of sold tickets.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.request_text import conditioning, set_name
from keno.domain.states import UNDECIDED
from keno.domain.wager import KenoRequest
from keno.domain.ways import WAYS_SHOWN, WinningWay, winning_ways
from keno.draw import proofs
from keno.protocol import TicketView
from keno.service import views
from keno.store import queries
from keno.store.transaction import Reads
from keno.web.reading import as_json, read_body
from keno.web.server import Server

LOOKED_AT_MAX = 50_000
"""Maximum ways times games of a ticket whose winning ways are listed; above it only awards are."""
NO_SUCH_TICKET = "There is no ticket with that number and code."


class _Check(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/tickets/check`: a ticket's number and code, and its location."""

    ticket: int
    code: str
    location: str = ""
    letter: str = ""
    """The location's letter on the paper; used if `location` is empty."""


class _Prove(_Check, forbid_unknown_fields=True):
    """The body of `POST /api/tickets/proof`: that of a check, and the number of a game."""

    game: int = 0


async def check(request: web.Request, server: Server) -> web.Response:
    """`POST /api/tickets/check`: a ticket's state, games, catches, awards and winning ways.

    The response is JSON. A wrong code is refused in the same words as an unknown number.
    """
    server.checks.require(server.address(request))
    asked = await read_body(request, _Check)
    location = await _location(server, asked)
    view = await _view(server, location, asked)
    told, card = await server.house.ledger.read(
        lambda reads: (
            place_told(server, reads, location),
            server.house.card(reads, view.card),
        )
    )
    detail = await asyncio.to_thread(_detail, view, card)
    signed = {"signed_from_cents": AUTHORISATION_CENTS}
    return as_json({**msgspec.to_builtins(view), **detail, **signed, "place": told})


async def proof(request: web.Request, server: Server) -> web.Response:
    """`POST /api/tickets/proof`: the proof that a ticket was in a game's book, as a file.

    Refused if the ticket does not play the game or the game is not over.
    """
    server.proofs.require(server.address(request))
    asked = await read_body(request, _Prove)
    location = await _location(server, asked)
    view = await _view(server, location, asked)
    played = next((each for each in view.games if each.game == asked.game), None)
    if played is None:
        raise Refused(Refusal.UNKNOWN_GAME, f"This ticket does not play game {asked.game}.")
    if played.state in UNDECIDED:
        raise Refused(Refusal.DRAWING, f"Game {played.name} is not over.")
    wanted = proofs.ticket(asked.ticket, asked.code, asked.game)
    try:
        async with server.proving:  # a large book takes a while, and other readers wait
            lines = await server.house.ledger.read(lambda reads: b"".join(wanted(reads, location)))
    except proofs.ProofError as no:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, no.message) from None
    name = f"{view.letter}-{asked.ticket}-game-{asked.game}.ticket"
    return web.Response(
        body=lines,
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def _location(server: Server, asked: _Check) -> str:
    """Return the location that the body names by id or by letter; refuse an unknown one."""
    if asked.letter and not asked.location:
        rows = await server.house.ledger.read(queries.locations)
        named = [row["location"] for row in rows if row["letter"] == asked.letter]
        return server.conductor(named[0] if named else asked.letter).location
    return server.conductor(asked.location).location


async def _view(server: Server, location: str, asked: _Check) -> TicketView:
    try:
        return await views.ticket_view(server.house, location, asked.ticket, asked.code)
    except Refused as no:
        if no.reason in (Refusal.ALTERED, Refusal.UNKNOWN_TICKET):
            raise Refused(Refusal.UNKNOWN_TICKET, NO_SUCH_TICKET) from None
        raise


def place_told(server: Server, reads: Reads, location: str) -> dict[str, Any]:
    """Return a location as data for a page.

    It has id, letter, name, time zone, the house's name, and whether tickets have value and writers
    take requests from telephones.
    """
    row = queries.location(reads, location) or {}
    return {
        **{name: row.get(name) for name in ("location", "letter", "name", "zone")},
        "casino": server.config.house.name or server.house.site,
        "value": server.house.mode == "live",
        "digital": bool(row.get("digital_requests")),
    }


# ---------------------------------------------------------------- as sold, and way by way


def _detail(view: TicketView, card: RateCard) -> dict[str, Any]:
    request = from_written(view.request)
    listed = request.ways * len(view.games) <= LOOKED_AT_MAX
    names = [set_name((index,), request) for index in range(len(request.all_groups))]
    games = []
    for game in view.games:
        won = listed and game.catches is not None and bool(game.award_cents)
        ways = winning_ways(request, card, game.catches or ()) if won else []
        each = msgspec.to_builtins(game)
        games.append({**each, "ways": named(request, ways), "more": max(0, len(ways) - WAYS_SHOWN)})
    return {
        "kind": request.type.value,
        "ways": request.ways,
        "conditioning": [conditioning(request, line, card) for line in request.lines],
        "groups": [
            {"letter": name, "numbers": list(group)}
            for name, group in zip(names, request.all_groups, strict=True)
        ],
        "games": games,
    }


def named(request: KenoRequest, ways: Sequence[WinningWay]) -> list[dict[str, Any]]:
    """Return the first `WAYS_SHOWN` winning ways as data, each with its groups: ``A+B``."""
    return [
        {**way._asdict(), "members": set_name(way.members, request)} for way in ways[:WAYS_SHOWN]
    ]
