"""Runs the tests of a mistake in a fork of a process that has collected them all.

Starting pytest and importing the project takes far longer than most tests, so both are done once.
In the fork the changed functions get their new code. Values computed at import are those of the
sound program. So a mistake that goes unnoticed here is run again in a process of its own; one that
changes more than functions is run only there.

A first run without a mistake finds how long each test takes and which functions it calls in this
process.
"""

import gc
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from inspect import CO_OPTIMIZED
from tempfile import TemporaryDirectory, TemporaryFile
from types import CodeType, FrameType, FunctionType
from typing import IO

import pytest

from tests.compliance import ROOT

FOLDERS = ("keno", "printer", "rng", "writer_station")
"""The folders whose functions are noted when a test calls them."""
FAILED = ["failed"]
"""What is noted of a test that fails in a look instead of the functions that it calls."""
_Functions = dict[str, CodeType]
_Rest = list[tuple[object, ...]]


def changed_functions(path: str, sound: bytes, source: bytes) -> _Functions | None:
    """Return the functions that differ between two versions of a file, by qualified name.

    None if anything else differs.
    """
    before, rest_before = _parts(compile(sound, path, "exec"))
    after, rest_after = _parts(compile(source, path, "exec"))
    if rest_before != rest_after or before.keys() != after.keys():
        return None
    return {name: code for name, code in after.items() if code != before[name]}


def _parts(module: CodeType) -> tuple[_Functions, _Rest]:
    """Return a module's functions, and the code that runs when it is imported."""
    functions: _Functions = {}
    rest: _Rest = []

    def look_at(code: CodeType) -> None:
        plain = tuple(each for each in code.co_consts if not isinstance(each, CodeType))
        rest.append((code.co_code, plain, code.co_names))
        for each in code.co_consts:
            if isinstance(each, CodeType):
                if each.co_flags & CO_OPTIMIZED and "<" not in each.co_qualname:
                    functions[each.co_qualname] = each
                else:  # a class, or a function without a name of its own
                    look_at(each)

    look_at(module)
    return functions, rest


def function_objects() -> dict[tuple[str, str], list[FunctionType]]:
    """Return all function objects of this process by module and qualified name."""
    found: dict[tuple[str, str], list[FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, FunctionType):
            found.setdefault((each.__module__, each.__code__.co_qualname), []).append(each)
    return found


def place_of(functions: _Functions) -> str:
    """Return the qualified name of the function that a mistake is in.

    `functions` are those that differ; all but the first of them are only moved.
    """
    return min(functions, key=lambda name: functions[name].co_firstlineno)


@dataclass(frozen=True)
class Ran:
    """The result of a run.

    `took` has the seconds of each test begun, `longest` those of its longest case; `failed` is the
    last test that failed, if any. A look goes on after a failure, so it has all that fail in
    `failing`, and in `called` the functions that each test called, as `path::qualified name`.
    """

    passed: bool
    took: dict[str, float]
    failed: str
    called: dict[str, set[str]] = field(default_factory=dict)
    failing: frozenset[str] = frozenset()
    longest: dict[str, float] = field(default_factory=dict)


class Forks:
    """A pytest plugin that runs requested tests in forks instead of all tests once."""

    def __init__(self, asked: Callable[["Forks"], None]) -> None:
        self._asked = asked
        self._items: dict[str, list[pytest.Item]] = {}
        self._functions: dict[tuple[str, str], list[FunctionType]] = {}
        self._session: pytest.Session | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._session = session
        for item in session.items:
            self._items.setdefault(item.nodeid.partition("[")[0], []).append(item)
        self._functions = function_objects()
        gc.freeze()  # what a fork's collector does not touch is not copied
        self._asked(self)
        return True

    def give_code(self, module: str, functions: _Functions) -> None:
        """Replace the code of a module's function objects by these functions, by qualified name."""
        for name, code in functions.items():
            for each in self._functions.get((module, name), []):
                each.__code__ = code

    def look(self, tests: Iterable[str], limit: float) -> Ran:
        """Run all these tests without a mistake, for `limit` seconds, and note what each calls."""
        return self._fork(tests, {}, limit, lambda: None, watched=True)

    def run(
        self, tests: Iterable[str], limits: Mapping[str, float], prepare: Callable[[], None]
    ) -> Ran:
        """Fork, call `prepare` and run tests up to the first that fails.

        A test fails, too, if one of its cases takes longer than its seconds in `limits`.
        """
        tests = list(tests)
        cases = sum(limits[test] * len(self._items[test]) for test in tests)
        return self._fork(tests, limits, cases, prepare, watched=False)

    def _fork(
        self,
        tests: Iterable[str],
        limits: Mapping[str, float],
        limit: float,
        prepare: Callable[[], None],
        *,
        watched: bool,
    ) -> Ran:
        items = [item for test in tests for item in self._items[test]]
        with TemporaryFile("w+", encoding="utf-8") as notes:
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    os.setpgid(0, 0)  # with all that the tests start, so that it ends with them
                    nothing = os.open(os.devnull, os.O_WRONLY)
                    os.dup2(nothing, 1)
                    os.dup2(nothing, 2)
                    prepare()
                    code = 0 if self._all_pass(items, limits, notes, watched=watched) else 1
                finally:
                    os._exit(code)
            passed = _waited(child, limit)
            notes.seek(0)
            lines = [json.loads(line) for line in notes if line.endswith("\n")]
        took: dict[str, float] = {}
        called: dict[str, set[str]] = {}
        failing: set[str] = set()
        longest: dict[str, float] = {}
        for test, seconds, functions in lines:
            took[test] = took.get(test, 0) + seconds
            longest[test] = max(longest.get(test, 0), seconds)
            called.setdefault(test, set()).update(functions)
            if functions == FAILED:
                failing.add(test)
        failed = "" if passed or not lines else lines[-1][0]
        return Ran(passed, took, failed, called, frozenset(failing), longest)

    def _all_pass(
        self,
        items: list[pytest.Item],
        limits: Mapping[str, float],
        notes: IO[str],
        *,
        watched: bool,
    ) -> bool:
        session = self._session
        if session is None:
            return False

        def note(test: str, seconds: float, functions: set[str]) -> None:
            notes.write(json.dumps([test, seconds, sorted(functions)]) + "\n")
            notes.flush()

        codes: dict[int, CodeType] = {}
        for item, following in zip(items, [*items[1:], None], strict=True):
            begun = time.monotonic()
            test = item.nodeid.partition("[")[0]
            note(test, 0, set())
            codes.clear()
            if watched:
                _note_calls(codes)  # again for each test, because hypothesis ends it
            signal.setitimer(signal.ITIMER_REAL, limits.get(test, 0))  # it ends this process
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed and not watched:
                return False
            if session.testsfailed:
                session.testsfailed = 0
                note(test, 0, set(FAILED))
            note(test, time.monotonic() - begun, _named(codes))
        return True


def _note_calls(codes: dict[int, CodeType]) -> None:
    """Add to `codes` all code that is called from now on, in threads that begin now, too."""

    def called(frame: FrameType, _event: str, _argument: object) -> None:
        codes[id(frame.f_code)] = frame.f_code

    threading.settrace(called)
    sys.settrace(called)


def _named(codes: Mapping[int, CodeType]) -> set[str]:
    """Return the project's functions among these, as `path::qualified name`."""
    named = {f"{each.co_filename.removeprefix(f'{ROOT}/')}::{each.co_qualname}"
             for each in list(codes.values())}  # fmt: skip
    return {each for each in named if each.startswith(FOLDERS)}


def _waited(child: int, limit: float) -> bool:
    """Wait for a fork; return whether it ended with code 0 within `limit` seconds.

    What is left of its process group then is killed.
    """
    ends = time.monotonic() + limit
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            return os.waitstatus_to_exitcode(status) == 0
        if time.monotonic() > ends:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return False
        time.sleep(0.01)


def module_of(path: str) -> str:
    """Return the module name of a file."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def collected(tests: Iterable[str], asked: Callable[[Forks], None]) -> int:
    """Collect tests in this process and call `asked` with the plugin that runs them.

    Return pytest's exit code.
    """
    arguments = ["-o", "addopts=", "-s", "-p", "no:cacheprovider", "-p", "no:xdist",
                 "-p", "no:terminal", "--hypothesis-profile=mistakes"]  # fmt: skip
    with TemporaryDirectory() as folder:  # every fork makes its own anew and leaves it behind
        arguments.append(f"--basetemp={folder}/tests")
        return int(pytest.main([*arguments, *tests], plugins=[Forks(asked)]))
