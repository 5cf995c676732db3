"""Tickets as leaves of a hash tree: a ticket's content, its leaf hash, and the book of a game.

The canonical leaf of `rng.tree` is written here by a faster method, because every sale makes one.
Names and card versions hold no character that JSON escapes, so the text is concatenated unescaped.
A test checks that both methods give the same bytes.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from keno.domain.grading import Shape, shape_for
from keno.domain.ratecard import RateCard
from keno.domain.request_json import line_from_written, line_written
from keno.domain.wager import KenoRequest, Line
from keno.store import queries
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads
from rng.tree import inclusion_path, root

LEAF_BYTES_MAX = 60_000
"""Maximum bytes of a leaf: leaf and path must fit one line of a proof file (64 KiB)."""

_encode = msgspec.json.Encoder(order="deterministic").encode


def content_bytes(site: str, row: Mapping[str, Any]) -> bytes:
    """Return a ticket's content without seal and state: the input of its validation code."""
    return "".join(_said(site, row)).encode()


def leaf_bytes(site: str, row: Mapping[str, Any], state: str) -> bytes:
    """Return the canonical leaf of a ticket, from its row, in a state: live, void or cancelled."""
    return _leaf(_said(site, row), row["code"], state)


def issue(site: str, row: Mapping[str, Any], code: Callable[[bytes], str]) -> tuple[str, bytes]:
    """Return the validation code of a ticket that is being sold, and the hash of its leaf.

    `code` computes the validation code from the ticket's content.
    """
    said = _said(site, row)
    made = code("".join(said).encode())
    return made, leaf_hash(_leaf(said, made, "live"))


def _said(site: str, row: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return a ticket's content in four parts; the leaf has seal, state and type between these."""
    played = (
        f'{{"card":"{row["card"]}","first":{row["first_game"]},"last":{row["last_game"]},'
        f'"location":"{row["location"]}","price_cents":{row["price_cents"]},'
        f'"request":{row["request"]},'
    )
    return (
        played,
        f'"site":"{site}","sold_ms":{row["sold_ms"]},',
        f'"station":"{row["station"]}","ticket":{row["number"]},',
        f'"writer":"{row["writer"]}"}}',
    )


def _leaf(said: tuple[str, str, str, str], code: str, state: str) -> bytes:
    seal = sha256(b'{"code":"%s","type":"keno-draw/1/seal"}' % code.encode()).hexdigest()
    request, sold, station, writer = said
    return (
        f'{request}"seal":"{seal}",{sold}"state":"{state}",{station}'
        f'"type":"keno-draw/1/ticket",{writer}'
    ).encode()


def leaf_hash(leaf: bytes) -> bytes:
    """Return the SHA-256 hash of a leaf, by which a game's tree contains the leaf."""
    return sha256(b"\x00" + leaf).digest()


def fields(row: TicketRow) -> dict[str, Any]:
    """Return the row of a ticket as a dict by column name, as the functions for leaves take it."""
    return {name: getattr(row, name) for name in TicketRow.__slots__}


def request_text(request: KenoRequest, lines: str) -> str:
    """Return the canonical JSON of a keno request.

    `lines` is the JSON of its lines (`lines_text`).
    """
    groups, kings = _encode(request.groups).decode(), _encode(request.kings).decode()
    return f'{{"games":{request.games},"groups":{groups},"kings":{kings},"lines":{lines}}}'


def lines_text(lines: Sequence[Line]) -> str:
    """Return the canonical JSON of the conditioning lines of a keno request."""
    return _encode([line_written(line) for line in lines]).decode()


def structure_of(request: KenoRequest) -> str:
    """Return the shape of a keno request as the ledger stores it: group sizes and lines as JSON.

    The numbers of the groups are not part of a shape, so many tickets share one.
    """
    sizes = ",".join(map(str, request.sizes))
    return f'{{"lines":{lines_text(request.lines)},"sizes":[{sizes}]}}'


def shape_from(structure: str, card: RateCard) -> Shape:
    """Return the shape, by which tickets are graded, from its stored JSON and rate card."""
    decoded = msgspec.json.decode(structure)
    lines: list[Line] = [line_from_written(line) for line in decoded["lines"]]
    return shape_for(tuple(decoded["sizes"]), lines, card)


@dataclass
class Book:
    """All tickets of a locked game as columns, ascending by number, each in its state at lock-out.

    `live` has whether a ticket plays this game. `handle_cents` is the sum of the live tickets'
    prices for this game.
    """

    numbers: NDArray[np.int64]
    live: NDArray[np.bool_]
    leaves: list[bytes]
    shapes: NDArray[np.int32]
    masks: list[bytes]
    handle_cents: int

    @property
    def root(self) -> bytes:
        return root(self.leaves)

    def path(self, index: int) -> list[bytes]:
        return inclusion_path(self.leaves, index)


def load_book(reads: Reads, game: GameRow) -> Book:
    """Return the book of a locked game, read from its tickets, which can no longer change.

    Raise ValueError if the game is not locked out.
    """
    if game.last_ticket is None:
        raise ValueError(f"game {game.game} is not locked: its book is not complete")
    before = queries.game(reads, game.location, game.game - 1)
    after = 0 if before is None else before.last_ticket or 0
    book = Book(_EMPTY, np.zeros(0, dtype=np.bool_), [], np.zeros(0, dtype=np.int32), [], 0)
    numbers, live, shapes = [], [], []
    for piece in queries.book_rows(reads, game.location, game.game, after, game.last_ticket):
        if not piece:
            continue
        number, _, ended, leaf, ended_leaf, shape, mask, price = zip(*piece, strict=True)
        plays = [at is None or game.game < at for at in ended]
        numbers.append(np.array(number, dtype=np.int64))
        live.append(np.array(plays, dtype=np.bool_))
        shapes.append(np.array(shape, dtype=np.int32))
        book.masks += mask
        if all(plays):
            book.leaves += leaf
            book.handle_cents += sum(price)
        else:
            book.leaves += [a if p else b for a, b, p in zip(leaf, ended_leaf, plays, strict=True)]
            book.handle_cents += sum([c for c, p in zip(price, plays, strict=True) if p])
    if numbers:
        book.numbers = np.concatenate(numbers)
        book.live = np.concatenate(live)
        book.shapes = np.concatenate(shapes)
    return book


_EMPTY: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
