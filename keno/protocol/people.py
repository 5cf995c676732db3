"""People, locations and stations: enter, change, sign, and list who may do what."""

from typing import ClassVar

from keno.domain.roles import ADMINISTRATORS, EVERYBODY, STATION_KEEPERS, SUPERVISORS
from keno.protocol.base import CONSOLE, Answer, Command, Empty, LedgerForm


class Named(Answer, frozen=True):
    """The name of the person, location or station that was entered or changed."""

    name: str


class StaffPerson(Answer, frozen=True):
    """A person with an account, without what opens it."""

    person: str
    name: str
    role: str
    active: bool
    has_key: bool
    """A key of their own to sign payouts with."""


class StaffStation(Answer, frozen=True):
    """A station in the access listing."""

    station: str
    location: str
    enabled: bool
    connected: bool
    public_key: str


class StaffLocation(Answer, frozen=True):
    """A location in the access listing."""

    location: str
    letter: str
    name: str
    zone: str


class AllowedCommand(Answer, frozen=True):
    """A command that a role may ask for, and what it does in words."""

    command: str
    words: str


class RoleRights(Answer, frozen=True):
    """A role and the commands that it may ask for."""

    role: str
    may: tuple[AllowedCommand, ...]


class Staff(Answer, frozen=True):
    """Every person, station, location and role."""

    people: tuple[StaffPerson, ...]
    stations: tuple[StaffStation, ...]
    locations: tuple[StaffLocation, ...]
    roles: tuple[RoleRights, ...]


class AddLocation(Command[Named], frozen=True, tag="add_location"):
    """A place with games of its own."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm(
        "AddLocation",
        "request_id location letter name zone actor=by.person day_starts digital_requests",
    )

    location: str
    letter: str
    """Stands before its game numbers."""
    name: str
    zone: str
    day_starts: str = "06:00"
    digital_requests: bool = False


class AddUser(Command[Named], frozen=True, tag="add_user"):
    """A person with a role, and a first password."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm("AddUser", "request_id person name role actor=by.person")

    person: str
    name: str
    role: str
    password: str

    def __repr__(self) -> str:
        return f"AddUser({self.person!r}, {self.role!r})"


class ChangeUser(Command[Named], frozen=True, tag="change_user"):
    """Another role, or not active any more."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm("ChangeUser", "request_id person role active actor=by.person")

    person: str
    role: str
    active: bool


class SetPassword(Command[Empty], frozen=True, tag="set_password"):
    """One's own password; the old one comes along."""

    roles: ClassVar = EVERYBODY
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True

    old: str
    new: str

    def __repr__(self) -> str:
        return "SetPassword()"


class SetSigningKey(Command[Named], frozen=True, tag="set_signing_key"):
    """Make one's signing key anew, sealed under a passphrase."""

    roles: ClassVar = SUPERVISORS
    asked_at: ClassVar = CONSOLE
    slow: ClassVar = True
    ledger: ClassVar = LedgerForm(
        "SetSigningKey",
        "request_id person=by.person public_key=given.public_key sealed_key=given.sealed_key",
    )

    passphrase: str
    """Never reaches the ledger."""

    def __repr__(self) -> str:
        return "SetSigningKey()"


class EnrolStation(Command[Named], frozen=True, tag="enrol_station"):
    """A station and its public key."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm(
        "EnrolStation", "request_id station location public_key actor=by.person"
    )

    station: str
    location: str
    public_key: str


class EnableStation(Command[Named], frozen=True, tag="enable_station"):
    """Switch a station on or off."""

    roles: ClassVar = STATION_KEEPERS
    asked_at: ClassVar = CONSOLE
    ledger: ClassVar = LedgerForm("EnableStation", "request_id station enabled actor=by.person")

    station: str
    enabled: bool


class GetStaff(Command[Staff], frozen=True, tag="staff"):
    """Who may do what, and the stations: the access listing."""

    roles: ClassVar = ADMINISTRATORS
    asked_at: ClassVar = CONSOLE
