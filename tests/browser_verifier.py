"""The browser's verifier, asked from Python: files are written, node verifies them all at once."""

import json
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rng.canonical import decode_line, encode_line
from rng.tree import inclusion_path, leaf_hash
from rng.verify import NotVerified, Question, Report, verify
from tests.npm import NODE, TESTS
from tests.rng_chain import CODE

PROGRAM = TESTS / "unit" / "web" / "verify-files.js"


@dataclass(frozen=True)
class Case:
    """A proof as a patron has it: a game's lines, and perhaps a ticket's proof."""

    lines: tuple[bytes, ...]
    ticket: bytes | None = None
    genesis: str | None = None
    part: bool = False  # what Python is told; a browser sees it

    def by_python(self) -> Report | int:
        """The report of `keno verify`, or the step at which it stops."""
        tickets = () if self.ticket is None else (self.ticket,)
        try:
            question = Question(genesis=self.genesis, tickets=tickets, part=self.part, workers=1)
            return verify(self.lines, question)
        except NotVerified as fault:
            return fault.step


@dataclass(frozen=True)
class Said:
    """What the browser's verifier says of a case."""

    report: dict[str, Any]

    @property
    def steps(self) -> dict[int, str]:
        return {each["step"]: each["state"] for each in self.report["steps"]}

    @property
    def fault(self) -> int | None:
        """The step that failed, after showing that those around it are as they must be."""
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


def by_browser(folder: Path, cases: Iterable[Case]) -> list[Said]:
    """Let node verify every case; the files are what a patron would save."""
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
    return [Said(each) for each in json.loads(done.stdout)]


def agreeing(folder: Path, cases: list[Case]) -> list[Said]:
    """Let both verify, and show that they say the same."""
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
    """The proof that the holder of a ticket takes away."""
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
    """One game by itself, with the opening lines of its chain: what the server gives out."""
    opening = [line for line in lines if line.startswith(b'{"body":')]
    games = [line for line in lines if not line.startswith(b'{"body":')]
    number: Any
    for line in games:
        number = decode_line(line)
        if number["commit_r"]["body"]["game"] == game:
            return (*opening, line)
    raise LookupError(game)
