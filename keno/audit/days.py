"""Totals of games, tickets and money by location and gaming day, summed during an audit."""

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
    """Totals of one location on one gaming day."""

    games: int = 0
    tickets: int = 0
    sales_cents: Cents = 0
    handle_cents: Cents = 0
    void_cents: Cents = 0
    """Wagers of void games, which are no handle."""
    awards_cents: Cents = 0
    paid_cents: Cents = 0
    over_short_cents: Cents = 0


@dataclass
class _Calendar:
    """The totals of one location by gaming day; the current day is cached."""

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
    """The totals of all locations, by location and gaming day."""

    calendars: dict[str, _Calendar] = field(default_factory=dict)

    def locations(self, rows: Mapping[Any, Mapping[str, Any]]) -> None:
        """Make the calendar of each location from its row's time zone and start of day.

        A row that cannot be read gets the days of UTC.
        """
        for row in rows.values():
            try:
                named = GamingDay(ZoneInfo(row["zone"]), time.fromisoformat(row["day_starts"]))
            except GARBAGE:
                named = GamingDay(ZoneInfo("UTC"))
            self.calendars[row["location"]] = _Calendar(named)

    def of(self, location: str, ms: int) -> Day:
        """Return the totals of the gaming day of the instant `ms`, for the caller to add to."""
        if location not in self.calendars:
            self.calendars[location] = _Calendar(GamingDay(ZoneInfo("UTC")))
        return self.calendars[location].of(ms)

    def lines(self, found: Findings) -> list[dict[str, Any]]:
        """Return the report's lines: each location's days with totals and the first discrepancy."""
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
