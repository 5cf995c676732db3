"""Tender by kind: what change counts against, what a void gives back, how a drawer is counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.errors import Refusal, Refused
from keno.domain.shift import Tender, check_tender, received_for
from keno.domain.states import DrawerKind, TenderKind
from keno.domain.tender import Received, in_cash, read_count, read_denominations

CUR, COIN = TenderKind.CURRENCY, TenderKind.COIN
CHIPS, TOKENS, COUPON = TenderKind.GAMING_CHIPS, TenderKind.SLOT_TOKENS, TenderKind.COUPON


def received(price: int, **came: int) -> Received:
    """What came in by kind of tender, for a price."""
    tender = [Tender(TenderKind(kind), cents, "S") for kind, cents in came.items()]
    check_tender(tender, price)
    return received_for(tender, price)


def plain(amounts: dict[DrawerKind, int]) -> dict[str, int]:
    return {kind.value: cents for kind, cents in amounts.items() if cents}


@pytest.mark.parametrize(
    ("price", "came", "change", "changed", "back"),
    [
        (7_00, {"currency": 7_00}, 0, 0, {"cash": 7_00}),
        (7_00, {"currency": 20_00}, 13_00, 0, {"cash": 7_00}),
        (2_00, {"coin": 2_00}, 0, 0, {"cash": 2_00}),
        (7_00, {"gaming_chips": 7_00}, 0, 0, {"gaming_chips": 7_00}),
        # A $25 chip for a $7 ticket: $7 cash.
        (7_00, {"gaming_chips": 25_00}, 18_00, 18_00, {"cash": 7_00}),
        (7_00, {"slot_tokens": 10_00}, 3_00, 3_00, {"cash": 7_00}),
        # Change counts first against the cash, so that the chips come back as chips.
        (30_00, {"gaming_chips": 25_00, "currency": 10_00}, 5_00, 0,
         {"gaming_chips": 25_00, "cash": 5_00}),
        (30_00, {"gaming_chips": 25_00, "coin": 4_00, "currency": 6_00}, 5_00, 0,
         {"gaming_chips": 25_00, "cash": 5_00}),
        # $2 and a $25 chip for $7: of $20 change $2 are the patron's own, $18 are for the chip.
        (7_00, {"gaming_chips": 25_00, "currency": 2_00}, 20_00, 18_00, {"cash": 7_00}),
        # Then against chips, then against tokens.
        (30_00, {"gaming_chips": 25_00, "slot_tokens": 25_00}, 20_00, 20_00,
         {"cash": 5_00, "slot_tokens": 25_00}),
        (5_00, {"gaming_chips": 5_00, "slot_tokens": 7_00}, 7_00, 7_00, {"cash": 5_00}),
        (10_00, {"coupon": 4_00, "gaming_chips": 25_00}, 19_00, 19_00,
         {"coupon": 4_00, "cash": 6_00}),
        (10_00, {"coupon": 4_00, "gaming_chips": 6_00}, 0, 0,
         {"coupon": 4_00, "gaming_chips": 6_00}),
        (10_00, {"coupon": 10_00, "currency": 5_00}, 5_00, 0, {"coupon": 10_00}),
    ],
)  # fmt: skip
def test_15_4_c_and_e_change_and_what_a_void_gives_back(
    price: int, came: dict[str, int], change: int, changed: int, back: dict[str, int]
) -> None:
    found = received(price, **came)
    assert (found.change_cents, found.changed_cents) == (change, changed)
    assert plain(found.gives_back()) == back


AMOUNTS = st.integers(1, 10**6)


@given(st.dictionaries(st.sampled_from((CUR, COIN, CHIPS, TOKENS)), AMOUNTS, min_size=1),
       st.data())  # fmt: skip
def test_a_void_gives_back_the_price_and_never_more_of_a_kind_than_came_in(
    came: dict[TenderKind, int], data: st.DataObject
) -> None:
    price = data.draw(st.integers(1, sum(came.values())))
    found = received(price, **{kind.value: cents for kind, cents in came.items()})
    back = found.gives_back()
    assert sum(back.values()) == price
    assert sum(found.change_for.values()) == found.change_cents
    for kind in (DrawerKind.GAMING_CHIPS, DrawerKind.SLOT_TOKENS):
        assert back[kind] in (0, came.get(TenderKind(kind.value), 0))
    if not found.changed_cents:
        assert back[DrawerKind.CASH] == came.get(CUR, 0) + came.get(COIN, 0) - found.change_cents


def test_what_a_drawer_cannot_make_up_is_given_in_cash_and_a_coupon_stays_a_coupon() -> None:
    back = received(30_00, currency=1_00, gaming_chips=9_00, slot_tokens=16_00, coupon=4_00)
    given, placed = in_cash(back.gives_back(), {})
    assert (plain(given), placed) == ({"cash": 26_00, "coupon": 4_00}, 25_00)


def test_what_a_rewrite_keeps_is_not_given_in_cash() -> None:
    back = received(30_00, currency=1_00, gaming_chips=9_00, slot_tokens=16_00, coupon=4_00)
    kept = {DrawerKind.GAMING_CHIPS: 25_00, DrawerKind.SLOT_TOKENS: 6_00, DrawerKind.CASH: 5_00}
    given, placed = in_cash(back.gives_back(), kept)
    assert placed == 10_00
    assert plain(given) == {"cash": 11_00, "coupon": 4_00, "gaming_chips": 9_00,
                            "slot_tokens": 6_00}  # fmt: skip


# ---------------------------------------------------------------- counts


def test_currency_and_coin_of_older_stations_are_added_to_the_cash() -> None:
    counted = read_count({"cash": 1_00, "currency": 20_00, "coin": 50, "gaming_chips": 5_00})
    assert plain(counted) == {"cash": 21_50, "gaming_chips": 5_00}
    assert set(read_count({})) == set(DrawerKind)


@pytest.mark.parametrize("counted", [{"gold": 1}, {"cash": -1}, {"coin": 2**53}, {"Cash": 1}])
def test_a_count_is_of_the_kinds_of_a_drawer(counted: dict[str, int]) -> None:
    with pytest.raises(Refused) as exc:
        read_count(counted)
    assert exc.value.reason is Refusal.MALFORMED


def test_cash_is_counted_by_denomination() -> None:
    assert read_denominations({"2000": 5, "25": 3, "10": 0}, 100_75) == {"2000": 5, "25": 3}


@pytest.mark.parametrize(
    ("pieces", "why"),
    [
        ({"2000": 5}, Refusal.PAYMENT_DIFFERS),
        ({"2000": -5}, Refusal.MALFORMED),
        ({"-2000": 5}, Refusal.MALFORMED),
        ({"02000": 5}, Refusal.MALFORMED),
        ({"20.00": 5}, Refusal.MALFORMED),
        ({"": 5}, Refusal.MALFORMED),
        ({"\u0662": 5}, Refusal.MALFORMED),
        ({"1": 10**12 + 1}, Refusal.MALFORMED),
        ({"9" * 14: 1}, Refusal.MALFORMED),
        ({str(cents): 1 for cents in range(1, 40)}, Refusal.MALFORMED),
    ],
)
def test_what_is_no_count_by_denomination_is_refused(pieces: dict[str, int], why: Refusal) -> None:
    with pytest.raises(Refused) as exc:
        read_denominations(pieces, 100_01)
    assert exc.value.reason is why
