"""A board's websocket: the state of the moment, then every event; it says nothing itself."""

from aiohttp import WSMsgType, web

from keno.messages import write
from keno.web.hub import Watcher
from keno.web.server import Server


async def board_socket(request: web.Request, server: Server) -> web.StreamResponse:
    """`GET /ws/board/{location}`."""
    location = request.match_info["location"]
    conductor = server.conductors.get(location)
    if conductor is None:
        raise web.HTTPNotFound(text="There is no such location.")
    if server.hub.count(staff=False) >= server.config.server.boards_max:
        raise web.HTTPServiceUnavailable(text="Too many boards are connected.")
    socket = web.WebSocketResponse(
        compress=False, heartbeat=server.config.server.heartbeat_seconds, max_msg_size=1024
    )
    await socket.prepare(request)
    if request.transport is None:
        return socket
    watcher = Watcher(socket, request.transport)
    watchers = server.hub.watchers[location]
    watchers.add(watcher)  # first watch, then tell the state: an event twice is better than none
    try:
        await socket.send_str(write(conductor.state()))
        async for frame in socket:
            if frame.type in (WSMsgType.TEXT, WSMsgType.BINARY):
                await socket.close(code=1008, message=b"a board only listens")
    finally:
        watchers.discard(watcher)
    return socket
