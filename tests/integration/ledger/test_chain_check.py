"""15.7: the audit chain of an open house is checked in pieces, so that sales go on meanwhile."""

import pytest

from keno.games.chain_check import check_chain
from keno.service.common import WriterContext
from tests.halting import alter, the_halt
from tests.houses import Floor


async def test_15_7_a_break_far_behind_is_found_piece_by_piece_with_a_pause_after_each(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    await floor.sell(booth)
    alter(floor.path, "UPDATE audit SET actor = 'W2' WHERE seq = 7")
    monkeypatch.setattr("keno.games.chain_check.PIECE_ROWS", 2)
    pauses = []

    async def wait(seconds: float) -> None:
        pauses.append(seconds)

    await check_chain(floor.house, wait)
    assert the_halt(floor.house).found == "The audit chain breaks at row 7."
    assert len(pauses) > 3
