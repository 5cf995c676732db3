"""Sales over real websockets beside a bare echo, and a broadcast beside a bare loop."""

import asyncio
import json
import resource
import socket
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from statistics import median, quantiles

import aiohttp

from keno.protocol import Hello, Ok, Prove, SignIn, proof_of_station, read_server, write
from tests.bench.served import PASSWORD, key_of

SALES_GOAL, BOARDS_GOAL = 0.35, 1.5
SALE = {
    "type": "sell_ticket", "first_game": 1, "price_cents": 100, "origin": {"kind": "paper"},
    "request": {"groups": [[1, 2, 3, 4, 5, 6, 7, 8]], "kings": [], "games": 1,
                "lines": [{"ways": 1, "spots": 8, "rate": "regular", "wager_cents": 100}]},
    "tender": [{"kind": "currency", "cents": 100}],
}  # fmt: skip
Socket = aiohttp.ClientWebSocketResponse


def sale(request_id: str, card: str) -> str:
    return json.dumps(SALE | {"request_id": request_id, "card_version": card})


@asynccontextmanager
async def served(*arguments: str) -> AsyncIterator[tuple[Process, str]]:
    """The other process, answering at an address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kind, *rest = arguments
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.bench.served", kind, str(port), *rest, stdin=PIPE, stdout=PIPE
    )
    try:
        if process.stdout is None or (await process.stdout.readline()) != b"ready\n":
            raise RuntimeError("the benchmark's server did not start")
        yield process, f"ws://127.0.0.1:{port}"
    finally:
        if process.stdin is not None:
            process.stdin.close()
        await process.wait()


async def _many(n: int, one: Callable[[int], Awaitable[Socket]]) -> list[Socket]:
    """So many connections, a hundred at a time."""
    made: list[Socket] = []
    for first in range(0, n, 100):
        made += await asyncio.gather(*(one(i) for i in range(first, min(first + 100, n))))
    return made


async def _rounds(
    sockets: list[Socket], messages: Iterator[str], total: int
) -> tuple[float, list[float]]:
    """Every connection asks and waits for its answer, again and again: seconds, and each wait."""
    waits: list[float] = []
    each = total // len(sockets)

    async def station(line: Socket) -> None:
        for _ in range(each):
            start = time.perf_counter()
            await line.send_str(next(messages))
            answer = await line.receive_str()
            waits.append(time.perf_counter() - start)
            if answer.startswith('{"type":"refused"'):
                raise RuntimeError(answer)

    start = time.perf_counter()
    await asyncio.gather(*(station(line) for line in sockets))
    return time.perf_counter() - start, waits


async def signed_in(session: aiohttp.ClientSession, url: str, number: int) -> Socket:
    line = await session.ws_connect(f"{url}/ws/station", compress=0)
    hello = read_server(await line.receive_str())
    if not isinstance(hello, Hello):
        raise TypeError(hello)
    station = f"b{number + 1}"
    signed = key_of(number + 1).sign(proof_of_station(hello.site, station, hello.nonce))
    await line.send_str(write(Prove(station, signed.hex())))
    await line.receive_str()
    await line.receive_str()  # who we are, and the state
    await line.send_str(write(SignIn("in", f"B{number + 1}", PASSWORD)))
    if not isinstance(read_server(await line.receive_str()), Ok):
        raise TypeError("not signed in")
    return line


async def bench_serving(stations: int, sales: int, folder: Path) -> None:
    """Print sales a second through the wire beside the echo's, in the same run."""
    _many_files()
    print(f"Selling {sales:,} tickets at {stations:,} stations ...", flush=True)
    rounds = []
    for attempt in range(3):
        place = folder / f"serving-{attempt}"
        place.mkdir()
        rounds.append((await _echoed(stations, sales), await _sold(stations, sales, place)))
    bare, ours = (sales / median(each[side][0] for each in rounds) for side in (0, 1))
    waits = sorted(wait for _, (_, each) in rounds for wait in each)
    p50, p99 = median(waits) * 1000, quantiles(waits, n=100)[-1] * 1000
    print(
        f"Durable sales over {stations:,} websockets: {ours:,.0f} a second, p50 {p50:.0f} ms, "
        f"p99 {p99:.0f} ms; bare echo with the same client: {bare:,.0f}; "
        f"ratio {ours / bare:.2f} (goal: at least {SALES_GOAL})"
    )


async def _echoed(stations: int, sales: int) -> tuple[float, list[float]]:
    async with served("echo") as (_, url), aiohttp.ClientSession(connector=_wide()) as session:
        lines = await _many(stations, lambda _: session.ws_connect(f"{url}/ws/station", compress=0))
        return await _rounds(lines, (sale(f"e{n}", "26-3") for n in count()), sales)


async def _sold(stations: int, sales: int, place: Path) -> tuple[float, list[float]]:
    async with (
        served("house", str(place), str(stations)) as (_, url),
        aiohttp.ClientSession(connector=_wide()) as session,
    ):
        lines = await _many(stations, lambda number: signed_in(session, url, number))
        return await _rounds(lines, (sale(f"t{n}", CARD) for n in count()), sales)


CARD = "1"


async def bench_boards(boards: int, folder: Path) -> None:
    """Print how long the last of many boards waits for a ball, beside a bare loop."""
    _many_files()
    print(f"Showing a ball on {boards:,} boards ...", flush=True)
    (folder / "boards").mkdir()
    bare = await _shown("echo", boards=boards)
    ours = await _shown("house", str(folder / "boards"), "1", boards=boards)
    print(
        f"A ball on the last of {boards:,} boards after {ours * 1000:.0f} ms; bare loop: "
        f"{bare * 1000:.0f} ms; ratio {ours / bare:.2f} (goal: at most {BOARDS_GOAL})"
    )


async def _shown(*server: str, boards: int) -> float:
    """The median of some broadcasts: seconds from the word to the last board."""
    async with (
        served(*server) as (process, url),
        aiohttp.ClientSession(connector=_wide()) as session,
    ):
        lines = await _many(
            boards, lambda _: session.ws_connect(f"{url}/ws/board/main?repeat=1", compress=0)
        )
        if server[0] == "house":
            await asyncio.gather(*(line.receive_str() for line in lines))
        took = []
        for _ in range(7):
            if process.stdin is None:
                raise RuntimeError("no input")
            process.stdin.write(b"now\n")
            texts = await asyncio.gather(*(_told(line) for line in lines))
            said = json.loads(texts[0])
            begun = int(said["text"] if isinstance(said, dict) else said)
            took.append((time.monotonic_ns() - begun) / 1e9)
        return median(took)


async def _told(line: Socket) -> str:
    """The next word; the state, which a page of a board is sent again and again, is passed over."""
    while True:
        text = await line.receive_str()
        if not text.startswith('{"type":"state"'):
            return text


def _wide() -> aiohttp.TCPConnector:
    return aiohttp.TCPConnector(limit=0)


def _many_files() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
