"""Drafts: whatever is typed is answered, and what can be sold costs what the domain says."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keno.domain.pricing import price
from keno.domain.request_text import parse
from keno.protocol import DigitalOrigin, PaperOrigin, PreviousOrigin
from keno.service.counter import EXAMPLE, load_card, usable_card
from tests.cards import card
from tests.counts import count
from writer_station.chances import chances, to_one
from writer_station.draft import ROWS_MAX, answer, read_draft, to_draft
from writer_station.page_protocol import Draft
from writer_station.readback import in_words

CARD = card()
GROUPS = [[7, 18, 33, 61], [12, 26, 49, 70], [4, 38, 77]]


def typed(**fields: Any) -> dict[str, Any]:
    """The answer to a draft."""
    everything: dict[str, Any] = {"number": 1, "groups": GROUPS} | fields
    return answer(read_draft(Draft(**everything), CARD))


def test_the_draft_of_the_contract() -> None:
    shown = typed(number=12, kings=[55], conditioning="3/8 1/9", rate="1.00", games="5")
    assert shown["rows"][:2] == [
        {"label": "3/8", "members": ["A", "B"], "spots": 8},
        {"label": "", "members": ["A", "C", "K1"], "spots": 8},
    ]
    assert {name: shown[name] for name in ("number", "sellable", "missing", "faults", "type")} == {
        "number": 12, "sellable": True, "missing": "", "faults": [], "type": "King ticket",
    }  # fmt: skip
    assert (shown["ways"], shown["more"], shown["games"]) == (4, 0, 5)
    assert (shown["rate_cents"], shown["game_cents"], shown["price_cents"]) == (100, 400, 2000)
    assert shown["sum"] == "4 ways × $1.00 × 5 games"
    assert {"text": "3/8", "ways": 3, "spots": 8} in shown["choices"]
    assert shown["read_back"].startswith("King ticket, three groups. Seven, eighteen,")


@pytest.mark.parametrize(
    ("fields", "where", "code"),
    [
        ({"groups": [[1, 81]]}, "groups[0]", "number_out_of_range"),
        ({"groups": [[1], [0]], "conditioning": "A"}, "groups[1]", "number_out_of_range"),
        ({"groups": [[1, 2], [2]]}, "groups[1]", "number_twice"),
        ({"groups": [[1, 2]], "kings": [2]}, "kings[0]", "number_twice"),
        ({"groups": [[1], [], [2]]}, "groups[1]", "group_empty"),
        ({"conditioning": "4/8"}, "conditioning", "ways_do_not_match"),
        ({"conditioning": "AD"}, "conditioning", "unknown_group"),
        ({"conditioning": "ABC"}, "conditioning", "too_many_spots"),
        ({"conditioning": "?!"}, "conditioning", "malformed"),
        ({"conditioning": "A,B,C", "rate": "0.10"}, "rate", "wager_too_low"),
        ({"conditioning": "AB@0.10 AC BC"}, "conditioning", "wager_too_low"),
        ({"conditioning": "AB AC BC", "rate": "21"}, "rate", "wager_too_high"),
        ({"conditioning": "AB AC BC", "rate": "1.01"}, "rate", "wager_off_step"),
        ({"conditioning": "AB", "rate": "1.00Z"}, "rate", "unknown_rate"),
        ({"conditioning": "AB", "rate": "one"}, "rate", "malformed"),
        ({"conditioning": "AB AC BC", "games": "21"}, "games", "too_many_games"),
        ({"conditioning": "AB", "games": "many"}, "games", "malformed"),
        ({"conditioning": "AB AC BC", "games": "0"}, "games", "games_out_of_range"),
        ({"groups": [], "quick_pick": 81}, "quick_pick", "quick_pick_spots"),
        ({"groups": [[1]], "quick_pick": 8}, "quick_pick", "malformed"),
    ],
)
def test_faults_and_where_they_are(fields: dict[str, Any], where: str, code: str) -> None:
    shown = typed(**fields)
    assert not shown["sellable"]
    assert (shown["faults"][0]["where"], shown["faults"][0]["code"]) == (where, code)


@pytest.mark.parametrize(
    "fields",
    [
        {"groups": []}, {"groups": [[]]}, {}, {"conditioning": "3"}, {"conditioning": "3/"},
        {"conditioning": "AB,"}, {"conditioning": "AB@"}, {"conditioning": "AB"},
        {"conditioning": "AB AC BC", "rate": "1."}, {"conditioning": "AB AC", "rate": "1.0"},
    ],
)  # fmt: skip
def test_what_is_only_begun_is_missing_and_no_fault(fields: dict[str, Any]) -> None:
    shown = typed(**fields)
    assert shown["missing"].endswith(".")
    assert (shown["faults"], shown["sellable"]) == ([], False)


@pytest.mark.parametrize(
    ("rate", "cents"),
    [("", 100), ("1", 100), ("1.00", 100), ("$2.50", 250), ("s", 125), ("2.50S", 250), ("5s", 500)],
)
def test_amounts_and_their_marks(rate: str, cents: int) -> None:
    shown = typed(groups=[[1, 2, 3, 4]], rate=rate)
    assert (shown["sellable"], shown["price_cents"]) == (True, cents), shown


def test_a_rate_by_its_code() -> None:
    shown = typed(groups=[[1, 2, 3]], rate="5race", games="5")
    assert (shown["sellable"], shown["price_cents"]) == (True, 250), shown


def test_small_letters_and_spaces() -> None:
    one = typed(conditioning="ab , bc ac")
    other = typed(conditioning="AB,BC AC")
    assert one["sellable"]
    assert one["rows"] == other["rows"]


def test_many_ways_are_shown_in_part() -> None:
    groups = [[4 * index + 1, 4 * index + 2, 4 * index + 3, 4 * index + 4] for index in range(20)]
    shown = typed(groups=groups, conditioning="190/8", rate="0.25")
    assert shown["sellable"], shown
    assert (len(shown["rows"]), shown["more"]) == (ROWS_MAX, 190 - ROWS_MAX)


def test_a_previous_ticket_that_was_changed() -> None:
    before = parse("1 2 3: 1/3@1.00", CARD)
    origin = PreviousOrigin(12, "CODE")
    for groups, changed in (([[1, 2, 3]], False), ([[1, 2, 4]], True)):
        reading = read_draft(Draft(1, groups, origin=origin), CARD)
        assert answer(reading, before)["changed"] is changed


# Properties.

NUMBERS = st.integers(-3, 90)
TEXTS = st.text("0123456789/@,.ABCKabk sSx$£é-", max_size=20) | st.text(max_size=20)
ORIGINS = st.sampled_from([PaperOrigin(), DigitalOrigin("x"), PreviousOrigin(1, "c")])
ANY = st.builds(
    Draft, number=st.integers(0, 99), groups=st.lists(st.lists(NUMBERS, max_size=8), max_size=6),
    kings=st.lists(NUMBERS, max_size=3), conditioning=TEXTS, rate=TEXTS, games=TEXTS,
    quick_pick=st.none() | NUMBERS, origin=ORIGINS,
)  # fmt: skip


@settings(max_examples=count(400, 20_000), deadline=None)
@given(ANY)
def test_whatever_is_typed_is_answered(draft: Draft) -> None:
    shown = answer(read_draft(draft, CARD))
    assert shown["sellable"] == (shown["price_cents"] is not None)
    if not shown["sellable"]:
        assert shown["faults"] or shown["missing"]
    for fault in shown["faults"]:
        assert fault["message"].endswith(".")


@st.composite
def sound(draw: st.DrawFn) -> str:
    """A request in the text form that the card mostly offers."""
    numbers = draw(st.permutations(range(1, 81)))
    sizes = draw(st.lists(st.integers(1, 4), min_size=1, max_size=5))
    kings = draw(st.integers(0, 2))
    groups, taken = [], 0
    for size in sizes:
        groups.append(" ".join(map(str, numbers[taken : taken + size])))
        taken += size
    groups += [f"K{number}" for number in numbers[taken : taken + kings]]
    letters = ["A", "B", "C", "D", "E"][: len(sizes)] + ["K1", "K2"][:kings]
    wager = draw(st.sampled_from(["1.00", "2.00", "5.50"]))
    games = draw(st.integers(1, 6))
    return f"{'/'.join(groups)}: {','.join(letters)}@{wager} x{games}"


@settings(max_examples=count(200, 5_000), deadline=None)
@given(sound())
def test_a_sellable_draft_costs_what_the_domain_says(text: str) -> None:
    request = parse(text, CARD)
    draft = Draft(**(to_draft(request, CARD, {"kind": "paper"}) | {"origin": PaperOrigin()}))
    reading = read_draft(draft, CARD)
    assert reading.request == request
    shown = answer(reading, request)
    assert shown["sellable"], shown
    assert shown["price_cents"] == price(request, CARD).price_cents
    assert not shown["changed"]
    words = shown["read_back"].lower()
    for number in (each for group in request.all_groups for each in group):
        assert in_words(number) in words


# Odds.


def test_odds_in_words() -> None:
    reading = read_draft(Draft(3, [[1, 2, 3, 4, 5, 6, 7, 8]]), CARD)
    assert reading.priced is not None
    found = chances(reading.priced, 3)
    assert found["draft"] == 3
    assert found["rows"] == [{"what": "8 of 8", "award_cents": 2_500_000, "odds": "230,113 to 1"}]
    assert found["any"].endswith(" to 1")
    assert found["advantage"].endswith(" %")
    assert to_one(0 * reading.priced.card.rates["regular"].payoff(1, 1, 100, 100)) == "never"


def test_odds_tell_of_the_maximum_of_a_game() -> None:
    one_spot = read_draft(Draft(3, [[1]]), CARD)
    assert one_spot.priced is not None
    assert chances(one_spot.priced, 3)["maximum"] is None
    larkspur = usable_card(load_card(EXAMPLE))
    singles = "/".join(map(str, range(1, 16)))
    found = chances(price(parse(f"{singles}: 5005/9@0.10", larkspur), larkspur), 3)
    assert found["advantage"] == "32.8 %"
    assert found["maximum_cents"] == 100_000_00
    assert found["maximum"].startswith("One game pays at most $100,000.00 in all, so")


def test_an_advantage_before_the_maximum_is_at_least_what_is_told() -> None:
    wide = [range(n * (n - 1) // 2 + 1, n * (n + 1) // 2 + 1) for n in range(1, 11)]
    text = "/".join(" ".join(map(str, group)) for group in wide) + ": 10/10@1.00"
    found = chances(price(parse(text, CARD), CARD), 3)
    assert found["any"] is None
    assert found["advantage"].startswith("at least ")
    assert "house advantage is at least what is shown" in found["maximum"]


def test_rows_of_odds_are_the_highest_award_of_each_spot_count() -> None:
    reading = read_draft(Draft(3, GROUPS, [55], "3/8 1/9 3/4 1/3 K1"), CARD)
    assert reading.priced is not None, reading.faults
    whats = [row["what"] for row in chances(reading.priced, 3)["rows"]]
    assert whats == ["9 of 9", "8 of 8", "4 of 4", "3 of 3"]
