"""The files of halts beside the ledger, written while the disk fills up."""

from pathlib import Path

import pytest

from keno.store.halt_files import read_halts, write_halt
from rng.resuming import signed_halting
from tests.full_disk import file_size_limit
from tests.rng_house import Keys


def test_15_7_a_full_disk_leaves_the_file_of_a_halt_whole(tmp_path: Path) -> None:
    signer = Keys().signers["S"]
    fields = {"site": "Larkspur", "location": "main", "scope": "location", "fault": "row"}
    halt = signed_halting("halt", signer, **fields, found="a record is wrong", time_ms=1)
    write_halt(tmp_path, halt)
    (before,) = read_halts(tmp_path)
    with file_size_limit(64), pytest.raises(OSError, match="File too large"):
        write_halt(tmp_path, halt)
    assert read_halts(tmp_path) == [before]
    assert before.halt is not None
    assert before.halt.digest == halt.digest
