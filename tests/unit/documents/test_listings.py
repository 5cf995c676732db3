"""A listing's cells and pages: formulas, clocks that change, long reasons, many rows, none."""

from dataclasses import replace
from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from keno.documents.listings import ListedLocation, as_csv, groups, harmless, total
from keno.documents.listingsheet import CELL_MAX, Facts, listing_sheet
from keno.domain.day import GamingDay
from keno.service.listing_registry import EXCEPTIONS, OVERRIDES, REPORTS, VOIDS
from keno.store.exception_queries import ExceptionRow
from keno.store.listing_queries import OverrideRow, VoidRow
from tests.unit.documents.reading import facts, pages, words

NEW_YORK = GamingDay(ZoneInfo("America/New_York"))
PLACE = ListedLocation("main", "A", NEW_YORK, date(2026, 11, 16))
FACTS = Facts("Larkspur", "Main Floor (A)", "Monday, November 16, 2026", "from 6 to 6", "Nov 17",
              "Sue (SUE), supervisor", no_value=False)  # fmt: skip
NOON = 1_794_848_400_000
"""2026-11-16 12:00 in New York."""


def override(**changes: Any) -> OverrideRow:
    row = OverrideRow(1, "main", 7, "delay", "SUE", None, "a bus", NOON, 60)
    return replace(row, **changes)


def voided(ticket: int, station: str = "1") -> VoidRow:
    return VoidRow(ticket, NOON, "ANNA", station, "2", "BEN", 1_25, None)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@A1", "'@A1"), (" =1", "' =1"),
        ("\t=1", "'\t=1"), ("\r\n-1", "'\r\n-1"), ("\uff1d1", "'\uff1d1"), ("a=1", "a=1"),
        ("", ""), ("'=1", "'=1"), ("1.00", "1.00"), ("A-7", "A-7"),
    ],
)  # fmt: skip
def test_an_apostrophe_stands_before_what_a_spreadsheet_would_work_out(
    cell: str, written: str
) -> None:
    assert harmless(cell) == written


def test_a_file_is_written_as_it_is_read() -> None:
    assert as_csv(OVERRIDES, [override(reason='say "no", then\r\ngo')], PLACE) == (
        "location,gaming_day,time,game,kind,seconds,by,second,reason\r\n"
        "main,2026-11-16,2026-11-16T12:00:00-05:00,A-7,delay,60,SUE,,"
        '"say ""no"", then\r\ngo"\r\n'
    )


def test_an_hour_that_comes_twice_is_told_apart() -> None:
    """On 2026-11-01 at two in the morning the clocks went back to one; that night is October."""
    place = ListedLocation("main", "A", NEW_YORK, date(2026, 10, 31))
    first = 1_793_511_000_000  # 01:30 EDT
    rows = [override(ms=first), override(ms=first + 3_600_000)]
    [group] = groups(OVERRIDES, rows, place)
    assert [cells[0] for cells in group.rows] == ["1:30:00 AM EDT", "1:30:00 AM EST"]
    assert "T01:30:00-04:00" in as_csv(OVERRIDES, rows, place)
    assert "T01:30:00-05:00" in as_csv(OVERRIDES, rows, place)


def test_sums_stand_where_they_say_something() -> None:
    rows = [voided(1), voided(2), voided(3, "2")]
    assert [group.sums[-1] for group in groups(VOIDS, rows, PLACE)] == ["$2.50", "$1.25"]
    assert (total(VOIDS, rows).sums[-1], total(VOIDS, rows).counted) == (
        "$3.75",
        "3 tickets voided",
    )
    row = ExceptionRow("reprint", NOON, "ANNA", 1, station="1", detail="", cents=5_00)
    unusual = [row, replace(row, kind="surrender"), replace(row, kind="surrender")]
    assert [group.sums[-1] for group in groups(EXCEPTIONS, unusual, PLACE)] == ["", "$10.00"]
    assert total(EXCEPTIONS, unusual).sums[-1] == ""


def test_many_rows_go_on_with_their_heads_page_after_page() -> None:
    paper = listing_sheet(VOIDS, [voided(n) for n in range(1, 201)], PLACE, FACTS)
    found = pages(paper)
    assert len(found) > 4
    for number, page in enumerate(found, 1):
        text = " ".join(page.extract_text().split())
        assert f"Page {number} of {len(found)}" in text
        assert "Larkspur" in text
        assert "Ticket Voided Voided by" in text
        assert ("Station 1, continued" in text) is (number > 1)
    text = words(paper)
    assert all(text.count(f"A-{n} ") == 1 for n in range(1, 201))
    assert "200 tickets voided $250.00" in text
    assert "TEST HOUSE" not in text


def test_a_reason_of_any_length_and_sign_fits_its_page() -> None:
    long = "word " * 400 + "x" * 4_000
    rows = [override(reason=long), override(reason="x" * 4_000), override(reason="漢字\x07&<i>")]
    paper = listing_sheet(OVERRIDES, rows, PLACE, FACTS)
    assert len(pages(paper)) == 1
    assert "the CSV file has them whole" in words(paper)
    assert "???&<i>" in words(paper)
    assert long not in words(paper)
    assert long[:-4_000].strip() in as_csv(OVERRIDES, rows, PLACE)
    assert len(long) > CELL_MAX


@pytest.mark.parametrize("name", REPORTS)
def test_nothing_is_said_to_be_nothing(name: str) -> None:
    listing = REPORTS[name]
    paper = listing_sheet(listing, [], PLACE, FACTS)
    assert f"No {listing.many} on this gaming day." in words(paper)
    assert facts(paper)["/Author"] == "Larkspur"
    assert facts(paper)["/Keywords"] == "keno"
    assert listing_sheet(listing, [], PLACE, FACTS) == paper
