"""Checks the pages' JavaScript as `make lint` does: prettier for the form, tsc for the types.

`python -m tests.javascript --write` formats the files instead.
"""

import subprocess
import sys
from pathlib import Path

from tests.npm import NODE, brought

ROOT = Path(__file__).resolve().parent.parent
FORMATTED = ("keno/pages/**/*.{js,ts}", "writer_station/ui/**/*.{js,ts}", "tests/unit/web/**/*.js")


def formatted(how: str) -> bool:
    """Run prettier with --check or --write; return whether it succeeds."""
    program = brought("prettier") / "bin" / "prettier.cjs"
    return _runs(str(program), how, "--log-level=warn", *FORMATTED)


def typed() -> bool:
    """Run tsc on the files that tsconfig.json names; return whether it finds no error."""
    return _runs(str(brought("typescript") / "bin" / "tsc"), "--project", "tsconfig.json")


def _runs(*words: str) -> bool:
    return subprocess.run([NODE, *words], cwd=ROOT, check=False).returncode == 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        sys.exit(not formatted("--write"))
    sys.exit(not all((formatted("--check"), typed())))
