"""Any stored value that is changed is found, and named by table, key and column."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from keno.audit import AuditError, audit
from keno.store.read_only import TABLES, whole
from tests.counts import soaking
from tests.houses import verify
from tests.integration.audit.busy import IN_NO_SOUND_LEDGER
from tests.integration.audit.tampering import change_one, copy_of, tampering

ROUNDS = 20 if soaking() else 1
FLIPS = 20_000 if soaking() else 60
COLUMNS = [
    (table, column)
    for table, about in TABLES.items()
    for column in about.columns
    if table != IN_NO_SOUND_LEDGER
]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_changed_value_is_named(busy: Path, tmp_path: Path, table: str, column: str) -> None:
    random = Random(f"{table}.{column}")
    for _ in range(ROUNDS):
        path = copy_of(busy, tmp_path)
        key = change_one(path, table, column, random)
        first = audit(path, verify=verify)["first_discrepancy"]
        assert first is not None
        assert first["table"] == table
        assert first["column"] is not None
        if column not in TABLES[table].key:
            assert (first["column"], first["key"]) == (column, key)


@pytest.mark.parametrize(
    ("table", "column"), [("answers", "answer"), ("tickets", "request"), ("audit", "body")]
)
def test_text_that_is_no_text_any_more_is_named(
    busy: Path, tmp_path: Path, table: str, column: str
) -> None:
    path = copy_of(busy, tmp_path)
    with tampering(path) as connection:
        connection.execute(
            f"UPDATE {table} SET {column} = CAST(x'41ff00fe' AS TEXT) WHERE rowid = 9"  # noqa: S608
        )
    first = audit(path, verify=verify)["first_discrepancy"]
    assert (first["table"], first["column"]) == (table, column)


def test_a_row_missing_in_the_middle_of_the_chain_is_named(busy: Path, tmp_path: Path) -> None:
    path = copy_of(busy, tmp_path)
    with tampering(path) as connection:
        connection.execute("DELETE FROM audit WHERE seq = 50")
    first = audit(path, verify=verify)["first_discrepancy"]
    assert (first["step"], first["key"], first["column"]) == ("chain", {"seq": 50}, "seq")


def dump(path: Path) -> object:
    """Everything that is stored, or nothing if it cannot be read."""
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        return {table: list(whole(connection, table)) for table in TABLES}
    except sqlite3.Error:
        return None
    finally:
        connection.close()


def test_a_byte_that_flips_anywhere_in_the_file_is_found(busy: Path, tmp_path: Path) -> None:
    random = Random(20)
    file, stored = busy.read_bytes(), dump(busy)
    path = copy_of(busy, tmp_path)
    for _ in range(FLIPS):
        at, bit = random.randrange(len(file)), 1 << random.randrange(8)
        path.write_bytes(file[:at] + bytes([file[at] ^ bit]) + file[at + 1 :])
        try:
            sound = audit(path, verify=verify)["sound"]
        except AuditError:
            sound = False
        # What is left sound holds what it held: the byte was in no row.
        assert not sound or dump(path) == stored, f"byte {at}, bit {bit}"
