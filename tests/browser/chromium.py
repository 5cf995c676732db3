"""Drives Debian's Chromium by playwright: pages, accessibility findings, contrast, screenshots."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page, async_playwright, expect

from tests.npm import brought

CHROMIUM = "/usr/bin/chromium"
NOT_WANTED = (
    *("AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync"),
    *("DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades"),
    *("LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints"),
    *("PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning"),
    *("WebUIOmniboxAimPopup", "WebUIOmniboxPopup"),
)
"""Features of Chromium to switch off: Playwright's own list, which this replaces, and the popups
of the address bar, whose two hidden pages took two thirds of the processor time of a new page.
"""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--disable-features={','.join(NOT_WANTED)}",
]
PATIENCE_MS = 60_000
PICTURES = "KENO_PICTURES"
"""Environment variable that names the folder for screenshots."""
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
    """Start a browser without GPU, with long timeouts."""
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
    """Open a page of this size; an error on it or a refused resource fails the test."""
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
    """Return axe's serious and critical findings on a page."""
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
    """Save a screenshot of a page under this name in the folder for screenshots."""
    await page.screenshot(path=Path(os.environ[PICTURES]) / f"{name}.png")


async def contrast(page: Page, colour: str, ground: str) -> float:
    """Return the contrast ratio of two CSS colours by WCAG 2."""
    ratio: float = await page.evaluate(RATIO, [colour, ground])
    return ratio
