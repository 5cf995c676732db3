"""Payouts: look up a ticket, redeem or refund it, and have a large payout authorised."""

from typing import Any, ClassVar

from keno.domain.roles import WRITERS
from keno.protocol.base import EVERYWHERE, Answer, Cents, Command, LedgerForm, Part, Second, Whole


class Payment(Part, frozen=True):
    """How a payout is handed over; cash and check together are what is owed after withholding."""

    cash_cents: Cents
    check_cents: Cents = 0
    check_number: str | None = None
    withheld_cents: Cents = 0
    tax_form: str | None = None


# Answers.


class TicketGame(Answer, frozen=True):
    """One game of a ticket: what each group caught, and what it won."""

    game: int
    name: str
    state: str
    numbers: tuple[int, ...] | None
    catches: tuple[int, ...] | None
    award_cents: Cents | None


class TicketView(Answer, frozen=True):
    """A ticket as sold, its games, and whether it can be paid now."""

    location: str
    letter: str
    ticket: int
    state: str
    """live, void, cancelled, payout, refund, surrender or expiry."""
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
    """What it pays now; None if it cannot be paid, and then why not."""
    why_not: str | None
    why_not_code: str | None
    claim_until_ms: int | None
    ended_game: int | None
    """The first game that it does not play, because it was voided or cancelled before."""


class Owed(Answer, frozen=True):
    """What a ticket pays and what must happen before."""

    location: str
    ticket: int
    awards_cents: Cents
    returns_cents: Cents
    refund_cents: Cents
    coupon_of_returns_cents: Cents
    coupon_of_refund_cents: Cents
    needs_authorisation: bool
    tax_form_games: tuple[int, ...]

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents

    @property
    def coupon_cents(self) -> Cents:
        """What goes back as a coupon, never as cash."""
        return self.coupon_of_returns_cents + self.coupon_of_refund_cents


class RefundQuote(Owed, frozen=True):
    """What a refund would pay now, and how many games it would cancel."""

    games: int


class NoRefund(Answer, frozen=True):
    """Why a multi-race ticket cannot be refunded now."""

    code: str
    message: str


class LookedUp(Answer, frozen=True):
    """A presented ticket: as sold, what it is owed, and of a multi-race what a refund would pay."""

    ticket: TicketView
    owed: Owed | None
    refund: RefundQuote | None
    refund_why_not: NoRefund | None


class Paid(Answer, frozen=True):
    """What the payout slip or the refund document says."""

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


class Authorised(Answer, frozen=True):
    """An authorisation and its state."""

    authorisation: int
    location: str
    ticket: int
    amount_cents: Cents
    state: str
    """pending, approved, denied, used or lapsed."""
    supervisor: str | None


# Commands.


class Lookup(Command[LookedUp], frozen=True, tag="lookup"):
    """A ticket as sold, its games, and what it is owed. Presenting it stops its clock."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Look", "request_id booth=by.booth ticket code")

    ticket: Whole
    code: str


class Redeem(Command[Paid], frozen=True, tag="redeem"):
    """Pay a ticket, once."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Redeem", "request_id booth=by.booth ticket code payment")

    ticket: Whole
    code: str
    payment: Payment


class Refund(Command[Paid], frozen=True, tag="refund"):
    """15.4(d): cancel the undrawn games of a multi-race and pay what it has won so far."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Refund", "request_id booth=by.booth ticket code payment")

    ticket: Whole
    code: str
    payment: Payment


class RequestAuthorisation(Command[Authorised], frozen=True, tag="request_authorisation"):
    """15.6(b): ask for a supervisor; sales go on meanwhile."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "RequestAuthorisation", "request_id booth=by.booth ticket code refund"
    )

    ticket: Whole
    code: str
    refund: bool = False


class Authorise(Command[Authorised], frozen=True, tag="authorise"):
    """Approve, signed with the supervisor's own key, or deny with a reason.

    At a station the supervisor comes along as the second person.
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
