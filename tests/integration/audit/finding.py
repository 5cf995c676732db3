"""Which steps find a forgery: each of them alone does, and all the others together do not."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from keno.audit import Step, audit
from tests.houses import verify


def found_only_by(path: Path, *finders: Step) -> dict[str, Any]:
    """The first discrepancy; it goes unfound if these steps are left out, and only then."""
    for finder in finders:
        alone = audit(path, verify=verify, steps={finder})
        assert not alone["sound"], f"{finder} alone does not find it"
    others = set(Step) - set(finders)
    missed = audit(path, verify=verify, steps=others)
    assert missed["sound"], missed["first_discrepancy"]
    report = audit(path, verify=verify)
    assert not report["sound"]
    first: dict[str, Any] = report["first_discrepancy"]
    assert first["step"] in finders
    return first


def named(first: dict[str, Any]) -> tuple[str, Sequence[object], str | None]:
    """Table, key and column."""
    return first["table"], tuple(first["key"].values()), first["column"]
