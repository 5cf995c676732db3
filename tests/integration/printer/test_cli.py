"""keno-printer as a person types it."""

import subprocess
import sys
from pathlib import Path

import pytest

from printer.cli import main
from printer.png import read_png
from tests.integration.printer.decoding import read_qr


def run(*words: str) -> subprocess.CompletedProcess[str]:
    program = Path(sys.executable).with_name("keno-printer")
    return subprocess.run([program, *words], capture_output=True, text=True, check=False)


def test_a_test_page_on_a_virtual_printer(tmp_path: Path) -> None:
    done = run("test", f"virtual:{tmp_path}?paper=58")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "The printer is ready.\nPrinted. The printer confirmed it.\n"
    [text], [_] = list(tmp_path.glob("*.txt")), list(tmp_path.glob("*.png"))
    assert "NO VALUE" in text.read_text()


def test_the_page_has_a_code_that_scans(tmp_path: Path) -> None:
    assert main(["test", f"virtual:{tmp_path}"]) == 0
    [picture] = tmp_path.glob("*.png")
    [code] = read_qr(read_png(picture.read_bytes()))
    assert code.startswith("KENO-PRINTER TEST 20")


def test_trouble_is_said_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "cover-open").touch()
    assert main(["test", f"virtual:{tmp_path}"]) == 1
    said = capsys.readouterr()
    assert said.out == "The cover is open: close it.\n"
    assert said.err == "Not printed. The cover is open: close it.\n"
    assert main(["status", f"virtual:{tmp_path}"]) == 1
    (tmp_path / "cover-open").unlink()
    assert main(["status", f"virtual:{tmp_path}"]) == 0
    assert capsys.readouterr().out.endswith("The printer is ready.\n")


def test_nobody_there(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("test", "status"):
        assert main([command, "tcp://127.0.0.1:9"]) == 1
        assert "Connection refused" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ([], "COMMAND"),
        (["test"], "ADDRESS"),
        (["test", "printer"], "is not a printer's address"),
        (["test", "tcp://a?paper=1"], "choose 80, 58"),
        (["test", "tcp://a", "--wait", "0"], "not a number of seconds"),
        (["test", "tcp://a", "--wait", "soon"], "not a number of seconds"),
    ],
)
def test_a_bad_command_line(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(words)
    assert exit_.value.code == 2
    assert reason in capsys.readouterr().err


def test_help_tells_addresses_options_and_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["test", "--help"]):
        with pytest.raises(SystemExit) as exit_:
            main(words)
        assert exit_.value.code == 0
        said = capsys.readouterr().out
        for part in ("tcp://10.0.4.7:9100", "virtual:FOLDER", "paper=80|58", "exit status: 0"):
            assert part in said


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == "keno-printer 0.1.0\n"
