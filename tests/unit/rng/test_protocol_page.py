"""The published pages are true: every name is on them, and every test they name exists."""

import re
from itertools import chain
from pathlib import Path

import pytest

from rng.asking import Rejection
from rng.generator import Generator
from rng.records import FIELDS
from rng.witness import Witness
from tests.unit.rng.test_attacks import NAMES

ROOT = Path(__file__).resolve().parents[3]
PROTOCOL = (ROOT / "docs" / "draw-protocol.md").read_text(encoding="utf-8")
THREATS = (ROOT / "docs" / "threat-model.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """A part of the protocol's page."""
    start = PROTOCOL.index(f"\n{title}\n")
    return PROTOCOL[start : PROTOCOL.find("\n##", start + 1)]


def first_column(text: str) -> set[str]:
    return set(re.findall(r"^\| `([a-z_-]+)` \|", text, re.MULTILINE))


def test_every_question_is_published_and_no_other() -> None:
    assert first_column(section("### R is asked")) == set(Generator.questions)
    assert first_column(section("### W is asked")) == set(Witness.questions)


def test_every_code_is_published_and_no_other() -> None:
    assert first_column(section("### Codes of refusals")) == set(Rejection)


def test_every_record_is_published_with_its_fields() -> None:
    rows = dict(re.findall(r"^\| `([a-z-]+)` \|(.*)$", section("## 2. Records"), re.MULTILINE))
    assert rows.keys() == FIELDS.keys()
    for name, fields in FIELDS.items():
        own = fields.keys() - {"chain", "game"}
        assert {field for field in own if f"`{field}`" in rows[name]} == own, name


def test_every_test_that_the_threat_model_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)(?:\[.*?\])?`", THREATS))
    tests = chain.from_iterable(
        re.findall(r"^(?:async )?def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        for path in (ROOT / "tests").rglob("test_*.py")
    )
    assert len(named) > 20
    assert named <= set(tests)


@pytest.mark.parametrize("who", ["R", "S", "R and W together", "both keyholders", "anybody"])
def test_every_attack_on_the_server_is_played_over_its_ledger(who: str) -> None:
    folder = ROOT / "tests" / "integration" / "draw"
    played = "".join(path.read_text(encoding="utf-8") for path in folder.glob("test_*.py"))
    attacks = THREATS[: THREATS.index("\n## The cases")]
    rows = [line for line in attacks.split("\n") if line.startswith(f"| {who} |")]
    assert rows
    for row in rows:
        assert any(f"def {name}(" in played for name in re.findall(r"`(test_\w+)", row)), row


TWINS = ("test_the_attack_fails", "test_without_", "test_a_server_that_makes_a_close_anew_")
"""How the names of attacks begin that are also played without their control, or only so."""


def takes_a_control_out(name: str) -> bool:
    """Whether a test takes a control out by itself."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        found = re.search(
            rf"^(?:async )?def {name}\((.*?)\) -> None:", text, re.MULTILINE | re.DOTALL
        )
        if found:
            return any(word in found.group(1) for word in ("monkeypatch", "naive"))
    return False


def test_every_attack_is_also_played_without_its_control() -> None:
    attacks = THREATS[THREATS.index("\n## Attacks") : THREATS.index("\n## The cases")]
    rows = [line for line in attacks.split("\n") if "`test_" in line]
    assert len(rows) > 20
    for row in rows:
        names = re.findall(r"`(test_\w+)", row)
        assert any(name.startswith(TWINS) or takes_a_control_out(name) for name in names), row


@pytest.mark.parametrize("named", re.findall(r"test_the_attack_fails\[(.*?)\]", THREATS))
def test_every_attack_that_the_threat_model_names_is_played(named: str) -> None:

    assert named in NAMES


def test_every_attack_is_in_the_threat_model() -> None:

    assert [name for name in NAMES if f"[{name}]" not in THREATS] == []
