"""A request by name: its groups, its lines, its rate, and the ways that won."""

from keno.domain.request_text import parse
from keno.domain.ways import (
    WAYS_SHOWN,
    conditioning_text,
    groups_named,
    line_label,
    names_of,
    rate_text,
    type_name,
    ways_won,
)
from tests.cards import card

CARD = card()
KING = parse("1 2 3/4 5/K9: AK1,BK1@1.25S", CARD)


def test_groups_have_letters_and_kings_have_numbers() -> None:
    assert names_of(KING) == ["A", "B", "K1"]
    assert groups_named(KING) == [
        {"letter": "A", "numbers": [1, 2, 3]},
        {"letter": "B", "numbers": [4, 5]},
        {"letter": "K1", "numbers": [9]},
    ]
    assert type_name(KING) == "King ticket"


def test_lines_are_ways_of_spots() -> None:
    way = parse("1 2/3 4/5 6: 3/4@1.00 3/2@2.00", CARD)
    assert [line_label(way, line) for line in way.lines] == ["3/4", "3/2"]
    assert conditioning_text(way) == "3/4 3/2"
    assert conditioning_text(KING) == "1/3 1/4"
    assert (rate_text(KING), rate_text(way)) == ("$1.25 a way", "$1.00 and $2.00 a way")


def test_the_highest_ways_come_first_and_only_so_many() -> None:
    way = parse("1 2/3 4/5 6: 3/4@1.00 3/2@1.00", CARD)
    won = ways_won(way, CARD, [2, 1, 0])
    assert [(each["members"], each["spots"], each["caught"], each["award_cents"])
            for each in won] == [
        (["A"], 2, 2, 12_00), (["A", "B"], 4, 3, 4_00), (["A", "C"], 4, 2, 1_00),
    ]  # fmt: skip
    assert ways_won(way, CARD, [0, 0, 0]) == []
    groups = "/".join(f"{2 * n + 1} {2 * n + 2}" for n in range(20))
    many = parse(f"{groups}: 190/4@1.00", CARD)
    assert len(ways_won(many, CARD, [2] * 20)) == WAYS_SHOWN
