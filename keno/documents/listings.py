"""A listing's rows as cells of text, for the CSV file, paper and the terminal.

Columns and words are those of `keno/service/listing_registry.py`. Nothing here draws;
`listingsheet.py` does.
"""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec

from keno.domain.day import GamingDay
from keno.domain.money import format_dollars, format_plain
from keno.domain.wager import BALLS
from keno.service.listing_registry import Kind, ListingColumn, ListingDefinition

Row = Mapping[str, Any]
"""One row of a listing: its values by the keys of `spread_columns`."""


@dataclass(frozen=True, slots=True)
class ListedLocation:
    """The location and gaming day of a listing, for ticket and game names and local times."""

    location: str
    letter: str
    days: GamingDay
    day: date


def spread_columns(listing: ListingDefinition[Any]) -> list[ListingColumn]:
    """Return a listing's columns, with twenty columns for drawn numbers, one for each ball."""
    found: list[ListingColumn] = []
    for column in listing.columns:
        if column.kind != "numbers":
            found.append(column)
            continue
        for n in range(1, BALLS + 1):
            key = f"{column.csv}_{n}"
            found.append(replace(column, key=key, csv=key, kind="number", heading=f"{n}"))
    return found


def spread(listing: ListingDefinition[Any], rows: Sequence[object]) -> list[Row]:
    """Return the rows as mappings with a value, or None, for each of `spread_columns`."""
    return [_values(listing, row) for row in rows]


def _values(listing: ListingDefinition[Any], row: object) -> Row:
    values: dict[str, Any] = {}
    for column in listing.columns:
        value = getattr(row, column.key)
        if column.kind == "numbers":
            drawn = [None] * BALLS if value is None else balls(value)
            values |= {f"{column.csv}_{n}": ball for n, ball in enumerate(drawn, 1)}
        else:
            values[column.key] = value
    return values


def balls(numbers: str) -> list[int]:
    """Return the drawn numbers of a JSON list, as the ledger keeps them."""
    return msgspec.json.decode(numbers, type=list[int])


def local(place: ListedLocation, ms: int) -> datetime:
    """Return an instant in UTC milliseconds as the location's local time, cut to the second."""
    return datetime.fromtimestamp(ms // 1000, UTC).astimezone(place.days.zone)


# ---------------------------------------------------------------- CSV

_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
"""First characters that make a spreadsheet evaluate a cell, in normal and full width."""


def as_csv(listing: ListingDefinition[Any], rows: Sequence[object], place: ListedLocation) -> str:
    """Return a listing as CSV text (RFC 4180): a header, then one line for each row.

    Every line begins with the location and the gaming day. Amounts are plain dollars, times ISO
    8601.
    """
    columns = spread_columns(listing)
    text = io.StringIO()
    table = csv.writer(text)
    table.writerow(["location", "gaming_day", *(column.csv for column in columns)])
    for row in spread(listing, rows):
        cells = [_filed(column, row[column.key], place) for column in columns]
        table.writerow(map(harmless, [place.location, place.day.isoformat(), *cells]))
    return text.getvalue()


def harmless(cell: str) -> str:
    """Return the cell, with an apostrophe in front if a spreadsheet would evaluate it."""
    return f"'{cell}" if cell.lstrip().startswith(_FORMULA) else cell


def _filed(column: ListingColumn, value: Any, place: ListedLocation) -> str:
    if value is None:
        return ""
    written: Mapping[Kind, Callable[[Any], str]] = {
        "cents": format_plain,
        "time": lambda ms: local(place, ms).isoformat(),
        "ticket": lambda number: f"{place.letter}-{number}",
        "game": lambda number: f"{place.letter}-{number}",
    }
    return written.get(column.kind, str)(value)


# ---------------------------------------------------------------- on paper


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one group of a listing as text, with the group's sums and its count in words."""

    heading: str
    rows: tuple[tuple[str, ...], ...]
    sums: tuple[str, ...]
    counted: str


def on_paper(listing: ListingDefinition[Any]) -> list[ListingColumn]:
    """Return a listing's columns that are printed on paper: those that have a width."""
    return [column for column in spread_columns(listing) if column.width]


def groups(
    listing: ListingDefinition[Any], rows: Sequence[object], place: ListedLocation
) -> list[Group]:
    """Return the rows as cells of text, grouped as the listing declares, without empty groups.

    A listing without grouping has one group.
    """
    grouping = listing.grouping
    whole = spread(listing, rows)
    if grouping is None:
        return [_group(listing, "", whole, place)] if whole else []
    keys = dict.fromkeys([*grouping.headings, *(str(row[grouping.key]) for row in whole)])
    found = {key: [row for row in whole if str(row[grouping.key]) == key] for key in keys}
    return [_group(listing, key, each, place) for key, each in found.items() if each]


def total(listing: ListingDefinition[Any], rows: Sequence[object]) -> Group:
    """Return the count of all rows and the sums of summed columns, as a group without rows.

    The sums are empty if the listing sums only some of its groups.
    """
    summed = listing.grouping is None or listing.grouping.summed is None
    sums = _sums(listing, spread(listing, rows), summed=summed)
    return Group("", (), sums, counted(listing, len(rows)))


def _group(
    listing: ListingDefinition[Any], key: str, rows: Sequence[Row], place: ListedLocation
) -> Group:
    grouping, columns = listing.grouping, on_paper(listing)
    heading, summed = "", True
    if grouping is not None:
        heading = grouping.headings.get(key, f"{grouping.heading} {key}")
        summed = grouping.summed is None or key in grouping.summed
    cells = tuple(tuple(shown(each, row[each.key], place) for each in columns) for row in rows)
    sums = _sums(listing, rows, summed=summed)
    return Group(heading, cells, sums, counted(listing, len(rows)))


def _sums(listing: ListingDefinition[Any], rows: Sequence[Row], *, summed: bool) -> tuple[str, ...]:
    return tuple(
        format_dollars(sum(row[column.key] or 0 for row in rows))
        if column.summed and summed
        else ""
        for column in on_paper(listing)
    )


def counted(listing: ListingDefinition[Any], count: int) -> str:
    """Return a count with the listing's noun: ``3 tickets voided``."""
    return f"{count:,} {listing.one if count == 1 else listing.many}"


def shown(column: ListingColumn, value: Any, place: ListedLocation) -> str:
    """Return a value as the text of a cell on paper or terminal."""
    if value is None:
        return ""
    written: Mapping[Kind, Callable[[Any], str]] = {
        "cents": format_dollars,
        "time": lambda ms: _clock(place, ms),
        "ticket": lambda number: f"{place.letter}-{number}",
        "game": lambda number: f"{place.letter}-{number}",
        "word": lambda word: column.words.get(word, word),
        "numbers": lambda numbers: " ".join(map(str, balls(numbers))),
    }
    return written.get(column.kind, str)(value)


def _clock(place: ListedLocation, ms: int) -> str:
    """Return a time as ``9:08:31 PM``, with its date if it is not of the listing's gaming day.

    On a day on which the clocks change the zone is added, because an hour may come twice.
    """
    time = local(place, ms)
    words = clock_words(time, seconds=True)
    if place.days.of(ms) != place.day:
        words = f"{time:%b} {time.day} {words}"
    ends = place.days.begins_ms(place.day + timedelta(days=1))
    changes = local(place, place.days.begins_ms(place.day)).utcoffset()
    return words if changes == local(place, ends).utcoffset() else f"{words} {time:%Z}"


def clock_words(time: datetime, *, seconds: bool = False) -> str:
    """Return a local time as ``9:08 PM``, or with seconds as ``9:08:31 PM``."""
    minutes = f"{time:%M:%S}" if seconds else f"{time:%M}"
    return f"{time.hour % 12 or 12}:{minutes} {'AM' if time.hour < 12 else 'PM'}"
