"""What a station asks: the writer's tickets, payouts and shift."""

from typing import Any, ClassVar

from keno.domain.roles import EVERYBODY, SUPERVISORS, WRITERS
from keno.protocol.base import (
    CONSOLE,
    EVERYWHERE,
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


class SignIn(Command[Any], frozen=True, tag="sign_in"):
    """A writer at a station that has proved its key."""

    roles: ClassVar = EVERYBODY

    person: str
    password: str

    def __repr__(self) -> str:
        return f"SignIn({self.person!r})"


class SignOut(Command[Any], frozen=True, tag="sign_out"):
    """The writer leaves; the shift stays open."""

    roles: ClassVar = EVERYBODY


class Resume(Command[Any], frozen=True, tag="resume"):
    """After a lost connection: what became of these requests?"""

    roles: ClassVar = WRITERS

    requests: list[str]


class Desk(Command[Any], frozen=True, tag="desk"):
    """What the writer has before them: shift, last tickets, unconfirmed prints, authorisations."""

    roles: ClassVar = WRITERS


class StationStatus(Command[Any], frozen=True, tag="station_status"):
    """What the station knows of its printer and its paper."""

    roles: ClassVar = WRITERS

    printer: str
    paper: str


class Price(Command[Any], frozen=True, tag="price"):
    """Price, ways and exact odds of a request while it is being built; sells nothing."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    request: dict[str, Any]


# Tickets.


class SellTicket(Command[Any], frozen=True, tag="sell_ticket"):
    """A sale as the writer saw it (15.4)."""

    roles: ClassVar = WRITERS

    first_game: Whole
    card_version: str
    price_cents: Cents
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin
    request: dict[str, Any] | None
    tender: list[Tendered]


class VoidAndRewrite(Command[Any], frozen=True, tag="void_and_rewrite"):
    """Correct a live ticket before lock-out: both or neither."""

    roles: ClassVar = WRITERS

    ticket: Whole
    code: str
    sale: SellTicket


class Void(Command[Any], frozen=True, tag="void"):
    """Void a whole ticket before lock-out; without a code from the station's own list."""

    roles: ClassVar = WRITERS

    ticket: Whole
    code: str | None = None


class Surrender(Command[Any], frozen=True, tag="surrender"):
    """After lock-out: a printed ticket that nobody paid for."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    ticket: Whole
    second: Second
    reason: str


class ConfirmPrint(Command[Any], frozen=True, tag="confirm_print"):
    """The ticket is on paper."""

    roles: ClassVar = WRITERS

    ticket: Whole


class ResolvePrint(Command[Any], frozen=True, tag="resolve_print"):
    """The writer has looked: it is on paper after all, or it must be printed again."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    ticket: Whole
    printed: bool
    second: Second | None = None


class Reprint(Command[Any], frozen=True, tag="reprint"):
    """Print again, marked."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    ticket: Whole
    second: Second | None = None


class Lookup(Command[Any], frozen=True, tag="lookup"):
    """A ticket as sold, its games, and what it is owed."""

    roles: ClassVar = WRITERS

    ticket: Whole
    code: str


class Redeem(Command[Any], frozen=True, tag="redeem"):
    """Pay a ticket, once."""

    roles: ClassVar = WRITERS

    ticket: Whole
    code: str
    payment: Payment


class Refund(Command[Any], frozen=True, tag="refund"):
    """Cancel the undrawn games of a multi-race and pay what is due."""

    roles: ClassVar = WRITERS

    ticket: Whole
    code: str
    payment: Payment


class RequestAuthorisation(Command[Any], frozen=True, tag="request_authorisation"):
    """15.6(b): ask for a supervisor."""

    roles: ClassVar = WRITERS

    ticket: Whole
    code: str
    refund: bool = False


class Authorise(Command[Any], frozen=True, tag="authorise"):
    """Yes, signed with the supervisor's own key, or no with a reason.

    At a station the supervisor comes along as the second person.
    """

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE
    slow: ClassVar = True

    authorisation: Whole
    approve: bool
    passphrase: str = ""
    reason: str = ""
    second: Second | None = None

    def __repr__(self) -> str:
        return f"Authorise({self.authorisation})"


class Hold(Command[Any], frozen=True, tag="hold"):
    """Hold a ticket in dispute, or release it."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE

    location: str
    ticket: Whole
    reason: str
    release: bool = False


# Shifts.


class OpenShift(Command[Any], frozen=True, tag="open_shift"):
    """Take a drawer with its opening bank."""

    roles: ClassVar = WRITERS

    bank_cents: Cents


class MoveShift(Command[Any], frozen=True, tag="move_shift"):
    """Bring one's open shift to this station."""

    roles: ClassVar = WRITERS


class LockShift(Command[Any], frozen=True, tag="lock_shift"):
    """Lock for a break, or unlock."""

    roles: ClassVar = WRITERS

    unlock: bool = False


class CloseShift(Command[Any], frozen=True, tag="close_shift"):
    """The counted drawer, by kind."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    counted: dict[str, Cents]
    second: Second


class Fill(Command[Any], frozen=True, tag="fill"):
    """Currency into the drawer."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    cents: Cents
    second: Second


class Credit(Command[Any], frozen=True, tag="credit"):
    """Currency out of the drawer."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    cents: Cents
    second: Second
