"""Makes the tables of listings and their fields in docs/wire.md from the registry.

`python -m tests.wire_listings --write` writes them into the file; a test compares.
"""

import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from keno.documents.listings import spread_columns
from keno.domain.roles import ROLES
from keno.domain.wager import BALLS
from keno.service.listing_registry import LISTINGS, REPORTS, ListingDefinition

WIRE = Path(__file__).parent.parent / "docs" / "wire.md"
FILES_HEAD = "| listing | columns after `location` and `gaming_day` |\n|---|---|\n"
ROWS_HEAD = "| listing | what, and the fields of a row | who |\n|---|---|---|\n"


def with_tables(page: str) -> str:
    """Return the page with both tables replaced by those of the registry."""
    page = _replaced(page, FILES_HEAD, "".join(map(_file_line, REPORTS.values())))
    return _replaced(page, ROWS_HEAD, "".join(map(_row_line, LISTINGS.values())))


def _replaced(page: str, head: str, lines: str) -> str:
    before, found, after = page.partition(head)
    assert found, f"docs/wire.md has no table {head.splitlines()[0]}"
    kept = after.splitlines(keepends=True)
    while kept and kept[0].startswith("|"):
        kept.pop(0)
    return "".join([before, head, lines, *kept])


def _file_line(listing: ListingDefinition[Any]) -> str:
    names = [f"`{column.csv}`" for column in spread_columns(listing)]
    for column in listing.columns:
        if column.kind == "numbers":
            first, last = (names.index(f"`{column.csv}_{n}`") for n in (1, BALLS))
            names[first : last + 1] = [f"{names[first]} to {names[last]} in the order drawn"]
    return f"| `{listing.name}` | {', '.join(names)} |\n"


def _row_line(listing: ListingDefinition[Any]) -> str:
    title = f"{listing.title} ({listing.clause})" if listing.clause else listing.title
    lists = {column.key for column in listing.columns if column.kind == "numbers"}
    names = [
        f"`{each.name}`{' (a JSON list as text)' if each.name in lists else ''}"
        for each in fields(listing.row)
    ]
    words = "".join(
        f". Words of `{column.key}`: "
        + ", ".join(f"`{code}` {word}" for code, word in column.words.items())
        for column in listing.columns
        if column.words
    )
    who = ", ".join(role for role in ROLES if role in listing.roles)
    what = f"{title}. {listing.what}: {', '.join(names)}{words}"
    return f"| `{listing.name}` | {what} | {who} |\n"


if __name__ == "__main__":
    PAGE = WIRE.read_text(encoding="utf-8")
    if sys.argv[1:] != ["--write"]:
        sys.exit("Give --write to write the tables of docs/wire.md anew.")
    WIRE.write_text(with_tables(PAGE), encoding="utf-8")
