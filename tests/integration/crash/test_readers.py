"""Readers stand apart: they never hold up the writer, and each sees one moment of the ledger."""

import asyncio
import time
from pathlib import Path
from threading import Event

from keno.service.sell import sell as sell_ticket
from keno.store.ledger import READERS
from keno.store.transaction import Reads
from tests.counts import count
from tests.houses import new_floor
from tests.integration.crash.witness import complaints
from tests.integration.crash.workload import many_sales

PATIENCE_S = 60
ONE_SPOT = "1: 1/1@1.00"


def picture(reads: Reads) -> tuple[int, ...]:
    """The same number of sales, counted in five tables, one after the other."""
    counted = (
        reads.value("SELECT count(*) FROM tickets"),
        reads.value("SELECT last FROM counters WHERE name = 'ticket'") or 0,
        reads.value("SELECT count(*) FROM audit WHERE kind = 'sell'"),
        reads.value("SELECT count(*) FROM drawer WHERE event = 'sale'"),
        reads.value("SELECT sum(tickets) FROM steps WHERE game = 1") or 0,
    )
    return tuple(int(each) for each in counted)


async def test_readers_in_the_middle_of_their_reading_do_not_hold_up_the_writer(
    tmp_path: Path,
) -> None:
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        reading = [Event() for _ in range(READERS)]
        let_go = Event()

        def slow(reads: Reads, begun: Event) -> tuple[tuple[int, ...], tuple[int, ...]]:
            before = picture(reads)
            begun.set()
            assert let_go.wait(PATIENCE_S)
            return before, picture(reads)

        def reader(begun: Event) -> "asyncio.Task[tuple[tuple[int, ...], tuple[int, ...]]]":
            return asyncio.create_task(floor.ledger.read(lambda reads: slow(reads, begun)))

        sales = await many_sales(floor, booth, ONE_SPOT, 200)
        await sell_ticket(floor.house, sales[0])
        readers = [reader(begun) for begun in reading]
        for begun in reading:
            assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        async with asyncio.timeout(PATIENCE_S):
            for sale in sales[1:20]:
                await sell_ticket(floor.house, sale)
            await asyncio.gather(*(sell_ticket(floor.house, sale) for sale in sales[20:]))
        let_go.set()
        for before, after in await asyncio.gather(*readers):
            assert before == after == (1,) * 5
        assert await floor.ledger.read(picture) == (200,) * 5
        assert complaints(floor.path) == []


async def test_a_reader_sees_whole_batches_and_never_less_than_before(tmp_path: Path) -> None:
    """Readers look as fast as they can while tickets are sold in batches of all sizes."""
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        sales = await many_sales(floor, booth, ONE_SPOT, count(300, 20_000))
        seen: list[int] = []
        over = False

        async def look() -> None:
            last = 0
            while not over:
                counted = set(await floor.ledger.read(picture))
                assert len(counted) == 1, counted
                [sold] = counted
                assert sold >= last
                last = sold
                seen.append(sold)

        looking = [asyncio.create_task(look()) for _ in range(3)]
        start = 0
        while start < len(sales):
            size = 1 + start % 37
            batch = sales[start : start + size]
            await asyncio.gather(*(sell_ticket(floor.house, sale) for sale in batch))
            start += size
        over = True
        await asyncio.gather(*looking)
        assert len(set(seen)) > 5
        assert await floor.ledger.read(picture) == (len(sales),) * 5


async def test_what_was_acknowledged_is_seen_by_whoever_reads_next(tmp_path: Path) -> None:
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        begun = time.monotonic()
        for sold in range(1, 21):
            await floor.sell(booth, ONE_SPOT, printed=False)
            assert await floor.ledger.read(picture) == (sold,) * 5
        assert time.monotonic() - begun < PATIENCE_S
