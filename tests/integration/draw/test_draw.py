"""Whole games by three parties in three processes, and what a patron can verify afterwards."""

import asyncio
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from keno import protocol
from keno.cli.main import main
from keno.domain.errors import Refusal, Refused
from keno.protocol import Sold
from keno.service import tickets
from keno.store import queries
from keno.store.read_only import open_read_only
from keno.store.transaction import Reads
from rng.canonical import decode
from rng.records import Genesis, SignedMessage, read_message
from tests.drawing import drawing_again, drawing_house
from tests.integration.commands import ENVIRONMENT, ROOT, Said, keno
from tests.integration.draw.three import Three
from tests.rng_processes import Processes
from tests.rng_vector import SEEDS

PROGRAMS = ("keno", "rng.cli")
"""Both verify, and must say the same."""


@dataclass
class Played:
    """Three games drawn, tickets that were in them, and what the commands make of the ledger."""

    folder: Path
    genesis: Genesis
    drawn: dict[int, list[int]]
    single: Sold
    races: Sold
    voided: Sold

    @property
    def database(self) -> Path:
        return self.folder / "ledger.db"

    def asking(self, *arguments: object) -> list[str]:
        """The words of a `keno proof` command."""
        given = ("proof", "--db", self.database, "--location", "main", *arguments)
        return [str(each) for each in given]

    def proof(self, name: str, *arguments: object) -> Path:
        """Let `keno proof` write a file."""
        said = keno(*self.asking(*arguments, "--out", self.folder / name))
        assert (said.code, said.out, said.err) == (0, "", "")
        return self.folder / name

    def chain(self) -> Path:
        return self.proof("main.chain")

    def proof_of(self, sold: Sold, game: int) -> Path:
        given = ("--ticket", sold.ticket, "--code", sold.code, "--game", game)
        return self.proof(f"ticket-{sold.ticket}-{game}", *given)

    def message(self, game: int, step: str) -> SignedMessage:
        """A message of a game as the ledger has it."""
        connection = open_read_only(self.database)
        try:
            text = queries.draw_step(Reads(connection), "main", game, step)
        finally:
            connection.close()
        assert text is not None
        return read_message(decode(text.encode()), step.replace("_", "-"))


async def play_three(folder: Path, processes: Processes) -> Played:
    """A single-game ticket, a void one and one for three games; three games are drawn."""
    async with drawing_house(folder, processes) as house:
        floor = house.floor
        booth = await floor.booth()
        single = await floor.sell(booth)
        voided = await floor.sell(booth, "1 2 3: 1/3@1.00")
        void = protocol.Void(floor.id(), voided.ticket, voided.code)
        await tickets.void(floor.house, booth, void)
        races = await floor.sell(booth, "11 12 13 14 15 16: 1/6@1.00 x3")
        drawn = {1: await house.play()}
        await floor.sell(booth, "71 72 73: 1/3@2.00")
        drawn |= {2: await house.play(), 3: await house.play()}
        return Played(folder, house.side.genesis, drawn, single, races, voided)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("played")
    processes = Processes(folder)
    try:
        return asyncio.run(play_three(folder, processes))
    finally:
        processes.end()


def verify_with(program: str, *arguments: str | Path) -> Said:
    """Run `keno verify` or `keno-rng verify` as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", program, "verify", *map(str, arguments)],
        capture_output=True, cwd=ROOT, env=ENVIRONMENT, timeout=60, check=False,
    )  # fmt: skip
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


async def test_three_parties_are_three_processes_each_with_its_own_key(tmp_path: Path) -> None:
    three = Three(tmp_path)
    try:
        await three.furnish()
        three.start()
        three.until(three.says("begun"))
        assert three.s is not None
        others = three.others
        assert len({os.getpid(), others.r.pid, others.worker(), others.w.pid, three.s.pid}) == 5
        for party, folder in (("R", others.folder_r), ("W", others.folder_w), ("S", three.folder)):
            held = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
            readable = [name for name, seed in SEEDS.items() if seed.hex().encode() in held]
            assert readable == ([] if party == "R" else [party])  # R's own is sealed
    finally:
        three.end()


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_chain_of_played_games_verifies(played: Played, program: str) -> None:
    said = verify_with(program, played.chain(), "--genesis", played.genesis.chain)
    assert said.code == 0, said.out
    assert said.out.startswith("MODE TEST: NO VALUE\n")
    assert "games 1 to 4, 3 finished" in said.out
    assert "game 4: open after commit-w" in said.out


def test_the_numbers_shown_are_those_of_the_chain(played: Played) -> None:
    for game, numbers in played.drawn.items():
        assert played.message(game, "result")["numbers"] == numbers
        assert len(set(numbers)) == 20


def test_the_commitment_printed_on_a_ticket_is_the_witness_s_promise(played: Played) -> None:
    promised = played.message(1, "commit_w")
    assert promised.name == "commit-w"
    assert played.single.commitment == played.races.commitment == promised.digest


@pytest.mark.parametrize("program", PROGRAMS)
def test_tickets_are_proven_in_every_game_they_play(played: Played, program: str) -> None:
    playing = [(played.single, 1), (played.races, 1), (played.races, 3)]
    named = [part for each in playing for part in ("--ticket", played.proof_of(*each))]
    said = verify_with(program, played.chain(), *named)
    assert said.code == 0, said.out
    for sold, game in playing:
        assert f"ticket {sold.ticket}: in game {game}\n" in said.out


def test_a_void_ticket_is_in_the_book_but_not_live(played: Played) -> None:
    proof = played.proof_of(played.voided, 1)
    assert '"state":"void"' in proof.read_text()
    said = verify_with("keno", played.chain(), "--ticket", proof)
    assert said.code == 1
    assert said.out == "NOT VERIFIED: game 1, step 9: the ticket was void when the game closed\n"


def test_the_books_are_complete(played: Played) -> None:
    books = {game: played.proof(f"{game}.book", "--book", game) for game in (1, 2, 3)}
    named = [part for game, book in books.items() for part in ("--book", f"{game}={book}")]
    said = verify_with("keno", played.chain(), *named)
    assert said.code == 0, said.out
    for game in books:
        assert f"game {game}: the book is complete" in said.out
    assert played.single.code not in books[1].read_text()


def test_the_audit_proves_every_draw(played: Played) -> None:
    said = keno("audit", "--db", played.database, "--json").decoded
    assert (said["sound"], said["proofs_verified"]) == (True, True)


def test_a_wrong_code_learns_nothing(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    ticket, unsold = played.single.ticket, 999_999
    for number, code, game in (
        (ticket, "0" * 16, 1),
        (ticket, "", 99),
        (ticket, "\u00e9", 1),
        (unsold, played.single.code, 1),
        (unsold, "", 1),
    ):
        asked = played.asking("--ticket", number, "--code", code, "--game", game)
        assert main(asked) == 1
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err == ("No ticket has this number and this code. Read both from its paper.\n")


def test_what_cannot_be_proven_is_said_with_what_to_do(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ("--ticket", played.single.ticket, "--code", played.single.code, "--game")
    for arguments, words in (
        ((*given, 2), "It plays games 1 to 1, not 2."),
        (("--book", 4), "The book of game 4 is not closed yet. Ask again after its draw."),
        (("--book", 9), "main has had no game 9 yet."),
        (
            ("--ticket", 1),
            "Give --ticket, --code and --game together; else --book or --void alone.",
        ),
        (("--location", "roof"), "No location roof here; there is: main."),
        (("--db", "nowhere"), "There is no file nowhere."),
        (("--db", __file__), f"{__file__} is not a ledger: file is not a database."),
        (("--out", "/nowhere/out"), "Cannot write /nowhere/out: No such file or directory."),
    ):
        assert main(played.asking(*arguments)) == 1
        assert capsys.readouterr() == ("", words + "\n")
    assert main(["verify", "nowhere"]) == 1
    words = "Cannot read nowhere: No such file or directory. `keno proof` writes such files.\n"
    assert capsys.readouterr() == ("", words)


async def test_a_restarted_server_goes_on_with_the_same_chain(
    tmp_path: Path, processes: Processes
) -> None:
    async with drawing_house(tmp_path, processes) as house:
        await house.play()
        locked = await house.lock()
    async with drawing_again(tmp_path / "ledger.db", processes) as house:
        await house.finish(locked)
        await house.play()
        with pytest.raises(Refused) as no:
            await house.side.close(99)
        assert no.value.reason is Refusal.NOT_POSSIBLE_NOW
    out = tmp_path / "chain"
    given = ("--db", tmp_path / "ledger.db", "--location", "main", "--out", out)
    assert keno("proof", *given).code == 0
    assert "games 1 to 4, 3 finished" in keno("verify", out).out
