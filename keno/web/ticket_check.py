"""For whoever holds a ticket: what it won, game by game, and the proof that it was in the book."""

import asyncio
from collections.abc import Sequence
from itertools import islice
from typing import Any

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.domain.grading import every_set
from keno.domain.payout import AUTHORISATION_CENTS
from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.request_text import conditioning, set_name
from keno.domain.wager import KenoRequest, ListedWays
from keno.draw import proofs
from keno.protocol import TicketView
from keno.service import views
from keno.store import queries
from keno.store.transaction import Reads
from keno.web.reading import as_json, read_body
from keno.web.server import Server

WAYS_SHOWN = 24
"""So many winning ways of a game, at most."""
LOOKED_AT_MAX = 50_000
"""Beyond so many ways times games, only the awards are told, without the ways."""
NO_SUCH_TICKET = "There is no ticket with that number and code."


class _Check(msgspec.Struct, forbid_unknown_fields=True):
    ticket: int
    code: str
    location: str = ""
    letter: str = ""
    """In place of the location: it is what stands on the paper."""


class _Prove(_Check, forbid_unknown_fields=True):
    game: int = 0


async def check(request: web.Request, server: Server) -> web.Response:
    """`POST /api/tickets/check`: whoever has the code sees the ticket; a guess sees nothing."""
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
    """`POST /api/tickets/proof`: that this ticket was in the sealed book of a game that is over."""
    server.proofs.require(server.address(request))
    asked = await read_body(request, _Prove)
    location = await _location(server, asked)
    view = await _view(server, location, asked)
    played = next((each for each in view.games if each.game == asked.game), None)
    if played is None:
        raise Refused(Refusal.UNKNOWN_GAME, f"This ticket does not play game {asked.game}.")
    if played.state in ("open", "drawing"):
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
    """The location by its name or by the letter on the paper; neither is a secret."""
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
    """What a page says of a location: its names, its clock, whether anything has value."""
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
        ways = ways_won(request, card, game.catches or ()) if won else []
        told = msgspec.to_builtins(game)
        games.append({**told, "ways": ways[:WAYS_SHOWN], "more": max(0, len(ways) - WAYS_SHOWN)})
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


def ways_won(request: KenoRequest, card: RateCard, catches: Sequence[int]) -> list[dict[str, Any]]:
    """The ways that won, the highest first, from what each group caught.

    Their awards are those before the maximum of a game is shared.
    """
    won = []
    for line in request.lines:
        sets = line.sets if isinstance(line, ListedWays) else every_set(request.sizes, line.spots)
        pays = {
            spots: card.payoffs(line.rate, spots, line.wager_cents)
            for spots in request.spots_of(line)
        }
        for members in islice(sets, LOOKED_AT_MAX):
            spots = request.set_spots(members)
            caught = sum(catches[index] for index in members)
            if award := pays[spots][caught]:
                way = {"members": set_name(members, request), "spots": spots, "caught": caught}
                won.append({**way, "award_cents": award})
    return sorted(won, key=lambda way: -int(str(way["award_cents"])))
