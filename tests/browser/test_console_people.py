"""People and stations at the console, and one's own password."""

import csv
import io
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from playwright.async_api import Browser, Locator, expect

from tests.browser.booth import Booth
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, reachable, refused, rows
from tests.e2e.floor import ServerProcess, at_station
from tests.e2e.opening import PASSWORDS_OF

FIRST = "the first day of Nora"
SUPERVISES = ["Floor", "RNG room", "Tickets", "Games", "Cards", "Coupons", "Reports"]
COUNTS = ["Floor", "RNG room", "Cards", "Reports"]


async def person(made: Desk, who: str) -> dict[str, object] | None:
    """Somebody as the server has them; None if it does not."""
    staff = await answered(made, type="staff")
    found = [each for each in staff["people"] if each["person"] == who]
    return found[0] if found else None


def row_of(made: Desk, who: str) -> Locator:
    cell = made.page.get_by_role("cell", name=who, exact=True)
    return made.page.get_by_role("row").filter(has=cell)


async def add_nora(admin: Desk) -> None:
    """By keyboard: the sheet opens at its first field, and Tab leads through it."""
    await admin.press("Add a person")
    sheet = admin.page.get_by_role("dialog", name="Add a person")
    await expect(sheet.get_by_label("Name, as colleagues know it")).to_be_focused()
    await sheet.get_by_role("button", name="Add person").click()
    await admin.said("Who is it?")
    for words in ("Nora Vale", "ANNA"):
        await admin.page.keyboard.type(words)
        await admin.page.keyboard.press("Tab")
    await sheet.get_by_label("Role").select_option("supervisor")
    await sheet.get_by_label("First password", exact=True).fill("short")
    await sheet.get_by_label("First password again").fill("short")
    await admin.page.keyboard.press("Enter")
    await admin.said("A password has at least 10 characters; this has 5.")
    await sheet.get_by_label("First password", exact=True).fill(FIRST)
    await sheet.get_by_label("First password again").fill(f"{FIRST}!")
    await admin.page.keyboard.press("Enter")
    await admin.said("The two are not alike. Type it again.")
    await expect(sheet.get_by_label("First password again")).to_be_focused()
    await sheet.get_by_label("First password again").fill(FIRST)
    await admin.page.keyboard.press("Enter")
    signs_in = sheet.get_by_label("Signs in as")
    await expect(signs_in).to_have_attribute("aria-invalid", "true")
    await expect(signs_in).to_be_focused()
    await admin.picture("console-people-taken")
    anna = await person(admin, "ANNA")
    assert anna is not None
    assert anna["role"] == "writer"
    assert await person(admin, "NORA") is None
    await signs_in.fill("nora")
    await admin.page.keyboard.press("Enter")
    await admin.said("Nora Vale may sign in as NORA.")
    await expect(sheet).to_be_hidden()


async def change(admin: Desk, field: str, value: str, act: str) -> None:
    """Open the sheet of Nora, choose, and do what its button says."""
    await admin.press("Change Nora Vale")
    sheet = admin.page.get_by_role("dialog", name="Change Nora Vale")
    await expect(sheet.get_by_role("button", name="Change Nora Vale")).to_be_disabled()
    await sheet.get_by_label(field).select_option(value)
    await expect(sheet).to_contain_text("They are signed out everywhere at once.")
    await admin.picture(f"console-people-change-{value}")
    await sheet.get_by_role("button", name=act, exact=True).click()
    await expect(sheet).to_be_hidden()


async def asked_again(made: Desk) -> Locator:
    """The open page asks for the password by itself; gives the field."""
    await made.said("Your session is over.")
    password = made.page.get_by_role("dialog").get_by_label("Password", exact=True)
    await expect(password).to_be_focused()
    return password


async def test_a_person_comes_changes_and_goes(anna: Booth, browser: Browser) -> None:
    served = anna.house.served
    async with desk(browser, served, "ADMIN") as admin, desk(browser, served) as nora:
        await admin.tab("People and stations")
        await add_nora(admin)
        for words in ("Nora Vale", "Supervisor", "None yet", "Yes"):
            await expect(row_of(admin, "NORA")).to_contain_text(words)
        await reachable(admin)
        await admin.picture("console-people")
        await nora.sign_in("NORA", FIRST)
        await expect(nora.page.locator(".menu-open")).to_have_text("Nora Vale")
        assert await nora.tabs() == SUPERVISES

        await change(admin, "Role", "accounting", "Change Nora Vale")
        await admin.said("Nora Vale is accounting now.")
        found = await person(admin, "NORA")
        assert found is not None
        assert found["role"] == "accounting"
        password = await asked_again(nora)
        await password.fill(FIRST)
        await password.press("Enter")
        await expect(nora.page.get_by_role("dialog")).to_be_hidden()
        assert await nora.tabs() == COUNTS

        await change(admin, "May sign in", "no", "Lock Nora Vale out")
        password = await asked_again(nora)
        await password.fill(FIRST)
        await password.press("Enter")
        await nora.said("do not belong together")
        await nora.picture("console-locked-out")
        assert not await signs_in(served, "NORA", FIRST)
        await expect(row_of(admin, "NORA").get_by_role("cell").nth(4)).to_have_text("No")

        await change(admin, "May sign in", "yes", "Change Nora Vale")
        assert await signs_in(served, "NORA", FIRST)
        await password.fill(FIRST)
        await password.press("Enter")
        await expect(nora.page.get_by_role("dialog")).to_be_hidden()
        assert await nora.tabs() == COUNTS


async def signs_in(served: ServerProcess, who: str, password: str) -> bool:
    body = {"person": who, "password": password}
    async with served.web.post(f"{served.address}/api/sign-in", json=body) as response:
        return response.status == 200


async def test_who_has_access_and_nobody_changes_their_own_role(
    anna: Booth, browser: Browser
) -> None:
    async with desk(browser, anna.house.served, "ADMIN") as admin:
        await admin.tab("People and stations")
        table = admin.page.get_by_role("table", name="People, by name")
        seen = await rows(table)
        staff = (await answered(admin, type="staff"))["people"]
        assert [row[1] for row in seen] == [each["person"] for each in staff]
        assert {row[1]: row[2].lower() for row in seen} == {
            each["person"]: each["role"] for each in staff
        }
        own = row_of(admin, "ADMIN")
        await expect(own).to_contain_text("You. Nobody changes their own role.")
        await expect(own.get_by_role("button")).to_have_count(0)
        await expect(row_of(admin, "SUE").get_by_role("button", name="Change Sue")).to_be_visible()
        changing = {"type": "change_user", "role": "supervisor", "active": True}
        await refused(admin, "own_act", person="ADMIN", **changing)
        found = await person(admin, "ADMIN")
        assert found is not None
        assert found["role"] == "administrator"
        await answered(admin, person="CARL", **changing)
        found = await person(admin, "CARL")
        assert found is not None
        assert found["role"] == "supervisor"

        async with admin.page.expect_download() as download:
            await admin.page.get_by_role("link", name="Access listing, CSV").click()
        text = (await (await download.value).path()).read_text("utf-8")
        listed = list(csv.DictReader(io.StringIO(text, newline="")))
        assert {each["person"]: each["role"] for each in listed} == {
            each["person"]: each["role"] for each in staff
        } | {"CARL": "supervisor"}
        await admin.page.locator("summary", has_text="Inspector").click()
        await expect(admin.page.locator("details[open]")).to_contain_text("void_quote")
        await admin.picture("console-people-access")
    async with desk(browser, anna.house.served, "SUE") as sue:
        assert "People and stations" not in await sue.tabs()
        await refused(sue, "not_allowed", type="staff")
        answer = await sue.page.request.get(f"{sue.address}/api/access.csv")
        assert answer.status == 403


async def test_a_station_is_enrolled_and_switched_off_and_on(
    anna: Booth, browser: Browser, tmp_path: Path
) -> None:
    key = Ed25519PrivateKey.generate()
    file = tmp_path / "window-3.key"
    file.write_text(key.private_bytes_raw().hex(), "ascii")
    public = key.public_key().public_bytes_raw().hex()
    served = anna.house.served
    async with desk(browser, served, "ADMIN") as admin:
        await admin.tab("People and stations")
        await admin.press("Enrol a station")
        sheet = admin.page.get_by_role("dialog", name="Enrol a station")
        await expect(sheet.get_by_label("Name of the station")).to_be_focused()
        await admin.page.keyboard.type("1")
        await sheet.get_by_label("Its public key").fill(public[:40])
        enrol = sheet.get_by_role("button", name="Enrol station")
        await enrol.click()
        await admin.said("A public key has 64 hexadecimal digits")
        await sheet.get_by_label("Its public key").fill(f"{public[:32]} {public[32:].upper()}")
        await enrol.click()
        name = sheet.get_by_label("Name of the station")
        await expect(name).to_have_attribute("aria-invalid", "true")
        await reachable(admin)
        await admin.picture("console-people-enrol")
        await name.fill("window-3")
        await enrol.click()
        await admin.said("window-3 is enrolled.")
        assert await stations(admin) == {"1": (True, True), "window-3": (True, False)}
        row = admin.page.locator(".station-row", has_text="window-3")
        await expect(row).to_contain_text("Not connected")
        async with at_station(served, "window-3", file):
            await admin.press("Switch off station window-3")
            await expect(admin.page.get_by_role("dialog")).to_contain_text("cut off at once")
            await admin.press("Leave it as it is")
            assert await stations(admin) == {"1": (True, True), "window-3": (True, True)}
            await admin.press("Switch off station window-3")
            await admin.press("Switch off")
            await admin.said("window-3 is switched off.")
            await expect(row).to_contain_text("Switched off")
            assert (await stations(admin))["window-3"][0] is False
        await admin.press("Switch on station window-3")
        await admin.press("Switch on")
        await admin.said("window-3 is switched on.")
        async with at_station(served, "window-3", file):
            assert await stations(admin) == {"1": (True, True), "window-3": (True, True)}


async def stations(made: Desk) -> dict[str, tuple[bool, bool]]:
    """Every station: whether it is switched on, and whether it is connected."""
    staff = await answered(made, type="staff")
    return {each["station"]: (each["enabled"], each["connected"]) for each in staff["stations"]}


async def test_a_supervisor_changes_her_password(anna: Booth, browser: Browser) -> None:
    new = "nobody knows this one"
    served = anna.house.served
    async with desk(browser, served, "SUE") as sue:
        await sue.own()
        old, fresh, again = (
            sue.page.get_by_label(each, exact=True)
            for each in ("Password now", "New password", "New password again")
        )
        await old.fill("not her password")
        await fresh.fill(new)
        await again.fill(f"{new}!")
        await sue.press("Change password")
        await sue.said("The two are not alike. Type it again.")
        await expect(again).to_be_focused()
        await again.fill(new)
        await again.press("Enter")
        await sue.said("That is not your password now.")
        await expect(old).to_be_focused()
        await reachable(sue)
        await sue.picture("console-me")
        assert await signs_in(served, "SUE", PASSWORDS_OF["SUE"])
        assert not await signs_in(served, "SUE", new)
        await old.fill(PASSWORDS_OF["SUE"])
        await old.press("Enter")
        password = await asked_again(sue)
        await sue.picture("console-me-again")
        assert not await signs_in(served, "SUE", PASSWORDS_OF["SUE"])
        await password.fill(PASSWORDS_OF["SUE"])
        await password.press("Enter")
        await sue.said("do not belong together")
        await password.fill(new)
        await password.press("Enter")
        await expect(sue.page.get_by_role("dialog")).to_be_hidden()
        await sue.tab("Floor")
        await sue.said("Nothing waits")
        assert await answered(sue, type="floor")
