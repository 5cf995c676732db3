"""Asking a house for things: what is refused leaves every table as it was; what is repeated too."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
import pytest

from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.domain.shift import HouseBalance
from keno.service import listings
from keno.service.listing_registry import BALANCE
from keno.store.ledger import NOT_TAKEN
from keno.store.transaction import Reads
from tests.houses import Floor, verify

T = TypeVar("T")


def _all_tables(reads: Reads) -> str:
    named = reads.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    found = sha256()
    for table in named:
        rows = reads.connection.execute(f"SELECT * FROM {table['name']} ORDER BY 1, 2")  # noqa: S608
        found.update(repr((table["name"], rows.fetchall())).encode())
    return found.hexdigest()


async def digest(floor: Floor) -> str:
    """One digest of every row of every table."""
    return await floor.ledger.read(_all_tables)


@asynccontextmanager
async def refused(floor: Floor, reason: Refusal) -> AsyncIterator[None]:
    """What is asked inside must be refused for this reason, and nothing may have changed.

    A rule must refuse it, before a constraint of the ledger does.
    """
    before = await digest(floor)
    with pytest.raises(Refused) as exc:
        yield
    assert exc.value.reason is reason
    assert exc.value.message != NOT_TAKEN
    assert await digest(floor) == before


async def heard(asked: Awaitable[object]) -> Refusal:
    """The reason for which something is refused, where a refusal may leave its trace.

    The claim of a ticket that was presented in time and cannot be paid yet is kept open.
    """
    with pytest.raises(Refused) as exc:
        await asked
    return exc.value.reason


@asynccontextmanager
async def unchanged(floor: Floor) -> AsyncIterator[None]:
    """What is done inside must change nothing."""
    before = await digest(floor)
    yield
    assert await digest(floor) == before


async def twice(floor: Floor, do: Callable[..., Awaitable[T]], *asked: Any, **otherwise: Any) -> T:
    """Do a command: the same again is the same answer, the same id with other content a mistake.

    `asked` is the command, after who acts if that is not the system itself.
    """
    answer = await do(floor.house, *asked)
    async with unchanged(floor):
        assert await do(floor.house, *asked) == answer
    async with refused(floor, Refusal.REQUEST_ID_REUSED):
        await do(floor.house, *changed(*asked, **otherwise))
    return answer


def changed(*asked: Any, **otherwise: Any) -> tuple[Any, ...]:
    """The same with other values; a second person and what the command lacks change who acts.

    `actor` is the person who acts: a command may have a `person` of its own.
    """
    *by, command = asked
    if not isinstance(command, msgspec.Struct):
        return (*by, replace(command, **otherwise))
    acts = {name for name in otherwise if name == "second" or name not in fields_of(command)}
    told = {name: value for name, value in otherwise.items() if name not in acts}
    who = {"person" if name == "actor" else name: otherwise[name] for name in acts}
    done = [replace(each, **who) for each in by]
    return (*done, msgspec.structs.replace(command, **told))


def fields_of(command: msgspec.Struct) -> tuple[str, ...]:
    return command.__struct_fields__


async def rows(floor: Floor, sql: str, *values: object) -> list[dict[str, Any]]:
    """What the ledger says."""
    found = await floor.ledger.read(lambda reads: reads.rows(sql, *values))
    return [dict(row) for row in found]


async def value(floor: Floor, sql: str, *values: object) -> Any:
    """One value that the ledger says."""
    return await floor.ledger.read(lambda reads: reads.value(sql, *values))


def sound(floor: Floor) -> None:
    """Fail unless the audit finds the ledger sound."""
    report = audit(floor.path, verify=verify)
    assert report["sound"], report["first_discrepancy"]


async def balance(floor: Floor) -> HouseBalance:
    """The house's balance, whose two sides are equal."""
    [found] = await listings.listed(floor.house, BALANCE, "main", None)
    assert found.balanced
    return found
