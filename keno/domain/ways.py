"""A keno request in words for screens: its groups, lines and wagers, and the ways that won."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from keno.domain.grading import every_set
from keno.domain.money import Cents, format_dollars
from keno.domain.ratecard import RateCard
from keno.domain.request_text import LETTERS
from keno.domain.wager import KenoRequest, Line, ListedWays

WAYS_SHOWN = 24
"""Maximum winning ways of a game that `ways_won` lists."""


def type_name(request: KenoRequest) -> str:
    """Return the ticket type in words: ``King ticket``."""
    return f"{request.type.value.capitalize()} ticket"


def names_of(request: KenoRequest) -> list[str]:
    """Return the letters of the groups, then the names of the kings: ``A``, ``B``, ``K1``."""
    kings = [f"K{index + 1}" for index in range(len(request.kings))]
    return [*LETTERS[: len(request.groups)], *kings]


def groups_named(request: KenoRequest) -> list[dict[str, Any]]:
    """Return each group and king as a dict of its name (`letter`) and its `numbers`."""
    return [
        {"letter": letter, "numbers": list(group)}
        for letter, group in zip(names_of(request), request.all_groups, strict=True)
    ]


def line_label(request: KenoRequest, line: Line) -> str:
    """Return a line as ``3/8``; listed sets of several sizes give one part each: ``2/4 1/6``."""
    counts = request.spots_of(line)
    return " ".join(f"{counts[spots]}/{spots}" for spots in sorted(counts))


def conditioning_text(request: KenoRequest) -> str:
    """Return all lines of a request: ``3/8 1/12``."""
    return " ".join(line_label(request, line) for line in request.lines)


def rate_text(request: KenoRequest) -> str:
    """Return the wager per way, ``$1.00 a way``; several amounts are joined by "and"."""
    amounts = dict.fromkeys(line.wager_cents for line in request.lines)
    return f"{' and '.join(map(format_dollars, amounts))} a way"


class WinningWay(NamedTuple):
    """A way that won: its award in cents before the game's maximum is shared, spots and catch."""

    award_cents: Cents
    spots: int
    caught: int
    members: tuple[int, ...]
    """Indices of the way's groups."""


def winning_ways(request: KenoRequest, card: RateCard, catches: Sequence[int]) -> list[WinningWay]:
    """Return the ways that won, the highest award first; `catches` has the hits of each group."""
    won = []
    for line in request.lines:
        sets = line.sets if isinstance(line, ListedWays) else every_set(request.sizes, line.spots)
        pays = {
            spots: card.payoffs(line.rate, spots, line.wager_cents)
            for spots in request.spots_of(line)
        }
        for members in sets:
            spots = request.set_spots(members)
            caught = sum(catches[index] for index in members)
            if pays[spots][caught]:
                won.append(WinningWay(pays[spots][caught], spots, caught, tuple(members)))
    return sorted(won, key=lambda way: (-way.award_cents, way.spots, way.members))


def ways_won(request: KenoRequest, card: RateCard, catches: Sequence[int]) -> list[dict[str, Any]]:
    """Return the highest winning ways, at most `WAYS_SHOWN`, as dicts with their groups' names."""
    names = names_of(request)
    return [
        {**way._asdict(), "members": [names[index] for index in way.members]}
        for way in winning_ways(request, card, catches)[:WAYS_SHOWN]
    ]
