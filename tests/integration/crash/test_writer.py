"""The one task that writes: its death is loud and nobody hangs; nobody's going away is a loss."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, NoReturn

import pytest

from keno import protocol
from keno.domain.errors import Fault, Refusal, Refused
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.protocol import Second
from keno.service import shifts, tickets
from keno.service.common import WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from keno.store import ledger as ledger_module
from keno.store.ledger import CANNOT_WRITE, NOT_TAKEN, STOPPED
from keno.store.transaction import Reads, Transaction
from tests.counts import count
from tests.houses import Floor, new_floor, reopened, rewriting
from tests.integration.crash.witness import complaints, rows
from tests.integration.crash.workload import many_sales

PATIENCE_S = 60
"""Longer than anything here takes: a hang fails the test instead of stopping it."""


@pytest.fixture
async def floor(tmp_path: Path) -> AsyncIterator[Floor]:
    async with new_floor(tmp_path) as made:
        yield made


@pytest.fixture
async def booth(floor: Floor) -> WriterContext:
    return await floor.booth()


async def sales(floor: Floor, booth: WriterContext, many: int) -> list[Sale]:
    return await many_sales(floor, booth, "1 2 3: 1/3@1.00", many)


async def outcomes(asked: Iterable[Awaitable[object]]) -> Counter[str]:
    """How often each kind of answer came, a fault by its words."""
    async with asyncio.timeout(PATIENCE_S):
        answers = await asyncio.gather(*asked, return_exceptions=True)
    return Counter(str(a) if isinstance(a, Fault) else type(a).__name__ for a in answers)


def broken(tx: Transaction) -> NoReturn:
    tx.value("SELECT nothing FROM nowhere")
    raise AssertionError("an error of the file itself ends the writer")


def tickets_sold(reads: Reads) -> int:
    return int(reads.value("SELECT count(*) FROM tickets"))


class Gate:
    """A command that keeps the writer busy until it is let go."""

    def __init__(self, floor: Floor) -> None:
        self.entered, self.open = Event(), Event()
        self.task = asyncio.create_task(floor.ledger.write("Gate", "test", self._work))

    def _work(self, _: Transaction) -> str:
        self.entered.set()
        assert self.open.wait(PATIENCE_S)
        return "through"

    async def is_busy(self) -> None:
        assert await asyncio.to_thread(self.entered.wait, PATIENCE_S)


# Death.


async def test_the_death_of_the_writer_reaches_everybody_at_once(
    floor: Floor, booth: WriterContext, caplog: pytest.LogCaptureFixture
) -> None:
    before, behind, later = [await sales(floor, booth, 20) for _ in range(3)]
    await outcomes(sell_ticket(floor.house, sale) for sale in before)
    gate = Gate(floor)
    await gate.is_busy()
    breaking = asyncio.create_task(floor.ledger.write("Break", "test", broken))
    waiting = [asyncio.create_task(sell_ticket(floor.house, sale)) for sale in behind]
    await asyncio.sleep(0)
    gate.open.set()
    assert await outcomes([gate.task, breaking, *waiting]) == {"str": 1, STOPPED: 21}
    assert isinstance(floor.ledger.died.result(), sqlite3.OperationalError)
    assert "ledger writer died: OperationalError" in caplog.text
    assert await outcomes(sell_ticket(floor.house, sale) for sale in later) == {STOPPED: 20}
    assert await floor.ledger.read(tickets_sold) == 20
    await floor.ledger.close()
    async with reopened(floor.path, floor.clock) as again:
        everything = (sell_ticket(again.house, sale) for sale in before + behind + later)
        assert await outcomes(everything) == {"Sold": 60}
        assert await again.ledger.read(tickets_sold) == 60
    assert complaints(floor.path) == []


async def test_a_mistake_in_sql_is_no_passing_weakness_of_the_disk(floor: Floor) -> None:
    def mistaken(tx: Transaction) -> object:
        return tx.value("SELECT nothing FROM nowhere")

    assert await outcomes([floor.ledger.write("Mistake", "test", mistaken)]) == {STOPPED: 1}
    assert isinstance(floor.ledger.died.result(), sqlite3.OperationalError)


async def test_a_writer_that_is_cancelled_from_outside_is_dead_too(
    floor: Floor, booth: WriterContext
) -> None:
    asked = await sales(floor, booth, 3)
    [writer] = [task for task in asyncio.all_tasks() if task.get_name() == "ledger writer"]
    selling = [asyncio.create_task(sell_ticket(floor.house, sale)) for sale in asked]
    await asyncio.sleep(0)
    writer.cancel()
    assert await outcomes(selling) == {STOPPED: 3}
    assert isinstance(floor.ledger.died.result(), asyncio.CancelledError)


async def test_whoever_stops_watching_for_the_death_does_not_cause_or_hide_it(
    floor: Floor, booth: WriterContext
) -> None:
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(floor.ledger.died, 0.01)
    asked = await sales(floor, booth, 1)
    assert await outcomes([sell_ticket(floor.house, asked[0])]) == {"Sold": 1}
    assert await outcomes([floor.ledger.write("Break", "test", broken)]) == {STOPPED: 1}
    assert await outcomes([sell_ticket(floor.house, asked[0])]) == {STOPPED: 1}


# Commands that fail (15.7): each is undone alone, and the writer goes on.


def fails(tx: Transaction) -> NoReturn:
    tx.insert("counters", location="main", name="coupon", last=7)
    raise RuntimeError("a broken invariant")


def twice(tx: Transaction) -> None:
    for _ in range(2):
        tx.insert("counters", location="main", name="coupon", last=7)


def without_its_place(tx: Transaction) -> None:
    tx.insert("counters", location="nowhere", name="coupon", last=7)


def past_its_check(tx: Transaction) -> None:
    tx.insert("counters", location="main", name="coupon", last=-1)


def past_its_trigger(tx: Transaction) -> None:
    tx.insert("counters", location="main", name="coupon", last=7)
    tx.connection.execute("DELETE FROM tickets")


@pytest.mark.parametrize("wrong", [twice, without_its_place, past_its_check, past_its_trigger])
async def test_15_7_a_command_that_breaks_a_constraint_is_refused_and_undone_alone(
    floor: Floor,
    booth: WriterContext,
    wrong: Callable[[Transaction], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    await floor.sell(booth)
    asked = await sales(floor, booth, 10)
    selling = [asyncio.create_task(sell_ticket(floor.house, sale)) for sale in asked]
    with pytest.raises(Refused) as refused:
        await floor.ledger.write("Wrong", "W1", wrong)
    assert (refused.value.reason, refused.value.message) == (Refusal.NOT_POSSIBLE_NOW, NOT_TAKEN)
    assert await outcomes(selling) == {"Sold": 10}
    assert "Wrong broke a constraint and was undone" in caplog.text
    assert rows(floor.path, "SELECT * FROM counters WHERE name = 'coupon'") == []
    assert not floor.ledger.died.done()
    assert complaints(floor.path) == []


async def test_15_7_a_command_that_fails_is_undone_and_only_its_caller_hears_of_it(
    floor: Floor, booth: WriterContext, caplog: pytest.LogCaptureFixture
) -> None:
    asked = await sales(floor, booth, 10)
    selling = [sell_ticket(floor.house, sale) for sale in asked]
    failing = floor.ledger.write("Fails", "W1", fails)
    assert await outcomes([*selling[:5], failing, *selling[5:]]) == {"Sold": 10, "RuntimeError": 1}
    assert "Fails failed and was undone" in caplog.text
    assert rows(floor.path, "SELECT * FROM counters WHERE name = 'coupon'") == []
    assert complaints(floor.path) == []


async def test_15_7_an_item_that_fails_does_not_spoil_its_batch(
    floor: Floor, booth: WriterContext
) -> None:
    def many(tx: Transaction, items: list[int]) -> list[tuple[None, int]]:
        if 9 in items:
            tx.insert("counters", location="nowhere", name="coupon", last=9)
        if 7 in items:
            raise RuntimeError("a broken invariant")
        return [(None, item) for item in items]

    asked = await sales(floor, booth, 10)
    got = await outcomes(
        [
            *(sell_ticket(floor.house, sale) for sale in asked),
            *(floor.ledger.write_many("Many", "test", many, item) for item in (6, 7, 8, 9)),
        ]
    )
    assert got == {"Sold": 10, "int": 2, "RuntimeError": 1, "Refused": 1}
    assert await floor.ledger.read(tickets_sold) == 10
    assert complaints(floor.path) == []


# Passing troubles.


async def test_a_full_queue_refuses_and_goes_on(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger_module, "QUEUE_MAX", 5)
    asked = await sales(floor, booth, 8)
    gate = Gate(floor)
    await gate.is_busy()
    selling = [asyncio.create_task(sell_ticket(floor.house, sale)) for sale in asked]
    done, _ = await asyncio.wait(selling, return_when=asyncio.FIRST_COMPLETED)
    assert len(done) == 3
    gate.open.set()
    busy = "The house is too busy at this moment. Try again."
    assert await outcomes(selling) == {"Sold": 5, busy: 3}
    assert await outcomes(sell_ticket(floor.house, sale) for sale in asked[5:]) == {"Sold": 3}
    assert complaints(floor.path) == []


async def test_a_file_that_somebody_else_has_locked_is_a_fault_and_passes(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.ledger.write("Haste", "test", lambda tx: tx.value("PRAGMA busy_timeout = 20"))
    asked = await sales(floor, booth, 3)
    with closing(sqlite3.connect(floor.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert await outcomes(sell_ticket(floor.house, s) for s in asked) == {CANNOT_WRITE: 3}
    assert await outcomes(sell_ticket(floor.house, s) for s in asked) == {"Sold": 3}


async def test_a_fault_inside_a_command_stops_that_command_alone(
    floor: Floor, booth: WriterContext
) -> None:
    def faulty(tx: Transaction) -> NoReturn:
        tx.insert("counters", location="main", name="coupon", last=7)
        raise Fault("A part is not there.")

    asked = await sales(floor, booth, 10)
    selling = [sell_ticket(floor.house, sale) for sale in asked]
    got = await outcomes([*selling[:5], floor.ledger.write("Faulty", "W1", faulty), *selling[5:]])
    assert got == {"Sold": 10, "A part is not there.": 1}
    assert rows(floor.path, "SELECT * FROM counters WHERE name = 'coupon'") == []
    assert complaints(floor.path) == []


async def test_a_shape_that_was_undone_is_not_given_to_another_ticket(floor: Floor) -> None:
    """A refused rewrite had a shape that nobody else had; the next two sales must not share it."""
    booth = await floor.booth("W2", "2", bank_cents=0)
    live = await floor.sell(booth)
    await shifts.credit(
        floor.house,
        replace(booth, second="S1"),
        protocol.Credit(floor.id(), 1_00, Second("S1", "")),
    )
    await floor.registered(1_00, "C1")
    coupon = (Tender(TenderKind.COUPON, 1_00, "C1"),)
    sale = await floor.sale(booth, "1 2 3: 1/3@1.00", tender=coupon)
    rewrite = rewriting(floor.id(), live, sale)
    with pytest.raises(Refused) as refused:
        await tickets.void_and_rewrite(floor.house, *rewrite)
    assert refused.value.reason is Refusal.PAYMENT_DIFFERS
    await floor.sell(booth, "1 2 3 4: 1/4@1.00")
    await floor.sell(booth, "1 2 3: 1/3@1.00")
    sql = "SELECT structure FROM tickets JOIN shapes USING (shape) ORDER BY number"
    sizes = [row["structure"].partition("sizes")[2] for row in rows(floor.path, sql)]
    assert sizes == ['":[8]}', '":[4]}', '":[3]}']


# Callers who go away.


async def test_a_cancelled_caller_neither_loses_nor_doubles_the_sale(
    floor: Floor, booth: WriterContext
) -> None:
    for seed in range(count(5, 200)):
        random = Random(seed)
        asked = await sales(floor, booth, 30)
        selling = [asyncio.create_task(sell_ticket(floor.house, sale)) for sale in asked]
        for task in random.sample(selling, 20):
            await asyncio.sleep(random.choice((0, 0, 0.001)))
            task.cancel()
        gone = await outcomes(selling)
        assert set(gone) <= {"Sold", "CancelledError"}
        assert gone["Sold"] >= 10
        again = await outcomes(sell_ticket(floor.house, sale) for sale in asked)
        assert again == {"Sold": 30}
        assert await floor.ledger.read(tickets_sold) == 30 * (seed + 1)
    assert complaints(floor.path) == []


async def test_a_reader_who_goes_away_leaves_its_connection_usable(floor: Floor) -> None:
    entered, let_go = Event(), Event()

    def slow(reads: Reads) -> int:
        entered.set()
        assert let_go.wait(PATIENCE_S)
        return tickets_sold(reads)

    reading = [asyncio.create_task(floor.ledger.read(slow)) for _ in range(2)]
    assert await asyncio.to_thread(entered.wait, PATIENCE_S)
    for task in reading:
        task.cancel()
    assert await outcomes(reading) == {"CancelledError": 2}
    let_go.set()
    assert await asyncio.gather(*(floor.ledger.read(tickets_sold) for _ in range(10))) == [0] * 10


# Closing.


async def test_closing_answers_what_waits_and_refuses_what_comes_later(
    floor: Floor, booth: WriterContext
) -> None:
    asked = await sales(floor, booth, 20)
    selling = [asyncio.create_task(sell_ticket(floor.house, sale)) for sale in asked[:10]]
    await asyncio.sleep(0)
    await floor.ledger.close()
    assert await outcomes(selling) == {"Sold": 10}
    assert await outcomes(sell_ticket(floor.house, sale) for sale in asked[10:]) == {STOPPED: 10}
    assert await outcomes([floor.ledger.read(tickets_sold)]) == {STOPPED: 1}
    await floor.ledger.close()
    assert len(rows(floor.path, "SELECT * FROM tickets")) == 10


async def test_closing_waits_for_whoever_still_reads(floor: Floor) -> None:
    entered, let_go = Event(), Event()

    def slow(reads: Reads) -> Any:
        entered.set()
        assert let_go.wait(PATIENCE_S)
        return tickets_sold(reads)

    reading = asyncio.create_task(floor.ledger.read(slow))
    assert await asyncio.to_thread(entered.wait, PATIENCE_S)
    closing_down = asyncio.create_task(floor.ledger.close())
    await asyncio.sleep(0.05)
    assert not closing_down.done()
    let_go.set()
    assert await reading == 0
    await closing_down
