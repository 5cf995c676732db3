"""Takes the pictures of the patron's pages: `python -m tests.browser.patron_pictures`.

The pages are the product's own. They are given the data of story.py; prices and odds are computed
by the server's code.
"""

import asyncio
import sys
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.async_api import Browser, Page, Route, expect

from keno.domain.request_json import to_written
from keno.domain.request_text import conditioning, parse, set_name
from keno.domain.ways import winning_ways
from keno.service import counter
from keno.web.ticket_check import named
from tests.browser.chromium import chromium, page_of
from tests.browser.story import GAMES, NOW_MS
from tests.integration.web.served import serving

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
CARD = counter.usable_card(counter.load_card(counter.EXAMPLE))
REQUEST = parse("7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/12@1.00 x5", CARD)
PLACE = {
    "location": "main", "letter": "A", "name": "Main Floor", "zone": "America/New_York",
    "casino": "Larkspur Keno", "value": True, "digital": True, "card": "26-3",
}  # fmt: skip
DAY_MS = 86_400_000
STEPS = [
    ("genesis", "The keys are in order", "Compare with the digest that is posted at the booth."),
    ("form", "The record of game A-1182 is complete", "Every line is written as it must be."),
    ("signed", "Signed by generator, witness and house",
     "Unlocked by an inspector and a supervisor, for the 3rd time."),
    ("links", "Nothing was exchanged: each record seals the one before it", "None is missing."),
    ("secrets", "Both secrets are the ones that were sealed", "Neither is used twice."),
    ("times", "Sealed before game A-1182 opened",
     "Sealed 8:49:00 PM, opened 8:49:01 PM, closed 8:54:00 PM."),
    ("numbers", "The twenty numbers follow from the sealed secrets",
     "Computed again here: 20 of 20 agree, in their order."),
    ("ticket", "Your ticket is in the sealed list",
     "Number 312 of 1,047, sealed before the numbers existed."),
]  # fmt: skip


def ticket() -> dict[str, Any]:
    """Return ticket 418 2276 as the server would send it."""
    games = []
    for number, numbers in GAMES.items():
        catches = [len(set(numbers) & set(group)) for group in REQUEST.all_groups]
        ways = winning_ways(REQUEST, CARD, catches)
        award = sum(way.award_cents for way in ways)
        games.append({"game": number, "name": f"A-{number}", "state": "settled", "more": 0,
                      "numbers": numbers, "catches": catches, "award_cents": award,
                      "ways": named(REQUEST, ways)})  # fmt: skip
    return {
        "location": "main", "letter": "A", "ticket": 4182276, "state": "live", "card": "26-3",
        "station": "window-3", "sold_ms": NOW_MS - 28 * 60_000, "first_game": 1180,
        "last_game": 1184, "price_cents": 20_00, "request": to_written(REQUEST), "games": games,
        "payable_cents": sum(game["award_cents"] for game in games), "why_not": None,
        "why_not_code": None, "claim_until_ms": NOW_MS + 363 * DAY_MS, "kind": "king", "ways": 4,
        "conditioning": [conditioning(REQUEST, line, CARD) for line in REQUEST.lines],
        "groups": [{"letter": set_name((index,), REQUEST), "numbers": list(group)}
                   for index, group in enumerate(REQUEST.all_groups)],
        "signed_from_cents": 1_500_00, "place": PLACE,
    }  # fmt: skip


def results() -> dict[str, Any]:
    shown = [
        {"game": game, "name": f"A-{game}", "state": "settled", "numbers": GAMES[game],
         "closed_ms": NOW_MS - (1185 - game) * 300_000, "tickets": 318, "commitment": "9f"}
        for game in sorted(GAMES, reverse=True)
    ]  # fmt: skip
    return {**PLACE, "results": shown}


def verifier() -> str:
    """Return the source of a fake verifier module that reports the game as proven."""
    steps = [{"id": i, "title": t, "state": "good", "words": w} for i, t, w in STEPS]
    told = {"proven": True, "game": 1182, "numbers": None, "steps": steps}
    return f"export const verifyGame = async () => ({told!r});".replace("True", "true").replace(
        "None", "null"
    )


async def told_to(page: Page) -> None:
    async def answer(route: Route) -> None:
        url = route.request.url
        if "/api/tickets/check" in url:
            await route.fulfill(json=ticket())
        elif "/keno/pages/verify/proof.js" in url:
            await route.fulfill(content_type="text/javascript", body=verifier())
        elif url.endswith("/proof"):
            await route.fulfill(body="{}")
        elif "/api/games/" in url:
            await route.fulfill(json={"opened_ms": NOW_MS})
        elif "/api/places" in url:
            await route.fulfill(json=[PLACE])
        elif "/api/results.json" in url:
            await route.fulfill(json=results())
        else:
            await route.fallback()

    await page.route("**/*", answer)


async def built(page: Page) -> None:
    await page.get_by_role("button", name="Examples").click()
    await page.locator(".examples li", has_text="King").get_by_role("button").click()
    await page.get_by_role("button", name="Ways, rate, games").click()
    await page.get_by_label("Games", exact=True).fill("5")
    await page.get_by_label("Games", exact=True).press("Tab")
    await page.get_by_role("button", name="Close").click()
    await expect(page.locator(".price")).to_have_text("$20.00")
    await expect(page.locator("#page")).to_have_attribute("data-priced", "yes")
    await page.evaluate("document.activeElement.blur()")


async def checked(page: Page) -> None:
    await expect(page.get_by_role("heading", name="Proven", exact=False)).to_be_visible()


async def listed(page: Page) -> None:
    await expect(page.locator(".list li")).to_have_count(len(GAMES))


SCENES = {
    "phone-check": ("/t/A-4182276-0123456789ABCDEF", checked, "dark"),
    "phone-build": ("/build", built, "dark"),
    "phone-build-light": ("/build", built, "light"),
    "phone-results": ("/results", listed, "dark"),
}


async def take(browser: Browser, base: str, name: str, *, wide: tuple[int, int] | None) -> bytes:
    path, ready, scheme = SCENES[name]
    size, scale = wide or (390, 844), 1 if wide else 2
    async with page_of(browser, *size, color_scheme=scheme, device_scale_factor=scale) as page:
        await told_to(page)
        await page.goto(base + path)
        await ready(page)
        await page.evaluate("document.fonts.ready")
        return await page.screenshot()


def small(picture: bytes) -> bytes:
    """Return a PNG in 256 colours, about a fifth of the size."""
    made = BytesIO()
    few = (
        Image.open(BytesIO(picture))
        .convert("RGB")
        .quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=1, dither=Image.Dither.NONE)
    )
    few.save(made, "PNG", optimize=True)
    return made.getvalue()


async def main(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as made:
        async with serving(Path(made)) as house, chromium() as browser:
            house.floor.house.cards["1"] = CARD
            for name in SCENES:
                picture = await take(browser, house.base, name, wide=None)
                (folder / f"{name}.png").write_bytes(small(picture))
            for name, size in (("1080p", (1920, 1080)), ("4k", (3840, 2160))):
                for scene in ("phone-check", "phone-build"):
                    picture = await take(browser, house.base, scene, wide=size)
                    kept = f"{scene.removeprefix('phone-')}-{name}.png"
                    (folder / kept).write_bytes(small(picture))


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES))
