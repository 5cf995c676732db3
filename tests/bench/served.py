"""A process for the benchmark: a house behind real sockets, or a bare server to compare with.

    python -m tests.bench.served echo PORT
    python -m tests.bench.served house PORT FOLDER STATIONS [example]

The house plays the small card of the tests, or the example that comes with the program. A line on
standard input makes it broadcast; it ends with its input.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import cast

import uvloop
from aiohttp import WSMsgType, web
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import protocol
from keno.config import Config, HouseConfig, ServerConfig, SessionConfig
from keno.draw.coordinator import DrawCoordinator
from keno.games.conductor import Conductor, Schedule
from keno.protocol import Told
from keno.serve import calm_collector
from keno.service import counter, people, shifts
from keno.service.common import WriterContext
from keno.web.app import build
from keno.web.auth.passwords import Cost, Passwords
from keno.web.auth.sessions import Sessions
from keno.web.server import Server
from tests.houses import ADM, Floor, new_floor

PASSWORD = "for the benchmark"  # noqa: S105
CHEAP = Cost(memory_kib=32, iterations=1, lanes=1)


def key_of(station: int) -> Ed25519PrivateKey:
    """The key of the benchmark's station, the same in both processes."""
    return Ed25519PrivateKey.from_private_bytes(station.to_bytes(32, "big"))


async def echo(port: int) -> None:
    """The least that answers: a frame comes, the same frame goes; broadcasts are a plain loop.

    No parsing, no ledger, no state: aiohttp itself could not do it with less.
    """
    boards: set[web.WebSocketResponse] = set()

    async def socket(request: web.Request) -> web.WebSocketResponse:
        made = web.WebSocketResponse(compress=False)
        await made.prepare(request)
        boards.add(made)
        async for frame in made:
            if frame.type is WSMsgType.TEXT:
                await made.send_str(frame.data)
        return made

    app = web.Application()
    app.router.add_get("/ws/station", socket)
    app.router.add_get("/ws/board/main", socket)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, backlog=4096).start()
    async for text in _asked():
        for each in tuple(boards):
            await each.send_str(text)


async def house(port: int, folder: Path, stations: int, card: str = "") -> None:
    """A house with this many stations, each with a writer and an open shift."""
    async with new_floor(folder) as floor:
        if card:
            floor.house.cards["1"] = counter.usable_card(counter.load_card(card))
        for number in range(1, stations + 1):
            await _staff(floor, number)
        passwords = Passwords(folder / "passwords.json", CHEAP)
        await passwords.set("W1", PASSWORD)
        settings = ServerConfig(stations_max=10_000, boards_max=10_000, messages_per_second=1000)
        config = Config(HouseConfig(folder=folder), settings, SessionConfig(), {})
        server = Server(floor.house, config, passwords, Sessions(900, 9000, time.monotonic))
        server.sign_in = _writer_of_station  # type: ignore[method-assign,assignment]
        opened = asyncio.Event()
        conductor = Conductor(
            floor.house,
            cast(DrawCoordinator, _Side()),
            Schedule(automatic=False),
            lambda _: opened.set(),
        )
        server.conductors["main"] = conductor
        games = asyncio.create_task(conductor.run())
        await opened.wait()
        runner = web.AppRunner(build(server), access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port, backlog=4096).start()
        calm_collector()
        events = asyncio.create_task(server.hub.run())
        async for text in _asked():
            server.hub.publish("main", Told("main", text, "bench", 0))
        events.cancel()
        games.cancel()
        await runner.cleanup()
        passwords.close()


class _Side:
    """A draw that promises and is never asked to draw."""

    location, genesis, ask_r, ask_w = "main", None, None, None

    async def begin(self) -> None:
        return None

    async def commit(self, game: int) -> str:
        return f"commitment {game}"


async def _writer_of_station(person: str, *_: str) -> object:
    """Everybody's password is right: a thousand of them would take minutes."""
    return type("User", (), {"person": person, "role": "writer", "name": person})()


async def _staff(floor: Floor, number: int) -> None:
    name, station = f"B{number}", f"b{number}"
    public = key_of(number).public_key().public_bytes_raw().hex()
    house = floor.house
    await people.add_user(house, ADM, protocol.AddUser(f"u{number}", name, name, "writer", ""))
    await people.enrol_station(
        house, ADM, protocol.EnrolStation(f"s{number}", station, "main", public)
    )
    await shifts.open_shift(
        house, WriterContext("main", station, name, 0), protocol.OpenShift(f"o{number}", 100_00)
    )


async def _asked() -> AsyncIterator[str]:
    """The time of each word to broadcast."""
    print("ready", flush=True)
    reader = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), sys.stdin
    )
    while await reader.readline():
        yield str(time.monotonic_ns())


if __name__ == "__main__":
    kind, port, *rest = sys.argv[1:]
    if kind == "echo":
        uvloop.run(echo(int(port)))
    else:
        uvloop.run(house(int(port), Path(rest[0]), int(rest[1]), *rest[2:]))
