"""Requests for orders that two people sign: a void of a game, and a resume after a halt."""

from collections.abc import Mapping
from typing import Any

from rng.canonical import decode_line
from rng.records import Genesis, read_genesis, read_message
from rng.shape import Check


class NoOrder(Exception):
    """An order that cannot be made; the message is a sentence for people."""


def anything(_value: object, _where: str) -> None:
    """Accept any value: another function checks it."""


def read_request(
    line: bytes, check: Check, chains: Mapping[str, Genesis] | None
) -> tuple[Any, Genesis]:
    """Return a decoded request and its genesis; raise `NoOrder` if its chain is not known.

    `chains` are the chains that R knows; without them the request's own genesis is used. A damaged
    request raises what `rng.records` raises.
    """
    decoded: Any = decode_line(line)
    check(decoded, "request")
    stated = read_message(decoded["genesis"], "genesis")
    genesis = read_genesis(stated) if chains is None else chains.get(stated.digest)
    if genesis is None:
        raise NoOrder("The request is of a chain that this generator does not have.")
    return decoded, genesis
