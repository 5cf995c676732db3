"""`keno-station` of the old version as a process, and its writer at the page; for record.py."""

import asyncio
import sqlite3
import sys
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

PLACE = Path("/tmp/keno-recorded/house")  # noqa: S108 unpack() writes another path in its place
PATIENCE_S = 120

# By name, and so without types: these are the old version's, whatever the present one is like.
demo, floor, booth, ceremonies = map(
    import_module,
    ("keno.demo", "tests.e2e.floor", "tests.integration.station.booth", "keno.ceremonies"),
)
PASSWORD: str = demo.PASSWORD


async def until(ready: Callable[[], object]) -> None:
    """Wait until something is the case."""
    async with asyncio.timeout(PATIENCE_S):
        while not ready():  # noqa: ASYNC110 it is a file, a process or a page that changes
            await asyncio.sleep(0.05)


def rows(sql: str, *values: object) -> list[dict[str, Any]]:
    """Read the ledger, also while the server has it open."""
    with closing(sqlite3.connect(f"file:{PLACE / 'ledger.db'}?mode=ro", uri=True)) as found:
        found.row_factory = sqlite3.Row
        return [dict(row) for row in found.execute(sql, values)]


@dataclass(eq=False)
class RecordedStation:
    """`keno-station` as a process, and the page at which its writer works."""

    number: str
    location: str
    person: str
    server_port: int
    port: int = field(default_factory=lambda: int(floor.free_port()))
    process: Process | None = None
    page: Any = None
    named: dict[str, int] = field(default_factory=dict)
    """The tickets that were sold here, by what they are for."""
    _drafts: "count[int]" = field(default_factory=lambda: count(1))

    @property
    def folder(self) -> Path:
        return PLACE / f"station-{self.number}"

    @property
    def paper(self) -> Path:
        return PLACE / f"paper-{self.number}"

    async def start(self) -> None:
        with (PLACE / f"station-{self.number}.log").open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "writer_station.cli", "--station", self.number,
                "--server", f"ws://127.0.0.1:{self.server_port}",
                "--key", str(PLACE / f"station-{self.number}.key"),
                "--folder", str(self.folder), "--printer", f"virtual:{self.paper}",
                "--listen", f"127.0.0.1:{self.port}",
                stdin=DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )  # fmt: skip

    async def kill(self) -> None:
        if self.process is not None:
            await ceremonies.killed(self.process)

    async def ask(self, do: str, **fields: Any) -> Any:
        return await self.page.ask(do, **fields)

    async def begin(self, bank_cents: int) -> None:
        """Sign in and open a shift."""
        await self.page.until(lambda state: state["line"]["up"] and state["card"])
        await self.ask("sign_in", person=self.person, password=PASSWORD)
        await self.ask("open_shift", bank_cents=bank_cents)
        await self.page.until(lambda state: state["shift"] and state["printer"]["ok"])

    async def priced(self, typed: dict[str, Any], coupon: tuple[str, int] | None) -> dict[str, Any]:
        """A draft for the open game, with its price and its tender."""
        await self.page.until(lambda state: state["game"] and state["card"])
        drafted = booth.draft(number=next(self._drafts), groups=[]) | typed
        answer = await self.ask("draft", draft=drafted)
        if not answer["sellable"]:
            raise ValueError(f"{typed}: {answer}")
        price, serial, off = answer["price_cents"], *(coupon or ("", 0))
        tender = [{"kind": "currency", "cents": price - off}]
        if coupon:
            tender.append({"kind": "coupon", "cents": off, "serial": serial})
        game = self.page.state["game"]["game"]
        return {"draft": drafted, "game": game, "price_cents": price, "tender": tender}

    async def sell(
        self, name: str, typed: dict[str, Any], coupon: tuple[str, int] | None = None
    ) -> int:
        """Sell a ticket and wait for its paper; if the game closes meanwhile, for the next one."""
        ticket = 0
        while not ticket:
            try:
                sold = await self.ask("sell", **await self.priced(typed, coupon))
                ticket = sold["ticket"]
            except booth.Refused as no:
                if no.code not in ("game_closed", "not_possible_now"):
                    raise
                await asyncio.sleep(0.2)
        self.named[name] = ticket
        await self.page.in_state(ticket, "printed")
        return ticket

    def code(self, ticket: int) -> str:
        """The code on a ticket; the ledger has it too."""
        return str(rows("SELECT code FROM tickets WHERE location = ? AND number = ?",
                        self.location, ticket)[0]["code"])  # fmt: skip

    def held(self, name: str) -> dict[str, Any]:
        """Number and code, as from the paper of a ticket."""
        return {"ticket": self.named[name], "code": self.code(self.named[name])}

    async def pay(self, name: str) -> int:
        """Pay a ticket in cash; gives what it was owed."""
        payment = await self.owed(name)
        done = await self.ask("pay", payments=[self.held(name) | {"payment": payment}])
        if done["refused"]:
            raise ValueError(f"{name}: {done}")
        return int(done["paid"][0]["total_cents"])

    async def owed(self, name: str) -> dict[str, Any]:
        look = await self.ask("look", **self.held(name))
        if look["why_not"] or not look["total_cents"]:
            raise ValueError(f"{name}: {look}")
        return {"cash_cents": look["cash_cents"]}

    async def noted(self, kind: str) -> None:
        """Wait until a request is on the disk, and give it the time to leave."""
        file = self.folder / "requests"
        await until(lambda: f'"kind":"{kind}"' in file.read_text().replace(" ", "").split("\n")[-2])
        await asyncio.sleep(0.5)


@asynccontextmanager
async def working(station: RecordedStation) -> AsyncIterator[RecordedStation]:
    """A station that is up, with its page."""
    await station.start()
    try:
        async with AsyncExitStack() as stack:
            web = await stack.enter_async_context(floor.aiohttp.ClientSession())
            address = f"http://127.0.0.1:{station.port}/page"
            async with asyncio.timeout(PATIENCE_S):
                while station.page is None:
                    try:
                        station.page = booth.Screen(await web.ws_connect(address))
                    except floor.aiohttp.ClientError:
                        await asyncio.sleep(0.1)
            listening = asyncio.create_task(station.page.listen())
            try:
                yield station
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)
    finally:
        await station.kill()
