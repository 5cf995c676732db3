"""What holds for every document: facts, fonts, odds with "to", the same bytes again."""

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime

import pytest

from keno.documents.guide import gaming_guide
from keno.documents.notice import new_card_notice
from keno.documents.ratecard import rate_card
from keno.documents.request import request_form
from keno.domain.cardfile import read_card
from keno.domain.ratecard import RateCard
from keno.service.counter import EXAMPLE, card_text, load_card, usable_card
from tests.cards import CARD
from tests.unit.documents.reading import FOR_ODDS, facts, fonts, pages, words


def changed(*replaced: tuple[str, str], text: str | None = None) -> RateCard:
    """The example card, or another, with some of its text replaced."""
    text = card_text(EXAMPLE) if text is None else text
    for old, new in replaced:
        assert old in text
        text = text.replace(old, new)
    card = read_card(text).card
    assert card is not None
    return card


LARKSPUR = usable_card(load_card(EXAMPLE))
NEXT = changed(('"26-3"', '"26-4"'), ("claim_days           = 365", "claim_days = 90"))


def notice(card: RateCard) -> bytes:
    return new_card_notice(card, NEXT, "A-1200", datetime(2026, 11, 14, 21, 8))  # noqa: DTZ001


DOCUMENTS: dict[str, tuple[Callable[[RateCard], bytes], int]] = {
    "rate card": (rate_card, 2),
    "keno request": (request_form, 1),
    "guide": (gaming_guide, 2),
    "notice": (notice, 1),
}
every = pytest.mark.parametrize("name", DOCUMENTS)


@every
def test_the_example_card_takes_so_many_pages(name: str) -> None:
    make, count = DOCUMENTS[name]
    assert len(pages(make(LARKSPUR))) == count


@every
def test_it_says_what_it_is(name: str) -> None:
    said = facts(DOCUMENTS[name][0](LARKSPUR))
    version = "26-4" if name == "notice" else "26-3"
    assert said["/Title"].startswith("Larkspur Keno: ")
    assert said["/Author"] == "Larkspur Keno"
    assert said["/Subject"]
    assert said["/Keywords"] == f"keno, rate card {version}"


@every
def test_its_text_is_in_house_and_the_outlines_are_in_the_file(name: str) -> None:
    found = fonts(DOCUMENTS[name][0](LARKSPUR))
    assert found
    assert all("House-" in font and embedded for font, embedded in found.items()), found


@every
def test_it_is_the_same_to_the_byte_when_made_again(name: str) -> None:
    make = DOCUMENTS[name][0]
    assert make(LARKSPUR) == make(LARKSPUR)


def test_another_process_makes_the_same_bytes() -> None:
    program = (
        "import hashlib; from keno.service.counter import load_card, usable_card;"
        "from keno.documents.ratecard import rate_card;"
        "print(hashlib.sha256(rate_card(usable_card(load_card('example')))).hexdigest())"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "TZ": zone, "PATH": "/usr/bin:/bin"},
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
        for seed, zone in (("1", "UTC"), ("2", "Asia/Tokyo"))
    }
    assert len(said) == 1


@every
def test_odds_are_stated_with_to_and_never_with_for(name: str) -> None:
    text = words(DOCUMENTS[name][0](LARKSPUR))
    assert not FOR_ODDS.search(text)


@every
def test_it_can_be_made_of_another_card(name: str) -> None:
    """The tests' own card has other rates, among them one without a mark and one for five games."""
    card = read_card(CARD).card
    assert card is not None
    assert "Test Keno" in words(DOCUMENTS[name][0](card)) or name == "notice"


@every
def test_signs_that_mean_something_in_markup_are_printed_as_they_are(name: str) -> None:
    card = changed(('name    = "Larkspur Keno"', 'name = "A & B <Keno>"'))
    if name != "notice":
        assert "A & B <Keno>" in words(DOCUMENTS[name][0](card))
    else:
        assert "A & B <Keno>" in words(new_card_notice(LARKSPUR, card, "A-1"))
