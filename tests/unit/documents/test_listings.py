"""A listing's cells and pages: formulas, clocks that change, long reasons, many rows, none."""

from datetime import date
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from keno.documents.listings import FORMS, ListedLocation, as_csv, groups, harmless, total
from keno.documents.listingsheet import CELL_MAX, Facts, listing_sheet
from keno.domain.day import GamingDay
from tests.unit.documents.reading import facts, pages, words

NEW_YORK = GamingDay(ZoneInfo("America/New_York"))
PLACE = ListedLocation("main", "A", NEW_YORK, date(2026, 11, 16))
FACTS = Facts("Larkspur", "Main Floor (A)", "Monday, November 16, 2026", "from 6 to 6", "Nov 17",
              "Sue (SUE), supervisor", no_value=False)  # fmt: skip
NOON = 1_794_848_400_000
"""2026-11-16 12:00 in New York."""


def override(**changes: Any) -> dict[str, Any]:
    return {"ms": NOON, "game": 7, "kind": "delay", "seconds": 60, "actor": "SUE",
            "second": None, "reason": "a bus"} | changes  # fmt: skip


def voided(ticket: int, station: str = "1") -> dict[str, Any]:
    return {"ticket": ticket, "ms": NOON, "actor": "ANNA", "voided_at": station, "sold_at": "2",
            "sold_by": "BEN", "price_cents": 1_25, "rewritten_as": None}  # fmt: skip


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
    assert as_csv("overrides", [override(reason='say "no", then\r\ngo')], PLACE) == (
        "location,gaming_day,time,game,kind,seconds,by,second,reason\r\n"
        "main,2026-11-16,2026-11-16T12:00:00-05:00,A-7,delay,60,SUE,,"
        '"say ""no"", then\r\ngo"\r\n'
    )


def test_an_hour_that_comes_twice_is_told_apart() -> None:
    """On 2026-11-01 at two in the morning the clocks went back to one; that night is October."""
    place = ListedLocation("main", "A", NEW_YORK, date(2026, 10, 31))
    first = 1_793_511_000_000  # 01:30 EDT
    rows = [override(ms=first), override(ms=first + 3_600_000)]
    [group] = groups("overrides", rows, place)
    assert [cells[0] for cells in group.rows] == ["1:30:00 AM EDT", "1:30:00 AM EST"]
    assert "T01:30:00-04:00" in as_csv("overrides", rows, place)
    assert "T01:30:00-05:00" in as_csv("overrides", rows, place)


def test_sums_stand_where_they_say_something() -> None:
    rows = [voided(1), voided(2), voided(3, "2")]
    assert [group.sums[-1] for group in groups("voids", rows, PLACE)] == ["$2.50", "$1.25"]
    assert (total("voids", rows).sums[-1], total("voids", rows).counted) == (
        "$3.75",
        "3 tickets voided",
    )
    row = {"kind": "reprint", "ms": NOON, "ticket": 1, "game": None, "station": "1",
           "actor": "ANNA", "second": None, "detail": "", "cents": 5_00}  # fmt: skip
    rows = [row, row | {"kind": "surrender"}, row | {"kind": "surrender"}]
    assert [group.sums[-1] for group in groups("exceptions", rows, PLACE)] == ["", "$10.00"]
    assert total("exceptions", rows).sums[-1] == ""


def test_many_rows_go_on_with_their_heads_page_after_page() -> None:
    paper = listing_sheet("voids", [voided(n) for n in range(1, 201)], PLACE, FACTS)
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
    paper = listing_sheet("overrides", rows, PLACE, FACTS)
    assert len(pages(paper)) == 1
    assert "the CSV file has them whole" in words(paper)
    assert "???&<i>" in words(paper)
    assert long not in words(paper)
    assert long[:-4_000].strip() in as_csv("overrides", rows, PLACE)
    assert len(long) > CELL_MAX


@pytest.mark.parametrize("listing", FORMS)
def test_nothing_is_said_to_be_nothing(listing: str) -> None:
    paper = listing_sheet(listing, [], PLACE, FACTS)
    assert f"No {FORMS[listing].many} on this gaming day." in words(paper)
    assert facts(paper)["/Author"] == "Larkspur"
    assert facts(paper)["/Keywords"] == "keno"
    assert listing_sheet(listing, [], PLACE, FACTS) == paper
