"""SIGKILL at every step of the protocol: the same numbers come out, once, and the chain verifies.

A victim is killed while a question is on its way, so before, during or after its answer.
"""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from rng.journal import read_entries
from rng.records import read_message
from rng.verify import verify
from rng.witnessing import JOURNAL as W_JOURNAL
from rng.worker import JOURNAL
from tests.counts import count
from tests.rng_house import STEPS, DrawServer
from tests.rng_processes import Processes, Unavailable, send_and_forget

VICTIMS = ("r", "W", "rW", "R", "RW")
"""r: R's worker; R: its parent too, so that two people must come; W: the witness."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Processes]:
    processes = Processes(tmp_path)
    yield processes
    processes.end()


def disturb(running: Processes, game: int, step: str, victims: str, chance: Random) -> None:
    """Ask for a step and kill before the answer is read, sometimes before it can be made."""
    made = running.house.ledger.get(game, {})
    asked = {
        "commit_r": (running.socket_r, "commit", ()),
        "commit_w": (running.socket_w, "commit", ("commit_r",)),
        "countersign": (running.socket_w, "close", ("close",)),
        "result": (running.socket_r, "draw", ("commit_w", "close", "countersign")),
        "attest": (running.socket_w, "attest", ("result",)),
    }.get(step)
    if asked and chance.random() < 0.8:
        path, name, needs = asked
        question = running.question(name, game, *(made[each] for each in needs))
        send_and_forget(path, question)
    running.kill(victims)


def take(running: Processes, game: int, step: str) -> None:
    """Ask for a step until it is answered."""
    for _ in range(5):
        try:
            running.house.step(game, step)
        except Unavailable:
            running.revive()
        else:
            return
    raise AssertionError(f"{step} of game {game} was never answered")


def void(running: Processes, game: int, victims: str, chance: Random) -> None:
    """Let two people void a game, and kill while their order is on its way to W or to R."""
    house = running.house
    made, order = house.ledger[game], house.order_void(game)
    path, question = running.socket_w, running.question("void", game, order)
    if chance.random() < 0.5:
        answer = running.ask_w(question)["messages"][0]
        reveal_w = read_message(answer, "reveal")
        path = running.socket_r
        question = running.question("void", game, made["commit_w"], order, reveal_w)
    if chance.random() < 0.8:
        send_and_forget(path, question)
    running.kill(victims)
    running.revive()
    for _ in range(5):
        try:
            house.void(game, order)
        except Unavailable:
            running.revive()
        else:
            return
    raise AssertionError(f"the void of game {game} was never answered")


def test_a_killed_party_goes_on_with_the_same_numbers(running: Processes) -> None:
    chance = Random(4)
    kills = 0
    plan = [(step, victims) for step in (*STEPS, "void") for victims in VICTIMS]
    while kills < count(len(plan), 3000):
        game = running.house.game
        at, victims = plan[kills % len(plan)]
        last = STEPS.index("attest") if at != "void" else chance.randrange(1, 5)
        for step in STEPS[: last + 1]:
            if step == "close":
                running.house.step(game, "close")
            planned, victims = plan[kills % len(plan)]
            if planned == step:
                disturb(running, game, step, victims, chance)
                kills += 1
                running.revive()
            take(running, game, step)
        if at == "void":
            void(running, game, victims, chance)
            kills += 1
        if chance.random() < 0.3:  # S is killed too: it comes back with its ledger and no more
            restart_house(running)
    check_sound(running)


def restart_house(running: Processes) -> None:
    old = running.house
    running.house = DrawServer(running.ask_r, running.ask_w, old.keys, old.genesis, old.ledger,
                          old.unlocks, old.last_ticket, old.clock)  # fmt: skip


def check_sound(running: Processes) -> None:
    """The chain verifies; R, W and the house have the same one result or void for each game."""
    house = running.house
    report = verify(house.lines())
    assert report.games == house.game - 1
    assert not report.missing_reveals
    results, attested, voids = (
        {game: made[name].digest for game, made in house.ledger.items() if ends in made}
        for name, ends in (("result", "result"), ("result", "attest"), ("void", "void"))
    )
    assert attested.keys() | voids.keys() == house.ledger.keys()
    assert not attested.keys() & voids.keys()
    of_r = {
        kind: Counter(e["game"] for e in read_entries(running.folder_r / JOURNAL)
                      if e["kind"] == kind)
        for kind in ("draw", "void")
    }  # fmt: skip
    assert of_r == {"draw": Counter(list(results)), "void": Counter(list(voids))}
    record = house.record_of_w()
    for name, known in (("result", attested), ("void", voids)):
        of_w = [(each["game"], each.digest) for each in record if each.name == name]
        assert of_w == sorted(known.items())
    kinds = Counter(entry["kind"] for entry in read_entries(running.folder_w / W_JOURNAL))
    closed = [made for made in house.ledger.values() if "countersign" in made]
    assert (kinds["attest"], kinds["close"], kinds["void"]) == (
        len(attested), len(closed), len(voids),
    )  # fmt: skip
    assert not kinds["halt"]


def test_a_crashed_worker_needs_no_people_and_a_killed_parent_does(running: Processes) -> None:
    running.house.play()
    worker = running.worker()
    running.kill("r")
    running.wait()
    assert running.worker() != worker
    running.house.play()
    boots = len(running.house.unlocks)
    running.kill("R")
    running.r = running.start_r()
    running.wait()
    answer = running.ask_r(running.question("commit", running.house.game))
    assert answer["refused"] == "locked"
    assert running.unlock() == {"boot": boots + 1}
    running.house.begin()
    running.house.play()
    check_sound(running)


def test_the_worker_dies_with_its_parent(running: Processes) -> None:
    worker = Path(f"/proc/{running.worker()}/exe")
    assert worker.exists()
    running.kill("R")
    until = time.monotonic() + 10
    while worker.exists():  # a process that has ended has no program any more
        assert time.monotonic() < until, "the worker lives on without its parent"
        time.sleep(0.01)
