"""15.6(b): $1,500.00 or more of a void, from the key to the slip, the console and the payment."""

from playwright.async_api import expect

from tests.browser.booth import READ_MS, Booth
from tests.browser.console import Desk
from tests.browser.test_paying import SURE
from tests.browser.test_selling import scanned
from tests.browser.test_shift import SUE
from tests.browser.test_tender import lay_down
from tests.e2e.opening import PASSPHRASE


async def voided(anna: Booth) -> str:
    """Void a ticket of $2,000.00 and read what the page says; gives its number and code."""
    text = await anna.sell(*SURE, "*", *"20.00", "+", *"2", "Enter", "Enter")
    await anna.keys("F6")
    await anna.fill_in(scanned(text))
    await anna.said("Void ticket 1?")
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Owed$2,000.00")
    await expect(dialog).to_contain_text("Hand over no money yet")
    await expect(dialog).not_to_contain_text("give back")
    await anna.picture("owed-void-question")
    before = len(anna.station.papers())
    await anna.answer("Void this ticket")
    await anna.said(
        "Ticket 1 is void. $2,000.00 is owed and waits for a supervisor: give the patron the slip."
    )
    price = anna.page.get_by_role("region", name="Price")
    await expect(price).to_contain_text("Paid back later, on the slip")
    await expect(price).not_to_contain_text("given back")
    slip = await anna.paper(before)
    await anna.picture("owed-void-done")
    assert "Owed in cash                          $2,000.00" in slip
    assert "Total paid back                           $0.00" in slip
    return scanned(text)


async def test_15_6_b_what_a_void_owes_is_approved_and_paid(anna: Booth, sue: Desk) -> None:
    scan = await voided(anna)
    amount = sue.page.locator(".decision-amount")
    await expect(amount).to_have_text("$2,000.00")
    for words in (
        "Authorise money of a void",
        "Amount as owed",
        "Then sign the void slip, in ink.",
    ):
        await sue.said(words)
    await expect(sue.page.get_by_text("efund")).to_have_count(0)
    await sue.picture("owed-console")
    await anna.keys("F2")
    await anna.fill_in(scan)
    due = anna.page.get_by_role("region", name="What is paid")
    for words in ("Owed, void", "$2,000.00", "Signature on the slip"):
        await expect(due).to_contain_text(words)
    await anna.picture("owed-looked-up")
    passphrase = sue.page.get_by_label("Passphrase of your signing key")
    await passphrase.fill(PASSPHRASE)
    before = len(anna.station.papers())
    await passphrase.press("Enter")
    await sue.said("Approved, $2,000.00")
    await sue.said("Then sign the void slip of ticket 1, in ink.")
    await sue.picture("owed-console-approved")
    slip = await anna.paper(before)
    assert "SUE" in slip
    assert "$2,000.00" in slip
    await expect(anna.page.get_by_role("button", name="The slip is signed")).to_be_visible()
    await anna.page.wait_for_timeout(READ_MS)
    await anna.keys("Enter")
    pay = anna.page.get_by_role("button", name="Pay $2,000.00 in cash")
    await expect(pay).to_be_visible()
    await anna.picture("owed-signed")
    before = len(anna.station.papers())
    await anna.page.wait_for_timeout(READ_MS)
    await anna.keys("Enter")
    slip = await anna.paper(before)
    assert "Owed for a void ticket                $2,000.00" in slip
    await anna.said("The slip of ticket 1 stays in the drawer.")
    await anna.picture("owed-paid")


async def test_15_6_b_what_is_denied_stays_owed_and_is_asked_for_again(
    anna: Booth, sue: Desk
) -> None:
    scan = await voided(anna)
    await sue.press("Deny")
    reason = sue.page.get_by_label("Reason for denying")
    await expect(reason).to_be_focused()
    await reason.fill("Count the drawer first.")
    await sue.said("It stays owed, and the reason is kept.")
    await expect(sue.page.get_by_role("button", name="Deny it")).to_be_visible()
    await sue.picture("owed-deny")
    await reason.press("Enter")
    await sue.said("Station 01 has your reason.")
    await anna.said("Ticket 1: Denied: Count the drawer first. F2 goes to it.")
    await anna.picture("owed-denied-told")
    await anna.keys("F2")
    await anna.fill_in(scan)
    due = anna.page.get_by_role("region", name="What is paid")
    for words in ("Owed, void", "SUE said no: Count the drawer first."):
        await expect(due).to_contain_text(words)
    await expect(anna.page.get_by_role("button", name="Ask again")).to_be_visible()
    await anna.picture("owed-denied")
    await anna.page.wait_for_timeout(READ_MS)
    await anna.keys("Enter")
    await sue.press("Done")
    await expect(sue.page.locator(".decision-amount")).to_have_text("$2,000.00")
    await sue.said("Authorise money of a void")
    await anna.said("Sales go on meanwhile")
    await anna.picture("owed-asked-again")


async def test_15_4_e_owed_chips_that_the_drawer_lacks_are_paid_in_cash_by_a_named_key(
    anna: Booth, sue: Desk
) -> None:
    await anna.keys(*SURE, "*", *"20.00", "+", *"2", "Enter")
    await anna.said("$2,000.00")
    await lay_down(anna, "Gaming chips", "2,000")
    await anna.keys("Enter")
    scan = scanned(await anna.sell("Enter"))
    await anna.keys("F6")
    await anna.fill_in(scan)
    await anna.answer("Void this ticket")
    await anna.said("Ticket 1 is void. $2,000.00 is owed")
    await anna.keys("F4", "c", "ArrowDown")
    await anna.fill_in("500.00", *SUE)
    await anna.said("$500.00 in gaming chips out of the drawer.")
    passphrase = sue.page.get_by_label("Passphrase of your signing key")
    await passphrase.fill(PASSPHRASE)
    await passphrase.press("Enter")
    await sue.said("Approved, $2,000.00")
    await anna.keys("F2")
    await anna.fill_in(scan)
    await anna.page.get_by_role("button", name="The slip is signed").click()
    pay = anna.page.get_by_role("button", name="Pay $2,000.00 in kind")
    await expect(pay).to_be_visible()
    due = anna.page.get_by_role("region", name="What is paid")
    await expect(due).to_contain_text("In gaming chips$2,000.00")
    await expect(due).not_to_contain_text("In cash")
    await expect(due).not_to_contain_text("Part by check")
    await anna.picture("owed-chips")
    await pay.click()
    await anna.said("The drawer does not hold $2,000.00 in gaming chips: give it in cash.")
    cash = anna.page.get_by_role("button", name="Give cash instead")
    await expect(cash).to_be_visible()
    await expect(due).to_contain_text("In cash$2,000.00")
    await anna.picture("owed-chips-lack")
    before = len(anna.station.papers())
    await cash.click()
    assert "Owed for a void ticket                $2,000.00" in await anna.paper(before)
    await anna.picture("owed-chips-paid")
