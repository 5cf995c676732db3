"""Forgeries that look consistent: rows added, taken away and rewritten with the chain rebuilt."""

import asyncio
import re
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.audit import Step, audit
from keno.audit.games import digest
from keno.service import tickets
from tests.houses import new_floor, verify
from tests.integration.audit.finding import found_only_by, named
from tests.integration.audit.tampering import (
    copy_of,
    forget_head,
    rebuild_chain,
    rewrite_bodies,
    tampering,
)

AWARD = 42_00
"""What three of three pay for a dollar."""


async def _small(folder: Path) -> Path:
    """Tickets 1 (won and paid), 2 (voided), 3 and 4 (in play); the last row sells ticket 4."""
    async with new_floor(folder) as floor:
        booth = await floor.booth()
        won = await floor.sell(booth, "1 2 3: 1/3@1.00")
        wrong = await floor.sell(booth, "4 5 6: 1/3@1.00")
        await tickets.void(floor.house, booth, protocol.Void(floor.id(), wrong.ticket, wrong.code))
        await floor.play(list(range(1, 21)))
        await floor.pay(booth, won, AWARD)
        await floor.sell(booth, "1 2 3: 1/3@1.00")
        await floor.sell(booth, "7 8 9: 1/3@1.00", printed=False)
        return floor.path


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return asyncio.run(_small(tmp_path_factory.mktemp("small")))


@pytest.fixture
def path(small: Path, tmp_path: Path) -> Path:
    return copy_of(small, tmp_path)


def row_of(connection: sqlite3.Connection, kind: str) -> int:
    seq: int = connection.execute("SELECT seq FROM audit WHERE kind = ?", (kind,)).fetchone()[0]
    return seq


def test_nothing_is_wrong_with_it_yet(path: Path) -> None:
    assert audit(path, verify=verify)["sound"]


def test_a_ticket_that_nobody_sold(path: Path) -> None:
    with tampering(path) as connection:
        connection.execute("CREATE TEMP TABLE forged AS SELECT * FROM tickets WHERE number = 4")
        connection.execute("UPDATE forged SET number = 5, request_id = 'nobody'")
        connection.execute("INSERT INTO tickets SELECT * FROM forged")
        connection.execute(
            "INSERT INTO drawer (shift, event, kind, cents, ticket, ms)"
            " SELECT shift, event, kind, cents, 5, ms FROM drawer WHERE ticket = 4"
        )
        connection.execute("UPDATE counters SET last = 5")
        connection.execute("UPDATE steps SET tickets = 2, cents = 200 WHERE game = 2")
        connection.execute("UPDATE steps SET tickets = -3, cents = -300 WHERE game = 3")
    assert named(found_only_by(path, Step.REPLAY)) == ("tickets", ("main", 5), "number")


def test_a_ledger_cut_short_with_its_last_ticket(path: Path) -> None:
    with tampering(path) as connection:
        last = connection.execute("SELECT max(seq) FROM audit").fetchone()[0]
        connection.execute("DELETE FROM audit WHERE seq = ?", (last,))
        connection.execute("DELETE FROM tickets WHERE number = 4")
        connection.execute("DELETE FROM drawer WHERE ticket = 4")
        connection.execute("DELETE FROM shapes WHERE shape NOT IN (SELECT shape FROM tickets)")
        connection.execute("UPDATE counters SET last = 3 WHERE name = 'ticket'")
        connection.execute("UPDATE steps SET tickets = 0, cents = 0 WHERE game = 2")
        connection.execute("UPDATE steps SET tickets = -1, cents = -100 WHERE game = 3")
    first = found_only_by(path, Step.HEAD)
    assert named(first) == ("audit", (last,), "seq")
    assert "lost its end" in first["message"]


def test_an_award_raised_together_with_its_ending(path: Path) -> None:
    with tampering(path) as connection:
        connection.execute("UPDATE awards SET award_cents = 5000, graded_cents = 5000")
        connection.execute(
            "UPDATE endings SET awards_cents = 5000, cash_cents = 5000 WHERE kind = 'payout'"
        )
    assert named(found_only_by(path, Step.REPLAY, Step.GRADING, Step.DRAWERS, Step.BALANCE)) == (
        "endings",
        ("main", 1),
        "awards_cents",
    )


def raise_award(connection: sqlite3.Connection) -> None:
    """Change 42.00 into 50.00 wherever it stands, in the tables and in the chain."""
    connection.execute("UPDATE awards SET award_cents = 5000, graded_cents = 5000")
    connection.execute(
        "UPDATE games SET awards_cents = 5000, graded_cents = 5000 WHERE awards_cents = 4200"
    )
    connection.execute(
        "UPDATE endings SET awards_cents = 5000, cash_cents = 5000 WHERE kind = 'payout'"
    )
    connection.execute("UPDATE drawer SET cents = 5000 WHERE event = 'payout'")
    rows = connection.execute("SELECT * FROM awards ORDER BY ticket").fetchall()
    sha = digest([tuple(row) for row in rows])
    for table, column in (("answers", "answer"), ("audit", "body")):
        for rowid, text in connection.execute(
            f"SELECT rowid, {column} FROM {table}"  # noqa: S608
        ).fetchall():
            again = re.sub(r"\b4200\b", "5000", text)
            again = re.sub(r'"sha256":"[0-9a-f]+"', f'"sha256":"{sha}"', again)
            connection.execute(
                f"UPDATE {table} SET {column} = ? WHERE rowid = ?",  # noqa: S608
                (again, rowid),
            )
    rebuild_chain(connection)


def test_an_award_raised_everywhere_and_the_chain_rebuilt(path: Path) -> None:
    with tampering(path) as connection:
        raise_award(connection)
    assert named(found_only_by(path, Step.HEAD, Step.GRADING))[0] == "audit"
    forget_head(path)
    assert named(found_only_by(path, Step.GRADING)) == (
        "awards",
        ("main", 1, 1),
        "graded_cents",
    )


def swap_numbers(path: Path, old: str, new: str) -> None:
    """Change the drawn numbers in `games` and in the chain, and rebuild it."""

    def change(kind: str, body: list[dict[str, dict[str, str]]]) -> None:
        if kind == "RecordDraw":
            values = body[0]["set"]
            values["numbers"] = values["numbers"].replace(old, new)

    with tampering(path) as connection:
        connection.execute("UPDATE games SET numbers = replace(numbers, ?, ?)", (old, new))
        rewrite_bodies(connection, change)
        rebuild_chain(connection)


def test_a_drawn_number_swapped_for_another(path: Path) -> None:
    swap_numbers(path, "[1,2,3,", "[1,2,77,")
    assert named(found_only_by(path, Step.HEAD, Step.DRAWS, Step.GRADING))[0] == "audit"
    forget_head(path)
    first = found_only_by(path, Step.DRAWS, Step.GRADING)
    assert named(first) == ("games", ("main", 1), "numbers")


def test_the_order_of_balls_changed(path: Path) -> None:
    """It pays the same to everybody; only the head and the draw's proof know better."""
    swap_numbers(path, "[1,2,3,", "[3,2,1,")
    found_only_by(path, Step.HEAD, Step.DRAWS)
    forget_head(path)
    assert named(found_only_by(path, Step.DRAWS)) == ("games", ("main", 1), "numbers")
    assert audit(path)["sound"]  # without a verifier nobody can tell


def test_15_4_e_a_void_moved_behind_the_lock_out(path: Path) -> None:
    with tampering(path) as connection:
        void, locked = row_of(connection, "Void"), row_of(connection, "LockOut")
        connection.execute("UPDATE audit SET seq = -1 WHERE seq = ?", (void,))
        connection.execute("UPDATE audit SET seq = -seq WHERE seq > ?", (locked,))
        connection.execute("UPDATE audit SET seq = ? WHERE seq = -1", (locked + 1,))
        connection.execute("UPDATE audit SET seq = 1 - seq WHERE seq < 0")
        rebuild_chain(connection)
    forget_head(path)
    first = found_only_by(path, Step.ORDER, Step.LOCK_OUTS)
    assert audit(path, verify=verify, steps={Step.ORDER})["first_discrepancy"]["message"].endswith(
        "after lock-out of game 1."
    )
    assert first["table"] in ("tickets", "games")


def test_a_sale_moved_behind_the_lock_out(path: Path) -> None:
    with tampering(path) as connection:
        locked = row_of(connection, "LockOut")
        body = '%"sold":2,%'
        sale = connection.execute(
            "SELECT seq FROM audit WHERE kind = 'sell' AND body LIKE ?", (body,)
        ).fetchone()[0]
        later = [row_of(connection, "Void"), sale + 1]
        connection.execute("UPDATE audit SET seq = -seq WHERE seq > ?", (locked,))
        for place, seq in enumerate((sale, *sorted(later)), start=1):
            connection.execute("UPDATE audit SET seq = ? WHERE seq = ?", (1_000_000 + place, seq))
        connection.execute("UPDATE audit SET seq = 2000000 - seq WHERE seq < 0")
        rebuild_chain(connection)
    forget_head(path)
    steps = audit(path, verify=verify, steps={Step.ORDER})["first_discrepancy"]
    assert named(steps) == ("tickets", ("main", 2), "first_game")
    assert not audit(path, verify=verify, steps={Step.LOCK_OUTS})["sound"]


def test_an_audit_row_whose_actor_was_changed(path: Path) -> None:
    with tampering(path) as connection:
        seq = row_of(connection, "ConfirmPrint")
        connection.execute("UPDATE audit SET actor = 'W2' WHERE seq = ?", (seq,))
    assert named(found_only_by(path, Step.CHAIN)) == ("audit", (seq,), "actor")


def test_a_guard_that_was_taken_away(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TRIGGER tickets_are_kept")
    connection.close()
    first = found_only_by(path, Step.SCHEMA)
    assert named(first) == ("sqlite_master", ("tickets_are_kept",), "sql")


def test_an_index_that_does_not_belong_to_its_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA writable_schema = 1")
    pages = dict(connection.execute("SELECT name, rootpage FROM sqlite_master"))
    for name, other in (("multi_race", "endings_by_time"), ("endings_by_time", "multi_race")):
        connection.execute(
            "UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (pages[other], name)
        )
    connection.commit()
    connection.close()
    assert found_only_by(path, Step.FILE)["table"] == "file"


def test_a_head_file_that_is_damaged(path: Path) -> None:
    path.with_name(path.name + ".head").write_bytes(b"keno-head/1 7 nonsense")
    first = found_only_by(path, Step.HEAD)
    assert first["table"] == "head"


@pytest.mark.parametrize(
    ("column", "value", "finders"),
    [
        ("supervisor", "W3", [Step.ORDER]),
        ("actor", "W1", [Step.ORDER]),
        ("copy", 3, [Step.ORDER, Step.REPLAY]),
    ],
)
def test_a_reprint_that_was_another(
    busy: Path, tmp_path: Path, column: str, value: object, finders: list[Step]
) -> None:
    """The row is changed in the table and in the chain."""
    path = copy_of(busy, tmp_path)

    def change(_: str, body: Any) -> None:
        for each in body:
            if "insert" in each and each["insert"] == "reprints" and each["row"]["copy"] == 2:
                each["row"][column] = value

    with tampering(path) as connection:
        connection.execute(f"UPDATE reprints SET {column} = ? WHERE copy = 2", (value,))  # noqa: S608
        rewrite_bodies(connection, change)
        rebuild_chain(connection)
    forget_head(path)
    first = found_only_by(path, *finders)
    assert (first["table"], first["column"]) == ("reprints", column)
