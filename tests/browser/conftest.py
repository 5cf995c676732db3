"""Fixtures: one browser for all tests of a process, a booth, and a supervisor's console.

The browser outlives its tests, so they all run in one event loop.
"""

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.browser.booth import Booth, booth
from tests.browser.chromium import PICTURES, chromium
from tests.browser.console import Desk, desk

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the async tests of this folder in the event loop of the session."""
    for item in items:
        if HERE in item.path.parents and pytest_asyncio.is_async_test(item):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session", autouse=True)
def pictures(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Set the folder for screenshots, unless the environment names one."""
    os.environ.setdefault(PICTURES, str(tmp_path_factory.getbasetemp() / "pictures"))


@pytest_asyncio.fixture(scope="package", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as driven:
        yield driven


@pytest_asyncio.fixture(loop_scope="session")
async def anna(tmp_path: Path, browser: Browser) -> AsyncIterator[Booth]:
    """The page of station 1 with ANNA signed in and a drawer of $2,000.00."""
    async with booth(tmp_path, browser) as made:
        await made.sign_in()
        yield made


@pytest_asyncio.fixture(loop_scope="session")
async def sue(anna: Booth, browser: Browser) -> AsyncIterator[Desk]:
    """The console of the same house with SUE signed in."""
    async with desk(browser, anna.house.served, "SUE") as made:
        yield made
