"""Every row and every piece of code that COMPLIANCE.md names gets a planted mistake."""

import ast
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.compliance import ROOT, Row, rows
from tests.mistakes import Mistake, mistakes_in
from tests.mutation import Order, Planted, equivalents, planted
from tests.mutation_forks import Ran, changed_functions, place_of
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


PLACE = "door.py::shut"


def one_with(*tests: str) -> Planted:
    return Planted(ALL[0].mistake, tests)


def test_tests_that_call_the_code_come_first_and_quick_ones_before_slow_ones() -> None:
    took = {"elsewhere": 0.1, "slow": 9.0, "quick": 0.2}
    called = {"slow": {PLACE}, "quick": {PLACE, "door.py::open"}}
    order = Order(Ran(passed=True, took=took, failed="", called=called))
    one = one_with("elsewhere", "slow", "quick")
    assert order.of(one, PLACE) == ["quick", "slow", "elsewhere"]
    assert order.of(one) == ["elsewhere", "quick", "slow"]


def test_a_quick_look_asks_only_files_that_call_the_code_if_there_are_any() -> None:
    took = {"one.py::elsewhere": 0.1, "two.py::calling": 9.0, "two.py::looking": 0.2}
    called = {"two.py::calling": {PLACE}}
    order = Order(Ran(passed=True, took=took, failed="", called=called))
    assert order.of(one_with(*took), PLACE, quick=True) == ["two.py::calling", "two.py::looking"]
    assert order.of(one_with(*took), PLACE)[-1] == "one.py::elsewhere"
    assert order.of(one_with("one.py::elsewhere"), PLACE, quick=True) == ["one.py::elsewhere"]


def test_a_test_that_noticed_others_comes_before_a_quicker_one_that_did_not() -> None:
    order = Order(Ran(passed=True, took={"quick": 0.5, "keen": 1.0}, failed=""))
    one = one_with("quick", "keen")
    assert order.of(one) == ["quick", "keen"]
    order.note(one, Ran(passed=False, took={"quick": 0.5, "keen": 0.8}, failed="keen"))
    assert order.of(one) == ["keen", "quick"]


def test_a_mistake_is_in_the_first_of_the_functions_that_differ() -> None:
    source = SOUND.replace(b"key > LEAST", b"(\n\nkey > LEAST)")
    functions = changed_functions("door.py", SOUND, source)
    assert functions is not None
    assert place_of(functions) == "Door.open"


MONEY = """
from threading import Event
from keno.domain.money import format_plain, parse_dollars

def test_parsed():
    assert parse_dollars("1.25") == 125

def test_formatted():
    assert format_plain(125) == "1.25"

def test_hanging():
    Event().wait()
"""
ASKED = """
from pathlib import Path
from keno.domain import money
from tests.mutation_forks import changed_functions, collected

PARSED, FORMATTED, HANGING = map("test_money.py::test_".__add__, ("parsed", "formatted", "hanging"))
SOUND = Path(money.__file__).read_bytes()
FUNCTIONS = changed_functions("money.py", SOUND, SOUND.replace(b"// 100", b"// 10"))

def ask(forks):
    seen = forks.look([PARSED, FORMATTED], 60)
    print(seen.passed, *("keno/domain/money.py::parse_dollars" in x for x in seen.called.values()))
    limits = {PARSED: 60, FORMATTED: 60, HANGING: 0.1}
    ran = forks.run([FORMATTED, HANGING], limits, lambda: None)
    print(ran.passed, ran.failed)
    planted = lambda: forks.give_code("keno.domain.money", FUNCTIONS)
    ran = forks.run([PARSED, FORMATTED], limits, planted)
    print(ran.passed, ran.failed)

collected(["test_money.py"], ask)
"""


def test_a_fork_runs_tests_with_a_mistake_and_ends_one_that_hangs(tmp_path: Path) -> None:
    (tmp_path / "test_money.py").write_text(MONEY, "utf-8")
    (tmp_path / "conftest.py").write_text("import tests.conftest", "utf-8")  # its profiles
    run = subprocess.run(
        [sys.executable, "-c", ASKED], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    assert run.stdout.splitlines() == [
        "True True False",
        "False test_money.py::test_hanging",
        "False test_money.py::test_formatted",
    ]
