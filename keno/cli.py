"""The `keno` command. Parses only; each command lives with its topic."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence

from keno import __version__, counter, tables
from keno.counter import CounterError, Report
from keno.domain.errors import Refused
from keno.domain.wager import check_drawn

CARD_HELP = "a rate card in TOML, or the word example for the card that comes with keno"
JSON_HELP = "print JSON for a program"
REQUEST_HELP = "a keno request as JSON or in the text form; - reads standard input"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 is yes, 1 is no with a reason, 2 is a bad command line."""
    arguments = _parser().parse_args(argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has seen enough; let the interpreter flush into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(arguments: argparse.Namespace) -> int:
    try:
        code: int = arguments.run(arguments)
    except CounterError as error:
        if arguments.json:
            print(json.dumps({"error": {"code": error.code, "message": error.message}}))
        else:
            print(error.message, file=sys.stderr)
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="keno", description="The keno system of N.J.A.C. 19:47-15."
    )
    parser.add_argument("--version", action="version", version=f"keno {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    ratecard = commands.add_parser(
        "ratecard",
        help="check or show a rate card",
        description="Check a rate card against 15.3(d)-(e), or show it with its odds.",
    )
    actions = ratecard.add_subparsers(metavar="ACTION", required=True)
    check = actions.add_parser(
        "check",
        help="certify a card: exit 0 if it is lawful, 1 and every fault if not",
        description="Lists the exact house advantage of every posted minimum, then every fault.",
    )
    check.add_argument("--json", action="store_true", help=JSON_HELP)
    show = actions.add_parser(
        "show",
        help="a card as a table: pays, odds to 1, return, house advantage",
        description="Shows what each catch pays, the odds against it, and what comes back.",
    )
    for action, run in ((check, _ratecard_check), (show, _ratecard_show)):
        action.add_argument("card", metavar="FILE", help=CARD_HELP)
        action.set_defaults(run=run, json=False)
    odds = commands.add_parser(
        "odds",
        help="the exact odds of a keno request",
        description="The exact odds of one game of a request: chance of any award, house\n"
        "advantage, and every possible award with its odds.",
        epilog="example:\n  echo '1 2 3/4 5 6: 2/3@1.00 1/6@2.00' > request\n"
        "  keno odds --card example --request request",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    grade = commands.add_parser(
        "grade",
        help="what a keno request wins on twenty numbers",
        description="Grades a request on a draw, way by way, each way limited to the card's "
        "maximum, before the game's total is shared.",
    )
    for command, run in ((odds, _odds), (grade, _grade)):
        command.add_argument("--card", required=True, metavar="FILE", help=CARD_HELP)
        command.add_argument("--request", required=True, metavar="FILE", help=REQUEST_HELP)
        command.add_argument("--json", action="store_true", help=JSON_HELP)
        command.set_defaults(run=run)
    grade.add_argument(
        "--drawn",
        required=True,
        type=_drawn,
        metavar="N,N,...",
        help="the twenty numbers drawn, separated by commas",
    )
    return parser


def _drawn(text: str) -> list[int]:
    if not re.fullmatch(r"[0-9]{1,3}(, *[0-9]{1,3})*", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not numbers with commas between them")
    numbers = [int(part) for part in text.split(",")]
    try:
        check_drawn(numbers)
    except Refused as refused:
        raise argparse.ArgumentTypeError(refused.message) from None
    return numbers


def _ratecard_check(arguments: argparse.Namespace) -> int:
    report = counter.check_report(counter.load_card(arguments.card))
    _print(arguments, report, tables.show_check)
    return 0 if report["ok"] else 1


def _ratecard_show(arguments: argparse.Namespace) -> int:
    report = counter.load_card(arguments.card)
    for line in tables.show_card(counter.usable_card(report), certified=report.certified):
        print(line)
    return 0


def _odds(arguments: argparse.Namespace) -> int:
    report = counter.odds_of(arguments.card, arguments.request)
    _print(arguments, report, tables.show_odds)
    return 0


def _grade(arguments: argparse.Namespace) -> int:
    report = counter.grade_of(arguments.card, arguments.request, arguments.drawn)
    _print(arguments, report, tables.show_grade)
    return 0


def _print(
    arguments: argparse.Namespace, report: Report, show: Callable[[Report], Iterator[str]]
) -> None:
    if arguments.json:
        print(json.dumps(report, indent=2))
        return
    for line in show(report):
        print(line)
