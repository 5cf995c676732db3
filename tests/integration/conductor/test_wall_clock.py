"""Somebody sets the wall clock during a game: only what is displayed changes (15.5(b))."""

from pathlib import Path

import pytest

from tests.integration.conductor.playing import new_room

HOUR_MS = 3_600_000


@pytest.mark.parametrize("minutes", [60, -60])
@pytest.mark.parametrize("at", [0, 100, 270, 310])
async def test_a_jump_moves_no_close(tmp_path: Path, minutes: int, at: float) -> None:
    async with new_room(tmp_path) as room:
        booth = await room.floor.booth()
        await room.do(room.floor.sell(booth))
        await room.forward(at)
        before = room.main.state()
        room.floor.clock.forward(minutes=minutes)
        after = room.main.state()
        assert after.server_ms - before.server_ms == minutes * 60_000
        assert (after.open, after.drawing) == (before.open, before.drawing)
        await room.do(room.floor.sell(booth))
        await room.forward(1_000 - at)
        assert room.lock_outs() == {1: 300.0, 2: 600.0, 3: 900.0}
        assert room.notices() == {1: 240.0, 2: 540.0, 3: 840.0}
        assert list(room.results()) == [1, 2, 3]
        await room.check_sound()


@pytest.mark.parametrize(("hours", "closes"), [(1, 60), (-1, 300), (-100, 300), (100, 60)])
async def test_a_restart_after_a_jump_gives_the_notice_and_waits_no_longer_than_a_game(
    tmp_path: Path, hours: int, closes: float
) -> None:
    """The wall clock is asked once, at a start; it may be wrong by any amount."""
    async with new_room(tmp_path) as room:
        await room.forward(100)
        room.floor.clock.forward(ms=hours * HOUR_MS)
        await room.restart()
        await room.forward(closes)
        assert room.lock_outs() == {1: 100.0 + closes}
        assert room.notices()[1] <= 100.0 + closes - 60
        await room.check_sound()
