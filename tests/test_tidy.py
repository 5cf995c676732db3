"""Asks the rules of tidy.py about every file of the project, and shows that each rule can fail.

`PLANTED` holds violations of every rule, because a guard that never saw one is not trusted.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.tidy import (
    OURS,
    PYTHON_RULES,
    RULES,
    File,
    Rule,
    chance_only_where_it_is_drawn,
    classes_of_one_name,
    domain_counts_exactly,
    domain_imports_only_pure_modules,
    domain_reads_no_clock_and_does_no_io,
    errors_are_not_swallowed,
    functions_fit_a_screen_and_a_half,
    guarded_changes_are_answered_for,
    imports_point_one_way,
    modules_are_short,
    modules_say_what_they_are_for,
    names_say_something,
    no_path_leads_out_of_the_project,
    no_test_is_skipped,
    type_ignores_name_their_code,
)
from tests.tidy_scripts import (
    SCRIPT_RULES,
    script_functions_are_short,
    scripts_have_100_columns,
    scripts_ignore_no_type_error,
)

ROOT = Path(__file__).resolve().parent.parent
KEPT_HIDDEN = frozenset({
    ".ci", ".git-blame-ignore-revs", ".gitattributes", ".gitignore", ".prettierrc.json",
})  # fmt: skip
MADE_FOLDERS = frozenset({"__pycache__", "build", "demo-house", "dist", "node_modules"})


def text_files(folder: Path) -> Iterator[File]:
    """Yield the project's text files; what the tools make is left out."""
    for entry in sorted(folder.iterdir()):
        hidden = entry.name.startswith(".") and entry.name not in KEPT_HIDDEN
        if hidden or entry.name in MADE_FOLDERS or entry.name.endswith(".egg-info"):
            continue
        if entry.is_dir():
            yield from text_files(entry)
        elif b"\0" not in (content := entry.read_bytes()):
            yield File(entry.relative_to(ROOT).as_posix(), content.decode(errors="replace"))


@cache
def project() -> tuple[File, ...]:
    return tuple(text_files(ROOT))


def complaints(rule: Rule) -> list[str]:
    asked = [file for file in project() if rule not in PYTHON_RULES or file.path.endswith(".py")]
    return [f"{file.path}:{line}: {text}" for file in asked for line, text in rule(file)]


def rule_name(rule: Rule) -> str:
    return getattr(rule, "__name__", repr(rule))


@pytest.mark.parametrize("rule", [*RULES, *SCRIPT_RULES], ids=rule_name)
def test_the_project_keeps_the_rule(rule: Rule) -> None:
    found = complaints(rule)
    assert not found, f"\n{rule_name(rule)}:\n" + "\n".join(found)


def test_no_class_name_means_two_things() -> None:
    assert list(classes_of_one_name(project())) == []


@pytest.mark.parametrize(
    ("first", "second"),
    [("keno/a.py", "keno/b.py"), ("keno/a.py", "printer/b.py"), ("keno/a.py", "rng/b.py"),
     ("keno/a.py", "writer_station/b.py"), ("tests/a.py", "tests/web/b.py")],
)  # fmt: skip
def test_a_planted_second_class_of_a_name_is_caught(first: str, second: str) -> None:
    files = [File(first, "class Slip: ..."), File(second, "x = 1\nclass Slip(Base): ...")]
    (found,) = classes_of_one_name(files)
    assert found.startswith(f"Slip is a class at {first}:1, {second}:2")


def test_private_classes_and_those_of_test_files_may_share_a_name() -> None:
    named = "class {}: ..."
    files = [File("keno/a.py", named.format("_Slip")), File("rng/b.py", named.format("_Slip"))]
    files += [File("keno/c.py", named.format("Slip")), File("tests/d.py", named.format("Slip"))]
    files += [File("tests/test_e.py", named.format("Slip"))]
    assert list(classes_of_one_name(files)) == []


def test_the_rules_are_asked_about_every_package() -> None:
    seen = {file.path for file in project()}
    wanted = {f"{package}/__init__.py" for package in (*OURS, "keno/domain")}
    assert wanted | {"tests/test_tidy.py", "Makefile", ".ci/run"} <= seen


# ---------------------------------------------------------------- the rules catch what they should

DOMAIN = "keno/domain/wager.py"
GRADING = "keno/domain/grading.py"
PAGE = "keno/pages/board/new.js"
STATEMENTS = "    act();\n" * 75
DOC = '"""Says something."""\n'

PLANTED: tuple[tuple[Rule, str, str], ...] = (
    (imports_point_one_way, "rng/draw.py", "import keno"),
    (imports_point_one_way, "rng/draw.py", "from keno.domain.money import Cents"),
    (imports_point_one_way, "rng/draw.py", "import importlib\nimportlib.import_module('keno')"),
    (imports_point_one_way, "rng/draw.py", "def f(name):\n    return __import__(name)"),
    (imports_point_one_way, "printer/escpos.py", "from keno.protocol import SellTicket"),
    (imports_point_one_way, "printer/escpos.py", "from keno import store"),
    (imports_point_one_way, "printer/escpos.py", "import writer_station.client"),
    (imports_point_one_way, "writer_station/station.py", "from keno.store import ledger"),
    (imports_point_one_way, "writer_station/station.py", "import rng.tree"),
    (imports_point_one_way, "keno/protocol/base.py", "from keno.service import sell"),
    (imports_point_one_way, "keno/protocol/base.py", "from .. import service"),
    (imports_point_one_way, "keno/draw/coordinator.py", "from rng import keys"),
    (imports_point_one_way, "keno/draw/coordinator.py", "import rng"),
    (imports_point_one_way, "keno/store/ledger.py", "from keno.service import sell"),
    (imports_point_one_way, "keno/store/ledger.py", "from ..web import app"),
    (imports_point_one_way, "keno/service/sell.py", "import keno.web.app"),
    (imports_point_one_way, "keno/web/app.py", "from keno.cli import main"),
    (imports_point_one_way, "keno/draw/proofs.py", "from keno.service import void_quote"),
    (imports_point_one_way, "keno/games/conductor.py", "from keno.web.server import Server"),
    (imports_point_one_way, "keno/web/app.py", "from writer_station import station"),
    (imports_point_one_way, "keno/leftover.py", "import json"),
    (imports_point_one_way, DOMAIN, "from keno.store.book import root"),
    (imports_point_one_way, DOMAIN, "from ..store import ledger"),
    (imports_point_one_way, DOMAIN, "from rng.tree import root"),
    *(
        (domain_imports_only_pure_modules, DOMAIN, f"import {name}")
        for name in ("asyncio", "random", "secrets", "time", "sqlite3", "socket", "subprocess")
    ),
    (domain_imports_only_pure_modules, DOMAIN, "import os.path"),
    (domain_imports_only_pure_modules, DOMAIN, "def f():\n    from pathlib import Path"),
    (domain_imports_only_pure_modules, DOMAIN, "import numpy as np"),
    (domain_imports_only_pure_modules, GRADING, "import msgspec"),
    (domain_reads_no_clock_and_does_no_io, DOMAIN, "datetime.now(UTC)"),
    (domain_reads_no_clock_and_does_no_io, DOMAIN, "datetime.datetime.utcnow()"),
    (domain_reads_no_clock_and_does_no_io, DOMAIN, "field(default_factory=date.today)"),
    (domain_reads_no_clock_and_does_no_io, DOMAIN, "open('card.toml')"),
    (domain_counts_exactly, DOMAIN, "rate = 1.5"),
    (domain_counts_exactly, DOMAIN, "rate = price / 2"),
    (domain_counts_exactly, DOMAIN, "price /= 2"),
    (domain_counts_exactly, DOMAIN, "rate = float(price)"),
    (domain_counts_exactly, DOMAIN, "def f(rate: float) -> None: ..."),
    (domain_counts_exactly, DOMAIN, "import math\nmath.sqrt(2)"),
    (domain_counts_exactly, DOMAIN, "import math\nmath.fsum([2])"),
    (domain_counts_exactly, DOMAIN, "from math import fsum"),
    (domain_counts_exactly, DOMAIN, "from operator import truediv"),
    (domain_counts_exactly, DOMAIN, "import statistics"),
    (domain_counts_exactly, GRADING, "np.asarray(pays, dtype=np.float64)"),
    (domain_counts_exactly, GRADING, "np.zeros(80)"),
    (domain_counts_exactly, GRADING, "pays.mean()"),
    (chance_only_where_it_is_drawn, "rng/draw.py", "import random"),
    (chance_only_where_it_is_drawn, "keno/demo/demonstration.py", "from random import randint"),
    (chance_only_where_it_is_drawn, "keno/demo/demonstration.py", "from numpy import random"),
    (chance_only_where_it_is_drawn, "keno/demo/demonstration.py", "np.random.default_rng(1)"),
    (no_test_is_skipped, "tests/unit/test_a.py", "@pytest.mark.skipif(True)\ndef f(): ..."),
    (no_test_is_skipped, "tests/unit/test_a.py", "pytest.skip('later')"),
    (no_test_is_skipped, "tests/unit/test_a.py", "pytest.importorskip('numpy')"),
    (no_test_is_skipped, "tests/unit/test_a.py", "@pytest.mark.xfail\ndef f(): ..."),
    (no_test_is_skipped, "tests/unit/test_a.py", "from pytest import skip as later"),
    (no_test_is_skipped, "tests/conftest.py", "collect_ignore = ['unit']"),
    (errors_are_not_swallowed, "keno/a.py", "try: f()\nexcept: raise"),
    (errors_are_not_swallowed, "keno/a.py", "try: f()\nexcept Exception: pass"),
    (errors_are_not_swallowed, "keno/a.py", "try: f()\nexcept (OSError, BaseException): ..."),
    (errors_are_not_swallowed, "keno/a.py", "with suppress(Exception): f()"),
    (type_ignores_name_their_code, "keno/a.py", "x = f()  # type: ignore"),
    (type_ignores_name_their_code, "keno/a.py", "x = f()  # type:ignore # why"),
    (guarded_changes_are_answered_for, "keno/a.py", "def f(): tx.change_if(table, key, a=1)"),
    (functions_fit_a_screen_and_a_half, "keno/a.py", "def f():\n" + "    f()\n" * 75),
    (functions_fit_a_screen_and_a_half, "tests/a.py", "async def f():\n" + "    f()\n" * 75),
    (modules_are_short, "keno/a.py", DOC + "x = 1\n" * 500),
    (modules_say_what_they_are_for, "keno/a.py", "x = 1"),
    (modules_say_what_they_are_for, "keno/a.py", '""" """'),
    (names_say_something, "keno/utils.py", DOC),
    (names_say_something, "keno/data/cards.py", DOC),
    (names_say_something, "keno/ticket_manager.py", DOC),
    (names_say_something, "tests/helpers.py", DOC),
    (script_functions_are_short, PAGE, "export function a() {\n" + STATEMENTS + "}"),
    (
        script_functions_are_short,
        PAGE,
        "f(\n  async () => {\n" + STATEMENTS + "  },",
    ),
    (
        script_functions_are_short,
        PAGE,
        "function a(\n  b,\n) {\n" + STATEMENTS + "}",
    ),
    (
        script_functions_are_short,
        PAGE,
        "class A {\n  #b(c) {\n" + STATEMENTS + "  }",
    ),
    (script_functions_are_short, PAGE, "const a = () =>\n" + STATEMENTS),
    (scripts_have_100_columns, PAGE, f"// {'x' * 98}"),
    (scripts_have_100_columns, "keno/pages/shared/types.d.ts", f"// {'x' * 98}"),
    (scripts_ignore_no_type_error, PAGE, "// @ts-" + "ignore"),
    (scripts_ignore_no_type_error, PAGE, "// @ts-" + "nocheck"),
    (no_path_leads_out_of_the_project, "README.md", "see .." + "/shared/spec"),
    (no_path_leads_out_of_the_project, "Makefile", "cp /work" + "/shared/x ."),
    (no_path_leads_out_of_the_project, "keno/pages/board/x.js", "'../.." + "/shared/a.js'"),
    (no_path_leads_out_of_the_project, "keno/pages/a.js", "'.." + "/shared/a.js'"),
)

HARMLESS: tuple[tuple[Rule, str, str], ...] = (
    (imports_point_one_way, "rng/draw.py", "import hmac\nfrom rng import tree\nfrom . import keys"),
    (imports_point_one_way, "printer/layout.py", "from keno.domain import ticket"),
    (imports_point_one_way, "writer_station/station.py", "import printer\nimport keno.protocol"),
    (
        imports_point_one_way,
        "keno/draw/coordinator.py",
        "from rng import canonical, records, tree, verify",
    ),
    (imports_point_one_way, "keno/web/app.py", "from keno.service import sell\nimport keno.config"),
    (
        imports_point_one_way,
        "keno/games/conductor.py",
        "from keno import book\nfrom keno.store import x",
    ),
    (imports_point_one_way, "tests/unit/test_a.py", "import keno.web, rng.keys, printer"),
    (domain_imports_only_pure_modules, DOMAIN, "from datetime import time\nimport enum"),
    (domain_imports_only_pure_modules, GRADING, "import numpy as np\nfrom . import odds"),
    (domain_imports_only_pure_modules, "keno/store/ledger.py", "import sqlite3"),
    (domain_reads_no_clock_and_does_no_io, "keno/games/conductor.py", "datetime.now(UTC)"),
    (domain_counts_exactly, DOMAIN, "from math import comb\nx = Fraction(comb(80, 20), 7) // 2"),
    (domain_counts_exactly, DOMAIN, "import math\nhalf = math.comb(80, 20) // 2\nmean = half"),
    (domain_counts_exactly, GRADING, "np.zeros(80, np.uint8)\nnp.ones(2, dtype=np.int64)"),
    (domain_counts_exactly, "printer/layout.py", "width = 1.5 / 2"),
    (chance_only_where_it_is_drawn, "rng/draw.py", "import secrets"),
    (chance_only_where_it_is_drawn, "tests/fakes.py", "import random"),
    (no_test_is_skipped, "tests/unit/test_a.py", "'skipif'\nassume(True)"),
    (errors_are_not_swallowed, "keno/a.py", "try: f()\nexcept KeyError: pass"),
    (errors_are_not_swallowed, "keno/a.py", "try: f()\nexcept Exception: raise Fault from None"),
    (type_ignores_name_their_code, "keno/a.py", "'# type: ignore'\nf()  # type: ignore[misc]"),
    (guarded_changes_are_answered_for, "keno/a.py", "if not tx.change_if(t, k): refuse()"),
    (functions_fit_a_screen_and_a_half, "keno/a.py", "def f():\n" + "    f()\n" * 74),
    (modules_are_short, "keno/a.py", DOC + "x = 1\n" * 499),
    (names_say_something, "keno/metadata.py", DOC),
    (script_functions_are_short, PAGE, "class A {\n" + STATEMENTS + "}"),
    (script_functions_are_short, PAGE, "const a = () => 1;\n" + "act();\n" * 75),
    (script_functions_are_short, PAGE, "/** @type {() => x} */\n" + STATEMENTS),
    (scripts_have_100_columns, PAGE, f"// {'x' * 97}"),
    (scripts_have_100_columns, "docs/x.md", "x" * 200),
    (no_path_leads_out_of_the_project, "README.md", "costs are shared/divided ../keno"),
    (no_path_leads_out_of_the_project, "keno/pages/board/x.js", "'.." + "/shared/a.js'"),
)


@pytest.mark.parametrize(("rule", "path", "source"), PLANTED)
def test_a_planted_violation_is_caught(rule: Rule, path: str, source: str) -> None:
    assert list(rule(File(path, source))), f"{rule_name(rule)} lets this pass:\n{source}"


@pytest.mark.parametrize(("rule", "path", "source"), HARMLESS)
def test_what_is_allowed_passes(rule: Rule, path: str, source: str) -> None:
    assert list(rule(File(path, source))) == []


def test_every_rule_has_seen_a_violation() -> None:
    assert {rule for rule, _, _ in PLANTED} == {*RULES, *SCRIPT_RULES}
