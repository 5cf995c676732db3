"""Runs the tests of a mistake in a fork of a process that has collected them all.

Starting pytest and importing the project takes far longer than most tests, so both are done once.
In the fork the changed functions get their new code. Values computed at import are those of the
sound program. So a mistake that goes unnoticed here is run again in a process of its own; one that
changes more than functions is run only there.
"""

import gc
import os
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from inspect import CO_OPTIMIZED
from tempfile import TemporaryFile
from types import CodeType, FunctionType
from typing import IO

import pytest

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


def give_code(module: str, functions: _Functions) -> None:
    """Replace the code of a module's function objects by these functions, by qualified name."""
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__module__ == module:
            code = functions.get(each.__code__.co_qualname)
            if code is not None:
                each.__code__ = code


@dataclass(frozen=True)
class Ran:
    """The result of a run: the seconds of each test, and the test that failed, if any."""

    passed: bool
    took: dict[str, float]
    failed: str


class Forks:
    """A pytest plugin that runs requested tests in forks instead of all tests once."""

    def __init__(self, asked: Callable[["Forks"], None]) -> None:
        self._asked = asked
        self._items: dict[str, list[pytest.Item]] = {}
        self._session: pytest.Session | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self._session = session
        for item in session.items:
            self._items.setdefault(item.nodeid.partition("[")[0], []).append(item)
        self._asked(self)
        return True

    def run(self, tests: Iterable[str], limit: float, prepare: Callable[[], None]) -> Ran:
        """Fork, call `prepare` and run tests up to the first that fails, for `limit` seconds."""
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
                    code = 0 if self._all_pass(items, notes) else 1
                finally:
                    os._exit(code)
            passed = _waited(child, limit)
            notes.seek(0)
            lines = [line.rstrip("\n").split(" ", maxsplit=1) for line in notes]
        took: dict[str, float] = {}
        for seconds, test in lines:
            took[test] = took.get(test, 0) + float(seconds)
        return Ran(passed, took, "" if passed or not lines else lines[-1][1])

    def _all_pass(self, items: list[pytest.Item], notes: IO[str]) -> bool:
        session = self._session
        if session is None:
            return False
        for item, following in zip(items, [*items[1:], None], strict=True):
            begun = time.monotonic()
            test = item.nodeid.partition("[")[0]
            notes.write(f"0 {test}\n")
            notes.flush()
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                return False
            notes.write(f"{time.monotonic() - begun:.3f} {test}\n")
        notes.flush()
        return True


def _waited(child: int, limit: float) -> bool:
    """Wait for a fork; return whether it ended with code 0 within `limit` seconds.

    After that it is killed with its process group.
    """
    ends = time.monotonic() + limit
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
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
    return int(pytest.main([*arguments, *tests], plugins=[Forks(asked)]))
