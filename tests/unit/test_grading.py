"""Grading many tickets at once equals looking up every ball of every way (15.2(c)2, 15.6(a))."""

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain import grading
from keno.domain.errors import Refusal, Refused
from keno.domain.grading import (
    GROUP_BYTES,
    SPELLED_OUT_MAX,
    every_set,
    grade,
    group_hits,
    pack,
    shape_awards,
    shape_of,
)
from keno.domain.pricing import price
from keno.domain.wager import EveryWay, KenoRequest, ListedWays, TicketType
from keno.service.counter import grade_report
from tests import plain
from tests.cards import card, card_text
from tests.strategies import KINDS, keno_requests

CARD = card()
draws = st.permutations(range(1, 81)).map(lambda numbers: list(numbers[:20]))


def graded(played: list[KenoRequest], drawn: list[int]) -> list[int]:
    """Grade tickets of several shapes together, as the ledger does."""
    shapes = [shape_of(price(each, CARD)) for each in played]
    different = list(dict.fromkeys(shapes))
    which = np.array([different.index(shape) for shape in shapes], dtype=np.int32)
    masks = b"".join(pack(each) for each in played)
    return [int(cents) for cents in grade(different, which, masks, drawn)]


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), drawn=draws)
def test_grading_equals_plain_enumeration_of_every_way(
    kind: str, data: st.DataObject, drawn: list[int]
) -> None:
    request = data.draw(keno_requests(kind))
    assert graded([request], drawn) == [plain.award(request, CARD, drawn)]


@given(st.lists(keno_requests(), min_size=1, max_size=8), draws, st.randoms())
def test_tickets_of_all_types_are_graded_together_and_in_any_order(
    played: list[KenoRequest], drawn: list[int], random: Random
) -> None:
    played = played * 2
    random.shuffle(played)
    assert graded(played, drawn) == [plain.award(each, CARD, drawn) for each in played]


@given(keno_requests(), draws)
def test_a_grade_report_counts_the_catches_of_every_way(
    request: KenoRequest, drawn: list[int]
) -> None:
    report = grade_report(price(request, CARD), drawn)
    ways = plain.ways(request, CARD, drawn)
    assert report["award_cents"] == sum(award for _, _, _, award in ways)
    assert report["ways_won"] == sum(award > 0 for _, _, _, award in ways)
    expected = [
        {
            "spots": spots,
            "ways": sum((i, s) == (index, spots) for i, s, _, _ in ways),
            "catches": {
                str(catch): number
                for catch, number in sorted(
                    Counter(c for i, s, c, _ in ways if (i, s) == (index, spots)).items()
                )
            },
            "award_cents": sum(a for i, s, _, a in ways if (i, s) == (index, spots)),
        }
        for index, spots in sorted({(i, s) for i, s, _, _ in ways})
    ]
    assert report["lines"] == expected


def groups_of(*sizes: int) -> tuple[tuple[int, ...], ...]:
    """Groups of these sizes on the first numbers of the grid."""
    numbers = iter(range(1, 81))
    return tuple(tuple(next(numbers) for _ in range(size)) for size in sizes)


@pytest.mark.parametrize(
    ("sizes", "line"),
    [
        ((4,) * 20, EveryWay(190, 8, "regular", 25)),
        ((1,) * 18, EveryWay(153, 2, "regular", 25)),
        ((2, 2, 2, 2, 2, 2, 3, 3, 3), EveryWay(84, 7, "regular", 25)),
        ((1, 1, 1, 2, 2, 2, 3, 3, 4), EveryWay(32, 6, "regular", 25)),
    ],
)
def test_many_ways_are_graded_without_going_through_them(
    sizes: tuple[int, ...], line: EveryWay
) -> None:
    line = EveryWay(len(list(every_set(sizes, line.spots))), line.spots, line.rate, 25)
    request = KenoRequest(groups_of(*sizes), (), (line,))
    shape = shape_of(price(request, CARD))
    assert line.ways > SPELLED_OUT_MAX
    assert shape.bets[0].sets is None
    random = Random(15)
    for _ in range(50):
        drawn = random.sample(range(1, 81), 20)
        assert graded([request], drawn) == [plain.award(request, CARD, drawn)]


def test_15_3_e_each_way_is_limited_to_the_maximum_before_anything_is_shared() -> None:
    line = ListedWays(((0,), (1,)), "regular", 5_00)
    request = KenoRequest((tuple(range(1, 9)), tuple(range(9, 17))), (), (line,))
    all_sixteen = list(range(1, 21))
    # Eight of eight at $5.00 would pay $125,000.00; each of both ways is limited to $100,000.00.
    assert graded([request], all_sixteen) == [200_000_00]


def test_2_2_2_2_as_a_six_way_four_and_as_two_listed_fours_differ() -> None:
    groups = groups_of(2, 2, 2, 2)
    six_way = KenoRequest(groups, (), (EveryWay(6, 4, "regular", 1_00),))
    two_fours = KenoRequest(groups, (), (ListedWays(((0, 1), (2, 3)), "regular", 1_00),))
    assert (six_way.type, two_fours.type) == (TicketType.WAY, TicketType.COMBINATION)
    assert price(six_way, CARD).price_cents == 6_00
    assert price(two_fours, CARD).price_cents == 2_00
    drawn = [1, 2, 3, 4, *range(61, 77)]
    # Six ways: one solid four, four ways of two, one of none. Two fours: a four and a none.
    assert graded([six_way], drawn) == [110_00 + 4 * 1_00]
    assert graded([two_fours], drawn) == [110_00]


def test_tickets_are_paid_by_the_card_they_were_sold_under() -> None:
    better = card(card_text(version="2", rates__regular__pays__1={"1": 3_50}))
    request = KenoRequest(((1,),), (), (EveryWay(1, 1, "regular", 1_00),))
    shapes = [shape_of(price(request, version)) for version in (CARD, better)]
    which = np.array([1, 0, 1], dtype=np.int32)
    awards = grade(shapes, which, pack(request) * 3, list(range(1, 21)))
    assert [int(cents) for cents in awards] == [3_50, 3_00, 3_50]


def test_a_group_is_packed_into_ten_bytes() -> None:
    request = KenoRequest(((1, 64, 65, 80),), (9,), (EveryWay(1, 5, "regular", 1_00),))
    packed = pack(request)
    assert packed.hex() == "0100000000000080" + "0180" + "0001000000000000" + "0000"
    assert len(packed) == 2 * GROUP_BYTES
    assert list(group_hits(packed, [1, 64, 65, 80, 9, *range(20, 35)])) == [4, 1]


@pytest.mark.parametrize(
    "drawn",
    [
        list(range(1, 20)),
        list(range(1, 22)),
        [1, 1, *range(3, 21)],
        [0, *range(2, 21)],
        [81, *range(2, 21)],
    ],
)
def test_15_5_d_2_a_draw_is_twenty_different_numbers_of_eighty(drawn: list[int]) -> None:
    with pytest.raises(Refused) as exc:
        group_hits(b"", drawn)
    assert exc.value.reason is Refusal.BAD_DRAW


def test_masks_that_do_not_fit_the_tickets_are_a_broken_invariant() -> None:
    request = KenoRequest(((1,),), (), (EveryWay(1, 1, "regular", 1_00),))
    shapes = [shape_of(price(request, CARD))]
    with pytest.raises(ValueError, match="masks"):
        grade(shapes, np.zeros(2, dtype=np.int32), pack(request), list(range(1, 21)))


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_listed_ways_are_graded_alike_however_few_at_once(
    monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    sets = ((0, 1), (0, 2), (1, 2))
    request = KenoRequest(((1, 2), (3, 4), (5, 6)), (), (ListedWays(sets, "regular", 1_00),))
    shape = shape_of(price(request, CARD))
    hits = group_hits(pack(request) * 2, list(range(1, 21))).reshape(2, 3).T
    awards = shape_awards(shape, hits)
    assert awards.min() > 0
    monkeypatch.setattr(grading, "LISTED_AT_ONCE", at_once)
    assert shape_awards(shape, hits).tolist() == awards.tolist()
    assert shape_awards(shape, hits[:, :0]).tolist() == []


def test_more_shapes_than_sixteen_bits_number_are_told_apart() -> None:
    one = KenoRequest(((1,),), (), (EveryWay(1, 1, "regular", 1_00),))
    ten = replace(one, lines=(EveryWay(1, 1, "regular", 10_00),))
    shapes = [shape_of(price(ten, CARD))] + [shape_of(price(one, CARD))] * 2**16
    which = np.array([2**16], dtype=np.int64)
    assert grade(shapes, which, pack(one), list(range(1, 21))).tolist() == graded(
        [one], list(range(1, 21))
    )


def test_no_tickets_no_awards() -> None:
    assert len(grade([], np.zeros(0, dtype=np.int32), b"", list(range(1, 21)))) == 0
