"""Irregular games at the console: what to do, a game that is declared void, and the RNG room."""

import asyncio
import json
import os
import signal
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Locator, Page, expect

from keno import protocol
from keno.demo.key_ceremony import at_terminal, keno_rng
from keno.demo.processes import Home, both_people
from tests.browser.booth import Booth, until
from tests.browser.chromium import page_of
from tests.browser.console import Desk, desk
from tests.browser.tabs import answered, file_of, reachable, rows
from tests.browser.test_selling import scanned
from tests.e2e.floor import LOOK_S, PATIENCE_S
from tests.e2e.opening import PASSWORDS_OF
from writer_station.client import new_id

REASON = "The generator burnt and cannot be had again."
WAY = [*"010203", "Enter", *"040506", "Enter", *"070809", "/", *"3/6", "Enter", "Enter"]
MATTERS = {
    "The generator or the witness does not answer": "Nobody makes a second one",
    "An answer did not verify": "Numbers that are not proven are no result",
    "The board or the announcement failed": "A result that is in the record stands",
    "A machine or a program crashed": "A game goes on from the very step",
    "A ticket’s paper disagrees with the ledger": "The code is computed again",
    "Keno is halted": "no sale, no draw and no payout until",
}


async def stop_generator(anna: Booth) -> None:
    """R ends as by a power cut."""
    pid = anna.house.parties.generator_pid
    os.kill(pid, signal.SIGKILL)
    await until(lambda: not _runs(pid))


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def close(anna: Booth, game: int) -> None:
    """Close a game whose result will not come, and wait until nothing is sold for it."""
    await anna.sue.ask(protocol.CloseGame(new_id(), "main", game))
    async with asyncio.timeout(PATIENCE_S):
        while True:
            if (await anna.game())["game"] > game:
                return
            await asyncio.sleep(LOOK_S)


async def pay_with_coupon(anna: Booth, serial: str, dollars: str) -> str:
    """A ticket of four numbers for a dollar, part of it paid by a coupon."""
    await anna.keys(*"11121314", "Enter", "t")
    dialog = anna.page.get_by_role("dialog", name="Tender")
    field = dialog.get_by_label("Coupon", exact=True).first
    await field.fill(serial)
    await field.press("Enter")
    await expect(dialog).to_contain_text(f"${dollars}, good through")
    await dialog.get_by_role("button", name="Take this").click()
    await expect(dialog).to_be_hidden()
    return await anna.sell("Enter")


async def to_void(made: Desk) -> None:
    """Go to where a game is declared void, by the list at the left."""
    await made.tab("Games")
    matters = made.page.get_by_role("navigation", name="What is the matter")
    await matters.get_by_role("button", name="Declare a game void").click()


# ---------------------------------------------------------------- what to do


async def test_15_7_the_console_says_what_to_do(anna: Booth, sue: Desk, browser: Browser) -> None:
    await sue.tab("Games")
    matters = sue.page.get_by_role("navigation", name="What is the matter")
    for name, rule in MATTERS.items():
        await matters.get_by_role("button", name=name).click()
        guide = sue.page.get_by_role("region", name=name)
        for words in ("The rule", rule, "What the system does by itself", "What you do now"):
            await expect(guide).to_contain_text(words)
        await expect(matters.get_by_role("button", name=name)).to_be_focused()
    await matters.get_by_role("button", name="does not answer").click()
    await reachable(sue)
    await sue.picture("console-games-guide")
    await sue.page.get_by_role("link", name="Open the RNG room").click()
    await expect(sue.page.get_by_role("heading", level=1)).to_have_text("RNG room")
    await sue.tab("Games")
    await sue.page.get_by_role("listitem").get_by_role("button", name="Declare a game void").click()
    await sue.said("No game has been closed here yet.")
    quote = await answered(sue, type="void_quote", location="main", game=1)
    assert (quote["possible"], quote["state"]) == (False, "open")
    await anna.sell(*WAY)
    await anna.close_game()
    async with desk(browser, anna.house.served, "IVY") as ivy:
        for made in (sue, ivy):
            await to_void(made)
            await expect(made.page.get_by_label("Game", exact=True)).to_contain_text("A-1, drawn")
            await made.said("A-1 cannot be declared void")
            await made.said("Game 1 has its result, which stands.")
            await expect(made.page.get_by_role("link", name="Download request")).to_have_count(0)
            quote = await answered(made, type="void_quote", location="main", game=1)
            assert (quote["possible"], quote["state"]) == (False, "settled")
    assert len(sue.loads) == 1


# ---------------------------------------------------------------- a void


async def quoted(made: Desk, game: int, tickets: dict[str, str]) -> None:
    """What a void returns, on the page as the server says it."""
    facts = made.page.get_by_role("region", name=f"If A-{game} is void")
    for name, value in tickets.items():
        await expect(facts.locator("dt", has_text=name).locator("xpath=following-sibling::dd[1]")
                     ).to_have_text(value)  # fmt: skip
    await expect(facts).to_contain_text("No ticket moves to the next game.")


async def sign(home: Home, request: Path, order: Path) -> None:
    """Both keyholders sign at the generator's own console."""
    command = keno_rng("void", home.generator, request, order)
    talk = [("Why is game 1 to be void? ", REASON), *both_people(home)]
    shown = await at_terminal(command, talk)
    assert "The order is in" in shown


async def bring(made: Desk, name: str, content: bytes) -> None:
    """Choose a file as the signed order."""
    file: Any = {"name": name, "mimeType": "application/json", "buffer": content}
    await made.page.get_by_label("Signed order").set_input_files(file)


def with_one_signature(order: bytes) -> bytes:
    """The same order without the signature of one keyholder."""
    bent = json.loads(order)
    bent["sigs"].popitem()
    return json.dumps(bent).encode()


async def declare(made: Desk, reason: str, person: str, password: str) -> None:
    await made.page.get_by_label("Reason, as it shall stand in the record").fill(reason)
    await made.page.get_by_label("Inspector: name").fill(person)
    await made.page.get_by_label("Inspector: password").fill(password)
    await made.press("Declare A-1 void")


async def refused_here(anna: Booth, status: Locator, words: str) -> None:
    """It is said on the page, and the game is no more void than before."""
    await expect(status).to_contain_text(words)
    assert (await anna.house.served.game(1))["state"] == "drawing"


async def refusals(anna: Booth, sue: Desk, order: bytes) -> None:
    """Everything right but one thing, each thing in its turn; at the end the needs begin anew."""
    status = sue.page.get_by_role("region", name="Three needs, one after the other").get_by_role(
        "status"
    )
    ivy = PASSWORDS_OF["IVY"]
    await bring(sue, "order", order)
    await sue.said("signed by 2 keys")
    await expect(sue.page.get_by_label("Reason, as it shall stand")).to_have_value(REASON)
    await declare(sue, " ", "IVY", ivy)
    await sue.said("Say why first. The reason is kept in the record.")
    await declare(sue, REASON, "", ivy)
    await sue.said("Who is the second person?")
    assert (await anna.house.served.game(1))["state"] == "drawing"
    await declare(sue, REASON, "SUE", PASSWORDS_OF["SUE"])
    await refused_here(anna, status, "A second person must approve this, not the same one.")
    await expect(sue.page.get_by_label("Inspector: password")).to_have_value("")
    await declare(sue, REASON, "IVY", "not her password")
    await refused_here(anna, status, "do not belong together")
    await sue.picture("console-games-refused")
    await declare(sue, REASON, "MAX", PASSWORDS_OF["MAX"])
    await refused_here(anna, status, "The second person must be: inspector.")
    await sue.press("Begin again with a new request")
    await sue.press("We have the order already")
    await bring(sue, "notes.txt", b"A shopping list.")
    await sue.said("This file is no order: it cannot be read.")
    await bring(sue, "order", with_one_signature(order))
    await sue.said("signed by one key only")
    await declare(sue, REASON, "IVY", ivy)
    await refused_here(anna, status, "not signed by exactly those who must sign it")
    await sue.picture("console-games-one-key")
    await sue.press("Begin again with a new request")


async def seen_before(sue: Desk, ivy: Desk) -> None:
    """Both read what a void returns before anybody does anything; only one of them may begin."""
    returned = {
        "Tickets in this game": "3 tickets", "Returned in all": "$5.00",
        "Of it as coupons": "$0.40", "Tickets for several games": "1 ticket",
    }  # fmt: skip
    for made in (sue, ivy):
        await to_void(made)
        game = made.page.get_by_label("Game", exact=True)
        await expect(game).to_contain_text("A-1, closed, no result")
        await quoted(made, 1, returned)
        await made.said("Nobody answers, or nothing can be written.")
    quote = await answered(sue, type="void_quote", location="main", game=1)
    assert [quote[each] for each in ("possible", "tickets", "multi_race", "returned_cents",
                                     "coupon_cents")] == [True, 3, 1, 5_00, 40]  # fmt: skip
    await ivy.said("you join as the inspector at the third need")
    await expect(ivy.page.get_by_role("link", name="Download request")).to_be_hidden()
    await ivy.picture("console-games-ivy")


async def fetch_request(sue: Desk, to: Path) -> None:
    """Download the request; it is not yet an order."""
    async with sue.page.expect_download() as download:
        await sue.page.get_by_role("link", name="Download request").click()
    await (await download.value).save_as(to)
    order = sue.page.get_by_label("Signed order")
    await expect(order).to_be_focused()
    await order.set_input_files(to)
    await sue.said("This is the request, not the order.")


async def test_15_7_a_game_without_a_result_is_declared_void(
    anna: Booth, sue: Desk, browser: Browser, tmp_path: Path
) -> None:
    text = await anna.sell(*WAY)
    await answered(sue, type="register_coupons", location="main", cents=40, serials="C-77",
                   ends_day="2030-12-31")  # fmt: skip
    coupon = await pay_with_coupon(anna, "C-77", "0.40")
    races = await anna.sell(*"2122232425", "+", *"5", "Enter", "Enter")
    await stop_generator(anna)
    await close(anna, 1)
    async with desk(browser, anna.house.served, "IVY") as ivy:
        await seen_before(sue, ivy)
    request, order = tmp_path / "request", tmp_path / "order"
    await fetch_request(sue, request)
    await sign(anna.house.parties.home, request, order)
    await refusals(anna, sue, order.read_bytes())

    await sue.press("We have the order already")
    await sue.page.get_by_label("Signed order").set_input_files(order)
    await reachable(sue)
    await sue.picture("console-games-void")
    await declare(sue, REASON, "IVY", PASSWORDS_OF["IVY"])
    await sue.said("A-1 is void. Every wager on it goes back with the tickets")
    await sue.picture("console-games-declared")
    assert (await anna.house.served.game(1))["state"] == "void"
    _, history = await anna.house.served.get("/api/games?location=main")
    assert [(each["game"], each["state"]) for each in history] == [(1, "void")]
    over = sue.page.get_by_role("region", name="A-1 is void")
    await expect(over).to_contain_text("$5.00")
    await expect(sue.page.get_by_role("link", name="Download request")).to_have_count(0)
    await given_back(anna, text, "$3.00")
    await given_back(anna, coupon, "$0.40")
    await anna.fill_in(scanned(races))
    await anna.said("not complete")
    await anna.keys("Escape")
    async with page_of(browser) as hall:
        await hall.goto(f"{anna.house.served.address}/board/main")
        await goes_on(anna, sue, hall)
    assert len(sue.loads) == 1


async def goes_on(anna: Booth, sue: Desk, hall: Page) -> None:
    """With the generator back the next game is drawn; the record of both verifies."""
    await expect(hall.get_by_role("heading", level=1)).to_have_text("A-2")
    stopped = hall.get_by_text("Game A-2 is stopped.")
    await expect(stopped).to_be_visible()
    await expect(hall.get_by_text("Game A-1 is void: every wager on it")).to_be_visible()
    await anna.house.parties.restart_generator()
    await expect(stopped).to_be_hidden()
    assert await anna.close_game() == 2
    await expect(hall.get_by_text("Result of game A-2")).to_be_visible()
    await sue.tab("RNG room")
    draws = sue.page.get_by_role("table")
    await expect(draws).to_contain_text("Void, verified")
    await expect(draws.locator("tr", has_text="A-2")).to_contain_text("✓ Verified")
    await sue.picture("console-room-void")


async def given_back(anna: Booth, text: str, amount: str) -> None:
    """The wager on a void game is paid back at the station."""
    before = len(anna.station.papers())
    await anna.keys("F2")
    await anna.fill_in(scanned(text))
    await anna.said(amount)
    await anna.page.get_by_role("button", name="Pay $").click()
    assert amount in await anna.paper(before)
    await anna.said("stays in the drawer")
    await anna.keys("Enter")


# ---------------------------------------------------------------- the RNG room

SHOWS = """() => [...document.querySelectorAll('main button, main a, main input, main form')]
  .filter((each) => !each.closest('.copyable')).map((each) => each.outerHTML)"""
"""Whatever could be pressed or filled in beside what is only copied."""


async def test_the_room_shows_generator_witness_and_draws_and_changes_nothing(
    anna: Booth, browser: Browser
) -> None:
    await anna.sell(*WAY)
    async with desk(browser, anna.house.served, "IVY") as ivy:
        await ivy.tab("RNG room")
        await ivy.said("No game has been locked here yet.")
        generator, witness = (
            ivy.page.get_by_role("region", name=each, exact=True)
            for each in ("Generator", "Witness")
        )
        number = await anna.close_game()
        numbers = (await anna.house.served.game(number))["numbers"]
        draws = ivy.page.get_by_role("region", name="Last draws at Main")
        await expect(draws).to_contain_text("✓ Verified")
        [row] = await rows(draws)
        assert [int(each) for each in row[5].split()] == numbers
        assert row[3] == "1"
        for party in (generator, witness):
            await expect(party).to_contain_text("Answers")
        room = await answered(ivy, type="draw_room")
        [place] = room["locations"]
        keys = ivy.page.get_by_role("region", name="Both keys")
        for words in ("✓ Verified", "Unlock 1", place["boots"][0]["inspector"][:6]):
            await expect(keys).to_contain_text(words)
        sealed = ivy.page.get_by_role("region", name="Sealed")
        for each in place["commitments"]:
            await expect(sealed).to_contain_text(each["name"])
            await expect(sealed).to_contain_text(each["commitment"][:6])
        await reachable(ivy)
        await ivy.picture("console-room")
        proof = await file_of(ivy, ivy.page.get_by_role("link", name="Proof file of A-1"))
        assert proof == (await anna.house.served.proof(number))[1]
        for each in await ivy.page.evaluate(SHOWS):
            assert 'class="panel place"' in each or "/proof" in each, each

        await stop_generator(anna)
        await close(anna, number + 1)
        await expect(generator).to_contain_text("Does not answer")
        await expect(witness).to_contain_text("Answers")
        await ivy.said("One step does not go on")
        await reachable(ivy)
        await ivy.picture("console-room-silent")
        await anna.house.parties.restart_generator()
        await anna.house.served.settled(number + 1)
        await expect(generator).to_contain_text("Answers")
        await expect(ivy.page.get_by_text("does not go on")).to_have_count(0)
        await expect(keys).to_contain_text("Unlock 2")
        assert len(ivy.loads) == 1
