"""R, W and S as three processes with three folders, watched from outside and killed."""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rng.canonical import encode_line
from rng.witnessing import JOURNAL as W_JOURNAL
from rng.worker import JOURNAL as R_JOURNAL
from tests.drawing import drawing_house
from tests.integration.commands import ROOT
from tests.rng_processes import PATIENCE_S, Processes
from tests.rng_vector import SEEDS

Reached = Callable[[], bool]


class Three:
    """The three parties of a house; `await furnish()` makes the house, `start` lets S serve."""

    def __init__(self, folder: Path) -> None:
        self.others = Processes(folder)
        self.folder = folder / "S"
        self.folder.mkdir()
        self.database = self.folder / "ledger.db"
        self.voice = self.folder / "said"
        self.s: subprocess.Popen[bytes] | None = None
        seed = {"role": "S", "key": self.others.keys.signers["S"].key, "seed": SEEDS["S"].hex()}
        (self.folder / "server.key").write_bytes(encode_line(seed))
        genesis = self.others.house.genesis.message
        (self.folder / "genesis").write_bytes(encode_line(genesis.written()))

    async def furnish(self) -> None:
        """A house with its first game promised and open."""
        async with drawing_house(self.folder, self.others):
            pass

    # Life.

    def start(self) -> None:
        """Let S serve; what it says is added to what it said before."""
        sockets = (str(self.others.socket_r), str(self.others.socket_w))
        command = [sys.executable, "-m", "tests.integration.draw.server", str(self.folder)]
        with self.voice.open("ab") as voice:
            self.s = subprocess.Popen([*command, *sockets], stdout=voice, cwd=ROOT)

    def kill(self, who: str) -> None:
        """SIGKILL: R's worker (r), R with its parent (R), W, S."""
        if "S" in who and self.s is not None:
            self.s.kill()
        self.others.kill(who)
        if "S" in who and self.s is not None:
            self.s.wait()
            # A line without its end was not said.
            said = self.voice.read_bytes()
            self.voice.write_bytes(said[: said.rfind(b"\n") + 1])

    def revive(self) -> None:
        """Start what is dead; nobody but S hands an unlock on."""
        others = self.others
        if self.s is None or self.s.poll() is not None:
            self.start()
        if others.w.returncode is not None:
            others.w = others.start_w()
        if others.r.returncode is not None:
            others.r = others.start_r()
            others.wait()
            others.unlock()

    def end(self) -> None:
        self.kill("S")
        self.others.end()

    # Watching.

    def said(self, word: str) -> list[list[str]]:
        """What S has said with this word first."""
        text = self.voice.read_text() if self.voice.exists() else ""
        lines = [line.split(" ") for line in text.split("\n")[:-1]]
        return [line[1:] for line in lines if line[0] == word]

    def says(self, word: str) -> Reached:
        before = len(self.said(word))
        return lambda: len(self.said(word)) > before

    def grows(self, party: str, times: int) -> Reached:
        """The journal of R or W grows so many times."""
        others = self.others
        path = others.folder_r / R_JOURNAL if party == "R" else others.folder_w / W_JOURNAL
        sizes = {path.stat().st_size}

        def reached() -> bool:
            sizes.add(path.stat().st_size)
            return len(sizes) > times

        return reached

    def stores(self, step: str) -> Reached:
        """One more message of a step is in the ledger."""
        uri = f"{self.database.as_uri()}?mode=ro"

        def count() -> int:
            connection = sqlite3.connect(uri, uri=True, isolation_level=None)
            try:
                sql = "SELECT count(*) FROM draws WHERE step = ?"
                return int(connection.execute(sql, (step,)).fetchone()[0])
            finally:
                connection.close()

        before = count()
        return lambda: count() > before

    def until(self, reached: Reached) -> None:
        """Watch as closely as this machine allows."""
        deadline = time.monotonic() + PATIENCE_S
        while not reached():
            assert self.s is not None
            assert self.s.poll() is None, "the server ended by itself"
            assert time.monotonic() < deadline, "the moment never came"
