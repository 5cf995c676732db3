"""Runs generator and witness as processes at Unix sockets, which tests can kill at any time."""

import os
import signal
import socket
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from rng.canonical import decode_line, encode_line
from rng.draw import system_entropy
from rng.generator import Generator
from rng.keeper import CONSOLE
from rng.records import Genesis
from rng.worker import JOURNAL
from tests import programs
from tests.programs import Program
from tests.rng_house import DrawServer, Keys
from tests.rng_vector import SEEDS

PATIENCE_S = 120.0


class Unavailable(Exception):
    """Raised when a party does not answer."""


def ask_at(path: Path, question: dict[str, Any]) -> dict[str, Any]:
    """Send a question to a Unix socket and return the answer; `Unavailable` without one."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(PATIENCE_S)
            connection.connect(str(path))
            connection.sendall(encode_line(question))
            line = connection.makefile("rb").readline()
    except OSError as error:
        raise Unavailable(str(error)) from error
    if not line:
        raise Unavailable("the connection ended without an answer")
    answer: Any = decode_line(line)
    return dict(answer)


def send_and_forget(path: Path, question: dict[str, Any]) -> None:
    """Send a question to a Unix socket without waiting for the answer."""
    with suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(encode_line(question))
        time.sleep(0.001)


class Processes:
    """The processes of R (parent and worker) and W, their folders, and the server asking them."""

    def __init__(self, folder: Path, **changed: Any) -> None:
        """Create a chain in a folder and start R and W; `changed` are fields of its genesis."""
        self.keys = Keys()
        self.folder_r, self.folder_w = folder / "R", folder / "W"
        genesis = self.keys.genesis(**changed)
        self.keys.furnish(self.folder_r, genesis)
        self.folder_w.mkdir()
        seed = {"role": "W", "key": self.keys.signers["W"].key, "seed": SEEDS["W"].hex()}
        (self.folder_w / "witness.key").write_bytes(encode_line(seed))
        self.log = (folder / "log").open("ab")
        self.r = self.start_r()
        self.w = self.start_w()
        self.wait()
        self.unlock()
        self.house = DrawServer(self.ask_r, self.ask_w, self.keys, Genesis(genesis))
        self.house.clock = lambda: time.time_ns() // 1_000_000
        self.house.begin()

    # ------------------------------------------------------------ life

    def start(self, *arguments: str | Path) -> Program:
        return programs.start(programs.RNG, *arguments, log=self.log)

    def start_r(self) -> Program:
        return self.start("serve", self.folder_r)

    def start_w(self) -> Program:
        return self.start("witness", self.folder_w)

    def worker(self) -> int:
        """The process id of R's worker."""
        children = Path(f"/proc/{self.r.pid}/task/{self.r.pid}/children").read_text().split()
        return int(children[0]) if children else 0

    def kill(self, who: str) -> None:
        """Kill processes by SIGKILL: R's worker (``r``), R's parent and worker (``R``), W."""
        if "r" in who and (worker := self.worker()):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        if "R" in who:
            self.r.kill()
            self.r.join()
        if "W" in who:
            self.w.kill()
            self.w.join()

    def revive(self) -> None:
        """Start the processes that have ended; a new parent of R has to be unlocked again."""
        if self.w.returncode is not None:
            self.w = self.start_w()
        if self.r.returncode is not None:
            self.r = self.start_r()
            self.wait()
            self.unlock()
            self.house.begin()
        self.wait()

    def wait(self) -> None:
        """Wait until R and W answer."""
        until = time.monotonic() + PATIENCE_S
        for path in (self.socket_r, self.socket_w):
            while True:
                try:
                    ask_at(path, self.question("commit", 0))
                except Unavailable:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)
                else:
                    break

    def unlock(self) -> dict[str, Any]:
        """Unlock R by both keyholders through its console's socket; return the answer."""
        journal = self.folder_r / JOURNAL
        look = Generator(journal, system_entropy, print, reading_only=True)
        look.close()
        order = {"dek": self.keys.dek.hex(), "unlock": self.keys.unlock(look).written()}
        answer = ask_at(self.folder_r / CONSOLE, order)
        self.wait()
        return answer

    def end(self) -> None:
        for process in (self.r, self.w):
            process.terminate()
            process.join(PATIENCE_S)
        self.log.close()

    # ------------------------------------------------------------ asking

    @property
    def socket_r(self) -> Path:
        return self.folder_r / "generator.socket"

    @property
    def socket_w(self) -> Path:
        return self.folder_w / "witness.socket"

    def question(self, ask: str, game: int, *messages: Any) -> dict[str, Any]:
        chain = self.house.genesis.chain if hasattr(self, "house") else "0" * 64
        written = [message.written() for message in messages]
        return {"ask": ask, "chain": chain, "game": game, "messages": written}

    def ask_r(self, question: dict[str, Any]) -> dict[str, Any]:
        return ask_at(self.socket_r, question)

    def ask_w(self, question: dict[str, Any]) -> dict[str, Any]:
        return ask_at(self.socket_w, question)
