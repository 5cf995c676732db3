"""HTTP handlers for public results: shown and void games, by day or number, as JSON and CSV."""

import csv
import io
from datetime import UTC, date, datetime
from typing import Any
from zoneinfo import ZoneInfo

from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.domain.wager import BALLS
from keno.service import views
from keno.store import queries
from keno.web.reading import as_json, whole_number
from keno.web.server import Server
from keno.web.ticket_check import place_told

COLUMNS = ("location", "game", "state", "closed", *(f"ball_{n}" for n in range(1, BALLS + 1)))
"""Header row of the CSV file."""


async def places(_: web.Request, server: Server) -> web.Response:
    """`GET /api/places`: each location with names, time zone and card of its open game, as JSON."""

    def opened(location: str) -> str | None:
        now = server.conductors[location].state().open
        return None if now is None else now.card

    told = await server.house.ledger.read(
        lambda reads: [place_told(server, reads, name) for name in server.conductors]
    )
    return as_json([{**each, "card": opened(each["location"])} for each in told])


async def as_feed(request: web.Request, server: Server) -> web.Response:
    """`GET /api/results.json?location=…&day=…&game=…&before=…&limit=…`: past games as JSON.

    `game` selects one game, `day` a gaming day, `before` games below a number. The newest is first.
    """
    found, place = await _found(request, server)
    shown = [_told(view) for view in found]
    days = {"location": place["location"], "name": place["name"], "zone": place["zone"]}
    return as_json({**days, "results": shown})


async def as_table(request: web.Request, server: Server) -> web.Response:
    """`GET /api/results.csv`: past games as a CSV file, with the balls in the order drawn.

    The query is that of `as_feed`; times are in the location's zone.
    """
    found, place = await _found(request, server)
    zone = ZoneInfo(place["zone"])
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for view in found:
        closed = datetime.fromtimestamp((view.locked_ms or 0) // 1000, UTC).astimezone(zone)
        balls = view.numbers or ("",) * BALLS
        table.writerow([view.location, view.name, view.state, closed.isoformat(), *balls])
    name = f"results-{place['location']}.csv"
    return web.Response(
        text=text.getvalue(),
        content_type="text/csv",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def _told(view: views.GameView) -> dict[str, Any]:
    return {
        "game": view.game,
        "name": view.name,
        "state": view.state,
        "closed_ms": view.locked_ms,
        "numbers": view.numbers,
        "tickets": view.tickets,
        "commitment": view.commitment,
    }


async def _found(
    request: web.Request, server: Server
) -> tuple[list[views.GameView], dict[str, Any]]:
    asked = request.query
    location = server.conductor(asked.get("location", "")).location
    place = await server.house.ledger.read(lambda reads: queries.location(reads, location))
    if place is None:
        raise Refused(Refusal.UNKNOWN_STATION, "There is no such location.")
    limit = whole_number(asked.get("limit", "20"))
    before = asked.get("before")
    upto = None if before is None else whole_number(before)
    if (game := asked.get("game")) is not None:
        upto, limit = whole_number(game) + 1, 1
        found = await views.history(server.house, location, upto, limit)
        return [view for view in found if view.game == upto - 1], dict(place)
    if (day := asked.get("day")) is not None:
        found = await views.history_of_day(server.house, location, _day(day), upto, limit)
    else:
        found = await views.history(server.house, location, upto, limit)
    return found, dict(place)


def _day(text: str) -> date:
    try:
        found = date.fromisoformat(text)
    except ValueError:
        found = date.min
    if not 1970 < found.year < 9999:
        raise Refused(Refusal.MALFORMED, "A day is written like 2026-11-16.", "day")
    return found
