"""`keno document`: what it writes, and what it refuses in a sentence."""

from pathlib import Path

import pytest

from keno.cli.main import main
from keno.documents.ratecard import rate_card
from keno.service.counter import EXAMPLE, card_text
from tests.unit.documents.reading import words
from tests.unit.documents.test_every_document import LARKSPUR

TEXT = card_text(EXAMPLE)
NEXT = TEXT.replace('"26-3"', '"26-4"').replace("claim_days           = 365", "claim_days = 90")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "made.pdf"


def card(folder: Path, text: str, name: str = "card.toml") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["document", *arguments]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.endswith(".\n")
    return said.err


def test_it_writes_the_example_card_unless_told_otherwise(
    out: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["document", "ratecard", "--out", str(out)]) == 0
    assert out.read_bytes() == rate_card(LARKSPUR)
    assert capsys.readouterr().out == f"{out}: Larkspur Keno, rate card 26-3\n"


@pytest.mark.parametrize(("kind", "said"), [("request", "Keno request"), ("guide", "A guide")])
def test_it_writes_each_kind(out: Path, kind: str, said: str) -> None:
    assert main(["document", kind, "--card", "example", "--out", str(out)]) == 0
    assert said in words(out.read_bytes())


def test_it_writes_a_notice_of_what_differs(out: Path, tmp_path: Path) -> None:
    new = card(tmp_path, NEXT)
    options = ["--old", "example", "--first-game", "A-1200", "--posted", "2026-11-14 21:08"]
    assert main(["document", "notice", "--card", new, *options, "--out", str(out)]) == 0
    text = words(out.read_bytes())
    assert "From game A-1200" in text
    assert "Time to claim 365 days 90 days" in text


def test_nothing_is_printed_from_an_unlawful_card(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unlawful = card(tmp_path, TEXT.replace("2 = 12_00", "2 = 11_00"))
    said = refusal(capsys, "ratecard", "--card", unlawful, "--out", str(out))
    assert "The card 26-3 is not certified, so nothing is printed from it." in said
    assert "30" in said
    assert not out.exists()


def test_a_sign_that_the_typeface_lacks_is_refused(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = card(tmp_path, TEXT.replace('mark       = "S"', 'mark = "~"'))
    said = refusal(capsys, "guide", "--card", named, "--out", str(out))
    assert "signs that the house's typeface lacks: ~." in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TEXT, "Both cards are version 26-3"),
        (TEXT.replace('"26-3"', '"26-4"'), "Card 26-4 says the same as card 26-3"),
    ],
)
def test_a_notice_of_nothing_is_refused(
    out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    new = card(tmp_path, text)
    options = ["--card", new, "--old", "example", "--first-game", "1200", "--out", str(out)]
    assert said in refusal(capsys, "notice", *options)
    assert not out.exists()


def test_a_file_that_cannot_be_read_or_written_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nowhere = str(tmp_path / "no" / "made.pdf")
    assert f"Cannot write {nowhere}" in refusal(capsys, "request", "--out", nowhere)
    options = ("request", "--card", nowhere, "--out", nowhere)
    assert f"Cannot read {nowhere}" in refusal(capsys, *options)


@pytest.mark.parametrize(
    "arguments",
    [
        ["ratecard"],
        ["notice", "--out", "x.pdf"],
        ["notice", "--old", "example", "--first-game", "a-12", "--out", "x.pdf"],
        ["notice", "--old", "example", "--first-game", "0", "--out", "x.pdf"],
        ["notice", "--old", "example", "--first-game", "1", "--posted", "now", "--out", "x.pdf"],
        ["menu", "--out", "x.pdf"],
    ],
)
def test_a_bad_command_line_is_two(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["document", *arguments])
    assert exit_.value.code == 2


@pytest.mark.parametrize("kind", ["", "ratecard", "request", "guide", "notice"])
def test_help_says_what_it_is_for(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        main(["document", *([kind] if kind else []), "--help"])
    assert exit_.value.code == 0
    assert len(capsys.readouterr().out.splitlines()) > 8
