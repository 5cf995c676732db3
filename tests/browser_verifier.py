"""Runs the browser's verifier from Python: writes proof files and lets node verify them all."""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rng.canonical import decode_line, encode_line
from rng.tree import inclusion_path, leaf_hash
from rng.verify import NotVerified, Report, VerifyOptions, verify
from tests.npm import NODE, TESTS
from tests.rng_chain import CODE

PROGRAM = TESTS / "unit" / "web" / "verify-files.js"


@dataclass(frozen=True)
class Case:
    """A proof to verify: the lines of a chain or game, and optionally a ticket's proof."""

    lines: tuple[bytes, ...]
    ticket: bytes | None = None
    genesis: str | None = None
    part: bool = False  # what Python is told; a browser sees it

    def by_python(self) -> Report | int:
        """Verify the case in Python; return the report, or the step that fails."""
        tickets = () if self.ticket is None else (self.ticket,)
        try:
            question = VerifyOptions(
                genesis=self.genesis, tickets=tickets, part=self.part, workers=1
            )
            return verify(self.lines, question)
        except NotVerified as fault:
            return fault.step


@dataclass(frozen=True)
class BrowserReport:
    """The report of the browser's verifier on a case."""

    report: dict[str, Any]

    @property
    def steps(self) -> dict[int, str]:
        return {each["step"]: each["state"] for each in self.report["steps"]}

    @property
    def fault(self) -> int | None:
        """The step that failed, None if none did; asserts the states of the other steps."""
        failed = [step for step, state in self.steps.items() if state == "failed"]
        assert len(failed) <= 1
        assert self.report["proven"] == all(state == "good" for state in self.steps.values())
        if not failed:
            return None
        for step, state in self.steps.items():
            assert (
                state == ("good", "failed", "not reached")[(step > failed[0]) + (step >= failed[0])]
            )
        return failed[0]

    def words(self, step: int) -> str:
        return "".join(each["words"] for each in self.report["steps"] if each["step"] == step)


def by_browser(folder: Path, cases: Iterable[Case]) -> list[BrowserReport]:
    """Verify every case by the browser's verifier in node; return the reports in order."""
    folder.mkdir(exist_ok=True)
    named = []
    for number, case in enumerate(cases):
        chain, ticket = folder / f"{number}.proof", folder / f"{number}.ticket"
        chain.write_bytes(b"".join(case.lines))
        names = {"chain": str(chain)} | ({"genesis": case.genesis} if case.genesis else {})
        if case.ticket is not None:
            ticket.write_bytes(case.ticket)
            names["ticket"] = str(ticket)
        named.append(names)
    (folder / "cases").write_text(json.dumps(named), encoding="utf-8")
    done = subprocess.run(
        [NODE, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", PROGRAM, folder / "cases"],
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b""), done.stderr.decode()
    return [BrowserReport(each) for each in json.loads(done.stdout)]


def agreeing(folder: Path, cases: list[Case]) -> list[BrowserReport]:
    """Verify cases in node and in Python, assert that both agree, and return node's reports."""
    said = by_browser(folder, cases)
    for case, each in zip(cases, said, strict=True):
        python = case.by_python()
        shown = each.report["steps"]
        if isinstance(python, Report):
            assert each.fault is None, shown
            assert each.report["head"] == python.head
            assert each.report["boot"] == python.boot
            assert each.report["genesis"] == python.chains[0]
            assert each.report["mode"] == python.mode
        else:
            assert each.fault == python, (python, shown)
    return said


def ticket_proof(
    leaves: list[bytes], index: int, game: int, code: str = CODE, **changed: object
) -> bytes:
    """Return the proof, as one line, that a ticket is the leaf `index` of a game's book."""
    path = inclusion_path([leaf_hash(leaf) for leaf in leaves], index)
    proof = {
        "code": code,
        "game": game,
        "index": index,
        "leaf": decode_line(leaves[index] + b"\n"),
        "path": [each.hex() for each in path],
    }
    return encode_line(proof | changed)


def alone(lines: list[bytes], game: int) -> tuple[bytes, ...]:
    """Return the proof of one game as the server sends it: its line and the opening lines."""
    opening = [line for line in lines if line.startswith(b'{"body":')]
    games = [line for line in lines if not line.startswith(b'{"body":')]
    number: Any
    for line in games:
        number = decode_line(line)
        if number["commit_r"]["body"]["game"] == game:
            return (*opening, line)
    raise LookupError(game)
