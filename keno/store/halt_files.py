"""Files of halts beside the ledger, because a broken chain cannot record its own halt (15.7).

Each halt has a file named by its digest, with the signed halt and, once both keyholders have signed
it, the resume. Deleting or changing a row of the ledger therefore does not remove a halt.
"""

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rng.canonical import decode_line, encode_line
from rng.records import Genesis, SignedMessage
from rng.resuming import check_halt, check_resume, read_halting


def folder_of(ledger: Path) -> Path:
    """Return the path of the folder with the halt files of a ledger; it may not exist yet."""
    return ledger.with_name(ledger.name + ".halts")


@dataclass(frozen=True)
class HaltFile:
    """A halt and its resume as read from a file; `halt` is None if the file is not valid."""

    name: str
    digest: str
    """SHA-256 of the file's bytes, in hex."""
    halt: SignedMessage | None = None
    resume: SignedMessage | None = None


def write_halt(folder: Path, halt: SignedMessage, resume: SignedMessage | None = None) -> None:
    """Write or replace the file of a halt; it is durable when this returns."""
    folder.mkdir(mode=0o700, exist_ok=True)
    kept = {"halt": halt.written()} | ({} if resume is None else {"resume": resume.written()})
    path, new = folder / f"{halt.digest}.halt", folder / f".{halt.digest}.new"
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(encode_line(kept))
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    for each in (folder, folder.parent):
        _sync(each)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_halts(folder: Path) -> list[HaltFile]:
    """Return every halt file of the folder, readable or not, by name."""
    if not folder.is_dir():
        return []
    return [_read(path) for path in sorted(folder.glob("*.halt"))]


def _read(path: Path) -> HaltFile:
    try:
        kept = path.read_bytes() if path.is_file() else b""
    except OSError:
        kept = b""
    digest = sha256(kept).hexdigest()
    try:
        decoded = decode_line(kept)
        if not isinstance(decoded, dict) or not decoded.keys() <= {"halt", "resume"}:
            return HaltFile(path.name, digest)
        halt = read_halting(decoded.get("halt"), "halt")
        resume = read_halting(decoded["resume"], "resume") if "resume" in decoded else None
    except ValueError:
        return HaltFile(path.name, digest)
    is_named = path.name == f"{halt.digest}.halt"
    return HaltFile(path.name, digest, halt, resume) if is_named else HaltFile(path.name, digest)


def is_own(halt: SignedMessage, genesis: Genesis | None) -> bool:
    """Return whether a halt is of this chain's location and signed by its server.

    False without a genesis.
    """
    try:
        if genesis is None:
            return False
        check_halt(halt, genesis)
    except ValueError:
        return False
    return True


def is_resumed(resume: SignedMessage, halt: SignedMessage, genesis: Genesis | None) -> bool:
    """Return whether two keyholders of this chain signed a resume of exactly this halt.

    False without a genesis.
    """
    try:
        if genesis is None:
            return False
        check_resume(resume, halt, genesis)
    except ValueError:
        return False
    return True
