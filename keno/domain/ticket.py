"""Rules of tickets: number and code, void, refund, not issued, hold, claim and redemption.

Functions decide from their arguments alone: the ticket, its games, the time the ledger has
recorded. The ledger stores each decision in one transaction.
"""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from keno.domain.errors import Refusal, Refused
from keno.domain.money import Cents
from keno.domain.ratecard import CLAIM_MINUTES_MIN, RateCard
from keno.domain.states import GameState, TicketState

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Characters of a validation code, five bits each; I, L, O and U are left out as misread."""
CODE_LENGTH = 16
"""Number of characters of a validation code: 16 characters of five bits are eighty bits."""
MINUTE_MS = 60_000
HOLD_DAYS_MAX = 365
"""Maximum days of one hold in dispute: the longest claim period."""


@dataclass(frozen=True)
class Ticket:
    """The facts about a sold ticket that the rules need; `price_cents` is for all its games."""

    number: int
    first_game: int
    games: int
    price_cents: Cents
    state: TicketState = TicketState.LIVE
    paid: bool = False
    held: bool = False
    held_not_issued: bool = False
    surrendered: bool = False
    expired: bool = False

    @property
    def last_game(self) -> int:
        return self.first_game + self.games - 1

    @property
    def price_one_game_cents(self) -> Cents:
        return self.price_cents // self.games


@dataclass(frozen=True, slots=True)
class Claim:
    """15.6(c): until when a ticket can be paid, and what extends that time.

    Looking a ticket up extends nothing. A claim begun within the claim period is open until the end
    of the next gaming day. A hold in dispute keeps the claim open until the hold ends.
    """

    expires_ms: int | None
    """End of the claim period, UTC milliseconds; None before settlement and during a halt."""
    presented_until_ms: int | None = None
    """End of the gaming day after the last one on which a claim was begun in time; else None."""
    held_until_ms: int | None = None

    @property
    def ends_ms(self) -> int | None:
        """The last millisecond (UTC) at which the ticket can be paid; None while there is none."""
        if self.expires_ms is None:
            return None
        return max(self.expires_ms, self.presented_until_ms or 0, self.held_until_ms or 0)

    def is_over(self, now_ms: int) -> bool:
        return self.ends_ms is not None and now_ms > self.ends_ms

    def is_in_time(self, now_ms: int) -> bool:
        """Return whether a claim begun now is within the claim period and so extends it."""
        return self.expires_ms is not None and now_ms <= self.expires_ms


def is_held(held_until_ms: int | None, now_ms: int) -> bool:
    """Return whether a ticket is held in dispute now; None means that it has no hold.

    `held_until_ms` is the last millisecond (UTC) of the hold; the hold ends by itself after it.
    """
    return held_until_ms is not None and now_ms <= held_until_ms


def hold_until(today: date, asked: date | None, default_days: int) -> date:
    """Return the last gaming day of a hold in dispute that begins today: the day asked for.

    Without `asked` it lasts `default_days`. Raise Refused if `asked` is past or more than
    HOLD_DAYS_MAX days ahead.
    """
    if asked is None:
        return today + timedelta(days=default_days)
    if not today <= asked <= today + timedelta(days=HOLD_DAYS_MAX):
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            f"A hold ends on a day from today to {HOLD_DAYS_MAX} days ahead.",
            "until_day",
        )
    return asked


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A game of a ticket: its state, whether its last ball was shown, and the ticket's award."""

    number: int
    state: GameState
    shown: bool = True
    award_cents: Cents = 0


@dataclass(frozen=True, slots=True)
class Payout:
    """What is paid at once for one ticket, in cents: awards, wagers of void games, and refund."""

    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents = 0

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents


def ticket_number(number: int) -> str:
    """Return a ticket number grouped by four digits from the right: ``418 2276``."""
    digits = f"{number:d}"
    head = len(digits) % 4
    parts = [digits[:head]] if head else []
    return " ".join(parts + [digits[i : i + 4] for i in range(head, len(digits), 4)])


def validation_code(key: bytes, content: bytes) -> str:
    """Return a ticket's validation code: 16 characters of a keyed MAC over the ticket's content."""
    bits = int.from_bytes(hmac.digest(key, content, "sha256")[:10], "big")
    return "".join([_PAIRS[bits >> shift & 1023] for shift in range(70, -10, -10)])


def check_code(given: str, expected: str) -> None:
    """Raise Refused if the code given for a ticket is not the expected one.

    Case, spaces, dashes and O, I, L for 0 and 1 in the given code do not matter. The codes are
    compared in constant time.
    """
    keyed = given.upper().replace(" ", "").replace("-", "").translate(_LOOKALIKES)
    if not hmac.compare_digest(keyed.encode(), expected.encode()):
        raise Refused(Refusal.ALTERED, "The code on this ticket is not ours.")


_PAIRS = [one + two for one in CODE_ALPHABET for two in CODE_ALPHABET]
_LOOKALIKES = str.maketrans("OIL", "011")


def check_void(ticket: Ticket, first_game: GameState) -> None:
    """15.3(c), 15.4(e): raise Refused if a ticket cannot be voided.

    A ticket can be voided until the lock-out of its first game, unless it has ended or is held.
    """
    _check_standing(ticket)
    if first_game is not GameState.OPEN:
        raise Refused(
            Refusal.LOCKED_OUT,
            "The game is closed: this ticket can no longer be voided or changed.",
        )


def check_declared_not_issued(ticket: Ticket, first_game: GameState, *, drawn: bool) -> None:
    """15.3(c): raise Refused if a ticket cannot be declared not issued before its draw.

    It can be declared from lock-out until the draw, while no person can know what it wins. `drawn`
    says whether the generator has answered; that is before the draw is recorded.
    """
    _check_standing(ticket)
    _check_locked_out(first_game)
    if first_game is GameState.VOID:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW, "Its game was declared void: its price goes back with it."
        )
    if drawn or first_game is not GameState.LOCKED:
        raise Refused(
            Refusal.DRAW_RECORDED, "Its game is drawn: give the paper to the supervisor instead."
        )


def check_found_not_issued(ticket: Ticket, first_game: GameState) -> None:
    """15.3(c): raise Refused if a ticket found after its draw cannot be held as not issued.

    Such a ticket is held and does not end. Before its draw a ticket has to be voided or declared
    not issued instead.
    """
    _check_standing(ticket)
    _check_locked_out(first_game)
    if first_game is GameState.LOCKED:
        raise Refused(
            Refusal.DRAWING,
            "Its game is not drawn yet: the writer who sold it declares it not issued.",
        )


def _check_locked_out(first_game: GameState) -> None:
    if first_game is GameState.OPEN:
        raise Refused(Refusal.STILL_OPEN, "The game is still open: void the ticket instead.")


def check_confirmed_not_issued(ticket: Ticket, *, declared: bool) -> None:
    """15.3(c): raise Refused if a supervisor cannot end a ticket as not issued.

    Only a ticket that is held, and was `declared` not issued before the draw, can be ended.
    """
    check_issued_after_all(ticket)
    if not declared:
        raise Refused(
            Refusal.DRAW_RECORDED,
            "It was found after its draw: it stays held until the time to claim it has passed.",
        )


def check_issued_after_all(ticket: Ticket) -> None:
    """Raise Refused if a ticket has ended or is not held as not issued: it cannot be released."""
    _check_in_play(ticket)
    if not ticket.held_not_issued:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "This ticket is not held as not issued.")


def check_replay(ticket: Ticket, last_game: GameState) -> None:
    """15.3(b): raise Refused if a ticket cannot be used as the request for a new ticket.

    A void or refunded ticket cannot, nor a ticket whose last game is open or locked. Any other can,
    whether it won, lost or was paid.
    """
    if ticket.state is TicketState.VOID:
        raise Refused(Refusal.VOID, "A void ticket cannot be the request for another.")
    if ticket.state is TicketState.CANCELLED:
        raise Refused(Refusal.CANCELLED, "A refunded ticket cannot be the request for another.")
    if last_game in (GameState.OPEN, GameState.LOCKED):
        raise Refused(Refusal.STILL_LIVE, "This ticket is still being played.")


def refund(ticket: Ticket, played: Sequence[PlayedGame], card: RateCard) -> Payout:
    """15.4(d): return the payout of a multi-race whose games not yet locked out are cancelled.

    `played` holds the ticket's games that are no longer open. The payout is their awards and
    returns and the price of the other games. Raise Refused if the ticket cannot be refunded.
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
    now_ms: int,
    claim: Claim,
) -> Payout:
    """15.4(d), 15.6: return the payout of a presented ticket whose games are all settled or void.

    Raise Refused if the ticket has ended, is held, has a game to come or being drawn, is presented
    after its claim is over, or is owed nothing.
    """
    _check_standing(ticket)
    if len(played) < ticket.games:
        raise Refused(
            Refusal.NOT_COMPLETE,
            f"Game {ticket.last_game} is not drawn yet: pay it after its last game.",
        )
    _check_shown(played)
    if claim.is_over(now_ms):
        raise Refused(Refusal.EXPIRED, "The time to claim this ticket has passed.")
    payout = _payout(ticket, played)
    if payout.total_cents == 0:
        raise Refused(Refusal.NO_AWARD, "There is no award on this ticket.")
    return payout


def expires_ms(lock_out_ms: int, settled_ms: int, claim_minutes: int) -> int:
    """15.6(c): return the end of a ticket's claim period in UTC milliseconds.

    The period runs from the lock-out of the ticket's last game, and lasts at least five minutes
    after that game was settled.
    """
    return max(lock_out_ms + claim_minutes * MINUTE_MS, settled_ms + CLAIM_MINUTES_MIN * MINUTE_MS)


def _check_standing(ticket: Ticket) -> None:
    """Raise Refused if a ticket has ended, or is held in dispute or as not issued."""
    _check_in_play(ticket)
    if ticket.held_not_issued:
        raise Refused(
            Refusal.HELD_NOT_ISSUED, "This ticket is held as not issued: call the supervisor."
        )
    if ticket.held:
        raise Refused(Refusal.HELD, "This ticket is held in dispute: call the supervisor.")


def _check_in_play(ticket: Ticket) -> None:
    """Raise Refused if a ticket is void, surrendered, paid, cancelled or expired."""
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


def _check_shown(played: Sequence[PlayedGame]) -> None:
    for game in played:
        if game.state in (GameState.LOCKED, GameState.DRAWN) or not game.shown:
            raise Refused(Refusal.DRAWING, f"Game {game.number} is being drawn: please wait.")


def _payout(ticket: Ticket, played: Sequence[PlayedGame], refund_cents: Cents = 0) -> Payout:
    """Return the payout: awards of settled games, wagers of void games, and the refund."""
    void = sum(game.state is GameState.VOID for game in played)
    awards = sum(game.award_cents for game in played if game.state is GameState.SETTLED)
    return Payout(awards, void * ticket.price_one_game_cents, refund_cents)
