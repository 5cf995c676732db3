"""15.6(b): $1,500.00 or more of a void, from the key to the slip, the console and the payment."""

from playwright.async_api import expect

from tests.browser.booth import READ_MS, Booth
from tests.browser.console import Desk
from tests.browser.test_paying import SURE
from tests.browser.test_selling import scanned
from tests.e2e.opening import PASSPHRASE


async def voided(anna: Booth) -> str:
    """Void a ticket of $2,000.00 and read what the page says; gives its number and code."""
    text = await anna.sell(*SURE, "*", *"20.00", "+", *"2", "Enter", "Enter")
    await anna.keys("F6")
    await anna.fill_in(scanned(text))
    await anna.said("Void ticket 1?")
    await anna.picture("owed-void-question")
    before = len(anna.station.papers())
    await anna.answer("Void this ticket")
    await anna.said("Ticket 1 is void.")
    await anna.picture("owed-void-done")
    slip = await anna.paper(before)
    assert "$2,000.00" in slip
    print(slip)
    return scanned(text)


async def test_15_6_b_what_a_void_owes_is_approved_and_paid(anna: Booth, sue: Desk) -> None:
    scan = await voided(anna)
    amount = sue.page.locator(".decision-amount")
    await expect(amount).to_have_text("$2,000.00")
    await sue.picture("owed-console")
    await anna.keys("F2")
    await anna.fill_in(scan)
    await anna.said("$2,000.00")
    await anna.page.wait_for_timeout(READ_MS)
    await anna.picture("owed-looked-up")
    passphrase = sue.page.get_by_label("Passphrase of your signing key")
    await passphrase.fill(PASSPHRASE)
    before = len(anna.station.papers())
    await passphrase.press("Enter")
    await sue.said("Approved, $2,000.00")
    await sue.picture("owed-console-approved")
    slip = await anna.paper(before)
    assert "SUE" in slip
    print(slip)
    await anna.picture("owed-approved")
    await anna.page.get_by_role("button", name="The back is signed").or_(
        anna.page.get_by_role("button", name="The slip is signed")).click()
    await anna.picture("owed-signed")
    before = len(anna.station.papers())
    await anna.page.get_by_role("button", name="Pay $2,000.00").click()
    slip = await anna.paper(before)
    print(slip)
    await anna.said("stays in the drawer")
    await anna.picture("owed-paid")


async def test_15_6_b_what_is_denied_stays_owed_and_is_asked_for_again(
    anna: Booth, sue: Desk
) -> None:
    scan = await voided(anna)
    await sue.press("Deny")
    reason = sue.page.get_by_label("Reason for denying")
    await expect(reason).to_be_focused()
    await reason.fill("Count the drawer first.")
    await sue.picture("owed-deny")
    await reason.press("Enter")
    await sue.said("Station 01 has your reason.")
    await anna.picture("owed-denied-told")
    await anna.keys("F2")
    await anna.fill_in(scan)
    await anna.page.wait_for_timeout(READ_MS)
    await anna.picture("owed-denied")
    await anna.page.get_by_role("button", name="Ask").click()
    await sue.press("Done")
    await expect(sue.page.locator(".decision-amount")).to_have_text("$2,000.00")
    await anna.picture("owed-asked-again")
