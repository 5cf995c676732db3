"""States of games, tickets and authorisations, and kinds of tender, each with its word.

A member's value is what the ledger and the wire contain; it never changes. Its word is what a
person reads; it is stated only where it differs from the value. A new state is one member here;
the pages get it by `keno/pages/shared/words.js` and `protocol.d.ts`.
"""

from enum import StrEnum
from typing import Self


class Worded(StrEnum):
    """A value of the ledger with the word that a person reads in the middle of a sentence."""

    word: str

    def __new__(cls, value: str, word: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.word = word or value.replace("_", " ")
        return member


class GameState(Worded):
    """The state of a game. A game never returns to an earlier state."""

    OPEN = "open"
    LOCKED = "locked"
    DRAWN = "drawn"
    SETTLED = "settled"
    VOID = "void"


class ShownGameState(Worded):
    """The state of a game as it is published: drawing until its last ball is shown."""

    OPEN = "open"
    DRAWING = "drawing"
    DRAWN = "drawn", "drawing"
    """The last ball is shown; the game is not settled yet."""
    SETTLED = "settled"
    VOID = "void"


UNDECIDED = (ShownGameState.OPEN, ShownGameState.DRAWING)
"""Shown states of a game that has no published result."""


def shown_state(state: str, *, shown: bool) -> str:
    """Return a game's state as it is published; `shown` if its last ball was shown."""
    return state if shown or state in (GameState.OPEN, GameState.VOID) else ShownGameState.DRAWING


class TicketState(Worded):
    """The state of a ticket as a wager; whether it was paid is kept apart."""

    LIVE = "live"
    VOID = "void"
    CANCELLED = "cancelled"


class Ending(Worded):
    """How a ticket ended. A ticket ends once."""

    VOID = "void"
    PAYOUT = "payout", "paid"
    REFUND = "refund", "refunded"
    SURRENDER = "surrender", "surrendered"
    EXPIRY = "expiry", "expired"


class NotIssuedKind(Worded):
    """Whether a printed ticket was reported as not issued before or after the draw."""

    DECLARED = "declared", "declared before the draw"
    FOUND = "found", "found after the draw"


class NotIssuedDecision(Worded):
    """A supervisor's decision on the paper of a ticket held as not issued."""

    CONFIRMED = "confirmed"
    ISSUED = "issued", "issued after all"


class TicketCondition(Worded):
    """Reasons why a live ticket cannot be paid, whatever its games won."""

    HELD = "held", "held in dispute"
    NOT_ISSUED = "not_issued", "held as not issued"
    PRINT_UNCONFIRMED = "print_unconfirmed"


class AuthorisationState(Worded):
    """The state of a supervisor's authorisation of a payout."""

    PENDING = "pending", "asked"
    APPROVED = "approved"
    DENIED = "denied"
    USED = "used", "approved"
    """The payout was made."""
    LAPSED = "lapsed"


OPEN_AUTHORISATIONS = (AuthorisationState.PENDING, AuthorisationState.APPROVED)
"""States of an open authorisation; a ticket has at most one open authorisation."""
NOT_GIVEN = tuple(
    state
    for state in AuthorisationState
    if state not in OPEN_AUTHORISATIONS and state is not AuthorisationState.USED
)
"""States of an authorisation that ended without a payout."""
NOT_ANSWERED = "No supervisor answered in time."
"""The reason shown for an authorisation that lapsed without an answer."""


class TenderKind(Worded):
    """15.3(b): the kinds of tender that a wager is accepted in."""

    CURRENCY = "currency"
    COIN = "coin"
    GAMING_CHIPS = "gaming_chips"
    COUPON = "coupon"
    SLOT_TOKENS = "slot_tokens"
