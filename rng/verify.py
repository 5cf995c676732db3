"""The verifier: its functions in one place, and its command with a progress bar.

`verify_files` and `verify` check whole chains; `check_game` checks one game, also an unfinished
one. `add_arguments` and `run` are the command of `keno-rng verify` and `keno verify`.
"""

import argparse
import json
import sys
from pathlib import Path

from rng.chaincheck import Progress, verify, verify_files
from rng.gamecheck import Game, NotVerified, check_game
from rng.proofs import SaleOff
from rng.sequence import Report, VerifyOptions

__all__ = [
    "Game",
    "NotVerified",
    "Report",
    "VerifyOptions",
    "add_arguments",
    "check_game",
    "report_lines",
    "run",
    "verify",
    "verify_files",
]

BAR_WIDTH = 40
"""Width of the progress bar in characters."""
SALES_OFF_SHOWN = 20
"""Maximum number of sales with a wrong clock that are printed; the JSON report has all."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of `keno-rng verify` and `keno verify` to a parser."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a chain's files")
    parser.add_argument("--genesis", metavar="DIGEST", help="the digest that was posted")
    parser.add_argument(
        "--ticket",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a ticket's proof, to be verified too",
    )
    parser.add_argument(
        "--book",
        action="append",
        default=[],
        metavar="GAME=FILE",
        help="all tickets of a game, one leaf a line",
    )
    parser.add_argument(
        "--part",
        action="store_true",
        help="the files begin in the middle of a chain: one game is enough",
    )
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    parser.add_argument("--workers", type=int, help="processes (as many as there are cores)")


def run(arguments: argparse.Namespace) -> int:
    """Run the command `verify`: verify the files and print the report or the first fault.

    Return the exit code: 0, or 1 if there is a fault.
    """
    question = VerifyOptions(
        genesis=arguments.genesis,
        tickets=tuple(path.read_bytes() for path in arguments.ticket),
        books=dict(_book(each) for each in arguments.book),
        part=arguments.part,
        workers=arguments.workers,
    )
    total = sum(path.stat().st_size for path in arguments.files)
    try:
        report = verify_files(arguments.files, question, _bar(total))
    except NotVerified as fault:
        _end_bar()
        if arguments.json:
            where = {"game": fault.game, "step": fault.step, "message": fault.message}
            print(json.dumps({"verified": False, "fault": where}))
        else:
            print(f"NOT VERIFIED: {fault}")
        return 1
    _end_bar()
    if arguments.json:
        print(json.dumps({"verified": True, "report": report.written()}))
    else:
        print("\n".join(report_lines(report)))
    return 0


def _book(text: str) -> tuple[int, Path]:
    game, _, path = text.partition("=")
    if not game.isdecimal() or not path:
        raise ValueError(f"{text} is not GAME=FILE")
    return int(game), Path(path)


def _bar(total: int) -> Progress | None:
    if not sys.stderr.isatty():
        return None
    shown = -1

    def progress(games: int, read: int) -> None:
        nonlocal shown
        percent = 100 * read // max(total, 1)
        if percent != shown:
            shown = percent
            done = BAR_WIDTH * percent // 100
            bar = "#" * done + "." * (BAR_WIDTH - done)
            print(f"\r[{bar}] {percent:3}%  {games:,} games", end="", file=sys.stderr, flush=True)

    return progress


def _end_bar() -> None:
    if sys.stderr.isatty():
        print(file=sys.stderr)


def report_lines(report: Report) -> list[str]:
    """Return a report as lines to print: what was verified, and what a person should look at."""
    lines = []
    if report.mode == "test":
        lines.append("MODE TEST: NO VALUE")
    lines.append(
        f"VERIFIED: {report.site}, {report.location} ({report.jurisdiction}), "
        f"games {report.first_game} to {report.last_game}, {report.games} finished"
    )
    if report.part:
        lines.append(f"PART OF A CHAIN: what came before game {report.first_game} was not seen")
    lines += [f"genesis   {chain}" for chain in report.chains]
    lines += [f"game {each['game']}: boot {each['boot']}, code {each['code']}"
              for each in report.codes]  # fmt: skip
    lines += [f"game {number}: VOID" for number in report.voids]
    lines += [f"game {each['game']}: suppressed numbers {' '.join(map(str, each['numbers']))}"
              for each in report.suppressed]  # fmt: skip
    lines += [f"game {each['game']}: {each['role']} has not revealed its secret"
              for each in report.missing_reveals]  # fmt: skip
    lines += [f"game {each['game']}: the clocks of server and witness differ by "
              f"{-each['difference_ms']} ms or more"
              for each in report.clock_differences]  # fmt: skip
    lines += [f"game {each['game']}: the witness countersigned {each['delay_ms']} ms "
              "after the close" for each in report.countersign_delays]  # fmt: skip
    lines += [f"game {each['game']}: open after {each['after']}" for each in report.open]
    lines += [f"ticket {each['ticket']}: in game {each['game']}" for each in report.tickets]
    lines += [f"game {number}: the book is complete" for number in report.books]
    lines += [_sale_off(each) for each in report.sales_off[:SALES_OFF_SHOWN]]
    if len(report.sales_off) > SALES_OFF_SHOWN:
        more = len(report.sales_off) - SALES_OFF_SHOWN
        lines.append(f"and {more} more sales whose clock was off: --json lists them all")
    lines += [f"last boot {report.boot}", f"head      {report.head}"]
    lines.append("Compare boot and head with the witness's paper.")
    return lines


def _sale_off(each: SaleOff) -> str:
    difference_ms = each["difference_ms"]
    when = "before the commitments" if difference_ms < 0 else "after the close"
    return (
        f"game {each['game']}: ticket {each['ticket']} is dated {abs(difference_ms)} ms {when}: "
        "the clock was off, its number decides"
    )
