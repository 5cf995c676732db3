"""HTTP handlers for the rate card and the gaming guide, as JSON for pages and as PDF."""

from collections.abc import Callable

from aiohttp import web

from keno.domain.ratecard import RateCard
from keno.web import handouts
from keno.web.prices import card_in_force, somewhere
from keno.web.reading import ready_json
from keno.web.server import Server

Make = Callable[[str, RateCard], bytes]
"""A function that returns a handout's bytes, from the handout's kind and a rate card."""


async def card(request: web.Request, server: Server) -> web.Response:
    """`GET /api/card?location=…`: the rate card of the open game, as JSON for its page."""
    return ready_json(await _made(handouts.page, "card", request, server))


async def guide(request: web.Request, server: Server) -> web.Response:
    """`GET /api/guide?location=…`: the gaming guide for the card of the open game, as JSON."""
    return ready_json(await _made(handouts.page, "guide", request, server))


async def card_paper(request: web.Request, server: Server) -> web.Response:
    """`GET /ratecard.pdf?location=…`: the rate card of the open game, as a PDF."""
    return _pdf("ratecard", await _made(handouts.paper, "ratecard", request, server))


async def guide_paper(request: web.Request, server: Server) -> web.Response:
    """`GET /guide.pdf?location=…`: the gaming guide for the card of the open game, as a PDF."""
    return _pdf("guide", await _made(handouts.paper, "guide", request, server))


async def _made(make: Make, kind: str, request: web.Request, server: Server) -> bytes:
    """Return a handout's bytes for the card of the open game, from the cache or from a worker.

    Only a handout that is not in the cache counts against the address's rate limit of prices.
    """
    found = await card_in_force(server, somewhere(request, server))
    key = (make.__name__, kind, found.version)
    if key not in server.papers:
        address = server.address(request)
        server.prices.require(address)
        server.papers[key] = await server.workers.heavy.run(address, make, kind, found)
    return server.papers[key]


def _pdf(kind: str, content: bytes) -> web.Response:
    return web.Response(
        body=content,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="keno-{kind}.pdf"'},
    )
