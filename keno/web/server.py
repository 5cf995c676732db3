"""What the whole server shares: the house, its conductors, who is signed in, who watches."""

import asyncio
import logging
import time
from dataclasses import dataclass, field
from typing import Protocol

from aiohttp import web

from keno.config import Config
from keno.domain.errors import Refusal, Refused
from keno.games.conductor import Conductor
from keno.protocol import Message, Second
from keno.service.common import require_user
from keno.service.house import House
from keno.store import queries
from keno.store.rows import UserRow
from keno.store.transaction import Reads
from keno.web.auth.limits import Buckets
from keno.web.auth.passwords import Attempts, Passwords
from keno.web.auth.sessions import Sessions
from keno.web.hub import Hub
from keno.web.workers import Workers

log = logging.getLogger(__name__)

CHECKS_PER_SECOND, CHECKS_AT_ONCE = 0.2, 10
"""How often one address may check tickets: enough for a family, useless for guessing."""
PRICES_PER_SECOND, PRICES_AT_ONCE = 4, 60
"""How often one address may price a request: a few people who pick numbers."""


@dataclass(slots=True)
class Caller:
    """Who asks, from where, and with which drawer."""

    person: str
    role: str
    address: str
    station: str | None = None
    location: str | None = None
    shift: int = 0
    """0: no open shift at this station."""


@dataclass(frozen=True, slots=True)
class StationState:
    """What a connected station last said of itself."""

    station: str
    location: str
    writer: str | None
    printer: str
    paper: str


class StationLine(Protocol):
    """A connected station that has proved its key."""

    station: str
    caller: Caller | None

    def leave(self) -> None: ...
    def cut(self) -> None: ...


@dataclass(eq=False)
class Server:
    """Everything a request can reach."""

    house: House
    config: Config
    passwords: Passwords
    sessions: Sessions
    conductors: dict[str, Conductor] = field(default_factory=dict)
    hub: Hub = field(default_factory=Hub)
    attempts: Attempts = field(default_factory=lambda: Attempts(time.monotonic))
    checks: Buckets = field(
        default_factory=lambda: Buckets(CHECKS_PER_SECOND, CHECKS_AT_ONCE, time.monotonic)
    )
    proofs: Buckets = field(
        default_factory=lambda: Buckets(CHECKS_PER_SECOND, CHECKS_AT_ONCE, time.monotonic)
    )
    proving: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    supposing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """Whoever reckons what a game could cost: one at a time, for it reads the whole book."""
    prices: Buckets = field(
        default_factory=lambda: Buckets(PRICES_PER_SECOND, PRICES_AT_ONCE, time.monotonic)
    )
    workers: Workers = field(default_factory=Workers)
    """Processes that work out what takes long; closed with the application."""
    papers: dict[tuple[str, str, str], bytes] = field(default_factory=dict)
    """JSON and PDF files by how they are made, kind and version of the card; made once."""
    listing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """Listings are drawn one after the other, apart from what patrons ask for."""
    stations: dict[str, StationState] = field(default_factory=dict)
    lines: "set[StationLine]" = field(default_factory=set)
    consoles: int = 0
    """Websockets of consoles."""
    unproved: int = 0
    """Connections that still owe the proof of a station's key."""
    draining: bool = False

    def __post_init__(self) -> None:
        self.failed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()

    def halt(self, error: BaseException) -> None:
        """Nothing may go on: the process ends, and people look."""
        log.critical("halting: %s", error)
        if not self.failed.done():
            self.failed.set_result(error)

    def publish_to_staff(self, location: str, event: Message) -> None:
        """Send an event to the staff of a location only."""
        self.hub.publish(location, event, staff=True)

    @property
    def secure_cookies(self) -> bool:
        """Over plain HTTP only a browser on this very machine may sign in."""
        settings = self.config.server
        return settings.tls_certificate is not None or settings.behind_proxy

    def address(self, request: web.Request) -> str:
        """Who asks. A proxy of ours appends the address it saw; what stood before is hearsay."""
        if self.config.server.behind_proxy:
            said = request.headers.get("X-Forwarded-For", "")
            return said.rpartition(",")[2].strip()[:64] or "?"
        return request.remote or "?"

    def conductor(self, location: str) -> Conductor:
        found = self.conductors.get(location)
        if found is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {location[:32]!r} here.")
        return found

    async def sign_in(self, person: str, password: str, address: str) -> UserRow:
        """An active user whose password it is. A wrong name and a wrong password look alike.

        A name may be typed in small letters or capitals, as long as it means one person.
        """
        person = await self.house.ledger.read(lambda reads: _meant(reads, person))
        async with self.attempts.attempt(person, address):
            await self.passwords.require(person, password)
            user = await self.house.ledger.read(lambda reads: _active(reads, person))
            if user is None:
                raise Refused(
                    Refusal.SIGN_IN_FAILED, "That name and password do not belong together."
                )
        return user

    async def second(
        self, second: Second, first: Caller, roles: frozenset[str] | None = None
    ) -> str:
        """The second person, who is somebody else and says so with a password."""
        if second.person.casefold() == first.person.casefold():
            raise Refused(Refusal.OWN_ACT, "A second person must approve this, not the same one.")
        user = await self.sign_in(second.person, second.password, first.address)
        if roles is not None and user.role not in roles:
            wanted = " or ".join(sorted(roles))
            raise Refused(Refusal.NOT_ALLOWED, f"The second person must be: {wanted}.")
        return user.person

    def sign_out(self, person: str) -> None:
        """Everywhere: at the console and at the stations."""
        self.sessions.close_all(person)
        for line in self.lines:
            if line.caller is not None and line.caller.person == person:
                line.leave()

    def cut(self, station: str) -> None:
        """A station that is switched off is not listened to any more."""
        for line in self.lines:
            if line.station == station:
                line.cut()


def _meant(reads: Reads, typed: str) -> str:
    """The account of this very name, or the only one that differs from it in case alone."""
    names = [user.person for user in queries.users(reads)]
    alike = [name for name in names if name.casefold() == typed.casefold()]
    return alike[0] if typed not in names and len(alike) == 1 else typed


def _active(reads: Reads, person: str) -> UserRow | None:
    try:
        return require_user(reads, person)
    except Refused:
        return None
