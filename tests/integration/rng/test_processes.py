"""The processes at their edges: sockets, a disk that fails, paper that is out, a new program."""

import json
import resource
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import rng
from rng.canonical import LINE_BYTES_MAX, encode_line
from rng.journal import read_entries
from rng.serving import EXIT_HALTED, EXIT_NOT_DURABLE
from rng.verify import verify_files
from rng.witnessing import JOURNAL as W_JOURNAL
from rng.worker import JOURNAL
from tests.rng_house import STEPS
from tests.rng_processes import PATIENCE_S, Processes, Unavailable, ask_at


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Processes]:
    processes = Processes(tmp_path)
    yield processes
    processes.end()


def eventually(holds: Callable[[], bool], within_s: float = 15.0) -> None:
    until = time.monotonic() + within_s
    while not holds():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.02)


def command(*arguments: str | Path) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-m", "rng.cli", *map(str, arguments)]
    return subprocess.run(line, capture_output=True, text=True, check=False, timeout=60)


def spoken(path: Path, sent: bytes) -> bytes:
    """What comes back for raw bytes."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(path))
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        return connection.makefile("rb").read()


# ---------------------------------------------------------------- sockets


def test_several_questions_on_one_connection_are_answered_in_order(running: Processes) -> None:
    asked = [running.question("commit", game) for game in (1, 2, 3)]
    answers = spoken(running.socket_r, b"".join(map(encode_line, asked))).splitlines()
    games = [json.loads(line).get("messages", [{}])[0] for line in answers[:2]]
    assert [each["body"]["game"] for each in games] == [1, 2]
    assert json.loads(answers[2])["refused"] == "wrong_game"


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (b"\n", "malformed"),
        (b"{}\n", "malformed"),
        (b'{"ask":"commit"}\n', "malformed"),
        (b"\xff\xfe\n", "malformed"),
        (b"x" * (LINE_BYTES_MAX + 100) + b"\n", "malformed"),
    ],
)
def test_nonsense_is_refused_and_the_party_lives_on(
    running: Processes, sent: bytes, code: str
) -> None:
    for path in (running.socket_r, running.socket_w):
        assert json.loads(spoken(path, sent).splitlines()[0])["refused"] == code
    running.house.play()


def test_an_unknown_question_or_chain_is_refused(running: Processes) -> None:
    for path in (running.socket_r, running.socket_w):
        assert ask_at(path, running.question("redraw", 1))["refused"] == "unknown_question"
        other = running.question("commit", 1) | {"chain": "11" * 32}
        assert ask_at(path, other)["refused"] == "unknown_chain"


def test_the_sockets_are_closed_to_strangers(running: Processes) -> None:
    assert running.socket_r.stat().st_mode & 0o777 == 0o660
    assert (running.folder_r / "console.socket").stat().st_mode & 0o777 == 0o600


def test_a_second_generator_or_witness_on_the_same_folder_does_not_start(
    running: Processes,
) -> None:
    second = command("witness", running.folder_w, "--listen", f"unix:{running.folder_w}/other")
    assert second.returncode == 1
    assert "in use" in second.stderr


# ---------------------------------------------------------------- a disk that fails


def full(process: int, journal: Path) -> None:
    """Let a process write not a byte more to its journal."""
    size = journal.stat().st_size
    resource.prlimit(process, resource.RLIMIT_FSIZE, (size + 10, size + 10))


def test_when_r_s_disk_fails_it_ends_and_nothing_is_answered(running: Processes) -> None:
    full(running.worker(), running.folder_r / JOURNAL)
    with pytest.raises(Unavailable):
        running.house.step(1, "commit_r")
    assert running.r.join(PATIENCE_S) == EXIT_NOT_DURABLE
    assert not [e for e in read_entries(running.folder_r / JOURNAL) if e["kind"] == "commit"]
    running.revive()
    running.house.play()


def test_when_w_s_disk_fails_it_ends_and_nothing_is_answered(running: Processes) -> None:
    running.house.commit(1)
    running.house.step(1, "close")
    full(running.w.pid, running.folder_w / W_JOURNAL)
    with pytest.raises(Unavailable):
        running.house.step(1, "countersign")
    assert running.w.join(PATIENCE_S) == EXIT_NOT_DURABLE
    running.revive()
    running.house.play()


def test_a_damaged_journal_halts(running: Processes) -> None:
    running.house.play()
    running.kill("RW")
    for journal in (running.folder_r / JOURNAL, running.folder_w / W_JOURNAL):
        written = journal.read_bytes()
        place = len(written) // 2
        journal.write_bytes(written[:place] + b"\x00" + written[place + 1 :])
    assert command("serve", running.folder_r).returncode == EXIT_HALTED
    refused = command("witness", running.folder_w)
    assert refused.returncode == EXIT_HALTED
    assert "witness.journal at byte" in refused.stderr


# ---------------------------------------------------------------- paper


def test_the_journal_is_printed_and_can_be_printed_again(running: Processes) -> None:
    result = running.house.play()
    paper = running.folder_w / "journal.txt"
    eventually(lambda: paper.exists() and result.digest in paper.read_text())
    said = paper.read_text()
    numbers = " ".join(f"{number:02}" for number in result["numbers"])
    assert f"GAME 1 main NO VALUE DRAWN {numbers}" in said
    assert "UNLOCK boot 1" in said
    again = command("journal", running.folder_w)
    assert again.stdout == said
    assert command("journal", running.folder_w, "--day", "2001-01-01").stdout == ""


def test_paper_gates_nothing_and_nothing_is_left_out(running: Processes, tmp_path: Path) -> None:
    running.kill("W")
    missing = tmp_path / "printer"
    running.w = running.start("witness", str(running.folder_w), "--printer", f"device:{missing}")
    running.wait()
    head = running.house.play().digest
    eventually(lambda: "does not take lines" in command("journal", running.folder_w).stdout)
    running.kill("W")
    missing.touch()
    running.w = running.start("witness", str(running.folder_w), "--printer", f"device:{missing}")
    running.wait()
    eventually(lambda: head in missing.read_text())
    assert "ALARM" in missing.read_text()


def test_a_printer_over_tcp(running: Processes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as printer:
        running.kill("W")
        target = f"tcp:127.0.0.1:{printer.getsockname()[1]}"
        running.w = running.start("witness", str(running.folder_w), "--printer", target)
        printed = b""
        while b"WITNESS STARTS, number 2" not in printed:
            connection, _ = printer.accept()
            with connection:
                printed += connection.makefile("rb").read()


# ---------------------------------------------------------------- unlock and verify


def test_a_second_unlock_or_one_for_another_program_is_refused(running: Processes) -> None:
    assert "open already" in running.unlock()["problem"]
    running.kill("R")
    running.r = running.start_r()
    running.wait()
    unlock = running.keys.unlock
    running.keys.unlock = lambda *given: unlock(*given, code="11" * 32)  # type: ignore[method-assign]
    assert "program has changed" in running.unlock()["problem"]
    running.keys.unlock = unlock  # type: ignore[method-assign]
    assert running.unlock() == {"boot": 2}


def test_one_person_s_signature_does_not_unlock(running: Processes) -> None:
    running.kill("R")
    running.r = running.start_r()
    running.wait()
    unlock = running.house.unlocks[0].written()
    unlock["sigs"].popitem()
    order = {"dek": running.keys.dek.hex(), "unlock": unlock}
    assert "not complete" in ask_at(running.folder_r / "console.socket", order)["problem"]
    order = {"dek": "11" * 32, "unlock": running.house.unlocks[0].written()}
    assert "did not take" in ask_at(running.folder_r / "console.socket", order)["problem"]
    running.wait()
    answer = running.ask_r(running.question("commit", 1))
    assert answer["refused"] == "locked"


def test_the_verify_command_says_what_it_found(running: Processes, tmp_path: Path) -> None:
    running.house.play()
    for step in STEPS[:4]:
        running.house.step(2, step)
    chain = tmp_path / "chain"
    chain.write_bytes(b"".join(running.house.lines()))
    head = verify_files([chain]).head
    posted = ("--genesis", running.house.genesis.chain)
    said = command("verify", chain, *posted)
    assert said.returncode == 0
    assert "NO VALUE" in said.stdout
    assert "game 2: open after countersign" in said.stdout
    assert f"head      {head}" in said.stdout
    assert json.loads(command("verify", chain, "--json").stdout)["report"]["head"] == head
    chain.write_bytes(chain.read_bytes().replace(b'"numbers":[', b'"numbers":[ '))
    said = command("verify", chain)
    assert said.returncode == 1
    assert said.stdout.startswith("NOT VERIFIED: game 1, step 2")
    fault = json.loads(command("verify", chain, "--json").stdout)["fault"]
    assert (fault["game"], fault["step"]) == (1, 2)


def test_a_changed_program_is_locked_at_its_next_restart(tmp_path: Path) -> None:
    """Code put in after certification: the key is not handed to it."""
    copy = tmp_path / "program"
    shutil.copytree(Path(rng.__file__).parent, copy / "rng")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(copy))
        patched.chdir(copy)
        (tmp_path / "house").mkdir()
        running = Processes(tmp_path / "house")
        try:
            running.house.play()
            with (copy / "rng" / "draw.py").open("a") as file:
                file.write("# on certain days\n")
            running.kill("r")
            running.wait()
            answer = running.ask_r(running.question("commit", 2))
            assert answer["refused"] == "locked"
            assert "program has changed" in (tmp_path / "house" / "log").read_text()
        finally:
            running.end()
