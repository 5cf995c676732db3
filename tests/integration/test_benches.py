"""The benchmarks of ledger and server run, at counts that measure nothing."""

from pathlib import Path

import pytest

from tests.bench.cards import bench_cards
from tests.bench.closing import bench_closing, bench_opening
from tests.bench.hostile import bench_hostile
from tests.bench.odds import HOSTILE, bench_odds_requests
from tests.bench.printing import bench_printing
from tests.bench.selling import bench_selling
from tests.bench.serving import bench_boards, bench_serving
from tests.bench.typing import bench_typing


async def test_selling_closing_and_opening_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await bench_selling(120, tmp_path)
    await bench_closing(1_000, tmp_path)
    await bench_opening(1_000, tmp_path)
    out = capsys.readouterr().out
    assert all(word in out for word in ("ratio", "Lock-out to settled", "Open a ledger"))


async def test_stations_and_boards_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await bench_serving(5, 50, tmp_path)
    await bench_boards(20, tmp_path)
    out = capsys.readouterr().out
    assert all(word in out for word in ("over 5 websockets", "last of 20 boards", "ratio"))


async def test_a_hostile_address_can_be_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await bench_hostile(1, 1, tmp_path)
    out = capsys.readouterr().out
    assert all(word in out for word in ("sales: p50", "prices: p50", "Refused meanwhile: 0 of"))


def test_hostile_cards_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    bench_cards(8)
    assert "Certify 8 hostile cards" in capsys.readouterr().out


def test_odds_of_random_and_hostile_requests_can_be_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bench_odds_requests(20, len(HOSTILE))
    out = capsys.readouterr().out
    assert all(word in out for word in ("20 random requests", f"{len(HOSTILE)} hostile requests"))


def test_printing_can_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    bench_printing(rounds=2)
    assert "first ticket of a process" in capsys.readouterr().out


async def test_typing_can_be_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    await bench_typing(20, tmp_path)
    assert "A key shows on the writer's page after" in capsys.readouterr().out
