"""What the console shows of the house: the live floor, the generator and the witness."""

from typing import ClassVar

from keno.domain.roles import READERS, SUPERVISORS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, Empty
from keno.protocol.events import State
from keno.protocol.games import Alarm

# The live floor.


class FloorShift(Answer, frozen=True):
    """The shift that is open at a station, and what its drawer should hold."""

    shift: int
    writer: str
    locked: bool
    opened_ms: int
    expected_cents: dict[str, Cents]


class FloorUnprinted(Answer, frozen=True):
    """Live tickets whose print is not confirmed."""

    count: int
    oldest_ticket: int | None
    oldest_ms: int | None


class FloorAuthorisation(Answer, frozen=True):
    """A payout that waits for a supervisor."""

    authorisation: int
    ticket: int
    amount_cents: Cents
    asked_by: str
    asked_ms: int


class FloorStation(Answer, frozen=True):
    """A station; of one that is not connected, writer, printer and paper are not known."""

    station: str
    enabled: bool
    connected: bool
    writer: str | None
    printer: str | None
    paper: str | None
    shift: FloorShift | None
    unprinted: FloorUnprinted
    authorisations: tuple[FloorAuthorisation, ...]


class Unusual(Answer, frozen=True):
    """Something out of the ordinary: who, when and why."""

    kind: str
    """hold, release, reprint, lock_out, surrender, denied, lapsed, override or void_game."""
    override: str | None
    seconds: int | None
    game: int | None
    ticket: int | None
    cents: Cents | None
    actor: str
    second: str | None
    reason: str | None
    ms: int


class FloorLocation(Answer, frozen=True):
    """One location."""

    location: str
    letter: str
    name: str
    state: State | None
    """As a board sees it; None if its games are not run here."""
    trouble: str | None
    """What keeps the game from going on."""
    not_sold: str | None
    """The rule of today that the card in force breaks: nothing is sold, and its game goes on."""
    stations: tuple[FloorStation, ...]
    exceptions: tuple[Unusual, ...]


class Floor(Answer, frozen=True):
    """The whole house at one moment."""

    server_ms: int
    locations: tuple[FloorLocation, ...]
    people: dict[str, str]
    """The name of every person who has an account."""


class GetFloor(Command[Floor], frozen=True, tag="floor"):
    """The live floor: every location, its stations, and what is out of the ordinary."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE


class Tell(Command[Empty], frozen=True, tag="tell"):
    """A supervisor's message to the stations of a location."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE

    location: str
    text: str


# The generator, the witness and the draws.


class PartyStatus(Answer, frozen=True):
    """R or W as this server sees it; None is not known."""

    key: str | None
    answering: bool | None
    since_ms: int | None
    asked_ms: int | None
    refused: str | None


class Boot(Answer, frozen=True):
    """The generator was unlocked by two people, and with which program."""

    boot: int
    unlocked_ms: int
    program: str
    inspector: str
    supervisor: str
    verified: bool
    """Signed by R and these two, whom the chain's genesis lists."""


class Commitment(Answer, frozen=True):
    """What R and W have committed to for a game that is not drawn."""

    game: int
    name: str
    commitment: str
    """W's, which is printed on the tickets."""
    generator: str
    """R's, which W's names."""
    boot: int | None
    committed_ms: int


class DrawRecord(Answer, frozen=True):
    """A game that was locked, and how far its record goes."""

    game: int
    name: str
    state: str
    """drawing (until its last ball is shown), settled or void."""
    locked_ms: int | None
    drawn_ms: int | None
    voided_ms: int | None
    tickets: int | None
    root: str | None
    steps: tuple[str, ...]
    numbers: tuple[int, ...] | None
    verified: bool | None
    """Checked again for this answer; None if there is nothing to check yet."""


class LocationDraws(Answer, frozen=True):
    """One location's generator, witness and draws."""

    location: str
    letter: str
    name: str
    chain: str | None
    mode: str | None
    first_game: int | None
    generator: PartyStatus
    witness: PartyStatus
    program: str | None
    """Of the last boot that the record has."""
    boots: tuple[Boot, ...]
    commitments: tuple[Commitment, ...]
    draws: tuple[DrawRecord, ...]
    alarms: tuple[Alarm, ...]
    unknown: tuple[str, ...]


class DrawStatus(Answer, frozen=True):
    """All locations at one moment."""

    server_ms: int
    locations: tuple[LocationDraws, ...]


class GetDrawStatus(Command[DrawStatus], frozen=True, tag="draw_room"):
    """The generator, the witness and the last draws, as the server sees them."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE
