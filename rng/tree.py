"""The hash tree over all tickets of a game: leaves, root, and proofs that a ticket is in the tree.

Hashing is that of RFC 6962 with SHA-256. The input of a leaf hash begins with byte 00, that of a
node hash with byte 01, so that neither can be passed off as the other. A leaf has a ticket's
content. In place of the validation code it has a seal: a digest by which a code is checked.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final, Literal, TypedDict, Unpack, cast

from rng.canonical import digest, encode
from rng.shape import (
    Malformed,
    array,
    either,
    exactly,
    hexadecimal,
    integer,
    one_of,
    text,
)

EMPTY_ROOT = hashlib.sha256(b"").digest()
"""Root of a tree without leaves."""
LEAF_TYPE: Final = "keno-draw/1/ticket"
SEAL_TYPE = "keno-draw/1/seal"
CODE_CHARACTERS_MIN = 16
"""Minimum characters of a validation code: 80 bits in an alphabet of 32 characters.

A shorter code could be found by trying codes against the seal.
"""


# ---------------------------------------------------------------- hashing


def leaf_hash(leaf: bytes) -> bytes:
    """Return the SHA-256 leaf hash of a leaf's canonical bytes."""
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Return the SHA-256 hash of a node of the tree, from the hashes of its two children."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root(leaf_hashes: Iterable[bytes]) -> bytes:
    """Return the root hash of the tree over these leaf hashes, in order.

    EMPTY_ROOT if there are none.
    """
    level = list(leaf_hashes)
    while len(level) > 1:
        level = _parents(level)
    return level[0] if level else EMPTY_ROOT


def inclusion_path(leaf_hashes: Iterable[bytes], index: int) -> list[bytes]:
    """Return the neighbour hashes from the leaf at `index` up to the root, which prove the leaf.

    Raise `IndexError` if the tree has no such leaf.
    """
    level = list(leaf_hashes)
    if not 0 <= index < len(level):
        raise IndexError(f"there is no leaf {index} in a tree of {len(level)}")
    path = []
    while len(level) > 1:
        neighbour = index ^ 1
        if neighbour < len(level):
            path.append(level[neighbour])
        level = _parents(level)
        index //= 2
    return path


def root_from_path(leaf: bytes, index: int, leaves: int, path: Sequence[bytes]) -> bytes | None:
    """Return the root computed from a leaf hash and its inclusion path.

    None if the path does not fit. `index` and the tree's size `leaves` determine how many hashes
    the path must have. The verifier compares the returned root with the signed one.
    """
    if not 0 <= index < leaves:
        return None
    found = leaf
    steps = iter(path)
    last = leaves - 1
    while last:
        if index % 2 or index < last:
            neighbour = next(steps, None)
            if neighbour is None:
                return None
            found = node_hash(neighbour, found) if index % 2 else node_hash(found, neighbour)
        index //= 2
        last //= 2
    return found if next(steps, None) is None else None


def _parents(level: list[bytes]) -> list[bytes]:
    # The whole book goes through this line at lock-out: a million tickets in about a second.
    sha256 = hashlib.sha256
    parents = [
        sha256(b"\x01" + left + right).digest()
        for left, right in zip(level[::2], level[1::2], strict=False)
    ]
    if len(level) % 2:
        parents.append(level[-1])  # without a neighbour it rises as it is
    return parents


# ---------------------------------------------------------------- leaves


class TicketFields(TypedDict):
    """Type of a leaf's fields but `type`: a ticket's content, seal, and state at lock-out."""

    site: str
    location: str
    ticket: int
    first: int
    last: int
    card: str
    station: str
    writer: str
    sold_ms: int
    price_cents: int
    request: Mapping[str, Any]
    seal: str
    state: Literal["live", "void", "cancelled"]


class Leaf(TicketFields):
    """Type of a decoded leaf of the ticket tree: the ticket's fields and the record type."""

    type: Literal["keno-draw/1/ticket"]


_wager = {"rate": text(), "wager_cents": integer(1)}
_number = integer(1, 80)
_request = exactly(
    {
        "games": integer(1),
        "groups": array(array(_number, least=1)),
        "kings": array(_number),
        "lines": array(
            either(
                exactly(_wager | {"ways": integer(1), "spots": integer(1, 80)}),
                exactly(_wager | {"sets": array(array(integer(), least=1), least=1)}),
            ),
            least=1,
        ),
    }
)
_leaf = exactly(
    {
        "type": one_of(LEAF_TYPE),
        "site": text(),
        "location": text(),
        "ticket": integer(1),
        "first": integer(1),
        "last": integer(1),
        "card": text(),
        "station": text(),
        "writer": text(),
        "sold_ms": integer(),
        "price_cents": integer(1),
        "request": _request,
        "seal": hexadecimal(32),
        "state": one_of("live", "void", "cancelled"),
    }
)


def ticket_leaf(**fields: Unpack[TicketFields]) -> bytes:
    """Return the canonical bytes of a ticket's leaf; raise `Malformed` if a field is wrong."""
    leaf: Leaf = {"type": LEAF_TYPE, **fields}
    return encode(check_leaf(leaf))


def check_leaf(decoded: object) -> Leaf:
    """Return a decoded leaf; raise `Malformed` if a field is wrong or contradicts another."""
    _leaf(decoded, "leaf")
    leaf = cast(Leaf, decoded)
    games = leaf["last"] - leaf["first"] + 1
    if games < 1 or leaf["request"]["games"] != games:
        raise Malformed("leaf.last - leaf.first + 1 is not the number of games of its request")
    if leaf["price_cents"] % games:
        raise Malformed("leaf.price_cents does not divide by its games")
    for group in leaf["request"]["groups"]:
        if any(left >= right for left, right in pairwise(group)):
            raise Malformed("leaf.request has a group whose numbers do not ascend")
    return leaf


def price_one_game_cents(leaf: Leaf) -> int:
    """Return a ticket's price for one game in cents: its whole price divided by its games."""
    return leaf["price_cents"] // (leaf["last"] - leaf["first"] + 1)


def seal(code: str) -> str:
    """Return the seal of a validation code: the digest that a leaf has instead of the code.

    Raise `ValueError` if the code is too short to be kept secret by a digest.
    """
    if len(code) < CODE_CHARACTERS_MIN:
        raise ValueError("a validation code of fewer than 80 bits could be found from its seal")
    return digest({"type": SEAL_TYPE, "code": code})
