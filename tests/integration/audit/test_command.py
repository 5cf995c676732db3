"""`keno audit`: what it prints, its exit code, and what it says of a file that is no ledger."""

import json
import sqlite3
from pathlib import Path

import pytest

from keno.cli.main import main
from keno.store.schema import MIGRATIONS
from tests.integration.audit.tampering import copy_of, tampering
from tests.integration.commands import keno, write

Captured = pytest.CaptureFixture[str]


def refusal(capsys: Captured, *arguments: str | Path) -> tuple[str, str]:
    """The code of a refusal in JSON, and its sentence for a person."""
    command = ["audit", *map(str, arguments)]
    assert main([*command, "--json"]) == 1
    code = json.loads(capsys.readouterr().out)["error"]["code"]
    assert main(command) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(".\n")
    return code, said.err


def test_a_sound_ledger(quiet: Path) -> None:
    said = keno("audit", "--db", quiet)
    assert (said.code, said.err) == (0, "")
    lines = said.out.splitlines()
    days = [line for line in lines if line.startswith(("main ", "west "))]
    assert len(days) == 5
    assert all(line.endswith("  sound") for line in days)
    assert lines[-1].startswith("The ledger is sound: ")
    assert days[2].split()[:4] == ["main", "2027-11-17", "0", "1"]


def test_a_sound_ledger_as_json(quiet: Path, capsys: Captured) -> None:
    arguments = ["audit", "--db", str(quiet), "--json", "--sample", "3", "--seed", "9"]
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert said.err == ""
    report = json.loads(said.out)
    assert report["sound"] is True
    assert report["first_discrepancy"] is None
    assert len(report["days"]) == 5
    assert (report["sample"]["games"], report["sample"]["seed"]) == (3, 9)
    assert report["rows"] > 100


def test_an_unsound_ledger(quiet: Path, tmp_path: Path, capsys: Captured) -> None:
    path = copy_of(quiet, tmp_path)
    with tampering(path) as connection:
        connection.execute("UPDATE tickets SET price_cents = 700 WHERE number = 3")
    wrong = "tickets main 3, price_cents: is 700; it must be 100."
    said = keno("audit", "--db", path)
    assert (said.code, said.err) == (1, "")
    lines = said.out.splitlines()
    assert [line.split()[:2] for line in lines[:-1] if wrong in line] == [["main", "2026-11-15"]]
    assert lines[-1].startswith(f"The ledger is NOT SOUND. {wrong}")
    assert main(["audit", "--db", str(path), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["first_discrepancy"] == {
        "step": "replay",
        "table": "tickets",
        "key": {"location": "main", "number": 3},
        "column": "price_cents",
        "message": "is 700; it must be 100.",
    }


def test_a_head_that_is_named(quiet: Path, tmp_path: Path, capsys: Captured) -> None:
    path = copy_of(quiet, tmp_path)
    kept = path.with_name("ledger.db.head").rename(tmp_path / "kept.head")
    assert main(["audit", "--db", str(path)]) == 0
    assert "without a head file" in capsys.readouterr().out
    assert main(["audit", "--db", str(path), "--head", str(kept)]) == 0
    assert "up to its head" in capsys.readouterr().out
    missing = refusal(capsys, "--db", path, "--head", tmp_path / "none")
    assert missing[0] == "head_not_found"


def _database(path: Path, version: int) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE other (x)")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("missing", "not_found"),
        ("folder", "not_found"),
        ("text", "not_a_database"),
        ("empty", "not_a_ledger"),
        ("other", "not_a_ledger"),
        ("newer", "newer"),
    ],
)
def test_what_is_no_ledger_gets_a_sentence(
    tmp_path: Path, capsys: Captured, name: str, code: str
) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    if name == "text":
        write(tmp_path, "no database at all, but long enough to be one " * 100, name)
    if name == "empty":
        write(tmp_path, "", name)
    if name in ("other", "newer"):
        _database(path, 0 if name == "other" else len(MIGRATIONS) + 1)
    said, sentence = refusal(capsys, "--db", path)
    assert said == code
    assert len(sentence.splitlines()) == 1


def test_an_older_ledger_is_not_misjudged(quiet: Path, tmp_path: Path, capsys: Captured) -> None:
    path = copy_of(quiet, tmp_path)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    assert refusal(capsys, "--db", path)[0] == "older"


def test_help_says_what_it_does() -> None:
    said = keno("audit", "--help")
    assert said.code == 0
    for word in ("--db FILE", "--head FILE", "--sample N", "--seed N", "--json", "examples:"):
        assert word in said.out


@pytest.mark.parametrize("sample", ["-1", "many", "1.5"])
def test_a_sample_is_a_count(sample: str, capsys: Captured) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["audit", "--db", "x", f"--sample={sample}"])
    assert exit_.value.code == 2
    assert "--sample" in capsys.readouterr().err
