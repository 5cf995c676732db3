"""Selling at the writer's page: by keypad alone, by touch, again, changed, and over a close."""

import pytest
from playwright.async_api import expect

from tests.browser.booth import READ_MS, Booth
from tests.e2e.opening import PASSWORDS_OF

KEYPAD = {
    "straight": (
        [*"031415265358", "Enter", "Enter"],
        ["straight ticket", "3 14 15 26 53 58", "1/6 @1.00", "Total price $1.00"],
    ),
    "split": (
        [*"01020304", "Enter", *"05060708", "/", *"A,B", "Enter", "Enter"],
        ["split ticket", "A: 1 2 3 4", "B: 5 6 7 8", "Total price $2.00"],
    ),
    "way": (
        [*"010203", "Enter", *"040506", "Enter", *"070809", "/", *"3/6", "Enter", "Enter"],
        ["way ticket", "C: 7 8 9", "3/6 @1.00", "Total price $3.00"],
    ),
    "combination": (
        [*"0102", "Enter", *"0304", "Enter", *"0506", "Enter", *"0708", "/", *"AB,CD", "Enter",
         "Enter"],
        ["combination ticket", "2/4 (AB CD) @1.00", "Total price $2.00"],
    ),
    "king": (
        [*"010203", "Enter", *"0405", "k", *"77", "/", *"AK1,BK1", "Enter", "Enter"],
        ["king ticket", "K1: 77", "Total price $2.00"],
    ),
    "multi-race at another rate": (
        [*"0910111213", "*", *"2.00", "+", *"5", "Enter", "Enter"],
        ["multi-race straight ticket", "5 games", "1/5 @2.00", "Total price $10.00"],
    ),
    "quick-pick": (
        ["q", *"6", "Enter", "Enter"],
        ["straight ticket", "1/6 @1.00", "Total price $1.00"],
    ),
}  # fmt: skip


ROWS = """() => {
  const box = document.querySelector('.last').getBoundingClientRect();
  const rows = [...document.querySelectorAll('.last-row')].map((row) => row
    .getBoundingClientRect());
  const seen = rows.filter((row) => row.left < box.right && row.top < box.bottom);
  const whole = seen.filter((row) => row.bottom <= box.bottom && row.right <= box.right);
  return [whole.length, seen.length - whole.length];
}"""
"""How many of the last tickets are seen whole, and how many are cut."""


TRAY = """() => document.querySelector('.tray-button').getBoundingClientRect().bottom
  - document.querySelector('.waypanel').getBoundingClientRect().bottom"""


async def test_every_type_of_ticket_by_keypad_alone(anna: Booth) -> None:
    for name, (pressed, expected) in KEYPAD.items():
        text = await anna.sell(*pressed)
        for words in expected:
            assert words in text, (name, text)
        await expect(anna.page.get_by_text("Printed").first).to_be_visible()
    await anna.picture("station-sold")
    for width, height in ((1280, 800), (1024, 768)):
        await anna.page.set_viewport_size({"width": width, "height": height})
        whole, cut = await anna.page.evaluate(ROWS)
        assert whole > 0
        assert cut == 0


async def test_a_six_spot_straight_ticket_needs_fifteen_keys_at_most(anna: Booth) -> None:
    pressed = [*"031415265358", "Enter", "Enter"]
    assert len(pressed) <= 15
    assert "3 14 15 26 53 58" in await anna.sell(*pressed)


async def test_every_type_of_ticket_by_touch(anna: Booth) -> None:
    async def printed(*expected: str) -> None:
        before = len(anna.station.papers())
        await anna.page.get_by_role("button", name="Print ticket").click()
        text = await anna.paper(before)
        assert all(words in text for words in expected), text

    await anna.numbers(3, 14, 15, 26)
    await printed("straight ticket", "3 14 15 26")
    for first in (1, 4, 7):
        await anna.numbers(first, first + 1, first + 2)
        if first < 7:
            await anna.touch("New group")
    await anna.touch("Ways", "3/6")
    await printed("way ticket", "3/6 @1.00")
    await anna.numbers(1, 2, 3)
    await anna.touch("New group")
    await anna.numbers(4, 5)
    await anna.touch("King")
    await anna.numbers(77)
    await anna.touch("Ways", "1/6")
    await anna.picture("station-touch")
    await printed("king ticket", "K1: 77")
    await anna.touch("Quick-pick", "8 spots")
    await printed("straight ticket", "1/8 @1.00")
    await anna.numbers(20, 21)
    await anna.page.get_by_label("Games").first.click()
    await anna.touch("3 games")
    await printed("multi-race", "3 games")


async def test_enter_goes_on_after_a_number_was_touched(anna: Booth) -> None:
    await anna.numbers(3, 14)
    await anna.keys("Enter", *"15")
    await anna.numbers(26)
    await anna.keys("/", *"A,B")
    text = await anna.sell("Enter", "Enter")
    assert "A: 3 14" in text
    assert "B: 15 26" in text
    await anna.numbers(77)
    assert "1/1" in await anna.sell("Enter", "Enter")


async def test_space_takes_the_number_that_has_the_focus_and_enter_goes_on(anna: Booth) -> None:
    await anna.page.locator('keno-grid [tabindex="0"]').focus()
    await anna.keys("ArrowRight", " ", "ArrowRight", " ")
    text = await anna.sell("Enter", "Enter")
    assert "straight ticket" in text
    assert "2 3" in text


async def test_a_mistake_is_marked_where_it_is_and_nothing_is_sold(anna: Booth) -> None:
    await anna.keys(*"0707", "Enter")
    await anna.said("7 is marked twice.")
    await anna.picture("station-mistake")
    await anna.keys("Enter")
    await anna.keys("Backspace", "Backspace", "Backspace")
    assert anna.station.papers() == []
    text = await anna.sell(*"0708", "Enter", "Enter")
    assert "7 8" in text


async def test_the_same_again_and_again(anna: Booth) -> None:
    first = await anna.sell(*"01020304", "Enter", "Enter")
    for number in (2, 3):
        text = await anna.sell("s", "Enter")
        assert f"Ticket A-{number}:" in text
        assert "1 2 3 4" in text
    assert "Ticket A-1:" in first


async def test_change_is_told(anna: Booth) -> None:
    await anna.keys(*"01020304", "Enter")
    await anna.touch("$20")
    await anna.keys("Enter")
    await anna.said("Ticket 1 is sold for $1.00. Change $19.00.")
    price = anna.page.get_by_role("region", name="Price")
    await expect(price).to_contain_text("$20.00 received for $1.00")
    await expect(price.locator(".price-amount")).to_have_text("$19.00")
    await anna.picture("station-change")


def scanned(text: str) -> str:
    """What a scanner reads from a ticket's code."""
    return text.partition("[code ")[2].partition("]")[0]


async def test_a_drawn_ticket_is_replayed_with_one_change(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    await anna.close_game()
    await anna.keys("r")
    await anna.fill_in(scanned(text))
    await anna.said("One, two, three, four")
    await anna.keys("-", *"04", *"05")
    await anna.keys("m")
    await anna.picture("station-replay")
    again = await anna.sell("Enter", "Enter")
    assert "1 2 3 5" in again
    assert "Ticket A-2:" in again


async def test_a_live_ticket_is_voided_and_rewritten(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    await anna.keys("r")
    await anna.fill_in(scanned(text))
    await anna.said("Void and rewrite")
    before = len(anna.station.papers())
    await anna.keys("-", *"04", *"06", "Enter", "Enter")
    papers = [await anna.paper(before), await anna.paper(before + 1)]
    assert any("Ticket A-2:" in each and "1 2 3 6" in each for each in papers)
    assert any("A-1" in each and "oid" in each for each in papers)


async def test_keys_typed_while_a_ticket_is_sold_reach_the_dialog_they_open(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    await anna.keys(*"0506", "Enter")
    await anna.said("Five, six")
    await anna.keys_at_once("r", *scanned(text), "Enter", after=".price-go")
    await anna.said("Void and rewrite")
    await anna.said("One, two, three, four")


async def test_keys_around_a_dialog_are_no_scan_however_fast(anna: Booth) -> None:
    """R, a dialog and -04 typed within a moment looked like the code r-04."""
    await anna.keys(*"01020304")
    await anna.said("One, two, three, four")
    await anna.page.wait_for_timeout(READ_MS)  # R begins what may be a scan
    await anna.keys_at_once("r", "Escape", "-", "0", "4")
    assert "1 2 3\n" in await anna.sell("Enter", "Enter")


async def test_a_ticket_is_voided(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    before = len(anna.station.papers())
    await anna.keys("F6")
    await anna.fill_in(scanned(text))
    await anna.said("To give back")
    await anna.picture("station-void")
    await anna.answer("Void this ticket")
    assert "$1.00" in await anna.paper(before)
    await anna.said("is void")
    await anna.picture("station-voided")
    for width, height in ((1280, 800), (1024, 768)):
        await anna.page.set_viewport_size({"width": width, "height": height})
        boxes = [
            await anna.page.locator(each).bounding_box() for each in (".view", ".notice", ".foot")
        ]
        view, notice, foot = [each for each in boxes if each is not None]
        assert view["y"] + view["height"] <= notice["y"]
        assert notice["y"] + notice["height"] <= foot["y"]
    price = anna.page.get_by_role("region", name="Price")
    await expect(price).to_contain_text("$1.00 given back")
    await expect(price).to_contain_text("Void")
    await expect(price).not_to_contain_text("Sold")
    await anna.keys(*"0102", "Enter", *"0304", "/", *"1/4", "Enter")
    await anna.said("Ready to print")
    assert await anna.page.evaluate(TRAY) <= 0, "the buttons under the ways are cut"


async def test_a_scanners_second_enter_voids_nothing_and_the_writers_does(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    before = len(anna.station.papers())
    await anna.keys("F7")
    await anna.fill_in(scanned(text))
    await anna.said("Void it")
    await anna.keys_at_once("v", "Enter")
    await anna.answer("Void this ticket")
    assert "$1.00" in await anna.paper(before)
    await expect(anna.page.get_by_role("dialog")).to_be_hidden()
    assert len(anna.station.papers()) == before + 1


async def test_a_paper_is_printed_again_by_keys_alone(anna: Booth) -> None:
    text = await anna.sell(*"01020304", "Enter", "Enter")
    before = len(anna.station.papers())
    await anna.keys("F7")
    await anna.fill_in(scanned(text))
    await anna.said("Print it again")
    await anna.keys("p")
    for words in ("SUE", PASSWORDS_OF["SUE"]):
        await anna.type(words)
        await anna.keys("Enter")
    assert "REPRINT 1" in await anna.paper(before)


@pytest.mark.parametrize("yes", [True, False])
async def test_nothing_is_moved_silently_to_the_next_game(anna: Booth, *, yes: bool) -> None:
    await anna.keys(*"01020304", "Enter")
    closed = await anna.close_game()
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog).to_contain_text(f"Keep it for A-{closed + 1}")
    await anna.picture("station-closed-meanwhile")
    await anna.page.wait_for_timeout(READ_MS)
    await anna.keys("Enter" if yes else "Escape")
    await expect(dialog).to_be_hidden()
    assert anna.station.papers() == []
    if yes:
        await anna.said(f"Not printed yet. Enter prints it for A-{closed + 1}.")
        text = await anna.sell("Enter")
        assert f"first A-{closed + 1}" in text


async def test_a_question_that_stays_open_names_the_game_that_is_open(anna: Booth) -> None:
    await anna.keys(*"01020304", "Enter")
    closed = await anna.close_game()
    dialog = anna.page.get_by_role("dialog")
    await expect(dialog).to_contain_text(f"Keep it for A-{closed + 1}")
    await anna.keys("Escape", "Enter")
    await expect(dialog).to_contain_text(f"Sell for A-{closed + 1}")
    await anna.close_game()
    await anna.answer(f"Sell for A-{closed + 2}")
    assert f"first A-{closed + 2}" in await anna.paper(0)
    await expect(dialog).to_be_hidden()


async def test_a_digital_request_is_scanned(anna: Booth) -> None:
    await anna.keys("r")
    await anna.fill_in("1 2 3 4/5 6 7 8: 1/8@1.00 2/4@1.00 x3")
    await anna.said("$9.00")
    text = await anna.sell("Enter")
    assert "3 games" in text
    assert "A: 1 2 3 4" in text
