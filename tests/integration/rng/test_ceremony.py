"""Two people at the console: keys, genesis, unlock, draw, stop, unlock, draw.

With a wrong passphrase, a missing person and a damaged file on the way: refused in plain words,
and nothing is lost.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rng.ceremony import read_genesis_file, read_seed_file
from rng.records import Genesis
from rng.verify import verify
from tests.rng_house import House, Keys
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


class Floor:
    """A house with nothing in it yet but people."""

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

    def house(self) -> House:
        genesis = Genesis(read_genesis_file(self.genesis_file))
        keys = Keys()
        keys.signers["S"] = read_seed_file(self.folder / "server.key", "S")
        house = House(
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


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    made = Floor(tmp_path)
    yield made
    made.end()


def test_two_people_play_the_whole_ceremony(floor: Floor) -> None:
    screens = [floor.make_keys()]
    floor.draft()
    screens.append(floor.finish())
    floor.start("witness", floor.w, "--genesis", floor.genesis_file)
    await_answer(floor.w / "witness.socket")
    generator = floor.serve()
    screens.append(floor.unlock(1))
    house = floor.house()
    house.begin()
    first = house.play()
    generator.terminate()
    assert generator.wait(30) == 0
    floor.serve()
    screen = floor.unlock(2)
    assert first.digest in screen.screen  # the head, to compare with the witness's paper
    assert first.digest in said("journal", floor.w)
    screens.append(screen)
    house.begin()
    house.play()
    report = verify(house.lines())
    assert (report.games, report.boot) == (2, 2)
    for screen in screens:
        for words in WORDS.values():
            assert words not in screen.screen, "a passphrase was shown"


def test_what_goes_wrong_is_told_in_plain_words_and_loses_nothing(floor: Floor) -> None:
    floor.make_keys()
    floor.draft()
    floor.finish()
    floor.serve()

    screen = floor.terminal("unlock", floor.r)
    screen.expect("Inspector: where")
    screen.type(str(floor.key_file("inspector")))
    screen.expect("passphrase")
    screen.type("a wrong passphrase")
    screen.expect("The passphrase is wrong, or the key file is damaged")
    screen.expect("Please try again")
    screen.type(str(floor.key_file("supervisor")))
    screen.expect("This is a key of a supervisor")
    screen.type(str(floor.folder / "nothing"))
    screen.expect("cannot be read: No such file")
    screen.expect("The key of the inspector was not opened. Nothing has been changed")
    assert screen.end() == 1

    screen = floor.terminal("unlock", floor.r)
    screen.expect("Inspector: where")
    screen.type(str(floor.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    screen.expect("Supervisor: where")
    screen.type("")
    screen.expect("Both people are needed, and the supervisor is missing")
    assert screen.end() == 1

    screen = floor.terminal("unlock", floor.r)
    floor.give_keys(screen)
    screen.expect("Type yes:")
    screen.type("no")
    screen.expect("The inspector did not say yes. Nothing has been changed")
    assert screen.end() == 1

    damaged = floor.key_file("supervisor")
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:100])
    screen = floor.terminal("unlock", floor.r)
    screen.expect("Inspector: where")
    screen.type(str(floor.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    for _ in range(3):
        screen.expect("Supervisor: where")
        screen.type(str(damaged))
        screen.expect("The key file is damaged: .* Take the copy")
    assert screen.end() == 1

    damaged.write_bytes(whole)
    floor.unlock(1)


def test_two_inspectors_keys_and_keys_of_another_house_do_not_open(
    floor: Floor, tmp_path: Path
) -> None:
    floor.make_keys()
    floor.draft()
    floor.finish()
    floor.serve()
    (tmp_path / "other").mkdir()
    other = Floor(tmp_path / "other")
    other.make_keys()
    screen = floor.terminal("unlock", floor.r)
    screen.expect("Inspector: where")
    screen.type(str(floor.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    screen.expect("Supervisor: where")
    screen.type(str(other.key_file("supervisor")))
    screen.expect("passphrase")
    screen.type(WORDS["supervisor"])
    screen.expect("These two keys do not open this generator. Nothing has been changed")
    assert screen.end() == 1


def test_test_keys_never_found_anything_live(floor: Floor) -> None:
    floor.make_keys()
    key = "11" * 32
    done = subprocess.run(
        keno_rng("genesis", "draft", floor.r, floor.genesis_file, "--site", "x", "--location",
                 "y", "--mode", "live", "--witness-key", key, "--server-key", "22" * 32),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "made for tests" in done.stderr


def test_test_keys_do_not_open_a_live_chain_even_if_somebody_signs_one(floor: Floor) -> None:
    floor.make_keys()
    roster = floor.r / "roster"
    roster.write_bytes(roster.read_bytes().replace(b'"test"', b'"live"'))  # somebody cheats
    witness_key = said("keys", "witness", floor.w)
    server_key = said("keys", "server", floor.folder / "server.key")
    said("genesis", "draft", floor.r, floor.genesis_file, "--site", "x", "--location", "y",
         "--mode", "live", "--witness-key", witness_key, "--server-key", server_key)  # fmt: skip
    said("genesis", "sign", floor.genesis_file, "--key", floor.w / "witness.key")
    said("genesis", "sign", floor.genesis_file, "--key", floor.folder / "server.key")
    screen = floor.terminal("genesis", "finish", floor.r, floor.genesis_file)
    screen.expect("LIVE")
    for _ in range(3):
        screen.expect("Inspector: where")
        screen.type(str(floor.key_file("inspector")))
        screen.expect("This key was made for tests. It opens nothing of value")
    assert screen.end() == 1


def test_live_keys_are_not_made_on_the_generators_disk(floor: Floor) -> None:
    screen = floor.terminal(
        "keys", "new", floor.r,
        "--inspector", floor.media["inspector"], "--supervisor", floor.media["supervisor"],
    )  # fmt: skip
    screen.expect("a key goes on a medium of its own. Nothing has been changed")
    assert screen.end() == 1


def test_passphrases_that_differ_or_are_short_are_asked_for_again(floor: Floor) -> None:
    screen = floor.terminal(
        "keys", "new", floor.r, "--test-keys",
        "--inspector", floor.media["inspector"], "--supervisor", floor.media["supervisor"],
    )  # fmt: skip
    for typed in (("one passphrase", "another passphrase"), ("short", "short")):
        for words in typed:
            screen.expect("choose a passphrase|once more")
            screen.type(words)
        screen.expect("not the same|at least 12 characters")
    for part, words in WORDS.items():
        screen.expect(f"{part.capitalize()}: choose")
        screen.type(words)
        screen.expect("once more")
        screen.type(words)
    assert screen.end() == 0
    screen = floor.terminal(
        "keys", "new", floor.r, "--test-keys",
        "--inspector", floor.media["inspector"], "--supervisor", floor.media["supervisor"],
    )  # fmt: skip
    screen.expect("has a generator's key already. Nothing has been changed")
    assert screen.end() == 1


@pytest.mark.parametrize("arguments", [("unlock", "R"), ("genesis", "finish", "R", "genesis")])
def test_people_are_needed_not_programs(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        keno_rng(*arguments), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 1
    assert "people at the generator's own console" in done.stderr
