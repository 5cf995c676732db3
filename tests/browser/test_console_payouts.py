"""15.6(b) from scan to slip: a real station asks, a console answers, nobody loads a page anew."""

from pathlib import Path

from playwright.async_api import Browser, expect

from tests.browser.booth import Booth, booth
from tests.browser.console import Desk, desk
from tests.browser.test_paying import finish, large
from tests.e2e.opening import PASSPHRASE

PATIENCE = ("authorisation_seconds = 12",)


async def asked(anna: Booth) -> tuple[str, int]:
    """A payout of $1,500.00 or more is asked for at the station; its scan and its dollars."""
    scan, award = await large(anna)
    await anna.page.get_by_role("button", name="Ask the supervisor").click()
    await anna.said("Sales go on meanwhile")
    return scan, award


async def test_15_6_b_a_payout_is_approved_at_the_console(anna: Booth, sue: Desk) -> None:
    await sue.said("Nothing waits")
    await sue.picture("console-calm")
    _, award = await large(anna)
    tones = await sue.tones()
    await anna.page.get_by_role("button", name="Ask the supervisor").click()
    await sue.rings(tones)
    amount = sue.page.locator(".decision-amount")
    await expect(amount).to_have_text(f"${award:,}.00")
    await expect(sue.page).to_have_title("(1) Console")
    checks = sue.page.get_by_role("list", name="Checks")
    await expect(checks.get_by_role("listitem")).to_have_count(5)
    for words in ("Code matches", "In the book", "Draws verified"):
        await expect(checks).to_contain_text(words)
    await expect(checks.locator('[data-kind="bad"], [data-kind="unknown"]')).to_have_count(0)
    await sue.picture("console-payout")
    passphrase = sue.page.get_by_label("Passphrase of your signing key")
    await passphrase.fill("not hers")
    await sue.press("Sign and approve")
    await sue.said("The passphrase does not open the key.")
    await expect(passphrase).to_have_value("")
    await expect(amount).to_be_visible()
    await passphrase.fill(PASSPHRASE)
    before = len(anna.station.papers())
    await passphrase.press("Enter")
    await sue.said(f"Approved, ${award:,}.00")
    await sue.said("Then sign the back of ticket 1, in ink.")
    slip = await anna.paper(before)
    assert "SUE" in slip
    assert f"${award:,}.00" in slip
    await finish(anna, award)
    await sue.press("Done")
    await sue.said("Nothing waits")
    await expect(sue.page).to_have_title("Console")
    assert len(sue.loads) == 1


async def test_a_payout_is_denied_with_a_reason(anna: Booth, sue: Desk) -> None:
    await asked(anna)
    await sue.press("Deny")
    await sue.press("Deny payout")
    await sue.said("Say why it is denied; the writer reads it.")
    reason = sue.page.get_by_label("Reason for denying")
    await expect(reason).to_be_focused()
    await sue.picture("console-deny")
    await reason.fill("The paper is torn through its number.")
    await reason.press("Enter")
    await sue.said("Station 01 has your reason.")
    await anna.said("The paper is torn through its number.")
    await expect(anna.page.get_by_role("button", name="Ask again")).to_be_visible()
    await sue.press("Done")
    await expect(sue.page.get_by_role("list", name="Exceptions")).to_contain_text("denied by you")
    assert len(sue.loads) == 1


async def test_what_nobody_answers_lapses_and_is_asked_again(
    tmp_path: Path, browser: Browser
) -> None:
    async with (
        booth(tmp_path, browser, settings=PATIENCE) as anna,
        desk(browser, anna.house.served, "SUE") as sue,
    ):
        await anna.sign_in()
        _, award = await asked(anna)
        await sue.said("Authorise payout")
        await anna.said("No supervisor answered in time")
        await anna.picture("station-lapsed")
        await sue.said("Nothing waits")
        await expect(sue.page.get_by_role("list", name="Exceptions")).to_contain_text("lapsed")
        await anna.page.get_by_role("button", name="Ask again").click()
        passphrase = sue.page.get_by_label("Passphrase of your signing key")
        await passphrase.fill(PASSPHRASE)
        await passphrase.press("Enter")
        await sue.said("Approved")
        await finish(anna, award)
        assert len(sue.loads) == 1


async def test_nobody_approves_their_own_payout(tmp_path: Path, browser: Browser) -> None:
    """SUE writes at the station; at her console it waits for MAX, who first makes his key."""
    async with (
        booth(tmp_path, browser) as anna,
        desk(browser, anna.house.served, "SUE") as sue,
        desk(browser, anna.house.served, "MAX") as max_,
    ):
        await anna.sign_in(person="SUE")
        _, award = await asked(anna)
        await sue.said("Nothing waits for you")
        await sue.said("Waits for another supervisor")
        await expect(sue.page.get_by_role("button", name="Sign and approve")).to_have_count(0)
        await sue.picture("console-own")
        said = await sue.command(type="authorise", authorisation=1, approve=True,
                                 passphrase=PASSPHRASE)  # fmt: skip
        assert (said["type"], said["code"]) == ("refused", "own_act")
        await max_.said("You have no signing key yet.")
        await expect(max_.page.get_by_role("button", name="Deny", exact=True)).to_be_visible()
        await max_.page.get_by_role("link", name="Make your key").click()
        for label in ("Passphrase", "Passphrase again"):
            await max_.page.get_by_label(label, exact=True).fill("a key of his own")
        await max_.press("Make signing key")
        await max_.said("Your new signing key is made.")
        await max_.tab("Floor")
        passphrase = max_.page.get_by_label("Passphrase of your signing key")
        await passphrase.fill("a key of his own")
        before = len(anna.station.papers())
        await passphrase.press("Enter")
        await max_.said("Approved")
        assert "MAX" in await anna.paper(before)
        await finish(anna, award)
