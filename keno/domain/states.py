"""States of games, tickets and authorisations, and kinds of tender, each with its word.

A member's value is stored in the ledger and sent on the wire, so a value never changes. A member's
word is what a person reads; it is stated only where it differs from the value. A new state is one
member here; the pages get it by `keno/pages/shared/words.js` and `protocol.d.ts`.
"""

from enum import StrEnum
from typing import Self


class Worded(StrEnum):
    """Base of enums whose members have a `word` for people, used in the middle of a sentence.

    The default word is the member's value with spaces in place of underscores.
    """

    word: str

    def __new__(cls, value: str, word: str = "") -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.word = word or value.replace("_", " ")
        return member


class GameState(Worded):
    """The state of a game. A game never returns to an earlier state.

    Open: tickets are sold. Locked: sale has ended. Drawn: the draw is recorded. Settled: awards are
    final. Void: the game was declared void instead of drawn, and its wagers go back.
    """

    OPEN = "open"
    LOCKED = "locked"
    DRAWN = "drawn"
    SETTLED = "settled"
    VOID = "void"


class ShownGameState(Worded):
    """The state of a game as it is published: drawing until its last ball is shown.

    It has no locked state: from lock-out until its last ball is shown, a game is drawing.
    """

    OPEN = "open"
    DRAWING = "drawing"
    DRAWN = "drawn", "drawing"
    """The last ball is shown; the game is not settled yet."""
    SETTLED = "settled"
    VOID = "void"


UNDECIDED = (ShownGameState.OPEN, ShownGameState.DRAWING)
"""Published states of a game that has no published result yet."""


def shown_state(state: str, *, shown: bool) -> str:
    """Return a game's state as published; `shown` says whether its last ball was shown.

    Before the last ball is shown, every state other than open and void is published as drawing.
    """
    return state if shown or state in (GameState.OPEN, GameState.VOID) else ShownGameState.DRAWING


class TicketState(Worded):
    """The state of a ticket as a wager; whether it was paid is kept apart.

    A live ticket plays its games. A cancelled one was refunded for its games not yet locked out.
    """

    LIVE = "live"
    VOID = "void"
    CANCELLED = "cancelled"


class Ending(Worded):
    """How a ticket ended: void, paid, refunded, surrendered or expired. A ticket ends once."""

    VOID = "void"
    PAYOUT = "payout", "paid"
    REFUND = "refund", "refunded"
    SURRENDER = "surrender", "surrendered"
    EXPIRY = "expiry", "expired"


class NotIssuedKind(Worded):
    """When a printed ticket was reported as not issued to a patron: before or after its draw.

    The draw is that of its first game. The writer who sold the ticket declares it; a supervisor
    finds it.
    """

    DECLARED = "declared", "declared before the draw"
    FOUND = "found", "found after the draw"


class NotIssuedDecision(Worded):
    """A supervisor's decision on a ticket held as not issued: not issued, or issued after all."""

    CONFIRMED = "confirmed"
    ISSUED = "issued", "issued after all"


class TicketCondition(Worded):
    """Reasons why a live ticket cannot be paid, whatever its games won."""

    HELD = "held", "held in dispute"
    NOT_ISSUED = "not_issued", "held as not issued"
    PRINT_UNCONFIRMED = "print_unconfirmed"


class AuthorisationState(Worded):
    """The state of a supervisor's authorisation of a payout.

    It is pending when the writer asks. A lapsed one was not answered, or not used, in time.
    """

    PENDING = "pending", "asked"
    APPROVED = "approved"
    DENIED = "denied"
    USED = "used", "approved"
    """The payout was made."""
    LAPSED = "lapsed"


OPEN_AUTHORISATIONS = (AuthorisationState.PENDING, AuthorisationState.APPROVED)
"""States of an authorisation that can still be used; a ticket has at most one in these states."""
NOT_GIVEN = tuple(
    state
    for state in AuthorisationState
    if state not in OPEN_AUTHORISATIONS and state is not AuthorisationState.USED
)
"""States of an authorisation that ended without a payout: denied or lapsed."""
NOT_ANSWERED = "No supervisor answered in time."
"""The reason shown to people for an authorisation that lapsed because no supervisor answered."""


class TenderKind(Worded):
    """15.3(b): the kinds of tender that a wager is accepted in."""

    CURRENCY = "currency"
    COIN = "coin"
    GAMING_CHIPS = "gaming_chips"
    COUPON = "coupon"
    SLOT_TOKENS = "slot_tokens"


class DrawerKind(Worded):
    """The kinds in which a drawer is counted and tender handed over; currency and coin are cash."""

    CASH = "cash"
    GAMING_CHIPS = "gaming_chips"
    COUPON = "coupon"
    SLOT_TOKENS = "slot_tokens"
