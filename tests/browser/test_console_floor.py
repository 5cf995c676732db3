"""The live floor at the console: games and overrides, messages, stations, who sees what."""

import asyncio

from playwright.async_api import Browser, Route, expect

from tests.browser.booth import Booth
from tests.browser.chromium import page_of
from tests.browser.console import Desk, desk
from tests.e2e.opening import PASSWORDS_OF

SEES = {
    "SUE": ["Floor", "RNG room", "Tickets", "Games", "Cards", "Coupons", "Reports"],
    "MAX": ["Floor", "RNG room", "Tickets", "Games", "Cards", "Coupons", "Reports"],
    "IVY": ["Floor", "RNG room", "Tickets", "Games", "Cards", "Reports"],
    "CARL": ["Floor", "RNG room", "Cards", "Reports"],
    "ADMIN": ["Cards", "People and stations"],
}
OVERRIDES = ("Hold", "Manual mode", "Automatic mode", "Close early", "Close the game now")


async def test_15_5_e_an_override_has_a_reason_and_every_screen_shows_it(
    anna: Booth, sue: Desk, browser: Browser
) -> None:
    reason = sue.page.get_by_label("Reason, before any of these")
    async with page_of(browser) as hall:
        await hall.goto(f"{anna.house.served.address}/board/main")
        await sue.press("Hold")
        await sue.said("Give the reason first; it is kept with what you do.")
        await expect(reason).to_be_focused()
        assert (await anna.game())["mode"] == "manual"
        await reason.fill("Booth power check")
        await sue.press("Hold")
        await sue.said("is held")
        await sue.said("Held by you")
        await expect(reason).to_have_value("")
        await expect(hall.get_by_text("Booth power check").first).to_be_visible()
        await expect(anna.page.get_by_text("Held").first).to_be_visible()
        await sue.picture("console-held")
        await reason.fill("Power is back")
        await sue.press("Resume")
        await sue.said("is resumed")
        await expect(hall.get_by_text("Booth power check")).to_have_count(0)
        await reason.fill("Back to the clock")
        await sue.press("Automatic mode")
        await sue.said("closes by the clock again")
        assert (await anna.game())["mode"] == "automatic"
        await reason.fill("A bus is late")
        await sue.press("Delay 1 minute")
        await sue.said("a minute later")
    odd = sue.page.get_by_role("list", name="Exceptions")
    for words in ("held by you", "Booth power check", "resumed by you", "delayed 1 minute"):
        await expect(odd).to_contain_text(words)
    said = await sue.command(type="override", location="main", kind="hold", reason="  ")
    assert said["code"] == "reason_empty"


async def test_a_game_is_closed_by_hand_and_its_draw_is_seen(anna: Booth, sue: Desk) -> None:
    await anna.sell(*"010203", "Enter", "Enter")
    await expect(sue.page.get_by_label("What a draw would pay")).to_contain_text("1 in 2")
    await sue.page.get_by_label("Reason, before any of these").fill("Everybody is served")
    await sue.press("Close the game now")
    await sue.said("closes after the notice")
    await sue.said("Drawing")
    await sue.picture("console-drawing")
    await anna.house.served.settled(1)


async def test_a_message_reaches_the_writer(anna: Booth, sue: Desk) -> None:
    await sue.page.get_by_role("button", name="Message to Main").click()
    await sue.press("Send the message")
    await sue.said("Write what the stations shall read.")
    await sue.page.get_by_label("Message", exact=True).fill("Change of paper at nine.")
    await sue.press("Send the message")
    await sue.said("Sent to 01.")
    await anna.said("Change of paper at nine.")


async def test_a_station_is_switched_off_and_on(anna: Booth, sue: Desk) -> None:
    tile = sue.page.get_by_role("button", name="Station 01").or_(
        sue.page.get_by_role("button", name="Station 1")
    )
    await expect(tile.first).to_contain_text("Anna")
    await expect(tile.first).to_contain_text("$2,000.00")
    await tile.first.click()
    await sue.said("Drawer should hold")
    await sue.picture("console-station")
    await sue.press("Switch the station off")
    await sue.press("Switch it off")
    await sue.said("is switched off.")
    await anna.said("This station is switched off")
    await sue.press("Switch the station on")
    await sue.press("Switch it on")
    await sue.said("is switched on.")
    await expect(anna.page.get_by_text("This station is switched off")).to_have_count(0)
    await anna.back()
    await expect(tile.first).to_contain_text("Anna")
    assert "1 2 3" in await anna.sell(*"010203", "Enter", "Enter")


async def test_each_role_has_its_tabs_and_only_supervisors_act(
    anna: Booth, browser: Browser
) -> None:
    for person, tabs in SEES.items():
        async with desk(browser, anna.house.served, person) as made:
            assert await made.tabs() == tabs
            if "Floor" in tabs:
                await made.said("Nothing waits")
                acts = [
                    made.page.get_by_role("button", name=name, exact=True) for name in OVERRIDES
                ]
                shown = sum([await each.count() for each in acts])
                assert (shown > 0) is (person in ("SUE", "MAX"))
                await made.picture(f"console-floor-{person.lower()}")
            for address, name in ADDRESSES.items():
                await made.open(address)
                refused = made.page.get_by_text(f"not for the role {ROLE_OF[person]}")
                await expect(refused).to_have_count(0 if name in tabs else 1)


ADDRESSES = {
    "floor": "Floor", "room": "RNG room", "tickets": "Tickets", "games": "Games",
    "people": "People and stations",
}  # fmt: skip
ROLE_OF = {
    "SUE": "supervisor", "MAX": "manager", "IVY": "inspector", "CARL": "accounting",
    "ADMIN": "administrator",
}  # fmt: skip


async def test_a_writer_reaches_for_a_supervisors_page(anna: Booth, browser: Browser) -> None:
    async with desk(browser, anna.house.served) as made:
        await made.sign_in("ANNA", "not her password")
        await made.said("do not belong together")
        await made.page.get_by_label("Password", exact=True).fill(PASSWORDS_OF["ANNA"])
        await made.page.keyboard.press("Enter")
        await made.said("A writer works at a station")
        assert await made.tabs() == []
        await made.picture("console-writer")
        await made.open("games")
        await made.said("A writer works at a station")
        for message in ({"type": "floor"}, {"type": "staff"}, {"type": "draw_room"}):
            said = await made.command(**message)
            assert said["code"] == "not_allowed"
        await made.press("Sign out")
        await expect(made.page.get_by_label("Name", exact=True)).to_be_visible()


async def test_no_reason_is_typed_before_its_location_is_known(
    anna: Booth, browser: Browser
) -> None:
    answered = asyncio.Event()

    async def slow(route: Route) -> None:
        if '"floor"' in (route.request.post_data or ""):
            await answered.wait()
        await route.continue_()

    async with desk(browser, anna.house.served) as made:
        await made.page.route("**/api/command*", slow)
        await made.sign_in("SUE")
        await made.said("What a draw would pay")
        reason = made.page.get_by_label("Reason, before any of these")
        await expect(reason).to_be_hidden()
        answered.set()
        await reason.fill("Typed at the first moment")
        await expect(made.page.get_by_role("button", name="Hold", exact=True)).to_be_visible()
        await expect(reason).to_have_value("Typed at the first moment")


async def test_a_session_that_ends_loses_nothing_that_was_typed(sue: Desk) -> None:
    reason = sue.page.get_by_label("Reason, before any of these")
    await reason.fill("Half a reason")
    await sue.page.evaluate("fetch('/api/sign-out', {method: 'POST'})")
    await sue.said("Your session is over.")
    await sue.page.get_by_label("Password", exact=True).fill(PASSWORDS_OF["SUE"])
    await sue.page.keyboard.press("Enter")
    await expect(sue.page.get_by_role("dialog")).to_be_hidden()
    await expect(reason).to_have_value("Half a reason")
    await sue.press("Hold")
    await sue.said("is held")
