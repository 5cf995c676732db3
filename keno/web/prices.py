"""HTTP handlers for a keno request before its sale: price and odds, QR code, paper form.

A priced request is not a wager: wagers are made at a booth (15.3(a)). `offers.py` computes the
answers in worker processes.
"""

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.domain.ratecard import RateCard
from keno.store import queries
from keno.web import offers
from keno.web.decoding import decoded
from keno.web.reading import ready_json
from keno.web.server import Server

SMALL_BYTES = 1_200
"""Maximum bytes of an HTTP body in the light lane; the patron's page sends less."""


class _Where(msgspec.Struct):
    """The location of a request, the only part of the body that the server's process decodes."""

    location: str


async def priced(request: web.Request, server: Server) -> web.Response:
    """`POST /api/price`: the price and odds of a keno request under the card in force, as JSON.

    Ordinary tickets are computed in the light lane. Large bodies and intricate tickets go to the
    heavy lane. In each lane client addresses take turns.
    """
    address = server.address(request)
    server.prices.require(address)
    body = await request.read()
    card = await card_on_sale(server, decoded(body, _Where).location)
    found = None
    if len(body) <= SMALL_BYTES:
        found = await server.workers.light.run(address, offers.priced_lightly, body, card)
    if found is None:
        found = await server.workers.heavy.run(address, offers.priced, body, card)
    return ready_json(found)


async def code(request: web.Request, server: Server) -> web.Response:
    """`POST /api/requests/code`: a keno request as a QR code for a writer, as rows of dots in JSON.

    Refused if the location takes no requests from telephones or the card does not offer this one.
    """
    address = server.address(request)
    server.prices.require(address)
    body = await request.read()
    location = server.conductor(decoded(body, _Where).location).location
    place = await server.house.ledger.read(lambda reads: queries.location(reads, location))
    if place is None or not place["digital_requests"]:
        raise Refused(
            Refusal.DIGITAL_NOT_OFFERED, "Writers take no codes here. Print the form instead."
        )
    card = await card_on_sale(server, location)
    lane = server.workers.light if len(body) <= SMALL_BYTES else server.workers.heavy
    return ready_json(await lane.run(address, offers.code, body, card))


async def form(request: web.Request, server: Server) -> web.Response:
    """`GET /request.pdf?location=…&text=…`: the keno request form as a PDF, filled in from `text`.

    Without `text` the form is empty; without `location` it is that of the first location.
    """
    address = server.address(request)
    server.prices.require(address)
    card = await card_in_force(server, somewhere(request, server))
    text = request.query.get("text")
    return web.Response(
        body=await server.workers.heavy.run(address, offers.form, text, card),
        content_type="application/pdf",
        headers={"Content-Disposition": 'inline; filename="keno-request.pdf"'},
    )


def somewhere(request: web.Request, server: Server) -> str:
    """Return the location in the request's query; without one, the server's first location."""
    return request.query.get("location") or next(iter(server.conductors), "")


async def card_on_sale(server: Server, location: str) -> RateCard:
    """Return the card of the open game at a location; refuse if the card may no longer be sold."""
    card = await card_in_force(server, location)
    server.house.check_sold(card.version)
    return card


async def card_in_force(server: Server, location: str) -> RateCard:
    """Return the rate card of the open game at a location; refuse if no game is open."""
    now = server.conductor(location).state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    version = now.card
    return await server.house.ledger.read(lambda reads: server.house.card(reads, version))
