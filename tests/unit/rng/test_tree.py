"""The ticket tree, against RFC 6962 written down as the recursive definition it is."""

import hashlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rng.canonical import decode, encode
from rng.shape import Malformed
from rng.tree import (
    EMPTY_ROOT,
    TicketFields,
    check_leaf,
    inclusion_path,
    leaf_hash,
    node_hash,
    price_one_game_cents,
    root,
    root_from_path,
    seal,
    ticket_leaf,
)
from tests.rng_vector import CLOSE, CODES, LEAF_HASHES, LEAVES, THIRD_PATH

hash_lists = st.lists(st.binary(min_size=32, max_size=32), max_size=70)


def naive_root(hashes: list[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, on leaf hashes."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    left, right = naive_root(hashes[:split]), naive_root(hashes[split:])
    return hashlib.sha256(b"\x01" + left + right).digest()


def naive_path(hashes: list[bytes], index: int) -> list[bytes]:
    """PATH of RFC 6962, section 2.1.1."""
    if len(hashes) == 1:
        return []
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    if index < split:
        return [*naive_path(hashes[:split], index), naive_root(hashes[split:])]
    return [*naive_path(hashes[split:], index - split), naive_root(hashes[:split])]


@given(hash_lists)
def test_the_root_is_that_of_the_definition(hashes: list[bytes]) -> None:
    assert root(hashes) == naive_root(hashes)


def test_the_root_takes_any_iterable() -> None:
    assert root(hash_ for hash_ in (b"a" * 32, b"b" * 32)) == node_hash(b"a" * 32, b"b" * 32)


@pytest.mark.parametrize("size", range(1, 34))
def test_every_path_is_that_of_the_definition_and_leads_to_the_root(size: int) -> None:
    hashes = [bytes([number]) * 32 for number in range(size)]
    for index, leaf in enumerate(hashes):
        path = inclusion_path(hashes, index)
        assert path == naive_path(hashes, index)
        assert root_from_path(leaf, index, size, path) == naive_root(hashes)


@given(hash_lists.filter(bool), st.data())
def test_a_path_fits_no_other_leaf_place_or_length(
    hashes: list[bytes], draw: st.DataObject
) -> None:
    size = len(hashes)
    index = draw.draw(st.integers(0, size - 1))
    path = inclusion_path(hashes, index)
    top = root(hashes)
    assert root_from_path(b"?" * 32, index, size, path) != top
    assert root_from_path(hashes[index], index, size, [*path, top]) is None
    if path:
        assert root_from_path(hashes[index], index, size, path[:-1]) is None
        changed = [bytes([path[0][0] ^ 1]) + path[0][1:], *path[1:]]
        assert root_from_path(hashes[index], index, size, changed) != top
    other = draw.draw(st.integers(0, size - 1))
    if other != index and hashes.count(hashes[index]) == 1:
        assert root_from_path(hashes[index], other, size, path) != top


@pytest.mark.parametrize(("index", "leaves"), [(-1, 3), (3, 3), (0, 0)])
def test_a_place_outside_the_tree_has_no_path(index: int, leaves: int) -> None:
    assert root_from_path(b"a" * 32, index, leaves, []) is None
    with pytest.raises(IndexError):
        inclusion_path([b"a" * 32] * leaves, index)


def test_known_answers_of_certificate_transparency() -> None:
    """The reference vectors of the certificate-transparency project: inputs and their roots."""
    inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
    inputs.append("606162636465666768696a6b6c6d6e6f")
    hashes = [leaf_hash(bytes.fromhex(each)) for each in inputs]
    assert root(hashes[:1]).hex().startswith("6e340b9cffb37a98")
    assert root(hashes[:2]).hex().startswith("fac54203e7cc696c")
    assert root(hashes).hex().startswith("5dc9da79a70659a9")


def test_the_empty_tree_is_the_hash_of_nothing() -> None:
    assert root([]) == EMPTY_ROOT == hashlib.sha256().digest()


def test_the_vectors_leaves_hashes_root_and_path() -> None:
    hashes = [leaf_hash(leaf) for leaf in LEAVES]
    assert [each.hex() for each in hashes] == LEAF_HASHES
    assert root(hashes).hex() == CLOSE["root"]
    assert [each.hex() for each in inclusion_path(hashes, 2)] == THIRD_PATH
    path = [bytes.fromhex(each) for each in THIRD_PATH]
    assert root_from_path(hashes[2], 2, 3, path) == root(hashes)


def fields_of(leaf: bytes) -> TicketFields:
    fields: Any = decode(leaf)
    del fields["type"]
    return fields  # type: ignore[no-any-return]  # the vector's leaves have the fields


def test_the_vectors_leaves_are_built_byte_for_byte_and_their_seals_too() -> None:
    for leaf, code in zip(LEAVES, CODES, strict=True):
        assert ticket_leaf(**fields_of(leaf)) == leaf
        assert seal(code) == fields_of(leaf)["seal"]


def test_the_vectors_totals_come_out_of_its_leaves() -> None:
    live = [leaf for leaf in map(check_leaf, map(decode, LEAVES)) if leaf["state"] == "live"]
    assert len(live) == CLOSE["tickets"]
    assert sum(map(price_one_game_cents, live)) == CLOSE["handle_cents"]


def test_a_short_validation_code_is_not_sealed() -> None:
    with pytest.raises(ValueError, match="80 bits"):
        seal("0123456789ABCDE")


def request(**changed: object) -> dict[str, Any]:
    line = {"rate": "regular", "spots": 2, "wager_cents": 100, "ways": 1}
    return {"games": 1, "groups": [[3, 11]], "kings": [], "lines": [line]} | changed


BAD_FIELDS: list[dict[str, Any]] = [
    {"site": ""},
    {"ticket": 0},
    {"ticket": "1"},
    {"ticket": True},
    {"first": 2},
    {"last": 2},
    {"price_cents": 0},
    {"seal": "AB" * 32},
    {"seal": "ab" * 31},
    {"state": "paid"},
    {"sold_ms": -1},
    {"bonus": 1},
    {"request": request(games=2)},
    {"request": request(price_cents=100)},
    {"request": request(groups=[[11, 3]])},
    {"request": request(groups=[[3, 3]])},
    {"request": request(groups=[[]])},
    {"request": request(groups=[[81]])},
    {"request": request(kings=[0])},
    {"request": request(lines=[])},
    {"request": request(lines=[{"rate": "r", "wager_cents": 1}])},
    {"request": request(lines=[{"rate": "r", "wager_cents": 1, "sets": [[0]], "ways": 1}])},
    {"request": []},
]


@pytest.mark.parametrize("changed", BAD_FIELDS)
def test_a_leaf_with_a_field_that_is_not_right_is_not_built(changed: dict[str, Any]) -> None:
    fields: Any = fields_of(LEAVES[0]) | changed
    with pytest.raises(Malformed):
        ticket_leaf(**fields)


def test_a_missing_field_is_named() -> None:
    leaf: Any = decode(LEAVES[0])
    del leaf["writer"]
    with pytest.raises(Malformed, match="writer"):
        check_leaf(leaf)


def test_a_multi_race_price_must_divide_by_its_games() -> None:
    leaf: Any = decode(LEAVES[2])
    check_leaf(leaf)
    with pytest.raises(Malformed, match="divide"):
        check_leaf(leaf | {"price_cents": 1501})


def test_listed_sets_are_taken() -> None:
    lines = [{"rate": "regular", "wager_cents": 100, "sets": [[0]]}]
    fields: Any = fields_of(LEAVES[0]) | {"request": request(lines=lines)}
    assert encode(decode(ticket_leaf(**fields))) == ticket_leaf(**fields)
