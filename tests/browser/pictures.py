"""Takes the pictures of docs/pictures: `python -m tests.browser.pictures [FOLDER]`.

The data is that of story.py, and so is the verifier's answer; everything else is the product.
"""

import asyncio
import io
import json
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Page, expect

from tests.browser import story as t
from tests.browser.chromium import chromium, page_of

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
COLOURS = 255
MEANT = ("#6bd6a8", "#ff8757", "#ff6470", "#8fc7ff", "#ffb84a", "#fff3dc")
VERIFIER = "export async function verifyGame(told) { return JSON.parse(told); }"
CARD = [{"card": "26-4", "first_game": 1193}]
DRAW = t.state(
    server_ms=t.NOW_MS + 1, drawing=t.drawn(1184, 12), last=t.shown(1183),
    open=t.opened(1185, 310_900),
)  # fmt: skip
CLOSING = t.state(
    server_ms=t.NOW_MS + 239_000, open=t.opened(1185, 61_000, closing=True), changes=CARD
)


def told_proof(game: int) -> str:
    good = {"proven": True, "steps": [{"state": "good"}], "state": "drawn"}
    return json.dumps(good | {"game": game, "numbers": t.GAMES[game]})


async def draw(page: Page, story: t.Story) -> None:
    """Show the thirteenth ball of game 1184 on a board that saw it open."""
    story.first = t.state(open=t.opened(1184, 9_000), last=t.shown(1183))
    await story.show(page)
    await verified(page, ".bar .mark")
    await story.say(DRAW)
    await expect(page.locator("[data-tone='drawing']")).to_be_visible()
    await page.evaluate("() => document.fonts.ready")
    await story.say(t.ball(1184, 12))
    await expect(page.locator(".ball-count")).to_contain_text("13 of 20")
    await page.evaluate("() => Promise.all(document.getAnimations().map((each) => each.finished))")


async def closing(page: Page, story: t.Story) -> None:
    story.first = CLOSING
    await story.show(page)
    await verified(page, ".bar .mark")


async def history(page: Page, story: t.Story) -> None:
    await story.show(page, "/history/main")
    await page.get_by_role("radio", name="500").click()
    await page.get_by_role("button", name="Verify game A-1184").click()
    await expect(page.locator("td.proof").first).to_contain_text("Verified")
    await page.mouse.move(0, 0)
    await page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")


async def verified(page: Page, where: str) -> None:
    """Advance the page's clock past the delay of the check, and wait for its check mark."""
    await expect(page.locator("keno-board")).not_to_have_attribute("data-tone", "offline")
    await page.clock.run_for(3_000)
    await expect(page.locator(where)).to_have_attribute("data-tone", "proven")


PICTURES: dict[str, tuple[Any, int, int, int]] = {
    "board-1080p": (draw, 1920, 1080, 1920),
    "board-closing": (closing, 1920, 1080, 1920),
    "board-4k": (draw, 3840, 2160, 1600),
    "board-portrait": (draw, 1080, 1920, 1080),
    "history": (history, 1280, 1420, 1280),
}


async def take(browser: Browser, story: t.Story, name: str, folder: Path) -> None:
    """Take one picture and save it, reduced to few colours, in a folder."""
    act, width, height, kept = PICTURES[name]
    async with page_of(browser, width, height) as page:
        await act(page, story)
        await page.evaluate("() => document.fonts.ready")
        taken = Image.open(io.BytesIO(await page.screenshot())).convert("RGB")
    small = taken.resize((kept, round(height * kept / width)), Image.Resampling.LANCZOS)
    few = small.quantize(palette=_palette(small), dither=Image.Dither.NONE)
    await asyncio.to_thread(few.save, folder / f"{name}.png", optimize=True)


def _palette(picture: Image.Image) -> Image.Image:
    """Reduce a picture to few colours, among them every colour that has a meaning."""
    more = Image.new("RGB", (picture.width, picture.height + 40 * len(MEANT)))
    more.paste(picture)
    for index, colour in enumerate(MEANT):
        more.paste(colour, (0, picture.height + 40 * index, picture.width, more.height))
    return more.quantize(COLOURS)


async def main(folder: Path, names: list[str]) -> None:
    async with chromium() as browser, t.telling() as story:
        story.files["keno/pages/verify/proof.js"] = VERIFIER
        story.proofs |= {str(game): told_proof(game) for game in t.GAMES}
        for name in names or PICTURES:
            await take(browser, story, name, folder)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if sys.argv[1:] else FOLDER, sys.argv[2:]))
