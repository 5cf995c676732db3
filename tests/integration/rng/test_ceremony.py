"""Two people at the console: keys, genesis, unlock, draw, stop, unlock, draw.

With a wrong passphrase, a missing person and a damaged file on the way: refused in plain words,
and nothing is lost.
"""

import subprocess
from pathlib import Path

import pytest

from rng.ceremony import write_once
from rng.verify import verify
from tests.full_disk import file_size_limit
from tests.rng_ceremony import WORDS, KeyCeremony, await_answer, keno_rng, said


def test_two_people_play_the_whole_ceremony(ceremony: KeyCeremony) -> None:
    screens = [ceremony.make_keys()]
    ceremony.draft()
    screens.append(ceremony.finish())
    ceremony.start("witness", ceremony.w, "--genesis", ceremony.genesis_file)
    await_answer(ceremony.w / "witness.socket")
    generator = ceremony.serve()
    screens.append(ceremony.unlock(1))
    house = ceremony.house()
    house.begin()
    first = house.play()
    generator.terminate()
    assert generator.wait(30) == 0
    ceremony.serve()
    screen = ceremony.unlock(2)
    assert first.digest in screen.screen  # the head, to compare with the witness's paper
    assert first.digest in said("journal", ceremony.w)
    screens.append(screen)
    house.begin()
    house.play()
    report = verify(house.lines())
    assert (report.games, report.boot) == (2, 2)
    for screen in screens:
        for words in WORDS.values():
            assert words not in screen.screen, "a passphrase was shown"


def test_what_goes_wrong_is_told_in_plain_words_and_loses_nothing(ceremony: KeyCeremony) -> None:
    ceremony.make_keys()
    ceremony.draft()
    ceremony.finish()
    ceremony.serve()

    screen = ceremony.terminal("unlock", ceremony.r)
    screen.expect("Inspector: where")
    screen.type(str(ceremony.key_file("inspector")))
    screen.expect("passphrase")
    screen.type("a wrong passphrase")
    screen.expect("The passphrase is wrong, or the key file is damaged")
    screen.expect("Please try again")
    screen.type(str(ceremony.key_file("supervisor")))
    screen.expect("This is the supervisor's key, not the inspector's.")
    screen.type(str(ceremony.folder / "nothing"))
    screen.expect("cannot be read: No such file")
    screen.expect("The key of the inspector was not opened. Nothing has been changed")
    assert screen.end() == 1

    screen = ceremony.terminal("unlock", ceremony.r)
    screen.expect("Inspector: where")
    screen.type(str(ceremony.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    screen.expect("Supervisor: where")
    screen.type("")
    screen.expect("Both people are needed, and the supervisor is missing")
    assert screen.end() == 1

    screen = ceremony.terminal("unlock", ceremony.r)
    ceremony.give_keys(screen)
    screen.expect("Type yes:")
    screen.type("no")
    screen.expect("The inspector did not say yes. Nothing has been changed")
    assert screen.end() == 1

    damaged = ceremony.key_file("supervisor")
    whole = damaged.read_bytes()
    damaged.write_bytes(whole[:100])
    screen = ceremony.terminal("unlock", ceremony.r)
    screen.expect("Inspector: where")
    screen.type(str(ceremony.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    for _ in range(3):
        screen.expect("Supervisor: where")
        screen.type(str(damaged))
        screen.expect("The key file is damaged: .* Take the copy")
    assert screen.end() == 1

    damaged.write_bytes(whole)
    ceremony.unlock(1)


def test_two_inspectors_keys_and_keys_of_another_house_do_not_open(
    ceremony: KeyCeremony, tmp_path: Path
) -> None:
    ceremony.make_keys()
    ceremony.draft()
    ceremony.finish()
    ceremony.serve()
    (tmp_path / "other").mkdir()
    other = KeyCeremony(tmp_path / "other")
    other.make_keys()
    screen = ceremony.terminal("unlock", ceremony.r)
    screen.expect("Inspector: where")
    screen.type(str(ceremony.key_file("inspector")))
    screen.expect("passphrase")
    screen.type(WORDS["inspector"])
    screen.expect("Supervisor: where")
    screen.type(str(other.key_file("supervisor")))
    screen.expect("passphrase")
    screen.type(WORDS["supervisor"])
    screen.expect("These two keys do not open this generator. Nothing has been changed")
    assert screen.end() == 1


def test_test_keys_never_found_anything_live(ceremony: KeyCeremony) -> None:
    ceremony.make_keys()
    key = "11" * 32
    done = subprocess.run(
        keno_rng("genesis", "draft", ceremony.r, ceremony.genesis_file, "--site", "x", "--location",
                 "y", "--mode", "live", "--witness-key", key, "--server-key", "22" * 32),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "made for tests" in done.stderr


def test_test_keys_do_not_open_a_live_chain_even_if_somebody_signs_one(
    ceremony: KeyCeremony,
) -> None:
    ceremony.make_keys()
    roster = ceremony.r / "roster"
    roster.write_bytes(roster.read_bytes().replace(b'"test"', b'"live"'))  # somebody cheats
    witness_key = said("keys", "witness", ceremony.w)
    server_key = said("keys", "server", ceremony.folder / "server.key")
    said("genesis", "draft", ceremony.r, ceremony.genesis_file, "--site", "x", "--location", "y",
         "--mode", "live", "--witness-key", witness_key, "--server-key", server_key)  # fmt: skip
    said("genesis", "sign", ceremony.genesis_file, "--key", ceremony.w / "witness.key")
    said("genesis", "sign", ceremony.genesis_file, "--key", ceremony.folder / "server.key")
    screen = ceremony.terminal("genesis", "finish", ceremony.r, ceremony.genesis_file)
    screen.expect("LIVE")
    for _ in range(3):
        screen.expect("Inspector: where")
        screen.type(str(ceremony.key_file("inspector")))
        screen.expect("This key was made for tests. It opens nothing of value")
    assert screen.end() == 1


def test_live_keys_are_not_made_on_the_generators_disk(ceremony: KeyCeremony) -> None:
    screen = ceremony.terminal(
        "keys", "new", ceremony.r,
        "--inspector", ceremony.media["inspector"], "--supervisor", ceremony.media["supervisor"],
    )  # fmt: skip
    screen.expect("--test-keys")
    screen.expect("Nothing has been changed")
    assert screen.end() == 1


def test_passphrases_that_differ_or_are_short_are_asked_for_again(ceremony: KeyCeremony) -> None:
    screen = ceremony.terminal(
        "keys", "new", ceremony.r, "--test-keys",
        "--inspector", ceremony.media["inspector"], "--supervisor", ceremony.media["supervisor"],
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
    screen = ceremony.terminal(
        "keys", "new", ceremony.r, "--test-keys",
        "--inspector", ceremony.media["inspector"], "--supervisor", ceremony.media["supervisor"],
    )  # fmt: skip
    screen.expect("has a generator's key already. Nothing has been changed")
    assert screen.end() == 1


def test_a_full_disk_leaves_no_half_of_a_key_behind(tmp_path: Path) -> None:
    path = tmp_path / "key"
    with file_size_limit(100), pytest.raises(OSError, match="File too large"):
        write_once(path, b"k" * 400)
    assert not path.exists()
    write_once(path, b"k" * 400)
    assert path.read_bytes() == b"k" * 400


@pytest.mark.parametrize(
    "arguments",
    [("unlock", "R"), ("genesis", "finish", "R", "genesis"), ("void", "R", "request", "order")],
)
def test_people_are_needed_not_programs(arguments: tuple[str, ...]) -> None:
    done = subprocess.run(
        keno_rng(*arguments), capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 1
    assert "people at the generator's own console" in done.stderr
