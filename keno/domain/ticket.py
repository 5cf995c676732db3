"""Tickets: number, validation code, and the rules of void, refund, surrender and redemption.

Everything here decides from what it is given: the ticket, its games, the time the ledger has
recorded. The ledger makes each decision stick in one transaction.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from keno.domain.errors import Refusal, Refused
from keno.domain.game import GameState
from keno.domain.money import Cents
from keno.domain.ratecard import CLAIM_MINUTES_MIN, RateCard

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No I, L, O or U, so that nothing is misread."""
CODE_LENGTH = 16
"""Sixteen characters of five bits: eighty bits."""
MINUTE_MS = 60_000


class TicketState(StrEnum):
    """What became of a ticket as a wager; payment is kept apart."""

    LIVE = "live"
    VOID = "void"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Ticket:
    """What the rules need to know of a sold ticket."""

    number: int
    first_game: int
    games: int
    price_cents: Cents
    state: TicketState = TicketState.LIVE
    paid: bool = False
    held: bool = False
    surrendered: bool = False
    expired: bool = False

    @property
    def last_game(self) -> int:
        return self.first_game + self.games - 1

    @property
    def price_one_game_cents(self) -> Cents:
        return self.price_cents // self.games


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """One game of a ticket: its state, whether its last ball was shown, what the ticket won."""

    number: int
    state: GameState
    shown: bool = True
    award_cents: Cents = 0


@dataclass(frozen=True, slots=True)
class Payout:
    """What is handed over for one ticket at once, by what it is for."""

    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents = 0

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents


def ticket_number(number: int) -> str:
    """``418 2276``: grouped by four from the right."""
    digits = f"{number:d}"
    head = len(digits) % 4
    parts = [digits[:head]] if head else []
    return " ".join(parts + [digits[i : i + 4] for i in range(head, len(digits), 4)])


def validation_code(key: bytes, content: bytes) -> str:
    """A keyed MAC over the ticket's content, so that none is guessed, altered or forged."""
    bits = int.from_bytes(hmac.digest(key, content, "sha256")[:10], "big")
    return "".join([_PAIRS[bits >> shift & 1023] for shift in range(70, -10, -10)])


def check_code(given: str, expected: str) -> None:
    """Compare in constant time what was scanned or keyed; case and spaces do not matter."""
    keyed = given.upper().replace(" ", "").replace("-", "").translate(_LOOKALIKES)
    if not hmac.compare_digest(keyed.encode(), expected.encode()):
        raise Refused(Refusal.ALTERED, "The code on this ticket is not ours.")


_PAIRS = [one + two for one in CODE_ALPHABET for two in CODE_ALPHABET]
_LOOKALIKES = str.maketrans("OIL", "011")


def check_void(ticket: Ticket, first_game: GameState) -> None:
    """15.3(c), 15.4(e): the whole ticket, before the lock-out of its first game, never after."""
    _check_standing(ticket)
    if first_game is not GameState.OPEN:
        raise Refused(
            Refusal.LOCKED_OUT,
            "The game is closed: this ticket can no longer be voided or changed.",
        )


def check_surrender(ticket: Ticket, first_game: GameState) -> None:
    """A printed ticket that nobody paid for: void before lock-out, surrendered after it."""
    _check_standing(ticket)
    if first_game is GameState.OPEN:
        raise Refused(Refusal.STILL_OPEN, "The game is still open: void the ticket instead.")


def check_replay(ticket: Ticket, last_game: GameState) -> None:
    """15.3(b): a winning or losing ticket may be the next request; not a void or live one."""
    if ticket.state is TicketState.VOID:
        raise Refused(Refusal.VOID, "A void ticket cannot be the request for another.")
    if last_game in (GameState.OPEN, GameState.LOCKED):
        raise Refused(Refusal.STILL_LIVE, "This ticket is still being played.")


def refund(ticket: Ticket, played: Sequence[PlayedGame], card: RateCard) -> Payout:
    """15.4(d): cancel the games not yet locked; pays them back with what is won so far.

    `played` holds the ticket's games that are no longer open.
    """
    _check_standing(ticket)
    if ticket.games == 1:
        raise Refused(Refusal.NOT_MULTI_RACE, "Only a multi-race ticket can be refunded.")
    if not card.multi_race_refunds:
        raise Refused(Refusal.REFUNDS_NOT_OFFERED, "This house does not refund undrawn games.")
    if not played:
        raise Refused(Refusal.VOID_INSTEAD, "No game of it is closed yet: void it instead.")
    _check_shown(played)
    undrawn = ticket.games - len(played)
    if undrawn == 0:
        raise Refused(Refusal.NOTHING_TO_REFUND, "All games of this ticket are drawn.")
    return _payout(ticket, played, undrawn * ticket.price_one_game_cents)


def redeem(
    ticket: Ticket,
    played: Sequence[PlayedGame],
    *,
    presented_ms: int,
    expires_ms: int | None,
) -> Payout:
    """15.4(d), 15.6: what a presented ticket is owed, once, when its last game is settled.

    `expires_ms` is None until the last game is settled; `presented_ms` is when it was first
    presented, which stops the clock.
    """
    _check_standing(ticket)
    if len(played) < ticket.games:
        raise Refused(
            Refusal.NOT_COMPLETE,
            f"Game {ticket.last_game} is not drawn yet: pay it after its last game.",
        )
    _check_shown(played)
    if expires_ms is not None and presented_ms > expires_ms:
        raise Refused(Refusal.EXPIRED, "The time to claim this ticket has passed.")
    payout = _payout(ticket, played)
    if payout.total_cents == 0:
        raise Refused(Refusal.NO_AWARD, "There is no award on this ticket.")
    return payout


def expires_ms(lock_out_ms: int, settled_ms: int, claim_minutes: int) -> int:
    """15.6(c): counted from the start of the last game, and five minutes from its settlement."""
    return max(lock_out_ms + claim_minutes * MINUTE_MS, settled_ms + CLAIM_MINUTES_MIN * MINUTE_MS)


def _check_standing(ticket: Ticket) -> None:
    """What no ticket in these states can do any more, in the order a writer wants to hear it."""
    if ticket.state is TicketState.VOID:
        raise Refused(Refusal.VOID, "This ticket was voided.")
    if ticket.surrendered:
        raise Refused(Refusal.NOT_ISSUED, "This ticket was surrendered as not issued.")
    if ticket.paid:
        raise Refused(Refusal.ALREADY_PAID, "This ticket has already been paid.")
    if ticket.state is TicketState.CANCELLED:
        raise Refused(Refusal.CANCELLED, "This ticket was cancelled and refunded.")
    if ticket.expired:
        raise Refused(Refusal.EXPIRED, "The time to claim this ticket has passed.")
    if ticket.held:
        raise Refused(Refusal.HELD, "This ticket is held in dispute: call the supervisor.")


def _check_shown(played: Sequence[PlayedGame]) -> None:
    for game in played:
        if game.state in (GameState.LOCKED, GameState.DRAWN) or not game.shown:
            raise Refused(Refusal.DRAWING, f"Game {game.number} is being drawn: please wait.")


def _payout(ticket: Ticket, played: Sequence[PlayedGame], refund_cents: Cents = 0) -> Payout:
    """A void game returns its own wager; the others pay their awards."""
    void = sum(game.state is GameState.VOID for game in played)
    awards = sum(game.award_cents for game in played if game.state is GameState.SETTLED)
    return Payout(awards, void * ticket.price_one_game_cents, refund_cents)
