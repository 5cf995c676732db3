"""Runs `keno-rng` commands, and types at a pseudo-terminal what two keyholders would type."""

import asyncio
import os
import pty
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Any

from keno.domain.errors import Fault

CEREMONY_SECONDS = 60
"""Maximum seconds of one command at a pseudo-terminal."""

Talk = Sequence[tuple[str, str]]
"""Prompts in the order in which a command shows them, each with the answer to type."""


def typed_by_both(key_file: Callable[[str], Path], passphrases: Mapping[str, str]) -> Talk:
    """Return prompts and answers of both keyholders: key file and passphrase each, then two yes.

    `passphrases` is by keyholder; `key_file` returns a keyholder's key file.
    """
    opening = [
        (f"{part.capitalize()}: {prompt}", typed)
        for part, words in passphrases.items()
        for prompt, typed in (
            ("where is your key file? ", str(key_file(part))),
            ("passphrase (not shown): ", words),
        )
    ]
    return opening + [("Type yes: ", "yes") for _ in passphrases]


class NotRunning(Fault):
    """The generator or witness could not be made, started or unlocked; the message shows why."""


def keno_rng(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "rng.cli", *map(str, arguments)]


async def done(*arguments: str | Path) -> str:
    """Run a `keno-rng` command without input and return its output; `NotRunning` if it fails."""
    process = await asyncio.create_subprocess_exec(
        *keno_rng(*arguments), stdin=DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    try:
        shown, _ = await process.communicate()
    finally:
        await killed(process)
    if process.returncode:
        raise NotRunning(f"keno-rng {arguments[0]} failed: {shown.decode().strip()}")
    return shown.decode().strip()


async def together(*works: Coroutine[Any, Any, str]) -> list[str]:
    """Run several commands concurrently, wait for all, and return their outputs.

    Raise the first error of any of them.
    """
    ended = await asyncio.gather(*works, return_exceptions=True)
    for each in ended:
        if isinstance(each, BaseException):
            raise each
    return [each for each in ended if isinstance(each, str)]


class _Screen(asyncio.Protocol):
    """The output of a program at a pseudo-terminal, collected so that prompts can be awaited."""

    def __init__(self) -> None:
        self.shown = b""
        self._read = 0
        self._news = asyncio.Event()
        self._ended = False

    def data_received(self, data: bytes) -> None:
        self.shown += data
        self._news.set()

    def connection_lost(self, exc: Exception | None) -> None:
        del exc  # a terminal whose program has ended always reports an error
        self._ended = True
        self._news.set()

    async def expect(self, words: bytes) -> bool:
        """Wait until the program shows `words` after those last found; False if it ends first."""
        while (found := self.shown.find(words, self._read)) < 0:
            if self._ended:
                return False
            await self._changed()
        self._read = found + len(words)
        return True

    async def end(self) -> None:
        while not self._ended:
            await self._changed()

    async def _changed(self) -> None:
        self._news.clear()
        await self._news.wait()


async def at_terminal(command: Sequence[str], talk: Talk) -> str:
    """Run a command at a new pseudo-terminal and type the answers at its prompts.

    Return what the command showed. Raise `NotRunning` if it fails or takes too long.
    """
    ours, theirs = pty.openpty()
    terminal = os.fdopen(ours, "r+b", buffering=0)
    screen = _Screen()
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: screen, terminal)
    try:
        try:
            # Its own session: a passphrase is asked for at this terminal, not at the caller's.
            process = await asyncio.create_subprocess_exec(
                *command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
            )
        finally:
            os.close(theirs)
        code = await _talk(process, screen, terminal, talk)
    finally:
        transport.close()
        await screen.end()
    shown = screen.shown.decode(errors="replace").strip()
    if code != 0:
        raise NotRunning(f"keno-rng {command[3]} was not completed; its screen:\n{shown}")
    return shown


async def _talk(process: Process, screen: _Screen, terminal: FileIO, talk: Talk) -> int | None:
    """Type the answers at their prompts; return the exit code, or None after `CEREMONY_SECONDS`."""
    try:
        async with asyncio.timeout(CEREMONY_SECONDS):
            for prompt, typed in talk:
                if not await screen.expect(prompt.encode()):
                    break
                terminal.write(typed.encode() + b"\n")
            await screen.end()
            return await process.wait()
    except TimeoutError:
        return None
    finally:
        await killed(process)


async def killed(process: Process) -> None:
    """Kill a process if it still runs, and wait for its end."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
