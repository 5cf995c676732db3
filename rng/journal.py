"""The journal of R or W: an append-only file whose entries are on the disk before an answer.

Each line has a hash over everything before it, so a changed, lost or inserted line raises
`Corrupt`. Only an unfinished last line is cut: the power failed while it was written, so it was
never answered.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rng.canonical import LINE_BYTES_MAX, NotCanonical, decode_line, encode, encode_line
from rng.shape import Malformed, exactly, hexadecimal, mapping, text

Entry = Mapping[str, Any]
Take = Callable[[int, Entry], None]
"""A function called with the offset of an entry in the file, in bytes, and the entry."""

_line = exactly({"check": hexadecimal(32), "entry": mapping(text(), lambda *_: None)})
_FIRST_CHECK = bytes(32)


class Corrupt(Exception):
    """Raised if the journal file has not the content that was written to it."""


class NotDurable(Exception):
    """Raised if the disk did not store an entry. The process must end and answer nothing more."""


class InUse(Exception):
    """Raised if another process has the journal open for appending."""


class PartyJournal:
    """The journal file of R or W, open for appending by this process alone, or for reading only."""

    def __init__(self, path: Path, take: Take, *, reading_only: bool = False) -> None:
        """Pass each entry of the file to `take`, in order, and open the file for appending.

        With `reading_only` another process may be appending, and nothing is cut. Raise `Corrupt`,
        `InUse`, or OSError if the file cannot be opened or read. What `take` raises is passed on.
        """
        self._path = path
        self._broken = reading_only
        new = not path.exists() and not reading_only
        flags = os.O_RDONLY if reading_only else os.O_RDWR | os.O_CREAT | os.O_APPEND
        self._file = os.open(path, flags, 0o600)
        try:
            if not reading_only:
                _lock(self._file, path)
            if new:
                _sync_folder(path.parent)
            self._size = 0
            self._check = _FIRST_CHECK
            cut = _leave if reading_only else self._cut
            for offset, line, entry, check in _entries(path, cut):
                self._size = offset + len(line)
                self._check = check
                take(offset, entry)
            # The last line may have been written and never been forced to the disk.
            os.fsync(self._file)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, entry: Entry) -> int:
        """Write an entry durably and return its offset in the file, in bytes.

        Raise `NotDurable` if that fails. Every later call then raises it too, as does every call on
        a journal that is only read.
        """
        if self._broken:
            raise NotDurable("the disk has failed before, or the file is only read")
        check = _next_check(self._check, entry)
        line = encode_line({"check": check.hex(), "entry": dict(entry)})
        offset = self._size
        self._broken = True  # until all of it is known to be on the disk
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError as error:
            raise NotDurable(f"the disk did not take an entry: {error}") from error
        self._broken = False
        self._size += len(line)
        self._check = check
        return offset

    def read(self, offset: int) -> Entry:
        """Return the entry at an offset that `append` returned, without checking its hash again."""
        line = os.pread(self._file, LINE_BYTES_MAX, offset)
        return _read(line[: line.index(b"\n") + 1])[0]

    def entries(self) -> Iterator[Entry]:
        """Yield all entries in the file so far, from the first; raise `Corrupt` at a wrong one."""
        return read_entries(self._path)

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _cut(self, size: int) -> None:
        os.ftruncate(self._file, size)
        os.fsync(self._file)


def read_entries(path: Path) -> Iterator[Entry]:
    """Yield the entries of a journal file, which another process may be writing.

    Raise `Corrupt` at a wrong one.
    """
    for _, _, entry, _ in _entries(path, _leave):
        yield entry


def _leave(_size: int) -> None:
    """Ignore an unfinished last line, because another process may be writing it."""


def _entries(path: Path, cut: Callable[[int], None]) -> Iterator[tuple[int, bytes, Entry, bytes]]:
    offset = 0
    check = _FIRST_CHECK
    with path.open("rb") as file:
        while line := file.readline(LINE_BYTES_MAX + 1):
            if not line.endswith(b"\n") and len(line) <= LINE_BYTES_MAX:
                cut(offset)  # readline stops early only at the end of the file
                return
            try:
                entry, stated = _read(line)
            except (NotCanonical, Malformed) as error:
                raise Corrupt(f"{path} at byte {offset}: {error}") from None
            check = _next_check(check, entry)
            if stated != check:
                raise Corrupt(f"{path} at byte {offset}: the entry is not what was written here")
            yield offset, line, entry, check
            offset += len(line)


def _read(line: bytes) -> tuple[Entry, bytes]:
    decoded: Any = decode_line(line)
    _line(decoded, "line")
    return decoded["entry"], bytes.fromhex(decoded["check"])


def _next_check(check: bytes, entry: Entry) -> bytes:
    return sha256(check + encode(dict(entry))).digest()


def _lock(file: int, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise InUse(f"{path} is in use by another process") from None


def _sync_folder(folder: Path) -> None:
    file = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)
