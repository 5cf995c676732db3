"""Our bytes: no accidental real-time command, every text printable, a question at the end."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from printer.escpos import Profile, encode, harmless, in_doubt, printable, question
from printer.layout import lay_out
from printer.sheet import Cut, Feed, Layout, Picture, Text
from tests.unit.printer.papers import PAPERS, WIDTHS

REAL_TIME = re.compile(rb"\x10[\x04\x05\x14]", re.DOTALL)


@pytest.mark.parametrize("name", PAPERS)
@pytest.mark.parametrize("dots", WIDTHS)
def test_no_paper_holds_a_real_time_command(name: str, dots: int) -> None:
    for native in (True, False):
        job = encode(lay_out(PAPERS[name], dots), Profile(dots, native), b"0001")
        assert REAL_TIME.search(job) is None
    assert REAL_TIME.search(in_doubt()) is None


@given(st.binary(min_size=48 * 30, max_size=48 * 30))
def test_no_picture_can_hold_one(noise: bytes) -> None:
    dots = np.unpackbits(np.frombuffer(noise, np.uint8).reshape(30, 48), axis=1)
    job = encode(Layout(384, (Picture(dots), Cut())), Profile(384), b"0001")
    assert REAL_TIME.search(job) is None


def test_a_picture_that_would_clear_the_buffer_gets_one_dot_more() -> None:
    packed = np.frombuffer(b"\x10\x04\x10\x05\x10\x14\x10\x10\x04\xff\x10\x08", np.uint8).copy()
    before = packed.copy()
    harmless(packed)
    assert packed.tobytes() == b"\x10\x0c\x10\x0d\x10\x1c\x10\x10\x0c\xff\x10\x08"
    assert int(np.bitwise_count(packed ^ before).max()) == 1


def test_a_command_across_two_rows_is_found_too() -> None:
    rows = np.array([[0, 0x10], [0x04, 0]], np.uint8)
    harmless(rows)
    assert rows.tolist() == [[0, 0x10], [0x0C, 0]]


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("Plain", b"Plain"),
        ("A-1180–1184", b"A-1180\x961184"),
        ("Zürich", b"Z\xfcrich"),
        ("Łódź", b"?\xf3dz"),
        ("雀", b"?"),
        ("a\x1b@b\x10\x04\x01\n", b"a @b    "),
        ("\x85\x7f", b"  "),
    ],
)
def test_text_is_windows_1252_and_never_a_command(text: str, sent: bytes) -> None:
    assert printable(text) == sent


@given(st.text())
def test_any_text_prints_as_one_line_of_characters(text: str) -> None:
    assert all(byte >= 0x20 for byte in printable(text))
    assert len(printable(text)) >= len(text)


def test_a_mark_is_four_printable_characters() -> None:
    assert question(Profile(), b"00A7") == b"\x1d(H\x06\x000000A7"
    assert question(Profile(confirms=False), b"00A7") == b"\x1dr\x01"
    for mark in (b"", b"12345", b"\x10\x04\x01\x00"):
        with pytest.raises(ValueError, match="mark"):
            question(Profile(), mark)


def test_a_layout_goes_to_a_printer_of_its_width() -> None:
    with pytest.raises(ValueError, match="384"):
        encode(Layout(384, ()), Profile(576), b"0001")


def test_white_is_fed_and_a_mode_is_set_once() -> None:
    white = np.zeros((300, 384), np.uint8)
    white[150] = 1
    layout = Layout(384, (Picture(white), Text("one"), Text("two"), Feed(300), Cut()))
    job = encode(layout, Profile(384), b"0001")
    assert len(job) < 200
    assert job.count(b"\x1bM") == 1
    assert job.count(b"\x1bJ\xff\x1bJ\x2d") == 1  # 300 dots
