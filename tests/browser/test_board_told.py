"""The board told by a test: sizes, contrast, every state, a bad line, weeks of games, rotation."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from typing import Any

import pytest
from playwright.async_api import Browser, Page, expect

from tests.browser import story as t
from tests.browser.boards import check_only_drawn, seen, watch
from tests.browser.booth import until
from tests.browser.chromium import contrast, grave_findings, page_of

CAP = 0.7  # House's capitals are this part of the size
SIZES = ((1920, 1080), (3840, 2160), (1366, 768), (1080, 1920), (2160, 3840))
CAPS_U = {
    ".ball[data-on='yes'] > b": 236, ".name": 84, ".clock": 84, ".n": 42, ".o": 35, ".word": 29,
    ".side > .strong": 29, ".ball-count > .strong": 29, ".past > li": 20, "footer": 20,
}  # fmt: skip
DRAW = t.state(
    drawing=t.drawn(1184, 13), last=t.shown(1183), open=t.opened(1185, 310_000), value=False
)
STATES: dict[str, dict[str, Any]] = {
    "drawing": DRAW,
    "open": t.state(changes=[{"card": "26-4", "first_game": 1193}]),
    "closing": t.state(open=t.opened(1185, 58_000, closing=True)),
    "locked": t.state(drawing=t.drawn(1184, 0), last=t.shown(1183)),
    "held": t.state(open=t.opened(1185, None, mode="held")),
    "irregular": t.state(drawing=t.drawn(1184, 0), last=t.shown(1183), trouble="It is late."),
    "waiting": t.state(open=None, last=None),
    "closed": t.state(open=t.opened(1185, None), closed=t.LATER),
}
WORDS = {
    "drawing": "Drawing", "open": "Open", "closing": "Closing", "locked": "Closed", "held": "Held",
    "irregular": "Stopped", "waiting": "Opens soon", "closed": "Closed", "offline": "No signal",
}  # fmt: skip


@asynccontextmanager
async def told(
    browser: Browser, said: dict[str, Any], width: int = 1920, height: int = 1080, **how: Any
) -> AsyncIterator[tuple[Page, t.Story]]:
    """A board that has painted this state."""
    async with (
        t.telling() as story,
        page_of(browser, width, height, **how) as page,
    ):
        story.first = said
        await watch(page)
        await story.show(page)
        await expect(page.locator("keno-board")).not_to_have_attribute("data-tone", "offline")
        await page.evaluate("() => document.fonts.ready")
        yield page, story


async def style(page: Page, where: str, what: str) -> str:
    value: str = await page.locator(where).first.evaluate(
        "(element, what) => getComputedStyle(element)[what]", what
    )
    return value


@pytest.mark.parametrize(("width", "height"), SIZES)
async def test_ten_metres_away_everything_is_large_enough(
    browser: Browser, width: int, height: int
) -> None:
    tall = height > width
    unit = min(width / (1080 if tall else 1920), height / (1920 if tall else 1080))
    async with told(browser, DRAW, width, height) as (page, _):
        for where, cap_u in CAPS_U.items():
            size = float((await style(page, where, "fontSize")).removesuffix("px"))
            assert size * CAP / unit > cap_u - 0.01, where
        font = await page.evaluate("() => document.fonts.check('600 20px House')")
        assert font
        stage = await page.locator(".stage").bounding_box()
        assert stage is not None
        assert round(stage["width"] / unit) == 524
        assert await outside(page) == []


async def outside(page: Page) -> list[str]:
    """What sticks out of the picture, or lies over something else in the header."""
    found: list[str] = await page.evaluate("""() => {
      const box = (element) => element.getBoundingClientRect();
      const scene = box(document.querySelector('keno-board'));
      const visible = (element) => element.offsetParent && box(element).width > 1;
      const all = 'header > *, .past > li, .n, .o, .bar > *, footer > p';
      const parts = [...document.querySelectorAll(all)].filter(visible);
      const out = parts.filter((part) => {
        const at = box(part);
        return at.left < scene.left || at.right > scene.right + 1 || at.bottom > scene.bottom + 1;
      });
      const head = [...document.querySelectorAll('header > *')].filter(visible).map(box);
      const over = head.some((one, index) => head.slice(index + 1).some((other) =>
        one.left < other.right && other.left < one.right &&
        one.top < other.bottom && other.top < one.bottom));
      return [...out.map((part) => part.outerHTML), ...(over ? ['header'] : [])];
    }""")
    return found


async def test_long_names_keep_their_room(browser: Browser) -> None:
    drawing = {"game": 123456, "name": "AB-123456", "balls": t.GAMES[1184][:20]}
    opened = t.opened(123457, 3_599_000, name="AB-123457")
    async with told(browser, t.state(drawing=drawing, open=opened)) as (page, _):
        assert await outside(page) == []


async def test_contrast_of_every_lamp_and_word(browser: Browser) -> None:
    ink_0 = "rgb(11, 15, 17)"
    async with told(browser, DRAW) as (page, story):
        for where, least in {".n[data-ground='']": 4.5, ".n[data-ground='lit']": 9,
                             ".n[data-ground='hot']": 13}.items():  # fmt: skip
            layer = next((f" > .{each}" for each in ("hot", "lit") if each in where), "")
            colour = await style(page, f"{where}{layer}", "color")
            for ground in await grounds_of(page, where):
                assert await contrast(page, colour, ground) >= least, where
        for where in (".name", ".word", ".clock", ".side > span", ".past span", "footer", ".code"):
            assert await contrast(page, await style(page, where, "color"), ink_0) >= 4.5, where
        await story.say(t.state(server_ms=t.NOW_MS + 9))
        await expect(page.locator("[data-tone='open']")).to_be_visible()
        was = [await style(page, ".n[data-ground='was']", each) for each in
               ("color", "backgroundColor")]  # fmt: skip
        assert await contrast(page, *was) >= 9
        await story.cut()
        await expect(page.locator("[data-tone='offline']")).to_be_visible()
        for where in (".face .main", ".n[data-ground='out']", ".o[data-ground='out']", ".word"):
            assert await contrast(page, await style(page, where, "color"), ink_0) >= 4.5, where


async def grounds_of(page: Page, where: str) -> list[str]:
    """Every colour that lies behind a tile's figures."""
    for light in ("hot", "lit"):
        if light in where:
            image = await style(page, f"{where} > .{light}", "backgroundImage")
            return [f"rgb{each.split(')', 1)[0]})" for each in image.split("rgb")[1:]]
    return [await style(page, where, "backgroundColor")]


@pytest.mark.parametrize("tone", [*STATES, "offline"])
async def test_every_state_has_its_word_and_nothing_grave_is_found(
    browser: Browser, tone: str
) -> None:
    async with told(browser, STATES.get(tone, DRAW)) as (page, story):
        if tone == "offline":
            await story.cut()
        await expect(page.locator("keno-board")).to_have_attribute("data-tone", tone)
        await expect(page.locator(".word")).to_have_text(WORDS[tone])
        for moment in await seen(page):
            assert moment.slots in (t.GAMES[1184][: len(moment.slots)], [])
        assert await grave_findings(page) == []
        assert await outside(page) == []


async def test_after_a_lost_line_the_whole_state_is_painted_at_once(browser: Browser) -> None:
    order = t.GAMES[1184]
    async with told(browser, DRAW) as (page, story):
        await story.say(t.ball(1184, 13))
        await expect(page.locator(".ball[data-on='yes']")).to_have_text(str(order[13]))
        await story.cut()
        await expect(page.locator("[data-tone='offline']")).to_be_visible()
        story.first = DRAW | {"drawing": t.drawn(1184, 17)}
        await expect(page.locator("[data-tone='drawing']")).to_be_visible()
        moments = await seen(page)
        assert check_only_drawn(moments, "A-1184", order) == [13, 14, 17]
        assert [each.motion for each in moments if each.tone == "drawing"] == [
            "none",
            "ball",
            "none",
        ]


async def test_a_line_that_lies_lights_nothing(browser: Browser) -> None:
    order = t.GAMES[1184]
    wrong = [
        t.ball(1184, 13) | {"number": order[0]},
        t.ball(1184, 13) | {"game": 1185},
        t.ball(1184, 15),
        t.ball(1184, 13) | {"number": 81},
        t.ball(1184, 13) | {"location": "lounge"},
        {"type": "result", "location": "main", "game": 1184, "numbers": sorted(order),
         "server_ms": t.NOW_MS + 1},
    ]  # fmt: skip
    async with told(browser, DRAW) as (page, story):
        for event in wrong:
            lines = len(story.asked)
            await story.say(event)
            if event["location"] == "main":  # not to be believed: the board begins again
                await until(lambda before=lines: len(story.asked) > before)  # type: ignore[misc]
            await expect(page.locator("[data-tone='drawing']")).to_be_visible()
        await story.say(t.ball(1184, 13))
        await expect(page.locator(".ball-count")).to_contain_text("14 of 20")
        assert set(check_only_drawn(await seen(page), "A-1184", order)) == {13, 14}


async def test_a_silent_line_is_a_lost_one(browser: Browser) -> None:
    async with told(browser, DRAW) as (page, story):
        await expect(page.locator("footer")).to_contain_text("Main Floor")
        story.first = None
        await page.clock.fast_forward(26_000)
        await expect(page.locator("[data-tone='offline']")).to_be_visible()
        await expect(page.locator(".face")).to_have_text("No signal since9:07PM")


async def test_after_many_games_nothing_has_grown(browser: Browser) -> None:
    async with told(browser, t.state(drawing=t.drawn(1184, 0), last=t.shown(1183))) as (
        page,
        story,
    ):
        sizes = set()
        stamps = count(t.NOW_MS + 1)
        for game in range(1184, 1204):
            order = t.GAMES[1180 + game % 5]
            for index in range(20):
                ball = t.ball(1184, index) | {"game": game, "number": order[index]}
                await story.say(ball | {"server_ms": next(stamps)})
            await expect(page.locator(".ball-count")).to_contain_text("20 of 20")
            sizes.add(await page.evaluate("() => document.querySelectorAll('*').length"))
            last = {"game": game, "name": f"A-{game}", "numbers": order}
            following = {"game": game + 1, "name": f"A-{game + 1}", "balls": []}
            said = t.state(drawing=following, last=last, open=t.opened(game + 2, 9_000))
            await story.say(said | {"server_ms": next(stamps)})
            await expect(page.locator(".name")).to_have_text(f"A-{game + 1}")
        assert max(sizes) - min(sizes) <= 3 * 21, sizes  # the list of past games fills up once


async def test_boards_take_turns_but_not_during_a_draw(browser: Browser) -> None:
    async with t.telling() as story, page_of(browser) as page:
        story.first = t.state()
        await watch(page)
        await story.show(page, "/board?rotate=main,lounge&seconds=20")
        await expect(page.locator("[data-tone='open']")).to_be_visible()
        (line,) = story.lines
        await page.clock.run_for(22_000)
        await expect(page.locator("[data-tone='open']")).to_be_visible()
        assert line not in story.lines
        assert story.asked[-1] == "lounge"
        await story.say(DRAW | {"location": "lounge", "server_ms": t.NOW_MS + 50_000})
        await expect(page.locator("[data-tone='drawing']")).to_be_visible()
        await page.clock.run_for(22_000)
        await expect(page.locator("[data-tone='drawing']")).to_be_visible()
        assert story.asked[-1] == "lounge"


async def test_who_wants_less_motion_gets_swaps(browser: Browser) -> None:
    async with told(browser, DRAW, reduced_motion="reduce") as (page, story):
        await story.say(t.ball(1184, 13))
        await expect(page.locator(".ball-count")).to_contain_text("14 of 20")
        ball = ".ball[data-on='yes']"
        assert await style(page, ball, "transform") == "none"
        assert await style(page, ball, "transitionDuration") == "0.12s"
        assert await style(page, ".n[data-ground='hot'] > .hot", "transitionDelay") == "0s"


READABLE = """() => {
  const lights = document.getAnimations();
  lights.forEach((each) => each.pause());
  const parts = (rgb) => rgb.match(/[\\d.]+/g).map(Number);
  const over = (under, upper, part) => under.map((each, at) => each + (upper[at] - each) * part);
  const linear = (c) => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const look = (tile) => {
    const [plain, ...layers] = tile.children;
    const base = parts(getComputedStyle(tile).backgroundColor);
    let ground = base[3] === 0 ? [11, 15, 17] : base.slice(0, 3);
    let shown = Number(getComputedStyle(plain).opacity) * Number(plain.textContent !== '');
    let figure = over(ground, parts(getComputedStyle(plain).color), shown);
    for (const layer of layers) {
      const is = getComputedStyle(layer);
      const numbered = getComputedStyle(layer, '::before').content.length > 2;
      const back = parts(is.backgroundImage.match(/rgb[^)]*/g).at(-1));
      figure = over(figure, numbered ? parts(is.color) : back, Number(is.opacity));
      ground = over(ground, back, Number(is.opacity));
      shown = Math.max(shown, Number(is.opacity));
    }
    const [low, high] = [light(figure), light(ground)].sort((a, b) => a - b);
    return shown ? (high + .05) / (low + .05) : null;
  };
  const moving = [...document.querySelectorAll('.n, .o')].filter((tile) =>
    ['hot', 'lit'].includes(tile.dataset.ground));
  const found = [];
  for (let at = 0; at <= 1200; at += 20) {
    lights.forEach((each) => { each.currentTime = at; });
    found.push(...moving.map((tile) => [at, tile.className, tile.dataset.ground, look(tile)]));
  }
  return found;
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
async def test_a_new_number_can_be_read_at_every_moment(browser: Browser, motion: str) -> None:
    """Its colour changes together with its lamp, in the grid and in the order."""
    async with told(browser, DRAW, reduced_motion=motion) as (page, story):
        await story.say(t.ball(1184, 13))
        await expect(page.locator(".ball-count")).to_contain_text("14 of 20")
        moments: list[tuple[int, str, str, float | None]] = await page.evaluate(READABLE)
        assert [each for each in moments if each[3] is not None and each[3] < 3] == []
        assert len([each for each in moments if each[3] is not None]) > 61 * 26
        newest = [ratio for _, _, ground, ratio in moments if ground == "hot"][-2:]
        assert min(each or 0 for each in newest) > 13
        texts = await page.locator(".n[data-ground='hot'], .o[data-ground='hot']").all_inner_texts()
        assert set(texts) == {str(t.GAMES[1184][13])}


async def test_only_opacity_and_transform_move(browser: Browser) -> None:
    """Colours and weights change in one step: their transitions take no time."""
    async with told(browser, DRAW) as (page, story):
        await story.say(t.ball(1184, 13))
        await expect(page.locator(".ball-count")).to_contain_text("14 of 20")
        moving: list[list[str]] = await page.evaluate("""() =>
          [...document.querySelectorAll('keno-board, keno-board *')].flatMap((element) => {
            const is = getComputedStyle(element);
            const times = is.transitionDuration.split(', ');
            return is.transitionProperty.split(', ').map((name, index) =>
              [name, times[index % times.length]]);
          }).filter(([, time]) => time !== '0s')""")
        assert {name for name, _ in moving} == {"opacity", "transform"}


async def test_the_history_shows_the_band_of_chance(browser: Browser) -> None:
    async with t.telling() as story, page_of(browser, 1280, 900) as page:
        await story.show(page, "/history/main")
        await expect(page.locator(".chart")).to_have_count(2)
        await expect(page.locator(".key").first).to_contain_text("18 to 32 times")
        await page.get_by_role("radio", name="1000").click()
        await expect(page.locator(".top")).to_contain_text("The last 1,000 games")
        await expect(page.locator(".key").first).to_contain_text("228 to 273 times")
        times = [sum(n in game["numbers"] for game in story.games) for n in range(1, 81)]
        await page.locator("summary").first.click()
        cells = await page.locator(".numbers").first.locator("td").all_inner_texts()
        assert [int(each) for each in cells[1::2]] == times
        words = (await page.locator("main").inner_text()).lower()
        assert not [each for each in ("hot", "cold", "due", "overdue") if each in words.split()]
        assert await grave_findings(page) == []
