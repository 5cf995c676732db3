"""docs/station.md and the program speak the same language."""

import json
import re
from pathlib import Path
from types import SimpleNamespace
from typing import cast, get_args

import msgspec
import pytest

from keno.protocol import StationPlace
from tests.cards import card
from writer_station.chances import chances
from writer_station.draft import answer, read_draft
from writer_station.page_protocol import Draft, PageMessage, PageSays, read_page
from writer_station.papers import PrintContext
from writer_station.station import Station
from writer_station.view import card_shown, place_shown

PAGE = (Path(__file__).parents[3] / "docs" / "station.md").read_text()
EXAMPLE = re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)


def table(heading: str) -> set[str]:
    """The names in the first column of the table that follows some words."""
    rows = PAGE.split(heading, 1)[1].split("\n\n")[1]
    names = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", rows, re.MULTILINE)
    return {name for found in names for name in re.findall(r"\w+", found)}


@pytest.mark.parametrize("kind", get_args(PageSays), ids=lambda kind: kind.__name__)
def test_every_act_is_described_with_its_fields(kind: type[PageMessage]) -> None:
    tag = kind.__struct_config__.tag
    described = re.findall(rf"`{tag}(?: \{{(.*?)\}})?`", PAGE, re.DOTALL)
    assert described, tag
    said = " ".join(described)
    for field in msgspec.structs.fields(kind):
        if field.name != "id":
            assert re.search(rf"\b{field.name}\b", said), (tag, field.name)


def test_the_example_is_a_draft() -> None:
    assert EXAMPLE is not None
    draft = msgspec.json.decode(EXAMPLE[1], type=Draft)
    assert draft.number == 12
    assert set(json.loads(EXAMPLE[1])) == {each.name for each in msgspec.structs.fields(Draft)}
    asked = {"id": 1, "do": "draft", "draft": json.loads(EXAMPLE[1])}
    assert read_page(json.dumps(asked)) is not None
    shown = answer(read_draft(draft, card()))
    assert set(shown) == table("The answer:")


def test_odds_and_card_have_the_fields_that_are_promised() -> None:
    reading = read_draft(Draft(1, [[1, 2, 3]]), card())
    assert reading.priced is not None
    assert set(chances(reading.priced, 1)) == {
        "draft",
        "rows",
        "any",
        "advantage",
        "maximum",
        "maximum_cents",
    }
    shown = card_shown(card())
    row = re.search(r"^\| `card` \| (.*)$", PAGE, re.MULTILINE)
    assert row is not None
    for name in (*shown, *shown["rates"][0]):
        assert f'"{name}"' in row[1]


def test_the_place_has_the_fields_that_are_promised() -> None:
    told = StationPlace("1", "main", zone="America/New_York")
    client = SimpleNamespace(place=told)
    shown = place_shown(
        cast("Station", SimpleNamespace(booth=PrintContext.of(told), client=client))
    )
    assert shown is not None
    assert shown["zone"] == "America/New_York"
    row = re.search(r"^\| `place` \| `\{(.*?)\}`", PAGE, re.MULTILINE)
    assert row is not None
    assert set(shown) == set(re.findall(r'"(\w+)"', row[1]))


def test_the_state_is_described() -> None:
    assert table("## The state") == {
        "line", "place", "now_ms", "game", "drawing", "last", "trouble", "closed", "changes",
        "card", "printer", "writer", "shift", "other_shift", "tickets", "questions", "waiting",
        "told",
    }  # fmt: skip
