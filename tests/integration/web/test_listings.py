"""The listings the law names, as command, CSV and PDF, against the raw tables of the ledger.

Two days are played at two locations, then every listing is asked for in every form. What it must
say is counted here from the file with plain SQL, and days are told apart by plain arithmetic.
"""

import asyncio
import csv
import io
import json
import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from keno.cli.main import main
from keno.protocol import Listing, Ok
from keno.service.listing_registry import REPORTS
from tests.integration.web.served import new_id, serving
from tests.integration.web.two_days import two_days
from tests.unit.documents.reading import facts, fonts, pages, words

LETTERS = {"main": "A", "east": "B"}
DAYS = ("2026-11-15", "2026-11-16")
WHERE_AND_WHEN = [(location, day) for location in LETTERS for day in DAYS]
Key = tuple[str, str, str]
Rows = list[dict[str, Any]]


@dataclass
class Told:
    """Every listing in every form, by listing, location and day; and the ledger's file."""

    ledger: Path
    rows: dict[Key, Rows] = field(default_factory=dict)
    files: dict[Key, str] = field(default_factory=dict)
    papers: dict[Key, bytes] = field(default_factory=dict)
    heads: dict[Key, list[dict[str, str]]] = field(default_factory=dict)

    def raw(self, sql: str) -> Rows:
        connection = sqlite3.connect(f"file:{self.ledger}?immutable=1", uri=True)
        connection.row_factory = sqlite3.Row
        try:
            return [dict(row) for row in connection.execute(sql)]
        finally:
            connection.close()

    def of(self, sql: str, location: str, day: str, time: str = "ms") -> Rows:
        """The raw rows of a table with this place, and this day by our own reckoning."""
        rows = self.raw(sql)
        assert {day_of(row[time]) for row in rows} <= set(DAYS)
        return [row for row in rows if row["location"] == location and day_of(row[time]) == day]

    def table(self, key: Key) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(self.files[key], newline="")))


def day_of(ms: int) -> str:
    """In November New York is five hours behind; the day begins six hours after midnight."""
    return (datetime.fromtimestamp(ms / 1000, UTC) - timedelta(hours=5 + 6)).date().isoformat()


def clock(ms: int) -> str:
    zone = datetime.fromtimestamp(ms // 1000, UTC) - timedelta(hours=5)
    return f"{zone:%Y-%m-%dT%H:%M:%S}-05:00"


def dollars(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


async def asked_for_everything(folder: Path) -> Told:
    told = Told(folder / "after.db")
    async with serving(folder) as served:
        served.server.conductors["east"] = served.conductor  # it is asked nothing but its name
        await two_days(served.floor)
        async with served.console("I1") as console:
            for listing in REPORTS:
                for location, day in WHERE_AND_WHEN:
                    key = (listing, location, day)
                    said = await console.command(Listing(new_id(), location, listing, day))
                    assert isinstance(said, Ok), said
                    assert isinstance(said.answer, list)
                    told.rows[key] = said.answer
                    told.heads[key] = []
                    for ending in ("csv", "pdf"):
                        path = f"/api/listings/{location}/{listing}.{ending}?day={day}"
                        async with console.session.get(path) as response:
                            body = await response.read()
                            assert response.status == 200, body
                            told.heads[key].append(dict(response.headers))
                        if ending == "csv":
                            told.files[key] = body.decode("utf-8")
                        else:
                            told.papers[key] = body
        assert served.troubles == []
    shutil.copy(folder / "ledger.db", told.ledger)
    return told


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    return asyncio.run(asked_for_everything(tmp_path_factory.mktemp("two days")))


def same(
    told: Told, key: Key, columns: tuple[str, ...], expected: Iterator[tuple[Any, ...]]
) -> int:
    """The command's rows are these and no others; so are the file's; the paper counts them."""
    wanted = Counter(expected)
    found = told.rows[key]
    assert Counter(tuple(row[name] for name in columns) for row in found) == wanted
    assert len(told.table(key)) == len(found)
    counted = f"{len(found)} " if found else "No "
    assert counted in words(told.papers[key]), key
    return len(found)


# ---------------------------------------------------------------- each against the tables


@pytest.mark.parametrize("listing", REPORTS)
def test_a_listing_is_held_against_the_raw_ledger(listing: str) -> None:
    """A test of this module is named after each; a new listing needs one too."""
    named = re.compile(rf"test_(\w+_)?{listing}_are_those_of_the_raw_ledger")
    assert any(named.fullmatch(name) for name in globals())


@pytest.mark.parametrize("listing", REPORTS)
def test_a_row_has_the_fields_of_its_type_in_their_order(told: Told, listing: str) -> None:
    rows = [row for key, found in told.rows.items() if key[0] == listing for row in found]
    assert {tuple(row) for row in rows} == {
        tuple(each.name for each in fields(REPORTS[listing].row))
    }


def test_15_5_h_winning_numbers_are_those_of_the_raw_ledger(told: Told) -> None:
    seen = 0
    for location, day in WHERE_AND_WHEN:
        key = ("winning_numbers", location, day)
        raw = told.of("SELECT * FROM games WHERE shown_ms IS NOT NULL", location, day, "locked_ms")
        columns = ("game", "numbers", "locked_ms", "shown_ms")
        seen += same(told, key, columns, (tuple(row[c] for c in columns) for row in raw))
        filed = {row["game"]: row for row in told.table(key)}
        for row in raw:
            line = filed[f"{LETTERS[location]}-{row['game']}"]
            assert [int(line[f"ball_{n}"]) for n in range(1, 21)] == json.loads(row["numbers"])
            assert line["locked_out"] == clock(row["locked_ms"])
    assert seen == len(told.raw("SELECT 1 FROM games WHERE shown_ms IS NOT NULL")) >= 6


def test_15_4_e_voids_are_those_of_the_raw_ledger(told: Told) -> None:
    seen = money = 0
    sums = set()
    for location, day in WHERE_AND_WHEN:
        key = ("voids", location, day)
        raw = told.of("SELECT * FROM endings WHERE kind = 'void'", location, day)
        seen += same(
            told, key, ("ticket", "ms", "actor", "voided_at", "price_cents", "rewritten_as"),
            ((r["ticket"], r["ms"], r["actor"], r["station"], r["refund_cents"],
              r["rewritten_as"]) for r in raw),
        )  # fmt: skip
        cents = sum(row["refund_cents"] for row in raw)
        money += cents
        sums.add(cents)
        paper = words(told.papers[key])
        assert f"In all {len(raw)} tickets voided ${dollars(cents)}" in paper
        for station, count in Counter(row["station"] for row in raw).items():
            assert f"Station {station} " in paper
            each = sum(row["refund_cents"] for row in raw if row["station"] == station)
            assert f"{count} ticket{'s' * (count > 1)} voided ${dollars(each)}" in paper
        by_file = sum(round(float(row["price"]) * 100) for row in told.table(key))
        assert by_file == cents
    whole = told.raw("SELECT count(*) AS n, sum(refund_cents) AS c FROM endings WHERE kind='void'")
    assert (seen, money) == (whole[0]["n"], whole[0]["c"])
    assert len(sums) == 4, "no two listings could be taken for each other"


def test_15_5_e_overrides_are_those_of_the_raw_ledger(told: Told) -> None:
    seen = 0
    columns = ("override", "game", "kind", "seconds", "actor", "second", "reason", "ms")
    for location, day in WHERE_AND_WHEN:
        key = ("overrides", location, day)
        raw = told.of("SELECT * FROM overrides", location, day)
        seen += same(told, key, columns, (tuple(row[c] for c in columns) for row in raw))
        assert [row["reason"].lstrip("'") for row in told.table(key)] == [
            row["reason"] for row in raw
        ]
        assert all(row["actor"] and row["reason"] for row in told.rows[key])
    assert seen == len(told.raw("SELECT 1 FROM overrides")) > 20


def test_15_6_b_large_payouts_are_those_of_the_raw_ledger(told: Told) -> None:
    seen = 0
    paid = "SELECT * FROM endings WHERE kind IN ('payout', 'refund')"
    given = {row["authorisation"]: row for row in told.raw("SELECT * FROM authorisations")}
    for location, day in WHERE_AND_WHEN:
        key = ("large_payouts", location, day)
        raw = [
            row | {"total": row["awards_cents"] + row["returns_cents"] + row["refund_cents"]}
            for row in told.of(paid, location, day)
        ]
        large = [row for row in raw if row["total"] >= 150_000]
        assert len(large) < len(raw), "a smaller payout is there to be left out"
        seen += same(
            told, key,
            ("ticket", "ms", "total_cents", "cash_cents", "check_cents", "withheld_cents",
             "authorisation", "authorised_by", "authorised_ms", "authorised_cents", "signature"),
            ((r["ticket"], r["ms"], r["total"], r["cash_cents"], r["check_cents"],
              r["withheld_cents"], r["authorisation"], given[r["authorisation"]]["answered_by"],
              given[r["authorisation"]]["answered_ms"], r["total"],
              given[r["authorisation"]]["signature"]) for r in large),
        )  # fmt: skip
        paper = words(told.papers[key])
        for name in ("total", "cash_cents", "check_cents", "withheld_cents"):
            assert f"${sum(row[name] for row in large) / 100:,.2f}" in paper
    used = told.raw("SELECT 1 FROM authorisations WHERE state = 'used'")
    assert seen == len(used) == 11
    assert {row["authorised_by"] for rows in told.rows.values() for row in rows
            if "authorised_by" in row} == {"S1"}  # fmt: skip


def test_15_6_b_a_payout_stands_in_the_day_it_was_paid_not_authorised(told: Told) -> None:
    late = [
        (key[2], row)
        for key, rows in told.rows.items()
        for row in rows
        if key[0] == "large_payouts" and row["tax_form"] == "W2G-late"
    ]
    [(day, row)] = late
    assert (day, day_of(row["ms"]), day_of(row["authorised_ms"])) == (DAYS[1], DAYS[1], DAYS[0])
    assert "Nov 16 2:0" in words(told.papers["large_payouts", "main", DAYS[1]])


def test_exceptions_are_those_of_the_raw_ledger(told: Told) -> None:
    seen: Counter[str] = Counter()
    for location, day in WHERE_AND_WHEN:
        key = ("exceptions", location, day)
        expected = [*exceptions_of_tables(told, location, day)]
        others = [row for row in told.rows[key] if row["kind"] != "reprint"]
        found = Counter(
            (row["kind"], row["ms"], row["ticket"], row["game"], row["actor"], row["second"],
             row["cents"])
            for row in others
        )  # fmt: skip
        assert found == Counter(expected)
        seen += Counter(row["kind"] for row in told.rows[key])
        assert Counter(row["kind"] for row in told.table(key)) == Counter(
            row["kind"] for row in told.rows[key]
        )
        assert f"In all {len(told.rows[key])} exceptions" in words(told.papers[key])
    assert set(seen) == {
        "hold", "release", "reprint", "surrender", "void_game", "denied", "lapsed", "over",
        "short", "over_short", "unconfirmed_print",
    }  # fmt: skip
    assert (seen["over"], seen["short"], seen["over_short"]) == (1, 1, 1), "and one was right"


def exceptions_of_tables(told: Told, location: str, day: str) -> Iterator[tuple[Any, ...]]:
    prices = {
        (row["location"], row["number"]): row["price_cents"]
        for row in told.raw("SELECT location, number, price_cents FROM tickets")
    }
    games = told.of("SELECT * FROM games WHERE state = 'void'", location, day, "voided_ms")
    yield from (("void_game", r["voided_ms"], None, r["game"], "S1", "I1", r["handle_cents"])
                for r in games)  # fmt: skip
    for r in told.of("SELECT * FROM approvals WHERE kind IN ('hold','release')", location, day):
        price = prices[location, r["ticket"]]
        yield r["kind"], r["ms"], r["ticket"], None, r["supervisor"], None, price
    for r in told.of("SELECT * FROM endings WHERE kind = 'surrender'", location, day):
        yield ("surrender", r["ms"], r["ticket"], None, r["actor"], "S1",
               prices[location, r["ticket"]])  # fmt: skip
    not_given = "SELECT * FROM authorisations WHERE state IN ('denied', 'lapsed')"
    for r in told.of(not_given, location, day, "answered_ms"):
        yield (r["state"], r["answered_ms"], r["ticket"], None, r["asked_by"], r["answered_by"],
               r["amount_cents"])  # fmt: skip
    closed = "SELECT * FROM shifts WHERE closed_ms IS NOT NULL"
    for r in told.of(closed, location, day, "closed_ms"):
        should, had = json.loads(r["expected"]), json.loads(r["counted"])
        if should != had:
            sign = sum(had.values()) - sum(should.values())
            kind = "over_short" if sign == 0 else "over" if sign > 0 else "short"
            yield kind, r["closed_ms"], None, None, r["writer"], None, abs(sign)
    ended = {(r["location"], r["ticket"]) for r in told.raw("SELECT * FROM endings")}
    unprinted = "SELECT * FROM tickets WHERE printed = 0"
    for r in told.of(unprinted, location, day, "sold_ms"):
        if (location, r["number"]) not in ended:
            yield ("unconfirmed_print", r["sold_ms"], r["number"], r["first_game"], r["writer"],
                   None, r["price_cents"])  # fmt: skip


def test_every_reprint_is_listed_once_with_its_supervisor(told: Told) -> None:
    """Tickets count their reprints, approvals keep those that needed a supervisor."""
    reprints = {
        each: [row for row in told.rows["exceptions", *each] if row["kind"] == "reprint"]
        for each in WHERE_AND_WHEN
    }
    for location in LETTERS:
        counted = {
            row["number"]: row["reprints"]
            for row in told.raw("SELECT location, number, reprints FROM tickets WHERE reprints > 0")
            if row["location"] == location
        }
        listed = [row for day in DAYS for row in reprints[location, day]]
        assert Counter(row["ticket"] for row in listed) == Counter(counted)
    for each, rows in reprints.items():
        raw = told.of("SELECT * FROM approvals WHERE kind = 'reprint'", *each)
        assert Counter((r["ticket"], r["ms"], r["second"]) for r in rows if r["second"]) == Counter(
            (r["ticket"], r["ms"], r["supervisor"]) for r in raw
        )
        assert all(day_of(row["ms"]) == each[1] for row in rows)
        assert any(row["second"] is None for row in rows)


def test_the_last_moment_of_a_day_is_not_the_next_day(told: Told) -> None:
    for listing, names in (("overrides", "reason"), ("exceptions", "detail")):
        for day, said in zip(DAYS, ("the last moment", "the first moment"), strict=True):
            found = [row[names] or "" for row in told.rows[listing, "main", day]]
            assert sum(text.endswith("moment of a day") for text in found) == 1
            assert sum(text.startswith(said) for text in found) == 1


# ---------------------------------------------------------------- the files


def test_a_file_is_rfc_4180_and_names_its_place_and_day(told: Told) -> None:
    for key, text in told.files.items():
        head = told.heads[key][0]
        assert head["Content-Type"] == "text/csv; charset=utf-8"
        name = f"keno-{key[1]}-{key[0]}-{key[2]}.csv"
        assert head["Content-Disposition"] == f'attachment; filename="{name}"'
        assert head["Cache-Control"] == "no-store"
        assert text.endswith("\r\n")
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        assert {len(line) for line in lines} == {len(lines[0])}
        assert lines[0][:2] == ["location", "gaming_day"]
        assert all(line[:2] == [key[1], key[2]] for line in lines[1:])


def test_no_cell_is_a_formula(told: Told) -> None:
    cells = [
        cell
        for text in told.files.values()
        for line in csv.reader(io.StringIO(text, newline=""))
        for cell in line
    ]
    assert not [cell for cell in cells if cell.lstrip()[:1] in set("=+-@") - {""}]
    for sign in "=+-@":
        assert any(cell.startswith(f"'{sign}") for cell in cells), sign
    assert any("Größe 漢字" in cell for cell in cells)


def test_a_paper_says_whose_it_is_of_which_day_made_when_and_by_whom(told: Told) -> None:
    days = dict(zip(DAYS, ("Sunday, November 15, 2026", "Monday, November 16, 2026"), strict=True))
    for key, paper in told.papers.items():
        assert told.heads[key][1]["Content-Type"] == "application/pdf"
        for number, page in enumerate(pages(paper), 1):
            text = " ".join(page.extract_text().split())
            assert "test-house" in text
            assert {"main": "Main Floor (A)", "east": "East (B)"}[key[1]] in text
            assert days[key[2]] in text
            assert f"Page {number} of {len(pages(paper))}" in text
            assert "TEST HOUSE" in text
        text = words(paper)
        assert "I1, inspector" in text
        assert "Made Nov 16, 2026 6:0" in text
        assert ("before the day is over" in text) is (key[2] == DAYS[1])
        assert key[2] in facts(paper)["/Title"]
        assert all(fonts(paper).values()), "the typeface is in the file"
    assert any(len(pages(paper)) > 1 for paper in told.papers.values())


def test_a_paper_shows_what_was_written_and_says_what_it_cannot(told: Told) -> None:
    text = words(told.papers["overrides", "main", DAYS[1]])
    assert "<b>a storm</b> & more" in text
    assert "a sign that the typeface lacks" in text
    assert "typeface" not in words(told.papers["voids", "main", DAYS[1]])


# ---------------------------------------------------------------- keno report


def reported(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    assert main(["report", *map(str, arguments)]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def test_a_report_prints_the_rows_and_the_file_of_the_console(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    for (listing, location, day), rows in told.rows.items():
        asked = (listing, "--db", told.ledger, "--location", location, "--day", day)
        assert reported(capsys, *asked, "--csv") == told.files[listing, location, day]
        assert json.loads(reported(capsys, *asked, "--json")) == {
            "listing": listing, "location": location, "gaming_day": day, "rows": rows,
        }  # fmt: skip
        lines = reported(capsys, *asked).splitlines()
        definition = REPORTS[listing]
        name = {"main": "Main Floor (A)", "east": "East (B)"}[location]
        assert lines[0] == f"{definition.title}, {name}, gaming day {day}"
        assert all(line.isprintable() for line in lines)
        if rows:
            heads = [column.heading for column in definition.screen_columns]
            heads = ["Station", *heads] if listing == "voids" else heads
            assert re.split(r"  +", lines[2].strip()) == heads
            assert len(lines) == 3 + len(rows) + 2
            assert lines[-1].startswith(f"{len(rows)} ")
        else:
            assert lines[2:] == [f"{definition.none}."]


def test_a_report_shows_cells_as_the_paper_does(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ("--db", told.ledger, "--location", "main", "--day", DAYS[1])
    for text in ("Held in dispute", "Game void", "$1.00"):
        assert text in reported(capsys, "exceptions", *asked)
    assert "declare void" in reported(capsys, "overrides", *asked)
    game = told.rows["winning_numbers", "main", DAYS[1]][0]
    balls = " ".join(map(str, json.loads(game["numbers"])))
    assert balls in reported(capsys, "winning_numbers", *asked)


def test_the_balance_is_reported_as_of_now(told: Told, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("balance", "--db", told.ledger, "--location", "main")
    [sold] = told.raw("SELECT sum(price_cents) AS cents FROM tickets WHERE location = 'main'")
    found = json.loads(reported(capsys, *asked, "--json"))
    assert found["rows"][0]["sales_cents"] == sold["cents"]
    head, _, names, values = reported(capsys, *asked).splitlines()
    assert head == "Balance, Main Floor (A), now"
    assert names.split()[:2] == ["Sales", "Voids"]
    assert values.split()[0] == f"${sold['cents'] / 100:,.2f}"


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (("voids",), "unknown_location"),
        (("voids", "--location", "nowhere"), "unknown_location"),
        (("voids", "--location", "main", "--day", "yesterday"), "malformed"),
        (("voids", "--location", "main", "--day", "9999-12-31"), "malformed"),
        (("balance", "--location", "main", "--day", DAYS[0]), "usage"),
    ],
)
def test_a_report_that_cannot_be_made_says_why(
    told: Told, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], code: str
) -> None:
    assert main(["report", *more, "--db", str(told.ledger), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code


def test_a_report_of_no_ledger_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "voids", "--folder", str(tmp_path)]) == 1
    assert "There is no file" in capsys.readouterr().err
    (tmp_path / "ledger.db").write_bytes(b"not a database " * 100)
    assert main(["report", "voids", "--folder", str(tmp_path)]) == 1
    assert "is not a ledger" in capsys.readouterr().err
