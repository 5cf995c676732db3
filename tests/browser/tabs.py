"""Checks and requests that the tests of the console's tabs share."""

from typing import Any

from playwright.async_api import Locator, expect

from tests.browser.chromium import grave_findings
from tests.browser.console import DESIGNED, Desk

SIZES = (DESIGNED, (1024, 768))
SIDEWAYS = "() => document.documentElement.scrollWidth - innerWidth"


async def reachable(made: Desk) -> None:
    """Assert at both window sizes that axe finds nothing serious and nothing overflows sideways."""
    for width, height in reversed(SIZES):
        await made.page.set_viewport_size({"width": width, "height": height})
        assert await grave_findings(made.page) == [], f"at {width}x{height}"
        assert await made.page.evaluate(SIDEWAYS) <= 0, f"runs out of {width}x{height}"


async def answered(made: Desk, **message: Any) -> Any:
    """Send a command from the page's session and return its answer; asserts success."""
    said = await made.command(**message)
    assert said["type"] == "ok", said
    return said["answer"]


async def refused(made: Desk, code: str, **message: Any) -> None:
    """Send a command from the page's session and assert that it is refused with this code."""
    said = await made.command(**message)
    assert (said["type"], said.get("code")) == ("refused", code), said


async def file_of(made: Desk, link: Locator) -> bytes:
    """Fetch the target of a link with the page's session and return its bytes; asserts 200."""
    href = await link.get_attribute("href")
    assert href is not None
    answer = await made.page.request.get(f"{made.address}{href}")
    assert answer.status == 200, (href, answer.status, await answer.text())
    return await answer.body()


async def rows(table: Locator) -> list[list[str]]:
    """Return the texts of a table's body as rows of cells."""
    await expect(table.locator("tbody td").first).to_be_visible()
    found: list[list[str]] = await table.locator("tbody tr:not(.group-head)").evaluate_all(
        "(all) => all.map((row) => [...row.cells].map((cell) => cell.innerText.trim()))"
    )
    return found
