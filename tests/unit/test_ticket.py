"""Tickets: numbers, codes, void, surrender, replay, refund, redemption and expiry."""

from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.errors import Refusal, Refused
from keno.domain.ratecard import RateCard
from keno.domain.states import GameState, TicketState
from keno.domain.ticket import (
    CODE_ALPHABET,
    HOLD_DAYS_MAX,
    Claim,
    PlayedGame,
    Ticket,
    check_code,
    check_confirmed_not_issued,
    check_declared_not_issued,
    check_found_not_issued,
    check_issued_after_all,
    check_replay,
    check_void,
    expires_ms,
    hold_until,
    is_held,
    redeem,
    refund,
    ticket_number,
    validation_code,
)
from tests.cards import card

TICKET = Ticket(number=7, first_game=100, games=1, price_cents=400)
MULTI = Ticket(number=8, first_game=100, games=5, price_cents=2000)
MINUTE_MS = 60_000
STANDINGS = [
    ({"state": TicketState.VOID}, Refusal.VOID),
    ({"surrendered": True}, Refusal.NOT_ISSUED),
    ({"paid": True}, Refusal.ALREADY_PAID),
    ({"state": TicketState.CANCELLED}, Refusal.CANCELLED),
    ({"expired": True}, Refusal.EXPIRED),
    ({"held_not_issued": True}, Refusal.HELD_NOT_ISSUED),
    ({"held": True}, Refusal.HELD),
]


@pytest.fixture(name="house_card")
def refunding_card() -> RateCard:
    return replace(card(), multi_race_refunds=True)


def settled(number: int, award_cents: int = 0) -> PlayedGame:
    return PlayedGame(number, GameState.SETTLED, award_cents=award_cents)


def redeemed(ticket: Ticket, played: list[PlayedGame], at: int = 0, until: int = 1) -> int:
    return redeem(ticket, played, now_ms=at, claim=Claim(until)).total_cents


# Void: 15.3(c), 15.4(e).


def test_15_1_a_ticket_is_for_its_games_in_a_row_at_one_price() -> None:
    assert (TICKET.last_game, TICKET.price_one_game_cents) == (100, 400)
    assert (MULTI.last_game, MULTI.price_one_game_cents) == (104, 400)


def test_15_4_e_a_ticket_is_voided_before_lock_out() -> None:
    check_void(TICKET, GameState.OPEN)
    check_void(MULTI, GameState.OPEN)


@pytest.mark.parametrize("state", [state for state in GameState if state is not GameState.OPEN])
@pytest.mark.parametrize("ticket", [TICKET, MULTI])
def test_15_3_c_void_after_lock_out_is_refused(ticket: Ticket, state: GameState) -> None:
    with pytest.raises(Refused) as exc:
        check_void(ticket, state)
    assert exc.value.reason is Refusal.LOCKED_OUT


@pytest.mark.parametrize(("changes", "reason"), STANDINGS)
def test_a_ticket_that_is_out_of_play_is_refused_everything(
    changes: dict[str, object], reason: Refusal, house_card: RateCard
) -> None:
    ticket = replace(MULTI, **changes)  # type: ignore[arg-type]
    played = [settled(100 + game, 100) for game in range(5)]
    for attempt in (
        lambda: check_void(ticket, GameState.OPEN),
        lambda: check_declared_not_issued(ticket, GameState.LOCKED, drawn=False),
        lambda: check_found_not_issued(ticket, GameState.SETTLED),
        lambda: refund(ticket, played[:2], house_card),
        lambda: redeem(ticket, played, now_ms=0, claim=Claim(1)),
    ):
        with pytest.raises(Refused) as exc:
            attempt()
        assert exc.value.reason is reason


@pytest.mark.parametrize(
    ("state", "drawn", "reason"),
    [
        (GameState.OPEN, False, Refusal.STILL_OPEN),
        (GameState.LOCKED, True, Refusal.DRAW_RECORDED),
        (GameState.DRAWN, False, Refusal.DRAW_RECORDED),
        (GameState.SETTLED, True, Refusal.DRAW_RECORDED),
        (GameState.VOID, False, Refusal.NOT_POSSIBLE_NOW),
    ],
)
def test_15_3_c_a_ticket_is_declared_not_issued_between_lock_out_and_draw(
    state: GameState, reason: Refusal, *, drawn: bool
) -> None:
    check_declared_not_issued(TICKET, GameState.LOCKED, drawn=False)
    with pytest.raises(Refused) as exc:
        check_declared_not_issued(TICKET, state, drawn=drawn)
    assert exc.value.reason is reason


def test_15_3_c_a_ticket_is_found_not_issued_after_its_draw() -> None:
    for state in (GameState.DRAWN, GameState.SETTLED, GameState.VOID):
        check_found_not_issued(TICKET, state)
    for state, reason in (
        (GameState.OPEN, Refusal.STILL_OPEN),
        (GameState.LOCKED, Refusal.DRAWING),
    ):
        with pytest.raises(Refused) as exc:
            check_found_not_issued(TICKET, state)
        assert exc.value.reason is reason


def test_15_3_c_a_supervisor_decides_only_about_what_is_held() -> None:
    held = replace(TICKET, held_not_issued=True)
    check_confirmed_not_issued(held, declared=True)
    check_issued_after_all(held)
    with pytest.raises(Refused) as exc:
        check_confirmed_not_issued(held, declared=False)
    assert exc.value.reason is Refusal.DRAW_RECORDED
    paid = replace(TICKET, paid=True)
    for ticket, reason in ((TICKET, Refusal.NOT_POSSIBLE_NOW), (paid, Refusal.ALREADY_PAID)):
        with pytest.raises(Refused) as exc:
            check_confirmed_not_issued(ticket, declared=True)
        assert exc.value.reason is reason
        with pytest.raises(Refused) as exc:
            check_issued_after_all(ticket)
        assert exc.value.reason is reason


# Replay: 15.3(b).


@pytest.mark.parametrize("state", [GameState.DRAWN, GameState.SETTLED, GameState.VOID])
def test_15_3_b_a_drawn_ticket_may_be_the_next_request(state: GameState) -> None:
    check_replay(TICKET, state)
    check_replay(replace(TICKET, paid=True), state)


@pytest.mark.parametrize("state", [GameState.OPEN, GameState.LOCKED])
def test_15_3_b_a_live_ticket_is_no_request(state: GameState) -> None:
    with pytest.raises(Refused) as exc:
        check_replay(TICKET, state)
    assert exc.value.reason is Refusal.STILL_LIVE


def test_15_3_b_a_void_ticket_is_no_request() -> None:
    with pytest.raises(Refused) as exc:
        check_replay(replace(TICKET, state=TicketState.VOID), GameState.SETTLED)
    assert exc.value.reason is Refusal.VOID


# Refund: 15.4(d).


def test_15_4_d_a_refund_pays_undrawn_games_and_what_is_won_so_far(house_card: RateCard) -> None:
    payout = refund(MULTI, [settled(100, 900), settled(101)], house_card)
    assert (payout.awards_cents, payout.refund_cents, payout.total_cents) == (900, 1200, 2100)


def test_15_4_d_a_refund_returns_a_void_games_own_wager(house_card: RateCard) -> None:
    payout = refund(MULTI, [settled(100), PlayedGame(101, GameState.VOID)], house_card)
    assert (payout.returns_cents, payout.refund_cents) == (400, 1200)


@pytest.mark.parametrize("state", [GameState.LOCKED, GameState.DRAWN])
def test_15_4_d_a_refund_waits_while_a_game_is_locked_and_unsettled(
    state: GameState, house_card: RateCard
) -> None:
    with pytest.raises(Refused) as exc:
        refund(MULTI, [settled(100), PlayedGame(101, state)], house_card)
    assert exc.value.reason is Refusal.DRAWING


def test_15_4_d_refunds_are_refused_where_they_do_not_apply(house_card: RateCard) -> None:
    all_drawn = [settled(100 + game) for game in range(5)]
    cases = [
        (TICKET, [settled(100)], house_card, Refusal.NOT_MULTI_RACE),
        (MULTI, [settled(100)], replace(house_card, multi_race_refunds=False),
         Refusal.REFUNDS_NOT_OFFERED),
        (MULTI, [], house_card, Refusal.VOID_INSTEAD),
        (MULTI, all_drawn, house_card, Refusal.NOTHING_TO_REFUND),
    ]  # fmt: skip
    for ticket, played, terms, reason in cases:
        with pytest.raises(Refused) as exc:
            refund(ticket, played, terms)
        assert exc.value.reason is reason


# Redemption: 15.4(d), 15.6.


def test_15_6_a_a_settled_ticket_is_paid_its_award() -> None:
    assert redeemed(TICKET, [settled(100, 2500)]) == 2500


def test_15_4_d_a_multi_race_is_paid_after_its_last_game_only() -> None:
    played = [settled(100 + game, 100) for game in range(5)]
    assert redeemed(MULTI, played) == 500
    with pytest.raises(Refused) as exc:
        redeemed(MULTI, played[:4])
    assert exc.value.reason is Refusal.NOT_COMPLETE


@pytest.mark.parametrize(
    "last",
    [
        PlayedGame(100, GameState.LOCKED),
        PlayedGame(100, GameState.DRAWN),
        PlayedGame(100, GameState.SETTLED, shown=False, award_cents=100),
    ],
)
def test_nothing_is_paid_before_the_last_ball_is_shown(last: PlayedGame) -> None:
    with pytest.raises(Refused) as exc:
        redeemed(TICKET, [last])
    assert exc.value.reason is Refusal.DRAWING


def test_a_void_game_returns_its_own_wager_alone() -> None:
    played = [settled(100, 300), PlayedGame(101, GameState.VOID, award_cents=999)]
    played += [settled(102), settled(103), settled(104)]
    payout = redeem(MULTI, played, now_ms=0, claim=Claim(1))
    assert (payout.awards_cents, payout.returns_cents) == (300, 400)


def test_a_ticket_that_won_nothing_is_not_paid() -> None:
    with pytest.raises(Refused) as exc:
        redeemed(TICKET, [settled(100)])
    assert exc.value.reason is Refusal.NO_AWARD


# Claims: 15.6(c).


def test_15_6_c_a_ticket_is_good_to_its_last_millisecond_and_not_after() -> None:
    assert redeemed(TICKET, [settled(100, 1)], at=1000, until=1000) == 1
    with pytest.raises(Refused) as exc:
        redeemed(TICKET, [settled(100, 1)], at=1001, until=1000)
    assert exc.value.reason is Refusal.EXPIRED


def test_15_6_c_a_claim_runs_from_the_start_of_the_last_game() -> None:
    assert expires_ms(1_000, 2_000, claim_minutes=60) == 1_000 + 60 * MINUTE_MS


def test_15_6_c_2_a_slow_draw_leaves_five_minutes_from_settlement() -> None:
    late = 10 * MINUTE_MS
    assert expires_ms(0, late, claim_minutes=5) == late + 5 * MINUTE_MS


@pytest.mark.parametrize(
    ("claim", "ends"),
    [
        (Claim(None, 500, 500), None),
        (Claim(1000), 1000),
        (Claim(1000, presented_until_ms=900), 1000),
        (Claim(1000, presented_until_ms=1100), 1100),
        (Claim(1000, held_until_ms=1200), 1200),
        (Claim(1000, held_until_ms=900), 1000),
        (Claim(1000, presented_until_ms=1300, held_until_ms=1200), 1300),
    ],
)
def test_15_6_c_a_claim_under_way_or_held_stays_open_until_its_own_end(
    claim: Claim, ends: int | None
) -> None:
    assert claim.ends_ms == ends
    if ends is not None:
        assert (claim.is_over(ends), claim.is_over(ends + 1)) == (False, True)
    assert not Claim(None).is_over(10**15)


def test_15_6_c_only_what_is_under_way_within_the_time_keeps_a_claim_open() -> None:
    claim = Claim(1000, presented_until_ms=1100, held_until_ms=1200)
    assert claim.is_in_time(1000)
    assert not claim.is_in_time(1001)  # else every day would add another
    assert not Claim(None).is_in_time(0)


def test_a_hold_in_dispute_ends_by_itself() -> None:
    assert not is_held(None, 0)
    assert (is_held(10, 10), is_held(10, 11)) == (True, False)


def test_every_hold_has_an_end() -> None:
    today = date(2026, 11, 16)
    assert hold_until(today, None, 30) == date(2026, 12, 16)
    assert hold_until(today, today, 30) == today
    last = today + timedelta(days=HOLD_DAYS_MAX)
    assert hold_until(today, last, 30) == last == date(2027, 11, 16)
    for asked in (today - timedelta(days=1), last + timedelta(days=1)):
        with pytest.raises(Refused) as exc:
            hold_until(today, asked, 30)
        assert exc.value.reason is Refusal.NOT_POSSIBLE_NOW


# Numbers and codes: 15.4(c).


@pytest.mark.parametrize(
    ("number", "text"),
    [(1, "1"), (2276, "2276"), (4182276, "418 2276"), (12345678, "1234 5678")],
)
def test_a_ticket_number_is_read_in_fours(number: int, text: str) -> None:
    assert ticket_number(number) == text


def test_a_code_is_eighty_bits_of_an_unambiguous_alphabet() -> None:
    code = validation_code(b"key", b"ticket")
    assert len(code) == 16
    assert len(CODE_ALPHABET) == 32
    assert not set("ILOU") & set(CODE_ALPHABET)
    # openssl's HMAC-SHA-256 begins 7dabcded731c1ea2be85; coreutils' base32 of that, respelled.
    assert code == "FPNWVVBK3GFA5FM5"


@given(st.binary(min_size=1, max_size=40), st.integers(0, 319))
def test_changing_any_bit_of_a_ticket_changes_its_code(content: bytes, bit: int) -> None:
    position = bit % (len(content) * 8)
    changed = bytearray(content)
    changed[position // 8] ^= 1 << (position % 8)
    assert validation_code(b"k" * 32, content) != validation_code(b"k" * 32, bytes(changed))


@pytest.mark.parametrize("given_code", ["01AB", "0 1-ab", "oiab", "OLab"])
def test_a_keyed_code_may_have_spaces_case_and_lookalikes(given_code: str) -> None:
    check_code(given_code, "01AB")


@pytest.mark.parametrize("given_code", ["", "01AC", "01ABX", "01A", "ß1AB"])
def test_a_wrong_code_is_refused(given_code: str) -> None:
    with pytest.raises(Refused) as exc:
        check_code(given_code, "01AB")
    assert exc.value.reason is Refusal.ALTERED
