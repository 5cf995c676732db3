"""The gaming day: named by local time, starting at a set hour, right through clock changes."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo


@dataclass(frozen=True)
class GamingDay:
    """How a house names its days."""

    zone: ZoneInfo
    start: time = time(6, 0)

    def of(self, instant_ms: int) -> date:
        """The gaming day that an instant (UTC milliseconds) belongs to."""
        local = datetime.fromtimestamp(instant_ms // 1000, UTC).astimezone(self.zone)
        day = local.date()
        return day if local.time() >= self.start else day - timedelta(days=1)

    def begins_ms(self, day: date) -> int:
        """The instant at which a gaming day begins; the one before ends there."""
        local = datetime.combine(day, self.start, self.zone)
        return (local.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(
            milliseconds=1
        )
