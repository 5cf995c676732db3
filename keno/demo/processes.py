"""The generator (R) and witness (W) of a demonstration house, as processes with test keys.

Keys, chains and processes are made with the real `keno-rng` commands. What two keyholders would
type is typed here at a pseudo-terminal, because the passphrases are public.
"""

import asyncio
import fcntl
import os
import shutil
import signal
import socket
import struct
import tempfile
import time
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from keno.demo.key_ceremony import (
    NotRunning,
    Talk,
    at_terminal,
    done,
    keno_rng,
    killed,
    together,
    typed_by_both,
)
from keno.domain.errors import Fault
from keno.draw.coordinator import DrawCoordinator, over_socket
from keno.draw.key_files import load_genesis, load_signer
from keno.store.ledger import Ledger

PASSPHRASES = {
    "inspector": "for demonstrations only: inspector",
    "supervisor": "for demonstrations only: supervisor",
}
"""Public passphrases by keyholder; they open test keys, which no live chain accepts."""
START_SECONDS = 60
"""Maximum seconds from the start of R or W until it must answer."""
STOP_SECONDS = 8
"""Maximum seconds for R or W to end by itself before it is killed."""
LOOK_SECONDS = 0.02
"""Seconds between two checks of a condition that is waited for."""
SOCKET_PATH_BYTES_MAX = 107
"""Maximum bytes of the path of a Unix socket."""
LOG_LINES = 5
"""Number of the last lines of a log that an error message shows."""
ANYTHING = {"ask": "unlock", "chain": "0" * 64, "game": 0, "messages": list[object]()}
"""A request that R and W always refuse; the refusal shows that the process answers."""

Say = Callable[[str], None]
"""A function that is called with a sentence about each step, to show it to the user."""


def quiet(_: str) -> None:
    """Ignore the sentence; the default `Say`."""


@dataclass(frozen=True)
class Home:
    """The paths of a demonstration's keys and records: folders of R, W, S and both keyholders."""

    folder: Path

    def __post_init__(self) -> None:
        object.__setattr__(self, "folder", self.folder.absolute())

    @property
    def generator(self) -> Path:
        return self.folder / "R"

    @property
    def witness(self) -> Path:
        return self.folder / "W"

    @property
    def server_key(self) -> Path:
        return self.folder / "S" / "server.key"

    @property
    def paper(self) -> Path:
        """The file to which W's journal printer prints."""
        return self.witness / "journal.txt"

    def medium(self, part: str) -> Path:
        """Return the folder that serves as a keyholder's key medium."""
        return self.folder / part

    def key_file(self, part: str) -> Path:
        found = sorted(self.medium(part).glob(f"{part}-*.key"))
        if not found:
            raise NotRunning(f"There is no key of the {part} in {self.medium(part)}.")
        return found[0]

    def genesis_file(self, location: str) -> Path:
        return self.folder / "S" / f"{location}.genesis"

    @property
    def locations(self) -> list[str]:
        return sorted(file.stem for file in (self.folder / "S").glob("*.genesis"))

    @property
    def is_prepared(self) -> bool:
        return self.server_key.exists()


# ---------------------------------------------------------------- making keys and chains


async def prepare(folder: Path, site: str, locations: Mapping[str, int], say: Say = quiet) -> None:
    """Make test keys and a chain for each location in a folder, unless it has them already.

    `locations` has the number of each location's first game. Everything is made in another folder
    and then moved here, so it is never half done. Raise `NotRunning` if the folder has other
    chains.
    """
    home = Home(folder)
    if home.is_prepared:
        _check_same(home, site, locations)
        return
    new = Home(home.folder.with_name(f"{home.folder.name}.new"))
    shutil.rmtree(new.folder, ignore_errors=True)
    for made in (new.folder, new.server_key.parent, *map(new.medium, PASSPHRASES)):
        made.mkdir(mode=0o700, parents=made == new.folder)
    try:
        await _make(new, site, locations, say)
        new.folder.rename(home.folder)
    except OSError as error:
        raise NotRunning(f"{folder} cannot be made: {error.strerror}.") from None
    finally:
        shutil.rmtree(new.folder, ignore_errors=True)


def _check_same(home: Home, site: str, locations: Mapping[str, int]) -> None:
    there = [load_genesis(home.genesis_file(each)) for each in home.locations]
    found = {(each.site, each.location, each.first_game) for each in there}
    if found != {(site, location, first) for location, first in locations.items()}:
        chains = ", ".join(f"{each.location} of {each.site}" for each in there)
        raise NotRunning(f"{home.folder} has the chains of {chains}: take another folder.")


async def _make(home: Home, site: str, locations: Mapping[str, int], say: Say) -> None:
    say("Making keys for a demonstration (test: NO VALUE).")
    media = [f"--{part}={home.medium(part)}" for part in PASSPHRASES]
    choosing = [
        (prompt, words)
        for part, words in PASSPHRASES.items()
        for prompt in (f"{part.capitalize()}: choose a passphrase", "the same once more: ")
    ]
    _, witness_key, server_key = await together(
        at_terminal(keno_rng("keys", "new", home.generator, "--test-keys", *media), choosing),
        done("keys", "witness", home.witness),
        done("keys", "server", home.server_key),
    )

    async def signed(location: str, first_game: int) -> str:
        file = home.genesis_file(location)
        await done(
            "genesis", "draft", home.generator, file, "--mode=test", f"--site={site}",
            f"--location={location}", f"--first-game={first_game}",
            f"--witness-key={witness_key}", f"--server-key={server_key}",
        )  # fmt: skip
        await done("genesis", "sign", file, "--key", home.witness / "witness.key")
        return await done("genesis", "sign", file, "--key", home.server_key)

    say(f"Founding a chain for {', '.join(locations)}.")
    await together(*(signed(location, first) for location, first in locations.items()))
    for file in map(home.genesis_file, locations):
        await at_terminal(keno_rng("genesis", "finish", home.generator, file), both_people(home))


def both_people(home: Home) -> Talk:
    """Return the prompts and answers with which both keyholders open their keys and say yes."""
    return typed_by_both(home.key_file, PASSPHRASES)


# ---------------------------------------------------------------- running


@dataclass
class _Party:
    """R or W as a process: its command, log file and sockets."""

    name: str
    command: Sequence[str]
    log: Path
    sockets: Sequence[Path]
    process: Process | None = None

    @property
    def address(self) -> str:
        """The path of the socket at which the server connects to the process."""
        return str(self.sockets[-1])

    @property
    def pid(self) -> int:
        if self.process is None:
            raise NotRunning(f"The {self.name} has not been started.")
        return self.process.pid

    async def start(self) -> None:
        """Start the process, after ending any process of an earlier start at its sockets."""
        await self._end_left()
        with self.log.open("ab") as log:
            # Its own session: a key pressed at the caller's console is not for it.
            self.process = await asyncio.create_subprocess_exec(
                *self.command, stdin=DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    async def answers(self) -> None:
        """Return once the process answers; raise `NotRunning` if it ends or takes too long."""
        ask = over_socket(self.address)
        until = time.monotonic() + START_SECONDS
        while True:
            if self.process is not None and self.process.returncode is not None:
                code = self.process.returncode
                raise NotRunning(f"The {self.name} has ended with code {code}. {self._look()}")
            try:
                await ask(ANYTHING)
            except Fault as fault:
                if time.monotonic() > until:
                    raise NotRunning(f"{fault} {self._look()}") from None
                await asyncio.sleep(LOOK_SECONDS)
            else:
                return

    async def stop(self) -> None:
        """Terminate the process and wait for its end; kill it after `STOP_SECONDS`."""
        process, self.process = self.process, None
        if process is None:
            return
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await process.wait()
        except TimeoutError:
            return
        finally:
            await killed(process)

    async def kill(self) -> None:
        """Kill the process at once and wait for its end, as a power cut would end it."""
        if self.process is not None:
            await killed(self.process)

    def _look(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()[-LOG_LINES:]
        return "\n".join([f"Its log is {self.log}:", *lines])

    async def _end_left(self) -> None:
        begun = time.monotonic()
        while pid := next(filter(None, map(_listener, self.sockets)), 0):
            late = time.monotonic() - begun > STOP_SECONDS
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
            await asyncio.sleep(LOOK_SECONDS)


def _listener(path: Path) -> int:
    """Return the id of the process that listens at a Unix socket; 0 if there is none."""
    with closing(socket.socket(socket.AF_UNIX)) as asking:
        try:
            asking.connect(str(path))
        except OSError:
            return 0
        who = asking.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, _, _ = struct.unpack("3i", who)
    return int(pid)


class Parties:
    """R and W as running processes: their addresses and process ids, starting and stopping them."""

    def __init__(self, home: Home, reach: Path, say: Say) -> None:
        r, w = reach / home.generator.name, reach / home.witness.name
        generator_sockets = (r / "console.socket", r / "generator.socket")
        witness_socket = w / "witness.socket"
        geneses = [f"--genesis={home.genesis_file(each)}" for each in home.locations]
        self.home = home
        self._say = say
        self._generator = _Party(
            "generator", keno_rng("serve", r), home.folder / "generator.log", generator_sockets
        )
        self._witness = _Party(
            "witness",
            keno_rng("witness", home.witness, f"--listen=unix:{witness_socket}", *geneses),
            home.folder / "witness.log",
            (witness_socket,),
        )
        self._unlock = keno_rng("unlock", r)

    @property
    def generator_address(self) -> str:
        return self._generator.address

    @property
    def witness_address(self) -> str:
        return self._witness.address

    @property
    def generator_pid(self) -> int:
        """The id of R's parent process, which keeps its keys; a child process of it draws."""
        return self._generator.pid

    @property
    def witness_pid(self) -> int:
        return self._witness.pid

    def side(self, ledger: Ledger, location: str) -> DrawCoordinator:
        """Return the coordinator of a location's draws, connected to this R and W."""
        return DrawCoordinator(
            ledger,
            load_genesis(self.home.genesis_file(location)),
            load_signer(self.home.server_key),
            over_socket(self.generator_address),
            over_socket(self.witness_address),
        )

    async def start(self) -> None:
        self._say("Starting the generator and the witness.")
        await self._generator.start()
        await self._witness.start()
        await self._witness_answers()
        await self._open_generator()

    async def restart_generator(self) -> None:
        """Kill R if it runs, start it again, and unlock it with both keyholders' passphrases."""
        await self._generator.kill()
        await self._generator.start()
        await self._open_generator()

    async def restart_witness(self) -> None:
        """Kill W if it runs, start it again, and wait until it answers."""
        await self._witness.kill()
        await self._witness.start()
        await self._witness_answers()

    async def stop(self) -> None:
        try:
            await self._generator.stop()
        finally:
            await self._witness.stop()

    async def _open_generator(self) -> None:
        await self._generator.answers()
        self._say(f"The generator is process {self.generator_pid}; two keyholders open it.")
        await at_terminal(self._unlock, both_people(self.home))
        await self._generator.answers()
        self._say("The generator is open.")

    async def _witness_answers(self) -> None:
        await self._witness.answers()
        self._say(f"The witness is process {self.witness_pid}.")


@asynccontextmanager
async def running(folder: Path, say: Say = quiet) -> AsyncIterator[Parties]:
    """Start and unlock R and start W, and yield them once both answer; stop them at the end.

    Raise `NotRunning` if the folder is not prepared, is in use, or a process fails.
    """
    home = Home(folder)
    if not home.is_prepared:
        raise NotRunning(f"{folder} has no keys yet.")
    with _alone(home), _within_reach(home) as reach:
        parties = Parties(home, reach, say)
        try:
            await parties.start()
            yield parties
        finally:
            await parties.stop()


@contextmanager
def _alone(home: Home) -> Iterator[None]:
    """Hold a lock on the folder; raise `NotRunning` if another process holds it."""
    with (home.folder / "lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotRunning(f"{home.folder} is in use by another process.") from None
        yield


@contextmanager
def _within_reach(home: Home) -> Iterator[Path]:
    """Yield a folder under which the paths of R's and W's sockets are short enough for the system.

    It is the demonstration's folder, or else a temporary folder with links to it.
    """
    if _is_short(home.folder):
        yield home.folder
        return
    with tempfile.TemporaryDirectory(prefix="keno-") as private:  # for this user alone
        reach = Path(private)
        if not _is_short(reach):
            raise NotRunning(f"The paths of {home.folder} and {reach} are too long for a socket.")
        for party in (home.generator, home.witness):
            (reach / party.name).symlink_to(party)
        yield reach


def _is_short(folder: Path) -> bool:
    return len(os.fsencode(folder / "R" / "generator.socket")) <= SOCKET_PATH_BYTES_MAX
