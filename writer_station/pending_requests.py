"""Requests that may have moved money and are not dealt with yet: on the disk before they are sent.

A killed station reads here what it must ask the server about. A note never holds a password: it is
the request's id, its kind, and what the paper of its answer needs.
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from printer.journal import Journal, Record

COMPACT_RECORDS = 2_000


@dataclass(frozen=True, slots=True)
class Note:
    """One request: its id, what it was, and what else its paper says."""

    request_id: str
    kind: str
    about: dict[str, Any]


@dataclass(eq=False)
class Notes:
    """The open requests of a station; use `open_notes`."""

    journal: Journal
    open: dict[str, Note] = field(default_factory=dict)
    _records: int = 0
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def add(self, note: Note) -> None:
        """Write a request down; it is on the disk when this returns."""
        async with self._writing:
            await self._append({"id": note.request_id, "kind": note.kind, "about": note.about})
            self.open[note.request_id] = note

    async def strike(self, request_id: str) -> None:
        """The request is dealt with, or was never done."""
        async with self._writing:
            if self.open.pop(request_id, None) is not None:
                await self._append({"id": request_id, "done": True})

    async def _append(self, record: Record) -> None:
        writing = asyncio.ensure_future(asyncio.to_thread(self._write, record))
        try:
            await asyncio.shield(writing)
        finally:
            await writing  # a line that was begun is finished even if nobody waits any more

    def _write(self, record: Record) -> None:
        self.journal.append(record)
        self._records += 1

    def take(self, record: Record) -> None:
        """One record of the file, read at the start."""
        self._records += 1
        if record.get("done"):
            self.open.pop(record["id"], None)
        else:
            self.open[record["id"]] = Note(record["id"], record["kind"], record["about"])

    def compact(self) -> None:
        """Write the file anew if most of it is struck out."""
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
    """Open the file, alone, and read what is not struck out."""
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
