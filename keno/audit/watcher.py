"""The base class of checks that receive the rows of the audit chain while it is replayed."""

from collections.abc import Callable
from dataclasses import dataclass, field

from keno.audit.context import Audit
from keno.audit.findings import FindingPlace
from keno.audit.replayed_state import At, Row, SaleSeen, key_of, named_key


@dataclass
class ReplayWatcher:
    """A check that is called with every sale, insert and change while the chain is replayed.

    A subclass registers functions by table in `__post_init__`.
    """

    audit: Audit
    inserted: dict[str, Callable[[At, Row], None]] = field(default_factory=dict, init=False)
    """Functions by table, called with the audit row and the new row."""
    changed: dict[str, Callable[[At, Row, Row], None]] = field(default_factory=dict, init=False)
    """Functions by table, called with the audit row, the row before the change, and new values."""

    def sale(self, sold: SaleSeen) -> None:
        """Do nothing with a sale; a subclass that checks sales overrides this."""

    def insert(self, at: At, table: str, row: Row) -> None:
        check = self.inserted.get(table)
        if check is not None:
            check(at, row)

    def change(self, at: At, table: str, before: Row, values: Row) -> None:
        check = self.changed.get(table)
        if check is not None:
            check(at, before, values)


def place_of(table: str, row: Row, column: str, at: At) -> FindingPlace:
    """Return the place of a discrepancy in a column of a row, for the report."""
    key = named_key(table, key_of(table, row))
    return FindingPlace(table, key, column, at.ms, row.get("location"))
