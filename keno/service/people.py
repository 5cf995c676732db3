"""Commands that create and open a house and change its locations, stations and people.

Also the signing keys of supervisors, each sealed by a passphrase.
"""

import asyncio
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
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
from keno.domain.roles import ADMINISTRATORS, ROLES, STATION_KEEPERS
from keno.protocol.people import (
    AddLocation,
    AddUser,
    ChangeUser,
    EnableStation,
    EnrolStation,
    Named,
    SetSigningKey,
)
from keno.service.access_changes import AccessChange, record_change
from keno.service.binding import answers
from keno.service.cards import judge_posted_cards
from keno.service.common import StaffContext, answer_once, require_user
from keno.service.halts import load_halts
from keno.service.house import LIVE, House
from keno.store import queries
from keno.store.ledger import Ledger
from keno.store.rows import AuthorisationRow, UserRow
from keno.store.transaction import Transaction
from rng.canonical import encode
from rng.records import Signer

MODES = (LIVE, "test")
"""Modes in which a house can be created."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,31}", re.ASCII)
"""Pattern of names of people, stations and locations, which occur in leaves and on paper."""
_CLOCK = re.compile(r"[0-9]{2}:[0-9]{2}", re.ASCII)
"""Pattern of the local time at which a gaming day starts."""


async def create_house(
    ledger: Ledger,
    *,
    site: str,
    mode: str,
    code_key: bytes,
    administrator: str,
    second: str | None = None,
) -> House:
    """Create the house of a new ledger and return it: its site, its mode, its first administrators.

    The mode never changes. A live house begins with two administrators, because every later change
    of people needs two. Refuse a ledger that has a house.
    """
    first = [administrator] if second is None else [administrator, second]
    for name in (site, *first):
        _check_name(name)
    if mode not in MODES:
        raise Refused(Refusal.BAD_NAME, f"A house is in one of the modes {' and '.join(MODES)}.")
    if mode == LIVE and second is None:
        raise Refused(
            Refusal.AUTHORISATION_NEEDED, "A live house begins with two administrators.", "second"
        )
    if second is not None and second.casefold() == administrator.casefold():
        raise Refused(Refusal.OWN_ACT, "The two administrators are two people.", "second")

    def work(tx: Transaction) -> None:
        if queries.house(tx) is not None:
            raise Refused(Refusal.NAME_TAKEN, "This ledger already belongs to a house.")
        tx.insert("house", site=site, mode=mode, created_ms=tx.now_ms)
        for person in first:
            tx.insert("users", person=person, name=person, role="administrator", active=1)

    await ledger.write("CreateHouse", administrator, work)
    house = House(site, mode, ledger, code_key)
    await load_halts(house)
    return house


async def open_house(
    ledger: Ledger, code_key: bytes, signers: Mapping[str, Signer] | None = None
) -> House:
    """Return the house of a ledger, with halts and cards loaded; refuse a ledger without a house.

    `signers` are the server's keys by location, which sign halts.
    """
    row = await ledger.read(queries.house)
    if row is None:
        raise Refused(Refusal.NOT_POSSIBLE_NOW, "This ledger has no house yet.")
    house = House(row["site"], row["mode"], ledger, code_key)
    house.halts.signers.update(signers or {})
    await load_halts(house)
    await judge_posted_cards(house)
    return house


@answers(AddLocation)
async def add_location(house: House, by: StaffContext, command: AddLocation) -> Named:
    """Add a location with its own games and numbers; refuse a name or letter in use."""

    def work(tx: Transaction) -> Named:
        require_user(tx, by.person, ADMINISTRATORS)
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

    return await answer_once(house, by, command, work)


@answers(AddUser)
async def add_user(house: House, by: StaffContext, command: AddUser) -> Named:
    """Add a person with a role and return their sign-in name; only an administrator may.

    Refuse a name in use. In a live house a second person approves, with a reason.
    """

    def work(tx: Transaction) -> Named:
        require_user(tx, by.person, ADMINISTRATORS)
        _check_name(command.person)
        _check_role(command.role)
        if queries.user(tx, command.person) is not None:
            raise Refused(Refusal.NAME_TAKEN, f"The name {command.person} is taken.")
        added = AccessChange("person_added", command.person, f"as {command.role}", command.reason)
        record_change(house, tx, by, added)
        tx.insert("users", person=command.person, name=command.name, role=command.role,
                  active=1)  # fmt: skip
        return Named(command.person)

    return await answer_once(house, by, command, work)


@answers(ChangeUser)
async def change_user(house: House, by: StaffContext, command: ChangeUser) -> Named:
    """Change another person's role, or activate or deactivate them; only an administrator may.

    In a live house a second person approves, with a reason.
    """

    def work(tx: Transaction) -> Named:
        require_user(tx, by.person, ADMINISTRATORS)
        check_not_own_act(by.person, command.person)
        _check_role(command.role)
        before = queries.user(tx, command.person)
        if before is None:
            raise Refused(Refusal.UNKNOWN_PERSON, f"There is nobody named {command.person}.")
        what = _changed(before, command)
        record_change(
            house, tx, by, AccessChange("person_changed", command.person, what, command.reason)
        )
        tx.change("users", {"person": command.person}, role=command.role,
                  active=int(command.active))  # fmt: skip
        return Named(command.person)

    return await answer_once(house, by, command, work)


def _changed(before: UserRow, command: ChangeUser) -> str:
    """Return a phrase for the record that says how a command changes a person's role or account."""
    parts = []
    if command.role != before.role:
        parts.append(f"{before.role} to {command.role}")
    if command.active != bool(before.active):
        parts.append("may sign in again" if command.active else "may not sign in any more")
    return ", ".join(parts) or f"{before.role} as before"


@answers(EnrolStation)
async def enrol_station(house: House, by: StaffContext, command: EnrolStation) -> Named:
    """Add an enabled station to a location with its public key; only an administrator may.

    Refuse a name or key in use. In a live house a second person approves, with a reason.
    """

    def work(tx: Transaction) -> Named:
        require_user(tx, by.person, ADMINISTRATORS)
        _check_name(command.station)
        if queries.station_taken(tx, command.station, command.public_key):
            raise Refused(Refusal.NAME_TAKEN, f"Station {command.station} or its key is taken.")
        if queries.location(tx, command.location) is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {command.location}.")
        at = f"at {command.location}"
        record_change(
            house, tx, by, AccessChange("station_enrolled", command.station, at, command.reason)
        )
        tx.insert("stations", station=command.station, location=command.location,
                  public_key=command.public_key, enabled=1)  # fmt: skip
        return Named(command.station)

    return await answer_once(house, by, command, work)


@answers(EnableStation)
async def enable_station(house: House, by: StaffContext, command: EnableStation) -> Named:
    """Enable or disable a station and record the change; refuse an unknown station.

    In a live house a second person approves, with a reason.
    """

    def work(tx: Transaction) -> Named:
        require_user(tx, by.person, STATION_KEEPERS)
        if queries.station(tx, command.station) is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no station {command.station}.")
        kind = "station_on" if command.enabled else "station_off"
        switched = AccessChange(kind, command.station, "", command.reason, STATION_KEEPERS)
        record_change(house, tx, by, switched)
        tx.change("stations", {"station": command.station}, enabled=int(command.enabled))
        return Named(command.station)

    return await answer_once(house, by, command, work)


async def set_signing_key(
    house: House, by: StaffContext, command: SetSigningKey, public_key: str, sealed_key: str
) -> Named:
    """Replace the acting person's signing key by a new one: public key and sealed private key.

    In a live house a second person approves, with a reason. Refuse a malformed key.
    """

    def work(tx: Transaction) -> Named:
        require_user(tx, by.person)
        _check_key(public_key, sealed_key)
        made = AccessChange("signing_key", by.person, "a new signing key", command.reason)
        record_change(house, tx, by, made)
        tx.change("users", {"person": by.person}, public_key=public_key, sealed_key=sealed_key)
        return Named(by.person)

    given = {"public_key": public_key, "sealed_key": sealed_key}
    return await answer_once(house, by, command, work, given)


# Signing keys.


@dataclass(frozen=True, slots=True)
class _Sealed:
    """A private key encrypted under a passphrase, as hexadecimal text."""

    salt: str
    nonce: str
    key: str


def _check_key(public_key: str, sealed_key: str) -> None:
    """Refuse a malformed key, which would later look like a wrong passphrase."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        sealed = msgspec.json.decode(sealed_key, type=_Sealed)
        for part in (sealed.salt, sealed.nonce, sealed.key):
            bytes.fromhex(part)
    except ValueError:
        raise Refused(Refusal.MALFORMED, "That is not a sealed signing key.") from None


def new_signing_key(passphrase: str) -> tuple[str, str]:
    """Return a new Ed25519 signing key: the public key as hex, and the private key sealed.

    The sealed key is JSON text, encrypted under the passphrase.
    """
    key = Ed25519PrivateKey.generate()
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(12)
    sealed = AESGCM(_stretch(passphrase, salt)).encrypt(nonce, key.private_bytes_raw(), None)
    kept = _Sealed(salt.hex(), nonce.hex(), sealed.hex())
    return key.public_key().public_bytes_raw().hex(), msgspec.json.encode(kept).decode()


async def open_signing_key(user: UserRow, passphrase: str) -> Ed25519PrivateKey:
    """Return a user's private signing key, opened by the passphrase.

    Refuse a user without a key, or a wrong passphrase.
    """
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
    """Return the bytes that a supervisor signs to approve a payout.

    They contain the numbers of authorisation and ticket, the location and the amount.
    """
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
    """Refuse an unknown time zone, or a start of the gaming day that is not like 06:00."""
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
