"""`keno coupon`: a supervisor and a second person keep the register of a house that is not open."""

import csv
import io
from pathlib import Path

import pytest

from keno.audit import audit
from keno.serve import LEDGER
from tests.integration.commands import Said, keno

WORD = "correct horse battery"
"""Everybody's password."""
TERMS = ("--value", "5.00", "--through", "2029-12-31", "--location", "main")
TWO = ("--second", "SAM", "--reason", "The autumn mailing.")


def said(folder: Path, *arguments: str | Path, people: int = 2, by: str = "SUE") -> Said:
    """Run a command of a person who gives their password, and the second person's."""
    command = (*arguments, "--folder", folder, "--by", by)
    return keno(*command, typed=f"{WORD}\n" * people)


def founded(folder: Path, mode: str) -> Path:
    """A house with a location, two supervisors and a writer, that is not open."""
    second = ("--second", "BEA") if mode == "live" else ()
    begin = ("init", folder, "--site", "Larkspur", "--mode", mode, "--administrator", "ADMIN")
    assert keno(*begin, *second, typed=f"{WORD}\n" * 2).code == 0
    assert said(folder, "location", "add", "main", "--letter", "A", by="ADMIN").code == 0
    approved = ("--second", "BEA", "--reason", "setting up") if mode == "live" else ()
    for person, role in (("SUE", "supervisor"), ("SAM", "supervisor"), ("ANNA", "writer")):
        add = ("user", "add", person, "--role", role, *approved)
        assert said(folder, *add, by="ADMIN", people=3).code == 0
    return folder


@pytest.fixture
def live(tmp_path: Path) -> Path:
    return founded(tmp_path / "house", "live")


def listed(folder: Path, *more: str) -> list[dict[str, str]]:
    shown = keno("coupon", "list", "--folder", folder, "--csv", *more)
    return list(csv.DictReader(io.StringIO(shown.out)))


def test_two_people_issue_register_and_void(live: Path, tmp_path: Path) -> None:
    issued = said(live, "coupon", "issue", *TERMS, *TWO)
    assert issued.out == "Coupon A-R1 of $5.00 is good through gaming day 2029-12-31.\n"
    batch = said(live, "coupon", "register", "promo-0001..PROMO-0500", *TERMS, *TWO)
    assert batch.out == (
        "500 coupons of $5.00 each, PROMO-0001 to PROMO-0500, are good through gaming day "
        "2029-12-31.\n"
    )
    file = tmp_path / "serials.csv"
    file.write_text("\ufeffSerial,Name\r\nm-1,Ann\r\n\r\nM-2,Bob\r\n", encoding="utf-8")
    mailed = said(live, "coupon", "register", "--csv", file, *TERMS, *TWO)
    assert mailed.out.startswith("2 coupons of $5.00 each, M-1 to M-2, are good")
    void = said(live, "coupon", "void", "m-2", *TWO)
    assert void.out == "Coupon M-2 of $5.00 is void: nobody takes it any more.\n"
    assert len(listed(live)) == 502
    every = {row["serial"]: row for row in listed(live, "--all")}
    assert len(every) == 503
    assert every["M-2"]["state"] == "void: The autumn mailing."
    assert every["A-R1"] == {
        "serial": "A-R1", "value": "5.00", "source": "issued",
        "ends": "through gaming day 2029-12-31", "state": "not used",
    }  # fmt: skip
    table = keno("coupon", "list", "--folder", live).out.splitlines()
    assert table[0].split() == [
        "A-R1", "$5.00", "issued", "through", "gaming", "day", "2029-12-31", "not", "used"
    ]  # fmt: skip
    assert table[-1] == "502 coupons."
    assert audit(live / LEDGER)["sound"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("issue", *TERMS), "In a live house a second person approves this"),
        (("issue", *TERMS, "--second", "SUE"), "Nobody approves their own act"),
        (("issue", *TERMS, "--second", "ANNA"), "ANNA is not"),
        (("register", "P-1,P-2", *TERMS, *TWO), "two dots between its serials"),
        (("register", "P-1..Q-2", *TERMS, *TWO), "differ in their last digits only"),
        (("register", "P-00001..P-10001", *TERMS, *TWO), "1 to 10,000 coupons"),
        (("void", "P-1", *TWO), "Coupon P-1 is not in the register of this house."),
    ],
)
def test_what_is_refused_is_said_in_words(
    live: Path, arguments: tuple[str, ...], words: str
) -> None:
    refused = said(live, "coupon", *arguments)
    assert refused.code == 1
    assert words in refused.err
    assert listed(live) == []


def test_a_writer_issues_nothing(live: Path) -> None:
    refused = said(live, "coupon", "issue", *TERMS, *TWO, by="ANNA")
    assert (refused.code, refused.out) == (1, "")
    assert "ANNA is not" in refused.err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "has no serials in its first column"),
        (b"serial\n", "has no serials in its first column"),
        (b"P-1\nP 2\n", "line 2: The serial 'P 2' is not"),
        (b"P-1\np-1\n", "P-1 comes twice in the batch."),
        (b"P-\xff\n", "cannot be read"),
        (b"P" * 1_000_001, "is too large"),
    ],
)
def test_a_file_of_serials_is_taken_whole_or_not(
    live: Path, tmp_path: Path, content: bytes, words: str
) -> None:
    file = tmp_path / "serials.csv"
    file.write_bytes(content)
    refused = said(live, "coupon", "register", "--csv", file, *TERMS, *TWO)
    assert refused.code == 1
    assert words in refused.err
    assert listed(live) == []


def test_a_file_that_is_not_there(live: Path, tmp_path: Path) -> None:
    refused = said(live, "coupon", "register", "--csv", tmp_path / "none.csv", *TERMS, *TWO)
    assert "cannot be read" in refused.err


def test_in_a_house_without_value_one_person_suffices(tmp_path: Path) -> None:
    house = founded(tmp_path / "house", "test")
    assert said(house, "coupon", "issue", *TERMS).code == 0
    assert [row["serial"] for row in listed(house)] == ["A-R1"]
    assert keno("coupon", "list", "--folder", house, "--all").out.endswith("1 coupon.\n")


@pytest.mark.parametrize(
    "arguments",
    [("register", *TERMS), ("register", "A..B", "--csv", "x", *TERMS),
     ("issue", "--value", "5.0", *TERMS[2:]), ("issue", *TERMS[:2])],
)  # fmt: skip
def test_a_bad_command_line_is_told_how(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    wrong = keno("coupon", *arguments, "--folder", tmp_path, "--by", "SUE")
    assert wrong.code == 2
    assert wrong.err.startswith("usage: keno coupon")
