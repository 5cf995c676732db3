"""What the open game could cost, from the tickets that the ledger has for it."""

from dataclasses import asdict
from fractions import Fraction
from itertools import cycle
from random import Random

import pytest

from keno.domain.errors import Refusal
from keno.domain.odds import ticket_odds
from keno.domain.pricing import price
from keno.domain.request_text import parse
from keno.protocol import Payment
from keno.service import exposure as service
from keno.service.common import WriterContext
from keno.service.exposure import exposure
from tests.cards import card
from tests.houses import Floor
from tests.integration.ledger.asking import refused, unchanged
from tests.integration.ledger.events import EIGHT, refund, second_location, void

SPREAD = ("mean_cents", "standard_deviation_cents", "p50_cents", "p90_cents", "p99_cents",
          "largest_cents", "reached_maximum")  # fmt: skip


async def test_a_game_without_tickets(floor: Floor) -> None:
    async with unchanged(floor):
        found = await exposure(floor.house, "main", 100)
    assert (found.location, found.game, found.name, found.card) == ("main", 1, "A-1", "1")
    assert (found.tickets, found.handle_cents, found.expected_cents) == (0, 0, 0)
    assert (found.draws, found.draws_asked) == (100, 100)
    assert all(asdict(found)[name] == 0 for name in SPREAD)
    assert found.maximum_cents == card().aggregate_max_cents
    assert found.ms == floor.clock.now_ms


async def test_what_plays_the_open_game_and_nothing_else(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, "80: 1/1@5.00")
    multi = await floor.sell(booth, "1 2: 1/2@1.00 x3")
    await floor.play()
    await floor.sell(booth, EIGHT)
    await void(floor, booth, await floor.sell(booth, "3 4: 1/2@2.00"))
    other = await second_location(floor)
    await floor.sell(other, "3 4: 1/2@2.00")
    found = await exposure(floor.house, "main", 2_000)
    assert (found.game, found.name, found.tickets, found.handle_cents) == (2, "A-2", 2, 2_00)
    await refund(floor, booth, multi, Payment(2_00))
    found = await exposure(floor.house, "main", 100)
    assert (found.tickets, found.handle_cents) == (1, 1_00)
    assert (await exposure(floor.house, "east", 100)).tickets == 1


async def test_the_mean_is_that_of_the_exact_odds(floor: Floor, booth: WriterContext) -> None:
    texts = ["1 2: 1/2@1.00", "2 3: 1/2@3.00", "5: 1/1@4.00", "1 2 3: 1/3@1.00"]
    exact = Fraction(0)
    for text in texts:
        exact += ticket_odds(price(parse(text, card()), card())).mean_cents
        await floor.sell(booth, text)
    chance = Random(9)
    floor.house.choose = lambda spots: chance.sample(range(1, 81), spots)
    found = await exposure(floor.house, "main", 10_000)
    assert found.expected_cents == round(exact)
    assert abs(found.mean_cents - exact) < 4 * found.standard_deviation_cents / 100
    assert 0 <= found.p50_cents <= found.p90_cents <= found.p99_cents <= found.largest_cents
    assert found.p50_cents < found.largest_cents


async def test_how_often_the_maximum_would_be_reached(floor: Floor, booth: WriterContext) -> None:
    turns = cycle([list(range(1, 21)), list(range(61, 81))])
    floor.house.choose = lambda _: next(turns)
    await floor.sell(booth, EIGHT)
    one = await exposure(floor.house, "main", 100)
    top = one.largest_cents
    assert (one.maximum_cents, one.reached_maximum) == (100_000_00, 0)
    assert (one.p50_cents, one.p90_cents, one.mean_cents) == (0, top, top // 2)
    for _ in range(-(-100_000_00 // top) - 1):
        await floor.sell(booth, EIGHT)
    found = await exposure(floor.house, "main", 100)
    assert found.reached_maximum == 50
    assert found.largest_cents == found.tickets * top >= found.maximum_cents
    await floor.sell(booth, EIGHT)
    more = await exposure(floor.house, "main", 100)
    assert more.largest_cents == found.largest_cents + top  # as graded, before it is shared


async def test_supposed_draws_come_from_the_house_s_chance(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, "80: 1/1@5.00")
    asked: list[int] = []

    def never_eighty(spots: int) -> list[int]:
        asked.append(spots)
        return list(range(1, spots + 1))

    floor.house.choose = never_eighty
    found = await exposure(floor.house, "main", 150)
    assert asked == [20] * 150
    assert found.largest_cents == 0
    assert found.expected_cents > 0


async def test_when_the_time_is_up_no_new_round_is_begun(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    await floor.sell(booth)
    monkeypatch.setattr(service, "ROUND", 30)
    monkeypatch.setattr(service, "SECONDS_MAX", -1.0)
    found = await exposure(floor.house, "main")
    assert (found.draws_asked, found.draws) == (2_000, 30)


async def test_the_real_draw_is_neither_asked_nor_told(floor: Floor, booth: WriterContext) -> None:
    await floor.sell(booth)
    await floor.lock()
    async with unchanged(floor):
        found = await exposure(floor.house, "main", 100)
    assert (found.game, found.tickets) == (2, 0)


@pytest.mark.parametrize("draws", [-1, 0, 1, 99, 20_001, 2**53 - 1])
async def test_too_few_and_too_many_draws_are_refused(floor: Floor, draws: int) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await exposure(floor.house, "main", draws)


async def test_where_no_game_is_open_nothing_is_exposed(floor: Floor) -> None:
    async with refused(floor, Refusal.NOT_POSSIBLE_NOW):
        await exposure(floor.house, "nowhere")
