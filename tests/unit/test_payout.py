"""Authorisation from $1,500.00, tax forms and cash reports (15.6(b))."""

from datetime import date

import pytest

from keno.domain.errors import Refusal, Refused
from keno.domain.payout import (
    Authorisation,
    check_authorised,
    check_not_own_act,
    check_not_seller,
    tax_form_games,
    why_lapsed,
)


def test_15_6_b_1499_99_needs_no_supervisor() -> None:
    check_authorised(7, 1_499_99, "writer", None)


def test_15_6_b_1500_00_needs_a_supervisor() -> None:
    with pytest.raises(Refused) as exc:
        check_authorised(7, 1_500_00, "writer", None)
    assert exc.value.reason is Refusal.AUTHORISATION_NEEDED
    assert exc.value.message == "A supervisor must authorise a payout this large."
    check_authorised(7, 1_500_00, "writer", Authorisation(7, 1_500_00, "supervisor"))


def test_15_6_b_an_exceptional_payout_needs_a_supervisor_whatever_it_pays() -> None:
    with pytest.raises(Refused) as exc:
        check_authorised(7, 9_00, "writer", None, exceptional=True)
    assert exc.value.reason is Refusal.AUTHORISATION_NEEDED
    assert exc.value.message == "A supervisor must authorise a payout of this kind."
    check_authorised(7, 9_00, "writer", Authorisation(7, 9_00, "supervisor"), exceptional=True)


@pytest.mark.parametrize(
    "other",
    [Authorisation(8, 1_500_00, "supervisor"), Authorisation(7, 1_500_01, "supervisor")],
)
def test_15_6_b_an_authorisation_is_for_one_ticket_and_one_amount(other: Authorisation) -> None:
    with pytest.raises(Refused) as exc:
        check_authorised(7, 1_500_00, "writer", other)
    assert exc.value.reason is Refusal.AUTHORISATION_DIFFERS


def test_15_6_b_nobody_authorises_their_own_payout() -> None:
    with pytest.raises(Refused) as exc:
        check_authorised(7, 1_500_00, "both", Authorisation(7, 1_500_00, "both"))
    assert exc.value.reason is Refusal.OWN_ACT
    with pytest.raises(Refused) as exc:
        check_not_own_act("same", "same")
    assert exc.value.reason is Refusal.OWN_ACT


def test_15_6_b_an_approval_is_used_in_its_gaming_day_by_somebody_who_may_still_give_it() -> None:
    given, next_day = date(2026, 11, 16), date(2026, 11, 17)
    assert why_lapsed("SUE", given, given, may_give=True) is None
    for other_day in (next_day, date(2026, 11, 15)):  # the day before: the clock was put back
        late = why_lapsed("SUE", given, other_day, may_give=True)
        assert late == "The approval by SUE was not used within its gaming day."
    for today in (given, next_day):
        gone = why_lapsed("SUE", given, today, may_give=False)
        assert gone == "SUE may no longer authorise payouts."


def test_15_6_b_nobody_authorises_what_they_sold() -> None:
    check_not_seller("one", "another")
    with pytest.raises(Refused, match="both sold this ticket") as exc:
        check_not_seller("both", "both")
    assert exc.value.reason is Refusal.OWN_ACT


@pytest.mark.parametrize(
    ("paid_on", "award_cents", "needed"),
    [
        (date(2025, 12, 31), 1_503_99, False),
        (date(2025, 12, 31), 1_504_00, True),
        (date(2026, 1, 1), 1_504_00, False),
        (date(2026, 1, 1), 2_003_99, False),
        (date(2026, 1, 1), 2_004_00, True),
    ],
)
def test_a_tax_form_is_due_per_game_less_its_price_by_the_threshold_of_the_day(
    paid_on: date, award_cents: int, *, needed: bool
) -> None:
    assert tax_form_games([award_cents], 4_00, paid_on) == ((0,) if needed else ())


def test_a_tax_form_never_adds_up_games() -> None:
    assert tax_form_games([1_900_00, 1_900_00, 5_000_00], 1_00, date(2026, 6, 1)) == (2,)
