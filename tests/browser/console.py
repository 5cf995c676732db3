"""A console as its people have it: a page at /supervisor, in a browser context of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Page, expect

from tests.browser.chromium import keep_picture, page_of
from tests.e2e.floor import Served
from tests.e2e.opening import PASSWORDS_OF

DESIGNED = (1440, 900)
COUNT_TONES = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.tones += 1;
  return start.apply(this, when);
};
"""


@dataclass
class Desk:
    """One person's page."""

    page: Page
    address: str
    loads: list[str] = field(default_factory=list)
    """Every time the page was loaded: once is enough for a shift."""

    async def open(self, tab: str = "") -> None:
        await self.page.goto(f"{self.address}/supervisor{tab and f'/{tab}'}")

    async def sign_in(self, person: str, password: str | None = None) -> None:
        """By keyboard: name, Tab, password, Enter."""
        await expect(self.page.get_by_label("Name", exact=True)).to_be_focused()
        await self.page.keyboard.type(person)
        await self.page.keyboard.press("Tab")
        await self.page.keyboard.type(PASSWORDS_OF[person] if password is None else password)
        await self.page.keyboard.press("Enter")

    async def tab(self, name: str) -> None:
        """Go to a tab by its link; nothing is loaded anew."""
        await (
            self.page.get_by_role("navigation", name="Console")
            .get_by_role("link", name=name)
            .click()
        )
        await expect(self.page.get_by_role("heading", level=1)).to_contain_text(name)

    async def tabs(self) -> list[str]:
        links = self.page.get_by_role("navigation", name="Console").get_by_role("link")
        return [each.strip() for each in await links.all_inner_texts()]

    async def own(self) -> None:
        """Go to one's key and password."""
        await self.page.locator(".menu-open").click()
        await self.page.get_by_role("link", name="My key and password").click()

    async def press(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def said(self, words: str) -> None:
        await expect(self.page.get_by_text(words).first).to_be_visible()

    async def tones(self) -> int:
        """How many tones the page has sounded so far."""
        return int(await self.page.evaluate("window.tones"))

    async def rings(self, after: int) -> None:
        """Wait until it has sounded more tones than so many."""
        await self.page.wait_for_function("(before) => window.tones > before", arg=after)

    async def picture(self, name: str) -> None:
        await keep_picture(self.page, name)

    async def command(self, **message: Any) -> dict[str, Any]:
        """Ask the server from this very page, past its controls; gives what it said."""
        said: dict[str, Any] = await self.page.evaluate(
            """async (message) => (await fetch('/api/command', {
                method: 'POST', body: JSON.stringify({request_id: crypto.randomUUID(), ...message}),
            })).json()""",
            message,
        )
        return said


@asynccontextmanager
async def desk(
    browser: Browser,
    served: Served,
    person: str | None = None,
    size: tuple[int, int] = DESIGNED,
    **how: Any,
) -> AsyncIterator[Desk]:
    """A console's page; signed in, if somebody is named."""
    async with page_of(browser, *size, **how) as page:
        made = Desk(page, served.address)
        await page.add_init_script(COUNT_TONES)
        page.on("load", lambda _: made.loads.append(page.url))
        await made.open()
        if person is not None:
            await made.sign_in(person)
            await expect(page.locator(".menu-open")).to_be_visible()
        yield made
