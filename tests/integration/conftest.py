"""A house behind real sockets for each test; a file that needs another one says its settings."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.integration.web.served import Served, serving


@pytest.fixture
def server_settings() -> dict[str, Any]:
    """Settings of the server that differ from the defaults."""
    return {}


@pytest.fixture
async def served(tmp_path: Path, server_settings: dict[str, Any]) -> AsyncIterator[Served]:
    """A house with its people, four stations and game 1 open; nothing goes wrong in its loop."""
    async with serving(tmp_path, **server_settings) as made:
        yield made
        assert made.troubles == []
