"""Keeps a recorded house: its ledger as one file, its files as one archive, and what is known."""

import json
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

COMMIT = "1455387"
LEFT_OUT = (".log", ".socket", ".png", "lock", "-shm", "-wal")


def one_file(ledger: Path) -> None:
    """Bring the log of a ledger into its file."""
    with closing(sqlite3.connect(ledger)) as last:
        last.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def pack(folder: Path, to: Path) -> None:
    """All files of a house in one archive, the same bytes for the same files."""

    def plain(entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
        entry.uid = entry.gid = entry.mtime = 0
        entry.uname = entry.gname = ""
        return None if entry.name.endswith(LEFT_OUT) else entry

    to.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(to, "w:xz") as archive:
        for each in sorted(folder.iterdir()):
            archive.add(each, each.name, filter=plain)


def write_facts(to: Path, facts: dict[str, Any]) -> None:
    to.write_text(json.dumps({"commit": COMMIT} | facts, indent=1) + "\n", encoding="utf-8")


def keep(folder: Path, to: Path, facts: dict[str, Any]) -> None:
    """Pack the house of a ledger, and write what is known of it with its last moment."""
    one_file(folder / "ledger.db")
    with closing(sqlite3.connect(folder / "ledger.db")) as ledger:
        (last_ms,) = ledger.execute("SELECT max(ms) FROM audit").fetchone()
    one_file(folder / "ledger.db")
    pack(folder, to / "house.tar.xz")
    write_facts(to / "facts.json", {"last_ms": last_ms} | facts)
