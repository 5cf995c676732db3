"""What the console shows, over real sockets: the live floor, the exposure, the RNG room."""

from typing import Any

import msgspec
import pytest

from keno.domain.errors import Refusal as Code
from keno.protocol import (
    Command,
    GetDrawStatus,
    GetExposure,
    GetFloor,
    Hold,
    Ok,
    Override,
    RefusedReply,
    StationStatus,
)
from tests.integration.ledger.events import second_location
from tests.integration.web.served import PEOPLE, STATIONS, Served, new_id, sale

READERS = ("supervisor", "manager", "inspector", "accounting")
ROLES: dict[type[Command[Any]], tuple[str, ...]] = {
    GetFloor: READERS,
    GetExposure: ("supervisor", "manager", "inspector"),
    GetDrawStatus: READERS,
}


def asked(message: type[Command[Any]]) -> Command[Any]:
    return GetExposure(new_id(), "main") if message is GetExposure else message(new_id())


async def shown(served: Served, command: Command[Any], person: str = "S1") -> Any:
    async with served.console(person) as console:
        said = await console.command(command)
        assert isinstance(said, Ok), said
        return said.answer


@pytest.mark.parametrize("message", ROLES)
async def test_who_may_look(served: Served, message: type[Command[Any]]) -> None:
    for person, role in PEOPLE.items():
        async with served.console(person) as console:
            said = await console.command(asked(message))
            if role in ROLES[message]:
                assert isinstance(said, Ok)
            else:
                assert isinstance(said, RefusedReply)
                assert said.code == Code.NOT_ALLOWED


@pytest.mark.parametrize("message", ROLES)
async def test_looking_changes_nothing_and_tells_no_code(
    served: Served, message: type[Command[Any]]
) -> None:
    line = await served.station()
    sold = [await line.ask(sale()) for _ in range(3)]
    before = await served.money()
    command = asked(message)
    answers = [await shown(served, command) for _ in range(2)]  # the same id is no hindrance
    assert await served.money() == before
    text = msgspec.json.encode(answers).decode()
    assert not any(each["code"] in text for each in sold)


# The floor.


async def test_the_floor_over_the_wire(served: Served) -> None:
    line = await served.station("s1", "W1")
    await served.proved("s2")
    await line.ask(StationStatus(new_id(), "ready", "low"))
    sold = await line.ask(sale())
    now = served.floor.clock.now_ms
    async with served.console("S1") as console:
        for command in (
            Hold(new_id(), "main", sold["ticket"], "Two people claim it."),
            Override(new_id(), "main", "delay", "A bus is late.", 120),
        ):
            assert isinstance(await console.command(command), Ok)
    answer = await shown(served, GetFloor(new_id()), "I1")
    (place,) = answer["locations"]
    assert answer["server_ms"] == now
    assert place["state"] == msgspec.to_builtins(served.conductor.state())
    assert place["state"]["open"]["game"] == 1
    assert (place["location"], place["letter"], place["name"]) == ("main", "A", "Main Floor")
    assert (place["trouble"], place["not_sold"]) == (None, None)
    stations = {each.pop("station"): each for each in place["stations"]}
    assert set(stations) == {*STATIONS, "1", "2", "3"}
    shift = stations["s1"].pop("shift")
    assert (shift["writer"], shift["expected_cents"]["cash"]) == ("W1", 1_001_00)
    assert (shift["shift"], shift["locked"], shift["opened_ms"]) == (1, False, now)
    assert stations["s1"] == {
        "enabled": True, "connected": True, "writer": "W1", "printer": "ready", "paper": "low",
        "unprinted": {"count": 1, "oldest_ticket": sold["ticket"], "oldest_ms": now},
        "authorisations": [],
    }  # fmt: skip
    idle: dict[str, Any] = {"shift": None, "authorisations": [],
            "unprinted": {"count": 0, "oldest_ticket": None, "oldest_ms": None}}  # fmt: skip
    assert stations["s2"] == idle | {
        "enabled": True, "connected": True, "writer": None, "printer": "unknown",
        "paper": "unknown",
    }  # fmt: skip
    away = {"connected": False, "writer": None, "printer": None, "paper": None}
    assert stations["s3"] == idle | away | {"enabled": True}
    assert stations["off"] == idle | away | {"enabled": False}
    told = {(each["kind"], each["actor"], each["reason"]) for each in place["exceptions"]}
    assert told == {("hold", "S1", "Two people claim it."), ("override", "S1", "A bus is late.")}


async def test_a_location_that_is_not_run_here_is_on_the_floor(served: Served) -> None:
    await second_location(served.floor)
    for command in (GetFloor(new_id()), GetDrawStatus(new_id())):
        east, main = (await shown(served, command))["locations"]
        assert (east["location"], main["location"]) == ("east", "main")
    floor = await shown(served, GetFloor(new_id()))
    assert floor["locations"][0]["state"] is None
    assert "does not run" in floor["locations"][0]["trouble"]


async def test_15_3_e_the_floor_says_which_card_is_not_sold_and_why(served: Served) -> None:
    served.floor.house.not_sold["1"] = "rates.regular: it keeps too much."
    (place,) = (await shown(served, GetFloor(new_id())))["locations"]
    assert (place["state"]["open"]["game"], place["trouble"]) == (1, None)
    assert place["not_sold"] == "rates.regular: it keeps too much."


# The exposure.


async def test_the_exposure_over_the_wire(served: Served) -> None:
    line = await served.station()
    for _ in range(3):
        await line.ask(sale())
    found = await shown(served, GetExposure(new_id(), "main"))
    assert (found["location"], found["game"], found["name"], found["card"]) == (
        "main", 1, "A-1", "1",
    )  # fmt: skip
    assert (found["tickets"], found["handle_cents"]) == (3, 3_00)
    assert (found["draws_asked"], found["draws"]) == (2_000, 2_000)
    assert found["maximum_cents"] == 100_000_00
    assert found["mean_cents"] <= found["largest_cents"]


async def test_an_exposure_that_cannot_be_had(served: Served) -> None:
    async with served.console("S1") as console:
        for command, code in (
            (GetExposure(new_id(), "east"), Code.UNKNOWN_STATION),
            (GetExposure(new_id(), "main", 1), Code.MALFORMED),
            (GetExposure(new_id(), "main", 1_000_000), Code.MALFORMED),
        ):
            said = await console.command(command)
            assert isinstance(said, RefusedReply)
            assert said.code == code


# The RNG room.


async def test_the_rng_room_of_a_house_whose_draw_was_never_asked(served: Served) -> None:
    (room,) = (await shown(served, GetDrawStatus(new_id()), "C1"))["locations"]
    unknown = {"key": None, "answering": None, "since_ms": None, "asked_ms": None, "refused": None}
    assert (room["generator"], room["witness"]) == (unknown, unknown)
    assert (room["chain"], room["program"]) == (None, None)
    assert (room["boots"], room["commitments"], room["draws"]) == ([], [], [])
    assert room["alarms"] == []
    for word in ("chain", "unlock", "generator", "witness", "names"):
        assert any(word in each for each in room["unknown"]), word


async def test_a_game_without_a_chain_is_neither_verified_nor_told_early(served: Served) -> None:
    number = await served.floor.lock()
    (room,) = (await shown(served, GetDrawStatus(new_id())))["locations"]
    assert [each["state"] for each in room["draws"]] == ["drawing"]
    await served.floor.draw(number)
    (room,) = (await shown(served, GetDrawStatus(new_id())))["locations"]
    (draw,) = room["draws"]
    assert (draw["state"], draw["verified"]) == ("settled", None)
    assert draw["numbers"] == list(range(61, 81))
