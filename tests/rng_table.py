"""R, W and a house around one table, in one process, with a clock that a test turns."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rng.draw import system_entropy
from rng.generator import Generator
from rng.records import Genesis
from rng.witness import Witness
from rng.worker import JOURNAL
from tests.rng_chain import START_MS
from tests.rng_house import House, Keys, asking


@dataclass
class Table:
    """R, W and the house around one table; each of them can be restarted."""

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
        self.house = House(self.ask_r, self.ask_w, self.keys, Genesis(self.genesis))
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
        """End a party and let it find its way back from its journal; R under the same unlock."""
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
        """Copy both disks, as a cheat with access to them might."""
        self.copies = {
            path: path.read_bytes() for path in (self.folder / JOURNAL, self.folder / "w")
        }

    def forget(self) -> None:
        """R and W keep their own records, out of the house's reach: nothing is forgotten."""

    def put_back(self, *paths: Path) -> None:
        """Put copies back in the place of what is on the disks."""
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
