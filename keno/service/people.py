"""Houses, locations, stations and people; a supervisor's signing key under their passphrase."""

import asyncio
import re
import secrets
from dataclasses import dataclass
from datetime import time
from typing import ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from keno.domain.errors import Refusal, Refused
from keno.domain.payout import check_not_own_act
from keno.domain.roles import ROLES
from keno.protocol.base import LedgerForm
from keno.service.cards import judge_posted_cards
from keno.service.common import once, require_user
from keno.service.house import House
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.rows import AuthorisationRow, UserRow
from keno.store.transaction import Transaction
from rng.canonical import encode

ADMINISTRATORS = frozenset({"administrator"})
MODES = ("live", "test")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
"""Names stand in leaves and on paper: plain, short, and the same everywhere."""
_CLOCK = re.compile(r"[0-9]{2}:[0-9]{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class AddLocation:
    """A place with games of its own; its letter stands before its game numbers."""

    ledger: ClassVar = LedgerForm(
        "AddLocation", "request_id location letter name zone actor day_starts digital_requests"
    )

    request_id: str
    location: str
    letter: str
    name: str
    zone: str
    actor: str
    day_starts: str = "06:00"
    digital_requests: bool = False


@dataclass(frozen=True, slots=True)
class AddUser:
    """A person with a role."""

    ledger: ClassVar = LedgerForm("AddUser", "request_id person name role actor")

    request_id: str
    person: str
    name: str
    role: str
    actor: str


@dataclass(frozen=True, slots=True)
class ChangeUser:
    """Another role, or not active any more; nobody grants themselves a role."""

    ledger: ClassVar = LedgerForm("ChangeUser", "request_id person role active actor")

    request_id: str
    person: str
    role: str
    active: bool
    actor: str


@dataclass(frozen=True, slots=True)
class EnrolStation:
    """A keno work station and its public key."""

    ledger: ClassVar = LedgerForm("EnrolStation", "request_id station location public_key actor")

    request_id: str
    station: str
    location: str
    public_key: str
    actor: str


@dataclass(frozen=True, slots=True)
class EnableStation:
    """Enable or disable a station."""

    ledger: ClassVar = LedgerForm("EnableStation", "request_id station enabled actor")

    request_id: str
    station: str
    enabled: bool
    actor: str


@dataclass(frozen=True, slots=True)
class SetSigningKey:
    """A supervisor's own key, already sealed; the ledger never sees the passphrase."""

    ledger: ClassVar = LedgerForm("SetSigningKey", "request_id person public_key sealed_key")

    request_id: str
    person: str
    public_key: str
    sealed_key: str


@dataclass(frozen=True, slots=True)
class Named:
    """It stands in the ledger."""

    name: str


async def create_house(
    ledger: Ledger, *, site: str, mode: str, code_key: bytes, administrator: str
) -> House:
    """Begin a ledger: one site, one mode for ever, and its first administrator."""
    _check_name(site)
    _check_name(administrator)
    if mode not in MODES:
        raise Refused(Refusal.BAD_NAME, f"A house is in one of the modes {' and '.join(MODES)}.")

    def work(tx: Transaction) -> None:
        if queries.house(tx) is not None:
            raise Refused(Refusal.NAME_TAKEN, "This ledger already belongs to a house.")
        tx.insert("house", site=site, mode=mode, created_ms=tx.now_ms)
        tx.insert("users", person=administrator, name=administrator, role="administrator",
                  active=1)  # fmt: skip

    await ledger.write("CreateHouse", administrator, work)
    return House(site, mode, ledger, code_key)


async def open_house(ledger: Ledger, code_key: bytes) -> House:
    """The house that a ledger belongs to."""
    row = await ledger.read(queries.house)
    if row is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "This ledger has no house yet.")
    house = House(row["site"], row["mode"], ledger, code_key)
    await judge_posted_cards(house)
    return house


async def add_location(house: House, command: AddLocation) -> Named:
    """A new location; its games and numbers are its own."""

    def work(tx: Transaction) -> Named:
        require_user(tx, command.actor, ADMINISTRATORS)
        _check_name(command.location)
        if queries.location(tx, command.location) is not None or any(
            each["letter"] == command.letter for each in queries.locations(tx)
        ):
            raise Refused(Refusal.NAME_TAKEN, "That location or letter is taken.")
        if not re.fullmatch(r"[A-Z]", command.letter):
            raise Refused(Refusal.BAD_NAME, "A location has one capital letter.")
        _check_time(command.zone, command.day_starts)
        tx.insert("locations", location=command.location, letter=command.letter,
                  name=command.name, zone=command.zone, day_starts=command.day_starts,
                  digital_requests=int(command.digital_requests))  # fmt: skip
        return Named(command.location)

    return await once(house, command.actor, command, work, Named)


async def add_user(house: House, command: AddUser) -> Named:
    """A new person; an administrator enters them."""

    def work(tx: Transaction) -> Named:
        require_user(tx, command.actor, ADMINISTRATORS)
        _check_name(command.person)
        _check_role(command.role)
        if queries.user(tx, command.person) is not None:
            raise Refused(Refusal.NAME_TAKEN, f"The name {command.person} is taken.")
        tx.insert("users", person=command.person, name=command.name, role=command.role,
                  active=1)  # fmt: skip
        return Named(command.person)

    return await once(house, command.actor, command, work, Named)


async def change_user(house: House, command: ChangeUser) -> Named:
    """Change a role or deactivate."""

    def work(tx: Transaction) -> Named:
        require_user(tx, command.actor, ADMINISTRATORS)
        check_not_own_act(command.actor, command.person)
        _check_role(command.role)
        if not tx.change_if("users", {"person": command.person}, role=command.role,
                            active=int(command.active)):  # fmt: skip
            raise Refused(Refusal.UNKNOWN_PERSON, f"There is nobody named {command.person}.")
        return Named(command.person)

    return await once(house, command.actor, command, work, Named)


async def enrol_station(house: House, command: EnrolStation) -> Named:
    """A station of a location, known by its key."""

    def work(tx: Transaction) -> Named:
        require_user(tx, command.actor, ADMINISTRATORS)
        _check_name(command.station)
        if queries.station_taken(tx, command.station, command.public_key):
            raise Refused(Refusal.NAME_TAKEN, f"Station {command.station} or its key is taken.")
        if queries.location(tx, command.location) is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {command.location}.")
        tx.insert("stations", station=command.station, location=command.location,
                  public_key=command.public_key, enabled=1)  # fmt: skip
        return Named(command.station)

    return await once(house, command.actor, command, work, Named)


async def enable_station(house: House, command: EnableStation) -> Named:
    """Switch a station on or off."""

    def work(tx: Transaction) -> Named:
        require_user(tx, command.actor, ADMINISTRATORS | {"supervisor", "manager"})
        if not tx.change_if("stations", {"station": command.station},
                            enabled=int(command.enabled)):  # fmt: skip
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no station {command.station}.")
        return Named(command.station)

    return await once(house, command.actor, command, work, Named)


async def set_signing_key(house: House, command: SetSigningKey) -> Named:
    """Keep a sealed key; only its owner sets it."""

    def work(tx: Transaction) -> Named:
        require_user(tx, command.person)
        _check_key(command.public_key, command.sealed_key)
        tx.change("users", {"person": command.person}, public_key=command.public_key,
                  sealed_key=command.sealed_key)  # fmt: skip
        return Named(command.person)

    return await once(house, command.person, command, work, Named)


# Signing keys.


@dataclass(frozen=True, slots=True)
class _Sealed:
    salt: str
    nonce: str
    key: str


def _check_key(public_key: str, sealed_key: str) -> None:
    """What is kept must be a key, or nobody could tell a wrong passphrase from a lost key."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        sealed = msgspec.json.decode(sealed_key, type=_Sealed)
        for part in (sealed.salt, sealed.nonce, sealed.key):
            bytes.fromhex(part)
    except ValueError:
        raise Refused(Refusal.MALFORMED, "That is not a sealed signing key.") from None


def new_signing_key(passphrase: str) -> tuple[str, str]:
    """A new Ed25519 key: its public half, and its private half sealed under a passphrase."""
    key = Ed25519PrivateKey.generate()
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    sealed = AESGCM(_stretch(passphrase, salt)).encrypt(nonce, key.private_bytes_raw(), None)
    kept = _Sealed(salt.hex(), nonce.hex(), sealed.hex())
    return key.public_key().public_bytes_raw().hex(), msgspec.json.encode(kept).decode()


async def open_signing_key(user: UserRow, passphrase: str) -> Ed25519PrivateKey:
    """The key of a user; refused if the passphrase does not open it."""
    if user.sealed_key is None:
        raise Refused(Refusal.KEY_NOT_OPENED, f"There is no signing key of {user.person} yet.")
    kept = msgspec.json.decode(user.sealed_key, type=_Sealed)
    stretched = await asyncio.to_thread(_stretch, passphrase, bytes.fromhex(kept.salt))
    try:
        raw = AESGCM(stretched).decrypt(bytes.fromhex(kept.nonce), bytes.fromhex(kept.key), None)
    except InvalidTag:
        raise Refused(Refusal.KEY_NOT_OPENED, "The passphrase does not open the key.") from None
    return Ed25519PrivateKey.from_private_bytes(raw)


def _stretch(passphrase: str, salt: bytes) -> bytes:
    # One lane: with more, OpenSSL's threads fail or hang when two derivations meet.
    kdf = Argon2id(salt=salt, length=32, iterations=3, lanes=1, memory_cost=64 * 1024)
    return kdf.derive(passphrase.encode())


def authorisation_bytes(asked: AuthorisationRow) -> bytes:
    """What a supervisor signs: this ticket, this amount, this question, and nothing else."""
    return encode(
        {
            "type": "keno/authorisation/1",
            "authorisation": asked.authorisation,
            "location": asked.location,
            "ticket": asked.ticket,
            "amount_cents": asked.amount_cents,
        }
    )


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise Refused(Refusal.BAD_NAME, f"{name[:40]!r} must be 1 to 32 letters, digits, . _ or -.")


def _check_time(zone: str, day_starts: str) -> None:
    """The gaming day must have a name whenever money moves."""
    try:
        ZoneInfo(zone)
        time.fromisoformat(day_starts)
        known = _CLOCK.fullmatch(day_starts) is not None
    except (ValueError, OSError, ZoneInfoNotFoundError):  # a folder of zones is no zone
        known = False
    if not known:
        raise Refused(
            Refusal.BAD_NAME,
            "A location has a time zone such as America/New_York and a start "
            "of its day such as 06:00.",
        )


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise Refused(Refusal.BAD_NAME, f"A role is one of {', '.join(ROLES)}.")
