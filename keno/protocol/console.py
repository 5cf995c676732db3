"""What supervisors, inspectors and administrators ask: games, cards, people, listings."""

from typing import Any

from keno.protocol.base import Command, Second, Whole


class Override(Command, frozen=True, tag="override"):
    """delay (by `seconds`), hold, resume, close_early, manual or automatic."""

    location: str
    kind: str
    reason: str
    seconds: Whole | None = None


class CloseGame(Command, frozen=True, tag="close_game"):
    """In manual mode: close the open game after the notice; a writer names the supervisor."""

    location: str
    game: Whole
    second: Second | None = None


class DeclareVoid(Command, frozen=True, tag="declare_void"):
    """15.7: with an inspector, and the order that both keyholders signed at the generator."""

    location: str
    game: Whole
    reason: str
    second: Second
    order: dict[str, Any]


class Tell(Command, frozen=True, tag="tell"):
    """A supervisor's message to the stations of a location."""

    location: str
    text: str


# Cards, people, stations, listings.


class PostCard(Command, frozen=True, tag="post_card"):
    """A new rate card from a game on."""

    location: str
    toml: str
    first_game: Whole
    second: Second | None = None


class AddLocation(Command, frozen=True, tag="add_location"):
    """A place with games of its own."""

    location: str
    letter: str
    name: str
    zone: str
    day_starts: str = "06:00"
    digital_requests: bool = False


class AddUser(Command, frozen=True, tag="add_user"):
    """A person with a role, and a first password."""

    person: str
    name: str
    role: str
    password: str

    def __repr__(self) -> str:
        return f"AddUser({self.person!r}, {self.role!r})"


class ChangeUser(Command, frozen=True, tag="change_user"):
    """Another role, or not active any more."""

    person: str
    role: str
    active: bool


class SetPassword(Command, frozen=True, tag="set_password"):
    """One's own password; the old one comes along."""

    old: str
    new: str

    def __repr__(self) -> str:
        return "SetPassword()"


class SetSigningKey(Command, frozen=True, tag="set_signing_key"):
    """Make one's signing key anew, sealed under a passphrase."""

    passphrase: str

    def __repr__(self) -> str:
        return "SetSigningKey()"


class EnrolStation(Command, frozen=True, tag="enrol_station"):
    """A station and its public key."""

    station: str
    location: str
    public_key: str


class EnableStation(Command, frozen=True, tag="enable_station"):
    """Switch a station on or off."""

    station: str
    enabled: bool


class Listing(Command, frozen=True, tag="listing"):
    """The rows of a listing, by its name in the registry, of a location and gaming day."""

    location: str
    listing: str
    day: str


# What the console shows.


class Floor(Command, frozen=True, tag="floor"):
    """The live floor: every location, its stations, and what is out of the ordinary."""


class Exposure(Command, frozen=True, tag="exposure"):
    """What the open game could cost, over so many supposed draws."""

    location: str
    draws: Whole = 2_000


class DrawRoom(Command, frozen=True, tag="draw_room"):
    """The generator, the witness and the last draws, as the server sees them."""


class Authorisation(Command, frozen=True, tag="authorisation"):
    """A payout that waits or waited for a supervisor: its ticket, what it caught, its checks."""

    authorisation: Whole


class TicketRecord(Command, frozen=True, tag="ticket_record"):
    """All that the ledger has of a ticket, for whoever settles a dispute; never its code."""

    location: str
    ticket: Whole


class VoidQuote(Command, frozen=True, tag="void_quote"):
    """What would be returned if a game were declared void."""

    location: str
    game: Whole


class CheckCard(Command, frozen=True, tag="check_card"):
    """The certifier's table of a card that is not posted yet."""

    toml: str


class Cards(Command, frozen=True, tag="cards"):
    """The versions of a location's card, and from which game a new one could be in force."""

    location: str


class Staff(Command, frozen=True, tag="staff"):
    """Who may do what, and the stations: the access listing."""
