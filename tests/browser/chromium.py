"""Debian's Chromium, driven from outside: a browser, what every page must pass, and contrast."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright, expect

from tests.npm import brought

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE_MS = 60_000
PICTURES = "KENO_PICTURES"
"""Names the folder of what the tests saw, to be looked at; by itself a folder of the run."""
GRAVE = ("serious", "critical")

RATIO = """([one, other]) => {
  const linear = (c) => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = (rgb) => {
    const [r, g, b] = rgb.match(/[\\d.]+/g).map(Number).map(linear);
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + .05) / (low + .05);
}"""


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A browser without a GPU; everybody waits for what is said, with much patience."""
    expect.set_options(timeout=PATIENCE_MS)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def page_of(
    browser: Browser, width: int = 1920, height: int = 1080, **how: Any
) -> AsyncIterator[Page]:
    """A page of this size. Whatever it throws or complains of is a failure."""
    context = await browser.new_context(viewport={"width": width, "height": height}, **how)
    context.set_default_timeout(PATIENCE_MS)
    page = await context.new_page()
    thrown: list[str] = []
    page.on("pageerror", lambda error: thrown.append(str(error)))
    page.on("console", lambda said: thrown.append(said.text) if _refused(said.text) else None)
    try:
        yield page
        assert not thrown
    finally:
        await context.close()


def _refused(text: str) -> bool:
    return "Content Security Policy" in text


async def grave_findings(page: Page) -> list[str]:
    """What axe finds serious or critical on a page; the policy lets no script in but by us."""
    script = (brought("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    await page.evaluate(f"() => {{ {script} }}")
    found = await page.evaluate("() => axe.run()")
    return [
        f"{each['id']}: {node['html']}"
        for each in found["violations"]
        if each["impact"] in GRAVE
        for node in each["nodes"]
    ]


async def keep_picture(page: Page, name: str) -> None:
    """Keep what is seen on a page now."""
    await page.screenshot(path=Path(os.environ[PICTURES]) / f"{name}.png")


async def contrast(page: Page, colour: str, ground: str) -> float:
    """WCAG 2's ratio of two computed colours."""
    ratio: float = await page.evaluate(RATIO, [colour, ground])
    return ratio
