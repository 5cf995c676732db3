"""Houses for these tests: furnished once for each card and clock, then copied.

Every command is a durable commit. What the commands do is tested here; that they are durable is
tested by killing processes. So the files lie in memory where the system has room for them there.
"""

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.cards import CARD
from tests.houses import START_MS, Clock, Floor, new_floor, reopened

_MEMORY = Path("/dev/shm")  # noqa: S108 only private folders are made there
ROOM = _MEMORY if _MEMORY.is_dir() else None
_FURNISHED: dict[tuple[str, str, int], tuple[bytes, bytes]] = {}
"""By card, mode and time: the database and the head of a house with people, stations and a game."""


@asynccontextmanager
async def furnished_floor(
    card_toml: str = CARD, *, mode: str = "test", start_ms: int = START_MS
) -> AsyncIterator[Floor]:
    """A house as `new_floor` makes it; its ledger must outlive its test."""
    key = card_toml, mode, start_ms
    with tempfile.TemporaryDirectory(dir=ROOM) as folder:
        if key not in _FURNISHED:
            async with new_floor(
                Path(folder), mode=mode, card_toml=card_toml, clock=Clock(start_ms)
            ):
                pass
            _FURNISHED[key] = _files(folder)
        async with reopened(_copied(_FURNISHED[key], folder), Clock(start_ms)) as floor:
            yield floor
            assert not floor.ledger.died.done(), "the ledger's writer died"


def _files(folder: str) -> tuple[bytes, bytes]:
    return Path(folder, "ledger.db").read_bytes(), Path(folder, "ledger.db.head").read_bytes()


def _copied(files: tuple[bytes, bytes], folder: str) -> Path:
    database = Path(folder, "ledger.db")
    database.write_bytes(files[0])
    Path(folder, "ledger.db.head").write_bytes(files[1])
    return database
