"""The command line: every help says something, and what is wrong is told in one line."""

from pathlib import Path

import pytest

from rng.cli import main
from rng.program import program_digest, program_parts
from rng.records import JURISDICTION

COMMANDS = [
    [],
    ["keys"],
    ["keys", "new"],
    ["keys", "witness"],
    ["keys", "server"],
    ["genesis"],
    ["genesis", "draft"],
    ["genesis", "sign"],
    ["genesis", "finish"],
    ["unlock"],
    ["void"],
    ["serve"],
    ["witness"],
    ["journal"],
    ["verify"],
    ["program"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_explains_itself(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main([*command, "--help"])
    assert exit_.value.code == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.startswith(f"usage: keno-rng {' '.join(command)}".rstrip())
    assert len(said) > 150


def test_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["--version"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out.startswith("keno-rng ")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "{tmp}"], "make keys first"),
        (["witness", "{tmp}"], "cannot be read"),
        (["verify", "{tmp}/none"], "No such file"),
        (["journal", "{tmp}"], "No such file"),
        (["genesis", "sign", "{tmp}/none", "--key", "x"], "cannot be read"),
        (["verify", "--book", "1", "{tmp}"], "not GAME=FILE"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    arguments: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([each.format(tmp=tmp_path) for each in arguments]) == 1
    said = capsys.readouterr().err
    assert said.startswith("keno-rng: ")
    assert words in said
    assert said.count("\n") == 1


def test_keys_of_witness_and_server_are_for_their_programs_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["keys", "witness", str(tmp_path / "w")]) == 0
    key = capsys.readouterr().out.strip()
    file = tmp_path / "w" / "witness.key"
    assert key.encode() in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    assert main(["keys", "witness", str(tmp_path / "w")]) == 1
    assert "not written over" in capsys.readouterr().err


def test_the_program_is_named_by_its_files_its_libraries_and_its_jurisdiction(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["program"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(program_digest())
    parts = program_parts()
    assert parts["jurisdiction"] == JURISDICTION == "US-NJ"
    assert {"draw.py", "generator.py", "records.py"} <= parts["files"].keys()
    assert parts["libraries"]["cryptography"]


def test_a_changed_file_is_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import rng.program  # noqa: PLC0415

    before = program_digest()
    copy = tmp_path / "rng"
    copy.mkdir()
    for file in Path(rng.program.__file__).parent.glob("*.py"):
        (copy / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(rng.program, "__file__", str(copy / "program.py"))
    assert program_digest() == before
    (copy / "records.py").write_bytes(
        (copy / "records.py").read_bytes().replace(b"US-NJ", b"US-NV")
    )
    assert program_digest() != before
