"""The fast reader of requests gives the same requests and the same refusals as the careful one."""

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.errors import Refused
from keno.domain.request_json import from_written, to_written
from keno.domain.wager import KenoRequest
from keno.protocol.request import read_request
from keno.protocol.tickets import PreviousOrigin, QuickPickOrigin
from tests.strategies import keno_requests
from tests.unit.test_request_json import MALFORMED, written

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=5,
)


def answer(read: object, decoded: object) -> object:
    """The request, or the code, the sentence and the place of the refusal."""
    try:
        return read(decoded)  # type: ignore[operator]
    except Refused as no:
        return no.reason, no.message, no.where


def test_15_1_a_quick_pick_is_for_one_game_if_none_are_stated() -> None:
    asked = b'{"kind":"quick_pick","spots":5,"rate":"regular","wager_cents":100}'
    assert msgspec.json.decode(asked, type=QuickPickOrigin).games == 1


def test_15_3_b_a_changed_ticket_is_confirmed_only_if_it_says_so() -> None:
    asked = b'{"kind":"previous","ticket":1,"code":"7K2M"}'
    assert not msgspec.json.decode(asked, type=PreviousOrigin).change_confirmed


@given(keno_requests())
def test_every_request_is_read_alike(request: KenoRequest) -> None:
    decoded = json.loads(json.dumps(to_written(request)))
    assert read_request(decoded) == from_written(decoded)
    assert type(read_request(decoded).lines[0]) is type(request.lines[0])


@pytest.mark.parametrize(("decoded", "where"), MALFORMED)
def test_every_refusal_is_the_careful_readers(decoded: object, where: str) -> None:
    said = answer(read_request, decoded)
    assert said == answer(from_written, decoded)
    assert isinstance(said, tuple)
    assert said[2] == where


@given(st.sampled_from(["groups", "kings", "lines", "games", "price_cents", "rate"]), ANYTHING)
def test_one_field_of_anything_is_read_alike(name: str, value: object) -> None:
    decoded = written() | {name: value}
    assert answer(read_request, decoded) == answer(from_written, decoded)
