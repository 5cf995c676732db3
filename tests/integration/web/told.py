"""Every listing in every form, beside the raw tables of the ledger."""

import csv
import io
import sqlite3
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.integration.web.exceptional import day_of

LETTERS = {"main": "A", "east": "B"}
DAYS = ("2026-11-15", "2026-11-16")
WHERE_AND_WHEN = [(location, day) for location in LETTERS for day in DAYS]
Key = tuple[str, str, str]
Rows = list[dict[str, Any]]


@dataclass
class Told:
    """Every listing in every form, by listing, location and day; and the ledger's file."""

    ledger: Path
    rows: dict[Key, Rows] = field(default_factory=dict)
    files: dict[Key, str] = field(default_factory=dict)
    papers: dict[Key, bytes] = field(default_factory=dict)
    heads: dict[Key, list[dict[str, str]]] = field(default_factory=dict)

    def raw(self, sql: str) -> Rows:
        connection = sqlite3.connect(f"file:{self.ledger}?immutable=1", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in connection.execute(sql)]
        finally:
            connection.close()

    def of(self, sql: str, location: str, day: str, time: str = "ms") -> Rows:
        """The raw rows of a table with this place, and this day by our own reckoning."""
        rows = self.raw(sql)
        assert {day_of(row[time]) for row in rows} <= set(DAYS)
        return [row for row in rows if row["location"] == location and day_of(row[time]) == day]

    def on_top(self, location: str, games: Rows) -> int:
        """Awards on top of the maximum of these games: declared not issued, issued after all."""
        rows = self.raw(
            "SELECT w.* FROM not_issued_awards w JOIN not_issued n USING (location, ticket)"
            " WHERE n.decision = 'issued'"
        )
        played = {game["game"] for game in games}
        return sum(
            row["award_cents"]
            for row in rows
            if row["location"] == location and row["game"] in played
        )

    def table(self, key: Key) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.files[key], newline="")))


def coupon_on(row: dict[str, Any], day: str) -> tuple[str, str | None]:
    """Return a coupon's state at the end of a gaming day, and the ticket that it paid.

    The state is empty if it came later, or was used, void or over before. A day begins at six in
    New York.
    """
    begins = datetime.fromisoformat(f"{day}T11:00:00+00:00")
    from_ms = round(begins.timestamp()) * 1000
    to_ms = from_ms + 86_400_000
    spent, void, ends = (row[each] for each in ("spent_ms", "void_ms", "ends_ms"))
    past = any(ms is not None and ms < from_ms for ms in (spent, void, ends))
    if row["issued_ms"] >= to_ms or past:
        return "", None
    if spent is not None and spent < to_ms:
        return "used", f"{LETTERS[row['spent_in']]}-{row['spent_on']}"
    return "void" if void is not None and void < to_ms else "open", None


def clock(ms: int) -> str:
    zone = datetime.fromtimestamp(ms // 1000, UTC) - timedelta(hours=5)
    return f"{zone:%Y-%m-%dT%H:%M:%S}-05:00"


def dollars(cents: int) -> str:
    return f"{cents // 100:,}.{cents % 100:02d}"
