"""Limits of size and work of a card's text, and posted cards, which have none."""

import json
import tomllib

import pytest

from keno.domain.cardfile import judge_posted, posted_card, read_card
from keno.domain.certify import CardFault, Rules
from tests.cards import CARD, card_text
from tests.unit.test_certify import codes, read

REGULAR = tomllib.loads(CARD)["rates"]["regular"]

PLAIN_DEPTH = """
# ................ [[[[[[[[[[[[ {{{{{{{{{{ a.b.c.d.e.f.g.h.i.j
"""


def test_dots_and_brackets_in_comments_and_texts_are_not_counted() -> None:
    name = 'a.b.c.d.e.f.g.h.i.j [[[[[[[[[[ \\" {{{{{{{{{{'
    for quoted in (json.dumps(name), f"'{name[:-12]}'", f'"""{name}"""'):
        text = PLAIN_DEPTH + CARD.replace('"Test Keno"', quoted)
        assert read_card(text).faults == (), quoted


@pytest.mark.parametrize(
    "text",
    [
        "a.b.c.d.e.f.g.h.i = 1",
        "[a.b.c.d.e.f.g.h.i]",
        '"a" . b."c".d.e.f.g.h.i = 1',
        "a = " + "[" * 9 + "]" * 9,
        "a = " + "{a=" * 9 + "1" + "}" * 9,
        CARD + "#" * 64 * 1024,
        CARD + "# " + "\N{SNOWMAN}" * 22_000,
    ],
    ids=["key", "table", "quoted", "list", "inline table", "bytes", "bytes of UTF-8"],
)
def test_a_text_beyond_a_limit_is_too_large(text: str) -> None:
    report = read_card(text)
    assert (report.card, report.wagers) == (None, ())
    assert codes(report) == {CardFault.TOO_LARGE}


def test_a_card_has_so_many_minimums_and_no_more() -> None:
    tiers = [{"ways": ways, "min_cents": 101 - ways} for ways in range(1, 21)]
    rate = REGULAR | {"tiers": tiers, "step_cents": 1, "max_cents": 1_00}
    rates = {f"rates__r{index}": rate for index in range(10)}
    report = read(**rates, rates__regular=rate, rates__special=None, rates__5race=None)
    assert CardFault.TOO_LARGE in codes(report)
    assert report.wagers == ()
    assert "2,200 minimum wagers" in report.faults[0].message


def test_faults_beyond_five_hundred_are_counted() -> None:
    report = read_card("".join(f"key{index} = 1\n" for index in range(700)) + CARD)
    assert len(report.faults) == 501
    assert report.faults[-1].message == "200 more faults are not listed."


def test_a_posted_card_is_read_without_the_limits_that_came_later() -> None:
    tiers = [{"ways": ways, "min_cents": 101 - ways} for ways in range(1, 100)]
    text = card_text(rates__regular__tiers=tiers, rates__regular__min_cents=7, ways_max=100)
    text += "\n#" + "." * 70_000
    assert codes(read_card(text)) == {CardFault.TOO_LARGE}
    card = posted_card(text)
    assert card is not None
    assert len(card.rates["regular"].tiers) == 99
    assert judge_posted(text, Rules.POSTED_MINIMUMS).certified
    assert CardFault.MINIMUM_STATED_TWICE in codes(judge_posted(text))


def test_a_code_that_is_too_long_or_not_printable_is_cut_wherever_it_is_repeated() -> None:
    for code in ("x" * 20_000, "\x1b[31m", "\N{RIGHT-TO-LEFT OVERRIDE}"):
        text = CARD.replace("[rates.regular", f"[rates.{json.dumps(code)}").replace(
            'default_rate = "regular"', ""
        )
        report = read_card(text)
        assert report.card is None
        assert codes(report) >= {CardFault.BAD_CODE}
        repeated = {wager.rate for wager in report.wagers} | {
            fault.message for fault in report.faults
        }
        assert all(each.isprintable() and len(each) < 200 for each in repeated)
