"""The slowest odds: requests as a patron may send them, from their text to the report.

Random requests are of every type and size; hostile ones use up what a message may hold. What is
timed is the whole path: read, price, odds at the patron's limit, report. Processor time, since
the limit is about work and other work may share the machine.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, combinations, islice
from random import Random
from time import process_time

from keno.domain.errors import Refused
from keno.domain.money import format_plain
from keno.domain.odds import PATRON_STEPS, ticket_odds
from keno.domain.pricing import price
from keno.domain.ratecard import RateCard
from keno.domain.request_text import LETTERS, read_request
from keno.domain.wager import GROUPS_MAX, NUMBERS, count_sets
from keno.service.counter import EXAMPLE, load_card, odds_report, usable_card

MESSAGE_MAX = 64 * 1024
"""Maximum length of a request that the server takes, in bytes."""
GOAL_MS = 250

Set = tuple[int, ...]
Maker = Callable[[Random], str]


def bench_odds_requests(randoms: int, hostiles: int, seed: int = 15) -> None:
    """Print the processor time of the slowest random and of the slowest hostile request."""
    random = Random(seed)
    card = usable_card(load_card(EXAMPLE))
    makers = list(HOSTILE.items())
    for what, requests in (
        ("random", (("any", any_request(random)) for _ in range(randoms))),
        ("hostile", ((name, make(random)) for name, make in cycled(makers, hostiles))),
    ):
        times = [(spent_ms(text, card), name, text) for name, text in requests]
        slowest, name, text = max(times)
        print(
            f"The slowest odds of {len(times):,} {what} requests: {slowest:.0f} ms of processor "
            f"time (goal: at most {GOAL_MS}); {name}, {len(text):,} bytes: {text[:90]}"
        )


def cycled(makers: Sequence[tuple[str, Maker]], count: int) -> Iterator[tuple[str, Maker]]:
    """Every maker in turn, again and again."""
    return (makers[index % len(makers)] for index in range(count))


def spent_ms(text: str, card: RateCard) -> float:
    """The processor time from a request's text to its report, or to its refusal."""
    start = process_time()
    with suppress(Refused):
        odds_report(ticket_odds(price(read_request(text, card), card), PATRON_STEPS))
    return (process_time() - start) * 1e3


# Requests as text.


Line = tuple[int, str]
"""Ways, and what comes before the wager."""


def written(sizes: Sequence[int], kings: int, lines: Sequence[Line], steps: int = 0) -> str:
    """A request on the first numbers of the grid at the least wager, plus steps that go round."""
    numbers = iter(range(1, NUMBERS + 1))
    groups = [" ".join(str(next(numbers)) for _ in range(size)) for size in sizes]
    groups += [f"K{next(numbers)}" for _ in range(kings)]
    ways = sum(each for each, _ in lines)
    least = 1_00 if ways < 10 else 25 if ways < 100 else 10
    tokens = [
        f"{what}@{format_plain(least + 5 * (index % (steps + 1)))}"
        for index, (_, what) in enumerate(lines)
    ]
    return f"{'/'.join(groups)}: {' '.join(tokens)}"


def names(sizes: Sequence[int], kings: int) -> list[str]:
    return [*LETTERS[: len(sizes)], *(f"K{king + 1}" for king in range(kings))]


def listed(sets: Sequence[Set], of: Sequence[str]) -> Line:
    """A line of these sets, as many as a message holds."""
    words = [f"{''.join([of[index] for index in each])}," for each in sets]
    lengths = accumulate(map(len, words))
    fitting = [word for word, end in zip(words, lengths, strict=True) if end < MESSAGE_MAX - 1_000]
    return len(fitting), "".join(fitting)[:-1]


def every(sizes: Sequence[int], totals: Iterable[int]) -> list[Line]:
    """A line for each total, as long as there are no more ways than the card allows."""
    counted = [(count_sets(sizes, total), total) for total in totals]
    running = accumulate(ways for ways, _ in counted)
    return [
        (ways, f"{ways}/{total}")
        for (ways, total), so_far in zip(counted, running, strict=True)
        if ways and so_far <= 10_000
    ]


def random_sizes(random: Random, most: int = NUMBERS) -> list[int]:
    """Group sizes that fit the grid, from a few kinds."""
    kinds = random.choices(range(1, 1 + random.choice([1, 2, 4, 8, 12])), k=random.randint(1, 4))
    sizes: list[int] = []
    for size in random.choices(kinds, k=random.randint(1, GROUPS_MAX)):
        if sum(sizes) + size <= most:
            sizes.append(size)
    return sizes or [1]


def random_sets(random: Random, groups: int, count: int, longest: int) -> list[Set]:
    """Different sets of groups, in the order they were drawn."""
    drawn = (
        tuple(sorted(random.sample(range(groups), random.randint(1, min(longest, groups)))))
        for _ in range(count)
    )
    return list(dict.fromkeys(drawn))


def any_request(random: Random) -> str:
    """Some ``n/s``, some listed ways of other totals."""
    kings = random.choice([0, 0, 0, 1, 2, 5])
    sizes = random_sizes(random, NUMBERS - kings)
    all_sizes, of = [*sizes, *[1] * kings], names(sizes, kings)
    totals = [total for total in range(1, 21) if count_sets(all_sizes, total)]
    played = random.sample(totals, random.randint(0, min(4, len(totals))))
    lines = every(all_sizes, played)
    sets = [
        each
        for each in random_sets(random, len(of), random.choice([0, 5, 40, 300]), 4)
        if sum(all_sizes[index] for index in each) not in {*played, *range(21, 81)}
    ]
    if sets:
        lines.append(listed(sets, of))
    return written(sizes, kings, lines, random.choice([0, 3]))


def many_sets(random: Random) -> str:
    """One line with as many sets as a ticket may list."""
    sets = random_sets(random, GROUPS_MAX, random.choice([3_000, 6_000, 9_900]), 3)
    return written([1] * 50, 0, [listed(sets, LETTERS)])


def many_lines(random: Random) -> str:
    """A thousand lines whose wagers differ."""
    sets = random_sets(random, GROUPS_MAX, 1_000, random.choice([2, 3, 5]))
    return written([1] * 50, 0, [listed([each], LETTERS) for each in sets], steps=36)


def many_lines_alike(random: Random) -> str:
    """A thousand lines of a few sets and one wager."""
    sets = iter(random_sets(random, GROUPS_MAX, 9_900, 3))
    lines = []
    while few := list(islice(sets, 9)):
        lines.append(listed(few, LETTERS))
    return written([1] * 50, 0, lines[:1_000])


def long_sets(random: Random) -> str:
    """Sets of up to twenty groups."""
    sets = random_sets(random, GROUPS_MAX, 6_000, 20)
    return written([1] * 50, 0, [listed(sets, LETTERS)])


def every_total(random: Random) -> str:
    """All totals that a way may have."""
    sizes = random_sizes(random)
    return written(sizes, 0, every(sizes, range(1, 21)))


def all_subsets(random: Random) -> str:
    """Groups that all differ, and every set of them listed or played by its total."""
    sizes = list(range(1, 13))
    played = random.sample(range(1, 21), random.randint(0, 10))
    sets = [
        each
        for length in range(1, 6)
        for each in combinations(range(12), length)
        if sum(each) + length <= 20 and sum(each) + length not in played
    ]
    return written(sizes, 0, [*every(sizes, played), listed(sets, LETTERS)])


def many_histograms(random: Random) -> str:
    """Few groups that are all different, in as many sets as there are."""
    sizes = random.choice([[1] * 16, [1] * 15, [2] * 10, [3] * 8, [1, 2, 3, 4, 5, 6, 7]])
    sets = random_sets(random, len(sizes), random.choice([30, 300, 3_000]), 6)
    fitting = [each for each in sets if sum(sizes[index] for index in each) <= 20]
    return written(sizes, 0, [listed(fitting, LETTERS)])


def nearly_alike(random: Random) -> str:
    """All sets of three groups but those of a ring: no two groups can be exchanged."""
    groups = random.choice([20, 30, 38])
    ring = {tuple(sorted((index, (index + 1) % groups, (index + 3) % groups)))
            for index in range(groups)}  # fmt: skip
    sets = [each for each in combinations(range(groups), 3) if each not in ring]
    return written([1] * groups, 0, [listed(sets, LETTERS)])


def many_kings(random: Random) -> str:
    """Kings as far as the grid goes, with all totals or with many pairs."""
    sizes = random_sizes(random, 40)
    kings = NUMBERS - sum(sizes)
    if random.random() < 0.5:
        return written(sizes, kings, every([*sizes, *[1] * kings], range(1, 21)))
    of = names(sizes, kings)
    sets = random_sets(random, len(of), 6_000, 2)
    return written(sizes, kings, [listed(sets, of)])


def wrong_totals(random: Random) -> str:
    """A thousand totals, the last of which cannot be."""
    sizes = random_sizes(random)
    return written(sizes, 0, [*(every(sizes, range(1, 81)) * 1_000)[:999], (1, "1/80")])


def unplayed(random: Random) -> str:
    """Totals that the last group is not in."""
    sizes = [1] * random.randint(10, 40) + [40]
    return written(sizes, 0, every(sizes, [1, 2, 3, *range(len(sizes) - 4, 40)]))


def as_json(random: Random) -> str:
    """The JSON form, filled up."""
    sets = random_sets(random, GROUPS_MAX, 5_000, 3)
    lines = [{"sets": [each], "rate": "regular", "wager_cents": 10} for each in sets[:1_000]]
    if random.random() < 0.5:
        lines = [{"sets": sets, "rate": "regular", "wager_cents": 10}]
    groups = [[number] for number in range(1, 51)]
    text = json.dumps({"groups": groups, "lines": lines}, separators=(",", ":"))
    return text if len(text) <= MESSAGE_MAX else text[:MESSAGE_MAX]


def nonsense(random: Random) -> str:
    """What is no request: one endless word, endless brackets, endless digits."""
    word = random.choice(["A", "1 ", "1/", "K1", "[", "{", "9", "@", "1@", "A,", ":", " ", "AB@1 "])
    head = random.choice(["", "1: ", '{"groups": ', "1/2/3: A"])
    return (head + word * MESSAGE_MAX)[:MESSAGE_MAX]


HOSTILE: dict[str, Maker] = {
    make.__name__: make
    for make in (
        many_sets, many_lines, many_lines_alike, long_sets, every_total, all_subsets,
        many_histograms, nearly_alike, many_kings, wrong_totals, unplayed, as_json, nonsense,
    )
}  # fmt: skip
