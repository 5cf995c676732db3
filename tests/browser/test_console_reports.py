"""The listings on the screen against the files that the same page offers."""

import csv
import io
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest_asyncio
from playwright.async_api import Browser, expect

from keno import protocol
from keno.documents.listings import clock_words
from keno.service.listing_registry import REPORTS, ListingDefinition
from tests.browser.booth import Booth
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, file_of, reachable, refused, rows
from tests.browser.test_selling import scanned
from writer_station.client import new_id

REASON = "The drawer at 1 is counted; =HYPERLINK is no formula"


def today() -> str:
    """The gaming day, which begins at six in the morning."""
    now = datetime.now(UTC).astimezone(ZoneInfo("America/New_York"))
    return (now - timedelta(hours=6)).date().isoformat()


# How the screen writes what the file has.


def clock(value: str) -> str:
    return value and clock_words(datetime.fromisoformat(value), seconds=True)


def dollars(value: str) -> str:
    sign, plain = ("−", value[1:]) if value.startswith("-") else ("", value)  # noqa: RUF001
    return value and f"{sign}${plain}"


Row = dict[str, str]


def as_on_screen(listing: ListingDefinition[Any], row: Row) -> list[str]:
    """A line of the file as the screen shows it, by the kinds of the columns."""
    cells = []
    for column in listing.screen_columns:
        if column.kind == "numbers":
            cells.append(" ".join(row[f"{column.csv}_{number}"] for number in range(1, 21)))
            continue
        value = row[column.csv].removeprefix("'")
        written: dict[str, Callable[[str], str]] = {"time": clock, "cents": dollars}
        cells.append(written.get(column.kind, str)(column.words.get(value, value)))
    return cells


def without_date(cells: list[str]) -> list[str]:
    """A time after midnight has its date on the screen."""
    return [re.sub(r"^[A-Z][a-z]{2} \d+, (?=\d+:)", "", " ".join(each.split())) for each in cells]


@pytest_asyncio.fixture(loop_scope="session")
async def played(anna: Booth) -> Booth:
    """A ticket voided, another rewritten, overrides, a dispute and a drawn game."""
    for _ in range(2):
        text = await anna.sell(*"01020304", "Enter", "Enter")
        before = len(anna.station.papers())
        await anna.keys("F6")
        await anna.fill_in(scanned(text))
        await anna.answer("Void this ticket")
        await anna.paper(before)
        await anna.said("is void")
    await anna.sell(*"0506070809", "Enter", "Enter")
    held = protocol.Hold(new_id(), "main", 3, "Two patrons claim it.", release=False)
    await anna.sue.ask(held)
    await anna.sue.ask(protocol.Hold(new_id(), "main", 3, "It is settled.", release=True))
    for kind in ("hold", "resume"):
        await anna.sue.ask(protocol.Override(new_id(), "main", kind, REASON))
    await anna.sue.ask(protocol.Override(new_id(), "main", "delay", "A bus is late", 60))
    await anna.close_game()
    return anna


async def to_today(made: Desk) -> None:
    await made.tab("Reports")
    await expect(made.page.get_by_label("Gaming day")).to_have_value(today())


async def choose(made: Desk, listing: str) -> None:
    title = REPORTS[listing].title
    names = made.page.get_by_role("navigation", name="Listings")
    await names.get_by_role("button", name=title).click()
    await expect(names.get_by_role("button", name=title)).to_have_attribute("aria-current", "true")
    await expect(made.page.get_by_role("region", name=title).first).to_be_visible()


async def files(made: Desk, listing: str, day: str) -> list[Row]:
    """The PDF answers; the CSV's rows."""
    links = made.page.locator(".report-links")
    paper = links.get_by_role("link", name="PDF")
    await expect(paper).to_have_attribute("href", f"/api/listings/main/{listing}.pdf?day={day}")
    assert (await file_of(made, paper)).startswith(b"%PDF")
    text = (await file_of(made, links.get_by_role("link", name="CSV"))).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


SET_UP = ("person_added", "signing_key", "station_enrolled", "server_start")
"""Exceptions of a house that was made a moment ago."""


async def test_the_listings_on_the_screen_are_those_of_the_files(
    played: Booth, browser: Browser
) -> None:
    async with desk(browser, played.house.served, "CARL") as carl:
        await to_today(carl)
        counted = {"winning_numbers": 1, "voids": 2, "overrides": 3, "exceptions": 2,
                   "large_payouts": 0, "write_win": 1}  # fmt: skip
        for listing, definition in REPORTS.items():
            await choose(carl, listing)
            filed = await files(carl, listing, today())
            news = [row for row in filed if row.get("kind") not in SET_UP]
            assert len(news) == counted.get(listing, len(news))
            if not filed:
                await carl.said(definition.none)
                continue
            region = carl.page.get_by_role("region", name=definition.title)
            seen = await rows(region.get_by_role("table"))
            assert [without_date(row) for row in seen] == [
                as_on_screen(definition, row) for row in filed
            ]
            answer = await answered(carl, type="listing", location="main", listing=listing,
                                    day=today())  # fmt: skip
            assert len(answer) == len(filed)
            await reachable(carl)
            await carl.picture(f"console-reports-{listing.replace('_', '-')}")
        await choose(carl, "voids")
        await expect(carl.page.locator("tfoot")).to_contain_text("$2.00")
        async with carl.page.expect_download() as download:
            await carl.page.locator(".report-links").get_by_role("link", name="CSV").click()
        saved = (await (await download.value).path()).read_text("utf-8")
        assert saved.count("A-1,") == 1
        await refused(carl, "not_allowed", type="hold", location="main", ticket=3, reason="None.")


async def test_a_day_on_which_nothing_happened_is_said_calmly(
    played: Booth, browser: Browser
) -> None:
    async with desk(browser, played.house.served, "CARL") as carl:
        await to_today(carl)
        await choose(carl, "large_payouts")
        await carl.said(REPORTS["large_payouts"].none)
        assert await files(carl, "large_payouts", today()) == []
        await carl.press("Day before")
        before = (datetime.fromisoformat(today()) - timedelta(days=1)).date().isoformat()
        await expect(carl.page.get_by_label("Gaming day")).to_have_value(before)
        for listing, definition in REPORTS.items():
            await choose(carl, listing)
            await carl.said(definition.none)
            await expect(carl.page.get_by_role("table")).to_have_count(0)
            await expect(carl.page.get_by_role("alert").filter(has_text=re.compile("."))
                         ).to_have_count(0)  # fmt: skip
            assert await files(carl, listing, before) == []
        await reachable(carl)
        await carl.picture("console-reports-empty")
        await choose(carl, "winning_numbers")
        await carl.said(REPORTS["winning_numbers"].none)
        await carl.press("Day after")
        await expect(carl.page.get_by_role("table")).to_contain_text("A-1")
