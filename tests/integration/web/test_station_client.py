"""The station's own client: it keeps the line, asks again after a cut, and loses no answer."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keno.protocol import ConfirmPrint, Message, OpenShift, SignIn, State
from tests.counts import count
from tests.integration.commands import keno
from tests.integration.web.cutting import cutting
from tests.integration.web.served import PASSWORD, PLACE, Served, key_of, new_id, sale
from writer_station import client as station_client
from writer_station.client import NotAccepted, StationClient
from writer_station.refusals import RequestRefused


@pytest.fixture
def server_settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(station_client, "AGAIN_SECONDS", 0.01)
    return {"messages_per_second": 1000}


@asynccontextmanager
async def client(port: int, station: str = "s1") -> AsyncIterator[StationClient]:
    """A client that runs; it must not end by itself."""
    heard: list[Message] = []
    made = StationClient(f"http://127.0.0.1:{port}/ws/station", station, key_of(station),
                         heard.append)  # fmt: skip
    running = asyncio.create_task(made.run())
    try:
        yield made
        assert not running.done(), running
        assert any(isinstance(each, State) for each in heard)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_a_station_sells(served: Served) -> None:
    async with client(served.port) as station:
        await station.connected()
        assert msgspec.to_builtins(station.place) == PLACE
        await station.ask(SignIn(new_id(), "W1", PASSWORD))
        await station.ask(OpenShift(new_id(), 100_00))
        assert (await station.ask(sale())).ticket == 1
        with pytest.raises(RequestRefused) as said:
            await station.ask(sale(card_version="none"))
        assert said.value.code == "card_changed"


async def test_a_station_that_is_not_accepted_ends(served: Served) -> None:
    for station in ("off", "stranger"):
        made = StationClient(f"{served.base}/ws/station", station, key_of(station), print)
        async with asyncio.timeout(20):
            with pytest.raises(NotAccepted):
                await made.run()


async def test_no_answer_is_lost_however_the_line_is_cut(served: Served, tmp_path: Path) -> None:
    chance = random.Random(7)
    sales = count(60, 1_000)
    async with cutting(served.port, lambda: chance.random() < 0.08) as proxy:
        async with client(proxy.port) as station:
            async with asyncio.timeout(count(60, 900)):
                await station.ask(SignIn(new_id(), "W1", PASSWORD))
                await station.ask(OpenShift(new_id(), 100_00))
                numbers = []
                for _ in range(sales):
                    sold = await station.ask(sale())
                    numbers.append(sold.ticket)
                    await station.ask(ConfirmPrint(new_id(), sold.ticket))
        assert numbers == list(range(1, sales + 1))
        assert proxy.cuts > sales // 20
        assert proxy.connections > proxy.cuts // 2
    assert len((await served.money())["tickets"]) == sales
    audit = await asyncio.to_thread(keno, "audit", "--db", tmp_path / "ledger.db")
    assert audit.code == 0, audit


async def test_many_commands_at_once_are_all_answered_through_cuts(served: Served) -> None:
    chance = random.Random(11)
    sales = count(40, 400)
    async with cutting(served.port, lambda: chance.random() < 0.05) as proxy:
        async with client(proxy.port) as station:
            async with asyncio.timeout(60):
                await station.ask(SignIn(new_id(), "W1", PASSWORD))
                await station.ask(OpenShift(new_id(), 100_00))
                for _ in range(sales // 20):
                    sold = await asyncio.gather(*(station.ask(sale()) for _ in range(20)))
                    assert len({each.ticket for each in sold}) == 20
        assert proxy.cuts > 0
    assert len((await served.money())["tickets"]) == sales


@pytest.mark.parametrize("piece", range(1, 9))
async def test_a_cut_at_each_step_of_the_greeting(served: Served, piece: int) -> None:
    pieces = iter(range(1, 1_000_000))
    async with cutting(served.port, lambda: next(pieces) == piece) as proxy:
        async with client(proxy.port) as station, asyncio.timeout(20):
            await station.ask(SignIn(new_id(), "W1", PASSWORD))
            await station.ask(OpenShift(new_id(), 100_00))
            assert (await station.ask(sale())).ticket == 1
        assert proxy.cuts == 1
        assert proxy.connections == 2
