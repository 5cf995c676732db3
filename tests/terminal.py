"""Drives a program at a pseudo-terminal: waits for words on the screen, then types."""

import os
import pty
import re
import select
import signal
import time
from collections.abc import Sequence

PATIENCE_S = 120.0


class Terminal:
    """A program with a pseudo-terminal; `screen` is everything that was shown on it."""

    def __init__(self, command: Sequence[str]) -> None:
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.execvp(command[0], list(command))  # noqa: S606 # a program of ours, no shell
        self.screen = ""
        self._read = 0

    def expect(self, pattern: str) -> str:
        """Wait until the screen shows a match of `pattern` after the last one, and return it."""
        until = time.monotonic() + PATIENCE_S
        while not (found := re.search(pattern, self.screen[self._read :])):
            ready, _, _ = select.select([self._file], [], [], max(0, until - time.monotonic()))
            if not ready or not self._take():
                raise AssertionError(f"{pattern!r} never came; the screen:\n{self.screen}")
        self._read += found.end()
        return found.group()

    def type(self, text: str) -> None:
        os.write(self._file, text.encode() + b"\n")

    def end(self) -> int:
        """Wait for the program's end; return its exit code."""
        while self._take():
            pass
        os.close(self._file)
        _, status = os.waitpid(self._pid, 0)
        return os.waitstatus_to_exitcode(status)

    def kill(self) -> None:
        os.kill(self._pid, signal.SIGTERM)

    def _take(self) -> bool:
        try:
            shown = os.read(self._file, 65536)
        except OSError:  # how Linux says that the other side of a terminal is closed
            return False
        self.screen += shown.decode(errors="replace")
        return bool(shown)
