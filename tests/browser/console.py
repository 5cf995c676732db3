"""The console's page (/supervisor) in a browser context of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.async_api import Browser, Page, expect

from tests.browser.chromium import keep_picture, page_of
from tests.e2e.floor import ServerProcess
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
    """One person at the console's page."""

    page: Page
    address: str
    loads: list[str] = field(default_factory=list)
    """The address of each load of the page."""

    async def open(self, tab: str = "") -> None:
        await self.page.goto(f"{self.address}/supervisor{tab and f'/{tab}'}")

    async def sign_in(self, person: str, password: str | None = None) -> None:
        """Sign in by keyboard: name, Tab, password, Enter."""
        await expect(self.page.get_by_label("Name", exact=True)).to_be_focused()
        await self.page.keyboard.type(person)
        await self.page.keyboard.press("Tab")
        await self.page.keyboard.type(PASSWORDS_OF[person] if password is None else password)
        await self.page.keyboard.press("Enter")

    async def tab(self, name: str) -> None:
        """Open a tab by its link, without loading the page again."""
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
        """Open the tab of the person's own key and password."""
        await self.page.locator(".menu-open").click()
        await self.page.get_by_role("link", name="My key and password").click()

    async def press(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def said(self, words: str) -> None:
        await expect(self.page.get_by_text(words).first).to_be_visible()

    async def tones(self) -> int:
        """Return how many tones the page has played so far."""
        return int(await self.page.evaluate("window.tones"))

    async def rings(self, after: int) -> None:
        """Wait until the page has played more than `after` tones."""
        await self.page.wait_for_function("(before) => window.tones > before", arg=after)

    async def picture(self, name: str) -> None:
        await keep_picture(self.page, name)

    async def command(self, **message: Any) -> dict[str, Any]:
        """Send a command from the page's session, past its controls; return the response."""
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
    served: ServerProcess,
    person: str | None = None,
    size: tuple[int, int] = DESIGNED,
    **how: Any,
) -> AsyncIterator[Desk]:
    """Open the console's page; sign in if a person is given."""
    async with page_of(browser, *size, **how) as page:
        made = Desk(page, served.address)
        await page.add_init_script(COUNT_TONES)
        page.on("load", lambda _: made.loads.append(page.url))
        await made.open()
        if person is not None:
            await made.sign_in(person)
            await expect(page.locator(".menu-open")).to_be_visible()
        yield made
