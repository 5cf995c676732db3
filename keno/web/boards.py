"""Boards: the websocket that sends a location's events, and facts a board reads over HTTP."""

import asyncio
from contextlib import suppress

import msgspec
from aiohttp import ClientConnectionResetError, WSMsgType, web

from keno.domain.ratecard import FullUpTo, RateCard
from keno.games.conductor import Conductor
from keno.protocol import write
from keno.store import queries, resume_queries
from keno.store.transaction import Reads
from keno.web.hub import Watcher
from keno.web.server import Server


async def board_socket(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /ws/board/{location}`: send the location's present state, then every public event.

    A board that sends anything is disconnected. With `?repeat=1` the state is sent again at each
    heartbeat, because a page cannot see pings.
    """
    location = request.match_info["location"]
    conductor = server.conductors.get(location)
    if conductor is None:
        raise web.HTTPNotFound(text="There is no such location.")
    if server.hub.count(staff=False) >= server.config.server.boards_max:
        raise web.HTTPServiceUnavailable(text="Too many boards are connected.")
    heartbeat = server.config.server.heartbeat_seconds
    socket = web.WebSocketResponse(compress=False, heartbeat=heartbeat, max_msg_size=1024)
    await socket.prepare(request)
    if request.transport is None:
        return socket
    watcher = Watcher(socket, request.transport)
    watchers = server.hub.watchers[location]
    watchers.add(watcher)  # watch before sending the state: an event twice is better than none
    repeating: asyncio.Task[None] | None = None
    try:
        await socket.send_str(write(conductor.state()))
        if request.query.get("repeat") == "1":
            repeating = asyncio.create_task(_repeat(watcher, conductor, heartbeat))
        async for frame in socket:
            if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                await socket.close(code=1008, message=b"a board only listens")
    finally:
        watchers.discard(watcher)
        if repeating is not None:
            repeating.cancel()
    return socket


async def _repeat(watcher: Watcher, conductor: Conductor, seconds: int) -> None:
    with suppress(ClientConnectionResetError):
        while True:
            await asyncio.sleep(seconds)
            if not watcher.behind:
                await watcher.socket.send_str(write(conductor.state()))


async def board_facts(request: web.Request, server: Server) -> web.Response:
    """`GET /api/board/{location}`: what a board shows beside the draw, as JSON.

    Names, zone, interval between games, card in force with its maximum, and the reason if the open
    game is held.
    """
    conductor = server.conductor(request.match_info["location"])
    now, house = conductor.state().open, server.house

    def load(reads: Reads) -> dict[str, object]:
        place = queries.location(reads, conductor.location) or {}
        card = None if now is None else house.card(reads, now.card)
        held = None
        if now is not None and now.mode == "held":
            held = resume_queries.reason_of_hold(reads, conductor.location, now.game)
        return {
            **{name: place.get(name) for name in ("location", "letter", "name", "zone")},
            "casino": server.config.house.name or house.site,
            "interval_ms": round(conductor.schedule.interval_seconds * 1000),
            "repeat_ms": server.config.server.heartbeat_seconds * 1000,
            "card": None if now is None else now.card,
            "aggregate_max_cents": None if card is None else card.aggregate_max_cents,
            "full_up_to_cents": None if card is None else _in_full(card),
            "held": held,
        }

    told = await house.ledger.read(load)
    return web.Response(body=msgspec.json.encode(told), content_type="application/json")


def _in_full(card: RateCard) -> int | None:
    """Return the cents up to which each award is paid in full when awards share the maximum.

    None if the card shares the maximum in proportion only.
    """
    share = card.aggregate_share
    return share.cents if isinstance(share, FullUpTo) else None
