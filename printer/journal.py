"""An append-only file of JSON records, one checksummed line each, that survives a crash.

The spool records each change of a job in it, and the station its pending requests. A line is on
disk before the change takes effect. An incomplete last line, left by a crash, is removed. A broken
line anywhere else raises `SpoolDamaged` while the file is read.
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
    """Raised when another process has the journal file open."""


class SpoolDamaged(Exception):
    """Raised when a line of a journal file, other than the last, fails its checksum."""


Record = dict[str, Any]


def pack(data: bytes) -> str:
    """Compress the bytes of a print job and return them as ASCII text for a record."""
    return base64.b85encode(zlib.compress(data, 1)).decode()


def unpack(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))


class Journal:
    """An open journal file, locked against other processes until it is closed.

    Opening it raises `SpoolInUse` if another process has the lock.
    """

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
        """Yield every record from the first on; remove an incomplete last line from the file.

        A broken line before that raises `SpoolDamaged`.
        """
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
        """Append a record and sync it to disk.

        If that fails, the file gets its old length back and the OSError is raised.
        """
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
        """Replace the file atomically by one with only these records, to make it smaller."""
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
