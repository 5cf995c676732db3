"""Starts a seller, watches it from outside, and kills it at a chosen moment."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import msgspec

from tests.integration.commands import ROOT
from tests.integration.crash.workload import SellerRequest

PATIENCE_S = 60
"""How long a busy machine may take to reach the moment."""


@dataclass
class SellerLog:
    """What a seller had said when it died."""

    asked: dict[str, SellerRequest] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def unknown(self) -> list[SellerRequest]:
        """Requests whose answer died with the seller, or was a fault."""
        told = self.answers.keys() | self.refused.keys()
        return [asked for request_id, asked in self.asked.items() if request_id not in told]


def heard(text: bytes) -> SellerLog:
    """Read what a seller said; a line without its end was not said."""
    said = SellerLog()
    for line in text.decode().split("\n")[:-1]:
        word, *rest = line.split("\t")
        if word == "ask":
            asked = msgspec.json.decode(rest[0], type=SellerRequest)
            said.asked[asked.request_id] = asked
        elif word == "ack":
            said.answers[rest[0]] = rest[1]
        elif word == "no":
            said.refused[rest[0]] = rest[1]
        elif word == "fault":
            said.faults[rest[0]] = rest[1]
    return said


class Seller:
    """A running seller and the files it writes."""

    def __init__(self, database: Path, process: "subprocess.Popen[bytes]", voice: Path) -> None:
        self.process = process
        self.voice = voice
        self.log = database.with_name(database.name + "-wal")
        self.head = database.with_name(database.name + ".head")

    def said(self) -> bytes:
        return self.voice.read_bytes()

    def log_bytes(self) -> int:
        return self.log.stat().st_size if self.log.exists() else 0

    def until(self, reached: Callable[[], bool], pause_s: float = 0.002) -> None:
        """Watch; without a pause as closely as this machine allows."""
        deadline = time.monotonic() + PATIENCE_S
        while not reached():
            assert self.process.poll() is None, "the seller ended by itself"
            assert time.monotonic() < deadline, "the moment never came"
            if pause_s:
                time.sleep(pause_s)

    def until_writing(self) -> None:
        """The first batch is on its way."""
        self.until(lambda: self.log_bytes() > 0)

    def until_changed(self, look: Callable[[], object], times: int) -> None:
        for _ in range(times):
            before = look()
            self.until(lambda before=before: look() != before, pause_s=0)  # type: ignore[misc]

    def until_rest(self) -> None:
        self.until(lambda: self.said().endswith(b"rest\n"))


def at_a_random_time(seller: Seller, random: Random) -> None:
    """Anywhere, from the start of the process on."""
    time.sleep(random.uniform(0.3, 1.0))
    assert seller.process.poll() is None


def after_an_answer(seller: Seller, random: Random) -> None:
    """As soon as so many answers are out."""
    answers = random.randint(1, 200)
    seller.until(lambda: seller.said().count(b"\nack\t") >= answers, pause_s=0.0005)


def as_the_log_grows(seller: Seller, random: Random) -> None:
    """While a batch is being written, before its commit is durable."""
    seller.until_writing()
    seller.until_changed(seller.log_bytes, random.randint(1, 30))


def as_the_head_changes(seller: Seller, random: Random) -> None:
    """When a batch is durable and nobody has been told."""
    seller.until_writing()
    seller.until_changed(seller.head.read_bytes, random.randint(1, 15))


def between_log_and_head(seller: Seller, random: Random) -> None:
    """A batch is written; its head perhaps not yet."""
    seller.until_writing()
    seller.until_changed(seller.head.read_bytes, random.randint(1, 10))
    seller.until_changed(seller.log_bytes, 1)
    until = time.monotonic() + random.uniform(0, 0.003)
    while time.monotonic() < until:
        os.sched_yield()


def as_it_starts(seller: Seller, random: Random) -> None:
    """Its log is there, its callers have hardly begun."""
    seller.until_writing()
    time.sleep(random.uniform(0, 0.01))


MOMENTS = (
    at_a_random_time,
    after_an_answer,
    as_the_log_grows,
    as_the_head_changes,
    between_log_and_head,
    as_it_starts,
)


@contextmanager
def selling(
    database: Path,
    *words: str,
    environment: Mapping[str, str] | None = None,
    file_bytes_max: int = resource.RLIM_INFINITY,
) -> Iterator[Seller]:
    """A seller in a process of its own; killed at the end in any case."""
    voice = database.with_name(f"said.{words[0]}")
    complaints = database.with_name(f"complaints.{words[0]}")
    with voice.open("wb") as out, complaints.open("wb") as err:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.integration.crash.seller", str(database), *words],
            stdout=out,
            stderr=err,
            cwd=ROOT,
            env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **(environment or {})},
        )
    limit = (file_bytes_max, resource.RLIM_INFINITY)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limit)
    try:
        yield Seller(database, process, voice)
    except AssertionError as error:
        error.add_note(complaints.read_text())
        raise
    finally:
        process.kill()
        process.wait()
