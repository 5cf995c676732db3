"""Commands and answers of the console's live floor and of the draws, generator and witness."""

from typing import ClassVar

from keno.domain.roles import READERS, SUPERVISORS
from keno.protocol.base import CONSOLE, Answer, Cents, Command, Empty
from keno.protocol.clock import ClockDoubt
from keno.protocol.events import State
from keno.protocol.games import Alarm
from keno.protocol.states import ShownGameStateText

# The live floor.


class FloorShift(Answer, frozen=True):
    """The open shift at a station, and the cash, chips, coupons, tokens its drawer should hold."""

    shift: int
    writer: str
    locked: bool
    opened_ms: int
    expected_cents: dict[str, Cents]


class FloorUnprinted(Answer, frozen=True):
    """The number of live tickets of a station whose print is unconfirmed, and the oldest.

    `oldest_ticket` is its number and `oldest_ms` when it was sold (UTC); None if there is none.
    """

    count: int
    oldest_ticket: int | None
    oldest_ms: int | None


class FloorAuthorisation(Answer, frozen=True):
    """A payout that waits for a supervisor's authorisation."""

    authorisation: int
    ticket: int
    amount_cents: Cents
    asked_by: str
    asked_ms: int
    letter: str = ""
    """The letter of the location that sold the ticket."""


class FloorStation(Answer, frozen=True):
    """A station on the live floor: its connection, shift, open prints and waiting payouts.

    As last reported, `printer` is ready, stopped or unknown, and `paper` ok, low, out or unknown.
    Both are None while the station is not connected, and `writer` while no writer is signed in.
    `unprinted` counts prints that are not confirmed; `authorisations` are of payouts asked for at
    this station that wait for a supervisor.
    """

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
    """An exceptional event (override, reprint, change of access …): who, when and why."""

    kind: str
    """hold, release, reprint, lock_out, not_issued, found_not_issued, issued_after_all, surrender,
    denied, lapsed, override, void_game, closed_by_others, late_attempt, server_start,
    clock_step, forged_paper, or a change of access: person_added, person_changed, password_set,
    signing_key, station_enrolled, station_on or station_off.
    """
    override: str | None
    seconds: int | None
    game: int | None
    ticket: int | None
    cents: Cents | None
    actor: str
    second: str | None
    reason: str | None
    ms: int
    subject: str | None = None
    """The person or station concerned; for a late attempt `sale`, `void` or `rewrite`."""
    station: str | None = None
    letter: str | None = None
    """The letter of the location that sold the ticket, if it is another one."""


class FloorLocation(Answer, frozen=True):
    """A location on the live floor: its state, trouble, stations and recent exceptional events."""

    location: str
    letter: str
    name: str
    state: State | None
    """The state that boards get; None if this server does not run the location's games."""
    trouble: str | None
    """What keeps the game from going on, in words; None if nothing does."""
    not_sold: str | None
    """The current rule that the card in force breaks: nothing is sold, the game goes on."""
    stations: tuple[FloorStation, ...]
    exceptions: tuple[Unusual, ...]


class Floor(Answer, frozen=True):
    """The answer to `floor`: all locations, stations and people of the house at one moment."""

    server_ms: int
    locations: tuple[FloorLocation, ...]
    people: dict[str, str]
    """The full name of every person with an account, by sign-in name."""
    clock: ClockDoubt | None = None
    """The clock step that a supervisor has to confirm; None while the clock is trusted."""


class GetFloor(Command[Floor], frozen=True, tag="floor"):
    """Show the live floor: every location, its stations and exceptional events."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE


class Tell(Command[Empty], frozen=True, tag="tell"):
    """Send a message to the stations of a location."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE

    location: str
    text: str


# The generator, the witness and the draws.


class PartyStatus(Answer, frozen=True):
    """The generator (R) or the witness (W) as the server sees it; None means unknown.

    It has the party's public key, whether it answered the last request and since when that is so,
    when it was last asked, and the code of its last response if that was a refusal.
    """

    key: str | None
    answering: bool | None
    since_ms: int | None
    asked_ms: int | None
    refused: str | None


class Boot(Answer, frozen=True):
    """A boot of the generator: the program, and the two people who unlocked it.

    `program` is the program's digest. `inspector` and `supervisor` are public keys, not names.
    """

    boot: int
    unlocked_ms: int
    program: str
    inspector: str
    supervisor: str
    verified: bool
    """Whether the signatures of R and of both people, listed in the genesis, are valid."""


class Commitment(Answer, frozen=True):
    """The commitments of the generator (R) and the witness (W) for a game that is not drawn.

    Both are digests. `boot` is R's boot at that time; None if it is not among the boots listed.
    """

    game: int
    name: str
    commitment: str
    """W's commitment, which is printed on the tickets."""
    generator: str
    """R's commitment, which W's commitment refers to."""
    boot: int | None
    committed_ms: int


class DrawRecord(Answer, frozen=True):
    """A game that was locked out, the recorded steps of its draw, and its numbers once shown.

    Times are UTC milliseconds. `tickets` is how many play the game, `root` the root of its book.
    A time or `root` is None until it is recorded, and `numbers` until all balls are shown.
    """

    game: int
    name: str
    state: ShownGameStateText
    locked_ms: int | None
    drawn_ms: int | None
    voided_ms: int | None
    tickets: int | None
    root: str | None
    steps: tuple[str, ...]
    numbers: tuple[int, ...] | None
    verified: bool | None
    """Whether the record proves the result or the void; None if that cannot be checked yet."""


class LocationDraws(Answer, frozen=True):
    """A location's generator, witness, boots, commitments, last draws and alarms.

    `chain` is the genesis record's digest; it, `mode` and `first_game` are None if the ledger has
    no genesis. `unknown` has sentences about what this server cannot know.
    """

    location: str
    letter: str
    name: str
    chain: str | None
    mode: str | None
    first_game: int | None
    generator: PartyStatus
    witness: PartyStatus
    program: str | None
    """The program of the last recorded boot."""
    boots: tuple[Boot, ...]
    commitments: tuple[Commitment, ...]
    draws: tuple[DrawRecord, ...]
    alarms: tuple[Alarm, ...]
    unknown: tuple[str, ...]


class DrawStatus(Answer, frozen=True):
    """The answer to `draw_room`: generator, witness and draws of all locations at one moment."""

    server_ms: int
    locations: tuple[LocationDraws, ...]


class GetDrawStatus(Command[DrawStatus], frozen=True, tag="draw_room"):
    """Show the generator, the witness and the last draws, as the server sees them."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE
