"""Consoles: the websocket that sends all locations' events to staff while they are signed in."""

import asyncio
from contextlib import suppress

from aiohttp import ClientConnectionResetError, WSMsgType, web

from keno.domain.errors import Refusal, Refused
from keno.domain.roles import READERS
from keno.protocol import write
from keno.store import queries
from keno.web.api import COOKIE, who
from keno.web.hub import Watcher
from keno.web.server import Server

SESSION_OVER = 4001
"""Websocket close code that tells a console that its session has ended."""


async def console_socket(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /ws/console`: send every location's state, then all events, public and for staff.

    Refused without a session or if the role may not read the floor.
    """
    caller = await who(request, server, quiet=True)
    if caller.role not in READERS:
        raise Refused(Refusal.NOT_ALLOWED, f"The role {caller.role} cannot do this.")
    if server.consoles >= server.config.server.stations_max:
        raise web.HTTPServiceUnavailable(text="Too many consoles are connected.")
    heartbeat = server.config.server.heartbeat_seconds
    socket = web.WebSocketResponse(compress=False, heartbeat=heartbeat, max_msg_size=1024)
    server.consoles += 1
    try:
        await socket.prepare(request)
        if request.transport is not None:
            watcher = Watcher(socket, request.transport, staff=True)
            await _tell(server, watcher, request.cookies.get(COOKIE, ""))
    finally:
        server.consoles -= 1
    return socket


async def _tell(server: Server, watcher: Watcher, token: str) -> None:
    socket = watcher.socket
    for location in server.conductors:
        server.hub.watchers[location].add(watcher)
    keeping = asyncio.create_task(_while_signed_in(server, watcher, token))
    try:
        await _states(server, watcher)
        async for frame in socket:
            if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                await socket.close(code=1008, message=b"a console asks over HTTP")
    finally:
        keeping.cancel()
        for location in server.conductors:
            server.hub.watchers[location].discard(watcher)


async def _states(server: Server, watcher: Watcher) -> None:
    with suppress(ClientConnectionResetError):
        for conductor in server.conductors.values():
            await watcher.socket.send_str(write(conductor.state()))


async def _while_signed_in(server: Server, watcher: Watcher, token: str) -> None:
    """Send all locations' states at each heartbeat; close the websocket when the session ends."""
    while True:
        await asyncio.sleep(server.config.server.heartbeat_seconds)
        if not await _signed_in(server, token):
            await watcher.socket.close(code=SESSION_OVER, message=b"the session is over")
            return
        if not watcher.behind:
            await _states(server, watcher)


async def _signed_in(server: Server, token: str) -> bool:
    session = server.sessions.look(token)
    if session is None:
        return False
    user = await server.house.ledger.read(lambda reads: queries.user(reads, session.person))
    return user is not None and bool(user.active) and user.role in READERS
