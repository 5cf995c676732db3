"""Two locations side by side for an hour of a virtual clock, with every override thrown in."""

import asyncio
from datetime import date
from pathlib import Path

from keno.games.conductor import Schedule
from keno.service import listings
from keno.service.listing_registry import APPROVALS, OVERRIDES
from tests.integration.commands import keno
from tests.integration.conductor.playing import Room, new_room

MAIN = Schedule(interval_seconds=300, closing_notice_seconds=60)
LOUNGE = Schedule(interval_seconds=420, closing_notice_seconds=90, ball_seconds=1)
DAY = date(2026, 11, 15)
"""The clock starts at two in the morning, local time: the day before goes on until six."""
HOUR_S = 3_600

MAIN_LOCK_OUTS = {1: 300.0, 2: 690.0, 3: 1_090.0, 4: 1_200.0, 5: 1_500.0, 6: 1_960.0,
                  7: 2_260.0, 8: 2_560.0, 9: 2_860.0, 10: 3_160.0, 11: 3_460.0}  # fmt: skip
LOUNGE_LOCK_OUTS = {game: 420.0 * game for game in range(1, 9)}


async def test_two_locations_for_an_hour_with_overrides(tmp_path: Path) -> None:
    async with new_room(tmp_path, {"main": MAIN, "lounge": LOUNGE}) as room:
        main = await room.floor.booth()
        lounge = await room.floor.booth("W2", "11", location="lounge")

        async def until(second: float) -> None:
            """Sell a ticket at each location, then let time pass."""
            await room.do(room.floor.sell(main, "1 2 3: 1/3@1.00"))
            await room.do(room.floor.sell(lounge, "9 10: 1/2@1.00 x2"))
            await room.forward(second - room.time.now)

        await until(310)  # game 1 closes by the schedule, at 300
        await room.override("delay", 90, reason="the fire alarm")
        await until(700)  # game 2 at 600 + 90; game 3 would close at 990
        await room.override("hold", reason="the printer of booth 2")
        await until(800)
        await room.override("resume", by="M1", reason="it prints again")
        await until(1_100)  # game 3 at 990 + 100; game 4 would close at 1,390
        await until(1_140)
        await room.override("close_early", reason="the bus leaves")
        await until(1_210)  # game 4 at 1,140 + 60
        await until(1_510)  # game 5 by the schedule, at 1,500
        await room.override("manual", reason="by hand for the inspector")
        await until(1_900)  # game 6 would have closed at 1,800
        await room.do(room.main.close_by_hand(6, "W1", "S1"))
        await until(1_965)  # game 6 at 1,900 + 60
        await until(1_970)
        await room.override("automatic", by="M1", reason="as always again")
        await until(HOUR_S)
        assert room.lock_outs("main") == MAIN_LOCK_OUTS
        assert room.lock_outs("lounge") == LOUNGE_LOCK_OUTS
        assert list(room.results("main")) == list(MAIN_LOCK_OUTS)
        assert list(room.results("lounge")) == list(LOUNGE_LOCK_OUTS)
        await check_listings(room)
        await check_games(room)
        await room.check_sound()
    said = await asyncio.to_thread(keno, "audit", "--db", room.floor.path, "--json")
    assert said.code == 0, said.out


async def check_listings(room: Room) -> None:
    """Who, why, which kind, and by how much (15.5(e))."""
    house = room.floor.house
    rows = await listings.listed(house, OVERRIDES, "main", DAY)
    assert [(r.game, r.kind, r.seconds, r.actor, r.reason) for r in rows] == [
        (2, "delay", 90, "S1", "the fire alarm"),
        (3, "hold", None, "S1", "the printer of booth 2"),
        (3, "resume", None, "M1", "it prints again"),
        (4, "close_early", None, "S1", "the bus leaves"),
        (6, "manual", None, "S1", "by hand for the inspector"),
        (7, "automatic", None, "M1", "as always again"),
    ]
    assert await listings.listed(house, OVERRIDES, "lounge", DAY) == []
    approved = [
        (row.kind, row.game, row.actor, row.supervisor)
        for row in await listings.listed(house, APPROVALS, "main", DAY)
    ]
    assert approved == [("lock_out", 6, "W1", "S1")]


async def check_games(room: Room) -> None:
    """Every game is drawn, shown, settled, and has the tickets that were sold for it."""
    for location, locked in (("main", MAIN_LOCK_OUTS), ("lounge", LOUNGE_LOCK_OUTS)):
        rows = [await room.game(number, location) for number in locked]
        assert {row.state for row in rows} == {"settled"}
        assert all(row.shown_ms is not None for row in rows)
        started = room.floor.clock.now_ms - HOUR_S * 1000
        assert [(row.locked_ms or 0) - started for row in rows] == [
            at * 1000 for at in locked.values()
        ]
        assert (await room.floor.open_game(location)).game == max(locked) + 1
    assert sum([(await room.game(game)).tickets or 0 for game in MAIN_LOCK_OUTS]) == 11
