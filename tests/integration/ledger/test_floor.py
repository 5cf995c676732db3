"""The live floor as the ledger has it: stations, drawers, prints, authorisations, exceptions."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from keno import protocol
from keno.domain.states import DrawerKind
from keno.protocol import Second, State
from keno.protocol.floor import (
    FloorAuthorisation,
    FloorLocation,
    FloorShift,
    FloorStation,
    FloorUnprinted,
    Unusual,
)
from keno.service import games, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.floor import EXCEPTIONS, NOT_RUN_HERE, Connected, floor
from keno.store.transaction import Reads
from tests.houses import ADM, START_MS, Floor
from tests.integration.ledger.asking import rows as ledger_rows
from tests.integration.ledger.asking import unchanged
from tests.integration.ledger.events import (
    approve,
    ask,
    declare_void,
    deny,
    drawn,
    give_keys,
    second_location,
    void,
)
from tests.integration.ledger.floors import furnished_floor

WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)
STATE = State("main", "test-house", False, START_MS, None, None, None, "Trouble.", [])  # noqa: FBT003
SMALL = ("locations", "l", "s", "users", "approvals", "overrides", "a", "starts", "clock_steps")
"""Tables that may be gone through: locations are `l` in our questions, stations `s`, changes of
access `a`.
"""


@pytest.fixture
async def house() -> AsyncIterator[Floor]:
    async with furnished_floor() as made:
        await give_keys(made)
        yield made


async def main(made: Floor, **lines: Connected) -> FloorLocation:
    found = await floor(made.house, {"main": STATE}, lines)
    return next(each for each in found.locations if each.location == "main")


async def station(made: Floor, name: str, **lines: Connected) -> FloorStation:
    return next(each for each in (await main(made, **lines)).stations if each.station == name)


def unusual(kind: str, ms: int, actor: str, **values: Any) -> Unusual:
    fields = {"override": None, "seconds": None, "game": None, "ticket": None, "cents": None,
              "second": None, "reason": None}  # fmt: skip
    return Unusual(kind=kind, ms=ms, actor=actor, **(fields | values))


# Locations and stations.


async def test_every_location_with_what_a_board_is_told(house: Floor) -> None:
    await second_location(house)
    async with unchanged(house):
        found = await floor(house.house, {"main": STATE}, {})
    assert found.server_ms == START_MS
    east, west = found.locations
    assert (east.location, east.letter, east.name) == ("east", "B", "East")
    assert (east.state, east.trouble) == (None, NOT_RUN_HERE)
    assert [each.station for each in east.stations] == ["21"]
    assert (west.location, west.letter, west.name) == ("main", "A", "Main Floor")
    assert (west.state, west.trouble) == (STATE, "Trouble.")
    assert [each.station for each in west.stations] == ["1", "2", "3"]


async def test_a_station_that_is_not_on_the_line_and_one_that_is(house: Floor) -> None:
    off = protocol.EnableStation(house.id(), "2", enabled=False)
    await people.enable_station(house.house, ADM, off)
    nothing = FloorUnprinted(0, None, None)
    found = await main(house, **{"1": Connected("W1", "ready", "low")})
    on, away, _ = found.stations
    assert on == FloorStation("1", True, True, "W1", "ready", "low", None, nothing, ())  # noqa: FBT003
    assert away == FloorStation("2", False, False, None, None, None, None, nothing, ())  # noqa: FBT003


async def test_the_open_shift_and_what_its_drawer_should_hold(house: Floor) -> None:
    house.clock.forward(minutes=1)
    booth = await house.booth()
    await house.sell(booth)
    await shifts.fill(
        house.house, replace(booth, second="S1"), protocol.Fill(house.id(), 50_00, Second("S1", ""))
    )
    held = dict.fromkeys(map(str, DrawerKind), 0) | {"cash": 10_051_00}
    here = FloorShift(booth.shift, "W1", locked=False, opened_ms=START_MS + 60_000,
                      expected_cents=held)  # fmt: skip
    assert (await station(house, "1")).shift == here
    assert (await station(house, "2")).shift is None
    await shifts.lock_shift(
        house.house, WriterContext("main", "1", "W1", booth.shift), protocol.LockShift(house.id())
    )
    locked = (await station(house, "1")).shift
    assert locked is not None
    assert locked.locked
    await shifts.lock_shift(
        house.house,
        WriterContext("main", "1", "W1", booth.shift),
        protocol.LockShift(house.id(), unlock=True),
    )
    by = WriterContext("main", "1", "W1", booth.shift, "S1")
    closing = protocol.CloseShift(house.id(), held, Second("S1", ""))
    await shifts.close_shift(house.house, by, closing)
    assert (await station(house, "1")).shift is None


async def test_a_drawer_is_added_up_once_and_then_only_what_is_new(house: Floor) -> None:
    booth, other = await house.booth(), await house.booth("W2", "2")

    async def held(name: str) -> int:
        shift = (await station(house, name)).shift
        assert shift is not None
        return shift.expected_cents["cash"]

    for sold in range(1, 4):
        await house.sell(booth)
        drawer = await house.ledger.read(lambda reads: shifts.expected(reads, booth.shift))
        assert await held("1") == drawer[DrawerKind.CASH] == 10_000_00 + sold * 1_00
        last, sums = house.house.drawers[booth.shift]
        assert (sums["sale", "currency"], sums["opening", "currency"]) == (sold * 1_00, 10_000_00)
        assert (
            last == (await ledger_rows(house, "SELECT max(entry) AS last FROM drawer"))[0]["last"]
        )
    assert await held("2") == 10_000_00
    await shifts.credit(
        house.house,
        replace(booth, second="S1"),
        protocol.Credit(house.id(), 500_00, Second("S1", "")),
    )
    assert await held("1") == 9_503_00
    counted = {"currency": 10_000_00}
    by = WriterContext("main", "1", "W2", other.shift, "S1")
    closing = protocol.CloseShift(house.id(), counted, Second("S1", ""))
    await shifts.close_shift(house.house, by, closing)
    await main(house)
    assert set(house.house.drawers) == {booth.shift}


async def test_unconfirmed_prints_how_many_and_the_oldest(house: Floor) -> None:
    booth, other = await house.booth(), await house.booth("W2", "2")
    gone = await house.sell(booth, printed=False)
    await void(house, booth, gone)
    house.clock.forward(minutes=2)
    oldest = await house.sell(booth, printed=False)
    house.clock.forward(minutes=1)
    await house.sell(booth)
    await house.sell(booth, printed=False)
    last = await house.sell(other, printed=False)
    assert (await station(house, "1")).unprinted == FloorUnprinted(
        2, oldest.ticket, START_MS + 120_000
    )
    await tickets.confirm_print(
        house.house, booth, protocol.ConfirmPrint(house.id(), oldest.ticket)
    )
    assert (await station(house, "1")).unprinted.count == 1
    await house.lock()
    await house.declare_not_issued(other, last)
    await house.confirm_not_issued(last)
    assert (await station(house, "2")).unprinted == FloorUnprinted(0, None, None)


async def test_payouts_that_wait_for_a_supervisor(house: Floor) -> None:
    booth, other = await house.booth(), await house.booth("W2", "2")
    sold = [await house.sell(booth), await house.sell(other), await house.sell(booth)]
    await house.play(WINS_1500)
    house.clock.forward(minutes=5)
    asked = [
        await ask(house, at, each) for at, each in zip((booth, other, booth), sold, strict=True)
    ]
    amount, ms = asked[0].amount_cents, START_MS + 300_000
    found = (await station(house, "1")).authorisations
    assert found == (
        FloorAuthorisation(1, sold[0].ticket, amount, "W1", ms, "A"),
        FloorAuthorisation(3, sold[2].ticket, amount, "W1", ms, "A"),
    )
    assert [each.asked_by for each in (await station(house, "2")).authorisations] == ["W2"]
    await approve(house, asked[0])
    await deny(house, asked[1])
    assert [each.authorisation for each in (await station(house, "1")).authorisations] == [3]
    assert (await station(house, "2")).authorisations == ()


# What is out of the ordinary.


async def test_every_kind_of_exception_the_newest_first(house: Floor) -> None:
    booth = await house.booth()
    sold = [await house.sell(booth) for _ in range(4)]
    minutes = iter(range(1, 100))

    def later() -> int:
        house.clock.now_ms = START_MS + next(minutes) * 60_000
        return house.clock.now_ms

    async def override(kind: str, seconds: int | None = None) -> int:
        ms = later()
        by = StaffContext("M1")
        command = protocol.Override(house.id(), "main", kind, "a bus", seconds)
        await games.override(house.house, by, command, 1)
        return ms

    async def hold(*, release: bool) -> int:
        ms = later()
        by = StaffContext("S1")
        command = protocol.Hold(house.id(), "main", sold[0].ticket, "two claim it", release=release)
        await tickets.hold(house.house, by, command)
        return ms

    expected = [
        unusual("override", await override("delay", 90), "M1", override="delay", seconds=90, game=1,
                reason="a bus"),
        unusual("override", await override("manual"), "M1", override="manual", game=1,
                reason="a bus"),
        unusual("hold", await hold(release=False), "S1", ticket=1, reason="two claim it"),
        unusual("release", await hold(release=True), "S1", ticket=1, reason="two claim it"),
    ]  # fmt: skip
    ms = later()
    await tickets.reprint(
        house.house, replace(booth, second="S2"), protocol.Reprint(house.id(), sold[1].ticket)
    )
    await tickets.confirm_print(house.house, booth, protocol.ConfirmPrint(house.id(), 2))
    expected.append(unusual("reprint", ms, "W1", second="S2", ticket=2))
    ms = later()
    await house.lock(actor="W1", approved_by="S1")
    expected.append(unusual("lock_out", ms, "W1", second="S1", game=1))
    ms = later()
    await house.declare_not_issued(booth, sold[2])
    expected.append(unusual("not_issued", ms, "W1", ticket=3, game=1))
    ms = later()
    await house.confirm_not_issued(sold[2], reason="not paid: he left")
    expected.append(unusual("surrender", ms, "S1", ticket=3, reason="not paid: he left"))
    await house.draw(1, WINS_1500)
    ms = later()
    await house.take_not_issued(sold[1], "S2", "in the drawer")
    expected.append(unusual("found_not_issued", ms, "W1", second="S2", ticket=2, game=1,
                            reason="in the drawer"))  # fmt: skip
    ms = later()
    await house.confirm_not_issued(sold[1], "S2", "he came back", issued=True)
    expected.append(unusual("issued_after_all", ms, "S2", ticket=2, game=1,
                            reason="he came back"))  # fmt: skip
    asked = await ask(house, booth, sold[3])
    ms = later()
    await deny(house, asked)
    expected.append(unusual("denied", ms, "W1", second="S1", ticket=4, cents=asked.amount_cents,
                            reason="the patron left"))  # fmt: skip
    await house.lock()
    ms = later()
    await declare_void(house, 2)
    expected.append(unusual("void_game", ms, "S1", second="I1", game=2, reason="the RNG is lost"))
    assert list((await main(house)).exceptions) == expected[::-1]


async def test_only_the_last_exceptions_and_only_of_this_location(house: Floor) -> None:
    await second_location(house)
    for number in range(EXCEPTIONS + 5):
        house.clock.forward(minutes=1)
        for place in ("main", "east"):
            reason = f"{place} {number}"
            by = StaffContext("S1")
            command = protocol.Override(house.id(), place, "delay", reason, 1)
            await games.override(house.house, by, command, 1)
    found = (await main(house)).exceptions
    assert [each.reason for each in found] == [f"main {number}" for number in range(24, 4, -1)]


# What it does not tell, and how it is found.


async def test_no_code_and_no_number_is_anywhere_on_the_floor(house: Floor) -> None:
    booth = await house.booth()
    sold = [await house.sell(booth, printed=number > 1) for number in range(4)]
    await house.play(WINS_1500)
    await ask(house, booth, sold[3])
    await house.lock()
    await games.close_book(house.house, "main", 2)
    text = msgspec.json.encode(await floor(house.house, {"main": STATE}, {})).decode()
    assert not any(each.code in text for each in sold)
    assert "code" not in text
    assert "numbers" not in text


async def test_no_question_goes_through_a_table_that_grows_with_the_tickets(
    house: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.booth()
    asked: list[tuple[str, tuple[object, ...]]] = []
    rows = Reads.rows

    def noted(self: Reads, sql: str, *values: object) -> list[object]:
        asked.append((sql, values))
        return rows(self, sql, *values)  # type: ignore[return-value]

    monkeypatch.setattr(Reads, "rows", noted)
    await floor(house.house, {}, {})
    monkeypatch.undo()
    assert len(asked) > 5
    seen = set()
    for sql, values in asked:
        plan = await ledger_rows(house, f"EXPLAIN QUERY PLAN {sql}", *values)
        steps = [step["detail"] for step in plan]
        scanned = {step.split()[1] for step in steps if step.startswith("SCAN")}
        assert scanned <= set(SMALL), (sql, steps)
        seen |= {step for step in steps if step.startswith("SEARCH")}
    for index in ("one_shift_a_station", "unconfirmed", "one_open_authorisation",
                  "endings_by_time"):  # fmt: skip
        assert any(index in step for step in seen), (index, seen)
