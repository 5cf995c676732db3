"""15.7: a halt on every screen, and the way on: with the refusals first, then with both keys."""

from pathlib import Path
from typing import Any

from playwright.async_api import Browser, expect

from keno.demo.key_ceremony import at_terminal, keno_rng
from keno.demo.processes import both_people
from tests.browser.booth import Booth
from tests.browser.chromium import keep_picture, page_of
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, reachable
from tests.browser.test_console_games import WAY, bring, with_one_signature
from tests.browser.test_selling import scanned
from tests.e2e.opening import PASSWORDS_OF
from tests.halting import alter

SAID = "Keno is halted: the record of a ticket is wrong."
FOUND = "The record of ticket 1 is not what was sold."


async def to_halts(made: Desk) -> None:
    await made.tab("Games")
    matters = made.page.get_by_role("navigation", name="What is the matter")
    await matters.get_by_role("button", name="Halts, and going on").click()


async def go_on(made: Desk, person: str, password: str) -> None:
    await made.page.get_by_label("Inspector: name").fill(person)
    await made.page.get_by_label("Inspector: password").fill(password)
    await made.press("Go on")


async def refusals(sue: Desk, request: bytes, order: bytes) -> None:
    """Everything right but one thing, each thing in its turn."""
    await go_on(sue, "IVY", PASSWORDS_OF["IVY"])
    await sue.said("Choose the file that the generator’s console wrote.")
    await bring(sue, "notes.txt", b"A shopping list.")
    await sue.said("This file is no order: it cannot be read.")
    await bring(sue, "request", request)
    await sue.said("This is the request, not the order.")
    await bring(sue, "order", with_one_signature(order))
    await go_on(sue, "IVY", PASSWORDS_OF["IVY"])
    await sue.said("not signed by exactly those who must sign it")
    await bring(sue, "order", order)
    await go_on(sue, "SUE", PASSWORDS_OF["SUE"])
    await sue.said("A second person must approve this, not the same one.")
    await go_on(sue, "MAX", PASSWORDS_OF["MAX"])
    await sue.said("The second person must be: inspector.")


async def key_paper(sue: Desk, text: str) -> None:
    """A supervisor keys the paper of a ticket whose record was changed; first something wrong."""
    matters = sue.page.get_by_role("navigation", name="What is the matter")
    await matters.get_by_role("button", name="Key a paper").click()
    await sue.press("Rule on it")
    await sue.said("Ticket number is on every ticket: key it.")
    keyed = {
        "Ticket number": "1", "Code": scanned(text).rpartition("-")[2], "First game": "1",
        "Numbers, conditioning, games": "1 2 3/4 5 6/7 8 9: 3/6@1.00", "Price in dollars": "3.00",
        "Rate card": "26-3", "Station": "01", "Writer": "ANNA",
        "Date and time": "2026-11-16 02:00:05",
    }  # fmt: skip
    for label, value in keyed.items():
        await sue.page.get_by_label(label, exact=True).fill(value)
    await sue.press("Rule on it")
    await sue.said("it was altered")  # the time is not what the paper shows
    await reachable(sue)
    await sue.picture("console-games-paper")


async def test_15_7_a_halt_is_on_every_screen_and_ends_with_both_keys(
    anna: Booth, sue: Desk, browser: Browser, tmp_path: Path
) -> None:
    await to_halts(sue)
    await sue.said("Keno has not been halted here.")
    text = await anna.sell(*WAY)
    ledger = anna.house.served.folder / "ledger.db"
    alter(ledger, "UPDATE tickets SET price_cents = 600 WHERE number = 1")
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said(SAID)
    await anna.picture("station-halted")
    async with page_of(browser) as hall:
        await hall.goto(f"{anna.house.served.address}/board/main")
        await expect(hall.get_by_text(SAID).first).to_be_visible()
        await keep_picture(hall, "board-halted")
        await hall.goto(f"{anna.house.served.address}/")
        await expect(hall.get_by_text(SAID).first).to_be_visible()
    await sue.tab("Floor")
    await sue.said(SAID)
    await expect(sue.page.get_by_text("Keno is halted", exact=True)).to_be_visible()
    await expect(sue.page.get_by_label("Reason, before any of these")).to_be_hidden()
    await sue.picture("console-floor-halted")
    async with desk(browser, anna.house.served, "IVY") as ivy:
        await to_halts(ivy)
        await ivy.said(FOUND)
        await ivy.said("you join with your own password")
    await to_halts(sue)
    await sue.said("Location main is halted")
    await sue.said(FOUND)
    request, order = tmp_path / "request", tmp_path / "order"
    async with sue.page.expect_download() as download:
        await sue.page.get_by_role("link", name="Download request").click()
    await (await download.value).save_as(request)
    home = anna.house.parties.home
    talk = [("Why may keno go on? ", "The row was put right."), *both_people(home)]
    shown = await at_terminal(keno_rng("resume", home.generator, request, order), talk)
    assert FOUND in shown
    await refusals(sue, request.read_bytes(), order.read_bytes())
    await bring(sue, "order", order.read_bytes())
    await reachable(sue)
    await sue.picture("console-games-halted")
    await go_on(sue, "IVY", PASSWORDS_OF["IVY"])
    await sue.said("Keno goes on. The halt stays in the record")
    await sue.said("Location main was halted")
    await sue.picture("console-games-resumed")
    listed: dict[str, Any] = await answered(sue, type="halts")
    (halt,) = listed["halts"]
    assert (halt["in_force"], halt["reason"]) == (False, "The row was put right.")
    await key_paper(sue, text)
    await anna.keys("Escape", "F1")
    await anna.sell(*WAY)
