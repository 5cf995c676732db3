"""Serves the writer's page: its files and its one websocket, on this machine only.

Requests over the websocket can sell tickets, so HTTP requests with a foreign Host or Origin are
refused. When a new page connects, the one before is disconnected.
"""

import asyncio
import json
import logging
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import msgspec
from aiohttp import ClientConnectionResetError, WSMsgType, web

from writer_station.page_handlers import Acts
from writer_station.page_protocol import PageMessage, id_of, read_page
from writer_station.refusals import RequestRefused

log = logging.getLogger(__name__)

MESSAGE_BYTES_MAX = 128 * 1024
AT_ONCE_MAX = 64
"""Maximum requests of the page in progress; further ones are refused."""
SEND_S = 5.0
"""Seconds before a message that the page does not read disconnects the page."""
BROKEN = "This went wrong at the station. Look it up before you try again."
TYPES = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
}  # fmt: skip
HEADERS = {
    "Content-Security-Policy": "default-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


class Page:
    """The web server of one station's page; `names` are the accepted values of the Host header."""

    def __init__(self, acts: Acts) -> None:
        self.acts = acts
        self.names: frozenset[str] = frozenset()
        self._socket: web.WebSocketResponse | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._dirty = asyncio.Event()
        acts.push = self._push
        acts.station.changed = self._dirty.set

    def app(self) -> web.Application:
        """Return the aiohttp application with the page's files and websocket."""
        made = web.Application(middlewares=[self._guard])
        made.router.add_get("/", self._index)
        made.router.add_get("/page", self._page)
        made.router.add_get("/keno/pages/shared/{path:.+}", self._shared)
        made.router.add_get("/writer_station/ui/{path:.+}", self._file)
        return made

    async def run(self) -> None:
        """Send the station's state to the page after each change, until cancelled.

        On cancellation the page's requests in progress are cancelled and the websocket is closed.
        """
        try:
            while True:
                await self._dirty.wait()
                await asyncio.sleep(0)  # send simultaneous changes together
                self._dirty.clear()
                await self._send({"state": self.acts.state()})
        finally:
            for task in tuple(self._tasks):
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            if self._socket is not None:
                await self._socket.close(code=1001)

    # ------------------------------------------------------------ files

    @web.middleware
    async def _guard(self, request: web.Request, handler: Any) -> web.StreamResponse:
        """Answer a request with a foreign Host or Origin by 403; add security headers to others."""
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        foreign = origin is not None and origin not in {f"http://{name}" for name in self.names}
        if host not in self.names or foreign:
            log.warning("refused a page from host %.80r, origin %.80r", host, origin)
            return web.Response(status=403, text="This page is for its own station only.")
        response: web.StreamResponse
        try:
            response = await handler(request)
        except web.HTTPException as error:
            response = web.Response(status=error.status, text=error.text)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    async def _index(self, _: web.Request) -> web.Response:
        return await _serve(files("writer_station") / "ui", "index.html")

    async def _shared(self, request: web.Request) -> web.Response:
        return await _serve(files("keno") / "pages" / "shared", request.match_info["path"])

    async def _file(self, request: web.Request) -> web.Response:
        return await _serve(files("writer_station") / "ui", request.match_info["path"])

    # ------------------------------------------------------------ the socket

    async def _page(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse(
            compress=False, heartbeat=20, max_msg_size=MESSAGE_BYTES_MAX, timeout=2
        )
        await socket.prepare(request)
        before, self._socket = self._socket, socket
        if before is not None:
            task = asyncio.create_task(_replaced(before))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._dirty.set()
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    await socket.close(code=1003, message=b"text only")
                    break
                await self._take(socket, frame.data)
        finally:
            if self._socket is socket:
                self._socket = None
        return socket

    async def _take(self, socket: web.WebSocketResponse, text: str) -> None:
        try:
            asked = read_page(text)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            no = RequestRefused("malformed", _plain(f"The station cannot read this: {error}."))
            await _say(socket, _refused(id_of(text), no))
            return
        if len(self._tasks) >= AT_ONCE_MAX:
            no = RequestRefused("too_fast", "Too much at once: wait a moment.")
            await _say(socket, _refused(asked.id, no))
            return
        # A task of its own, so that the request is finished even if the page disconnects.
        task = asyncio.create_task(self._answer(socket, asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, socket: web.WebSocketResponse, asked: PageMessage) -> None:
        try:
            answer: dict[str, Any] = {"id": asked.id, "ok": await self.acts.do(asked)}
        except RequestRefused as no:
            log.info("%s refused: %s", type(asked).__name__, no.code)
            answer = _refused(asked.id, no)
        except Exception:  # our mistake: logged in full, answered in one sentence
            log.exception("%s broke", type(asked).__name__)
            answer = _refused(asked.id, RequestRefused("broken", BROKEN))
        if self._dirty.is_set():  # send the state before the answer that changed it
            await _say(socket, {"state": self.acts.state()})
        await _say(socket, answer)

    def _push(self, message: dict[str, Any]) -> None:
        task = asyncio.create_task(self._send(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, message: dict[str, Any]) -> None:
        if self._socket is not None:
            await _say(self._socket, message)


async def _serve(root: Traversable, path: str) -> web.Response:
    """Return a response with the file at `path` in the folder `root`.

    HTTPNotFound (404) for an unknown type of file, a missing file, and a path that leaves the
    folder.
    """
    parts = path.split("/")
    kind = TYPES.get(f".{parts[-1].rpartition('.')[2]}")
    if kind is None or any(part.startswith(".") or not part or "\\" in part for part in parts):
        raise web.HTTPNotFound(text="There is no such file.")
    file = root.joinpath(*parts)
    try:
        body = await asyncio.to_thread(file.read_bytes)
    except (OSError, ValueError):
        raise web.HTTPNotFound(text="There is no such file.") from None
    return web.Response(
        body=body, content_type=kind, charset=None if kind == "font/woff2" else "utf-8"
    )


async def _replaced(socket: web.WebSocketResponse) -> None:
    await _say(socket, {"replaced": True})
    await socket.close(code=1000, message=b"replaced")


async def _say(socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
    if not socket.closed:
        try:
            async with asyncio.timeout(SEND_S):
                await socket.send_str(json.dumps(message, separators=(",", ":")))
        except (ClientConnectionResetError, ConnectionError):
            log.info("the page is gone")
        except TimeoutError:
            log.warning("the page does not read: its line is closed")
            await socket.close(code=1008)


def _refused(number: int, no: RequestRefused) -> dict[str, Any]:
    return {"id": number, "no": {"code": no.code, "message": no.message, "where": no.where}}


def _plain(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text[:300])
