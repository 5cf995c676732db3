"""A disk that dies on purpose: `steps.c` preloaded into a seller, and what a power cut leaves."""

import struct
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

SOURCE = Path(__file__).with_name("steps.c")
_RECORD = struct.Struct("<QQqQ")
SECTOR = 512
KEPT = ("ledger.db", "ledger.db.head")
"""A house at rest has these two files."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that was done to a file: 'w'ritten, 's'ynced, 't'runcated or 'u'nlinked."""

    kind: str
    name: str
    offset: int
    content: bytes


def build(folder: Path) -> Path:
    """Compile the library that stands between a process and its disk."""
    library = folder / "steps.so"
    flags = ["-O2", "-shared", "-fPIC"]
    subprocess.run(["cc", *flags, "-o", str(library), str(SOURCE), "-ldl"], check=True)
    return library


def preload(library: Path, folder: Path, **options: str) -> dict[str, str]:
    """The environment of a process whose writes into a folder go through the library."""
    named = {f"STEPS_{name.upper()}": value for name, value in options.items()}
    return {"LD_PRELOAD": str(library), "STEPS_FOLDER": str(folder), **named}


def steps(log: Path) -> list[Step]:
    """Everything the library wrote down, in order."""
    text, at, found = log.read_bytes(), 0, []
    while at + _RECORD.size <= len(text):
        kind, name_length, offset, size = _RECORD.unpack_from(text, at)
        at += _RECORD.size
        name = text[at : at + name_length].decode()
        at += name_length
        found.append(Step(chr(kind), name, offset, text[at : at + size]))
        at += size
    return found


def power_cut(
    before: Path, done: Sequence[Step], after: Path, random: Random, *, honest: bool = True
) -> None:
    """Copy a ledger's files as a power cut after these steps may leave them.

    What was synced is there. Of what was not, each sector may have reached the disk or not. A disk
    that is not honest says that it has synced and has not.
    """
    loose: defaultdict[str, list[Step]] = defaultdict(list)
    files = {name: bytearray((before / name).read_bytes()) for name in KEPT}
    for step in done:
        if step.kind == "s" and honest:
            for each in loose.pop(step.name, []):
                _apply(files, each)
        elif step.kind == "u":
            loose.pop(step.name, None)
            files.pop(step.name, None)
        elif step.kind in "wt":
            loose[step.name].append(step)
    scraps = [piece for waiting in loose.values() for each in waiting for piece in _sectors(each)]
    for piece in scraps:
        if random.random() < 0.5:
            _apply(files, piece)
    for name, content in files.items():
        (after / name).write_bytes(content)


def _apply(files: dict[str, bytearray], step: Step) -> None:
    content = files.setdefault(step.name, bytearray())
    if step.kind == "t":
        content[step.offset :] = bytes(max(0, step.offset - len(content)))
        return
    end = step.offset + len(step.content)
    content.extend(bytes(max(0, end - len(content))))
    content[step.offset : end] = step.content


def _sectors(step: Step) -> Iterator[Step]:
    """A write in the pieces that a disk writes whole."""
    if step.kind != "w":
        yield step
        return
    at = 0
    while at < len(step.content):
        size = SECTOR - (step.offset + at) % SECTOR
        yield Step("w", step.name, step.offset + at, step.content[at : at + size])
        at += size
