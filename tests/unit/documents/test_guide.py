"""The gaming guide says in plain words what a patron must know, with the card's own figures."""

import pytest

from keno.documents.guide import gaming_guide
from tests.unit.documents.reading import words
from tests.unit.documents.test_every_document import LARKSPUR, changed

TEXT = words(gaming_guide(LARKSPUR))


@pytest.mark.parametrize(
    "said",
    [
        "There are 80 numbers",
        "from 1 to 20 on each way",
        "20 numbers are drawn",
        "Straight. One group",
        "Split. Several",
        "Way. Groups of one size",
        "Combination. Groups of any size",
        "King. A single number",
        "Multi-race. Any ticket",
        "Quick-pick. A straight ticket",
        "all stations are locked for it in the same instant",
        "two keys, one held by the Commission’s inspector and one by a keno supervisor",
        "publish its seal",
        "at most $100,000.00 to all its winners together",
        "its share in proportion to its award",
        "$1,500.00 or more is first authorised by a keno supervisor",
        "within 365 days from the start of their last game",
        "until its first game closes",
        "all of them or none",
        "declared void by a supervisor and the inspector together",
        "take a complaint to the Commission’s inspector",
        "the house keeps from 24.18% to 29.54% on average",
    ],
)
def test_a_patron_is_told(said: str) -> None:
    assert said in TEXT


def test_its_odds_and_its_picture_are_of_the_card() -> None:
    assert "5 9.34 to 1 1,549.57 to 1 $720.00" in TEXT
    assert "3 of 5 caught. Pays $1.00 on $1.00 at the Regular rate. Odds 10.91 to 1." in TEXT


def test_another_card_is_told_by_its_own_figures() -> None:
    card = changed(
        ("multi_race_refunds   = true", "multi_race_refunds = false"),
        ("claim_days           = 365", "claim_days = 30"),
    )
    text = words(gaming_guide(card))
    assert "are not refunded once the first one has closed" in text
    assert "within 30 days" in text
