"""`make bench`: run every benchmark and print its figures."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench import grading, verify


def main() -> None:
    """Run the benchmarks at the counts that the figures in README are for."""
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("--tickets", type=int, default=1_000_000, help="tickets to grade")
    parser.add_argument("--games", type=int, default=verify.YEAR, help="games to verify")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        grading.bench_grading(arguments.tickets, Path(folder))
        verify.bench_verify(arguments.games, Path(folder))
    grading.bench_odds()


if __name__ == "__main__":  # the verifier's processes import this module too
    main()
