"""Commands and answers about tickets before payment: sell, void, rewrite, print, hold."""

from typing import Any, ClassVar

import msgspec

from keno.domain.roles import SUPERVISORS, WRITERS
from keno.protocol.base import (
    CONSOLE,
    EVERYWHERE,
    Answer,
    Cents,
    Command,
    KindCents,
    LedgerForm,
    Second,
    Tendered,
    Whole,
)


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Base of the origins of a sale's keno request: how the patron gave it (15.3(b), 15.4(a))."""


class PaperOrigin(Origin, frozen=True, tag="paper"):
    """15.4(a): the patron marked the request on paper."""


class DigitalOrigin(Origin, frozen=True, tag="digital"):
    """The request was built on a phone; `submitted` is its text as submitted."""

    submitted: str


class PreviousOrigin(Origin, frozen=True, tag="previous"):
    """15.3(b): the patron presents a played ticket as the request for a new one.

    If the new request differs, the writer confirms that the patron marked the change.
    """

    ticket: Whole
    code: str
    change_confirmed: bool = False
    letter: str | None = None
    """The letter on the ticket, of the location that sold it; None for the station's own."""


class QuickPickOrigin(Origin, frozen=True, tag="quick_pick"):
    """15.1: the system chooses the spots, so the sale has no request."""

    spots: Whole
    rate: str
    wager_cents: Cents
    games: Whole = 1


class Sold(Answer, frozen=True):
    """The answer to `sell_ticket` and `reprint`: a ticket with all that is printed on it.

    `reprints` is the number of the copy, or 0 for the first paper.
    """

    location: str
    ticket: int
    code: str
    first_game: int
    last_game: int
    card: str
    station: str
    writer: str
    sold_ms: int
    price_cents: Cents
    request_json: str
    commitment: str
    reprints: int = 0
    change_cents: Cents = 0
    """15.4(c): what was received beyond the price, given back in currency."""

    @property
    def request(self) -> dict[str, Any]:
        """The keno request as decoded JSON."""
        decoded: dict[str, Any] = msgspec.json.decode(self.request_json)
        return decoded


class Voided(Answer, frozen=True):
    """The answer to `void`: the ticket, and what is given back, as a new coupon and otherwise.

    `kept_cents` are those of coupons that a rewrite moved to the new ticket.
    """

    location: str
    ticket: int
    cash_cents: Cents
    """What is given back in cash."""
    coupon_cents: Cents
    coupon: str | None
    voided_ms: int
    given_back: tuple[KindCents, ...] = ()
    """What is given back, kind for kind, the coupon included."""
    in_cash_cents: Cents = 0
    """The part of `cash_cents` that is given in place of chips or tokens that came in."""
    kept_cents: Cents = 0
    """The cents of coupons that a rewrite moved to the new ticket."""
    owed_cents: Cents = 0
    """15.6(b): what is not handed over before a supervisor has authorised it."""
    owed: tuple[KindCents, ...] = ()
    """The same, kind for kind, the coupon's part included."""
    authorisation: int | None = None
    """The authorisation that was asked for `owed_cents`."""
    code: str = ""
    """If something is owed: the validation code, with which the ticket's number is presented."""


class Rewritten(Answer, frozen=True):
    """The answer to `void_and_rewrite`: the voided ticket and the ticket sold in its place."""

    voided: Voided
    sold: Sold
    net: tuple[KindCents, ...] = ()
    """What changes hands in all, kind for kind: handed to the patron, or, if negative, received."""


class TicketDone(Answer, frozen=True):
    """The answer of a command that changes a ticket and prints nothing: the ticket, and when."""

    location: str
    ticket: int
    ms: int


class SellTicket(Command[Sold], frozen=True, tag="sell_ticket"):
    """Sell a ticket (15.4); refused if game, card or price are not as the writer saw them.

    What is tendered beyond the price is given back as change.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "sell",
        "request_id booth=by.booth first_game card=card_version price_cents origin=given.origin"
        " request=given.request tender=given.tender second?=by.second",
        digest="Sell",
    )

    first_game: Whole
    card_version: str
    price_cents: Cents
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin
    request: dict[str, Any] | None
    tender: list[Tendered]
    second: Second | None = None
    """The supervisor that change of $1,500.00 or more for chips or tokens needs."""


class VoidAndRewrite(Command[Rewritten], frozen=True, tag="void_and_rewrite"):
    """Void a live ticket before lock-out and sell its correction: both or neither.

    Ticket number and code are those of the ticket to be voided. `sale.tender` is all that pays the
    new ticket: what came in for the old one goes towards it, and only the difference changes hands.
    15.6(b): a difference of $1,500.00 or more waits for a supervisor, and `redeem` pays it later.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "VoidAndRewrite", "request_id ticket code sale=given.sale in_cash?"
    )

    ticket: Whole
    code: str
    sale: SellTicket
    """It has no second person of its own."""
    in_cash: bool = False
    """Whether chips and tokens are given back in cash, because the drawer cannot make them up."""
    second: Second | None = None
    """The supervisor that the sale's change needs."""


class Void(Command[Voided], frozen=True, tag="void"):
    """Void a whole ticket before lock-out; without a code if its print is unconfirmed here.

    What came in is given back kind for kind; a kind that change was given for, in cash.
    15.6(b): $1,500.00 or more waits for a supervisor, and `redeem` pays it later.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Void", "request_id booth=by.booth ticket code in_cash?")

    ticket: Whole
    code: str | None = None
    in_cash: bool = False
    """Whether chips and tokens are given back in cash, because the drawer cannot make them up."""


class Surrender(Command[TicketDone], frozen=True, tag="surrender"):
    """Always refused: 15.3(c), no ticket is ended by its number. Only old stations send it."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "Surrender", "request_id booth=by.booth ticket supervisor=by.second reason"
    )

    ticket: Whole
    second: Second
    reason: str


class DeclareNotIssued(Command[TicketDone], frozen=True, tag="declare_not_issued"):
    """15.3(c): declare a printed ticket unpaid and not issued, after lock-out, before the draw.

    The ticket is then held until a supervisor decides. Only the writer who sold it may declare it,
    at the same station and in the same shift.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("DeclareNotIssued", "request_id booth=by.booth ticket")

    ticket: Whole


class ConfirmNotIssued(Command[TicketDone], frozen=True, tag="confirm_not_issued"):
    """Decide with the paper whether a ticket was not issued and ends, or was issued after all.

    A supervisor decides; at a station the supervisor is the second person.
    """

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "ConfirmNotIssued", "request_id location ticket code supervisor=by.person issued reason"
    )

    ticket: Whole
    code: str
    reason: str
    issued: bool = False
    location: str = ""
    """The ticket's location; empty for the station's own."""
    second: Second | None = None


class TakeNotIssued(Command[TicketDone], frozen=True, tag="take_not_issued"):
    """Take and hold the paper of a ticket found not issued after its draw (a supervisor).

    At a station the supervisor is the second person.
    """

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "TakeNotIssued", "request_id location ticket code supervisor=by.person reason"
    )

    ticket: Whole
    code: str
    reason: str
    location: str = ""
    """The ticket's location; empty for the station's own."""
    second: Second | None = None


class ConfirmPrint(Command[TicketDone], frozen=True, tag="confirm_print"):
    """Confirm that a ticket was printed.

    A ticket is paid only if its print is confirmed.
    """

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("ConfirmPrint", "request_id booth=by.booth ticket")

    ticket: Whole


class Reprint(Command[Sold], frozen=True, tag="reprint"):
    """Print a ticket again, marked; if confirmed or locked out, only with a supervisor."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "Reprint", "request_id booth=by.booth ticket supervisor=by.second"
    )

    ticket: Whole
    second: Second | None = None


class ResolvePrint(Command[TicketDone | Sold], frozen=True, tag="resolve_print"):
    """State whether an unconfirmed ticket is on paper; if not, it is printed again."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    ticket: Whole
    printed: bool
    second: Second | None = None


class Hold(Command[TicketDone], frozen=True, tag="hold"):
    """Hold a ticket in dispute until the end of a gaming day, or release it."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm(
        "Hold", "request_id location ticket supervisor=by.person reason release until_day?"
    )

    location: str
    ticket: Whole
    reason: str
    release: bool = False
    until_day: str | None = None
    """Last gaming day of the hold, such as 2026-12-16; None for the house's default."""
