"""Setting up a house by hand: its folder, its people, locations, stations and first cards.

Whatever writes here opens the ledger alone: while the server runs, the same is done at its
console. Whoever acts gives their password, as they would there.
"""

import asyncio
import getpass
import os
import secrets
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from keno import config as settings
from keno import protocol
from keno.domain.errors import Fault, Refused
from keno.serve import CODE_KEY, LEDGER, PASSWORDS, look, now_ms, open_house
from keno.service import cards, people
from keno.service.common import StaffContext
from keno.service.house import House
from keno.store import queries
from keno.store.ledger import Ledger
from keno.web.auth.passwords import Passwords, check_password

T = TypeVar("T")
CONFIG = "keno.toml"


def ask(prompt: str) -> str:
    """A password: typed unseen at a terminal, or a line of whatever is piped in."""
    if sys.stdin.isatty():
        return getpass.getpass(f"{prompt}: ")
    line = sys.stdin.readline()
    if not line:
        raise Fault(f"{prompt}: nothing was given.")
    return line.rstrip("\n")


def ask_new(whose: str) -> str:
    """A new password, typed twice at a terminal."""
    first = ask(f"New password of {whose}")
    check_password(first)
    if sys.stdin.isatty() and ask("The same again") != first:
        raise Fault("The two are not the same. Nothing was changed.")
    return first


@dataclass(frozen=True, slots=True)
class NewHouse:
    """What `keno init` is told."""

    folder: Path
    site: str
    mode: str
    administrator: str


def init(new: NewHouse) -> None:
    """`keno init`: a folder with settings, the key of validation codes, a ledger, a person."""
    folder = new.folder
    if folder.exists() and any(folder.iterdir()):
        raise Fault(f"{folder} is not empty; a house begins in a folder of its own.")
    password = ask_new(new.administrator)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    try:
        asyncio.run(_init(new, password))
    except Refused:
        for name in (LEDGER, f"{LEDGER}-wal", f"{LEDGER}-shm", f"{LEDGER}.head", CODE_KEY):
            (folder / name).unlink(missing_ok=True)
        raise
    (folder / CONFIG).write_text(settings.example(), encoding="utf-8")
    print(f"The house {new.site} ({new.mode}) is in {folder}.")
    print(f"Next: keno location add, keno card post, then edit {folder / CONFIG}.")


async def _init(new: NewHouse, password: str) -> None:
    key = secrets.token_bytes(32)
    write_secret(new.folder / CODE_KEY, key.hex())
    ledger = await Ledger.open(new.folder / LEDGER, now_ms)
    try:
        await people.create_house(
            ledger, site=new.site, mode=new.mode, code_key=key, administrator=new.administrator
        )
    finally:
        await ledger.close()
    passwords = Passwords(new.folder / PASSWORDS)
    await passwords.set(new.administrator, password)
    passwords.close()


def write_secret(path: Path, text: str) -> None:
    """A file that only its owner reads, and that is never written over."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{text}\n")
        file.flush()
        os.fsync(file.fileno())


@dataclass(frozen=True, slots=True)
class AdminSession:
    """An open house, its passwords, and who acts."""

    house: House
    passwords: Passwords
    actor: str

    @property
    def by(self) -> StaffContext:
        return StaffContext(self.actor)


def admin_session(
    folder: Path, actor: str | None, work: Callable[[AdminSession], Awaitable[T]]
) -> T:
    """Open the house alone, check who acts, and do it."""

    async def run() -> T:
        async with open_house(folder) as house:
            passwords = Passwords(folder / PASSWORDS)
            try:
                if actor is not None:
                    await passwords.require(actor, ask(f"Password of {actor}"))
                return await work(AdminSession(house, passwords, actor or ""))
            finally:
                passwords.close()

    return asyncio.run(run())


def _id() -> str:
    return f"setup-{secrets.token_hex(12)}"


async def add_user(session: AdminSession, person: str, name: str, role: str) -> None:
    """`keno user add`."""
    password = ask_new(person)
    command = protocol.AddUser(_id(), person, name, role, password)
    await people.add_user(session.house, session.by, command)
    await session.passwords.set(person, password)
    print(f"{person} is a {role}.")


async def change_user(session: AdminSession, person: str, role: str, *, active: bool) -> None:
    """`keno user change`."""
    command = protocol.ChangeUser(_id(), person, role, active)
    await people.change_user(session.house, session.by, command)
    print(f"{person} is a {role}{'' if active else ', not active any more'}.")


async def set_password(session: AdminSession, person: str) -> None:
    """`keno user password`: one's own, or another's by an administrator."""
    if person != session.actor:
        actor = await session.house.ledger.read(lambda reads: queries.user(reads, session.actor))
        if actor is None or actor.role != "administrator":
            raise Fault("Only an administrator sets another person's password.")
    await session.passwords.set(person, ask_new(person))
    print(f"The password of {person} is set.")


async def set_key(session: AdminSession) -> None:
    """`keno user key`: the signing key of a supervisor, under a passphrase of their own."""
    passphrase = ask_new(f"{session.actor}'s signing key")
    public, sealed = await asyncio.to_thread(people.new_signing_key, passphrase)
    command = protocol.SetSigningKey(_id(), passphrase)
    await people.set_signing_key(session.house, session.by, command, public, sealed)
    print(f"{session.actor} signs with {public}.")


def list_users(folder: Path) -> None:
    """`keno user list`; also while the house is open."""
    for user in look(folder, queries.users):
        state = "" if user.active else "  not active"
        signs = "  signs payouts" if user.public_key else ""
        print(f"{user.person:16} {user.role:14} {user.name}{signs}{state}")


async def add_location(session: AdminSession, command: protocol.AddLocation) -> None:
    """`keno location add`."""
    await people.add_location(session.house, session.by, command)
    print(f"Location {command.location} ({command.letter}) is there.")
    print(f"Give it a table [locations.{command.location}] in the settings.")


def new_location(
    location: str, letter: str, name: str, zone: str, *, digital: bool
) -> protocol.AddLocation:
    return protocol.AddLocation(_id(), location, letter, name, zone, digital_requests=digital)


async def enrol_station(session: AdminSession, station: str, location: str, key_file: Path) -> None:
    """`keno station enrol`: a new key for the station's disk; the ledger has its public half."""
    key = Ed25519PrivateKey.generate()
    await asyncio.to_thread(write_secret, key_file, key.private_bytes_raw().hex())
    public_key = key.public_key().public_bytes_raw().hex()
    command = protocol.EnrolStation(_id(), station, location, public_key)
    try:
        await people.enrol_station(session.house, session.by, command)
    except BaseException:
        await asyncio.to_thread(key_file.unlink)
        raise
    print(f"Station {station} of {location} proves itself with the key in {key_file}.")


async def post_card(
    session: AdminSession, location: str, toml: str, first_game: int, second: str | None
) -> None:
    """`keno card post`: for a house that is not open; the console does it for one that is."""
    if second is not None:
        await session.passwords.require(second, ask(f"Password of {second}"))
    by = StaffContext(session.actor, second)
    command = protocol.PostCard(_id(), location, toml, first_game)
    done = await cards.post_card(session.house, by, command, now_ms())
    print(f"Card {done.card} is in force at {location} from game {done.first_game}.")
