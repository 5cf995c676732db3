"""From lock-out to settled with a full book while sales go on, and opening a very large ledger."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from keno.service import games
from keno.service.common import WriterContext
from keno.service.sell import sell
from keno.store.ledger import Ledger
from keno.store.rows import TicketRow
from tests.bench.grading import DRAWN, random_groups
from tests.houses import Clock, Floor, new_floor, proof_of, reopened, verify

MIX = ("1 2 3 4 5 6 7 8: 1/8@1.00", "1 2 3 4 5: 1/5@2.00", "1 2 3/4 5 6/7 8 9: 3/6@1.00",
       "1 2 3 4/5 6 7 8/9 10 11 12: 3/8@1.00", "1 2/3 4/5 6/7 8: AB,CD@1.00")  # fmt: skip
COLUMNS = tuple(TicketRow.__slots__)


def copies(samples: list[TicketRow], first: int, count: int) -> Iterator[tuple[object, ...]]:
    """Tickets like the samples, numbered on, each with numbers and a leaf of its own."""
    random = np.random.default_rng(first)
    share = -(-count // len(samples))
    packed = []
    for sample in samples:
        widths = [len(sample.masks) // 10, share]
        sizes = tuple(
            int.from_bytes(sample.masks[at : at + 10], "little").bit_count()
            for at in range(0, len(sample.masks), 10)
        )
        packed.append((random_groups(random, sizes, share).tobytes(), widths[0] * 10))
    for index in range(count):
        sample, (masks, width) = samples[index % len(samples)], packed[index % len(samples)]
        at = index // len(samples) * width
        row = {name: getattr(sample, name) for name in COLUMNS}
        row |= {
            "number": first + index,
            "request_id": f"copy-{first + index}",
            "masks": masks[at : at + width],
            "leaf": os.urandom(32),
        }
        yield tuple(row.values())


def fill(path: Path, samples: list[TicketRow], count: int) -> None:
    """Put so many tickets straight into the file, with the counters that go with them."""
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA synchronous = OFF")
        first = database.execute("SELECT last + 1 FROM counters WHERE name = 'ticket'").fetchone()[
            0
        ]
        insert = f"INSERT INTO tickets VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
        for start in range(0, count, 50_000):
            piece = min(50_000, count - start)
            database.executemany(insert, copies(samples, first + start, piece))
            database.commit()
            print(f"\r  {start + piece:,} of {count:,} tickets", end="", flush=True)
        print()
        database.execute("UPDATE counters SET last = last + ? WHERE name = 'ticket'", (count,))
        cents = database.execute(
            "SELECT sum(price_cents) FROM tickets WHERE number >= ?", (first,)
        ).fetchone()[0]
        for game, sign in ((1, 1), (2, -1)):
            database.execute(
                "UPDATE steps SET tickets = tickets + ?, cents = cents + ? WHERE game = ?",
                (sign * count, sign * cents, game),
            )


async def sample_tickets(floor: Floor, booth: WriterContext) -> list[TicketRow]:
    """One really sold ticket of each kind in the mix."""
    sold = [await floor.sell(booth, text) for text in MIX]
    rows = await floor.ledger.read(
        lambda reads: [
            TicketRow(**reads.rows("SELECT * FROM tickets WHERE number = ?", each.ticket)[0])
            for each in sold
        ]
    )
    return list(rows)


async def close_game(floor: Floor, booth: WriterContext) -> tuple[float, float, int]:
    """Seconds from lock-out to settled, the longest wait of a sale meanwhile, and sales made."""
    settled = asyncio.Event()
    waits: list[float] = []

    async def keep_selling() -> None:
        while not settled.is_set():
            command = await floor.sale(booth, MIX[0])
            start = perf_counter()
            await sell(floor.house, command)
            waits.append(perf_counter() - start)

    start = perf_counter()
    number = await floor.lock()
    selling = asyncio.create_task(keep_selling())
    book = await games.close_book(floor.house, "main", number)
    await games.record_draw(floor.house, "main", number, proof_of(DRAWN), verify)
    await games.show(floor.house, "main", number)
    await games.settle(floor.house, "main", number, book)
    seconds = perf_counter() - start
    settled.set()
    await selling
    return seconds, max(waits), len(waits)


async def bench_closing(count: int, folder: Path) -> None:
    """Print how long a game with so many live tickets takes to close, draw and settle."""
    print(f"Filling a book with {count:,} tickets ...", flush=True)
    place = folder / "closing"
    place.mkdir()
    async with new_floor(place) as floor:
        booth = await floor.booth()
        samples = await sample_tickets(floor, booth)
    fill(floor.path, samples, count)
    async with reopened(floor.path, floor.clock) as again:
        seconds, longest, sold = await close_game(again, booth)
    print(
        f"Lock-out to settled with {count:,} live tickets: {seconds:.2f} s; meanwhile {sold:,} "
        f"sales, the longest waited {longest * 1e3:.0f} ms (goal: under 1,000)"
    )


async def bench_opening(count: int, folder: Path) -> None:
    """Print how long it takes to open a ledger with so many tickets."""
    print(f"Filling a ledger with {count:,} tickets ...", flush=True)
    place = folder / "opening"
    place.mkdir()
    async with new_floor(place) as floor:
        samples = await sample_tickets(floor, await floor.booth())
    fill(floor.path, samples, count)
    start = perf_counter()
    ledger = await Ledger.open(floor.path, Clock())
    seconds = perf_counter() - start
    await ledger.close()
    size = floor.path.stat().st_size
    print(f"Open a ledger of {count:,} tickets ({size / 1e9:.1f} GB): {seconds * 1e3:.1f} ms")
