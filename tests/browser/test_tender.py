"""What is laid on the counter and given back: chips and change, coupons, kinds that lack."""

import asyncio
import re
import time
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, expect

from keno import protocol
from tests.browser.booth import OPENING, Booth, StationProgram, Writer, until
from tests.browser.chromium import page_of
from tests.browser.test_selling import scanned
from tests.browser.test_shift import SUE
from tests.e2e.floor import PATIENCE_S
from tests.integration.station import booth as in_process
from tests.integration.web.served import PASSWORD, serving
from writer_station.client import new_id

SEVEN = [*"01020304", "*", *"7.00", "Enter"]
"""The keys of a straight four for $7.00, ready to print."""
END = "2030-12-31"


async def coupon(anna: Booth, cents: int, **fields: Any) -> str:
    """A coupon that the house issues; gives its serial."""
    given: dict[str, Any] = {"ends_day": END} | fields
    made = await anna.sue.ask(protocol.IssueCoupon(new_id(), "main", cents, **given))
    serial: str = made["serial"]
    return serial


async def lay_down(anna: Writer, kind: str, amount: str) -> None:
    """Open the tender dialog and type an amount of a kind."""
    await anna.keys("t")
    await anna.page.get_by_role("dialog").get_by_label(kind, exact=True).fill(amount)


async def price_says(anna: Writer, *words: str) -> None:
    price = anna.page.get_by_role("region", name="Price")
    for each in words:
        await expect(price).to_contain_text(each)


async def test_15_4_c_a_chip_of_25_dollars_for_a_ticket_of_7(anna: Booth) -> None:
    await anna.keys(*SEVEN)
    await anna.said("$7.00")
    await lay_down(anna, "Gaming chips", "25")
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog.get_by_role("status").last).to_contain_text("Change$18.00")
    await anna.picture("tender-chip")
    await anna.keys("Enter")
    await price_says(anna, "Change $18.00")
    await anna.picture("tender-chip-taken")
    paper = await anna.sell("Enter")
    assert "Total price $7.00" in paper
    await anna.said("Ticket 1 is sold for $7.00. Change $18.00.")
    await price_says(anna, "Change", "$18.00", "$25.00 received for $7.00")
    await anna.picture("tender-chip-sold")
    await anna.keys(*"05")
    await expect(anna.page.get_by_role("region", name="Price")).not_to_contain_text("$18.00")


async def test_15_4_e_a_kind_that_change_was_given_for_goes_back_in_cash(anna: Booth) -> None:
    await anna.keys(*SEVEN)
    await lay_down(anna, "Gaming chips", "25")
    await anna.keys("Enter")
    text = await anna.sell("Enter")
    await anna.keys("F6")
    await anna.fill_in(scanned(text))
    await anna.said("$7.00 in cash")
    await anna.answer("Void this ticket")
    await anna.said("Ticket 1 is void. Give back $7.00 in cash.")


async def test_15_4_e_chips_go_back_as_chips_and_as_cash_where_they_lack(anna: Booth) -> None:
    """What goes back is said before; the drawer lacks the chips, so one key gives cash."""
    papers = []
    for _ in range(2):
        await anna.keys(*SEVEN)
        await lay_down(anna, "Gaming chips", "7")
        await anna.keys("Enter")
        papers.append(await anna.sell("Enter"))
    await anna.keys("F6")
    await anna.fill_in(scanned(papers[0]))
    await anna.said("$7.00 in gaming chips")
    await anna.picture("void-chips")
    await anna.answer("Void this ticket")
    await anna.said("Hand over")
    await anna.picture("void-chips-hand-over")
    await anna.answer("It is handed over")
    await anna.keys(*SEVEN)
    await lay_down(anna, "Gaming chips", "7")
    await anna.keys("Enter")
    third = await anna.sell("Enter")
    await anna.keys("F6")
    await anna.fill_in(scanned(third))
    await anna.said("$7.00 in gaming chips")
    await anna.keys("c")  # it holds them in pieces that do not make $7.00
    await anna.said("Ticket 3 is void. Give back $7.00 in cash.")
    await anna.keys("F4", "c", "ArrowDown")
    await anna.fill_in("14.00", *SUE)
    await anna.said("$14.00 in gaming chips out of the drawer.")
    await anna.keys("F6")
    await anna.fill_in(scanned(papers[1]))
    await anna.answer("Void this ticket")
    await anna.said("The drawer does not hold $7.00 in gaming chips: give it in cash.")
    await anna.picture("void-chips-lack")
    await anna.answer("Void it and give cash")
    await anna.said("Ticket 2 is void. Give back $7.00 in cash.")


async def test_15_3_b_a_coupon_is_scanned_wherever_the_caret_is(anna: Booth) -> None:
    serial = await coupon(anna, 5_00)
    await anna.keys(*SEVEN, "t")
    await anna.fill_in(serial.lower())  # into the field of the cash
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("$5.00, good through gaming day 2030-12-31")
    await expect(dialog).to_contain_text("In cash, exact$2.00")
    await anna.picture("tender-coupon")
    await anna.keys("Enter")
    await price_says(anna, "$5.00 coupon, the rest in cash")
    await anna.sell("Enter")
    await anna.said("Ticket 1 is sold for $7.00.")


async def test_15_3_b_a_refused_coupon_is_said_in_words_and_blocks_the_tender(
    anna: Booth,
) -> None:
    """Unknown, void, over, used and too large; what was typed stays until it is answered."""
    voided, used, large = [await coupon(anna, cents) for cents in (5_00, 5_00, 50_00)]
    await anna.sue.ask(protocol.VoidCoupon(new_id(), voided, "printed twice"))
    await anna.keys(*SEVEN, "t")
    await anna.fill_in(used)
    await anna.said("$5.00, good through")
    await anna.keys("Enter")
    await anna.sell("Enter")
    await anna.keys(*SEVEN)
    await lay_down(anna, "Cash", "20")
    dialog = anna.page.get_by_role("dialog")
    serials = dialog.get_by_role("textbox", name="Coupon")
    for serial, words in (
        ("NEVER-SEEN", "Coupon NEVER-SEEN is not in the register of this house."),
        (voided, f"Coupon {voided} was declared void."),
        (used, f"Coupon {used} was already used, for ticket A-1."),
    ):
        await serials.first.fill(serial)
        await serials.first.press("Enter")
        await expect(dialog).to_contain_text(words)
        await anna.keys("Enter", "Tab", "Enter")
        await expect(dialog).to_contain_text("Clear the refused coupon, or scan another.")
        await expect(dialog.get_by_label("Cash")).to_have_value("20")
    await anna.picture("tender-coupon-refused")
    await serials.first.fill(large)
    await serials.first.press("Enter")
    await expect(dialog).to_contain_text("no change is given for a coupon")
    await anna.picture("tender-coupon-large")
    await dialog.get_by_role("button", name="Take this").click()
    await expect(dialog).to_be_visible()
    await serials.first.fill("")
    await dialog.get_by_label("Cash").press("Enter")
    await expect(dialog).to_be_hidden()
    await price_says(anna, "Change $13.00")


async def test_15_3_b_a_coupon_that_is_over_is_refused(anna: Booth) -> None:
    ends_ms = time.time_ns() // 1_000_000 + 1_500
    serial = await coupon(anna, 5_00, ends_day=None, ends_ms=ends_ms)
    await anna.keys(*SEVEN, "t")
    row = anna.page.get_by_role("dialog").get_by_role("textbox", name="Coupon").first
    said = anna.page.locator(".tender-coupons .tender-row").first
    async with asyncio.timeout(PATIENCE_S):
        kind = ""
        while kind != "no":
            await row.fill(serial)
            await row.press("Enter")
            await expect(said).to_have_attribute("data-kind", re.compile("good|no"))
            kind = await said.get_attribute("data-kind") or ""
    await expect(said).to_contain_text(f"Coupon {serial} is over: it was good until")


async def test_15_3_b_a_coupon_refused_at_the_sale_blocks_print_until_the_tender_changes(
    anna: Booth,
) -> None:
    """It was good when it was looked up, and void when the ticket was to be printed."""
    serial = await coupon(anna, 5_00)
    await anna.keys(*SEVEN, "t")
    await anna.fill_in(serial)
    await anna.said("$5.00, good through")
    await anna.keys("Enter")
    await anna.sue.ask(protocol.VoidCoupon(new_id(), serial, "printed twice"))
    for _ in range(2):
        await anna.keys("Enter")
        await anna.said(f"Coupon {serial} was declared void.")
    await price_says(anna, f"Coupon {serial} was declared void.")
    await anna.picture("tender-refused-at-sale")
    assert anna.station.papers() == []
    await anna.keys("t")
    dialog = anna.page.get_by_role("dialog")
    await dialog.get_by_role("textbox", name="Coupon").first.fill("")
    await anna.keys("Enter")
    assert "Total price $7.00" in await anna.sell("Enter")


# ---------------------------------------------------------------- a ticket that is rewritten


async def rewrite(anna: Booth, text: str) -> None:
    await anna.keys("r")
    await anna.fill_in(scanned(text))
    await anna.said("Void and rewrite")


async def test_15_4_e_a_cheaper_rewrite_hands_chips_back_and_cash_where_they_lack(
    anna: Booth,
) -> None:
    await anna.keys(*SEVEN)
    await lay_down(anna, "Gaming chips", "7")
    await anna.keys("Enter")
    text = await anna.sell("Enter")
    await rewrite(anna, text)
    await price_says(anna, "Paid by the old ticket")
    await anna.keys("*", *"5.00", "Enter")
    await price_says(anna, "Give back $2.00 in gaming chips")
    await anna.picture("rewrite-chips")
    text = await anna.sell("Enter")
    await anna.said("Ticket 2 replaces it. Hand over $2.00 in gaming chips.")
    await price_says(anna, "Hand over", "$2.00 in gaming chips")
    await anna.picture("rewrite-chips-done")
    await anna.keys("F4", "c", "ArrowDown")
    await anna.fill_in("5.00", *SUE)
    await anna.said("$5.00 in gaming chips out of the drawer.")
    await rewrite(anna, text)
    await anna.keys("*", *"1.00", "Enter")
    await price_says(anna, "Give back $4.00 in gaming chips")
    await anna.keys("Enter")
    await anna.said("give it in cash")
    await anna.picture("rewrite-chips-lack")
    before = len(anna.station.papers())
    await anna.answer("Give cash instead")
    await anna.paper(before, "Total price $1.00")
    await anna.said("Ticket 3 replaces it. Hand over $4.00 in cash.")


async def test_15_4_e_a_dearer_rewrite_takes_the_difference(anna: Booth) -> None:
    text = await anna.sell(*SEVEN, "Enter")
    await rewrite(anna, text)
    await anna.keys("*", *"9.00", "Enter")
    await price_says(anna, "$2.00 more to pay")
    await anna.touch("$5")
    await price_says(anna, "Change $3.00")
    await anna.picture("rewrite-dearer")
    await anna.sell("Enter")
    await anna.said("Ticket 2 replaces it. $2.00 in cash received.")


async def test_15_3_b_a_rewrite_keeps_its_coupon(anna: Booth) -> None:
    serial = await coupon(anna, 5_00)
    await anna.keys(*SEVEN, "t")
    await anna.fill_in(serial)
    await anna.said("$5.00, good through")
    await anna.keys("Enter")
    text = await anna.sell("Enter")
    await rewrite(anna, text)
    await price_says(anna, "Paid by the old ticket")
    await anna.keys("*", *"9.00", "Enter")
    await price_says(anna, "$2.00 more to pay")
    await anna.keys("t")
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog.get_by_role("textbox", name="Coupon").first).to_have_value(serial)
    await anna.picture("rewrite-coupon")
    await anna.keys("Enter")
    text = await anna.sell("Enter")
    await anna.said("Ticket 2 replaces it. $2.00 in cash received.")
    await anna.keys("F6")
    await anna.fill_in(scanned(text))
    await anna.said("$4.00 in cash and a coupon of $5.00")
    await anna.answer("Void this ticket")
    await anna.said("is on the void slip")
    await anna.picture("void-coupon")


# ---------------------------------------------------------------- two persons


async def test_15_4_c_change_of_1500_dollars_for_chips_needs_a_supervisor(anna: Booth) -> None:
    await anna.keys(*SEVEN)
    await lay_down(anna, "Gaming chips", "1,507.00")
    await anna.keys("Enter")
    await price_says(anna, "Change $1,500.00")
    await anna.keys("Enter")
    dialog = anna.page.get_by_role("dialog", name="A supervisor for the change")
    await expect(dialog).to_contain_text("A supervisor approves $1,500.00")
    await anna.picture("change-supervisor")
    await anna.fill_in("SUE", "not her password")
    await expect(dialog).to_contain_text("do not belong together")
    assert anna.station.papers() == []
    before = len(anna.station.papers())
    await anna.fill_in(SUE[1])
    await anna.paper(before, "Total price $7.00")
    await price_says(anna, "Change", "$1,500.00")


async def test_an_opening_bank_in_live_mode_is_brought_by_a_supervisor(
    tmp_path: Path, browser: Browser
) -> None:
    await asyncio.to_thread((tmp_path / "house").mkdir)
    async with (
        serving(tmp_path / "house", live=True) as served,
        in_process.booth(tmp_path / "booth", served.port, served.http) as station,
        page_of(browser, 1280, 800) as page,
    ):
        await page.goto(station.up.address)
        folder = tmp_path / "booth"
        program = StationProgram(folder, folder / "station.key", "", 0)
        writer = Writer(program, page)
        await expect(page.get_by_role("dialog", name="Sign in")).to_be_visible()
        await writer.fill_in("W1", PASSWORD)
        dialog = page.get_by_role("dialog", name="Open your shift")
        await expect(dialog).to_contain_text("Supervisor who brings the bank")
        await writer.picture("live-bank")
        await writer.fill_in("500.00")
        await expect(dialog.get_by_label("Name")).to_be_focused()
        await writer.fill_in("W1", PASSWORD)
        await expect(dialog).to_contain_text("A second person must approve this")
        await writer.picture("live-bank-refused")
        await dialog.get_by_label("Name").fill("S1")
        await dialog.get_by_label("Password").fill(PASSWORD)
        await writer.keys("Enter")
        await expect(dialog).to_be_hidden()
        await until(lambda: program.slips(OPENING))
        [slip] = program.slips(OPENING)
        assert "Cash in" in slip
        assert "$500.00" in slip
        assert "Second person S1" in slip
        assert writer.station.papers() == []
