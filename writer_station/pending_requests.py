"""The file of a station's pending requests, each on disk before it is sent to the server.

After a restart the station asks the server what became of them. A note has a request's id, its
kind, and what its slip needs; it never has a password.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from printer.journal import Journal, Record

COMPACT_RECORDS = 2_000
"""Maximum records of the file before it is rewritten without the finished ones."""


@dataclass(frozen=True, slots=True)
class Note:
    """A pending request: its id, its kind, and what its slip prints beside the response.

    `about` has the latter, such as the writer and the ticket's number.
    """

    request_id: str
    kind: str
    about: dict[str, Any]


@dataclass(eq=False)
class Notes:
    """The pending requests of a station, in memory and on disk; `open_notes` opens them."""

    journal: Journal
    open: dict[str, Note] = field(default_factory=dict)
    _records: int = 0
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def add(self, note: Note) -> None:
        """Record a pending request; it is on disk when this returns.

        If the disk fails, `OSError`, and the request is not pending.
        """
        async with self._writing:
            await self._append({"id": note.request_id, "kind": note.kind, "about": note.about})
            self.open[note.request_id] = note

    async def strike(self, request_id: str) -> None:
        """Remove a pending request that is finished or was never executed.

        An unknown id is ignored. If the disk fails, `OSError`; the request is then pending again
        after a restart.
        """
        async with self._writing:
            if self.open.pop(request_id, None) is not None:
                await self._append({"id": request_id, "done": True})

    async def _append(self, record: Record) -> None:
        writing = asyncio.ensure_future(asyncio.to_thread(self._write, record))
        try:
            await asyncio.shield(writing)
        finally:
            await writing  # finish the line even if the caller was cancelled

    def _write(self, record: Record) -> None:
        self.journal.append(record)
        self._records += 1

    def take(self, record: Record) -> None:
        """Apply one record of the file in memory; used while the file is read at the start."""
        self._records += 1
        if record.get("done"):
            self.open.pop(record["id"], None)
        else:
            self.open[record["id"]] = Note(record["id"], record["kind"], record["about"])

    def compact(self) -> None:
        """Replace the file by one of the pending requests alone if it has over `COMPACT_RECORDS`.

        `open_notes` calls it at each start. The file is replaced atomically. `OSError` if the disk
        fails.
        """
        if self._records > COMPACT_RECORDS:
            self.journal.replace(
                [
                    {"id": note.request_id, "kind": note.kind, "about": note.about}
                    for note in self.open.values()
                ]
            )
            self._records = len(self.open)

    def close(self) -> None:
        self.journal.close()


def open_notes(path: Path) -> Notes:
    """Open the file of pending requests, lock it against other processes, and return its content.

    `SpoolInUse` if another process has it open, `SpoolDamaged` if it is broken, `OSError` if the
    disk fails.
    """
    journal = Journal(path)
    try:
        notes = Notes(journal)
        for record in journal.read():
            notes.take(record)
        notes.compact()
    except BaseException:
        journal.close()
        raise
    return notes
