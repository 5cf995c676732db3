"""House hours: the last game closes and is drawn, the next is sold from the opening on."""

from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from keno.domain.errors import Refusal, Refused
from keno.domain.hours import OpeningHours, parse_week
from keno.domain.states import GameState
from keno.protocol import Opening, State
from keno.service.common import WriterContext
from keno.store import queries
from tests.houses import START_MS
from tests.integration.conductor.playing import SCHEDULE, Room, new_room

NEW_YORK = ZoneInfo("America/New_York")
NOTICE_S = 60
CLOSES_S, OPENS_S = 720.0, 2_520.0
"""The tests begin on a Monday at 02:00 local time; the house closes at 02:12, opens at 02:42."""
FOUR = "1 2 3 4: 1/4@1.00"


def hours(text: str) -> OpeningHours:
    return OpeningHours(NEW_YORK, parse_week({"mon-sun": text}), NOTICE_S * 1000)


NIGHT = {"main": replace(SCHEDULE, hours=hours("02:42-02:12"))}
CLOSED = Opening(START_MS + int(OPENS_S) * 1000, "Opens at 2:42 AM today")


async def not_sold(room: Room, booth: WriterContext) -> str:
    """Somebody tries to sell; gives the sentence that the writer reads out."""
    with pytest.raises(Refused) as refused:
        await room.do(room.floor.sell(booth, FOUR))
    assert refused.value.reason is Refusal.HOUSE_CLOSED
    return refused.value.message


def opens_s(room: Room, game: int) -> float:
    """When a later game opens, in seconds from the start."""
    opens_ms = room.main.opens_ms(game)
    assert opens_ms is not None
    return (opens_ms - START_MS) / 1000


def closed_said(room: Room) -> list[tuple[float, Opening | None]]:
    """When the screens heard that the house is closed or open, without repetitions."""
    found: list[tuple[float, Opening | None]] = []
    for at, state in room.heard(State):
        if not found or found[-1][1] != state.closed:
            found.append((at, state.closed))
    return found


@pytest.mark.parametrize("naive", [False, True])
async def test_15_5_d_the_last_game_closes_at_closing_time_and_no_other_is_sold_until_opening(
    tmp_path: Path, *, naive: bool
) -> None:
    """The naive house runs its games by the hours, but its sales do not ask for them."""
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(650)
        await room.do(room.floor.sell(booth, f"{FOUR} x2"))
        assert room.main.state().closed is None
        await room.forward(75)  # 725: five seconds after closing time
        assert room.lock_outs() == {1: 300.0, 2: 600.0, 3: CLOSES_S}
        assert room.notices()[3] == CLOSES_S - NOTICE_S
        night = room.main.state()
        assert night.closed == CLOSED
        assert night.open is not None
        assert (night.open.game, night.open.closes_in_ms, night.open.closing) == (4, None, False)
        if naive:
            room.floor.house.hours.clear()
        with nullcontext() if naive else pytest.raises(Refused) as refused:
            await room.do(room.floor.sell(booth, FOUR))
        if naive:
            return
        assert refused is not None
        assert refused.value.reason is Refusal.HOUSE_CLOSED
        assert refused.value.message == "The house is closed. Opens at 2:42 AM today."
        await room.forward(100)
        assert (await room.game(3)).state == "settled"
        assert list(room.results()) == [1, 2, 3]
        await room.forward(OPENS_S - 825 - 1)
        assert "Opens at 2:42 AM today" in await not_sold(room, booth)
        assert room.main.state().open == night.open
        await room.forward(1)
        assert room.main.state().closed is None
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(400)
        assert room.lock_outs()[4] == OPENS_S + 300
        assert (await room.game(4)).tickets == 2  # the multi-race went on
        assert closed_said(room) == [(0.0, None), (CLOSES_S, CLOSED), (OPENS_S, None)]
        await room.check_sound()


async def test_15_6_a_payouts_have_no_hours(tmp_path: Path) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        groups = "/".join(str(number) for number in range(1, 51))
        sold = await room.do(room.floor.sell(booth, f"{groups}: 50/1@1.00"))
        await room.forward(1_000)
        assert room.main.state().closed == CLOSED
        won = await room.floor.ledger.read(
            lambda reads: queries.awards_of_ticket(reads, "main", sold.ticket)
        )
        paid = await room.do(room.floor.pay(booth, sold, won[1]))
        assert paid.awards_cents == won[1] > 0


@pytest.mark.parametrize(
    ("at", "away"),
    [
        (650, 0), (650, 30), (690, 20), (690, 200), (719, 1), (720, 0), (721, 0), (740, 10),
        (1_500, 0), (1_500, 900), (2_519, 0), (2_519, 2), (1_500, 1_100),
    ],
)  # fmt: skip
async def test_15_5_d_a_restart_at_any_moment_of_the_night_goes_on_rightly(
    tmp_path: Path, at: float, away: float
) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(at)
        await room.restart(away_seconds=away)
        back = at + away
        if CLOSES_S <= back < OPENS_S:
            assert room.main.state().closed == CLOSED
            await not_sold(room, booth)
        elif back < CLOSES_S:
            await room.forward(CLOSES_S + 1 - back)
            await not_sold(room, booth)  # also while a notice is given again after a stop
            back = CLOSES_S + 1
        await room.forward(max(OPENS_S + 5 - back, 0))
        last = CLOSES_S if at >= CLOSES_S else max(CLOSES_S, at + away + NOTICE_S)
        assert (await room.game(3)).locked_ms == START_MS + 1000 * last
        assert (await room.game(3)).state == "settled"
        assert (await room.floor.open_game()).game == 4
        assert room.main.state().closed is None
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(400)
        assert (await room.game(4)).state in (GameState.LOCKED, GameState.DRAWN, GameState.SETTLED)
        locked = (await room.game(4)).locked_ms
        assert locked == START_MS + 1000 * (OPENS_S + 300)
        await room.check_sound()


@pytest.mark.parametrize(
    ("begins", "closes", "opens"),
    [
        # Spring: 02:30 does not exist, so the house closes at 03:00 daylight time.
        ("2026-03-08T01:50:00-05:00", "2026-03-08T03:00:00-04:00", "2026-03-08T10:00:00-04:00"),
        # Autumn: 01:30 comes twice, and the house closes at the first.
        ("2026-11-01T01:20:00-04:00", "2026-11-01T01:30:00-04:00", "2026-11-01T10:00:00-05:00"),
    ],
)
async def test_15_5_d_both_nights_on_which_clocks_change(
    tmp_path: Path, begins: str, closes: str, opens: str
) -> None:
    start, close, opening = (
        int(datetime.fromisoformat(text).timestamp()) * 1000 for text in (begins, closes, opens)
    )
    text = "10:00-02:30" if "-03-" in begins else "10:00-01:30"
    changing = {"main": replace(SCHEDULE, hours=hours(text))}
    async with new_room(tmp_path, changing, start_ms=start) as room:
        booth = await room.floor.booth()
        await room.forward((close - start) / 1000 - 1)
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(1)
        assert (await room.game(2)).locked_ms == close
        await room.forward(100)
        assert (await room.game(2)).state == "settled"
        now = room.main.state().closed
        assert now == Opening(opening, "Opens at 10:00 AM today")
        await not_sold(room, booth)
        await room.forward((opening - close) / 1000 - 101)
        await not_sold(room, booth)
        await room.forward(1)
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(300)
        assert (await room.game(3)).locked_ms == opening + 300_000
        await room.check_sound()


async def test_15_5_e_a_supervisor_delays_the_last_close_and_sales_go_on_until_it(
    tmp_path: Path,
) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(700)
        await room.override("delay", 120)
        await room.forward(100)  # 800: eighty seconds after closing time
        assert room.main.state().closed is None
        await room.do(room.floor.sell(booth, FOUR))
        await room.restart()
        assert room.main.state().closed is None
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(NOTICE_S)
        assert room.lock_outs()[3] == 860.0
        assert room.main.state().closed == CLOSED
        await not_sold(room, booth)
        await room.check_sound()


async def test_15_5_e_a_hold_over_closing_time_keeps_the_game_open(tmp_path: Path) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(700)
        await room.override("hold")
        await room.forward(300)
        await room.do(room.floor.sell(booth, FOUR))
        await room.override("resume")
        await room.forward(NOTICE_S)
        assert room.lock_outs()[3] == 1_060.0
        await not_sold(room, booth)


async def test_15_5_e_what_is_overridden_at_night_counts_from_the_opening(tmp_path: Path) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(1_000)
        for closing in (room.override("close_early"), room.main.close_by_hand(4, "S1", None)):
            with pytest.raises(Refused, match="Opens at 2:42 AM today") as refused:
                await closing
            assert refused.value.reason is Refusal.HOUSE_CLOSED
        await room.override("hold")
        assert room.main.state().closed == CLOSED
        await not_sold(room, booth)
        await room.forward(100)
        await room.override("resume")
        await room.override("delay", 30)
        await room.restart()
        await room.forward(OPENS_S - 1_100)
        assert room.main.state().closed is None
        opened = room.main.state().open
        assert opened is not None
        assert opened.closes_in_ms == 330_000
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(330)
        assert room.lock_outs()[4] == OPENS_S + 330


async def test_15_5_d_by_hand_nothing_is_sold_after_closing_time(tmp_path: Path) -> None:
    """In manual mode the close waits for its command; the sale does not."""
    by_hand = {"main": replace(NIGHT["main"], automatic=False)}
    async with new_room(tmp_path, by_hand) as room:
        booth = await room.floor.booth()
        await room.forward(CLOSES_S - 1)
        await room.do(room.floor.sell(booth, FOUR))
        await room.forward(1)
        assert room.main.state().closed == CLOSED
        await not_sold(room, booth)
        assert room.lock_outs() == {}
        await room.do(room.main.close_by_hand(1, "S1", None))
        await room.forward(NOTICE_S)
        assert room.lock_outs() == {1: CLOSES_S + NOTICE_S}
        await room.forward(100)
        assert (await room.game(1)).state == "settled"
        await not_sold(room, booth)


async def test_15_5_c_an_outage_over_closing_time_gives_the_notice_and_sells_nothing(
    tmp_path: Path,
) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(590)
        room.parties.r.away = {"commit"}
        await room.forward(400)  # game 3 cannot close: the next has no commitment
        assert (await room.floor.open_game()).game == 3
        assert room.main.state().closed == CLOSED
        await not_sold(room, booth)
        room.parties.r.away = set()
        await room.forward(100)
        locked, noticed = room.lock_outs()[3], room.notices()[3]
        assert locked >= 990
        assert locked - noticed >= NOTICE_S
        await room.forward(100)
        assert (await room.game(3)).state == "settled"
        assert room.main.state().closed == CLOSED


async def test_a_wall_clock_that_is_set_at_night_moves_the_opening(tmp_path: Path) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        booth = await room.floor.booth()
        await room.forward(1_000)
        room.floor.clock.forward(minutes=20)
        await room.forward(OPENS_S - 1_000 - 1_200 - 1)
        await not_sold(room, booth)
        await room.forward(1)
        await room.do(room.floor.sell(booth, FOUR))
        _, said = room.heard(State)[-1]
        assert said.open is not None
        assert (said.closed, said.open.closes_in_ms) == (None, 300_000)
        await room.forward(300)
        assert room.lock_outs()[4] == OPENS_S - 1_200 + 300


async def test_15_5_d_a_wall_clock_set_past_the_opening_counts_the_game_from_the_opening(
    tmp_path: Path,
) -> None:
    async with new_room(tmp_path, NIGHT) as room:
        await room.forward(1_000)
        room.floor.clock.forward(minutes=27)  # 100 seconds past the opening
        await room.forward(60)
        now = room.main.state()
        assert now.open is not None
        assert (now.closed, now.open.closes_in_ms) == (None, 300_000 - 160_000)


async def test_tomorrow_becomes_today_at_midnight(tmp_path: Path) -> None:
    evening = int(datetime.fromisoformat("2026-11-16T23:50:00-05:00").timestamp()) * 1000
    short = {"main": replace(SCHEDULE, hours=hours("10:00-23:55"))}
    async with new_room(tmp_path, short, start_ms=evening) as room:
        await room.forward(900)
        said = [(at, None if now is None else now.words) for at, now in closed_said(room)]
        assert said == [
            (0.0, None),
            (300.0, "Opens at 10:00 AM tomorrow"),
            (600.0, "Opens at 10:00 AM today"),
        ]


async def test_15_3_d_a_card_is_posted_for_a_game_after_the_night(tmp_path: Path) -> None:
    """Game 4 is opened at closing time and sold from the opening on; game 5 comes after it."""
    async with new_room(tmp_path, NIGHT) as room:
        await room.forward(100)
        opens = [opens_s(room, game) for game in (2, 3, 4, 5, 6)]
        assert opens == [300, 600, CLOSES_S, OPENS_S + 300, OPENS_S + 600]
        await room.forward(1_000)
        assert opens_s(room, 5) == OPENS_S + 300


@pytest.mark.parametrize("restarts", [False, True], ids=["running", "restarted"])
async def test_15_6_c_a_game_opened_at_a_wrong_time_waits_for_no_opening_of_that_time(
    tmp_path: Path, *, restarts: bool
) -> None:
    """After closing time by the wrong clock, which is then corrected to the evening before."""
    async with new_room(tmp_path, NIGHT) as room:
        await room.forward(725)
        room.floor.clock.forward(minutes=-360)
        if restarts:
            await room.restart()
        await room.forward(400)
        assert 4 in room.lock_outs()
