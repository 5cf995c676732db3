"""Plants a mistake in every rule and runs the tests that COMPLIANCE.md names for it.

A rule is deleted (its refusal or fault is no longer raised) or its limit moved by one (`<` becomes
`<=`); at least one of the tests named beside the code must then fail.
Run by the parts of `make soak` that are called mistakes.
"""

import argparse
import ast
import copy
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.compliance import ROOT, rows

BOUNDARY = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
EQUIVALENT = {
    # Awards that add up to exactly the maximum are each paid in full by sharing it, too.
    ("keno/domain/aggregate.py", "limit moved: exact_sum(awards) <= maximum"),
    # What is remembered, and what is decided by a short cut, is answered alike the long way.
    ("keno/domain/wager.py", "limit moved: self.ways <= SOUND_WAYS_MAX"),
    ("keno/domain/wager.py", "limit moved: len(_SOUND) >= SOUND_MAX"),
    ("keno/domain/wager.py", "limit moved: len(self.groups) <= GROUPS_MAX"),
}
"""Mistakes that are none: they are not planted, as no test could notice them."""
PACKAGES = ("keno", "printer", "rng", "tests", "writer_station", "pyproject.toml")


@dataclass(frozen=True)
class Mutant:
    """One planted mistake: the changed source, and the tests that should notice."""

    path: str
    line: int
    what: str
    source: str
    tests: tuple[str, ...]


def mutants() -> Iterator[Mutant]:
    """All mistakes worth planting in the code that the table names."""
    tests_of: dict[tuple[str, str], set[str]] = {}
    for row in rows():
        for code in row.code:
            tests_of.setdefault(code, set()).update("::".join(test) for test in row.tests)
    for (path, name), tests in tests_of.items():
        for mutant in _mutants_of(path, name, tuple(sorted(tests, reverse=True))):  # unit first
            if (mutant.path, mutant.what) not in EQUIVALENT:
                yield mutant


def _mutants_of(path: str, name: str, tests: tuple[str, ...]) -> Iterator[Mutant]:
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    scope = _find(tree, name)
    if scope is None:
        return
    for node in ast.walk(scope):
        if isinstance(node, ast.If):
            if any(_says_no(each) for each in node.body):
                yield _mutant(tree, node, path, "rule deleted", tests)
            for compare in ast.walk(node.test):
                if isinstance(compare, ast.Compare) and type(compare.ops[-1]) in BOUNDARY:
                    yield _mutant(tree, compare, path, "limit moved", tests)


def _find(tree: ast.Module, name: str) -> ast.AST | None:
    scope: ast.AST = tree
    for part in name.split("."):
        body = getattr(scope, "body", [])
        found = [node for node in body if getattr(node, "name", None) == part]
        if not found:
            return None
        scope = found[0]
    return scope


def _says_no(node: ast.stmt) -> bool:
    if isinstance(node, ast.Raise):
        return "Refused" in ast.unparse(node)
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)


def _mutant(
    tree: ast.Module, node: ast.AST, path: str, what: str, tests: tuple[str, ...]
) -> Mutant:
    index = list(ast.walk(tree)).index(node)
    changed = copy.deepcopy(tree)
    target = list(ast.walk(changed))[index]
    if isinstance(target, ast.If):
        target.body = [ast.Pass()]
    elif isinstance(target, ast.Compare):
        target.ops[-1] = BOUNDARY[type(target.ops[-1])]()
    ast.fix_missing_locations(changed)
    line = getattr(node, "lineno", 0)
    return Mutant(
        path, line, f"{what}: {ast.unparse(node).splitlines()[0]}", ast.unparse(changed), tests
    )


def passes(tests: tuple[str, ...], project: Path) -> bool:
    """Run some tests in a copy of the project."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests],
        cwd=project,
        env=os.environ | {"PYTHONPATH": str(project), "KENO_SOAK": "0"},
        capture_output=True,
        check=False,
    )
    return done.returncode == 0


def survives(mutant: Mutant, project: Path) -> bool:
    """Do all named tests pass although the mistake is there?"""
    file = project / mutant.path
    sound = file.read_text(encoding="utf-8")
    file.write_text(mutant.source, encoding="utf-8")
    try:
        return passes(mutant.tests, project)
    finally:
        file.write_text(sound, encoding="utf-8")


def copy_project(place: Path) -> None:
    """Copy what the tests need, so that the checkout itself is never touched."""
    for name in PACKAGES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)


def main() -> int:
    """Plant each mistake in a copy of the project; 1 if one goes unnoticed."""
    parser = argparse.ArgumentParser(prog="tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="plant only so many, picked evenly")
    parser.add_argument("places", nargs="*", help="plant only there, such as keno/service")
    arguments = parser.parse_args()
    places = tuple(arguments.places) or ("",)
    planted = [mutant for mutant in mutants() if mutant.path.startswith(places)]
    if arguments.sample:
        planted = Random(15).sample(planted, min(arguments.sample, len(planted)))
    unnoticed = 0
    with TemporaryDirectory() as folder:
        place = Path(folder)
        copy_project(place)
        named = sorted({test for mutant in planted for test in mutant.tests})
        if not passes(tuple(named), place):
            raise SystemExit("the tests must pass before mistakes are planted")
        for index, mutant in enumerate(planted, 1):
            noticed = not survives(mutant, place)
            unnoticed += not noticed
            print(
                f"[{index}/{len(planted)}] {'noticed  ' if noticed else 'UNNOTICED'} "
                f"{mutant.path}:{mutant.line} {mutant.what}",
                flush=True,
            )
    print(f"{len(planted)} mistakes planted, {unnoticed} unnoticed")
    return 1 if unnoticed or not planted else 0


if __name__ == "__main__":
    sys.exit(main())
