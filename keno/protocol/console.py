"""What supervisors, inspectors and administrators ask: games, cards, people, listings."""

from typing import Any, ClassVar

from keno.domain.roles import (
    ADMINISTRATORS,
    CARD_POSTERS,
    CARD_READERS,
    EVERYBODY,
    READERS,
    STATION_KEEPERS,
    SUPERVISORS,
    SUPERVISORS_AND_INSPECTORS,
    WRITERS,
)
from keno.protocol.base import CONSOLE, EVERYWHERE, Command, Second, Whole


class Override(Command[Any], frozen=True, tag="override"):
    """delay (by `seconds`), hold, resume, close_early, manual or automatic."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE

    location: str
    kind: str
    reason: str
    seconds: Whole | None = None


class CloseGame(Command[Any], frozen=True, tag="close_game"):
    """In manual mode: close the open game after the notice; a writer names the supervisor."""

    roles: ClassVar = WRITERS
    asked_at: ClassVar = EVERYWHERE
    slow: ClassVar = True

    location: str
    game: Whole
    second: Second | None = None


class DeclareVoid(Command[Any], frozen=True, tag="declare_void"):
    """15.7: with an inspector, and the order that both keyholders signed at the generator."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    location: str
    game: Whole
    reason: str
    second: Second
    order: dict[str, Any]


class Tell(Command[Any], frozen=True, tag="tell"):
    """A supervisor's message to the stations of a location."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE

    location: str
    text: str


# Cards, people, stations, listings.


class PostCard(Command[Any], frozen=True, tag="post_card"):
    """A new rate card from a game on."""

    roles: ClassVar = CARD_POSTERS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    location: str
    toml: str
    first_game: Whole
    second: Second | None = None


class AddLocation(Command[Any], frozen=True, tag="add_location"):
    """A place with games of its own."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE

    location: str
    letter: str
    name: str
    zone: str
    day_starts: str = "06:00"
    digital_requests: bool = False


class AddUser(Command[Any], frozen=True, tag="add_user"):
    """A person with a role, and a first password."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    person: str
    name: str
    role: str
    password: str

    def __repr__(self) -> str:
        return f"AddUser({self.person!r}, {self.role!r})"


class ChangeUser(Command[Any], frozen=True, tag="change_user"):
    """Another role, or not active any more."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE

    person: str
    role: str
    active: bool


class SetPassword(Command[Any], frozen=True, tag="set_password"):
    """One's own password; the old one comes along."""

    roles: ClassVar = EVERYBODY
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    old: str
    new: str

    def __repr__(self) -> str:
        return "SetPassword()"


class SetSigningKey(Command[Any], frozen=True, tag="set_signing_key"):
    """Make one's signing key anew, sealed under a passphrase."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    passphrase: str

    def __repr__(self) -> str:
        return "SetSigningKey()"


class EnrolStation(Command[Any], frozen=True, tag="enrol_station"):
    """A station and its public key."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE

    station: str
    location: str
    public_key: str


class EnableStation(Command[Any], frozen=True, tag="enable_station"):
    """Switch a station on or off."""

    roles: ClassVar = STATION_KEEPERS
    asked_at: ClassVar = CONSOLE

    station: str
    enabled: bool


class Listing(Command[Any], frozen=True, tag="listing"):
    """The rows of a listing, by its name in the registry, of a location and gaming day."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE

    location: str
    listing: str
    day: str


# What the console shows.


class Floor(Command[Any], frozen=True, tag="floor"):
    """The live floor: every location, its stations, and what is out of the ordinary."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE


class Exposure(Command[Any], frozen=True, tag="exposure"):
    """What the open game could cost, over so many supposed draws."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    location: str
    draws: Whole = 2_000


class DrawRoom(Command[Any], frozen=True, tag="draw_room"):
    """The generator, the witness and the last draws, as the server sees them."""

    roles: ClassVar = READERS
    asked_at: ClassVar = CONSOLE


class VoidQuote(Command[Any], frozen=True, tag="void_quote"):
    """What would be returned if a game were declared void."""

    roles: ClassVar = SUPERVISORS_AND_INSPECTORS
    asked_at: ClassVar = CONSOLE

    location: str
    game: Whole


class CheckCard(Command[Any], frozen=True, tag="check_card"):
    """The certifier's table of a card that is not posted yet."""

    roles: ClassVar = CARD_POSTERS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    toml: str


class Cards(Command[Any], frozen=True, tag="cards"):
    """The versions of a location's card, and from which game a new one could be in force."""

    roles: ClassVar = CARD_READERS
    asked_at: ClassVar = CONSOLE

    location: str


class Staff(Command[Any], frozen=True, tag="staff"):
    """Who may do what, and the stations: the access listing."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
