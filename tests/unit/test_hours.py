"""Opening hours: both nights on which clocks change, spans past midnight, the last game."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.domain.day import first_instant_ms, local_time
from keno.domain.hours import WEEKDAYS, OpeningHours, Span, parse_week

NEW_YORK = ZoneInfo("America/New_York")
HOUR_MS = 3_600_000
MINUTE_MS = 60_000
NOTICE_MS = 60_000
INTERVAL_MS = 300_000


def instant_ms(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp()) * 1000


def shown(ms: int) -> str:
    """An instant by the clock of New York, with its offset."""
    return local_time(NEW_YORK, ms).isoformat()


def hours(texts: dict[str, str] | str, zone: ZoneInfo = NEW_YORK) -> OpeningHours:
    stated = {"mon-sun": texts} if isinstance(texts, str) else texts
    return OpeningHours(zone, parse_week(stated), NOTICE_MS)


NIGHTLY = hours("10:00-02:00")
WEEKEND = hours({"mon-thu": "closed", "fri": "18:00-02:00", "sat": "12:00-00:00", "sun": "closed"})


# ---------------------------------------------------------------- what is stated


def test_hours_are_stated_for_weekdays_or_for_some_in_a_row() -> None:
    week = parse_week({"tue-thu": "09:30-17:00", "fri-mon": "10:00-02:00"})
    assert week[1:4] == (Span(570, 1_020),) * 3
    assert week[0] == week[4] == week[5] == week[6] == Span(600, 1_560)
    assert parse_week(dict.fromkeys(WEEKDAYS, "00:00-24:00"))[0] == Span(0, 1_440)
    assert parse_week(dict.fromkeys(WEEKDAYS, "06:00-06:00"))[0] == Span(360, 1_800)


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"mon-sat": "10:00-02:00"}, "sun must be stated too"),
        ({"mon-sun": "10:00-02:00", "wed": "closed"}, "wed is stated twice"),
        ({"mon-sun": "closed"}, "open on one day at least"),
        ({"mon-sun": "10-02"}, "'10-02' is neither hours such as"),
        ({"mon-sun": "10:00-25:00"}, "neither hours"),
        ({"mon-sun": "24:00-02:00"}, "neither hours"),
        ({"mon-sun": "\u0661\u0660:00-02:00"}, "neither hours"),
        ({"monday": "10:00-02:00"}, "'monday' is no weekday; there are mon, tue"),
        ({"mon-": "10:00-02:00"}, "'mon-' is no weekday"),
        ({"": "10:00-02:00"}, "is no weekday"),
        (
            {"mon": "20:00-12:00", "tue-sun": "10:00-22:00"},
            "the hours of mon end after those of tue have begun",
        ),
        (
            {"mon-sat": "10:00-02:00", "sun": "18:00-11:00"},
            "the hours of sun end after those of mon have begun",
        ),
    ],
)
def test_nonsense_is_refused_in_a_sentence(stated: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        parse_week(stated)


# ---------------------------------------------------------------- open now, next change


@pytest.mark.parametrize(
    ("at", "is_open", "changes"),
    [
        ("2026-11-16T09:59:59-05:00", False, "2026-11-16T10:00:00-05:00"),
        ("2026-11-16T10:00:00-05:00", True, "2026-11-17T02:00:00-05:00"),
        ("2026-11-17T01:59:59-05:00", True, "2026-11-17T02:00:00-05:00"),
        ("2026-11-17T02:00:00-05:00", False, "2026-11-17T10:00:00-05:00"),
    ],
)
def test_a_night_is_closed_from_two_to_ten(at: str, *, is_open: bool, changes: str) -> None:
    ms = instant_ms(at)
    assert NIGHTLY.is_open(ms) is is_open
    changed = NIGHTLY.closes_ms(ms) if is_open else NIGHTLY.opens_ms(ms)
    assert changed == instant_ms(changes)


def test_days_may_be_closed_and_hours_may_touch() -> None:
    friday = instant_ms("2026-11-20T18:00:00-05:00")
    assert WEEKEND.opens_ms(instant_ms("2026-11-16T12:00:00-05:00")) == friday
    assert WEEKEND.closes_ms(friday) == instant_ms("2026-11-21T02:00:00-05:00")
    following = instant_ms("2026-11-27T18:00:00-05:00")
    assert WEEKEND.opens_ms(instant_ms("2026-11-22T00:00:00-05:00")) == following
    touching = hours({"mon-sat": "12:00-12:00", "sun": "12:00-20:00"})
    closes = instant_ms("2026-11-22T20:00:00-05:00")
    assert touching.closes_ms(instant_ms("2026-11-16T12:00:00-05:00")) == closes
    always = hours("00:00-24:00")
    assert always.closes_ms(friday) is None
    assert always.begins_ms(friday) == friday


# ---------------------------------------------------------------- clocks that change


def test_in_spring_a_skipped_time_is_the_next_one_that_exists() -> None:
    """On 2026-03-08 clocks in New York go from 01:59:59 to 03:00:00."""
    closes = hours("10:00-02:30").closes_ms(instant_ms("2026-03-07T12:00:00-05:00"))
    assert closes is not None
    assert shown(closes) == "2026-03-08T03:00:00-04:00"
    opens = hours("02:30-22:00").opens_ms(instant_ms("2026-03-08T00:00:00-05:00"))
    assert shown(opens) == "2026-03-08T03:00:00-04:00"
    vanished = hours("02:15-02:45")
    assert not vanished.is_open(instant_ms("2026-03-08T03:00:00-04:00"))
    following = vanished.opens_ms(instant_ms("2026-03-07T12:00:00-05:00"))
    assert shown(following) == "2026-03-09T02:15:00-04:00"


def test_in_autumn_a_time_that_comes_twice_is_the_first() -> None:
    """On 2026-11-01 clocks in New York go from 01:59:59 back to 01:00:00."""
    closes = hours("10:00-01:30").closes_ms(instant_ms("2026-10-31T12:00:00-04:00"))
    assert closes is not None
    assert shown(closes) == "2026-11-01T01:30:00-04:00"
    assert not hours("10:00-01:30").is_open(instant_ms("2026-11-01T01:10:00-05:00"))
    opens = hours("01:30-22:00").opens_ms(instant_ms("2026-11-01T00:00:00-04:00"))
    assert shown(opens) == "2026-11-01T01:30:00-04:00"
    assert hours("01:30-22:00").is_open(instant_ms("2026-11-01T01:10:00-05:00"))


@pytest.mark.parametrize(
    ("day", "open_hours"),
    [(date(2026, 3, 7), 15), (date(2026, 10, 31), 17), (date(2026, 7, 4), 16)],
)
def test_a_night_with_a_clock_change_is_an_hour_shorter_or_longer(
    day: date, open_hours: int
) -> None:
    spans = hours("11:00-03:00")
    opens = first_instant_ms(NEW_YORK, day, time(11))
    assert spans.closes_ms(opens) == opens + open_hours * HOUR_MS


@given(
    st.sampled_from(("America/New_York", "Africa/Cairo", "Australia/Lord_Howe", "UTC")),
    st.integers(0, 1_439),
    st.integers(0, 1_439),
    st.integers(instant_ms("2020-01-01T00:00:00Z"), instant_ms("2037-12-01T00:00:00Z")),
)
def test_open_is_what_a_minute_by_minute_clock_says(
    name: str, opens: int, closes: int, ms: int
) -> None:
    """Between two changes of the clock: whether the wall clock reads a time inside the hours."""
    zone = ZoneInfo(name)
    spans = OpeningHours(zone, (Span(opens, closes if closes > opens else closes + 1_440),) * 7)
    near = {local_time(zone, ms + days * 24 * HOUR_MS).utcoffset() for days in (-2, -1, 0, 1, 2)}
    local = local_time(zone, ms)
    minute = local.hour * 60 + local.minute
    inside = opens <= minute < closes if closes > opens else minute >= opens or minute < closes
    if len(near) == 1:
        assert spans.is_open(ms) is inside
    change = spans.next_change_ms(ms)
    assert ms < change <= ms + 49 * HOUR_MS // 2 + HOUR_MS
    assert spans.is_open(change - 1) is spans.is_open(ms)


@given(
    st.sampled_from(("America/New_York", "Africa/Cairo", "Australia/Lord_Howe")),
    st.dates(date(2020, 1, 1), date(2036, 12, 31)),
    st.times(),
)
def test_a_first_instant_is_the_first_at_or_after_its_local_time(
    name: str, day: date, clock: time
) -> None:
    zone, clock = ZoneInfo(name), clock.replace(second=0, microsecond=0)
    wanted = datetime.combine(day, clock)
    ms = first_instant_ms(zone, day, clock)
    assert local_time(zone, ms).replace(tzinfo=None) >= wanted
    earlier = datetime.fromtimestamp(ms // 1000 - 1, UTC).astimezone(zone).replace(tzinfo=None)
    assert earlier < wanted or earlier - wanted > timedelta(minutes=29)


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(
    ("opened", "begins", "closes"),
    [
        ("2026-11-16T22:00:00-05:00", "2026-11-16T22:00:00-05:00", "2026-11-16T22:05:00-05:00"),
        # The last game: shortened to the closing time, never to less than its notice.
        ("2026-11-17T01:58:00-05:00", "2026-11-17T01:58:00-05:00", "2026-11-17T02:00:00-05:00"),
        ("2026-11-17T01:59:00-05:00", "2026-11-17T01:59:00-05:00", "2026-11-17T02:00:00-05:00"),
        ("2026-11-17T01:59:01-05:00", "2026-11-17T10:00:00-05:00", "2026-11-17T10:05:00-05:00"),
        ("2026-11-17T02:00:00-05:00", "2026-11-17T10:00:00-05:00", "2026-11-17T10:05:00-05:00"),
    ],
)
def test_a_game_is_sold_from_its_opening_or_from_that_of_the_house(
    opened: str, begins: str, closes: str
) -> None:
    found = NIGHTLY.game_ms(instant_ms(opened), INTERVAL_MS)
    assert found == (instant_ms(begins), instant_ms(closes))


def test_a_game_opened_just_before_closing_is_sold_unless_too_little_is_left() -> None:
    closing, opening = (instant_ms(f"2026-11-17T{each}:00:00-05:00") for each in ("02", "10"))
    assert NIGHTLY.begins_ms(closing - 1) == opening
    without_notice = replace(NIGHTLY, least_ms=0)
    assert without_notice.begins_ms(closing - 1) == closing - 1
    assert without_notice.begins_ms(closing) == opening


def test_nothing_is_sold_while_the_house_is_closed_unless_a_supervisor_moved_the_close() -> None:
    opened, closing = instant_ms("2026-11-17T01:57:00-05:00"), instant_ms("2026-11-17T02:00-05:00")
    opening = instant_ms("2026-11-17T10:00:00-05:00")
    assert NIGHTLY.sells(opened, closing - 1, extended=False)
    assert not NIGHTLY.sells(opened, closing, extended=False)
    assert NIGHTLY.sells(opened, closing, extended=True)
    assert NIGHTLY.sold_again_ms(opened, closing) == opening
    assert not NIGHTLY.sells(closing, opening - 1, extended=True)
    assert NIGHTLY.sold_again_ms(closing, opening - 1) == opening
    assert NIGHTLY.sells(closing, opening, extended=False)
    assert NIGHTLY.sells(opened, opening, extended=False)  # not locked all night: sold when open


def test_15_6_c_a_game_opened_at_a_wrong_time_ahead_is_sold_as_if_it_were_opened_now() -> None:
    ahead, opened = instant_ms("2027-12-21T03:00:00-05:00"), instant_ms("2026-11-17T01:57-05:00")
    closing, opening = opened + 3 * MINUTE_MS, instant_ms("2026-11-17T10:00:00-05:00")
    assert NIGHTLY.sells(ahead, opened, extended=False)
    assert not NIGHTLY.sells(ahead, closing, extended=False)
    assert NIGHTLY.sold_again_ms(ahead, closing) == opening


@given(st.integers(0, 2_000), st.integers(0, 7 * 24 * 60), st.sampled_from((90, 300, 700)))
def test_a_later_game_opens_when_games_one_after_the_other_say(
    games: int, minutes: int, interval: int
) -> None:
    opened = at = instant_ms("2026-10-26T00:00:00-04:00") + minutes * MINUTE_MS
    for _ in range(games):
        at = WEEKEND.game_ms(at, interval * 1000)[1]
    assert WEEKEND.opened_after_ms(opened, interval * 1000, games) == at


def test_a_game_in_the_far_future_is_a_lower_bound_and_no_endless_loop() -> None:
    opened = instant_ms("2026-10-26T00:00:00-04:00")
    assert NIGHTLY.opened_after_ms(opened, INTERVAL_MS, 10**12) >= opened + 10**12 * INTERVAL_MS


def test_hours_too_short_for_any_game_are_a_broken_invariant() -> None:
    with pytest.raises(ValueError, match="no hours of the week"):
        OpeningHours(NEW_YORK, (Span(0, 1),) * 7, 61_000).begins_ms(0)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize(
    ("now", "said"),
    [
        ("2026-11-17T02:00:00-05:00", "Opens at 10:00 AM today"),
        ("2026-11-16T23:00:00-05:00", "Opens at 10:00 AM tomorrow"),
        ("2026-11-14T12:00:00-05:00", "Opens at 10:00 AM on Tuesday"),
        ("2026-11-10T12:00:00-05:00", "Opens at 10:00 AM on Tuesday, November 17"),
    ],
)
def test_the_opening_in_words(now: str, said: str) -> None:
    opens = instant_ms("2026-11-17T10:00:00-05:00")
    assert NIGHTLY.opens_words(opens, instant_ms(now)) == said
    midnight = instant_ms("2026-11-18T00:05:00-05:00")
    assert NIGHTLY.opens_words(midnight, opens) == "Opens at 12:05 AM tomorrow"
    assert NIGHTLY.opens_words(opens + 150 * MINUTE_MS, opens) == "Opens at 12:30 PM today"
