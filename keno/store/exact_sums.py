"""Exact sums of cents in SQL.

SQLite's sum() raises an error once a total exceeds 64 bits, which in a command would end the
writer. Here the halves of each amount are summed apart and put together as a Python integer.
"""

import sqlite3

from keno.domain.money import Cents


def halves(cents: str) -> str:
    """Return the SQL of two columns from which `joined` makes the exact sum of an expression."""
    return f"sum(({cents}) >> 32), sum(({cents}) & 4294967295)"


def joined(high: int | None, low: int | None) -> Cents:
    """Return the sum of the two columns of `halves`; 0 if there was nothing to sum."""
    return ((high or 0) << 32) + (low or 0)


def total(connection: sqlite3.Connection, cents: str, rest: str, *values: object) -> Cents:
    """Return the exact sum of an expression over the rows that `rest` (FROM …) selects."""
    sql = f"SELECT {halves(cents)} {rest}"
    return joined(*connection.execute(sql, values).fetchone())
