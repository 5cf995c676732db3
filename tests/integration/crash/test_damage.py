"""A ledger that is not the one that was acknowledged is noticed at start, and left as it was found.

SQLite drops a damaged end of its log without a word, and an old copy looks sound by itself: the
head file outside the database is what tells.
"""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from keno.store.head import SLOT_BYTES, Head, HeadFile
from keno.store.opening import LedgerUnsound
from tests.counts import count
from tests.houses import Clock
from tests.integration.crash.killer import SellerLog, heard, selling
from tests.integration.crash.settling import acknowledged, last_row, outcomes, settle
from tests.integration.crash.workload import SellerRequest, ask, booths, furnish, opened

FRAME_BYTES = 24 + 4096
CALLERS = 8
SALES = 3


class Wreck:
    """The files of a house that was killed at rest: everything in its log was acknowledged."""

    def __init__(self, folder: Path, said: SellerLog) -> None:
        self.folder = folder
        self.said = said
        self.database = folder / "ledger.db"
        self.log = folder / "ledger.db-wal"
        self.head = folder / "ledger.db.head"

    def copied(self, to: Path) -> "Wreck":
        shutil.copytree(self.folder, to)
        return Wreck(to, self.said)

    def contents(self) -> dict[str, bytes]:
        """What must not change when the ledger is refused."""
        return {each.name: each.read_bytes() for each in (self.database, self.log) if each.exists()}

    def start(self) -> None:
        async def once() -> None:
            async with opened(self.database, Clock()):
                return

        asyncio.run(once())

    def sell(self, writer: str, tickets: int) -> None:
        """Open it and sell so many more."""

        async def more() -> None:
            async with opened(self.database, Clock()) as house:
                [booth] = [each for each in await booths(house) if each.writer == writer]
                for number in range(tickets):
                    await ask(house, SellerRequest(f"more.{number}", "sell", booth, game=1))

        asyncio.run(more())

    async def halted(self) -> str:
        """It opens, and the house is halted; what was found."""
        async with opened(self.database, Clock()) as house:
            (halt,) = house.halts.in_force.values()
            assert (halt.scope, halt.fault) == ("house", "chain")
            return halt.found

    def is_refused(self) -> str:
        """Starting is refused, twice, and nothing is cleared away; why."""
        before = self.contents()
        with pytest.raises(LedgerUnsound):
            self.start()
        assert self.contents() == before
        with pytest.raises(LedgerUnsound) as refused:
            self.start()
        return str(refused.value)


def flip(file: Path, at: int) -> None:
    content = bytearray(file.read_bytes())
    content[at] ^= 0x10
    file.write_bytes(content)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Wreck:
    folder = tmp_path_factory.mktemp("killed")
    database = furnish(folder)
    with selling(database, "life", str(CALLERS), "plain", str(SALES)) as seller:
        seller.until_rest()
    said = heard(seller.said())
    assert len(said.answers) == CALLERS * SALES
    return Wreck(folder, said)


@pytest.fixture
def wreck(killed: Wreck, tmp_path: Path) -> Wreck:
    return killed.copied(tmp_path / "wreck")


def test_a_wreck_without_damage_opens_with_everything(wreck: Wreck) -> None:
    assert wreck.log.stat().st_size > 3 * FRAME_BYTES
    assert acknowledged(wreck.database) == last_row(wreck.database)
    asyncio.run(settle(wreck.database, wreck.said))


# The log.


@pytest.mark.parametrize("from_end", [1, 300, 4096, FRAME_BYTES - 20, FRAME_BYTES, 9_000])
def test_a_damaged_end_of_the_log_is_refused(from_end: int, wreck: Wreck) -> None:
    flip(wreck.log, -from_end)
    assert "behind its head" in wreck.is_refused()


def test_any_flipped_byte_of_the_log_is_refused(killed: Wreck, tmp_path: Path) -> None:
    random = Random(7)
    for case in range(count(5, 500)):
        wreck = killed.copied(tmp_path / str(case))
        flip(wreck.log, random.randrange(wreck.log.stat().st_size))
        wreck.is_refused()


@pytest.mark.parametrize(
    "cut",
    [lambda size: size - 1, lambda size: size - FRAME_BYTES, lambda size: size // 2, lambda _: 0],
)
def test_a_truncated_log_is_refused(cut: Callable[[int], int], wreck: Wreck) -> None:
    content = wreck.log.read_bytes()
    wreck.log.write_bytes(content[: cut(len(content))])
    assert "behind its head" in wreck.is_refused()


def test_a_lost_log_is_refused(wreck: Wreck) -> None:
    wreck.log.unlink()
    with pytest.raises(LedgerUnsound):
        wreck.start()


def test_the_right_log_put_back_opens_the_house_again(wreck: Wreck) -> None:
    whole = wreck.log.read_bytes()
    flip(wreck.log, -100)
    wreck.is_refused()
    wreck.log.write_bytes(whole)
    asyncio.run(settle(wreck.database, wreck.said))


# The database.


def test_a_rolled_back_copy_is_refused(wreck: Wreck, tmp_path: Path) -> None:
    """Yesterday's database and log, today's head."""
    old = wreck.copied(tmp_path / "old")
    wreck.sell("W1", 5)
    old.head.write_bytes(wreck.head.read_bytes())
    assert "behind its head" in old.is_refused()


def test_a_copy_that_went_on_by_itself_is_refused(wreck: Wreck, tmp_path: Path) -> None:
    """As long as the real one, or longer, with other rows."""
    other = wreck.copied(tmp_path / "other")
    wreck.sell("W1", 5)
    other.sell("W2", 6)
    other.head.write_bytes(wreck.head.read_bytes())
    assert "not the one that was acknowledged" in other.is_refused()


def test_a_lost_database_is_refused(wreck: Wreck) -> None:
    wreck.database.unlink()
    wreck.log.unlink()
    with pytest.raises(LedgerUnsound):
        wreck.start()


def test_a_database_that_is_none_is_refused(wreck: Wreck) -> None:
    wreck.database.write_bytes(b"not a database, not even nearly" * 1_000)
    assert "cannot be read" in wreck.is_refused()
    wreck.log.unlink()
    assert "cannot be read" in wreck.is_refused()


def test_15_7_a_changed_row_behind_the_head_halts_the_house(wreck: Wreck) -> None:
    """Rows that were committed after the last head are checked against the chain."""
    head = wreck.head.read_bytes()
    wreck.sell("W1", 5)
    wreck.head.write_bytes(head)
    with closing(sqlite3.connect(wreck.database)) as connection:
        connection.execute("DROP TRIGGER audit_is_append_only")
        last = "seq = (SELECT max(seq) FROM audit)"
        connection.execute(f"UPDATE audit SET actor = 'M1' WHERE {last}")  # noqa: S608
        connection.commit()
    assert "breaks at row" in asyncio.run(wreck.halted())


# The head file.


def test_a_lost_head_is_refused(wreck: Wreck) -> None:
    wreck.head.unlink()
    assert "missing or damaged" in wreck.is_refused()


@pytest.mark.parametrize("content", [b"", b" " * 2 * SLOT_BYTES, bytes(2 * SLOT_BYTES)])
def test_an_empty_head_is_refused(content: bytes, wreck: Wreck) -> None:
    wreck.head.write_bytes(content)
    assert "missing or damaged" in wreck.is_refused()


@pytest.mark.parametrize("slot", [0, 1])
@pytest.mark.parametrize("at", [3, 14, 40, 95])
def test_one_torn_slot_of_the_head_is_survived(slot: int, at: int, wreck: Wreck) -> None:
    flip(wreck.head, slot * SLOT_BYTES + at)
    asyncio.run(settle(wreck.database, wreck.said))
    assert acknowledged(wreck.database) == last_row(wreck.database)
    assert set(outcomes(wreck.database)) >= set(wreck.said.answers)


@pytest.mark.parametrize("torn", [30, 60, 100])
def test_a_slot_that_is_half_old_and_half_new_is_survived(torn: int, wreck: Wreck) -> None:
    """The older slot begins like the newer one: what a torn write leaves."""
    slots = [wreck.head.read_bytes()[:SLOT_BYTES], wreck.head.read_bytes()[SLOT_BYTES:]]
    slots.sort(key=lambda slot: int(slot.split()[1]))
    old, new = slots
    wreck.head.write_bytes(old + new[:torn] + old[torn:])
    asyncio.run(settle(wreck.database, wreck.said))


@pytest.mark.parametrize("step", [1, 2, 3])
def test_the_slots_hold_the_last_two_heads_however_far_apart_they_are(
    step: int, tmp_path: Path
) -> None:
    """Batches of even size must not write one slot for ever and leave the other to grow old."""
    file = HeadFile(tmp_path / "head")
    for seq in range(step, 10 * step, step):
        file.write(Head(seq, sha256(bytes(seq)).digest()))
        file.close()
        file = HeadFile(tmp_path / "head")
    file.close()
    assert file.head == Head(9 * step, sha256(bytes(9 * step)).digest())
    slots = file.path.read_bytes().split(b"keno-head/1 ")[1:]
    assert sorted(int(slot.split()[0]) for slot in slots) == [8 * step, 9 * step]


def test_two_torn_slots_are_refused(wreck: Wreck) -> None:
    flip(wreck.head, 40)
    flip(wreck.head, SLOT_BYTES + 40)
    assert "missing or damaged" in wreck.is_refused()
