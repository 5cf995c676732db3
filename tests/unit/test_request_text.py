"""The text form: what writers key, what a ticket prints, and never anything but a refusal."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keno.domain.errors import Refusal
from keno.domain.money import CENTS_MAX
from keno.domain.request_json import TEXT_MAX, from_json
from keno.domain.request_text import (
    LETTERS,
    conditioning,
    parse,
    print_request,
    read_request,
    set_name,
)
from keno.domain.wager import GROUPS_MAX, EveryWay, KenoRequest, ListedWays, TicketType
from tests.cards import card, card_text
from tests.counts import count
from tests.strategies import KINDS, keno_requests
from tests.wagers import every, listed, only_refused, refusal, request

CARD = card()
SPECIAL_FIRST = card(card_text(default_rate="special"))

EXAMPLE = "1 2 3 4/5 6 7 8/9 10 11 12/K77: 3/8@1.00 AK1,BK1@2.00 x5 =35.00"
EXAMPLE_JSON = """{
  "groups": [[1,2,3,4],[5,6,7,8],[9,10,11,12]], "kings": [77],
  "lines": [{"ways": 3, "spots": 8, "rate": "regular", "wager_cents": 100},
            {"sets": [[0,3],[1,3]], "rate": "regular", "wager_cents": 200}],
  "games": 5, "price_cents": 3500}"""


def test_the_example_is_the_same_request_in_both_forms() -> None:
    assert parse(EXAMPLE, CARD) == from_json(EXAMPLE_JSON)
    assert print_request(from_json(EXAMPLE_JSON), CARD) == EXAMPLE
    assert parse(EXAMPLE, CARD).type is TicketType.KING


def test_either_form_is_told_by_its_first_character() -> None:
    assert read_request(EXAMPLE, CARD) == read_request(f"\n {EXAMPLE_JSON}", CARD)
    assert refusal(lambda: read_request("{1 2: 1/2@1.00", CARD))[0] is Refusal.MALFORMED
    assert refusal(lambda: read_request("", CARD))[0] is Refusal.MALFORMED


@pytest.mark.parametrize(
    "text",
    [
        f"  {EXAMPLE}\n",
        EXAMPLE.replace("@", " @ "),
        EXAMPLE.replace("@", "\t@").replace(" x5", "\n x5"),
        EXAMPLE.replace("/", " / ").replace("3 / 8", "3/8"),
        EXAMPLE.replace(": ", ":"),
        EXAMPLE.replace(":", " :"),
        EXAMPLE.replace("1.00", "1").replace("35.00", "$35"),
        EXAMPLE.replace("K77", "K077").replace("x5", "x05"),
        EXAMPLE.replace("AK1", "K1A").replace("1 2 3 4", "04 03 02 01"),
        EXAMPLE.replace("K1", "K01"),
        "1 2 3 4/K77/5 6 7 8/9 10 11 12: x5 =35.00 3/8@1.00 AK1,BK1@2.00",
        "1 2 3 4/5 6 7 8/9 10 11 12/K77: x5 3/8@1.00regular =35.00 AK1,BK1@2.00",
    ],
)
def test_what_writers_may_key_differently_is_the_same_request(text: str) -> None:
    assert parse(text, CARD) == parse(EXAMPLE, CARD)


def test_one_game_is_meant_if_none_are_stated_and_the_price_may_be_left_out() -> None:
    asked = parse("7: 1/1@1.00", CARD)
    assert (asked.games, asked.price_cents) == (1, None)
    assert asked == parse("7: 1/1@1.00 x1", CARD)
    assert print_request(asked, CARD) == "7: 1/1@1.00"


def test_kings_alone_need_no_group() -> None:
    asked = parse("K7/K9: K1K2@1.00", CARD)
    assert (asked.groups, asked.kings, asked.type) == ((), (7, 9), TicketType.KING)
    assert print_request(asked, CARD) == "K7/K9: K1K2@1.00"


# ---------------------------------------------------------------- rates and their marks


@pytest.mark.parametrize(
    ("keyed", "rate", "wager_cents"),
    [
        ("1.00", "regular", 100),
        ("1", "regular", 100),
        ("1.00regular", "regular", 100),
        ("1regular", "regular", 100),
        ("1.25S", "special", 125),
        ("5S", "special", 500),
        ("1.25special", "special", 125),
        ("0.505race", "5race", 50),  # a code that begins with a digit stands behind the cents
        ("10.005race", "5race", 1_000),
        ("0.01", "regular", 1),
        ("9999999999.99", "regular", CENTS_MAX - 1),
        ("10000000000.00", "regular", CENTS_MAX),
    ],
)
def test_a_mark_or_code_behind_the_price_names_the_rate(
    keyed: str, rate: str, wager_cents: int
) -> None:
    assert parse(f"1 2: 1/2@{keyed}", CARD).lines == (EveryWay(1, 2, rate, wager_cents),)


@pytest.mark.parametrize(
    "mark",
    ["X", "s", "SS", "Special", "5", "0", "race", "$", "@", "@1.00", ":", "\ud800", "é", "x" * 99],
)
def test_a_mark_that_is_not_on_the_card_is_refused(mark: str) -> None:
    assert refusal(lambda: parse(f"1 2: 1/2@1.25{mark}", CARD))[0] is Refusal.UNKNOWN_RATE


def test_a_code_that_begins_with_a_digit_needs_the_cents_before_it() -> None:
    assert refusal(lambda: parse("1 2: 1/2@505race", CARD))[0] is Refusal.UNKNOWN_RATE


def test_the_cards_default_rate_has_no_mark() -> None:
    asked = parse("1 2 3: A@1.25", SPECIAL_FIRST)
    assert asked.lines[0].rate == "special"
    assert print_request(asked, SPECIAL_FIRST) == "1 2 3: A@1.25"
    assert print_request(asked, CARD) == "1 2 3: A@1.25S"
    plain = parse("1 2 3: A@1.00", CARD)
    assert print_request(plain, SPECIAL_FIRST) == "1 2 3: A@1.00regular"


def test_a_rate_without_a_mark_is_printed_with_its_code() -> None:
    asked = request([2], listed((0,), rate="5race", wager_cents=50), games=5)
    assert print_request(asked, CARD) == "1 2: A@0.505race x5"
    assert parse("1 2: A@0.505race x5", CARD) == asked
    assert CARD.mark_of("withdrawn") == "withdrawn"  # nor is one that the card has no more


@pytest.mark.parametrize("mark", ["x9", "K1", "*", "$", "%", "A#1", "~~~~", "Z999"])
def test_every_mark_a_card_may_have_is_read_back(mark: str) -> None:
    marked = card(card_text(rates__special__mark=mark))
    asked = request([4], every(1, 4, 125, rate="special"), games=9)
    assert print_request(asked, marked) == f"1 2 3 4: 1/4@1.25{mark} x9"
    assert parse(print_request(asked, marked), marked) == asked


# ---------------------------------------------------------------- letters


def test_groups_are_lettered_without_k() -> None:
    assert LETTERS == "ABCDEFGHIJLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz"
    assert len(LETTERS) == GROUPS_MAX


def test_fifty_groups_and_thirty_kings_have_names() -> None:
    sets = tuple((index,) for index in range(80))
    asked = request([1] * 50, listed(*sets), kings=30)
    assert set_name((0, 9, 10, 49, 50, 79), asked) == "AJLzK1K30"
    assert parse(print_request(asked, CARD), CARD) == asked


@pytest.mark.parametrize("name", ["C", "a", "z", "K0", "K2", "K00", "K99", "AC", "AK2"])
def test_a_name_that_no_group_has_is_refused(name: str) -> None:
    assert refusal(lambda: parse(f"1/2/K3: {name}@1.00", CARD))[0] is Refusal.UNKNOWN_GROUP


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "1 2 3",
        "1 2 3 1/3@1.00",
        "one: A@1.00",
        "1,2: 1/2@1.00",
        "1-2: 1/2@1.00",
        "-1: 1/1@1.00",
        "+1: 1/1@1.00",
        "1.0: 1/1@1.00",
        "0001: 1/1@1.00",
        "\u0661: 1/1@1.00",
        "K: A@1.00",
        "K 7/1: A@1.00",
        "k7/1: A@1.00",
        "KK7/1: A@1.00",
        "1 K7: A@1.00",
        "1: A",
        "1: 1/1",
        "1: @1.00",
        "1: A@",
        "1: A@S",
        "1: A@.50",
        "1: A@1.5",
        "1: A@1.",
        "1: A@-1.00",
        "1: A@$1.00",
        "1: A@99999999999.00",
        "1: A@" + "9" * 5_000,
        "1: 1@1.00",
        "1: /@1.00",
        "1: 1/@1.00",
        "1: /1@1.00",
        "1: 1/1/1@1.00",
        "1: -1/1@1.00",
        "1: 1.0/1@1.00",
        "1: 1/\u0661@1.00",
        "1: 1111111111111111/1@1.00",
        "1: k@1.00",
        "1: K@1.00",
        "1: K111@1.00",
        "1: A,@1.00",
        "1: ,A@1.00",
        "1: A,,A@1.00",
        "1: A;A@1.00",
        "1: \u0391@1.00",  # a Greek letter that looks like A
        "1: A@1.00 x",
        "1: A@1.00 x-1",
        "1: A@1.00 x1.5",
        "1: A@1.00 X5",
        "1: A@1.00 x5 x5",
        "1: A@1.00 x1111111111111111",
        "1: A@1.00 =",
        "1: A@1.00 = 1.00",
        "1: A@1.00 =1.0",
        "1: A@1.00 =-1.00",
        "1: A@1.00 =1.00 =1.00",
        "1: A@1.00 =1.00S",
        "1: A@1.00 nonsense",
        "1: (A)@1.00",
        "1: A @ 1.00 S",
    ],
)
def test_text_of_another_form_is_malformed(text: str) -> None:
    assert refusal(lambda: parse(text, CARD))[0] is Refusal.MALFORMED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("81: 1/1@1.00", Refusal.NUMBER_OUT_OF_RANGE),
        ("0: 1/1@1.00", Refusal.NUMBER_OUT_OF_RANGE),
        ("1/K81: 2/1@1.00", Refusal.NUMBER_OUT_OF_RANGE),
        ("1 1: 1/2@1.00", Refusal.NUMBER_TWICE),
        ("1//2: A,B@1.00", Refusal.GROUP_EMPTY),
        ("1/: A@1.00", Refusal.GROUP_EMPTY),
        ("/".join(map(str, range(1, 52))) + ": 51/1@1.00", Refusal.TOO_MANY_GROUPS),
        (": 1/1@1.00", Refusal.NO_GROUPS),
        ("K1: 1/1@1.00", Refusal.NO_GROUPS),
        ("1:", Refusal.NO_CONDITIONING),
        ("1: x5 =1.00", Refusal.NO_CONDITIONING),
        ("1/2: AA@1.00", Refusal.GROUP_TWICE_IN_WAY),
        ("1/2/K3: AK1K1@1.00", Refusal.GROUP_TWICE_IN_WAY),
        ("1 2/3 4: 2/4@1.00", Refusal.WAYS_DO_NOT_MATCH),
        ("1: 0/1@1.00", Refusal.WAYS_DO_NOT_MATCH),
        ("1: 999999999999999/1@1.00", Refusal.WAYS_DO_NOT_MATCH),
        ("1/2: AB,BA@1.00", Refusal.WAY_BET_TWICE),
        ("1/2: A@1.00", Refusal.GROUP_NOT_PLAYED),
        ("1/2: A@1.00 B@2.00", Refusal.SPLIT_NEEDS_ONE_RATE),
        ("1: A@1.00 x0", Refusal.GAMES_OUT_OF_RANGE),
        ("1: A@1.00 x999999999999999", Refusal.GAMES_OUT_OF_RANGE),
        ("1: A@0.00", Refusal.WAGER_TOO_LOW),
        ("1: " + "A@1.00 " * 1_001, Refusal.TOO_MANY_WAYS),
    ],
)
def test_text_of_the_right_form_may_still_be_unsound(text: str, reason: Refusal) -> None:
    assert refusal(lambda: parse(text, CARD))[0] is reason


def test_the_longest_text_is_still_read() -> None:
    asked = "1: A@1.00"
    assert parse(asked.ljust(TEXT_MAX), CARD) == parse(asked, CARD)
    assert refusal(lambda: parse(asked.ljust(TEXT_MAX + 1), CARD))[0] is Refusal.MALFORMED


@pytest.mark.parametrize(
    "text",
    [
        f"1: {' ' * 60_000}A@1.00",
        f"1: A{' ' * 60_000}@{' ' * 60_000}1.00",
        f"1: {'@' * 60_000}",
        f"1: {'A' * 60_000}@1.00",
        f"1: {'K12' * 60_000}-@1.00",
        f"1: A@{'1' * 60_000}.",
        f"1: ={'1,' * 60_000}",
        f"{'/' * 60_000}: A@1.00",
        f"{'1 ' * 60_000}: A@1.00",
    ],
)
def test_long_text_is_read_or_refused_without_going_over_it_again_and_again(text: str) -> None:
    # Work that grows with the square of the length would take minutes here.
    only_refused(lambda: parse(text, CARD))


# ---------------------------------------------------------------- what the ticket prints


@pytest.mark.parametrize(
    ("asked", "printed"),
    [
        (request([4] * 3, every(3, 8)), "3/8 @1.00"),
        (request([2] * 4, every(6, 4)), "6/4 @1.00"),
        (
            request([2] * 4, listed((0, 1), (2, 3), rate="special", wager_cents=125)),
            "2/4 (AB CD) @1.25S",
        ),
        (request([4, 4, 3], listed((0, 1), (2,), (0,))), "1/3 1/4 1/8 (AB C A) @1.00"),
        (request([4, 4], listed((0, 2), (1, 2)), kings=1), "2/5 (AK1 BK1) @1.00"),
        (request([2], every(1, 2, 50, rate="5race"), games=5), "1/2 @0.505race"),
        (request([8], every(1, 8, 123_456_00)), "1/8 @123456.00"),
    ],
)
def test_15_4_c_6_conditioning_as_the_ticket_shows_it(asked: KenoRequest, printed: str) -> None:
    assert conditioning(asked, asked.lines[0], CARD) == printed


# ---------------------------------------------------------------- properties


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_is_read_back_as_it_was_printed(kind: str) -> None:
    @settings(max_examples=count(30, 5_000))
    @given(keno_requests(kind))
    def read_back(asked: KenoRequest) -> None:
        for each in (CARD, SPECIAL_FIRST):
            text = print_request(asked, each)
            assert parse(text, each) == asked
            assert print_request(parse(text, each), each) == text

    read_back()


@given(keno_requests(), st.integers(1, CENTS_MAX), st.integers(1, CENTS_MAX))
def test_any_amount_that_a_request_may_have_is_read_back(
    asked: KenoRequest, wager_cents: int, price_cents: int
) -> None:
    lines = tuple(replace(line, wager_cents=wager_cents) for line in asked.lines)
    if len({line.rate for line in lines}) == 1:
        asked = replace(asked, lines=lines, price_cents=price_cents)
    assert parse(print_request(asked, CARD), CARD) == asked


def test_the_largest_amounts_are_read_back() -> None:
    line = ListedWays(((0,),), "regular", CENTS_MAX)
    asked = KenoRequest(((1,),), (), (line,), price_cents=CENTS_MAX)
    assert parse(print_request(asked, CARD), CARD) == asked


@pytest.mark.parametrize("stated", ["10,000,000,000.01", "9" + ",999" * 500])
def test_a_price_above_the_largest_amount_is_malformed(stated: str) -> None:
    assert refusal(lambda: parse(f"1: A@1.00 ={stated}", CARD))[0] is Refusal.MALFORMED


@pytest.mark.parametrize("token", ["9" * 5_000, "x" + "9" * 5_000, "=" + "9" * 5_000, "=x" * 5_000])
def test_a_refusal_is_short_enough_to_read_out(token: str) -> None:
    assert only_refused(lambda: parse(f"1: A@1.00 {token}", CARD)) is None


def read_or_refused(text: str) -> None:
    asked = only_refused(lambda: read_request(text, CARD))
    if asked is not None:
        assert parse(print_request(asked, CARD), CARD) == asked


@settings(max_examples=count(200, 50_000))
@given(st.text(st.characters()) | st.text("0123456789/K:ABCk,@.xS= \t5race"))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refused(text)
    read_or_refused(f"1 2/3 4/K5: {text}")


@settings(max_examples=count(100, 50_000))
@given(keno_requests(), st.data())
def test_a_damaged_text_is_read_or_refused(asked: KenoRequest, data: st.DataObject) -> None:
    text = print_request(asked, CARD)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 10, len(text))))
    put_in = data.draw(
        st.text(st.characters(), max_size=4)
        | st.sampled_from([*"0123456789/K:Aa,@.xS= ", "K1", "/K80", " x2", "@2.00S"])
        | st.just(text[start:end] * 2)
    )
    read_or_refused(text[:start] + put_in + text[end:])
