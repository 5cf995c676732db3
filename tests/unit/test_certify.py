"""The rules of a rate card at their edges: 30 percent, $100,000, whole cents, claims, minima."""

import re
import tomllib
from fractions import Fraction
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.cardfile import CardReport, read_card
from keno.domain.certify import CardFault, Verdict
from tests.cards import CARD, card_text

REGULAR = tomllib.loads(CARD)["rates"]["regular"]

DOLLAR = {"ways": 1, "min_cents": 100}
# Every way a card can be wrong, each as one change of a lawful card.
FAULTY: dict[CardFault, str] = {
    CardFault.MISSING_FIELD: card_text(ticket_max_cents=None),
    CardFault.UNKNOWN_FIELD: card_text(colour="red"),
    CardFault.WRONG_TYPE: card_text(spots_max=10.0),
    CardFault.OUT_OF_RANGE: card_text(ways_max=0),
    CardFault.BAD_CODE: CARD.replace("rates.5race", "rates.5RACE"),
    CardFault.BAD_MARK: card_text(rates__special__mark="12"),
    CardFault.MARK_TAKEN: card_text(rates__regular__mark="S"),
    CardFault.UNKNOWN_TYPE: card_text(rates__5race__types=["straight", "runner"]),
    CardFault.UNKNOWN_DEFAULT_RATE: card_text(default_rate="dollar"),
    CardFault.TOO_LARGE: CARD + "#" * 64 * 1024,
    CardFault.TIERS_OUT_OF_ORDER: card_text(rates__regular__tiers=[{"ways": 2, "min_cents": 100}]),
    CardFault.MINIMUM_STATED_TWICE: card_text(rates__regular__min_cents=50),
    CardFault.MINIMUM_ABOVE_MAXIMUM: card_text(rates__regular__max_cents=99),
    CardFault.MAXIMUM_NOT_REACHED: card_text(rates__regular__max_cents=20_03),
    CardFault.TICKET_MAX_TOO_LOW: card_text(
        ticket_max_cents=4_00,
        rates__special__min_cents=5_00,
        rates__special__pays__8=None,
        rates__regular__max_cents=4_00,
        rates__5race__max_cents=4_00,
    ),
    CardFault.TICKET_MIN_TOO_HIGH: card_text(
        ticket_min_cents=1_00, rates__5race__max_cents=50, rates__5race__types=["straight"]
    ),
    CardFault.TICKET_ABOVE_LIMIT: card_text(ticket_max_cents=50_000_000_001),
    CardFault.PAYOUT_ABOVE_LIMIT: card_text(aggregate_max_cents=50_000_000_001),
    CardFault.WAYS_MAX_TOO_LOW: card_text(
        ways_max=1, rates__5race__types=["split"], rates__regular__tiers=[DOLLAR]
    ),
    CardFault.NEVER_SOLD: card_text(
        rates__special__types=["way"], rates__special__pays={"1": {"1": 3_75}}
    ),
    CardFault.TIER_NEVER_REACHED: card_text(ways_max=9),
    CardFault.GAMES_MIN_ABOVE_MAX: card_text(multi_race_games_max=4),
    CardFault.CLAIM_STATED_TWICE: card_text(claim_minutes=525_600),
    CardFault.CLAIM_TOO_SHORT: card_text(claim_days=0),
    CardFault.CLAIM_TOO_LONG: card_text(claim_days=366),
    CardFault.AGGREGATE_TOO_LOW: card_text(aggregate_max_cents=99_999_99),
    CardFault.SHARE_ABOVE_AGGREGATE: card_text(aggregate_share={"full_up_to_cents": 100_000_01}),
    CardFault.IMPOSSIBLE_CATCH: card_text(rates__regular__pays__8__9=1_00),
    CardFault.SPOTS_ABOVE_MAX: card_text(spots_max=9),
    CardFault.SPOTS_NOT_PAID: card_text(spots_max=11),
    CardFault.NOT_WHOLE_CENTS: card_text(
        rates__regular__step_cents=1, rates__regular__pays__1__1=2_90
    ),
    CardFault.OVER_LIMIT: card_text(rates__regular__pays__1__1=2_60),
    CardFault.NEGATIVE: card_text(rates__regular__pays__1__1=4_20),
}


def codes(report: CardReport) -> set[CardFault]:
    return {fault.code for fault in report.faults}


def read(**changes: Any) -> CardReport:
    """Read the small card with some fields changed."""
    return read_card(card_text(**changes))


def one_rate(
    pays: dict[int, dict[int, int]],
    *,
    base: int = 100,
    most: int | None = None,
    step: int = 1,
    tiers: dict[int, int] | None = None,
    **changes: Any,
) -> CardReport:
    """A card with one rate that is called dollar; its spots are those it pays."""
    dollar = {
        "base_cents": base,
        "max_cents": base if most is None else most,
        "step_cents": step,
        "tiers": [
            {"ways": ways, "min_cents": cents} for ways, cents in (tiers or {1: base}).items()
        ],
        "pays": pays,
    }
    return read(**{"rates": {"dollar": dollar}, "default_rate": None, "spots_max": 1} | changes)


def straight(base: int, pays: int, **changes: Any) -> CardReport:
    """A card with one wager: one spot, caught once in four games, so all is easily exact."""
    return one_rate({1: {1: pays}}, base=base, multi_race_games_max=1, **changes)


def by_hand(spots: int, pays: dict[int, int], base: int, wager: int, maximum: int) -> Fraction:
    """House advantage from the definition: 20 of 80, the payoff in proportion up to the maximum."""
    back = Fraction(0)
    for catch in range(min(spots, 20) + 1):
        if 0 <= 20 - catch <= 80 - spots:
            chance = Fraction(comb(spots, catch) * comb(80 - spots, 20 - catch), comb(80, 20))
            back += chance * min(Fraction(pays.get(catch, 0) * wager, base), Fraction(maximum))
    return 1 - back / wager


@pytest.mark.parametrize(("code", "text"), FAULTY.items(), ids=FAULTY)
def test_every_fault_is_found_and_no_other(code: CardFault, text: str) -> None:
    report = read_card(text)
    assert codes(report) == {code}
    assert not report.certified
    assert all(fault.message.endswith(".") for fault in report.faults)


def test_15_3_d_a_minimum_that_is_stated_twice_alike_is_no_fault() -> None:
    assert read(rates__regular__min_cents=1_00).certified


def test_every_fault_is_in_the_table() -> None:
    assert list(FAULTY) == list(CardFault)


@pytest.mark.parametrize(
    "code",
    [
        CardFault.UNKNOWN_FIELD,
        CardFault.MARK_TAKEN,
        CardFault.MINIMUM_ABOVE_MAXIMUM,
        CardFault.GAMES_MIN_ABOVE_MAX,
        CardFault.CLAIM_TOO_SHORT,
        CardFault.CLAIM_TOO_LONG,
        CardFault.AGGREGATE_TOO_LOW,
        CardFault.SHARE_ABOVE_AGGREGATE,
        CardFault.IMPOSSIBLE_CATCH,
        CardFault.SPOTS_ABOVE_MAX,
        CardFault.SPOTS_NOT_PAID,
        CardFault.NOT_WHOLE_CENTS,
        CardFault.OVER_LIMIT,
        CardFault.NEGATIVE,
    ],
)
def test_a_card_that_has_the_fields_can_be_reckoned_with(code: CardFault) -> None:
    assert read_card(FAULTY[code]).card is not None


# 15.3(e): the house advantage.


def test_15_3_e_exactly_thirty_percent_passes() -> None:
    report = straight(base=100, pays=2_80)
    assert report.faults == ()
    (wager,) = report.wagers
    assert wager.house_advantage == Fraction(3, 10)
    assert wager.verdict is Verdict.OK


@pytest.mark.parametrize(
    ("base", "pays", "above"),
    [
        (250_000, 699_999, Fraction(1, 10**6)),
        (2_500_000, 6_999_997, Fraction(3, 10) / 10**6),
        (250_000_000_000, 699_999_999_999, Fraction(1, 10**12)),
    ],
)
def test_15_3_e_one_part_in_a_million_above_thirty_percent_fails(
    base: int, pays: int, above: Fraction
) -> None:
    report = straight(base, pays, aggregate_max_cents=10**12, ticket_max_cents=10**12)
    assert codes(report) == {CardFault.OVER_LIMIT}
    (wager,) = report.wagers
    assert wager.house_advantage == Fraction(3, 10) + above
    assert wager.verdict is Verdict.OVER_LIMIT


def test_15_3_e_one_part_in_a_million_below_thirty_percent_passes() -> None:
    report = straight(250_000, 700_001, ticket_max_cents=250_000)
    assert report.faults == ()
    assert report.wagers[0].house_advantage == Fraction(3, 10) - Fraction(1, 10**6)


def test_15_3_e_a_card_that_keeps_nothing_passes_and_one_that_loses_is_a_misprint() -> None:
    even = straight(250_000, 1_000_000, ticket_max_cents=250_000)
    assert even.faults == ()
    assert even.wagers[0].house_advantage == 0
    losing = straight(250_000, 1_000_001, ticket_max_cents=250_000)
    assert codes(losing) == {CardFault.NEGATIVE}
    assert losing.wagers[0].house_advantage == Fraction(-1, 10**6)
    assert losing.wagers[0].verdict is Verdict.NEGATIVE


def test_15_3_e_every_offending_wager_is_listed_with_its_fraction_and_percentage() -> None:
    report = read(rates__regular__pays__1__1=2_60, rates__special__pays__2__2=25_00)
    over, negative = CardFault.OVER_LIMIT, CardFault.NEGATIVE
    assert [fault.code for fault in report.faults] == [over, over, negative]
    dollar, quarter, special = (fault.message for fault in report.faults)
    assert all(part in dollar for part in ("regular", "1 spot ", "$1.00", "7/20", "35.000000%"))
    assert all(part in quarter for part in ("regular", "1 spot ", "$0.25", "7/20", "35.000000%"))
    assert all(part in special for part in ("special", "2 spots", "$1.25", "-16/79", "-20.253165%"))


# Ten spots that pay a million dollars at the base price: ten times the maximum.
MILLION = {5: 2_00, 6: 20_00, 7: 1_20_00, 8: 8_00_00, 9: 40_00_00, 10: 1_000_000_00}
CAPPED = {"rates__regular__pays__10": MILLION}


def test_15_3_e_lawful_at_its_dime_way_but_not_at_its_dollar_minimum_fails() -> None:
    tiers = [{"ways": 1, "min_cents": 1_00}, {"ways": 10, "min_cents": 10}]
    report = read(**CAPPED, rates__regular__tiers=tiers)
    (fault,) = report.faults
    assert fault.code is CardFault.OVER_LIMIT
    assert all(part in fault.message for part in ("regular", "10 spots", "$1.00"))
    dollar, dime = (
        wager for wager in report.wagers if (wager.rate, wager.spots) == ("regular", 10)
    )
    assert (dollar.wager_cents, dollar.verdict) == (1_00, Verdict.OVER_LIMIT)
    assert (dime.wager_cents, dime.verdict) == (10, Verdict.OK)
    assert dollar.house_advantage == by_hand(10, MILLION, 1_00, 1_00, 100_000_00)
    assert dime.house_advantage == by_hand(10, MILLION, 1_00, 10, 100_000_00)
    assert dime.house_advantage < Fraction(3, 10) < dollar.house_advantage
    only_dimes = [{"ways": 1, "min_cents": 10}]
    assert read(**CAPPED, rates__regular__tiers=only_dimes, ticket_min_cents=10).faults == ()


def test_15_3_e_a_higher_maximum_makes_the_same_payoffs_lawful() -> None:
    assert codes(read(**CAPPED)) == {CardFault.OVER_LIMIT}
    assert read(**CAPPED, aggregate_max_cents=1_000_000_00).faults == ()


def test_15_3_e_the_advantage_at_the_maximum_wager_shows_what_the_cap_takes() -> None:
    wagers = {(each.rate, each.spots, each.wager_cents): each for each in read().wagers}
    one = wagers["regular", 1, 1_00]
    assert one.at_maximum == one.house_advantage == Fraction(1, 4)
    pays = {5: 2_00, 6: 20_00, 7: 130_00, 8: 1_000_00, 9: 5_000_00, 10: 100_000_00}
    for least in (1_00, 25):
        ten = wagers["regular", 10, least]
        assert ten.house_advantage == by_hand(10, pays, 1_00, least, 100_000_00)
        assert ten.at_maximum == by_hand(10, pays, 1_00, 20_00, 100_000_00)
        assert ten.at_maximum > ten.house_advantage


def test_15_3_e_the_maximum_wager_is_one_that_whole_steps_reach() -> None:
    pays = {10: {5: 2_00, 6: 20_00, 7: 130_00, 8: 1_000_00, 9: 5_000_00, 10: 100_000_00}}
    report = one_rate(pays, step=3_00, most=9_99, spots_max=10)
    assert CardFault.MAXIMUM_NOT_REACHED in codes(report)
    (wager,) = report.wagers
    assert wager.at_maximum == by_hand(10, pays[10], 1_00, 7_00, 100_000_00)


def test_15_3_e_above_thirty_percent_at_the_maximum_wager_is_no_fault() -> None:
    """The limit is for the minimum wager; what the cap does above it is only reported."""
    pays = {1: {1: 2_80}}
    report = one_rate(pays, most=1_000_000_00, step=1_00, ticket_max_cents=1_000_000_00)
    assert report.faults == ()
    assert report.wagers[0].at_maximum == Fraction(39, 40)


@st.composite
def rates(draw: st.DrawFn) -> tuple[dict[int, dict[int, int]], int, int, int]:
    """Pays by spots and catch, base, minimum and maximum payoff of a card, lawful or not."""
    pays = {
        spots: draw(
            st.dictionaries(
                st.integers(max(0, spots - 60), min(spots, 20)),
                st.integers(0, draw(st.sampled_from([10**3, 10**6, 10**9]))),
                min_size=1,
            )
        )
        for spots in draw(st.lists(st.integers(1, 80), min_size=1, max_size=4, unique=True))
    }
    base = draw(st.integers(1, 10**4))
    return pays, base, draw(st.integers(1, 10**4)), draw(st.integers(100_000_00, 10**9))


@given(rates())
def test_15_3_e_the_advantage_is_that_of_the_definition(
    made: tuple[dict[int, dict[int, int]], int, int, int],
) -> None:
    pays, base, least, maximum = made
    report = one_rate(
        pays, base=base, most=10**5, tiers={1: least}, spots_max=80, aggregate_max_cents=maximum,
        ticket_min_cents=1,
    )  # fmt: skip
    assert {wager.spots for wager in report.wagers} == set(pays)
    for wager in report.wagers:
        advantage = by_hand(wager.spots, pays[wager.spots], base, least, maximum)
        assert wager.house_advantage == advantage
        assert wager.at_maximum == by_hand(wager.spots, pays[wager.spots], base, 10**5, maximum)
        assert (wager.verdict is Verdict.OVER_LIMIT) == (advantage > Fraction(30, 100))
        assert (wager.verdict is Verdict.NEGATIVE) == (advantage < 0)
    offending = [wager for wager in report.wagers if wager.verdict is not Verdict.OK]
    blamed = [each for each in report.faults if each.code in {"over_limit", "negative"}]
    assert [each.code.value for each in blamed] == [each.verdict.value for each in offending]


# 15.3(e): payoffs in proportion come out in whole cents.


def broken(report: CardReport) -> list[str]:
    assert codes(report) <= {CardFault.NOT_WHOLE_CENTS}
    return [fault.message for fault in report.faults]


def names(message: str, catch: int, spots: int, dollars: str) -> bool:
    where = re.search(rf"\b{catch} of {spots} spots?\b", message)
    return "dollar" in message and where is not None and f"{dollars} " in message


def test_15_3_e_a_payoff_that_is_not_whole_cents_at_the_minimum_is_named() -> None:
    (message,) = broken(straight(100, 2_85, tiers={1: 50}, most=50))
    assert names(message, catch=1, spots=1, dollars="$0.50")
    assert "would pay 285/2 cents" in message


def test_15_3_e_a_payoff_that_is_not_whole_cents_one_step_above_the_minimum_is_named() -> None:
    (message,) = broken(straight(100, 2_90, most=1_01))
    assert names(message, catch=1, spots=1, dollars="$1.01")


def test_15_3_e_a_step_that_the_maximum_does_not_allow_does_no_harm() -> None:
    assert broken(straight(100, 2_90, most=1_00)) == []
    assert broken(straight(100, 2_90, most=1_00, step=10)) == []
    assert broken(straight(100, 2_90, most=1_10, step=10)) == []
    assert len(broken(straight(100, 2_90, most=1_05, step=5))) == 1


def test_15_3_e_a_payoff_that_is_not_whole_cents_at_a_lower_tier_is_named() -> None:
    (message,) = broken(straight(100, 2_90, tiers={1: 1_00, 10: 25}, step=25, most=1_00))
    assert names(message, catch=1, spots=1, dollars="$0.25")


def test_15_3_e_every_payoff_that_is_not_whole_cents_is_named() -> None:
    pays = {1: {1: 2_95}, 2: {1: 30, 2: 9_99}, 3: {2: 1_00, 3: 42_50}}
    messages = broken(one_rate(pays, tiers={1: 1_00, 20: 10}, step=90, spots_max=3))
    assert len(messages) == 2
    assert names(messages[0], catch=1, spots=1, dollars="$0.10")
    assert names(messages[1], catch=2, spots=2, dollars="$0.10")


@given(
    base=st.integers(1, 60),
    least=st.integers(1, 60),
    step=st.integers(1, 60),
    room=st.integers(0, 200),
    pays=st.integers(0, 400),
)
def test_15_3_e_a_card_passes_only_if_every_wager_it_allows_pays_whole_cents(
    base: int, least: int, step: int, room: int, pays: int
) -> None:
    report = straight(base, pays, tiers={1: least}, step=step, most=least + room)
    uneven = [wager for wager in range(least, least + room + 1, step) if pays * wager % base]
    assert (CardFault.NOT_WHOLE_CENTS in codes(report)) == bool(uneven)
    if uneven:
        (fault,) = (each for each in report.faults if each.code is CardFault.NOT_WHOLE_CENTS)
        assert names(
            fault.message, catch=1, spots=1, dollars=f"${uneven[0] // 100}.{uneven[0] % 100:02d}"
        )


# 15.3(e): the maximum; 15.3(d): minima and maxima; 15.6(c): claims; 15.2(b): spots.


@pytest.mark.parametrize(
    ("cents", "lawful"),
    [(1, False), (99_999_99, False), (100_000_00, True), (100_000_01, True), (10**12, True)],
)
def test_15_3_e_the_maximum_aggregate_payoff_is_100_000_dollars_at_least(
    cents: int, *, lawful: bool
) -> None:
    report = straight(100, 2_80, aggregate_max_cents=cents)
    assert (CardFault.AGGREGATE_TOO_LOW in codes(report)) is not lawful


@pytest.mark.parametrize(("cents", "lawful"), [(100_000_00, True), (100_000_01, False)])
def test_15_3_e_a_share_in_full_is_within_the_maximum(cents: int, *, lawful: bool) -> None:
    report = read(aggregate_share={"full_up_to_cents": cents})
    assert codes(report) == (set() if lawful else {CardFault.SHARE_ABOVE_AGGREGATE})


@pytest.mark.parametrize(
    ("claim", "code"),
    [
        ({"claim_minutes": -1}, CardFault.CLAIM_TOO_SHORT),
        ({"claim_minutes": 0}, CardFault.CLAIM_TOO_SHORT),
        ({"claim_minutes": 4}, CardFault.CLAIM_TOO_SHORT),
        ({"claim_minutes": 5}, None),
        ({"claim_minutes": 365 * 24 * 60}, None),
        ({"claim_minutes": 365 * 24 * 60 + 1}, CardFault.CLAIM_TOO_LONG),
        ({"claim_days": -365}, CardFault.CLAIM_TOO_SHORT),
        ({"claim_days": 0}, CardFault.CLAIM_TOO_SHORT),
        ({"claim_days": 1}, None),
        ({"claim_days": 365}, None),
        ({"claim_days": 366}, CardFault.CLAIM_TOO_LONG),
    ],
    ids=str,
)
def test_15_6_c_a_claim_period_is_five_minutes_to_one_year(
    claim: dict[str, int], code: CardFault | None
) -> None:
    assert codes(read(**{"claim_days": None} | claim)) == ({code} if code else set())


def test_15_3_d_no_minimum_is_above_its_maximum() -> None:
    assert read(rates__regular__max_cents=1_00).faults == ()
    (fault,) = read(rates__regular__max_cents=99).faults
    assert fault.code is CardFault.MINIMUM_ABOVE_MAXIMUM
    assert all(part in fault.message for part in ("regular", "$1.00", "$0.99"))


def test_15_3_d_a_tier_is_reached_if_one_spot_count_reaches_it() -> None:
    """Three groups fit the grid if each has one spot, but not if one of them has 79."""
    tiers, pays = {1: 1_00, 3: 50}, {1: {1: 3_00}, 79: {20: 1_00}}
    for paid, unreached in ((pays, False), ({79: pays[79]}, True)):
        report = one_rate(paid, tiers=tiers, rates__dollar__types=["straight", "split"])
        assert (CardFault.TIER_NEVER_REACHED in codes(report)) is unreached


def test_15_3_d_the_least_price_of_a_ticket_is_not_above_the_greatest() -> None:
    assert straight(100, 2_80, most=1_000_00, step=1_00, ticket_min_cents=1_000_00).faults == ()
    assert codes(read(ticket_min_cents=1_000_01)) == {CardFault.MINIMUM_ABOVE_MAXIMUM}


def test_15_2_b_every_spot_count_up_to_the_maximum_is_paid_by_some_rate() -> None:
    gap = read(rates__regular__pays__9=None)
    assert codes(gap) == {CardFault.SPOTS_NOT_PAID}
    assert "9 spots" in gap.faults[0].message
    assert read(rates__special__pays__8=None, rates__5race__pays__1=None).faults == ()
    assert read(rates__regular__pays__2=None).faults == ()  # others pay two spots


def test_15_2_b_a_payoff_of_nothing_pays_nothing() -> None:
    assert CardFault.SPOTS_NOT_PAID in codes(read(rates__regular__pays__10={"10": 0}))
    paid = read(rates__regular__pays__10={"10": 500, "0": 0})
    assert CardFault.SPOTS_NOT_PAID not in codes(paid)
    without_one = {f"rates__{each}__pays__1": None for each in ("regular", "5race")}
    assert CardFault.SPOTS_NOT_PAID in codes(read(**without_one))


def test_15_2_b_no_rate_pays_more_spots_than_the_maximum() -> None:
    report = read(spots_max=8)
    assert [fault.code for fault in report.faults] == [CardFault.SPOTS_ABOVE_MAX] * 2
    assert all("regular" in fault.message for fault in report.faults)


@pytest.mark.parametrize(
    ("spots", "possible", "impossible"),
    [
        (1, [0, 1], [2]),
        (20, [0, 20], [21, 80]),
        (21, [0, 20], [21]),
        (60, [0, 20], [21]),
        (61, [1, 20], [0, 21]),
        (80, [20], [0, 19, 21]),
    ],
)
def test_a_payoff_for_a_catch_that_cannot_happen_is_a_fault(
    spots: int, possible: list[int], impossible: list[int]
) -> None:
    pays = {spots: dict.fromkeys([*possible, *impossible], 1_00)}
    report = one_rate(pays, spots_max=spots)
    found = [each.message for each in report.faults if each.code is CardFault.IMPOSSIBLE_CATCH]
    assert [re.findall(r"(\d+) of (\d+)", message)[0] for message in found] == [
        (str(catch), str(spots)) for catch in sorted(impossible)
    ]


def test_a_rate_for_more_games_than_a_ticket_may_play_is_a_fault() -> None:
    assert read(multi_race_games_max=5).faults == ()
    (fault,) = read(multi_race_games_max=4).faults
    assert fault.code is CardFault.GAMES_MIN_ABOVE_MAX
    assert "5race" in fault.message


@pytest.mark.parametrize(
    ("changes", "lawful"),
    [
        ({"rates__regular__mark": "S"}, False),
        ({"rates__regular__mark": "s"}, True),
        ({"rates__special__mark": "spec"}, True),
        ({"rates__x": {"mark": "X"}, "rates__special__mark": "x"}, False),
        ({"rates__x": {"mark": "x"}}, True),
        ({"rates__x": {"mark": "S"}}, False),
    ],
    ids=str,
)
def test_a_mark_stands_for_one_rate_only(changes: dict[str, Any], *, lawful: bool) -> None:
    """Neither another rate's mark nor its code; codes are read behind a price as marks are."""
    if "rates__x" in changes:
        changes = changes | {"rates__x": REGULAR | changes["rates__x"]}
    assert codes(read(**changes)) == (set() if lawful else {CardFault.MARK_TAKEN})
