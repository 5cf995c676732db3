"""A writer's shift on the page: fill, credit, a break, the count, and messages."""

from playwright.async_api import expect

from keno import protocol
from tests.browser.booth import Booth
from tests.e2e.floor import said, serving
from tests.e2e.opening import PASSWORDS_OF
from writer_station.client import new_id

SUE = ("SUE", PASSWORDS_OF["SUE"])


async def slip(anna: Booth, key: str, amount: str) -> str:
    """A fill or a credit by keyboard; gives its slip."""
    before = len(anna.station.papers())
    await anna.keys("F4", key)
    await anna.picture(f"station-slip-{key}")
    await anna.fill_in(amount, *SUE)
    paper = await anna.paper(before)
    await expect(anna.page.get_by_role("dialog")).to_be_hidden()  # it takes keys until answered
    return paper


async def count(anna: Booth, bills: dict[int, int]) -> str:
    """Count the drawer and close the shift; gives the checkout sheet."""
    before = len(anna.station.papers())
    await anna.keys("F4", "e")
    dialog = anna.page.get_by_role("dialog")
    for cents, number in bills.items():
        await anna.page.locator(f"#count-{cents}").fill(str(number))
    await anna.picture("station-count")
    await dialog.get_by_label("Name").fill(SUE[0])
    await dialog.get_by_label("Password").fill(SUE[1])
    await anna.keys("F4")
    return await anna.paper(before, "Checkout")


async def test_a_shift_from_its_bank_to_its_balance(anna: Booth) -> None:
    assert "$300.00" in await slip(anna, "f", "300.00")
    assert "$100.00" in await slip(anna, "c", "100.00")
    await anna.sell(*"01020304", "*", *"5.00", "Enter", "Enter")
    sheet = await count(anna, {10000: 22, 500: 1})
    assert "2,205.00" in sheet
    await anna.said("Shift is closed")
    await anna.picture("station-checkout")
    await anna.keys("Enter")
    await anna.house.served.stop()
    audited = await said("audit", "--db", anna.house.served.folder / "ledger.db")
    assert audited.code == 0, audited.out


async def test_15_6_a_drawer_is_counted_by_its_four_kinds(anna: Booth) -> None:
    """Chips come in by a fill and a sale; cash is counted in one sum, the checkout is by kind."""
    before = len(anna.station.papers())
    await anna.keys("F4", "f", "ArrowDown")
    await anna.picture("station-fill-chips")
    await anna.fill_in("100.00", *SUE)
    assert "Gaming chips in" in await anna.paper(before, "Fill slip")
    await expect(anna.page.get_by_role("dialog")).to_be_hidden()
    await anna.keys("F4", "e")
    dialog = anna.page.get_by_role("dialog")
    await dialog.get_by_label("In one sum").fill("2,000.00")
    await dialog.get_by_label("Gaming chips").fill("95")
    await expect(dialog.locator(".count-total")).to_have_text("$2,095.00")
    await anna.picture("station-count-sum")
    await dialog.get_by_label("Name").fill(SUE[0])
    await dialog.get_by_label("Password").fill(SUE[1])
    await anna.keys("F4")
    await anna.said("The drawer is $5.00 short")
    await expect(dialog.get_by_role("row", name="Cash")).to_contain_text("exact")
    await expect(dialog.get_by_role("row", name="Gaming chips")).to_contain_text("$5.00 short")
    await anna.picture("station-checkout-kinds")


async def test_a_short_drawer_is_told_in_words(anna: Booth) -> None:
    await count(anna, {10000: 19})
    await anna.said("short")


async def test_a_break_covers_the_screen_until_the_writer_is_back(anna: Booth) -> None:
    await anna.keys("F10")
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog).to_contain_text("Back in a moment")
    await anna.picture("station-break")
    await anna.fill_in("not the password")
    await anna.said("do not belong together")
    await anna.fill_in(PASSWORDS_OF["ANNA"])
    await expect(dialog).to_be_hidden()
    assert "1 2 3" in await anna.sell(*"010203", "Enter", "Enter")


async def test_what_is_typed_survives_a_reload_and_a_restart_of_the_server(anna: Booth) -> None:
    await anna.keys(*"01020304", "Enter")
    await anna.page.reload()
    await anna.said("One, two, three, four")
    await anna.house.served.stop()
    await anna.said("No signal")
    await anna.picture("station-no-line")
    await anna.said("One, two, three, four")
    served = anna.house.served
    async with serving(served.folder, served.port):
        await anna.said("Connected")
        await anna.game()
        await anna.said("closes by hand")
        assert "1 2 3 4" in await anna.sell("Enter")


async def test_a_message_of_the_supervisor_is_seen(anna: Booth) -> None:
    await anna.sue.ask(protocol.Tell(new_id(), "main", "Please call the pit."))
    await anna.said("Please call the pit.")
    await anna.picture("station-message")


async def test_all_keys_are_on_one_sheet(anna: Booth) -> None:
    await anna.keys("?")
    await anna.said("All keys")
    await anna.picture("station-keys")
    await anna.keys("Escape")
    await expect(anna.page.get_by_role("dialog")).to_be_hidden()
