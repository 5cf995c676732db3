"""The spool's file: an append-only journal with one checksummed line for each change of a job.

A line is on the disk before the change takes effect. An incomplete last line, left by a crash, is
removed. A broken line anywhere else raises `SpoolDamaged`, and the spool does not open.
"""

import base64
import fcntl
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

COMPACT_BYTES = 64_000_000
KEPT_JOBS = 50_000


class SpoolInUse(Exception):
    """Raised when another process has this spool open."""


class SpoolDamaged(Exception):
    """Raised when a line of the file, other than the last, fails its checksum."""


Record = dict[str, Any]


def pack(data: bytes) -> str:
    """Compress the bytes of a job and encode them as ASCII text."""
    return base64.b85encode(zlib.compress(data, 1)).decode()


def unpack(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


class Journal:
    """The journal file, locked against other processes while it is open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = path.with_name(path.name + ".lock").open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._lock.close()
            raise SpoolInUse(f"{path} is open in another process") from None
        try:
            self._file = path.open("ab", buffering=0)
            _sync_folder(path.parent)
        except OSError:
            self._lock.close()
            raise

    def read(self) -> Iterator[Record]:
        """Yield every record from the first on; cut an incomplete last line off the file."""
        whole = 0
        with self.path.open("rb") as file:
            for line in file:
                record = _read(line)
                if record is None:
                    rest = file.read(1)
                    if rest:
                        raise SpoolDamaged(f"{self.path}: the line at byte {whole} is not ours")
                    break
                whole += len(line)
                yield record
        if whole < self.path.stat().st_size:
            os.truncate(self.path, whole)
            os.fsync(self._file.fileno())

    def append(self, record: Record) -> None:
        """Append a record and sync it to disk; if that fails, restore the old length and raise."""
        fd = self._file.fileno()
        before = os.fstat(fd).st_size
        left = memoryview(_line(record))
        try:
            while left:
                left = left[os.write(fd, left) :]
            os.fsync(fd)
        except OSError:
            os.ftruncate(fd, before)
            raise

    @property
    def large(self) -> bool:
        return self.path.stat().st_size > COMPACT_BYTES

    def replace(self, records: list[Record]) -> None:
        """Replace the file atomically by one with these records only."""
        fresh = self.path.with_name(self.path.name + ".new")
        with fresh.open("wb") as file:
            for record in records:
                file.write(_line(record))
            file.flush()
            os.fsync(file.fileno())
        fresh.rename(self.path)
        _sync_folder(self.path.parent)
        self._file.close()
        self._file = self.path.open("ab", buffering=0)

    def close(self) -> None:
        self._file.close()
        self._lock.close()


def _line(record: Record) -> bytes:
    body = json.dumps(record, ensure_ascii=True, separators=(",", ":")).encode()
    return b"%08x %s\n" % (zlib.crc32(body), body)


def _read(line: bytes) -> Record | None:
    sealed, _, body = line.rstrip(b"\n").partition(b" ")
    if not line.endswith(b"\n") or sealed != b"%08x" % zlib.crc32(body):
        return None
    record: Record = json.loads(body)
    return record


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
