"""Commands and answers to look up, redeem and refund a ticket, and to authorise payouts."""

from typing import Any, ClassVar

from keno.domain.roles import WRITERS
from keno.protocol.base import (
    EVERYWHERE,
    Answer,
    Cents,
    Command,
    KindCents,
    LedgerForm,
    Part,
    Second,
    Whole,
)
from keno.protocol.states import AuthorisationStateText, ShownGameStateText, TicketStateText


class Payment(Part, frozen=True):
    """How a payout is handed over: cash, check, and tax withheld.

    These three add up to the amount owed less the part that is returned as a coupon.
    """

    cash_cents: Cents
    check_cents: Cents = 0
    check_number: str | None = None
    withheld_cents: Cents = 0
    tax_form: str | None = None


# Answers.


class TicketGame(Answer, frozen=True):
    """A game of a ticket: its numbers, what each group caught, and the ticket's award.

    Numbers and catches are None until all balls are shown. The award is None until the game is
    also settled, and 0 if the ticket lost; a void game never has one.
    """

    game: int
    name: str
    state: ShownGameStateText
    numbers: tuple[int, ...] | None
    catches: tuple[int, ...] | None
    award_cents: Cents | None


class PaidCoupon(Answer, frozen=True):
    """A coupon that paid a ticket, or a part of it."""

    serial: str
    cents: Cents


class TicketView(Answer, frozen=True):
    """The ticket in the answer to `lookup`: as sold, its games, and whether it can be paid now."""

    location: str
    letter: str
    ticket: int
    state: TicketStateText
    card: str
    station: str
    sold_ms: int
    first_game: int
    last_game: int
    price_cents: Cents
    request: dict[str, Any]
    printed: bool
    reprints: int
    games: tuple[TicketGame, ...]
    payable_cents: Cents | None
    """What the ticket pays now; None if it cannot be paid (`why_not` then says why)."""
    why_not: str | None
    why_not_code: str | None
    claim_until_ms: int | None
    """The last moment at which the ticket can be paid; None until its last game is settled."""
    ended_game: int | None
    """The first game that a voided or cancelled ticket no longer plays; else None."""
    held_until_ms: int | None = None
    """When the current hold in dispute ends; None if the ticket is not held."""
    location_name: str = ""
    """The display name of the location that sold the ticket."""
    gives_back: tuple[KindCents, ...] = ()
    """What a void gives back, kind for kind, the coupon's part included; empty if none is possible.

    A rewrite counts it towards the new price.
    """
    coupons: tuple[PaidCoupon, ...] = ()
    """The coupons among it, by serial: a rewrite moves them to the new ticket."""
    owed_cents: Cents = 0
    """What a void, rewrite or refund of the ticket still owes, because a supervisor is waited for.
    """


class Owed(Answer, frozen=True):
    """What a ticket is owed in cents, and whether an authorisation or tax forms are needed first.

    Awards are what its games won, returns the wagers of void games, and the refund the price of
    cancelled games.
    """

    location: str
    ticket: int
    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents
    coupon_of_returns_cents: Cents
    coupon_of_refund_cents: Cents
    needs_authorisation: bool
    tax_form_games: tuple[int, ...]
    given_back: tuple[KindCents, ...] = ()
    """What a void or rewrite still owes, kind for kind, the coupon's part included; else empty."""

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents

    @property
    def coupon_cents(self) -> Cents:
        """The part of the total that is returned as a coupon, never as cash."""
        return self.coupon_of_returns_cents + self.coupon_of_refund_cents


class RefundQuote(Owed, frozen=True, kw_only=True):
    """What refunding a multi-race ticket would pay now, and the number of games it would cancel."""

    games: int


class NoRefund(Answer, frozen=True):
    """Why a multi-race ticket cannot be refunded now: the refusal's code and sentence."""

    code: str
    message: str


class LookedUp(Answer, frozen=True):
    """The answer to `lookup`: the ticket, what it is owed, and what a refund would pay.

    `owed` is None if the ticket cannot be paid now. For a multi-race, either `refund` or
    `refund_why_not` is given; for a ticket of one game both are None.
    """

    ticket: TicketView
    owed: Owed | None
    refund: RefundQuote | None
    refund_why_not: NoRefund | None


class Paid(Answer, frozen=True):
    """The answer to `redeem` and `refund`: the payment that was made, as its slip states it.

    A refund that waits for a supervisor has handed over nothing: `owed_cents` is all of it.
    """

    location: str
    ticket: int
    kind: str
    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents
    coupon_cents: Cents
    coupon: str | None
    withheld_cents: Cents
    cash_cents: Cents
    check_cents: Cents
    check_number: str | None
    authorised_by: str | None
    paid_ms: int
    letter: str = ""
    """The letter, and then the name, of the location that sold the ticket."""
    location_name: str = ""
    owed_cents: Cents = 0
    """15.6(b): what is not handed over before a supervisor has authorised it."""
    authorisation: int | None = None
    """The authorisation that was asked for `owed_cents`."""
    code: str = ""
    """If something is owed: the validation code, with which the ticket's number is presented."""
    given_back: tuple[KindCents, ...] = ()
    """What a void or rewrite had owed and was handed over, kind for kind; else empty."""


class Authorised(Answer, frozen=True):
    """The answer to `request_authorisation` and `authorise`: the authorisation and its state."""

    authorisation: int
    location: str
    ticket: int
    amount_cents: Cents
    state: AuthorisationStateText
    supervisor: str | None
    letter: str = ""
    """The letter of the location that sold the ticket."""
    asked_in: str = ""
    """The location whose station asked for the authorisation."""


# Commands.


class Lookup(Command[LookedUp], frozen=True, tag="lookup"):
    """Show a ticket, its games and what it is owed. This does not extend the claim period.

    Exception: for a ticket with an unconfirmed print or held as not issued, the look-up is recorded
    as a claim begun, because only a supervisor can make it payable.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Look", "request_id booth=by.booth ticket code letter?")

    ticket: Whole
    code: str
    letter: str | None = None
    """The letter on the ticket, of the location that sold it; None for the station's own."""


class Redeem(Command[Paid], frozen=True, tag="redeem"):
    """15.6(a): pay a ticket of any location, once; also what an ended one still owes."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "Redeem", "request_id booth=by.booth ticket code payment letter? in_cash?"
    )

    ticket: Whole
    code: str
    payment: Payment
    letter: str | None = None
    """As in `lookup`."""
    in_cash: bool = False
    """Whether owed chips and tokens are given in cash, because the drawer cannot make them up."""


class Refund(Command[Paid], frozen=True, tag="refund"):
    """15.4(d): cancel the undrawn games of a multi-race and pay what it has won so far.

    15.6(b): without a supervisor's approval $1,500.00 or more waits for one; the games are
    cancelled at once, and `redeem` pays later.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Refund", "request_id booth=by.booth ticket code payment")

    ticket: Whole
    code: str
    payment: Payment


class RequestAuthorisation(Command[Authorised], frozen=True, tag="request_authorisation"):
    """15.6(b): ask a supervisor to authorise a payout; sales go on meanwhile.

    If `refund` is true, the payout is the refund of a multi-race ticket. For a ticket that ended
    and still owes money, it is asked for that money again.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "RequestAuthorisation", "request_id booth=by.booth ticket code refund letter?"
    )

    ticket: Whole
    code: str
    refund: bool = False
    letter: str | None = None
    """As in `lookup`."""


class Authorise(Command[Authorised], frozen=True, tag="authorise"):
    """Approve a payout, signed with the supervisor's own key, or deny it with a reason.

    An approval needs the passphrase that opens the supervisor's key. At a station the supervisor is
    the second person.
    """

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "Authorise",
        "request_id authorisation supervisor=by.person passphrase_signature=given.signature reason",
    )

    authorisation: Whole
    approve: bool
    passphrase: str = ""
    reason: str = ""
    second: Second | None = None

    def __repr__(self) -> str:
        return f"Authorise({self.authorisation})"
