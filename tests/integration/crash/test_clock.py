"""The wall clock jumps back an hour: the ledger's time, its order and its expiry do not."""

from itertools import pairwise
from pathlib import Path

import pytest

from keno.domain.errors import Refusal, Refused
from keno.service import payouts
from tests.cards import card_text
from tests.houses import Clock, new_floor, reopened
from tests.integration.crash.witness import complaints, rows

CLAIM_MINUTES = 10
SHORT_CLAIMS = card_text(claim_days=None, claim_minutes=CLAIM_MINUTES)
ONE_SPOT = "1: 1/1@1.00"
FIRST_TWENTY = list(range(1, 21))


async def test_ledger_time_never_goes_back_while_it_runs(tmp_path: Path) -> None:
    async with new_floor(tmp_path) as floor:
        booth = await floor.booth()
        sold = []
        for minutes in (0, 1, -60, 1, 30, 30, -120, 500):
            floor.clock.forward(minutes=minutes)
            sold.append(await floor.sell(booth, ONE_SPOT))
            await floor.play(FIRST_TWENTY)
        times = [each.sold_ms for each in sold]
        assert times == sorted(times)
        assert times[-1] == floor.clock.now_ms
        games = rows(floor.path, "SELECT * FROM games WHERE state = 'settled' ORDER BY game")
        for game in games:
            assert game["opened_ms"] <= game["locked_ms"] <= game["drawn_ms"] <= game["settled_ms"]
        assert all(one["settled_ms"] <= two["locked_ms"] for one, two in pairwise(games))
        assert complaints(floor.path) == []


async def test_ledger_time_never_goes_back_over_a_start(tmp_path: Path) -> None:
    clock = Clock()
    async with new_floor(tmp_path, clock=clock) as floor:
        booth = await floor.booth()
        before = await floor.sell(booth, ONE_SPOT)
    clock.forward(minutes=-60)
    async with reopened(floor.path, clock) as floor:
        after = await floor.sell(booth, ONE_SPOT)
        assert after.ticket == before.ticket + 1
        assert after.sold_ms >= before.sold_ms
    assert complaints(floor.path) == []


async def test_a_claim_that_ended_does_not_come_back_with_the_clock(tmp_path: Path) -> None:
    async with new_floor(tmp_path, card_toml=SHORT_CLAIMS) as floor:
        booth = await floor.booth()
        late, early = [await floor.sell(booth, ONE_SPOT) for _ in range(2)]
        await floor.play(FIRST_TWENTY)
        floor.clock.forward(minutes=CLAIM_MINUTES)
        await floor.pay(booth, early, 3_00)
        floor.clock.forward(ms=1)
        with pytest.raises(Refused) as refused:
            await floor.pay(booth, late, 3_00)
        assert refused.value.reason is Refusal.EXPIRED
        await floor.sell(booth, ONE_SPOT)
        floor.clock.forward(minutes=-60)
        with pytest.raises(Refused) as refused:
            await floor.pay(booth, late, 3_00)
        assert refused.value.reason is Refusal.EXPIRED
        expired = await payouts.expire(floor.house, payouts.Expire("expire", "main", "S1"))
        assert expired.tickets == (late.ticket,)
        assert complaints(floor.path) == []


async def test_a_claim_is_not_shortened_by_a_clock_that_goes_back(tmp_path: Path) -> None:
    """The last game was locked an hour ahead of the clock: the claim runs from there."""
    async with new_floor(tmp_path, card_toml=SHORT_CLAIMS) as floor:
        booth = await floor.booth()
        sold = await floor.sell(booth, ONE_SPOT)
        floor.clock.forward(minutes=60)
        await floor.play(FIRST_TWENTY)
        floor.clock.forward(minutes=-60)
        for _ in range(6):
            floor.clock.forward(minutes=CLAIM_MINUTES)
            expired = await payouts.expire(floor.house, payouts.Expire(floor.id(), "main", "S1"))
            assert expired.tickets == ()
        assert (await floor.pay(booth, sold, 3_00)).cash_cents == 3_00
