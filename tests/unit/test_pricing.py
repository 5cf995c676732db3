"""A request against the card: each limit just inside and just outside, prices and payoffs."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keno.domain.errors import Refusal
from keno.domain.pricing import price
from keno.domain.ratecard import RateCard
from keno.domain.wager import KenoRequest, Line, TicketType
from tests.cards import card, card_text
from tests.counts import count
from tests.strategies import KINDS, keno_requests
from tests.wagers import every, listed, refusal, request

CARD = card()


def changed(**changes: Any) -> RateCard:
    return card(card_text(**changes))


def straight(
    spots: int, wager_cents: int = 100, rate: str = "regular", games: int = 1
) -> KenoRequest:
    return request([spots], every(1, spots, wager_cents, rate), games=games)


def groups_of_one(ways: int, wager_cents: int, rate: str = "regular") -> KenoRequest:
    """A split of so many one-spots."""
    return request([1] * ways, every(ways, 1, wager_cents, rate))


def sold(asked: KenoRequest, by: RateCard = CARD) -> bool:
    return price(asked, by).request == asked


def refused(asked: KenoRequest, by: RateCard = CARD) -> tuple[Refusal, str]:
    return refusal(lambda: price(asked, by))


# ---------------------------------------------------------------- rates, ways and spots


def test_a_rate_that_is_not_on_the_card_is_refused() -> None:
    for rate in ("gold", "", "S", "\ud800"):  # a mark is not a code
        line = listed((1,), rate=rate)
        unknown = refused(request([4, 5], listed((0,)), line))
        assert unknown == (Refusal.UNKNOWN_RATE, "lines[1].rate")


def test_a_ticket_has_at_most_the_cards_ways() -> None:
    asked = request([2] * 6, every(6, 2), every(15, 4))
    assert price(asked, changed(ways_max=21)).request.ways == 21
    assert refused(asked, changed(ways_max=20)) == (Refusal.TOO_MANY_WAYS, "lines")


@pytest.mark.parametrize("spots", range(1, 11))
def test_15_2_b_every_spot_count_up_to_the_cards_maximum_is_sold(spots: int) -> None:
    assert price(straight(spots), CARD).price_cents == 100


@pytest.mark.parametrize("spots", [11, 20, 80])
def test_15_2_b_no_way_has_more_spots_than_the_cards_maximum(spots: int) -> None:
    assert refused(straight(spots)) == (Refusal.TOO_MANY_SPOTS, "lines[0]")


def test_15_2_b_the_maximum_limits_each_way_and_not_the_ticket() -> None:
    assert price(request([10] * 8, every(8, 10)), CARD).request.spots_marked == 80
    listed_too = request([6, 5, 4], listed((0, 2)), listed((1, 2), (0, 1)))
    assert refused(listed_too) == (Refusal.TOO_MANY_SPOTS, "lines[1]")
    assert refused(request([6, 5], every(1, 11))) == (Refusal.TOO_MANY_SPOTS, "lines[0]")


def test_spots_that_a_rate_does_not_pay_are_refused() -> None:
    for spots in range(2, 9):
        assert sold(straight(spots, 125, "special"), CARD)
    for spots in (1, 9, 10):
        not_paid = refused(straight(spots, 125, "special"))
        assert not_paid == (Refusal.SPOTS_NOT_PAID, "lines[0]")


# ---------------------------------------------------------------- types and games

OF_EVERY_TYPE: dict[TicketType, tuple[list[int], Line, int]] = {
    TicketType.STRAIGHT: ([4], every(1, 4), 0),
    TicketType.SPLIT: ([4, 4], every(2, 4), 0),
    TicketType.WAY: ([2, 2], every(1, 4), 0),
    TicketType.COMBINATION: ([1, 3], every(1, 4), 0),
    TicketType.KING: ([3], every(1, 4), 1),
}


@pytest.mark.parametrize("ticket_type", TicketType)
def test_a_rate_may_be_for_some_ticket_types_only(ticket_type: TicketType) -> None:
    sizes, line, kings = OF_EVERY_TYPE[ticket_type]
    asked = request(sizes, line, kings=kings)
    assert asked.type is ticket_type
    assert sold(asked, changed(rates__regular__types=[ticket_type.value]))
    others = [each.value for each in TicketType if each is not ticket_type]
    not_offered = refused(asked, changed(rates__regular__types=others))
    assert not_offered == (Refusal.TYPE_NOT_OFFERED, "lines[0].rate")


def test_a_rate_may_be_for_a_least_number_of_games() -> None:
    assert price(straight(4, 50, "5race", games=5), CARD).price_cents == 250
    too_few = refused(straight(4, 50, "5race", games=4))
    assert too_few == (Refusal.TOO_FEW_GAMES, "games")


def test_every_line_keeps_the_terms_of_its_own_rate() -> None:
    plain, race = listed((0,)), listed((1,), rate="5race", wager_cents=50)
    assert price(request([4, 3], plain, race, games=5), CARD).price_cents == 750
    assert refused(request([4, 3], plain, race, games=4))[0] is Refusal.TOO_FEW_GAMES
    pair = listed((0, 1), rate="5race", wager_cents=50)
    not_offered = refused(request([1, 2], listed((0,)), pair, games=5))
    assert not_offered == (Refusal.TYPE_NOT_OFFERED, "lines[1].rate")


def test_15_2_c_6_a_multi_race_plays_at_most_the_cards_games() -> None:
    assert price(straight(4, games=20), CARD).price_cents == 2_000
    assert refused(straight(4, games=21)) == (Refusal.TOO_MANY_GAMES, "games")
    no_multi_race = changed(multi_race_games_max=1)
    assert sold(straight(4), no_multi_race)
    assert refused(straight(4, games=2), no_multi_race)[0] is Refusal.TOO_MANY_GAMES


def test_15_2_c_6_every_game_of_a_multi_race_costs_the_same() -> None:
    asked = request([4] * 3, every(3, 8), games=7)
    priced = price(asked, CARD)
    assert (priced.price_one_game_cents, priced.price_cents) == (300, 2_100)


# ---------------------------------------------------------------- wagers


@pytest.mark.parametrize(
    ("rate", "wagers"),
    [
        ("regular", [100, 105, 110, 1_995, 2_000]),
        ("special", [125, 250, 375, 500]),
        ("5race", [50, 100, 450, 500]),
    ],
)
def test_15_3_d_wagers_go_from_the_posted_minimum_to_the_maximum(
    rate: str, wagers: list[int]
) -> None:
    for wager_cents in wagers:
        asked = straight(4, wager_cents, rate, games=5)
        assert price(asked, CARD).price_one_game_cents == wager_cents


@pytest.mark.parametrize(("rate", "least"), [("regular", 100), ("special", 125), ("5race", 50)])
def test_15_3_d_a_wager_below_the_posted_minimum_is_refused(rate: str, least: int) -> None:
    for wager_cents in (1, least - 1, least // 2):
        too_low = refused(straight(4, wager_cents, rate, games=5))
        assert too_low == (Refusal.WAGER_TOO_LOW, "lines[0].wager_cents")


@pytest.mark.parametrize(("rate", "most"), [("regular", 2_000), ("special", 500), ("5race", 500)])
def test_15_3_d_a_wager_above_the_posted_maximum_is_refused(rate: str, most: int) -> None:
    step = CARD.rates[rate].step_cents
    for wager_cents in (most + 1, most + step, 10**12):
        too_high = refused(straight(4, wager_cents, rate, games=5))
        assert too_high == (Refusal.WAGER_TOO_HIGH, "lines[0].wager_cents")


@pytest.mark.parametrize(
    ("rate", "wagers"),
    [
        ("regular", [101, 104, 106, 1_999]),
        ("special", [126, 200, 249, 251, 499]),
        ("5race", [51, 75, 99, 499]),
    ],
)
def test_15_3_e_a_wager_between_two_steps_is_refused(rate: str, wagers: list[int]) -> None:
    for wager_cents in wagers:
        off_step = refused(straight(4, wager_cents, rate, games=5))
        assert off_step == (Refusal.WAGER_OFF_STEP, "lines[0].wager_cents")


def test_15_3_e_steps_are_counted_from_the_minimum_and_may_stop_short_of_the_maximum() -> None:
    odd = changed(rates__regular__tiers=[{"ways": 1, "min_cents": 103}])
    for wager_cents in (103, 108, 1_998):
        assert sold(straight(4, wager_cents), odd)
    for wager_cents in (105, 1_999, 2_000):
        assert refused(straight(4, wager_cents), odd)[0] is Refusal.WAGER_OFF_STEP
    assert refused(straight(4, 2_003), odd)[0] is Refusal.WAGER_TOO_HIGH
    assert refused(straight(4, 102), odd)[0] is Refusal.WAGER_TOO_LOW


def test_15_3_d_many_ways_may_cost_less_each_from_the_tier_on() -> None:
    assert refused(groups_of_one(9, 25))[0] is Refusal.WAGER_TOO_LOW
    assert refused(groups_of_one(9, 95))[0] is Refusal.WAGER_TOO_LOW
    assert price(groups_of_one(9, 100), CARD).price_cents == 900
    assert price(groups_of_one(10, 25), CARD).price_cents == 250
    assert price(groups_of_one(50, 25), CARD).price_cents == 1_250
    assert refused(groups_of_one(10, 24))[0] is Refusal.WAGER_TOO_LOW
    assert refused(groups_of_one(10, 26))[0] is Refusal.WAGER_OFF_STEP
    assert price(groups_of_one(10, 2_000), CARD).price_cents == 20_000
    assert refused(groups_of_one(10, 2_005))[0] is Refusal.WAGER_TOO_HIGH


def test_15_3_d_the_tier_goes_by_the_ways_of_the_whole_ticket() -> None:
    line = listed(*[(index,) for index in range(9)], wager_cents=25)
    tenth = listed((9,), wager_cents=125, rate="special")
    nine, ten = request([4] * 9, line), request([4] * 9 + [5], line, tenth)
    assert refused(nine)[0] is Refusal.WAGER_TOO_LOW
    assert price(ten, CARD).price_cents == 9 * 25 + 125


def test_15_3_e_steps_are_counted_from_the_tier_in_force() -> None:
    two_grids = changed(
        rates__regular__step_cents=50,
        rates__regular__tiers=[{"ways": 1, "min_cents": 100}, {"ways": 10, "min_cents": 25}],
    )
    assert sold(groups_of_one(9, 150), two_grids)
    assert refused(groups_of_one(9, 175), two_grids)[0] is Refusal.WAGER_OFF_STEP
    assert sold(groups_of_one(10, 175), two_grids)
    assert refused(groups_of_one(10, 150), two_grids)[0] is Refusal.WAGER_OFF_STEP


def test_15_3_e_a_wager_that_would_not_pay_whole_cents_is_refused() -> None:
    uneven = changed(rates__regular__pays={"1": {"1": 3_00}, "2": {"2": 12_10}, "3": {"3": 42_50}})
    assert sold(straight(1, 105), uneven)
    assert sold(straight(2, 100), uneven)
    assert sold(straight(2, 110), uneven)
    broken = refused(straight(2, 105), uneven)  # 1210 x 105 / 100 is 1270.5 cents
    assert broken == (Refusal.PAYOFF_NOT_WHOLE_CENTS, "lines[0].wager_cents")
    second = request([1, 2], listed((0,), wager_cents=105), listed((0, 1), (1,), wager_cents=105))
    assert refused(second, uneven) == (Refusal.PAYOFF_NOT_WHOLE_CENTS, "lines[1].wager_cents")


@pytest.mark.parametrize("rate", CARD.rates)
def test_15_3_e_payoffs_grow_in_proportion_until_the_maximum(rate: str) -> None:
    listing = CARD.rates[rate]
    for spots, pays in listing.pays.items():
        for wager_cents in range(
            listing.min_cents(1), listing.max_cents + 1, 2 * listing.step_cents
        ):
            asked = straight(spots, wager_cents, rate, games=5)
            line = price(asked, CARD).request.lines[0]
            payoffs = CARD.payoffs(line.rate, spots, line.wager_cents)
            assert len(payoffs) == spots + 1
            for catch, cents in enumerate(payoffs):
                in_proportion = pays.get(catch, 0) * wager_cents
                limit = CARD.aggregate_max_cents * listing.base_cents
                assert cents * listing.base_cents == min(in_proportion, limit)


def test_15_3_e_the_maximum_limits_a_single_payoff() -> None:
    asked = straight(10, 2_000)
    line = price(asked, CARD).request.lines[0]
    payoffs = CARD.payoffs(line.rate, 10, line.wager_cents)
    assert payoffs[8:] == (2_000_000, 10_000_000, 10_000_000)
    higher = changed(aggregate_max_cents=200_000_00)
    assert higher.payoffs(line.rate, 10, line.wager_cents)[10] == 20_000_000


# ---------------------------------------------------------------- the price of the ticket


def test_15_3_d_the_price_of_a_game_is_within_the_cards_limits() -> None:
    asked = request([4] * 3, every(3, 8), games=2)
    assert price(asked, changed(ticket_min_cents=300, ticket_max_cents=300)).price_cents == 600
    assert refused(asked, changed(ticket_min_cents=301)) == (Refusal.TICKET_TOO_LOW, "")
    assert refused(asked, changed(ticket_max_cents=299)) == (Refusal.TICKET_TOO_HIGH, "")


def test_15_3_d_the_limits_are_for_one_game_and_not_for_a_multi_race() -> None:
    asked = straight(4, 2_000, games=20)
    assert price(asked, changed(ticket_max_cents=2_000)).price_cents == 40_000
    cheap = straight(4, 100, games=20)
    assert refused(cheap, changed(ticket_min_cents=101))[0] is Refusal.TICKET_TOO_LOW


def test_15_4_a_a_stated_price_must_equal_ours() -> None:
    asked = request([4] * 3, every(3, 8), listed((0, 3), (1, 3), wager_cents=200), kings=1, games=5)
    assert price(asked, CARD).price_cents == 3_500
    assert price(replace(asked, price_cents=3_500), CARD).price_cents == 3_500
    for stated in (3_499, 3_501, 700, 1, 10**12):
        differs = refused(replace(asked, price_cents=stated))
        assert differs == (Refusal.PRICE_DIFFERS, "price_cents")


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_card_offers_is_priced_by_ways_wagers_and_games(kind: str) -> None:
    @settings(max_examples=count(20, 5_000))
    @given(keno_requests(kind), st.integers(-100, 100).filter(bool))
    def priced(asked: KenoRequest, off_cents: int) -> None:
        ours = price(asked, CARD)
        one_game = 0
        for line in asked.lines:
            for spots, ways in asked.spots_of(line).items():
                one_game += ways * line.wager_cents
                assert (
                    max(CARD.payoffs(line.rate, spots, line.wager_cents))
                    <= CARD.aggregate_max_cents
                )
        assert (ours.price_one_game_cents, ours.price_cents) == (one_game, one_game * asked.games)
        wrong = replace(asked, price_cents=ours.price_cents + off_cents)
        assert refused(wrong)[0] is Refusal.PRICE_DIFFERS

    priced()


# ---------------------------------------------------------------- every refusal, in its order

STRICT = changed(
    ways_max=2,
    spots_max=9,
    multi_race_games_max=5,
    ticket_min_cents=150,
    ticket_max_cents=300,
    rates__regular__pays={"1": {"1": 3_00}, "2": {"2": 12_03}, "10": {"10": 1_00}},
    rates__regular__types=["straight", "split", "way"],
    rates__regular__games_min=2,
)
NO_RATE: Line = listed((1,), rate="gold")
LADDER: list[tuple[Refusal, KenoRequest]] = [
    # Each request has every fault that can stand beside its own and comes later in the order.
    (Refusal.UNKNOWN_RATE, request([10, 3, 10], listed((0,), (2,)), NO_RATE)),
    (Refusal.TOO_MANY_WAYS, request([10, 3, 1], listed((0,), (1,), (1, 2)))),
    (Refusal.TOO_MANY_SPOTS, request([3, 7], every(1, 10, 1))),
    (Refusal.SPOTS_NOT_PAID, request([3, 1], every(1, 4, 1))),
    (Refusal.TYPE_NOT_OFFERED, request([1], every(1, 2, 1), kings=1)),
    (Refusal.TOO_FEW_GAMES, straight(2, 1)),
    (Refusal.TOO_MANY_GAMES, straight(2, 1, games=6)),
    (Refusal.WAGER_TOO_LOW, straight(2, 1, games=2)),
    (Refusal.WAGER_TOO_HIGH, straight(2, 2_001, games=2)),
    (Refusal.WAGER_OFF_STEP, straight(2, 101, games=2)),
    (Refusal.PAYOFF_NOT_WHOLE_CENTS, straight(2, 105, games=2)),
    (Refusal.TICKET_TOO_LOW, straight(1, 105, games=2)),
    (Refusal.TICKET_TOO_HIGH, straight(1, 305, games=2)),
    (Refusal.PRICE_DIFFERS, straight(1, 200, games=2)),
]


@pytest.mark.parametrize(("reason", "asked"), LADDER)
def test_the_first_refusal_in_their_order_is_told(reason: Refusal, asked: KenoRequest) -> None:
    assert refused(replace(asked, price_cents=1), STRICT)[0] is reason


def test_every_refusal_of_a_card_is_met() -> None:
    members = list(Refusal)
    of_a_card = members[
        members.index(Refusal.UNKNOWN_RATE) : members.index(Refusal.PRICE_DIFFERS) + 1
    ]
    assert [reason for reason, _ in LADDER] == of_a_card


def test_a_request_that_passes_every_rung_is_sold() -> None:
    assert price(straight(1, 200, games=2), STRICT).price_cents == 400
