"""Durable sales through `keno.service`, beside a bare batched insert of the very same rows."""

import asyncio
import sqlite3
from pathlib import Path
from statistics import median
from time import perf_counter

import numpy as np

from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import EveryWay, KenoRequest, ListedWays
from keno.protocol import PaperOrigin
from keno.service.sale import Sale
from keno.service.sell import sell
from keno.store.schema import MIGRATIONS
from tests.houses import Floor, new_floor

CALLERS = 100
RATIO_GOAL = 0.5
TABLES = ("tickets", "drawer", "audit")


async def commands(floor: Floor, count: int) -> list[Sale]:
    """Sales as stations would send them: mostly straight, some split and way tickets."""
    booth = await floor.booth()
    game = await floor.open_game()
    random = np.random.default_rng(15)
    made = []
    for index in range(count):
        numbers = [int(number) for number in random.permutation(np.arange(1, 81))[:12]]
        request = _request(index, numbers)
        price_cents = request.price_one_game_cents
        tender = (Tender(TenderKind.CURRENCY, price_cents),)
        seen = (game.game, game.card, price_cents)
        made.append(Sale(f"bench-{index}", booth, *seen, PaperOrigin(), request, tender))
    return made


def _request(index: int, numbers: list[int]) -> KenoRequest:
    if index % 10 < 7:
        spots = 1 + index % 8
        line = EveryWay(1, spots, "regular", 100)
        return KenoRequest((tuple(numbers[:spots]),), (), (line,))
    groups = tuple(tuple(numbers[start : start + 3]) for start in (0, 3, 6))
    if index % 10 < 9:
        return KenoRequest(groups, (), (EveryWay(3, 6, "regular", 100),))
    return KenoRequest(groups, (), (ListedWays(((0,), (1,), (2,)), "regular", 100),))


async def through_the_service(floor: Floor, sales: list[Sale]) -> float:
    """Seconds for all sales, each acknowledged, with a hundred callers at once."""
    waiting = iter(sales)

    async def caller() -> None:
        for sale in waiting:
            await sell(floor.house, sale)

    start = perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(CALLERS):
            group.create_task(caller())
    return perf_counter() - start


def bare_inserts(source: Path, target: Path) -> float:
    """Seconds for the same rows into the same tables, a hundred sales a transaction.

    Nothing is decided, numbered, sealed or answered: `executemany` and a durable commit are the
    least a ledger on this disk can do.
    """
    with sqlite3.connect(target, isolation_level=None) as bare:
        bare.execute("PRAGMA journal_mode = WAL")
        bare.execute("PRAGMA synchronous = FULL")
        for migration in MIGRATIONS:
            bare.executescript(migration)
        bare.execute("ATTACH ? AS kept", (str(source),))
        for (name,) in bare.execute("SELECT name FROM kept.sqlite_master WHERE type = 'table'"):
            if name not in (*TABLES, "migrations"):
                bare.execute(f"INSERT INTO main.{name} SELECT * FROM kept.{name}")  # noqa: S608
        rows = {name: bare.execute(_ROWS[name]).fetchall() for name in TABLES}
        bare.execute("DETACH kept")
        bare.execute("PRAGMA foreign_keys = 1")
        inserts = {
            name: f"INSERT INTO {name} VALUES ({', '.join('?' * len(rows[name][0]))})"  # noqa: S608
            for name in TABLES
        }
        start = perf_counter()
        for first in range(0, len(rows["tickets"]), 100):
            bare.execute("BEGIN IMMEDIATE")
            for name in TABLES:
                bare.executemany(inserts[name], rows[name][first : first + 100])
            bare.execute("COMMIT")
        return perf_counter() - start


_ROWS = {
    "tickets": "SELECT * FROM kept.tickets ORDER BY number",
    "drawer": "SELECT * FROM kept.drawer WHERE event = 'sale' ORDER BY entry",
    "audit": "SELECT * FROM kept.audit WHERE kind = 'sell' ORDER BY seq",
}


async def bench_selling(count: int, folder: Path) -> None:
    """Print sales a second through the service beside the bare insert's, in the same run."""
    print(f"Selling {count:,} tickets with {CALLERS} callers ...", flush=True)
    rounds = []
    for attempt in range(5):
        place = folder / f"selling-{attempt}"
        place.mkdir()
        async with new_floor(place) as floor:
            sales = await commands(floor, count)
            seconds = await through_the_service(floor, sales)
        rounds.append((seconds, bare_inserts(floor.path, place / "bare.db")))
    ours, bare_rate = (count / median(each) for each in zip(*rounds, strict=True))
    ratio = ours / bare_rate
    print(
        f"Durable sales through keno/service: {ours:,.0f} a second; bare executemany in batches "
        f"of 100: {bare_rate:,.0f}; ratio {ratio:.2f} (goal: at least {RATIO_GOAL})"
    )
