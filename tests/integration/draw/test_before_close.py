"""S changes tickets and totals together after lock-out, before it signs the close.

Then close, draw and chain are sound in themselves: W never sees a ticket. What catches it is the
ledger's own record of every act (`keno audit`), the paper in the patron's hand, and the numbers
without a gap of `keno verify --book`. It gains nothing in the draw, whose numbers do not exist yet.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from keno.audit import Step, audit
from keno.cli.main import main
from keno.domain.roles import SYSTEM
from keno.draw.proofs import verifier_of
from keno.protocol import Sold
from keno.service import games
from tests import draw_fakes
from tests.draw_fakes import behind_its_back
from tests.drawing import drawing_again, drawing_house
from tests.integration.draw.test_books import CHANGES
from tests.rng_fakes import nothing
from tests.rng_processes import Processes

changes = pytest.mark.parametrize("what", CHANGES)


@dataclass
class Cheated:
    """Game 1 is drawn over a book that S changed after lock-out."""

    database: Path
    sold: list[Sold]

    def proof(self, name: str, *arguments: object) -> Path | None:
        out = self.database.with_name(name)
        given = ("proof", "--db", self.database, "--location", "main", *arguments, "--out", out)
        return None if main([str(each) for each in given]) else out

    def verified(self, *arguments: object) -> bool:
        chain = self.proof("chain")
        assert chain is not None
        return main(["verify", str(chain), *map(str, arguments)]) == 0

    def discrepancies(self, steps: set[Step] | None = None) -> int:
        with verifier_of(self.database) as verify:
            report = audit(self.database, verify=verify, steps=steps or set(Step))
        return int(report["discrepancies"])


async def sell_and_lock(folder: Path, processes: Processes) -> list[Sold]:
    """Three tickets for game 1; a fourth for game 2, after the lock-out."""
    async with drawing_house(folder, processes) as house:
        floor = house.floor
        booth = await floor.booth()
        sold = [await floor.sell(booth, f"{n}: 1/3@1.00") for n in ("1 2 3", "4 5 6", "7 8 9")]
        game = await floor.open_game()
        commitment = await house.side.commit(2)
        command = games.LockOut(floor.id(), "main", game.game, commitment, SYSTEM)
        await games.lock_out(floor.house, command)
        sold.append(await floor.sell(booth, "10 11 12: 1/3@1.00"))
        return sold


async def finish(database: Path, processes: Processes) -> None:
    async with drawing_again(database, processes) as house:
        await games.close_book(house.floor.house, "main", 1)
        await house.finish(1)


@pytest.fixture
def cheat(tmp_path: Path) -> Callable[[str], Cheated]:
    """Let S change something between lock-out and close, then draw as if nothing were."""

    def changed(what: str) -> Cheated:
        processes = Processes(tmp_path)
        try:
            sold = asyncio.run(sell_and_lock(tmp_path, processes))
            database = tmp_path / "ledger.db"
            with behind_its_back(database) as connection:
                CHANGES[what](connection)
                draw_fakes.agree_with_tickets(connection, closed=False)
            asyncio.run(finish(database, processes))
        finally:
            processes.end()
        return Cheated(database, sold)

    return changed


@changes
def test_the_audit_finds_what_nobody_ever_did(cheat: Callable[[str], Cheated], what: str) -> None:
    cheated = cheat(what)
    assert cheated.verified()  # the draw is sound: W never sees a ticket
    assert cheated.discrepancies() > 0
    # Who holds the ledger against the draws alone, and not against its acts, finds nothing.
    assert cheated.discrepancies({Step.DRAWS}) == 0


def test_a_ticket_that_is_gone_leaves_a_gap(
    cheat: Callable[[str], Cheated],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cheated = cheat("drops")
    first = cheated.sold[0]
    book = cheated.proof("book", "--book", 1)
    assert not cheated.verified("--book", f"1={book}")
    assert "ticket 2 stands where ticket 1 should" in capsys.readouterr().out
    given = ("--ticket", first.ticket, "--code", first.code, "--game", 1)
    assert cheated.proof("mine", *given) is None  # and its holder gets no proof
    monkeypatch.setattr("rng.sequence.check_book", nothing)
    assert cheated.verified("--book", f"1={book}")


def test_the_holder_of_a_ticket_finds_that_it_was_voided(
    cheat: Callable[[str], Cheated],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cheated = cheat("silently voids")
    mine = cheated.sold[1]
    given = ("--ticket", mine.ticket, "--code", mine.code, "--game", 1)
    proof = cheated.proof("mine", *given)
    assert not cheated.verified("--ticket", proof)
    assert "the ticket was void when the game closed" in capsys.readouterr().out
    monkeypatch.setattr("rng.sequence.check_ticket", nothing)
    assert cheated.verified("--ticket", proof)


def test_the_holder_of_a_ticket_finds_that_another_stands_in_its_place(
    cheat: Callable[[str], Cheated], monkeypatch: pytest.MonkeyPatch
) -> None:
    cheated = cheat("doubles")
    mine = cheated.sold[2]
    given = ("--ticket", mine.ticket, "--code", mine.code, "--game", 1)
    assert cheated.proof("mine", *given) is None  # the code on the paper is of other numbers
    monkeypatch.setattr("keno.draw.proofs.check_code", nothing)
    assert cheated.proof("mine", *given) is not None
