"""A browser for each test, and a booth in it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from playwright.async_api import Browser

from tests.browser.booth import Booth, booth
from tests.browser.chromium import chromium


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as driven:
        yield driven


@pytest.fixture
async def anna(tmp_path: Path, browser: Browser) -> AsyncIterator[Booth]:
    """The page of station 1 with ANNA signed in and a drawer of $2,000.00."""
    async with booth(tmp_path, browser) as made:
        await made.sign_in()
        yield made
