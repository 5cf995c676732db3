"""15.5(c): the notice comes in full before every lock-out, whatever was thrown in between."""

from pathlib import Path
from random import Random

import pytest

from keno.domain.errors import Refusal, Refused
from keno.games.conductor import Schedule
from tests.counts import count
from tests.integration.conductor.playing import Room, new_room

NOTICE_S = 60
KINDS = ("delay", "hold", "resume", "close_early", "manual", "automatic")


def check_notices(room: Room, *, games: int) -> None:
    """Every lock-out had its notice, and at least so long before."""
    locked, noticed = room.lock_outs(), room.notices()
    assert len(locked) >= games
    for game, at in locked.items():
        assert at - noticed[game] >= NOTICE_S


async def test_after_close_early(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(100)
        await room.override("close_early")
        await room.forward(100)
        assert room.lock_outs() == {1: 160.0}
        await room.forward(220)  # 420: the notice of game 2 has run for 20 seconds
        await room.override("close_early")
        await room.forward(60)
        assert room.lock_outs() == {1: 160.0, 2: 460.0}
        check_notices(room, games=2)


async def test_after_a_hold_in_the_middle_of_the_notice(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(280)
        await room.override("hold")
        held = room.main.state().open
        assert held is not None
        assert (held.mode, held.closing, held.closes_in_ms) == ("held", False, None)
        await room.forward(1_000)
        assert room.lock_outs() == {}
        await room.override("resume")
        await room.forward(NOTICE_S)
        assert room.lock_outs() == {1: 1_340.0}
        assert room.notices()[1] == 1_280  # it was given anew: nobody remembers the first
        await room.override("hold")
        await room.forward(500)
        await room.override("close_early")
        await room.forward(NOTICE_S)
        assert room.lock_outs() == {1: 1_340.0, 2: 1_900.0}
        check_notices(room, games=2)


async def test_a_delay_during_the_notice_needs_a_new_one_only_if_it_is_long(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(290)
        await room.override("delay", 30)
        await room.forward(40)
        assert room.lock_outs() == {1: 330.0}
        assert room.notices()[1] == 240
        await room.forward(280)
        await room.override("delay", 100)
        await room.forward(200)
        assert room.lock_outs()[2] == 730.0
        assert room.notices()[2] == 670
        check_notices(room, games=2)


async def test_by_hand_and_back(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(270)
        await room.override("manual")
        await room.forward(600)
        await room.do(room.main.close_by_hand(1, "S1", None))
        await room.do(room.main.close_by_hand(1, "M1", None))  # once is enough
        await room.forward(NOTICE_S)
        assert room.lock_outs() == {1: 930.0}
        assert room.notices()[1] == 870
        await room.forward(1_000)
        await room.override("close_early")  # an override closes by hand too
        await room.forward(NOTICE_S)
        assert room.lock_outs()[2] == 1_990.0
        await room.forward(1_000)
        await room.override("automatic")
        await room.forward(NOTICE_S)
        assert room.lock_outs()[3] == 3_050.0
        check_notices(room, games=3)


async def test_what_is_held_is_not_closed_by_hand(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        with pytest.raises(Refused, match="close early instead"):
            await room.main.close_by_hand(1, "S1", None)
        await room.override("manual")
        await room.override("hold")
        with pytest.raises(Refused, match="resume it first") as refused:
            await room.main.close_by_hand(1, "S1", None)
        assert refused.value.reason is Refusal.NOT_POSSIBLE_NOW
        await room.override("automatic")  # while held: the time that is left stays what it was
        await room.forward(1_000)
        await room.override("resume")
        await room.forward(300)
        assert room.lock_outs() == {1: 1_300.0}
        with pytest.raises(Refused, match="Game 1 is not open any more"):
            await room.main.close_by_hand(1, "S1", None)


async def test_after_a_restart(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(290)  # ten seconds before the close
        await room.restart()
        await room.forward(NOTICE_S)
        assert room.lock_outs() == {1: 350.0}
        await room.restart(away_seconds=3_000)
        await room.forward(NOTICE_S)
        assert room.lock_outs()[2] == 3_410.0
        check_notices(room, games=2)


@pytest.mark.parametrize("question", ["close", "draw", "attest", "commit"])
async def test_after_somebody_was_away_longer_than_the_interval(
    tmp_path: Path, question: str
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(200)
        line = room.parties.r if question == "draw" else room.parties.w
        line.away = {question}
        await room.forward(1_500)
        line.away = set()
        await room.forward(200)
        assert room.lock_outs()[2] >= 1_700 + NOTICE_S
        await room.forward(600)
        check_notices(room, games=3)


async def test_an_override_that_is_acknowledged_before_the_lock_out_prevents_it(
    tmp_path: Path,
) -> None:
    """The balls of game 1 are still shown when game 2 is due: it waits, and is held."""
    slow = Schedule(interval_seconds=120, closing_notice_seconds=NOTICE_S, ball_seconds=10)
    async with new_room(tmp_path, {"main": slow}) as room:
        await room.forward(120 + 130)
        assert room.lock_outs() == {1: 120.0}
        await room.override("hold")
        await room.forward(1_000)
        assert room.lock_outs() == {1: 120.0}
        await room.override("resume")
        await room.forward(NOTICE_S)
        assert room.lock_outs() == {1: 120.0, 2: 1_310.0}
        check_notices(room, games=2)


@pytest.mark.parametrize("seed", range(count(3, 200)))
async def test_whatever_comes_when(tmp_path: Path, seed: int) -> None:
    """Overrides and restarts by chance: a notice in full before each lock-out, and no crash."""
    chance = Random(seed)
    async with new_room(tmp_path) as room:
        for _ in range(count(12, 40)):
            await room.forward(chance.choice((0, 1, 20, 50, 59, 60, 61, 200)))
            kind = chance.choice((*KINDS, "close_by_hand", "restart"))
            if kind == "restart":
                await room.restart(away_seconds=chance.choice((0, 10, 400)))
            elif kind != "close_by_hand":
                await room.override(kind, chance.randint(1, 200) if kind == "delay" else None)
            elif (now := room.main.state().open) is not None and now.mode == "manual":
                await room.do(room.main.close_by_hand(now.game, "S1", None))
        await room.override("automatic")
        await room.override("close_early")
        await room.forward(200)
        check_notices(room, games=1)
        await room.check_sound()
