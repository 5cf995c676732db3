"""Drives a house from outside: the server's process, and a station client on its websocket.

Nothing here sleeps for a fixed time: it waits for events, with a long timeout.
"""

import asyncio
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from keno import protocol
from keno.domain.cardfile import read_card
from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.protocol import Command, Message, SellTicket, State, Tendered
from keno.service import counter
from tests import programs
from tests.integration.commands import Said, keno
from writer_station.client import StationClient, load_key, new_id
from writer_station.refusals import RequestRefused

PATIENCE_S = 180
LOOK_S = 0.1
LOG_LINES = 40
LETTERS = "ABCDEFGHIJLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz"


def free_port() -> int:
    """Return a free TCP port."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def singles(price: str, games: int = 1) -> str:
    """Return a request in the text form with fifty groups of one number, each a way.

    Practically every draw hits some of them.
    """
    groups = "/".join(str(number) for number in range(1, len(LETTERS) + 1))
    return f"{groups}: {','.join(LETTERS)}@{price} x{games}"


def hits(numbers: list[int]) -> int:
    """Return how many groups of `singles` a draw hits."""
    return sum(number <= len(LETTERS) for number in numbers)


async def said(*arguments: str | Path) -> Said:
    """Run a `keno` command in a thread and return its output and exit code."""
    return await asyncio.to_thread(keno, *arguments)


# ---------------------------------------------------------------- the server


@dataclass
class ServerProcess:
    """A running server: its folder, port and process, and an HTTP client."""

    folder: Path
    port: int
    process: programs.Program
    web: aiohttp.ClientSession

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def get(self, path: str) -> tuple[int, Any]:
        """Request a path and return the status and the JSON of the response."""
        async with self.web.get(f"{self.address}{path}") as response:
            return response.status, await response.json()

    async def game(self, number: int, location: str = "main") -> dict[str, Any]:
        status, found = await self.get(f"/api/games/{location}/{number}")
        assert status == 200, found
        game: dict[str, Any] = found
        return game

    async def settled(self, number: int) -> list[int]:
        """Wait until a game is settled; return its numbers in order."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                game = await self.game(number)
                if game["state"] == "settled":
                    numbers: list[int] = game["numbers"]
                    return numbers
                await asyncio.sleep(LOOK_S)

    async def proof(self, number: int) -> tuple[int, bytes]:
        async with self.web.get(f"{self.address}/api/games/main/{number}/proof") as response:
            return response.status, await response.read()

    async def stop(self) -> int:
        """Stop the server by SIGTERM and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()


@asynccontextmanager
async def serving(folder: Path, port: int, *, closed: bool = False) -> AsyncIterator[ServerProcess]:
    """Run `keno serve` as a process inside this context; after an error show the end of its log.

    It waits until the first game is open or, with `closed`, until the server answers.
    """
    log = folder / "server.log"
    with log.open("ab") as out:
        process = programs.start(programs.KENO, "serve", "--config", folder / "keno.toml", log=out)
    try:
        async with aiohttp.ClientSession() as web:
            served = ServerProcess(folder, port, process, web)
            await _answers(served, closed=closed)
            yield served
    except BaseException:
        print("\n".join(["The server's log:", *log.read_text().splitlines()[-LOG_LINES:]]))
        raise
    finally:
        await process.killed()


async def _answers(served: ServerProcess, *, closed: bool) -> None:
    """Wait until the server answers and, unless `closed`, the first game is open."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            assert served.process.returncode is None, "the server has ended"
            try:
                _, places = await served.get("/api/locations")
            except aiohttp.ClientError:
                places = []
            if places and all(closed or place["open"] is not None for place in places):
                return
            await asyncio.sleep(LOOK_S)


# ---------------------------------------------------------------- a station


@dataclass(eq=False)
class Station:
    """A station connected to the server, with the last state of its location."""

    served: ServerProcess
    client: StationClient
    state: State | None = None
    heard: list[Message] = field(default_factory=list)
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def hear(self, event: Message) -> None:
        self.heard.append(event)
        if isinstance(event, State):
            self.state = event
        self._news.set()

    async def until(self, when: Callable[[State], bool]) -> State:
        """Wait until `when` holds for the location's state, and return the state."""
        async with asyncio.timeout(PATIENCE_S):
            while self.state is None or not when(self.state):
                self._news.clear()
                await self._news.wait()
        return self.state

    async def open_game(self) -> protocol.OpenGame:
        state = await self.until(lambda state: state.open is not None)
        assert state.open is not None
        return state.open

    async def shown(self, game: int) -> State:
        """Wait until the last ball of a game is shown, and return the state."""
        return await self.until(lambda state: state.last is not None and state.last.game >= game)

    async def ask(self, command: Command[Any]) -> Any:
        """Send a command and return its answer as JSON; `RequestRefused` if it is refused."""
        async with asyncio.timeout(PATIENCE_S):
            return msgspec.json.decode(msgspec.json.encode(await self.client.ask(command)))

    async def refused(self, code: str, command: Command[Any]) -> None:
        """Assert that the server refuses a command with this code."""
        with pytest.raises(RequestRefused) as no:
            await self.ask(command)
        assert no.value.code == code, str(no.value)

    async def sale(self, text: str, origin: Any = None) -> SellTicket:
        """Return the sale of a request in the text form, at the card's price, for the open game."""
        now = await self.open_game()
        _, found = await self.served.get("/api/ratecard?location=main")
        card = read_card(found["toml"]).card
        assert card is not None
        request = parse(text, card)
        price = request.price_one_game_cents * request.games
        return SellTicket(
            new_id(), now.game, now.card, price, origin or protocol.PaperOrigin(),
            to_written(request),            [Tendered("currency", price)],
        )  # fmt: skip

    async def sell(self, text: str, origin: Any = None) -> dict[str, Any]:
        """Sell a request and confirm its print; if the game closes meanwhile, for the next one."""
        while True:
            sale = await self.sale(text, origin)
            try:
                return await self.printed(await self.ask(sale))
            except RequestRefused as no:
                if no.code != "game_closed":
                    raise
                await self.until(
                    lambda state, closed=sale.first_game: (  # type: ignore[misc]
                        state.open is not None and state.open.game > closed
                    )
                )

    async def printed(self, sold: dict[str, Any]) -> dict[str, Any]:
        await self.ask(protocol.ConfirmPrint(new_id(), sold["ticket"]))
        return sold

    async def look(self, sold: dict[str, Any]) -> dict[str, Any]:
        """Look a ticket up by its code; return the ticket and what is due."""
        found: dict[str, Any] = await self.ask(
            protocol.Lookup(new_id(), sold["ticket"], sold["code"])
        )
        return found

    def redeem(self, sold: dict[str, Any], cents: int) -> protocol.Redeem:
        return protocol.Redeem(new_id(), sold["ticket"], sold["code"], protocol.Payment(cents))

    async def paid_once(self, sold: dict[str, Any], cents: int) -> None:
        """Pay a ticket in cash; a second payment must be refused, a repeat must answer the same."""
        command = self.redeem(sold, cents)
        paid = await self.ask(command)
        assert (paid["kind"], paid["cash_cents"]) == ("payout", cents)
        await self.refused("already_paid", self.redeem(sold, cents))
        assert await self.ask(command) == paid


@asynccontextmanager
async def at_station(served: ServerProcess, number: str, key: Path) -> AsyncIterator[Station]:
    """Connect a station to the server; no writer is signed in."""
    client = StationClient(
        f"ws://127.0.0.1:{served.port}/ws/station",
        number,
        await asyncio.to_thread(load_key, key),
        lambda _: None,
    )
    station = Station(served, client)
    client.hear = station.hear
    line = asyncio.create_task(client.run())
    try:
        async with asyncio.timeout(PATIENCE_S):
            await client.connected()
        yield station
    finally:
        line.cancel()
        await asyncio.gather(line, return_exceptions=True)


def graded(folder: Path, sold: dict[str, Any], numbers: list[int]) -> int:
    """Return the award in cents of a ticket on a draw, by the grading of `keno grade`."""
    file = folder / f"request-{sold['ticket']}"
    file.write_text(sold["request_json"])
    award: int = counter.grade_of(counter.EXAMPLE, str(file), numbers)["award_cents"]
    return award
