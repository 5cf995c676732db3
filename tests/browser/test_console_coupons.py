"""The register of coupons at the console: refused in words first, then issued, registered, void."""

from pathlib import Path

from playwright.async_api import Browser, FilePayload, Locator, expect

from tests.browser.booth import Booth
from tests.browser.console import Desk
from tests.browser.tabs import answered, reachable, refused, rows
from tests.browser.test_console_games import pay_with_coupon
from tests.browser.test_two_people import live_desk, second_person
from tests.integration.web.served import PASSWORD

SERIALS = "Serial,Name\r\nm-1,Ann\r\nM-2,Bob\r\n"


async def look_up(made: Desk, serial: str, words: str) -> None:
    await made.page.get_by_label("Serial", exact=True).fill(serial)
    await made.press("Look it up")
    await made.said(words)


async def batch(made: Desk) -> tuple[Locator, Locator]:
    """The sheet that registers a batch, and its button."""
    await made.press("Register a batch")
    sheet = made.page.get_by_role("dialog", name="Register a batch")
    return sheet, sheet.get_by_role("button", name="Register batch")


async def register(made: Desk) -> list[list[str]]:
    return await rows(made.page.get_by_role("table"))


async def test_a_batch_is_registered_by_two_people(tmp_path: Path, browser: Browser) -> None:
    async with live_desk(tmp_path, browser, "S1") as sup:
        await sup.tab("Coupons")
        await expect(sup.page.get_by_label("Serial", exact=True)).to_be_focused()
        await sup.said("The register has no coupon yet.")
        await sup.picture("console-coupons-none")
        await look_up(sup, "", "Type or scan the serial of a coupon.")
        await look_up(sup, "NEVER-SEEN", "Coupon NEVER-SEEN is not in the register of this house.")
        sheet, go = await batch(sup)
        first, last = sheet.get_by_label("First serial"), sheet.get_by_label("Last serial")
        value, day = sheet.get_by_label("Value of each"), sheet.get_by_label("Last gaming day")
        reason = sheet.get_by_label("Reason")
        await expect(first).to_be_focused()
        for field, text, words in (
            (first, "", "With which serial does the batch begin?"),
            (first, "promo-0001", "With which serial does it end?"),
            (last, "PROMO-0500", "What is a coupon worth, in dollars?"),
            (value, "5.00", "Until which gaming day is it good?"),
            (day, "2020-01-01", "Say why. It is kept with the coupon."),
            (reason, "..", "Who is the second person?"),
        ):
            await field.fill(text)
            await go.click()
            await expect(sheet).to_contain_text(words)
        for person, why, until, to, words in (
            ("S1", "A mailing", "2030-12-31", "PROMO-0500", "A second person must approve this"),
            ("W1", "A mailing", "2030-12-31", "PROMO-0500", "The second person must be"),
            ("M1", "..", "2030-12-31", "PROMO-0500", "Say why in words"),
            ("M1", "A mailing", "2020-01-01", "PROMO-0500", "A coupon ends after this moment"),
            ("M1", "A mailing", "2030-12-31", "OTHER-0500", "differ in their last digits only"),
            ("M1", "A mailing", "2030-12-31", "PROMO-0000", "The last serial of the range comes"),
        ):
            await reason.fill(why)
            await day.fill(until)
            await last.fill(to)
            await second_person(sheet, person, PASSWORD)
            await go.click()
            await expect(sheet).to_contain_text(words)
        await sup.picture("console-coupons-refused")
        await refused(sup, "authorisation_needed", type="issue_coupon", location="main", cents=500,
                      ends_day="2030-12-31", reason="I am alone")  # fmt: skip
        await last.fill("PROMO-0500")
        await second_person(sheet, "M1", PASSWORD)
        await go.click()
        await sup.said("500 coupons of $5.00 each registered: PROMO-0001 to PROMO-0500, good")
        await expect(sheet).to_be_hidden()
        assert await register(sup) == [
            ["PROMO-0001 to PROMO-0500", "500", "$5.00", "2030-12-31", "Not used",
             "Registered by S1 and M1"]
        ]  # fmt: skip
        await sup.said("500 coupons not used, $2,500.00 together")
        await look_up(sup, "promo-0017", "PROMO-0017 is worth $5.00, good through gaming day")
        await sup.picture("console-coupons")
        await reachable(sup)


async def test_a_list_is_registered_from_a_file_or_not_at_all(sue: Desk) -> None:
    """In a house without value one person suffices, and a reason is no must."""
    await sue.tab("Coupons")
    sheet, go = await batch(sue)
    await sheet.get_by_label("Serials", exact=True).select_option("list")
    lines = sheet.get_by_label("Serials, one on each line")
    await sheet.get_by_label("Value of each").fill("1")
    await sheet.get_by_label("Last gaming day").fill("2030-12-31")
    for text, words in (
        ("", "There is no serial in it."),
        ("M-1\nM 2", "Line 2, “M 2”, is not 1 to 32 letters, digits and hyphens."),
        ("M-1\nm-1", "M-1 comes twice in the batch."),
    ):
        await lines.fill(text)
        await go.click()
        await expect(sheet).to_contain_text(words)
    await sue.picture("console-coupons-list")
    file: FilePayload = {
        "name": "serials.csv", "mimeType": "text/csv", "buffer": SERIALS.encode()
    }  # fmt: skip
    await sheet.get_by_label("Or a CSV file").set_input_files(file)
    await expect(lines).to_have_value(SERIALS.replace("\r\n", "\n"))
    await go.click()
    await sue.said("2 coupons of $1.00 each registered: M-1 to M-2, good through gaming day")
    sheet, go = await batch(sue)
    await sheet.get_by_label("First serial").fill("M-1")
    await sheet.get_by_label("Last serial").fill("M-9")
    await sheet.get_by_label("Value of each").fill("1")
    await sheet.get_by_label("Last gaming day").fill("2030-12-31")
    await go.click()
    await expect(sheet).to_contain_text(
        "M-1 and 1 other are in the register already. Nothing was registered."
    )


async def test_a_coupon_is_issued_used_and_void(anna: Booth, sue: Desk) -> None:
    await sue.tab("Coupons")
    await sue.press("Issue a coupon")
    sheet = sue.page.get_by_role("dialog", name="Issue a coupon")
    go = sheet.get_by_role("button", name="Issue coupon")
    await sheet.get_by_label("Value").fill("20,000")
    await sheet.get_by_label("Last gaming day").fill("2030-12-31")
    await go.click()
    await expect(sheet).to_contain_text("A coupon is worth $0.01 to $10,000.00.")
    await sheet.get_by_label("Value").fill("1")
    await sue.picture("console-coupons-issue")
    await go.click()
    await sue.said("Coupon A-R1 of $1.00 is issued, good through gaming day 2030-12-31.")
    await answered(sue, type="issue_coupon", location="main", cents=200, ends_day="2030-12-31")

    await look_up(sue, "a-r2", "A-R2 is worth $2.00")
    await sue.press("Declare it void")
    sheet = sue.page.get_by_role("dialog", name="Declare a coupon void")
    go = sheet.get_by_role("button", name="Declare void")
    await expect(sheet.get_by_label("Serial")).to_have_value("A-R2")
    await go.click()
    await expect(sheet).to_contain_text("Say why. It is kept with the coupon.")
    await sheet.get_by_label("Reason").fill("Issued by mistake")
    await sheet.get_by_label("Serial").fill("A-R9")
    await go.click()
    await expect(sheet).to_contain_text("Coupon A-R9 is not in the register of this house.")
    await sheet.get_by_label("Serial").fill("A-R2")
    await sue.picture("console-coupons-void")
    await go.click()
    await sue.said("Coupon A-R2 of $2.00 is void.")
    await look_up(sue, "A-R2", "Coupon A-R2 was declared void.")

    await pay_with_coupon(anna, "a-r1", "1.00")
    await look_up(sue, "A-R1", "Coupon A-R1 was already used, for ticket A-1.")
    await sue.tab("Reports")
    await sue.tab("Coupons")
    assert await register(sue) == [
        ["A-R2", "1", "$2.00", "2030-12-31", "Void", "Issued by SUE"],
        ["A-R1", "1", "$1.00", "2030-12-31", "Paid A-1", "Issued by SUE"],
    ]
    await reachable(sue)
