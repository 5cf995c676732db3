"""The append-only file: durable before it counts, cut only where nobody ever heard of it."""

import os
from pathlib import Path
from typing import Any

import pytest

from rng.journal import Corrupt, Entry, InUse, NotDurable, PartyJournal, read_entries


def opened(path: Path) -> tuple[PartyJournal, list[Entry]]:
    seen: list[Entry] = []
    return PartyJournal(path, lambda _, entry: seen.append(entry)), seen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    journal, _ = opened(tmp_path / "journal")
    with journal:
        for number in range(5):
            journal.append({"kind": "note", "number": number})
    return tmp_path / "journal"


def numbers(entries: list[Entry]) -> list[int]:
    return [entry["number"] for entry in entries]


def test_what_was_appended_is_replayed(path: Path) -> None:
    journal, seen = opened(path)
    with journal:
        assert numbers(seen) == [0, 1, 2, 3, 4]
        place = journal.append({"kind": "note", "number": 5})
        assert journal.read(place) == {"kind": "note", "number": 5}
        assert numbers(list(journal.entries())) == [0, 1, 2, 3, 4, 5]
    assert numbers(list(read_entries(path))) == [0, 1, 2, 3, 4, 5]


def test_only_this_user_can_read_it(path: Path) -> None:
    assert path.stat().st_mode & 0o777 == 0o600


def test_every_place_where_the_last_line_can_be_torn(path: Path) -> None:
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        journal, seen = opened(path)
        with journal:
            assert numbers(seen) == [0, 1, 2, 3]
            journal.append({"kind": "note", "number": 9})
        journal, seen = opened(path)
        journal.close()
        assert numbers(seen) == [0, 1, 2, 3, 9]


def test_any_change_inside_is_corruption(path: Path) -> None:
    whole = path.read_bytes()
    for place in range(0, len(whole) - 1, 3):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(Corrupt):
            opened(path)


def test_a_lost_doubled_or_moved_line_is_corruption(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    for changed in (
        [*lines[:2], *lines[3:]],
        [*lines[:2], lines[2], lines[2], *lines[3:]],
        [lines[1], lines[0], *lines[2:]],
        lines[1:],
        [*lines, b"\n"],
    ):
        path.write_bytes(b"".join(changed))
        with pytest.raises(Corrupt):
            opened(path)


def test_a_file_that_never_ends_a_line_is_corruption(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"x" * 70_000)
    with pytest.raises(Corrupt):
        opened(path)


def test_it_is_written_by_one_process_alone(path: Path) -> None:
    journal, _ = opened(path)
    with journal, pytest.raises(InUse):
        opened(path)


@pytest.mark.parametrize("failing", ["fsync", "write"])
def test_when_the_disk_fails_nothing_counts_any_more(
    path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    def fail(*_: Any) -> int:
        raise OSError(5, "Input/output error")

    journal, _ = opened(path)
    with journal:
        with monkeypatch.context() as patched:
            patched.setattr(os, failing, fail)
            with pytest.raises(NotDurable):
                journal.append({"kind": "note", "number": 5})
        with pytest.raises(NotDurable):
            journal.append({"kind": "note", "number": 6})


def test_the_file_is_forced_to_the_disk_before_the_call_returns(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    order: list[str] = []
    write, fsync = os.write, os.fsync

    def writing(file: int, text: bytes) -> int:
        order.append("write")
        return write(file, text)

    def syncing(file: int) -> None:
        order.append("fsync")
        fsync(file)

    journal, _ = opened(path)
    monkeypatch.setattr(os, "write", writing)
    monkeypatch.setattr(os, "fsync", syncing)
    with journal:
        journal.append({"kind": "note", "number": 5})
    assert order == ["write", "fsync"]
