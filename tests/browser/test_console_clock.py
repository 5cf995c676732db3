"""The time at the console: a real house whose clock was stepped, and one whose machine booted anew.

No test can step this machine's clock. What a step or another boot would have left beside the ledger
(`ledger.db.clock`) is written there before the real server starts on the real clocks.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from playwright.async_api import Browser, Page, expect

from tests.browser.booth import Booth
from tests.browser.chromium import keep_picture, page_of
from tests.browser.console import Desk, desk
from tests.clocks import HOUR_MS, leave_boot, leave_step
from tests.e2e.floor import ServerProcess, said, serving
from tests.e2e.opening import PASSWORDS_OF

WAITS = "The house waits until its time is confirmed."


@asynccontextmanager
async def console_of(browser: Browser, served: ServerProcess, person: str) -> AsyncIterator[Desk]:
    async with desk(browser, served, person) as made:
        await expect(made.page.locator(".clock-band")).to_be_visible()
        yield made


async def confirm(sue: Desk, choice: str) -> None:
    """With the refusals first."""
    page = sue.page
    await sue.press("Confirm the time")
    sheet = page.get_by_role("dialog")
    await sue.press("Confirm this time")
    await sue.said("Say which time is right")
    await sheet.get_by_label("Which time is right?").select_option(choice)
    await sue.press("Confirm this time")
    await sue.said("Type your password.")
    await sheet.get_by_label("Your password again").fill("not the password")
    await sue.press("Confirm this time")
    await sue.said("That is not your password.")
    await sue.picture(f"console-clock-confirm-{choice}")
    await sheet.get_by_label("Your password again").fill(PASSWORDS_OF["SUE"])
    await sue.press("Confirm this time")
    await sue.said("time is confirmed.")
    await sue.press("Done")
    await expect(page.locator(".clock-band")).to_be_hidden()


async def board_says(page: Page, served: ServerProcess, words: str) -> None:
    await page.goto(f"{served.address}/board/main")
    await expect(page.get_by_text(words).first).to_be_visible()


async def test_15_6_c_a_stepped_clock_is_shown_and_confirmed(anna: Booth, browser: Browser) -> None:
    await anna.sell(*"010203", "Enter", "Enter")
    served = anna.house.served
    assert await served.stop() == 0
    leave_step(served.folder / "ledger.db", -HOUR_MS)
    async with serving(served.folder, served.port) as again:
        await anna.said("Connected")
        async with console_of(browser, again, "IVY") as ivy:
            await ivy.said("The clock stepped")
            await ivy.said("A supervisor confirms the time.")
            await expect(ivy.page.get_by_role("button", name="Confirm the time")).to_have_count(0)
        async with console_of(browser, again, "SUE") as sue:
            await sue.said("Ledger time")
            await sue.picture("console-clock-stepped")
            assert "1 2 4" in await anna.sell(*"010204", "Enter", "Enter"), "the house goes on"
            await confirm(sue, "ledger")
            odd = sue.page.get_by_role("list", name="Exceptions")
            await expect(odd).to_contain_text("stepped; time confirmed by you")
            await sue.picture("console-clock-confirmed")
            await sue.tab("Reports")
        assert await again.stop() == 0
    audited = await said("audit", "--db", served.folder / "ledger.db")
    assert audited.code == 0, audited.out


async def test_15_6_c_a_house_on_a_new_boot_is_closed_until_its_time_is_confirmed(
    anna: Booth, browser: Browser
) -> None:
    """A step that was not confirmed, and then a reboot: nothing is left to compare with."""
    served = anna.house.served
    await anna.sell(*"010203", "Enter", "Enter")
    assert await served.stop() == 0
    leave_step(served.folder / "ledger.db", -HOUR_MS)
    async with serving(served.folder, served.port) as again:
        async with console_of(browser, again, "SUE"):
            pass
        assert await again.stop() == 0
    leave_boot(served.folder / "ledger.db")
    async with (
        serving(served.folder, served.port, closed=True) as closed,
        page_of(browser) as hall,
    ):
        await board_says(hall, closed, WAITS)
        await keep_picture(hall, "board-clock")
        await anna.said(WAITS)
        await anna.picture("station-clock")
        async with console_of(browser, closed, "SUE") as sue:
            await sue.said("The house is closed: its time must be confirmed")
            await sue.picture("console-clock-closed")
            moved = await sue.command(type="hold", location="main", ticket=1, reason="in doubt")
            assert moved["code"] == "clock_unconfirmed"
            await confirm(sue, "machine")
        await expect(hall.get_by_text(WAITS)).to_have_count(0)
        await anna.game()
        await expect(anna.page.get_by_text(WAITS)).to_have_count(0)
        assert "1 2 4" in await anna.sell(*"010204", "Enter", "Enter")
        assert await closed.stop() == 0
    audited = await said("audit", "--db", served.folder / "ledger.db")
    assert audited.code == 0, audited.out
