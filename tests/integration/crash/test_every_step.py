"""A seller dies at every step between "numbers assigned" and "reply sent", and its disk fails or
loses power there: the library of `steps.c` stands between the process and its files.
"""

import asyncio
import sqlite3
from pathlib import Path
from random import Random

import pytest

from keno.store.ledger import STOPPED
from keno.store.opening import LedgerUnsound
from tests.counts import count
from tests.integration.crash.disk import Step, build, power_cut, preload, steps
from tests.integration.crash.killer import SellerLog, heard, selling
from tests.integration.crash.settling import settle
from tests.integration.crash.workload import furnish

CALLERS = "24"
LOG, HEAD, MAIN, VOICE = "ledger.db-wal", "ledger.db.head", "ledger.db", "said.life"

# In the order in which they follow each other: a batch is written to the log, then synced; its
# head is written, then synced; then everybody is told. The main file follows at a checkpoint.
STEPS = (
    (LOG, "w", "before"),
    (LOG, "w", "part"),
    (LOG, "s", "before"),
    (HEAD, "w", "before"),
    (HEAD, "w", "part"),
    (HEAD, "s", "after"),
    (VOICE, "w", "before"),
    (MAIN, "w", "part"),
    (MAIN, "s", "before"),
)
FARTHEST = {(LOG, "w"): 300, (LOG, "s"): 15, (HEAD, "w"): 15, (HEAD, "s"): 15, (VOICE, "w"): 500}
"""How many such steps a seller takes within a fraction of a second."""
PART = {LOG: "2000", HEAD: "40", MAIN: "2000"}
"""Bytes of a torn write that reach the file; 40 end within the head's hash."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("library"))


def stepped(database: Path, library: Path, workload: str, **options: str) -> tuple[SellerLog, int]:
    """Let a seller live until its step; what it said, and how it ended."""
    environment = preload(library, database.parent, **options)
    with selling(database, "life", CALLERS, workload, environment=environment) as seller:
        code = seller.process.wait(timeout=60)
    return heard(seller.said()), code


@pytest.mark.parametrize(("end", "kind", "do"), STEPS)
def test_a_house_that_dies_at_this_step_keeps_its_promises(
    end: str, kind: str, do: str, tmp_path: Path, library: Path
) -> None:
    random = Random(f"{end} {kind} {do}")
    for life in range(count(1, 40)):
        folder = tmp_path / str(life)
        folder.mkdir()
        database = furnish(folder)
        at = str(random.randint(2, FARTHEST.get((end, kind), 3)))
        workload = random.choice(("plain", "mixed"))
        said, code = stepped(
            database, library, workload, end=end, kind=kind, do=do, at=at, part=PART.get(end, "0")
        )
        assert code == -9
        assert asyncio.run(settle(database, said))["killed"] == 1


@pytest.mark.parametrize(("end", "kind"), [(LOG, "s"), (HEAD, "w"), (HEAD, "s")])
def test_a_disk_that_fails_to_keep_a_batch_stops_the_house(
    end: str, kind: str, tmp_path: Path, library: Path
) -> None:
    """After a failed sync nobody knows what the disk holds; going on would be guessing."""
    database = furnish(tmp_path)
    said, code = stepped(database, library, "plain", end=end, kind=kind, do="fail", at="9")
    assert code == 1
    assert said.answers
    assert said.unknown
    assert set(said.faults.values()) == {STOPPED}
    asyncio.run(settle(database, said))


def traced(folder: Path, library: Path) -> tuple[list[Step], bytes]:
    """Everything a seller did to its disk while each caller sold a few tickets, and what it said.

    The files as they were before are in `folder/before`.
    """
    before, life = folder / "before", folder / "life"
    before.mkdir()
    life.mkdir()
    database = furnish(before)
    for file in before.iterdir():
        (life / file.name).write_bytes(file.read_bytes())
    environment = preload(library, life, log=str(folder / "log"))
    words = ("life", CALLERS, "plain", str(count(5, 100)))
    with selling(life / database.name, *words, environment=environment) as seller:
        seller.until_rest()
    return steps(folder / "log"), seller.said()


def survives(before: Path, done: list[Step], after: Path, random: Random, *, honest: bool) -> bool:
    """Cut the power after these steps: does the house keep what it had said until then?"""
    after.mkdir()
    power_cut(before, done, after, random, honest=honest)
    said = heard(b"".join(step.content for step in done if step.name == VOICE))
    try:
        asyncio.run(settle(after / MAIN, said))
    except (LedgerUnsound, AssertionError, sqlite3.DatabaseError):  # refused, broken, unreadable
        return False
    return True


def test_a_power_cut_at_any_step_loses_nothing_that_was_said(tmp_path: Path, library: Path) -> None:
    """SIGKILL leaves what was written; a power cut leaves what was synced, and scraps."""
    done, said = traced(tmp_path, library)
    assert b"".join(step.content for step in done if step.name == VOICE) == said
    random = Random(20261116)
    for cut in range(count(10, 1_000)):
        end = random.randint(1, len(done))
        after = tmp_path / f"after{cut}"
        assert survives(tmp_path / "before", done[:end], after, random, honest=True), end


def test_a_disk_that_lies_about_syncing_is_found_out(tmp_path: Path, library: Path) -> None:
    """The test above can fail: without syncing, promises are lost."""
    done, _ = traced(tmp_path, library)
    random = Random(47)
    lost = [
        cut
        for cut in range(3)
        if not survives(tmp_path / "before", done, tmp_path / f"{cut}", random, honest=False)
    ]
    assert len(lost) == 3
