"""Tender, drawers, shifts and the house's two equations."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.errors import Refusal, Refused
from keno.domain.shift import (
    Checkout,
    DrawerEntry,
    DrawerEvent,
    HouseBalance,
    Shift,
    Tender,
    check_may_close,
    check_tender,
    expected_cents,
    hold_percent,
)
from keno.domain.states import DrawerKind, TenderKind
from keno.domain.tender import drawer_kind

CASH = TenderKind.CURRENCY


def test_15_3_b_a_wager_is_made_with_these_five_kinds_and_no_other() -> None:
    assert set(TenderKind) == {"currency", "coin", "gaming_chips", "coupon", "slot_tokens"}


def test_15_4_c_tender_that_makes_the_price_is_taken_and_more_is_change() -> None:
    check_tender([Tender(CASH, 501)], 500)
    check_tender([Tender(CASH, 10**12)], 500)
    check_tender([Tender(TenderKind.GAMING_CHIPS, 25_00), Tender(TenderKind.COUPON, 500, "C")], 500)
    check_tender([Tender(CASH, 300), Tender(TenderKind.COUPON, 200, "C-1")], 500)
    check_tender([Tender(CASH, 499), Tender(TenderKind.COIN, 1)], 500)


@pytest.mark.parametrize(
    "tender",
    [
        [],
        [Tender(CASH, 499)],
        [Tender(CASH, 10**12 + 1)],
        [Tender(CASH, 600), Tender(TenderKind.COIN, -100)],
        [Tender(CASH, 500), Tender(TenderKind.COIN, 0)],
    ],
)
def test_15_4_c_any_other_tender_is_refused(tender: list[Tender]) -> None:
    with pytest.raises(Refused) as exc:
        check_tender(tender, 500)
    assert exc.value.reason is Refusal.TENDER_DIFFERS


@pytest.mark.parametrize("cash_cents", [0, 400])
def test_15_4_c_no_change_is_given_for_a_coupon(cash_cents: int) -> None:
    cash = [Tender(CASH, cash_cents)] if cash_cents else []
    with pytest.raises(Refused) as exc:
        check_tender([*cash, Tender(TenderKind.COUPON, 501, "C-1")], 500)
    assert exc.value.reason is Refusal.COUPON_TOO_LARGE


@pytest.mark.parametrize("serials", [(None, "C-1"), ("", "C-1"), ("C-1", "C-1")])
def test_each_coupon_has_its_own_serial(serials: tuple[str | None, str]) -> None:
    coupons = [Tender(TenderKind.COUPON, 250, serial) for serial in serials]
    with pytest.raises(Refused) as exc:
        check_tender(coupons, 500)
    assert exc.value.reason is Refusal.COUPON_NEEDS_SERIAL


def test_a_drawer_holds_what_its_equation_says() -> None:
    entries = [
        DrawerEntry(DrawerEvent.OPENING, CASH, 100_000),
        DrawerEntry(DrawerEvent.SALE, CASH, 2_000),
        DrawerEntry(DrawerEvent.SALE, TenderKind.GAMING_CHIPS, 500),
        DrawerEntry(DrawerEvent.SALE, TenderKind.COIN, 5),
        DrawerEntry(DrawerEvent.CHANGE, CASH, 30),
        DrawerEntry(DrawerEvent.FILL, CASH, 50_000),
        DrawerEntry(DrawerEvent.VOID, CASH, 400),
        DrawerEntry(DrawerEvent.REFUND, CASH, 300),
        DrawerEntry(DrawerEvent.RETURN, CASH, 20),
        DrawerEntry(DrawerEvent.PAYOUT, CASH, 7_000),
        DrawerEntry(DrawerEvent.CREDIT, CASH, 1),
    ]
    expected = expected_cents(entries)
    # 100,000 + 2,000 + 5 + 50,000 - 30 - 400 - 300 - 20 - 7,000 - 1: coin is cash too
    assert expected == {
        DrawerKind.CASH: 144_254,
        DrawerKind.GAMING_CHIPS: 500,
        DrawerKind.COUPON: 0,
        DrawerKind.SLOT_TOKENS: 0,
    }


@given(
    st.lists(
        st.builds(
            DrawerEntry,
            st.sampled_from(DrawerEvent),
            st.sampled_from(TenderKind),
            st.integers(1, 10**9),
        )
    )
)
def test_kinds_never_mix_and_order_does_not_matter(entries: list[DrawerEntry]) -> None:
    expected = expected_cents(entries)
    assert expected == expected_cents(reversed(entries))
    for kind in DrawerKind:
        of_kind = [each for each in entries if drawer_kind(each.kind) is kind]
        assert expected[kind] == expected_cents(of_kind)[kind]


def test_a_checkout_says_over_and_short_by_kind() -> None:
    expected = {DrawerKind.CASH: 1_000, DrawerKind.SLOT_TOKENS: 50}
    checkout = Checkout(expected, {DrawerKind.CASH: 990, DrawerKind.COUPON: 25})
    assert checkout.over_short[DrawerKind.CASH] == -10
    assert checkout.over_short[DrawerKind.SLOT_TOKENS] == -50
    assert checkout.over_short[DrawerKind.COUPON] == 25
    assert checkout.over_short_cents == -35


@pytest.mark.parametrize(
    ("shift", "reason"),
    [
        (Shift("W1", closed=True), Refusal.SHIFT_CLOSED),
        (Shift("W1", prints_unconfirmed=1), Refusal.PRINTS_UNCONFIRMED),
        (Shift("W1", authorisations_pending=1), Refusal.AUTHORISATIONS_PENDING),
    ],
)
def test_a_shift_does_not_close_with_open_questions(shift: Shift, reason: Refusal) -> None:
    check_may_close(Shift("W1"))
    with pytest.raises(Refused) as exc:
        check_may_close(shift)
    assert exc.value.reason is reason


@pytest.mark.parametrize(("number", "tickets"), [(1, "1 ticket"), (2, "2 tickets")])
def test_unconfirmed_prints_are_counted_in_words(number: int, tickets: str) -> None:
    with pytest.raises(Refused) as exc:
        check_may_close(Shift("W1", prints_unconfirmed=number))
    assert exc.value.message == f"Settle the unconfirmed print of {tickets} first."


def test_a_house_balances_to_the_cent_or_not_at_all() -> None:
    house = HouseBalance(
        sales_cents=10_000,
        voids_cents=500,
        refunds_cents=400,
        returns_due_cents=300,
        undrawn_multi_race_cents=1_800,
        handle_drawn_cents=7_000,
        awards_cents=4_700,
        paid_cents=3_000,
        open_cents=1_500,
        expired_cents=500,
        on_top_cents=300,
    )
    assert house.balanced
    assert HouseBalance().balanced
    beside = {"paid_elsewhere_cents", "paid_for_others_cents"}  # terms of no equation
    for field in HouseBalance.__dataclass_fields__.keys() - beside:
        off_by_one = replace(house, **{field: getattr(house, field) + 1})
        assert not off_by_one.balanced, field


@pytest.mark.parametrize(
    ("win", "write", "hold"),
    [
        (0, 0, None), (0, 1_00, "0.00"), (1_00, 1_00, "100.00"), (1, 3, "33.33"), (2, 3, "66.67"),
        (-1, 3, "-33.33"), (-2_999_00, 2_00, "-149950.00"), (-1, 10**12, "0.00"),
        (10**12 - 1, 2 * 10**12, "50.00"),
    ],
)  # fmt: skip
def test_the_hold_is_the_win_of_what_was_written(win: int, write: int, hold: str | None) -> None:
    assert hold_percent(win, write) == hold
