"""How soon a key shows on the writer's page while the server sells, beside a bare input field."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.async_api import Page

from keno.protocol import ConfirmPrint, PaperOrigin, SellTicket, SignIn, Tendered
from tests.bench.serving import SALE
from tests.browser.booth import Booth, booth
from tests.browser.chromium import chromium, page_of
from tests.e2e.floor import Station, at_station
from tests.e2e.opening import PASSWORDS_OF
from writer_station.client import new_id

SALES_PER_SECOND = 50
WRITERS = 10
FRAME_MS = 1000 / 60

# From the key to the moment after the frame that shows it: what the writer waits for.
WATCH = """() => {
  window.waits = [];
  addEventListener('keydown', (event) => {
    const pressed = event.timeStamp;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => waits.push(performance.now() - pressed);
      port2.postMessage(0);
    });
  }, true);
}"""


async def bench_typing(keys: int, folder: Path) -> None:
    """Print the wait for a key on the page, under sales, and on a page with just an input."""
    print(
        f"Typing {keys:,} keys while {SALES_PER_SECOND} sales a second go through ...", flush=True
    )
    place = folder / "typing"
    place.mkdir()
    async with chromium() as browser:
        async with page_of(browser) as bare:
            await bare.set_content("<input autofocus>")
            limit = await _typed(bare, keys)
        async with booth(place, browser) as anna:
            await anna.sign_in()
            async with _sales(anna) as sold:
                ours = await _typed(anna.page, keys)
    p50, p99 = median(ours), quantiles(ours, n=100)[-1]
    print(
        f"A key shows on the writer's page after {p50:.1f} ms (p99 {p99:.1f}) while {len(sold):,} "
        f"sales went through; a bare input: {median(limit):.1f} ms (p99 "
        f"{quantiles(limit, n=100)[-1]:.1f}); ratio {p50 / median(limit):.2f} "
        f"(goal: within a frame, {FRAME_MS:.1f} ms, of the bare one)"
    )


async def _typed(page: Page, keys: int) -> list[float]:
    """Numbers typed and taken back, so that the line stays short; each key's wait in ms."""
    await page.evaluate(WATCH)
    for at in range(keys):
        await page.keyboard.press("0718334461"[at % 10] if at % 20 < 10 else "Backspace", delay=20)
        await asyncio.sleep(0.03)
    found: list[float] = await page.evaluate("() => waits")
    return found


@asynccontextmanager
async def _sales(anna: Booth) -> AsyncIterator[list[int]]:
    """Somebody sells at the same house, so many tickets a second, until the typing is done."""
    sold: list[int] = []

    async def sell_on() -> None:
        async with at_station(anna.house.served, "1", anna.house.station_key) as station:
            await station.ask(SignIn(new_id(), "ANNA", PASSWORDS_OF["ANNA"]))
            await _writer(station, sold)

    selling = [asyncio.create_task(sell_on()) for _ in range(WRITERS)]
    while len(sold) < WRITERS:  # all are selling before the typing begins
        await asyncio.wait(selling, timeout=0.1)
    try:
        yield sold
    finally:
        for each in selling:
            each.cancel()
        await asyncio.gather(*selling, return_exceptions=True)


async def _writer(station: Station, sold: list[int]) -> None:
    """One of several who sell side by side, each on a line of its own, at its share of the pace."""
    now, loop = await station.open_game(), asyncio.get_running_loop()
    request: Any = SALE["request"]
    while True:
        next_at = loop.time() + WRITERS / SALES_PER_SECOND
        tender = [Tendered("currency", 100)]
        done = await station.ask(
            SellTicket(new_id(), now.game, now.card, 100, PaperOrigin(), request, tender)
        )
        await station.ask(ConfirmPrint(new_id(), done["ticket"]))
        sold.append(done["ticket"])
        await asyncio.sleep(max(0.0, next_at - loop.time()))
