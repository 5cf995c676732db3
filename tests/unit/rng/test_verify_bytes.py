"""Every byte of the protocol's vector, changed: caught, and at the right step."""

from copy import deepcopy
from typing import Any

import pytest

from rng.canonical import NotCanonical, decode_line
from rng.gamecheck import check_line
from rng.records import read_genesis
from rng.sequence import Item, Sequence
from rng.verify import NotVerified, VerifyOptions
from tests.counts import count
from tests.rng_vector import MESSAGES, chain_lines
from tests.unit.rng.faults import fault

VECTOR = chain_lines()
GENESIS = read_genesis(MESSAGES["genesis"])


def expected_step(original: bytes, changed: bytes) -> int:
    """Which step must notice, told without the verifier's own means."""
    if MESSAGES["genesis"]["body"]["type"].encode() in original:
        return 1
    try:
        now: Any = decode_line(changed)
    except NotCanonical:
        return 2
    then: Any = decode_line(original)
    if now.keys() != then.keys():
        return 2
    pairs = zip(messages_in(now), messages_in(then), strict=True)
    return 3 if all(same_form(*pair) for pair in pairs) else 2


def same_form(now: Any, then: Any) -> bool:
    """Whether a changed message still has the form of its type."""
    if now.keys() != then.keys() or now["body"].keys() != then["body"].keys():
        return False
    fields = then["body"].items()
    return (
        all(
            now["body"][name] == was or same_kind(name, now["body"][name], was)
            for name, was in fields
        )
        and all(same_kind("", key, "0" * 64) for key in now["sigs"])
        and all(same_kind("", each, "0" * 128) for each in now["sigs"].values())
    )


def messages_in(line: Any) -> list[Any]:
    return [line] if "body" in line else list(line.values())


def same_kind(field: str, now: object, then: object) -> bool:
    """Whether a changed field still has its form; chain, game and type may not change at all."""
    if field in {"chain", "game", "type"} or type(now) is not type(then):
        return False
    if isinstance(now, str) and isinstance(then, str):
        return len(now) == len(then) and set(now) <= set("0123456789abcdef")
    if isinstance(now, list):
        return len(now) == 20 and all(type(each) is int and 1 <= each <= 80 for each in now)
    if isinstance(now, dict):
        return all(same_kind("", key, "0" * 64) for pair in now.items() for key in pair)
    return field != "boot" or now != 0


def sequence_before(index: int) -> Sequence:
    """The verifier's state before a line, so that the lines before it are verified once."""
    sequence = Sequence(VerifyOptions())
    for line in VECTOR[:index]:
        sequence.take(Item(len(line), bare=line))
    return sequence


def step_of(before: Sequence, index: int, line: bytes) -> int:
    """Where the verifier stops when this line stands in its place."""
    if not index:
        return fault([line, *VECTOR[1:]])[1]
    with pytest.raises(NotVerified) as refused:
        go_on(deepcopy(before), index, line)
    return refused.value.step


def go_on(sequence: Sequence, index: int, line: bytes) -> None:
    if index == 1 and line.startswith(b'{"body":'):
        sequence.take(Item(len(line), bare=line))
        line = VECTOR[2]
    sequence.take(Item(len(line), game=check_line(line, GENESIS)))


LINES = pytest.mark.parametrize("index", [0, 1, 2], ids=["genesis", "unlock", "game"])


@LINES
def test_every_single_byte_change_is_caught_at_the_right_step(index: int) -> None:
    original = VECTOR[index]
    before = sequence_before(index)
    for place in range(len(original)):
        for turn in range(count(1, 24)):
            other = original[place] ^ (1 + (place * 7 + turn * 11) % 255)
            changed = original[:place] + bytes([other]) + original[place + 1 :]
            step = step_of(before, index, changed)
            assert step == expected_step(original, changed), changed[max(0, place - 40) :][:80]


@LINES
def test_every_digit_that_is_nudged_is_caught_at_the_right_step(index: int) -> None:
    """Changes that stay well-formed, so that only a signature can tell."""
    original = VECTOR[index]
    before = sequence_before(index)
    signatures = 0
    for place in range(0, len(original), count(3, 1)):
        if original[place : place + 1] not in b"0123456789abcde":
            continue
        other = {ord("9"): ord("8")}.get(original[place], original[place] + 1)
        changed = original[:place] + bytes([other]) + original[place + 1 :]
        step = step_of(before, index, changed)
        assert step == expected_step(original, changed)
        signatures += step == 3
    assert signatures > (100 if index else -1)


@LINES
def test_the_whole_verifier_names_game_and_step(index: int) -> None:
    original = VECTOR[index]
    for place in range(0, len(original), count(97, 5)):
        changed = original[:place] + bytes([original[place] ^ 1]) + original[place + 1 :]
        game, step = fault([*VECTOR[:index], changed, *VECTOR[index + 1 :]])
        assert step == expected_step(original, changed)
        assert game == (1 if index else None)
