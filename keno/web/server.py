"""The state that all request handlers share: the house, its conductors, sessions and watchers."""

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
"""Maximum ticket checks of one address per second, and at once: too few to guess codes.

The same limits hold for ticket proofs of one address and for papers keyed by one person.
"""
PRICES_PER_SECOND, PRICES_AT_ONCE = 4, 60
"""Maximum prices computed for one address per second, and at once: enough for a few people."""


@dataclass(slots=True)
class Caller:
    """The signed-in person who sends a command: id, role and address, and the station if at one."""

    person: str
    role: str
    address: str
    station: str | None = None
    location: str | None = None
    shift: int = 0
    """Number of the person's open shift at this station; 0 if there is none."""


@dataclass(frozen=True, slots=True)
class StationState:
    """A connected station's last reported printer and paper, and its signed-in writer or None."""

    station: str
    location: str
    writer: str | None
    printer: str
    paper: str


class StationLine(Protocol):
    """The connection of a station that has proved its key; `caller` is its writer or None.

    `leave` signs the writer out; `cut` closes the connection.
    """

    station: str
    caller: Caller | None

    def leave(self) -> None: ...
    def cut(self) -> None: ...


@dataclass(eq=False)
class Server:
    """The server's state, given to each request handler: house, settings, sessions and limits."""

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
    keyed_papers: Buckets = field(
        default_factory=lambda: Buckets(CHECKS_PER_SECOND, CHECKS_AT_ONCE, time.monotonic)
    )
    """Rate limit on papers keyed at the console, by person."""
    proving: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    supposing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """Semaphore that lets one exposure be computed at a time, because each reads the whole book."""
    prices: Buckets = field(
        default_factory=lambda: Buckets(PRICES_PER_SECOND, PRICES_AT_ONCE, time.monotonic)
    )
    workers: Workers = field(default_factory=Workers)
    """Worker processes for long computations; they end with the application."""
    papers: dict[tuple[str, str, str], bytes] = field(default_factory=dict)
    """Cache of handouts (JSON and PDF) by name of the function, kind, and version of the card."""
    listing: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(1))
    """Semaphore that lets one PDF for staff be drawn at a time."""
    stations: dict[str, StationState] = field(default_factory=dict)
    lines: "set[StationLine]" = field(default_factory=set)
    consoles: int = 0
    """Number of connected console websockets."""
    unproved: int = 0
    """Number of station connections that have not yet proved a key."""
    draining: bool = False

    def __post_init__(self) -> None:
        self.failed: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()

    def halt(self, error: BaseException) -> None:
        """Stop the server after an error that people must investigate, and log the error."""
        log.critical("halting: %s", error)
        if not self.failed.done():
            self.failed.set_result(error)

    def publish_to_staff(self, location: str, event: Message) -> None:
        """Send an event to the stations and consoles that watch a location, and not to boards."""
        self.hub.publish(location, event, staff=True)

    @property
    def secure_cookies(self) -> bool:
        """Whether cookies are sent over TLS only: if the server has a certificate or a proxy."""
        settings = self.config.server
        return settings.tls_certificate is not None or settings.behind_proxy

    def address(self, request: web.Request) -> str:
        """Return the client's address; behind the house's proxy, the last of X-Forwarded-For."""
        if self.config.server.behind_proxy:
            said = request.headers.get("X-Forwarded-For", "")
            return said.rpartition(",")[2].strip()[:64] or "?"
        return request.remote or "?"

    def conductor(self, location: str) -> Conductor:
        """Return the conductor of a location; refuse a location that this server does not run."""
        found = self.conductors.get(location)
        if found is None:
            raise Refused(Refusal.UNKNOWN_STATION, f"There is no location {location[:32]!r} here.")
        return found

    async def sign_in(self, person: str, password: str, address: str) -> UserRow:
        """Return the active user with this name and password; refuse any other in the same words.

        The name may differ in letter case if only one person's name matches then. Failed attempts
        are limited by person and by address. No session is opened.
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
        """Return the id of the second person who approves a command, after checking their password.

        Refuse the first person, a wrong password, or a role outside `roles`; None allows any role.
        """
        if second.person.casefold() == first.person.casefold():
            raise Refused(Refusal.OWN_ACT, "A second person must approve this, not the same one.")
        user = await self.sign_in(second.person, second.password, first.address)
        if roles is not None and user.role not in roles:
            wanted = " or ".join(sorted(roles))
            raise Refused(Refusal.NOT_ALLOWED, f"The second person must be: {wanted}.")
        return user.person

    def sign_out(self, person: str) -> None:
        """End a person's console sessions and sign them out at stations."""
        self.sessions.close_all(person)
        for line in self.lines:
            if line.caller is not None and line.caller.person == person:
                line.leave()

    def leave_shift(self, shift: int) -> None:
        """Sign out the writer of a shift at their station, after someone else closed it."""
        for line in self.lines:
            if line.caller is not None and line.caller.shift == shift:
                line.leave()

    def cut(self, station: str) -> None:
        """Close the connections of a station that was disabled."""
        for line in self.lines:
            if line.station == station:
                line.cut()


def _meant(reads: Reads, typed: str) -> str:
    """Return the stored name for a typed name: an exact match, or the only match without case.

    Return the typed name if there is neither.
    """
    names = [user.person for user in queries.users(reads)]
    alike = [name for name in names if name.casefold() == typed.casefold()]
    return alike[0] if typed not in names and len(alike) == 1 else typed


def _active(reads: Reads, person: str) -> UserRow | None:
    try:
        return require_user(reads, person)
    except Refused:
        return None
