"""A served house for the station's tests."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.web.served import Served, serving
from writer_station import client, station
from writer_station import serving as station_serving


@pytest.fixture
async def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    monkeypatch.setattr(client, "AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(station_serving, "REFUSED_SECONDS", 0.1)
    monkeypatch.setattr(station, "LOOK_S", 0.3)
    house = tmp_path / "house"
    house.mkdir()
    async with serving(house, messages_per_second=1000) as made:
        yield made
        assert made.troubles == []
