"""What is quicker in the station's tests than at a booth."""

from typing import Any

import pytest

from writer_station import client, station
from writer_station import serving as station_serving


@pytest.fixture
def server_settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(client, "AGAIN_SECONDS", 0.05)
    monkeypatch.setattr(station_serving, "REFUSED_SECONDS", 0.1)
    monkeypatch.setattr(station, "LOOK_S", 0.3)
    return {"messages_per_second": 1000}
