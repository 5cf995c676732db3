"""A ledger of before version 10, with chips and coin, is migrated, audited and sold on."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.shift import Tender
from keno.domain.states import DrawerKind, TenderKind
from keno.domain.tender import Received
from keno.protocol import Second, Sold
from keno.protocol.base import KindCents
from keno.service import shifts
from keno.service.common import WriterContext
from keno.store import read_only
from keno.store.schema import MIGRATIONS
from keno.store.transaction import Transaction
from tests.houses import Clock, Floor, new_floor, reopened
from tests.integration.ledger.asking import rows, sound, value
from tests.integration.ledger.events import drawer, sell_for, void
from tests.old_ledgers import as_version

SEVEN = "1 2: 1/2@7.00"
ADDED = {"slips": ["tender"], "endings": ["in_chips_cents", "in_tokens_cents", "instead_cents"]}
BY_TENDER = '{"coin":0,"coupon":0,"currency":1400,"gaming_chips":700,"slot_tokens":0}'


@pytest.fixture
def version_9(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A house that writes as version 9 did: voids in cash, counts by tender, no new columns."""
    insert, change = Transaction.insert, Transaction.change_if

    def insert_as_before(tx: Transaction, table: str, **values: Any) -> None:
        for name in ADDED.get(table, ()):
            values.pop(name)
        insert(tx, table, **values)

    def change_as_before(tx: Transaction, table: str, key: Any, **values: Any) -> bool:
        if "denominations" in values:
            del values["denominations"]
            values |= {"expected": BY_TENDER, "counted": BY_TENDER}
        return change(tx, table, key, **values)

    def all_cash(received: Received) -> dict[DrawerKind, int]:
        cents = sum(received.cents.values()) - received.cents[DrawerKind.COUPON]
        coupons = received.cents[DrawerKind.COUPON]
        return dict.fromkeys(DrawerKind, 0) | {DrawerKind.CASH: cents, DrawerKind.COUPON: coupons}

    monkeypatch.setattr(Transaction, "insert", insert_as_before)
    monkeypatch.setattr(Transaction, "change_if", change_as_before)
    monkeypatch.setattr(Received, "gives_back", all_cash)
    return monkeypatch


async def close(floor: Floor, booth: WriterContext, **counted: int) -> protocol.CheckedOut:
    command = protocol.CloseShift(floor.id(), counted, Second("S1", ""))
    return await shifts.close_shift(floor.house, replace(booth, second="S1"), command)


async def old_house(folder: Path) -> tuple[WriterContext, list[Sold]]:
    """Two drawers without banks: one is closed, the other has tickets of every kind."""
    chips, seven = Tender(TenderKind.GAMING_CHIPS, 7_00), Tender(TenderKind.CURRENCY, 7_00)
    coin = Tender(TenderKind.COIN, 7_00)
    async with new_floor(folder) as floor:
        closed = await floor.booth("W2", "2", bank_cents=0)
        for _ in range(3):
            await sell_for(floor, closed, SEVEN, seven)
        sold = await sell_for(floor, closed, SEVEN, chips)
        await void(floor, closed, sold)  # chips that came in, and cash that went out
        await close(floor, closed, currency=14_00, gaming_chips=7_00)
        booth = await floor.booth("W1", "1", bank_cents=0)
        mixed = (Tender(coin.kind, 3_00), Tender(chips.kind, 4_00))
        tenders = ((chips,), (coin,), mixed, (seven,))
        return booth, [await sell_for(floor, booth, SEVEN, *each) for each in tenders]


async def test_a_ledger_of_version_9_goes_on_with_what_came_in(
    tmp_path: Path, version_9: pytest.MonkeyPatch
) -> None:
    booth, (chips, coin, mixed, _) = await old_house(tmp_path)
    old = as_version(tmp_path / "ledger.db", 9)
    version_9.undo()
    async with reopened(old, Clock()) as floor:
        assert await value(floor, "SELECT seq FROM migrations WHERE version = 10") > 0
        sound(floor)
        assert await drawer(floor, booth) == {"cash": 17_00, "gaming_chips": 11_00}
        assert (await void(floor, booth, chips)).given_back == (KindCents("gaming_chips", 7_00),)
        assert (await void(floor, booth, coin)).given_back == (KindCents("cash", 7_00),)
        back = await void(floor, booth, mixed)
        assert back.given_back == (KindCents("cash", 3_00), KindCents("gaming_chips", 4_00))
        await sell_for(floor, booth, SEVEN, Tender(TenderKind.GAMING_CHIPS, 10_00))
        await floor.play()
        done = await close(floor, booth, cash=4_00, gaming_chips=10_00)
        assert done.expected_cents == done.counted_cents
        kept = await rows(floor, "SELECT expected FROM shifts ORDER BY shift")
        assert [each["expected"] for each in kept] == [
            BY_TENDER, '{"cash":400,"coupon":0,"gaming_chips":1000,"slot_tokens":0}',
        ]  # fmt: skip
        sound(floor)
    connection = read_only.open_read_only(old)
    assert read_only.version(connection) == len(MIGRATIONS)
    assert read_only.schema(connection) == read_only.newest_schema()
    connection.close()
