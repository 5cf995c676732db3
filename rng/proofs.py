"""Checks a ticket's proof (step 9) and a whole book (step 10) against a verified game.

The verifier runs both checks on request. A book is the list of all tickets that play a game.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rng.canonical import NotCanonical, decode_line, encode
from rng.gamecheck import BookSummary, Game, NotVerified
from rng.records import Genesis
from rng.shape import Malformed, array, exactly, hexadecimal, integer, text
from rng.tree import (
    Leaf,
    check_leaf,
    leaf_hash,
    price_one_game_cents,
    root,
    root_from_path,
    seal,
)

CLOCK_TOLERANCE_MS = 5_000
"""Maximum milliseconds by which two clocks may differ without being reported."""
SaleOff = dict[str, int]
"""An entry of the report: a sale whose time does not fit its game.

It has game, ticket and `difference_ms`, in milliseconds: negative before the commitments, positive
after the close.
"""

_proof = exactly(
    {
        "code": text(16, 100),
        "game": integer(1),
        "index": integer(),
        "leaf": lambda leaf, _where: _check_leaf(leaf),
        "path": array(hexadecimal(32), most=64),
    }
)


def _check_leaf(leaf: object) -> None:
    check_leaf(leaf)


def read_proof(line: bytes) -> Mapping[str, Any]:
    """Return the decoded proof of a ticket from its line.

    Raise `NotVerified` if it is malformed.
    """
    try:
        decoded = decode_line(line)
        _proof(decoded, "ticket")
    except (NotCanonical, Malformed) as error:
        raise NotVerified(9, str(error)) from None
    assert isinstance(decoded, Mapping)  # noqa: S101 # the table has just shown it
    return decoded


def check_ticket(proof: Mapping[str, Any], game: Game, genesis: Genesis) -> None:
    """Step 9: raise `NotVerified` unless a proof shows a live ticket in this game's closed book.

    Checked are the place, the games played, the path to the signed root, the validation code and
    the state.
    """

    def no(message: str) -> NotVerified:
        return NotVerified(9, message, game.number)

    leaf: Leaf = proof["leaf"]
    if game.book is None:
        raise no("the game was not closed, so it has no tree of tickets")
    if (leaf["site"], leaf["location"]) != (genesis.site, genesis.location):
        raise no("the ticket is of another place")
    if not leaf["first"] <= game.number <= leaf["last"]:
        raise no("the ticket does not play this game")
    path = [bytes.fromhex(each) for each in proof["path"]]
    found = root_from_path(leaf_hash(encode(leaf)), proof["index"], game.book.leaves, path)
    if found is None or found.hex() != game.book.root:
        raise no("the ticket is not in the book of this game at this place")
    if seal(proof["code"]) != leaf["seal"]:
        raise no("the validation code is not the ticket's")
    if leaf["state"] != "live":
        raise no(f"the ticket was {leaf['state']} when the game closed")


def check_book(
    lines: Iterable[bytes],
    game: Game,
    genesis: Genesis,
    last_ticket_before: int,
    sales_off: list[SaleOff],
) -> None:
    """Step 10: raise `NotVerified` unless the lines are a game's whole book with its signed totals.

    Each line is the leaf of a ticket. `last_ticket_before` is the last ticket number before those
    sold for this game: ticket numbers, not clocks, decide for which game a ticket was sold. A sale
    whose time is not between the commitments and the close is added to `sales_off` and is no fault.
    """
    if game.book is None:
        raise NotVerified(10, "the game was not closed, so it has no book", game.number)
    hashes = []
    tickets = handle_cents = number = 0
    expected = last_ticket_before + 1  # the next ticket whose first game this is
    for line in lines:
        leaf = _read_leaf(line, game, genesis)
        if leaf["ticket"] <= number:
            raise NotVerified(10, f"ticket {leaf['ticket']} follows {number}", game.number)
        number = leaf["ticket"]
        if leaf["first"] == game.number:
            _check_sale(leaf, game, expected)
            expected += 1
            if difference_ms := _off_ms(leaf, game):
                off = {"game": game.number, "ticket": number, "difference_ms": difference_ms}
                sales_off.append(off)
        hashes.append(leaf_hash(line[:-1]))
        if leaf["state"] == "live":
            tickets += 1
            handle_cents += price_one_game_cents(leaf)
    if expected != game.book.last_ticket + 1:
        raise NotVerified(
            10, f"the book has no ticket {expected}, or one after the last", game.number
        )
    found = BookSummary(
        root(hashes).hex(), len(hashes), tickets, handle_cents, game.book.last_ticket
    )
    if found != game.book:
        raise NotVerified(10, f"the book gives {found}, signed is {game.book}", game.number)


def _read_leaf(line: bytes, game: Game, genesis: Genesis) -> Leaf:
    try:
        leaf = check_leaf(decode_line(line))
    except (NotCanonical, Malformed) as error:
        raise NotVerified(10, f"a leaf of the book: {error}", game.number) from None
    if (leaf["site"], leaf["location"]) != (genesis.site, genesis.location):
        raise NotVerified(10, f"ticket {leaf['ticket']} is of another place", game.number)
    if not leaf["first"] <= game.number <= leaf["last"]:
        raise NotVerified(10, f"ticket {leaf['ticket']} does not play this game", game.number)
    return leaf


def _check_sale(leaf: Leaf, game: Game, expected: int) -> None:
    """Raise `NotVerified` unless a ticket that was sold for this game has the expected number."""
    number = leaf["ticket"]
    if number != expected:
        raise NotVerified(10, f"ticket {number} stands where ticket {expected} should", game.number)


def _off_ms(leaf: Leaf, game: Game) -> int:
    """Return by how many milliseconds a sale is before the commitments or after the close.

    Negative: before. Positive: after. 0: between them, or off by no more than the tolerance.
    """
    sold_ms = leaf["sold_ms"]
    if game.commit_w_ms is not None and sold_ms < game.commit_w_ms - CLOCK_TOLERANCE_MS:
        return sold_ms - game.commit_w_ms
    if game.countersign_ms is not None and sold_ms > game.countersign_ms + CLOCK_TOLERANCE_MS:
        return sold_ms - game.countersign_ms
    return 0
