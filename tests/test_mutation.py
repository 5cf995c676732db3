"""Every row and every piece of code that COMPLIANCE.md names gets a planted mistake."""

import ast
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.compliance import Row, rows
from tests.mistakes import Mistake, mistakes_in
from tests.mutation import Order, Planted, equivalents, planted
from tests.mutation_forks import changed_functions
from tests.npm import NODE

ALL = list(planted())
BY_CODE = Counter((each.mistake.path, each.mistake.name) for each in ALL)
ROWS = [row for row in rows() if row.code]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.clause)
def test_every_row_and_all_code_in_it_gets_a_mistake(row: Row) -> None:
    assert [code for code in row.code if not BY_CODE[code]] == []


def kind_of(mistake: Mistake) -> str:
    return mistake.what.split(": ")[1]


def test_every_kind_of_mistake_is_planted() -> None:
    kinds = {kind_of(each.mistake) for each in ALL}
    assert kinds >= {
        "rule deleted", "raise dropped", "call deleted", "statement deleted",
        "condition negated", "condition dropped", "condition turned", "filter dropped",
        "comparison turned", "limit moved", "member dropped", "member swapped", "number swapped",
        "word swapped", "flag turned", "text dropped", "arithmetic turned", "function swapped",
        "field dropped", "result dropped", "trigger dropped",
    }  # fmt: skip


def one_of_each() -> list[Planted]:
    """One mistake of each kind in each file."""
    return list({(each.mistake.path, kind_of(each.mistake)): each for each in ALL}.values())


def test_a_planted_mistake_is_one_that_the_language_reads() -> None:
    for each in one_of_each():
        mistake = each.mistake
        assert mistake.source != mistake.sound
        if mistake.path.endswith(".py"):
            ast.parse(mistake.source)


def test_a_planted_mistake_is_one_that_the_browser_reads(tmp_path: Path) -> None:
    assert shutil.which(NODE)
    for index, each in enumerate(one_of_each()):
        if each.mistake.path.endswith(".js"):
            script = tmp_path / f"{index}.mjs"
            script.write_bytes(each.mistake.source)
            subprocess.run([NODE, "--check", script], check=True, timeout=60)


def test_what_is_left_out_is_there_to_be_left_out() -> None:
    named = {code for row in ROWS for code in row.code}
    found = {
        f"{path} {mistake.what}"
        for path, name in named
        for mistake in mistakes_in(path, name, [other for there, other in named if there == path])
    }
    assert equivalents() - found == set()


SOUND = b"""
LEAST = 1
class Door:
    wide = True
    def open(self, key):
        return key > LEAST
def shut():
    return Door.wide
"""


@pytest.mark.parametrize(
    ("old", "new", "functions"),
    [
        (b"key > LEAST", b"key >= LEAST", {"Door.open"}),
        (b"return Door.wide", b"return None", {"shut"}),
        (b"key > LEAST", b"(\n\nkey > LEAST)", {"Door.open", "shut"}),  # moved, and harmless
        (b"wide = True", b"wide = False", None),
        (b"LEAST = 1", b"LEAST = 2", None),
    ],
)
def test_only_a_change_of_functions_is_planted_in_a_fork(
    old: bytes, new: bytes, functions: set[str] | None
) -> None:
    changed = changed_functions("door.py", SOUND, SOUND.replace(old, new))
    assert (None if changed is None else set(changed)) == functions


def test_what_noticed_a_mistake_is_asked_first_then_what_is_quick() -> None:
    one = Planted(ALL[0].mistake, ("slow", "quick", "between"))
    order = Order({"slow": 9.0, "quick": 0.1, "between": 2.0})
    assert order.of(one).tests == ("quick", "between", "slow")
    order.note(one, "slow")
    order.note(one, "a process of its own")
    assert order.of(one).tests == ("slow", "quick", "between")
