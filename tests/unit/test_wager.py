"""Keno requests by themselves: what is sound (15.2), quick-picks, draws."""

from collections.abc import Sequence
from dataclasses import FrozenInstanceError, replace
from itertools import combinations, islice
from math import comb

import pytest

from keno.domain.errors import Refusal
from keno.domain.money import CENTS_MAX
from keno.domain.wager import (
    KenoRequest,
    Line,
    QuickPick,
    TicketType,
    check_drawn,
)
from tests.wagers import Set, every, listed, refusal, request

# ---------------------------------------------------------------- the numbers (15.2(a)-(b))


@pytest.mark.parametrize("number", [1, 2, 79, 80])
def test_15_2_a_the_grid_goes_from_one_to_eighty(number: int) -> None:
    assert KenoRequest(((number,),), (), (every(1, 1),)).all_groups == ((number,),)


@pytest.mark.parametrize("number", [-1, 0, 81, 2**53])
def test_15_2_a_no_other_number_is_on_the_grid(number: int) -> None:
    out_of_range = Refusal.NUMBER_OUT_OF_RANGE
    in_group = refusal(lambda: KenoRequest(((1,), (5, number)), (), (every(1, 3),)))
    assert in_group == (out_of_range, "groups[1]")
    as_king = refusal(lambda: KenoRequest(((1,),), (7, number), (every(1, 3),)))
    assert as_king == (out_of_range, "kings[1]")


def test_15_2_b_a_ticket_may_mark_all_eighty_numbers() -> None:
    all_marked = request([10] * 8, every(8, 10))
    assert all_marked.spots_marked == 80
    assert request([80], every(1, 80)).type is TicketType.STRAIGHT


@pytest.mark.parametrize(
    ("groups", "kings", "where"),
    [
        (((4, 4),), (), "groups[0]"),
        (((1, 1),), (), "groups[0]"),
        (((80, 80),), (), "groups[0]"),
        (((1, 4), (5, 1)), (), "groups[1]"),
        (((1, 4),), (4,), "kings[0]"),
        ((), (7, 7), "kings[1]"),
    ],
)
def test_15_2_c_2_no_number_stands_in_two_groups(
    groups: tuple[Set, ...], kings: Set, where: str
) -> None:
    line = listed((0,))
    twice = refusal(lambda: KenoRequest(groups, kings, (line,)))
    assert twice == (Refusal.NUMBER_TWICE, where)


def test_a_group_without_a_number_is_refused() -> None:
    empty = refusal(lambda: KenoRequest(((1,), ()), (), (listed((0,)),)))
    assert empty == (Refusal.GROUP_EMPTY, "groups[1]")


def test_nothing_marked_is_refused() -> None:
    assert refusal(lambda: KenoRequest((), (), (every(1, 1),))) == (Refusal.NO_GROUPS, "groups")


def test_one_king_and_no_group_is_refused_but_two_kings_are_enough() -> None:
    assert refusal(lambda: request([], every(1, 1), kings=1)) == (Refusal.NO_GROUPS, "groups")
    assert request([], every(1, 2), kings=2).type is TicketType.KING


def test_there_are_letters_for_fifty_groups_and_no_more() -> None:
    assert request([1] * 50, every(50, 1)).ways == 50
    one_more = refusal(lambda: request([1] * 51, every(51, 1)))
    assert one_more == (Refusal.TOO_MANY_GROUPS, "groups")
    fifty = tuple((number,) for number in [*range(1, 50), 1])
    twice = refusal(lambda: KenoRequest(fifty, (), (every(50, 1),)))
    assert twice == (Refusal.NUMBER_TWICE, "groups[49]")


def test_kings_need_no_letters_so_all_eighty_numbers_can_be_groups_of_one() -> None:
    assert request([1] * 50, every(80, 1), kings=30).ways == 80


def test_the_order_of_marks_does_not_matter() -> None:
    one = KenoRequest(((3, 1, 2), (9, 8)), (7,), (listed((2, 0), (1,)),))
    other = KenoRequest(((1, 2, 3), (8, 9)), (7,), (listed((0, 2), (1,)),))
    assert one == other
    assert one.groups == ((1, 2, 3), (8, 9))


def test_a_request_cannot_be_changed() -> None:
    sound = request([4], every(1, 4))
    with pytest.raises(FrozenInstanceError):
        sound.games = 2  # type: ignore[misc]


# ---------------------------------------------------------------- the conditioning


def test_a_ticket_without_conditioning_is_refused() -> None:
    assert refusal(lambda: request([4])) == (Refusal.NO_CONDITIONING, "lines")


def test_a_line_that_lists_nothing_is_refused() -> None:
    no_sets = refusal(lambda: request([4], every(1, 4), listed()))
    assert no_sets == (Refusal.NO_CONDITIONING, "lines[1].sets")
    no_groups = refusal(lambda: request([4], listed((0,), ())))
    assert no_groups == (Refusal.NO_CONDITIONING, "lines[0].sets")


@pytest.mark.parametrize("index", [-1, 3, 80, -(2**53)])
def test_a_way_of_a_group_that_is_not_there_is_refused(index: int) -> None:
    unknown = refusal(lambda: request([4, 4], listed((0,), (1, index)), kings=1))
    assert unknown == (Refusal.UNKNOWN_GROUP, "lines[0].sets[1]")


def test_kings_are_numbered_behind_the_groups() -> None:
    assert request([4, 4], listed((0, 2), (1, 2)), kings=1).spots_of(listed((0, 2), (1, 2))) == {
        5: 2
    }


def test_a_group_combined_with_itself_is_refused() -> None:
    twice = refusal(lambda: request([4, 4], listed((0, 1), (1, 1))))
    assert twice == (Refusal.GROUP_TWICE_IN_WAY, "lines[0].sets[1]")


@pytest.mark.parametrize(
    ("sizes", "ways", "spots"),
    [
        ([4], 0, 4),
        ([4], 2, 4),
        ([4], 1, 3),
        ([4], 0, 3),
        ([4], -1, 4),
        ([4, 4, 4], 2, 8),
        ([4, 4, 4], 4, 8),
        ([2, 2, 2, 2], 2, 4),  # meant as two four-spots: the six must be listed in part
        ([4], 0, 0),
        ([4], 1, 0),  # the empty set totals no spots, and is no way
        ([4], 1, -4),
        ([4], 1, 81),
        ([4], 0, 81),
        ([4], 1, 2**53),
    ],
)
def test_n_of_s_must_number_exactly_the_sets_there_are(
    sizes: list[int], ways: int, spots: int
) -> None:
    differs = refusal(lambda: request(sizes, every(ways, spots)))
    assert differs == (Refusal.WAYS_DO_NOT_MATCH, "lines[0]")


@pytest.mark.parametrize(
    "lines",
    [
        [listed((0, 1), (1, 0), (2,))],
        [listed((0, 1)), listed((2,), (1, 0), wager_cents=200)],
        [every(3, 4), every(3, 4, rate="special")],
        [every(3, 8), listed((1, 2))],
        [listed((1, 2)), every(3, 8)],
    ],
)
def test_the_same_groups_bet_twice_are_refused(lines: list[Line]) -> None:
    twice = refusal(lambda: request([4, 4, 4], *lines))
    assert twice == (Refusal.WAY_BET_TWICE, "lines")


def test_other_groups_of_the_same_spots_are_not_bet_twice() -> None:
    assert request([4, 4, 8], listed((0, 1)), listed((2,))).spots_of(listed((0, 1), (2,))) == {8: 2}


@pytest.mark.parametrize(
    ("sizes", "kings", "line", "where"),
    [
        ([4, 4, 3], 0, every(2, 4), "groups[2]"),
        ([4, 4, 3], 0, listed((0, 2)), "groups[1]"),
        ([4, 4], 1, every(1, 8), "kings[0]"),
        ([4, 4], 2, listed((0, 1, 2)), "kings[1]"),
        ([8, 5, 4], 0, every(1, 9), "groups[0]"),
    ],
)
def test_a_group_or_king_that_no_way_plays_is_refused(
    sizes: list[int], kings: int, line: Line, where: str
) -> None:
    unplayed = refusal(lambda: request(sizes, line, kings=kings))
    assert unplayed == (Refusal.GROUP_NOT_PLAYED, where)


def test_a_group_is_played_by_any_one_line() -> None:
    assert request([8, 5, 4], every(1, 9), listed((0,))).ways == 2


@pytest.mark.parametrize(
    ("wager_cents", "reason"),
    [
        (0, Refusal.WAGER_TOO_LOW),
        (-100, Refusal.WAGER_TOO_LOW),
        (CENTS_MAX + 1, Refusal.WAGER_TOO_HIGH),
    ],
)
def test_a_wager_that_is_no_amount_is_refused(wager_cents: int, reason: Refusal) -> None:
    line = listed((1,), wager_cents=wager_cents)
    no_amount = refusal(lambda: request([4, 5], every(1, 4), line))
    assert no_amount == (reason, "lines[1].wager_cents")


@pytest.mark.parametrize("wager_cents", [1, CENTS_MAX])
def test_any_other_wager_is_for_the_card_to_judge(wager_cents: int) -> None:
    assert request([4], every(1, 4, wager_cents)).price_one_game_cents == wager_cents


@pytest.mark.parametrize("price_cents", [-1, 0, CENTS_MAX + 1])
def test_a_price_that_is_no_amount_is_refused(price_cents: int) -> None:
    asked = request([1], listed((0,)))
    assert replace(asked, price_cents=1).price_cents == 1
    assert replace(asked, price_cents=CENTS_MAX).price_cents == CENTS_MAX
    refused = refusal(lambda: replace(asked, price_cents=price_cents))
    assert refused == (Refusal.PRICE_DIFFERS, "price_cents")


def test_a_thousand_lines_go_on_a_ticket_and_no_more() -> None:
    sets = list(islice(combinations(range(20), 3), 1_001))
    lines = [listed(each) for each in sets[:-1]]
    lines[0] = listed(sets[0], tuple(range(20)))
    assert request([1] * 20, *lines).ways == 1_001
    too_many = refusal(lambda: request([1] * 20, *lines, listed(sets[-1])))
    assert too_many == (Refusal.TOO_MANY_WAYS, "lines")


def test_ten_thousand_listed_ways_go_on_a_ticket_and_no_more() -> None:
    sets = tuple(islice(combinations(range(24), 4), 9_999))
    whole = tuple(range(24))
    assert request([1] * 24, listed(*sets, whole)).ways == 10_000
    too_many = refusal(lambda: request([1] * 24, listed(*sets), listed(whole, whole[1:])))
    assert too_many == (Refusal.TOO_MANY_WAYS, "lines")


def test_a_request_of_a_hundred_thousand_million_ways_is_counted_not_listed() -> None:
    sizes = [1] * 40
    assert request(sizes, every(comb(40, 20), 20)).type is TicketType.WAY


@pytest.mark.parametrize("games", [0, -1, 100_001])
def test_no_games_or_far_too_many_are_refused(games: int) -> None:
    out_of_range = refusal(lambda: request([4], every(1, 4), games=games))
    assert out_of_range == (Refusal.GAMES_OUT_OF_RANGE, "games")


def test_15_2_c_6_a_multi_race_is_any_ticket_for_more_than_one_game() -> None:
    for lines in ([every(3, 4)], [every(3, 8)], [listed((0, 1), (2,))]):
        one, two = request([4] * 3, *lines), request([4] * 3, *lines, games=2)
        assert (one.multi_race, two.multi_race) == (False, True)
        assert one.type is two.type
        assert one.price_one_game_cents == two.price_one_game_cents
    assert request([4], every(1, 4), games=100_000).multi_race


# ---------------------------------------------------------------- quick-picks and draws


@pytest.mark.parametrize("spots", [1, 2, 79, 80])
def test_15_1_a_quick_pick_is_a_straight_ticket(spots: int) -> None:
    picked = QuickPick(spots, "regular", 125, games=3).with_numbers(range(80, 80 - spots, -1))
    assert picked.type is TicketType.STRAIGHT
    assert (picked.spots_marked, picked.price_one_game_cents) == (spots, 125)
    assert (picked.kings, picked.games, picked.lines[0].rate) == ((), 3, "regular")


def test_one_game_is_meant_if_none_are_stated() -> None:
    assert KenoRequest(((1,),), (), (every(1, 1),)).games == 1
    assert QuickPick(1, "regular", 100).with_numbers([1]).games == 1


@pytest.mark.parametrize("spots", [-1, 0, 81])
def test_15_1_a_quick_pick_has_one_to_eighty_spots(spots: int) -> None:
    out_of_range = refusal(lambda: QuickPick(spots, "regular", 100))
    assert out_of_range == (Refusal.QUICK_PICK_SPOTS, "spots")


def test_15_1_a_quick_pick_is_given_exactly_its_numbers() -> None:
    pick = QuickPick(4, "regular", 100)
    for numbers in ([1, 2, 3], [1, 2, 3, 4, 5]):
        with pytest.raises(ValueError, match="quick-pick"):
            pick.with_numbers(numbers)
    assert refusal(lambda: pick.with_numbers([1, 2, 3, 3]))[0] is Refusal.NUMBER_TWICE
    assert refusal(lambda: pick.with_numbers([1, 2, 3, 81]))[0] is Refusal.NUMBER_OUT_OF_RANGE


@pytest.mark.parametrize("games", [0, 100_001])
def test_15_1_a_quick_pick_keeps_the_limits_of_every_request(games: int) -> None:
    pick = QuickPick(2, "regular", 100, games)
    assert refusal(lambda: pick.with_numbers([1, 2]))[0] is Refusal.GAMES_OUT_OF_RANGE


def test_15_5_d_2_a_draw_is_twenty_different_numbers_of_the_grid() -> None:
    check_drawn(range(1, 21))
    check_drawn(range(80, 60, -1))


@pytest.mark.parametrize(
    "drawn", [[], range(1, 20), range(1, 22), [*range(1, 20), 1], range(20), range(62, 82)]
)
def test_15_5_d_2_anything_else_is_no_draw(drawn: Sequence[int]) -> None:
    assert refusal(lambda: check_drawn(drawn))[0] is Refusal.BAD_DRAW
