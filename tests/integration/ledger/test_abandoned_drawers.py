"""A drawer that its writer left behind: two others count and close it, and listings say so."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.domain.shift import check_not_own_drawer
from keno.protocol import Second
from keno.protocol.shifts import CheckedOut
from keno.service import listings, people, shifts, tickets
from keno.service.common import StaffContext, WriterContext
from keno.service.listing_registry import CHECKOUTS, EXCEPTIONS
from keno.service.station_overview import station_overview
from tests.houses import ADM, Floor, verify
from tests.integration.ledger.asking import changed, refused, rows, twice, value
from tests.integration.ledger.events import (
    approve,
    ask,
    drawn,
    give_keys,
    second_location,
)

DAY = date(2026, 11, 15)
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)


def closing_of(
    floor: Floor, booth: WriterContext, cents: int = 10_000_00
) -> tuple[StaffContext, protocol.CloseOtherShift]:
    """S1 and W2 count the drawer of somebody else."""
    command = protocol.CloseOtherShift(
        floor.id(), booth.shift, {"currency": cents}, "she went home ill", Second("W2", "")
    )
    return StaffContext("S1", "W2"), command


async def close_other(floor: Floor, booth: WriterContext, cents: int = 10_000_00) -> CheckedOut:
    return await shifts.close_other_shift(floor.house, *closing_of(floor, booth, cents))


async def listed_exceptions(floor: Floor, kind: str) -> list[str | None]:
    found = await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    return [row.detail for row in found if row.kind == kind]


async def test_15_7_a_drawer_left_behind_is_counted_and_closed_by_two_others(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth)
    async with refused(floor, Refusal.SHIFT_OPEN):  # what it blocks
        await floor.booth("W3", "1")
    asked = closing_of(floor, booth, 10_000_00)
    done = await twice(floor, shifts.close_other_shift, *asked, reason="another")
    assert (done.expected_cents["cash"], done.over_short_cents["cash"]) == (
        10_001_00, -1_00,
    )  # fmt: skip
    [row] = await rows(floor, "SELECT * FROM shifts")
    assert row["closed_ms"] == floor.clock.now_ms
    assert (row["writer"], row["closed_by"], row["closed_second"], row["closed_reason"]) == (
        "W1", "S1", "W2", "she went home ill",
    )  # fmt: skip
    said = "closed by S1 and W2 for W1: she went home ill"
    assert await listed_exceptions(floor, "closed_by_others") == [f"Shift 1 {said}"]
    [short] = await listed_exceptions(floor, "short")
    assert short == "Shift 1: cash $1.00 short. Counted by S1 and W2"
    [checkout] = await listings.listed(floor.house, CHECKOUTS, "main", DAY)
    assert (checkout.writer, checkout.closed_by, checkout.second, checkout.over_short_cents) == (
        "W1", "S1", "W2", -1_00,
    )  # fmt: skip
    assert checkout.detail == f"C{said[1:]}"
    free = await floor.booth("W3", "1")  # the station works again, and so does the writer
    assert (await floor.booth("W1", "2")).shift == free.shift + 1
    await floor.play(drawn(1, 2, 3, 4, 5))
    assert (await floor.pay(free, sold, 9_00)).cash_cents == 9_00
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_7_a_drawer_that_is_closed_is_refused_as_closed_to_its_writer_too(
    floor: Floor, booth: WriterContext
) -> None:
    await close_other(floor, booth)
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await shifts.close_other_shift(
            floor.house, *changed(*closing_of(floor, booth), second=booth.writer)
        )


async def test_15_7_the_drawer_of_a_writer_who_was_deactivated(
    floor: Floor, booth: WriterContext
) -> None:
    gone = protocol.ChangeUser(floor.id(), "W1", "writer", active=False)
    await people.change_user(floor.house, ADM, gone)
    own = protocol.CloseShift(floor.id(), {"currency": 10_000_00}, Second("S1", ""))
    by = replace(booth, second="S1")
    other = closing_of(floor, booth)
    assert (await shifts.close_other_shift(floor.house, *other)).shift == booth.shift
    async with refused(floor, Refusal.SHIFT_CLOSED):
        await shifts.close_shift(floor.house, by, own)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"actor": "W3"}, Refusal.NOT_ALLOWED),
        ({"actor": "I1"}, Refusal.NOT_ALLOWED),
        ({"actor": "ADM"}, Refusal.NOT_ALLOWED),
        ({"actor": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"second": None}, Refusal.AUTHORISATION_NEEDED),
        ({"second": "S1"}, Refusal.OWN_ACT),
        ({"second": "W1"}, Refusal.OWN_ACT),
        ({"second": "I1"}, Refusal.NOT_ALLOWED),
        ({"second": "ADM"}, Refusal.NOT_ALLOWED),
        ({"second": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"reason": ""}, Refusal.REASON_EMPTY),
        ({"reason": "..."}, Refusal.REASON_EMPTY),
        ({"shift": 99}, Refusal.SHIFT_CLOSED),
        ({"shift": -1}, Refusal.SHIFT_CLOSED),
        ({"counted": {"gold": 1}}, Refusal.MALFORMED),
        ({"counted": {"currency": -1}}, Refusal.MALFORMED),
    ],
)
async def test_15_7_who_does_not_close_the_drawer_of_another(
    floor: Floor, booth: WriterContext, changes: dict[str, object], why: Refusal
) -> None:
    async with refused(floor, why):
        asked = changed(*closing_of(floor, booth), **changes)
        await shifts.close_other_shift(floor.house, *asked)


async def test_15_7_a_supervisor_does_not_close_an_own_drawer_this_way(floor: Floor) -> None:
    own = await floor.booth("S1", "1")
    async with refused(floor, Refusal.OWN_ACT):
        await close_other(floor, own)
    mine = await floor.booth("W2", "2")
    async with refused(floor, Refusal.OWN_ACT):
        await close_other(floor, mine)


def anyone(*_: str) -> None:
    """A naive check, which lets everybody count."""


@pytest.mark.parametrize(
    ("check", "holds"), [(check_not_own_drawer, True), (anyone, False)], ids=["guarded", "naive"]
)
@pytest.mark.parametrize("counting", [("W1", "S1"), ("S1", "W1"), ("S1", "S1")])
def test_15_7_the_writer_of_a_drawer_is_neither_of_those_who_close_it(
    check: Callable[..., None], counting: tuple[str, str], *, holds: bool
) -> None:
    check("W1", "S1", "W2")
    if not holds:
        check("W1", *counting)
        return
    with pytest.raises(Refused) as exc:
        check("W1", *counting)
    assert exc.value.reason is Refusal.OWN_ACT


@pytest.mark.parametrize(
    "values",
    [
        "closed_by = 'S1'",
        "closed_by = 'S1', closed_second = 'S1', closed_reason = 'she left'",
        "closed_by = 'S1', closed_second = 'W1', closed_reason = 'she left'",
        "closed_by = 'S1', closed_second = 'W2'",
        "closed_by = 'W1', closed_second = 'S1', closed_reason = 'she left'",
    ],
)
async def test_15_7_the_schema_knows_who_closes_a_drawer(
    floor: Floor, booth: WriterContext, values: str
) -> None:
    assert booth.shift == 1
    await floor.ledger.close()
    closed = "UPDATE shifts SET closed_ms = 1, expected = '{}', counted = '{}', "
    with closing(sqlite3.connect(floor.path)) as raw:
        with pytest.raises(sqlite3.IntegrityError):
            raw.execute(closed + values)
        raw.execute(f"{closed} closed_by = 'S1', closed_second = 'W2', closed_reason = 'she left'")


async def test_15_7_what_a_drawer_asked_for_lapses_with_it(
    floor: Floor, booth: WriterContext
) -> None:
    """What a supervisor approved stays with its ticket, and another drawer pays it."""
    await give_keys(floor)
    first, second = await floor.sell(booth), await floor.sell(booth)
    await floor.play(WINS_1500)
    await ask(floor, booth, first)
    await approve(floor, await ask(floor, booth, second), "S2")
    await close_other(floor, booth)
    states = await rows(floor, "SELECT state, reason FROM authorisations ORDER BY authorisation")
    assert states[0] == {"state": "lapsed", "reason": "S1 and W2 closed the drawer that asked."}
    assert states[1]["state"] == "approved"
    assert await listed_exceptions(floor, "lapsed") == [states[0]["reason"]]
    other = await floor.booth("W3", "1")
    assert (await floor.pay(other, second, 1_500_00)).cash_cents == 1_500_00
    again = await ask(floor, other, first)
    await approve(floor, again, "S2")
    assert (await floor.pay(other, first, 1_500_00)).cash_cents == 1_500_00
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"]


async def test_15_7_unconfirmed_prints_stay_listed_at_their_station(
    floor: Floor, booth: WriterContext
) -> None:
    sold = await floor.sell(booth, printed=False)
    await close_other(floor, booth)
    other = await floor.booth("W3", "1")
    asked = protocol.GetStationOverview("desk")
    desk = await station_overview(floor.house, other, asked)
    assert [each.ticket for each in desk.unprinted] == [sold.ticket]
    await tickets.confirm_print(floor.house, other, protocol.ConfirmPrint(floor.id(), sold.ticket))
    desk = await station_overview(floor.house, other, asked)
    assert desk.unprinted == ()


async def test_a_station_says_whose_drawer_is_open_there(
    floor: Floor, booth: WriterContext
) -> None:
    asked = protocol.GetStationOverview("desk")
    at_one = WriterContext("main", "1", "S1", 0)
    desk = await station_overview(floor.house, at_one, asked)
    assert desk.other_shift is not None
    assert (desk.other_shift.shift, desk.other_shift.writer) == (booth.shift, "W1")
    for by in (booth, replace(at_one, station="2")):
        assert (await station_overview(floor.house, by, asked)).other_shift is None
    await close_other(floor, booth)
    assert (await station_overview(floor.house, at_one, asked)).other_shift is None


async def test_15_7_a_drawer_closed_by_others_is_listed_at_its_location_on_its_day(
    floor: Floor, booth: WriterContext
) -> None:
    east = await second_location(floor)
    own = protocol.CloseShift(floor.id(), {"currency": 10_000_00}, Second("S2", ""))
    await shifts.close_shift(floor.house, replace(booth, second="S2"), own)
    mine, shift = booth.shift, east.shift
    for days, closed, expected in ((0, [mine], [shift]), (1, [], [shift + 1])):
        await close_other(floor, east)
        for location, listed, counted in (("main", [], closed), ("east", expected, expected)):
            day = DAY + timedelta(days)
            checkouts = await listings.listed(floor.house, CHECKOUTS, location, day)
            assert [row.shift for row in checkouts] == counted
            found = await listings.listed(floor.house, EXCEPTIONS, location, day)
            said = [row.detail or "" for row in found if row.kind == "closed_by_others"]
            assert [each.partition(" closed")[0] for each in said] == [
                f"Shift {number}" for number in listed
            ]
        east = await floor.booth("W3", "21", location="east")
        floor.clock.forward(days=1)


async def test_who_counted_is_kept_of_every_checkout(floor: Floor, booth: WriterContext) -> None:
    own = protocol.CloseShift(floor.id(), {"currency": 10_000_00}, Second("S2", ""))
    await shifts.close_shift(floor.house, replace(booth, second="S2"), own)
    [row] = await rows(floor, "SELECT closed_by, closed_second, closed_reason FROM shifts")
    assert row == {"closed_by": "W1", "closed_second": "S2", "closed_reason": None}
    assert await listed_exceptions(floor, "closed_by_others") == []
    [checkout] = await listings.listed(floor.house, CHECKOUTS, "main", DAY)
    assert (checkout.closed_by, checkout.second, checkout.detail) == ("W1", "S2", None)
    assert await value(floor, "SELECT count(*) FROM shifts WHERE closed_by <> writer") == 0
