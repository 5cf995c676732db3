"""Fast conversion of a keno request from a message's decoded JSON to a `KenoRequest`.

A request that does not fit is read again by `keno.domain.request_json`, whose refusal names the
field at fault.
"""

from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType

from keno.domain.request_json import INTEGER_MAX, from_written
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays

_Whole = Annotated[int, msgspec.Meta(ge=-INTEGER_MAX, le=INTEGER_MAX)]


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    rate: str
    wager_cents: _Whole
    ways: _Whole | UnsetType = UNSET
    spots: _Whole | UnsetType = UNSET
    sets: tuple[tuple[_Whole, ...], ...] | UnsetType = UNSET


class _Request(msgspec.Struct, forbid_unknown_fields=True):
    groups: tuple[tuple[_Whole, ...], ...]
    lines: tuple[_Line, ...]
    kings: tuple[_Whole, ...] = ()
    games: _Whole = 1
    price_cents: _Whole | None = None


def read_request(decoded: object) -> KenoRequest:
    """Return a keno request from its decoded JSON; raise Refused, naming the field, if malformed.

    The result is the same as that of the slower `keno.domain.request_json.from_written`.
    """
    try:
        written = msgspec.convert(decoded, _Request)
        lines = tuple([_line(each) for each in written.lines])
    except (msgspec.ValidationError, UnicodeEncodeError):
        return from_written(decoded)
    return KenoRequest(written.groups, written.kings, lines, written.games, written.price_cents)


def _line(written: _Line) -> Line:
    sets, ways, spots = written.sets, written.ways, written.spots
    if sets is UNSET and ways is not UNSET and spots is not UNSET:
        return EveryWay(ways, spots, written.rate, written.wager_cents)
    if sets is not UNSET and ways is UNSET and spots is UNSET:
        return ListedWays(sets, written.rate, written.wager_cents)
    raise msgspec.ValidationError("a line has either ways and spots, or sets")
