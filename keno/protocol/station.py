"""Commands and answers of stations only: prove the key, sign in, resume, overview and odds."""

from typing import Any, ClassVar

import msgspec

from keno.domain.roles import EVERYBODY, WRITERS
from keno.protocol.base import Answer, Cents, Command, Empty, KindCents, Request
from keno.protocol.states import (
    AuthorisationStateText,
    DrawerKindText,
    GameStateText,
    TicketStateText,
)

RESUME_MAX = 100
"""Maximum number of request ids in one `resume`."""


# Answers.


class StationPlace(Answer, frozen=True):
    """The server's answer to `prove`: the station's location, and what its papers print of it."""

    station: str
    location: str
    letter: str = "?"
    name: str = ""
    zone: str = "UTC"
    casino: str = "Keno"
    no_value: bool = True
    scan_prefix: str = ""
    """The web address of the ticket check, to which a ticket's number and code are appended."""


class SignedIn(Answer, frozen=True):
    """The answer to `sign_in`: the person, their role, and their open shift."""

    person: str
    name: str
    role: str
    shift: int
    """Number of the person's open shift at this station, or 0."""


class WriterShift(Answer, frozen=True):
    """The writer's open shift, at this or another station, and what its drawer should hold.

    `expected_cents` has an amount for each kind of tender, with all cash under `currency`, as older
    stations read it; `holds_cents` has the same with the cash under `cash`.
    """

    shift: int
    location: str
    station: str
    locked: bool
    opened_ms: int
    expected_cents: dict[str, Cents]
    holds_cents: dict[DrawerKindText, Cents] = msgspec.field(default_factory=dict)


class StationTicket(Answer, frozen=True):
    """One of the last tickets that the station sold, with its state, print and reprints."""

    ticket: int
    price_cents: Cents
    first_game: int
    last_game: int
    sold_ms: int
    state: TicketStateText
    printed: bool
    reprints: int


class UnprintedTicket(Answer, frozen=True):
    """A live ticket of the station whose print is not confirmed."""

    ticket: int
    price_cents: Cents
    first_game: int
    request_id: str
    """The request id of its sale, by which the station can ask for what to print."""
    reprints: int
    game_state: GameStateText
    """The state of the ticket's first game."""
    gives_back: tuple[KindCents, ...] = ()
    """What a void gives back, kind for kind; empty if none is possible."""


class StationAuthorisation(Answer, frozen=True):
    """An authorisation that the writer's shift asked for, in the answer to `desk`.

    It is pending, approved and unused, or recently denied or lapsed.
    """

    authorisation: int
    ticket: int
    amount_cents: Cents
    state: AuthorisationStateText
    answered_by: str | None
    reason: str | None
    letter: str = ""
    """The letter of the location that sold the ticket."""


class OtherShift(Answer, frozen=True):
    """The open shift of another person at this station."""

    shift: int
    writer: str
    name: str
    opened_ms: int


class StationOverview(Answer, frozen=True):
    """The answer to `desk`: the writer's shift, last tickets, prints and authorisations."""

    shift: WriterShift | None
    tickets: tuple[StationTicket, ...]
    unprinted: tuple[UnprintedTicket, ...]
    authorisations: tuple[StationAuthorisation, ...]
    other_shift: OtherShift | None = None
    """Another writer's open shift here; while it is open, no other shift can be opened here."""


class AwardOdds(Answer, frozen=True):
    """A possible award and its exact probability."""

    award_cents: Cents
    probability: str
    """The probability as a fraction in lowest terms: ``p/q``."""


class OddsReport(Answer, frozen=True, omit_defaults=True):
    """The answer to `price`: price and exact odds of one game of a ticket.

    Fractions are in lowest terms. A value that would take too many steps to compute is None.
    """

    type: str
    ways: int
    spots_marked: int
    price_cents: Cents
    house_advantage: str
    house_advantage_percent: str
    house_advantage_at_least: bool
    maximum: str | None
    win_probability: str | None
    mean_cents: str
    standard_deviation_cents: str | None
    award_max_cents: Cents
    awards: tuple[AwardOdds, ...] | None
    reason: str | None = None
    """Why `awards` is None; left out if it is not."""


# Commands.


class Prove(Request, frozen=True, tag="prove"):
    """A station's first message: its name, and its signature over the server's nonce.

    The signature is made with the station's enrolled key over `proof_of_station`.
    """

    station: str
    signature: str


class SignIn(Command[SignedIn], frozen=True, tag="sign_in"):
    """Sign a person in at a station that has proved its key, with the person's password."""

    roles: ClassVar = EVERYBODY

    person: str
    password: str

    def __repr__(self) -> str:
        return f"SignIn({self.person!r})"


class SignOut(Command[Empty], frozen=True, tag="sign_out"):
    """Sign the writer out; the shift stays open."""

    roles: ClassVar = EVERYBODY


class Resume(Command[dict[str, dict[str, Any] | None]], frozen=True, tag="resume"):
    """Ask after a lost connection what became of these requests.

    The answer has for each request id its stored answer, or None if it has none. Then the request
    never arrived or was refused.
    """

    roles: ClassVar = WRITERS

    requests: list[str]


class GetStationOverview(Command[StationOverview], frozen=True, tag="desk"):
    """Show the writer's shift, last tickets, unconfirmed prints and authorisations."""

    roles: ClassVar = WRITERS


class StationStatus(Command[Empty], frozen=True, tag="station_status"):
    """Report the state of the station's printer and paper."""

    roles: ClassVar = WRITERS

    printer: str
    paper: str


class Price(Command[OddsReport], frozen=True, tag="price"):
    """Show price, ways and exact odds of a request while it is being built; sells nothing."""

    roles: ClassVar = WRITERS
    slow: ClassVar = True

    request: dict[str, Any]
