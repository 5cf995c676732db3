"""Lines cut at any moment: whoever asks again under the same id gets each answer exactly once."""

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from keno.protocol import Command, ConfirmPrint, Hello, OpenShift, Prove, SignIn, proof_of_station
from tests.counts import count
from tests.integration.commands import keno
from tests.integration.web.cutting import Proxy, cutting
from tests.integration.web.served import (
    PASSWORD,
    PLACE,
    Line,
    Served,
    key_of,
    new_id,
    sale,
)
from writer_station.client import NotAccepted, StationClient
from writer_station.refusals import RequestRefused

CUT = (aiohttp.ClientError, OSError)
"""How a line ends early; a refusal is none of these and fails the test."""


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"messages_per_second": 1000}


@dataclass
class Stubborn:
    """A station as docs/wire.md describes one: after a cut it connects and asks the same again."""

    http: aiohttp.ClientSession
    port: int
    line: Line | None = None
    times: dict[str, int] = field(default_factory=dict)

    async def ask(self, command: Command[Any]) -> Any:
        while True:
            self.times[command.request_id] = self.times.get(command.request_id, 0) + 1
            with suppress(*CUT):
                self.line = self.line or await self._connected()
                return await self.line.ask(command)
            if self.line is not None:
                self.line.drop()
            self.line = None

    async def _connected(self) -> Line:
        line = Line(await self.http.ws_connect(f"http://127.0.0.1:{self.port}/ws/station"))
        hello = await line.hear()
        if not isinstance(hello, Hello):
            raise ConnectionResetError("cut before the first word")
        signed = key_of("s1").sign(proof_of_station(hello.site, "s1", hello.nonce))
        await line.say(Prove("s1", signed.hex()))
        await line.answer("")
        await line.ask(SignIn(new_id(), "W1", PASSWORD))
        return line


async def sell_through(served: Served, proxy: Proxy, sales: int) -> Stubborn:
    """So many sales and prints, one after the other; every number once."""
    station = Stubborn(served.http, proxy.port)
    async with asyncio.timeout(count(60, 900)):
        await station.ask(OpenShift(new_id(), 100_00))
        for number in range(1, sales + 1):
            sold = await station.ask(sale())
            assert sold["ticket"] == number
            await station.ask(ConfirmPrint(new_id(), number))
    if station.line is not None:
        station.line.drop()
    return station


async def test_no_answer_is_lost_and_none_is_doubled(served: Served, tmp_path: Path) -> None:
    chance = random.Random(7)
    sales = count(60, 1_000)
    async with cutting(served.port, lambda: chance.random() < 0.08) as proxy:
        station = await sell_through(served, proxy, sales)
        assert proxy.cuts > sales // 20
    assert max(station.times.values()) > 1
    assert len((await served.money())["tickets"]) == sales
    audit = await asyncio.to_thread(keno, "audit", "--db", tmp_path / "ledger.db")
    assert audit.code == 0, audit


@pytest.mark.parametrize("piece", range(1, 11))
async def test_a_cut_at_each_step_of_the_greeting(served: Served, piece: int) -> None:
    pieces = iter(range(1, 1_000_000))
    async with cutting(served.port, lambda: next(pieces) == piece) as proxy:
        await sell_through(served, proxy, 1)
        assert proxy.cuts == 1
    assert len((await served.money())["tickets"]) == 1


# The station's own client, on a whole line.


async def test_the_station_s_client_sells(served: Served) -> None:
    station = StationClient(f"{served.base}/ws/station", "s1", key_of("s1"), lambda _: None)
    running = asyncio.create_task(station.run())
    async with asyncio.timeout(20):
        await station.connected()
        assert msgspec.to_builtins(station.place) == PLACE
        await station.ask(SignIn(new_id(), "W1", PASSWORD))
        await station.ask(OpenShift(new_id(), 100_00))
        assert (await station.ask(sale())).ticket == 1
        with pytest.raises(RequestRefused) as said:
            await station.ask(sale(card_version="none"))
    assert said.value.code == "card_changed"
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_the_station_s_client_ends_if_it_is_not_accepted(served: Served) -> None:
    for name in ("off", "stranger"):
        station = StationClient(f"{served.base}/ws/station", name, key_of(name), print)
        async with asyncio.timeout(20):
            with pytest.raises(NotAccepted):
                await station.run()
