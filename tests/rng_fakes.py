"""The draw with one control taken out at a time.

A test that shows an attack failing means little until the same attack is shown to succeed here.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from rng.asking import Question
from rng.draw import Place
from rng.records import Genesis, Message, read_message


def sample_by_remainder(stream: Iterator[int], numbers: int = 80, balls: int = 20) -> list[int]:
    """The usual mistake: every byte is used, so low numbers come more often."""
    urn = list(range(1, numbers + 1))
    for ball in range(balls):
        chosen = ball + next(stream) % (numbers - ball)
        urn[ball], urn[chosen] = urn[chosen], urn[ball]
    return urn[:balls]


def nothing(*_given: object, **_named: object) -> None:
    """A check that checks nothing."""


def never(*_given: object) -> bool:
    """A memory that remembers nothing, or a suspicion that never falls on anybody."""
    return False


def always(*_given: object) -> bool:
    """A link that fits everything."""
    return True


def read_any_chain(decoded: Mapping[str, object], genesis: Genesis) -> dict[str, Message]:
    """Reads messages without asking which chain they belong to."""
    del genesis
    return {
        name: each
        if isinstance(each, Message)
        else read_message(each, "reveal" if "reveal" in name else name.replace("_", "-"))
        for name, each in decoded.items()
    }


def take_anything(question: Question, *names: str) -> Sequence[Message]:
    """Takes the messages of a question, whichever game they are of."""
    del names
    return question.messages


def place_without_chain(genesis: Genesis, game: int) -> Place:
    """A draw that is bound to no chain and no place."""
    del genesis
    return Place("0" * 64, game, "", "", "")


def put_both_back(table: Any) -> None:
    """Old copies of both disks take the place of what R and W have recorded since."""
    table.put_back(*table.copies)


# What to put in the place of a control, by the control's name.
REMOVED: dict[str, list[tuple[str, Callable[..., Any]]]] = {
    "a promised secret must be opened": [("rng.gamecheck._secrets", nothing)],
    "the book is checked against the root": [("rng.sequence.check_book", nothing)],
    "a proof is checked against the root": [("rng.sequence.check_ticket", nothing)],
    "R and W keep their own records": [("tests.rng_table.Table.forget", put_both_back)],
    "a secret is used once": [
        ("rng.witness.Witness._check_new", nothing),
        ("rng.generator.Generator._repeats", never),
        ("rng.sequence.Sequence._repeats", nothing),
    ],
    "two listed people unlock": [
        ("rng.witness.check_unlock", nothing),
        ("rng.witness.Witness._listed", nothing),
    ],
    "a record belongs to its chain": [
        ("rng.gamecheck._read_messages", read_any_chain),
        ("rng.records.Genesis.place", place_without_chain),
    ],
    "a record belongs to its game": [("rng.asking.Question.expect", take_anything)],
    "a genesis is signed by all it names": [("rng.records.check_signed", nothing)],
    "keys of small order are refused": [("rng.records.is_small_order", never)],
    "signatures are checked": [("rng.gamecheck.check_signed", nothing)],
    "every game follows the one before": [
        ("rng.sequence.Sequence._order", nothing),
        ("rng.sequence.Sequence._follows", always),
    ],
}


def remove(control: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take a control out."""
    for target, replacement in REMOVED[control]:
        monkeypatch.setattr(target, replacement)
