"""Faults in who counts drawers and who changes access, which the audit finds all the same."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from keno import protocol
from keno.audit import Step
from keno.domain.errors import Refusal, Refused
from keno.protocol import Second
from keno.service import incidents, payouts, people, shifts
from keno.service.common import StaffContext
from tests.cards import card_text
from tests.houses import ADM, BOTH, WHY, Floor, new_floor
from tests.integration.audit.busy import EIGHT
from tests.integration.audit.finding import found_only_by, named

Events = Callable[[Floor], Awaitable[None]]
Patch = pytest.MonkeyPatch
WINS_1500 = [1, 2, 3, 4, 5, 6, 7, *range(61, 74)]


def nothing(*_: object, **__: object) -> None:
    """A check that was forgotten."""


def ledger(folder: Path, events: Events, mode: str = "test") -> Path:
    """A house in which these events happened."""

    async def build() -> Path:
        async with new_floor(folder, mode=mode, card_toml=card_text(approval="DGE 1")) as floor:
            await events(floor)
            return floor.path

    return asyncio.run(build())


async def close_other(floor: Floor, by: StaffContext) -> None:
    """The drawer of W1, asked for something, is closed by others."""
    booth = await floor.booth(bank_cents=100_00)
    sold = await floor.sell(booth, EIGHT)
    await floor.play(WINS_1500)
    asked = protocol.RequestAuthorisation(floor.id(), sold.ticket, sold.code)
    await payouts.request_authorisation(floor.house, booth, asked)
    counted = {"currency": 101_00}
    command = protocol.CloseOtherShift(
        floor.id(), booth.shift, counted, "she went home", Second(by.second or "", "")
    )
    await shifts.close_other_shift(floor.house, by, command)


@pytest.mark.parametrize(
    ("by", "column"), [(("W2", "S1"), "closed_by"), (("S1", "I1"), "closed_second")]
)
def test_15_7_a_drawer_closed_by_those_who_may_not(
    tmp_path: Path, monkeypatch: Patch, by: tuple[str, str], column: str
) -> None:
    monkeypatch.setattr("keno.service.shifts.require_user", nothing)
    monkeypatch.setattr("keno.service.shifts.require_second", lambda _, by, *__: by.second)
    path = ledger(tmp_path, lambda floor: close_other(floor, StaffContext(*by)))
    assert named(found_only_by(path, Step.ORDER)) == ("shifts", (1,), column)


def test_15_7_a_drawer_closed_with_open_questions(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.service.shifts._lapse_pending", nothing)
    path = ledger(tmp_path, lambda floor: close_other(floor, StaffContext("S1", "W2")))
    assert named(found_only_by(path, Step.ORDER)) == ("shifts", (1,), "closed_ms")


def test_15_6_b_a_supervisor_made_by_one_person_in_a_live_house(
    tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("keno.service.access_changes.approved_by_second", nothing)

    async def events(floor: Floor) -> None:
        command = protocol.AddUser(floor.id(), "EVE", "Eve", "supervisor", "", reason=WHY)
        await people.add_user(floor.house, ADM, command)

    path = ledger(tmp_path, events, "live")
    table, _, column = named(found_only_by(path, Step.ORDER))
    assert (table, column) == ("access_changes", "second")


@pytest.mark.parametrize("mode", ["live", "test"])
@pytest.mark.parametrize(
    ("table", "key"), [("users", "W3"), ("stations", "3")], ids=["a role", "a station"]
)
def test_15_6_b_a_change_of_access_without_a_record(
    tmp_path: Path, monkeypatch: Patch, mode: str, table: str, key: str
) -> None:
    async def events(floor: Floor) -> None:
        monkeypatch.setattr("keno.service.people.record_change", nothing)
        by = BOTH if mode == "live" else ADM
        if table == "users":
            change = protocol.ChangeUser(floor.id(), key, "manager", active=True)
            await people.change_user(floor.house, by, change)
        else:
            off = protocol.EnableStation(floor.id(), key, enabled=False)
            await people.enable_station(floor.house, by, off)

    path = ledger(tmp_path, events, mode)
    column = "person" if table == "users" else "station"
    assert named(found_only_by(path, Step.ORDER)) == (table, (key,), column)


def test_15_5_d_attempts_after_lock_out_are_numbered(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("keno.store.queries.late_attempts", lambda *_: 1)

    async def events(floor: Floor) -> None:
        booth = await floor.booth()
        sold = await floor.sell(booth)
        await floor.lock()
        void = protocol.Void(floor.id(), sold.ticket, sold.code)
        no = Refused(Refusal.LOCKED_OUT, "Game A-1 is locked out.")
        await incidents.record_late_attempt(floor.house, booth, void, no)

    path = ledger(tmp_path, events)
    assert named(found_only_by(path, Step.ORDER)) == (
        "late_attempts",
        ("main", "1", 2, 2),
        "attempt",
    )
