"""Every test and every planted mistake belongs to a part of the soak."""

import pytest

from tests.compliance import rows
from tests.soak import MISTAKES, PARTS, all_files, files_of, main, part_of, places_of


def test_every_file_of_tests_has_its_part() -> None:
    assert [file for file in all_files() if part_of(file) is None] == []
    assert [part for part in PARTS if not files_of(part)] == []


def test_every_rule_has_its_part() -> None:
    planted = [path for part in MISTAKES for path in places_of(part)]
    assert sorted(planted) == sorted({path for row in rows() for path, _ in row.code})
    assert all(map(places_of, MISTAKES))


def test_without_a_part_all_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert all(f"PART={part} " in listed for part in (*PARTS, *MISTAKES))
    assert main(["nothing"]) == 2
