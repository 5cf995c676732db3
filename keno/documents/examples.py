"""Worked examples of every ticket type (15.2(c), quick-pick), priced by the domain on the card.

Each type has several plans, and the first plan that the card offers is shown. So a card that takes
only six spots, or has a rate for straight tickets only, still gets examples that can be sold.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from keno.domain.errors import Refused, counted
from keno.domain.money import Cents, format_dollars
from keno.domain.pricing import Priced, price
from keno.domain.ratecard import Rate, RateCard
from keno.domain.request_text import conditioning, set_name
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays, QuickPick, TicketType


@dataclass(frozen=True)
class Plan:
    """A sample ticket without rates and prices, from which an example is made if a card offers it.

    `lines` are pairs of ways and spots; `listed` are sets of groups by index. `two_rates` asks for
    a second rate on lines after the first.
    """

    note: str
    groups: tuple[tuple[int, ...], ...]
    lines: tuple[tuple[int, int], ...] = ()
    listed: tuple[tuple[int, ...], ...] = ()
    kings: tuple[int, ...] = ()
    games: int = 1
    two_rates: bool = False
    quick: bool = False


@dataclass(frozen=True)
class Example:
    """A priced sample ticket of one type that the card offers, with its explanation (`note`)."""

    name: str
    type: TicketType
    note: str
    priced: Priced
    quick: bool

    @property
    def request(self) -> KenoRequest:
        return self.priced.request

    @property
    def conditioning(self) -> list[str]:
        """Each line of the request as text, as it is printed on the ticket."""
        return [conditioning(self.request, line, self.priced.card) for line in self.request.lines]

    @property
    def arithmetic(self) -> str:
        """The price calculation as text, without its result: ``3 ways × $1.00 × 5 games``."""
        ways: dict[Cents, int] = {}
        for line in self.request.lines:
            ways[line.wager_cents] = ways.get(line.wager_cents, 0) + line.ways
        whole = " + ".join(
            f"{counted(number, 'way')} × {format_dollars(cents)}" for cents, number in ways.items()
        )
        if not self.request.multi_race:
            return whole
        games = counted(self.request.games, "game")
        return f"{whole if len(ways) == 1 else f'({whole})'} × {games}"

    @property
    def price_cents(self) -> Cents:
        return self.priced.price_cents

    def letter(self, index: int) -> str:
        """Return the name of a group or king, ``A`` or ``K1``; empty if it is the only group."""
        return set_name((index,), self.request) if len(self.request.all_groups) > 1 else ""

    def ways_of(self, line: Line) -> list[tuple[int, ...]]:
        """Return the sets of groups that a line plays, by index; kings follow the groups."""
        if isinstance(line, ListedWays):
            return list(line.sets)
        places = range(len(self.request.sizes))
        return [
            each
            for taken in range(1, len(places) + 1)
            for each in combinations(places, taken)
            if self.request.set_spots(each) == line.spots
        ]


FOURS = ((7, 18, 33, 61), (12, 26, 49, 70), (4, 38, 77))
TWOS = ((5, 14), (23, 36), (47, 68))

STRAIGHT = tuple(
    Plan(
        "One group of numbers. How many you mark decides what a catch pays.",
        ((8, 15, 22, 41, 67, 74)[:spots],),
        ((1, spots),),
    )
    for spots in (5, 4, 3, 2, 6, 1)
)
SPLIT_NOTE = (
    "Several straight tickets on one. Circle each group; no number is in two of them. "
    "Groups that differ in size may differ in rate."
)
SPLIT = (
    Plan(SPLIT_NOTE, ((3, 9, 20), (44, 51, 68, 72)), ((1, 3), (1, 4)), two_rates=True),
    Plan(SPLIT_NOTE, ((3, 9, 20), (44, 51, 68, 72)), ((1, 3), (1, 4))),
    Plan(SPLIT_NOTE, ((3, 9), (44, 51)), ((2, 2),)),
    Plan(SPLIT_NOTE, ((3,), (44,)), ((2, 1),)),
)
WAY = (
    Plan(
        "Groups of one size at one rate. Here every two of three groups make a way of 8 spots.",
        (*FOURS[:2], (4, 38, 59, 77)),
        ((3, 8),),
    ),
    Plan(
        "Groups of one size at one rate. Here every two of three groups make a way of 4 spots.",
        TWOS,
        ((3, 4),),
    ),
    Plan(
        "Groups of one size at one rate. Here every two of three make a way of 2 spots.",
        ((5,), (23,), (47,)),
        ((3, 2),),
    ),
)
COMBINATION = (
    Plan(
        "Groups of any size, combined as you say: here A with B, and all three. If a total fits "
        "more sets than you want, list yours: (AB CD).",
        ((2, 29), (16, 35, 64), (10, 43, 57, 79)),
        ((1, 5), (1, 9)),
    ),
    Plan("Groups of any size, combined as you say: here A with B.", TWOS[:2], ((2, 2),), ((0, 1),)),
    Plan(
        "Groups of any size, combined as you say: here A with B, and B with C.",
        ((2,), (16,), (35,)),
        listed=((0, 1), (1, 2)),
    ),
)
KING = (
    Plan(
        "A single number, circled, is a king. It joins other groups to make up ways, and a "
        "ticket may have several.",
        FOURS,
        ((3, 8), (1, 12)),
        kings=(55,),
    ),
    Plan(
        "A single number, circled, is a king. It joins other groups to make up ways.",
        TWOS[:2],
        ((2, 3),),
        kings=(55,),
    ),
    Plan(
        "A single number, circled, is a king. It joins other groups to make up ways.",
        ((5,),),
        ((1, 2),),
        kings=(55,),
    ),
)
MULTI_RACE = tuple(
    Plan(
        "Any ticket for games one after the other, at one rate. It is paid after its last game.",
        ((6, 17, 31, 42, 58, 80)[:spots],),
        ((1, spots),),
        games=games,
    )
    for games in (5, 2)
    for spots in (6, 4, 3, 2, 1)
)
QUICK_PICK = tuple(
    Plan(
        "A straight ticket whose numbers the computer picks. It needs no request: tell the writer "
        "how many spots.",
        (tuple(range(1, spots + 1)),),
        ((1, spots),),
        quick=True,
    )
    for spots in (7, 5, 3, 2, 1)
)
TYPES: tuple[tuple[str, TicketType, tuple[Plan, ...]], ...] = (
    ("Straight", TicketType.STRAIGHT, STRAIGHT),
    ("Split", TicketType.SPLIT, SPLIT),
    ("Way", TicketType.WAY, WAY),
    ("Combination", TicketType.COMBINATION, COMBINATION),
    ("King", TicketType.KING, KING),
    ("Multi-race", TicketType.STRAIGHT, MULTI_RACE),
    ("Quick-pick", TicketType.STRAIGHT, QUICK_PICK),
)
"""Each type of example: its title, its ticket type, and its plans in order of preference."""


def worked_examples(card: RateCard) -> list[Example]:
    """Return an example of each type in `TYPES`, without those that the card does not offer."""
    found = (_first_offered(name, kind, plans, card) for name, kind, plans in TYPES)
    return [example for example in found if example is not None]


def _first_offered(
    name: str, kind: TicketType, plans: tuple[Plan, ...], card: RateCard
) -> Example | None:
    for plan in plans:
        for rates in _rates(card, two=plan.two_rates):
            priced = _priced(plan, rates, card)
            if priced is not None and priced.request.type is kind:
                return Example(name, kind, plan.note, priced, plan.quick)
    return None


def _rates(card: RateCard, *, two: bool) -> Iterator[tuple[Rate, Rate]]:
    """Yield pairs of rates to try for a plan, the default rate first.

    With `two` each pair is the default rate and another rate; else a rate twice.
    """
    default = card.rates[card.default_rate]
    others = [rate for rate in card.rates.values() if rate is not default]
    if two:
        yield from ((default, other) for other in others)
    else:
        yield from ((rate, rate) for rate in (default, *others))


def _priced(plan: Plan, rates: tuple[Rate, Rate], card: RateCard) -> Priced | None:
    """Return the plan priced at the smallest wagers of the rates; None if the card refuses it."""
    ways = sum(number for number, _ in plan.lines) + len(plan.listed)
    wagers = [(rate.code, _wager(rate, ways, card)) for rate in rates]
    lines: list[Line] = [
        EveryWay(number, spots, *wagers[index > 0])
        for index, (number, spots) in enumerate(plan.lines)
    ]
    if plan.listed:
        lines.append(ListedWays(plan.listed, *wagers[0]))
    games = max(plan.games, rates[0].games_min) if plan.games > 1 else 1
    try:
        if plan.quick:
            first = lines[0]
            quick = QuickPick(len(plan.groups[0]), first.rate, first.wager_cents)
            return price(quick.with_numbers(plan.groups[0]), card)
        return price(KenoRequest(plan.groups, plan.kings, tuple(lines), games), card)
    except Refused:
        return None


def _wager(rate: Rate, ways: int, card: RateCard) -> Cents:
    """Return the least wager per way, in cents, at which `ways` ways reach the ticket minimum."""
    least = rate.min_cents(ways)
    missing = max(0, -(-card.ticket_min_cents // ways) - least)
    return least + -(-missing // rate.step_cents) * rate.step_cents
