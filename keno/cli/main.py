"""The program `keno`: builds the argument parser and runs the chosen command.

Commands on cards, odds, grades, audits and proofs are here; the others have modules of their own.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from keno import __version__
from keno.audit import SAMPLE, AuditError, audit, terminal_progress
from keno.cli import documents as documents_cli
from keno.cli import house, tables
from keno.cli import report as report_cli
from keno.cli.report import ReportError
from keno.domain.errors import Refused
from keno.domain.wager import check_drawn
from keno.draw import proofs
from keno.draw.proofs import ProofError
from keno.service import counter
from keno.service.counter import CounterError, Report
from keno.store.read_only import LedgerNotReadable
from rng import verify

DESCRIPTION = "The keno system of N.J.A.C. 19:47-15."
CARD_HELP = "a rate card in TOML, or the word example for the card that comes with keno"
JSON_HELP = "print JSON for a program"
REQUEST_HELP = "a keno request as JSON or in the text form; - reads standard input"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one `keno` command, by default that of the process's arguments.

    Return 0 for success and 1 for a refusal or error. A bad command line exits with 2.
    """
    arguments = _parser().parse_args(argv)
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe; let the interpreter flush into nothing.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(arguments: argparse.Namespace) -> int:
    try:
        code: int = arguments.run(arguments)
    except (AuditError, CounterError, LedgerNotReadable, ProofError, ReportError) as error:
        if arguments.json:
            print(json.dumps({"error": {"code": error.code, "message": error.message}}))
        else:
            print(error.message, file=sys.stderr)
        return 1
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="keno", description=DESCRIPTION)
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
        description="Lists the house advantage of every minimum that can be bought, then faults.",
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
    _add_verify(commands.add_parser(
        "verify",
        help="verify draws, tickets and books: exit 0 if all is proven, 1 and the first fault",
        description=VERIFY_DESCRIPTION,
        epilog=VERIFY_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ))  # fmt: skip
    _add_proof(commands.add_parser(
        "proof",
        help="write the files that prove a location's draws, for verify",
        description=PROOF_DESCRIPTION,
        epilog=PROOF_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    ))  # fmt: skip
    for topic in (report_cli, house, documents_cli):
        topic.add(commands)
    return parser


AUDIT_DESCRIPTION = """\
Recompute everything in a ledger and say whether it is sound. Nothing is
written; a copy can be audited, and the ledger of a running server too (its
write-ahead log grows meanwhile).

First the schema is compared, then the hash chain from its first row and the head
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


VERIFY_DESCRIPTION = """\
Verify the draws of a location, offline and with public keys only: every
signature, link, secret and number, from the genesis to the last game. The
first fault is named with its game and step. `keno-rng verify` is the same."""
VERIFY_EPILOG = """\
The files come from `keno proof`. Compare the genesis with the digest that is
posted and printed, and boot and head, which are printed last, with the
witness's paper: a tail that was cut off cannot be seen otherwise.

examples:
  keno verify main.chain --genesis 4863551a...
  keno verify main.chain --ticket ticket.proof --book 17=game17.book"""


def _add_verify(command: argparse.ArgumentParser) -> None:
    verify.add_arguments(command)
    command.set_defaults(run=_verify)


PROOF_DESCRIPTION = """\
Write what proves a location's draws, read from its ledger, which is not
written to; the ledger of a running server will do.

Without more options: the chain, which is the genesis, the unlocks and a line
for each game. With --ticket, --code and --game: the proof that this ticket is
in the book of that game. With --book: all tickets of a game, a line each.
With --void: what two keyholders take to `keno-rng void` for a game that is
locked and can have no draw."""
PROOF_EPILOG = """\
A ticket's proof is given only for the code that is printed on it. A ticket for
several games has a proof for each. A book names no code and no patron.

examples:
  keno proof --db ledger.db --location main --out main.chain
  keno proof --db ledger.db --location main --ticket 12 --code 3F... --game 17 \\
      --out ticket.proof
  keno proof --db ledger.db --location main --book 17 --out game17.book
  keno verify main.chain --ticket ticket.proof --book 17=game17.book"""


def _add_proof(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--db", required=True, type=Path, metavar="FILE", help="the ledger, an SQLite file"
    )
    command.add_argument("--location", required=True, metavar="NAME", help="whose draws")
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="where to write to (standard output)"
    )
    command.add_argument("--ticket", type=_count, metavar="N", help="the number of a ticket")
    command.add_argument("--code", metavar="CODE", help="the code that is printed on it")
    command.add_argument("--game", type=_count, metavar="G", help="one of the games it plays")
    command.add_argument("--book", type=_count, metavar="G", help="the book of a closed game")
    command.add_argument(
        "--void",
        type=_count,
        metavar="G",
        help="what keno-rng void needs for a game",
    )
    command.set_defaults(run=_proof, json=False)


def _proof(arguments: argparse.Namespace) -> int:
    asked = (arguments.ticket, arguments.code, arguments.game)
    kinds = [any(each is not None for each in asked)]
    kinds += [each is not None for each in (arguments.book, arguments.void)]
    if sum(kinds) > 1 or (kinds[0] and None in asked):
        raise ProofError(
            "usage", "Give --ticket, --code and --game together; else --book or --void alone."
        )
    if arguments.void is not None:
        wanted = proofs.void_request(arguments.void)
    elif arguments.book is not None:
        wanted = proofs.book(arguments.book)
    else:
        wanted = proofs.ticket(*asked) if kinds[0] else proofs.chain()
    proofs.write(arguments.db, arguments.location, wanted, arguments.out)
    return 0


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


def _verify(arguments: argparse.Namespace) -> int:
    """Run `keno verify` and return its exit status; turn read errors into `ProofError`."""
    try:
        return verify.run(arguments)
    except OSError as error:
        what = f"Cannot read {error.filename}: {error.strerror}."
        raise ProofError("not_found", f"{what} `keno proof` writes such files.") from None
    except ValueError as error:
        raise ProofError("usage", f"{error}. See `keno verify --help`.") from None


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
    with proofs.verifier_of(arguments.db) as verify_proof:
        report = audit(
            arguments.db,
            head=arguments.head,
            verify=verify_proof,
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


if __name__ == "__main__":
    sys.exit(main())
