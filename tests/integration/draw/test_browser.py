"""What the server gives out for real games, verified by the browser's verifier."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from keno.draw import proofs
from keno.draw.chain_file import game_lines
from keno.protocol import Sold
from keno.store.read_only import open_read_only
from keno.store.transaction import Reads
from tests.browser_verifier import BrowserReport, Case, by_browser
from tests.integration.draw.test_draw import Played, play_three
from tests.rng_processes import Processes


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("played")
    processes = Processes(folder)
    try:
        yield asyncio.run(play_three(folder, processes))
    finally:
        processes.end()


def served(played: Played, game: int) -> tuple[bytes, ...]:
    """What `GET /api/games/main/{game}/proof` answers."""
    with closing(open_read_only(played.database)) as connection:
        return tuple(game_lines(Reads(connection), "main", game).splitlines(keepends=True))


def ticket(played: Played, sold: Sold, game: int) -> bytes:
    """What `keno proof --ticket` writes."""
    out = played.folder / f"ticket-{sold.ticket}-{game}"
    proofs.write(played.database, "main", proofs.ticket(sold.ticket, sold.code, game), out)
    return out.read_bytes()


def asked(folder: Path, *cases: Case) -> list[BrowserReport]:
    return by_browser(folder, cases)


def test_every_game_is_proven_with_the_numbers_that_were_shown(
    played: Played, tmp_path: Path
) -> None:
    genesis = played.genesis.chain
    said = asked(tmp_path, *(Case(served(played, game), genesis=genesis) for game in played.drawn))
    assert [each.report["numbers"] for each in said] == list(played.drawn.values())
    assert all(each.report["proven"] for each in said)
    assert said[0].report["commitment"] == played.single.commitment


def test_the_chain_of_the_house_is_proven_as_a_whole(played: Played, tmp_path: Path) -> None:
    (said,) = asked(tmp_path, Case((played.chain().read_bytes(),), genesis=played.genesis.chain))
    assert said.report["proven"]
    assert (said.report["game"], said.report["numbers"]) == (3, played.drawn[3])


def test_tickets_are_proven_in_every_game_they_play(played: Played, tmp_path: Path) -> None:
    playing = [(played.single, 1), (played.races, 1), (played.races, 2), (played.races, 3)]
    cases = [Case(served(played, game), ticket(played, sold, game)) for sold, game in playing]
    said = asked(tmp_path, *cases)
    assert all(each.report["proven"] for each in said)
    # Of four tickets one is void; it stays in the list, but not as a ticket that plays.
    (void,) = asked(tmp_path, Case(served(played, 1), ticket(played, played.voided, 1)))
    assert (void.fault, void.words(9)) == (9, "The ticket was void when the list was sealed.")


def test_a_ticket_is_not_proven_with_another_s_code_or_in_another_game(
    played: Played, tmp_path: Path
) -> None:
    mine = ticket(played, played.races, 2)
    others = mine.replace(played.races.code.encode(), played.single.code.encode())
    said = asked(tmp_path, Case(served(played, 2), others), Case(served(played, 3), mine))
    assert [each.fault for each in said] == [9, 9]


def test_a_game_that_is_still_open_is_not_proven(played: Played, tmp_path: Path) -> None:
    (said,) = asked(tmp_path, Case(served(played, 4)))
    assert not said.report["proven"]
    assert (said.report["state"], said.fault) == ("open", None)
