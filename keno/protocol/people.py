"""Commands and answers about people, locations and stations, and who may do what."""

from typing import ClassVar

from keno.domain.roles import (
    ACCESS_APPROVERS,
    ADMINISTRATORS,
    EVERYBODY,
    STATION_KEEPERS,
    SUPERVISORS,
)
from keno.protocol.base import CONSOLE, Answer, Command, Empty, LedgerForm, Second


class Named(Answer, frozen=True):
    """The answer of commands that add or change a person, location or station: its name."""

    name: str


class StaffPerson(Answer, frozen=True):
    """A person in the access listing: sign-in name, full name, role and state of the account."""

    person: str
    name: str
    role: str
    active: bool
    has_key: bool
    """Whether the person has a key of their own to sign payouts with."""


class StaffStation(Answer, frozen=True):
    """A station in the access listing: location, public key, whether enabled and connected."""

    station: str
    location: str
    enabled: bool
    connected: bool
    public_key: str


class StaffLocation(Answer, frozen=True):
    """A location in the access listing: name, letter, display name and time zone."""

    location: str
    letter: str
    name: str
    zone: str


class AllowedCommand(Answer, frozen=True):
    """A command that a role may send: its tag, and a sentence that says what it does."""

    command: str
    words: str


class RoleRights(Answer, frozen=True):
    """A role and the commands that it may send."""

    role: str
    may: tuple[AllowedCommand, ...]


class Staff(Answer, frozen=True):
    """The answer to `staff`: the access listing of people, stations, locations and roles."""

    people: tuple[StaffPerson, ...]
    stations: tuple[StaffStation, ...]
    locations: tuple[StaffLocation, ...]
    roles: tuple[RoleRights, ...]


class AddLocation(Command[Named], frozen=True, tag="add_location"):
    """Add a location, which has games of its own."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm(
        "AddLocation",
        "request_id location letter name zone actor=by.person day_starts digital_requests",
    )

    location: str
    letter: str
    """The prefix of the location's game and ticket numbers."""
    name: str
    zone: str
    day_starts: str = "06:00"
    digital_requests: bool = False


class AddUser(Command[Named], frozen=True, tag="add_user"):
    """Add a person with a role and a first password."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = ACCESS_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "AddUser", "request_id person name role actor=by.person second?=by.second reason?"
    )

    person: str
    name: str
    role: str
    password: str
    second: Second | None = None
    """In a live house a second person approves it, with a reason."""
    reason: str = ""

    def __repr__(self) -> str:
        return f"AddUser({self.person!r}, {self.role!r})"


class ChangeUser(Command[Named], frozen=True, tag="change_user"):
    """Change a person's role, or deactivate or reactivate the account."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = ACCESS_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "ChangeUser", "request_id person role active actor=by.person second?=by.second reason?"
    )

    person: str
    role: str
    active: bool
    second: Second | None = None
    """In a live house a second person approves it, with a reason."""
    reason: str = ""


class SetPassword(Command[Empty], frozen=True, tag="set_password"):
    """Change one's own password; the old one is required."""

    roles: ClassVar = EVERYBODY
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    old: str
    new: str

    def __repr__(self) -> str:
        return "SetPassword()"


class SetSigningKey(Command[Named], frozen=True, tag="set_signing_key"):
    """Replace one's own signing key by a new one, sealed under a passphrase."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = ACCESS_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "SetSigningKey",
        "request_id person=by.person public_key=given.public_key sealed_key=given.sealed_key"
        " second?=by.second reason?",
    )

    passphrase: str
    """Seals the new key; it is never stored in the ledger."""
    second: Second | None = None
    """In a live house a second person approves it, with a reason."""
    reason: str = ""

    def __repr__(self) -> str:
        return "SetSigningKey()"


class EnrolStation(Command[Named], frozen=True, tag="enrol_station"):
    """Enrol a station with its public key."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = ACCESS_APPROVERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "EnrolStation",
        "request_id station location public_key actor=by.person second?=by.second reason?",
    )

    station: str
    location: str
    public_key: str
    second: Second | None = None
    """In a live house a second person approves it, with a reason."""
    reason: str = ""


class EnableStation(Command[Named], frozen=True, tag="enable_station"):
    """Enable or disable a station.

    A disabled station can neither connect nor sell.
    """

    roles: ClassVar = STATION_KEEPERS
    asked_at: ClassVar = CONSOLE
    second_roles: ClassVar = STATION_KEEPERS
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "EnableStation", "request_id station enabled actor=by.person second?=by.second reason?"
    )

    station: str
    enabled: bool
    second: Second | None = None
    """In a live house a second person approves it, with a reason."""
    reason: str = ""


class GetStaff(Command[Staff], frozen=True, tag="staff"):
    """Show the access listing: who may do what, and the stations."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
