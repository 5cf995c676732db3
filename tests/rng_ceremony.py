"""The key ceremony in tests: an empty house and people at terminals of their own."""

import subprocess
import sys
import time
from pathlib import Path

from rng.ceremony import read_genesis_file, read_seed_file
from rng.records import Genesis
from tests.rng_house import DrawServer, Keys
from tests.rng_processes import Unavailable, ask_at
from tests.terminal import Terminal

WORDS = {
    "inspector": "seven green bottles",
    "supervisor": "hanging on the wall",
}


def keno_rng(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "rng.cli", *map(str, arguments)]


def said(*arguments: object) -> str:
    done = subprocess.run(
        keno_rng(*arguments), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class KeyCeremony:
    """A house before its ceremony, and the commands that its people type."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.r, self.w = folder / "R", folder / "W"
        self.genesis_file = folder / "genesis"
        self.media = {part: folder / f"medium-{part}" for part in WORDS}
        for medium in self.media.values():
            medium.mkdir()
        self.running: list[subprocess.Popen[bytes]] = []

    def terminal(self, *arguments: object) -> Terminal:
        return Terminal(keno_rng(*arguments))

    def start(self, *arguments: object) -> "subprocess.Popen[bytes]":
        log = (self.folder / "log").open("ab")
        process = subprocess.Popen(keno_rng(*arguments), stderr=log, stdin=subprocess.DEVNULL)
        log.close()
        self.running.append(process)
        return process

    def end(self) -> None:
        for process in self.running:
            process.terminate()
            process.wait(30)

    def key_file(self, part: str) -> Path:
        (found,) = self.media[part].glob(f"{part}-*.key")
        return found

    # ------------------------------------------------------------ what people do

    def make_keys(self) -> Terminal:
        screen = self.terminal(
            "keys", "new", self.r, "--test-keys",
            "--inspector", self.media["inspector"], "--supervisor", self.media["supervisor"],
        )  # fmt: skip
        for part, words in WORDS.items():
            screen.expect(f"{part.capitalize()}: choose a passphrase")
            screen.type(words)
            screen.expect("the same once more")
            screen.type(words)
        assert screen.end() == 0, screen.screen
        return screen

    def draft(self) -> None:
        witness_key = said("keys", "witness", self.w)
        server_key = said("keys", "server", self.folder / "server.key")
        said(
            "genesis", "draft", self.r, self.genesis_file, "--site", "example-casino",
            "--location", "main", "--mode", "test",
            "--witness-key", witness_key, "--server-key", server_key,
        )  # fmt: skip
        said("genesis", "sign", self.genesis_file, "--key", self.w / "witness.key")
        said("genesis", "sign", self.genesis_file, "--key", self.folder / "server.key")

    def give_keys(self, screen: Terminal) -> None:
        for part, words in WORDS.items():
            screen.expect(f"{part.capitalize()}: where is your key file")
            screen.type(str(self.key_file(part)))
            screen.expect("passphrase")
            screen.type(words)

    def say_yes(self, screen: Terminal) -> None:
        for part in WORDS:
            screen.expect(f"{part.capitalize()}: .* Type yes:")
            screen.type("yes")

    def finish(self) -> Terminal:
        screen = self.terminal("genesis", "finish", self.r, self.genesis_file)
        screen.expect("NO VALUE")
        self.give_keys(screen)
        self.say_yes(screen)
        assert screen.end() == 0, screen.screen
        return screen

    def unlock(self, boot: int) -> Terminal:
        screen = self.terminal("unlock", self.r)
        self.give_keys(screen)
        screen.expect(rf"boot  {boot}\b")
        self.say_yes(screen)
        screen.expect(f"The generator is open: boot {boot}")
        assert screen.end() == 0, screen.screen
        return screen

    def serve(self) -> "subprocess.Popen[bytes]":
        process = self.start("serve", self.r)
        await_answer(self.r / "generator.socket")
        return process

    def house(self) -> DrawServer:
        genesis = Genesis(read_genesis_file(self.genesis_file))
        keys = Keys()
        keys.signers["S"] = read_seed_file(self.folder / "server.key", "S")
        house = DrawServer(
            lambda question: ask_at(self.r / "generator.socket", question),
            lambda question: ask_at(self.w / "witness.socket", question),
            keys,
            genesis,
        )
        house.clock = lambda: time.time_ns() // 1_000_000
        return house


def await_answer(path: Path) -> None:
    for _ in range(1500):
        try:
            ask_at(path, {"ask": "commit", "chain": "0" * 64, "game": 0, "messages": []})
        except Unavailable:
            time.sleep(0.02)
        else:
            return
    raise AssertionError(f"nobody answers at {path}")
