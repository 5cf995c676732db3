"""A writer's day at a station: every type of ticket is sold, printed and confirmed."""

from pathlib import Path
from typing import Any

import pytest

from tests.integration.station.booth import at_work, draft
from tests.integration.web.served import Served

TYPES: dict[str, dict[str, Any]] = {
    "straight": draft(),
    "one king": draft(groups=[], kings=[55]),
    "split": draft(groups=[[1, 2, 3, 4], [5, 6, 7, 8]], conditioning="A,B"),
    "way": draft(groups=[[1, 2], [3, 4], [5, 6]], conditioning="3/4 3/2"),
    "combination": draft(groups=[[1, 2], [3, 4, 5], [6, 7]], conditioning="ab,bc@1.25s ac"),
    "king": draft(groups=[[7, 18], [12, 26, 49]], kings=[55], conditioning="AK1,BK1@2.00"),
    "multi-race": draft(games="5", rate="2.00"),
    "special rate": draft(rate="2.50S"),
}


@pytest.mark.parametrize("name", TYPES)
async def test_every_type_is_sold_printed_and_confirmed(
    served: Served, tmp_path: Path, name: str
) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed(TYPES[name])
        [paper] = booth.of_ticket(ticket)
        assert "REPRINT" not in paper
        assert "NO VALUE" in paper
        [row] = (await served.money())["tickets"]
        assert (row["number"], row["printed"], row["reprints"]) == (ticket, 1, 0)
        assert booth.code(ticket) == row["code"]
        assert screen.state["questions"] == []
        assert booth.up.acts.station.notes.open == {}


async def test_a_quick_pick(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        picked = draft(groups=[], quick_pick=6, games="2")
        assert (await screen.price(picked))["type"] == "Quick-pick"
        ticket = await screen.sell_printed(picked)
        assert len(booth.of_ticket(ticket)) == 1


async def test_the_odds_follow_the_newest_draft(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        for number in range(1, 6):
            await screen.price(draft(number=number, groups=[[1, 2, 3, 4, 5, 6, 7, 8][:number]]))
        eight = draft(number=9)
        await screen.price(eight)
        await screen.until(lambda _: screen.odds.get("draft") == 9)
        assert screen.odds["rows"] == [
            {"what": "8 of 8", "award_cents": 25_000_00, "odds": "230,113 to 1"}
        ]
