"""Every program says its version."""

from collections.abc import Callable, Sequence

import pytest

import keno.cli.main
import printer.cli
import rng.cli
import writer_station.cli

Main = Callable[[Sequence[str] | None], int]
PROGRAMS: dict[str, Main] = {
    "keno": keno.cli.main.main,
    "keno-rng": rng.cli.main,
    "keno-station": writer_station.cli.main,
    "keno-printer": printer.cli.main,
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_version_is_the_distributions(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit_:
        PROGRAMS[name](["--version"])
    assert exit_.value.code == 0
    assert capsys.readouterr().out == f"{name} 0.1.0\n"
