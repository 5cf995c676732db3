"""Tickets before they are paid: sell, void, rewrite, surrender, print, hold."""

from typing import Any, ClassVar

import msgspec

from keno.domain.roles import SUPERVISORS, WRITERS
from keno.protocol.base import (
    CONSOLE,
    Answer,
    Cents,
    Command,
    LedgerForm,
    Second,
    Tendered,
    Whole,
)


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Where a request comes from (15.3(b), 15.4(a))."""


class PaperOrigin(Origin, frozen=True, tag="paper"):
    """15.4(a): a keno request that the patron marked on paper."""


class DigitalOrigin(Origin, frozen=True, tag="digital"):
    """A request built on a phone, kept as it was submitted."""

    submitted: str


class PreviousOrigin(Origin, frozen=True, tag="previous"):
    """15.3(b): a drawn ticket as the request; a change needs the writer's confirmation."""

    ticket: Whole
    code: str
    change_confirmed: bool = False


class QuickPickOrigin(Origin, frozen=True, tag="quick_pick"):
    """15.1: the system chooses the spots; the sale has no request."""

    spots: Whole
    rate: str
    wager_cents: Cents
    games: Whole = 1


class Sold(Answer, frozen=True):
    """Everything a station needs to print the ticket."""

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

    @property
    def request(self) -> dict[str, Any]:
        """The keno request in its written form."""
        decoded: dict[str, Any] = msgspec.json.decode(self.request_json)
        return decoded


class Voided(Answer, frozen=True):
    """What the void slip says and the drawer pays back."""

    location: str
    ticket: int
    cash_cents: Cents
    coupon_cents: Cents
    coupon: str | None
    voided_ms: int


class Rewritten(Answer, frozen=True):
    """A voided ticket and its successor."""

    voided: Voided
    sold: Sold


class TicketDone(Answer, frozen=True):
    """It is done; there is nothing to print."""

    location: str
    ticket: int
    ms: int


class SellTicket(Command[Sold], frozen=True, tag="sell_ticket"):
    """A sale as the writer saw it (15.4): if the game, card or price changed, it is refused."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm(
        "sell",
        "request_id booth=by.booth first_game card=card_version price_cents origin=given.origin"
        " request=given.request tender=given.tender",
        digest="Sell",
    )

    first_game: Whole
    card_version: str
    price_cents: Cents
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin
    request: dict[str, Any] | None
    tender: list[Tendered]


class VoidAndRewrite(Command[Rewritten], frozen=True, tag="void_and_rewrite"):
    """Correct a live ticket before lock-out: both or neither."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("VoidAndRewrite", "request_id ticket code sale=given.sale")

    ticket: Whole
    code: str
    sale: SellTicket


class Void(Command[Voided], frozen=True, tag="void"):
    """Void a whole ticket before lock-out; without a code from the station's own list."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("Void", "request_id booth=by.booth ticket code")

    ticket: Whole
    code: str | None = None


class Surrender(Command[TicketDone], frozen=True, tag="surrender"):
    """After lock-out: a printed ticket that was not paid for; its price is owed."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "Surrender", "request_id booth=by.booth ticket supervisor=by.second reason"
    )

    ticket: Whole
    second: Second
    reason: str


class ConfirmPrint(Command[TicketDone], frozen=True, tag="confirm_print"):
    """The ticket is on paper."""

    roles: ClassVar = WRITERS
    ledger: ClassVar = LedgerForm("ConfirmPrint", "request_id booth=by.booth ticket")

    ticket: Whole


class Reprint(Command[Sold], frozen=True, tag="reprint"):
    """Print again, marked; after lock-out only with a supervisor."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "Reprint", "request_id booth=by.booth ticket supervisor=by.second"
    )

    ticket: Whole
    second: Second | None = None


class ResolvePrint(Command[TicketDone | Sold], frozen=True, tag="resolve_print"):
    """The writer has looked: it is on paper after all, or it must be printed again."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    ticket: Whole
    printed: bool
    second: Second | None = None


class Hold(Command[TicketDone], frozen=True, tag="hold"):
    """Hold a ticket in dispute, or release it."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm(
        "Hold", "request_id location ticket supervisor=by.person reason release"
    )

    location: str
    ticket: Whole
    reason: str
    release: bool = False
