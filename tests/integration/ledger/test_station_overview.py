"""What a writer has before them: their shift, the station's last tickets, and what still waits."""

import sqlite3
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from keno import protocol
from keno.domain.errors import Refusal
from keno.domain.states import DrawerKind
from keno.protocol import (
    Payment,
    Second,
    StationAuthorisation,
    StationOverview,
    StationTicket,
    UnprintedTicket,
    WriterShift,
)
from keno.service import games, payouts, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.house import House
from keno.service.sell import sell
from keno.service.station_overview import DENIED_MS, TICKETS, station_overview
from keno.store import read_only
from keno.store.ledger import Ledger
from keno.store.schema import MIGRATIONS
from keno.store.transaction import Reads
from tests.houses import START_MS, Clock, Floor, proof_of, verify
from tests.integration.ledger.asking import heard, unchanged
from tests.integration.ledger.asking import rows as ledger_rows
from tests.integration.ledger.events import (
    EIGHT,
    approve,
    ask,
    coupon,
    deny,
    drawn,
    expire,
    give_keys,
    redeem,
    refund,
    sell_for,
    void,
)
from tests.integration.ledger.floors import furnished_floor

WINS_9 = drawn(1, 2, 3, 4, 5)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)
NOBODY = WriterContext("main", "1", "W3", 0)
"""A writer without a shift at station 1."""


@pytest.fixture
async def floor() -> AsyncIterator[Floor]:
    async with furnished_floor() as made:
        await give_keys(made)
        yield made


async def overview(house: House, by: WriterContext) -> StationOverview:
    return await station_overview(house, by, protocol.GetStationOverview("overview"))


async def states(floor: Floor, booth: WriterContext) -> dict[int, str]:
    return {each.ticket: each.state for each in (await overview(floor.house, booth)).tickets}


# The shift.


async def test_a_writer_without_a_shift_has_an_empty_desk(floor: Floor) -> None:
    async with unchanged(floor):
        assert await overview(floor.house, NOBODY) == StationOverview(None, (), (), ())


async def test_the_shift_and_what_its_drawer_should_hold(
    floor: Floor, booth: WriterContext
) -> None:
    await sell_for(floor, booth, EIGHT, coupon(1_00, "PROMO-1"))
    await floor.sell(booth)
    holds = dict.fromkeys(map(str, DrawerKind), 0) | {"cash": 10_001_00, "coupon": 1_00}
    held = {"currency": 10_001_00, "gaming_chips": 0, "coupon": 1_00, "slot_tokens": 0}
    found = (await overview(floor.house, booth)).shift
    assert found == WriterShift(
        booth.shift, "main", "1", locked=False, opened_ms=START_MS, expected_cents=held,
        holds_cents=holds,
    )  # fmt: skip
    await shifts.lock_shift(
        floor.house, WriterContext("main", "1", "W1", booth.shift), protocol.LockShift(floor.id())
    )
    locked = (await overview(floor.house, booth)).shift
    assert locked is not None
    assert locked.locked


async def test_a_shift_is_found_at_another_station_and_not_when_closed(
    floor: Floor, booth: WriterContext
) -> None:
    here = WriterContext("main", "2", "W1", 0)
    found = (await overview(floor.house, here)).shift
    assert found is not None
    assert (found.shift, found.station) == (booth.shift, "1")
    assert (await overview(floor.house, NOBODY)).shift is None
    counted = {"currency": 10_000_00}
    by = WriterContext("main", "1", "W1", booth.shift, "S1")
    command = protocol.CloseShift(floor.id(), counted, Second("S1", ""))
    await shifts.close_shift(floor.house, by, command)
    assert (await overview(floor.house, here)).shift is None


# Tickets.


async def test_the_last_tickets_of_this_station_the_newest_first(
    floor: Floor, booth: WriterContext
) -> None:
    other = await floor.booth("W2", "2")
    for number in range(12):
        await floor.sell(booth, printed=number % 3 > 0)
        await floor.sell(other)
    found = (await overview(floor.house, booth)).tickets
    assert [each.ticket for each in found] == [23, 21, 19, 17, 15, 13, 11, 9]
    assert len(found) == TICKETS
    assert [each.printed for each in found] == [True, True, False] * 2 + [True, True]
    assert await states(floor, NOBODY) == await states(floor, booth)  # whoever stands there
    assert (await overview(floor.house, other)).tickets[0].ticket == 24


async def test_a_ticket_is_shown_as_it_was_sold(floor: Floor, booth: WriterContext) -> None:
    floor.clock.forward(minutes=3)
    sold = await floor.sell(booth, EIGHT + " x3")
    await tickets.reprint(
        floor.house, replace(booth, second="S1"), protocol.Reprint(floor.id(), sold.ticket)
    )
    [shown] = (await overview(floor.house, booth)).tickets
    sold_ms = START_MS + 180_000
    assert shown == StationTicket(
        sold.ticket, 3_00, 1, 3, sold_ms, "live", printed=False, reprints=1
    )


async def test_every_state_of_a_ticket(floor: Floor, booth: WriterContext) -> None:
    names = ("live", "void", "payout", "refund", "surrender", "expiry")
    sold = {name: await floor.sell(booth, EIGHT + " x2" * (name == "refund")) for name in names}
    await void(floor, booth, sold["void"])
    game = await floor.lock()
    await floor.declare_not_issued(booth, sold["surrender"])
    await floor.draw(game, WINS_9)
    await floor.pay(booth, sold["payout"], 9_00)
    await refund(floor, booth, sold["refund"], Payment(10_00))
    await floor.confirm_not_issued(sold["surrender"])
    by = StaffContext("S1")
    until = "2027-11-15"
    held = protocol.Hold(floor.id(), "main", sold["live"].ticket, "two claimants", until_day=until)
    await tickets.hold(floor.house, by, held)
    floor.clock.forward(days=365, ms=1)
    await expire(floor)
    found = await states(floor, booth)
    assert {name: found[each.ticket] for name, each in sold.items()} == {n: n for n in names}


# Prints that nobody has confirmed.


async def test_unconfirmed_prints_of_this_station_the_oldest_first(
    floor: Floor, booth: WriterContext
) -> None:
    other = await floor.booth("W2", "2")
    await floor.sell(other, printed=False)
    sale = await floor.sale(booth, EIGHT)
    first = await sell(floor.house, sale)
    await floor.sell(booth)
    gone, given_up = [await floor.sell(booth, printed=False) for _ in range(2)]
    await void(floor, booth, gone)
    await floor.lock()
    later = await floor.sell(booth, printed=False)
    await floor.declare_not_issued(booth, given_up)
    await floor.confirm_not_issued(given_up)
    found = (await overview(floor.house, booth)).unprinted
    assert [(each.ticket, each.first_game, each.game_state) for each in found] == [
        (first.ticket, 1, "locked"), (later.ticket, 2, "open"),
    ]  # fmt: skip
    assert found[0] == UnprintedTicket(first.ticket, 1_00, 1, sale.request_id, 0, "locked")


async def test_an_unconfirmed_print_tells_how_far_its_game_is(
    floor: Floor, booth: WriterContext
) -> None:
    await floor.sell(booth, printed=False)
    house, seen = floor.house, []

    async def look() -> None:
        [each] = (await overview(house, booth)).unprinted
        seen.append(each.game_state)

    await look()
    await floor.lock()
    await look()
    await games.close_book(house, "main", 1)
    await games.record_draw(house, "main", 1, proof_of(WINS_9), verify)
    await look()
    await games.settle(house, "main", 1)
    await look()
    assert seen == ["open", "locked", "drawn", "settled"]


# Authorisations.


async def test_authorisations_of_this_shift_until_they_are_used(
    floor: Floor, booth: WriterContext
) -> None:
    other = await floor.booth("W2", "2")
    won = [await floor.sell(booth) for _ in range(3)]
    theirs = await floor.sell(other)
    await floor.play(WINS_1500)
    asked = [await ask(floor, booth, each) for each in won]
    await ask(floor, other, theirs)
    await approve(floor, asked[1])
    await deny(floor, asked[2])
    found = (await overview(floor.house, booth)).authorisations
    amount = asked[0].amount_cents
    assert found == (
        StationAuthorisation(1, won[0].ticket, amount, "pending", None, None, "A"),
        StationAuthorisation(2, won[1].ticket, amount, "approved", "S1", "", "A"),
        StationAuthorisation(3, won[2].ticket, amount, "denied", "S1", "the patron left", "A"),
    )
    assert (
        await overview(floor.house, WriterContext("main", "3", "W1", 0))
    ).authorisations == found
    assert (await overview(floor.house, NOBODY)).authorisations == ()
    await redeem(floor, booth, won[1], Payment(amount, tax_form="W-2G 1"))
    floor.clock.forward(ms=DENIED_MS)
    assert [each.state for each in (await overview(floor.house, booth)).authorisations] == [
        "pending", "denied",
    ]  # fmt: skip
    floor.clock.forward(ms=1)
    assert [each.state for each in (await overview(floor.house, booth)).authorisations] == [
        "pending"
    ]


# What it does not tell, and how it is found.


async def test_no_code_is_anywhere_on_the_desk(floor: Floor, booth: WriterContext) -> None:
    sold = [await floor.sell(booth, printed=number > 1) for number in range(4)]
    await floor.play(WINS_1500)
    await ask(floor, booth, sold[3])
    text = msgspec.json.encode(await overview(floor.house, booth)).decode()
    assert '"request_id"' in text
    assert "code" not in text
    assert not any(each.code in text for each in sold)
    look = protocol.Lookup(floor.id(), sold[3].ticket, "")
    assert await heard(payouts.look(floor.house, booth, look)) is Refusal.ALTERED


async def test_every_question_of_the_desk_is_answered_by_an_index(
    floor: Floor, booth: WriterContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, tuple[object, ...]]] = []
    rows = Reads.rows

    def noted(self: Reads, sql: str, *values: object) -> list[object]:
        asked.append((sql, values))
        return rows(self, sql, *values)  # type: ignore[return-value]

    monkeypatch.setattr(Reads, "rows", noted)
    await overview(floor.house, booth)
    monkeypatch.undo()
    # The shift, its authorisations, another drawer here, the tickets, the prints.
    assert len(asked) == 5
    for sql, values in asked:
        plan = await ledger_rows(floor, f"EXPLAIN QUERY PLAN {sql}", *values)
        steps = [step["detail"] for step in plan]
        assert any(step.startswith("SEARCH") for step in steps)
        assert not any("SCAN" in step or "TEMP B-TREE" in step for step in steps), steps


async def test_a_ledger_of_an_older_version_gets_the_indexes(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    old = sqlite3.connect(path)
    for migration in MIGRATIONS[:3]:
        old.executescript(migration)
    old.execute("PRAGMA user_version = 3")
    old.close()
    ledger = await Ledger.open(path, Clock())
    await ledger.close()
    new = sqlite3.connect(path)
    assert read_only.schema(new) == read_only.newest_schema()
    assert read_only.version(new) == len(MIGRATIONS)
    new.close()
