"""The rate card as it is printed: every award, odds, limit and promise, read back from the PDF."""

from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from keno.documents.ratecard import rate_card
from keno.domain.money import format_dollars
from keno.domain.odds import house_advantage
from keno.domain.ratecard import Rate, RateCard
from tests.unit.documents.reading import lines, pages, words
from tests.unit.documents.test_every_document import LARKSPUR, changed

MADE = rate_card(LARKSPUR)
TEXT = words(MADE)
LEFT, RIGHT = (0, 0, 396, 612), (396, 0, 396, 612)
COLUMNS = ((396, 0, 198, 612), (594, 0, 198, 612))
REGULAR = LARKSPUR.rates["regular"]


def odds(spots: int, catch: int) -> str:
    """Worked out here once more, and rounded as people do it."""
    good = comb(spots, catch) * comb(80 - spots, 20 - catch)
    against = Fraction(comb(80, 20) - good, good)
    if against >= 1_000_000:
        return f"{round(against):,} to 1"
    cents = round(against * 100)
    return f"{cents // 100:,}.{cents % 100:02d} to 1"


def row(card: RateCard, rates: list[Rate], spots: int, catch: int) -> str:
    paid = [rate.pays.get(spots, {}).get(catch, 0) for rate in rates]
    awards = [format_dollars(min(each, card.aggregate_max_cents)) for each in paid if each]
    return " ".join([str(catch), odds(spots, catch), *awards])


def test_15_1_every_award_of_every_rate_stands_beside_its_odds() -> None:
    rates = list(LARKSPUR.rates.values())
    told = lines(MADE, 2, LEFT)
    for spots in range(1, 13):
        caught = {catch for rate in rates for catch in rate.pays.get(spots, {})}
        best, *others = [row(LARKSPUR, rates, spots, each) for each in sorted(caught, reverse=True)]
        at = told.index(f"{spots} {best}")
        assert told[at : at + 1 + len(others)] == [f"{spots} {best}", *others]


def test_15_1_spot_counts_of_one_rate_alone_stand_in_columns() -> None:
    told = [line for box in COLUMNS for line in lines(MADE, 2, box)]
    for spots in range(13, 21):
        expected = [row(LARKSPUR, [REGULAR], spots, catch) for catch in REGULAR.pays[spots]]
        at = told.index(f"{spots} spots Regular, $1.00 pays") + 1
        assert told[at : at + len(expected)] == expected[::-1]


def test_15_1_each_page_is_marked_at_both_ends_of_its_fold() -> None:
    width, height = 792, 612
    fold = width // 2
    for page in pages(MADE):
        contents = page.get_contents()
        assert contents is not None
        drawn = contents.get_data().decode("latin-1")
        for top, bottom in ((height, height - 9), (9, 0)):
            assert f"{fold} {top} m {fold} {bottom} l S" in drawn


@pytest.mark.parametrize("known", ["3.00 to 1", "230,113.61 to 1", "8,911,710 to 1"])
def test_odds_that_every_writer_knows_are_there(known: str) -> None:
    assert known in TEXT


def test_15_1_return_and_house_advantage_of_every_wager_are_stated() -> None:
    told = lines(MADE, 1, RIGHT)
    for rate in LARKSPUR.rates.values():
        for first, last in ((1, 10), (11, 20)):
            kept = [
                house_advantage(rate, spots, rate.min_cents(1), LARKSPUR.aggregate_max_cents)
                for spots in range(first, last + 1)
                if spots in rate.pays
            ]
            if kept:
                house = " ".join(f"{round(each * 10_000) / 100:.2f}" for each in kept)
                back = " ".join(f"{round((1 - each) * 10_000) / 100:.2f}" for each in kept)
                name = rate.code.capitalize()
                at = told.index(f"{name} return {back}")
                assert told[at + 1] == f"house {house}"


def test_it_says_how_much_the_maximum_takes_at_the_highest_wagers() -> None:
    special = LARKSPUR.rates["special"]
    most = house_advantage(special, 8, special.max_cents, LARKSPUR.aggregate_max_cents)
    assert round(most, 4) == Fraction(3749, 10_000)
    assert "up to 37.49% (Special, 8 spots)" in TEXT


@pytest.mark.parametrize(
    "limit",
    [
        "Spots on a way 1 to 20",
        "Price of a ticket, one game $1.00 to $1,000.00",
        "Ways on a ticket 1 to 10,000",
        "Games on a ticket 1 to 1,000, one after the other",
        "Regular 1 to 20 $1.00; from 10 ways $0.25; from 100 ways $0.10 $20.00, by $0.05",
        "Special (S) 3 to 12 $1.25 $5.00, by $1.25",
        "Economy (E) 2 to 10 $0.50 $10.00, by $0.50 only split, way, combination, king tickets",
        "Marathon (M) 4 to 10 $1.00 $10.00, by $0.50 only 20 games or more",
    ],
)
def test_15_3_d_every_limit_is_posted(limit: str) -> None:
    assert limit in TEXT


@pytest.mark.parametrize(
    "promise",
    [
        "at most $100,000.00 to all its winners together; no single way or ticket wins more.",
        "every winning ticket is paid its share in proportion to its award",
        "Winning tickets are paid within 365 days from the start of their last game",
        "may be cancelled at the booth, all of them or none",
    ],
)
def test_15_3_e_15_6_c_the_maximum_claims_and_refunds_are_stated(promise: str) -> None:
    assert promise in TEXT


@pytest.mark.parametrize(
    ("before", "after", "promise"),
    [
        (
            'aggregate_share     = "proportional"',
            "aggregate_share = { full_up_to_cents = 1_000_00 }",
            "each is paid in full up to $1,000.00",
        ),
        ("claim_days           = 365", "claim_minutes = 90", "within 90 minutes from the start"),
        ("multi_race_refunds   = true", "multi_race_refunds = false", "are not refunded once"),
        ("aggregate_max_cents = 100_000_00", "aggregate_max_cents = 250_000_00", "$250,000.00"),
    ],
)
def test_another_card_promises_something_else(before: str, after: str, promise: str) -> None:
    assert promise in words(rate_card(changed((before, after))))


@pytest.mark.parametrize(
    "example",
    [
        ("Straight", "1/5 @1.00", "1 way × $1.00", "$1.00"),
        ("Split", "1/3 @1.00 1/4 @1.25S", "1 way × $1.00 + 1 way × $1.25", "$2.25"),
        ("Way", "3/8 @1.00", "3 ways × $1.00", "$3.00"),
        ("Combination", "1/5 @1.00 1/9 @1.00", "2 ways × $1.00", "$2.00"),
        ("King", "3/8 @1.00 1/12 @1.00", "4 ways × $1.00", "$4.00"),
        ("Multi-race", "1/6 @1.00", "1 way × $1.00 × 5 games", "$5.00"),
        ("Quick-pick", "quick-pick, 7 spots 1/7 @1.00", "1 way × $1.00", "$1.00"),
    ],
)
def test_15_4_a_every_type_of_ticket_is_worked_out(example: tuple[str, str, str, str]) -> None:
    name, conditioning, sum_, price = example
    place = TEXT.index(f"{name} ")
    told = TEXT[place : place + 420]
    assert conditioning in told
    assert f"{sum_} {price}" in told


def test_a_card_with_many_rates_goes_on_and_loses_nothing() -> None:
    """Nine rates abreast do not fit: the card is longer then, and every award is still there."""
    special = LARKSPUR.rates["special"]
    more = {
        f"long{each}": replace(special, code=f"long{each}", mark=f"X{each}") for each in range(5)
    }
    made = rate_card(replace(LARKSPUR, rates=dict(LARKSPUR.rates) | more))
    text = words(made)
    assert len(pages(made)) > 2
    for each in range(5):
        assert f"Long{each} (X{each})" in text
    assert text.count("$22,500.00") == 6
