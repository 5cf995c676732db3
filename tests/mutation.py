"""Plants mistakes in the code that COMPLIANCE.md names and runs the tests named beside it.

Rules, calls and conditions are deleted, limits moved by one, constants, members and arithmetic
swapped, texts and boxes dropped from papers, conditions and triggers from SQL
(`mistakes_python.py`, `mistakes_text.py`). Every row and every piece of code in it gets at least
one, and at least one of the tests named beside the code must fail with it, or not end in time.
Run by the parts of `make soak` that are called mistakes.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.util import cache_from_source
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic

from tests.compliance import ROOT, rows
from tests.mistakes import Mistake, mistakes_in
from tests.mutation_forks import Forks, Ran, changed_functions, collected, module_of, place_of

PARTS = ("keno", "printer", "rng", "tests", "writer_station", "docs", "pyproject.toml",
         "COMPLIANCE.md")  # fmt: skip
PYTEST = ("-m", "pytest", "-x", "-p", "no:cacheprovider", "-p", "no:xdist",
          "--hypothesis-profile=mistakes")  # fmt: skip
LIMIT_SECONDS = 300
CASE_SECONDS = 15
"""How many seconds each case of a test has in a fork beside five times what it took at first."""
ELSEWHERE = "a process of its own"
"""The name shown for a mistake that only a separate process, not a fork, noticed."""


@dataclass(frozen=True)
class Planted:
    """One mistake, and the tests that should notice it."""

    mistake: Mistake
    tests: tuple[str, ...]


def planted() -> Iterator[Planted]:
    """Yield all mistakes in the code that COMPLIANCE.md names, without the equivalent ones."""
    tests_of: dict[tuple[str, str], set[str]] = {}
    for row in rows():
        for code in row.code:
            tests_of.setdefault(code, set()).update("::".join(test) for test in row.tests)
    equivalent = equivalents()
    for (path, name), tests in tests_of.items():
        apart = [other for there, other in tests_of if there == path]
        for mistake in mistakes_in(path, name, apart):
            if f"{mistake.path} {mistake.what}" not in equivalent:
                yield Planted(mistake, tuple(sorted(tests, reverse=True)))  # unit first


def equivalents() -> set[str]:
    """Return the mistakes that change nothing, as listed in equivalents.txt."""
    lines = (ROOT / "tests" / "equivalents.txt").read_text(encoding="utf-8").splitlines()
    return {line for line in lines if line and not line.startswith("#")}


def passes(tests: Iterable[str], project: Path, limit: float) -> bool:
    """Run tests in a process of their own; return whether all pass within `limit` seconds."""
    with subprocess.Popen(
        [sys.executable, *PYTEST, *tests],
        cwd=project,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        process_group=0,  # what the tests started ends with them
    ) as run:
        try:
            return run.wait(limit) == 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return False


@contextmanager
def planted_in_file(mistake: Mistake) -> Iterator[None]:
    """Inside this context the file has the mistake in it."""
    file = ROOT / mistake.path
    compiled = Path(cache_from_source(str(file)))
    sound, source = file.read_bytes(), mistake.source
    file.write_bytes(source)
    compiled.unlink(missing_ok=True)  # a file of the same size and second counts as unchanged
    try:
        yield
    finally:
        file.write_bytes(sound)
        compiled.unlink(missing_ok=True)


def noticed_by(each: Planted, forks: Forks, order: "Order", limit: float, *, quick: bool) -> str:
    """Return the test that fails with the mistake planted; empty if all its tests pass.

    If `quick`, only those tests are run that call the function with the mistake in their own
    process, or share a file with one that does, if there are any.
    """
    mistake = each.mistake
    if not each.tests:  # pytest without a test would run them all
        return ""
    with planted_in_file(mistake):
        if mistake.path.endswith(".js"):
            ran = forks.run(order.of(each), order.limits, lambda: None)
            order.note(each, ran)
            return "" if ran.passed else ran.failed or ELSEWHERE
        functions = changed_functions(mistake.path, mistake.sound, mistake.source)
        if functions:

            def prepare() -> None:
                forks.give_code(module_of(mistake.path), functions)

            place = f"{mistake.path}::{place_of(functions)}"
            ran = forks.run(order.of(each, place, quick=quick), order.limits, prepare)
            order.note(each, ran)
            if not ran.passed:
                return ran.failed or ELSEWHERE
            if quick:
                return ""
        tests = order.of(each)
        return "" if passes(tests, ROOT, limit + 3 * order.seconds(tests)) else ELSEWHERE


class Order:
    """Orders the tests of a mistake, so that the one that notices it is found soon.

    Those that call the function with the mistake come first, then the others of their files, which
    may look at what only the first of a file has made. Among them decide the seconds that a test
    takes for each mistake in the same code file that it notices.
    """

    def __init__(self, sound: Ran) -> None:
        self._took = sound.took
        self._called = sound.called
        self._ran: Counter[tuple[str, str]] = Counter()
        self._noticed: Counter[tuple[str, str]] = Counter()
        self.limits = {test: CASE_SECONDS + 5 * took for test, took in sound.longest.items()}

    def of(self, each: Planted, place: str = "", *, quick: bool = False) -> list[str]:
        """Return the tests in order; if `quick`, only those of files that call `place`."""
        calling = {test for test in each.tests if place in self._called.get(test, ())}
        files = {_file(test) for test in calling}

        def cost(test: str) -> float:
            key = each.mistake.path, test
            took = self._took.get(test, 0) + 0.02  # with the fork
            return took * (self._ran[key] + 4) / (self._noticed[key] + 1)

        def last(test: str) -> tuple[bool, bool]:
            return _file(test) not in files, test not in calling

        tests = [test for test in each.tests if not quick or not files or _file(test) in files]
        return sorted(tests, key=lambda test: (last(test), cost(test), test))

    def note(self, each: Planted, ran: Ran) -> None:
        """Note which tests ran with a mistake and which of them failed."""
        self._ran.update((each.mistake.path, test) for test in ran.took)
        if ran.failed:
            self._noticed[each.mistake.path, ran.failed] += 1

    def seconds(self, tests: Iterable[str]) -> float:
        """Return how long these tests took without a mistake."""
        return sum(self._took.get(test, 0) for test in tests)


def _file(test: str) -> str:
    return test.partition("::")[0]


def copy_project(place: Path) -> None:
    """Copy what the tests need to a folder, so that the checkout itself is never changed."""
    for name in PARTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, place / name)


def main() -> int:
    """Plant each mistake in a copy of the project; return 1 if one goes unnoticed, else 0."""
    parser = argparse.ArgumentParser(prog="tests.mutation", description=__doc__)
    parser.add_argument("--sample", type=int, default=0, help="plant only so many, picked evenly")
    parser.add_argument("--limit", type=float, default=LIMIT_SECONDS, help="seconds for each")
    parser.add_argument("--here", action="store_true", help="this is a copy of the project")
    parser.add_argument("--without", action="append", default=[], help="leave out tests/browser")
    parser.add_argument("--quick", action="store_true", help="a first look: in forks only")
    parser.add_argument("--list", action="store_true", help="list them and plant none")
    parser.add_argument("--listed", type=Path, help="plant only what this file has as by --list")
    parser.add_argument("places", nargs="*", help="plant only there: keno/service, a/file.py::name")
    arguments = parser.parse_args()
    places, without = tuple(arguments.places) or ("",), tuple(arguments.without)
    chosen = [
        replace(each, tests=tuple(x for x in each.tests if not x.startswith(without)))
        for each in planted()
        if f"{each.mistake.path}::{each.mistake.name}".startswith(places)
    ]
    chosen = [each for each in chosen if each.tests]  # pytest without a test would run them all
    if arguments.listed:
        listed = {_without_line(line) for line in arguments.listed.read_text("utf-8").splitlines()}
        chosen = [each for each in chosen if _without_line(_shown(each.mistake)) in listed]
    if arguments.sample:
        chosen = Random(15).sample(chosen, min(arguments.sample, len(chosen)))
    if arguments.list:
        for each in chosen:
            print(_shown(each.mistake))
        return 0
    if arguments.here:
        return _plant_all(chosen, arguments.limit, quick=arguments.quick)
    with TemporaryDirectory() as folder:
        copy_project(Path(folder))
        return subprocess.run(
            [sys.executable, "-m", "tests.mutation", "--here", *sys.argv[1:]],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": folder, "KENO_SOAK": "0"},
            check=False,
        ).returncode


def _shown(mistake: Mistake) -> str:
    return f"{mistake.path}:{mistake.line} {mistake.what}"


def _without_line(shown: str) -> str:
    """Return a listed mistake without its line number, which changes with every edit above it."""
    place, _, what = shown.partition(" ")
    return f"{place.partition(':')[0]} {what}"


def _plant_all(chosen: list[Planted], limit: float, *, quick: bool) -> int:
    """Plant each mistake in this copy of the project and print which test noticed it."""
    named = sorted({test for each in chosen for test in each.tests}, reverse=True)
    unnoticed: list[str] = []
    failing: list[str] = ["tests that cannot be collected"]
    count = 0

    def plant(forks: Forks) -> None:
        nonlocal count
        sound = forks.look(named, 3600)
        failing[:] = sorted({*sound.failing, *(test for test in named if test not in sound.took)})
        print("".join(f"fails without a mistake: {test}\n" for test in failing), end="", flush=True)
        order = Order(sound)
        trusted = [replace(x, tests=tuple(t for t in x.tests if t not in failing)) for x in chosen]
        for index, each in enumerate(trusted, 1):
            begun = monotonic()
            what = _shown(each.mistake)
            by = noticed_by(each, forks, order, limit, quick=quick)
            count += 1
            if not by:
                unnoticed.append(what)
            print(
                f"[{index}/{len(chosen)}] {'noticed  ' if by else 'UNNOTICED'} "
                f"{monotonic() - begun:5.1f} s {what}{by and f' <- {by}'}",
                flush=True,
            )

    collected(named, plant)
    print(f"{count} mistakes planted, {len(unnoticed)} unnoticed")
    print("".join(f"not asked: {test}\n" for test in failing), end="")
    return 1 if unnoticed or failing or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
