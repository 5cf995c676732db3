"""Installs the npm packages of tests and lint, as pinned in tests/package-lock.json."""

import fcntl
import json
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
BIN = Path(sys.executable).parent
NODE = BIN / "node"


def brought(package: str) -> Path:
    """Return the folder of an npm package, after installing the pinned version if needed."""
    folder = TESTS / "node_modules" / package
    with (TESTS / "package.json").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run side by side
        if _version(folder) != json.load(lock)["devDependencies"][package]:
            subprocess.run(
                [BIN / "npm", "ci", "--ignore-scripts", "--omit=optional", "--no-audit",
                 "--no-fund"],
                cwd=TESTS, check=True, timeout=300, stdout=subprocess.DEVNULL,
            )  # fmt: skip
    return folder


def _version(folder: Path) -> str:
    """Return the version of an installed package, empty if it is not installed."""
    file = folder / "package.json"
    return str(json.loads(file.read_text())["version"]) if file.exists() else ""
