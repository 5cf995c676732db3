"""S changes its tickets after the numbers are known: the book was signed before they existed."""

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from keno.audit import Step, audit
from keno.cli.main import main
from keno.domain.errors import Refusal, Refused
from keno.draw.coordinator import verifier
from keno.draw.proofs import verifier_of
from keno.service import games
from keno.service.common import require_game
from tests import draw_fakes
from tests.draw_fakes import behind_its_back
from tests.drawing import DrawingHouse, drawing_again, drawing_house
from tests.halting import the_halt
from tests.rng_processes import Processes

Change = Callable[[sqlite3.Connection], None]
CHANGES: dict[str, Change] = {
    "adds": draw_fakes.add_ticket,
    "drops": draw_fakes.drop_ticket,
    "doubles": draw_fakes.double_ticket,
    "silently voids": draw_fakes.void_ticket,
}
changes = pytest.mark.parametrize("what", CHANGES)


@dataclass
class Drawn:
    """Game 1 is locked and its numbers are known to S; they are not recorded yet."""

    database: Path
    processes: Processes
    proof: str

    def change(self, what: str) -> None:
        """Change a ticket, and let the game's row agree with it."""
        with behind_its_back(self.database) as connection:
            CHANGES[what](connection)
            draw_fakes.agree_with_tickets(connection)

    @asynccontextmanager
    async def again(self) -> AsyncIterator[DrawingHouse]:
        async with drawing_again(self.database, self.processes) as house:
            yield house

    def copy(self, folder: Path) -> "Drawn":
        for name in ("ledger.db", "ledger.db.head"):
            shutil.copyfile(self.database.with_name(name), folder / name)
        return replace(self, database=folder / "ledger.db")


async def draw_one(folder: Path, processes: Processes) -> Drawn:
    async with drawing_house(folder, processes) as house:
        floor = house.floor
        booth = await floor.booth()
        for numbers in ("1 2 3", "4 5 6", "7 8 9"):
            await floor.sell(booth, f"{numbers}: 1/3@1.00")
        locked = await house.lock()
        proof = await house.side.draw(locked)
        row = await floor.ledger.read(lambda reads: require_game(reads, "main", locked))
        known = verifier(house.side.genesis)(row, proof)
        await floor.sell(booth, f"{' '.join(map(str, sorted(known[:8])))}: 1/8@1.00")
        return Drawn(floor.path, processes, proof)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Drawn]:
    folder = tmp_path_factory.mktemp("drawn")
    running = Processes(folder)
    yield asyncio.run(draw_one(folder, running))
    running.end()


@pytest.fixture
def drawn(original: Drawn, tmp_path: Path) -> Drawn:
    """A copy of that ledger; R and W are not asked for anything new."""
    return original.copy(tmp_path)


async def play_two(drawn: Drawn) -> None:
    async with drawn.again() as house:
        await house.finish(1)
        await house.play()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Drawn:
    """Two games are played to their end; R and W have gone."""
    folder = tmp_path_factory.mktemp("finished")
    running = Processes(folder)
    try:
        made = asyncio.run(draw_one(folder, running))
        asyncio.run(play_two(made))
    finally:
        running.end()
    return made


@changes
async def test_a_server_that_changes_a_ticket_records_no_draw(drawn: Drawn, what: str) -> None:
    drawn.change(what)
    async with drawn.again() as house:
        with pytest.raises(Refused) as no:
            await house.finish(1)
        assert no.value.reason is Refusal.BAD_DRAW
        row = await house.floor.ledger.read(lambda reads: require_game(reads, "main", 1))
        assert (row.state, row.numbers, row.shown_ms) == ("locked", None, None)


@changes
async def test_a_verifier_that_does_not_compare_the_book_lets_it_pass(
    drawn: Drawn, what: str
) -> None:
    drawn.change(what)
    async with drawn.again() as house:
        made, genesis = house.floor.house, house.side.genesis
        await games.record_draw(made, "main", 1, drawn.proof, draw_fakes.believing(genesis))
        await games.show(made, "main", 1)
        settled = await games.settle(made, "main", 1)
        row = await house.floor.ledger.read(lambda reads: require_game(reads, "main", 1))
        assert (row.state, row.tickets) == ("settled", {"adds": 4, "doubles": 3}.get(what, 2))
        assert what != "adds" or settled.awards_cents > 0  # the ticket with the known numbers won


def write_and_verify(drawn: Drawn) -> int:
    """Write the chain and the book of game 1 and verify both; 0 if they are proven."""
    chain, book = drawn.database.with_name("chain"), drawn.database.with_name("book")
    given = ["proof", "--db", str(drawn.database), "--location", "main"]
    assert main([*given, "--out", str(chain)]) == 0
    assert main([*given, "--book", "1", "--out", str(book)]) == 0
    return main(["verify", str(chain), "--book", f"1={book}"])


@changes
def test_the_book_of_a_changed_ticket_does_not_verify(
    drawn: Drawn, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert write_and_verify(drawn) == 0
    assert "game 1: the book is complete" in capsys.readouterr().out
    drawn.change(what)
    assert write_and_verify(drawn) == 1
    assert capsys.readouterr().out.startswith("NOT VERIFIED: game 1, step 10: ")


@changes
async def test_15_7_a_ticket_that_is_changed_alone_halts(
    drawn: Drawn, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with behind_its_back(drawn.database) as connection:
        CHANGES[what](connection)
        if what == "adds":
            connection.execute("UPDATE games SET last_ticket = last_ticket + 1 WHERE game = 1")
    async with drawn.again() as house:
        with pytest.raises(Refused) as no:
            await games.close_book(house.floor.house, "main", 1)
        assert no.value.reason is Refusal.HALTED
        assert the_halt(house.floor.house).fault == "book"
    assert main(["proof", "--db", str(drawn.database), "--location", "main", "--book", "1"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith("Run keno audit.\n")


# The audit.


def test_the_audit_finds_a_draw_that_is_not_what_the_parties_said(
    finished: Drawn, tmp_path: Path
) -> None:
    database = finished.copy(tmp_path).database
    assert told(database) == []
    for column, said in (
        ("numbers", "games 1 numbers: are not those that its proof proves."),
        ("proof", "games 1 proof: does not prove its draw: it is not what the parties said."),
    ):
        with behind_its_back(database) as connection:
            other = f"SELECT g.{column} FROM games g WHERE g.game = 2"  # noqa: S608 one of two
            connection.execute(f"UPDATE games SET {column} = ({other}) WHERE game = 1")  # noqa: S608
        assert told(database) == [said]


def test_the_audit_finds_a_chain_that_does_not_verify(finished: Drawn, tmp_path: Path) -> None:
    database = finished.copy(tmp_path).database
    with behind_its_back(database) as connection:
        connection.execute(
            "UPDATE draws SET message = replace(message, '\"game\":2', '\"game\":3')"
            " WHERE game = 2 AND step = 'attest'"
        )
    (said,) = told(database)
    assert said.endswith("its chain does not verify: game 2, step 2: attest is of another game.")


def test_the_audit_finds_a_chain_without_its_genesis(finished: Drawn, tmp_path: Path) -> None:
    database = finished.copy(tmp_path).database
    with behind_its_back(database) as connection:
        connection.execute("UPDATE chains SET location = 'roof'")
        connection.execute(
            "INSERT INTO locations SELECT 'roof', 'R', name, zone, day_starts, 0 FROM locations"
        )
    report = audit_draws(database)
    assert report["discrepancies"] == 2
    assert report["first_discrepancy"]["message"].endswith("step 1: main has no genesis.")


def test_a_second_genesis_is_not_misread(
    finished: Drawn, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A chain that another genesis continues is for a later version: neither shown nor believed."""
    database = finished.copy(tmp_path).database
    with behind_its_back(database) as connection:
        connection.execute("INSERT INTO chains SELECT '00', location, genesis FROM chains")
    words = "main has one chain and its genesis; to continue it with another is not possible yet."
    for more in ((), ("--out", str(tmp_path / "chain"))):
        assert main(["proof", "--db", str(database), "--location", "main", *more]) == 1
        assert capsys.readouterr() == ("", f"{words} Run keno audit.\n")
    assert not (tmp_path / "chain").exists()
    report = audit_draws(database)
    assert report["discrepancies"] == 2
    assert words.removesuffix(".") in report["first_discrepancy"]["message"]


def audit_draws(database: Path) -> dict[str, Any]:
    """Audit the draws alone, with the verifier of the ledger's own chain."""
    with verifier_of(database) as verify:
        assert verify is not None
        return audit(database, verify=verify, steps={Step.DRAWS})


def told(database: Path) -> list[str]:
    """The only thing that an audit of the draws finds."""
    report = audit_draws(database)
    first = report["first_discrepancy"]
    assert report["discrepancies"] == (first is not None)
    if first is None:
        return []
    return [f"{first['table']} {first['key']['game']} {first['column']}: {first['message']}"]
