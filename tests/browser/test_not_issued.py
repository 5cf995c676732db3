"""15.3(c): a printed ticket that was not paid for, in the browser, with the refusals first."""

from typing import Any

from playwright.async_api import Browser, expect

from tests.browser.booth import Booth
from tests.browser.console import desk
from tests.browser.tabs import reachable
from tests.browser.test_console_games import close, stop_generator
from tests.browser.test_console_tickets import look_up, record
from tests.browser.test_paying import SURE, of_the_lounge
from tests.browser.test_selling import scanned
from tests.e2e.opening import PASSWORDS_OF


async def open_menu(anna: Booth, text: str) -> None:
    """F7 with a ticket's paper."""
    await anna.keys("F7")
    await anna.fill_in(scanned(text))
    await anna.said("Not issued")


async def test_one_key_declares_a_ticket_not_issued_and_a_supervisor_decides_with_the_paper(
    anna: Booth, browser: Browser
) -> None:
    text = await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")
    await open_menu(anna, text)
    await expect(anna.page.get_by_role("button", name="Not issued").first).to_be_disabled()
    await anna.keys("Escape")
    await stop_generator(anna)
    number: int = (await anna.game())["game"]
    await close(anna, number)
    await open_menu(anna, text)
    await anna.picture("station-not-issued-menu")
    await anna.keys("n")
    await anna.said("is held as not issued. Your drawer owes")
    await anna.picture("station-not-issued-declared")
    await anna.house.parties.restart_generator()
    await anna.house.served.settled(number)
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said("Held as not issued")
    await expect(anna.page.get_by_role("button", name="Pay $")).to_have_count(0)
    await anna.picture("station-held-not-issued")
    await anna.keys("Escape")
    code = scanned(text).split("/")[-1][-16:]
    async with desk(browser, anna.house.served, "SUE") as sue:
        await sue.tab("Tickets")
        await look_up(sue, "A-1")
        await sue.said("Held as not issued")
        await sue.said("ANNA declared it not issued before its draw")
        await sue.press("It was not issued")
        await sue.said("Without its paper nothing is decided. Key all 16 characters.")
        asked = {"type": "confirm_not_issued", "location": "main", "ticket": 1, "reason": "left"}
        said = await sue.command(code="0" * 16, **asked)
        assert (said["type"], said["code"]) == ("refused", "altered")
        await sue.page.get_by_label("Code on the paper").fill(code)
        await sue.press("It was not issued")
        await sue.said("Say what happened first. It is kept with the ticket.")
        await reachable(sue)
        await sue.picture("console-not-issued")
        await sue.page.get_by_label("What happened").fill("The patron walked away.")
        await sue.press("It was not issued")
        await sue.said("A-1 has ended as not issued.")
        assert (await record(sue, 1))["state"] == "surrender"
        await sue.picture("console-not-issued-confirmed")


async def test_what_is_found_after_the_draw_is_taken_at_the_station_and_let_go_at_the_console(
    anna: Booth, browser: Browser
) -> None:
    text = await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")
    await anna.close_game()
    await open_menu(anna, text)
    await expect(anna.page.get_by_role("button", name="Not issued").first).to_be_disabled()
    await anna.keys("s")
    await anna.said("was found not issued")
    await anna.picture("station-take-not-issued")
    for words in ("It lay in the drawer.", "SUE", PASSWORDS_OF["SUE"]):
        await anna.type(words)
        await anna.keys("Enter")
    await anna.said("is held. Keep the paper.")
    await open_menu(anna, text)
    await anna.picture("station-held-menu")
    await anna.keys("Escape")
    code = scanned(text).split("/")[-1][-16:]
    async with desk(browser, anna.house.served, "SUE") as sue:
        await sue.tab("Tickets")
        await look_up(sue, "A-1")
        await sue.said("SUE took its paper after its draw")
        await expect(sue.page.get_by_role("button", name="It was not issued")).to_have_count(0)
        await sue.page.get_by_label("Code on the paper").fill(code)
        await sue.page.get_by_label("What happened").fill("He showed his keno request.")
        await sue.picture("console-found-not-issued")
        await sue.press("It was issued after all")
        await sue.said("A-1 can be paid, with an authorisation.")


async def test_15_3_c_a_supervisor_decides_here_about_a_ticket_of_another_location(
    anna: Booth,
) -> None:
    """All else is done where it was sold. The house has one location: its line is changed."""
    asked: list[dict[str, Any]] = []
    await anna.page.route_web_socket("**/*", lambda line: of_the_lounge(line, asked))
    await anna.page.reload()
    text = await anna.sell(*SURE, "*", *"1.00", "Enter", "Enter")
    await anna.close_game()
    await open_menu(anna, text)
    for name in ("Change it", "Void it", "Refund the undrawn", "Print it again", "Not issued"):
        line = anna.page.get_by_role("button", name=name).first
        await expect(line).to_be_disabled()
        await expect(line).to_contain_text("It is done where it was sold: The Lounge.")
    await anna.picture("station-menu-other-location")
    await anna.keys("s")
    await anna.said("was found not issued")
    for words in ("It lay in the drawer.", "SUE", PASSWORDS_OF["SUE"]):
        await anna.type(words)
        await anna.keys("Enter")
    await anna.said("is held. Keep the paper.")
    assert [each["do"] for each in asked] == ["find", "look", "take_not_issued"]
    assert (asked[0]["pay"], asked[1]["letter"], asked[2]["location"]) == (True, "B", "lounge")
