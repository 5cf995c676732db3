"""A server that is killed among sales and stopped in the middle of a draw: nothing is lost.

The station stays as it is: it takes up its line again by itself and asks again what was not
answered.
"""

import asyncio
from pathlib import Path

from keno.protocol import Ball, CloseGame, CloseShift, OpenShift, Second, SellTicket, SignIn
from tests.e2e.floor import Station, at_station, hits, said, serving, singles
from tests.e2e.opening import PASSWORDS_OF, opened
from writer_station.client import new_id

SUE = Second("SUE", PASSWORDS_OF["SUE"])
SALES = 30
BANK_CENTS = 10_000_00


async def test_a_house_goes_on_after_a_kill_and_after_a_stop(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        first = house.served
        async with at_station(first, "1", house.station_key) as anna:
            await anna.ask(SignIn(new_id(), "ANNA", PASSWORDS_OF["ANNA"]))
            await anna.ask(OpenShift(new_id(), BANK_CENTS))
            sale = await anna.sale(singles("1.00"))
            sales = [await anna.sale("1 2 3: 1/3@1.00") for _ in range(SALES)]
            asked = [asyncio.create_task(_sell_once(anna, each)) for each in sales]
            await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
            first.process.kill()
            await first.process.wait()
            async with serving(first.folder, first.port) as second:
                sold = await asyncio.gather(*asked)
                assert sorted(sold) == list(range(1, SALES + 1)), "each sold once, none twice"
                ticket = await anna.printed(await anna.ask(sale))
                shown = await _stop_while_drawing(anna)
                assert await second.stop() == 0
            async with serving(first.folder, first.port) as third:
                numbers = await third.settled(1)
                assert numbers[: len(shown)] == shown
                award = 3_00 * hits(numbers)
                await anna.paid_once(ticket, award)
                till = BANK_CENTS + ticket["price_cents"] + SALES * 1_00 - award
                sheet = await anna.ask(CloseShift(new_id(), {"currency": till}, SUE))
                assert set(sheet["over_short_cents"].values()) == {0}
                assert await third.stop() == 0
    audited = await said("audit", "--db", first.folder / "ledger.db")
    assert audited.code == 0, audited.out
    listed = await said("report", "exceptions", "--db", first.folder / "ledger.db", "--csv")
    assert listed.out.count("server_start") == 3, "each start is an exception (15.7)"


async def _sell_once(anna: Station, sale: SellTicket) -> int:
    """Ask once, however often the line breaks; gives the ticket's number."""
    sold = await anna.ask(sale)
    await anna.printed(sold)
    number: int = sold["ticket"]
    return number


async def _stop_while_drawing(anna: Station) -> list[int]:
    """Close the game by hand and wait for its first ball; gives the balls so far."""
    await anna.ask(CloseGame(new_id(), "main", 1, SUE))
    await anna.until(lambda _: any(isinstance(event, Ball) for event in anna.heard))
    return [event.number for event in anna.heard if isinstance(event, Ball)]
