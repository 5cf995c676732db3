"""The picture of a ticket's chances: bands that add up, and odds in words."""

from fractions import Fraction

from keno.domain.odds import ticket_odds
from keno.domain.pricing import price
from keno.domain.request_text import parse
from keno.service import counter
from keno.web.odds_bands import BANDS_MAX, bands, picture, to_one

CARD = counter.usable_card(counter.load_card(counter.EXAMPLE))
STORY = "7 18 33 61/12 26 49 70/4 38 77/K55: 3/8@1.00 1/12@1.00"
TEXTS = (STORY, "1: 1/1@1.00", "1 2 3 4 5 6 7 8 9 10: 1/10@1.00", "1 2/3 4/5 6: 3/2@1.00 3/4@1.00",
         "1/2/3/4/5/6/7/8: 8/1@1.00", "1 2 3 4 5: 1/5@5.00")  # fmt: skip


def test_the_story_has_the_bands_of_the_guide() -> None:
    told = picture(ticket_odds(price(parse(STORY, CARD), CARD)))
    assert told is not None
    assert (told["of_100"], told["more_of_100"], told["any"]) == (14, 6, "6.2 to 1")
    assert [(band["low_cents"], band["odds"]) for band in told["bands"]] == [
        (1_00, "11.8 to 1"),
        (5_00, "16.5 to 1"),
        (115_00, "260 to 1"),
        (1_525_00, "2,095 to 1"),
        (25_200_00, "76,728 to 1"),
    ]
    assert [band["high_cents"] for band in told["bands"]][:4] == [1_00, 95_00, 870_00, 4_090_00]


def test_bands_are_few_rise_and_add_up() -> None:
    for text in TEXTS:
        odds = ticket_odds(price(parse(text, CARD), CARD))
        assert odds.awards is not None
        paying = [(cents, chance) for cents, chance in odds.awards if cents]
        found = bands(paying, odds.price_cents)
        assert 1 <= len(found) <= BANDS_MAX
        assert sum(band.chance for band in found) == odds.win_probability
        edges = [edge for band in found for edge in (band.low_cents, band.high_cents)]
        assert edges == sorted(edges)
        assert (edges[0], edges[-1]) == (paying[0][0], paying[-1][0])
        below = [band for band in found if band.low_cents <= odds.price_cents]
        assert all(band.high_cents <= odds.price_cents for band in below), text


def test_an_intricate_ticket_has_no_picture() -> None:
    letters = "ABCDEFGHIJLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz"
    groups = "/".join(str(number) for number in range(1, 51))
    sets = ",".join(f"{a}{b}" for a, b in zip(letters, letters[1:] + "A", strict=True))
    odds = ticket_odds(price(parse(f"{groups}: {sets}@0.25", CARD), CARD))
    assert odds.awards is None
    assert picture(odds) is None


def test_odds_in_words() -> None:
    assert to_one(Fraction(1, 4)) == "3.0 to 1"
    assert to_one(Fraction(100, 999)) == "9.0 to 1"
    assert to_one(Fraction(1, 230_114)) == "230,113 to 1"
    assert to_one(Fraction(0)) == "never"
