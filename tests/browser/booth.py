"""A booth as its writer has it: a real house, a real station program, its printer and its page."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, expect

from keno import protocol
from tests import programs
from tests.browser.chromium import keep_picture, page_of
from tests.e2e.floor import LOOK_S, PATIENCE_S, Console, at_console, free_port
from tests.e2e.opening import PASSWORDS_OF, Opened, opened
from writer_station.client import new_id

BANK_CENTS = 2_000_00
NOT_YET = ("ERR_CONNECTION_REFUSED", "interrupted by another navigation")
"""What the browser says while the station is not up yet."""
READ_MS = 450
"""Nobody answers a question faster; Enter before that is a scanner's second one."""


async def until(ready: Callable[[], object], every_s: float = LOOK_S) -> None:
    """Look again and again, with patience."""
    async with asyncio.timeout(PATIENCE_S):
        for _ in count():
            if ready():
                return
            await asyncio.sleep(every_s)


@dataclass
class StationProgram:
    """`keno-station` as a process of its own, with a printer that prints into a folder."""

    folder: Path
    key: Path
    server: str
    port: int
    station: str = "1"
    process: programs.Program | None = None

    @property
    def paper(self) -> Path:
        """Where the papers come out."""
        return self.folder / "paper"

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    async def start(self) -> None:
        self.folder.mkdir(exist_ok=True)
        with (self.folder / "station.log").open("ab") as out:
            self.process = programs.start(
                programs.STATION, "--server", self.server, "--station", self.station,
                "--key", self.key, "--printer", f"virtual:{self.paper}",
                "--listen", f"127.0.0.1:{self.port}", "--folder", self.folder / "work", log=out,
            )  # fmt: skip

    async def kill(self) -> None:
        """SIGKILL, from outside."""
        if self.process is not None:
            await self.process.killed()

    def papers(self) -> list[str]:
        """The text of every paper so far, in order; its picture is there when it is whole."""
        whole = sorted(self.paper.glob("paper-*.png"))
        return [each.with_suffix(".txt").read_text() for each in whole]


@dataclass
class Writer:
    """A station's program and its page, in a writer's hands."""

    station: StationProgram
    page: Page

    async def keys(self, *pressed: str) -> None:
        """Press keys one after the other; a word of more than one sign is a key's name."""
        for each in pressed:
            await self.page.keyboard.press(each)

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)

    async def fill_in(self, *fields: str) -> None:
        """One field after the other, then Enter."""
        for number, text in enumerate(fields):
            if number:
                await self.keys("Tab")
            await self.type(text)
        await self.keys("Enter")

    async def sell(self, *pressed: str) -> str:
        """Key a ticket, print it; gives the text of its paper, not of a slip that comes late."""
        before = len(self.station.papers())
        await self.keys(*pressed)
        return await self.paper(before, "Total price")

    async def paper(self, before: int, words: str = "") -> str:
        """The next paper after so many, of those that say this."""

        def found() -> list[str]:
            return [text for text in self.station.papers()[before:] if words in text]

        await until(found)
        return found()[0]

    async def touch(self, *names: str) -> None:
        """Touch buttons, one after the other, by what they say."""
        for name in names:
            await self.page.get_by_role("button", name=name, exact=True).first.click()

    async def numbers(self, *numbers: int) -> None:
        """Touch numbers of the grid."""
        for number in numbers:
            await self.page.locator(f'keno-grid [data-number="{number}"]').click()

    async def answer(self, words: str) -> None:
        """Wait for a question that says this, read it, and answer it by Enter."""
        await expect(self.page.get_by_role("dialog")).to_contain_text(words)
        await self.page.wait_for_timeout(READ_MS)
        await self.keys("Enter")

    async def said(self, words: str) -> None:
        """Wait until the page says something."""
        await expect(self.page.get_by_text(words).first).to_be_visible()

    async def sign_in(
        self, bank_cents: int = BANK_CENTS, person: str = "ANNA", password: str | None = None
    ) -> None:
        """A writer signs in and takes a drawer, by keyboard."""
        await expect(self.page.get_by_role("dialog")).to_be_visible()
        await self.fill_in(person, PASSWORDS_OF[person] if password is None else password)
        await expect(self.page.get_by_role("dialog", name="shift")).to_be_visible()
        bank = self.page.get_by_label("Bank in the drawer")
        await expect(bank).to_have_value("")
        await expect(bank).not_to_have_attribute("placeholder", re.compile("."))
        await expect(bank).to_have_accessible_description(re.compile("for example 500.00"))
        await self.fill_in(f"{bank_cents / 100:.2f}")
        await expect(self.page.get_by_role("dialog")).to_be_hidden()

    async def picture(self, name: str) -> None:
        """Keep what the writer sees now."""
        await keep_picture(self.page, name)


@dataclass
class Booth(Writer):
    """Everything a writer has, and a supervisor's console at hand."""

    house: Opened
    sue: Console

    async def game(self) -> dict[str, Any]:
        """The open game."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                _, [place] = await self.house.served.get("/api/locations")
                if place["open"] is not None:
                    found: dict[str, Any] = place["open"]
                    return found
                await asyncio.sleep(LOOK_S)

    async def close_game(self) -> int:
        """Close the open game by hand; gives its number when its result is settled."""
        number: int = (await self.game())["game"]
        await self.sue.ask(protocol.CloseGame(new_id(), "main", number))
        await self.house.served.settled(number)
        return number

    async def back(self) -> None:
        """ANNA signs in again; her shift is still open."""
        await self.fill_in("ANNA", PASSWORDS_OF["ANNA"])
        await expect(self.page.get_by_role("dialog")).to_be_hidden()


@asynccontextmanager
async def booth(
    folder: Path,
    browser: Browser,
    width: int = 1280,
    height: int = 800,
    settings: tuple[str, ...] = (),
) -> AsyncIterator[Booth]:
    """A house, a station and its page."""
    async with (
        opened(folder, *settings) as house,
        at_console(house.served, "SUE", PASSWORDS_OF["SUE"]) as sue,
    ):
        station = StationProgram(
            folder / "booth", house.station_key, f"ws://127.0.0.1:{house.served.port}", free_port()
        )
        async with at_page(station, browser, width, height) as page:
            yield Booth(station, page, house, sue)


@asynccontextmanager
async def at_page(
    station: StationProgram, browser: Browser, width: int = 1280, height: int = 800
) -> AsyncIterator[Page]:
    """Start a station and open its page; whatever goes wrong, the end of its log is shown."""
    await station.start()
    try:
        async with page_of(browser, width, height) as page:
            await _opened(page, station.address)
            yield page
    except BaseException:
        print((station.folder / "station.log").read_text()[-4000:])
        raise
    finally:
        await station.kill()


async def _opened(page: Page, address: str) -> None:
    """The page, as soon as the station serves it."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await page.goto(address)
            except Exception as error:  # the browser has one kind for everything
                if not any(words in str(error) for words in NOT_YET):
                    raise
                await asyncio.sleep(LOOK_S)
            else:
                return
