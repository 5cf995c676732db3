"""Password hashes, stored in a file outside the ledger, and the limit on failed sign-ins.

The ledger is copied and handed to auditors, so it holds no password hashes. The file is replaced as
a whole and read each time, so the command line can set a password while the server runs.
"""

import asyncio
import fcntl
import math
import os
import secrets
import time
import unicodedata
from base64 import b64encode
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec
from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from keno.domain.errors import Fault, Refusal, Refused

CHARACTERS_MIN = 10
"""Minimum characters of a password."""
CHARACTERS_MAX = 200
"""Maximum characters of a password."""
AT_A_TIME = 2
"""Maximum passwords hashed at a time: each takes 64 MiB and a core."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Cost parameters of hashing one password with Argon2id."""

    memory_kib: int = 64 * 1024
    iterations: int = 3
    lanes: int = 1
    """Lanes of Argon2id: one, because OpenSSL's threads fail or hang when two derivations meet."""


COST = Cost()
Answer = TypeVar("Answer")


def check_password(password: str) -> None:
    """Raise `Refused` if a password has fewer than CHARACTERS_MIN or more than CHARACTERS_MAX."""
    if not CHARACTERS_MIN <= len(unicodedata.normalize("NFC", password)) <= CHARACTERS_MAX:
        raise Refused(
            Refusal.BAD_PASSWORD,
            f"A password has {CHARACTERS_MIN} to {CHARACTERS_MAX} characters; several words are "
            "easier to keep in mind than signs.",
            "password",
        )


class Passwords:
    """The passwords of all people of the house: one file with a hash for each person."""

    def __init__(self, path: Path, cost: Cost = COST) -> None:
        self.path = path
        self._cost = cost
        self._nobody = _hash_of_nothing(cost)
        self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="password")

    async def set(self, person: str, password: str) -> None:
        """Set or replace a person's password; the file is on disk on return.

        A password of bad length is refused; `Fault` means that the file could not be written.
        """
        check_password(password)
        await self._run(lambda: self._set(person, password))

    async def verify(self, person: str, password: str) -> bool:
        """Return whether this is the person's password; False, as slowly, for an unknown person."""
        return await self._run(lambda: self._verify(person, password))

    async def require(self, person: str, password: str) -> None:
        """Raise `Refused` for a wrong password or an unknown person, in the same words for both."""
        if not await self.verify(person, password):
            raise Refused(Refusal.SIGN_IN_FAILED, "That name and password do not belong together.")

    def close(self) -> None:
        """Stop the hashing threads, when the server stops."""
        self._threads.shutdown()

    async def _run(self, work: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)

    def _set(self, person: str, password: str) -> None:
        cost = self._cost
        hashed = Argon2id(
            salt=secrets.token_bytes(16),
            length=32,
            iterations=cost.iterations,
            lanes=cost.lanes,
            memory_cost=cost.memory_kib,
        ).derive_phc_encoded(_typed(password))
        try:
            folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                # Another process that sets a password waits here, so that neither overwrites the
                # other's.
                fcntl.flock(folder, fcntl.LOCK_EX)
                self._replace(self._read() | {person: hashed})
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise Fault(f"The password was not kept: {error.strerror}.") from None

    def _replace(self, kept: dict[str, str]) -> None:
        new = self.path.with_name(self.path.name + ".new")
        new.unlink(missing_ok=True)  # left by a process that died while writing it
        handle = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(msgspec.json.format(msgspec.json.encode(kept)) + b"\n")
            file.flush()
            os.fsync(handle)
        new.rename(self.path)

    def _verify(self, person: str, password: str) -> bool:
        kept = self._read()
        try:
            Argon2id.verify_phc_encoded(_typed(password), kept.get(person, self._nobody))
        except InvalidKey:
            return False
        return person in kept

    def _read(self) -> dict[str, str]:
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=dict[str, str])
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise Fault(f"The passwords cannot be read: {error.strerror}.") from None
        except ValueError:
            raise Fault(f"The passwords in {self.path} are damaged; nobody can sign in.") from None


def _typed(password: str) -> bytes:
    """Return a password's bytes for hashing, after Unicode normalization (NFC)."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _hash_of_nothing(cost: Cost) -> str:
    """Return a random hash that no password matches; unknown names are verified against it."""
    salt, key = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
    limits = f"m={cost.memory_kib},t={cost.iterations},p={cost.lanes}"
    return f"$argon2id$v=19${limits}${salt}${key}"


# ---------------------------------------------------------------- limits on attempts

LIMITS = {"person": 5, "address": 20}
"""Number of failures within `WINDOW_SECONDS` that lock a person, and that lock an address."""
WINDOW_SECONDS = 15 * 60
"""Maximum seconds from the first to the last of the failures that cause a lock."""
LOCK_SECONDS = 5 * 60
"""Seconds that a lock lasts after the last failure."""
KEYS_MAX = 10_000
"""Maximum persons and addresses whose failures are kept."""
NAME_MAX = 64
"""Maximum characters of a person's name or an address by which failures are counted."""

Key = tuple[str, str]


class Attempts:
    """The limit on failed sign-ins: `LIMITS` failures in `WINDOW_SECONDS` lock their key.

    The key is a person or an address. A lock lasts `LOCK_SECONDS`.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[Key, deque[float]] = OrderedDict()
        self._turns = asyncio.Semaphore(AT_A_TIME)

    def __len__(self) -> int:
        return len(self._failures)

    @asynccontextmanager
    async def attempt(self, person: str, address: str) -> AsyncIterator[None]:
        """Guard the sign-in in the body of a `with`; refuse it while person or address is locked.

        The attempt counts as a failure of both unless the body ends without an exception. At most
        `AT_A_TIME` bodies run at once, so that concurrent guesses are limited like sequential ones.
        """
        self.check(person, address)
        async with self._turns:
            self.check(person, address)
            self.failed(person, address)
            yield
            self.succeeded(person, address)
            self._take_back(_keys(person, address)[1])

    def check(self, person: str, address: str) -> None:
        """Raise `Refused` while the person or the address is locked."""
        wait = max(map(self._locked_until, _keys(person, address))) - self._clock()
        if wait > 0:
            minutes = math.ceil(wait / 60)
            raise Refused(
                Refusal.TOO_MANY_ATTEMPTS,
                f"Too many attempts failed; try again in {minutes} minute{'s' * (minutes > 1)}.",
            )

    def failed(self, person: str, address: str) -> None:
        """Count a failure of the person and of the address.

        Above `KEYS_MAX` the person or address whose last failure is oldest is dropped.
        """
        now = self._clock()
        for key in _keys(person, address):
            self._failures.setdefault(key, deque(maxlen=LIMITS[key[0]])).append(now)
            self._failures.move_to_end(key)
        while len(self._failures) > KEYS_MAX:
            self._failures.popitem(last=False)

    def succeeded(self, person: str, address: str) -> None:
        """Clear the person's failures; those of the address stay (of other names)."""
        self._failures.pop(_keys(person, address)[0], None)

    def _take_back(self, key: Key) -> None:
        failures = self._failures.get(key)
        if failures:
            failures.pop()
        if not failures:
            self._failures.pop(key, None)

    def _locked_until(self, key: Key) -> float:
        failures = self._failures.get(key)
        if failures is None or len(failures) < LIMITS[key[0]]:
            return -math.inf
        within = failures[-1] - failures[0] <= WINDOW_SECONDS
        return failures[-1] + LOCK_SECONDS if within else -math.inf


def _keys(person: str, address: str) -> tuple[Key, Key]:
    return ("person", person[:NAME_MAX]), ("address", address[:NAME_MAX])
