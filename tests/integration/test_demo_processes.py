"""R and W of a demonstration house: made, started, killed and started again as real processes."""

import asyncio
import os
import shutil
import signal
import stat
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from keno import protocol
from keno.demo import processes as parties_module
from keno.demo.key_ceremony import NotRunning
from keno.demo.processes import PASSPHRASES, SOCKET_PATH_BYTES_MAX, Home, Parties, prepare, running
from keno.domain.errors import Fault
from keno.domain.roles import SYSTEM
from keno.draw.chain_file import chain_lines
from keno.draw.coordinator import DrawCoordinator, verifier
from keno.draw.key_files import load_genesis, load_signer
from keno.service import cards, games, people
from keno.service.common import StaffContext, require_game
from keno.service.signed_numbers import drawn_numbers
from rng.verify import verify
from tests.cards import CARD
from tests.drawing import WallClock
from tests.houses import ADM, Floor, new_floor, reopened

SITE = "example-casino"
LOCATIONS = {"main": 1, "lounge": 7}
PATIENCE_S = 60


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Keys and chains for two locations, made once."""
    folder = tmp_path_factory.mktemp("made") / "parties"
    asyncio.run(prepare(folder, SITE, LOCATIONS))
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of them that a test may use up."""
    return shutil.copytree(made, tmp_path / "parties")


# ---------------------------------------------------------------- a house with two locations


@asynccontextmanager
async def two_locations(path: Path, parties: Parties) -> AsyncIterator[Floor]:
    """A new house whose first games R and W have promised."""
    async with new_floor(path, clock=WallClock(), site=SITE, first_game=False) as floor:
        house = floor.house
        lounge = protocol.AddLocation(floor.id(), "lounge", "B", "Lounge", "UTC")
        await people.add_location(house, ADM, lounge)
        by = StaffContext("M1", "S1")
        card = protocol.PostCard(floor.id(), "lounge", CARD, 7)
        await cards.post_card(house, by, card, 0)
        for location, first_game in LOCATIONS.items():
            side = await begun(floor, parties, location)
            commitment = await side.commit(first_game)
            command = games.OpenFirst(floor.id(), location, first_game, commitment, SYSTEM)
            await games.open_first(house, command)
        yield floor


async def begun(floor: Floor, parties: Parties, location: str) -> DrawCoordinator:
    side = parties.side(floor.ledger, location)
    await side.begin()
    return side


async def lock(floor: Floor, side: DrawCoordinator) -> int:
    """Promise the next game, then lock the open one."""
    game = (await floor.open_game(side.location)).game
    commitment = await side.commit(game + 1)
    command = games.LockOut(floor.id(), side.location, game, commitment, SYSTEM)
    await games.lock_out(floor.house, command)
    await games.close_book(floor.house, side.location, game)
    return game


async def finish(floor: Floor, side: DrawCoordinator, game: int) -> list[int]:
    """Draw a locked game and settle it."""
    house, location = floor.house, side.location
    proof = await side.draw(game)
    await games.record_draw(house, location, game, proof, verifier(side.genesis))
    await games.show(house, location, game)
    await games.settle(house, location, game)
    row = await floor.ledger.read(lambda reads: require_game(reads, location, game))
    return drawn_numbers(row)


async def play(floor: Floor, side: DrawCoordinator) -> list[int]:
    return await finish(floor, side, await lock(floor, side))


async def played_and_verified(floor: Floor, location: str) -> tuple[int, int]:
    """The games of a location that are proven, and the boots that R has had."""
    lines = await floor.ledger.read(lambda reads: list(chain_lines(reads, location)))
    report = verify(lines)
    return report.games, report.boot


def contents(folder: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def is_gone(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def worker_of(pid: int) -> int:
    """The process that R's parent has started."""
    (child,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(child)


async def gone(*pids: int) -> None:
    """Wait until processes that are not our own have ended."""
    until = time.monotonic() + PATIENCE_S
    while not all(map(is_gone, pids)):
        assert time.monotonic() < until
        await asyncio.sleep(0.02)


# ---------------------------------------------------------------- keys


def test_every_party_has_a_folder_and_a_key_of_its_own(made: Path) -> None:
    home = Home(made)
    holders = [home.key_file(part) for part in PASSPHRASES]
    keys = [home.generator / "generator.sealed", home.witness / "witness.key", home.server_key]
    assert len({file.parent for file in (*keys, *holders)}) == 5
    for file in (*keys, *holders):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    assert home.locations == sorted(LOCATIONS)
    for location, first_game in LOCATIONS.items():
        genesis = load_genesis(home.genesis_file(location))
        place = (genesis.mode, genesis.site, genesis.location, genesis.first_game)
        assert place == ("test", SITE, location, first_game)
        assert genesis.key("S") == load_signer(home.server_key).key


async def test_what_is_prepared_stays_as_it_is(folder: Path) -> None:
    before = contents(folder)
    said: list[str] = []
    await prepare(folder, SITE, LOCATIONS, said.append)
    for site, locations in ((SITE, {"main": 1}), ("another", LOCATIONS), (SITE, {"main": 2})):
        with pytest.raises(NotRunning, match="take another folder"):
            await prepare(folder, site, locations)
    assert said == []
    assert contents(folder) == before


async def test_what_cannot_be_prepared_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(NotRunning, match=r"keno-rng genesis failed: .* plain printable"):
        await prepare(tmp_path / "parties", "\N{SNOWMAN}", {"main": 1})
    assert contents(tmp_path) == {}
    with pytest.raises(NotRunning, match="has no keys yet"):
        async with running(tmp_path / "parties"):
            pass


def test_a_file_that_is_not_what_it_should_be_is_named(made: Path, tmp_path: Path) -> None:
    home = Home(made)
    damaged = tmp_path / "damaged"
    damaged.write_bytes(home.server_key.read_bytes()[:-9] + b"\n")
    for path in (
        damaged,
        tmp_path / "none",
        home.witness / "witness.key",
        home.key_file("inspector"),
    ):
        with pytest.raises(Fault, match=str(path)):
            load_signer(path)
    damaged.write_bytes(home.genesis_file("main").read_bytes().replace(b"main", b"mine"))
    for path in (damaged, tmp_path / "none", home.server_key):
        with pytest.raises(Fault, match=str(path)):
            load_genesis(path)


# ---------------------------------------------------------------- running


async def test_both_are_processes_of_their_own_and_end_with_the_block(folder: Path) -> None:
    said: list[str] = []
    async with running(folder, said.append) as parties:
        pids = [parties.generator_pid, parties.witness_pid]
        assert len({*pids, os.getpid()}) == 3
        assert not any(map(is_gone, pids))
        text = " ".join(said)
        assert all(str(pid) in text for pid in pids)
        assert said[-1] == "The generator is open."
        with pytest.raises(NotRunning, match="in use by another process"):
            async with running(folder):
                pass
    assert all(map(is_gone, pids))


async def test_a_killed_party_comes_back_and_the_same_game_goes_on(
    folder: Path, tmp_path: Path
) -> None:
    async with running(folder) as parties, two_locations(tmp_path, parties) as floor:
        main, lounge = [await begun(floor, parties, each) for each in LOCATIONS]
        for side in (main, lounge):
            assert len(set(await play(floor, side))) == 20

        game = await lock(floor, main)
        close = await main.close(game)
        before = parties.generator_pid
        worker = worker_of(before)
        os.kill(before, signal.SIGKILL)
        await gone(before, worker)
        with pytest.raises(Fault):
            await main.draw(game)
        await parties.restart_generator()
        assert parties.generator_pid != before
        assert len(set(await finish(floor, main, game))) == 20
        assert (await main.close(game)).digest == close.digest

        game = await lock(floor, lounge)
        os.kill(parties.witness_pid, signal.SIGKILL)
        await parties.restart_witness()
        assert len(set(await finish(floor, lounge, game))) == 20
        await play(floor, main)
        assert await played_and_verified(floor, "main") == (3, 2)
        assert await played_and_verified(floor, "lounge") == (2, 2)


async def test_a_second_start_continues(folder: Path, tmp_path: Path) -> None:
    async with running(folder) as parties, two_locations(tmp_path, parties) as floor:
        await play(floor, await begun(floor, parties, "main"))
        pids = {parties.generator_pid, parties.witness_pid}
    async with running(folder) as parties, reopened(floor.path, WallClock()) as floor:
        assert pids.isdisjoint({parties.generator_pid, parties.witness_pid})
        for location in LOCATIONS:
            await play(floor, await begun(floor, parties, location))
        assert await played_and_verified(floor, "main") == (2, 2)
        assert await played_and_verified(floor, "lounge") == (1, 2)
        assert "NO VALUE" in parties.home.paper.read_text()


async def test_a_long_path_is_no_obstacle(made: Path, tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["a-folder-with-a-long-name"] * 5, "parties")
    shutil.copytree(made, folder)
    assert len(str(folder)) > SOCKET_PATH_BYTES_MAX
    async with running(folder) as parties:
        reach = Path(parties.generator_address).parents[1]
        assert stat.S_IMODE(reach.stat().st_mode) == 0o700
        for address in (parties.generator_address, parties.witness_address):
            assert len(address) <= SOCKET_PATH_BYTES_MAX
        async with two_locations(tmp_path, parties) as floor:
            await play(floor, await begun(floor, parties, "main"))
            await parties.restart_generator()
            await play(floor, await begun(floor, parties, "lounge"))
    assert not reach.exists()


KILLED = """
import asyncio, pathlib, sys, uvloop
from keno.demo.processes import running

async def run():
    async with running(pathlib.Path(sys.argv[1])) as parties:
        print(parties.generator_pid, parties.witness_pid, flush=True)
        await asyncio.sleep(600)

uvloop.run(run())
"""


async def test_what_a_killed_demonstration_left_running_is_ended(folder: Path) -> None:
    killed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, folder, stdout=asyncio.subprocess.PIPE
    )
    assert killed.stdout is not None
    left = [int(pid) for pid in (await killed.stdout.readline()).split()]
    killed.kill()
    await killed.wait()
    assert len(left) == 2
    assert not any(map(is_gone, left))
    async with running(folder) as parties:
        await gone(*left)
        assert parties.generator_pid not in left


# ---------------------------------------------------------------- what can go wrong


@pytest.mark.parametrize(
    ("file", "log"),
    [("W/witness.key", "witness.log"), ("R/generator.journal", "generator.log")],
)
async def test_who_cannot_start_is_named_with_its_log(folder: Path, file: str, log: str) -> None:
    (folder / file).write_bytes(b"{}\n")
    with pytest.raises(NotRunning, match=f"{log.removesuffix('.log')} has ended") as stopped:
        async with running(folder):
            pass
    words = str(stopped.value)
    assert str(folder / log) in words
    assert (folder / log).read_text().strip().splitlines()[-1] in words


async def test_a_wrong_passphrase_shows_the_screen_and_stops_both(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        parties_module, "PASSPHRASES", PASSPHRASES | {"supervisor": "not what it was"}
    )
    monkeypatch.setattr("keno.demo.key_ceremony.CEREMONY_SECONDS", 3)
    pids: list[str] = []
    with pytest.raises(NotRunning, match="The passphrase is wrong") as stopped:
        async with running(folder, pids.append):
            pass
    assert "not what it was" not in str(stopped.value)
    numbers = [int(word.strip(";.")) for word in " ".join(pids).split() if word[0].isdigit()]
    assert len(numbers) == 2
    assert all(map(is_gone, numbers))
