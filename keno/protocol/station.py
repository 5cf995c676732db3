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


class Prove(Message, frozen=True):
    """The station's signature over the server's nonce, with its enrolled key."""

    station: str
    signature: str


class SignIn(Command, frozen=True):
    """A writer at a station that has proved its key."""

    person: str
    password: str

    def __repr__(self) -> str:
        return f"SignIn({self.person!r})"


class SignOut(Command, frozen=True):
    """The writer leaves; the shift stays open."""


class Resume(Command, frozen=True):
    """After a lost connection: what became of these requests?"""

    requests: list[str]


class Desk(Command, frozen=True):
    """What the writer has before them: shift, last tickets, unconfirmed prints, authorisations."""


class StationStatus(Command, frozen=True):
    """What the station knows of its printer and its paper."""

    printer: str
    paper: str


class Price(Command, frozen=True):
    """Price, ways and exact odds of a request while it is being built; sells nothing."""

    request: dict[str, Any]


# Tickets.


class SellTicket(Command, frozen=True):
    """A sale as the writer saw it (15.4)."""

    first_game: Whole
    card_version: str
    price_cents: Cents
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin
    request: dict[str, Any] | None
    tender: list[Tendered]


class VoidAndRewrite(Command, frozen=True):
    """Correct a live ticket before lock-out: both or neither."""

    ticket: Whole
    code: str
    sale: SellTicket


class Void(Command, frozen=True):
    """Void a whole ticket before lock-out; without a code from the station's own list."""

    ticket: Whole
    code: str | None = None


class Surrender(Command, frozen=True):
    """After lock-out: a printed ticket that nobody paid for."""

    ticket: Whole
    second: Second
    reason: str


class ConfirmPrint(Command, frozen=True):
    """The ticket is on paper."""

    ticket: Whole


class ResolvePrint(Command, frozen=True):
    """The writer has looked: it is on paper after all, or it must be printed again."""

    ticket: Whole
    printed: bool
    second: Second | None = None


class Reprint(Command, frozen=True):
    """Print again, marked."""

    ticket: Whole
    second: Second | None = None


class Lookup(Command, frozen=True):
    """A ticket as sold, its games, and what it is owed."""

    ticket: Whole
    code: str


class Redeem(Command, frozen=True):
    """Pay a ticket, once."""

    ticket: Whole
    code: str
    payment: Payment


class Refund(Command, frozen=True):
    """Cancel the undrawn games of a multi-race and pay what is due."""

    ticket: Whole
    code: str
    payment: Payment


class RequestAuthorisation(Command, frozen=True):
    """15.6(b): ask for a supervisor."""

    ticket: Whole
    code: str
    refund: bool = False


class Authorise(Command, frozen=True):
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


class Hold(Command, frozen=True):
    """Hold a ticket in dispute, or release it."""

    location: str
    ticket: Whole
    reason: str
    release: bool = False


# Shifts.


class OpenShift(Command, frozen=True):
    """Take a drawer with its opening bank."""

    bank_cents: Cents


class MoveShift(Command, frozen=True):
    """Bring one's open shift to this station."""


class LockShift(Command, frozen=True):
    """Lock for a break, or unlock."""

    unlock: bool = False


class CloseShift(Command, frozen=True):
    """The counted drawer, by kind."""

    counted: dict[str, Cents]
    second: Second


class Fill(Command, frozen=True):
    """Currency into the drawer."""

    cents: Cents
    second: Second


class Credit(Command, frozen=True):
    """Currency out of the drawer."""

    cents: Cents
    second: Second
