"""Opening hours of a location by weekday, in its own time zone, right across clock changes.

A game is sold only while the location is open. The last game before closing locks out at closing
time and is drawn. The next game is sold from the next opening on. Payouts have no hours.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from zoneinfo import ZoneInfo

from keno.domain.day import first_instant_ms, local_time

WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
CLOSED = "closed"
DAY_MINUTES = 24 * 60
EXTENDING = ("delay", "hold", "manual")
"""Overrides (15.5(e)) that move the close of a game, even past closing time."""
SEARCH_DAYS = 15
"""Maximum days searched for the next span that is open long enough; two weeks suffice."""
SPANS_AHEAD = 60
"""Maximum spans for which `opened_after_ms` is exact; beyond them its result is a lower bound."""
_CLOCK = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"
_SPAN = re.compile(f"({_CLOCK})-({_CLOCK}|24:00)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """Hours of one weekday in minutes after its midnight; an end after midnight is above 1,440."""

    opens: int
    closes: int

    @property
    def minutes(self) -> int:
        return self.closes - self.opens


def parse_week(stated: Mapping[str, str]) -> tuple[Span | None, ...]:
    """Return the spans of a week from Monday on. Raise `ValueError` if the hours are not sound.

    Keys are a weekday or several in a row, ``mon-thu``. Values are hours such as ``10:00-02:00``,
    or ``closed``. An end that is not after the start is on the next day.
    """
    week: dict[str, Span | None] = {}
    for days, text in stated.items():
        span = _span(text)
        for day in _days(days):
            if day in week:
                raise ValueError(f"{day} is stated twice")
            week[day] = span
    missing = [day for day in WEEKDAYS if day not in week]
    if missing:
        raise ValueError(f"{', '.join(missing)} must be stated too")
    if not any(week.values()):
        raise ValueError("a location is open on one day at least")
    for day, following in zip(WEEKDAYS, (*WEEKDAYS[1:], WEEKDAYS[0]), strict=True):
        span, after = week[day], week[following]
        if span and after and span.closes - DAY_MINUTES > after.opens:
            raise ValueError(f"the hours of {day} end after those of {following} have begun")
    return tuple(week[day] for day in WEEKDAYS)


def _days(text: str) -> tuple[str, ...]:
    """Return the weekdays of ``sun`` or of a range like ``mon-thu``; raise ValueError if none."""
    ends = text.split("-")
    if len(ends) > 2 or not all(end in WEEKDAYS for end in ends):
        raise ValueError(f"{text[:20]!r} is no weekday; there are {', '.join(WEEKDAYS)}")
    start = WEEKDAYS.index(ends[0])
    count = (WEEKDAYS.index(ends[-1]) - start) % 7 + 1
    return tuple(WEEKDAYS[(start + offset) % 7] for offset in range(count))


def _span(text: str) -> Span | None:
    if text == CLOSED:
        return None
    match = _SPAN.fullmatch(text)
    if match is None:
        raise ValueError(f'{text[:20]!r} is neither hours such as "10:00-02:00" nor "closed"')
    opens, closes = (int(clock[:2]) * 60 + int(clock[3:]) for clock in match.groups())
    return Span(opens, closes if closes > opens else closes + DAY_MINUTES)


@dataclass(frozen=True)
class OpeningHours:
    """The opening hours of a location. All instants are UTC milliseconds."""

    zone: ZoneInfo
    week: tuple[Span | None, ...]
    """The span of each weekday from Monday on; None if the location is closed that day."""
    least_ms: int = 0
    """Minimum milliseconds for which a game is sold: its notice (15.5(c)). With less time left
    before closing, a game is sold from the next opening on."""

    def is_open(self, ms: int) -> bool:
        return self._span_at(ms) is not None

    def closes_ms(self, ms: int) -> int | None:
        """Return when the location, open at `ms`, closes.

        Return None if it is closed at `ms`, or does not close within `SEARCH_DAYS`.
        """
        span, last = self._span_at(ms), ms + SEARCH_DAYS * DAY_MINUTES * 60_000
        while span is not None and span[1] < last:
            following = self._span_at(span[1])
            if following is None:
                return span[1]
            span = following
        return None

    def opens_ms(self, ms: int) -> int:
        """Return the first opening after an instant, also if it is within opening hours."""
        return next(opens for opens, _ in self._spans_from(ms) if opens > ms)

    def next_change_ms(self, ms: int) -> int:
        """Return the first instant after `ms` that is an opening, a closing or a midnight."""
        today = local_time(self.zone, ms).date()
        midnights = (self._instant(today + timedelta(days=days), 0) for days in (1, 2))
        edges = (edge for span in self._spans_from(ms, days=1) for edge in span)
        return min(each for each in (*midnights, *edges) if each > ms)

    def begins_ms(self, opened_ms: int) -> int:
        """Return when tickets of a game that opened at `opened_ms` are first sold.

        At once, if the location is open and stays open for `least_ms`; else at the next such
        opening.
        """
        at = opened_ms
        for _ in range(SEARCH_DAYS):
            closes = self.closes_ms(at) if self.is_open(at) else at
            if closes is None or closes - at >= max(self.least_ms, 1):
                return at
            at = self.opens_ms(closes)
        raise ValueError(f"no hours of the week last {self.least_ms} ms")

    def sells(self, opened_ms: int, now_ms: int, *, extended: bool) -> bool:
        """Return whether tickets of a game are sold now, by the hours of the location.

        `extended` says that a supervisor moved the game's close, so that it is sold past closing
        time. A game opened by a clock that was ahead and has been corrected counts as opened now.
        """
        begins = self.begins_ms(min(opened_ms, now_ms))
        return now_ms >= begins and (extended or self.is_open(now_ms))

    def sold_again_ms(self, opened_ms: int, now_ms: int) -> int:
        """Return when tickets are sold again, if the game opened at `opened_ms` is not sold now."""
        begins = self.begins_ms(min(opened_ms, now_ms))
        return begins if begins > now_ms else self.begins_ms(self.opens_ms(now_ms))

    def game_ms(self, opened_ms: int, interval_ms: int) -> tuple[int, int]:
        """Return when the sale of a game begins, and when the schedule closes the game.

        The game closes `interval_ms` after that, or at closing time if that is earlier.
        """
        begins = self.begins_ms(opened_ms)
        closes = self.closes_ms(begins)
        until = begins + interval_ms
        return begins, until if closes is None else min(until, closes)

    def opened_after_ms(self, opened_ms: int, interval_ms: int, games: int) -> int:
        """Return when the game opens that comes `games` games after one opened at `opened_ms`."""
        at = opened_ms
        for _ in range(SPANS_AHEAD):
            begins = self.begins_ms(at) if games else at
            closes = self.closes_ms(begins) if games else None
            if closes is None:
                return begins + games * interval_ms
            whole, rest = divmod(closes - begins, interval_ms)
            if games <= whole:
                return begins + games * interval_ms
            games -= whole + (rest >= max(self.least_ms, 1))
            at = closes if rest >= max(self.least_ms, 1) else closes - rest
        return at + games * interval_ms

    def opens_words(self, opens_ms: int, now_ms: int) -> str:
        """Return a coming opening in words and local time: ``Opens at 10:00 AM tomorrow``."""
        opens, now = local_time(self.zone, opens_ms), local_time(self.zone, now_ms)
        days = (opens.date() - now.date()).days
        when = {0: "today", 1: "tomorrow"}.get(days, f"on {opens:%A}")
        if days > 6:
            when += f", {opens:%B} {opens.day}"
        return f"Opens at {opens.hour % 12 or 12}:{opens:%M %p} {when}"

    def _span_at(self, ms: int) -> tuple[int, int] | None:
        spans = self._spans_from(ms, days=1)
        return next((span for span in spans if span[0] <= ms < span[1]), None)

    def _spans_from(self, ms: int, days: int = SEARCH_DAYS) -> Iterator[tuple[int, int]]:
        """Yield begin and end of each span from the day before `ms` to `days` days after it."""
        today = local_time(self.zone, ms).date()
        for offset in range(-1, days + 1):
            day = today + timedelta(days=offset)
            span = self.week[day.weekday()]
            if span is not None:
                opens, closes = self._instant(day, span.opens), self._instant(day, span.closes)
                if opens < closes:
                    yield opens, closes

    def _instant(self, day: date, minutes: int) -> int:
        days, minutes = divmod(minutes, DAY_MINUTES)
        clock = time(minutes // 60, minutes % 60)
        return first_instant_ms(self.zone, day + timedelta(days=days), clock)
