"""A card that fails today: console, station and phone say why; tickets are paid; sales go on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from keno.config import Config, HouseConfig, ServerConfig, SessionConfig
from keno.games.schedule import Schedule
from keno.serve import CODE_KEY, LEDGER
from keno.service import counter, people
from keno.setup import write_secret
from keno.store.ledger import Ledger
from tests.browser.booth import StationProgram, Writer, at_page, until
from tests.browser.chromium import keep_picture, page_of
from tests.browser.console import DESIGNED, Desk
from tests.browser.tabs import answered, reachable, rows
from tests.e2e.floor import free_port
from tests.houses import Clock, Floor, proof_of, verify
from tests.integration.web.served import PASSWORD, Served, Side, key_of, serving_floor
from tests.recorded import CARD, facts, unpack

STOPPED = "Sales have stopped: rate card 26-3-250 breaks a rule of today. Call the supervisor."
WHY = "rates.special: 9 spots at $2.50 a way, on a straight ticket of 1 way for $2.50, has a house"
SCHEDULE = Schedule(
    interval_seconds=3_600, closing_notice_seconds=1, ball_seconds=0.05, print_wait_seconds=1,
    automatic=False,
)  # fmt: skip


class Drawn(Side):
    """A draw whose proof states its numbers, as in the ledger that was recorded."""

    genesis = None

    async def draw(self, game: int) -> str:
        return proof_of(list(range(game, game + 20)))


@asynccontextmanager
async def old_house(folder: Path) -> AsyncIterator[Served]:
    """The recorded house a minute later: its card was lawful when it was posted."""
    clock = Clock(facts(CARD)["last_ms"] + 60_000)
    ledger = await Ledger.open(folder / LEDGER, clock)
    try:
        key = bytes.fromhex((folder / CODE_KEY).read_text("ascii"))
        house = await people.open_house(ledger, key)
        floor = Floor(house, clock, folder / LEDGER, count(1_000_000))
        config = Config(HouseConfig(folder=folder), ServerConfig(), SessionConfig(), {})
        async with serving_floor(floor, config, Drawn(), SCHEDULE) as served:
            yield served
    finally:
        await ledger.close()


@asynccontextmanager
async def writing(served: Served, folder: Path, browser: Browser) -> AsyncIterator[Writer]:
    """The page of station s1, with W2 signed in and a drawer of $2,000.00."""
    key = folder / "s1.key"
    write_secret(key, key_of("s1").private_bytes_raw().hex())
    server = f"ws://127.0.0.1:{served.port}"
    station = StationProgram(folder / "booth", key, server, free_port(), "s1")
    async with at_page(station, browser) as page:
        writer = Writer(station, page)
        await writer.sign_in(person="W2", password=PASSWORD)
        yield writer


@asynccontextmanager
async def console(served: Served, browser: Browser) -> AsyncIterator[Desk]:
    """The console with supervisor S1 signed in."""
    async with page_of(browser, *DESIGNED) as page:
        made = Desk(page, served.base)
        await made.open()
        await made.sign_in("S1", PASSWORD)
        await expect(page.locator(".menu-open")).to_be_visible()
        yield made


async def test_15_3_e_nothing_is_sold_under_a_card_that_fails_today_until_a_new_one_is_in_force(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keno.games.conductor.verifier", lambda _: verify)
    folder = unpack(CARD, tmp_path)
    async with (
        old_house(folder) as served,
        console(served, browser) as sue,
        writing(served, tmp_path, browser) as writer,
    ):
        await says_why(sue)
        await refuses_a_sale(writer)
        await pays(writer, "nine unpaid")
        await refuses_a_price(served, browser)
        await posts_a_lawful_card(sue)
        await goes_on_with_it(served, sue)
        await sells(writer)
        await sue.tab("Floor")
        await expect(sue.page.locator(".game-trouble")).to_be_hidden()
        assert served.troubles == []


async def says_why(sue: Desk) -> None:
    trouble = sue.page.locator(".game-trouble")
    await expect(trouble).to_contain_text("Nothing is sold under rate card 26-3-250.")
    await expect(trouble).to_contain_text(WHY)
    await reachable(sue)
    await sue.picture("console-floor-stopped")
    await sue.tab("Cards")
    version = sue.page.get_by_role("listitem").filter(has_text="26-3-250")
    for words in ("In force, sales stopped", "Nothing is sold under this card", WHY):
        await expect(version).to_contain_text(words)
    await reachable(sue)
    await sue.picture("console-cards-stopped")


async def refuses_a_sale(writer: Writer) -> None:
    before = len(writer.station.papers())
    await writer.keys(*"01020304", "*", *"2.50", "Enter", "Enter")
    await writer.said(STOPPED)
    await writer.picture("station-stopped")
    assert len(writer.station.papers()) == before


async def pays(writer: Writer, name: str) -> None:
    """A ticket that was sold under the card is paid by it."""
    ticket = next(each for each in facts(CARD)["tickets"] if each["name"] == name)
    await writer.keys("F2")
    await writer.fill_in(f"A-{ticket['ticket']}-{ticket['code']}")
    before = len(writer.station.papers())
    await writer.page.get_by_role("button", name="Pay $80.00").click()
    assert "$80.00" in await writer.paper(before)


async def refuses_a_price(served: Served, browser: Browser) -> None:
    """A patron's phone says it too, and the posted card stays readable."""
    async with page_of(browser, 412, 915) as phone:
        await phone.goto(f"{served.base}/build")
        await phone.locator('keno-grid [data-number="7"]').click()
        await expect(phone.get_by_text("Sales have stopped")).to_be_visible()
        await keep_picture(phone, "phone-build-stopped")
        await phone.goto(f"{served.base}/ratecard")
        await expect(phone.get_by_text("Card 26-3-250")).to_be_visible()
        await expect(phone.get_by_text("no single way or ticket wins more.")).to_be_visible()


async def posts_a_lawful_card(sue: Desk) -> None:
    await sue.page.get_by_label("The card as TOML").fill(counter.card_text(counter.EXAMPLE))
    await sue.press("Check card")
    await sue.said("✓ Larkspur Keno, 26-3 is certified")
    assert (await rows(sue.page.get_by_role("table")))[1][:5] == [
        "regular", "1", "10", "$0.25", "split, 10 ways, $2.50",
    ]  # fmt: skip
    await sue.press("Post 26-3 at Main Floor")
    await sue.said("Card 26-3 is posted from game A-4.")


async def goes_on_with_it(served: Served, sue: Desk) -> None:
    """Half an hour later the old game closes, and the next one is played by the new card."""
    served.floor.clock.forward(minutes=61)
    await answered(sue, type="close_game", location="main", game=3)

    def new_card() -> bool:
        now = served.conductor.state().open
        return now is not None and (now.game, now.card) == (4, "26-3")

    await until(new_card)


async def sells(writer: Writer) -> None:
    """The request that was refused is kept, and sold now."""
    before = len(writer.station.papers())
    await writer.keys("F1")
    await writer.said("Game A-3 closed while this was typed.")
    await writer.keys("Enter")
    await writer.answer("A-4")
    text = await writer.paper(before)
    for words in ("1 2 3 4", "Total price $2.50", "A-4"):
        assert words in text
