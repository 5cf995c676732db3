"""Replacements that remove one control of the draw at a time.

Tests show that each attack succeeds without its control, so that its failure against the real draw
means something.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from rng.asking import Question
from rng.draw import Place
from rng.gamecheck import Game, NotVerified
from rng.records import Genesis, SignedMessage, read_message
from rng.tree import Leaf


def sample_by_remainder(stream: Iterator[int], numbers: int = 80, balls: int = 20) -> list[int]:
    """Sample by remainder of every byte, a common mistake by which some numbers come more often."""
    urn = list(range(1, numbers + 1))
    for ball in range(balls):
        chosen = ball + next(stream) % (numbers - ball)
        urn[ball], urn[chosen] = urn[chosen], urn[ball]
    return urn[:balls]


def nothing(*_given: object, **_named: object) -> None:
    """Do nothing, in place of a check."""


def judge_by_the_clock(leaf: Leaf, game: Game, _expected: int) -> None:
    """Check a sale by its time, which fails for honest books after a step of the clock."""
    inside = (game.commit_w_ms or 0) <= leaf["sold_ms"] <= (game.countersign_ms or 0)
    if not inside:
        raise NotVerified(10, f"ticket {leaf['ticket']} was sold at another time", game.number)


def never(*_given: object) -> bool:
    """Return False, in place of a check that would report a repetition or a fault."""
    return False


def always(*_given: object) -> bool:
    """Return True, in place of a check that a link fits."""
    return True


def read_any_chain(decoded: Mapping[str, object], genesis: Genesis) -> dict[str, SignedMessage]:
    """Read the messages of a game without checking which chain they belong to."""
    del genesis
    return {
        name: each
        if isinstance(each, SignedMessage)
        else read_message(each, "reveal" if "reveal" in name else name.replace("_", "-"))
        for name, each in decoded.items()
    }


def take_anything(question: Question, *names: str) -> Sequence[SignedMessage]:
    """Return the messages of a question without checking their game."""
    del names
    return question.messages


def place_without_chain(genesis: Genesis, game: int) -> Place:
    """Return a draw's context without chain, jurisdiction, site and location."""
    del genesis
    return Place("0" * 64, game, "", "", "")


def put_both_back(table: Any) -> None:
    """Replace the journals of R and W by their old copies."""
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
    """Remove a control by patching the functions that `REMOVED` lists for it."""
    for target, replacement in REMOVED[control]:
        monkeypatch.setattr(target, replacement)
