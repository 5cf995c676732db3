"""Changes of people, keys and stations: in a live house two people and a reason, in a test one."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.audit import audit
from keno.domain.errors import Refusal, Refused
from keno.domain.roles import SYSTEM
from keno.service import access_changes, incidents, listings, people
from keno.service.common import StaffContext
from keno.service.listing_registry import EXCEPTIONS
from keno.store.ledger import Ledger
from tests.cards import card_text
from tests.houses import ADM, CODE_KEY, WHY, Clock, Floor, verify
from tests.integration.ledger.asking import changed, refused, rows, value
from tests.integration.ledger.events import KEYS, SEALED
from tests.integration.ledger.floors import furnished_floor

DAY = date(2026, 11, 15)
APPROVED_CARD = card_text(approval="DGE 2026-1")
REASON = "she starts on Monday"
Case = tuple[Callable[..., Awaitable[Any]], StaffContext, Any]


@pytest.fixture
async def live() -> AsyncIterator[Floor]:
    async with furnished_floor(APPROVED_CARD, mode="live") as made:
        yield made


def signing() -> Callable[..., Awaitable[Any]]:
    public = KEYS["S1"].public_key().public_bytes_raw().hex()
    return partial(people.set_signing_key, public_key=public, sealed_key=SEALED)


CHANGES: dict[str, tuple[str, Callable[[str], Case]]] = {
    "person_added": ("W9", lambda i: (
        people.add_user, StaffContext("ADM", "ADM2"),
        protocol.AddUser(i, "W9", "Nora", "supervisor", "", reason=REASON))),
    "person_changed": ("W3", lambda i: (
        people.change_user, StaffContext("ADM", "M1"),
        protocol.ChangeUser(i, "W3", "supervisor", active=True, reason=REASON))),
    "signing_key": ("S1", lambda i: (
        signing(), StaffContext("S1", "ADM"), protocol.SetSigningKey(i, "", reason=REASON))),
    "station_enrolled": ("9", lambda i: (
        people.enrol_station, StaffContext("ADM", "ADM2"),
        protocol.EnrolStation(i, "9", "main", "key 9", reason=REASON))),
    "station_off": ("3", lambda i: (
        people.enable_station, StaffContext("S1", "S2"),
        protocol.EnableStation(i, "3", enabled=False, reason=REASON))),
}  # fmt: skip
"""Each change with whom or what it is about, and two people who may make it."""


@pytest.mark.parametrize("kind", CHANGES)
async def test_15_6_b_a_change_of_access_needs_a_second_person_in_a_live_house(
    live: Floor, kind: str
) -> None:
    """Otherwise one administrator makes the supervisor who authorises, and signs as them."""
    subject, make = CHANGES[kind]
    do, by, command = make(live.id())
    mistakes: list[tuple[dict[str, Any], Refusal]] = [
        ({"second": None}, Refusal.AUTHORISATION_NEEDED),
        ({"second": by.person}, Refusal.OWN_ACT),
        ({"second": "W1"}, Refusal.NOT_ALLOWED),
        ({"second": "I1"}, Refusal.NOT_ALLOWED),
        ({"second": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"reason": ""}, Refusal.REASON_EMPTY),
        ({"reason": "--"}, Refusal.REASON_EMPTY),
    ]
    if kind != "station_off":
        mistakes.append(({"second": "S2"}, Refusal.NOT_ALLOWED))
    for changes, why in mistakes:
        async with refused(live, why):
            await do(live.house, *changed(by, command, request_id=live.id(), **changes))
    before = await value(live, "SELECT count(*) FROM access_changes")
    await do(live.house, by, command)
    [row] = await rows(live, "SELECT * FROM access_changes WHERE change = ?", before + 1)
    assert (row["kind"], row["subject"], row["actor"], row["second"], row["reason"]) == (
        kind, subject, by.person, by.second, REASON,
    )  # fmt: skip
    [listed] = [
        row
        for row in await listings.listed(live.house, EXCEPTIONS, "main", DAY)
        if row.detail is not None and REASON in row.detail
    ]
    assert (listed.kind, listed.actor, listed.second) == (kind, by.person, by.second)
    assert subject in (listed.detail or "")
    await live.ledger.close()
    assert audit(live.path, verify=verify)["sound"]


@pytest.mark.parametrize("kind", CHANGES)
async def test_in_a_test_house_one_person_suffices_and_is_listed(floor: Floor, kind: str) -> None:
    """The naive rule, which a live house does not have."""
    subject, make = CHANGES[kind]
    do, by, command = make(floor.id())
    await do(floor.house, *changed(by, command, second=None, reason=""))
    newest = "SELECT * FROM access_changes ORDER BY change DESC LIMIT 1"
    [row] = await rows(floor, newest)
    assert (row["kind"], row["subject"], row["second"], row["reason"]) == (
        kind, subject, None, None,
    )  # fmt: skip
    assert kind in {
        each.kind for each in await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    }


@pytest.mark.parametrize("kind", CHANGES)
async def test_a_second_person_and_a_reason_count_in_a_test_house_if_they_are_given(
    floor: Floor, kind: str
) -> None:
    _, make = CHANGES[kind]
    do, by, command = make(floor.id())
    await people.add_user(
        floor.house, ADM, protocol.AddUser(floor.id(), "ADM2", "Bea", "administrator", "")
    )
    for changes in ({"second": None, "reason": "--"}, {"reason": ""}):
        async with refused(floor, Refusal.REASON_EMPTY):
            await do(floor.house, *changed(by, command, **changes))
    await do(floor.house, by, command)
    newest = "SELECT second, reason FROM access_changes ORDER BY change DESC LIMIT 1"
    assert await rows(floor, newest) == [{"second": by.second, "reason": REASON}]


async def test_15_6_b_a_live_house_says_that_it_is_the_second_person_who_is_missing(
    live: Floor,
) -> None:
    command = protocol.AddUser(live.id(), "W9", "Nora", "supervisor", "", reason=REASON)
    with pytest.raises(Refused) as exc:
        await people.add_user(live.house, StaffContext("ADM"), command)
    assert (exc.value.reason, exc.value.where) == (Refusal.AUTHORISATION_NEEDED, "second")


async def test_15_6_b_nobody_approves_a_change_of_themselves(live: Floor) -> None:
    command = protocol.ChangeUser(live.id(), "M1", "administrator", active=True, reason=REASON)
    async with refused(live, Refusal.OWN_ACT):
        await people.change_user(live.house, StaffContext("ADM", "M1"), command)
    await people.change_user(live.house, StaffContext("ADM", "ADM2"), command)


async def test_15_6_b_another_s_password_is_set_by_two_people(live: Floor) -> None:
    def set_for(person: str, by: StaffContext, reason: str = REASON) -> Awaitable[None]:
        return access_changes.record_password_set(live.house, by, person, reason)

    both = StaffContext("ADM", "ADM2")
    for person, by, reason, why in (
        ("S1", StaffContext("ADM"), REASON, Refusal.AUTHORISATION_NEEDED),
        ("S1", StaffContext("ADM", "S2"), REASON, Refusal.NOT_ALLOWED),
        ("S1", StaffContext("S2", "ADM"), REASON, Refusal.NOT_ALLOWED),
        ("ADM2", both, REASON, Refusal.OWN_ACT),
        ("ADM", both, REASON, Refusal.OWN_ACT),
        ("nobody", both, REASON, Refusal.UNKNOWN_PERSON),
        ("S1", both, ".", Refusal.REASON_EMPTY),
        ("S1", both, f"{REASON}\0", Refusal.MALFORMED),
    ):
        async with refused(live, why):
            await set_for(person, by, reason)
    await set_for("S1", both)
    last = "SELECT kind, subject FROM access_changes ORDER BY change DESC LIMIT 1"
    assert await rows(live, last) == [{"kind": "password_set", "subject": "S1"}]


async def test_a_station_may_be_called_like_the_person_who_approves(live: Floor) -> None:
    command = protocol.EnrolStation(live.id(), "ADM2", "main", "key 9", reason=WHY)
    await people.enrol_station(live.house, StaffContext("ADM", "ADM2"), command)


@pytest.mark.parametrize(
    ("second", "why"),
    [
        (None, Refusal.AUTHORISATION_NEEDED),
        ("ADM", Refusal.OWN_ACT),
        ("adm", Refusal.OWN_ACT),
        ("a b", Refusal.BAD_NAME),
    ],
)
async def test_15_6_b_a_live_house_begins_with_two_administrators(
    tmp_path: Path, second: str | None, why: Refusal
) -> None:
    ledger = await Ledger.open(tmp_path / "ledger.db", Clock())
    create = partial(people.create_house, ledger, site="larkspur", code_key=CODE_KEY,
                     administrator="ADM")  # fmt: skip
    try:
        with pytest.raises(Refused) as exc:
            await create(mode="live", second=second)
        assert exc.value.reason is why
        await create(mode="live", second="BEA")
        found = await ledger.read(lambda reads: reads.rows("SELECT person, role FROM users"))
        assert {row["person"]: row["role"] for row in found} == {
            "ADM": "administrator", "BEA": "administrator",
        }  # fmt: skip
    finally:
        await ledger.close()


async def test_15_7_a_start_of_the_server_is_an_exception(floor: Floor) -> None:
    floor.clock.forward(minutes=1)
    await incidents.record_start(floor.house, SYSTEM)
    found = await listings.listed(floor.house, EXCEPTIONS, "main", DAY)
    [row] = [row for row in found if row.kind == "server_start"]
    assert (row.ms, row.actor) == (floor.clock.now_ms, "the server")
    await floor.ledger.close()
    assert audit(floor.path, verify=verify)["sound"]
