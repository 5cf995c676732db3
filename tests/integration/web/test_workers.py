"""Worker processes: killed ones are replaced, none outlives its server, and no lane holds another.

What occupies a worker here reads a pipe that the test holds open, so nothing depends on time.
"""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from keno.domain.errors import Fault, Refusal, Refused
from keno.protocol import CheckCard, Message, Ok, Price, RefusedReply
from keno.web.certifying import report_of
from keno.web.prices import SMALL_BYTES
from keno.web.workers import MEMORY_BYTES, WAITING_EACH, WAITING_MAX, Lane, Queue
from tests.cards import card_text
from tests.integration.web.served import ANSWER_SECONDS, REQUEST, Served, new_id, sale

TEXT = "7 18 33: 1/3@1.00"
LONG = TEXT + " " * SMALL_BYTES
SIZES = range(1, 11)
INTRICATE = (
    "/".join(" ".join(str(sum(range(size)) + n) for n in range(1, size + 1)) for size in SIZES)
    + ": 10/10@0.25"
)
"""Groups of 1 to 10 numbers: too many histograms for any lane."""


@pytest.fixture
async def lane() -> AsyncIterator[Lane]:
    made = Lane("a test", ANSWER_SECONDS)
    yield made
    await made.close()


@asynccontextmanager
async def occupied(lane: Lane, pipe: Path, who: str = "hostile") -> AsyncIterator[Any]:
    """A worker that is at work until the end of the block, or until it dies."""
    os.mkfifo(pipe)
    work = asyncio.create_task(lane.run(who, Path.read_bytes, pipe))
    held = await _opened(pipe)
    try:
        yield work
    finally:
        os.close(held)
        await asyncio.wait([work])


async def _opened(pipe: Path) -> int:
    """The pipe's end to write, once the worker has opened the other."""
    while True:
        try:
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            await asyncio.sleep(0.01)


def pid(lane: Lane) -> int:
    assert lane.process is not None
    return lane.process.pid


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and is not waited for does not."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return False
    return text.rpartition(")")[2].split()[0] not in ("Z", "X")


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(ANSWER_SECONDS):
        while not done():  # noqa: ASYNC110 no event tells of another process
            await asyncio.sleep(0.01)


async def gone(process: int) -> None:
    await until(lambda: not alive(process))


# ---------------------------------------------------------------- one lane


async def test_a_worker_starts_with_its_first_work(lane: Lane) -> None:
    assert lane.process is None
    assert await lane.run("a", os.getpid) == pid(lane) != os.getpid()
    assert await lane.run("b", os.getpid) == pid(lane), "the process stays"
    assert await lane.run("b", os.getpriority, os.PRIO_PROCESS, 0) >= lane.niceness


async def test_a_refusal_comes_through_and_a_mistake_is_ours(lane: Lane) -> None:
    with pytest.raises(Refused, match="no TOML") as no:
        await lane.run("a", report_of, "= nonsense")
    assert no.value.reason is Refusal.CARD_NOT_LAWFUL
    with pytest.raises(RuntimeError, match=r"ValueError: .*nonsense"):
        await lane.run("a", int, "nonsense")
    assert await lane.run("a", int, "7") == 7


async def test_a_killed_worker_is_replaced(lane: Lane, tmp_path: Path) -> None:
    async with occupied(lane, tmp_path / "pipe") as work:
        first = pid(lane)
        next_one = asyncio.create_task(lane.run("other", os.getpid))
        os.kill(first, signal.SIGKILL)
        with pytest.raises(Fault, match="Try again"):
            await work
        assert await next_one == pid(lane) != first


async def test_a_worker_killed_while_idle_is_replaced(lane: Lane) -> None:
    first = await lane.run("a", os.getpid)
    assert lane.process is not None
    os.kill(first, signal.SIGKILL)
    await lane.process.wait()
    assert await lane.run("a", os.getpid) != first


async def test_a_cancelled_request_takes_its_answer_with_it(lane: Lane, tmp_path: Path) -> None:
    async with occupied(lane, tmp_path / "pipe") as work:
        work.cancel()
        assert await lane.run("a", int, "7") == 7


async def test_a_worker_that_takes_too_long_is_replaced() -> None:
    lane = Lane("a test", 0)
    with pytest.raises(Fault):
        await lane.run("a", os.getpid)
    lane.seconds = ANSWER_SECONDS
    assert await lane.run("a", os.getpid) == pid(lane)
    await lane.close()


async def test_memory_is_bounded(lane: Lane) -> None:
    with pytest.raises(Fault):
        await lane.run("a", bytearray, 2 * MEMORY_BYTES)
    assert await lane.run("a", bytearray, 3) == bytes(3)


async def test_signals_of_the_terminal_leave_a_worker_alone(lane: Lane) -> None:
    first = await lane.run("a", os.getpid)
    for each in (signal.SIGINT, signal.SIGTERM):
        os.kill(first, each)
        assert await lane.run("a", os.getpid) == first


async def test_a_closed_lane_ends_what_is_under_way_and_starts_nothing(tmp_path: Path) -> None:
    lane = Lane("a test", ANSWER_SECONDS)
    async with occupied(lane, tmp_path / "pipe") as work:
        first = pid(lane)
        waiting = asyncio.create_task(lane.run("other", os.getpid))
        await lane.close()
        for each in (work, waiting):
            with pytest.raises(Fault):
                await each
    assert not alive(first)
    assert lane.process is None


SERVER = """
import asyncio, os, sys
from pathlib import Path
from keno.web.workers import Lane

async def main():
    lane = Lane("a test", 60)
    print(await lane.run("a", os.getpid), flush=True)
    await lane.run("a", Path.read_bytes, Path(sys.argv[1]))

asyncio.run(main())
"""


@pytest.mark.parametrize("busy", [True, False])
async def test_no_worker_outlives_a_killed_server(tmp_path: Path, *, busy: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SERVER, str(pipe if busy else tmp_path), stdout=PIPE, stderr=PIPE
    )
    assert server.stdout is not None
    worker = int(await server.stdout.readline())
    if busy:
        held = await _opened(pipe)
        server.kill()
        await gone(worker)
        os.close(held)
    await server.communicate()
    await gone(worker)


# ---------------------------------------------------------------- the queue


async def _turns(queue: Queue, *names: str) -> list[str]:
    """In which order these are served, who come while one of `hostile` is under way."""
    served: list[str] = []
    await queue.enter("hostile")

    async def one(name: str) -> None:
        who = name.rstrip("0123456789")
        await queue.enter(who)
        served.append(name)
        await asyncio.sleep(0)
        queue.leave(who)

    tasks = [asyncio.create_task(one(name)) for name in names]
    await asyncio.sleep(0)
    queue.leave("hostile")
    await asyncio.gather(*tasks)
    return served


async def test_addresses_take_turns() -> None:
    queue = Queue()
    came = ("hostile1", "hostile2", "hostile3", "patron1", "patron2", "other1")
    for _ in range(2):
        served = await _turns(queue, *came)
        assert served == ["patron1", "other1", "hostile1", "patron2", "hostile2", "hostile3"]


async def test_one_address_waits_a_few_times_only() -> None:
    queue = Queue()
    await queue.enter("hostile")
    waiting = [asyncio.create_task(queue.enter("hostile")) for _ in range(WAITING_EACH)]
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="Try again"):
        await queue.enter("hostile")
    others = WAITING_MAX - WAITING_EACH
    waiting += [asyncio.create_task(queue.enter(f"p{number}")) for number in range(others)]
    await asyncio.sleep(0)
    with pytest.raises(Refused, match="Try again"):
        await queue.enter("one more")
    for each in waiting:
        each.cancel()
    await asyncio.wait(waiting)
    queue.leave("hostile")
    await queue.enter("next")


async def test_who_gives_up_just_when_called_passes_the_turn_on() -> None:
    queue = Queue()
    await queue.enter("a")
    gives_up = asyncio.create_task(queue.enter("b"))
    patient = asyncio.create_task(queue.enter("c"))
    await asyncio.sleep(0)
    queue.leave("a")
    gives_up.cancel()
    await patient
    assert gives_up.cancelled()


# ---------------------------------------------------------------- lanes beside each other


async def _price(served: Served, text: str, session: aiohttp.ClientSession | None = None) -> Any:
    asked = {"location": "main", "text": text}
    async with (session or served.http).post(f"{served.base}/api/price", json=asked) as response:
        return response.status, await response.json()


async def test_hostile_requests_hold_up_no_sale_and_no_ordinary_price(
    served: Served, tmp_path: Path
) -> None:
    line, workers = await served.station(), served.server.workers
    async with occupied(workers.heavy, tmp_path / "pipe") as hostile:
        large = [asyncio.create_task(_price(served, text)) for text in (LONG, INTRICATE)]
        for _ in range(5):
            assert await line.ask(sale())
            status, said = await _price(served, TEXT)
            assert (status, said["price_cents"]) == (200, 100)
            assert (await line.ask(Price(new_id(), REQUEST)))["ways"] == 1
        assert not any(each.done() for each in (hostile, *large))
        lanes = (workers.light, workers.heavy, workers.stations)
        assert len({os.getpid(), *map(pid, lanes)}) == 4
    for status, said in await asyncio.gather(*large):
        assert status == 200
        assert said["price_cents"]


async def test_one_address_does_not_fill_the_heavy_lane(served: Served, tmp_path: Path) -> None:
    connector = aiohttp.TCPConnector(local_addr=("127.0.0.2", 0))
    async with aiohttp.ClientSession(connector=connector) as other:
        async with occupied(served.server.workers.heavy, tmp_path / "pipe", "127.0.0.1"):
            asked = [asyncio.create_task(_price(served, LONG)) for _ in range(WAITING_EACH + 1)]
            [refused], _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            status, said = refused.result()
            assert (status, said["code"]) == (429, "too_fast")
            asked.remove(refused)
            asked.append(asyncio.create_task(_price(served, LONG, other)))
        for status, said in await asyncio.gather(*asked):
            assert (status, said["price_cents"]) == (200, 100)


async def test_a_price_whose_worker_dies_is_refused_in_words(served: Served) -> None:
    lane = served.server.workers.heavy
    assert (await _price(served, LONG))[0] == 200
    os.kill(pid(lane), signal.SIGSTOP)
    under_way = asyncio.create_task(_price(served, LONG))
    await until(lane._pipes.locked)  # noqa: SLF001 nothing outside tells that it has begun
    os.kill(pid(lane), signal.SIGKILL)
    status, said = await under_way
    assert (status, said["code"]) == (503, "unavailable")
    assert said["message"].endswith("Try again.")
    assert (await _price(served, LONG))[0] == 200


async def test_a_card_is_certified_in_a_worker(served: Served) -> None:
    async with served.console("ADM") as console:
        assert isinstance(await console.command(CheckCard(new_id(), card_text())), Ok)
    assert pid(served.server.workers.cards) != os.getpid()


@pytest.mark.parametrize("depth", [100, 300, 450, 600, 900, 950, 990, 2_000])
async def test_a_station_s_deep_request_is_malformed(served: Served, depth: int) -> None:
    line = await served.station(bank_cents=None)
    deep = "[" * depth + "]" * depth
    await line.say(f'{{"type":"price","request_id":"deep","request":{{"groups":{deep}}}}}')
    while not isinstance(said := await line.hear(), RefusedReply):
        assert isinstance(said, Message)
    assert said.code == Refusal.MALFORMED
