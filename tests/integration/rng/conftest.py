"""A floor whose people make keys, a chain, unlocks and voids by hand."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.rng_ceremony import KeyCeremony


@pytest.fixture
def ceremony(tmp_path: Path) -> Iterator[KeyCeremony]:
    made = KeyCeremony(tmp_path)
    yield made
    made.end()
