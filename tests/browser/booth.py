"""A booth for tests: a real house, a real station program, a virtual printer and the page."""

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
from tests.consoles import Console, at_console
from tests.e2e.floor import LOOK_S, PATIENCE_S, free_port
from tests.e2e.opening import PASSWORDS_OF, Opened, opened
from writer_station.client import new_id

BANK_CENTS = 2_000_00
OPENING = "Opening bank"
"""The title of the slip that is printed when a shift is opened with a bank."""
NOT_YET = ("ERR_CONNECTION_REFUSED", "interrupted by another navigation")
"""Error texts of the browser while the station is not up yet."""
READ_MS = 450
"""Milliseconds to wait before answering a question; the page ignores an earlier Enter."""


async def until(ready: Callable[[], object], every_s: float = LOOK_S) -> None:
    """Poll `ready` every `every_s` seconds until it is true, with a long timeout."""
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
        """The folder of the virtual printer."""
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
        """Kill the program by SIGKILL."""
        if self.process is not None:
            await self.process.killed()

    def log(self) -> str:
        """The end of what the station wrote."""
        return (self.folder / "station.log").read_text()[-4000:]

    def slips(self, title: str) -> list[str]:
        """Return the text of every complete paper so far with these words, in order."""
        whole = sorted(self.paper.glob("paper-*.png"))
        return [text for each in whole if title in (text := each.with_suffix(".txt").read_text())]

    def papers(self) -> list[str]:
        """Return the text of every complete paper so far, but the slip of the opening bank."""
        bank = self.slips(OPENING)
        return [text for text in self.slips("") if text not in bank]


@dataclass
class Writer:
    """A writer at a station: its program and its page."""

    station: StationProgram
    page: Page

    async def keys(self, *pressed: str) -> None:
        """Press keys one after the other, by character or by name (``Enter``)."""
        for each in pressed:
            await self.page.keyboard.press(each)

    async def keys_at_once(self, *pressed: str, after: str = "body") -> None:
        """Click what `after` selects, then press keys in one task of the page, like a scanner."""
        await self.page.evaluate(
            """([keys, after]) => {
                document.querySelector(after).click();
                keys.forEach((key) => document.activeElement.dispatchEvent(
                    new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })));
            }""",
            [pressed, after],
        )

    async def type(self, text: str) -> None:
        await self.page.keyboard.type(text)

    async def fill_in(self, *fields: str) -> None:
        """Type texts into successive fields, then press Enter."""
        for number, text in enumerate(fields):
            if number:
                await self.keys("Tab")
            await self.type(text)
        await self.keys("Enter")

    async def sell(self, *pressed: str) -> str:
        """Press the keys that sell a ticket, and return the text of its paper."""
        before = len(self.station.papers())
        await self.keys(*pressed)
        return await self.paper(before, "Total price")

    async def paper(self, before: int, words: str = "") -> str:
        """Wait for a paper after the first `before` that contains `words`; return its text."""

        def found() -> list[str]:
            return [text for text in self.station.papers()[before:] if words in text]

        try:
            await until(found)
        except TimeoutError:
            said = await self.page.locator("body").inner_text()
            raise AssertionError(
                f"no paper; {self.station.log()}\nthe page says:\n{said}"
            ) from None
        return found()[0]

    async def touch(self, *names: str) -> None:
        """Click buttons one after the other, by their text."""
        for name in names:
            await self.page.get_by_role("button", name=name, exact=True).first.click()

    async def numbers(self, *numbers: int) -> None:
        """Click numbers of the grid."""
        for number in numbers:
            await self.page.locator(f'keno-grid [data-number="{number}"]').click()

    async def answer(self, words: str) -> None:
        """Wait for a dialog that contains `words`, then press Enter after `READ_MS`."""
        await expect(self.page.get_by_role("dialog")).to_contain_text(words)
        await self.page.wait_for_timeout(READ_MS)
        await self.keys("Enter")

    async def said(self, words: str) -> None:
        """Wait until the page shows these words."""
        await expect(self.page.get_by_text(words).first).to_be_visible()

    async def sign_in(
        self, bank_cents: int = BANK_CENTS, person: str = "ANNA", password: str | None = None
    ) -> None:
        """Sign a writer in and open a shift with a bank, by keyboard."""
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
        """Save a screenshot of the page."""
        await keep_picture(self.page, name)


@dataclass
class Booth(Writer):
    """A writer at a station, with the house and a supervisor's session at the console."""

    house: Opened
    sue: Console

    async def game(self) -> dict[str, Any]:
        """Wait for an open game and return it."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                _, [place] = await self.house.served.get("/api/locations")
                if place["open"] is not None:
                    found: dict[str, Any] = place["open"]
                    return found
                await asyncio.sleep(LOOK_S)

    async def close_game(self) -> int:
        """Close the open game by hand, wait until it is settled, and return its number."""
        number: int = (await self.game())["game"]
        await self.sue.ask(protocol.CloseGame(new_id(), "main", number))
        await self.house.served.settled(number)
        return number

    async def back(self) -> None:
        """Sign ANNA in again, whose shift is still open."""
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
    """Open a house, a station and its page."""
    async with (
        opened(folder, *settings) as house,
        at_console(house.served.address, "SUE", PASSWORDS_OF["SUE"]) as sue,
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
    """Start a station and open its page; after an error show the end of its log."""
    await station.start()
    try:
        async with page_of(browser, width, height) as page:
            await _opened(page, station.address)
            yield page
    except BaseException:
        print(station.log())
        raise
    finally:
        await station.kill()


async def _opened(page: Page, address: str) -> None:
    """Open the page as soon as the station serves it."""
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
