"""Runs the tests with far more cases, in parts of at most an hour: `make soak PART=draw`.

Without a part it lists the parts. Parts called `mistakes` plant mistakes in the code that
COMPLIANCE.md names.
"""

import os
import subprocess
import sys
from pathlib import Path

from tests.compliance import ROOT, rows

WAGERS = ("request_text", "request_json", "wager", "wager_types", "pricing", "ways")
CARDS = ("cardfile", "cardfile_fuzz", "cardtext", "certify", "example_card", "minimum_ticket")
PARTS = {
    "wagers": tuple(f"tests/unit/test_{name}.py" for name in WAGERS),
    "cards": tuple(f"tests/unit/test_{name}.py" for name in CARDS),
    "pages": ("tests/unit/web/test_*.py", "tests/unit/test_browser_*.py"),
    "domain": ("tests/unit/test_*.py",),
    "papers": (
        "tests/unit/documents/test_*.py",
        "tests/unit/printer/test_*.py",
        "tests/integration/printer/test_*.py",
    ),
    "rng": ("tests/unit/rng/test_*.py", "tests/integration/rng/test_*.py"),
    "draw": ("tests/integration/draw/test_*.py",),
    "conductor": ("tests/integration/conductor/test_*.py",),
    "ledger": ("tests/integration/ledger/test_*.py",),
    "audit": ("tests/integration/audit/test_*.py",),
    "crash": ("tests/integration/crash/test_*.py",),
    "station": ("tests/unit/station/test_*.py", "tests/integration/station/test_*.py"),
    "web": ("tests/integration/web/test_*.py",),
    "commands": ("tests/integration/test_*.py", "tests/test_*.py"),
    "day": ("tests/simulation/test_scripted_day.py", "tests/simulation/test_seeded_year.py"),
    "model": ("tests/simulation/test_stateful.py",),
    "browser": ("tests/browser/test_*.py",),
    "e2e": ("tests/e2e/test_*.py",),
}
"""The test files of each part; a file belongs to the first part that names it."""
MISTAKES = {
    "mistakes-wager": ("keno/domain/wager.py",),
    "mistakes-cards": (
        "keno/domain/certify.py",
        "keno/domain/pricing.py",
        "keno/domain/minimum_ticket.py",
    ),
    "mistakes-domain": ("keno/domain/",),
    "mistakes-papers": ("keno/documents/", "printer/"),
    "mistakes-draw": ("rng/", "keno/draw/coordinator.py", "keno/games/conductor.py"),
    "mistakes-pages": ("keno/pages/", "writer_station/"),
    "mistakes-service": ("keno/service/", "keno/store/"),
    "mistakes-house": ("",),
}
"""The code of each part in which mistakes are planted, by path prefixes.

A file belongs to the first part that names it.
"""
SIDE_BY_SIDE = ("-n", "4", "--dist", "loadfile", "--no-loadscope-reorder")


def all_files() -> list[str]:
    return sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("tests/**/test_*.py"))


def part_of(file: str) -> str | None:
    """Return the part that a test file belongs to; None without one."""
    for part, patterns in PARTS.items():
        for pattern in map(Path, patterns):
            if Path(file).parent == pattern.parent and Path(file).match(pattern.name):
                return part
    return None


def files_of(part: str) -> list[str]:
    return [file for file in all_files() if part_of(file) == part]


def places_of(part: str) -> list[str]:
    """Return the files of COMPLIANCE.md in which a part plants mistakes."""
    found = {path for row in rows() for path, _ in row.code}
    return sorted(
        path
        for path in found
        if next(each for each, places in MISTAKES.items() if path.startswith(places)) == part
    )


def main(wanted: list[str]) -> int:
    """Run the named parts and return the exit status; without names list all parts."""
    unknown = set(wanted) - PARTS.keys() - MISTAKES.keys()
    if unknown or not wanted:
        for part in PARTS:
            print(f"make soak PART={part:16} {len(files_of(part))} files of tests, far more cases")
        for part in MISTAKES:
            print(f"make soak PART={part:16} mistakes planted in {', '.join(places_of(part))}")
        return 2 if unknown else 0
    return max(_run(part) for part in wanted)


def _run(part: str) -> int:
    if part in MISTAKES:
        command = [sys.executable, "-m", "tests.mutation", *places_of(part)]
    else:
        command = [sys.executable, "-m", "pytest", "-vv", *SIDE_BY_SIDE, *files_of(part)]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"KENO_SOAK": "1"}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
