"""SIGKILL of R, W, S or any two at every step: the same numbers come out, once, and verify.

S is a real process over its ledger; every fourth game is voided by two people. A moment is seen
from outside: a journal grows, a message reaches the ledger, S says something. Whoever was killed
is started again, R by two people.
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from random import Random

import msgspec
import pytest

from keno.draw import proofs
from keno.store.read_only import open_read_only
from rng.journal import read_entries
from rng.records import read_message
from rng.verify import verify_files
from rng.witnessing import JOURNAL as W_JOURNAL
from rng.worker import JOURNAL as R_JOURNAL
from tests.counts import count
from tests.integration.commands import keno
from tests.integration.draw.three import Reached, Three

VICTIMS = ("S", "W", "r", "R", "rS", "WS", "rW", "RS", "RW")
"""r: R's worker; R: its parent too, so that two people must come; W: the witness; S: the server."""
Moment = Callable[[Three], Reached]
MOMENTS: tuple[Moment, ...] = (
    lambda three: three.grows("R", 1),
    lambda three: three.grows("R", 2),
    lambda three: three.grows("W", 1),
    lambda three: three.grows("W", 2),
    lambda three: three.grows("W", 3),
    lambda three: three.stores("commit_r"),
    lambda three: three.stores("commit_w"),
    lambda three: three.stores("close"),
    lambda three: three.stores("countersign"),
    lambda three: three.stores("result"),
    lambda three: three.stores("attest"),
    lambda three: three.says("locked"),
    lambda three: three.says("shown"),
    lambda three: three.stores("void"),
    lambda three: three.stores("reveal_r"),
    lambda three: three.says("voided"),
)
KILLS = count(len(MOMENTS), 20 * len(MOMENTS) * len(VICTIMS))
"""Moments and victims are coprime in number, so that in time every pair is met."""


@pytest.fixture
async def three(tmp_path: Path) -> AsyncIterator[Three]:
    made = Three(tmp_path)
    await made.furnish()
    made.start()
    yield made
    made.end()


def test_whoever_is_killed_the_same_numbers_come_once(three: Three) -> None:
    chance = Random(4)
    for kill in range(KILLS):
        three.until(MOMENTS[kill % len(MOMENTS)](three))
        wait(chance)
        victims = VICTIMS[kill % len(VICTIMS)]
        three.kill(victims)
        if "S" in victims:
            check_chain(three)
        three.revive()
        three.until(three.says("shown"))
    three.kill("S")
    print(
        f"{KILLS} kills, {len(three.said('shown'))} draws said, {len(three.said('voided'))} voids,"
        f" {len(three.said('fault'))} faults"
    )
    check_numbers(three)
    check_voids(three)
    check_promises(three)
    check_verified(three)


def wait(chance: Random) -> None:
    """Pass less time than a step takes, so that kills fall inside steps as well."""
    for _ in range(chance.choice((0, 0, 1_000, 10_000, 40_000))):
        pass


def check_numbers(three: Three) -> None:
    """Every game that was shown has one result, the same in all three records."""
    shown: dict[int, str] = {}
    for told, numbers in three.said("shown"):
        assert shown.setdefault(int(told), numbers) == numbers
    connection = open_read_only(three.database)
    rows = connection.execute("SELECT game, numbers FROM games WHERE numbers IS NOT NULL")
    recorded: dict[int, str] = dict(rows.fetchall())
    connection.close()
    assert shown.items() <= recorded.items()
    of_r = [e for e in read_entries(three.others.folder_r / R_JOURNAL) if e["kind"] == "draw"]
    of_w = [e for e in read_entries(three.others.folder_w / W_JOURNAL) if e["kind"] == "attest"]
    for entries in (of_r, of_w):
        times = Counter(entry["game"] for entry in entries)
        assert set(times.values()) == {1}
        numbers_of = {e["game"]: e["result"]["body"]["numbers"] for e in entries}
        for game, text in recorded.items():
            assert msgspec.json.decode(text) == list(numbers_of[game])


def check_voids(three: Three) -> None:
    """A game that was said to be void is so in all three records, by one order, for ever."""
    voided: dict[int, str] = {}
    for told, digest in three.said("voided"):
        assert voided.setdefault(int(told), digest) == digest
    connection = open_read_only(three.database)
    rows = connection.execute("SELECT game, numbers FROM games WHERE state = 'void'").fetchall()
    connection.close()
    assert voided.items() <= {game: voided.get(game) for game, _ in rows}.items()
    assert {numbers for _, numbers in rows} == {None}
    assert not voided.keys() & {int(told) for told, _ in three.said("shown")}
    for path in (three.others.folder_r / R_JOURNAL, three.others.folder_w / W_JOURNAL):
        entries = [entry for entry in read_entries(path) if entry["kind"] == "void"]
        orders = {e["game"]: read_message(e["void"], "void").digest for e in entries}
        assert len(orders) == len(entries)
        # R may have been away when S told it, and is told before it promises the next but one.
        last = max(voided)
        assert {game for game in voided if game != last} <= orders.keys()
        assert all(voided.get(game, digest) == digest for game, digest in orders.items())


def check_promises(three: Three) -> None:
    """No ticket, commitment or close that was told has been lost or made anew."""
    connection = open_read_only(three.database)
    sold = connection.execute("SELECT number, code, first_game FROM tickets").fetchall()
    promised = dict(connection.execute("SELECT game, commitment FROM games").fetchall())
    connection.close()
    kept = {(str(number), code, promised[first]) for number, code, first in sold}
    assert {(number, code, commit) for number, code, commit in three.said("sold")} <= kept
    for game, commitment in three.said("promised"):
        assert promised.get(int(game), commitment) == commitment
    closes: dict[str, set[str]] = {}
    for closed, digest in three.said("closed"):
        closes.setdefault(closed, set()).add(digest)
    assert {len(digests) for digests in closes.values()} == {1}


def check_chain(three: Three) -> None:
    """Wherever S was killed, the chain in its ledger verifies as far as it goes."""
    out = three.folder / "chain so far"
    proofs.write(three.database, "main", proofs.chain(), out)
    verify_files([out])


def check_verified(three: Three) -> None:
    """The chain verifies, and the audit finds every draw proven."""
    out = three.folder / "chain"
    said = keno("proof", "--db", three.database, "--location", "main", "--out", out)
    assert said.code == 0, said.err
    verified = keno("verify", out)
    assert verified.code == 0, verified.out
    audited = keno("audit", "--db", three.database, "--json").decoded
    assert audited["sound"], audited["first_discrepancy"]
    assert audited["proofs_verified"]
