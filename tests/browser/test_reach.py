"""Every state of the writer's page by keyboard alone, and what axe has to say about each."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.browser.booth import Booth, booth
from tests.browser.chromium import grave_findings
from tests.browser.test_selling import scanned

STATES: dict[str, list[str]] = {
    "typing": [*"0102", "Enter", *"0304", "/"],
    "a mistake": [*"0707", "Enter"],
    "tender": [*"0102", "Enter", "t"],
    "quick-pick": ["q"],
    "pay": ["F2"],
    "messages": ["F3"],
    "shift": ["F4"],
    "fill": ["F4", "f"],
    "count": ["F4", "e"],
    "void": ["F6"],
    "a ticket": ["F7"],
    "no question": ["F8"],
    "keys": ["?"],
    "break": ["F10"],
}


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1024, 768)])
async def test_nothing_serious_stands_in_the_way_of_anybody(
    tmp_path: Path, browser: Browser, width: int, height: int
) -> None:
    async with booth(tmp_path, browser, width, height) as anna:
        assert await grave_findings(anna.page) == [], "sign in"
        await anna.sign_in()
        found = {name: await _findings(anna, pressed) for name, pressed in STATES.items()}
        assert {name: grave for name, grave in found.items() if grave} == {}


async def _findings(anna: Booth, pressed: list[str]) -> list[str]:
    await anna.page.reload()
    await anna.page.get_by_role("region", name="Price").wait_for()
    await anna.keys(*pressed)
    await anna.page.wait_for_timeout(150)
    return await grave_findings(anna.page)


def _sold_at(text: str) -> str:
    """The time on a paper, as the page writes it."""
    found = re.search(r"\b(\d\d?:\d\d:\d\d [AP]M)", text)
    assert found is not None, text
    return found[1].lstrip("0")


async def test_a_ticket_on_the_counter_is_as_reachable(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    await anna.close_game()
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said("drawn and settled")
    await expect(anna.page.locator(".paper-facts")).to_contain_text(_sold_at(text))
    assert await grave_findings(anna.page) == []
