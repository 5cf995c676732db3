"""Naive variants of what guards the house. Each really does pay twice, or sell behind a lock-out:
the race tests must catch them, or they would prove nothing about the real thing.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from keno.domain.money import Cents
from keno.domain.payout import Authorisation
from keno.store.ledger import Ledger, Many
from keno.store.rows import AuthorisationRow, UserRow
from keno.store.transaction import Reads, Row, Transaction

T = TypeVar("T")


class CheckThenAct(Ledger):
    """A ledger without its guard: a command decides by the picture it read when it was asked, and
    writes into what the ledger has become since.
    """

    NAIVE = frozenset({"sell", "Void", "LockOut", "Redeem", "Refund"})

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
    """A ledger that, once frozen, reads a snapshot for every command: only guards and keys are
    left to arbitrate. Without its guards it takes every change.
    """

    guarded = True
    _frozen: sqlite3.Connection | None = None

    def freeze(self) -> None:
        """Read from now on what is committed at this moment."""
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
    """The same without `only_if`."""

    guarded = False


def _snapshot(ledger: Ledger) -> sqlite3.Connection:
    """The ledger as it is now, however long it is read."""
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
    """Reads from the picture, writes to the ledger, and expects nothing of what it changes."""

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
    """`Transaction.change_if` that expects nothing."""
    del only_if
    return _change_if(tx, table, key, only_if=None, **values)


async def without_keys(ledger: Ledger, *tables: str) -> None:
    """Take away what makes a table refuse a second row: its keys and checks."""

    def work(tx: Transaction) -> None:
        for table in tables:
            tx.connection.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")  # noqa: S608
            tx.connection.execute(f"DROP TABLE {table}")
            tx.connection.execute(f"ALTER TABLE loose RENAME TO {table}")

    await ledger.write("WithoutKeys", "test", work)


# Authorisations that are bound to nothing.


def any_open_authorisation(reads: Reads, location: str, number: int) -> AuthorisationRow | None:
    """A supervisor said yes to something here; it is taken for a yes to this ticket."""
    rows = reads.rows(
        "SELECT * FROM authorisations WHERE location = ? AND state IN ('pending', 'approved')"
        " ORDER BY ticket <> ?",
        location,
        number,
    )
    return AuthorisationRow(**rows[0]) if rows else None


def any_authorisation(
    ticket: int, total_cents: Cents, writer: str, authorisation: Authorisation | None
) -> None:
    """There is one, and that is enough."""
    if authorisation is None:
        raise ValueError(f"{writer} asked nobody about {total_cents} cents for ticket {ticket}")


def any_signature(user: UserRow, asked: AuthorisationRow, signature: str) -> None:
    """There is something in the field, and that is enough."""
    if not signature:
        raise ValueError(f"{user.person} did not sign authorisation {asked.authorisation}")
