"""Two people at the screens: a drawer that was left behind, and access in a live house."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from playwright.async_api import Browser, Locator, expect

from tests.browser.booth import Booth
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, reachable, refused
from tests.e2e.floor import ServerProcess
from tests.e2e.opening import PASSWORDS_OF
from tests.integration.web.served import PASSWORD, serving

ILL = "She went home ill"
FIRST = "the first day of Nora"


async def second_person(sheet: Locator, person: str, password: str | None = None) -> None:
    given = PASSWORDS_OF[person] if password is None else password
    await sheet.get_by_label("Second person: name").fill(person)
    await sheet.get_by_label("Second person: password").fill(given)


# ---------------------------------------------------------------- a drawer left behind


async def test_15_7_a_drawer_left_behind_is_closed_at_the_console(anna: Booth, sue: Desk) -> None:
    await anna.sell(*"010203", "Enter", "Enter")
    await sue.page.get_by_role("button", name="Station 01").first.click()
    await sue.press("Count and close the drawer")
    sheet = sue.page.get_by_role("dialog", name="Drawer of Anna, station 01")
    close = sheet.get_by_role("button", name="Close the drawer")
    cash, reason = sheet.get_by_label("In one sum"), sheet.get_by_label("Why the writer")
    await expect(sheet.get_by_label("$100")).to_be_focused()
    await sue.picture("console-drawer")
    await cash.fill("two thousand")
    await close.click()
    await expect(sheet).to_contain_text("an amount, such as 500.00")
    await sheet.get_by_label("$100").fill("20")
    await cash.fill("2,001.00")
    await close.click()
    await expect(sheet).to_contain_text("The pieces make $2,000.00.")
    await sheet.get_by_label("$1", exact=True).fill("1")
    await close.click()
    await expect(sheet).to_contain_text("Say why first.")
    await reason.fill("--")
    await close.click()
    await expect(sheet).to_contain_text("Who is the second person?")
    for person, words in (
        ("SUE", "A second person must approve this"),
        ("ANNA", "Two others count this drawer"),
        ("IVY", "The second person must be"),
        ("CARL", "Say why in words"),
    ):
        if person == "ANNA":
            await reason.fill(ILL)
        elif person == "CARL":
            await reason.fill("--")
        await second_person(sheet, person)
        await close.click()
        await expect(sheet).to_contain_text(words)
    await sue.picture("console-drawer-refused")
    await refused(sue, "own_act", type="close_other_shift", shift=1, counted={}, reason=ILL,
                  second={"person": "ANNA", "password": PASSWORDS_OF["ANNA"]})  # fmt: skip
    await reason.fill(ILL)
    await second_person(sheet, "CARL")
    await close.click()
    await expect(sheet).to_contain_text("The drawer of Anna is closed. It is exact.")
    await expect(sheet.get_by_role("row", name="Cash")).to_contain_text("$2,001.00")
    await sue.picture("console-drawer-closed")
    await sheet.get_by_role("button", name="Done").click()
    odd = sue.page.get_by_role("list", name="Exceptions")
    await expect(odd).to_contain_text("counted and closed by you and Carl")
    await expect(odd).to_contain_text(ILL)
    await expect(sue.page.get_by_role("button", name="Count and close")).to_have_count(0)
    await sue.page.keyboard.press("Escape")
    await anna.keys(*"040506", "Enter", "Enter")  # the writer comes back: signed out, nothing sold
    await expect(anna.page.get_by_label("Your name")).to_be_focused()
    await anna.sign_in()  # and the station is free again
    await sue.tab("Reports")
    await sue.page.get_by_role("button", name="Checkouts").click()
    await sue.said(f"Closed by SUE and CARL for ANNA: {ILL}")
    await reachable(sue)
    await sue.picture("console-reports-checkouts-others")


async def test_15_7_a_drawer_left_behind_is_closed_at_its_station(anna: Booth) -> None:
    await anna.keys("F4", "s")
    await expect(anna.page.get_by_label("Your name")).to_be_focused()
    await anna.fill_in("MAX", PASSWORDS_OF["MAX"])
    await anna.said("The drawer of Anna is open here")
    await anna.picture("station-other-drawer")
    await anna.keys("Enter")
    await anna.said("Count the drawer of Anna")
    dialog = anna.page.get_by_role("dialog")
    await anna.page.locator("#count-10000").fill("19")
    await anna.keys("F4")
    await anna.said("Say why. It is kept with the count.")
    await dialog.get_by_label("Why the writer").fill("...")
    await anna.keys("F4")
    await anna.said("Whose name?")
    before = len(anna.station.papers())
    for person, reason, words in (
        ("MAX", ILL, "A second person must approve this"),
        ("ANNA", ILL, "Two others count this drawer"),
        ("CARL", "...", "Say why in words"),
    ):
        await dialog.get_by_label("Why the writer").fill(reason)
        await dialog.get_by_label("Name").fill(person)
        await dialog.get_by_label("Password").fill(PASSWORDS_OF[person])
        await anna.keys("F4")
        await anna.said(words)
    await anna.picture("station-other-drawer-count")
    await dialog.get_by_label("Why the writer").fill(ILL)
    await dialog.get_by_label("Name").fill("CARL")
    await dialog.get_by_label("Password").fill(PASSWORDS_OF["CARL"])
    await anna.keys("F4")
    sheet = await anna.paper(before, "Checkout")
    assert "Closed by MAX and CARL for ANNA" in " ".join(sheet.split())
    await anna.said("The drawer is $100.00 short")
    await anna.picture("station-other-drawer-closed")
    await anna.keys("Enter")
    await anna.said("Open your shift")
    await anna.fill_in("500.00")
    await expect(anna.page.get_by_role("dialog")).to_be_hidden()


# ---------------------------------------------------------------- access in a live house


@asynccontextmanager
async def live_desk(folder: Path, browser: Browser, person: str) -> AsyncIterator[Desk]:
    """The console of a live house, which has no draw."""
    async with serving(folder, live=True) as served:
        at = cast(ServerProcess, SimpleNamespace(address=served.base))
        async with desk(browser, at) as made:
            await made.sign_in(person, PASSWORD)
            await expect(made.page.locator(".menu-open")).to_be_visible()
            yield made


async def listed(made: Desk) -> list[Any]:
    staff = await answered(made, type="staff")
    return [(each["person"], each["role"]) for each in staff["people"]]


async def test_15_6_b_a_supervisor_is_made_by_two_people(tmp_path: Path, browser: Browser) -> None:
    async with live_desk(tmp_path, browser, "ADM") as admin:
        await admin.tab("People and stations")
        before = await listed(admin)
        await admin.press("Add a person")
        sheet = admin.page.get_by_role("dialog", name="Add a person")
        for label, text in (
            ("Name, as colleagues know it", "Nora Vale"), ("Signs in as", "NORA"),
            ("First password again", FIRST),
        ):  # fmt: skip
            await sheet.get_by_label(label).fill(text)
        await sheet.get_by_label("First password", exact=True).fill(FIRST)
        await sheet.get_by_label("Role").select_option("supervisor")
        add = sheet.get_by_role("button", name="Add person")
        await add.click()
        await admin.said("Say why. It is kept with the change")
        await sheet.get_by_label("Reason").fill("..")
        await add.click()
        await admin.said("Who is the second person?")
        for person, reason, words in (
            ("ADM", "A new supervisor", "A second person must approve this"),
            ("S1", "A new supervisor", "The second person must be"),
            ("M1", "..", "Say why in words"),
        ):
            await sheet.get_by_label("Reason").fill(reason)
            await second_person(sheet, person, PASSWORD)
            await add.click()
            await expect(sheet).to_contain_text(words)
        await admin.picture("console-people-two")
        await refused(admin, "authorisation_needed", type="add_user", person="NORA", name="Nora",
                      role="supervisor", password=FIRST)  # fmt: skip
        assert await listed(admin) == before
        await sheet.get_by_label("Reason").fill("A new supervisor for the night")
        await second_person(sheet, "M1", PASSWORD)
        await add.click()
        await admin.said("Nora Vale may sign in as NORA.")
        assert ("NORA", "supervisor") in await listed(admin)
        await admin.press("Switch off station s3")
        sheet = admin.page.get_by_role("dialog", name="Switch off station s3?")
        await sheet.get_by_role("button", name="Switch off").click()
        await expect(sheet).to_contain_text("Say why. It is kept with the change")
        await admin.picture("console-station-two")
        await sheet.get_by_label("Reason").fill("Its printer is broken")
        await second_person(sheet, "S1", PASSWORD)
        await sheet.get_by_role("button", name="Switch off").click()
        await admin.said("Station s3 is switched off.")
        await reachable(admin)


async def test_15_6_b_what_two_people_changed_is_among_the_exceptions(
    tmp_path: Path, browser: Browser
) -> None:
    async with live_desk(tmp_path, browser, "S1") as sup:
        await sup.page.get_by_role("button", name="Station 03").last.click()  # s3, after 3
        await sup.press("Switch the station off")
        sheet = sup.page.get_by_role("dialog", name="Switch Station s3 off?")
        await sheet.get_by_label("Reason").fill("Its printer is broken")
        await second_person(sheet, "S2", PASSWORD)
        await sheet.get_by_role("button", name="Switch it off").click()
        await sup.said("Station s3 is switched off.")
        await expect(sheet).to_be_hidden()
        await sup.page.keyboard.press("Escape")
        await sup.own()
        key = "a passphrase of my own"
        await sup.page.get_by_label("Passphrase", exact=True).fill(key)
        await sup.page.get_by_label("Passphrase again").fill(key)
        await sup.press("Make signing key")
        await sup.said("Say why. It is kept with the change")
        await sup.page.get_by_label("Reason").fill("My first key")
        await second_person(sup.page.locator("main"), "M1", PASSWORD)
        await sup.picture("console-key-two")
        await sup.press("Make signing key")
        await sup.said("Your new signing key is made.")
        await sup.tab("Reports")
        await sup.page.get_by_role("button", name="Exceptions").click()
        await sup.page.get_by_label("Gaming day").fill("2026-11-15")
        await sup.said("S1 a new signing key: My first key")
        await sup.said("Station s3: Its printer is broken")
        await sup.picture("console-reports-exceptions-two")
