"""Totals of each location on each gaming day, summed during the audit."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from keno.audit.findings import GARBAGE, Findings
from keno.domain.day import GamingDay
from keno.domain.money import Cents


@dataclass
class Day:
    """Totals of a location on one gaming day."""

    games: int = 0
    tickets: int = 0
    sales_cents: Cents = 0
    handle_cents: Cents = 0
    awards_cents: Cents = 0
    paid_cents: Cents = 0
    over_short_cents: Cents = 0


@dataclass
class _Calendar:
    """The days of a location; it caches the current day, as most look-ups are in order."""

    days: GamingDay
    today: Day | None = None
    begins_ms: int = 0
    ends_ms: int = 0
    kept: dict[date, Day] = field(default_factory=dict)

    def of(self, ms: int) -> Day:
        if self.today is None or not self.begins_ms <= ms < self.ends_ms:
            day = self.days.of(ms)
            self.begins_ms = self.days.begins_ms(day)
            self.ends_ms = self.days.begins_ms(day + timedelta(days=1))
            self.today = self.kept.setdefault(day, Day())
        return self.today


@dataclass
class Days:
    """The totals of all locations, by gaming day."""

    calendars: dict[str, _Calendar] = field(default_factory=dict)

    def locations(self, rows: Mapping[Any, Mapping[str, Any]]) -> None:
        """Read each location's time zone and day start; UTC if they cannot be read."""
        for row in rows.values():
            try:
                named = GamingDay(ZoneInfo(row["zone"]), time.fromisoformat(row["day_starts"]))
            except GARBAGE:
                named = GamingDay(ZoneInfo("UTC"))
            self.calendars[row["location"]] = _Calendar(named)

    def of(self, location: str, ms: int) -> Day:
        """Return the totals of the gaming day that an instant belongs to, to be added to."""
        if location not in self.calendars:
            self.calendars[location] = _Calendar(GamingDay(ZoneInfo("UTC")))
        return self.calendars[location].of(ms)

    def lines(self, found: Findings) -> list[dict[str, Any]]:
        """Return the totals of every day, in order, each with its first discrepancy."""
        wrong: dict[tuple[str, date], str] = {}
        for each in found.kept:
            where, ms = each.place.location, each.place.ms
            if where in self.calendars and isinstance(ms, int):
                try:
                    day = self.calendars[where].days.of(ms)
                except GARBAGE:
                    continue  # a time that no calendar has
                wrong.setdefault((where, day), str(each))
        lines = []
        for location, calendar in sorted(self.calendars.items()):
            for day, sums in sorted(calendar.kept.items()):
                line: dict[str, Any] = {"location": location, "day": day.isoformat()}
                line |= {name: getattr(sums, name) for name in Day.__dataclass_fields__}
                discrepancy = wrong.get((location, day))
                lines.append(
                    line | {"sound": discrepancy is None, "first_discrepancy": discrepancy}
                )
        return lines
