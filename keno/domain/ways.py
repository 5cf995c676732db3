"""A request by name, as screens show it: its groups, its lines, its rate, the ways that won."""

from collections.abc import Sequence
from typing import Any

from keno.domain.grading import every_set
from keno.domain.money import format_dollars
from keno.domain.ratecard import RateCard
from keno.domain.request_text import LETTERS
from keno.domain.wager import KenoRequest, Line, ListedWays

WAYS_SHOWN = 24
"""So many winning ways of a game, at most."""


def type_name(request: KenoRequest) -> str:
    """``King ticket``."""
    return f"{request.type.value.capitalize()} ticket"


def names_of(request: KenoRequest) -> list[str]:
    """The groups by their letters, then the kings: ``A``, ``B``, ``K1``."""
    kings = [f"K{index + 1}" for index in range(len(request.kings))]
    return [*LETTERS[: len(request.groups)], *kings]


def groups_named(request: KenoRequest) -> list[dict[str, Any]]:
    """Each group and king with its name and its numbers."""
    return [
        {"letter": letter, "numbers": list(group)}
        for letter, group in zip(names_of(request), request.all_groups, strict=True)
    ]


def line_label(request: KenoRequest, line: Line) -> str:
    """``3/8``; a list of sets of several sizes has all of them, ``2/4 1/6``."""
    counts = request.spots_of(line)
    return " ".join(f"{counts[spots]}/{spots}" for spots in sorted(counts))


def conditioning_text(request: KenoRequest) -> str:
    """All lines after each other: ``3/8 1/12``."""
    return " ".join(line_label(request, line) for line in request.lines)


def rate_text(request: KenoRequest) -> str:
    """``$1.00 a way``; with several amounts, all of them."""
    amounts = dict.fromkeys(line.wager_cents for line in request.lines)
    return f"{' and '.join(map(format_dollars, amounts))} a way"


def ways_won(request: KenoRequest, card: RateCard, catches: Sequence[int]) -> list[dict[str, Any]]:
    """The ways that won, the highest first, from what each group caught."""
    names, won = names_of(request), []
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
                won.append((pays[spots][caught], spots, caught, members))
    won.sort(key=lambda way: (-way[0], way[1], way[3]))
    return [
        {
            "members": [names[index] for index in members],
            "spots": spots,
            "caught": caught,
            "award_cents": cents,
        }
        for cents, spots, caught, members in won[:WAYS_SHOWN]
    ]
