"""Every reason to say no is met, once, by the shortest way to hear it.

Those that need a house with a ledger are met in `tests/integration/ledger/test_refusals.py`.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from keno.domain import coupon, errors, game, payout, request_json, shift, ticket, wager
from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameCommand
from keno.domain.pricing import price
from keno.domain.request_text import parse
from keno.domain.shift import Shift, Tender
from keno.domain.states import GameState, TenderKind, TicketState
from keno.domain.ticket import PlayedGame, Ticket
from keno.web.auth.limits import Buckets
from keno.web.auth.passwords import Attempts, Passwords, check_password
from keno.web.auth.sessions import Sessions
from tests.cards import card, card_text
from tests.integration.ledger.test_refusals import HEARD as HEARD_IN_A_HOUSE

CARD = card()
TICKET = Ticket(number=1, first_game=5, games=1, price_cents=100)
MULTI = Ticket(number=2, first_game=5, games=3, price_cents=300)
DONE = [PlayedGame(5, GameState.SETTLED)]


def asked(text: str) -> Callable[[], object]:
    """Ask for a request in the text form, at the test card."""
    return lambda: price(parse(text, CARD), CARD)


def owed(presented: Ticket, played: list[PlayedGame], at: int = 0) -> Callable[[], object]:
    return lambda: ticket.redeem(presented, played, now_ms=at, claim=ticket.Claim(10))


def one_guess_too_many() -> None:
    attempts = Attempts()
    for _ in range(5):
        attempts.failed("W1", "10.0.0.1")
    attempts.check("W1", "10.0.0.1")


NO_WHOLE_CENTS = card(card_text(rates__regular__pays__1={"1": 3_01}))

HEARD: dict[Refusal, Callable[[], object]] = {
    Refusal.MALFORMED: lambda: request_json.from_json("[]"),
    Refusal.NUMBER_OUT_OF_RANGE: asked("81: 1/1@1.00"),
    Refusal.NUMBER_TWICE: asked("1 2 2: 1/3@1.00"),
    Refusal.GROUP_EMPTY: asked("1 2//3: 1/3@1.00"),
    Refusal.TOO_MANY_GROUPS: asked("/".join(map(str, range(1, 52))) + ": 51/1@1.00"),
    Refusal.NO_GROUPS: asked("K5: A@1.00".replace("A", "K1")),
    Refusal.NO_CONDITIONING: asked("1 2:"),
    Refusal.UNKNOWN_GROUP: asked("1 2: B@1.00"),
    Refusal.GROUP_TWICE_IN_WAY: asked("1 2: AA@1.00"),
    Refusal.WAYS_DO_NOT_MATCH: asked("1 2/3 4: 2/4@1.00"),
    Refusal.WAY_BET_TWICE: asked("1 2: A,A@1.00"),
    Refusal.GROUP_NOT_PLAYED: asked("1 2/3 4: A@1.00"),
    Refusal.SPLIT_NEEDS_ONE_RATE: asked("1 2/3 4: A@1.00 B@2.00"),
    Refusal.GAMES_OUT_OF_RANGE: asked("1 2: A@1.00 x0"),
    Refusal.QUICK_PICK_SPOTS: lambda: wager.QuickPick(0, "regular", 1_00),
    Refusal.UNKNOWN_RATE: asked("1 2: A@1.00Q"),
    Refusal.TOO_MANY_WAYS: asked("/".join(map(str, range(1, 22))) + ": 210/2@0.25"),
    Refusal.TOO_MANY_SPOTS: asked("1 2 3 4 5 6 7 8 9 10 11: 1/11@1.00"),
    Refusal.SPOTS_NOT_PAID: asked("1: 1/1@1.25S"),
    Refusal.TYPE_NOT_OFFERED: asked("1/2: 1/2@0.505race x5"),
    Refusal.TOO_FEW_GAMES: asked("1: 1/1@0.505race x4"),
    Refusal.TOO_MANY_GAMES: asked("1: 1/1@1.00 x21"),
    Refusal.WAGER_TOO_LOW: asked("1: 1/1@0.95"),
    Refusal.WAGER_TOO_HIGH: asked("1: 1/1@20.05"),
    Refusal.WAGER_OFF_STEP: asked("1: 1/1@1.01"),
    Refusal.PAYOFF_NOT_WHOLE_CENTS: lambda: price(
        parse("1: 1/1@1.05", NO_WHOLE_CENTS), NO_WHOLE_CENTS
    ),
    Refusal.TICKET_TOO_LOW: lambda: price(
        parse("1: 1/1@1.00", CARD), replace(CARD, ticket_min_cents=2_00)
    ),
    Refusal.TICKET_TOO_HIGH: asked("1/2/3/4/5/6/7/8/9/10: 10/1@20.00 45/2@20.00"),
    Refusal.PRICE_DIFFERS: asked("1: 1/1@1.00 =2.00"),
    Refusal.TENDER_DIFFERS: lambda: shift.check_tender([], 100),
    Refusal.COUPON_NEEDS_SERIAL: lambda: shift.check_tender([Tender(TenderKind.COUPON, 100)], 100),
    Refusal.COUPON_TOO_LARGE: lambda: coupon.check_coupons_fit([("C-1", 101)], 100),
    Refusal.ALTERED: lambda: ticket.check_code("A", "B"),
    Refusal.VOID: owed(replace(TICKET, state=TicketState.VOID), DONE),
    Refusal.NOT_ISSUED: owed(replace(TICKET, surrendered=True), DONE),
    Refusal.ALREADY_PAID: owed(replace(TICKET, paid=True), DONE),
    Refusal.CANCELLED: owed(replace(TICKET, state=TicketState.CANCELLED), DONE),
    Refusal.HELD: owed(replace(TICKET, held=True), DONE),
    Refusal.LOCKED_OUT: lambda: ticket.check_void(TICKET, GameState.LOCKED),
    Refusal.HELD_NOT_ISSUED: owed(replace(TICKET, held_not_issued=True), DONE),
    Refusal.STILL_OPEN: lambda: ticket.check_declared_not_issued(
        TICKET, GameState.OPEN, drawn=False
    ),
    Refusal.DRAW_RECORDED: lambda: ticket.check_declared_not_issued(
        TICKET, GameState.LOCKED, drawn=True
    ),
    Refusal.DRAWING: owed(TICKET, [PlayedGame(5, GameState.DRAWN)]),
    Refusal.NOT_COMPLETE: owed(MULTI, DONE),
    Refusal.EXPIRED: owed(TICKET, DONE, at=11),
    Refusal.NO_AWARD: owed(TICKET, DONE),
    Refusal.NOT_MULTI_RACE: lambda: ticket.refund(TICKET, DONE, CARD),
    Refusal.REFUNDS_NOT_OFFERED: lambda: ticket.refund(
        MULTI, DONE, replace(CARD, multi_race_refunds=False)
    ),
    Refusal.VOID_INSTEAD: lambda: ticket.refund(MULTI, [], CARD),
    Refusal.NOTHING_TO_REFUND: lambda: ticket.refund(MULTI, DONE * 3, CARD),
    Refusal.STILL_LIVE: lambda: ticket.check_replay(TICKET, GameState.OPEN),
    Refusal.AUTHORISATION_NEEDED: lambda: payout.check_authorised(1, 1_500_00, "W", None),
    Refusal.AUTHORISATION_DIFFERS: lambda: payout.check_authorised(
        1, 1_500_00, "W", payout.Authorisation(2, 1_500_00, "S")
    ),
    Refusal.OWN_ACT: lambda: payout.check_not_own_act("W", "W"),
    Refusal.NOT_POSSIBLE_NOW: lambda: game.next_state(GameState.OPEN, GameCommand.SETTLE),
    Refusal.BAD_DRAW: lambda: wager.check_drawn([1]),
    Refusal.REASON_EMPTY: lambda: game.check_reason(""),
    Refusal.BAD_PASSWORD: lambda: check_password("short"),
    Refusal.TOO_FAST: lambda: Buckets(1, 0, lambda: 0.0).require("10.0.0.1"),
    Refusal.NOT_SIGNED_IN: lambda: Sessions(1, 1).require("no token"),
    Refusal.SIGN_IN_FAILED: lambda: asyncio.run(Passwords(Path("none")).require("W1", "a guess")),
    Refusal.TOO_MANY_ATTEMPTS: one_guess_too_many,
    Refusal.SHIFT_CLOSED: lambda: shift.check_may_close(Shift("W", closed=True)),
    Refusal.PRINTS_UNCONFIRMED: lambda: shift.check_may_close(Shift("W", prints_unconfirmed=1)),
    Refusal.AUTHORISATIONS_PENDING: lambda: shift.check_may_close(
        Shift("W", authorisations_pending=1)
    ),
}


def test_every_refusal_is_met_without_a_house_or_in_one() -> None:
    assert HEARD.keys() | HEARD_IN_A_HOUSE.keys() == set(Refusal)
    assert HEARD.keys().isdisjoint(HEARD_IN_A_HOUSE)


@pytest.mark.parametrize("reason", list(HEARD))
def test_every_refusal_can_be_heard_and_read_out(reason: Refusal) -> None:
    with pytest.raises(Refused) as exc:
        HEARD[reason]()
    assert exc.value.reason is reason
    assert exc.value.message.endswith((".", "!"))
    assert exc.value.message[0].isupper() or exc.value.message[0] in "$0123456789'"


def test_a_fault_is_not_a_refusal() -> None:
    assert not issubclass(errors.Fault, Refused)
