"""Naive variants of the house's guards, which really pay twice or sell after a lock-out.

The race tests must catch these variants; otherwise they would prove nothing about the real guards.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from keno.domain.money import Cents
from keno.domain.payout import Authorisation
from keno.domain.states import Ending
from keno.protocol import Surrender, TicketDone
from keno.service.common import WriterContext, answer_once, require_second, require_ticket
from keno.service.endings import record_ending
from keno.service.house import House
from keno.store.ledger import Ledger, Many
from keno.store.rows import AuthorisationRow, TicketRow, UserRow
from keno.store.transaction import Reads, Row, Transaction

T = TypeVar("T")


class CheckThenAct(Ledger):
    """A ledger without its guard: a command decides by a snapshot of when it was asked.

    It then writes into the ledger as it has become since.
    """

    NAIVE = frozenset({"sell", "Void", "LockOut", "Redeem", "Refund", "DeclareNotIssued"})

    async def write(self, kind: str, actor: str, work: Callable[[Transaction], T]) -> T:
        if kind not in self.NAIVE:
            return await super().write(kind, actor, work)
        picture = self._picture()
        return await super().write(kind, actor, lambda tx: work(_Late(tx, picture)))

    def write_many(self, kind: str, actor: str, many: Many, item: object) -> "asyncio.Future[Any]":
        late = _Item(many, item, self._picture())
        return super().write_many(kind, actor, _many_late, late)

    def _picture(self) -> sqlite3.Connection:
        return _snapshot(self)


class Stale(Ledger):
    """A ledger that, once frozen, reads the same snapshot for every command.

    Only `only_if` guards and keys are left to refuse a conflicting change.
    """

    guarded = True
    _frozen: sqlite3.Connection | None = None

    def freeze(self) -> None:
        """From now on read what is committed at this moment."""
        self._frozen = _snapshot(self)

    async def read(self, work: Callable[[Reads], T]) -> T:
        return await super().read(work) if self._frozen is None else work(Reads(self._frozen))

    async def write(self, kind: str, actor: str, work: Callable[[Transaction], T]) -> T:
        frozen = self._frozen
        if frozen is None:
            return await super().write(kind, actor, work)
        guarded = self.guarded
        return await super().write(kind, actor, lambda tx: work(_Late(tx, frozen, guarded=guarded)))

    def write_many(self, kind: str, actor: str, many: Many, item: object) -> "asyncio.Future[Any]":
        if self._frozen is None:
            return super().write_many(kind, actor, many, item)
        late = _Item(many, item, self._frozen, self.guarded)
        return super().write_many(kind, actor, _many_late, late)


class StaleWithoutGuards(Stale):
    """A `Stale` ledger that ignores `only_if`."""

    guarded = False


def _snapshot(ledger: Ledger) -> sqlite3.Connection:
    """Return a connection that reads the ledger as it is now, whatever is committed later."""
    picture = sqlite3.connect(ledger.path, isolation_level=None, check_same_thread=False)
    picture.execute("BEGIN")
    picture.execute("SELECT count(*) FROM audit").fetchone()
    return picture


@dataclass(frozen=True, slots=True)
class _Item:
    many: Many
    item: object
    picture: sqlite3.Connection
    guarded: bool = False


def _many_late(tx: Transaction, items: list[_Item]) -> list[Any]:
    answers = []
    for late in items:
        stale = _Late(tx, late.picture, guarded=late.guarded)
        answers += late.many(stale, [late.item])
    return answers


class _Late(Transaction):
    """A transaction that reads a snapshot, writes to the ledger and ignores `only_if`."""

    def __init__(
        self, tx: Transaction, picture: sqlite3.Connection, *, guarded: bool = False
    ) -> None:
        super().__init__(tx.connection, tx.now_ms)
        self.guarded = guarded
        self.changes = tx.changes
        self.picture = Reads(picture)

    def rows(self, sql: str, *values: object) -> list[Row]:
        reads = sql.lstrip().startswith("SELECT")
        return self.picture.rows(sql, *values) if reads else super().rows(sql, *values)

    def value(self, sql: str, *values: object) -> Any:
        reads = sql.lstrip().startswith("SELECT")
        return self.picture.value(sql, *values) if reads else super().value(sql, *values)

    def change_if(
        self, table: str, key: Row, *, only_if: Row | None = None, **values: object
    ) -> bool:
        return super().change_if(table, key, only_if=only_if if self.guarded else None, **values)


_change_if = Transaction.change_if


def change_unguarded(
    tx: Transaction, table: str, key: Row, *, only_if: Row | None = None, **values: object
) -> bool:
    """Change a row as `Transaction.change_if` does, but ignore `only_if`."""
    del only_if
    return _change_if(tx, table, key, only_if=None, **values)


async def without_keys(ledger: Ledger, *tables: str) -> None:
    """Remove the keys and checks of tables, so that they accept a second row.

    Triggers of other tables that name them stay as they are.
    """

    def work(tx: Transaction) -> None:
        tx.connection.execute("PRAGMA legacy_alter_table = 1")
        for table in tables:
            tx.connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")  # noqa: S608
            tx.connection.execute(f"DROP TABLE {table}")
            tx.connection.execute(f"ALTER TABLE loose RENAME TO {table}")

    await ledger.write("WithoutKeys", "test", work)


# Tickets that end by their number (15.3(c)).


async def surrender_by_number(house: House, by: WriterContext, command: Surrender) -> TicketDone:
    """Surrender a ticket by its number and a supervisor's password, as an early version did."""

    def work(tx: Transaction) -> TicketDone:
        row = require_ticket(tx, by.location, command.ticket)
        record_ending(tx, row, by, kind=Ending.SURRENDER, supervisor=require_second(tx, by),
                      reason=command.reason)  # fmt: skip
        return TicketDone(row.location, row.number, tx.now_ms)

    return await answer_once(house, by, command, work)


def without_paper(_: House, reads: Reads, location: str, number: int, __: str) -> TicketRow:
    """Return a presented ticket without checking its code."""
    return require_ticket(reads, location, number)


# Authorisations that are bound to nothing.


def any_open_authorisation(reads: Reads, location: str, number: int) -> AuthorisationRow | None:
    """Return an authorisation of any ticket of the location as if it were this ticket's."""
    rows = reads.rows(
        "SELECT * FROM authorisations WHERE location = ? AND state IN ('pending', 'approved')"
        " ORDER BY ticket <> ?",
        location,
        number,
    )
    return AuthorisationRow(**rows[0]) if rows else None


def any_authorisation(
    ticket: int,
    total_cents: Cents,
    writer: str,
    authorisation: Authorisation | None,
    *,
    exceptional: bool = False,
) -> None:
    """Accept any authorisation without checking its ticket and amount; a ValueError without one."""
    del exceptional
    if authorisation is None:
        raise ValueError(f"{writer} asked nobody about {total_cents} cents for ticket {ticket}")


def any_signature(user: UserRow, asked: AuthorisationRow, signature: str) -> None:
    """Accept any non-empty signature without checking it; a ValueError if it is empty."""
    if not signature:
        raise ValueError(f"{user.person} did not sign authorisation {asked.authorisation}")
