"""Sessions of people signed in at a console, kept in memory: a restart ends all of them.

Only the hash of a token is kept, so a leak of memory opens no session. The time of a look-up
depends on a hash that a client cannot control, not on the token.
"""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from hashlib import sha256

from keno.domain.errors import Refusal, Refused

PERSON_SESSIONS_MAX = 20
"""Maximum sessions of one person."""
SESSIONS_MAX = 10_000
"""Maximum sessions in all."""


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in person's session: person, role, start, and last renewal (monotonic seconds)."""

    person: str
    role: str
    opened: float
    seen: float


class Sessions:
    """All open sessions, by token; a session ends after idle time or after its maximum life."""

    def __init__(
        self,
        idle_seconds: float,
        life_seconds: float,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._idle_seconds = idle_seconds
        self._life_seconds = life_seconds
        self._clock = clock
        self._open: dict[bytes, Session] = {}
        self._of: dict[str, list[bytes]] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(self, person: str, role: str) -> str:
        """Open a session for a person and return its token.

        At a limit, expired sessions are dropped first, and then the oldest session.
        """
        now = self._clock()
        if len(self._of.get(person, ())) >= PERSON_SESSIONS_MAX or len(self) >= SESSIONS_MAX:
            self._forget_expired(now)
        if len(self._of.get(person, ())) >= PERSON_SESSIONS_MAX:
            self._forget(self._of[person][0])
        if len(self) >= SESSIONS_MAX:
            self._forget(next(iter(self._open)))
        token = secrets.token_urlsafe(32)
        key = _key(token)
        self._open[key] = Session(person, role, now, now)
        self._of.setdefault(person, []).append(key)
        return token

    def look(self, token: str) -> Session | None:
        """Return the session of a token without renewing it; None if unknown or expired."""
        key = _key(token)
        session = self._open.get(key)
        if session is not None and self._expired(session, self._clock()):
            self._forget(key)
            return None
        return session

    def find(self, token: str) -> Session | None:
        """Return the session of a token and restart its idle time; None if unknown or expired."""
        session = self.look(token)
        if session is None:
            return None
        renewed = replace(session, seen=self._clock())
        self._open[_key(token)] = renewed
        return renewed

    def require(self, token: str) -> Session:
        """Return the session of a token and restart its idle time; refuse if unknown or expired."""
        session = self.find(token)
        if session is None:
            raise Refused(Refusal.NOT_SIGNED_IN, "You are not signed in, or no longer.")
        return session

    def close(self, token: str) -> None:
        """End the session of a token, at sign-out; an unknown token is ignored."""
        self._forget(_key(token))

    def close_all(self, person: str) -> None:
        """End all sessions of a person, after a change of password, role or active state."""
        for key in list(self._of.get(person, ())):
            self._forget(key)

    def _expired(self, session: Session, now: float) -> bool:
        idle, life = now - session.seen, now - session.opened
        return idle >= self._idle_seconds or life >= self._life_seconds

    def _forget_expired(self, now: float) -> None:
        over = [key for key, session in self._open.items() if self._expired(session, now)]
        for key in over:
            self._forget(key)

    def _forget(self, key: bytes) -> None:
        session = self._open.pop(key, None)
        if session is None:
            return
        keys = self._of[session.person]
        keys.remove(key)
        if not keys:
            del self._of[session.person]


def _key(token: str) -> bytes:
    return sha256(token.encode("utf-8", "surrogatepass")).digest()
