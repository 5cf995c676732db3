"""A fake server that gives the pages made-up data of one evening.

It is used for pictures, and for states that a real house would take hours to reach. Page, style and
scripts are the product's own.
"""

import asyncio
import json
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web
from playwright.async_api import Page

from keno.web.app import HEADERS
from keno.web.pages import FILES

# 9:07 PM in New York, on an evening in November.
NOW_MS = 1_794_881_220_000
INTERVAL_MS = 300_000
GAMES = {
    1180: [66, 19, 70, 33, 50, 40, 12, 60, 20, 49, 54, 2, 32, 61, 75, 1, 29, 74, 38, 62],
    1181: [42, 4, 14, 78, 64, 18, 35, 72, 37, 11, 50, 39, 65, 80, 3, 16, 74, 23, 12, 25],
    1182: [12, 31, 22, 37, 52, 70, 4, 7, 42, 18, 26, 6, 74, 80, 34, 21, 33, 55, 61, 38],
    1183: [58, 72, 77, 25, 19, 7, 12, 5, 76, 41, 79, 64, 69, 23, 55, 75, 9, 50, 26, 22],
    1184: [70, 24, 7, 22, 56, 29, 30, 49, 1, 53, 3, 18, 58, 61, 59, 31, 2, 10, 12, 78],
}
SEALS = {1184: "4a95b0eef94575869218d2801cadb6ba" * 2, 1185: "3f3ec43b227f03b0a55d0e27f2ffbae4" * 2}
OPENING = {"opens_ms": NOW_MS + 46_380_000, "words": "Opens at 10:00 AM tomorrow"}
LATER = OPENING | {"words": "Opens at 10:00 AM on Wednesday, November 25"}
FACTS = {
    "location": "main", "letter": "A", "name": "Main Floor", "zone": "America/New_York",
    "casino": "Larkspur Casino", "interval_ms": INTERVAL_MS, "repeat_ms": 10_000, "card": "26-3",
    "aggregate_max_cents": 100_000_00, "full_up_to_cents": None, "held": None,
}  # fmt: skip


def opened(game: int, left_ms: int | None, **changes: Any) -> dict[str, Any]:
    """Return an open game that closes in `left_ms`; None: by hand."""
    return {
        "game": game, "name": f"A-{game}", "card": "26-3", "commitment": SEALS.get(game, "9f" * 32),
        "closes_in_ms": left_ms, "closing": False, "mode": "automatic",
    } | changes  # fmt: skip


def shown(game: int) -> dict[str, Any]:
    return {"game": game, "name": f"A-{game}", "numbers": GAMES[game]}


def drawn(game: int, balls: int) -> dict[str, Any]:
    return {"game": game, "name": f"A-{game}", "balls": GAMES[game][:balls]}


def state(**changes: Any) -> dict[str, Any]:
    """Return the state event of the location."""
    return {
        "type": "state", "location": "main", "site": "Larkspur", "value": True,
        "server_ms": NOW_MS, "open": opened(1185, 278_000), "drawing": None, "last": shown(1184),
        "trouble": None, "changes": [], "closed": None, "last_before": None,
    } | changes  # fmt: skip


def ball(game: int, index: int) -> dict[str, Any]:
    return {"type": "ball", "location": "main", "game": game, "index": index,
            "number": GAMES[game][index], "server_ms": NOW_MS + 100 + index}  # fmt: skip


def past(games: int = 1000, newest: int = 1184) -> list[dict[str, Any]]:
    """Return past games, newest first; numbers that GAMES does not have are seeded random ones."""
    chance = random.Random(1184)
    numbers = {each: chance.sample(range(1, 81), 20) for each in range(newest, newest - games, -1)}
    return [
        {"location": "main", "game": game, "name": f"A-{game}", "state": "settled", "card": "26-3",
         "commitment": "9f" * 32, "opened_ms": NOW_MS - (newest - game + 1) * INTERVAL_MS,
         "locked_ms": NOW_MS - (newest - game) * INTERVAL_MS, "tickets": 318, "root": "4c" * 32,
         "numbers": GAMES.get(game, numbers[game])}
        for game in range(newest, max(newest - games, 0), -1)
    ]  # fmt: skip


@dataclass
class Story:
    """A fake server that serves the product's files and the data that the test sets."""

    address: str = ""
    facts: dict[str, Any] = field(default_factory=lambda: dict(FACTS))
    games: list[dict[str, Any]] = field(default_factory=past)
    first: dict[str, Any] | None = None
    """The first event that a board receives; None: the server does not answer."""
    lines: list[web.WebSocketResponse] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    """Sources of scripts that replace the product's, by path."""
    proofs: dict[str, str] = field(default_factory=dict)
    """Texts that are served as the proofs of games, by game number."""
    asked: list[str] = field(default_factory=list)
    """The locations that boards have requested, in order."""

    async def show(self, page: Page, path: str = "/board/main") -> None:
        """Open a page whose clock is set to the story's time."""
        await page.clock.install(time=NOW_MS / 1000)
        await page.goto(self.address + path)

    async def say(self, event: dict[str, Any]) -> None:
        for line in self.lines:
            await line.send_str(json.dumps(event))

    async def cut(self) -> None:
        """Close every websocket and answer no more, as if the server were gone."""
        self.first = None
        await asyncio.gather(*(line.close() for line in self.lines))

    async def board(self, request: web.Request) -> web.StreamResponse:
        if self.first is None:
            raise web.HTTPServiceUnavailable
        line = web.WebSocketResponse()
        await line.prepare(request)
        self.lines.append(line)
        self.asked.append(request.match_info["location"])
        try:
            here = {"location": request.match_info["location"]}
            await line.send_str(json.dumps(self.first | here))
            async for _ in line:
                pass
        finally:
            self.lines.remove(line)
        return line

    async def history(self, request: web.Request) -> web.Response:
        before = int(request.query.get("before", 10**9))
        found = [each for each in self.games if each["game"] < before]
        return web.json_response(found[: min(int(request.query["limit"]), 100)])

    async def proof(self, request: web.Request) -> web.Response:
        text = self.proofs.get(request.match_info["game"])
        return web.Response(text=text, status=404 if text is None else 200)

    async def place(self, request: web.Request) -> web.Response:
        return web.json_response(self.facts | {"location": request.match_info["location"]})

    async def floor(self, _: web.Request) -> web.Response:
        return web.json_response([self.first or state()])


@asynccontextmanager
async def telling() -> AsyncIterator[Story]:
    """Start the fake server, with the product's security headers."""
    story = Story()

    async def file(request: web.Request) -> web.Response:
        name = request.path.strip("/")
        if name in story.files:
            return web.Response(text=story.files[name], content_type="text/javascript")
        found = FILES.get(name) or FILES.get(f"keno/pages/board/{name.partition('/')[0]}.html")
        return web.Response(status=404) if found is None else found.answer()

    async def headers(_: web.Request, response: web.StreamResponse) -> None:
        response.headers.update(HEADERS)

    app = web.Application()
    app.router.add_get("/ws/board/{location}", story.board)
    app.router.add_get("/api/board/{location}", story.place)
    app.router.add_get("/api/locations", story.floor)
    app.router.add_get("/api/games", story.history)
    app.router.add_get("/api/games/main/{game}/proof", story.proof)
    app.router.add_get("/{path:.*}", file)
    app.on_response_prepare.append(headers)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    story.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield story
    finally:
        await story.cut()
        await runner.cleanup()
