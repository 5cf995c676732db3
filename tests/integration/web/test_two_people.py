"""Two people over real sockets: changes of access in a live house, an abandoned drawer; and what
stations try after lock-out.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from keno.domain.errors import Refusal as Code
from keno.protocol import (
    AddUser,
    ChangeUser,
    CloseOtherShift,
    Command,
    EnableStation,
    EnrolStation,
    GetStationOverview,
    Ok,
    OpenShift,
    RefusedReply,
    Second,
    SetSigningKey,
    SignIn,
    Void,
    VoidAndRewrite,
)
from keno.service import listings
from keno.service.incidents import ATTEMPTS_MAX
from keno.service.listing_registry import EXCEPTIONS
from tests.integration.ledger.asking import rows, value
from tests.integration.web.served import PASSWORD, Line, Served, new_id, sale, serving

DAY = date(2026, 11, 15)
WHY = "she starts on Monday"
COUNTED = {"currency": 1_000_00}


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Served]:
    async with serving(tmp_path, live=True) as made:
        yield made


def second(person: str, password: str = PASSWORD) -> Second:
    return Second(person, password)


def changes(**approved: Any) -> dict[str, Command[Any]]:
    """Every change of access, by who asks for it."""
    passphrase, key = "a long way from home", "ab" * 32
    return {
        "add_user": AddUser(new_id(), "NORA", "Nora", "supervisor", PASSWORD, **approved),
        "change_user": ChangeUser(new_id(), "W3", "manager", active=True, **approved),
        "enrol_station": EnrolStation(new_id(), "s9", "main", key, **approved),
        "enable_station": EnableStation(new_id(), "s3", enabled=False, **approved),
        "set_signing_key": SetSigningKey(new_id(), passphrase, **approved),
    }


ASKS = dict.fromkeys(changes(), "ADM") | {"enable_station": "S1", "set_signing_key": "S1"}


async def refused(served: Served, name: str, **approved: Any) -> str:
    """The code with which a change is refused; nothing of it is in the ledger."""
    before = await value(served.floor, "SELECT count(*) FROM audit")
    async with served.console(ASKS[name]) as console:
        said = await console.command(changes(**approved)[name])
    assert isinstance(said, RefusedReply), said
    assert await value(served.floor, "SELECT count(*) FROM audit") == before
    return said.code


@pytest.mark.parametrize("name", ASKS)
async def test_15_6_b_one_person_changes_no_access_in_a_live_house(live: Served, name: str) -> None:
    assert await refused(live, name) == Code.AUTHORISATION_NEEDED
    assert await refused(live, name, reason=WHY) == Code.AUTHORISATION_NEEDED
    for who, code in (
        (second(ASKS[name]), Code.OWN_ACT),
        (second("W1"), Code.NOT_ALLOWED),
        (second("M1", "not the password"), Code.SIGN_IN_FAILED),
    ):
        assert await refused(live, name, second=who, reason=WHY) == code
    assert await refused(live, name, second=second("M1")) == Code.REASON_EMPTY
    assert await refused(live, name, second=second("M1"), reason="...") == Code.REASON_EMPTY
    async with live.console(ASKS[name]) as console:
        said = await console.command(changes(second=second("M1"), reason=WHY)[name])
    assert isinstance(said, Ok), said
    newest = "SELECT actor, second, reason FROM access_changes ORDER BY change DESC LIMIT 1"
    [row] = await rows(live.floor, newest)
    assert row == {"actor": ASKS[name], "second": "M1", "reason": WHY}


@pytest.mark.parametrize("name", ASKS)
async def test_in_a_house_without_value_one_person_suffices(served: Served, name: str) -> None:
    async with served.console(ASKS[name]) as console:
        assert isinstance(await console.command(changes()[name]), Ok)


# ---------------------------------------------------------------- an abandoned drawer


def closing(who: str = "W2", **changed: Any) -> CloseOtherShift:
    fields: dict[str, Any] = {
        "shift": 1,
        "counted": COUNTED,
        "reason": "she went home",
        "second": second(who),
    }
    return CloseOtherShift(new_id(), **(fields | changed))


@asynccontextmanager
async def abandoned(served: Served) -> AsyncIterator[Line]:
    """W1 is signed in at s1 with a drawer, and gone."""
    line = await served.station("s1", "W1")
    yield line
    assert await line.no(GetStationOverview(new_id())) == Code.NOT_SIGNED_IN


async def test_15_7_two_others_close_a_drawer_at_the_console(served: Served) -> None:
    async with abandoned(served), served.console("S1") as console:
        for command, code in (
            (closing("S1"), Code.OWN_ACT),
            (closing("W1"), Code.OWN_ACT),
            (closing("I1"), Code.NOT_ALLOWED),
            (closing("ADM"), Code.NOT_ALLOWED),
            (closing(second=second("W2", "wrong")), Code.SIGN_IN_FAILED),
            (closing(reason="--"), Code.REASON_EMPTY),
            (closing(shift=7), Code.SHIFT_CLOSED),
        ):
            said = await console.command(command)
            assert isinstance(said, RefusedReply)
            assert said.code == code, command
        said = await console.command(closing("C1"))
        assert isinstance(said, Ok), said
    other = await served.proved("s1")
    await other.ask(SignIn(new_id(), "W2", PASSWORD))
    await other.ask(OpenShift(new_id(), 500_00))


async def test_15_7_two_others_close_a_drawer_at_its_station(served: Served) -> None:
    async with abandoned(served):
        line = await served.station("s1", "S1", bank_cents=None)
        assert await line.no(OpenShift(new_id(), 500_00)) == Code.SHIFT_OPEN
        desk = await line.ask(GetStationOverview(new_id()))
        assert desk["other_shift"]["writer"] == "W1"
        sheet = await line.ask(closing(shift=desk["other_shift"]["shift"]))
        assert set(sheet["over_short_cents"].values()) == {0}
        await line.ask(OpenShift(new_id(), 500_00))


# ---------------------------------------------------------------- after lock-out


async def late(served: Served) -> list[dict[str, Any]]:
    sql = "SELECT * FROM late_attempts ORDER BY station, open_game, attempt"
    return await rows(served.floor, sql)


async def test_15_5_d_what_is_tried_after_lock_out_is_recorded(served: Served) -> None:
    line = await served.station("s1", "W1")
    sold = await line.ask(sale())
    await served.floor.lock()
    assert await line.no(sale()) == Code.GAME_CLOSED
    void = Void(new_id(), sold["ticket"], sold["code"])
    assert await line.no(void) == Code.LOCKED_OUT
    again = VoidAndRewrite(new_id(), sold["ticket"], sold["code"], sale(first_game=2))
    assert await line.no(again) == Code.LOCKED_OUT
    told = [(row["act"], row["game"], row["ticket"], row["writer"]) for row in await late(served)]
    ticket = sold["ticket"]
    assert told == [
        ("sale", 1, None, "W1"),
        ("void", 1, ticket, "W1"),
        ("rewrite", 1, ticket, "W1"),
    ]
    listed = await listings.listed(served.floor.house, EXCEPTIONS, "main", DAY)
    found = [row for row in listed if row.kind == "late_attempt"]
    assert [(row.game, row.station, row.actor) for row in found] == [(1, "s1", "W1")] * 3
    assert "void after lock-out" in (found[1].detail or "")


async def test_15_5_d_attempts_do_not_fill_the_disk(served: Served) -> None:
    line = await served.station("s1", "W1")
    other = await served.station("s2", "W2")
    await line.ask(sale())
    await served.floor.lock()
    for _ in range(3 * ATTEMPTS_MAX):
        assert await line.no(sale()) == Code.GAME_CLOSED
    assert len(await late(served)) == ATTEMPTS_MAX
    written = await value(served.floor, "SELECT count(*) FROM audit")
    for game in (-1, 0, 2**40, 99):  # no game that was locked out
        assert await other.no(sale(first_game=game)) in (Code.GAME_CLOSED, Code.MALFORMED)
    assert await value(served.floor, "SELECT count(*) FROM audit") == written
    assert await other.no(sale()) == Code.GAME_CLOSED
    assert {row["station"] for row in await late(served)} == {"s1", "s2"}
