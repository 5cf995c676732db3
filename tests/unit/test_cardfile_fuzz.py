"""Whatever stands in a card's file, reading it gives a report, or says that it is not TOML."""

import json
import tomllib
from copy import deepcopy
from datetime import date, time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keno.domain.cardfile import CardReport, read_card
from keno.domain.certify import CardFault, Verdict
from tests.cards import CARD

FIELDS: dict[str, Any] = tomllib.loads(CARD)
MORE_KEYS = ["claim_minutes", "approval", "full_up_to_cents", "ways", "min_cents", "80", "x", ""]


def to_toml(value: object) -> str:
    """Any value that TOML knows, inline; tables as inline tables."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{to_toml(str(k))} = {to_toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(to_toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return str(value).lower()
    return value.isoformat() if isinstance(value, date | time) else str(value)


def document(fields: dict[str, Any]) -> str:
    return "\n".join(f"{to_toml(key)} = {to_toml(value)}" for key, value in fields.items())


def keys_of(fields: dict[str, Any]) -> set[str]:
    inside = (keys_of(value) for value in fields.values() if isinstance(value, dict))
    return set(fields).union(*inside)


texts = st.text(st.characters(codec="utf-8"), max_size=20)
keys = st.sampled_from(sorted(keys_of(FIELDS)) + MORE_KEYS) | texts
values: st.SearchStrategy[Any] = st.recursive(
    st.integers(-5, 100_000_00)
    | st.integers()
    | st.integers(-(10**40), 10**40)
    | st.booleans()
    | st.floats()
    | st.sampled_from(["proportional", "regular", "way", "S"])
    | texts
    | st.datetimes()
    | st.dates()
    | st.times(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def assert_sound(report: CardReport) -> None:
    """What holds of every report, whatever was read."""
    assert report.certified == (report.faults == ())
    if report.certified:
        assert report.card is not None
        assert all(wager.verdict is Verdict.OK for wager in report.wagers)
    for fault in report.faults:
        assert fault.code in CardFault
        assert fault.message
    for wager in report.wagers:
        assert wager.house_advantage <= 1
        assert wager.house_advantage <= wager.at_maximum <= 1


def read_anything(text: str) -> CardReport | None:
    """A report, or None if the text is not TOML. Any other error is a failure."""
    try:
        report = read_card(text)
    except tomllib.TOMLDecodeError:
        return None
    assert_sound(report)
    return report


@given(st.dictionaries(keys, values))
@example({"rates": {"a": {"base_cents": 100, "types": [["way"]]}}})
@example({"rates": {"a": {"base_cents": 100, "types": [{"way": 1}]}}})
def test_any_table_gives_a_report(fields: dict[str, Any]) -> None:
    report = read_anything(document(fields))
    assert report is not None
    assert not report.certified


@st.composite
def spoiled_cards(draw: st.DrawFn) -> dict[str, Any]:
    """A lawful card with up to three places left out, added or replaced by anything."""
    fields = deepcopy(FIELDS)
    for _ in range(draw(st.integers(1, 3))):
        table = fields
        while (below := [key for key in table if isinstance(table[key], dict) and table[key]]) and (
            table is fields or draw(st.booleans())
        ):
            table = table[draw(st.sampled_from(below))]
        key = draw(st.sampled_from(sorted(table)) | keys if table else keys)
        if draw(st.booleans()):
            table.pop(key, None)
        else:
            table[key] = draw(values)
    return fields


@given(spoiled_cards())
def test_any_spoiled_card_gives_a_report(fields: dict[str, Any]) -> None:
    assert read_anything(document(fields)) is not None


@given(st.text())
def test_any_text_gives_a_report_or_is_not_toml(text: str) -> None:
    read_anything(text)


@given(st.integers(0, len(CARD)), st.integers(0, len(CARD)), st.text(max_size=8))
def test_any_cut_of_a_card_gives_a_report_or_is_not_toml(start: int, end: int, text: str) -> None:
    read_anything(CARD[:start] + text + CARD[end:])


DIGITS = "9" * 5_000
DEEP = 5_000


@pytest.mark.parametrize(
    "text",
    [
        f"spots_max = {DIGITS}",
        f"spots_max = 0x{DIGITS}",
        f"version = 0x{DIGITS}",
        f"rates.{DIGITS}.base_cents = 100",
        f"rates.a.pays.{DIGITS}.1 = 100",
        f"rates = {'[' * DEEP}{']' * DEEP}",
        f"rates = {'{a=' * DEEP}1{'}' * DEEP}",
        f"rates{'.a' * DEEP} = 1",
    ],
    ids=lambda text: text[:24],
)
def test_what_is_far_too_long_or_too_deep_gives_a_report_or_is_not_toml(text: str) -> None:
    read_anything(text)


def test_an_untouched_card_survives_the_writing() -> None:
    report = read_anything(document(FIELDS))
    assert report is not None
    assert report == read_card(CARD)
    assert report.certified
