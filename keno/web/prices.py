"""A request before anybody sells it: price, ways, odds, its code for a writer, its paper form.

Nothing here is a wager: those are made at a booth (15.3(a)).
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import msgspec
import numpy as np
import zxingcpp
from aiohttp import web

from keno import counter
from keno.domain.errors import Refusal, Refused
from keno.domain.notation import parse, print_request
from keno.domain.odds import ticket_odds
from keno.domain.pricing import Priced, price
from keno.domain.ratecard import RateCard
from keno.domain.wager import EveryWay, KenoRequest, count_sets
from keno.domain.written import to_written
from keno.messages.request import read_request
from keno.store import queries
from keno.web.picture import picture
from keno.web.reading import as_json, read_body
from keno.web.server import Server

WAITING_MAX = 20
AWARDS_MAX = 200
"""So many awards are listed one by one; of more only the bands are told."""
CODE_MAX = 1_200
"""Longer texts make a code that no camera reads from a telephone's screen."""
T = TypeVar("T")


class _Total(msgspec.Struct, forbid_unknown_fields=True):
    spots: int
    rate: str
    wager_cents: int


class _Draft(msgspec.Struct, forbid_unknown_fields=True):
    """What is being built: totals in place of lines, and perhaps none yet."""

    groups: tuple[tuple[int, ...], ...]
    kings: tuple[int, ...]
    totals: tuple[_Total, ...]
    games: int


class _Asked(msgspec.Struct, forbid_unknown_fields=True):
    location: str
    request: dict[str, Any] | None = None
    text: str | None = None
    draft: _Draft | None = None


async def priced(request: web.Request, server: Server) -> web.Response:
    """`POST /api/price`: what a request costs and what it may win, under the card in force."""
    server.prices.require(server.address(request))
    asked = await read_body(request, _Asked)
    card = await card_in_force(server, asked.location)
    return as_json(await in_turn(server, lambda: _priced(asked, card)))


async def code(request: web.Request, server: Server) -> web.Response:
    """`POST /api/requests/code`: a request that the card offers, as the modules of a QR code."""
    server.prices.require(server.address(request))
    asked = await read_body(request, _Asked)
    location = server.conductor(asked.location).location
    place = await server.house.ledger.read(lambda reads: queries.location(reads, location))
    if place is None or not place["digital_requests"]:
        raise Refused(
            Refusal.DIGITAL_NOT_OFFERED, "Writers take no codes here. Print the form instead."
        )
    card = await card_in_force(server, asked.location)
    return as_json(await in_turn(server, lambda: _code(asked, card)))


async def form(request: web.Request, server: Server) -> web.Response:
    """`GET /request.pdf?location=…&text=…`: the request form, filled in if there is a text."""
    server.prices.require(server.address(request))
    location, text = somewhere(request, server), request.query.get("text")
    card = await card_in_force(server, location)
    asked = _Asked(location, text=text)
    made = await in_turn(server, lambda: _form(asked, card))
    return web.Response(
        body=made,
        content_type="application/pdf",
        headers={"Content-Disposition": 'inline; filename="keno-request.pdf"'},
    )


def somewhere(request: web.Request, server: Server) -> str:
    """The location that is named, else the first one: papers are asked for without a page too."""
    return request.query.get("location") or next(iter(server.conductors), "")


async def card_in_force(server: Server, location: str) -> RateCard:
    """The card of the game that is open at a location."""
    now = server.conductor(location).state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    version = now.card
    return await server.house.ledger.read(lambda reads: server.house.card(reads, version))


async def in_turn(server: Server, work: Callable[[], T]) -> T:
    """Do some work in a thread, a few at once for all patrons together."""
    if server.slow_waiting >= WAITING_MAX:
        raise Refused(Refusal.TOO_FAST, "Many people ask at this moment. Try again.")
    server.slow_waiting += 1
    try:
        async with server.slow:
            return await asyncio.to_thread(work)
    finally:
        server.slow_waiting -= 1


# ---------------------------------------------------------------- what is answered


def _priced(asked: _Asked, card: RateCard) -> dict[str, Any]:
    told: dict[str, Any] = {
        "card": card.version, "choices": [], "kind": None, "ways": None, "game_cents": None,
        "price_cents": None, "request": None, "text": None, "limits": None, "odds": None,
        "picture": None, "why_not": None,
    }  # fmt: skip
    try:
        if asked.draft is not None:
            told["choices"] = _choices(asked.draft, card)
        found = price(_request(asked, card), card)
    except Refused as no:
        if no.reason is Refusal.MALFORMED:
            raise
        return told | {
            "why_not": {"code": no.reason.value, "message": no.message, "where": no.where}
        }
    return told | _offered(found) | {"choices": told["choices"] or _choices_of(found)}


def _offered(found: Priced) -> dict[str, Any]:
    request, card = found.request, found.card
    odds = ticket_odds(found)
    report = counter.odds_report(odds)
    if report["awards"] is not None and len(report["awards"]) > AWARDS_MAX:
        report |= {"awards": None, "reason": "too_many"}
    rate = card.rates[request.lines[0].rate]
    return {
        "kind": request.type.value,
        "ways": request.ways,
        "game_cents": found.price_one_game_cents,
        "price_cents": found.price_cents,
        "request": to_written(request),
        "text": _text(found),
        "limits": {
            "min_cents": rate.min_cents(request.ways),
            "max_cents": rate.max_cents,
            "step_cents": rate.step_cents,
        },
        "odds": report,
        "picture": picture(odds),
    }


def _text(found: Priced) -> str:
    """The text form with its price, so that patron and writer agree on it (15.4(a))."""
    return print_request(replace(found.request, price_cents=found.price_cents), found.card)


def _code(asked: _Asked, card: RateCard) -> dict[str, Any]:
    found = price(_request(asked, card), card)
    text = _text(found)
    if len(text) > CODE_MAX:
        raise Refused(
            Refusal.REQUEST_TOO_LONG, "This request is too long for a code. Print the form instead."
        )
    made = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level="M")
    dots = np.asarray(zxingcpp.write_barcode_to_image(made, scale=1, add_quiet_zones=False))
    rows = ["".join("1" if dot < 128 else "0" for dot in row) for row in dots]
    return {"text": text, "price_cents": found.price_cents, "rows": rows}


def _form(asked: _Asked, card: RateCard) -> bytes:
    # What draws is brought in when something is drawn: reportlab is slow to come.
    from keno.documents.filled import filled_form  # noqa: PLC0415
    from keno.documents.request import request_form  # noqa: PLC0415

    if asked.text is None:
        return request_form(card)
    return filled_form(price(_request(asked, card), card))


# ---------------------------------------------------------------- what is asked


def _request(asked: _Asked, card: RateCard) -> KenoRequest:
    given = [each for each in (asked.request, asked.text, asked.draft) if each is not None]
    if len(given) != 1:
        raise Refused(Refusal.MALFORMED, "Send a request, its text or a draft: one of them.")
    if asked.request is not None:
        return read_request(asked.request)
    if asked.text is not None:
        return parse(asked.text, card)
    return _drafted(given[0])


def _drafted(draft: Any) -> KenoRequest:
    """A draft with every way of each total that its groups make."""
    sizes = _sizes(draft)
    lines = [
        EveryWay(ways, total.spots, total.rate, total.wager_cents)
        for total in draft.totals
        if (ways := count_sets(sizes, total.spots) if 0 < total.spots <= 80 else 0)
    ]
    return KenoRequest(draft.groups, draft.kings, tuple(lines), draft.games)


def _sizes(draft: _Draft) -> list[int]:
    """How large each group is, once its numbers are in order."""
    try:
        KenoRequest(draft.groups, draft.kings, ())
    except Refused as no:
        if no.reason is not Refusal.NO_CONDITIONING:
            raise
    return [*(len(group) for group in draft.groups), *(1 for _ in draft.kings)]


def _choices(draft: _Draft, card: RateCard) -> list[dict[str, int]]:
    return _totals(_sizes(draft), card)


def _choices_of(found: Priced) -> list[dict[str, int]]:
    return _totals(list(found.request.sizes), found.card)


def _totals(sizes: list[int], card: RateCard) -> list[dict[str, int]]:
    """The totals that these groups make and some rate of the card pays."""
    paid = {spots for rate in card.rates.values() for spots in rate.pays}
    counted = ((spots, count_sets(sizes, spots)) for spots in sorted(paid))
    return [
        {"spots": spots, "ways": ways}
        for spots, ways in counted
        if spots <= card.spots_max and 0 < ways <= card.ways_max
    ]
