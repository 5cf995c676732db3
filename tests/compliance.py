"""Reads COMPLIANCE.md: which code and which test hold each clause of the regulation.

`path.py::name` is a function, class, method or constant, in the schema also a trigger;
`path.js::name` a function or constant of a script, and `path.js` all of it.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
TABLE = ROOT / "COMPLIANCE.md"

_ROW = re.compile(r"^\| (15\.[^|]*?) \|([^|]*)\|([^|]*)\|([^|]*)\|$")
_REFERENCE = re.compile(r"`([^`]+\.(?:py(?=::)|js))(?:::([A-Za-z_0-9.]+))?`")


@dataclass(frozen=True)
class Row:
    """One clause or numbered item: what it requires, and the code and tests that implement it."""

    clause: str
    asks: str
    code: tuple[tuple[str, str], ...]
    tests: tuple[tuple[str, str], ...]
    remark: str


def rows() -> list[Row]:
    """Return every row of the table in order."""
    matches = (_ROW.match(line) for line in TABLE.read_text(encoding="utf-8").splitlines())
    return [
        Row(
            match[1].strip(),
            match[2].strip(),
            tuple(_REFERENCE.findall(match[3])),
            tuple(_REFERENCE.findall(match[4])),
            _REFERENCE.sub("", match[3] + match[4]).strip(" ,"),
        )
        for match in matches
        if match
    ]
