"""The new-card notice: which card, from which game, posted when, and all that changes."""

from dataclasses import replace
from datetime import datetime

import pytest

from keno.documents.difference import Change, compare
from keno.documents.notice import new_card_notice
from keno.domain.ratecard import RateCard
from tests.unit.documents.reading import pages, words
from tests.unit.documents.test_every_document import LARKSPUR, NEXT, changed

VERSION = ('version = "26-3"', 'version = "26-4"')
POSTED = datetime(2026, 11, 14, 21, 8)  # noqa: DTZ001
MAXIMUM = ("aggregate_max_cents = 100_000_00", "aggregate_max_cents = 150_000_00")


def changes(new: RateCard, old: RateCard = LARKSPUR) -> dict[str, list[Change]]:
    return {topic.title: list(topic.changes) for topic in compare(old, new)}


def test_a_card_is_not_different_from_itself() -> None:
    assert compare(LARKSPUR, changed(VERSION)) == []


@pytest.mark.parametrize(
    ("before", "after", "topic", "change"),
    [
        ("spots_max = 20", "spots_max = 19", "Limits",
         Change("Spots on a way", "1 to 20", "1 to 19")),
        (*MAXIMUM, "Limits",
         Change("All awards of one game, at most", "$100,000.00", "$150,000.00")),
        ('aggregate_share     = "proportional"', "aggregate_share = { full_up_to_cents = 500_00 }",
         "Limits", Change("Above that", "shared in proportion",
                          "in full up to $500.00, then in proportion")),
        ("ticket_min_cents =     1_00", "ticket_min_cents = 2_00", "Limits",
         Change("Price of a ticket, one game", "$1.00 to $1,000.00", "$2.00 to $1,000.00")),
        ("ways_max         = 10000", "ways_max = 500", "Limits",
         Change("Ways on a ticket", "1 to 10,000", "1 to 500")),
        ("multi_race_games_max = 1000", "multi_race_games_max = 40", "Limits",
         Change("Games on a ticket", "1 to 1,000", "1 to 40")),
        ("multi_race_refunds   = true", "multi_race_refunds = false", "Limits",
         Change("Undrawn games of a multi-race", "refunded", "not refunded")),
        ("claim_days           = 365", "claim_days = 90", "Limits",
         Change("Time to claim", "365 days", "90 days")),
        ('default_rate = "regular"', 'default_rate = "special"', "Limits",
         Change("Rate without a mark", "Regular", "Special")),
        ('mark       = "S"', 'mark = "T"', "Rates", Change("Special: mark", "S", "T")),
        ("max_cents  = 20_00", "max_cents = 25_00", "Rates",
         Change("Regular: most a way", "$20.00", "$25.00")),
        ("games_min  = 20", "games_min = 10", "Rates",
         Change("Marathon: tickets", "20 games or more", "10 games or more")),
        ("5 = 720_00", "5 = 725_00", "Awards, Regular rate",
         Change("5 spots, catch 5", "$720.00", "$725.00")),
        ("[rates.regular.pays.2]\n2 = 12_00", "[rates.regular.pays.2]\n1 = 5\n2 = 12_00",
         "Awards, Regular rate", Change("2 spots, catch 1", "none", "$0.05")),
        ("5 = 720_00", "5 = 725_00", "House advantage, least wager",
         Change("Regular, 5 spots", "28.24%", "27.92%")),
    ],
)  # fmt: skip
def test_every_difference_is_found(before: str, after: str, topic: str, change: Change) -> None:
    assert change in changes(changed(VERSION, (before, after)))[topic]


def test_one_award_is_one_change_and_its_advantage() -> None:
    found = changes(changed(VERSION, ("5 = 720_00", "5 = 725_00")))
    assert {topic: len(each) for topic, each in found.items()} == {
        "Awards, Regular rate": 1,
        "House advantage, least wager": 1,
    }


def without_special() -> RateCard:
    rates = {code: rate for code, rate in LARKSPUR.rates.items() if code != "special"}
    return replace(LARKSPUR, version="26-2", rates=rates)


def test_a_rate_that_goes_is_one_change() -> None:
    assert changes(without_special()) == {
        "Rates": [Change("Special", "offered", "not offered")],
    }


def test_a_rate_that_comes_is_told_with_all_its_awards() -> None:
    found = changes(LARKSPUR, without_special())
    assert Change("Special", "not offered", "offered") in found["Rates"]
    assert Change("Special: least a way", "none", "$1.25") in found["Rates"]
    told = found["Awards, Special rate"]
    assert len(told) == sum(len(each) for each in LARKSPUR.rates["special"].pays.values())
    assert Change("8 spots, catch 8", "none", "$50,000.00 on $1.25") in told


def test_awards_at_another_base_price_name_both_prices() -> None:
    dollar = ("base_cents = 1_25\nmin_cents  = 1_25", "base_cents = 2_50\nmin_cents = 2_50")
    told = changes(changed(VERSION, dollar))["Awards, Special rate"]
    assert Change("3 spots, catch 3", "$65.00 on $1.25", "$65.00 on $2.50") in told


def test_the_notice_names_card_game_and_time() -> None:
    text = words(new_card_notice(LARKSPUR, NEXT, "A-1200", POSTED))
    for said in (
        "New rate card",
        "Card 26-4 takes the place of card 26-3",
        "From game A-1200",
        "Sat Nov 14, 2026 9:08 PM",
        "Posted",
        "Time to claim 365 days 90 days",
        "paid by the card they were sold under",
        "at least 30 minutes before that game opens",
    ):
        assert said in text


def test_without_a_time_there_is_a_line_to_write_it_on() -> None:
    text = words(new_card_notice(LARKSPUR, NEXT, "A-1200"))
    assert "Posted by and by" in text
    assert "PM" not in text


@pytest.mark.parametrize(
    ("hour", "clock"), [(0, "12:05 AM"), (11, "11:05 AM"), (12, "12:05 PM"), (23, "11:05 PM")]
)
def test_the_clock_has_twelve_hours(hour: int, clock: str) -> None:
    posted = datetime(2026, 1, 2, hour, 5)  # noqa: DTZ001
    assert f"Fri Jan 2, 2026 {clock}" in words(new_card_notice(LARKSPUR, NEXT, "1", posted))


def test_a_changed_maximum_says_what_is_not_sold_any_more() -> None:
    said = "no multi-race ticket that would reach that game is sold"
    assert said in words(new_card_notice(LARKSPUR, changed(VERSION, MAXIMUM), "A-1"))
    assert said not in words(new_card_notice(LARKSPUR, NEXT, "A-1"))


def test_the_approval_is_named_where_there_is_one() -> None:
    card = changed(VERSION, ("spots_max = 20", 'spots_max = 19\napproval = "CCC 26-118"'))
    assert "Approval: CCC 26-118" in words(new_card_notice(LARKSPUR, card, "A-1"))


def test_many_changes_go_on_under_their_own_head() -> None:
    made = new_card_notice(without_special(), LARKSPUR, "A-1")
    text = words(made)
    assert len(pages(made)) > 1
    assert "Awards, Special rate, continued" in text
    for spots, pays in LARKSPUR.rates["special"].pays.items():
        for catch in pays:
            assert f"{spots} spots, catch {catch} none" in text
