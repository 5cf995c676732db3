"""The command `keno document`: writes a booth's documents as PDF files, from a rate card.

This module parses the arguments; `keno/documents/press.py` draws and writes.
"""

import argparse
import re
from datetime import datetime
from pathlib import Path

from keno.service import counter

DESCRIPTION = """\
Write what a keno booth hands out or posts, as PDF ready for the printer. Every
award, odds, limit and price comes from the rate card; the examples are priced
by the same rules that sell tickets. A card that is not certified is refused.
The same card gives the same bytes, so a sheet can be checked against its file."""
EPILOG = """\
examples:
  keno document ratecard --card example --out ratecard.pdf
  keno document request --out request.pdf
  keno document notice --old card-26-3.toml --card card-26-4.toml \\
      --first-game A-1200 --posted '2026-11-14 21:08' --out notice.pdf"""
RATECARD = """\
The rate card: every award with its odds "to 1", return and house advantage,
limits, the maximum and how it is shared, claims, refunds, and how tickets are
conditioned, with an example of each type. Letter paper, landscape, printed on
both sides and folded once; a card with many rates takes more than one sheet."""
REQUEST = """\
The keno request form of 15.4(b), two to a letter page, with corner marks and a
form number that a scanner can find. Cut between the short lines at the edges."""
GUIDE = """\
The gaming guide: the rules abridged in plain words, with this card's limits.
Letter paper, one sheet, both sides."""
NOTICE = """\
The notice of a new rate card, for posting: which card, from which game, and
everything that changes: limits, rates, awards, house advantage, old beside new.
It is to be posted at least 30 minutes before that game opens."""
CARD_HELP = "a rate card in TOML (%(default)s: the card that comes with keno)"


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `keno document` and its four kinds: ratecard, request, guide and notice."""
    document = commands.add_parser(
        "document",
        help="rate card, request form, gaming guide or new-card notice as PDF",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    kinds = document.add_subparsers(metavar="KIND", required=True)
    for name, says, description in (
        ("ratecard", "the rate card, a sheet folded once", RATECARD),
        ("request", "the keno request form, two to a page", REQUEST),
        ("guide", "the gaming guide, two pages", GUIDE),
    ):
        command = _kind(kinds, name, says, description)
        command.set_defaults(run=_write, document=name)
    notice = _kind(kinds, "notice", "the notice of a new card, for posting", NOTICE)
    notice.add_argument(
        "--old", required=True, metavar="FILE", help="the card that is in force until then"
    )
    notice.add_argument(
        "--first-game",
        required=True,
        type=_game,
        metavar="GAME",
        help="the first game of the new card, with its location's letter: A-1200",
    )
    notice.add_argument(
        "--posted",
        type=_time,
        metavar="WHEN",
        help="local time of posting, 2026-11-14 21:08; else a line to write it on",
    )
    notice.set_defaults(run=_write_notice)


def _kind(
    kinds: "argparse._SubParsersAction[argparse.ArgumentParser]",
    name: str,
    says: str,
    description: str,
) -> argparse.ArgumentParser:
    command = kinds.add_parser(
        name,
        help=says,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("--card", default=counter.EXAMPLE, metavar="FILE", help=CARD_HELP)
    command.add_argument(
        "--out", required=True, type=Path, metavar="FILE.pdf", help="where to write it"
    )
    command.set_defaults(json=False)
    return command


def _game(text: str) -> str:
    if not re.fullmatch(r"([A-Z]-)?[1-9][0-9]{0,8}", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"{text!r} is not a game such as A-1200")
    return text


def _time(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d %H:%M")  # noqa: DTZ007
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time such as 2026-11-14 21:08"
        ) from None


# Drawing code is imported when something is drawn: reportlab would slow every other command.


def _write(arguments: argparse.Namespace) -> int:
    from keno.documents.press import write  # noqa: PLC0415

    return write(arguments.document, arguments.card, arguments.out)


def _write_notice(arguments: argparse.Namespace) -> int:
    from keno.documents.press import write_notice  # noqa: PLC0415

    cards = (arguments.old, arguments.card)
    return write_notice(cards, arguments.first_game, arguments.posted, arguments.out)
