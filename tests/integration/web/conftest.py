"""A house behind real sockets for each test; a file that needs another one makes its own."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.integration.web.served import Served, serving


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """A house with its people, four stations and game 1 open; nothing goes wrong in its loop."""
    async with serving(tmp_path) as made:
        yield made
        assert made.troubles == []
