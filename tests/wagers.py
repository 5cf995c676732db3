"""Short functions that make a request and its lines, and expect refusals."""

from collections.abc import Callable

import pytest

from keno.domain.errors import Refusal, Refused
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays

Set = tuple[int, ...]


def every(ways: int, spots: int, wager_cents: int = 100, rate: str = "regular") -> EveryWay:
    return EveryWay(ways, spots, rate, wager_cents)


def listed(*sets: Set, wager_cents: int = 100, rate: str = "regular") -> ListedWays:
    return ListedWays(sets, rate, wager_cents)


def request(sizes: list[int], *lines: Line, kings: int = 0, games: int = 1) -> KenoRequest:
    """Return a request with groups of these sizes from number 1 on, and kings from 80 down."""
    starts = [1 + sum(sizes[:index]) for index in range(len(sizes))]
    groups = tuple(
        tuple(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)
    )
    return KenoRequest(groups, tuple(range(80, 80 - kings, -1)), lines, games)


def refusal(ask: Callable[[], object]) -> tuple[Refusal, str]:
    with pytest.raises(Refused) as exc:
        ask()
    assert exc.value.message
    return exc.value.reason, exc.value.where


def only_refused(read: Callable[[], KenoRequest]) -> KenoRequest | None:
    """Return the request that `read` returns, or None if it is refused with a usable sentence."""
    try:
        return read()
    except Refused as error:
        refused = error
    assert refused.message.encode()
    assert len(refused.message) <= 400
    assert refused.where.isascii()
    return None
