"""A payout that no supervisor answers in time lapses by itself, and can be asked for again."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.domain.roles import SYSTEM
from keno.protocol import GetStationOverview, Payment, Second, Sold, StationAuthorisation
from keno.protocol.floor import Unusual
from keno.service import authorising, listings, payouts, people, shifts
from keno.service.common import WriterContext
from keno.service.floor import floor
from keno.service.listing_registry import EXCEPTIONS
from keno.service.station_overview import DENIED_MS, station_overview
from keno.store import read_only
from keno.store.exception_queries import ExceptionRow
from keno.store.ledger import Ledger
from keno.store.schema import MIGRATIONS
from keno.store.transaction import Transaction
from tests.houses import ADM, PASSPHRASE, START_MS, Clock, Floor, new_floor, verify
from tests.integration.ledger.asking import changed, heard, refused, rows, unchanged, value
from tests.integration.ledger.events import (
    approve,
    ask,
    deny,
    drawn,
    give_keys,
    redeem,
    second_location,
)
from tests.integration.ledger.floors import furnished_floor
from tests.old_ledgers import as_version

SECONDS = 900
WINS_1500 = drawn(1, 2, 3, 4, 5, 6, 7)


@pytest.fixture
async def made() -> AsyncIterator[Floor]:
    async with furnished_floor() as each:
        await give_keys(each)
        yield each


async def winners(made: Floor, booth: WriterContext, many: int = 1) -> list[Sold]:
    sold = [await made.sell(booth) for _ in range(many)]
    await made.play(WINS_1500)
    return sold


async def lapse(made: Floor, seconds: int = SECONDS) -> list[int]:
    done = await payouts.lapse(made.house, seconds)
    assert all((each.state, each.supervisor) == ("lapsed", None) for each in done)
    return [each.authorisation for each in done]


async def states(made: Floor) -> list[str]:
    found = await rows(made, "SELECT state FROM authorisations ORDER BY authorisation")
    return [row["state"] for row in found]


async def test_15_6_b_what_nobody_answers_lapses_to_the_millisecond(made: Floor) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    asked = await ask(made, booth, sold)
    made.clock.forward(ms=SECONDS * 1000 - 1)
    async with unchanged(made):  # not even an audit row
        assert await lapse(made) == []
    made.clock.forward(ms=1)
    assert await lapse(made) == [asked.authorisation]
    [row] = await rows(made, "SELECT * FROM authorisations")
    assert (row["state"], row["answered_by"], row["signature"], row["reason"]) == (
        "lapsed", None, None, None,
    )  # fmt: skip
    assert row["answered_ms"] == row["asked_ms"] + SECONDS * 1000
    async with unchanged(made):
        assert await lapse(made) == []
    [last] = await rows(made, "SELECT kind, actor FROM audit ORDER BY seq DESC LIMIT 1")
    assert last == {"kind": "Lapse", "actor": SYSTEM}


async def test_15_6_b_what_was_asked_for_later_lapses_later(made: Floor) -> None:
    booth = await made.booth()
    first, second = await winners(made, booth, 2)
    await ask(made, booth, first)
    made.clock.forward(minutes=10)
    await ask(made, booth, second)
    made.clock.forward(minutes=5)
    assert await lapse(made) == [1]
    assert await states(made) == ["lapsed", "pending"]


async def test_15_6_b_an_approval_lapses_with_the_gaming_day_of_the_location_that_pays(
    made: Floor,
) -> None:
    """A ticket of New York, where it is two in the morning, at a booth in Tokyo at four."""
    tokyo = protocol.AddLocation(made.id(), "tokyo", "T", "Tokyo", "Asia/Tokyo")
    await people.add_location(made.house, ADM, tokyo)
    enrol = protocol.EnrolStation(made.id(), "31", "tokyo", "key 31")
    await people.enrol_station(made.house, ADM, enrol)
    [sold] = await winners(made, await made.booth())
    there = await made.booth("W3", "31", location="tokyo")
    asked = await payouts.request_authorisation(
        made.house,
        there,
        protocol.RequestAuthorisation(made.id(), sold.ticket, sold.code, letter="A"),
    )
    await approve(made, asked)
    made.clock.forward(minutes=5 * 60)  # the day of New York is over
    assert await lapse(made) == []
    made.clock.forward(days=1)
    assert await lapse(made) == [asked.authorisation]


async def test_only_what_waits_lapses_and_all_of_it_at_every_location(made: Floor) -> None:
    booth, east = await made.booth(), await second_location(made)
    sold = await winners(made, booth, 4)
    there = await made.sell(east)
    await made.play(WINS_1500, "east")
    asked = [await ask(made, booth, each) for each in sold]
    await approve(made, asked[1])
    await deny(made, asked[2])
    await approve(made, asked[3])
    await redeem(made, booth, sold[3], Payment(1_500_00))
    await ask(made, east, there)
    made.clock.forward(minutes=20)
    assert await lapse(made) == [1, 5]
    assert await states(made) == ["lapsed", "approved", "denied", "used", "lapsed"]


async def test_a_clock_that_is_set_back_lets_nothing_lapse(made: Floor) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    await ask(made, booth, sold)
    made.clock.forward(days=-1)
    async with unchanged(made):
        assert await lapse(made) == []


async def test_15_6_b_what_lapsed_is_not_answered_but_asked_for_again(made: Floor) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    asked = await ask(made, booth, sold)
    made.clock.forward(minutes=15)
    await lapse(made)
    for answer in (approve, deny):
        with pytest.raises(Refused, match="No supervisor answered in time"):
            await answer(made, asked, "S2")
    async with refused(made, Refusal.NOT_POSSIBLE_NOW):
        await payouts.sign_authorisation(made.house, asked.authorisation, "S1", PASSPHRASE)
    async with refused(made, Refusal.AUTHORISATION_NEEDED):
        await made.pay(booth, sold, 1_500_00)
    again = await ask(made, booth, sold)
    assert (again.authorisation, again.state) == (2, "pending")
    await approve(made, again)
    assert (await made.pay(booth, sold, 1_500_00)).authorised_by == "S1"
    assert await states(made) == ["lapsed", "used"]
    assert audit(made.path, verify=verify)["sound"]


async def test_a_shift_is_closed_over_what_lapsed(made: Floor) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    await ask(made, booth, sold)
    counted = {"currency": 10_001_00}
    by = WriterContext("main", "1", "W1", booth.shift, "S1")
    command = protocol.CloseShift(made.id(), counted, Second("S1", ""))
    async with refused(made, Refusal.AUTHORISATIONS_PENDING):
        await shifts.close_shift(made.house, by, command)
    made.clock.forward(minutes=15)
    await lapse(made)
    closed = await shifts.close_shift(made.house, *changed(by, command, request_id=made.id()))
    assert not any(closed.over_short_cents.values())


# What was approved and not used.


@pytest.fixture(params=["checked", "naive"])
def used(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How approvals are used: checked, or as they are, however old, and by any supervisor."""
    if request.param == "naive":
        monkeypatch.setattr(authorising, "why_not_usable", lambda *_: None)
    return str(request.param)


async def to_the_last_moment_of_the_day(made: Floor) -> None:
    """The floor is in New York, where it is two in the morning: its gaming day ends at six."""
    made.clock.forward(minutes=4 * 60, ms=-1)


async def test_15_6_b_an_approval_is_used_within_its_gaming_day(made: Floor, used: str) -> None:
    booth = await made.booth()
    first, second = await winners(made, booth, 2)
    for sold in (first, second):
        await approve(made, await ask(made, booth, sold))
    await to_the_last_moment_of_the_day(made)
    assert (await made.pay(booth, first, 1_500_00)).authorised_by == "S1"
    made.clock.forward(ms=1)
    if used == "naive":
        assert (await made.pay(booth, second, 1_500_00)).authorised_by == "S1"
        first_found = audit(made.path, verify=verify)["first_discrepancy"]
        assert (first_found["table"], first_found["column"]) == ("authorisations", "state")
        return
    with pytest.raises(Refused, match="was not used within its gaming day") as exc:
        await made.pay(booth, second, 1_500_00)
    assert exc.value.reason is Refusal.AUTHORISATION_NEEDED
    again = await ask(made, booth, second)  # before the timer has seen it
    assert (again.authorisation, await states(made)) == (3, ["used", "lapsed", "pending"])
    await approve(made, again, "S2")
    assert (await made.pay(booth, second, 1_500_00)).authorised_by == "S2"
    assert audit(made.path, verify=verify)["sound"]


@pytest.mark.parametrize(("role", "active"), [("writer", True), ("supervisor", False)])
async def test_15_6_b_an_approval_counts_only_while_its_giver_may_give_it(
    made: Floor, used: str, role: str, *, active: bool
) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    await approve(made, await ask(made, booth, sold))
    change = protocol.ChangeUser(made.id(), "S1", role, active=active)
    await people.change_user(made.house, ADM, change)
    if used == "naive" and active:
        assert (await made.pay(booth, sold, 1_500_00)).authorised_by == "S1"
        assert not audit(made.path, verify=verify)["sound"]
        return
    if used == "naive":  # a signature of an unknown person is refused, but never asked for again
        assert await heard(made.pay(booth, sold, 1_500_00)) is Refusal.UNKNOWN_PERSON
        return
    with pytest.raises(Refused, match="S1 may no longer authorise payouts") as exc:
        await made.pay(booth, sold, 1_500_00)
    assert exc.value.reason is Refusal.AUTHORISATION_NEEDED
    assert await lapse(made) == [1]
    await approve(made, await ask(made, booth, sold), "S2")
    assert (await made.pay(booth, sold, 1_500_00)).authorised_by == "S2"
    assert audit(made.path, verify=verify)["sound"]


async def test_15_6_b_what_was_approved_and_not_used_lapses_with_its_gaming_day(
    made: Floor,
) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    asked = await approve(made, await ask(made, booth, sold))
    await to_the_last_moment_of_the_day(made)
    async with unchanged(made):
        assert await lapse(made) == []
    made.clock.forward(ms=1)
    ms = made.clock.now_ms
    assert await lapse(made) == [asked.authorisation]
    [row] = await rows(made, "SELECT * FROM authorisations")
    why = "The approval by S1 was not used within its gaming day."
    assert (row["state"], row["answered_by"], row["given_by"], row["signature"]) == (
        "lapsed", None, "S1", None,
    )  # fmt: skip
    assert (row["reason"], row["answered_ms"]) == (why, ms)
    async with unchanged(made):
        assert await lapse(made) == []
    with pytest.raises(Refused, match="was not used within its gaming day"):
        await approve(made, asked, "S2")
    [place] = (await floor(made.house, {}, {})).locations
    assert place.exceptions == (
        Unusual("lapsed", None, None, None, sold.ticket, asked.amount_cents, "W1", "S1", why, ms),
    )
    [listed] = await listings.listed(made.house, EXCEPTIONS, "main", date(2026, 11, 16))
    assert listed == ExceptionRow(
        "lapsed", ms, "W1", sold.ticket, second="S1", cents=asked.amount_cents, detail=why
    )
    shown = StationAuthorisation(1, sold.ticket, asked.amount_cents, "lapsed", None, why, "A")
    overview = await station_overview(made.house, booth, GetStationOverview("overview"))
    assert overview.authorisations == (shown,)
    assert audit(made.path, verify=verify)["sound"]


# Where it is seen.


async def test_the_desk_shows_it_for_as_long_as_a_no(made: Floor) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    asked = await ask(made, booth, sold)
    made.clock.forward(minutes=15)
    await lapse(made)
    shown = StationAuthorisation(1, sold.ticket, asked.amount_cents, "lapsed", None, None, "A")
    made.clock.forward(ms=DENIED_MS)
    asked_for = GetStationOverview("overview")
    assert (await station_overview(made.house, booth, asked_for)).authorisations == (shown,)
    made.clock.forward(ms=1)
    assert (await station_overview(made.house, booth, asked_for)).authorisations == ()


async def test_it_is_an_exception_on_the_floor_and_in_the_listing(made: Floor) -> None:
    booth = await made.booth()
    [sold] = await winners(made, booth)
    asked = await ask(made, booth, sold)
    made.clock.forward(minutes=15)
    ms = made.clock.now_ms
    await lapse(made)
    [place] = (await floor(made.house, {}, {})).locations
    assert place.exceptions == (
        Unusual("lapsed", None, None, None, sold.ticket, asked.amount_cents, "W1", None, None, ms),
    )
    assert all(not each.authorisations for each in place.stations)
    day = date(2026, 11, 15)
    listed = await listings.listed(made.house, EXCEPTIONS, "main", day)
    [row] = [row for row in listed if row.kind == "lapsed"]
    assert row == ExceptionRow(
        "lapsed", ms, "W1", sold.ticket, cents=asked.amount_cents,
        detail="No supervisor answered in time.",
    )  # fmt: skip


# At the same moment.


@pytest.mark.parametrize("answer", [approve, deny])
@pytest.mark.parametrize("first", ["lapse", "answer"])
async def test_an_answer_and_the_lapse_at_the_same_moment_have_one_winner(
    made: Floor, answer: Callable[..., Awaitable[protocol.Authorised]], first: str
) -> None:
    booth = await made.booth()
    sold = await winners(made, booth, 10)
    asked = [await ask(made, booth, each) for each in sold]
    made.clock.forward(minutes=15)
    acts: list[Awaitable[Any]] = [answer(made, each) for each in asked]
    acts = [lapse(made), *acts] if first == "lapse" else [*acts, lapse(made)]
    ends = await asyncio.gather(*acts, return_exceptions=True)
    lapsed = next(end for end in ends if isinstance(end, list))
    answered = [end.authorisation for end in ends if isinstance(end, protocol.Authorised)]
    assert sorted([*lapsed, *answered]) == list(range(1, 11))
    no = [end for end in ends if isinstance(end, BaseException)]
    assert len(no) == len(lapsed)
    assert all(isinstance(each, Refused) for each in no)
    assert (await states(made)).count("lapsed") == len(lapsed)
    assert audit(made.path, verify=verify)["sound"]


async def test_every_second_is_cheap(made: Floor) -> None:
    sql = (
        "SELECT authorisation FROM authorisations INDEXED BY one_open_authorisation"
        " WHERE state IN ('pending', 'approved') AND state = 'pending' AND asked_ms <= 1"
    )
    [step] = await rows(made, f"EXPLAIN QUERY PLAN {sql}")
    assert step["detail"].endswith("USING INDEX one_open_authorisation")


# The ledgers of before.


async def test_a_ledger_of_before_is_migrated_with_rows_of_every_state(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = Transaction.insert

    def insert_as_before(tx: Transaction, table: str, **values: Any) -> None:
        values.pop("rules", None)
        if table != "access_changes":  # there was no such table
            insert(tx, table, **values)

    monkeypatch.setattr(Transaction, "insert", insert_as_before)
    async with new_floor(tmp_path) as made:
        await give_keys(made)
        booth = await made.booth(bank_cents=0)  # a bank had no slip
        fill = protocol.Fill(made.id(), 10_000_00, Second("S1", ""))
        await shifts.fill(made.house, replace(booth, second="S1"), fill)
        sold = await winners(made, booth, 4)
        asked = [await ask(made, booth, each) for each in sold]
        await approve(made, asked[1])
        await deny(made, asked[2])
        await approve(made, asked[3])
        await redeem(made, booth, sold[3], Payment(1_500_00))
        before = await rows(made, "SELECT * FROM authorisations ORDER BY authorisation")
        assert await value(made, "SELECT authorisation FROM endings") == 4
    assert [row["state"] for row in before] == ["pending", "approved", "denied", "used"]
    path = as_version(tmp_path / "ledger.db", 4)
    ledger = await Ledger.open(path, Clock(START_MS + 10**9))
    try:
        kept = await ledger.read(lambda reads: reads.rows("SELECT * FROM authorisations"))
        assert [dict(row) for row in kept] == before
    finally:
        await ledger.close()
    with sqlite3.connect(path) as new:
        new.execute("PRAGMA foreign_keys = 1")
        assert read_only.version(new) == len(MIGRATIONS)
        assert read_only.schema(new) == read_only.newest_schema()
        assert list(read_only.integrity(new)) == []
        for sql in (
            "DELETE FROM authorisations WHERE authorisation = 4",  # a payout names it
            "UPDATE authorisations SET answered_by = asked_by WHERE authorisation = 2",
            "UPDATE authorisations SET signature = NULL WHERE authorisation = 2",
            "UPDATE authorisations SET ticket = 2 WHERE authorisation = 1",  # two open ones
            "UPDATE authorisations SET ticket = 99 WHERE authorisation = 1",
            "UPDATE authorisations SET state = 'lapsed' WHERE authorisation = 1",  # no time
            "UPDATE authorisations SET state = 'lapsed', answered_ms = 1 WHERE authorisation = 3",
        ):
            with pytest.raises(sqlite3.IntegrityError):
                new.execute(sql)
        new.rollback()
    new.close()
    assert audit(path, verify=verify)["sound"]
