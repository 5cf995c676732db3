"""What a station asks: the writer's tickets, payouts and shift."""

from typing import Any, ClassVar

from keno.domain.roles import EVERYBODY, WRITERS
from keno.protocol.base import (
    Command,
    Request,
)


class Prove(Request, frozen=True, tag="prove"):
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
