"""`keno audit` over a ledger, as anyone would run it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def check_audit(path: Path) -> str:
    """The audit must find the ledger sound; what it says."""
    command = [sys.executable, "-m", "keno", "audit", "--db", str(path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
