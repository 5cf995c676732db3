"""The `keno` command. Parses only; each command lives with its topic."""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from keno import __version__, counter, tables
from keno.audit import SAMPLE, AuditError, audit, terminal_progress
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
    except (AuditError, CounterError) as error:
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
    _add_audit(commands.add_parser(
        "audit",
        help="recompute a ledger: exit 0 if it is sound, 1 and the first discrepancy if not",
        description=AUDIT_DESCRIPTION,
        epilog=AUDIT_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ))  # fmt: skip
    return parser


AUDIT_DESCRIPTION = """\
Recompute everything in a ledger and say whether it is sound. Nothing is
written; a copy can be audited, and the ledger of a running server too (its
write-ahead log grows meanwhile).

First the hash chain is verified from its first row and compared with the head
that was kept outside the file. Then the chain is replayed and every row of
every table compared with what it tells, column by column. Then prices, numbers,
lock-outs, roots, draws, grades, the maximum, awards, payouts, signatures,
drawers and both balance equations are worked out from first principles."""
AUDIT_EPILOG = """\
Prints a line for each location and gaming day and ends with one line that says
whether the ledger is sound, or names the first discrepancy: its table, key and
column. Exit code 0: sound. 1: not sound, or no ledger that can be read.

examples:
  keno audit --db ledger.db
  keno audit --db copy.db --head /mnt/box/ledger.db.head --json"""


def _add_audit(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--db", required=True, type=Path, metavar="FILE", help="the ledger, an SQLite file"
    )
    command.add_argument(
        "--head",
        type=Path,
        metavar="FILE",
        help="the head to compare with; FILE.head beside the ledger if there is one",
    )
    command.add_argument(
        "--sample",
        type=_count,
        default=SAMPLE,
        metavar="N",
        help="grade N games, N tickets and N winners in each, way by way as well (%(default)s)",
    )
    command.add_argument(
        "--seed",
        type=int,
        default=1,
        metavar="N",
        help="which games and tickets are in that sample (%(default)s)",
    )
    command.add_argument("--json", action="store_true", help=JSON_HELP)
    command.set_defaults(run=_audit)


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return int(text)


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


def _audit(arguments: argparse.Namespace) -> int:
    report = audit(
        arguments.db,
        head=arguments.head,
        sampled=(arguments.sample, arguments.seed),
        progress=terminal_progress(),
    )
    _print(arguments, report, tables.show_audit)
    return 0 if report["sound"] else 1


def _print(
    arguments: argparse.Namespace, report: Report, show: Callable[[Report], Iterator[str]]
) -> None:
    if arguments.json:
        print(json.dumps(report, indent=2))
        return
    for line in show(report):
        print(line)
