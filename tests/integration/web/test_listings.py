"""The listings the law names, as command, CSV and PDF, against the raw tables of the ledger.

Two days are played at two locations, then every listing is asked for in every form. What it must
say is counted here from the file with plain SQL, and days are told apart by plain arithmetic.
"""

import asyncio
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from keno.cli.main import main
from keno.service.listing_registry import REPORTS
from tests.integration.web.asked_listings import asked_for_everything
from tests.integration.web.exceptional import day_of, exceptions_of_tables
from tests.integration.web.told import (
    DAYS,
    LETTERS,
    WHERE_AND_WHEN,
    Key,
    Told,
    clock,
    coupon_on,
    dollars,
)
from tests.integration.web.two_days_owed import OWED_COLUMNS, PAID, owed_of_tables
from tests.integration.web.written import AWARDS, OVER, SOLD, written
from tests.unit.documents.reading import facts, fonts, pages, words


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


LISTED_GAMES = "SELECT * FROM games WHERE (shown_ms IS NOT NULL OR state = 'void')"


def test_15_5_h_winning_numbers_are_those_of_the_raw_ledger(told: Told) -> None:
    seen = 0
    for location, day in WHERE_AND_WHEN:
        key = ("winning_numbers", location, day)
        raw = told.of(LISTED_GAMES, location, day, "locked_ms")
        columns = ("game", "numbers", "locked_ms", "shown_ms", "voided_ms")
        seen += same(told, key, columns, (tuple(row[c] for c in columns) for row in raw))
        filed = {row["game"]: row for row in told.table(key)}
        for row in raw:
            line = filed[f"{LETTERS[location]}-{row['game']}"]
            void = row["state"] == "void"
            balls = [line[f"ball_{n}"] for n in range(1, 21)]
            assert balls == ([""] * 20 if void else [str(n) for n in json.loads(row["numbers"])])
            assert line["result"] == ("void" if void else "drawn")
            assert line["locked_out"] == clock(row["locked_ms"])
    assert seen == len(told.raw(LISTED_GAMES))
    for state, least in (("settled", 6), ("void", 3)):
        assert len(told.raw(f"SELECT 1 FROM games WHERE state = '{state}'")) >= least  # noqa: S608


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
    given = {row["authorisation"]: row for row in told.raw("SELECT * FROM authorisations")}
    for location, day in WHERE_AND_WHEN:
        key = ("large_payouts", location, day)
        raw = told.of(PAID, location, day)
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
    used = told.raw("SELECT 1 FROM authorisations WHERE state = 'used' AND amount_cents >= 150000")
    assert seen == len(used) == 15
    assert {row["authorised_by"] for key, rows in told.rows.items() for row in rows
            if key[0] == "large_payouts"} == {"S1"}  # fmt: skip


def test_coupons_are_those_of_the_raw_ledger(told: Told) -> None:
    """Those alike and unused are one row; each that was used or void is a row of its own."""
    names = ("cents", "source", "issued_ms", "issued_by", "second", "reason", "ends_ms")
    seen: Counter[str] = Counter()
    for location, day in WHERE_AND_WHEN:
        alike: dict[tuple[Any, ...], list[str]] = {}
        for row in told.raw("SELECT * FROM coupons ORDER BY serial"):
            if location not in (row["location"], row["spent_in"]):
                continue
            state, paid = coupon_on(row, day)
            why = row["void_reason"] if state == "void" else None
            one = None if state == "open" and not row["issued_for"] else row["serial"]
            if state:
                key = (one, state, paid, why, *(row[name] for name in names))
                alike.setdefault(key, []).append(row["serial"])
                seen[state] += 1
        seen_as = ("serial", "last", "coupons", "state", "used_on", "void_reason", *names)
        rows = ((s[0], s[-1], len(s), *key[1:]) for key, s in alike.items())
        same(told, ("coupons", location, day), seen_as, rows)
        assert all(r["total_cents"] == r["coupons"] * r["cents"]
                   for r in told.rows["coupons", location, day])  # fmt: skip
    assert min(seen[state] for state in ("open", "used", "void")) > 3


def test_15_6_b_a_payout_stands_in_the_day_it_was_paid_not_asked_for(told: Told) -> None:
    late = [
        (key[2], row)
        for key, rows in told.rows.items()
        for row in rows
        if key[0] == "large_payouts" and row["tax_form"] == "W2G-late"
    ]
    [(day, row)] = late
    assert (day, day_of(row["ms"]), day_of(row["authorised_ms"])) == (DAYS[1], DAYS[1], DAYS[1])
    assert day_of(row["asked_ms"]) == DAYS[0]


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
        "hold", "release", "reprint", "not_issued", "found_not_issued", "issued_after_all",
        "paid_not_issued", "surrender", "void_game", "denied", "lapsed", "over",
        "short", "over_short", "unconfirmed_print", "closed_by_others", "person_added",
        "signing_key", "station_enrolled", "station_off", "owed",
    }  # fmt: skip
    assert (seen["over"], seen["short"], seen["over_short"]) == (1, 1, 1), "and one was right"


def test_15_6_b_owed_are_those_of_the_raw_ledger(told: Told) -> None:
    """What was owed on a day: also of the day before, if it was not paid before this one."""
    states: Counter[str] = Counter()
    for location, day in WHERE_AND_WHEN:
        key = ("owed", location, day)
        expected = owed_of_tables(told, location, day)
        states += Counter(row[5] for row in expected)
        assert same(told, key, OWED_COLUMNS, iter(expected)) == len(expected) > 0
        owed, left = (sum(int(row[at]) for row in expected) for at in (4, 8))
        assert f"${dollars(owed)} ${dollars(left)}" in words(told.papers[key])
    assert states == {"pending": 1, "lapsed": 5, "denied": 3, "paid": 4}


def test_checkouts_are_those_of_the_raw_ledger(told: Told) -> None:
    columns = ("shift", "writer", "station", "opened_ms", "closed_ms", "expected_cents",
               "counted_cents", "over_short_cents", "closed_by", "second", "detail")  # fmt: skip
    seen = 0
    for location, day in WHERE_AND_WHEN:
        key = ("checkouts", location, day)
        closed = "SELECT * FROM shifts WHERE closed_ms IS NOT NULL"
        expected = []
        for r in told.of(closed, location, day, "closed_ms"):
            should, had = (sum(json.loads(r[name]).values()) for name in ("expected", "counted"))
            by, second, why = r["closed_by"], r["closed_second"], r["closed_reason"]
            detail = why and f"Closed by {by} and {second} for {r['writer']}: {why}"
            expected.append((r["shift"], r["writer"], r["station"], r["opened_ms"],
                             r["closed_ms"], should, had, had - should, by, second,
                             detail))  # fmt: skip
            assert detail is None or detail in words(told.papers[key]).replace("\n", " ")
        seen += same(told, key, columns, iter(expected))
    assert seen == 4
    assert len([row for row in told.raw("SELECT * FROM shifts") if row["closed_reason"]]) == 1


def test_15_3_c_not_issued_are_those_of_the_raw_ledger(told: Told) -> None:
    seen: Counter[str] = Counter()
    columns = ("ticket", "kind", "game", "ms", "writer", "station", "taken_by", "reason",
               "decided_by", "decided_ms", "decided_reason")  # fmt: skip
    won: Counter[tuple[str, int]] = Counter()
    every = (
        "SELECT location, ticket, award_cents FROM awards UNION ALL"
        " SELECT location, ticket, award_cents FROM not_issued_awards"
    )
    for row in told.raw(every):
        won[row["location"], row["ticket"]] += row["award_cents"]
    for location, day in WHERE_AND_WHEN:
        key = ("not_issued", location, day)
        raw = told.of("SELECT * FROM not_issued", location, day)
        same(told, key, columns, (tuple(row[c] for c in columns) for row in raw))
        for row in told.rows[key]:
            seen[row["decision"]] += 1
            assert row["award_cents"] == won[location, row["ticket"]]
            assert row["paid_cents"] == (720_00 if row["decision"] == "issued" else 0)
    assert set(seen) == {"unconfirmed", "confirmed", "issued"}


def test_write_win_are_those_of_the_raw_ledger(
    told: Told, capsys: pytest.CaptureFixture[str]
) -> None:
    columns = ("writer", "tickets", "write_cents", "awards_cents", "win_cents", "hold",
               "void_cents")  # fmt: skip
    names = (("write_cents", "handle_cents"), ("awards_cents", "awards_cents"))
    sums: Counter[tuple[str, str]] = Counter()
    for location, day in WHERE_AND_WHEN:
        key = ("write_win", location, day)
        over = told.of(OVER, location, day, "locked_ms")
        raw = [game for game in over if game["state"] != "void"]
        expected = written(told.raw(SOLD), told.raw(AWARDS), over)
        assert same(told, key, columns, iter(expected)) == 2
        for name, of_game in names:
            cents = sum(row[name] for row in told.rows[key])
            on_top = told.on_top(location, raw) if name == "awards_cents" else 0
            assert cents == sum(game[of_game] for game in raw) + on_top
            assert f"${cents / 100:,.2f}" in words(told.papers[key])
            sums[location, of_game] += cents
        void = sum(row["void_cents"] for row in told.rows[key])
        assert void == sum(game["handle_cents"] for game in over if game["state"] == "void")
        sums[location, "void"] += void
    for location in LETTERS:
        asked = ("balance", "--db", told.ledger, "--location", location, "--json")
        [balance] = json.loads(reported(capsys, *asked))["rows"]
        assert sums[location, "handle_cents"] == balance["handle_drawn_cents"]
        assert sums[location, "void"] == balance["returns_due_cents"] > 0
        assert sums[location, "awards_cents"] == balance["awards_cents"] + balance["on_top_cents"]
        assert balance["on_top_cents"] > 0


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
