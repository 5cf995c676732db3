"""R, W and a fake server in one process, with a clock that the test sets."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rng.draw import system_entropy
from rng.generator import Generator
from rng.records import Genesis
from rng.witness import Witness
from rng.worker import JOURNAL
from tests.rng_chain import START_MS
from tests.rng_house import DrawServer, Keys, asking


@dataclass
class Table:
    """R, W and the fake server in one process; R and W can be restarted."""

    folder: Path
    keys: Keys = field(default_factory=Keys)
    now_ms: int = START_MS + 2000
    alarms: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.genesis = self.keys.genesis()
        self.keys.furnish(self.folder, self.genesis)
        self.start_r()
        self.keys.open(self.r)
        self.start_w()
        self.house = DrawServer(self.ask_r, self.ask_w, self.keys, Genesis(self.genesis))
        self.house.clock = lambda: self.now_ms
        self.house.begin()

    def start_r(self) -> None:
        self.r = Generator(self.folder / JOURNAL, system_entropy, self.alarms.append)

    def start_w(self) -> None:
        signer = self.keys.signers["W"]
        self.w = Witness(self.folder / "w", signer, system_entropy, lambda: self.now_ms)

    def ask_r(self, question: dict[str, Any]) -> dict[str, Any]:
        return asking(self.r)(question)

    def ask_w(self, question: dict[str, Any]) -> dict[str, Any]:
        return asking(self.w)(question)

    def restart(self, who: str) -> None:
        """Restart parties from their journals (``R``, ``W``); R keeps its unlock."""
        if "R" in who:
            opened = self.r._opened  # noqa: SLF001 # what the parent process keeps
            self.r.close()
            self.start_r()
            if opened:
                self.r.open(opened)
        if "W" in who:
            self.w.close()
            self.start_w()

    def remember(self) -> None:
        """Copy the journals of R and W, as an attacker with their disks might."""
        self.copies = {
            path: path.read_bytes() for path in (self.folder / JOURNAL, self.folder / "w")
        }

    def forget(self) -> None:
        """Do nothing: the real R and W keep their records, so there is nothing to forget."""

    def put_back(self, *paths: Path) -> None:
        """Replace journals by their copies and restart the parties."""
        opened = self.r._opened  # noqa: SLF001 # what the parent process keeps
        self.end()
        for path in paths:
            path.write_bytes(self.copies[path])
        self.start_r()
        self.start_w()
        if opened:
            self.r.open(opened)

    def alarmed(self) -> list[str]:
        texts = [entry["text"] for entry in self.w.entries() if entry["kind"] == "alarm"]
        return texts + self.alarms

    def end(self) -> None:
        self.r.close()
        self.w.close()
