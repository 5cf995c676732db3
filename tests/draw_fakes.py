"""Fake parties that cheat the server, and variants of the server's draw without one control.

Tests show that each attack succeeds against these variants, so that its failure against the real
server means something.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest

from keno.domain.errors import Fault
from keno.domain.roles import SYSTEM
from keno.draw.coordinator import Ask, DrawCoordinator
from keno.service.games import Verify
from keno.store import queries
from keno.store.book import fields, leaf_bytes, leaf_hash, load_book
from keno.store.rows import GameRow
from keno.store.transaction import Reads
from rng.canonical import encode
from rng.draw import draw_numbers
from rng.journal import read_entries
from rng.keys import open_secret
from rng.records import SignedMessage, read_message, record, sign
from rng.witnessing import JOURNAL as W_JOURNAL
from tests.rng_fakes import nothing
from tests.rng_processes import Processes

Answer = dict[str, Any]
Twist = Callable[[Answer], Answer]
LUCKY = list(range(1, 21))
"""The numbers that a cheating party wants to be drawn."""


def twisted(honest: Ask, name: str, twist: Twist) -> Ask:
    """Return a party like `honest` whose answer to the question `name` is changed by `twist`."""

    async def ask(question: Answer) -> Answer:
        answer = await honest(question)
        return twist(answer) if question["ask"] == name else answer

    return ask


def unheard(honest: Ask, name: str) -> Ask:
    """Return a party like `honest` whose answer to the question `name` is lost."""

    async def ask(question: Answer) -> Answer:
        answer = await honest(question)
        if question["ask"] == name:
            raise Fault("No answer: it was lost on the way.")
        return answer

    return ask


# R, with its key.


def with_result(processes: Processes, **changed: Any) -> Twist:
    """Return a change of R's answer: a result with other fields, signed by R."""

    def twist(answer: Answer) -> Answer:
        body = answer["messages"][0]["body"] | changed
        message = sign(body, processes.keys.signers["R"])
        return {"messages": [message.written()]}

    return twist


def other_secret(
    processes: Processes, side: DrawCoordinator, made: dict[str, SignedMessage]
) -> Twist:
    """Return a change of R's answer: a result drawn with another secret than it committed to."""
    r, w = bytes(31) + b"\x07", bytes.fromhex(made["countersign"]["secret"])
    place = side.genesis.place(made["close"]["game"])
    numbers = draw_numbers(place, r, w, made["close"].digest)
    return with_result(processes, secret=r.hex(), numbers=numbers)


def attesting_anything(processes: Processes, honest: Ask) -> Ask:
    """Return a W that attests any result without checking it."""

    async def ask(question: Answer) -> Answer:
        if question["ask"] != "attest":
            return await honest(question)
        result = read_message(question["messages"][0], "result")
        body = record("attest", chain=result["chain"], game=result["game"], result=result.digest)
        return {"messages": [sign(body, processes.keys.signers["W"]).written()]}

    return ask


def voiding_anything(processes: Processes, secret: str) -> Ask:
    """Return a W that reveals `secret` for a void of a game it has attested."""

    async def ask(question: Answer) -> Answer:
        void = read_message(question["messages"][0], "void")
        body = record(
            "reveal",
            chain=void["chain"],
            game=void["game"],
            role="W",
            secret=secret,
            void=void.digest,
        )
        return {"messages": [sign(body, processes.keys.signers["W"]).written()]}

    return ask


def trust_the_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patch the verifier so that it does not recompute a result's numbers."""
    monkeypatch.setattr("rng.gamecheck._numbers", nothing)


def first_of(messages: Sequence[SignedMessage], name: str, **fields: object) -> SignedMessage:
    """Return the first message of an answer without checking its name and fields."""
    del name, fields
    return messages[0]


def promising_anything(processes: Processes, honest: Ask) -> Ask:
    """Return a W that commits to a game after any commitment of R, without checking it."""

    async def ask(question: Answer) -> Answer:
        if question["ask"] != "commit":
            return await honest(question)
        peer = read_message(question["messages"][0], "commit-r")
        body = record(
            "commit-w",
            chain=question["chain"],
            game=question["game"],
            hash="00" * 32,
            peer=peer.digest,
            time_ms=0,
        )
        return {"messages": [sign(body, processes.keys.signers["W"]).written()]}

    return ask


def forgetful(processes: Processes, honest: Ask) -> Ask:
    """Return an R that commits to another secret each time it is asked."""
    asked = count()

    async def ask(question: Answer) -> Answer:
        answer = await honest(question)
        if question["ask"] != "commit":
            return answer
        body = answer["messages"][0]["body"] | {"hash": f"{next(asked):064x}"}
        return {"messages": [sign(body, processes.keys.signers["R"]).written()]}

    return ask


# R and W together, who refuse a close until they like it.


def foresight(processes: Processes, side: DrawCoordinator) -> Callable[[SignedMessage], list[int]]:
    """Return the function by which colluding R and W compute a close's numbers in advance."""

    def numbers(close: SignedMessage) -> list[int]:
        game = close["game"]
        (entry,) = (
            each
            for each in read_entries(processes.folder_w / W_JOURNAL)
            if each["kind"] == "commit" and each["game"] == game
        )
        sealed = entry["commit_r"]["body"]["sealed"]
        r = open_secret(processes.keys.dek, close["chain"], game, sealed)
        place = side.genesis.place(game)
        return draw_numbers(place, r, bytes.fromhex(entry["secret"]), close.digest)

    return numbers


def refusing_until(
    honest: Ask, likes: Callable[[SignedMessage], bool], offered: list[SignedMessage]
) -> Ask:
    """Return a W that refuses closes for which `likes` is false; all are added to `offered`."""

    async def ask(question: Answer) -> Answer:
        if question["ask"] != "close":
            return await honest(question)
        close = read_message(question["messages"][0], "close")
        offered.append(close)
        if not likes(close):
            return {"refused": "bad_link", "message": "Please make another close."}
        return await honest(question)

    return ask


class Remaking(DrawCoordinator):
    """A server that makes a new close whenever one is refused."""

    async def close(self, game: int) -> SignedMessage:
        honest = await super().close(game)
        return sign(dict(honest.body) | {"salt": self.salt().hex()}, self.signer)


class Trusting(DrawCoordinator):
    """A server that accepts any genesis."""

    async def _store_chain(self) -> None:
        text = encode(self.genesis.message.written()).decode()
        row = {"chain": self.genesis.chain, "location": self.location, "genesis": text}
        await self.ledger.write("StoreGenesis", SYSTEM, lambda tx: tx.insert("chains", **row))


# S, with its database.


def believing(genesis: object) -> Verify:
    """Return a verifier that takes a proof's numbers without checking its book."""
    del genesis

    def verify(_: GameRow, proof: str) -> list[int]:
        numbers = msgspec.json.decode(proof)["result"]["body"]["numbers"]
        return [int(number) for number in numbers]

    return verify


@contextmanager
def behind_its_back(database: Path) -> Iterator[sqlite3.Connection]:
    """Open a closed ledger's file for writing without foreign keys and triggers."""
    connection = sqlite3.connect(database)
    connection.execute("PRAGMA foreign_keys = 0")
    rows = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    triggers = rows.fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield connection
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()
    connection.close()


def _write_leaf(connection: sqlite3.Connection, number: int) -> None:
    """Store the leaf that follows from a ticket's changed row."""
    reads = Reads(connection)
    row, house = queries.ticket(reads, "main", number), queries.house(reads)
    assert row is not None
    assert house is not None
    column = "leaf" if row.state == "live" else "ended_leaf"
    hashed = leaf_hash(leaf_bytes(house["site"], fields(row), row.state))
    sql = f"UPDATE tickets SET {column} = ? WHERE number = ?"  # noqa: S608 one of two names
    connection.execute(sql, (hashed, number))


def add_ticket(connection: sqlite3.Connection) -> None:
    """Move the last ticket, sold for game 2, into game 1, whose numbers are known."""
    (number,) = connection.execute("SELECT max(number) FROM tickets").fetchone()
    connection.execute(
        "UPDATE tickets SET first_game = 1, last_game = 1 WHERE number = ?", (number,)
    )
    _write_leaf(connection, number)


def drop_ticket(connection: sqlite3.Connection) -> None:
    """Delete a ticket of game 1."""
    connection.execute("DELETE FROM tickets WHERE number = 1")


def double_ticket(connection: sqlite3.Connection) -> None:
    """Duplicate a ticket of game 1 under the number of another."""
    connection.execute("DELETE FROM tickets WHERE number = 3")
    names = [row[1] for row in connection.execute("PRAGMA table_info(tickets)")]
    values = ["3" if name == "number" else "'again'" if name == "request_id" else name
              for name in names]  # fmt: skip
    connection.execute(
        f"INSERT INTO tickets SELECT {', '.join(values)} FROM tickets"  # noqa: S608 its columns
        " WHERE number = 2"
    )
    _write_leaf(connection, 3)


def void_ticket(connection: sqlite3.Connection) -> None:
    """Mark a ticket of game 1 as void since before the lock-out."""
    connection.execute(
        "UPDATE tickets SET state = 'void', ended_game = 1, ended_leaf = leaf WHERE number = 2"
    )
    _write_leaf(connection, 2)


def agree_with_tickets(connection: sqlite3.Connection, *, closed: bool = True) -> None:
    """Update the book of game 1 in its row to match the changed tickets."""
    last = "SELECT max(number) FROM tickets WHERE first_game = 1"
    connection.execute(f"UPDATE games SET last_ticket = ({last}) WHERE game = 1")  # noqa: S608
    reads = Reads(connection)
    game = queries.game(reads, "main", 1)
    assert game is not None
    book = load_book(reads, game)
    connection.execute(
        "UPDATE games SET root = ?, leaves = ?, tickets = ?, handle_cents = ? WHERE game = 1",
        (
            book.root.hex() if closed else None,
            len(book.leaves) if closed else None,
            int(book.live.sum()),
            book.handle_cents,
        ),
    )
