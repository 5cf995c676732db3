"""A house that is closed by its hours: board, station, console and phone say when it opens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from zoneinfo import ZoneInfo

from playwright.async_api import Browser, expect

from keno.config import Config, HouseConfig, ServerConfig, SessionConfig
from keno.domain.hours import OpeningHours, parse_week
from keno.games.schedule import Schedule
from tests.browser.booth import Writer
from tests.browser.chromium import keep_picture, page_of
from tests.browser.console import Desk
from tests.browser.tabs import answered, reachable
from tests.browser.test_stopped_card import console, writing
from tests.houses import START_MS, Clock, new_floor
from tests.integration.web.served import Served, Side, serving_floor

OPENS = "Opens at 10:00 AM tomorrow"
HOUR_MS = 3_600_000
NIGHT = Schedule(
    hours=OpeningHours(ZoneInfo("America/New_York"), parse_week({"mon-sun": "10:00-23:00"}), 60_000)
)


@asynccontextmanager
async def closed_house(folder: Path) -> AsyncIterator[Served]:
    """A house at half past eleven in the evening; it has closed at eleven."""
    config = Config(HouseConfig(folder=folder), ServerConfig(), SessionConfig(), {})
    clock = Clock(START_MS + 43 * HOUR_MS // 2)
    async with (
        new_floor(folder, clock=clock) as floor,
        serving_floor(floor, config, Side(), NIGHT) as served,
    ):
        yield served


async def test_15_5_d_every_screen_says_when_the_house_opens(
    tmp_path: Path, browser: Browser
) -> None:
    async with (
        closed_house(tmp_path) as served,
        console(served, browser) as sue,
        writing(served, tmp_path, browser) as writer,
    ):
        await boards_say_it(served, browser)
        await phones_say_it(served, browser)
        await console_says_it(sue)
        await nothing_is_sold(writer)
        served.floor.clock.forward(ms=21 * HOUR_MS // 2)
        await answered(sue, type="override", location="main", kind="delay", reason="A late bus")
        before = len(writer.station.papers())
        await writer.keys("Enter")
        assert "Total price $1.00" in await writer.paper(before, "Total price")
        await expect(sue.page.locator(".game-word")).to_have_text("Open")
        assert served.troubles == []


async def boards_say_it(served: Served, browser: Browser) -> None:
    for name, size in {"board-closed": (1920, 1080), "board-closed-tall": (1080, 1920)}.items():
        async with page_of(browser, *size) as board:
            await board.goto(f"{served.base}/board/main")
            await expect(board.locator("keno-board")).to_have_attribute("data-tone", "closed")
            await expect(board.locator(".side")).to_contain_text(OPENS)
            await board.evaluate("() => document.fonts.ready")
            await keep_picture(board, name)


async def phones_say_it(served: Served, browser: Browser) -> None:
    async with page_of(browser, 412, 915) as phone:
        await phone.goto(f"{served.base}/")
        await expect(phone.get_by_text(OPENS)).to_be_visible()
        await keep_picture(phone, "phone-home-closed")


async def console_says_it(sue: Desk) -> None:
    await expect(sue.page.locator(".game-word")).to_have_text("Closed")
    await expect(sue.page.get_by_text(f"Game A-1 waits. {OPENS}")).to_be_visible()
    await reachable(sue)
    await sue.picture("console-floor-closed")
    said = await sue.command(
        type="override", location="main", kind="close_early", reason="It is late"
    )
    assert (said["code"], OPENS in said["message"]) == ("house_closed", True)


async def nothing_is_sold(writer: Writer) -> None:
    before = len(writer.station.papers())
    await writer.said(OPENS)
    await writer.keys(*"01020304", "*", *"1.00", "Enter", "Enter")
    await writer.said(f"The house is closed. {OPENS}.")
    await writer.picture("station-closed")
    assert len(writer.station.papers()) == before
