"""The largest amount: ten billion dollars for a ticket with all its games, and for its payout."""

from typing import Any

import pytest

from keno.domain.cardfile import CardReport, judge_posted, posted_card, read_card
from keno.domain.certify import CardFault, Rules
from tests.cards import card_text


def codes_of(report: CardReport) -> set[CardFault]:
    return {fault.code for fault in report.faults}


def read_changed(**changes: Any) -> CardReport:
    return read_card(card_text(**changes))


@pytest.mark.parametrize(
    ("games", "largest"), [(1, 10**12), (20, 50_000_000_000), (99_999, 10_000_100)]
)
def test_no_card_allows_a_ticket_or_a_payout_above_the_largest_amount(
    games: int, largest: int
) -> None:
    within: dict[str, Any] = {
        "ticket_max_cents": largest, "aggregate_max_cents": largest, "rates__5race": None,
    }  # fmt: skip
    assert read_changed(**within, multi_race_games_max=games).faults == ()
    for field, code in (
        ("ticket_max_cents", CardFault.TICKET_ABOVE_LIMIT),
        ("aggregate_max_cents", CardFault.PAYOUT_ABOVE_LIMIT),
    ):
        changed = within | {field: min(largest + 1, 10**12)}
        report = read_changed(**changed, multi_race_games_max=games + 1)
        assert code in codes_of(report)
        assert any("No " in fault.message and field in fault.message for fault in report.faults)


def test_a_card_of_before_is_judged_by_the_rules_of_its_time() -> None:
    enormous = card_text(ticket_max_cents=10**12, multi_race_games_max=100_000)
    assert judge_posted(enormous, Rules.BOUGHT_MINIMUMS).certified
    assert codes_of(judge_posted(enormous)) == {CardFault.TICKET_ABOVE_LIMIT}
    assert posted_card(enormous) is not None
