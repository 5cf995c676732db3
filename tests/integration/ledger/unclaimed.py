"""A house with winners whose claims no step of the clock may end."""

from pathlib import Path

import pytest

from keno.audit import audit
from keno.service.common import WriterContext
from tests.houses import START_MS, Clock, new_floor
from tests.integration.ledger.events import drawn

WINS_9 = drawn(1, 2, 3, 4, 5)
BOOTH = WriterContext("main", "1", "W1", 1)
BOTH = pytest.mark.parametrize("naive", [False, True])


async def unclaimed_house(folder: Path) -> Path:
    """A ledger with a shift and two winners that no patron has claimed."""
    async with new_floor(folder, clock=Clock(START_MS)) as floor:
        booth = await floor.booth()
        await floor.sell(booth)
        await floor.sell(booth)
        await floor.play(WINS_9)
        return floor.path


def sound(path: Path) -> None:
    """Fail unless the audit finds the ledger sound."""
    report = audit(path)
    assert report["sound"], report["first_discrepancy"]
