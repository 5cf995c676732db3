"""Disk full: refused with a fault, nothing lost, and everything works again when space returns."""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from keno.store.ledger import CANNOT_WRITE
from tests.integration.commands import ROOT
from tests.integration.crash.killer import heard, selling
from tests.integration.crash.settling import outcomes, settle
from tests.integration.crash.workload import furnish

MOUNT = 'mount -t tmpfs -o size=2m none "$0" && exec "$@"'


def in_a_small_disk(folder: Path, *command: str) -> list[str]:
    """The command with a tmpfs of two megabytes on the folder, seen by nobody else."""
    return ["unshare", "-rm", "sh", "-c", MOUNT, str(folder), *command]


def may_mount() -> bool:
    """Some containers forbid it; there a limit on the size of files must do."""
    try:
        done = subprocess.run(
            in_a_small_disk(Path("/mnt"), "true"), capture_output=True, check=False
        )
    except FileNotFoundError:
        return False
    return done.returncode == 0


WAYS = ["limit", "ballast", "remount"] if may_mount() else ["limit"]


@pytest.mark.parametrize("way", WAYS)
def test_a_full_disk_refuses_and_recovers_in_the_same_process(way: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.integration.crash.full_disk", str(tmp_path), way]
    if way != "limit":
        command = in_a_small_disk(tmp_path, *command)
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    story = json.loads(done.stdout)
    assert story.pop("sold") >= 0
    assert story == {
        "lost": 0,
        "full": {"Fault": 50},
        "full_commands": [{"Fault": 1}] * 3,
        "seen": True,
        "again": {"Sold": 100},
        "commands": [{"Paid": 1}, {"Voided": 1}, {"Locked": 1}],
        "died": False,
        "complaints": [],
    }


def test_what_a_full_disk_refused_did_not_happen_even_after_a_crash(tmp_path: Path) -> None:
    """The log has scraps of the refused batch; the next start must not make a sale of them."""
    database = furnish(tmp_path)
    with selling(database, "life", "24", "plain", file_bytes_max=400_000) as seller:
        seller.until(lambda: seller.said().count(b"\nfault\t") >= 100)
    said = heard(seller.said())
    assert said.answers
    assert set(said.faults.values()) == {CANNOT_WRITE}
    assert not said.faults.keys() & outcomes(database).keys()
    asyncio.run(settle(database, said))
