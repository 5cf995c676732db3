"""The head of the audit chain, kept outside the database.

SQLite silently drops the damaged tail of its write-ahead log, and a copy of yesterday's database
looks sound by itself. After every durable batch the number and hash of the last audit row are
written to the head file. This happens before any command of the batch is answered, so a killed
process never leaves a head that is behind. A ledger that does not reach its head at start has lost
something.

Data that is written but not synced is lost only if the machine fails. A batch that contains
anything but sales syncs the head at once. Batches of sales sync it at most once a second. A power
failure that also tears the log can hide at most that second's sales from this check. The witness's
record and the patrons' tickets still show them.
"""

import fcntl
import os
import time
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from keno.domain.errors import Fault

SLOT_BYTES = 4096
"""Bytes of a slot, a disk sector. Two slots are written in turn: a torn write spoils only one."""
SYNC_SECONDS = 1


@dataclass(frozen=True, slots=True)
class Head:
    """Number and hash of the last durable audit row."""

    seq: int
    hash: bytes

    def line(self) -> bytes:
        text = f"keno-head/1 {self.seq} {self.hash.hex()}"
        seal = sha256(text.encode()).hexdigest()[:16]
        return f"{text} {seal}\n".encode().ljust(SLOT_BYTES)


def _parse(slot: bytes) -> Head | None:
    words = slot.decode("ascii", "replace").split()
    if len(words) != 4 or words[0] != "keno-head/1":
        return None
    try:
        head = Head(int(words[1]), bytes.fromhex(words[2]))
    except ValueError:
        return None
    return head if head.line() == slot else None


def read_head(path: Path) -> Head | None:
    """Return the newest valid head in a head file, without locking the file.

    None if none is valid.
    """
    kept = path.read_bytes()
    slots = [_parse(kept[at : at + SLOT_BYTES]) for at in (0, SLOT_BYTES)]
    return max((slot for slot in slots if slot), key=lambda head: head.seq, default=None)


class HeadFile:
    """The head file, locked by this process; its fixed size lets it be written on a full disk.

    A second process that opens it gets a Fault.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:  # two writers would continue the chain in two ways
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise Fault(
                f"The ledger of {path} is open in another process. If the house is open, do it "
                "at its console, or stop keno serve first."
            ) from None
        slots = [_parse(os.pread(self._file, SLOT_BYTES, at * SLOT_BYTES)) for at in (0, 1)]
        self.head = max((slot for slot in slots if slot), key=lambda head: head.seq, default=None)
        self._slot = slots.index(self.head)
        self._synced = time.monotonic()
        size = os.fstat(self._file).st_size
        if size < 2 * SLOT_BYTES:
            os.pwrite(self._file, b" " * (2 * SLOT_BYTES - size), size)
            os.fsync(self._file)
            _sync_folder(path.parent)

    def write(self, head: Head, *, sync: bool = True) -> None:
        """Write a newer head over the older of two slots.

        Sync the file if asked or after SYNC_SECONDS.
        """
        self._slot = 1 - self._slot
        os.pwrite(self._file, head.line(), self._slot * SLOT_BYTES)
        self.head = head
        if sync or time.monotonic() - self._synced > SYNC_SECONDS:
            os.fdatasync(self._file)
            self._synced = time.monotonic()

    def close(self) -> None:
        os.close(self._file)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
