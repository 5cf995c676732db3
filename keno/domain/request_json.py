"""The JSON form of a keno request, used on the wire, in files and in leaves.

Reading is strict: a missing, unknown or repeated field is refused, and so is a float or a boolean
in place of a number. Writing gives the normal form, without the price that the patron wrote.
"""

import json
from collections.abc import Mapping
from typing import Any

from keno.domain.errors import Refusal, Refused
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays

INTEGER_MAX = 2**53 - 1
"""Maximum integer in a request: the largest that every JSON reader represents exactly."""
TEXT_MAX = 256 * 1024
"""Maximum characters of the JSON text of a keno request."""


def from_json(text: str) -> KenoRequest:
    """Return the request of a JSON text; raise Refused if it is malformed or inconsistent."""
    if len(text) > TEXT_MAX:
        raise _malformed("The request is too long to be a keno request.")
    try:
        decoded = json.loads(
            text,
            object_pairs_hook=_object_without_doubles,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except (ValueError, RecursionError) as error:
        reason = str(error)[:80]
        raise _malformed(f"The request is not readable as JSON: {reason}.") from None
    return from_written(decoded)


def from_written(decoded: object) -> KenoRequest:
    """Return the request of decoded JSON; raise Refused if it is malformed or inconsistent."""
    fields = _object(decoded, _REQUIRED, _OPTIONAL, "request")
    price = fields.get("price_cents")
    return KenoRequest(
        groups=tuple(
            _integers(group, f"groups[{index}]")
            for index, group in enumerate(_list(fields["groups"], "groups"))
        ),
        kings=_integers(fields.get("kings", []), "kings"),
        lines=tuple(
            line_from_written(line, f"lines[{index}]")
            for index, line in enumerate(_list(fields["lines"], "lines"))
        ),
        games=_integer(fields.get("games", 1), "games"),
        price_cents=None if price is None else _integer(price, "price_cents"),
    )


def to_written(request: KenoRequest) -> dict[str, Any]:
    """Return the JSON object of a request in normal form: groups, kings, lines and games only."""
    return {
        "groups": [list(group) for group in request.groups],
        "kings": list(request.kings),
        "lines": [line_written(line) for line in request.lines],
        "games": request.games,
    }


def line_written(line: Line) -> dict[str, Any]:
    """Return the JSON object of a conditioning line: ways and spots or sets, rate and wager."""
    head: dict[str, Any] = (
        {"ways": line.ways, "spots": line.spots}
        if isinstance(line, EveryWay)
        else {"sets": [list(each) for each in line.sets]}
    )
    return head | {"rate": line.rate, "wager_cents": line.wager_cents}


def line_from_written(decoded: object, where: str = "line") -> Line:
    """Return the conditioning line of a decoded JSON object; raise Refused if it is malformed.

    `where` is the name of the field for the refusal.
    """
    listed = isinstance(decoded, dict) and "sets" in decoded
    fields = _object(decoded, _LISTED if listed else _EVERY, _NOTHING, where)
    rate = fields["rate"]
    if not isinstance(rate, str):
        raise _malformed("A rate is named by its code, as text.", f"{where}.rate")
    wager_cents = _integer(fields["wager_cents"], f"{where}.wager_cents")
    if listed:
        sets = tuple(
            _integers(each, f"{where}.sets[{index}]")
            for index, each in enumerate(_list(fields["sets"], f"{where}.sets"))
        )
        return ListedWays(sets, rate, wager_cents)
    ways = _integer(fields["ways"], f"{where}.ways")
    return EveryWay(ways, _integer(fields["spots"], f"{where}.spots"), rate, wager_cents)


_REQUIRED = frozenset({"groups", "lines"})
_OPTIONAL = frozenset({"kings", "games", "price_cents"})
_LISTED = frozenset({"sets", "rate", "wager_cents"})
_EVERY = frozenset({"ways", "spots", "rate", "wager_cents"})
_NOTHING: frozenset[str] = frozenset()
_INTEGERS = frozenset(range(256))
"""Integers accepted without a range check; nearly all are grid numbers or group indices."""


class _Unreadable(ValueError):
    """Raised inside the JSON decoder for a repeated field, a float, NaN or infinity."""


def _object_without_doubles(pairs: list[tuple[str, object]]) -> dict[str, object]:
    decoded = dict(pairs)
    if len(decoded) < len(pairs):
        raise _Unreadable("a field stands twice in one object")
    return decoded


def _no_float(text: str) -> object:
    raise _Unreadable(f"{text} is not a whole number")


def _malformed(message: str, where: str = "") -> Refused:
    return Refused(Refusal.MALFORMED, message, where)


def _object(
    decoded: object, required: frozenset[str], optional: frozenset[str], where: str
) -> Mapping[str, object]:
    if not isinstance(decoded, dict):
        raise _malformed(f"The {where} is not a JSON object.", where)
    if required <= decoded.keys() and decoded.keys() <= required | optional:
        return decoded
    for name in sorted(required - decoded.keys()):
        raise _malformed(f"The {where} has no field {name}.", where)
    for name in sorted(map(str, decoded.keys() - required - optional)):
        raise _malformed(f"The {where} has an unknown field {name[:40]!r}.", where)
    return decoded


def _list(decoded: object, where: str) -> list[object]:
    if not isinstance(decoded, list):
        raise _malformed(f"{where} is not a list.", where)
    return decoded


def _integers(decoded: object, where: str) -> tuple[int, ...]:
    listed = _list(decoded, where)
    if not listed:
        return ()
    if set(map(type, listed)) == {int} and _INTEGERS.issuperset(listed):
        return tuple(listed)  # type: ignore[arg-type] # the types were just looked at
    return tuple([_integer(each, where) for each in listed])


def _integer(decoded: object, where: str) -> int:
    if not isinstance(decoded, int) or isinstance(decoded, bool):
        raise _malformed(f"{where} has something that is not a whole number.", where)
    if abs(decoded) > INTEGER_MAX:
        raise _malformed(f"{where} has a number that is too large.", where)
    return decoded
