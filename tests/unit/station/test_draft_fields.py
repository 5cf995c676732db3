"""Typed fields one by one, and what a scanner or a keyboard gives for a ticket."""

from dataclasses import replace

import pytest

from keno.domain.errors import Refused
from keno.domain.wager import EveryWay, ListedWays
from tests.cards import card
from writer_station.draft_fields import (
    Amount,
    Unfinished,
    read_amount,
    read_conditioning,
    read_games,
    write_amount,
)
from writer_station.paying import read_ticket

CARD = card()
CODE = "7K2M9QXT4RVB8HWN"


def test_conditioning() -> None:
    amount = Amount("regular", 200)
    parts = read_conditioning("3 / 8  ab, ck1@1.25S", 3, 1, amount, CARD)
    assert [part.line for part in parts] == [
        EveryWay(3, 8, "regular", 200),
        ListedWays(((0, 1), (2, 3)), "special", 125),
    ]
    assert [part.own_amount for part in parts] == [False, True]


def test_small_letters_are_groups_of_their_own_beyond_the_capitals() -> None:
    parts = read_conditioning("Aa,bk1", 30, 1, Amount("regular", 100), CARD)
    assert parts[0].line == ListedWays(((0, 25), (26, 30)), "regular", 100)


@pytest.mark.parametrize("text", ["1.0.0", "£1", "1,00", "99999999999999999.00", "-1"])
def test_no_amounts(text: str) -> None:
    with pytest.raises(Refused):
        read_amount(text, CARD)


@pytest.mark.parametrize("text", ["1.", "$1.5", "."])
def test_begun_amounts(text: str) -> None:
    with pytest.raises(Unfinished):
        read_amount(text, CARD)


def test_amounts_read_back() -> None:
    for rate, cents in (("regular", 5), ("special", 1_250_00), ("5race", 50)):
        assert read_amount(write_amount(rate, cents, CARD), CARD) == Amount(rate, cents)
    assert read_amount("1,250.50", CARD) == Amount("regular", 1_250_50)
    assert read_amount(".50", CARD) == Amount("regular", 50)


def test_a_rate_alone_means_a_wager_that_can_be_bought() -> None:
    assert read_amount("", CARD) == Amount("regular", 1_00)
    special = CARD.rates["special"]
    dear = replace(special, base_cents=special.max_cents * 2)
    changed = replace(CARD, rates={**CARD.rates, "special": dear})
    assert read_amount("S", changed) == Amount("special", special.min_cents(1))


def test_games() -> None:
    assert [read_games(text) for text in ("", " 5 ", "x3")] == [1, 5, 3]
    for text in ("five", "1.5", "-1", "\u0661", "9" * 30):
        with pytest.raises(Refused):
            read_games(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"A-418-{CODE}", ("A", 418, CODE)),
        (f"HTTPS://KENO.EXAMPLE/T/B-4182276-{CODE}\r\n", ("B", 4182276, CODE)),
        (f"418 {CODE}", ("", 418, CODE)),
        ("418 2276 7k2m 9qxt 4rvb 8hwn", ("", 4182276, CODE)),
        ("a-418 7K2M-9QXT-4RVB-8HWN", ("A", 418, CODE)),
        ("418 7K2M9QXT4RVB8HWO", ("", 418, "7K2M9QXT4RVB8HW0")),
        (f"A-0-{CODE}", ("A", 0, CODE)),
        ("418", None), (CODE, None), (f"AB-418-{CODE}", None), ("1 2 3: 1/3@1.00", None),
        (f"{'9' * 30} {CODE}", None), ("", None), (f"418 {CODE[:-1]}", None),
    ],
)  # fmt: skip
def test_a_ticket_that_is_scanned_or_keyed(text: str, found: object) -> None:
    assert read_ticket(text) == found
