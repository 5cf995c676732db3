"""COMPLIANCE.md is true: it has every clause, and what it names exists."""

import ast
from functools import cache

import pytest

from tests.compliance import ROOT, Row, rows
from tests.mistakes_text import script_names, trigger_names

ROWS = rows()

CLAUSES = """
15.1 Conditioning; 15.1 House advantage; 15.1 Keno request; 15.1 Keno ticket; 15.1 Quick-pick;
15.1 Rate card; 15.1 Spots;
15.2(a); 15.2(b); 15.2(c); 15.2(c)1; 15.2(c)2; 15.2(c)2i; 15.2(c)2ii; 15.2(c)3; 15.2(c)4;
15.2(c)5; 15.2(c)6;
15.3(a); 15.3(b); 15.3(c); 15.3(d); 15.3(e);
15.4(a); 15.4(b); 15.4(b)1; 15.4(b)2; 15.4(b)3; 15.4(b)4; 15.4(b)5;
15.4(c); 15.4(c)1; 15.4(c)2; 15.4(c)3; 15.4(c)4; 15.4(c)5; 15.4(c)6; 15.4(c)7; 15.4(c)8;
15.4(c)9; 15.4(c)10; 15.4(c)11; 15.4(c)12; 15.4(c)13; 15.4(d); 15.4(e);
15.5(a); 15.5(b); 15.5(c); 15.5(d); 15.5(d)1; 15.5(d)2; 15.5(e); 15.5(f); 15.5(g); 15.5(h);
15.6(a); 15.6(b); 15.6(c); 15.6(c)1; 15.6(c)2; 15.7
"""


@cache
def definitions(path: str) -> frozenset[str]:
    """Names of functions, classes, methods, constants and triggers that a file defines."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".js"):
        return frozenset(("", *script_names(text)))
    names = set(trigger_names(text))

    def collect(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.add(prefix + node.name)
                if isinstance(node, ast.ClassDef):
                    collect(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, ast.Assign):
                names.update(prefix + t.id for t in node.targets if isinstance(t, ast.Name))
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                names.add(prefix + node.target.id)

    collect(ast.parse(text).body, "")
    return frozenset(names)


def test_every_clause_and_item_has_its_row_in_order() -> None:
    expected = [clause.strip() for clause in CLAUSES.replace("\n", " ").split(";")]
    assert list(dict.fromkeys(row.clause for row in ROWS)) == expected


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.clause)
def test_what_a_row_names_exists(row: Row) -> None:
    for path, name in row.code + row.tests:
        assert (ROOT / path).is_file(), f"{row.clause} names {path}, which is not there"
        assert name in definitions(path), f"{row.clause} names {name}, which {path} has not"


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.clause)
def test_a_row_has_code_and_test_or_says_that_it_is_not_built(row: Row) -> None:
    built = bool(row.code) and bool(row.tests)
    assert built or "not built yet" in row.remark or "not offered" in row.remark
    if row.code:
        assert row.tests, f"{row.clause} names code without a test"
