"""R and W of a live house, whose keys people make and use at terminals, from media of their own."""

import asyncio
import shutil
import signal
import sys
import tempfile
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from keno.demo.key_ceremony import Talk, at_terminal, done, keno_rng, killed, typed_by_both
from keno.domain.errors import Fault
from keno.draw.coordinator import over_socket
from tests.e2e.floor import LOOK_S, PATIENCE_S

WORDS = {
    "inspector": "seven green bottles hanging",
    "supervisor": "nine and twenty blackbirds",
}
MEDIA = Path("/dev/shm")  # noqa: S108 # memory that looks like a disk: not the generator's own
ANYTHING = {"ask": "unlock", "chain": "0" * 64, "game": 0, "messages": list[object]()}


async def keno(*arguments: str | Path, talk: Talk = ()) -> str:
    """Run a `keno` command at a terminal with the typed answers of `talk`; return its screen."""
    return await at_terminal([sys.executable, "-m", "keno", *map(str, arguments)], talk)


@contextmanager
def media() -> Iterator[dict[str, Path]]:
    """Create a folder for each keyholder's medium, on another disk than the test's folder."""
    folder = Path(tempfile.mkdtemp(prefix="keno-media-", dir=MEDIA))
    try:
        made = {part: folder / part for part in WORDS}
        for medium in made.values():
            medium.mkdir(mode=0o700)
        yield made
    finally:
        shutil.rmtree(folder)


@dataclass
class Draw:
    """The folders of R and W, the keyholders' media, and the files that the server needs."""

    folder: Path
    media: dict[str, Path]
    server_key: Path

    @property
    def generator(self) -> Path:
        return self.folder / "R"

    @property
    def witness(self) -> Path:
        return self.folder / "W"

    @property
    def genesis(self) -> Path:
        return self.folder / "main.genesis"

    @property
    def sockets(self) -> tuple[Path, Path]:
        return self.generator / "generator.socket", self.witness / "witness.socket"

    def key_file(self, part: str) -> Path:
        (found,) = self.media[part].glob(f"{part}-*.key")
        return found

    def both_people(self) -> Talk:
        """Return the typed answers by which both keyholders give key and passphrase and confirm."""
        return typed_by_both(self.key_file, WORDS)

    async def make_keys(self) -> str:
        choosing = [
            (prompt, words)
            for part, words in WORDS.items()
            for prompt in (f"{part.capitalize()}: choose a passphrase", "the same once more: ")
        ]
        where = [f"--{part}={medium}" for part, medium in self.media.items()]
        return await at_terminal(keno_rng("keys", "new", self.generator, *where), choosing)

    async def found(self, site: str, location: str) -> str:
        """Make the genesis: draft it, let W and S sign, then both keyholders; return the screen."""
        witness_key = await done("keys", "witness", self.witness)
        server_key = await done("keys", "server", self.server_key)
        await done(
            "genesis", "draft", self.generator, self.genesis, "--mode=live", f"--site={site}",
            f"--location={location}", f"--witness-key={witness_key}", f"--server-key={server_key}",
        )  # fmt: skip
        await done("genesis", "sign", self.genesis, "--key", self.witness / "witness.key")
        await done("genesis", "sign", self.genesis, "--key", self.server_key)
        finish = keno_rng("genesis", "finish", self.generator, self.genesis)
        return await at_terminal(finish, self.both_people())

    async def unlock(self) -> str:
        return await at_terminal(keno_rng("unlock", self.generator), self.both_people())

    @asynccontextmanager
    async def running(self) -> AsyncIterator[list[Process]]:
        """Run R (locked) and W inside this context; on exit assert that both stop with code 0."""
        commands = (
            keno_rng("serve", self.generator),
            keno_rng("witness", self.witness, "--genesis", self.genesis),
        )
        processes = [await self._start(command) for command in commands]
        try:
            for address in self.sockets:
                await _answers(address)
            yield processes
            for process in processes:
                process.send_signal(signal.SIGTERM)
                async with asyncio.timeout(PATIENCE_S):
                    assert await process.wait() == 0
        except BaseException:
            print(f"The log of the draw:\n{(self.folder / 'draw.log').read_text()[-4_000:]}")
            raise
        finally:
            for process in processes:
                await killed(process)

    async def _start(self, command: list[str]) -> Process:
        with (self.folder / "draw.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *command, stdin=DEVNULL, stdout=log, stderr=log, start_new_session=True
            )


async def _answers(address: Path) -> None:
    ask = over_socket(str(address))
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                await ask(ANYTHING)
            except Fault:
                await asyncio.sleep(LOOK_S)
            else:
                return
