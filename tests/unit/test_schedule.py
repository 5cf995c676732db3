"""The close of a game: a halt stops it as a hold does, and extends nothing (15.5(d), 15.7)."""

from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from keno.domain.hours import OpeningHours, parse_week
from keno.games.schedule import Close, Schedule, take_up
from keno.store.rows import GameRow
from tests.houses import START_MS

CLOSES_S, WAIT_S = 720, 1_800
"""The house closes twelve minutes after `START_MS` (02:00), and opens half an hour later."""
OPEN = Schedule(interval_seconds=300, closing_notice_seconds=60)
NIGHT = OpeningHours(
    ZoneInfo("America/New_York"), parse_week({"mon-sun": "02:42-02:12"}), least_ms=60_000
)
NOW = 50.0
"""The conductor's clock when it takes up a game."""


def taken_up(schedule: Schedule, opened_s: int, after_s: int, *overrides: tuple[Any, ...]) -> Close:
    """Take up game 2, opened at `opened_s`, `after_s` seconds later with overrides before that.

    An override is its kind, its seconds after the opening, and perhaps its length and its game.
    """
    opened_ms = START_MS + opened_s * 1000
    rows = []
    for kind, at_s, *more in overrides:
        seconds = more[0] if more else None
        game = more[1] if len(more) > 1 else 2
        rows.append({"kind": kind, "ms": opened_ms + at_s * 1000, "seconds": seconds, "game": game})
    row = cast("GameRow", SimpleNamespace(game=2, opened_ms=opened_ms))
    return take_up(schedule, row, cast("Any", rows), opened_ms + after_s * 1000, NOW)


@pytest.mark.parametrize("naive", [False, True], ids=["halt", "override"])
def test_15_7_a_halt_stops_the_countdown_and_extends_no_game_beyond_the_hours(
    *, naive: bool
) -> None:
    close = Close(at=300, notice=60)
    if naive:
        close.apply("hold", None, 280)
        close.apply("resume", None, 900)
    else:
        close.hold(280)
        assert not close.is_due(1_000)
        close.go_on(900)
    assert (close.at, close.noticed) == (960, False), "the whole notice is given"
    assert close.extended is naive


@pytest.mark.parametrize(
    ("after_s", "overrides", "left", "held"),
    [
        (100, [], 200, False),
        (290, [], 60, False),  # the notice is given in full
        (100, [("delay", 20, 100)], 300, False),
        (100, [("delay", 20)], 260, False),
        (100, [("hold", 50)], 250, True),
        (290, [("hold", 280)], 60, True),
        (100, [("hold", 50), ("resume", 80)], 230, False),
        # The wall clock was ten hours ahead at the last override: the wait has its limit.
        (100, [("hold", 50), ("resume", 36_000)], 300, False),
        (100, [("hold", 50), ("resume", 36_000), ("delay", 36_001)], 360, False),
        (100, [("hold", 50), ("resume", 36_000), ("delay", 36_001, 100)], 400, False),
        (-36_000, [], 300, False),
    ],
    ids=str,
)
def test_15_5_d_a_game_is_taken_up_with_the_time_and_the_overrides_it_had(
    after_s: int, overrides: list[tuple[Any, ...]], left: float, *, held: bool
) -> None:
    close = taken_up(OPEN, 0, after_s, *overrides)
    assert (close.left(NOW), close.held, close.begins) == (left, held, NOW)
    assert (close.noticed, close.notice) == (False, 60)


@pytest.mark.parametrize(
    ("after_s", "overrides", "begins_s", "at_s"),
    [
        (300, [], 1_500, 1_800),
        (300, [("hold", 100), ("resume", 200)], 1_500, 1_800),
        (WAIT_S + 100, [], 0, 200),
        # What was held at night has the whole game left when it is resumed.
        (WAIT_S + 150, [("hold", 100), ("resume", WAIT_S + 100)], 0, 250),
        # The clock was wrong when the game was opened: it was no night.
        (-3_600, [], 0, 300),
    ],
    ids=str,
)
def test_15_5_d_a_game_opened_at_night_is_taken_up_for_the_opening(
    after_s: int, overrides: list[tuple[Any, ...]], begins_s: float, at_s: float
) -> None:
    schedule = Schedule(interval_seconds=300, closing_notice_seconds=60, hours=NIGHT)
    close = taken_up(schedule, CLOSES_S, after_s, *overrides)
    assert (close.begins - NOW, close.at - NOW) == (begins_s, at_s)


@pytest.mark.parametrize(
    ("overrides", "extended"),
    [
        ([], False),
        ([("close_early", 20)], False),
        ([("delay", 20)], True),
        ([("manual", -100, None, 1), ("hold", 20)], True),
        ([("manual", -100, None, 1), ("close_early", 20)], False),
    ],
    ids=str,
)
def test_15_5_e_only_an_override_of_its_own_extends_a_game_that_is_taken_up(
    overrides: list[tuple[Any, ...]], *, extended: bool
) -> None:
    assert taken_up(OPEN, 0, 100, *overrides).extended is extended


@pytest.mark.parametrize("automatic", [True, False])
def test_15_5_d_a_game_is_taken_up_in_the_mode_of_its_location(*, automatic: bool) -> None:
    assert taken_up(Schedule(automatic=automatic), 0, 100).manual is not automatic
