"""R and W as processes, and a house that draws with them."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from tests.drawing import DrawingHouse, drawing_house
from tests.rng_processes import Processes


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    """R and W, unlocked; killed ones are brought back with `revive`."""
    made = Processes(tmp_path)
    yield made
    made.end()


@pytest.fixture
async def house(tmp_path: Path, processes: Processes) -> AsyncIterator[DrawingHouse]:
    async with drawing_house(tmp_path, processes) as made:
        yield made
