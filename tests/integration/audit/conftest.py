"""The busy ledgers, built once for all tests of the audit."""

from pathlib import Path

import pytest

from tests.integration.audit.busy import busy_ledger


@pytest.fixture(scope="session")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return busy_ledger(tmp_path_factory.mktemp("busy"))


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without messages of a generator, for the command, which verifies those."""
    return busy_ledger(tmp_path_factory.mktemp("quiet"), messages=False)
