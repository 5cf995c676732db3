"""A station program in this process at a served house, and a page that talks to it.

The house is the one of the wire's tests; games are locked and drawn by the test itself.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from keno import protocol
from keno.service import people
from keno.service.common import StaffContext
from printer.address import read_address
from printer.transport import PATIENT, Timeouts
from tests.houses import PASSPHRASE
from tests.integration.web.served import PASSWORD, Served, key_of
from writer_station.serving import StationOptions, Up, station_up

PATIENCE_S = 120
SECOND = {"person": "S1", "password": PASSWORD}
QUICK = Timeouts(connect_s=1.0, answer_s=1.0, job_s=2.5, grace_s=0.3, bytes_a_second=1e6)
"""Timeouts of a simulated printer, whose faults are found by them."""
SOUND = replace(PATIENT, grace_s=0.3)
"""Timeouts of the virtual printer: a machine that stalls for a moment puts no print in doubt."""


class Refused(Exception):
    """The station said no."""

    def __init__(self, no: dict[str, str]) -> None:
        super().__init__(no["message"])
        self.code, self.where = no["code"], no["where"]


async def _nothing() -> None:
    """What a page waits for that knows no station."""


@dataclass(eq=False)
class Screen:
    """A page: asks, and keeps the last state it was sent."""

    socket: aiohttp.ClientWebSocketResponse
    dealt_with: Callable[[], Awaitable[None]] = _nothing
    """Waits until no request is open in the station's notes."""
    state: dict[str, Any] = field(default_factory=dict)
    odds: dict[str, Any] = field(default_factory=dict)
    replaced: bool = False
    raw: Callable[[Any], None] = lambda _: None
    """Hears everything that is no state."""
    _done: asyncio.Event = field(default_factory=asyncio.Event)
    _answers: dict[int, "asyncio.Future[dict[str, Any]]"] = field(default_factory=dict)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _ids: "count[int]" = field(default_factory=lambda: count(1))

    async def listen(self) -> None:
        async for frame in self.socket:
            if frame.type is not WSMsgType.TEXT:
                continue
            said = json.loads(frame.data)
            if "state" not in said:
                self.raw(said)
            self.state = said.get("state", self.state)
            self.odds = said.get("odds", self.odds)
            self.replaced = self.replaced or "replaced" in said
            if "id" in said and said["id"] in self._answers:
                self._answers.pop(said["id"]).set_result(said)
            self._news.set()
        self._done.set()

    async def closed(self) -> None:
        """Wait until the station has closed the socket."""
        await self._done.wait()

    def gone(self) -> None:
        """The station is not there any more: nothing is answered."""
        for answer in self._answers.values():
            answer.set_exception(ConnectionError("the station is gone"))

    async def ask(self, do: str, **fields: Any) -> Any:
        """The answer, or `Refused`."""
        number = next(self._ids)
        answer = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        await self.socket.send_str(json.dumps({"id": number, "do": do} | fields))
        async with asyncio.timeout(PATIENCE_S):
            said = await answer
        if "no" in said:
            raise Refused(said["no"])
        return said["ok"]

    async def refused(self, expected: str, do: str, /, **fields: Any) -> Refused:
        """The station says no, for this reason."""
        with pytest.raises(Refused) as no:
            await self.ask(do, **fields)
        assert no.value.code == expected, str(no.value)
        return no.value

    async def until(self, when: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait for a state; gives it."""
        async with asyncio.timeout(PATIENCE_S):
            while not self.state or not when(self.state):
                self._news.clear()
                await self._news.wait()
        return self.state

    # What writers do all day.

    async def sign_in(self, person: str = "W1") -> None:
        await self.until(lambda state: state["line"]["up"] and state["card"])
        await self.ask("sign_in", person=person, password=PASSWORD)

    async def start(self, bank_cents: int = 10_000_00) -> None:
        """Sign in and open a shift; the slip of its bank is out."""
        await self.sign_in()
        await self.ask("open_shift", bank_cents=bank_cents)
        await self.until(lambda state: state["shift"] and state["printer"]["ok"])
        await self.dealt_with()

    async def price(self, typed: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = await self.ask("draft", draft=typed)
        return answer

    async def sell(self, typed: dict[str, Any] | None = None) -> int:
        """Sell a draft for currency in the open game; gives the ticket's number."""
        typed = typed or draft()
        priced = await self.price(typed)
        assert priced["sellable"], priced
        cents, game = priced["price_cents"], self.state["game"]["game"]
        sold = await self.ask(
            "sell", draft=typed, game=game, price_cents=cents,
            tender=[{"kind": "currency", "cents": cents}],
        )  # fmt: skip
        assert sold["game"] == game
        ticket: int = sold["ticket"]
        return ticket

    async def in_state(self, ticket: int, *states: str) -> dict[str, Any]:
        """Wait until the list shows a ticket so."""

        def found(state: dict[str, Any]) -> dict[str, Any] | None:
            rows = (row for row in state["tickets"] if row["ticket"] == ticket)
            return next((row for row in rows if row["state"] in states), None)

        await self.until(found)
        row = found(self.state)
        assert row is not None
        return row

    async def sell_printed(self, typed: dict[str, Any] | None = None) -> int:
        ticket = await self.sell(typed)
        await self.in_state(ticket, "printed")
        return ticket

    async def question(self, ticket: int) -> dict[str, Any]:
        """Wait for the question about a ticket."""

        def found(state: dict[str, Any]) -> dict[str, Any] | None:
            return next((each for each in state["questions"] if each["ticket"] == ticket), None)

        await self.until(found)
        asked = found(self.state)
        assert asked is not None
        return asked


def draft(**changes: Any) -> dict[str, Any]:
    """A straight eight for a dollar, or another draft."""
    typed = {
        "number": 1, "groups": [[1, 2, 3, 4, 5, 6, 7, 8]], "kings": [], "conditioning": "",
        "rate": "", "games": "", "quick_pick": None, "origin": {"kind": "paper"},
    }  # fmt: skip
    return typed | changes


@dataclass
class StationInProcess:
    """A station program that is up, its folder and its papers."""

    folder: Path
    up: Up
    http: aiohttp.ClientSession

    @property
    def paper(self) -> Path:
        return self.folder / "paper"

    def papers(self) -> list[str]:
        """The text of every paper that came out, but for slips of banks, in order.

        A whole one has its picture.
        """
        return [text for text in self._papers() if "Opening bank" not in text]

    def _papers(self) -> list[str]:
        whole = sorted(self.paper.glob("paper-*.png"))
        return [file.with_suffix(".txt").read_text() for file in whole]

    def of_ticket(self, ticket: int) -> list[str]:
        """The papers that are a ticket of this number."""
        return [text for text in self.papers() if f"Key A-{ticket} code" in text]

    async def paper_with(self, words: str) -> str:
        """Wait for a paper that says something."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                found = [text for text in self._papers() if words in text]
                if found:
                    return found[-1]
                await asyncio.sleep(0.02)

    async def dealt_with(self) -> None:
        """Wait until no request is open in the station's notes."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                if not self.up.acts.station.notes.open:
                    return
                await asyncio.sleep(0.02)

    def code(self, ticket: int) -> str:
        """The validation code as the paper shows it."""
        text = self.of_ticket(ticket)[0]
        line = next(line for line in text.splitlines() if f"Key A-{ticket} code" in line)
        return "".join(line.split()[-4:])

    def trouble(self, name: str, *, there: bool) -> None:
        file = self.paper / name
        if there:
            file.touch()
        else:
            file.unlink()

    @asynccontextmanager
    async def screen(self) -> AsyncIterator[Screen]:
        """A page at this station."""
        async with self.http.ws_connect(f"{self.up.address}page") as socket:
            made = Screen(socket, self.dealt_with)
            listening = asyncio.create_task(made.listen())
            try:
                yield made
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
                made.gone()


def prepare(folder: Path) -> Path:
    """A folder with the station's key."""
    (folder / "paper").mkdir(parents=True, exist_ok=True)
    key = folder / "station.key"
    key.write_text(key_of("s1").private_bytes_raw().hex())
    return key


@asynccontextmanager
async def booth(
    folder: Path, port: int, http: aiohttp.ClientSession, printer: str | None = None
) -> AsyncIterator[StationInProcess]:
    """A station program at the server of this port."""
    key = await asyncio.to_thread(prepare, folder)
    address = read_address(printer or f"virtual:{folder / 'paper'}")
    options = StationOptions(
        f"ws://127.0.0.1:{port}/ws/station", "s1", key, address, folder / "work", port=0,
        timeouts=SOUND if printer is None else QUICK,
    )  # fmt: skip
    async with station_up(options) as up:
        yield StationInProcess(folder, up, http)
        ended = [task for task in up.tasks if task.done()]
        assert not ended, ended


@asynccontextmanager
async def at_work(
    folder: Path, served: Served, *, port: int | None = None, printer: str | None = None
) -> AsyncIterator[tuple[StationInProcess, Screen]]:
    """A station with a page, nobody signed in yet."""
    async with (
        booth(folder, port or served.port, served.http, printer) as made,
        made.screen() as screen,
    ):
        yield made, screen


# The house around the booth.


async def lock(served: Served) -> int:
    """Close the open game and tell everybody, as the conductor does; gives its number."""
    number = await served.floor.lock()
    await _show(served)
    return number


async def play(served: Served, numbers: list[int] | None = None) -> int:
    """Lock, draw, show and settle the open game."""
    number = await served.floor.lock()
    await _show(served)
    await draw(served, number, numbers)
    return number


async def draw(served: Served, number: int, numbers: list[int] | None = None) -> None:
    """Draw, show and settle a game that is locked."""
    drawn = numbers or list(range(61, 81))
    await served.floor.draw(number, drawn)
    clock = served.floor.clock()
    served.server.hub.publish("main", protocol.Result("main", number, drawn, clock))
    await _show(served)


async def _show(served: Served) -> None:
    conductor = served.conductor
    conductor._open = await served.floor.open_game()  # noqa: SLF001 this house draws by hand
    served.server.hub.publish("main", conductor.state())


async def give_key(served: Served, person: str = "S1") -> None:
    """A supervisor's key, sealed under `PASSPHRASE`."""
    public, sealed = await asyncio.to_thread(people.new_signing_key, PASSPHRASE)
    command = protocol.SetSigningKey(served.floor.id(), "")
    await people.set_signing_key(served.floor.house, StaffContext(person), command, public, sealed)
