"""A house for each test, in a file of its own."""

from collections.abc import AsyncIterator

import pytest

from keno.service.common import WriterContext
from tests.houses import Floor
from tests.integration.ledger.events import give_keys
from tests.integration.ledger.floors import furnished_floor


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    """A house with its people, three stations and game 1 open."""
    async with furnished_floor() as made:
        yield made


@pytest.fixture
async def booth(floor: Floor) -> WriterContext:
    """Writer W1 at station 1 with a bank of $10,000.00."""
    return await floor.booth()


@pytest.fixture
async def other(floor: Floor) -> WriterContext:
    """Writer W2 at station 2, and supervisors with their keys."""
    await give_keys(floor)
    return await floor.booth("W2", "2", 200_000_00)
