"""Dialogues with two people at the generator's console: key files, passphrases, confirmations.

A passphrase is never shown. An aborted dialogue changes nothing.
"""

import getpass
import os
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

from rng.keys import (
    PARTS,
    KeyFile,
    Keyholder,
    KeyProblem,
    data_key,
    open_key_file,
)
from rng.serving import keep_memory_to_itself

TRIES = 3
"""Maximum number of attempts at each entry that a person types."""
UNTOUCHED = "Nothing has been changed."


class Stopped(Exception):
    """Raised if a ceremony is aborted or cannot continue; the message says why."""


def show(*lines: str) -> None:
    """Print lines on the screen."""
    for line in lines:
        print(line, flush=True)


def ask(prompt: str) -> str:
    """Show a prompt and return the line that a person types; empty if input ends."""
    try:
        return input(prompt).strip()
    except EOFError:
        return ""


def ask_passphrase(prompt: str) -> str:
    """Ask for a passphrase without showing it, and return it.

    Raise `Stopped` if the terminal would show it or input ends.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("error", getpass.GetPassWarning)
        try:
            return getpass.getpass(prompt)
        except (getpass.GetPassWarning, EOFError):
            raise Stopped(
                f"A passphrase can only be typed at the generator's own console. {UNTOUCHED}"
            ) from None


def at_console() -> None:
    """Raise `Stopped` unless standard input is a terminal.

    Also disable this process's core dumps.
    """
    if not sys.stdin.isatty():
        raise Stopped("This is done by people at the generator's own console, not by a program.")
    keep_memory_to_itself()


def confirm(person: str, question: str) -> None:
    """Ask a person a question; raise `Stopped` unless the answer is yes."""
    if ask(f"{person}: {question} Type yes: ").lower() != "yes":
        raise Stopped(f"The {person.lower()} did not say yes. {UNTOUCHED}")


def new_passphrase(person: str) -> str:
    """Let a person choose a passphrase and type it twice; return it.

    Raise `Stopped` after three attempts in which the two differ.
    """
    for _ in range(TRIES):
        chosen = ask_passphrase(f"{person}: choose a passphrase (it is not shown): ")
        if chosen == ask_passphrase(f"{person}: the same once more: "):
            return chosen
        show("The two were not the same.")
    raise Stopped(f"The passphrase was not typed twice in the same way. {UNTOUCHED}")


@dataclass(frozen=True)
class Pair:
    """An inspector and a supervisor whose key files are opened."""

    inspector: Keyholder
    supervisor: Keyholder

    def dek(self) -> bytes:
        """Return the data key, which is computed from the shares of both keyholders."""
        return data_key(self.inspector, self.supervisor)


def two_people(folder: Path, *, live: bool) -> Pair:
    """Let an inspector, then a supervisor, open their key files; return both keyholders.

    Each types path and passphrase. `folder` is the generator's own: a live key must not be on its
    disk, nor be a test key. Raise `Stopped` if nothing is typed, or after three attempts.
    """
    holders = [_one_person(part, folder, live=live) for part in PARTS]
    return Pair(*holders)


def _one_person(part: str, folder: Path, *, live: bool) -> Keyholder:
    person = part.capitalize()
    for left in reversed(range(TRIES)):
        given = ask(f"{person}: where is your key file? ")
        if not given:
            raise Stopped(f"Both people are needed, and the {part} is missing. {UNTOUCHED}")
        try:
            return _opened(Path(given), part, folder, live=live)
        except KeyProblem as problem:
            show(str(problem))
            if left:
                show("Please try again.")
    raise Stopped(f"The key of the {part} was not opened. {UNTOUCHED}")


def _opened(path: Path, part: str, folder: Path, *, live: bool) -> Keyholder:
    try:
        file = KeyFile.read(path.read_bytes())
    except OSError as error:
        raise KeyProblem(f"The key file cannot be read: {error.strerror}.") from None
    if file.part != part:
        raise KeyProblem(f"This is the {file.part}'s key, not the {part}'s.")
    if live and file.is_test:
        raise KeyProblem("This key was made for tests. It opens nothing of value.")
    if live and on_same_disk(path, folder):
        raise KeyProblem("This key file is on the generator's own disk, where it must not be.")
    return open_key_file(file, ask_passphrase(f"{part.capitalize()}: passphrase (not shown): "))


def on_same_disk(path: Path, folder: Path) -> bool:
    """Return whether a path is on the same disk (device) as the generator's folder."""
    return os.stat(path).st_dev == os.stat(folder).st_dev  # noqa: PTH116 # two plain numbers
