"""Finds mistakes to plant in SQL and JavaScript, by regular expressions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_WHERE = re.compile(
    r"\bWHERE\b(.*?)(?=\bORDER BY\b|\bGROUP BY\b|\bLIMIT\b|\bRETURNING\b|;|$)", re.DOTALL
)
_TRIGGER = r"CREATE TRIGGER %s\b.*?\bEND;"


@dataclass(frozen=True)
class Edit:
    """The replacement of a file's bytes from `start` to `end` by `new`."""

    start: int
    end: int
    new: str
    what: str


# ---------------------------------------------------------------- SQL


def is_sql(text: str) -> bool:
    """Return whether a string is an SQL statement."""
    return bool(re.match(r"\s*(SELECT|UPDATE|DELETE|INSERT|WITH)\b", text))


def without_conditions(sql: str) -> Iterator[tuple[str, str]]:
    """Yield each condition of each WHERE, and the statement without its effect.

    The condition stays in the statement beside a true one, so that the bound values stay the same.
    """
    for clause in _WHERE.finditer(sql):
        at = clause.start(1)
        for condition in re.split(r"\bAND\b", clause[1]):
            text = condition.strip()
            start = sql.index(condition, at) if condition else at
            at = start + len(condition)
            if text.count("(") != text.count(")") or "BETWEEN" in clause[1]:
                continue
            where = start + condition.index(text)
            yield text, f"{sql[:where]}({text} OR TRUE){sql[where + len(text) :]}"


def trigger_edits(source: bytes, name: str) -> Iterator[Edit]:
    """Yield the edit that removes the trigger of this name."""
    for found in re.finditer((_TRIGGER % re.escape(name)).encode(), source, re.DOTALL):
        yield Edit(found.start(), found.end(), "", "trigger dropped")


def trigger_names(source: str) -> list[str]:
    """Return the names of the triggers that a schema creates."""
    return re.findall(r"CREATE TRIGGER (\w+)", source)


# ---------------------------------------------------------------- JavaScript

_CALL = re.compile(r"(?:await )?[\w.#?]+\(.*\);$")
_TOKENS = (
    ("comparison turned", re.compile(r"[!=]=="), {"===": "!==", "!==": "==="}),
    ("condition turned", re.compile(r"&&|\|\|"), {"&&": "||", "||": "&&"}),
    ("negation dropped", re.compile(r"(?<=[\s(])!(?=[\w(])"), {"!": ""}),
)
_NUMBER = re.compile(r"(?<![\w.'#$-])\d[\d_]*(?![\w.'])")
_WORD = re.compile(r"'([a-z][a-z_]+)'")


def script_names(source: str) -> list[str]:
    """Return the names of the functions, methods and constants that a script defines."""
    return re.findall(
        r"^\s*(?:export )?(?:async )?(?:function |const |let )?(\w+)(?:\(.*\) \{$| = )",
        source,
        re.MULTILINE,
    )


def script_edits(source: bytes, name: str) -> Iterator[Edit]:
    """Yield the mistakes in one function or constant of a script; in all of it without a name."""
    offset = 0
    first, last = _lines_of(source.decode(), name)
    for index, line in enumerate(source.decode().splitlines(keepends=True)):
        if first <= index <= last and not line.lstrip().startswith(("//", "*", "/*", "import ")):
            yield from _line_edits(line, offset)
        offset += len(line.encode())


def _lines_of(source: str, name: str) -> tuple[int, int]:
    """Return the first and last line of a definition in a script formatted by prettier."""
    lines = source.splitlines()
    if not name:
        return 0, len(lines)
    begins = re.compile(
        rf"(\s*)(?:export )?(?:async )?(?:function |const |let )?{name}(?:\(.*\) \{{$| = )"
    )
    for index, line in enumerate(lines):
        if begun := begins.match(line):
            if line.endswith(";"):
                return index, index
            ends = (begun[1] + "}", begun[1] + ")", begun[1] + "]")
            return index, next(
                at for at in range(index + 1, len(lines)) if lines[at].startswith(ends)
            )
    raise ValueError(f"no {name} in the script")


def _line_edits(line: str, offset: int) -> Iterator[Edit]:
    text = line.strip()
    code = line.split(" // ", maxsplit=1)[0]

    def edit(start: int, end: int, new: str, what: str) -> Edit:
        before, old = len(line[:start].encode()), len(line[start:end].encode())
        return Edit(offset + before, offset + before + old, new, f"{what}: {text}")

    bare = code.strip()
    if _CALL.match(bare) and bare.count("(") == bare.count(")"):
        start = code.index(bare)
        yield edit(start, start + len(bare), ";", "call deleted")
    for what, token, turned in _TOKENS:
        for found in token.finditer(code):
            yield edit(found.start(), found.end(), turned[found[0]], what)
    for found in _NUMBER.finditer(code):
        number = int(found[0].replace("_", "")) + 1
        yield edit(found.start(), found.end(), str(number), "number swapped")
    for found in _WORD.finditer(code):
        yield edit(found.start(1), found.end(1), found[1] + "_", "word swapped")
