"""Starts the project's programs as processes forked from one that has imported them.

Importing a program takes 0.7 s of processor time, a fork a hundredth of that, and tests start some
hundreds of programs. The processes are real: own arguments, streams, environment and session. A
test whose subject is how an interpreter starts or ends starts one itself.
"""

import asyncio
import io
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from multiprocessing import reduction
from pathlib import Path
from typing import IO, Any

KENO, RNG, STATION = "keno.cli.main", "rng.cli", "writer_station.cli"
RUN_SECONDS = 60
"""Maximum seconds that a command may take."""
_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload([KENO, RNG, STATION])


class _Handed:
    """A file descriptor that is passed to the new process."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (reduction.DupFd(self.number),)


def _received(handed: Any) -> int:
    number: int = handed.detach()
    return number


class Program:
    """A running program, with the methods of `asyncio.subprocess.Process` except its streams."""

    def __init__(
        self,
        module: str,
        *arguments: str | Path,
        streams: tuple[int, int, int],
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
    ) -> None:
        how = (dict(os.environ if environment is None else environment), folder or Path.cwd())
        self._process = _FORKS.Process(
            target=_run, args=(module, [*map(str, arguments)], [*map(_Handed, streams)], *how)
        )
        self._process.start()

    @property
    def pid(self) -> int:
        pid = self._process.pid
        assert pid is not None
        return pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    async def killed(self) -> None:
        """Kill the program if it is running, and wait for its end."""
        self.kill()
        await self.wait()

    async def wait(self) -> int:
        """Wait for the program's end; return its exit code."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        if self.returncode is None:
            # Another caller may wait at the same descriptor, and a loop has one reader for each.
            number = os.dup(self._process.sentinel)
            loop.add_reader(number, ended.set)
            try:
                await ended.wait()
            finally:
                loop.remove_reader(number)
                os.close(number)
        return self.join()

    def join(self, seconds: float | None = None) -> int:
        """Wait for the end without an event loop; return the exit code.

        A program that takes longer than `seconds` is killed, with a TimeoutError.
        """
        self._process.join(seconds)
        if self.returncode is None:
            self.kill()
            self._process.join()
            raise TimeoutError(f"The program did not end within {seconds} s.")
        code = self.returncode
        assert code is not None
        return code


def start(module: str, *arguments: str | Path, log: IO[bytes]) -> Program:
    """Start a program without input, whose output and errors go to the file `log`."""
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 a device
        return Program(module, *arguments, streams=(nothing.fileno(), log.fileno(), log.fileno()))


def run(
    module: str, *arguments: str | Path, typed: bytes, environment: Mapping[str, str], folder: Path
) -> tuple[int, bytes, bytes]:
    """Run a program to its end with `typed` as input; return exit code, output and errors."""
    reads, writes = os.pipe()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        with os.fdopen(writes, "wb", buffering=0) as keyboard:
            try:
                streams = (reads, out.fileno(), err.fileno())
                program = Program(
                    module, *arguments, streams=streams, environment=environment, folder=folder
                )
            finally:
                os.close(reads)
            with suppress(BrokenPipeError):  # a program need not read to the end
                keyboard.write(typed)
        code = program.join(RUN_SECONDS)
        out.seek(0)
        err.seek(0)
        return code, out.read(), err.read()


# ---------------------------------------------------------------- in the new process


def _run(
    module: str,
    arguments: list[str],
    streams: list[int],
    environment: dict[str, str],
    folder: Path,
) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    for number, each in enumerate(streams):
        os.dup2(each, number)
        os.close(each)
    sys.stdin = io.TextIOWrapper(os.fdopen(0, "rb"), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb"), encoding="utf-8")
    sys.stderr = io.TextIOWrapper(
        os.fdopen(2, "wb"), encoding="utf-8", errors="backslashreplace", line_buffering=True
    )
    sys.exit(import_module(module).main(arguments))
