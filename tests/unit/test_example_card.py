"""The rate card that comes with the program: lawful, complete, and one that a booth could post."""

from fractions import Fraction
from importlib.resources import files
from itertools import product
from math import comb

import pytest

from keno.domain.cardfile import CardReport, read_card
from keno.domain.errors import Refusal, Refused
from keno.domain.pricing import price
from keno.domain.ratecard import Proportional, Rate, RateCard
from keno.domain.request_text import parse
from keno.domain.wager import TicketType

REPORT: CardReport = read_card(
    (files("keno") / "ratecards" / "larkspur.toml").read_text(encoding="utf-8")
)
MAXIMUM = 100_000_00


@pytest.fixture
def larkspur() -> RateCard:
    assert REPORT.card is not None
    return REPORT.card


def allowed_wagers(rate: Rate) -> set[int]:
    """Every wager a way that some ticket may have, by counting up from each posted minimum."""
    return {
        wager
        for tier in rate.tiers
        for wager in range(tier.min_cents, rate.max_cents + 1, rate.step_cents)
    }


def advantage(rate: Rate, spots: int, wager: int) -> Fraction:
    """From the definition, by counting draws."""
    back = Fraction(0)
    for catch, cents in rate.pays[spots].items():
        draws = comb(spots, catch) * comb(80 - spots, 20 - catch)
        payoff = min(Fraction(cents * wager, rate.base_cents), Fraction(MAXIMUM))
        back += Fraction(draws, comb(80, 20)) * payoff
    return 1 - back / wager


def test_it_is_certified() -> None:
    assert REPORT.faults == ()
    assert REPORT.certified


def test_15_2_b_it_pays_one_to_twenty_spots(larkspur: RateCard) -> None:
    assert larkspur.spots_max == 20
    assert list(larkspur.rates["regular"].pays) == list(range(1, 21))


def test_15_3_e_no_posted_minimum_keeps_more_than_thirty_percent(larkspur: RateCard) -> None:
    judged = {(each.rate, each.spots, each.wager_cents): each for each in REPORT.wagers}
    posted = [
        (rate, spots, max(tier.min_cents, larkspur.ticket_min_cents // tier.ways))
        for rate in larkspur.rates.values()
        for spots, tier in product(rate.pays, rate.tiers)
    ]
    assert len(judged) == len(posted) == len(REPORT.wagers)
    for rate, spots, wager in posted:
        wanted = advantage(rate, spots, wager)
        assert judged[rate.code, spots, wager].house_advantage == wanted
        assert Fraction(20, 100) <= wanted <= Fraction(30, 100)


def test_15_3_e_every_wager_it_allows_pays_whole_cents(larkspur: RateCard) -> None:
    for rate in larkspur.rates.values():
        for wager in allowed_wagers(rate):
            for pays in rate.pays.values():
                assert not any(cents * wager % rate.base_cents for cents in pays.values())


def test_it_has_several_rates_with_marks_of_their_own(larkspur: RateCard) -> None:
    assert list(larkspur.rates) == ["regular", "special", "economy", "marathon"]
    assert [larkspur.mark_of(code) for code in larkspur.rates] == ["", "S", "E", "M"]
    assert larkspur.default_rate == "regular"


def test_15_3_d_many_ways_cost_a_dime_each(larkspur: RateCard) -> None:
    regular = larkspur.rates["regular"]
    minima = [regular.min_cents(ways) for ways in (1, 9, 10, 99, 100, 190)]
    assert minima == [1_00, 1_00, 25, 25, 10, 10]
    fours = "/".join(" ".join(map(str, range(low, low + 4))) for low in range(1, 81, 4))
    ticket = price(parse(f"{fours}: 190/8@0.10 =19.00", larkspur), larkspur)
    assert ticket.price_cents == 19_00
    with pytest.raises(Refused) as refused:
        price(parse(f"{fours}: 190/8@0.05", larkspur), larkspur)
    assert refused.value.reason is Refusal.WAGER_TOO_LOW


def test_an_eight_spot_pays_what_eight_spots_pay(larkspur: RateCard) -> None:
    eight = larkspur.rates["regular"].pays[8]
    assert eight == {5: 9_00, 6: 90_00, 7: 1_500_00, 8: 25_000_00}


def test_15_3_e_top_awards_reach_the_maximum_and_it_matters(larkspur: RateCard) -> None:
    assert larkspur.aggregate_max_cents == MAXIMUM
    assert larkspur.aggregate_share == Proportional()
    regular = larkspur.rates["regular"]
    for spots in range(10, 21):
        assert max(regular.pays[spots].values()) == MAXIMUM
    assert regular.payoff(10, 10, 2_00, MAXIMUM) == MAXIMUM
    bitten = {each.spots for each in REPORT.wagers if each.at_maximum > each.house_advantage}
    assert bitten >= set(range(7, 21))


def test_15_3_e_no_payoff_exceeds_the_maximum_at_its_minimum(larkspur: RateCard) -> None:
    for rate in larkspur.rates.values():
        for pays, tier in product(rate.pays.values(), rate.tiers):
            assert max(pays.values()) * tier.min_cents <= MAXIMUM * rate.base_cents


def test_15_3_d_every_minimum_can_be_reached_by_some_ticket(larkspur: RateCard) -> None:
    """A posted minimum that the price of a ticket rules out would be a false notice."""
    for rate in larkspur.rates.values():
        for tier in rate.tiers:
            assert tier.ways <= larkspur.ways_max
            assert tier.ways * tier.min_cents <= larkspur.ticket_max_cents
    assert price(parse("1/2: 2/1@1.00", larkspur), larkspur).price_cents == 2_00
    assert price(parse("1 2/3 4: 2/2@0.50E", larkspur), larkspur).price_cents == 1_00


def test_the_economy_rate_is_not_for_straight_tickets(larkspur: RateCard) -> None:
    economy = larkspur.rates["economy"]
    assert economy.types == frozenset(TicketType) - {TicketType.STRAIGHT}
    with pytest.raises(Refused) as refused:
        price(parse("1 2 3: 1/3@1.00E", larkspur), larkspur)
    assert refused.value.reason is Refusal.TYPE_NOT_OFFERED


def test_the_marathon_rate_is_for_twenty_games_and_never_worse_than_regular(
    larkspur: RateCard,
) -> None:
    regular, marathon = larkspur.rates["regular"], larkspur.rates["marathon"]
    assert marathon.games_min == 20 <= larkspur.multi_race_games_max
    assert marathon.base_cents == regular.base_cents
    for spots, pays in marathon.pays.items():
        assert set(regular.pays[spots]) <= set(pays)
        assert all(pays[catch] >= cents for catch, cents in regular.pays[spots].items())
        assert pays != regular.pays[spots]


def test_every_type_of_ticket_can_be_bought(larkspur: RateCard) -> None:
    requests = {
        TicketType.STRAIGHT: "1 2 3: 1/3@1.00",
        TicketType.SPLIT: "1 2 3/4 5 6: 2/3@1.00",
        TicketType.WAY: "1 2 3/4 5 6/7 8 9: 3/6@1.00",
        TicketType.COMBINATION: "1 2/3 4/5 6/7 8: AB,CD@1.00",
        TicketType.KING: "1 2/3 4/K5: AK1,BK1@1.00",
    }
    for wanted, text in requests.items():
        request = parse(text, larkspur)
        assert request.type is wanted
        assert price(request, larkspur).price_cents > 0


def test_15_6_c_tickets_are_valid_for_a_year(larkspur: RateCard) -> None:
    assert larkspur.claim_minutes == 365 * 24 * 60
    assert larkspur.multi_race_refunds
