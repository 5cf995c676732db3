"""SIGKILL of the server, of R and of W at each state of a game that can be seen from outside."""

import asyncio
import socket
from itertools import islice
from pathlib import Path

import msgspec
import pytest

from keno.demo.processes import Home, prepare, running
from keno.serve import LEDGER
from keno.store.read_only import open_read_only
from rng.journal import read_entries
from rng.witnessing import JOURNAL
from tests.counts import count
from tests.integration.commands import keno
from tests.integration.conductor.kills import SITE, STATES, Killed, killed_house

FIRST = (
    ("server", "locked"),
    ("generator", "closing"),
    ("witness", "locked"),
    ("server", "a ball"),
)
"""What is tried at every change; a soak tries every pair, several times over."""
ALL = [(who, state) for state in STATES for who in ("server", "generator", "witness")]


def kills() -> list[tuple[str, str]]:
    return list(islice([*FIRST, *ALL * 5], count(len(FIRST), len(FIRST) + 5 * len(ALL))))


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed") / "draw"
    asyncio.run(prepare(folder, SITE, {"main": 1}))
    return folder


async def test_whoever_is_killed_whenever(made: Path, tmp_path: Path) -> None:
    async with running(made) as parties, killed_house(tmp_path, parties, free_port()) as house:
        for who, state in kills():
            await house.seen(state)
            before = max(house.shown, default=0)
            await house.kill(who)
            await house.shown_after(before)
        assert await house.stop() == 0
    check_tickets(house)
    check_draws(house)
    said = await asyncio.to_thread(keno, "audit", "--db", tmp_path / LEDGER, "--json")
    assert said.decoded["sound"], said.decoded["first_discrepancy"]
    assert said.decoded["proofs_verified"]


def check_tickets(house: Killed) -> None:
    """Every ticket that was acknowledged is there, once, as it was."""
    connection = open_read_only(house.folder / LEDGER)
    rows = connection.execute("SELECT number, code, first_game FROM tickets").fetchall()
    connection.close()
    acknowledged = [(each.ticket, each.code, each.first_game) for each in house.sold]
    assert len(acknowledged) > 20
    assert len(set(acknowledged)) == len(acknowledged)
    assert set(acknowledged) <= set(rows)


def check_draws(house: Killed) -> None:
    """One draw for each game: in W's record, in the ledger, and on the board."""
    home: Home = house.parties.home
    entries = [e for e in read_entries(home.witness / JOURNAL) if e["kind"] == "attest"]
    attested = {e["game"]: list(e["result"]["body"]["numbers"]) for e in entries}
    assert len(attested) == len(entries)
    connection = open_read_only(house.folder / LEDGER)
    rows = connection.execute("SELECT game, numbers FROM games WHERE numbers IS NOT NULL")
    recorded = {game: msgspec.json.decode(numbers) for game, numbers in rows}
    connection.close()
    assert recorded.items() <= attested.items()
    assert house.shown.items() <= recorded.items()
    assert list(recorded) == list(range(1, len(recorded) + 1))
    for (game, index), number in house.balls.items():
        assert attested[game][index] == number
