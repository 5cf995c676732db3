"""The gaming day, from its local start time to that time on the next day, and local times.

Days are right across clock changes. Instants are UTC milliseconds since 1970.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND = timedelta(seconds=1)


@dataclass(frozen=True)
class GamingDay:
    """The rule that divides time into gaming days: a time zone and the local time they start."""

    zone: ZoneInfo
    start: time = time(6, 0)

    def of(self, instant_ms: int) -> date:
        """Return the date of the gaming day that an instant (UTC milliseconds) belongs to.

        It is the last day that has begun by then, whatever the local clock shows: where clocks go
        back over midnight, a day has begun while they show the date before it again.
        """
        day = local_time(self.zone, instant_ms).date() + timedelta(days=1)
        while instant_ms < self.begins_ms(day):
            day -= timedelta(days=1)
        return day

    def begins_ms(self, day: date) -> int:
        """Return the first instant with the local start time in UTC milliseconds.

        If clocks are set forward past that time, the day begins at the instant of the change.
        """
        return first_instant_ms(self.zone, day, self.start)

    def ends_ms(self, day: date) -> int:
        """Return the last instant of a gaming day in UTC milliseconds."""
        return self.begins_ms(day + timedelta(days=1)) - 1

    def next_day_ends_ms(self, instant_ms: int) -> int:
        """Return the last instant (UTC milliseconds) of the gaming day after an instant's own."""
        return self.ends_ms(self.of(instant_ms) + timedelta(days=1))


def local_time(zone: ZoneInfo, instant_ms: int) -> datetime:
    """Return an instant (UTC milliseconds) as the local time of a zone, cut to the second."""
    return datetime.fromtimestamp(instant_ms // 1000, UTC).astimezone(zone)


def first_instant_ms(zone: ZoneInfo, day: date, clock: time) -> int:
    """Return the first instant in UTC milliseconds at which a zone has this date and local time.

    If clocks are set forward past that local time, return the instant of the change.
    """
    wanted = datetime.combine(day, clock)
    found = wanted.replace(tzinfo=zone).astimezone(UTC)
    if found.astimezone(zone).replace(tzinfo=None) != wanted:
        # The local time does not exist: find the instant of the change by bisection.
        before = wanted.replace(tzinfo=zone, fold=1).astimezone(UTC)
        while found - before > _SECOND:
            middle = before + (found - before) // _SECOND // 2 * _SECOND
            skipped = middle.astimezone(zone).replace(tzinfo=None) >= wanted
            before, found = (before, middle) if skipped else (middle, found)
    return (found - _EPOCH) // timedelta(milliseconds=1)
