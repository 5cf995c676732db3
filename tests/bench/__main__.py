"""`make bench`: run every benchmark and print its figures."""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

import uvloop

from tests.bench import (
    cards,
    closing,
    grading,
    hostile,
    odds,
    printing,
    selling,
    serving,
    typing,
    verify,
)


def main() -> None:
    """Run the benchmarks at the counts that the figures in README are for."""
    parser = argparse.ArgumentParser(prog="tests.bench", description=__doc__)
    parser.add_argument("--tickets", type=int, default=1_000_000, help="tickets to grade")
    parser.add_argument("--requests", type=int, default=5_000, help="random requests for odds")
    parser.add_argument("--hostile", type=int, default=200, help="hostile requests for odds")
    parser.add_argument("--sales", type=int, default=20_000, help="tickets to sell")
    parser.add_argument("--ledger", type=int, default=5_000_000, help="tickets in a large ledger")
    parser.add_argument("--stations", type=int, default=1_000, help="stations that sell")
    parser.add_argument("--boards", type=int, default=5_000, help="boards that watch")
    parser.add_argument("--seconds", type=int, default=10, help="seconds of hostile requests")
    parser.add_argument("--keys", type=int, default=400, help="keys to type")
    parser.add_argument("--games", type=int, default=verify.YEAR, help="games to verify")
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        grading.bench_grading(arguments.tickets, Path(folder))
        grading.bench_odds()
        odds.bench_odds_requests(arguments.requests, arguments.hostile)
        cards.bench_cards(100)
        printing.bench_printing()
        uvloop.run(selling.bench_selling(arguments.sales, Path(folder)))
        uvloop.run(closing.bench_closing(arguments.tickets, Path(folder)))
        uvloop.run(closing.bench_opening(arguments.ledger, Path(folder)))
        uvloop.run(serving.bench_serving(arguments.stations, arguments.sales, Path(folder)))
        uvloop.run(serving.bench_boards(arguments.boards, Path(folder)))
        uvloop.run(hostile.bench_hostile(3, arguments.seconds, Path(folder)))
        uvloop.run(typing.bench_typing(arguments.keys, Path(folder)))
        verify.bench_verify(arguments.games, Path(folder))


if __name__ == "__main__":  # the verifier's processes import this module too
    main()
