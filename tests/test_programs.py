"""The programs that are not built yet say so, and say what works instead."""

from collections.abc import Callable, Sequence

import pytest

import writer_station.cli

Main = Callable[[Sequence[str] | None], int]
NOT_BUILT: dict[str, Main] = {
    "keno-station": writer_station.cli.main,
}
programs = pytest.mark.parametrize("name", NOT_BUILT)


@programs
def test_it_says_that_it_is_not_built_and_fails(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert NOT_BUILT[name]([]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"{name} is not built yet")
    assert said.err.endswith("keno demo\n")


@programs
def test_help_does_not_promise_more(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        NOT_BUILT[name](["--help"])
    assert exit_.value.code == 0
    assert f"{name} is not built yet" in " ".join(capsys.readouterr().out.split())


@programs
def test_version_is_the_distributions(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        NOT_BUILT[name](["--version"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out == f"{name} 0.1.0\n"
