"""What the booth hands out, for pages and as PDF: the rate card, the gaming guide."""

from collections.abc import Callable

from aiohttp import web

from keno.domain.ratecard import RateCard
from keno.web import handouts
from keno.web.prices import card_in_force, somewhere
from keno.web.reading import ready_json
from keno.web.server import Server

Make = Callable[[str, RateCard], bytes]


async def card(request: web.Request, server: Server) -> web.Response:
    """`GET /api/card?location=…`: everything that stands on the card in force."""
    return ready_json(await _made(handouts.page, "card", request, server))


async def guide(request: web.Request, server: Server) -> web.Response:
    """`GET /api/guide?location=…`: the rules abridged, with this card's limits."""
    return ready_json(await _made(handouts.page, "guide", request, server))


async def card_paper(request: web.Request, server: Server) -> web.Response:
    """`GET /ratecard.pdf?location=…`: the folded sheet."""
    return _pdf("ratecard", await _made(handouts.paper, "ratecard", request, server))


async def guide_paper(request: web.Request, server: Server) -> web.Response:
    """`GET /guide.pdf?location=…`: the guide, one sheet."""
    return _pdf("guide", await _made(handouts.paper, "guide", request, server))


async def _made(make: Make, kind: str, request: web.Request, server: Server) -> bytes:
    """Made in a worker once for each card; who asks first spends one of its address's prices."""
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
