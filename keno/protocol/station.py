"""What a station asks: the writer's tickets, payouts and shift."""

from typing import Any, ClassVar

from keno.domain.roles import EVERYBODY, WRITERS
from keno.protocol.base import (
    EVERYWHERE,
    Command,
    Message,
    Payment,
    Second,
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


# Payouts.


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
