"""The patron's pages in a real browser and a real house: checked, proven, built, read."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zxingcpp
from PIL import Image
from playwright.async_api import Browser, Page, Response, Route, expect

from keno import protocol
from keno.domain.money import format_dollars
from keno.domain.request_json import to_written
from keno.domain.request_text import parse
from keno.service import counter
from tests.browser.chromium import grave_findings, page_of
from tests.consoles import Console, at_console
from tests.e2e.floor import Station, at_station, graded, said, singles
from tests.e2e.opening import PASSWORDS_OF, Opened, opened
from writer_station.client import new_id

CARD = counter.usable_card(counter.load_card(counter.EXAMPLE))
STORY = "7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/12@1.00 x5 =20.00"
WEIGHT_MAX = 90_000
PHONE = (390, 844)
OTHER_CODE = "0123456789ABCDEF"
ROOM = """() => {
  const [sold, buttons] = ['.sold', '.cta'].map((each) =>
    document.querySelector(each).getBoundingClientRect());
  return document.querySelector('.sold').open && sold.bottom + 8 <= buttons.top;
}"""
FRAME = """(element) => {
  const is = getComputedStyle(element);
  return [is.outlineStyle, is.outlineWidth, is.boxShadow];
}"""


@asynccontextmanager
async def booth(folder: Path) -> AsyncIterator[tuple[Opened, Station, Console]]:
    """A house that is open, with a writer at a station and a supervisor at the console."""
    async with (
        opened(folder) as house,
        at_console(house.served.address, "SUE", PASSWORDS_OF["SUE"]) as sue,
        at_station(house.served, "1", house.station_key) as anna,
    ):
        await anna.ask(protocol.SignIn(new_id(), "ANNA", PASSWORDS_OF["ANNA"]))
        await anna.ask(protocol.OpenShift(new_id(), 2_000_00))
        yield house, anna, sue


async def played(house: Opened, anna: Station, sue: Console) -> tuple[int, list[int]]:
    """Close the open game; its number, and its balls when they are shown."""
    now = await anna.open_game()
    await sue.ask(protocol.CloseGame(new_id(), "main", now.game))
    return now.game, await house.served.settled(now.game)


def address(house: Opened, sold: dict[str, Any]) -> str:
    """What the QR code of a ticket leads to."""
    return f"{house.served.address}/t/A-{sold['ticket']}-{sold['code']}"


async def key_in(page: Page, house: Opened, number: object, code: str) -> None:
    await page.goto(f"{house.served.address}/check")
    await page.get_by_label("Ticket number").fill(str(number))
    await page.get_by_label("Code", exact=False).last.fill(code)
    await page.get_by_role("button", name="Check this ticket").click()


def bent(line: str, old: str, new: str) -> str:
    assert line.count(old), old
    return line.replace(old, new)


async def tampering(page: Page, path: str, bend: Any) -> None:
    """Whatever the server says at this path comes bent to the page."""

    async def answer(route: Route) -> None:
        response = await route.fetch()
        await route.fulfill(response=response, body=bend(await response.text()))

    await page.route(path, answer)


async def steps(page: Page) -> dict[str, str]:
    """The state of every step that is shown, by its name."""
    found: list[tuple[str, str]] = await page.locator(".steps li").evaluate_all(
        "all => all.map((each) => [each.dataset.id, each.dataset.state])"
    )
    return dict(found)


async def test_a_ticket_is_checked_won_and_proven(tmp_path: Path, browser: Browser) -> None:
    async with booth(tmp_path) as (house, anna, sue):
        won = await anna.sell(singles("1.00"))
        lost = await anna.sell("79 80: 1/2@1.00")
        async with page_of(browser, *PHONE) as page:
            await page.goto(address(house, won))
            await expect(page.get_by_role("heading", name="Not drawn yet")).to_be_visible()
            assert page.url == f"{house.served.address}/check", "no code stays in the address"
        game, numbers = await played(house, anna, sue)
        award = format_dollars(graded(tmp_path, won, numbers))
        async with page_of(browser, *PHONE) as page:
            await page.goto(address(house, won))
            await expect(page.get_by_role("heading", name="Your ticket won")).to_be_visible()
            await expect(page.locator(".amount")).to_have_text(award)
            balls = await page.locator(".balls li").all_text_contents()
            assert [int(each) for each in balls] == numbers
            await expect(page.get_by_role("heading", name="Proven on this phone")).to_be_visible()
            await page.get_by_text("All 8 steps").click()
            shown = await steps(page)
            assert len(shown) == 8
            assert set(shown.values()) == {"good"}
            await keeps_what_keno_verify_takes(page, tmp_path, game)
        await tampered(browser, house, won)
        await strangers(browser, house, won)
        hit = {79, 80} <= set(numbers)
        async with page_of(browser, *PHONE) as page:
            await key_in(page, house, lost["ticket"], lost["code"].lower())
            title = "Your ticket won" if hit else "No award on this ticket"
            await expect(page.get_by_role("heading", name=title)).to_be_visible()
            assert await page.locator("body").get_attribute("data-glow") == ("yes" if hit else "no")
        log = (house.served.folder / "server.log").read_text()
        assert won["code"] not in log
        assert lost["code"] not in log


async def keeps_what_keno_verify_takes(page: Page, folder: Path, game: int) -> None:
    await page.get_by_role("button", name="Save the proof").click()
    command = (await page.locator(".command").text_content() or "").split()
    kept = []
    for name in ("Save the record of the game", "Save your ticket’s place"):
        async with page.expect_download() as coming:
            await page.get_by_role("link", name=name).click()
        download = await coming.value
        assert download.suggested_filename in command
        kept.append(folder / download.suggested_filename)
        await download.save_as(kept[-1])
    assert kept[0].name == f"A-{game}.proof"
    verified = await said("verify", kept[0], "--part", "--ticket", kept[1])
    assert verified.code == 0, verified.err


async def tampered(browser: Browser, house: Opened, sold: dict[str, Any]) -> None:
    """A bent proof fails at its own step; what comes after it is not looked at."""

    def other_leaf(line: str) -> str:
        proof = json.loads(line)
        proof["index"] += 1
        return json.dumps(proof, separators=(",", ":"), sort_keys=True) + "\n"

    def other_secret(text: str) -> str:
        *rest, last = text.splitlines(keepends=True)
        signature = str(next(iter(json.loads(last)["attest"]["sigs"].values())))
        return "".join([*rest, bent(last, signature, signature[::-1])])

    cases: tuple[tuple[str, Any, str, list[str]], ...] = (
        ("**/api/tickets/proof", other_leaf, "ticket", []),
        ("**/api/games/main/*/proof", other_secret, "signed",
         ["links", "secrets", "times", "numbers", "ticket"]),
    )  # fmt: skip
    for path, bend, fails, later in cases:
        async with page_of(browser, *PHONE) as page:
            await tampering(page, path, bend)
            await page.goto(address(house, sold))
            title = page.get_by_role("heading", name="Not proven", exact=False)
            await expect(title).to_be_visible()
            found = await steps(page)
            assert found.pop(fails) == "failed", found
            assert {name for name, state in found.items() if state == "not reached"} == set(later)
            assert "failed" not in found.values()


async def test_a_ticket_that_was_ended_is_told_calmly_and_proven(
    tmp_path: Path, browser: Browser
) -> None:
    """What the sealed list holds of a void or cancelled ticket is that it was ended."""
    async with booth(tmp_path) as (house, anna, sue):
        voided = await anna.sell("7 18 33 61: 1/4@1.00")
        await anna.ask(protocol.Void(new_id(), voided["ticket"], voided["code"]))
        async with page_of(browser, *PHONE) as page:
            await page.goto(address(house, voided))
            words = page.get_by_text("Void before the draw: it plays in no game.")
            await expect(words).to_be_visible()
            assert await page.locator(".proof").get_attribute("data-state") == "ended"
            await expect(page.locator(".sum")).to_have_count(0)
        races = await anna.sell(singles("1.00", 2))
        _, numbers = await played(house, anna, sue)
        due = graded(tmp_path, races, numbers)
        paid = (await anna.look(races))["refund"]
        payment = protocol.Payment(paid["awards_cents"] + paid["refund_cents"])
        assert paid["awards_cents"] == due
        await anna.ask(protocol.Refund(new_id(), races["ticket"], races["code"], payment))
        await played(house, anna, sue)
        for sold, game, says in (
            (voided, 1, "Void before the draw, and the sealed list says so"),
            (races, 1, "Your ticket is in the sealed list"),
            (races, 2, "Cancelled before the draw, and the sealed list says so"),
        ):
            async with page_of(browser, *PHONE) as page:
                await page.goto(address(house, sold))
                await page.get_by_role("button", name=f"Game A-{game},").click()
                title = f"Proven on this phonegame A-{game}"
                await expect(page.locator(".proof h2")).to_have_text(title)
                await expect(page.locator(".steps [data-id='ticket'] b")).to_contain_text(says)
                assert set((await steps(page)).values()) == {"good"}
                played_it = says.startswith("Your ticket")
                await expect(page.locator(".sum")).to_have_count(int(played_it))
                await expect(page.locator(".balls")).to_have_count(int(played_it))
        await claimed_to_be_void(browser, house, races)


async def test_after_enter_the_heading_has_the_focus_and_no_frame_stands_around_the_page(
    tmp_path: Path, browser: Browser
) -> None:
    async with booth(tmp_path) as (house, anna, _):
        sold = await anna.sell("7 18 33 61: 1/4@1.00")
        for scheme in ("dark", "light"):
            async with page_of(browser, *PHONE, color_scheme=scheme) as page:
                await page.goto(f"{house.served.address}/check")
                await page.get_by_label("Ticket number").fill(str(sold["ticket"]))
                await page.get_by_label("Code", exact=False).last.fill(sold["code"])
                await page.keyboard.press("Enter")
                title = page.get_by_role("heading", name="Not drawn yet")
                await expect(title).to_be_focused()
                assert await title.evaluate(FRAME) == ["solid", "1px", "none"]
                frame = await page.locator("#page").evaluate(FRAME)
                assert (frame[0], frame[2]) == ("none", "none"), scheme


@pytest.mark.parametrize("size", [PHONE, (1280, 720), (1920, 1080)])
async def test_the_buttons_cover_nothing_of_the_ticket_as_sold(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    async with booth(tmp_path) as (house, anna, sue):
        sold = await anna.sell("7 18 33 61: 1/4@1.00")
        await played(house, anna, sue)
        async with page_of(browser, *size) as page:
            await page.goto(address(house, sold))
            await expect(page.get_by_role("heading", name="Proven")).to_be_visible()
            await page.get_by_text("As sold").click()
            await page.wait_for_function(ROOM)
            await page.mouse.wheel(0, 9_999)
            await page.wait_for_function(ROOM)


async def test_every_page_leads_to_the_start_page_and_keeps_the_place(
    tmp_path: Path, browser: Browser
) -> None:
    async with booth(tmp_path) as (house, anna, _), page_of(browser, *PHONE) as page:
        start = house.served.address
        _, [place] = await house.served.get("/api/places")
        for path in ("/check", "/build", "/results", "/ratecard", "/guide", "/"):
            await page.goto(f"{start}{path}?at=main")
            await expect(page.get_by_text("1-800-GAMBLER").first).to_be_visible()
            links = await page.locator("a.home, .foot a, .door").evaluate_all(
                "all => all.map((each) => each.getAttribute('href'))"
            )
            assert len(links) >= 5
            assert {each.partition("?")[2] for each in links} == {"at=main"}, path
            if path != "/":
                home = page.locator(".bar > .home")
                await expect(home).to_have_text(place["casino"])
                await home.click()
                await expect(page).to_have_url(f"{start}/?at=main")
        await page.goto(f"{start}/history/main")
        await expect(page.locator("a.home")).to_have_text(place["casino"])
        await page.locator("a.home").click()
        await expect(page).to_have_url(f"{start}/?at=main")
        sold = await anna.sell("7 18 33 61: 1/4@1.00")
        await page.goto(address(house, sold))
        await expect(page.get_by_role("heading", name=f"Ticket {sold['ticket']}")).to_be_visible()
        await expect(page.locator(".bar > .home")).to_have_text(place["casino"])


async def claimed_to_be_void(browser: Browser, house: Opened, sold: dict[str, Any]) -> None:
    """A server that calls a ticket void which the sealed list has as one that plays."""

    def bend(text: str) -> str:
        return json.dumps(json.loads(text) | {"state": "void", "ended_game": 1})

    async with page_of(browser, *PHONE) as page:
        await tampering(page, "**/api/tickets/check", bend)
        await page.goto(address(house, sold))
        await page.get_by_role("button", name="Game A-1,").click()
        await expect(page.locator(".proof h2")).to_have_text("Not provengame A-1")
        assert (await steps(page))["ticket"] == "failed"


async def strangers(browser: Browser, house: Opened, sold: dict[str, Any]) -> None:
    """A wrong code tells nothing; asking too often is told in words."""
    async with page_of(browser, *PHONE) as page:
        words = page.get_by_role("alert")
        await key_in(page, house, sold["ticket"], OTHER_CODE)
        await expect(words).to_have_text("No ticket has this number and this code. Compare every "
                                         "character with the paper.")  # fmt: skip
        await key_in(page, house, sold["ticket"], "ABC")
        await expect(words).to_have_text("A code has 16 characters; this has 3.")
        await key_in(page, house, sold["ticket"], OTHER_CODE)
        await expect(words).to_contain_text("No ticket has this number")

        async def busy(route: Route) -> None:
            await route.fulfill(status=429, json={"type": "refused", "code": "too_fast"})

        await page.route("**/api/tickets/check", busy)
        await page.get_by_role("button", name="Check this ticket").click()
        await expect(words).to_contain_text("Wait a minute")


async def test_the_check_page_is_light(tmp_path: Path, browser: Browser) -> None:
    async with booth(tmp_path) as (house, anna, sue):
        sold = await anna.sell("7 18 33 61: 1/4@1.00")
        await played(house, anna, sue)
        loaded: list[Response] = []
        async with page_of(browser, *PHONE) as page:
            page.on("response", lambda response: loaded.insert(0, response))
            await page.goto(address(house, sold))
            await expect(page.get_by_role("heading", name="Proven on this phone")).to_be_visible()
            bodies = {each.url: (await each.request.sizes())["responseBodySize"] for each in loaded}
        assert {each.split("/")[2] for each in bodies} == {f"127.0.0.1:{house.served.port}"}
        fonts = {name for name in bodies if name.endswith(".woff2")}
        assert {name[-9:-6] for name in fonts} <= {"400", "600", "700"}
        assert sum(bodies.values()) < WEIGHT_MAX, bodies


CAMERA = """([seen]) => {
  const canvas = document.createElement('canvas');
  const pen = canvas.getContext('2d');
  setInterval(() => {
    pen.fillStyle = pen.fillStyle === '#000000' ? '#ffffff' : '#000000';
    pen.fillRect(0, 0, 8, 8);
  }, 50);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(10);
  const codes = ['https://elsewhere.example/', seen];
  globalThis.BarcodeDetector = class {
    static getSupportedFormats = async () => ['qr_code'];
    detect = async () => [{ rawValue: codes.length > 1 ? codes.shift() : codes[0] }];
  };
}"""
"""A camera before which somebody holds a poster first, and then a ticket."""


async def test_a_camera_reads_the_code_where_the_browser_can(
    tmp_path: Path, browser: Browser
) -> None:
    async with booth(tmp_path) as (house, anna, _), page_of(browser, *PHONE) as page:
        sold = await anna.sell("7 18 33 61: 1/4@1.00")
        await page.add_init_script(f"({CAMERA})([{json.dumps(address(house, sold))}])")
        await page.goto(f"{house.served.address}/check")
        await page.get_by_role("button", name="Scan the square code").click()
        await expect(page.get_by_role("heading", name="Not drawn yet")).to_be_visible()
        await expect(page.get_by_role("dialog")).to_have_count(0)
        await page.get_by_text("As sold").click()
        await expect(page.get_by_text("1/4 @1.00")).to_be_visible()


async def test_a_request_is_built_shown_and_read(tmp_path: Path, browser: Browser) -> None:
    async with booth(tmp_path) as (house, anna, _):
        async with page_of(browser, *PHONE, has_touch=True) as page:
            await page.goto(f"{house.served.address}/build")
            await built(page)
            await expect(page.locator(".price")).to_have_text("$20.00")
            await expect(page.locator(".chances h2")).to_contain_text("about 14 pay")
            await expect(page.locator(".chances")).to_contain_text("House advantage 27.9%")
            await expect(page.get_by_text("Nothing is sold here.")).to_be_visible()
            await page.get_by_role("button", name="Show the code to a writer").click()
            picture = await page.get_by_role("img", name="Code for the keno writer").screenshot()
        [code] = zxingcpp.read_barcodes(np.asarray(Image.open(BytesIO(picture)).convert("L")))
        meant = parse(STORY, CARD)
        assert parse(code.text, CARD) == meant
        price = {"location": "main", "text": code.text}
        async with house.served.web.post(
            f"{house.served.address}/api/price", json=price
        ) as response:
            told = await response.json()
        assert (told["price_cents"], told["request"]) == (20_00, to_written(meant))
        sold = await anna.sell(code.text, protocol.DigitalOrigin("a patron's phone"))
        assert json.loads(sold["request_json"]) == to_written(meant)


async def pick(page: Page, *numbers: int) -> None:
    for number in numbers:
        await page.locator(f'.grid-tile[data-number="{number}"]').click()


async def built(page: Page) -> None:
    """The story's request, by touch and by keys."""
    await pick(page, 7, 18, 33, 61)
    await page.get_by_role("button", name="New group").click()
    await pick(page, 12, 26, 49, 70, 71, 71)
    await page.get_by_role("button", name="New group").click()
    await pick(page, 4, 38)
    await page.keyboard.press("ArrowLeft")
    await page.keyboard.press("ArrowDown")
    for _ in range(3):
        await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Space")  # 77
    await page.get_by_role("button", name="king, 0 numbers").click()
    await pick(page, 55)
    for total in ("3 ways of 8 numbers", "1 way of 12 numbers"):
        chip = page.get_by_role("button", name=total)
        await chip.click()
        await expect(chip).to_have_attribute("aria-pressed", "true")
    await page.get_by_role("button", name="Ways, rate, games").click()
    await page.get_by_label("Games", exact=True).fill("5")
    await page.get_by_label("Games", exact=True).press("Tab")
    await page.get_by_role("button", name="Close").click()
    await expect(page.locator("#page")).to_have_attribute("data-priced", "yes")


async def test_the_maximum_and_odds_that_are_too_intricate_are_said(
    tmp_path: Path, browser: Browser
) -> None:
    async with booth(tmp_path) as (house, _, _), page_of(browser, *PHONE) as page:
        chances, price = page.locator(".chances"), page.locator(".price")
        await page.goto(f"{house.served.address}/build")
        await page.get_by_role("button", name="king, 0 numbers").click()
        await pick(page, *range(1, 16))
        await page.get_by_role("button", name="5005 ways of 9 numbers").click()
        await page.get_by_role("button", name="Ways, rate, games").click()
        for _ in range(18):
            await page.locator(".stepper button").first.click()
        await page.get_by_role("button", name="Close").click()
        await expect(price).to_have_text("$500.50")
        await expect(chances).to_contain_text("One game pays at most $100,000.00 in all, so")
        await expect(chances).to_contain_text("House advantage 32.8%")
        assert await price.evaluate("(each) => each.getBoundingClientRect().right") <= PHONE[0]
        await page.goto(f"{house.served.address}/build")
        for size in range(1, 10):
            if size > 1:
                await page.get_by_role("button", name="New group").click()
            await pick(page, *range(size * (size - 1) // 2 + 1, size * (size + 1) // 2 + 1))
        await page.get_by_role("button", name="8 ways of 9 numbers").click()
        await expect(price).to_have_text("$8.00")
        await expect(chances).to_contain_text("too many different ways to list")
        await expect(chances).to_contain_text("House advantage at least 28.59%")
        await expect(chances).to_contain_text("On paper this ticket could win more")


async def test_examples_of_every_type_can_be_played(tmp_path: Path, browser: Browser) -> None:
    async with booth(tmp_path) as (house, _, _), page_of(browser, *PHONE) as page:
        await page.goto(f"{house.served.address}/build")
        examples = page.get_by_role("button", name="Examples")
        await examples.click()
        names = await page.locator(".examples h3").all_text_contents()
        assert len(names) == 7
        for index in range(len(names)):
            if index:
                await examples.click()
            item = page.locator(".examples li").nth(index)
            shown = (await item.locator(".sum-line span").text_content() or "").split(" = ")[1]
            await item.get_by_role("button").click()
            await expect(page.locator(".price")).to_have_text(shown)
            await expect(page.locator("#page")).to_have_attribute("data-priced", "yes")
            await expect(page.locator(".chances")).to_contain_text("House advantage")


@pytest.mark.parametrize("scheme", ["dark", "light"])
async def test_axe_finds_nothing_serious(tmp_path: Path, browser: Browser, scheme: str) -> None:
    async with booth(tmp_path) as (house, anna, sue):
        sold = await anna.sell("7 18 33 61/12 26/K55: 1/4@1.00 1/7@1.00 x2")
        game, numbers = await played(house, anna, sue)
        async with page_of(browser, *PHONE, color_scheme=scheme) as page:
            found = {}
            for path in ("/", "/check", "/build", "/results", "/ratecard", "/guide"):
                await page.goto(f"{house.served.address}{path}")
                await expect(page.get_by_text("1-800-GAMBLER").first).to_be_visible()
                if path == "/results":
                    await expect(page.locator(".list li")).to_have_count(1)
                    first = await page.locator(".numbers span").all_text_contents()
                    assert [int(each) for each in first] == sorted(numbers)
                    await page.get_by_label("Game").fill(f"A-{game + 5}")
                    await expect(page.get_by_text("There is no result")).to_be_visible()
                found[path] = await grave_findings(page)
            await page.goto(address(house, sold))
            await expect(page.get_by_role("heading", name="Proven on this phone")).to_be_visible()
            found["ticket"] = await grave_findings(page)
            await page.goto(f"{house.served.address}/build")
            await built(page)
            found["built"] = await grave_findings(page)
            await page.get_by_role("button", name="Show the code to a writer").click()
            await expect(page.locator(".qr")).to_be_visible()
            found["code"] = await grave_findings(page)
        assert not any(found.values()), found
