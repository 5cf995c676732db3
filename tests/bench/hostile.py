"""Sales and ordinary prices while one address asks for the most work that it may."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import median

import aiohttp

from keno.domain.request_text import LETTERS
from keno.domain.wager import count_sets
from tests.bench.serving import CARD, Socket, sale, served, signed_in

GOAL = 3
HOSTILE = "127.0.0.2"
PATRONS = [f"127.0.0.{number}" for number in range(11, 19)]
"""Other addresses: together they ask often enough for a figure, each within its own limit."""
BETWEEN_SALES, BETWEEN_PRICES = 0.01, 0.3
CONNECTIONS = 8
"""Of the hostile address; each waits a little when it is refused."""
ORDINARY = ("7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/12@1.00 x5", "5 9 21 40 68: 1/5@2.00",
            "1 2 3/11 12 13/21 22 23/31 32 33: 6/6@1.00 4/9@1.00")  # fmt: skip


def hostile_texts() -> list[str]:
    """Requests that are short for what they ask: each within the card and the message's length."""
    chance = random.Random(15)
    ones = "/".join(str(number) for number in range(1, 51))

    def line(names: list[str], number: int) -> str:
        return f"{','.join(names)}@{0.10 + 0.05 * (number % 20):.2f}"

    def three() -> str:
        return "".join(sorted(chance.sample(LETTERS, 3), key=LETTERS.index))

    texts = []
    for many in (100, 200, 1_000):
        sets = list(dict.fromkeys(three() for _ in range(3 * many)))[:many]
        unused = [letter for letter in LETTERS if letter not in "".join(sets)]
        lines = [line([each], number) for number, each in enumerate(sets + unused)]
        texts.append(f"{ones}: {' '.join(lines)}")
    sets = list(dict.fromkeys(three() for _ in range(20_000)))[:9_990]
    texts.append(f"{ones}: {','.join(sets)}@0.10")
    sizes = range(1, 13)
    groups = "/".join(
        " ".join(str(size * (size - 1) // 2 + n) for n in range(1, size + 1)) for size in sizes
    )
    every = [f"{count_sets(sizes, spots)}/{spots}@1.00" for spots in range(1, 16)]
    texts.append(f"{groups}: {' '.join(every)}")
    return texts


@dataclass
class Waits:
    """How long each answer took, in seconds, and what was refused."""

    sales: list[float] = field(default_factory=list)
    prices: list[float] = field(default_factory=list)
    refused: int = 0
    hostile: Counter[int] = field(default_factory=Counter)
    """Answers to the hostile address, by status."""

    def words(self, kind: str, other: "Waits") -> str:
        mine, theirs = getattr(self, kind), getattr(other, kind)
        (p50, p95), (alone50, alone95) = map(_figures, (mine, theirs))
        return (
            f"{kind}: p50 {alone50:.1f} ms alone, {p50:.1f} ms meanwhile; p95 {alone95:.1f} ms "
            f"alone, {p95:.1f} ms meanwhile; ratio {p95 / alone95:.2f} (goal: at most {GOAL})"
        )


def _figures(waits: list[float]) -> tuple[float, float]:
    return median(waits) * 1000, sorted(waits)[len(waits) * 95 // 100] * 1000


async def bench_hostile(rounds: int, seconds: float, folder: Path) -> None:
    """Print p50 and p95 of sales and of others' prices, alone and while one address is hostile."""
    print("Selling and pricing while one address asks for too much ...", flush=True)
    place = folder / "hostile"
    place.mkdir()
    alone, meanwhile = Waits(), Waits()
    async with (
        served("house", str(place), "1", "example") as (_, url),
        aiohttp.ClientSession() as session,
        _sessions([HOSTILE, *PATRONS]) as (enemy, *patrons),
    ):
        line = await signed_in(session, url, 0)
        base = url.replace("ws:", "http:", 1)
        ids, bodies = count(), [_body(text) for text in hostile_texts()]
        for body in bodies[:2]:
            await _post(enemy, base, body)  # starts the workers
        for _ in range(rounds):
            for waits in (alone, meanwhile):
                run = _Run(base, waits, time.perf_counter() + seconds)
                async with asyncio.TaskGroup() as tasks:
                    tasks.create_task(run.sell(line, ids))
                    for number, each in enumerate(patrons):
                        tasks.create_task(run.price(each, number / len(patrons)))
                    for first in range(CONNECTIONS if waits is meanwhile else 0):
                        tasks.create_task(run.attack(enemy, bodies, first % len(bodies)))
    print(meanwhile.words("sales", alone))
    print(meanwhile.words("prices", alone))
    print(
        f"Refused meanwhile: {meanwhile.refused} of {len(meanwhile.sales + meanwhile.prices)}; "
        f"answers to the hostile address by status: {dict(meanwhile.hostile)}"
    )


@asynccontextmanager
async def _sessions(addresses: list[str]) -> AsyncIterator[list[aiohttp.ClientSession]]:
    """A client at each of these addresses of this machine."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                aiohttp.ClientSession(connector=aiohttp.TCPConnector(local_addr=(address, 0)))
            )
            for address in addresses
        ]


def _body(text: str) -> bytes:
    return json.dumps({"location": "main", "text": text}).encode()


async def _post(session: aiohttp.ClientSession, base: str, body: bytes) -> int:
    async with session.post(f"{base}/api/price", data=body) as response:
        await response.read()
        return response.status


@dataclass
class _Run:
    """Some seconds of asking, and what came of it."""

    base: str
    waits: Waits
    end: float

    async def sell(self, line: Socket, ids: Iterator[int]) -> None:
        async def one() -> bool:
            await line.send_str(sale(f"h{next(ids)}", CARD))
            return not (await line.receive_str()).startswith('{"type":"refused"')

        await self._again(one, self.waits.sales, BETWEEN_SALES)

    async def price(self, session: aiohttp.ClientSession, part: float) -> None:
        bodies = cycle(map(_body, ORDINARY))

        async def one() -> bool:
            return await _post(session, self.base, next(bodies)) == 200

        await asyncio.sleep(part * BETWEEN_PRICES)
        await self._again(one, self.waits.prices, BETWEEN_PRICES)

    async def _again(
        self, one: Callable[[], Awaitable[bool]], kept: list[float], pause: float
    ) -> None:
        while not kept or time.perf_counter() < self.end:
            start = time.perf_counter()
            self.waits.refused += not await one()
            kept.append(time.perf_counter() - start)
            await asyncio.sleep(pause)

    async def attack(self, session: aiohttp.ClientSession, bodies: list[bytes], first: int) -> None:
        """One connection of the hostile address, again and again."""
        for body in cycle(bodies[first:] + bodies[:first]):
            if time.perf_counter() >= self.end:
                return
            status = await _post(session, self.base, body)
            self.waits.hostile[status] += 1
            if status == 429:
                await asyncio.sleep(0.25)
