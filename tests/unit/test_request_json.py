"""The JSON form: read strictly, written in one normal form, and never anything but a refusal."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from keno.domain.errors import Refusal
from keno.domain.request_json import INTEGER_MAX, TEXT_MAX, from_json, from_written, to_written
from keno.domain.wager import EveryWay, KenoRequest, ListedWays, TicketType
from tests.counts import count
from tests.strategies import KINDS, keno_requests
from tests.wagers import only_refused, refusal

EXAMPLE = """{
  "groups": [[1,2,3,4],[5,6,7,8],[9,10,11,12]],
  "kings": [77],
  "lines": [
    {"ways": 3, "spots": 8, "rate": "regular", "wager_cents": 100},
    {"sets": [[0,3],[1,3]], "rate": "regular", "wager_cents": 200}
  ],
  "games": 5,
  "price_cents": 3500
}"""


def written(**changes: Any) -> dict[str, Any]:
    """A plain straight request with some fields changed, or left out if they are None."""
    line = {"ways": 1, "spots": 2, "rate": "regular", "wager_cents": 100}
    fields = {"groups": [[1, 2]], "kings": [], "lines": [line], "games": 1} | changes
    return {name: value for name, value in fields.items() if value is not None}


def one_line(**changes: Any) -> dict[str, Any]:
    """The same with its line changed."""
    line = {"ways": 1, "spots": 2, "rate": "regular", "wager_cents": 100} | changes
    return written(lines=[{name: value for name, value in line.items() if value is not None}])


def test_the_example_is_read() -> None:
    asked = from_json(EXAMPLE)
    assert asked == KenoRequest(
        groups=((1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12)),
        kings=(77,),
        lines=(
            EveryWay(3, 8, "regular", 100),
            ListedWays(((0, 3), (1, 3)), "regular", 200),
        ),
        games=5,
        price_cents=3500,
    )
    assert asked.type is TicketType.KING


def test_writing_gives_the_normal_form_without_the_patrons_price() -> None:
    asked = from_json(EXAMPLE.replace("[1,2,3,4]", "[4,2,3,1]").replace("[0,3]", "[3,0]"))
    expected = json.loads(EXAMPLE)
    del expected["price_cents"]
    assert to_written(asked) == expected
    assert list(to_written(asked)) == ["groups", "kings", "lines", "games"]


def test_kings_games_and_price_may_be_left_out() -> None:
    short = written(kings=None, games=None)
    assert from_written(short) == from_written(written(games=1, kings=[]))
    assert from_written(short).price_cents is None
    assert from_written(written() | {"price_cents": None}).price_cents is None
    assert from_written(written(price_cents=100)).price_cents == 100


MALFORMED: list[tuple[object, str]] = [
    (None, "request"),
    ([], "request"),
    ("", "request"),
    (3, "request"),
    ({}, "request"),
    (written(groups=None), "request"),
    (written(lines=None), "request"),
    (written(colour="red"), "request"),
    (written() | {"": 1}, "request"),
    (written() | {"\ud800": 1}, "request"),
    (written() | {"Games": 1}, "request"),
    (written() | {1: 1}, "request"),
    (written(groups={}), "groups"),
    (written(groups="12"), "groups"),
    (written(groups=[1, 2]), "groups[0]"),
    (written(groups=[[1, 2], None]), "groups[1]"),
    (written(groups=[[1, "2"]]), "groups[0]"),
    (written(groups=[[1, 2.0]]), "groups[0]"),
    (written(groups=[[True, 2]]), "groups[0]"),
    (written(groups=[[1, None]]), "groups[0]"),
    (written(groups=[[1, [2]]]), "groups[0]"),
    (written(groups=[[1, INTEGER_MAX + 1]]), "groups[0]"),
    (written(groups=[[1, -INTEGER_MAX - 1]]), "groups[0]"),
    (written(kings=7), "kings"),
    (written() | {"kings": None}, "kings"),
    (written(kings=[False]), "kings"),
    (written(games="1"), "games"),
    (written(games=1.0), "games"),
    (written(games=True), "games"),
    (written(games=10**30), "games"),
    (written() | {"games": None}, "games"),
    (written(price_cents="100"), "price_cents"),
    (written(price_cents=float("nan")), "price_cents"),
    (written(price_cents=False), "price_cents"),
    (written(price_cents=INTEGER_MAX + 1), "price_cents"),
    (written(lines={}), "lines"),
    (written(lines=[[]]), "lines[0]"),
    (written(lines=["1/2@1.00"]), "lines[0]"),
    (one_line(ways=None), "lines[0]"),
    (one_line(spots=None), "lines[0]"),
    (one_line(rate=None), "lines[0]"),
    (one_line(wager_cents=None), "lines[0]"),
    (one_line(games=1), "lines[0]"),
    (one_line(sets=[[0]]), "lines[0]"),  # either listed sets or n/s
    (one_line(sets=[[0]], ways=None), "lines[0]"),
    (one_line(rate=1), "lines[0].rate"),
    (one_line(rate=["regular"]), "lines[0].rate"),
    (one_line(ways="1"), "lines[0].ways"),
    (one_line(ways=True), "lines[0].ways"),
    (one_line(spots=2.0), "lines[0].spots"),
    (one_line(wager_cents=1.25), "lines[0].wager_cents"),
    (one_line(wager_cents="1.25"), "lines[0].wager_cents"),
    (one_line(wager_cents=2**53), "lines[0].wager_cents"),
    (one_line(sets={}, ways=None, spots=None), "lines[0].sets"),
    (one_line(sets=[0], ways=None, spots=None), "lines[0].sets[0]"),
    (one_line(sets=[[0], ["A"]], ways=None, spots=None), "lines[0].sets[1]"),
]


@pytest.mark.parametrize(("decoded", "where"), MALFORMED)
def test_anything_but_the_one_shape_is_malformed(decoded: object, where: str) -> None:
    assert refusal(lambda: from_written(decoded)) == (Refusal.MALFORMED, where)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{}",
        "[]",
        "null",
        "1",
        "nonsense",
        '{"groups": [[1]], "lines": []',
        json.dumps(written()) + "x",
        json.dumps(written()) * 2,
        "\ufeff" + json.dumps(written()),
        json.dumps(written()).replace('"', "'"),
        json.dumps(written())[:-1] + ",}",
        json.dumps(written()).replace("[1, 2]", "[01, 2]"),
        json.dumps(written()).replace("[1, 2]", "[1, 2,]"),
        json.dumps(written()).replace("100", "100.0"),
        json.dumps(written()).replace("100", "1e2"),
        json.dumps(written()).replace("100", "NaN"),
        json.dumps(written()).replace("100", "Infinity"),
        json.dumps(written()).replace("100", "-Infinity"),
        json.dumps(written()).replace("100", "true"),
        json.dumps(written(price_cents=9)).replace("9", "9.0"),
        json.dumps(written(price_cents=9)).replace("9", "NaN"),
        json.dumps(written()).replace("100", "9007199254740992"),
        json.dumps(written()).replace("regular", "reg\nular"),
        json.dumps(written()).replace('"games": 1', '"games": 1, "games": 1'),
        json.dumps(written()).replace('"ways": 1', '"ways": 1, "ways": 1'),
        json.dumps(written()).replace('"ways"', '"w\\u0061ys": 1, "ways"'),
        "[" * 100_000,
        '{"groups":' * 20_000,
        "[" * 900 + "]" * 900,
        '{"groups": ' + "[" * 100_000 + "]" * 100_000 + ', "lines": []}',
    ],
)
def test_text_that_is_not_one_plain_json_object_is_malformed(text: str) -> None:
    assert refusal(lambda: from_json(text))[0] is Refusal.MALFORMED


@pytest.mark.parametrize("digits", [16, 4_300, 4_301, 100_000])
@pytest.mark.parametrize("sign", ["", "-"])
def test_a_number_of_very_many_digits_is_malformed(digits: int, sign: str) -> None:
    text = json.dumps(written()).replace("100", sign + "9" * digits)
    assert refusal(lambda: from_json(text))[0] is Refusal.MALFORMED


@pytest.mark.parametrize("character", [" ", "[", "9", "{", '"', "\ud800"])
def test_text_that_is_too_long_is_malformed(character: str) -> None:
    assert refusal(lambda: from_json(character * (TEXT_MAX + 1)))[0] is Refusal.MALFORMED


@pytest.mark.parametrize(
    "text", ["[1." + "1" * 5_000 + "]", '{"' + "x" * 5_000 + '": 1}', "[1e" + "1" * 5_000 + "]"]
)
def test_a_refusal_is_short_enough_to_read_out(text: str) -> None:
    assert only_refused(lambda: from_json(text)) is None


def test_the_longest_text_is_still_read() -> None:
    text = json.dumps(written())
    assert TEXT_MAX == 262_144
    assert from_json(text.ljust(TEXT_MAX)) == from_written(written())
    assert refusal(lambda: from_json(text.ljust(TEXT_MAX + 1)))[0] is Refusal.MALFORMED


def test_the_largest_integer_is_still_a_number() -> None:
    assert INTEGER_MAX == 9_007_199_254_740_991
    too_many = refusal(lambda: from_written(written(games=INTEGER_MAX)))
    assert too_many == (Refusal.GAMES_OUT_OF_RANGE, "games")


@pytest.mark.parametrize(
    ("decoded", "reason"),
    [
        (written(groups=[[1, 81]]), Refusal.NUMBER_OUT_OF_RANGE),
        (written(groups=[[1, 1]]), Refusal.NUMBER_TWICE),
        (written(groups=[[]]), Refusal.GROUP_EMPTY),
        (written(groups=[]), Refusal.NO_GROUPS),
        (written(lines=[]), Refusal.NO_CONDITIONING),
        (one_line(ways=2), Refusal.WAYS_DO_NOT_MATCH),
        (one_line(sets=[[1]], ways=None, spots=None), Refusal.UNKNOWN_GROUP),
        (written(games=0), Refusal.GAMES_OUT_OF_RANGE),
    ],
)
def test_what_is_well_written_may_still_be_unsound(decoded: object, reason: Refusal) -> None:
    assert refusal(lambda: from_written(decoded))[0] is reason


def test_any_text_may_name_a_rate_until_the_card_is_asked() -> None:
    for code in ("", "\ud800", "no such rate", "x" * 1_000):
        assert from_json(json.dumps(one_line(rate=code))).lines[0].rate == code


@pytest.mark.parametrize("kind", KINDS)
def test_a_request_is_read_back_as_it_was_written(kind: str) -> None:
    @settings(max_examples=count(30, 5_000))
    @given(keno_requests(kind))
    def read_back(asked: KenoRequest) -> None:
        fields = to_written(asked)
        assert from_json(json.dumps(fields)) == replace(asked, price_cents=None)
        assert from_written(fields | {"price_cents": asked.price_cents}) == asked
        assert to_written(from_written(fields)) == fields

    read_back()


# ---------------------------------------------------------------- nothing but a refusal comes out

CHARACTERS = st.text(st.characters(), max_size=8)  # lone surrogates too
HUGE = st.sampled_from([10**20, -(10**20), 2**53, 2**53 - 1, -(2**63), 10**400])
PLAIN = (
    st.none()
    | st.booleans()
    | st.integers(-3, 90)
    | HUGE
    | st.floats()
    | CHARACTERS
    | st.sampled_from(["groups", "kings", "lines", "ways", "spots", "sets", "rate", "regular"])
)
NAMES = CHARACTERS | st.sampled_from(
    ["groups", "kings", "lines", "games", "price_cents", "ways", "spots", "sets", "rate"]
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def read_or_refused(read: Callable[[], KenoRequest]) -> None:
    asked = only_refused(read)
    if asked is not None:
        assert from_written(to_written(asked)) == replace(asked, price_cents=None)


@st.composite
def spoilt(draw: DrawFn) -> Any:
    """A sound request in which something was replaced, dropped or put in twice."""
    decoded = to_written(draw(keno_requests()))
    node: Any = decoded
    for _ in range(draw(st.integers(0, 3))):
        places = [*node] if isinstance(node, dict) else range(len(node))
        nested = [place for place in places if isinstance(node[place], dict | list) and node[place]]
        if not nested:
            break
        node = node[draw(st.sampled_from(nested))]
    place = draw(st.sampled_from([*node] if isinstance(node, dict) else range(len(node))))
    match draw(st.sampled_from(["replace", "drop", "add"])):
        case "replace":
            node[place] = draw(ANYTHING)
        case "drop":
            del node[place]
        case _ if isinstance(node, dict):
            node[draw(NAMES)] = draw(ANYTHING)
        case _:
            node.append(draw(st.sampled_from(node) | ANYTHING))
    return decoded


@settings(max_examples=count(100, 50_000))
@given(ANYTHING)
def test_any_json_value_is_read_or_refused(decoded: object) -> None:
    read_or_refused(lambda: from_written(decoded))
    read_or_refused(lambda: from_json(json.dumps(decoded)))


@settings(max_examples=count(100, 50_000))
@given(spoilt())
def test_a_spoilt_request_is_read_or_refused(decoded: object) -> None:
    read_or_refused(lambda: from_written(decoded))
    read_or_refused(lambda: from_json(json.dumps(decoded)))


@settings(max_examples=count(100, 50_000))
@given(st.text(st.characters()) | st.text('{}[]",:0123456789.-+eE nulltruefaseNIy\\ud8"'))
def test_any_text_is_read_or_refused(text: str) -> None:
    read_or_refused(lambda: from_json(text))


@settings(max_examples=count(100, 50_000))
@given(keno_requests(), st.data())
def test_a_damaged_text_is_read_or_refused(asked: KenoRequest, data: st.DataObject) -> None:
    text = json.dumps(to_written(asked))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(start + 20, len(text))))
    put_in = data.draw(st.text(st.characters(), max_size=5) | st.just(text[start:end] * 2))
    read_or_refused(lambda: from_json(text[:start] + put_in + text[end:]))
