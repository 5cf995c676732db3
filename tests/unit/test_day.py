"""The gaming day, clock changes included."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keno.domain.day import GamingDay, local_time

ATLANTIC_CITY = GamingDay(ZoneInfo("America/New_York"))
HOUR_MS = 3_600_000


def instant_ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1000


@pytest.mark.parametrize(
    ("local", "day"),
    [
        ("2026-11-16T05:59:59-05:00", date(2026, 11, 15)),
        ("2026-11-16T06:00:00-05:00", date(2026, 11, 16)),
        ("2026-11-16T23:59:59-05:00", date(2026, 11, 16)),
        ("2026-11-17T00:00:00-05:00", date(2026, 11, 16)),
        ("2027-01-01T02:00:00-05:00", date(2026, 12, 31)),
        ("2026-11-01T01:30:00-04:00", date(2026, 10, 31)),  # the hour that comes twice
        ("2026-11-01T01:30:00-05:00", date(2026, 10, 31)),
    ],
)
def test_a_day_begins_at_six_in_the_morning_local_time(local: str, day: date) -> None:
    assert ATLANTIC_CITY.of(instant_ms(local)) == day


@pytest.mark.parametrize(
    ("day", "hours"),
    [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 7, 4), 24)],
)
def test_a_clock_change_makes_a_day_of_23_or_25_hours(day: date, hours: int) -> None:
    begins = ATLANTIC_CITY.begins_ms(day)
    assert ATLANTIC_CITY.begins_ms(day + timedelta(days=1)) - begins == hours * HOUR_MS


@pytest.mark.parametrize(
    ("now", "ends"),
    [
        ("2026-11-16T05:59:59-05:00", "2026-11-17T06:00:00-05:00"),
        ("2026-11-16T06:00:00-05:00", "2026-11-18T06:00:00-05:00"),
        ("2026-10-30T12:00:00-04:00", "2026-11-01T06:00:00-05:00"),  # a day of 25 hours
    ],
)
def test_the_next_day_ends_a_millisecond_before_the_one_after_it(now: str, ends: str) -> None:
    assert ATLANTIC_CITY.next_day_ends_ms(instant_ms(now)) == instant_ms(ends) - 1


def test_the_start_of_a_day_is_a_setting() -> None:
    assert GamingDay(ZoneInfo("UTC"), time(0, 0)).of(0) == date(1970, 1, 1)
    assert GamingDay(ZoneInfo("UTC"), time(0, 1)).of(0) == date(1969, 12, 31)


@given(
    st.integers(instant_ms("2020-01-01T00:00:00Z"), instant_ms("2036-01-01T00:00:00Z")),
    st.sampled_from((time(6), time(1, 30), time(2, 30))),
)
@example(instant_ms("2026-03-08T03:10:00-04:00"), time(2, 30))
@example(instant_ms("2026-11-01T01:10:00-05:00"), time(1, 30))
def test_every_instant_lies_in_the_day_it_names(milliseconds: int, start: time) -> None:
    days = GamingDay(ZoneInfo("America/New_York"), start)
    day = days.of(milliseconds)
    assert days.begins_ms(day) <= milliseconds
    assert milliseconds < days.begins_ms(day + timedelta(days=1))


def test_a_day_whose_start_is_skipped_begins_at_the_next_time_that_exists() -> None:
    days = GamingDay(ZoneInfo("America/New_York"), time(2, 30))
    begins = instant_ms("2026-03-08T03:00:00-04:00")
    assert days.begins_ms(date(2026, 3, 8)) == begins
    assert days.of(begins) == date(2026, 3, 8)
    assert days.of(begins - 1) == date(2026, 3, 7)


# Zones with the evening before a night in which their clocks change, in spring and in autumn.
NIGHTS = [
    ("America/New_York", "2026-03-07T12:00:00Z"),
    ("America/New_York", "2026-10-31T12:00:00Z"),
    ("Europe/Berlin", "2026-03-28T12:00:00Z"),
    ("Europe/Berlin", "2026-10-24T12:00:00Z"),
    ("Europe/Dublin", "2026-03-28T12:00:00Z"),
    ("Europe/Dublin", "2026-10-24T12:00:00Z"),
    ("Australia/Lord_Howe", "2026-10-03T00:00:00Z"),  # by half an hour
    ("Australia/Lord_Howe", "2026-04-04T00:00:00Z"),
    ("America/Havana", "2026-03-07T12:00:00Z"),  # forward at midnight
    ("America/Havana", "2026-10-31T12:00:00Z"),
    ("America/St_Johns", "2006-04-01T12:00:00Z"),  # one minute after midnight
    ("America/St_Johns", "2006-10-28T12:00:00Z"),  # back over midnight
    ("Asia/Tokyo", "2026-03-28T00:00:00Z"),
    ("UTC", "2026-10-24T12:00:00Z"),
]
STARTS = [time(0), time(1, 30), time(2), time(2, 30), time(3), time(6)]
STEP_MS = 60_000
STRETCH = 2 * 24 * 60


def begun(zone: ZoneInfo, start: time, evening: str) -> tuple[list[int], list[date]]:
    """Minutes of two days, and the day of each: the last whose start time a clock has shown.

    A clock that jumped over the start time shows the time behind it at once.
    """
    minutes = [instant_ms(evening) + each * STEP_MS for each in range(STRETCH)]
    shown = [local_time(zone, each).replace(tzinfo=None) for each in minutes]
    day = shown[0].date() - timedelta(days=shown[0].time() < start)
    days = []
    for local in shown:
        while local >= datetime.combine(day + timedelta(days=1), start):
            day += timedelta(days=1)
        days.append(day)
    return minutes, days


@pytest.mark.parametrize("start", STARTS, ids=str)
@pytest.mark.parametrize(("name", "evening"), NIGHTS, ids=[f"{n} {e[:10]}" for n, e in NIGHTS])
def test_a_gaming_day_begins_at_the_first_instant_with_its_local_time(
    name: str, evening: str, start: time
) -> None:
    days = GamingDay(ZoneInfo(name), start)
    minutes, expected = begun(days.zone, start, evening)
    assert [days.of(each) for each in minutes] == expected
    for index in range(1, STRETCH):
        if expected[index] != expected[index - 1]:
            assert days.begins_ms(expected[index]) == minutes[index]
            assert days.ends_ms(expected[index - 1]) == minutes[index] - 1
            assert days.of(minutes[index] - 1) == expected[index - 1]
    assert len(set(expected)) in (2, 3)


@given(
    st.sampled_from(sorted({name for name, _ in NIGHTS})),
    st.sampled_from(STARTS),
    st.integers(instant_ms("2006-01-01T00:00:00Z"), instant_ms("2036-01-01T00:00:00Z")),
)
@example("America/St_Johns", time(0), instant_ms("2006-10-29T02:40:00Z"))
def test_listings_audit_and_balance_name_one_day(name: str, start: time, moment: int) -> None:
    days = GamingDay(ZoneInfo(name), start)
    day = days.of(moment)
    assert days.begins_ms(day) <= moment <= days.ends_ms(day)
    assert days.ends_ms(day) + 1 == days.begins_ms(day + timedelta(days=1))
