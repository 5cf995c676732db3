"""HTTP handlers of downloads for staff.

They are the notice of a new card, the files that keyholders sign at the generator to void a game or
to end a halt, and the listing of who has access.
"""

import asyncio
import csv
import io
from datetime import datetime
from zoneinfo import ZoneInfo

from aiohttp import web

from keno import protocol
from keno.documents.listings import harmless
from keno.domain.game import game_name
from keno.domain.ratecard import RateCard
from keno.service import access, cards, halts, void_quote
from keno.web.answering import check_role
from keno.web.api import who
from keno.web.reading import whole_number
from keno.web.server import Server


async def notice(request: web.Request, server: Server) -> web.Response:
    """`GET /api/cards/{location}/{version}/notice.pdf`: what a new card changes, as a PDF to post.

    Refused if the version was never posted at the location, or was its first card.
    """
    location = server.conductor(request.match_info["location"]).location
    check_role(protocol.GetCards("", location), await who(request, server))
    version = request.match_info["version"]
    old, new, about = await cards.both_sides(server.house, location, version)
    posted = datetime.fromtimestamp(about["posted_ms"] / 1000, ZoneInfo(about["zone"]))
    first = game_name(about["letter"], about["first_game"])
    async with server.listing:
        made = await asyncio.to_thread(_notice, old, new, first, posted)
    name = f"keno-notice-{location}-{about['first_game']}.pdf"
    return web.Response(body=made, content_type="application/pdf", headers=_named("inline", name))


def _notice(old: RateCard, new: RateCard, first: str, posted: datetime) -> bytes:
    # Drawing code is imported when something is drawn: reportlab is slow to import.
    from keno.documents.notice import new_card_notice  # noqa: PLC0415

    return new_card_notice(old, new, first, posted)


async def void_request(request: web.Request, server: Server) -> web.Response:
    """`GET /api/games/{location}/{number}/void-request`: the file to be signed to void a game.

    Inspector and supervisor sign it at the generator's console.
    """
    location = server.conductor(request.match_info["location"]).location
    number = whole_number(request.match_info["number"])
    check_role(protocol.GetVoidQuote("", location, number), await who(request, server))
    line = await void_quote.void_request(server.house, location, number)
    name = f"void-request-{location}-{number}.json"
    kind = "application/json"
    return web.Response(body=line, content_type=kind, headers=_named("attachment", name))


async def resume_request(request: web.Request, server: Server) -> web.Response:
    """`GET /api/halts/{halt}/resume-request`: the file to be signed to end a halt.

    Two keyholders sign it at the generator's console.
    """
    check_role(protocol.GetHalts(""), await who(request, server))
    halt = request.match_info["halt"]
    line = await halts.resume_request(server.house, halt)
    headers = _named("attachment", f"resume-request-{halt[:16]}.json")
    return web.Response(body=line, content_type="application/json", headers=headers)


async def access_table(request: web.Request, server: Server) -> web.Response:
    """`GET /api/access.csv`: all people with name, role, active state and signing key or not."""
    check_role(protocol.GetStaff(""), await who(request, server))
    found = await access.staff(server.house, ())
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\r\n")
    table.writerow(["person", "name", "role", "active", "signing_key"])
    for each in found.people:
        yes = ["yes" if flag else "no" for flag in (each.active, each.has_key)]
        table.writerow([each.person, harmless(each.name), each.role, *yes])
    return web.Response(
        text=out.getvalue(),
        content_type="text/csv",
        charset="utf-8",
        headers=_named("attachment", "keno-access.csv"),
    )


def _named(how: str, name: str) -> dict[str, str]:
    return {"Content-Disposition": f'{how}; filename="{name}"'}
