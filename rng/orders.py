"""Shared reading of requests for orders that two keyholders sign: a void of a game, a resume."""

from collections.abc import Mapping
from typing import Any

from rng.canonical import decode_line
from rng.records import Genesis, read_genesis, read_message
from rng.shape import Check


class NoOrder(Exception):
    """Raised if an order cannot be made or its request is wrong; the message is for people."""


def anything(_value: object, _where: str) -> None:
    """Accept any value: a check for fields that another function checks."""


def read_request(
    line: bytes, check: Check, chains: Mapping[str, Genesis] | None
) -> tuple[Any, Genesis]:
    """Return a decoded request and its genesis; raise `NoOrder` if R does not know its chain.

    `chains` are the chains that R knows, by digest; without them the request's own genesis is used.
    A damaged request raises `NotCanonical`, `Malformed`, `BadKey` or `BadSignature`.
    """
    decoded: Any = decode_line(line)
    check(decoded, "request")
    stated = read_message(decoded["genesis"], "genesis")
    genesis = read_genesis(stated) if chains is None else chains.get(stated.digest)
    if genesis is None:
        raise NoOrder("The request is of a chain that this generator does not have.")
    return decoded, genesis
