"""The command `keno report`: prints a listing from a ledger file, as a table, CSV or JSON."""

import argparse
import json
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import msgspec

from keno.cli import tables
from keno.documents.listings import ListedLocation, as_csv, counted, shown
from keno.domain.errors import Refused
from keno.serve import LEDGER
from keno.service.house import gaming_day
from keno.service.listing_registry import LISTINGS, ListingColumn, ListingDefinition
from keno.service.listings import read_day, rows_of
from keno.store import queries, read_only
from keno.store.transaction import Reads, Row

DESCRIPTION = """\
Print a listing of a location and gaming day, read from its ledger, which is not
written to; the ledger of a running server will do. The rows are those of the
console's reports tab."""
EPILOG = """\
examples:
  keno report voids --folder house --location main --day 2026-11-16
  keno report large_payouts --db ledger.db --csv > payouts.csv"""


class ReportError(Exception):
    """A report cannot be made: a code for programs and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `keno report` to the subparsers of `keno`."""
    report = commands.add_parser(
        "report",
        help="a listing of a gaming day: winning numbers, voids, payouts and others",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = ", ".join(LISTINGS)
    report.add_argument("listing", choices=LISTINGS, metavar="NAME", help=f"one of {names}")
    ledger = report.add_mutually_exclusive_group()
    ledger.add_argument("--db", type=Path, metavar="FILE", help="the ledger, an SQLite file")
    ledger.add_argument(
        "--folder", type=Path, default=Path(), metavar="FOLDER", help="the house (here)"
    )
    report.add_argument("--location", metavar="NAME", help="needed if the house has several")
    report.add_argument("--day", metavar="DAY", help="a gaming day, 2026-11-16 (today)")
    form = report.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print the CSV file")
    form.add_argument("--json", action="store_true", help="print JSON for a program")
    report.set_defaults(run=_report)


def _report(arguments: argparse.Namespace) -> int:
    listing = LISTINGS[arguments.listing]
    path = arguments.db or arguments.folder / LEDGER
    try:
        with closing(read_only.open_ledger(path)) as connection:
            reads = Reads(connection)
            row = _location(reads, arguments.location)
            place = _place(listing, row, arguments.day)
            day = place.day if listing.of_day else None
            rows = rows_of(reads, listing, place.location, day)
    except Refused as refused:
        raise ReportError(refused.reason, refused.message) from None
    except sqlite3.DatabaseError as error:
        raise ReportError("damaged", f"{path} is damaged: {error}. Run keno audit.") from None
    if arguments.csv:
        print(as_csv(listing, rows, place), end="")
    elif arguments.json:
        print(json.dumps(_as_json(listing, rows, place), indent=2))
    else:
        for line in _table(listing, rows, place, row["name"]):
            print(line)
    return 0


def _location(reads: Reads, name: str | None) -> Row:
    known = {row["location"]: row for row in queries.locations(reads)}
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name not in known:
        there = f"there is: {', '.join(known) or 'none'}."
        said = f"No location {name} here" if name else "Give --location"
        raise ReportError("unknown_location", f"{said}; {there}")
    return known[name]


def _place(listing: ListingDefinition[Any], row: Row, day: str | None) -> ListedLocation:
    days = gaming_day(row)
    if day is not None and not listing.of_day:
        raise ReportError("usage", f"The {listing.name} is of now: leave --day out.")
    wanted: date = days.of(time.time_ns() // 1_000_000) if day is None else read_day(day)
    return ListedLocation(row["location"], row["letter"], days, wanted)


def _as_json(
    listing: ListingDefinition[Any], rows: list[Any], place: ListedLocation
) -> dict[str, object]:
    about: dict[str, object] = {"listing": listing.name, "location": place.location}
    if listing.of_day:
        about["gaming_day"] = place.day.isoformat()
    return about | {"rows": msgspec.to_builtins(rows)}


def _table(
    listing: ListingDefinition[Any], rows: list[Any], place: ListedLocation, name: str
) -> Iterator[str]:
    when = f"gaming day {place.day.isoformat()}" if listing.of_day else "now"
    yield f"{listing.title}, {_printable(name)} ({place.letter}), {when}"
    yield ""
    if not rows:
        yield f"{listing.none}."
        return
    columns = _columns(listing)
    cells = [
        [_printable(shown(each, getattr(row, each.key), place)) for each in columns] for row in rows
    ]
    left = frozenset(n for n, each in enumerate(columns) if each.kind not in ("cents", "number"))
    yield from tables.columns([[each.heading for each in columns], *cells], left=left)
    if listing.of_day:
        yield ""
        yield counted(listing, len(rows))


def _columns(listing: ListingDefinition[Any]) -> tuple[ListingColumn, ...]:
    """Return a listing's columns for the terminal.

    If the console groups the rows by a column that is not shown, that column comes first.
    """
    shown_keys = {column.key for column in listing.screen_columns}
    grouped = tuple(
        replace(column, heading=listing.grouping.heading)
        for column in listing.columns
        if listing.grouping is not None
        and column.key == listing.grouping.key
        and column.key not in shown_keys
    )
    return grouped + listing.screen_columns


def _printable(text: str) -> str:
    """Return the text as one line, with `?` in place of control characters."""
    return "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
