"""What a station asks: the writer's tickets, payouts and shift."""

from typing import Any

from keno.protocol.base import (
    Cents,
    Command,
    DigitalOrigin,
    Message,
    PaperOrigin,
    Payment,
    PreviousOrigin,
    QuickPickOrigin,
    Second,
    Tendered,
    Whole,
)


class Prove(Message, frozen=True, tag="prove"):
    """The station's signature over the server's nonce, with its enrolled key."""

    station: str
    signature: str


class SignIn(Command, frozen=True, tag="sign_in"):
    """A writer at a station that has proved its key."""

    person: str
    password: str

    def __repr__(self) -> str:
        return f"SignIn({self.person!r})"


class SignOut(Command, frozen=True, tag="sign_out"):
    """The writer leaves; the shift stays open."""


class Resume(Command, frozen=True, tag="resume"):
    """After a lost connection: what became of these requests?"""

    requests: list[str]


class Desk(Command, frozen=True, tag="desk"):
    """What the writer has before them: shift, last tickets, unconfirmed prints, authorisations."""


class StationStatus(Command, frozen=True, tag="station_status"):
    """What the station knows of its printer and its paper."""

    printer: str
    paper: str


class Price(Command, frozen=True, tag="price"):
    """Price, ways and exact odds of a request while it is being built; sells nothing."""

    request: dict[str, Any]


# Tickets.


class SellTicket(Command, frozen=True, tag="sell_ticket"):
    """A sale as the writer saw it (15.4)."""

    first_game: Whole
    card_version: str
    price_cents: Cents
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin
    request: dict[str, Any] | None
    tender: list[Tendered]


class VoidAndRewrite(Command, frozen=True, tag="void_and_rewrite"):
    """Correct a live ticket before lock-out: both or neither."""

    ticket: Whole
    code: str
    sale: SellTicket


class Void(Command, frozen=True, tag="void"):
    """Void a whole ticket before lock-out; without a code from the station's own list."""

    ticket: Whole
    code: str | None = None


class Surrender(Command, frozen=True, tag="surrender"):
    """After lock-out: a printed ticket that nobody paid for."""

    ticket: Whole
    second: Second
    reason: str


class ConfirmPrint(Command, frozen=True, tag="confirm_print"):
    """The ticket is on paper."""

    ticket: Whole


class ResolvePrint(Command, frozen=True, tag="resolve_print"):
    """The writer has looked: it is on paper after all, or it must be printed again."""

    ticket: Whole
    printed: bool
    second: Second | None = None


class Reprint(Command, frozen=True, tag="reprint"):
    """Print again, marked."""

    ticket: Whole
    second: Second | None = None


class Lookup(Command, frozen=True, tag="lookup"):
    """A ticket as sold, its games, and what it is owed."""

    ticket: Whole
    code: str


class Redeem(Command, frozen=True, tag="redeem"):
    """Pay a ticket, once."""

    ticket: Whole
    code: str
    payment: Payment


class Refund(Command, frozen=True, tag="refund"):
    """Cancel the undrawn games of a multi-race and pay what is due."""

    ticket: Whole
    code: str
    payment: Payment


class RequestAuthorisation(Command, frozen=True, tag="request_authorisation"):
    """15.6(b): ask for a supervisor."""

    ticket: Whole
    code: str
    refund: bool = False


class Authorise(Command, frozen=True, tag="authorise"):
    """Yes, signed with the supervisor's own key, or no with a reason.

    At a station the supervisor comes along as the second person.
    """

    authorisation: Whole
    approve: bool
    passphrase: str = ""
    reason: str = ""
    second: Second | None = None

    def __repr__(self) -> str:
        return f"Authorise({self.authorisation})"


class Hold(Command, frozen=True, tag="hold"):
    """Hold a ticket in dispute, or release it."""

    location: str
    ticket: Whole
    reason: str
    release: bool = False


# Shifts.


class OpenShift(Command, frozen=True, tag="open_shift"):
    """Take a drawer with its opening bank."""

    bank_cents: Cents


class MoveShift(Command, frozen=True, tag="move_shift"):
    """Bring one's open shift to this station."""


class LockShift(Command, frozen=True, tag="lock_shift"):
    """Lock for a break, or unlock."""

    unlock: bool = False


class CloseShift(Command, frozen=True, tag="close_shift"):
    """The counted drawer, by kind."""

    counted: dict[str, Cents]
    second: Second


class Fill(Command, frozen=True, tag="fill"):
    """Currency into the drawer."""

    cents: Cents
    second: Second


class Credit(Command, frozen=True, tag="credit"):
    """Currency out of the drawer."""

    cents: Cents
    second: Second
