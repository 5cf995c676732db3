"""Awards are shown at a wager that can be bought, whatever price the card's file is written for."""

from dataclasses import replace
from typing import Any

import pytest

from keno.documents.difference import compare
from keno.documents.guide import gaming_guide
from keno.documents.ratecard import rate_card
from keno.domain.ratecard import Rate, RateCard
from keno.web import handouts
from tests.unit.documents.reading import words
from tests.unit.documents.test_every_document import LARKSPUR


def written_for(rate: Rate, times: int) -> Rate:
    """The same payoffs in proportion, written for so many times the price."""
    pays = {
        spots: {catch: cents * times for catch, cents in catches.items()}
        for spots, catches in rate.pays.items()
    }
    return replace(rate, base_cents=rate.base_cents * times, pays=pays)


def all_written_for(times: int) -> RateCard:
    rates = {code: written_for(rate, times) for code, rate in LARKSPUR.rates.items()}
    return replace(LARKSPUR, rates=rates)


DEAR = all_written_for(100)
"""Every base price is above the maximum wager: no ticket is sold at it."""


def test_the_base_prices_of_the_card_cannot_be_bought() -> None:
    for rate in DEAR.rates.values():
        assert rate.base_cents > rate.max_cents
        assert rate.shown_wager_cents == rate.min_cents(1)


@pytest.mark.parametrize("made", [rate_card, gaming_guide])
def test_15_1_papers_show_the_awards_of_a_wager_that_can_be_bought(made: Any) -> None:
    assert words(made(DEAR)) == words(made(LARKSPUR))


@pytest.mark.parametrize("told", [handouts.card_told, handouts.guide_told])
def test_15_1_pages_show_the_awards_of_a_wager_that_can_be_bought(told: Any) -> None:
    assert told(DEAR) == told(LARKSPUR)


def test_a_notice_finds_nothing_changed_for_a_patron() -> None:
    assert compare(LARKSPUR, DEAR) == []
    assert compare(DEAR, LARKSPUR) == []


def test_a_base_price_off_the_steps_is_not_shown() -> None:
    special = replace(LARKSPUR.rates["special"], base_cents=2_00)
    assert special.shown_wager_cents == 1_25
    assert special.shown_award_cents(3, 3, LARKSPUR.aggregate_max_cents) == 65_00 * 125 // 200
    assert special.shown_award_cents(20, 20, LARKSPUR.aggregate_max_cents) == 0


def test_15_3_e_no_award_is_shown_above_the_maximum() -> None:
    awards = [
        award["cents"]
        for rate in handouts.card_told(DEAR)["rates"]
        for pays in rate["pays"]
        for award in pays["awards"]
    ]
    assert max(awards) == LARKSPUR.aggregate_max_cents
