"""The web application: the table of routes with who may request each, and one middleware."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiohttp import web
from aiohttp.typedefs import Middleware

from keno.domain.errors import Fault, Refused
from keno.protocol import RefusedReply, write
from keno.web import (
    api,
    listings,
    pages,
    prices,
    rate_card_api,
    results,
    staff_downloads,
    ticket_check,
)
from keno.web.boards import board_facts, board_socket
from keno.web.consoles import console_socket
from keno.web.server import Server
from keno.web.stations import station_socket

log = logging.getLogger(__name__)

Handler = Callable[[web.Request, Server], Awaitable[web.StreamResponse]]
PUBLIC = "anybody"
STATION = "a station with an enrolled key"
SESSION = "whoever is signed in, by the role of each message"
"""Rules of routes, in words: who may request a route. The handlers check them."""


async def _health(_: web.Request, server: Server) -> web.StreamResponse:
    """`GET /health`: 200 while the house is open, 503 while it closes."""
    return web.Response(text="closing\n" if server.draining else "ok\n",
                        status=503 if server.draining else 200)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Route:
    """A method and path, the handler, and the rule that says who may request it."""

    method: str
    path: str
    handler: Handler
    rule: str


ROUTES = (
    Route("GET", "/", pages.patron("home"), PUBLIC),
    Route("GET", "/check", pages.patron("check"), PUBLIC),
    Route("GET", "/t/{ticket}", pages.patron("check"), PUBLIC),
    Route("GET", "/build", pages.patron("build"), PUBLIC),
    Route("GET", "/results", pages.patron("results"), PUBLIC),
    Route("GET", "/ratecard", pages.patron("ratecard"), PUBLIC),
    Route("GET", "/guide", pages.patron("guide"), PUBLIC),
    Route("GET", "/ratecard.pdf", rate_card_api.card_paper, PUBLIC),
    Route("GET", "/guide.pdf", rate_card_api.guide_paper, PUBLIC),
    Route("GET", "/request.pdf", prices.form, PUBLIC),
    Route("GET", "/board", pages.rotation, PUBLIC),
    Route("GET", "/board/{location}", pages.board, PUBLIC),
    Route("GET", "/history/{location}", pages.history, PUBLIC),
    Route("GET", "/supervisor", pages.console, PUBLIC),
    Route("GET", "/supervisor/{tab}", pages.console, PUBLIC),
    Route("GET", "/keno/pages/{folder}/{name}", pages.file, PUBLIC),
    Route("GET", "/keno/pages/shared/type/{name}", pages.file, PUBLIC),
    Route("GET", "/health", _health, PUBLIC),
    Route("GET", "/ws/station", station_socket, STATION),
    Route("GET", "/ws/board/{location}", board_socket, PUBLIC),
    Route("GET", "/ws/console", console_socket, SESSION),
    Route("GET", "/api/locations", api.floor, PUBLIC),
    Route("GET", "/api/board/{location}", board_facts, PUBLIC),
    Route("GET", "/api/games", api.history, PUBLIC),
    Route("GET", "/api/games/{location}/{number}", api.game, PUBLIC),
    Route("GET", "/api/games/{location}/{number}/proof", api.proof, PUBLIC),
    Route("GET", "/api/ratecard", api.ratecard, PUBLIC),
    Route("GET", "/api/places", results.places, PUBLIC),
    Route("GET", "/api/results.json", results.as_feed, PUBLIC),
    Route("GET", "/api/results.csv", results.as_table, PUBLIC),
    Route("GET", "/api/card", rate_card_api.card, PUBLIC),
    Route("GET", "/api/guide", rate_card_api.guide, PUBLIC),
    Route("POST", "/api/price", prices.priced, PUBLIC),
    Route("POST", "/api/requests/code", prices.code, PUBLIC),
    Route("POST", "/api/tickets/check", ticket_check.check, PUBLIC),
    Route("POST", "/api/tickets/proof", ticket_check.proof, PUBLIC),
    Route("POST", "/api/sign-in", api.sign_in, PUBLIC),
    Route("POST", "/api/sign-out", api.sign_out, PUBLIC),
    Route("GET", "/api/session", api.session, SESSION),
    Route("POST", "/api/command", api.command, SESSION),
    Route("GET", "/api/access.csv", staff_downloads.access_table, SESSION),
    Route("GET", "/api/cards/{location}/{version}/notice.pdf", staff_downloads.notice, SESSION),
    Route(
        "GET", "/api/games/{location}/{number}/void-request", staff_downloads.void_request, SESSION
    ),
    Route("GET", "/api/halts/{halt}/resume-request", staff_downloads.resume_request, SESSION),
    Route("GET", "/api/listings", listings.forms, SESSION),
    Route("GET", "/api/listings/{location}/{listing}.csv", listings.as_table, SESSION),
    Route("GET", "/api/listings/{location}/{listing}.pdf", listings.as_paper, SESSION),
)

TICKETS = "/t/"
"""Prefix of paths that continue with a ticket's number and code; the log omits both."""

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; connect-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""HTTP headers of every response."""


def build(server: Server) -> web.Application:
    """Return the aiohttp application of a house: its routes and its middleware.

    When the application ends, the hub's connections and the worker processes are closed.
    """
    app = web.Application(
        client_max_size=server.config.server.message_bytes_max,
        middlewares=[_guard(server)],
    )

    async def goodbye(_: web.Application) -> None:
        await server.hub.close()

    async def close(_: web.Application) -> None:
        await server.workers.close()

    app.on_shutdown.append(goodbye)
    app.on_cleanup.append(close)
    for route in ROUTES:
        app.router.add_route(route.method, route.path, _bound(route.handler, server))
    return app


Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]


def _bound(handler: Handler, server: Server) -> Answer:
    async def handle(request: web.Request) -> web.StreamResponse:
        return await handler(request, server)

    return handle


def _guard(server: Server) -> Middleware:
    @web.middleware
    async def guard(request: web.Request, handler: Answer) -> web.StreamResponse:
        """Refuse requests from pages of other origins; turn exceptions into refusals, as JSON.

        An internal exception is logged in full and answered without detail.
        """
        if not _own_origin(request, server):
            return _refused(request, 403, "origin", "This page may not ask here.")
        try:
            response = await handler(request)
        except Refused as no:
            status = api.STATUS.get(no.reason, 400)
            response = _refused(request, status, no.reason, no.message, no.where)
        except Fault as fault:
            log.warning("%s %r: %s", request.method, _place(request), fault)
            response = _refusal(503, "unavailable", str(fault))
        except web.RequestPayloadError:
            response = _refused(request, 400, "http", "The body cannot be read.")
        except web.HTTPException as error:
            if error.status >= 400:
                return _refused(request, error.status, "http", error.text or error.reason)
            raise
        except Exception:  # internal error: logged in full, reported in one sentence
            log.exception("%s %r broke", request.method, _place(request))
            response = _refusal(500, "broken", "This did not work. Call the supervisor.")
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    return guard


def _refused(
    request: web.Request, status: int, code: str, message: str, where: str = ""
) -> web.Response:
    """Log a refusal with the client's address, and return it as a response."""
    log.info("%s %r refused to %s: %s", request.method, _place(request), request.remote, code)
    return _refusal(status, code, message, where)


def _place(request: web.Request) -> str:
    """Return the requested path for the log, without a ticket's number and code."""
    return "/t/…" if request.path.startswith(TICKETS) else request.path


def _refusal(status: int, code: str, message: str, where: str = "") -> web.Response:
    text = write(RefusedReply("", code, message[:300], where))
    return web.Response(text=text, status=status, content_type="application/json", headers=HEADERS)


def _own_origin(request: web.Request, server: Server) -> bool:
    """Return whether the request's Origin header is the server's own, an allowed one, or absent."""
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    scheme, _, place = origin.partition("://")
    own = scheme in ("http", "https") and place == request.host
    return own or origin in server.config.server.origins
