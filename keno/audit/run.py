"""Runs an audit: opens the ledger, runs the steps in order, and makes the report."""

import sqlite3
import sys
from collections.abc import Collection
from contextlib import closing
from pathlib import Path
from typing import Any

from keno.audit.access import Access
from keno.audit.approvals import Approvals
from keno.audit.chain import compare_head, verify_chain
from keno.audit.clock import ClockSteps
from keno.audit.closings import Closings
from keno.audit.context import SAMPLE, Audit, Progress, Sampled, Verify, silent
from keno.audit.coupons import CouponRegister
from keno.audit.days import Days
from keno.audit.drawers import Drawers, check_balance
from keno.audit.endings import Endings
from keno.audit.findings import GARBAGE, FindingPlace, Findings, Step
from keno.audit.games import Books
from keno.audit.halts import HaltChecks, listed_halts
from keno.audit.limits import Limits
from keno.audit.not_issued import NotIssued
from keno.audit.order import Order
from keno.audit.owed import OwedChecks, OwedPayments
from keno.audit.papers import PaidByPaper
from keno.audit.replay import Replay
from keno.audit.replayed_state import Migration
from keno.audit.tender import TenderChecks
from keno.audit.tickets import TicketChecks
from keno.store import read_only
from keno.store.head import Head, read_head
from keno.store.schema import MIGRATIONS, RULES_CHANGED

Report = dict[str, Any]

DAMAGED = (sqlite3.DatabaseError, UnicodeDecodeError)
"""Exceptions that reading a damaged file raises; SQLite's error text may itself not be UTF-8."""


class AuditError(Exception):
    """The file cannot be audited at all: a code for programs and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class _NotUtf8(Exception):
    """A text of the ledger is not UTF-8, so that the ledger must be read again tolerantly."""


def audit(
    path: Path,
    *,
    head: Path | None = None,
    verify: Verify | None = None,
    sampled: tuple[int, int] = (SAMPLE, 1),
    steps: Collection[Step] = frozenset(Step),
    progress: Progress = silent,
) -> Report:
    """Audit the ledger in a file and return the report, for `keno audit`.

    `head` is the head file to compare with; None takes the one beside the ledger, if any. `verify`
    checks the proof of each draw; None leaves proofs unchecked. `sampled` is the size of the sample
    and its seed. Findings of steps not in `steps` are left out. Raise `AuditError` if the file
    cannot be audited.
    """
    kept = _head(path, head)
    for tolerant in (False, True):
        with closing(_open(path, tolerant=tolerant)) as connection:
            made = Audit(connection, Findings(steps), verify, Sampled(*sampled), progress)
            alone, before = not read_only.log_of(path).exists(), path.stat()
            try:
                report = _report(made, path, kept)
            except _NotUtf8:
                continue  # read it again with the invalid bytes escaped, and report them
            finally:
                progress("", 0, 0)
            after = path.stat()
            if alone and (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
                raise AuditError("written", f"{path} was written to meanwhile: run it again.")
            return {"file": str(path)} | report
    raise AuditError("not_readable", f"{path} cannot be read.")


def _head(path: Path, named: Path | None) -> tuple[Path, Head | None] | None:
    """Return the path of the head file and its head; the head is None if the file is damaged.

    Return None if no file is named and none is beside the ledger. The head is read before the
    ledger, so that the ledger is not behind it.
    """
    beside = named or path.with_name(path.name + ".head")
    if named is None and not beside.exists():
        return None
    try:
        return beside, read_head(beside)
    except OSError as error:
        raise AuditError("head_not_found", f"Cannot read {beside}: {error.strerror}.") from None


def _open(path: Path, *, tolerant: bool) -> sqlite3.Connection:
    if not path.is_file():
        raise AuditError("not_found", f"There is no file {path}.")
    try:
        connection = read_only.open_read_only(path, tolerant=tolerant)
    except sqlite3.OperationalError as error:
        raise AuditError("not_readable", f"{path} cannot be opened: {error}.") from None
    try:
        _check_version(path, connection)
        connection.execute("BEGIN")
    except DAMAGED as error:
        connection.close()
        raise AuditError("not_a_database", f"{path} is not a ledger: {error}.") from None
    except AuditError:
        connection.close()
        raise
    return connection


def _check_version(path: Path, connection: sqlite3.Connection) -> None:
    version = read_only.version(connection)
    if version > len(MIGRATIONS):
        raise AuditError("newer", f"{path} was written by a newer version of keno.")
    if not version or ("table", "audit") not in read_only.schema(connection):
        raise AuditError("not_a_ledger", f"{path} is a database, but not a keno ledger.")
    if version < len(MIGRATIONS):
        raise AuditError("older", f"{path} is of an older version of keno: open it with this one.")


def _report(made: Audit, path: Path, kept: tuple[Path, Head | None] | None) -> Report:
    days = Days()
    try:
        _take_steps(made, path, kept, days)
    except DAMAGED as error:
        if "decode" in str(error) and made.connection.text_factory is str:
            raise _NotUtf8 from None
        if "locked" in str(error):
            raise AuditError("locked", f"The ledger cannot be read now: {error}.") from None
        made.found.add(Step.FILE, FindingPlace("file"), f"is damaged: {error}.")
    found, first = made.found, made.found.first
    return {
        "sound": found.count == 0,
        "rows": made.rows,
        "tickets": sum(made.picture.sold.values()),
        "games": len(made.picture.held["games"]),
        "head_compared": kept is not None,
        "proofs_verified": made.verify is not None,
        "sample": {
            "seed": made.sampled.seed,
            "games": made.sampled.games,
            "tickets": made.sampled.tickets,
        },
        "days": days.lines(found),
        "halts": list(listed_halts(made)),
        "discrepancies": found.count,
        "first_discrepancy": None if first is None else first.as_json(),
    }


def _take_steps(made: Audit, path: Path, kept: tuple[Path, Head | None] | None, days: Days) -> None:
    _check_schema(made)
    made.picture.migrations = _migrations(made)
    tip = verify_chain(made)
    if kept is not None:
        compare_head(made, kept[1], kept[0], tip)
    halts = HaltChecks(made)
    watchers = (
        OwedChecks(made), TicketChecks(made), Order(made), Approvals(made), NotIssued(made),
        Closings(made), Access(made), ClockSteps(made), PaidByPaper(made), TenderChecks(made),
        Limits(made), halts,
    )  # fmt: skip
    books, endings = Books(made, days), Endings(made, days)
    for step, work in (
        (Step.REPLAY, Replay(made, watchers, CouponRegister(made)).run),
        (Step.LOCK_OUTS, books.run),
        (Step.ENDINGS, endings.run),
        (Step.ENDINGS, OwedPayments(made, endings).run),
        (Step.ENDINGS, endings.report_coupons),
        (Step.DRAWERS, Drawers(made, days).run),
        (Step.BALANCE, lambda: check_balance(made, books.totals, endings)),
    ):
        try:
            work()
        except GARBAGE as error:
            place = FindingPlace("ledger", {"step": step.value})
            made.found.add(step, place, f"cannot be completed: {error!r}.")
    if (
        kept is not None and kept[0].parent == path.parent
    ):  # a copy elsewhere has no files beside it
        halts.compare_files(path)
    made.progress("file", 0, 1)
    for said in read_only.integrity(made.connection):
        made.found.add(Step.FILE, FindingPlace("file"), f"{said}.")


def _check_schema(made: Audit) -> None:
    """Report tables, indexes and triggers that differ from the schema of this version of keno."""
    expected, stored = read_only.newest_schema(), read_only.schema(made.connection)
    for kind, name in sorted(expected.keys() | stored.keys()):
        if expected.get((kind, name)) != stored.get((kind, name)):
            place = FindingPlace("sqlite_master", {kind: name}, "sql")
            made.found.add(Step.SCHEMA, place, "is not as this version of keno made it.")


def _migrations(made: Audit) -> dict[int, Migration]:
    """Return where the rules of each ledger version begin.

    Report a version without such a row, an unknown one, and one that is no row of the chain at its
    time.
    """
    rows = read_only.whole(made.connection, MIGRATED)
    found = {version: Migration(seq, ms) for version, seq, ms in rows}
    for version in sorted(found.keys() | set(RULES_CHANGED)):
        seq, ms = found.get(version, (-1, 0))
        if version not in RULES_CHANGED or read_only.moment_of(made.connection, seq) != ms:
            place = FindingPlace(MIGRATED, {"version": version}, "seq" if seq else "ms", ms)
            made.found.add(Step.SCHEMA, place, "is not a row of the chain and its time.")
    return found


MIGRATED = "migrations"


def terminal_progress() -> Progress:
    """Return a `Progress` that writes to the terminal; a silent one if there is no terminal."""
    if not sys.stderr.isatty():
        return silent

    def tell(what: str, done: int, total: int) -> None:
        part = f" {done:,} of {total:,}" if total > 1 else ""
        print(f"\r\033[K{what}{part}", end="", file=sys.stderr, flush=True)

    return tell
