"""The base of what checks the chain during the replay: one check a table."""

from collections.abc import Callable
from dataclasses import dataclass, field

from keno.audit.context import Audit
from keno.audit.findings import FindingPlace
from keno.audit.replayed_state import At, Row, SaleSeen, key_of, named_key


@dataclass
class ReplayWatcher:
    """A check that receives every sale, insert and change of the chain during the replay.

    A subclass registers its checks by table, in `__post_init__`.
    """

    audit: Audit
    inserted: dict[str, Callable[[At, Row], None]] = field(default_factory=dict, init=False)
    """Checks of a new row."""
    changed: dict[str, Callable[[At, Row, Row], None]] = field(default_factory=dict, init=False)
    """Checks of a row before its change, and of the new values."""

    def sale(self, sold: SaleSeen) -> None:
        """Ignore a sale."""

    def insert(self, at: At, table: str, row: Row) -> None:
        check = self.inserted.get(table)
        if check is not None:
            check(at, row)

    def change(self, at: At, table: str, before: Row, values: Row) -> None:
        check = self.changed.get(table)
        if check is not None:
            check(at, before, values)


def place_of(table: str, row: Row, column: str, at: At) -> FindingPlace:
    """Where a column of a row is wrong."""
    key = named_key(table, key_of(table, row))
    return FindingPlace(table, key, column, at.ms, row.get("location"))
