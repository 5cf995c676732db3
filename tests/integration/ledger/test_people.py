"""Houses, locations, people, stations and signing keys."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from keno import protocol
from keno.domain.errors import Refusal, Refused
from keno.protocol.people import Named
from keno.service import people
from keno.service.common import StaffContext
from keno.service.house import House
from keno.store.ledger import Ledger
from tests.houses import ADM, CODE_KEY, PASSPHRASE, Clock, Floor
from tests.integration.ledger.asking import changed, refused, rows, twice, value
from tests.integration.ledger.events import KEYS, SEALED

# ---------------------------------------------------------------- houses


async def test_a_ledger_belongs_to_one_house_in_one_mode(tmp_path: Path) -> None:
    ledger = await Ledger.open(tmp_path / "ledger.db", Clock())
    try:
        with pytest.raises(Refused) as exc:
            await people.open_house(ledger, CODE_KEY)
        assert exc.value.reason is Refusal.NOT_POSSIBLE_NOW
        made = await create(ledger)
        opened = await people.open_house(ledger, CODE_KEY)
        assert (made.site, made.mode) == (opened.site, opened.mode) == ("larkspur", "live")
        with pytest.raises(Refused) as exc:
            await create(ledger, mode="test")
        assert exc.value.reason is Refusal.NAME_TAKEN
    finally:
        await ledger.close()


async def create(
    ledger: Ledger,
    site: str = "larkspur",
    mode: str = "live",
    administrator: str = "ADM",
    second: str | None = "ADM2",
) -> House:
    return await people.create_house(
        ledger, site=site, mode=mode, code_key=CODE_KEY, administrator=administrator, second=second
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"site": ""},
        {"site": 'a"b'},
        {"administrator": "é"},
        {"second": "é"},
        {"mode": "demo"},
        {"mode": ""},
    ],
)
async def test_a_house_has_plain_names_and_one_of_two_modes(
    tmp_path: Path, changes: dict[str, str]
) -> None:
    ledger = await Ledger.open(tmp_path / "ledger.db", Clock())
    try:
        with pytest.raises(Refused) as exc:
            await create(ledger, **changes)
        assert exc.value.reason is Refusal.BAD_NAME
        assert (await create(ledger)).mode == "live"
    finally:
        await ledger.close()


# ---------------------------------------------------------------- locations


def location(floor: Floor) -> protocol.AddLocation:
    name, zone = "Nördliche Halle", "Europe/Berlin"
    return protocol.AddLocation(floor.id(), "north", "N", name, zone, "05:30")


async def test_a_location_has_its_letter_zone_and_start_of_day(floor: Floor) -> None:
    named = await twice(floor, people.add_location, ADM, location(floor), letter="M")
    assert named == Named("north")
    [row] = await rows(floor, "SELECT * FROM locations WHERE location = 'north'")
    assert (row["letter"], row["name"], row["zone"]) == ("N", "Nördliche Halle", "Europe/Berlin")
    assert (row["day_starts"], row["digital_requests"]) == ("05:30", 0)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"location": "main"}, Refusal.NAME_TAKEN),
        ({"letter": "A"}, Refusal.NAME_TAKEN),
        ({"letter": "b"}, Refusal.BAD_NAME),
        ({"letter": "BB"}, Refusal.BAD_NAME),
        ({"letter": ""}, Refusal.BAD_NAME),
        ({"letter": "É"}, Refusal.BAD_NAME),
        ({"location": ""}, Refusal.BAD_NAME),
        ({"location": "a b"}, Refusal.BAD_NAME),
        ({"location": "x" * 33}, Refusal.BAD_NAME),
        ({"location": 'say "north"'}, Refusal.BAD_NAME),
        ({"zone": "Mars/Olympus"}, Refusal.BAD_NAME),
        ({"zone": "../../etc/passwd"}, Refusal.BAD_NAME),
        ({"zone": ""}, Refusal.BAD_NAME),
        ({"zone": "America"}, Refusal.BAD_NAME),
        ({"day_starts": "25:00"}, Refusal.BAD_NAME),
        ({"day_starts": "six"}, Refusal.BAD_NAME),
        ({"day_starts": "06:00+02:00"}, Refusal.BAD_NAME),
        ({"actor": "M1"}, Refusal.NOT_ALLOWED),
        ({"actor": "nobody"}, Refusal.UNKNOWN_PERSON),
    ],
)
async def test_what_is_no_location(floor: Floor, changes: dict[str, object], why: Refusal) -> None:
    async with refused(floor, why):
        await people.add_location(floor.house, *changed(ADM, location(floor), **changes))


# ---------------------------------------------------------------- people


async def test_an_administrator_enters_people_with_a_role(floor: Floor) -> None:
    command = protocol.AddUser(floor.id(), "W9", "Zoë O'Neil", "writer", "")
    assert await twice(floor, people.add_user, ADM, command, role="manager") == Named("W9")
    [row] = await rows(floor, "SELECT name, role, active FROM users WHERE person = 'W9'")
    assert row == {"name": "Zoë O'Neil", "role": "writer", "active": 1}


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"person": "W1"}, Refusal.NAME_TAKEN),
        ({"person": "a b"}, Refusal.BAD_NAME),
        ({"person": "é"}, Refusal.BAD_NAME),
        ({"person": "W9\n"}, Refusal.BAD_NAME),
        ({"role": "owner"}, Refusal.BAD_NAME),
        ({"actor": "S1"}, Refusal.NOT_ALLOWED),
        ({"actor": "nobody"}, Refusal.UNKNOWN_PERSON),
    ],
)
async def test_who_is_not_entered(floor: Floor, changes: dict[str, str], why: Refusal) -> None:
    command = protocol.AddUser(floor.id(), "W9", "W9", "writer", "")
    async with refused(floor, why):
        await people.add_user(floor.house, *changed(ADM, command, **changes))


async def test_a_role_is_changed_and_taken_away_by_another(floor: Floor) -> None:
    command = protocol.ChangeUser(floor.id(), "W1", "supervisor", active=True)
    await twice(floor, people.change_user, ADM, command, active=False)
    assert await value(floor, "SELECT role FROM users WHERE person = 'W1'") == "supervisor"
    mistakes: list[tuple[dict[str, Any], Refusal]] = [
        ({"person": "ADM"}, Refusal.OWN_ACT),
        ({"person": "nobody"}, Refusal.UNKNOWN_PERSON),
        ({"role": "owner"}, Refusal.BAD_NAME),
        ({"actor": "W1"}, Refusal.NOT_ALLOWED),
    ]
    for changes, why in mistakes:
        async with refused(floor, why):
            asked = changed(ADM, command, request_id=floor.id(), **changes)
            await people.change_user(floor.house, *asked)
    asked = changed(ADM, command, request_id=floor.id(), active=False)
    await people.change_user(floor.house, *asked)
    async with refused(floor, Refusal.UNKNOWN_PERSON):
        await floor.booth("W1")


# ---------------------------------------------------------------- stations


async def test_a_station_is_enrolled_with_its_key_and_switched_off_and_on(floor: Floor) -> None:
    command = protocol.EnrolStation(floor.id(), "4", "main", "key 4")
    await twice(floor, people.enrol_station, ADM, command, station="5")
    off = protocol.EnableStation(floor.id(), "4", enabled=False)
    await twice(floor, people.enable_station, StaffContext("S1"), off, enabled=True)
    async with refused(floor, Refusal.UNKNOWN_STATION):
        await floor.booth("W1", "4")
    on = protocol.EnableStation(floor.id(), "4", enabled=True)
    await people.enable_station(floor.house, ADM, on)
    assert (await floor.booth("W1", "4")).station == "4"
    for station, actor, why in (
        ("9", "ADM", Refusal.UNKNOWN_STATION),
        ("4", "W1", Refusal.NOT_ALLOWED),
        ("4", "nobody", Refusal.UNKNOWN_PERSON),
    ):
        async with refused(floor, why):
            again = protocol.EnableStation(floor.id(), station, enabled=False)
            await people.enable_station(floor.house, StaffContext(actor), again)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"station": "1"}, Refusal.NAME_TAKEN),
        ({"public_key": "key 1"}, Refusal.NAME_TAKEN),
        ({"station": "a b"}, Refusal.BAD_NAME),
        ({"location": "nowhere"}, Refusal.UNKNOWN_STATION),
        ({"actor": "M1"}, Refusal.NOT_ALLOWED),
    ],
)
async def test_what_is_not_enrolled(floor: Floor, changes: dict[str, str], why: Refusal) -> None:
    command = protocol.EnrolStation(floor.id(), "4", "main", "key 4")
    async with refused(floor, why):
        await people.enrol_station(floor.house, *changed(ADM, command, **changes))


# ---------------------------------------------------------------- signing keys


async def test_a_supervisor_keeps_a_sealed_key(floor: Floor) -> None:
    public = KEYS["S1"].public_key().public_bytes_raw().hex()
    set_key = partial(people.set_signing_key, public_key=public, sealed_key=SEALED)
    command = protocol.SetSigningKey(floor.id(), "")
    await twice(floor, set_key, StaffContext("S1"), command, actor="S2")
    [row] = await rows(floor, "SELECT public_key, sealed_key FROM users WHERE person = 'S1'")
    assert row == {"public_key": public, "sealed_key": SEALED}
    async with refused(floor, Refusal.UNKNOWN_PERSON):
        command = protocol.SetSigningKey(floor.id(), "")
        await set_key(floor.house, StaffContext("nobody"), command)


@pytest.mark.parametrize(
    ("public", "sealed"),
    [
        ("", SEALED),
        ("zz" * 32, SEALED),
        ("00" * 31, SEALED),
        ("00" * 32, ""),
        ("00" * 32, "{}"),
        ("00" * 32, '{"salt":"zz","nonce":"00","key":"00"}'),
        ("00" * 32, "a passphrase by mistake"),
    ],
)
async def test_what_is_no_sealed_key(floor: Floor, public: str, sealed: str) -> None:
    async with refused(floor, Refusal.MALFORMED):
        await people.set_signing_key(
            floor.house, StaffContext("S1"), protocol.SetSigningKey(floor.id(), ""), public, sealed
        )


def test_a_sealed_key_does_not_show_its_passphrase_and_is_never_the_same() -> None:
    public, sealed = people.new_signing_key(PASSPHRASE)
    assert PASSPHRASE not in sealed
    assert (public, sealed) != people.new_signing_key(PASSPHRASE)
