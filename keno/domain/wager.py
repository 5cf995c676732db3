"""Keno requests: groups, kings and conditioning lines, and the ticket type they make (15.2(c)).

One representation serves every ticket type: disjoint groups of numbers (a king is a group of one),
and lines that say which sets of groups are combined at which rate. Each set is one way. Creating a
`KenoRequest` checks that it is consistent; `pricing.py` checks that a rate card offers it.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from math import comb

from keno.domain.errors import Refusal, Refused, counted
from keno.domain.money import CENTS_MAX, Cents

NUMBERS = 80
"""15.2(a): total numbers of the game: 1 to 80."""
BALLS = 20
"""15.5(d)2: total numbers drawn in a game."""
DRAWS = comb(NUMBERS, BALLS)
"""Total possible draws; the total, and so every count of draws, fits 64 bits."""

GROUPS_MAX = 50
"""Maximum number of groups: one for each letter A-Z and a-z without K and k."""
LINES_MAX = 1_000
LISTED_SETS_MAX = 10_000
GAMES_MAX = 100_000


class TicketType(StrEnum):
    """Ticket types of 15.2(c)1-5. A multi-race (15.2(c)6) is any of them for several games."""

    STRAIGHT = "straight"
    SPLIT = "split"
    WAY = "way"
    COMBINATION = "combination"
    KING = "king"


@dataclass(frozen=True, slots=True)
class EveryWay:
    """A conditioning line ``n/s``: it plays every set of groups whose spots total `spots`.

    `ways` is the number of such sets; a request with another number is refused.
    """

    ways: int
    spots: int
    rate: str
    wager_cents: Cents


@dataclass(frozen=True, slots=True)
class ListedWays:
    """A conditioning line of chosen sets of groups; each set is one way.

    A set has indices of groups; kings are numbered after the groups.
    """

    sets: tuple[tuple[int, ...], ...]
    rate: str
    wager_cents: Cents

    @property
    def ways(self) -> int:
        return len(self.sets)


Line = EveryWay | ListedWays


def count_sets(sizes: Iterable[int], spots: int) -> int:
    """Return the number of sets of groups of these sizes whose spots add up to `spots`."""
    counts = set_counts(tuple(sizes))
    return counts[spots] if spots < len(counts) else 0


@lru_cache(maxsize=1024)
def set_counts(sizes: tuple[int, ...]) -> tuple[int, ...]:
    """Return how many sets of groups of these sizes total 0, 1, 2 … spots, indexed by the total.

    The totals go up to 80 or the sum of all sizes, whichever is more. One long integer holds all
    counts while they are computed, `bits` bits each: no count exceeds the number of all sets.
    """
    bits, counts = len(sizes) + 1, 1
    for size in sizes:
        counts += counts << bits * size
    top, mask = max(sum(sizes), NUMBERS), (1 << bits) - 1
    return tuple([counts >> bits * total & mask for total in range(top + 1)])


@dataclass(frozen=True)
class KenoRequest:
    """A keno request: marked groups and kings, conditioning lines, and how many games to play.

    `price_cents` is the price that the patron wrote, or None. Creating a request sorts the numbers
    of each group, and raises Refused if the request is inconsistent.
    """

    groups: tuple[tuple[int, ...], ...]
    kings: tuple[int, ...]
    lines: tuple[Line, ...]
    games: int = 1
    price_cents: Cents | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", tuple([tuple(sorted(g)) for g in self.groups]))
        object.__setattr__(self, "lines", tuple([_ascending(line) for line in self.lines]))
        self._check_numbers()
        # All other checks depend on these fields only, which are the same for many tickets.
        structure = (self.sizes, len(self.kings), self.lines, self.games, self.price_cents)
        if structure in _SOUND:
            return
        self._check_lines()
        for index, line in enumerate(self.lines):
            self._check_sets(line, f"lines[{index}]")
        self._check_no_set_twice()
        self._check_every_group_played()
        self._check_split_rate()
        if self.ways <= SOUND_WAYS_MAX:
            if len(_SOUND) >= SOUND_MAX:
                _SOUND.clear()
            _SOUND.add(structure)

    @cached_property
    def all_groups(self) -> tuple[tuple[int, ...], ...]:
        """The groups, then each king as a group of one: the order of group indices in sets."""
        return self.groups + tuple((king,) for king in self.kings)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(len(group) for group in self.all_groups)

    @property
    def spots_marked(self) -> int:
        return sum(self.sizes)

    @cached_property
    def ways(self) -> int:
        return sum(line.ways for line in self.lines)

    @cached_property
    def price_one_game_cents(self) -> Cents:
        return sum(line.ways * line.wager_cents for line in self.lines)

    @property
    def multi_race(self) -> bool:
        """Whether the request is for more than one game (15.2(c)6)."""
        return self.games > 1

    def spots_of(self, line: Line) -> Counter[int]:
        """Return how many ways of each spot count a line plays, by spot count."""
        if isinstance(line, EveryWay):
            return Counter({line.spots: line.ways})
        return Counter(self.set_spots(each) for each in line.sets)

    @cached_property
    def spots_by_line(self) -> tuple[Counter[int], ...]:
        """For each line, how many ways of each spot count it plays."""
        return tuple(map(self.spots_of, self.lines))

    def set_spots(self, members: Sequence[int]) -> int:
        sizes = self.sizes
        return sum([sizes[index] for index in members])

    @cached_property
    def type(self) -> TicketType:
        """The ticket type (15.2(c)1-5) that the groups and lines make.

        Straight or split: no way combines groups. King: a way combines a king. Way: equal groups,
        one rate and wager, and all sets of equally many groups on each line. Combination: any
        other.
        """
        if self._single_groups_only:
            return TicketType.STRAIGHT if self.ways == 1 else TicketType.SPLIT
        if any(self._combines_a_king(line) for line in self.lines):
            return TicketType.KING
        if self._sizes_equal and self._one_rate and all(map(self._complete, self.lines)):
            return TicketType.WAY
        return TicketType.COMBINATION

    @property
    def _sizes_equal(self) -> bool:
        return len(set(self.sizes)) == 1

    @property
    def _one_rate(self) -> bool:
        """Whether all lines have the same rate code and the same wager per way."""
        return len({(line.rate, line.wager_cents) for line in self.lines}) == 1

    @cached_property
    def _single_groups_only(self) -> bool:
        for line in self.lines:
            if isinstance(line, EveryWay):
                if line.ways != self.sizes.count(line.spots):
                    return False
            elif any(len(each) > 1 for each in line.sets):
                return False
        return True

    def _combines_a_king(self, line: Line) -> bool:
        if not self.kings:
            return False
        if isinstance(line, EveryWay):
            # Whether the other groups can make up the spots besides one king.
            others = self.sizes[:-1]
            return line.spots > 1 and count_sets(others, line.spots - 1) > 0
        first_king = len(self.groups)
        return any(len(each) > 1 and each[-1] >= first_king for each in line.sets)

    def _complete(self, line: Line) -> bool:
        """Return whether a line plays all sets of m groups for some m; groups are of equal size."""
        if isinstance(line, EveryWay):
            return True
        taken = {len(each) for each in line.sets}
        return len(taken) == 1 and line.ways == comb(len(self.sizes), taken.pop())

    def _check_numbers(self) -> None:
        marked = [number for group in self.groups for number in group]
        marked += self.kings
        if (
            self.groups
            and all(self.groups)
            and len(self.groups) <= GROUPS_MAX
            and len(_GRID.intersection(marked)) == len(marked)
        ):
            return
        seen: set[int] = set()
        if len(self.groups) > GROUPS_MAX:
            raise Refused(
                Refusal.TOO_MANY_GROUPS,
                f"A ticket has at most {GROUPS_MAX} groups; this one has {len(self.groups)}.",
                "groups",
            )
        for index, group in enumerate(self.groups):
            if not group:
                raise Refused(
                    Refusal.GROUP_EMPTY, "A group has no number marked.", f"groups[{index}]"
                )
            _mark(group, seen, f"groups[{index}]")
        for index, king in enumerate(self.kings):
            _mark((king,), seen, f"kings[{index}]")
        if not self.groups and len(self.kings) < 2:
            raise Refused(
                Refusal.NO_GROUPS,
                "Mark at least one group beside a king, or two kings.",
                "groups",
            )

    def _check_lines(self) -> None:
        if not self.lines:
            raise Refused(
                Refusal.NO_CONDITIONING, "The ticket has no conditioning, such as 1/8.", "lines"
            )
        listed = sum(line.ways for line in self.lines if isinstance(line, ListedWays))
        if len(self.lines) > LINES_MAX or listed > LISTED_SETS_MAX:
            raise Refused(
                Refusal.TOO_MANY_WAYS,
                f"At most {LINES_MAX:,} lines and {LISTED_SETS_MAX:,} listed ways go on a ticket.",
                "lines",
            )
        for index, line in enumerate(self.lines):
            if not 1 <= line.wager_cents <= CENTS_MAX:
                raise Refused(
                    Refusal.WAGER_TOO_LOW if line.wager_cents < 1 else Refusal.WAGER_TOO_HIGH,
                    "A wager a way is from one cent to ten billion dollars.",
                    f"lines[{index}].wager_cents",
                )
        if self.price_cents is not None and not 1 <= self.price_cents <= CENTS_MAX:
            raise Refused(
                Refusal.PRICE_DIFFERS, "The price that is written is no price.", "price_cents"
            )
        if not 1 <= self.games <= GAMES_MAX:
            raise Refused(
                Refusal.GAMES_OUT_OF_RANGE,
                f"A ticket plays from 1 to {GAMES_MAX:,} games, not {self.games}.",
                "games",
            )

    def _check_sets(self, line: Line, where: str) -> None:
        if isinstance(line, EveryWay):
            possible = count_sets(self.sizes, line.spots) if 1 <= line.spots <= NUMBERS else 0
            if possible == 0 or possible != line.ways:
                raise Refused(
                    Refusal.WAYS_DO_NOT_MATCH,
                    f"{line.ways}/{line.spots} is written, but these groups make "
                    f"{counted(possible, 'way')} of {counted(line.spots, 'spot')}.",
                    where,
                )
            return
        if not line.sets or not all(line.sets):
            raise Refused(Refusal.NO_CONDITIONING, "A listed way names no group.", f"{where}.sets")
        for position, members in enumerate(line.sets):
            at = f"{where}.sets[{position}]"
            for index in members:
                if not 0 <= index < len(self.sizes):
                    raise Refused(
                        Refusal.UNKNOWN_GROUP,
                        f"A way names group {index}, but the ticket's groups are numbered "
                        f"0 to {len(self.sizes) - 1}.",
                        at,
                    )
            if len(set(members)) < len(members):
                raise Refused(Refusal.GROUP_TWICE_IN_WAY, "A way combines a group with itself.", at)

    def _check_no_set_twice(self) -> None:
        """Raise Refused if a set of groups is bet twice, in one line or across lines."""
        every = [line.spots for line in self.lines if isinstance(line, EveryWay)]
        listed = [each for line in self.lines if isinstance(line, ListedWays) for each in line.sets]
        twice = len(set(every)) < len(every) or len(set(listed)) < len(listed)
        if twice or any(
            not counts.keys().isdisjoint(every)
            for line, counts in zip(self.lines, self.spots_by_line, strict=True)
            if isinstance(line, ListedWays)
        ):
            raise Refused(Refusal.WAY_BET_TWICE, "The same groups are bet twice as a way.", "lines")

    def _check_every_group_played(self) -> None:
        played = {
            index
            for line in self.lines
            if isinstance(line, ListedWays)
            for each in line.sets
            for index in each
        }
        for index, size in enumerate(self.sizes):
            others = self.sizes[:index] + self.sizes[index + 1 :]
            if index not in played and not any(
                isinstance(line, EveryWay)
                and line.spots >= size
                and count_sets(others, line.spots - size) > 0
                for line in self.lines
            ):
                king = index - len(self.groups)
                raise Refused(
                    Refusal.GROUP_NOT_PLAYED,
                    "A group or king is marked that no way plays: "
                    + " ".join(map(str, self.all_groups[index]))
                    + ".",
                    f"kings[{king}]" if king >= 0 else f"groups[{index}]",
                )

    def _check_split_rate(self) -> None:
        """15.2(c)2: raise Refused if a split of equal groups has more than one rate or wager."""
        if self.type is TicketType.SPLIT and self._sizes_equal and not self._one_rate:
            raise Refused(
                Refusal.SPLIT_NEEDS_ONE_RATE,
                "The groups of this split ticket are equal in size, so all must have one rate "
                "and one wager a way.",
                "lines",
            )


@dataclass(frozen=True, slots=True)
class QuickPick:
    """A request for a straight ticket whose numbers the system chooses (15.1).

    Creating one raises Refused if its spots are not from 1 to 80.
    """

    spots: int
    rate: str
    wager_cents: Cents
    games: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.spots <= NUMBERS:
            raise Refused(
                Refusal.QUICK_PICK_SPOTS,
                f"A quick-pick has 1 to {NUMBERS} spots, not {self.spots}.",
                "spots",
            )

    def with_numbers(self, numbers: Sequence[int]) -> KenoRequest:
        """Return the straight request for the numbers chosen; all its games play these numbers.

        Raise ValueError if they are not as many as the spots.
        """
        if len(numbers) != self.spots:
            raise ValueError(f"a quick-pick of {self.spots} was given {len(numbers)} numbers")
        line = EveryWay(1, self.spots, self.rate, self.wager_cents)
        return KenoRequest((tuple(numbers),), (), (line,), self.games)


def check_drawn(numbers: Sequence[int]) -> None:
    """15.5(d)2: raise Refused unless the numbers are twenty different ones from 1 to 80."""
    for number in numbers:
        if not 1 <= number <= NUMBERS:
            raise Refused(Refusal.BAD_DRAW, f"{number} is not drawn from 1 to {NUMBERS}.")
        if numbers.count(number) > 1:
            raise Refused(Refusal.BAD_DRAW, f"{number} cannot be drawn twice.")
    if len(numbers) != BALLS:
        raise Refused(Refusal.BAD_DRAW, f"A draw is {BALLS} numbers, not {len(numbers)}.")


_GRID = frozenset(range(1, NUMBERS + 1))
_SOUND: set[tuple[object, ...]] = set()
"""Structures of requests that passed all checks, kept so that each is checked once."""
SOUND_MAX, SOUND_WAYS_MAX = 5_000, 500


def _ascending(line: Line) -> Line:
    if isinstance(line, EveryWay):
        return line
    sets = tuple(tuple(sorted(each)) for each in line.sets)
    return ListedWays(sets, line.rate, line.wager_cents)


def _mark(numbers: Iterable[int], seen: set[int], where: str) -> None:
    for number in numbers:
        if not 1 <= number <= NUMBERS:
            raise Refused(
                Refusal.NUMBER_OUT_OF_RANGE,
                f"{number} is not on the grid: the numbers are 1 to {NUMBERS}.",
                where,
            )
        if number in seen:
            raise Refused(Refusal.NUMBER_TWICE, f"{number} is marked twice.", where)
        seen.add(number)
