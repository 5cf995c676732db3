"""HTTP handlers: locations, games, proofs, the card's text, the console's sign-in and commands."""

import logging

import msgspec
from aiohttp import web

from keno.domain.errors import Refusal, Refused
from keno.domain.states import UNDECIDED
from keno.protocol import Message, RefusedReply, read_console, write
from keno.service import cards, views
from keno.service.house import gaming_day
from keno.store import queries
from keno.store.rows import UserRow
from keno.store.transaction import Reads, Row
from keno.web.answering import BROKEN, UNAVAILABLE, answer, read
from keno.web.reading import as_json, read_body, whole_number
from keno.web.server import Caller, Server

log = logging.getLogger(__name__)

COOKIE = "keno_session"
"""Name of the cookie that holds a console session's token."""
STATUS: dict[str, int] = {
    Refusal.NOT_SIGNED_IN: 401,
    Refusal.SIGN_IN_FAILED: 401,
    Refusal.NOT_ALLOWED: 403,
    Refusal.UNKNOWN_GAME: 404,
    Refusal.UNKNOWN_CARD: 404,
    Refusal.UNKNOWN_STATION: 404,
    Refusal.TOO_FAST: 429,
    Refusal.TOO_MANY_ATTEMPTS: 429,
    UNAVAILABLE: 503,
    BROKEN: 500,
}
"""HTTP status by code of a refusal; any other code is 400."""


class _SignIn(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `POST /api/sign-in`."""

    person: str
    password: str


async def floor(_: web.Request, server: Server) -> web.Response:
    """`GET /api/locations`: the present state of every location, as JSON."""
    return as_json([conductor.state() for conductor in server.conductors.values()])


async def game(request: web.Request, server: Server) -> web.Response:
    """`GET /api/games/{location}/{number}`: one game as JSON; its numbers once all are shown.

    An unknown location or game is refused.
    """
    view = await _game(request, server)
    return as_json(view)


async def _game(request: web.Request, server: Server) -> views.GameView:
    location = server.conductor(request.match_info["location"]).location
    number = whole_number(request.match_info["number"])
    row = await server.house.ledger.read(lambda reads: queries.game(reads, location, number))
    place = await server.house.ledger.read(lambda reads: queries.location(reads, location))
    if row is None or place is None:
        raise Refused(Refusal.UNKNOWN_GAME, f"There is no game {number} here.")
    return views.game_view(place["letter"], row)


async def history(request: web.Request, server: Server) -> web.Response:
    """`GET /api/games?location=…&before=…&limit=…`: shown and void games as JSON, the newest first.

    `before` is the game number to start below; `limit` the maximum number of games (default 20,
    never over `views.GAMES_PAGE`). An unknown location, or what is no number, is refused.
    """
    location = server.conductor(request.query.get("location", "")).location
    before = request.query.get("before")
    limit = whole_number(request.query.get("limit", "20"))
    found = await views.history(
        server.house, location, None if before is None else whole_number(before), limit
    )
    return as_json(found)


async def proof(request: web.Request, server: Server) -> web.Response:
    """`GET /api/games/{location}/{number}/proof`: a game's proof for `keno verify`, as a download.

    A game that is open or drawing is refused, as is an unknown location or game.
    """
    view = await _game(request, server)
    if view.state in UNDECIDED:
        raise Refused(Refusal.DRAWING, f"Game {view.name} is not over.")
    lines = await views.game_proof(server.house, view.location, view.game)
    name = f"{view.name}.proof"
    return web.Response(
        body=lines,
        content_type="application/x-ndjson",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


async def ratecard(request: web.Request, server: Server) -> web.Response:
    """`GET /api/ratecard?location=…&version=…`: version and TOML text of a rate card, as JSON.

    Without `version`, the card of the open game; refused if no game is open. An unknown location,
    or a version that was never posted there, is refused.
    """
    conductor = server.conductor(request.query.get("location", ""))
    version = request.query.get("version")
    if version is not None:
        posted = await cards.posted_text(server.house, conductor.location, version)
        return as_json({"version": version, "toml": posted})
    now = conductor.state().open
    if now is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "No game is open here yet.")
    text = await server.house.ledger.read(lambda reads: queries.card_text(reads, now.card))
    return as_json({"version": now.card, "toml": text})


async def sign_in(request: web.Request, server: Server) -> web.Response:
    """`POST /api/sign-in`: check name and password, open a session and set its cookie.

    The response has the person's id, name and role. A wrong name or password, an inactive person,
    or too many attempts are refused.
    """
    asked = await read_body(request, _SignIn)
    user = await server.sign_in(asked.person, asked.password, server.address(request))
    token = server.sessions.open(user.person, user.role)
    response = as_json({"person": user.person, "name": user.name, "role": user.role})
    response.set_cookie(
        COOKIE,
        token,
        max_age=server.config.session.hours * 3600,
        httponly=True,
        samesite="Strict",
        secure=server.secure_cookies,
    )
    return response


async def sign_out(request: web.Request, server: Server) -> web.Response:
    """`POST /api/sign-out`: end the session and remove its cookie."""
    server.sessions.close(request.cookies.get(COOKIE, ""))
    response = as_json({})
    response.del_cookie(COOKIE)
    return response


async def session(request: web.Request, server: Server) -> web.Response:
    """`GET /api/session`: the signed-in person, and the house with its locations, as JSON.

    Raise `Refused` if no person is signed in. The session's idle time starts again.
    """
    caller = await who(request, server)
    house = server.house

    def load(reads: Reads) -> tuple[UserRow | None, list[Row]]:
        return queries.user(reads, caller.person), queries.locations(reads)

    user, places = await house.ledger.read(load)
    return as_json(
        {
            "person": caller.person,
            "name": caller.person if user is None else user.name,
            "role": caller.role,
            "has_key": user is not None and user.public_key is not None,
            "casino": server.config.house.name or house.site,
            "value": house.mode == "live",
            "idle_seconds": server.config.session.idle_minutes * 60,
            "locations": [
                {name: place[name] for name in ("location", "letter", "name", "zone")}
                | {"gaming_day": gaming_day(place).of(house.ledger.clock()).isoformat()}
                for place in places
                if place["location"] in server.conductors
            ],
        }
    )


async def command(request: web.Request, server: Server) -> web.Response:
    """`POST /api/command`: run one command of the console; return its answer or refusal as JSON.

    Raise `Refused` if no person is signed in. Any other refusal is returned, with the HTTP status
    of `STATUS`. With `?quiet=1`, for a page that refreshes itself, the request does not renew the
    session.
    """
    caller = await who(request, server, quiet=request.query.get("quiet") == "1")
    message: Message | RefusedReply = read(await request.read(), read_console)
    if isinstance(message, RefusedReply):
        log.info("a message of %s refused: %s", caller.person, message.code)
    said = message if isinstance(message, RefusedReply) else await answer(server, caller, message)
    status = 200 if not isinstance(said, RefusedReply) else STATUS.get(said.code, 400)
    return web.Response(text=write(said), status=status, content_type="application/json")


async def who(request: web.Request, server: Server, *, quiet: bool = False) -> Caller:
    """Return the caller whose session the request's cookie names, with their present role.

    Raise `Refused` if the session is unknown or expired, or the person inactive. The session's idle
    time starts again, unless `quiet` is true.
    """
    token = request.cookies.get(COOKIE, "")
    found = server.sessions.look(token) if quiet else server.sessions.find(token)
    user = None
    if found is not None:
        user = await server.house.ledger.read(lambda reads: queries.user(reads, found.person))
    if user is None or not user.active:
        raise Refused(Refusal.NOT_SIGNED_IN, "Sign in first.")
    return Caller(user.person, user.role, server.address(request))
