"""Running the `keno` command as a process of its own, and reading what it says."""

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests import programs

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "COLUMNS": "80"}

_RATIO = re.compile(r"-?(0|[1-9][0-9]*)/[1-9][0-9]*")
_SIX_PLACES = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]{6}")


@dataclass(frozen=True)
class Said:
    """What a command said, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def decoded(self) -> Any:
        """The one JSON document that stands on standard output and nothing beside it."""
        assert self.err == ""
        return json.loads(self.out)

    @property
    def refusal(self) -> str:
        """The code of a refusal in JSON, whose shape is always the same."""
        assert self.code == 1
        assert list(self.decoded) == ["error"]
        assert list(self.decoded["error"]) == ["code", "message"]
        assert self.decoded["error"]["message"].endswith(".")
        code: str = self.decoded["error"]["code"]
        return code


def keno(*arguments: str | Path, typed: str | bytes = "") -> Said:
    """Run a command, something typed on its standard input; it never ends with a traceback."""
    content = typed if isinstance(typed, bytes) else typed.encode()
    code, out, err = programs.run(
        programs.KENO, *arguments, typed=content, environment=ENVIRONMENT, folder=ROOT
    )
    said = Said(code, out.decode(), err.decode())
    assert "Traceback" not in said.err, said.err
    return said


def unheard(*arguments: str) -> Said:
    """Run a command whose reader has gone away before the first word."""
    with subprocess.Popen(
        [sys.executable, "-m", "keno", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
        env=ENVIRONMENT,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read().decode()
    return Said(process.returncode, "", err)


def write(folder: Path, text: str | bytes, name: str = "card.toml") -> Path:
    """A file with this in it."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def is_ratio(text: str) -> bool:
    """A fraction with its slash and in lowest terms."""
    if not _RATIO.fullmatch(text):
        return False
    exact = Fraction(text)
    return text == f"{exact.numerator}/{exact.denominator}"


def has_six_places(text: str) -> bool:
    return _SIX_PLACES.fullmatch(text) is not None
