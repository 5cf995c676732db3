"""Ticket types (15.2(c)): a table of requests with their types, and naive enumeration."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from keno.domain.errors import Refusal, Refused
from keno.domain.wager import EveryWay, KenoRequest, Line, ListedWays, TicketType, count_sets
from tests.counts import count
from tests.strategies import TYPE_OF_KIND, keno_requests
from tests.wagers import Set, every, listed, refusal, request

STRAIGHT, SPLIT, WAY, COMBINATION, KING = TicketType


@pytest.mark.parametrize("spots", [1, 2, 10, 20, 21, 80])
def test_15_2_c_1_spots_without_grouping_are_a_straight_ticket(spots: int) -> None:
    for line in (every(1, spots), listed((0,))):
        straight = request([spots], line)
        assert straight.type is STRAIGHT
        assert straight.ways == 1
        assert straight.spots_of(line) == {spots: 1}


def test_15_2_c_2_a_split_is_several_straight_tickets_on_one() -> None:
    line = listed((0,), (1,), (2,))
    split = request([3, 5, 8], line)
    assert split.type is SPLIT
    assert split.spots_of(line) == {3: 1, 5: 1, 8: 1}


@pytest.mark.parametrize(
    "lines",
    [
        [listed((0,)), listed((1,), rate="special")],
        [listed((0,)), listed((1,), wager_cents=105)],
        [listed((0,), rate="special"), listed((1,), rate="regular", wager_cents=200)],
    ],
)
def test_15_2_c_2_i_equal_groups_of_a_split_need_one_rate(lines: list[Line]) -> None:
    differ = refusal(lambda: request([4, 4], *lines))
    assert differ == (Refusal.SPLIT_NEEDS_ONE_RATE, "lines")


@pytest.mark.parametrize(
    "lines", [[every(2, 4)], [listed((0,), (1,))], [listed((0,)), listed((1,))]]
)
def test_15_2_c_2_i_equal_groups_at_one_rate_are_a_split(lines: list[Line]) -> None:
    assert request([4, 4], *lines).type is SPLIT


def test_15_2_c_2_i_kings_alone_are_equal_groups_too() -> None:
    differ = refusal(lambda: request([], listed((0,)), listed((1,), wager_cents=200), kings=2))
    assert differ == (Refusal.SPLIT_NEEDS_ONE_RATE, "lines")


def test_15_2_c_2_ii_with_two_unequal_groups_each_may_have_its_own_rate() -> None:
    first, second = listed((0,)), listed((1,), rate="special", wager_cents=125)
    assert request([4, 5], first, second).type is SPLIT
    third = listed((2,), wager_cents=300)
    assert request([4, 4, 5], first, second, third).type is SPLIT  # the equal ones included
    assert request([4, 4], first, second, third, kings=1).type is SPLIT
    assert request([4, 5], every(1, 4), every(1, 5, wager_cents=200)).type is SPLIT


def test_15_2_c_3_equal_groups_all_combined_at_one_rate_are_a_way_ticket() -> None:
    way = request([4, 4, 4], every(3, 8))
    assert (way.type, way.ways, way.price_one_game_cents) == (WAY, 3, 300)


def test_15_2_c_3_ways_at_two_rates_are_not_a_way_ticket() -> None:
    for second in (every(1, 12, wager_cents=200), every(1, 12, rate="special")):
        assert request([4, 4, 4], every(3, 8), second).type is COMBINATION


def test_15_2_c_3_only_all_sets_of_so_many_groups_are_a_way_ticket() -> None:
    assert request([4] * 3, listed((0, 1), (0, 2), (1, 2))).type is WAY
    assert request([4] * 3, listed((0, 1), (0, 2))).type is COMBINATION
    assert request([2] * 3, listed((0, 1), (0, 2), (0, 1, 2))).type is COMBINATION  # 3 sets too


def test_15_2_c_4_groups_of_any_size_combined_by_choice_are_a_combination_ticket() -> None:
    assert request([2, 3, 5], listed((0, 1), (1, 2), (2,))).type is COMBINATION
    assert request([2, 3], every(1, 5)).type is COMBINATION


def test_15_2_c_5_a_king_combined_with_other_groups_is_a_king_ticket() -> None:
    assert request([4, 4], listed((0, 2), (1, 2)), kings=1).type is KING


def test_15_2_c_5_a_king_ticket_may_contain_more_than_one_king() -> None:
    king = request([3, 3], listed((0, 2), (1, 3), (0, 1, 2, 3), (2, 3)), kings=2)
    assert (king.type, king.ways) == (KING, 4)


TWO_FOUR_SPOTS = listed((0, 1), (2, 3))
TYPES: list[tuple[str, KenoRequest, TicketType, int]] = [
    ("one group", request([8], every(1, 8)), STRAIGHT, 1),
    ("one group, listed", request([8], listed((0,))), STRAIGHT, 1),
    ("one group of one that is no king", request([1], every(1, 1)), STRAIGHT, 1),
    ("two groups of one that are no kings", request([1, 1], every(2, 1)), SPLIT, 2),
    ("n/s that is single groups only", request([4, 4, 5], every(2, 4), every(1, 5)), SPLIT, 3),
    ("n/s of one group and two that equal it", request([4, 4, 8], every(2, 8)), COMBINATION, 2),
    ("the same, listed singly", request([4, 4, 8], every(2, 4), listed((2,))), SPLIT, 3),
    ("n/s of singles beside one of pairs", request([4, 4], every(2, 4), every(1, 8)), WAY, 3),
    ("king alone in a split", request([4], listed((0,), (1,)), kings=1), SPLIT, 2),
    ("king alone as 1/1", request([4], every(1, 1), every(1, 4), kings=1), SPLIT, 2),
    ("kings alone", request([], every(3, 1), kings=3), SPLIT, 3),
    ("kings combined with each other", request([], every(3, 2), kings=3), KING, 3),
    ("kings listed in part", request([], listed((0, 1), (2,)), kings=3), KING, 2),
    ("king with a group of one", request([1], every(1, 2), kings=1), KING, 1),
    ("one combined king makes it", request([4, 4], every(2, 5), every(1, 8), kings=1), KING, 3),
    (
        "kings combined with each other, and a group alone",
        request([4], listed((0,), (1, 2)), kings=2),
        KING,
        2,
    ),
    (
        "king alone beside combined groups",
        request([4, 4], listed((0, 1), (2,)), kings=1),
        COMBINATION,
        2,
    ),
    (
        "king alone as 1/1 beside combined groups",
        request([4, 4], every(1, 8), every(1, 1), kings=1),
        COMBINATION,
        2,
    ),
    (
        "n/s in which the kings make up a group's size",
        request([2], every(2, 2), kings=2),
        KING,
        2,
    ),
    ("groups of one combined, no king", request([1, 1, 1], every(3, 2)), WAY, 3),
    ("all groups in one way", request([4, 4], every(1, 8)), WAY, 1),
    ("listed sets that are all", request([4] * 3, listed((0, 1), (0, 2), (1, 2))), WAY, 3),
    ("listed sets that are all but one", request([4] * 3, listed((0, 1), (0, 2))), COMBINATION, 2),
    (
        "all sets of two and of three, at one rate",
        request([3] * 3, every(3, 6), listed((0, 1, 2))),
        WAY,
        4,
    ),
    (
        "all sets, divided over two lines that are not complete",
        request([4] * 3, listed((0, 1)), listed((0, 2), (1, 2))),
        COMBINATION,
        3,
    ),
    (
        "all sets of two and of one, in one line",
        request([4] * 2, listed((0,), (1,), (0, 1))),
        COMBINATION,
        3,
    ),
    (
        "as many sets as a complete line, of different sizes",
        request([2] * 3, listed((0, 1), (0, 2), (0, 1, 2))),
        COMBINATION,
        3,
    ),
    (
        "complete, but at two rates",
        request([4] * 3, listed((0, 1)), listed((0, 2), (1, 2), rate="special")),
        COMBINATION,
        3,
    ),
    (
        "complete lines at two wagers",
        request([4] * 3, every(3, 8), every(1, 12, wager_cents=200)),
        COMBINATION,
        4,
    ),
    ("unequal groups in every way", request([4, 3], every(1, 7)), COMBINATION, 1),
    ("2-2-2-2 as 6/4", request([2] * 4, every(6, 4)), WAY, 6),
    ("2-2-2-2 as two four-spots", request([2] * 4, TWO_FOUR_SPOTS), COMBINATION, 2),
    ("twenty groups of four, 190 eights", request([4] * 20, every(190, 8)), WAY, 190),
]


@pytest.mark.parametrize(
    ("asked", "ticket_type", "ways"), [row[1:] for row in TYPES], ids=[row[0] for row in TYPES]
)
def test_every_request_has_one_type(asked: KenoRequest, ticket_type: TicketType, ways: int) -> None:
    assert asked.type is ticket_type
    assert asked.ways == ways


def test_two_listed_four_spots_cost_less_than_the_six_way_four() -> None:
    six = request([2] * 4, every(6, 4))
    two = request([2] * 4, TWO_FOUR_SPOTS)
    assert (six.price_one_game_cents, two.price_one_game_cents) == (600, 200)


def test_the_price_is_ways_times_wager_over_all_lines() -> None:
    line, pair = every(3, 8, 100), listed((0, 3), (1, 3), wager_cents=200)
    asked = request([4] * 3, line, pair, kings=1, games=5)
    assert (asked.ways, asked.price_one_game_cents) == (5, 700)
    assert asked.spots_of(line) == {8: 3}
    assert asked.spots_of(pair) == {5: 2}
    assert asked.all_groups[3] == (80,)
    assert asked.spots_marked == 13


# ---------------------------------------------------------------- against naive enumeration


def subsets(count: int) -> list[Set]:
    sizes = range(1, count + 1)
    return [each for many in sizes for each in combinations(range(count), many)]


def total(sizes: list[int], members: Set) -> int:
    return sum(sizes[index] for index in members)


@given(st.lists(st.integers(1, 9), max_size=9), st.integers(0, 80))
def test_sets_are_counted_as_enumeration_counts_them(sizes: list[int], spots: int) -> None:
    enumerated = sum(total(sizes, each) == spots for each in [(), *subsets(len(sizes))])
    assert count_sets(sizes, spots) == enumerated


def enumerated(sizes: list[int], line: Line) -> list[Set]:
    if isinstance(line, ListedWays):
        return [tuple(sorted(each)) for each in line.sets]
    return [each for each in subsets(len(sizes)) if total(sizes, each) == line.spots]


def naive_type(sizes: list[int], kings: int, lines: list[Line]) -> TicketType:
    """15.2(c)1-5 again, by looking at every set of every line."""
    played = [enumerated(sizes, line) for line in lines]
    ways = [each for sets in played for each in sets]
    if all(len(each) == 1 for each in ways):
        return SPLIT if len(ways) > 1 else STRAIGHT
    if any(len(each) > 1 and max(each) >= len(sizes) - kings for each in ways):
        return KING
    rates = {(line.rate, line.wager_cents) for line in lines}
    complete = [set(combinations(range(len(sizes)), many)) for many in range(1, len(sizes) + 1)]
    if len(set(sizes)) == 1 and len(rates) == 1 and all(set(sets) in complete for sets in played):
        return WAY
    return COMBINATION


def naive_refusal(sizes: list[int], kings: int, lines: list[Line]) -> Refusal | None:
    """What is wrong with the sets of a request, again by looking at every one of them."""
    for line in lines:
        if isinstance(line, EveryWay) and line.ways != (len(enumerated(sizes, line)) or -1):
            return Refusal.WAYS_DO_NOT_MATCH
    ways = [each for line in lines for each in enumerated(sizes, line)]
    if len(ways) != len(set(ways)):
        return Refusal.WAY_BET_TWICE
    if {index for each in ways for index in each} != set(range(len(sizes))):
        return Refusal.GROUP_NOT_PLAYED
    rates = {(line.rate, line.wager_cents) for line in lines}
    split = naive_type(sizes, kings, lines) is SPLIT
    return Refusal.SPLIT_NEEDS_ONE_RATE if split and len(set(sizes)) == 1 < len(rates) else None


@st.composite
def requested(draw: DrawFn) -> tuple[list[int], int, list[Line]]:
    """Sizes, kings and lines: mostly sound, of all types, and sometimes wrong."""
    kings = draw(st.sampled_from([0, 0, 0, 1, 2, 3]))
    sizes = draw(st.sampled_from([[1], [3], [2] * 2, [2] * 3, [1] * 4, [1, 2], [4, 2, 2], []]))
    sizes = sizes + [1] * kings if sizes or kings > 1 else [1, 3, 2, 1]
    totals = st.sampled_from(sorted({total(sizes, each) for each in subsets(len(sizes))}))
    shapes = st.one_of(
        totals.map(lambda spots: (count_sets(sizes, spots), spots)),
        st.integers(1, len(sizes)).map(lambda many: [*combinations(range(len(sizes)), many)]),
        st.integers(0, len(sizes) - 1).map(lambda index: [(index,)]),
        st.lists(st.sampled_from(subsets(len(sizes))), min_size=1, max_size=4, unique=True),
    )
    lines: list[Line] = []
    for shape in draw(st.lists(shapes, min_size=1, max_size=3, unique_by=str)):
        rate, wager_cents = draw(st.sampled_from([("a", 1)] * 4 + [("a", 2), ("b", 1)]))
        if isinstance(shape, list):
            lines.append(ListedWays(tuple(shape), rate, wager_cents))
        else:
            ways, spots = shape
            off = draw(st.sampled_from([0] * 12 + [-1, 1]))
            lines.append(EveryWay(ways + off, spots, rate, wager_cents))
    return sizes, kings, lines


@settings(max_examples=count(300, 50_000))
@given(requested())
def test_requests_are_judged_as_enumeration_judges_them(
    asked: tuple[list[int], int, list[Line]],
) -> None:
    sizes, kings, lines = asked
    groups = sizes[: len(sizes) - kings]
    found: TicketType | Refusal
    try:
        found = request(groups, *lines, kings=kings).type
    except Refused as refused:
        found = refused.reason
    assert found is (naive_refusal(sizes, kings, lines) or naive_type(sizes, kings, lines))


@pytest.mark.parametrize("kind", TYPE_OF_KIND)
def test_requests_of_every_kind_are_recognised(kind: str) -> None:
    @settings(max_examples=count(30, 5_000))
    @given(keno_requests(kind))
    def recognised(asked: KenoRequest) -> None:
        assert asked.type is TYPE_OF_KIND[kind]
        assert asked.type is naive_type(list(asked.sizes), len(asked.kings), list(asked.lines))

    recognised()
