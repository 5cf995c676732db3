"""The functions of `keno init`, `user`, `location`, `station` and `card`, which set up a house.

Commands that write need the ledger for themselves. While the server runs, the console is used
instead. Acting and approving people give their passwords.
"""

import asyncio
import getpass
import os
import secrets
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import config as settings
from keno import protocol
from keno.domain.errors import Fault, Refused
from keno.serve import CODE_KEY, LEDGER, PASSWORDS, look, now_ms, open_house
from keno.service import access_changes, cards, people
from keno.service.common import StaffContext
from keno.service.house import LIVE, House
from keno.store import queries
from keno.store.ledger import Ledger
from keno.web.auth.passwords import Passwords, check_password

T = TypeVar("T")
CONFIG = "keno.toml"
"""Name of the settings file in a house's folder."""


def ask(prompt: str) -> str:
    """Return a password, typed unseen at a terminal, or else one line of standard input."""
    if sys.stdin.isatty():
        return getpass.getpass(f"{prompt}: ")
    line = sys.stdin.readline()
    if not line:
        raise Fault(f"{prompt}: nothing was given.")
    return line.rstrip("\n")


def ask_new(whose: str) -> str:
    """Return a new password, typed twice at a terminal; refuse a bad length or unequal entries."""
    first = ask(f"New password of {whose}")
    check_password(first)
    if sys.stdin.isatty() and ask("The same again") != first:
        raise Fault("The two are not the same. Nothing was changed.")
    return first


@dataclass(frozen=True, slots=True)
class NewHouse:
    """Options of `keno init`."""

    folder: Path
    site: str
    mode: str
    administrator: str
    second: str | None = None
    """The second administrator; required for a live house."""


def init(new: NewHouse) -> None:
    """`keno init`: make a house's folder: settings, code key, ledger, one or two administrators.

    Raise `Fault` if the folder is not empty or a live house has only one administrator.
    """
    folder = new.folder
    if folder.exists() and any(folder.iterdir()):
        raise Fault(f"{folder} is not empty; a house begins in a folder of its own.")
    if new.mode == LIVE and new.second is None:
        raise Fault("A live house begins with two administrators: name the other with --second.")
    people_of = [new.administrator] if new.second is None else [new.administrator, new.second]
    given = {person: ask_new(person) for person in people_of}
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    try:
        asyncio.run(_init(new, given))
    except Refused:
        for name in (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm", f"{LEDGER}.head", CODE_KEY):
            (folder / name).unlink(missing_ok=True)
        raise
    (folder / CONFIG).write_text(settings.example(), encoding="utf-8")
    print(f"The house {new.site} ({new.mode}) is in {folder}.")
    print(f"Next: keno location add, keno card post, then edit {folder / CONFIG}.")


async def _init(new: NewHouse, given: Mapping[str, str]) -> None:
    key = secrets.token_bytes(32)
    write_secret(new.folder / CODE_KEY, key.hex())
    ledger = await Ledger.open(new.folder / LEDGER, now_ms)
    try:
        await people.create_house(
            ledger, site=new.site, mode=new.mode, code_key=key, administrator=new.administrator,
            second=new.second,
        )  # fmt: skip
    finally:
        await ledger.close()
    passwords = Passwords(new.folder / PASSWORDS)
    for person, password in given.items():
        await passwords.set(person, password)
    passwords.close()


def write_secret(path: Path, text: str) -> None:
    """Write a new file that only its owner can read; raise `FileExistsError` if the path exists."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())


@dataclass(frozen=True, slots=True)
class AdminSession:
    """An open house for one command of setting up: acting person, second person and reason."""

    house: House
    passwords: Passwords
    actor: str
    second: str | None = None
    reason: str = ""

    @property
    def by(self) -> StaffContext:
        return StaffContext(self.actor, self.second)


@dataclass(frozen=True, slots=True)
class ActingPeople:
    """The acting person, the second person who approves, and the reason, from a command line."""

    actor: str
    second: str | None = None
    reason: str = ""


def admin_session(
    folder: Path, who: ActingPeople, work: Callable[[AdminSession], Awaitable[T]]
) -> T:
    """Open the house in a folder, check both people's passwords, and return the result of `work`.

    The ledger must not be open in another process.
    """

    async def run() -> T:
        async with open_house(folder) as house:
            passwords = Passwords(folder / PASSWORDS)
            try:
                for person in (who.actor, who.second):
                    if person is not None:
                        await passwords.require(person, ask(f"Password of {person}"))
                session = AdminSession(house, passwords, who.actor, who.second, who.reason)
                return await work(session)
            finally:
                passwords.close()

    return asyncio.run(run())


def request_id() -> str:
    return f"setup-{secrets.token_hex(12)}"


async def add_user(session: AdminSession, person: str, name: str, role: str) -> None:
    """`keno user add`: add a person with a role and a password, which is asked for."""
    password = ask_new(person)
    command = protocol.AddUser(request_id(), person, name, role, password, reason=session.reason)
    await people.add_user(session.house, session.by, command)
    await session.passwords.set(person, password)
    print(f"{person} is a {role}.")


async def change_user(session: AdminSession, person: str, role: str, *, active: bool) -> None:
    """`keno user change`: set a person's role and whether they are active."""
    command = protocol.ChangeUser(request_id(), person, role, active, reason=session.reason)
    await people.change_user(session.house, session.by, command)
    print(f"{person} is a {role}{'' if active else ', not active any more'}.")


async def set_password(session: AdminSession, person: str) -> None:
    """`keno user password`: set a new password for oneself, or as administrator for another person.

    Only the change of another person's password is recorded in the ledger.
    """
    password = ask_new(person)
    if person != session.actor:
        house, by = session.house, session.by
        await access_changes.record_password_set(house, by, person, session.reason)
    await session.passwords.set(person, password)
    print(f"The password of {person} is set.")


async def set_key(session: AdminSession) -> None:
    """`keno user key`: make the acting supervisor's signing key, sealed by a passphrase."""
    passphrase = ask_new(f"{session.actor}'s signing key")
    public, sealed = await asyncio.to_thread(people.new_signing_key, passphrase)
    command = protocol.SetSigningKey(request_id(), passphrase, reason=session.reason)
    await people.set_signing_key(session.house, session.by, command, public, sealed)
    print(f"{session.actor} signs with {public}.")


def list_users(folder: Path) -> None:
    """`keno user list`: print each person with role, name, signing key and state.

    The server may run meanwhile.
    """
    for user in look(folder, queries.users):
        state = "" if user.active else "  not active"
        signs = "  signs payouts" if user.public_key else ""
        print(f"{user.person:16} {user.role:14} {user.name}{signs}{state}")


async def add_location(session: AdminSession, command: protocol.AddLocation) -> None:
    """`keno location add`: add a location with its own games."""
    await people.add_location(session.house, session.by, command)
    print(f"Location {command.location} ({command.letter}) is there.")
    print(f"Give it a table [locations.{command.location}] in the settings.")


def new_location(
    location: str, letter: str, name: str, zone: str, *, digital: bool
) -> protocol.AddLocation:
    return protocol.AddLocation(
        request_id(), location, letter, name, zone, digital_requests=digital
    )


async def enrol_station(session: AdminSession, station: str, location: str, key_file: Path) -> None:
    """`keno station enrol`: write a station's new private key to a file and record its public key.

    The file is removed again if the ledger refuses the station.
    """
    key = Ed25519PrivateKey.generate()
    await asyncio.to_thread(write_secret, key_file, key.private_bytes_raw().hex())
    public_key = key.public_key().public_bytes_raw().hex()
    command = protocol.EnrolStation(
        request_id(), station, location, public_key, reason=session.reason
    )
    try:
        await people.enrol_station(session.house, session.by, command)
    except BaseException:
        await asyncio.to_thread(key_file.unlink)
        raise
    print(f"Station {station} of {location} proves itself with the key in {key_file}.")


async def post_card(session: AdminSession, location: str, toml: str, first_game: int) -> None:
    """`keno card post`: post a rate card at a location, in force from game `first_game`."""
    command = protocol.PostCard(request_id(), location, toml, first_game)
    done = await cards.post_card(session.house, session.by, command, now_ms())
    print(f"Card {done.card} is in force at {location} from game {done.first_game}.")
