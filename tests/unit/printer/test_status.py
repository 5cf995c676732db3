"""Every byte a printer may send, as words; and bytes cut into answers wherever they are torn."""

from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from printer.status import (
    Answers,
    Cleared,
    Confirmed,
    RealTime,
    Status,
    StatusBack,
    Transmitted,
    from_real_time,
    from_status_back,
)

READY = b"\x10\x00\x00\x0f"


@pytest.mark.parametrize(
    ("four", "status"),
    [
        (READY, Status()),
        (b"\x14\x00\x00\x0f", Status()),  # the drawer's pin says nothing about printing
        (b"\x18\x00\x00\x0f", Status(offline=True)),
        (b"\x38\x00\x00\x0f", Status(offline=True, cover_open=True)),
        (b"\x50\x00\x00\x0f", Status(feeding=True)),
        (b"\x10\x04\x00\x0f", Status(recoverable=True)),
        (b"\x10\x40\x00\x0f", Status(recoverable=True)),
        (b"\x10\x08\x00\x0f", Status(cutter=True)),
        (b"\x10\x20\x00\x0f", Status(unrecoverable=True)),
        (b"\x10\x00\x03\x0f", Status(paper_low=True)),
        (b"\x18\x00\x0f\x0f", Status(offline=True, paper_low=True, paper_out=True)),
    ],
)
def test_automatic_status_back(four: bytes, status: Status) -> None:
    assert from_status_back(four) == status


@pytest.mark.parametrize(
    ("which", "byte", "status"),
    [
        (1, 0x12, Status()),
        (1, 0x1A, Status(offline=True)),
        (2, 0x16, Status(cover_open=True)),
        (2, 0x1A, Status(feeding=True)),
        (2, 0x32, Status(paper_out=True)),
        (3, 0x1A, Status(cutter=True)),
        (3, 0x32, Status(unrecoverable=True)),
        (3, 0x16, Status(recoverable=True)),
        (3, 0x52, Status(recoverable=True)),
        (4, 0x1E, Status(paper_low=True)),
        (4, 0x7E, Status(paper_low=True, paper_out=True)),
    ],
)
def test_real_time_answers(which: int, byte: int, status: Status) -> None:
    assert from_real_time(Status(), which, byte) == status


def test_only_four_questions_are_asked() -> None:
    with pytest.raises(ValueError, match="not asked"):
        from_real_time(Status(), 5, 0x12)


def test_words_for_every_state() -> None:
    assert Status().words() == ["The printer is ready."]
    assert not Status(paper_low=True, feeding=True).stopped
    assert Status(paper_low=True).words() == ["The paper is nearly out: have a roll ready."]
    assert Status(offline=True).words() == ["The printer is offline and does not say why."]
    assert Status(offline=True, paper_low=True).words()[0].startswith("The printer is offline")
    for flag in ("offline", "cover_open", "paper_out", "cutter", "unrecoverable", "recoverable"):
        status = Status(**{flag: True})
        assert status.stopped
        assert status.words() != Status().words()
    everything = Status(*[True] * 8).words()
    assert everything[0].startswith("The printer has an error")
    assert len(everything) == 7


STREAM = (
    READY + b"\x12" + b"\x37\x22" + b"00A7" + b"\x00" + b"\x00" + b"\x37\x25\x00" + b"\x11\x13"
    + b"\x38\x00\x0c\x0f" + b"\x16"
)  # fmt: skip
SAID = [
    StatusBack(Status()),
    RealTime(0x12),
    Confirmed(b"00A7"),
    Transmitted(0),
    Cleared(),
    StatusBack(Status(offline=True, cover_open=True, paper_out=True)),
    RealTime(0x16),
]


def said(pieces: Iterable[bytes]) -> list[object]:
    answers = Answers()
    return [answer for piece in pieces for answer in answers.feed(piece)]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_answers_are_the_same_wherever_the_stream_is_torn(places: list[int]) -> None:
    cuts = [0, *sorted(places), len(STREAM)]
    assert said(STREAM[a:b] for a, b in pairwise(cuts)) == SAID


@given(st.binary(max_size=300))
def test_noise_never_stops_the_reader(noise: bytes) -> None:
    answers = Answers()
    list(answers.feed(noise))
    assert Confirmed(b"0001") in list(answers.feed(b"\x00" * 90 + b"\x37\x220001\x00"))


def test_a_status_torn_by_a_lost_connection_is_forgotten() -> None:
    assert said([b"\x10\x00", b"\x12"]) == [Transmitted(0), RealTime(0x12)]
    assert said([b"\x37\x22" + b"x" * 100, READY]) == [StatusBack(Status())]
    assert said([b"\x37\x99ab\x00"]) == []
