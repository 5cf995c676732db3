"""Compares rows stored in the tables with the rows that replaying the audit chain gives."""

from collections.abc import Mapping

from keno.audit.context import Audit
from keno.audit.findings import FindingPlace, Findings, Step, shown
from keno.audit.replayed_state import Row, as_row, key_of, named_key
from keno.store import read_only
from keno.store.read_only import TABLES, Values

MOMENTS = (
    "ms", "sold_ms", "locked_ms", "opened_ms", "asked_ms", "posted_ms", "issued_ms", "spent_ms",
    "found_ms",
)  # fmt: skip
"""Columns that may hold the time at which a row was made, in the order of preference."""


def moment(row: Row) -> int | None:
    """Return the time at which a row was made, in UTC milliseconds; None if no column has it."""
    return next((row[name] for name in MOMENTS if isinstance(row.get(name), int)), None)


def first_difference(expected: Row, stored: Row) -> str | None:
    """Return the first column whose stored value differs from the expected one; None if all agree.

    Values of different types, such as 1 and 1.0, differ.
    """
    for name, value in expected.items():
        if stored[name] != value or type(stored[name]) is not type(value):
            return name
    return None


def compare_rows(
    found: Findings, table: str, expected: Row, stored: Values | None, at: str | None = None
) -> None:
    """Report a stored row that is missing (None) or differs from the row the chain gives.

    `at` is the location for the report, if the row has none.
    """
    key = named_key(table, key_of(table, expected))
    where = at or expected.get("location")
    if stored is None:
        place = FindingPlace(table, key, TABLES[table].key[-1], moment(expected), where)
        found.add(Step.REPLAY, place, "is missing: the chain has it.")
        return
    row = as_row(table, stored)
    column = first_difference(expected, row)
    if column is not None:
        place = FindingPlace(table, key, column, moment(expected), where)
        message = f"is {shown(row[column])}; the chain says {shown(expected[column])}."
        found.add(Step.REPLAY, place, message)


def compare_table(audit: Audit, table: str, expected: Mapping[Values, Row]) -> None:
    """Compare every stored row of a table with the rows the chain gives, by key.

    Report rows that differ, are missing, or are not in the chain.
    """
    missing = set(expected)
    for stored in read_only.whole(audit.connection, table):
        row = as_row(table, stored)
        key = key_of(table, row)
        missing.discard(key)
        if key in expected:
            compare_rows(audit.found, table, expected[key], stored)
            continue
        place = FindingPlace(table, named_key(table, key), TABLES[table].key[-1], moment(row))
        audit.found.add(Step.REPLAY, place, "is not in the chain.")
    for key in sorted(missing, key=str):
        compare_rows(audit.found, table, expected[key], None)
