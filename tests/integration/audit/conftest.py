"""The busy ledger, built once for all tests of the audit."""

from pathlib import Path

import pytest

from tests.integration.audit.busy import busy_ledger


@pytest.fixture(scope="session")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return busy_ledger(tmp_path_factory.mktemp("busy"))
