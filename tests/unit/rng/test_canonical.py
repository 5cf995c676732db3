"""Canonical JSON: one object has one form, and only that form is read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rng.canonical import (
    DEPTH_MAX,
    INTEGER_MAX,
    LINE_BYTES_MAX,
    NotCanonical,
    decode,
    decode_line,
    digest,
    encode,
    encode_line,
)

PLAIN = "".join(chr(code) for code in range(0x20, 0x7F) if chr(code) not in '"\\')

texts = st.text(alphabet=PLAIN, max_size=20)
values = st.recursive(
    texts | st.integers(0, INTEGER_MAX),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


def test_names_are_sorted_and_nothing_is_spaced() -> None:
    assert encode({"b": 1, "a": ["x", 0], "B": {}}) == b'{"B":{},"a":["x",0],"b":1}'


def test_every_plain_character_stands_for_itself() -> None:
    assert encode(PLAIN) == f'"{PLAIN}"'.encode()


@given(values)
def test_what_is_written_is_read_back(value: object) -> None:
    assert decode(encode(value)) == value
    assert decode_line(encode_line(value)) == value


@given(values)
def test_it_is_what_any_json_library_with_sorted_names_writes(value: object) -> None:
    written = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert encode(value) == written.encode()


@given(values, st.data())
def test_no_single_byte_can_change_without_changing_the_value(
    value: object, draw: st.DataObject
) -> None:
    written = encode(value)
    place = draw.draw(st.integers(0, len(written) - 1))
    other = draw.draw(st.integers(0, 255).filter(lambda byte: byte != written[place]))
    changed = written[:place] + bytes([other]) + written[place + 1 :]
    try:
        assert decode(changed) != value
    except NotCanonical:
        assert changed != written


@pytest.mark.parametrize(
    "encoded",
    [
        b"",
        b" 1",
        b"1 ",
        b"1\n",
        b"01",
        b"-0",
        b"-1",
        b"1.0",
        b"1e3",
        b"NaN",
        b"true",
        b"null",
        b"[1,]",
        b"9007199254740992",
        b"9" * 5000,
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a": 1}',
        b'{1:"a"}',
        b'"\\u0041"',
        b'"\\""',
        b'"\\/"',
        b'"\x7f"',
        b'"\xc3\xa9"',
        b'"\t"',
        b"\xef\xbb\xbf1",
        b"\xff\xfe1\x00",
        b"1\x002",
        b"[" * 5000,
        b"[" * 5000 + b"]" * 5000,
    ],
)
def test_any_other_form_is_refused(encoded: bytes) -> None:
    with pytest.raises(NotCanonical):
        decode(encoded)


@pytest.mark.parametrize(
    "value", [True, None, 1.0, -1, INTEGER_MAX + 1, "é", "\n", '"', "\\", {1: 2}, b"x", {"a": None}]
)
def test_what_has_no_form_is_not_written(value: object) -> None:
    with pytest.raises(NotCanonical):
        encode(value)


def test_the_largest_integer_passes() -> None:
    assert decode(b"9007199254740991") == INTEGER_MAX


def test_nesting_is_bounded() -> None:
    value: object = 0
    for _ in range(DEPTH_MAX):
        value = [value]
    assert decode(encode(value)) == value
    with pytest.raises(NotCanonical):
        encode([value])


def test_a_line_is_bounded_with_its_line_feed() -> None:
    longest = "x" * (LINE_BYTES_MAX - 3)
    assert len(encode_line(longest)) == LINE_BYTES_MAX
    assert decode_line(encode_line(longest)) == longest
    with pytest.raises(NotCanonical):
        encode_line(longest + "x")
    with pytest.raises(NotCanonical):
        decode(encode(longest + "x"))


def test_a_line_without_line_feed_is_refused() -> None:
    with pytest.raises(NotCanonical):
        decode_line(b"1")
    with pytest.raises(NotCanonical):
        decode_line(b"1\r\n")


def test_a_digest_is_sha_256_of_the_bytes() -> None:
    expected = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"  # sha256sum of {}
    assert digest({}) == expected
