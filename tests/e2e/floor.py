"""A served house seen from outside: the server's process, a station at its wire, a console.

Nothing here waits for a time to pass: everybody waits for what is said, with much patience.
"""

import asyncio
import signal
import socket
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from keno import protocol
from keno.demo.key_ceremony import killed
from keno.domain.cardfile import read_card
from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.protocol import Command, Message, Ok, RefusedReply, SellTicket, State, Tendered
from keno.service import counter
from tests.integration.commands import Said, keno
from writer_station.client import SaidNo, StationClient, load_key, new_id

PATIENCE_S = 180
LOOK_S = 0.1
LOG_LINES = 40
LETTERS = "ABCDEFGHIJLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz"


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
    return port


def singles(price: str, games: int = 1) -> str:
    """Fifty groups of one number, each a way: one of twenty balls out of eighty hits, surely."""
    groups = "/".join(str(number) for number in range(1, len(LETTERS) + 1))
    return f"{groups}: {','.join(LETTERS)}@{price} x{games}"


def hits(numbers: list[int]) -> int:
    """How many groups of `singles` a draw hits."""
    return sum(number <= len(LETTERS) for number in numbers)


async def said(*arguments: str | Path) -> Said:
    """What a `keno` command says."""
    return await asyncio.to_thread(keno, *arguments)


# ---------------------------------------------------------------- the server


@dataclass
class Served:
    """A house that is open: its folder, its process, and a way to ask it."""

    folder: Path
    port: int
    process: Process
    web: aiohttp.ClientSession

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def get(self, path: str) -> tuple[int, Any]:
        """The status and the JSON of an answer."""
        async with self.web.get(f"{self.address}{path}") as response:
            return response.status, await response.json()

    async def game(self, number: int, location: str = "main") -> dict[str, Any]:
        status, found = await self.get(f"/api/games/{location}/{number}")
        assert status == 200, found
        game: dict[str, Any] = found
        return game

    async def settled(self, number: int) -> list[int]:
        """Wait until a game is shown and settled; gives its numbers in order."""
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
        """SIGTERM; gives the exit code."""
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE_S):
            return await self.process.wait()


@asynccontextmanager
async def serving(folder: Path, port: int) -> AsyncIterator[Served]:
    """`keno serve` as a process of its own; whatever goes wrong, the end of its log is shown."""
    log = folder / "server.log"
    with log.open("ab") as out:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "keno", "serve", "--config", str(folder / "keno.toml"),
            stdin=DEVNULL, stdout=out, stderr=out, start_new_session=True,
        )  # fmt: skip
    try:
        async with aiohttp.ClientSession() as web:
            served = Served(folder, port, process, web)
            await _answers(served)
            yield served
    except BaseException:
        print("\n".join(["The server's log:", *log.read_text().splitlines()[-LOG_LINES:]]))
        raise
    finally:
        await killed(process)


async def _answers(served: Served) -> None:
    """Wait until the first game is open."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            assert served.process.returncode is None, "the server has ended"
            try:
                _, places = await served.get("/api/locations")
            except aiohttp.ClientError:
                places = []
            if places and all(place["open"] is not None for place in places):
                return
            await asyncio.sleep(LOOK_S)


# ---------------------------------------------------------------- a supervisor's console


@dataclass
class Console:
    """A person signed in at a browser."""

    served: Served
    web: aiohttp.ClientSession

    async def ask(self, command: Command[Any]) -> Any:
        """The answer, or `SaidNo`."""
        async with self.web.post(
            f"{self.served.address}/api/command", data=protocol.write(command)
        ) as response:
            answer = protocol.read_server(await response.read())
        if isinstance(answer, RefusedReply):
            raise SaidNo(answer.code, answer.message)
        assert isinstance(answer, Ok)
        return answer.answer

    async def override(self, kind: str) -> None:
        """15.5(e); a game that closes at this very moment is left, and the next one meant."""
        while True:
            try:
                await self.ask(protocol.Override(new_id(), "main", kind, "an end-to-end test"))
            except SaidNo as no:
                if no.code != "not_possible_now":
                    raise
                await asyncio.sleep(LOOK_S)
            else:
                return


@asynccontextmanager
async def at_console(served: Served, person: str, password: str) -> AsyncIterator[Console]:
    """Sign in at the console."""
    jar = aiohttp.CookieJar(unsafe=True)  # the server has an address here and no name
    async with aiohttp.ClientSession(cookie_jar=jar) as web:
        body = {"person": person, "password": password}
        async with web.post(f"{served.address}/api/sign-in", json=body) as response:
            assert response.status == 200, await response.text()
        yield Console(served, web)


# ---------------------------------------------------------------- a station


@dataclass(eq=False)
class Station:
    """A writer's station on the real wire, and all it has heard."""

    served: Served
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
        """Wait until the location is as wanted."""
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
        """Wait until the last ball of a game is on the board."""
        return await self.until(lambda state: state.last is not None and state.last.game >= game)

    async def ask(self, command: Command[Any]) -> Any:
        async with asyncio.timeout(PATIENCE_S):
            return await self.client.ask(command)

    async def refused(self, code: str, command: Command[Any]) -> None:
        """The server says no, for this reason."""
        with pytest.raises(SaidNo) as no:
            await self.ask(command)
        assert no.value.code == code, str(no.value)

    async def sale(self, text: str, origin: Any = None) -> SellTicket:
        """A sale in the text form, at the card's price, for the open game."""
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
        """Sell and print; if the game closes meanwhile, for the next one."""
        while True:
            sale = await self.sale(text, origin)
            try:
                return await self.printed(await self.ask(sale))
            except SaidNo as no:
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
        """A ticket as anybody with its code sees it, and what it is owed."""
        found: dict[str, Any] = await self.ask(
            protocol.Lookup(new_id(), sold["ticket"], sold["code"])
        )
        return found

    def redeem(self, sold: dict[str, Any], cents: int) -> protocol.Redeem:
        return protocol.Redeem(new_id(), sold["ticket"], sold["code"], protocol.Payment(cents))

    async def paid_once(self, sold: dict[str, Any], cents: int) -> None:
        """Pay a ticket in cash; a second time is refused, the first command stands."""
        command = self.redeem(sold, cents)
        paid = await self.ask(command)
        assert (paid["kind"], paid["cash_cents"]) == ("payout", cents)
        await self.refused("already_paid", self.redeem(sold, cents))
        assert await self.ask(command) == paid


@asynccontextmanager
async def at_station(served: Served, number: str, key: Path) -> AsyncIterator[Station]:
    """Station with a line to the server; nobody has signed in yet."""
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
    """What `keno grade` says that a ticket wins on a draw."""
    file = folder / f"request-{sold['ticket']}"
    file.write_text(sold["request_json"])
    award: int = counter.grade_of(counter.EXAMPLE, str(file), numbers)["award_cents"]
    return award
