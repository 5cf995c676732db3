"""A writer's hour by keyboard: tickets, closes, rewrites, no paper, payouts, a break, a fill."""

import random
import sqlite3
from contextlib import closing

from playwright.async_api import expect

from tests.browser.booth import BANK_CENTS, Booth
from tests.browser.test_paying import SURE
from tests.browser.test_selling import KEYPAD, scanned
from tests.browser.test_shift import count, slip
from tests.counts import count as times
from tests.e2e.floor import said
from tests.e2e.opening import PASSWORDS_OF

TICKETS, CLOSES = times(15, 60), times(3, 12)
"""Of an hour: sixty tickets, and a close every five minutes."""
BILLS = (10000, 5000, 2000, 1000, 500, 200, 100)
PROBLEMS = {"rewrite": 2, "paper": 4, "void": 6, "break": 8, "fill": 10}
"""What happens beside, by the number of the ticket before it."""


def drawer(anna: Booth) -> int:
    """What the drawer should hold, added up from the ledger's file."""
    ledger = anna.house.served.folder / "ledger.db"
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as found:
        return int(
            found.execute(
                "SELECT sum(CASE WHEN event IN ('opening', 'sale', 'fill') THEN cents ELSE -cents"
                " END) FROM drawer"
            ).fetchone()[0]
        )


async def test_a_writers_hour_balances(anna: Booth) -> None:
    chance = random.Random(15)
    held: list[str] = []
    for number in range(TICKETS):
        await typed(anna, chance, held)
        for name, at in PROBLEMS.items():
            if number % 12 == at:
                await DONE[name](anna, held)
        if (number + 1) % (TICKETS // CLOSES) == 0:
            await anna.close_game()
            await payouts(anna, held)
    expected = drawer(anna)
    assert expected > BANK_CENTS // 2
    sheet = await count(anna, in_bills(expected))
    assert f"{expected // 100:,}.00" in sheet
    await expect(anna.page.get_by_role("dialog")).to_contain_text("Shift is closed")
    await expect(anna.page.get_by_role("dialog")).not_to_contain_text("short")
    await anna.house.served.stop()
    audited = await said("audit", "--db", anna.house.served.folder / "ledger.db")
    assert audited.code == 0, audited.out


def in_bills(cents: int) -> dict[int, int]:
    """Count an amount of whole dollars in bills, the largest first."""
    counted = {}
    for bill in BILLS:
        counted[bill], cents = divmod(cents, bill)
    assert cents == 0
    return counted


async def typed(anna: Booth, chance: random.Random, held: list[str]) -> None:
    """One ticket, of any type; now and then one that surely wins."""
    name = chance.choice([*KEYPAD, "sure"])
    pressed = [*SURE, "Enter", "Enter"] if name == "sure" else KEYPAD[name][0]
    held.append(scanned(await anna.sell(*pressed)))


async def payouts(anna: Booth, held: list[str]) -> None:
    """Everything that is over comes to the counter; what pays is paid in one total."""
    await anna.keys("F2")
    award = anna.page.get_by_role("region", name="What is paid")
    add = anna.page.get_by_role("button", name="Add to one total")
    total = anna.page.get_by_role("button", name="Pay $")
    for code in tuple(held):
        await anna.fill_in(code)
        number = code.split("-")[1]
        sold = anna.page.get_by_role("region", name=f"Ticket {number} as sold", exact=True)
        await expect(sold).to_be_visible()
        if await add.is_visible():
            await add.click()
            held.remove(code)
        else:
            if "not complete" not in await award.inner_text():
                held.remove(code)
            await anna.keys("Escape")
    if await total.first.is_visible():
        await total.first.click()
        await anna.said("in the drawer")
        await anna.keys("Enter")
    await anna.keys("F1")


async def rewrite(anna: Booth, held: list[str]) -> None:
    """The last ticket is changed for two more games."""
    before = len(anna.station.papers())
    await anna.keys("r")
    await anna.fill_in(held.pop())
    await anna.said("Void and rewrite")
    await anna.keys("+", "3", "Enter", "Enter")
    await anna.paper(before + 1)
    new = [text for text in anna.station.papers()[before:] if "Total price" in text]
    held.append(scanned(new[0]))


async def paper(anna: Booth, held: list[str]) -> None:
    """The roll ends in the middle; the ticket being typed waits for the new one."""
    out = anna.station.paper / "paper-out"
    out.touch()
    await anna.said("paper is out")
    await anna.keys(*"1011", "Enter", "Enter")
    await expect(anna.page.locator(".notice")).to_contain_text("paper is out")
    out.unlink()
    await anna.said("Printer ready")
    held.append(scanned(await anna.sell("Enter")))


async def void(anna: Booth, held: list[str]) -> None:
    before = len(anna.station.papers())
    await anna.keys("F6")
    await anna.fill_in(held.pop())
    await anna.answer("Void this ticket")
    await anna.paper(before)


async def rest(anna: Booth, _: list[str]) -> None:
    await anna.keys("F10")
    await anna.said("Back in a moment")
    await anna.fill_in(PASSWORDS_OF["ANNA"])
    await expect(anna.page.get_by_role("dialog")).to_be_hidden()


async def fill(anna: Booth, _: list[str]) -> None:
    await slip(anna, "f", "500.00")


DONE = {"rewrite": rewrite, "paper": paper, "void": void, "break": rest, "fill": fill}
