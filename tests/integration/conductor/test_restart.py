"""A new conductor over the same file goes on where the last one stopped, whenever that was."""

from pathlib import Path

import pytest

from keno.protocol import State
from keno.service.signed_numbers import drawn_numbers
from tests.integration.conductor.playing import Room, new_room
from tests.integration.conductor.virtual import before_write

NOTICE_S = 60


async def cut_at(room: Room, kind: str, *, after: bool = False) -> None:
    """Play game 1 with a ticket until this write, and end there."""
    booth = await room.floor.booth()
    await room.do(room.floor.sell(booth))
    room.work.cut, room.work.cut_after = (lambda write, _: write == kind), after
    await room.forward(400)
    assert room.died_of_power_cut


async def check_goes_on(room: Room) -> None:
    """One draw, shown and settled; and the games after it."""
    await room.forward(1_000)
    row = await room.game(1)
    assert row.state == "settled"
    assert row.shown_ms is not None
    assert row.tickets == 1
    assert drawn_numbers(row) == room.parties.results("main")[1]
    assert 2 in room.results()
    await room.check_sound()


@pytest.mark.parametrize(
    ("kind", "after", "state", "closed"),
    [
        ("LockOut", False, "open", False),
        ("LockOut", True, "locked", False),
        ("CloseBook", False, "locked", False),
        ("CloseBook", True, "locked", True),
        ("MakeClose", True, "locked", True),
        ("RecordDraw", False, "locked", True),
        ("RecordDraw", True, "drawn", True),
        ("Settle", False, "drawn", True),
        ("Settle", True, "settled", True),
        ("Show", False, "settled", True),
        ("Show", True, "settled", True),
    ],
)
async def test_a_stop_at_each_state(
    tmp_path: Path, kind: str, *, after: bool, state: str, closed: bool
) -> None:
    async with new_room(tmp_path) as room:
        await cut_at(room, kind, after=after)
        row = await room.game(1)
        assert (row.state, row.root is not None) == (state, closed)
        assert (row.shown_ms is not None) == (kind == "Show" and after)
        await room.restart(away_seconds=30)
        await check_goes_on(room)


@pytest.mark.parametrize("after", [False, True])
async def test_a_stop_at_every_write_of_a_game(tmp_path: Path, *, after: bool) -> None:
    """Before it is written, or after and before anybody hears of it."""
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.forward(250)
        begin = len(room.work.writes)
        await room.forward(300)
        kinds = room.work.writes[begin:]
        assert {"LockOut", "CloseBook", "MakeClose", "RecordDraw", "Settle", "Show"} <= set(kinds)
        for place in range(len(kinds)):
            await room.do(room.floor.sell(booth))
            stop = len(room.work.writes) + place
            room.work.cut, room.work.cut_after = before_write(stop), after
            await room.forward(350)
            assert room.died_of_power_cut
            await room.restart(away_seconds=5)
        await room.forward(1_000)
        last = room.main.state().last
        assert last is not None
        rows = [await room.game(number) for number in range(1, last.game + 1)]
        assert {(row.state, row.shown_ms is None) for row in rows} == {("settled", False)}
        assert sum([row.tickets or 0 for row in rows]) == len(kinds)
        drawn = {row.game: drawn_numbers(row) for row in rows}
        assert drawn.items() <= room.parties.results("main").items()
        await room.check_sound()


async def test_a_game_that_was_shown_and_not_settled_is_not_shown_again(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        room.work.cut = lambda kind, _: kind == "Settle"
        await room.forward(300)
        await room.restart()
        room.work.cut = lambda kind, _: kind == "Settle"
        assert room.main.state().drawing is not None
        await room.stop()
        await room.floor.ledger.write("Show", "test", lambda tx: tx.change(
            "games", {"location": "main", "game": 1}, shown_ms=tx.now_ms))  # fmt: skip
        await room.restart()
        state = room.main.state()
        assert state.drawing is None
        assert state.last is not None
        assert state.last.game == 1
        assert (await room.game(1)).state == "settled"


@pytest.mark.parametrize("balls", [0, 1, 7, 19, 20])
async def test_a_stop_between_two_balls_shows_the_same_balls_again(
    tmp_path: Path, balls: int
) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(300 + 2 * balls + 1)
        before = room.main.state().drawing
        assert before is not None
        assert len(before.balls) == balls
        await room.restart()
        again = room.main.state().drawing
        assert again is not None
        assert again.balls == []
        await room.forward(42)
        assert room.results()[1][:balls] == before.balls
        await room.forward(300)
        await room.check_sound()


# Overrides survive.


async def test_a_hold_survives_with_the_time_that_was_left(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.forward(100)
        await room.override("hold")
        await room.forward(1_000)
        await room.restart(away_seconds=500)
        assert mode_of(room) == "held"
        await room.forward(1_000)
        await room.override("resume")
        await room.forward(200)
        assert room.lock_outs() == {1: 2_800.0}


async def test_manual_mode_survives_into_later_games(tmp_path: Path) -> None:
    async with new_room(tmp_path) as room:
        await room.override("manual")
        await room.restart()
        assert mode_of(room) == "manual"
        await room.do(room.main.close_by_hand(1, "S1", None))
        await room.forward(70)
        await room.restart(away_seconds=1_000)
        assert mode_of(room) == "manual"
        await room.forward(1_000)
        assert list(room.lock_outs()) == [1]
        await room.override("automatic")
        await room.restart()
        assert mode_of(room) == "automatic"
        await room.forward(NOTICE_S)
        assert list(room.lock_outs()) == [1, 2]


@pytest.mark.parametrize("at", [0, 100, 290, 310, 500])
async def test_a_delay_survives_and_counts_once(tmp_path: Path, at: float) -> None:
    async with new_room(tmp_path) as room:
        await room.override("delay", 600)
        await room.forward(at)
        await room.restart(away_seconds=50)
        await room.restart(away_seconds=50)
        await room.forward(900 - room.time.now)
        assert room.lock_outs() == {1: 900.0}


async def test_a_close_by_hand_that_was_not_done_is_said_again(tmp_path: Path) -> None:
    """It is nowhere written down until the game is closed: nothing closes without a word."""
    async with new_room(tmp_path) as room:
        await room.override("manual")
        await room.do(room.main.close_by_hand(1, "W1", "S1"))
        await room.forward(30)
        await room.restart()
        await room.forward(1_000)
        assert room.lock_outs() == {}
        await room.do(room.main.close_by_hand(1, "W1", "S1"))
        await room.forward(NOTICE_S)
        assert list(room.lock_outs()) == [1]


def mode_of(room: Room) -> str:
    now = room.main.state().open
    assert now is not None
    assert room.heard(State)[-1][1].open == now
    return now.mode
