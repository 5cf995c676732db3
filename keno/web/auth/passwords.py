"""Passwords, kept outside the ledger, and how often somebody may try one.

The ledger is copied and handed to auditors; a hash of a password has no business there. The file
is replaced as a whole and read each time, so the command line can set a password meanwhile.
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
CHARACTERS_MAX = 200
AT_A_TIME = 2
"""Each takes 64 MiB and a core; more at once would only take them from the games."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What trying one password costs."""

    memory_kib: int = 64 * 1024
    iterations: int = 3
    lanes: int = 1
    """One: OpenSSL's threads for several lanes fail or hang when two passwords meet."""


COST = Cost()
Answer = TypeVar("Answer")


def check_password(password: str) -> None:
    """Refuse what is too short to be safe, or too long to have been typed."""
    if not CHARACTERS_MIN <= len(unicodedata.normalize("NFC", password)) <= CHARACTERS_MAX:
        raise Refused(
            Refusal.BAD_PASSWORD,
            f"A password has {CHARACTERS_MIN} to {CHARACTERS_MAX} characters; several words are "
            "easier to keep in mind than signs.",
            "password",
        )


class Passwords:
    """The passwords of the house, in one file of hashes."""

    def __init__(self, path: Path, cost: Cost = COST) -> None:
        self.path = path
        self._cost = cost
        self._nobody = _hash_of_nothing(cost)
        self._threads = ThreadPoolExecutor(AT_A_TIME, thread_name_prefix="password")

    async def set(self, person: str, password: str) -> None:
        """Give a person this password, whatever they had; durable when it returns."""
        check_password(password)
        await self._run(lambda: self._set(person, password))

    async def verify(self, person: str, password: str) -> bool:
        """Whether this is the person's password; one who has none takes as long to refuse."""
        return await self._run(lambda: self._verify(person, password))

    async def require(self, person: str, password: str) -> None:
        """Verify, or refuse without saying which of the two was wrong."""
        if not await self.verify(person, password):
            raise Refused(Refusal.SIGN_IN_FAILED, "That name and password do not belong together.")

    def close(self) -> None:
        """Let the threads go."""
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
                # Whoever else sets a password waits here, so that neither overwrites the other's.
                fcntl.flock(folder, fcntl.LOCK_EX)
                self._replace(self._read() | {person: hashed})
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise Fault(f"The password was not kept: {error.strerror}.") from None

    def _replace(self, kept: dict[str, str]) -> None:
        new = self.path.with_name(self.path.name + ".new")
        new.unlink(missing_ok=True)  # of somebody who died while writing it
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
    """The same bytes for the same letters, whichever keyboard composed them."""
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")


def _hash_of_nothing(cost: Cost) -> str:
    """The hash of no password that anyone knows: as much work as a real one, and always wrong."""
    salt, key = (b64encode(secrets.token_bytes(size)).decode().rstrip("=") for size in (16, 32))
    limits = f"m={cost.memory_kib},t={cost.iterations},p={cost.lanes}"
    return f"$argon2id$v=19${limits}${salt}${key}"


# ---------------------------------------------------------------- how often one may try

LIMITS = {"person": 5, "address": 20}
WINDOW_SECONDS = 15 * 60
LOCK_SECONDS = 5 * 60
KEYS_MAX = 10_000
NAME_MAX = 64
"""No name and no address is longer; what is longer is cut off, not kept."""

Key = tuple[str, str]


class Attempts:
    """Who failed how often: so many failures within the window lock a person or an address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: OrderedDict[Key, deque[float]] = OrderedDict()
        self._turns = asyncio.Semaphore(AT_A_TIME)

    def __len__(self) -> int:
        return len(self._failures)

    @asynccontextmanager
    async def attempt(self, person: str, address: str) -> AsyncIterator[None]:
        """Around a sign-in: refused if locked, a failure if anything is raised inside.

        It counts as a failure from the beginning, and begins when one of two turns is free: many
        guesses at once are stopped like guesses one by one, and many people at once behind one
        address are not taken for failures.
        """
        self.check(person, address)
        async with self._turns:
            self.check(person, address)
            self.failed(person, address)
            yield
            self.succeeded(person, address)
            self._take_back(_keys(person, address)[1])

    def check(self, person: str, address: str) -> None:
        """Refused while the person or the address is locked."""
        wait = max(map(self._locked_until, _keys(person, address))) - self._clock()
        if wait > 0:
            minutes = math.ceil(wait / 60)
            raise Refused(
                Refusal.TOO_MANY_ATTEMPTS,
                f"Too many attempts failed; try again in {minutes} minute{'s' * (minutes > 1)}.",
            )

    def failed(self, person: str, address: str) -> None:
        """Count a failure of both; of too many keys the one longest without a failure goes."""
        now = self._clock()
        for key in _keys(person, address):
            self._failures.setdefault(key, deque(maxlen=LIMITS[key[0]])).append(now)
            self._failures.move_to_end(key)
        while len(self._failures) > KEYS_MAX:
            self._failures.popitem(last=False)

    def succeeded(self, person: str, address: str) -> None:
        """Forget the person's failures. The address keeps its own: it may have guessed others."""
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
