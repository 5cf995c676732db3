"""The query for the number of a casino check, which works once in the house."""

from keno.store.transaction import Reads

WRITTEN = "upper(replace({}, ' ', ''))"
"""SQL of a check number without case and spaces; both tables have an index over it."""


def is_check_used(reads: Reads, number: str) -> bool:
    """Return whether a check of this number has paid a ticket of any location of the house."""
    same = f"{WRITTEN.format('check_number')} = {WRITTEN.format('?')}"
    used = f"SELECT 1 FROM {{}} WHERE check_number IS NOT NULL AND {same} LIMIT 1"  # noqa: S608
    return any(
        reads.value(used.format(table), number) is not None
        for table in ("endings", "owed_payments")
    )
