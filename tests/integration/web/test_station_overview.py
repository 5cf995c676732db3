"""What a writer's page is made of, over real sockets: the desk, the place, a quote, the cards."""

from dataclasses import replace
from typing import Any

from msgspec import structs

from keno.config import HouseConfig
from keno.protocol import (
    ConfirmPrint,
    GetStationOverview,
    Lookup,
    Ok,
    PostCard,
    Prove,
    Resume,
    Tendered,
    proof_of_station,
)
from tests.cards import CARD, card_text
from tests.integration.ledger.events import second_location
from tests.integration.web.served import PLACE, REQUEST, Served, key_of, new_id, sale


async def proved_as(served: Served, station: str = "s1") -> Any:
    """The answer to a station's proof."""
    line, hello = await served.greeted()
    signed = key_of(station).sign(proof_of_station(hello.site, station, hello.nonce))
    await line.say(Prove(station, signed.hex()))
    said = await line.answer("")
    assert isinstance(said, Ok)
    return said.answer


# The desk.


async def test_a_desk_over_the_wire(served: Served) -> None:
    line, other = await served.station("s1", "W1"), await served.station("s2", "W2")
    first, second = await line.ask(sale("first")), await line.ask(sale())
    await other.ask(sale())
    await line.ask(ConfirmPrint(new_id(), second["ticket"]))
    desk = await line.ask(GetStationOverview(new_id()))
    shift = desk.pop("shift")
    assert (shift.pop("shift"), shift.pop("expected_cents")["currency"]) == (1, 1_002_00)
    assert shift.pop("holds_cents")["cash"] == 1_002_00
    assert shift == {
        "location": "main", "station": "s1", "locked": False,
        "opened_ms": served.floor.clock.now_ms,
    }  # fmt: skip
    same = {"price_cents": 1_00, "first_game": 1, "reprints": 0}
    sold = same | {"last_game": 1, "state": "live", "sold_ms": served.floor.clock.now_ms}
    assert desk == {
        "tickets": [
            sold | {"ticket": second["ticket"], "printed": True},
            sold | {"ticket": first["ticket"], "printed": False},
        ],
        "unprinted": [
            same | {"ticket": first["ticket"], "request_id": "first", "game_state": "open",
                    "gives_back": [{"kind": "cash", "cents": 1_00}]},
        ],
        "authorisations": [],
        "other_shift": None,
    }  # fmt: skip
    assert await line.ask(Resume(new_id(), ["first"])) == {"first": first}


async def test_a_desk_without_a_shift_here_tells_of_the_one_elsewhere(served: Served) -> None:
    line = await served.station("s1", "W1", bank_cents=None)
    assert (await line.ask(GetStationOverview(new_id())))["shift"] is None
    await served.station("s2", "W1")
    asked = GetStationOverview(new_id())
    assert (await line.ask(asked))["shift"]["station"] == "s2"
    await served.floor.lock()
    assert (await line.ask(asked))["tickets"] == []  # the same id is no hindrance


# What a refund would pay.


async def test_a_lookup_quotes_the_refund_of_a_multi_race(served: Served) -> None:
    line = await served.station()
    request, tender = REQUEST | {"games": 3}, [Tendered("currency", 3_00)]
    multi = await line.ask(sale(price_cents=3_00, request=request, tender=tender))
    one = await line.ask(sale())
    for sold in (multi, one):
        await line.ask(ConfirmPrint(new_id(), sold["ticket"]))

    async def looked(sold: Any) -> Any:
        return await line.ask(Lookup(new_id(), sold["ticket"], sold["code"]))

    early = await looked(multi)
    assert early["refund"] is None
    assert early["refund_why_not"]["code"] == "void_instead"
    assert early["refund_why_not"]["message"].endswith(".")
    await served.floor.play()
    before = await served.money()
    said = await looked(multi)
    assert await served.money() == before
    assert said["owed"] is None
    assert said["refund_why_not"] is None
    assert said["refund"] == {
        "location": "main", "ticket": multi["ticket"], "awards_cents": 0, "returns_cents": 0,
        "refund_cents": 2_00, "coupon_of_returns_cents": 0, "coupon_of_refund_cents": 0,
        "needs_authorisation": False, "tax_form_games": [], "given_back": [], "games": 2,
    }  # fmt: skip
    single = await looked(one)
    assert (single["refund"], single["refund_why_not"]) == (None, None)


# Where a station stands.


async def test_a_proof_is_answered_with_the_place(served: Served) -> None:
    assert await proved_as(served) == PLACE
    config = served.server.config
    named = HouseConfig(folder=config.house.folder, name="Larkspur Casino")
    public = structs.replace(config.server, public="https://keno.example")
    served.server.config = replace(config, house=named, server=public)
    served.server.house.mode = "live"
    assert await proved_as(served, "s2") == PLACE | {
        "station": "s2", "casino": "Larkspur Casino", "no_value": False,
        "scan_prefix": "https://keno.example/t/",
    }  # fmt: skip


# The cards.


async def test_the_card_in_force_and_every_card_that_was_posted(served: Served) -> None:
    later = card_text(version="2")
    async with served.console("M1") as console:
        assert isinstance(await console.command(PostCard(new_id(), "main", later, 20)), Ok)
        path = "/api/ratecard?location=main"
        first = {"version": "1", "toml": CARD}
        assert await console.get(path) == (200, first)
        assert await console.get(f"{path}&version=1") == (200, first)
        assert await console.get(f"{path}&version=2") == (200, {"version": "2", "toml": later})
        for version in ("3", "", "%00", "%ff", "1%20"):
            status, said = await console.get(f"{path}&version={version}")
            assert (status, said["code"]) == (404, "unknown_card")
        status, said = await console.get("/api/ratecard?location=east&version=1")
        assert (status, said["code"]) == (404, "unknown_station")


async def test_a_card_of_another_location_is_not_told(served: Served) -> None:
    await second_location(served.floor)
    async with served.console(None) as console:
        status, said = await console.get("/api/ratecard?location=main&version=east+1")
        assert (status, said["code"]) == (404, "unknown_card")
