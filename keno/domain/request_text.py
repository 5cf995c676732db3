"""The text form of a keno request in one line, and conditioning as it is printed on a ticket.

`1 2 3 4/5 6 7 8/9 10 11 12/K77: 3/8@1.00 AK1,BK1@2.00 x5 =35.00` is three groups and a king; all
three ways of eight spots at $1.00 a way; group A with the first king and B with it at $2.00; for
five games; $35.00 in all. Groups are lettered A-Z, then a-z, without K and k. No mark behind a
price means the default rate.
"""

import re
from collections.abc import Sequence

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents, format_plain, parse_dollars
from keno.domain.ratecard import RateCard
from keno.domain.request_json import TEXT_MAX, from_json
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays

LETTERS = "ABCDEFGHIJLMNOPQRSTUVWXYZabcdefghijlmnopqrstuvwxyz"

_NUMBER = re.compile(r"[0-9]{1,3}", re.ASCII)
_COUNT = re.compile(r"[0-9]{1,15}", re.ASCII)
_MEMBER = re.compile(r"K[0-9]{1,2}|[A-JL-Za-jl-z]", re.ASCII)
_SET = re.compile(r"(?:K[0-9]{1,2}|[A-JL-Za-jl-z])+", re.ASCII)
_LINE = re.compile(
    r"(?P<what>[^@]+)@(?P<price>[0-9]+(?:\.[0-9]{2})?)(?P<mark>[^0-9.].*|)", re.ASCII
)
_CODE_BEHIND_CENTS = re.compile(
    r"(?P<what>[^@]+)@(?P<price>[0-9]+\.[0-9]{2})(?P<mark>[a-z0-9_-]{1,16})", re.ASCII
)


def read_request(text: str, card: RateCard) -> KenoRequest:
    """Return the request of a text: JSON if it begins with a brace, else the text form.

    Raise Refused as `from_json` and `parse` do.
    """
    return from_json(text) if text.lstrip().startswith("{") else parse(text, card)


def parse(text: str, card: RateCard) -> KenoRequest:
    """Return the request of a text in the text form; `card` gives the rate of each mark.

    Raise Refused if the text is malformed or the request inconsistent.
    """
    if len(text) > TEXT_MAX:
        raise _malformed("The request is too long to be a keno request.")
    marked, colon, conditioned = text.strip().partition(":")
    if not colon:
        raise _malformed(
            "A colon separates the marked numbers from the conditioning, as in 1 2 3: 1/3@1.00."
        )
    groups: list[tuple[int, ...]] = []
    kings: list[int] = []
    for part in marked.split("/") if marked.strip() else []:
        if part.strip().startswith("K"):
            kings.append(_number(part.strip()[1:]))
        else:
            groups.append(tuple(_number(each) for each in part.split()))
    lines: list[Line] = []
    games: int | None = None
    price_cents: Cents | None = None
    for token in "@".join(part.strip() for part in conditioned.split("@")).split():
        if token.startswith("x") and _COUNT.fullmatch(token[1:]) and games is None:
            games = int(token[1:])
        elif token.startswith("=") and price_cents is None:
            price_cents = _dollars(token[1:])
        else:
            lines.append(parse_line(token, len(groups), len(kings), card))
    return KenoRequest(
        tuple(groups), tuple(kings), tuple(lines), 1 if games is None else games, price_cents
    )


def print_request(request: KenoRequest, card: RateCard) -> str:
    """Return a request in the text form; `parse` with the same card reads the same request."""
    parts = [" ".join(map(str, group)) for group in request.groups]
    parts += [f"K{king}" for king in request.kings]
    tokens = [f"{_ways(line, request)}@{_wager(line, card)}" for line in request.lines]
    if request.multi_race:
        tokens.append(f"x{request.games}")
    if request.price_cents is not None:
        tokens.append(f"={format_plain(request.price_cents)}")
    return f"{'/'.join(parts)}: {' '.join(tokens)}"


def conditioning(request: KenoRequest, line: Line, card: RateCard) -> str:
    """Return a line as a ticket prints it: ``3/8 @1.00``, with sets ``2/4 (AB CD) @1.25S``."""
    counts = request.spots_of(line)
    shown = " ".join(f"{counts[spots]}/{spots}" for spots in sorted(counts))
    if isinstance(line, ListedWays):
        shown += f" ({' '.join(set_name(each, request) for each in line.sets)})"
    return f"{shown} @{_wager(line, card)}"


def set_name(members: Sequence[int], request: KenoRequest) -> str:
    """Return the name of one way, made of the names of its groups: ``AB``, ``CK1``."""
    first_king = len(request.groups)
    return "".join(
        LETTERS[index] if index < first_king else f"K{index - first_king + 1}" for index in members
    )


def _ways(line: Line, request: KenoRequest) -> str:
    if isinstance(line, EveryWay):
        return f"{line.ways}/{line.spots}"
    return ",".join(set_name(each, request) for each in line.sets)


def _wager(line: Line, card: RateCard) -> str:
    return format_plain(line.wager_cents) + card.mark_of(line.rate)


def parse_line(token: str, groups: int, kings: int, card: RateCard) -> Line:
    """Return the conditioning line of a text such as ``3/8@1.00`` or ``AB,CD@1.25``.

    `groups` and `kings` are how many the request has. Raise Refused if the text is malformed, or
    names a group, king or rate that does not exist.
    """
    match = _LINE.fullmatch(token) or _CODE_BEHIND_CENTS.fullmatch(token)
    if match is None:
        raise _malformed(
            f"{token[:40]!r} is not conditioning such as 3/8@1.00 or AB,CD@1.25, nor games such "
            "as x5, nor a price such as =35.00."
        )
    wager_cents = _dollars(match["price"])
    rate = card.rate_of_mark(match["mark"])
    if rate is None:
        raise Refused(
            Refusal.UNKNOWN_RATE,
            f"No rate on the card has the mark {match['mark'][:20]!r}; it has "
            + ", ".join(card.mark_of(code) or "no mark" for code in list(card.rates)[:8])
            + ".",
        )
    ways, slash, spots = match["what"].partition("/")
    if slash:
        return EveryWay(_count(ways), _count(spots), rate, wager_cents)
    sets = tuple(_set(each, groups, kings) for each in match["what"].split(","))
    return ListedWays(sets, rate, wager_cents)


def _set(text: str, groups: int, kings: int) -> tuple[int, ...]:
    if not _SET.fullmatch(text):
        raise _malformed(f"{text[:40]!r} does not name groups, such as AB or CK1.")
    members = []
    for name in _MEMBER.findall(text):
        index = LETTERS.index(name) if len(name) == 1 else groups + int(name[1:]) - 1
        in_range = index < groups if len(name) == 1 else groups <= index < groups + kings
        if not in_range:
            raise Refused(Refusal.UNKNOWN_GROUP, f"There is no group {name} on this ticket.")
        members.append(index)
    return tuple(members)


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise _malformed(
            f"{text[:40]!r} is not a number of the grid; numbers are separated by spaces."
        )
    return int(text)


def _count(text: str) -> int:
    if not _COUNT.fullmatch(text):
        raise _malformed(f"{text[:40]!r} is not a count.")
    return int(text)


def _dollars(text: str) -> Cents:
    try:
        return parse_dollars(text)
    except ValueError as error:
        raise _malformed(f"{error}.") from None


def _malformed(message: str) -> Refused:
    return Refused(Refusal.MALFORMED, message)
