"""The board in a real Chromium on a real house: every number it shows was drawn, ball by ball."""

import asyncio
import os
import signal
from contextlib import AbstractAsyncContextManager
from itertools import pairwise
from pathlib import Path

from playwright.async_api import Browser, Page, Route, expect

from keno.protocol import Ball, CloseGame, Override, read_server
from tests.browser.boards import Seen, check_only_drawn, seen, watch
from tests.browser.chromium import grave_findings, page_of
from tests.consoles import Console, at_console
from tests.e2e.floor import ServerProcess, serving
from tests.e2e.opening import PASSWORDS_OF, Opened, opened
from writer_station.client import new_id

HELD_BECAUSE = "A bus is late."


def sue_at(served: ServerProcess) -> AbstractAsyncContextManager[Console]:
    return at_console(served.address, "SUE", PASSWORDS_OF["SUE"])


async def open_board(page: Page, served: ServerProcess, query: str = "") -> None:
    await watch(page)
    await page.goto(f"{served.address}/board/main{query}")
    await expect(page.locator("keno-board[data-tone='open']")).to_be_visible()


async def close_game(sue: Console, game: int) -> None:
    await sue.ask(CloseGame(new_id(), "main", game))


def tones(moments: list[Seen]) -> list[str]:
    """The states in their order, each once."""
    found = [moment.tone for moment in moments]
    return found[:1] + [after for before, after in pairwise(found) if after != before]


async def test_a_draw_ball_by_ball(tmp_path: Path, browser: Browser) -> None:
    async with opened(tmp_path) as house, sue_at(house.served) as sue:
        served = house.served
        async with page_of(browser) as page:
            await open_board(page, served)
            await expect(page.locator(".band")).to_contain_text("NO VALUE")
            await expect(page.locator("footer")).to_contain_text("Keno booth, Main")
            await expect(page.locator("footer")).to_contain_text("$100,000.00")
            commitment = (await served.game(1))["commitment"]
            shown = f"{commitment[:4]} {commitment[4:8]}".upper()
            await expect(page.locator(".sealed")).to_contain_text(f"A-1 sealed{shown}")
            await close_game(sue, 1)
            await expect(page.locator(".bar")).to_contain_text("Result of game A-1")
            order = await served.settled(1)
            moments = await seen(page)
            assert sorted(set(check_only_drawn(moments, "A-1", order))) == list(range(21))
            counts = check_only_drawn(moments, "A-1", order)
            assert counts == sorted(counts)
            assert tones(moments)[-5:] == ["open", "closing", "locked", "drawing", "open"]
            assert sorted(moments[-1].was) == sorted(order)
            assert moments[-1].slots == order
            mark = page.locator(".bar .mark")
            await expect(mark).to_have_attribute("data-tone", "proven")
            await expect(mark).to_have_text("Verified")
            assert await grave_findings(page) == []
        async with page_of(browser, 1280, 900) as page:
            await check_history(page, served, order)
        async with page_of(browser) as page:
            await page.route("**/proof", tampered)
            await page.goto(f"{served.address}/board/main")
            await expect(page.locator(".bar .mark")).to_have_attribute("data-tone", "failed")
            assert "Verified" not in await page.locator("keno-board").inner_text()


async def tampered(route: Route) -> None:
    """A proof whose close was dated a little later than it was signed."""
    answer = await route.fetch()
    text = (await answer.text()).replace('"time_ms":1', '"time_ms":2', 1)
    await route.fulfill(response=answer, body=text)


async def check_history(page: Page, served: ServerProcess, order: list[int]) -> None:
    await page.goto(f"{served.address}/history/main")
    row = page.locator(".games tbody tr")
    await expect(row).to_have_count(1)
    assert await row.locator(".balls span").all_inner_texts() == [str(n) for n in sorted(order)]
    await expect(page.locator("td.proof")).not_to_contain_text("Verified")
    await page.get_by_role("button", name="Verify game A-1").click()
    await expect(page.locator("td.proof")).to_contain_text("✓ Verified")
    assert await grave_findings(page) == []


async def test_the_server_is_killed_in_mid_draw(tmp_path: Path, browser: Browser) -> None:
    async with opened(tmp_path) as house, page_of(browser) as page:
        served = house.served
        async with sue_at(served) as sue:
            await open_board(page, served)
            watching = asyncio.create_task(kill_at_ball(served, 5))
            await close_game(sue, 1)
            balls = await watching
        await expect(page.locator("keno-board[data-tone='offline']")).to_be_visible()
        await expect(page.locator(".face")).to_contain_text("No signal since")
        await expect(page.locator(".n[data-ground='lit'], .n[data-ground='hot']")).to_have_count(0)
        dark = (await seen(page))[-1]
        assert dark.slots == balls[: len(dark.slots)]
        assert sorted(dark.out) == sorted(dark.slots)
        assert not dark.ball
        async with serving(served.folder, served.port) as again:
            await expect(page.locator(".bar")).to_contain_text("Result of game A-1")
            order = await again.settled(1)
            assert order[: len(balls)] == balls
            moments = await seen(page)
            # A busy machine may be back only when the last ball is out: then all are there at once.
            assert max(check_only_drawn(moments, "A-1", order)) >= len(balls)
            assert "offline" in tones(moments)
            assert moments[-1].slots == order


async def kill_at_ball(served: ServerProcess, many: int) -> list[int]:
    """End the server, as a power cut would, when so many balls are on the board."""
    balls: list[int] = []
    async with served.web.ws_connect(f"{served.address}/ws/board/main") as board:
        async for frame in board:
            event = read_server(frame.data)
            if isinstance(event, Ball):
                balls.append(event.number)
            if len(balls) == many:
                break
        served.process.kill()
        await served.process.wait()
    return balls


async def test_held_and_stopped_are_said_in_plain_words(tmp_path: Path, browser: Browser) -> None:
    async with (
        opened(tmp_path) as house,
        page_of(browser) as page,
        sue_at(house.served) as sue,
    ):
        await open_board(page, house.served)
        await sue.ask(Override(new_id(), "main", "hold", HELD_BECAUSE))
        await expect(page.locator("keno-board[data-tone='held']")).to_be_visible()
        await expect(page.locator("header")).to_contain_text("Held by the supervisor")
        await expect(page.locator("header")).to_contain_text(HELD_BECAUSE)
        await expect(page.locator(".clock")).to_be_hidden()
        await sue.ask(Override(new_id(), "main", "resume", "It is here."))
        await expect(page.locator("keno-board[data-tone='open']")).to_be_visible()
        await stop_the_draw(house, sue, page)


async def stop_the_draw(house: Opened, sue: Console, page: Page) -> None:
    """The witness dies, the game is closed: no ball, no guess, and the tickets stay valid."""
    await expect(page.locator("header")).not_to_contain_text(HELD_BECAUSE)
    await house.served.get("/api/locations")
    os.kill(house.parties.witness_pid, signal.SIGKILL)
    await close_game(sue, 1)
    await expect(page.locator("keno-board[data-tone='irregular']")).to_be_visible()
    words = "is stopped. Your tickets stay valid."
    await expect(page.locator(".bar")).to_contain_text(words)
    await expect(page.locator("keno-board")).to_contain_text("The draw is delayed")
    await expect(page.locator(".stage")).to_have_attribute("aria-label", "Stopped")
    last = (await seen(page))[-1]
    assert (last.lit, last.ball, last.slots) == ([], [], [])
    assert await grave_findings(page) == []
