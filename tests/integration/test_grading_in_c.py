"""The benchmark's C loop is a second grader: it must agree on every award."""

from pathlib import Path

import numpy as np
import pytest

from tests.bench.grading import DRAWN, bench_grading, build_c, build_tickets, grade_here, grade_in_c
from tests.counts import count


def test_a_house_full_of_tickets_is_graded_alike_by_numpy_and_by_c(tmp_path: Path) -> None:
    house = build_tickets(count(20_000, 1_000_000))
    library = build_c(tmp_path)
    random = np.random.default_rng(47)
    for _ in range(5):
        drawn = [int(number) for number in random.permutation(np.arange(1, 81))[:20]]
        awards = grade_here(house, drawn)
        assert int(awards.sum()) > 0
        assert np.array_equal(awards, grade_in_c(library, house, drawn))


def test_the_benchmark_refuses_to_compare_graders_that_disagree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bench_grading(2_000, tmp_path)
    assert "ratio" in capsys.readouterr().out
    monkeypatch.setattr(
        "tests.bench.grading.grade_here", lambda house, drawn: grade_here(house, drawn) + len(DRAWN)
    )
    with pytest.raises(SystemExit):
        bench_grading(2_000, tmp_path)
