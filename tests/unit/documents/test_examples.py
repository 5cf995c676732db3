"""Worked examples are requests that the card really sells, whatever the card is like."""

from dataclasses import replace
from typing import Any

import pytest

from keno.documents.examples import TYPES, worked_examples
from keno.domain.pricing import price
from keno.domain.ratecard import Rate, RateCard
from keno.domain.request_text import parse, print_request
from keno.domain.wager import TicketType
from tests.unit.documents.test_every_document import LARKSPUR

NAMES = [name for name, _, _ in TYPES]


def card_like(rate: Rate, **fields: Any) -> RateCard:
    """A card with one rate."""
    return replace(LARKSPUR, rates={rate.code: rate}, default_rate=rate.code, **fields)


def one_rate(spots_max: int, **fields: Any) -> Rate:
    regular = LARKSPUR.rates["regular"]
    pays = {spots: regular.pays[spots] for spots in range(1, spots_max + 1)}
    return replace(regular, pays=pays, **fields)


def test_the_example_card_has_one_of_each_type() -> None:
    found = worked_examples(LARKSPUR)
    assert [each.name for each in found] == NAMES
    assert {each.request.type for each in found[:5]} == set(TicketType)
    assert found[5].request.multi_race


@pytest.mark.parametrize("name", NAMES)
def test_a_writer_who_types_it_gets_the_same_price(name: str) -> None:
    example = next(each for each in worked_examples(LARKSPUR) if each.name == name)
    typed = f"{print_request(example.request, LARKSPUR)} ={example.price_cents // 100}"
    typed += f".{example.price_cents % 100:02d}"
    assert price(parse(typed, LARKSPUR), LARKSPUR).price_cents == example.price_cents


@pytest.mark.parametrize("name", NAMES)
def test_the_ways_that_are_drawn_are_the_ways_that_are_paid_for(name: str) -> None:
    example = next(each for each in worked_examples(LARKSPUR) if each.name == name)
    for line in example.request.lines:
        sets = example.ways_of(line)
        assert len(sets) == line.ways
        spots = example.request.spots_of(line)
        assert all(example.request.set_spots(each) in spots for each in sets)


@pytest.mark.parametrize("spots_max", [2, 3, 4, 6, 9])
def test_a_card_of_few_spots_still_shows_every_type(spots_max: int) -> None:
    card = card_like(one_rate(spots_max), spots_max=spots_max)
    assert [each.name for each in worked_examples(card)] == NAMES


def test_what_a_card_does_not_offer_is_not_shown() -> None:
    rate = one_rate(20, types=frozenset({TicketType.STRAIGHT, TicketType.WAY}))
    card = card_like(rate, multi_race_games_max=1)
    assert [each.name for each in worked_examples(card)] == ["Straight", "Way", "Quick-pick"]


def test_the_least_price_of_a_ticket_is_reached() -> None:
    card = card_like(one_rate(20), ticket_min_cents=7_00)
    for example in worked_examples(card):
        assert example.priced.price_one_game_cents >= 7_00


def test_a_rate_of_many_games_only_is_shown_with_so_many() -> None:
    card = card_like(one_rate(20, games_min=20))
    found = worked_examples(card)
    assert [each.name for each in found] == ["Multi-race"]
    assert found[0].arithmetic == "1 way × $1.00 × 20 games"
