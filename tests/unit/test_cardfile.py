"""Reading a rate card: every field, its default and its limits; all faults together."""

import tomllib
from datetime import date
from itertools import product
from typing import Any

import pytest

from keno.domain.cardfile import CardReport, read_card
from keno.domain.certify import CardFault
from keno.domain.ratecard import FullUpTo, Proportional, RateCard, Tier
from keno.domain.wager import TicketType
from tests.cards import CARD, card, card_text

REGULAR = tomllib.loads(CARD)["rates"]["regular"]

# Every whole number on a card: where it stands, the least and the most it may be.
CENTS = (1, 10**12)
INTEGERS = {
    "spots_max": (1, 80),
    "aggregate_max_cents": CENTS,
    "multi_race_games_max": (1, 100_000),
    "claim_days": (-(10**12), 10**12),
    "ticket_min_cents": CENTS,
    "ticket_max_cents": CENTS,
    "ways_max": (1, 1_000_000),
    "rates__special__base_cents": CENTS,
    "rates__special__min_cents": CENTS,
    "rates__special__max_cents": CENTS,
    "rates__special__step_cents": CENTS,
    "rates__5race__games_min": (1, 100_000),
    "rates__special__pays__2__2": (0, 10**12),
}
REQUIRED = [
    "name",
    "version",
    "spots_max",
    "aggregate_share",
    "multi_race_games_max",
    "multi_race_refunds",
    "ticket_max_cents",
    "rates__special__base_cents",
    "rates__special__min_cents",
    "rates__special__max_cents",
    "rates__special__step_cents",
    "rates__special__pays",
]


def read(**changes: Any) -> CardReport:
    """Read the small card with some fields changed."""
    return read_card(card_text(**changes))


def codes(report: CardReport) -> set[CardFault]:
    return {fault.code for fault in report.faults}


def only(**changes: Any) -> RateCard:
    """The card with some fields changed, which must be certified."""
    report = read(**changes)
    assert report.faults == ()
    assert report.card is not None
    return report.card


def dotted(path: str) -> str:
    return path.replace("__", ".")


def test_a_card_without_faults_is_certified() -> None:
    report = read_card(CARD)
    assert report.certified
    assert report.faults == ()
    assert report.card == card()


def test_15_3_d_every_field_of_the_card_is_read() -> None:
    small = only(approval="CCC 26-114")
    assert (small.name, small.version, small.approval) == ("Test Keno", "1", "CCC 26-114")
    assert (small.spots_max, small.ways_max, small.multi_race_games_max) == (10, 200, 20)
    assert (small.ticket_min_cents, small.ticket_max_cents) == (50, 1_000_00)
    assert (small.aggregate_max_cents, small.aggregate_share) == (100_000_00, Proportional())
    assert (small.multi_race_refunds, small.claim_minutes) == (True, 525_600)
    assert small.default_rate == "regular"
    assert list(small.rates) == ["regular", "special", "5race"]


def test_15_3_d_every_field_of_a_rate_is_read() -> None:
    small = only()
    regular, special, race = (small.rates[code] for code in ("regular", "special", "5race"))
    assert (special.code, special.mark, special.base_cents) == ("special", "S", 1_25)
    assert (special.max_cents, special.step_cents) == (5_00, 1_25)
    assert special.tiers == (Tier(1, 1_25),)
    assert regular.tiers == (Tier(1, 1_00), Tier(10, 25))
    assert regular.pays[8] == {5: 9_00, 6: 90_00, 7: 1_500_00, 8: 25_000_00}
    assert list(regular.pays) == list(range(1, 11))
    assert race.types == {TicketType.STRAIGHT, TicketType.SPLIT}
    assert (race.games_min, race.mark) == (5, None)
    assert (special.types, special.games_min) == (frozenset(TicketType), 1)


def test_what_a_card_leaves_out_has_its_default() -> None:
    small = only(ticket_min_cents=None, ways_max=None, default_rate=None)
    assert (small.ticket_min_cents, small.ways_max) == (1, 10_000)
    assert (small.default_rate, small.approval) == ("regular", None)


def test_15_3_e_the_maximum_aggregate_payoff_is_100_000_dollars_unless_stated() -> None:
    assert only(aggregate_max_cents=None).aggregate_max_cents == 100_000_00
    assert only(aggregate_max_cents=250_000_00).aggregate_max_cents == 250_000_00


def test_15_6_c_a_ticket_is_valid_for_a_year_unless_the_card_says_less() -> None:
    assert only(claim_days=None).claim_minutes == 365 * 24 * 60
    assert only(claim_days=90).claim_minutes == 90 * 24 * 60
    assert only(claim_days=None, claim_minutes=90).claim_minutes == 90


def test_15_6_c_both_ways_to_state_the_claim_period_are_one_too_many() -> None:
    assert codes(read(claim_minutes=525_600)) == {CardFault.CLAIM_STATED_TWICE}


def test_the_default_rate_is_the_first_unless_another_is_named() -> None:
    assert only(default_rate=None).default_rate == "regular"
    assert only(default_rate="special").default_rate == "special"
    assert codes(read(default_rate="Regular")) == {CardFault.UNKNOWN_DEFAULT_RATE}


def test_the_maximum_is_shared_in_proportion_or_after_a_part_in_full() -> None:
    share = {"full_up_to_cents": 1_000_00}
    assert only(aggregate_share=share).aggregate_share == FullUpTo(1_000_00)
    assert only(aggregate_share="proportional").aggregate_share == Proportional()


@pytest.mark.parametrize("share", ["Proportional", "equal", "", 5, True, ["proportional"]])
def test_no_other_way_to_share_is_known(share: object) -> None:
    assert codes(read(aggregate_share=share)) == {CardFault.WRONG_TYPE}


def test_a_share_in_full_must_say_up_to_what() -> None:
    assert codes(read(aggregate_share={})) == {CardFault.MISSING_FIELD}
    assert codes(read(aggregate_share={"full_up_to_cents": 0})) == {CardFault.OUT_OF_RANGE}
    assert codes(read(aggregate_share={"full_up_to_cents": "1"})) == {CardFault.WRONG_TYPE}


def test_a_version_may_be_written_as_a_number() -> None:
    assert only(version=3).version == "3"


@pytest.mark.parametrize("version", ["x" * 33, 'a"b', "a\\b", "café", "", " ", 10**40])
def test_a_version_must_fit_a_ticket(version: object) -> None:
    assert codes(read(version=version)) == {CardFault.OUT_OF_RANGE}


@pytest.mark.parametrize("field", ["name", "approval"])
@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "\u0007", "x" * 101])
def test_a_text_must_be_printable_and_short(field: str, text: str) -> None:
    assert codes(read(**{field: text})) == {CardFault.OUT_OF_RANGE}


@pytest.mark.parametrize("field", ["name", "version", "approval", "default_rate"])
@pytest.mark.parametrize("value", [1.5, True, ["a"], {"a": 1}])
def test_what_must_be_text_is_nothing_else(field: str, value: object) -> None:
    assert codes(read(**{field: value})) == {CardFault.WRONG_TYPE}


@pytest.mark.parametrize("value", ["true", 1, 0.0])
def test_whether_refunds_are_offered_is_true_or_false(value: object) -> None:
    assert codes(read(multi_race_refunds=value)) == {CardFault.WRONG_TYPE}
    assert only(multi_race_refunds=False).multi_race_refunds is False


@pytest.mark.parametrize("path", REQUIRED)
def test_a_missing_field_is_named(path: str) -> None:
    report = read(**{path: None})
    missing = [each for each in report.faults if each.code is CardFault.MISSING_FIELD]
    assert len(missing) == 1
    assert dotted(path) in missing[0].message
    assert report.card is None


@pytest.mark.parametrize("path", INTEGERS)
@pytest.mark.parametrize("value", [100.0, "100", True, [100], {"cents": 100}])
def test_what_must_be_a_whole_number_is_nothing_else(path: str, value: object) -> None:
    report = read(**{path: value})
    wrong = [each for each in report.faults if each.code is CardFault.WRONG_TYPE]
    assert len(wrong) == 1
    assert dotted(path) in wrong[0].message
    assert report.card is None


@pytest.mark.parametrize("path", INTEGERS)
@pytest.mark.parametrize("value", ["nan", "-inf", "1e2", "1979-05-27", "07:32:00"])
def test_no_other_kind_of_toml_value_is_a_whole_number(path: str, value: str) -> None:
    text = card_text(**{path: "HERE"}).replace('"HERE"', value)
    assert CardFault.WRONG_TYPE in codes(read_card(text))


@pytest.mark.parametrize(("path", "limits"), INTEGERS.items())
def test_a_whole_number_has_a_least_and_a_most(path: str, limits: tuple[int, int]) -> None:
    for outside in (limits[0] - 1, limits[1] + 1, 10**30, -(10**30)):
        report = read(**{path: outside})
        assert CardFault.OUT_OF_RANGE in codes(report)
        assert report.card is None
    for inside in limits:
        assert CardFault.OUT_OF_RANGE not in codes(read(**{path: inside}))


UNKNOWN = {
    "the card": "colour",
    "a rate": "rates__regular__colour",
    "the share": "aggregate_share__colour",
}


@pytest.mark.parametrize("path", UNKNOWN.values(), ids=UNKNOWN)
def test_an_unknown_key_is_an_error(path: str) -> None:
    changes = {"aggregate_share": {"full_up_to_cents": 100}} if "share" in path else {}
    report = read(**changes, **{path: "red"})
    (fault,) = report.faults
    assert fault.code is CardFault.UNKNOWN_FIELD
    assert dotted(path) in fault.message
    assert report.card is not None  # odds and grades can still be worked out


def test_an_unknown_key_of_a_tier_is_an_error() -> None:
    tiers = [{"ways": 1, "min_cents": 100}, {"ways": 10, "min_cents": 25, "max_cents": 50}]
    (fault,) = read(rates__regular__tiers=tiers).faults
    assert fault.code is CardFault.UNKNOWN_FIELD
    assert "tiers[1].max_cents" in fault.message


@pytest.mark.parametrize(
    "path",
    ["pays__0", "pays__81", "pays__x", "pays__-1", "pays__08", "pays__\uff18"]
    + [f"pays__8__{catch}" for catch in ("81", "x", "-1", "05", "", "\u0665")],
)
def test_spots_and_catches_are_numbers_of_the_game(path: str) -> None:
    value = 100 if path.startswith("pays__8__") else {"1": 100}
    report = read(**{f"rates__regular__{path}": value})
    assert codes(report) == {CardFault.OUT_OF_RANGE}
    assert dotted(path) in report.faults[0].message


def test_the_same_key_twice_is_not_toml() -> None:
    with pytest.raises(tomllib.TOMLDecodeError):
        read_card(CARD + "\n[rates.regular]\nbase_cents = 100\n")


@pytest.mark.parametrize("code", ["a", "0", "-", "_", "regular-2_x", "x" * 16])
def test_a_code_is_one_to_sixteen_plain_characters(code: str) -> None:
    assert code in only(**{f"rates__{code}": REGULAR}).rates


@pytest.mark.parametrize("code", ["", "A", "regular.2", "x" * 17, "é", "a b", "a\n", "\u0663"])
def test_no_other_code_is_accepted(code: str) -> None:
    assert codes(read(**{f"rates__{code}": REGULAR})) == {CardFault.BAD_CODE}


@pytest.mark.parametrize("mark", ["S", "x", "*", "A1", "ab#9", "$", "spec"])
def test_a_mark_is_one_to_four_characters(mark: str) -> None:
    small = only(rates__special__mark=mark)
    assert small.mark_of("special") == mark
    assert small.rate_of_mark(mark) == "special"


@pytest.mark.parametrize("mark", ["1", "abcde", "a b", "@", "é", "/", "a."])
def test_no_other_mark_is_accepted(mark: str) -> None:
    assert codes(read(rates__special__mark=mark)) == {CardFault.BAD_MARK}


@pytest.mark.parametrize("mark", [1, True, ["S"]])
def test_a_mark_is_text(mark: object) -> None:
    assert codes(read(rates__special__mark=mark)) == {CardFault.WRONG_TYPE}


def test_types_are_of_the_five() -> None:
    for each in TicketType:
        assert only(rates__special__types=[each.value]).rates["special"].types == {each}
    every = [each.value for each in TicketType]
    assert only(rates__special__types=every).rates["special"].types == frozenset(TicketType)


@pytest.mark.parametrize("each", ["multi-race", "Way", "", 1, 1.5, True, ["way"], {"way": 1}])
def test_no_other_type_is_known(each: object) -> None:
    assert codes(read(rates__special__types=["way", each])) == {CardFault.UNKNOWN_TYPE}


def test_15_3_d_a_rate_without_a_known_type_has_that_fault_only() -> None:
    assert codes(read(rates__special__types=["runner"])) == {CardFault.UNKNOWN_TYPE}


@pytest.mark.parametrize("types", [[], "way", {"way": True}, 1])
def test_types_are_a_list(types: object) -> None:
    assert codes(read(rates__special__types=types)) == {CardFault.WRONG_TYPE}


def tiers(*each: tuple[int, int]) -> list[dict[str, int]]:
    return [{"ways": ways, "min_cents": min_cents} for ways, min_cents in each]


@pytest.mark.parametrize(
    "listed", [[(1, 100)], [(1, 100), (2, 95)], [(1, 1_00), (10, 25), (100, 10), (190, 5)]]
)
def test_15_3_d_tiers_stand_in_place_of_the_minimum(listed: list[tuple[int, int]]) -> None:
    regular = only(rates__regular__tiers=tiers(*listed)).rates["regular"]
    assert regular.tiers == tuple(Tier(*each) for each in listed)
    for ways, min_cents in listed:
        assert regular.min_cents(ways) == min_cents


def test_15_3_d_the_tier_in_force_is_the_last_that_the_ways_reach() -> None:
    regular = card().rates["regular"]
    assert [regular.min_cents(ways) for ways in (1, 9, 10, 11, 200)] == [100, 100, 25, 25, 25]


def test_15_3_d_a_minimum_beside_tiers_changes_nothing() -> None:
    beside = only(rates__regular__min_cents=100).rates["regular"]
    assert beside == card().rates["regular"]
    assert codes(read(rates__regular__min_cents="1")) == {CardFault.WRONG_TYPE}


@pytest.mark.parametrize(
    "listed",
    [
        [(10, 25), (1, 100)],
        [(1, 100), (10, 25), (10, 10)],
        [(1, 100), (10, 25), (5, 10)],
        [(1, 25), (10, 100)],
        [(1, 100), (10, 100)],
        [(2, 100)],
        [(2, 100), (10, 25)],
    ],
    ids=str,
)
def test_15_3_d_tiers_begin_at_one_way_with_ways_rising_and_minima_falling(
    listed: list[tuple[int, int]],
) -> None:
    report = read(rates__regular__tiers=tiers(*listed))
    assert codes(report) == {CardFault.TIERS_OUT_OF_ORDER}
    assert "rates.regular.tiers" in report.faults[0].message


@pytest.mark.parametrize("listed", [[], {}, 100, "1:100", [100], [[1, 100]], [{"ways": 1}, 5]])
def test_15_3_d_tiers_are_a_list_of_tables(listed: object) -> None:
    assert codes(read(rates__regular__tiers=listed)) == {CardFault.WRONG_TYPE}


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("ways", 0, CardFault.OUT_OF_RANGE),
        ("ways", 1_000_001, CardFault.OUT_OF_RANGE),
        ("ways", True, CardFault.WRONG_TYPE),
        ("ways", 10.0, CardFault.WRONG_TYPE),
        ("ways", None, CardFault.MISSING_FIELD),
        ("min_cents", 0, CardFault.OUT_OF_RANGE),
        ("min_cents", -10, CardFault.OUT_OF_RANGE),
        ("min_cents", "10", CardFault.WRONG_TYPE),
        ("min_cents", None, CardFault.MISSING_FIELD),
    ],
)
def test_15_3_d_a_fault_in_a_tier_is_found(key: str, value: object, code: CardFault) -> None:
    tier = {"ways": 10, "min_cents": 25} | {key: value}
    tier = {name: number for name, number in tier.items() if number is not None}
    report = read(rates__regular__tiers=[{"ways": 1, "min_cents": 100}, tier])
    assert codes(report) == {code}
    assert f"rates.regular.tiers[1].{key}" in report.faults[0].message


@pytest.mark.parametrize("rates", [None, {}, [], "regular", 5])
def test_a_card_has_at_least_one_rate(rates: object) -> None:
    report = read(rates=rates)
    assert codes(report) & {CardFault.MISSING_FIELD, CardFault.WRONG_TYPE}
    assert report.card is None
    assert report.wagers == ()


@pytest.mark.parametrize("value", [{}, 5, "pays", []])
@pytest.mark.parametrize(
    "path", ["rates__extra", "rates__special__pays", "rates__special__pays__3"]
)
def test_an_empty_or_wrong_table_is_an_error(path: str, value: object) -> None:
    report = read(**{path: value})
    assert codes(report) & {CardFault.MISSING_FIELD, CardFault.WRONG_TYPE}
    assert dotted(path) in report.faults[0].message


def test_fifty_rates_are_accepted_and_no_more() -> None:
    small = REGULAR | {"pays": {"1": REGULAR["pays"]["1"]}}
    more = {f"rates__r-{index}": small for index in range(47)}
    assert len(only(**more).rates) == 50
    assert codes(read(**more, rates__x=small)) == {CardFault.TOO_LARGE}


def test_payoffs_need_not_rise_and_the_top_catch_need_not_pay_and_no_catch_may() -> None:
    small = only(rates__regular__pays__10={"0": 10_00, "5": 2_00, "6": 20_00, "7": 1_00, "10": 0})
    assert small.rates["regular"].pays[10] == {0: 10_00, 5: 2_00, 6: 20_00, 7: 1_00, 10: 0}


def test_all_faults_are_reported_together() -> None:
    report = read(
        name=None,
        colour="red",
        claim_minutes=4,
        claim_days=None,
        aggregate_max_cents=1_00,
        spots_max=11,
        rates__regular__mark="1",
        rates__special__max_cents=1,
        rates__5race__types=["runner"],
        rates__5race__pays__1__1=1,
    )
    assert codes(report) == {
        CardFault.MISSING_FIELD,
        CardFault.UNKNOWN_FIELD,
        CardFault.CLAIM_TOO_SHORT,
        CardFault.AGGREGATE_TOO_LOW,
        CardFault.SPOTS_NOT_PAID,
        CardFault.BAD_MARK,
        CardFault.MINIMUM_ABOVE_MAXIMUM,
        CardFault.UNKNOWN_TYPE,
        CardFault.OVER_LIMIT,
    }


def test_a_rate_that_cannot_be_judged_does_not_make_others_look_wrong() -> None:
    """What was not read is one fault, not a string of rules it seems to break."""
    assert codes(read(rates__regular__base_cents=None)) == {CardFault.MISSING_FIELD}
    changed = read(rates__regular__step_cents=None, rates__regular__pays__1__1=2_80)
    assert codes(changed) == {CardFault.MISSING_FIELD}


WAGERS = [
    *product(["regular"], range(1, 11), [1_00, 25]),
    *product(["special"], range(2, 9), [1_25]),
    *product(["5race"], range(1, 5), [50]),
]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        *({path: None} for path in REQUIRED if not path.startswith("rates")),
        {"spots_max": 2},
        {"spots_max": "ten"},
        {"aggregate_max_cents": "lots"},
        {"aggregate_max_cents": 1},
        {"claim_minutes": 4},
        {"default_rate": "none"},
        {"colour": "red"},
        {"rates__special__max_cents": None},
        {"rates__special__step_cents": None},
        {"rates__special__step_cents": 1},
        {"rates__special__max_cents": 1},
        {"rates__special__mark": "1"},
        {"rates__special__types": ["runner"]},
        {"rates__special__games_min": 0},
        {"rates__special__pays__3__3": "jackpot"},
        {"rates__special__pays__3__9": 100},
        {"rates__special__pays__3": {}},
        {"rates__special__colour": "red"},
        {"rates__broken": 5},
    ],
    ids=str,
)
def test_15_3_e_every_posted_minimum_is_judged_whatever_else_is_wrong(
    changes: dict[str, object],
) -> None:
    report = read(**changes)
    assert [(each.rate, each.spots, each.wager_cents) for each in report.wagers] == WAGERS


def test_15_3_e_minima_out_of_order_are_all_judged() -> None:
    report = read(rates__regular__tiers=tiers((10, 25), (1, 50), (1, 100)))
    judged = {each.wager_cents for each in report.wagers if each.rate == "regular"}
    assert judged == {25, 50, 100}


def test_a_date_is_no_name() -> None:
    text = card_text(name="HERE").replace('"HERE"', str(date(2026, 1, 1)))
    assert codes(read_card(text)) == {CardFault.WRONG_TYPE}
