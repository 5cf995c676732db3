"""The wire: every message between stations, consoles, boards and the server.

JSON objects told apart by `type`. Reading is strict: an unknown field, a wrong type or anything
too deep is refused. docs/wire.md has an example of each; a test keeps both alike. Who acts is
never in a message: the server knows the station by its key and the person by their sign-in. Only
a second person, who stands beside the first, is named, with a password of their own.
"""

from typing import Any

import msgspec

from keno.domain.money import Cents

PROTOCOL = "keno/1"


def _tag(name: str) -> str:
    return "".join([f"_{c.lower()}" if c.isupper() else c for c in name]).removeprefix("_")


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=_tag):
    """Anything that goes over the wire; its type is its name in small letters."""


class Command(Message, frozen=True):
    """Asks for something; its answer carries the same id, however often it is asked."""

    request_id: str


# Parts of messages.


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object inside a message."""


class Second(Part, frozen=True):
    """A second person who approves, with their own password."""

    person: str
    password: str

    def __repr__(self) -> str:
        return f"Second({self.person!r})"


class Tendered(Part, frozen=True):
    """One kind of tender towards a price; a coupon has its serial."""

    kind: str
    cents: Cents
    serial: str | None = None


class Payment(Part, frozen=True):
    """How an amount is handed over."""

    cash_cents: Cents
    check_cents: Cents = 0
    check_number: str | None = None
    withheld_cents: Cents = 0
    tax_form: str | None = None


class Origin(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """Where a request comes from (15.3(b), 15.4(a))."""


class Paper(Origin, frozen=True, tag="paper"):
    """Marked by the patron on paper."""


class Digital(Origin, frozen=True, tag="digital"):
    """Built on a phone; kept as submitted."""

    submitted: str


class Previous(Origin, frozen=True, tag="previous"):
    """A drawn ticket as the request."""

    ticket: int
    code: str
    change_confirmed: bool = False


class QuickPick(Origin, frozen=True, tag="quick_pick"):
    """The system chooses the numbers; the message has no request."""

    spots: int
    rate: str
    wager_cents: Cents
    games: int = 1


# A station and its writer.


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

    first_game: int
    card_version: str
    price_cents: Cents
    origin: Paper | Digital | Previous | QuickPick
    request: dict[str, Any] | None
    tender: list[Tendered]


class VoidAndRewrite(Command, frozen=True):
    """Correct a live ticket before lock-out: both or neither."""

    ticket: int
    code: str
    sale: SellTicket


class Void(Command, frozen=True):
    """Void a whole ticket before lock-out; without a code from the station's own list."""

    ticket: int
    code: str | None = None


class Surrender(Command, frozen=True):
    """After lock-out: a printed ticket that nobody paid for."""

    ticket: int
    second: Second
    reason: str


class ConfirmPrint(Command, frozen=True):
    """The ticket is on paper."""

    ticket: int


class ResolvePrint(Command, frozen=True):
    """The writer has looked: it is on paper after all, or it must be printed again."""

    ticket: int
    printed: bool
    second: Second | None = None


class Reprint(Command, frozen=True):
    """Print again, marked."""

    ticket: int
    second: Second | None = None


class Lookup(Command, frozen=True):
    """A ticket as sold, its games, and what it is owed."""

    ticket: int
    code: str


class Redeem(Command, frozen=True):
    """Pay a ticket, once."""

    ticket: int
    code: str
    payment: Payment


class Refund(Command, frozen=True):
    """Cancel the undrawn games of a multi-race and pay what is due."""

    ticket: int
    code: str
    payment: Payment


class RequestAuthorisation(Command, frozen=True):
    """15.6(b): ask for a supervisor."""

    ticket: int
    code: str
    refund: bool = False


class Authorise(Command, frozen=True):
    """Yes, signed with the supervisor's own key, or no with a reason.

    At a station the supervisor comes along as the second person.
    """

    authorisation: int
    approve: bool
    passphrase: str = ""
    reason: str = ""
    second: Second | None = None

    def __repr__(self) -> str:
        return f"Authorise({self.authorisation})"


class Hold(Command, frozen=True):
    """Hold a ticket in dispute, or release it."""

    location: str
    ticket: int
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


# Games (15.5).


class Override(Command, frozen=True):
    """delay (by `seconds`), hold, resume, close_early, manual or automatic."""

    location: str
    kind: str
    reason: str
    seconds: int | None = None


class CloseGame(Command, frozen=True):
    """In manual mode: close the open game after the notice; a writer names the supervisor."""

    location: str
    game: int
    second: Second | None = None


class DeclareVoid(Command, frozen=True):
    """15.7: with an inspector, and the order that both keyholders signed at the generator."""

    location: str
    game: int
    reason: str
    second: Second
    order: dict[str, Any]


class Tell(Command, frozen=True):
    """A supervisor's message to the stations of a location."""

    location: str
    text: str


# Cards, people, stations, listings.


class PostCard(Command, frozen=True):
    """A new rate card from a game on."""

    location: str
    toml: str
    first_game: int
    second: Second | None = None


class AddLocation(Command, frozen=True):
    """A place with games of its own."""

    location: str
    letter: str
    name: str
    zone: str
    day_starts: str = "06:00"
    digital_requests: bool = False


class AddUser(Command, frozen=True):
    """A person with a role, and a first password."""

    person: str
    name: str
    role: str
    password: str

    def __repr__(self) -> str:
        return f"AddUser({self.person!r}, {self.role!r})"


class ChangeUser(Command, frozen=True):
    """Another role, or not active any more."""

    person: str
    role: str
    active: bool


class SetPassword(Command, frozen=True):
    """One's own password; the old one comes along."""

    old: str
    new: str

    def __repr__(self) -> str:
        return "SetPassword()"


class SetSigningKey(Command, frozen=True):
    """Make one's signing key anew, sealed under a passphrase."""

    passphrase: str

    def __repr__(self) -> str:
        return "SetSigningKey()"


class EnrolStation(Command, frozen=True):
    """A station and its public key."""

    station: str
    location: str
    public_key: str


class EnableStation(Command, frozen=True):
    """Switch a station on or off."""

    station: str
    enabled: bool


class Listing(Command, frozen=True):
    """voids, winning_numbers, overrides, approvals or balance of a gaming day."""

    location: str
    listing: str
    day: str


# What the server says.


class Hello(Message, frozen=True):
    """The first word: what is spoken here, and a nonce to sign."""

    protocol: str
    site: str
    mode: str
    nonce: str
    server_ms: int


class Ok(Message, frozen=True):
    """The command is done; this is its answer."""

    request_id: str
    answer: Any


class Refusal(Message, frozen=True):
    """No: a code for programs, a sentence to read out, and the field it is about."""

    request_id: str
    code: str
    message: str
    where: str = ""


class OpenGame(Part, frozen=True):
    """The game that is being sold."""

    game: int
    name: str
    card: str
    commitment: str
    closes_in_ms: int | None
    closing: bool
    mode: str
    """automatic, manual, or held."""


class DrawingGame(Part, frozen=True):
    """The game that is being drawn: only the balls that are on the board."""

    game: int
    name: str
    balls: list[int]


class ShownGame(Part, frozen=True):
    """A game whose last ball is on the board."""

    game: int
    name: str
    numbers: list[int]


class CardChange(Part, frozen=True):
    """A card that will be in force."""

    card: str
    first_game: int


class State(Message, frozen=True):
    """A location as it stands: sent on connecting and whenever something changes."""

    location: str
    site: str
    value: bool
    """False in test and demonstration mode: NO VALUE."""
    server_ms: int
    open: OpenGame | None
    drawing: DrawingGame | None
    last: ShownGame | None
    trouble: str | None
    changes: list[CardChange]


class Ball(Message, frozen=True):
    """One more ball is on the board."""

    location: str
    game: int
    index: int
    number: int
    server_ms: int


class Closing(Message, frozen=True):
    """The notice before the close (15.5(c))."""

    location: str
    game: int
    closes_in_ms: int
    server_ms: int


class Result(Message, frozen=True):
    """All balls are shown; the result may be told and paid."""

    location: str
    game: int
    numbers: list[int]
    server_ms: int


class AuthorisationAsked(Message, frozen=True):
    """A payout waits for a supervisor."""

    authorisation: int
    location: str
    ticket: int
    amount_cents: Cents
    asked_by: str
    server_ms: int


class AuthorisationAnswered(Message, frozen=True):
    """A supervisor has said yes or no."""

    authorisation: int
    location: str
    ticket: int
    state: str
    answered_by: str
    server_ms: int


class Told(Message, frozen=True):
    """A message from the supervisor."""

    location: str
    text: str
    by: str
    server_ms: int


StationSays = Prove | SignIn | SignOut | Resume | StationStatus | Price | SellTicket | \
    VoidAndRewrite | Void | Surrender | ConfirmPrint | ResolvePrint | Reprint | Lookup | Redeem | \
    Refund | RequestAuthorisation | Authorise | OpenShift | MoveShift | LockShift | CloseShift | \
    Fill | Credit | CloseGame  # fmt: skip
ConsoleSays = Authorise | Hold | Override | CloseGame | DeclareVoid | Tell | PostCard | \
    AddLocation | AddUser | ChangeUser | SetPassword | SetSigningKey | EnrolStation | \
    EnableStation | Listing  # fmt: skip
ServerSays = Hello | Ok | Refusal | State | Ball | Closing | Result | AuthorisationAsked | \
    AuthorisationAnswered | Told  # fmt: skip

read_station = msgspec.json.Decoder(StationSays).decode
read_console = msgspec.json.Decoder(ConsoleSays).decode
read_server = msgspec.json.Decoder(ServerSays).decode
_encode = msgspec.json.Encoder().encode


def write(message: msgspec.Struct) -> str:
    """A message as it goes over the wire."""
    return _encode(message).decode()


def proof_of_station(site: str, station: str, nonce: str) -> bytes:
    """What a station signs with its enrolled key: this house, this station, this connection."""
    return f"keno/station/1 {site} {station} {nonce}".encode()
