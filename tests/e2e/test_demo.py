"""`keno demo` from outside: it runs by itself, answers, stops in order, and goes on next time."""

import asyncio
import re
import socket
import sqlite3
import sys
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import pytest

from keno.demo.key_ceremony import killed
from tests.clocks import leave_step
from tests.e2e.floor import LOG_LINES, PATIENCE_S, free_port, said
from tests.integration.commands import keno

LOCATIONS = ("main", "lounge")
CONFIRMED = "The time had to be confirmed: the demonstration took the machine's time by itself."


@dataclass
class Told:
    """One run: its exit code, what it printed, and what its addresses answered."""

    code: int = -1
    lines: list[str] = field(default_factory=list)
    answers: dict[str, tuple[int, str]] = field(default_factory=dict)

    def games(self, words: str) -> list[int]:
        """The games of the lounge of which these words were printed, in order."""
        found = (re.fullmatch(rf"B-(\d+) {words}.*", line) for line in self.lines)
        return [int(match[1]) for match in found if match]


async def demo(folder: Path, seconds: int) -> Told:
    """Run a demonstration to its end; whatever goes wrong, the ends of its logs are shown."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "keno", "demo", "--folder", str(folder), "--interval", "8",
        "--port", str(free_port()), "--seconds", str(seconds),
        stdin=DEVNULL, stdout=PIPE, stderr=STDOUT,
    )  # fmt: skip
    told = Told()
    try:
        async with asyncio.timeout(PATIENCE_S):
            await listen(process, told)
            told.code = await process.wait()
        assert told.code == 0
    except BaseException:
        show(folder, told)
        raise
    finally:
        if process.returncode is None:
            process.terminate()  # it stops its own processes
            await asyncio.wait([asyncio.create_task(process.wait())], timeout=60)
        await killed(process)
    return told


def show(folder: Path, told: Told) -> None:
    print("\n".join(told.lines))
    for log in sorted(folder.glob("*.log")):
        print("\n".join([f"{log}:", *log.read_text().splitlines()[-LOG_LINES:]]))


async def listen(process: Process, told: Told) -> None:
    """Read all that is printed; ask each printed address once the house is open."""
    assert process.stdout is not None
    async with aiohttp.ClientSession() as web:
        async for line in process.stdout:
            told.lines.append(line.decode().rstrip())
            if told.lines[-1].startswith("Stop with"):
                for address in re.findall(r"http://\S+", "\n".join(told.lines)):
                    async with web.get(address) as response:
                        told.answers[address] = response.status, await response.text()


def rows(folder: Path, question: str) -> list[tuple[object, ...]]:
    """Read from the ledger, which nobody has open any more."""
    with closing(sqlite3.connect(f"file:{folder / 'ledger.db'}?mode=ro", uri=True)) as ledger:
        return ledger.execute(question).fetchall()


def games_of(folder: Path) -> dict[str, list[tuple[int, str]]]:
    """The games of each location, in order, with their states."""
    found = rows(folder, "SELECT location, game, state FROM games ORDER BY game")
    return {
        place: [(int(str(game)), str(state)) for where, game, state in found if where == place]
        for place in LOCATIONS
    }


def check_games(games: list[tuple[int, str]]) -> int:
    """From game 1 on without a gap, one open at the end; gives how many are settled."""
    assert [number for number, _ in games] == list(range(1, len(games) + 1))
    states = [state for _, state in games]
    assert states[-1] == "open"
    assert set(states[:-2]) <= {"settled"}
    assert set(states[-2:-1]) <= {"settled", "locked", "drawn"}, "the one that was being drawn"
    return states.count("settled")


async def test_a_demonstration_runs_stops_and_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    first = await demo(folder, 25)
    assert first.lines[0].startswith("NO VALUE")
    assert len(first.answers) == 5
    assert {status for status, _ in first.answers.values()} == {200}
    assert any('"location":"main"' in text for _, text in first.answers.values())
    assert first.games("is open for sale")[0] == 1
    for words in ("closes in", "is locked; drawing", "drawn: "):
        assert first.games(words)[0] in (1, 2), words  # a busy machine tells late of the first
    before = games_of(folder)
    assert check_games(before["lounge"]) >= 1
    assert len(before["main"]) >= 1

    leave_step(folder / "ledger.db", 3_600_000)
    second = await demo(folder, 20)
    after = games_of(folder)
    assert CONFIRMED not in first.lines
    assert CONFIRMED in second.lines
    steps = rows(folder, "SELECT what, confirmed_by, choice FROM clock_steps")
    assert steps == [("stepped", "SUE", "machine")]
    for place in LOCATIONS:
        assert check_games(after[place]) >= check_games(before[place])
        assert len(after[place]) >= len(before[place])
    assert check_games(after["lounge"]) > check_games(before["lounge"])
    assert "Opening a new house." in first.lines
    assert "Opening a new house." not in second.lines
    last = before["lounge"][-1][0]
    assert second.games("is open for sale")[0] in (last, last + 1)  # told late, as above
    assert 1 not in second.games("drawn: ")

    places = {place for (place,) in rows(folder, "SELECT DISTINCT location FROM tickets")}
    assert places == set(LOCATIONS)
    ends = Counter(kind for (kind,) in rows(folder, "SELECT kind FROM endings"))
    assert ends["payout"] > 0
    assert rows(folder, "SELECT DISTINCT mode FROM house") == [("test",)]
    audited = await said("audit", "--db", folder / "ledger.db")
    assert audited.code == 0, audited.out


@pytest.mark.parametrize(
    ("site", "mode", "typed"),
    [("Larkspur-demo", "live", "one administrator\nand another\n"),
     ("Larkspur", "test", "one administrator\n")],
)  # fmt: skip
def test_a_house_that_no_demonstration_made_is_left_alone(
    tmp_path: Path, site: str, mode: str, typed: str
) -> None:
    house = tmp_path / "house"
    second = ("--second", "ADA") if mode == "live" else ()
    people = ("--administrator", "ADMIN", *second)
    made = keno("init", house, "--site", site, "--mode", mode, *people, typed=typed)
    assert made.code == 0, made.err
    before = files(house)
    refused = keno("demo", "--folder", house, "--port", str(free_port()))
    assert refused.code == 1
    assert "is no demonstration. Nothing was changed. Choose another: --folder." in refused.err
    assert files(house) == before
    (house / "ledger.db").unlink()
    refused = keno("demo", "--folder", house, "--port", str(free_port()))
    assert (refused.code, "without its ledger" in refused.err) == (1, True)


def files(folder: Path) -> dict[str, bytes]:
    """The content of every file below a folder, by path."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_port_that_is_taken_is_named_and_nothing_is_begun(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        refused = keno("demo", "--folder", tmp_path / "demo", "--port", port)
    assert refused.code == 1
    assert f"Cannot listen at port {port}: " in refused.err
    assert keno("demo", "--folder", tmp_path / "demo", "--port", "65536").code == 1
    assert not list(tmp_path.iterdir())
