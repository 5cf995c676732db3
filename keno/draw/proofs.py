"""What a patron or the regulator takes away to verify: the chain, a ticket's proof, a book.

Everything is read from a ledger that is not written to. The same chain is what `keno audit` holds
every recorded draw against.
"""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

from keno.domain.errors import Refusal, Refused
from keno.domain.request_json import INTEGER_MAX
from keno.domain.ticket import check_code
from keno.draw import coordinator
from keno.draw.void_request import request_line
from keno.store import queries, read_only
from keno.store.book import Book, fields, leaf_bytes, leaf_hash, load_book
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads
from rng.canonical import decode, encode_line
from rng.records import Genesis
from rng.verify import NotVerified, Question, verify

Wanted = Callable[[Reads, str], Iterable[bytes]]
"""Reads from the ledger, for a location, the lines that somebody wants."""
Verify = Callable[[GameRow, str], list[int]]
"""Checks the whole proof of a draw and gives its twenty numbers, in order, or raises."""
ALONE_GAMES_MAX = 2_000
"""Shorter chains are verified by one process: starting others would take longer."""


class ProofError(Exception):
    """There is no such proof, or it cannot be read or written: a code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


# What can be written.


def write(path: Path, location: str, wanted: Wanted, out: Path | None) -> None:
    """Read from a ledger what is wanted, in one picture of it, and write it."""
    with closing(read_only.open_ledger(path)) as connection:
        reads = Reads(connection)
        if queries.location(reads, location) is None:
            names = ", ".join(row["location"] for row in queries.locations(reads)) or "none"
            raise ProofError("unknown_location", f"No location {location} here; there is: {names}.")
        try:
            lines = iter(wanted(reads, location))
            first = next(lines, b"")  # a refusal comes here, before a file is begun
            if out is None:
                _pour(sys.stdout.buffer.write, first, lines)
                return
            with out.open("wb") as file:
                _pour(file.write, first, lines)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise ProofError("not_written", f"Cannot write {out}: {error.strerror}.") from None
        except sqlite3.DatabaseError as error:
            raise ProofError("damaged", f"{path} is damaged: {error}. Run keno audit.") from None


def _pour(into: Callable[[bytes], object], first: bytes, lines: Iterator[bytes]) -> None:
    into(first)
    for line in lines:
        into(line)


def chain() -> Wanted:
    """The chain: genesis, unlocks, a line for each game."""

    def read(reads: Reads, location: str) -> Iterator[bytes]:
        if _genesis(reads, location) is None:
            raise ProofError("no_chain", f"{location} has no genesis yet: nothing was drawn here.")
        yield from coordinator.chain_lines(reads, location)

    return read


def _genesis(reads: Reads, location: str) -> Genesis | None:
    try:
        return coordinator.genesis_of(reads, location)
    except ValueError as error:
        reason = str(error).removesuffix(".")
        raise ProofError("not_a_chain", f"{reason}. Run keno audit.") from None


def void_request(game: int) -> Wanted:
    """What two people take to the generator's console to sign that a game is void."""

    def read(reads: Reads, location: str) -> list[bytes]:
        _genesis(reads, location)  # a record that is no chain is said in its own words
        try:
            return [request_line(reads, location, min(game, INTEGER_MAX))]
        except Refused as refused:
            raise ProofError("not_possible", refused.message) from None

    return read


def ticket(number: int, code: str, game: int) -> Wanted:
    """A ticket's proof for one of its games; a wrong code learns nothing, not even that."""

    def read(reads: Reads, location: str) -> list[bytes]:
        row = queries.ticket(reads, location, number) if number < 2**53 else None
        try:
            check_code(code, "" if row is None else row.code)
        except Refused:
            row = None
        if row is None:
            raise ProofError(
                "refused", "No ticket has this number and this code. Read both from its paper."
            )
        if not row.first_game <= game <= row.last_game:
            raise ProofError(
                "not_played", f"It plays games {row.first_game} to {row.last_game}, not {game}."
            )
        closed, kept = _closed(reads, location, game)
        index = int(np.searchsorted(kept.numbers, number))
        leaf = _leaf(reads, row, closed, kept.leaves[index])
        proof = {
            "code": row.code,
            "game": game,
            "index": index,
            "leaf": decode(leaf),
            "path": [each.hex() for each in kept.path(index)],
        }
        return [encode_line(proof)]

    return read


def book(game: int) -> Wanted:
    """All tickets of a closed game, ascending, one leaf a line."""

    def read(reads: Reads, location: str) -> Iterator[bytes]:
        closed, kept = _closed(reads, location, game)
        for number, hashed in zip(kept.numbers.tolist(), kept.leaves, strict=True):
            row = queries.ticket(reads, location, number)
            if row is None:
                raise ProofError("damaged", f"Ticket {number} is gone. Run keno audit.")
            yield _leaf(reads, row, closed, hashed) + b"\n"

    return read


def _closed(reads: Reads, location: str, game: int) -> tuple[GameRow, Book]:
    row = queries.game(reads, location, game) if game < 2**53 else None
    if row is None:
        raise ProofError("unknown_game", f"{location} has had no game {game} yet.")
    if row.root is None:
        raise ProofError(
            "not_closed", f"The book of game {game} is not closed yet. Ask again after its draw."
        )
    kept = load_book(reads, row)
    if kept.root.hex() != row.root:
        raise ProofError(
            "damaged", f"The tickets of game {game} are not those of its root. Run keno audit."
        )
    return row, kept


def _leaf(reads: Reads, row: TicketRow, game: GameRow, hashed: bytes) -> bytes:
    house = queries.house(reads)
    plays = row.ended_game is None or game.game < row.ended_game
    leaf = leaf_bytes(house["site"] if house else "", fields(row), "live" if plays else row.state)
    if leaf_hash(leaf) != hashed:
        raise ProofError("damaged", f"Ticket {row.number} is not as it was sold. Run keno audit.")
    return leaf


# What the audit holds draws against.


@contextmanager
def verifier_of(path: Path) -> Iterator[Verify | None]:
    """What `keno audit` verifies every proof with; None where no chain was ever begun.

    It reads when it is first asked, so that it never sees less than the audit does.
    """
    try:
        connection = read_only.open_ledger(path)
    except read_only.LedgerNotReadable:
        yield None  # the audit says what is wrong with the file
        return
    with closing(connection):
        reads = Reads(connection)
        try:
            begun = any(
                queries.genesis_texts(reads, row["location"]) for row in queries.locations(reads)
            )
            connection.execute("COMMIT")
        except sqlite3.DatabaseError:
            begun = False
        yield _Chains(reads).verify if begun else None


class _Chains:
    """The chains of a ledger, each verified as a whole when its first game is asked for."""

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._faults: dict[str, NotVerified | None] = {}
        self._verifiers: dict[str, Verify] = {}

    def verify(self, game: GameRow, proof: str) -> list[int]:
        """The numbers of a game, if its proof stands in a chain that verifies up to it."""
        fault = self._fault(game.location)
        if fault is not None and (fault.game is None or fault.game <= game.game):
            raise Refused(Refusal.BAD_DRAW, f"its chain does not verify: {fault}")
        kept = queries.draw_steps(self._reads, game.location, game.game)
        if proof != "{" + ",".join([f'"{step}":{kept[step]}' for step in sorted(kept)]) + "}":
            raise Refused(Refusal.BAD_DRAW, "it is not what the parties said")
        return self._verifiers[game.location](game, proof)

    def _fault(self, location: str) -> NotVerified | None:
        if location not in self._faults:
            self._faults[location] = self._verify_chain(location)
        return self._faults[location]

    def _verify_chain(self, location: str) -> NotVerified | None:
        try:
            genesis = coordinator.genesis_of(self._reads, location)
        except ValueError as error:
            return NotVerified(1, str(error))
        if genesis is None:
            return NotVerified(1, f"{location} has no genesis")
        self._verifiers[location] = coordinator.verifier(genesis)
        many = len(queries.games_with_draws(self._reads, location)) > ALONE_GAMES_MAX
        question = Question(workers=os.cpu_count() if many else 1)
        try:
            verify(coordinator.chain_lines(self._reads, location), question)
        except NotVerified as fault:
            return fault
        return None
