"""The listings the law names as tables: what stands in which column, on paper and as CSV.

The rows are those of `keno/service/listings.py`. Nothing here draws; `listingsheet.py` does.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Literal

from keno.domain.day import GamingDay
from keno.domain.money import format_dollars, format_plain
from keno.domain.wager import BALLS

Row = Mapping[str, Any]
Kind = Literal["text", "word", "number", "numbered", "money", "time"]
"""`numbered`: a ticket or a game, which bears its location's letter. `word`: one of our own."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: the row's key, its name in a CSV file, its title and width on paper."""

    key: str
    name: str
    kind: Kind
    title: str = ""
    wide: float = 0
    """Its share of the paper's width; 0: it stands in the file alone."""
    added: bool = False
    """Its sum says something."""


@dataclass(frozen=True, slots=True)
class Form:
    """How one listing is written."""

    title: str
    clause: str
    one: str
    many: str
    columns: tuple[Column, ...]
    grouped: str = ""
    """The key by which its rows stand together on paper."""
    headings: Mapping[str, str] | None = None
    """The words for each group; a station has its own name."""
    summed: frozenset[str] | None = None
    """The groups whose sums say something; None: all of them, and the sum of all."""


@dataclass(frozen=True, slots=True)
class ListedLocation:
    """Where and of which day: what cells need to be written."""

    location: str
    letter: str
    days: GamingDay
    day: date


def _balls() -> tuple[Column, ...]:
    numbers = range(1, BALLS + 1)
    return tuple(Column(f"ball_{n}", f"ball_{n}", "number", f"{n}", 25) for n in numbers)


WORDS = {
    "payout": "payout", "refund": "refund", "delay": "delay", "hold": "hold", "resume": "resume",
    "close_early": "close early", "manual": "manual", "automatic": "automatic",
    "void": "declare void",
}  # fmt: skip
EXCEPTIONS = {
    "hold": "Tickets held in dispute",
    "release": "Tickets released",
    "reprint": "Reprints",
    "surrender": "Tickets surrendered",
    "void_game": "Games declared void",
    "denied": "Authorisations denied",
    "lapsed": "Authorisations that nobody answered in time",
    "over": "Checkouts over",
    "short": "Checkouts short",
    "over_short": "Checkouts over and short in equal parts",
    "unconfirmed_print": "Prints that nobody has confirmed",
}

FORMS: Mapping[str, Form] = {
    "winning_numbers": Form(
        "Winning numbers",
        "15.5(h)",
        "game drawn",
        "games drawn",
        (
            Column("game", "game", "numbered", "Game", 62),
            Column("locked_ms", "locked_out", "time", "Locked out", 76),
            Column("shown_ms", "shown", "time", "Shown", 76),
            *_balls(),
        ),
    ),
    "voids": Form(
        "Voided tickets",
        "15.4(e)",
        "ticket voided",
        "tickets voided",
        (
            Column("voided_at", "station", "text"),
            Column("ticket", "ticket", "numbered", "Ticket", 90),
            Column("ms", "voided", "time", "Voided", 110),
            Column("actor", "voided_by", "text", "Voided by", 120),
            Column("sold_at", "sold_at", "text", "Sold at", 90),
            Column("sold_by", "sold_by", "text", "Sold by", 120),
            Column("rewritten_as", "rewritten_as", "numbered", "Rewritten as", 100),
            Column("price_cents", "price", "money", "Price", 80, added=True),
        ),
        grouped="voided_at",
    ),
    "overrides": Form(
        "Overrides of the lock-out",
        "15.5(e)",
        "override",
        "overrides",
        (
            Column("ms", "time", "time", "Time", 84),
            Column("game", "game", "numbered", "Game", 62),
            Column("kind", "kind", "word", "What", 82),
            Column("seconds", "seconds", "number", "Seconds", 52),
            Column("actor", "by", "text", "By", 92),
            Column("second", "second", "text", "Second person", 92),
            Column("reason", "reason", "text", "Why", 248),
        ),
    ),
    "large_payouts": Form(
        "Payouts of $1,500.00 or more",
        "15.6(b)",
        "payout",
        "payouts",
        (
            Column("ms", "paid", "time", "Paid", 72),
            Column("ticket", "ticket", "numbered", "Ticket", 54),
            Column("kind", "kind", "word", "Kind", 42),
            Column("station", "station", "text", "Station", 50),
            Column("actor", "paid_by", "text", "Paid by", 56),
            Column("awards_cents", "awards", "money"),
            Column("returns_cents", "returns", "money"),
            Column("refund_cents", "refund", "money"),
            Column("total_cents", "total", "money", "Total", 68, added=True),
            Column("cash_cents", "cash", "money", "Cash", 66, added=True),
            Column("check_cents", "check", "money", "Check", 66, added=True),
            Column("check_number", "check_number", "text", "Check no.", 54),
            Column("coupon_cents", "coupon", "money", "Coupon", 54, added=True),
            Column("withheld_cents", "withheld", "money", "Withheld", 60, added=True),
            Column("tax_form", "tax_form", "text", "W-2G", 48),
            Column("authorisation", "authorisation", "number"),
            Column("authorised_cents", "authorised_amount", "money"),
            Column("asked_by", "asked_by", "text"),
            Column("asked_ms", "asked", "time"),
            Column("authorised_by", "authorised_by", "text", "Authorised by", 66),
            Column("authorised_ms", "authorised", "time", "Authorised at", 72),
            Column("signature", "signature", "text"),
        ),
    ),
    "exceptions": Form(
        "Exceptions",
        "",
        "exception",
        "exceptions",
        (
            Column("kind", "kind", "text"),
            Column("ms", "time", "time", "Time", 86),
            Column("ticket", "ticket", "numbered", "Ticket", 62),
            Column("game", "game", "numbered", "Game", 58),
            Column("station", "station", "text", "Station", 70),
            Column("actor", "by", "text", "By", 84),
            Column("second", "second", "text", "Second person", 84),
            Column("detail", "detail", "text", "Why, or what", 190),
            Column("cents", "amount", "money", "Amount", 78, added=True),
        ),
        grouped="kind",
        headings=EXCEPTIONS,
        summed=frozenset({"surrender", "void_game", "over", "short", "unconfirmed_print"}),
    ),
}
"""The five listings, by the name that the command `listing` knows them by."""


def spread(listing: str, rows: Sequence[Row]) -> list[Row]:
    """The rows with a value for each column: the balls of a game one by one."""
    if listing != "winning_numbers":
        return list(rows)
    return [row | _each_ball(row["numbers"]) for row in map(dict, rows)]


def _each_ball(numbers: str) -> dict[str, int]:
    return {f"ball_{n}": int(ball) for n, ball in enumerate(numbers.strip("[]").split(","), 1)}


def local(place: ListedLocation, ms: int) -> datetime:
    """A time by the location's clock, to the second."""
    return datetime.fromtimestamp(ms // 1000, UTC).astimezone(place.days.zone)


# ---------------------------------------------------------------- CSV

_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""What makes a spreadsheet take a text for a formula, in both widths."""


def as_csv(listing: str, rows: Sequence[Row], place: ListedLocation) -> str:
    """A header, then a line for each row (RFC 4180); every line names its place and day."""
    columns = FORMS[listing].columns
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["location", "gaming_day", *(column.name for column in columns)])
    for row in spread(listing, rows):
        cells = [_filed(column, row[column.key], place) for column in columns]
        table.writerow(map(harmless, [place.location, place.day.isoformat(), *cells]))
    return text.getvalue()


def harmless(cell: str) -> str:
    """A cell that no spreadsheet works out: an apostrophe stands before a formula's sign."""
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) else cell


def _filed(column: Column, value: Any, place: ListedLocation) -> str:
    if value is None:
        return ""
    written: Mapping[Kind, Callable[[Any], str]] = {
        "money": format_plain,
        "time": lambda ms: local(place, ms).isoformat(),
        "numbered": lambda number: f"{place.letter}-{number}",
    }
    return written.get(column.kind, str)(value)


# ---------------------------------------------------------------- on paper


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that stand together, and what they add up to; one cell for each column."""

    heading: str
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]
    counted: str


def on_paper(listing: str) -> tuple[Column, ...]:
    """The columns that the paper has room for."""
    return tuple(column for column in FORMS[listing].columns if column.wide)


def groups(listing: str, rows: Sequence[Row], place: ListedLocation) -> list[Group]:
    """The rows as a reader of the paper sees them."""
    form = FORMS[listing]
    whole = spread(listing, rows)
    if not form.grouped:
        return [_group(listing, "", whole, place)] if whole else []
    keys = dict.fromkeys([*(form.headings or ()), *(str(row[form.grouped]) for row in whole)])
    found = {key: [row for row in whole if str(row[form.grouped]) == key] for key in keys}
    return [_group(listing, key, each, place) for key, each in found.items() if each]


def total(listing: str, rows: Sequence[Row]) -> Group:
    """How many in all, and the sums where they say something."""
    form = FORMS[listing]
    return Group("", (), _sums(listing, rows, added=form.summed is None), _counted(form, len(rows)))


def _group(listing: str, key: str, rows: Sequence[Row], place: ListedLocation) -> Group:
    form, columns = FORMS[listing], on_paper(listing)
    heading = f"Station {key}" if key else ""
    if form.headings is not None:
        heading = form.headings[key]
    cells = tuple(tuple(shown(each, row[each.key], place) for each in columns) for row in rows)
    added = form.summed is None or key in form.summed
    return Group(heading, cells, _sums(listing, rows, added=added), _counted(form, len(rows)))


def _sums(listing: str, rows: Sequence[Row], *, added: bool) -> tuple[str, ...]:
    return tuple(
        format_dollars(sum(row[column.key] or 0 for row in rows)) if column.added and added else ""
        for column in on_paper(listing)
    )


def _counted(form: Form, count: int) -> str:
    return f"{count:,} {form.one if count == 1 else form.many}"


def shown(column: Column, value: Any, place: ListedLocation) -> str:
    """A cell as the paper has it."""
    if value is None:
        return ""
    written: Mapping[Kind, Callable[[Any], str]] = {
        "money": format_dollars,
        "time": lambda ms: _clock(place, ms),
        "numbered": lambda number: f"{place.letter}-{number}",
        "word": lambda word: WORDS.get(word, word),
    }
    return written.get(column.kind, str)(value)


def _clock(place: ListedLocation, ms: int) -> str:
    """``9:08:31 PM``; with its date if it is of another gaming day, and on the days on which the
    clocks change with the zone, because an hour comes twice.
    """
    time = local(place, ms)
    words = clock_words(time, seconds=True)
    if place.days.of(ms) != place.day:
        words = f"{time:%b} {time.day} {words}"
    ends = place.days.begins_ms(place.day + timedelta(days=1))
    changes = local(place, place.days.begins_ms(place.day)).utcoffset()
    return words if changes == local(place, ends).utcoffset() else f"{words} {time:%Z}"


def clock_words(time: datetime, *, seconds: bool = False) -> str:
    """``9:08 PM``."""
    minutes = f"{time:%M:%S}" if seconds else f"{time:%M}"
    return f"{time.hour % 12 or 12}:{minutes} {'AM' if time.hour < 12 else 'PM'}"
