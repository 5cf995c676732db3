"""Papers that did not come out: one clear question, and neither a doubled nor a vanished ticket."""

import asyncio
import sqlite3
from contextlib import closing, suppress

from playwright.async_api import expect

from tests.browser.booth import Booth, until

SEEN_S = 15
"""Whoever has not begun to sell by then has seen that the cutter is jammed."""


def sold(anna: Booth) -> list[tuple[int, str, int, int]]:
    """Number, state, printed and reprints of every ticket, from the ledger's file."""
    ledger = anna.house.served.folder / "ledger.db"
    with closing(sqlite3.connect(f"file:{ledger}?mode=ro", uri=True)) as found:
        return found.execute(
            "SELECT number, state, printed, reprints FROM tickets ORDER BY number"
        ).fetchall()


async def until_sold(anna: Booth, rows: list[tuple[int, str, int, int]]) -> None:
    await until(lambda: sold(anna) == rows)


def tickets(anna: Booth) -> list[str]:
    return [text for text in anna.station.papers() if "Total price" in text]


async def test_without_paper_nothing_is_sold(anna: Booth) -> None:
    (anna.station.paper / "paper-out").touch()
    await anna.said("paper is out")
    await anna.keys(*"010203", "Enter", "Enter")
    await expect(anna.page.locator(".notice")).to_contain_text("paper is out")
    await anna.picture("station-paper-out")
    assert sold(anna) == []
    (anna.station.paper / "paper-out").unlink()
    await anna.said("Printer ready")
    assert "1 2 3" in await anna.sell("Enter")


async def jammed_sale(anna: Booth) -> None:
    """Jam the cutter at the moment of the sale; a station that saw it before sells nothing yet."""
    jam, spool = anna.station.paper / "cutter-jammed", anna.station.folder / "work" / "spool"
    while True:
        jam.touch()
        await anna.keys("Enter")
        with suppress(TimeoutError):
            async with asyncio.timeout(SEEN_S):
                await until(lambda: sold(anna) != [] or '"sent"' in _text(spool), 0.001)
                return
        jam.unlink()
        await anna.said("Printer ready")


async def test_a_station_killed_while_it_prints_asks_what_came_out(anna: Booth) -> None:
    """The printer takes the ticket's bytes and jams; the station dies with the job in doubt."""
    await anna.keys(*"010203", "Enter")
    await jammed_sale(anna)
    await anna.station.kill()
    (anna.station.paper / "cutter-jammed").unlink(missing_ok=True)
    await anna.station.start()
    await anna.said("Sign in")
    await anna.back()
    question = anna.page.get_by_text("Printed? F8").or_(anna.page.get_by_text("F8"))
    if sold(anna) == []:  # it died before the sale was sent: there is nothing to ask
        assert tickets(anna) == []
        return
    await expect(question.first).to_be_visible()
    await anna.keys("F8")
    await expect(anna.page.get_by_role("dialog")).to_contain_text("Ticket 1")
    await anna.picture("station-question")
    await anna.keys("v")
    await anna.said("To give back")
    await anna.answer("Void it")
    await anna.said("is void")
    await until_sold(anna, [(1, "void", 0, sold(anna)[0][3])])


def _text(file: object) -> str:
    try:
        return file.read_text()  # type: ignore[attr-defined,no-any-return]
    except OSError:
        return ""
