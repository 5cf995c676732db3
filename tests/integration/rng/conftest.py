"""A floor whose people make keys, a chain, unlocks and voids by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rng_floor import Floor


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    made = Floor(tmp_path)
    yield made
    made.end()
