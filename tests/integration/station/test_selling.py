"""A writer's day at a station: every type of ticket is sold, printed and confirmed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.integration.station.booth import Refused, at_work, draft
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


async def test_a_key_pressed_twice_sells_once(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        both = await asyncio.gather(screen.sell(), screen.sell(), return_exceptions=True)
        [no] = [each for each in both if isinstance(each, Refused)]
        assert no.code == "too_fast"
        assert len((await served.money())["tickets"]) == 1
        await screen.sell()  # that was over
        assert len((await served.money())["tickets"]) == 2


async def test_a_sale_that_the_writer_did_not_see(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        fields: dict[str, Any] = {
            "draft": draft(), "game": 1, "price_cents": 100,
            "tender": [{"kind": "currency", "cents": 100}],
        }  # fmt: skip
        await screen.refused("price_differs", "sell", **fields | {"price_cents": 200})
        await screen.refused("game_closed", "sell", **fields | {"game": 2})
        await screen.refused("tender_differs", "sell", **fields | {"tender": []})
        wrong = draft(groups=[[1, 2], [3]])
        await screen.refused("malformed", "sell", **fields | {"draft": wrong})
        twice = draft(groups=[[1, 1]])
        await screen.refused("number_twice", "sell", **fields | {"draft": twice})
        await screen.ask("lock")
        await screen.refused("shift_closed", "sell", **fields)
        assert (await served.money())["tickets"] == []
        assert screen.state["tickets"] == []


async def test_a_coupon_is_looked_up_by_its_serial(served: Served, tmp_path: Path) -> None:
    """What it is worth, or in words why it is not; while its ticket is rewritten, it is good."""
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        await screen.refused("coupon_unknown", "coupon", serial="p-17")
        await served.floor.registered(50, "P-17", ends_day="2026-12-31")
        found = await screen.ask("coupon", serial="p-17")
        assert found == {"serial": "P-17", "cents": 50, "until": "through gaming day 2026-12-31"}
        tender = [{"kind": "coupon", "cents": 50, "serial": "p-17"}, {"kind": "coin", "cents": 50}]
        sold = await screen.ask("sell", draft=draft(), game=1, price_cents=100, tender=tender)
        await screen.refused("coupon_spent", "coupon", serial="P-17")
        again = await screen.ask("coupon", serial="P-17", rewrites=sold["ticket"])
        assert again["cents"] == 50
        await screen.in_state(sold["ticket"], "printed")
        paper = {"ticket": sold["ticket"], "code": booth.code(sold["ticket"])}
        live = await screen.ask("again", **paper)
        assert live["paid"] == [{"kind": "cash", "cents": 50}, {"kind": "coupon", "cents": 50}]
        assert live["coupons"] == [{"serial": "P-17", "cents": 50}]
        kept = [*tender[:1], {"kind": "currency", "cents": 100}]
        changed = draft(groups=[[1, 2, 3, 4, 5, 6, 7, 9]])
        new = await screen.ask(
            "rewrite", **paper, draft=changed, game=1, price_cents=100, tender=kept
        )
        assert (new["change_cents"], new["net"]) == (50, [])


async def test_a_coupon_pays_a_part(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        await served.floor.registered(50, "P-17")
        tender = [{"kind": "currency", "cents": 50}, {"kind": "coupon", "cents": 50,
                                                      "serial": "P-17"}]  # fmt: skip
        sold = await screen.ask("sell", draft=draft(), game=1, price_cents=100, tender=tender)
        await screen.in_state(sold["ticket"], "printed")
        gave = await screen.ask("void", ticket=sold["ticket"], code=booth.code(sold["ticket"]))
        both = [{"kind": "cash", "cents": 50}, {"kind": "coupon", "cents": 50}]
        assert gave["given_back"] == both
        assert gave["coupon"] in await booth.paper_with("Void slip")
