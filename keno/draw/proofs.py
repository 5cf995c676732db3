"""Writes the files for a patron or regulator: the chain, a ticket's proof, a book, a void request.

Everything is read from a ledger that is not written to. `keno audit` checks every recorded draw
against the same chain.
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
from keno.domain.states import TicketState
from keno.domain.ticket import check_code
from keno.draw import coordinator
from keno.draw.chain_file import chain_lines
from keno.draw.void_request import request_line
from keno.store import queries, read_only
from keno.store.book import Book, fields, leaf_bytes, leaf_hash, load_book
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads
from rng.canonical import decode, encode_line
from rng.records import Genesis
from rng.verify import NotVerified, VerifyOptions, verify

Wanted = Callable[[Reads, str], Iterable[bytes]]
"""A function that reads the lines of a proof file for a location from the ledger.

It raises ProofError if they cannot be made: at once, or while the lines are read.
"""
Verify = Callable[[GameRow, str], list[int]]
"""A function that verifies the proof of a game's draw and returns its twenty numbers in order.

It raises if the proof does not verify.
"""
ALONE_GAMES_MAX = 2_000
"""Maximum games of a chain verified by one process; for these, starting others takes longer."""


class ProofError(Exception):
    """Raised if a proof file cannot be made, read or written: a code and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


# Proof files.


def write(path: Path, location: str, wanted: Wanted, out: Path | None) -> None:
    """Read the wanted lines from one snapshot of a ledger, and write them to a file or stdout.

    `out` is None for stdout. A file is made or overwritten once its first line has been read; if
    a later line fails, it stays incomplete. Raise LedgerNotReadable if `path` is not a ledger of
    this version. Raise ProofError if the location is unknown, a line cannot be made, the ledger
    proves damaged while lines are read, or the file cannot be written. A BrokenPipeError is passed
    on.
    """
    with closing(read_only.open_ledger(path)) as connection:
        reads = Reads(connection)
        if queries.location(reads, location) is None:
            names = ", ".join(row["location"] for row in queries.locations(reads)) or "none"
            raise ProofError("unknown_location", f"No location {location} here; there is: {names}.")
        try:
            lines = iter(wanted(reads, location))
            first = next(lines, b"")  # a refusal is raised here, before a file is made
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
    """Return a function that reads the chain file: genesis, unlocks, and a line for each game.

    It raises ProofError if the location has no genesis, or one that is not valid.
    """

    def read(reads: Reads, location: str) -> Iterator[bytes]:
        if _genesis(reads, location) is None:
            raise ProofError("no_chain", f"{location} has no genesis yet: nothing was drawn here.")
        yield from chain_lines(reads, location)

    return read


def _genesis(reads: Reads, location: str) -> Genesis | None:
    try:
        return coordinator.genesis_of(reads, location)
    except ValueError as error:
        reason = str(error).removesuffix(".")
        raise ProofError("not_a_chain", f"{reason}. Run keno audit.") from None


def void_request(game: int) -> Wanted:
    """Return a function that reads the request to void a game, one line for two people to sign.

    It raises ProofError if the game is not locked, already has a result or a void record, or the
    location has no valid genesis.
    """

    def read(reads: Reads, location: str) -> list[bytes]:
        _genesis(reads, location)  # raises its own ProofError if the genesis is not valid
        try:
            return [request_line(reads, location, min(game, INTEGER_MAX))]
        except Refused as refused:
            raise ProofError("not_possible", refused.message) from None

    return read


def ticket(number: int, code: str, game: int) -> Wanted:
    """Return a function that reads a ticket's proof for one of its games, as one line.

    It raises ProofError if the ticket does not play the game, the game's book is not closed, or the
    book is damaged. A wrong code gets the same error as an unknown number, so that the error
    reveals nothing.
    """

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
    """Return a function that reads all tickets of a closed game, ascending, one leaf a line.

    It raises ProofError if the game is unknown, its book is not closed, or a ticket is gone or not
    as it was sold.
    """

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
    leaf = leaf_bytes(
        house["site"] if house else "", fields(row), TicketState.LIVE if plays else row.state
    )
    if leaf_hash(leaf) != hashed:
        raise ProofError("damaged", f"Ticket {row.number} is not as it was sold. Run keno audit.")
    return leaf


# Verification for the audit.


@contextmanager
def verifier_of(path: Path) -> Iterator[Verify | None]:
    """Context manager: the function by which `keno audit` verifies proofs; None without a chain.

    The function reads a chain when it is first called, so that it never sees less than the audit
    does.
    """
    try:
        connection = read_only.open_ledger(path)
    except read_only.LedgerNotReadable:
        yield None  # the audit reports what is wrong with the file
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
    """The chains of a ledger.

    Each is verified as a whole when a proof of its location is first checked.
    """

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        self._faults: dict[str, NotVerified | None] = {}
        self._verifiers: dict[str, Verify] = {}

    def verify(self, game: GameRow, proof: str) -> list[int]:
        """Return a game's numbers if its proof is stored and its chain verifies up to the game.

        Raise Refused otherwise.
        """
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
        question = VerifyOptions(workers=os.cpu_count() if many else 1)
        try:
            verify(chain_lines(self._reads, location), question)
        except NotVerified as fault:
            return fault
        return None
