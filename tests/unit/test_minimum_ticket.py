"""15.3(e): the certifier judges the minimum that can be bought, found here by plain enumeration."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from random import Random

import pytest
from hypothesis import given

from keno.domain.cardfile import read_card
from keno.domain.certify import CardFault, WagerVerdict, wager_verdicts
from keno.domain.errors import Refused
from keno.domain.minimum_ticket import WAYS_JUDGED_MAX, TicketLimits, ways_of_type
from keno.domain.pricing import price
from keno.domain.ratecard import Proportional, Rate, RateCard, Tier
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays, TicketType
from keno.store.book import LEAF_BYTES_MAX, lines_text, request_text
from tests.cards import CARD, card, card_text
from tests.counts import count
from tests.strategies import keno_requests

WAYS = 4
"""Maximum ways of the tickets that are enumerated."""
SPOTS = range(1, 7)
"""Spot counts of the groups that are enumerated."""

Shape = tuple[tuple[int, ...], int, tuple[tuple[int, ...] | int, ...]]
"""Sizes of the groups, how many of the last are kings, and sets of groups (or spots of an n/s)."""


@dataclass(frozen=True)
class Small:
    """A small ticket: what it is, and one request that is such a ticket."""

    type: TicketType
    ways: int
    spots: frozenset[int]
    shape: Shape

    def request(self, rate: str, wager: int, games: int) -> KenoRequest:
        return built(self.shape, rate, wager, games)


def built(shape: Shape, rate: str, wager: int, games: int = 1) -> KenoRequest:
    sizes, kings, chosen = shape
    numbers = iter(range(1, 81))
    groups = [tuple(next(numbers) for _ in range(size)) for size in sizes]
    cut = len(groups) - kings
    listed = tuple(each for each in chosen if isinstance(each, tuple))
    lines: list[Line] = [ListedWays(listed, rate, wager)] if listed else []
    lines += [
        EveryWay(comb(len(sizes), spots // sizes[0]), spots, rate, wager)
        for spots in chosen
        if isinstance(spots, int)
    ]
    singles = tuple(group[0] for group in groups[cut:])
    return KenoRequest(tuple(groups[:cut]), singles, tuple(lines), games)


def shapes() -> Iterator[Shape]:
    yield from few_groups()
    yield from splits()
    yield from stars()
    yield from equal_groups()


def few_groups() -> Iterator[Shape]:
    """Up to four groups, the last ones perhaps kings, with any few sets."""
    for groups in range(1, 5):
        every = [s for n in range(1, groups + 1) for s in combinations(range(groups), n)]
        chosen = [some for n in range(1, WAYS + 1) for some in combinations(every, n)]
        for kings in range(groups + 1):
            sizes_max = 6 if groups < 3 else 3 if groups == 3 else 2
            for large in combinations_with_replacement(range(1, sizes_max + 1), groups - kings):
                sizes = (*large, *[1] * kings)
                yield from ((sizes, kings, some) for some in chosen)


def splits() -> Iterator[Shape]:
    """15.2(c)2: groups of any size, each by itself."""
    for groups in range(2, WAYS + 1):
        for sizes in combinations_with_replacement(SPOTS, groups):
            yield (sizes, 0, tuple((index,) for index in range(groups)))


def stars() -> Iterator[Shape]:
    """One group combined with each of several others, which are all kings or none."""
    for block in SPOTS:
        for others in range(1, WAYS + 1):
            pairs = tuple((0, other) for other in range(1, others + 1))
            yield from (((block, *[1] * others), kings, pairs) for kings in (0, others))


def equal_groups() -> Iterator[Shape]:
    """15.2(c)3: equal groups, all sets of one, two or more of them."""
    for size in range(1, 4):
        for groups in range(2, 9):
            for some in range(1, 2**groups):
                takes = [n for n in range(1, groups + 1) if some >> (n - 1) & 1]
                if sum(comb(groups, taken) for taken in takes) <= WAYS:
                    yield ((size,) * groups, 0, tuple(taken * size for taken in takes))


@cache
def small_tickets() -> tuple[Small, ...]:
    """One small ticket for each type, number of ways and spot counts, by ways."""
    found: dict[tuple[TicketType, int, frozenset[int]], Small] = {}
    for shape in shapes():
        try:
            request = built(shape, "only", 100)
        except Refused:
            continue
        spots = frozenset(each for line in request.lines for each in request.spots_of(line))
        key = (request.type, request.ways, spots)
        found.setdefault(key, Small(*key, shape))
    return tuple(sorted(found.values(), key=lambda each: each.ways))


def random_card(seed: int) -> RateCard:
    """A card of one rate with a few spot counts, types, tiers, steps and limits of a ticket."""
    random = Random(seed)
    step, least = random.choice([1, 5, 7, 25]), random.randint(1, 60)
    tiers = [Tier(1, least)]
    for ways in sorted(random.sample(range(2, WAYS + 1), random.choice([0, 0, 1, 2]))):
        if tiers[-1].min_cents > 1:
            tiers.append(Tier(ways, random.randint(1, tiers[-1].min_cents - 1)))
    cheapest = random.choice([1, 20, 60, 100, 250])
    rate = Rate(
        code="only",
        base_cents=random.choice([1, 5, 25]),
        max_cents=least + step * random.choice([0, 1, 3, 10, 60]),
        step_cents=step,
        tiers=tuple(tiers),
        pays={
            spots: {spots: random.choice([3, 50, 10**4, 10**6]) * 25}
            for spots in sorted(random.sample(SPOTS, random.randint(1, 4)))
        },
        types=frozenset(random.sample(list(TicketType), random.randint(1, 5))),
        games_min=random.choice([1, 1, 3]),
    )
    return RateCard(
        name="Random", version="1", spots_max=6, aggregate_max_cents=100_000_00,
        aggregate_share=Proportional(), multi_race_games_max=5, multi_race_refunds=False,
        claim_minutes=60, ticket_min_cents=cheapest,
        ticket_max_cents=cheapest + random.choice([0, 3, 50, 10_000]),
        ways_max=random.randint(1, WAYS), default_rate="only", rates={"only": rate},
    )  # fmt: skip


def plain_minimum(card: RateCard, spots: int, index: int) -> tuple[Small, int] | None:
    """The fewest ways, and then the lowest wager on all of them, that the card really sells."""
    rate = card.rates["only"]
    ends = [tier.ways - 1 for tier in rate.tiers[1:]] + [card.ways_max]
    for small in small_tickets():
        if not rate.tiers[index].ways <= small.ways <= min(ends[index], card.ways_max):
            continue
        if small.type not in rate.types or spots not in small.spots or small.spots - set(rate.pays):
            continue
        for wager in range(rate.tiers[index].min_cents, rate.max_cents + 1, rate.step_cents):
            if card.ticket_min_cents <= small.ways * wager <= card.ticket_max_cents:
                return small, wager
    return None


def advantage(rate: Rate, spots: int, wager: int, maximum: int) -> Fraction:
    """15.1 from the definition; the generated rates pay for all spots caught only."""
    [(catch, cents)] = rate.pays[spots].items()
    chance = Fraction(comb(spots, catch) * comb(80 - spots, 20 - catch), comb(80, 20))
    return 1 - chance * min(Fraction(cents * wager, rate.base_cents), Fraction(maximum)) / wager


Judge = Callable[[RateCard], list[WagerVerdict]]


def certifier(card: RateCard) -> list[WagerVerdict]:
    limits = TicketLimits(card.ticket_min_cents, card.ticket_max_cents, card.ways_max)
    return wager_verdicts(card.rates, card.aggregate_max_cents, limits)


def forgets_the_ticket_minimum(card: RateCard) -> list[WagerVerdict]:
    limits = TicketLimits(1, card.ticket_max_cents, card.ways_max)
    return wager_verdicts(card.rates, card.aggregate_max_cents, limits)


def agrees(judge: Judge, card: RateCard) -> bool:
    """Every verdict is that of the ticket which enumeration finds."""
    rate = card.rates["only"]
    wanted = [(spots, index) for spots in rate.pays for index in range(len(rate.tiers))]
    for verdict, (spots, index) in zip(judge(card), wanted, strict=True):
        plain, ticket = plain_minimum(card, spots, index), verdict.ticket
        if plain is None or ticket is None:
            if (plain, ticket) != (None, None):
                return False
            continue
        small, wager = plain
        if (ticket.ways, ticket.wager_cents, verdict.spots) != (small.ways, wager, spots):
            return False
        if verdict.house_advantage != advantage(rate, spots, wager, card.aggregate_max_cents):
            return False
    return True


@pytest.mark.parametrize(
    ("judge", "right"), [(certifier, True), (forgets_the_ticket_minimum, False)]
)
def test_15_3_e_every_minimum_that_can_be_bought_is_judged(judge: Judge, *, right: bool) -> None:
    seeds = range(count(400, 10_000))
    wrong = [seed for seed in seeds if not agrees(judge, random_card(seed))]
    assert (wrong == []) is right, wrong[:5]


def test_15_3_e_the_ticket_that_is_judged_is_sold_and_nothing_below_it() -> None:
    sold = 0
    for seed in range(count(200, 2_000)):
        card = random_card(seed)
        rate = card.rates["only"]
        for verdict in certifier(card):
            if verdict.ticket is None:
                continue
            [small, *_] = [
                each
                for each in small_tickets()
                if (each.type, each.ways) == (verdict.ticket.type, verdict.ticket.ways)
                and verdict.spots in each.spots <= set(rate.pays)
            ]
            request = small.request("only", verdict.wager_cents, rate.games_min)
            pays = [cents for each in small.spots for cents in rate.pays[each].values()]
            if any(cents * verdict.wager_cents % rate.base_cents for cents in pays):
                continue  # a fault of its own
            sold += 1
            priced = price(request, card)
            assert priced.price_one_game_cents == verdict.ticket.price_cents
            lower = verdict.wager_cents - rate.step_cents
            if lower > 0:
                with pytest.raises(Refused):
                    price(small.request("only", lower, rate.games_min), card)
    assert sold > 100


@given(keno_requests())
def test_15_3_e_no_ticket_that_is_sold_has_fewer_ways_than_the_one_judged(
    request: KenoRequest,
) -> None:
    offered = card()
    codes = {(line.rate, line.wager_cents) for line in request.lines}
    if len(codes) > 1:
        return
    [(code, wager)] = codes
    price(request, offered)
    rate = offered.rates[code]
    tier = max(tier.ways for tier in rate.tiers if tier.ways <= request.ways)
    index = [each.ways for each in rate.tiers].index(tier)
    for spots in {each for line in request.lines for each in request.spots_of(line)}:
        judged = [v for v in certifier(offered) if (v.rate, v.spots) == (code, spots)][index]
        assert judged.ticket is not None
        assert judged.ticket.ways <= request.ways
        assert judged.ticket.ways < request.ways or judged.wager_cents <= wager
        assert ways_of_type(request.type, spots, frozenset(rate.pays)) >> request.ways & 1


# The cards that were certified although nothing lawful could be bought under them.

FOUR_FOR_240 = {"1": {"1": 3_00}, "2": {"2": 12_00}, "3": {"3": 55_00}, "4": {"4": 240_00}}


def test_15_3_e_a_high_minimum_price_is_judged_where_the_maximum_bites() -> None:
    """A four-spot of $1.00 keeps 26.48%, but only $1,000.00 can be bought, which keeps 69.37%."""
    rate = {
        "base_cents": 1_00, "min_cents": 1_00, "max_cents": 1_000_00, "step_cents": 1_00,
        "types": ["straight"], "pays": FOUR_FOR_240,
    }  # fmt: skip
    report = read_card(
        card_text(rates={"r": rate}, default_rate="r", spots_max=4, ticket_min_cents=1_000_00)
    )
    four = next(each for each in report.wagers if each.spots == 4)
    assert four.ticket is not None
    assert (four.ticket.type, four.ticket.ways, four.wager_cents) == ("straight", 1, 1_000_00)
    assert f"{float(four.house_advantage):.8f}" == "0.69366077"
    [fault] = [each for each in report.faults if "4 spots" in each.message]
    assert fault.code is CardFault.OVER_LIMIT
    assert "on a straight ticket of 1 way for $1,000.00" in fault.message


def test_15_3_e_more_ways_do_not_divide_the_minimum_price() -> None:
    text = CARD.replace("ticket_min_cents = 50", "ticket_min_cents = 10_00")
    judged = {(each.rate, each.spots, each.wager_cents) for each in read_card(text).wagers}
    assert ("regular", 10, 10_00) in judged
    assert ("regular", 10, 1_00) in judged  # ten ways, in the tier of ten
    assert ("5race", 1, 5_00) in judged  # two ways: the maximum of one is five dollars


# Cards of an attack from outside.


@pytest.mark.parametrize(
    ("paid", "spots", "most"),
    [
        ({1, 80}, 80, 50),
        ({1, 80}, 1, 50),
        ({1, 79}, 79, 98),
        ({2, 80}, 2, 1225),
        ({2, 80}, 80, 1177),
        ({1, 2, 80}, 1, 1305),
        ({2, 79, 80}, 2, 1226),
        ({2}, 2, 1225),
        ({80}, 80, 1),
        ({79}, 79, 49),
        ({78}, 78, 1176),
    ],
    ids=str,
)
def test_the_most_ways_of_a_combination_ticket(paid: set[int], spots: int, most: int) -> None:
    possible = ways_of_type(TicketType.COMBINATION, spots, frozenset(paid))
    assert possible.bit_length() - 1 == most


@pytest.mark.parametrize(
    ("paid", "spots", "most"),
    [({1}, 1, 80), ({3}, 3, 26), ({3, 10}, 10, 24), ({1, 79}, 79, 2), ({40}, 40, 2)],
    ids=str,
)
def test_the_most_ways_of_a_split_ticket(paid: set[int], spots: int, most: int) -> None:
    possible = ways_of_type(TicketType.SPLIT, spots, frozenset(paid))
    assert possible.bit_length() - 1 == most


def test_a_group_of_more_than_half_the_numbers_has_no_split_ticket() -> None:
    assert ways_of_type(TicketType.SPLIT, 41, frozenset({41})) == 0


def test_all_pairs_of_fifty_numbers_in_two_lines_are_a_combination_ticket() -> None:
    pairs = tuple(combinations(range(50), 2))
    lines = (ListedWays(pairs[:1], "only", 100), ListedWays(pairs[1:], "only", 100))
    request = KenoRequest(tuple((number,) for number in range(1, 51)), (), lines)
    assert (request.type, request.ways) == (TicketType.COMBINATION, 1225)


def test_15_3_d_no_tier_is_posted_that_no_ticket_reaches_not_even_the_first() -> None:
    first, second = {"ways": 1, "min_cents": 4_00}, {"ways": 2, "min_cents": 1_00}
    text = card_text(
        ticket_max_cents=2_00, rates__regular__tiers=[first, second],
        rates__regular__max_cents=4_00, rates__special=None, rates__5race__max_cents=2_00,
    )  # fmt: skip
    assert {fault.code for fault in read_card(text).faults} >= {
        CardFault.TIER_NEVER_REACHED,
        CardFault.MAXIMUM_NOT_REACHED,
    }


def test_a_ticket_that_lists_the_most_ways_judged_fits_its_leaf() -> None:
    groups = (tuple(range(1, 32)), *((number,) for number in range(32, 81)))
    sets = tuple((0, *more) for more in combinations(range(1, 50), 3))[:WAYS_JUDGED_MAX]
    request = KenoRequest(groups, (), (ListedWays(sets, "regular", 100),))
    assert len(request_text(request, lines_text(request.lines))) < LEAF_BYTES_MAX - 1_000
