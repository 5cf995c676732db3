"""Runs the pages' own unit tests in node, a file at a time."""

import subprocess
from pathlib import Path

import pytest

from tests.npm import NODE

HERE = Path(__file__).resolve().parent
FILES = sorted(path.name for path in HERE.glob("*.test.js"))


@pytest.mark.parametrize("name", FILES)
def test_the_page_s_unit_tests_pass_in_node(name: str) -> None:
    done = subprocess.run(
        [NODE, "--disable-warning=MODULE_TYPELESS_PACKAGE_JSON", "--test",
         "--test-reporter=tap", name],
        cwd=HERE, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n# fail 0\n" in done.stdout
    assert "\n# pass 0\n" not in done.stdout
    assert "\n# skipped 0\n# todo 0\n" in done.stdout, "a test that does not run proves nothing"


def test_there_are_files_to_run() -> None:
    assert "verify.test.js" in FILES
