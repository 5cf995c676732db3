"""Tickets that come back: changed, voided, paid, refunded, played again, authorised."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from keno.domain.errors import Irregular
from keno.domain.halt import HaltFault
from keno.games.conductor import Conductor
from keno.protocol import Payment
from tests.houses import PASSPHRASE
from tests.integration.ledger.asking import rows
from tests.integration.ledger.events import refund, second_location
from tests.integration.station.booth import (
    SECOND,
    Screen,
    StationInProcess,
    at_work,
    draft,
    give_key,
    lock,
    play,
)
from tests.integration.web.served import Served

FIVE_OF_EIGHT = [1, 2, 3, 4, 5, *range(61, 76)]
EIGHT_OF_EIGHT = [*range(1, 9), *range(61, 73)]


async def looked_at(booth: StationInProcess, screen: Screen, ticket: int) -> dict[str, Any]:
    """Scan a ticket and look it up."""
    found = await screen.ask("find", text=f"A-{ticket}-{booth.code(ticket)}")
    assert found == {"kind": "ticket", "ticket": ticket, "code": booth.code(ticket)}
    shown: dict[str, Any] = await screen.ask("look", ticket=ticket, code=found["code"])
    return shown


async def test_a_ticket_is_changed_before_its_game_closes(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        again = await screen.ask("again", ticket=ticket, code=booth.code(ticket))
        assert again["live"]
        assert (again["paid"], again["coupons"]) == ([{"kind": "cash", "cents": 100}], [])
        changed = again["draft"] | {"groups": [[1, 2, 3, 4, 5, 6, 7, 80]], "number": 2}
        new = await screen.ask(
            "rewrite", ticket=ticket, code=booth.code(ticket), draft=changed, game=1,
            price_cents=100, tender=[{"kind": "currency", "cents": 100}],
        )  # fmt: skip
        assert new == {"ticket": ticket + 1, "game": 1, "change_cents": 0, "net": []}
        await screen.in_state(ticket + 1, "printed")
        await screen.in_state(ticket, "void")
        slip = await booth.paper_with("Written again as")
        assert f"A-{ticket + 1}" in slip
        assert "Nothing changed hands." in slip
        await booth.dealt_with()


async def test_a_ticket_is_voided(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        gave = await screen.ask("void", ticket=ticket, code=booth.code(ticket))
        back = [{"kind": "cash", "cents": 100}]
        assert gave == {"coupon": None, "given_back": back}
        assert len(booth.up.acts.station.spool.jobs) == 3, "its slip waits for the printer already"
        await screen.in_state(ticket, "void")
        await booth.paper_with("Void slip")
        other = await screen.sell_printed()
        await lock(served)
        await screen.refused("locked_out", "void", ticket=other, code=booth.code(other))


async def test_a_winner_is_paid_once(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        early = await looked_at(booth, screen, ticket)
        assert early["why_not"]["code"] == "not_complete"
        await play(served, FIVE_OF_EIGHT)
        shown = await looked_at(booth, screen, ticket)
        assert (shown["total_cents"], shown["needs"], shown["why_not"]) == (9_00, [], None)
        assert shown["games"][0]["ways"] == [
            {"members": ["A"], "spots": 8, "caught": 5, "award_cents": 9_00}
        ]
        one = {"ticket": ticket, "code": booth.code(ticket), "payment": {"cash_cents": 9_00}}
        done = await screen.ask("pay", payments=[one, one])
        assert done["paid"] == [{"ticket": ticket, "total_cents": 9_00}]
        assert [each["code"] for each in done["refused"]] == ["already_paid"]
        await screen.in_state(ticket, "paid")
        await booth.paper_with("$9.00")
        before = 10_000_00 + 1_00
        await screen.until(lambda state: state["shift"]["drawer"]["cash"] == before - 9_00)


async def test_a_drawn_ticket_is_the_next_request(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket, long = await screen.sell_printed(), await screen.sell_printed(draft(games="3"))
        await play(served)
        await screen.until(lambda state: state["game"]["game"] == 2)
        await screen.refused("still_live", "again", ticket=long, code=booth.code(long))
        again = await screen.ask("again", ticket=ticket, code=booth.code(ticket))
        assert not again["live"]
        same = again["draft"] | {"number": 5}
        assert not (await screen.price(same))["changed"]
        other = same | {"games": "2"}
        assert (await screen.price(other))["changed"]
        await screen.sell_printed(same)


async def test_a_large_payout_waits_for_a_supervisor(served: Served, tmp_path: Path) -> None:
    await give_key(served)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        code = booth.code(ticket)
        await play(served, EIGHT_OF_EIGHT)
        shown = await looked_at(booth, screen, ticket)
        kinds = ["supervisor", "signature", "tax_form", "check"]
        assert [need["kind"] for need in shown["needs"]] == kinds
        payment = {
            "cash_cents": 5_000_00, "check_cents": 20_000_00, "check_number": "C-1",
            "withheld_cents": 0, "tax_form": "W2G-1",
        }  # fmt: skip
        one = {"ticket": ticket, "code": code, "payment": payment}
        done = await screen.ask("pay", payments=[one])
        assert done["refused"][0]["code"] == "authorisation_needed"
        asked = await screen.ask("ask_supervisor", ticket=ticket, code=code, refund=False)
        assert (asked["state"], asked["code"]) == ("pending", code)
        await screen.sell_printed(draft(groups=[[1, 2, 3]]))  # sales go on
        await screen.ask(
            "authorise", authorisation=asked["authorisation"], approve=True,
            passphrase=PASSPHRASE, reason="", second=SECOND,
        )  # fmt: skip
        [waiting] = screen.state["waiting"]
        assert (waiting["state"], waiting["answered_by"]) == ("approved", "S1")
        slip = await booth.paper_with("uthorisation")
        assert "$25,000.00" in slip
        shown = await looked_at(booth, screen, ticket)
        assert shown["needs"][0]["done"]
        done = await screen.ask("pay", payments=[one])
        assert done["paid"] == [{"ticket": ticket, "total_cents": 25_000_00}]
        await screen.until(lambda state: state["waiting"] == [])
        await booth.paper_with("C-1")


async def test_a_payout_that_no_supervisor_answers_is_asked_for_again(
    served: Served, tmp_path: Path
) -> None:
    """The page hears of the lapse by itself."""
    await give_key(served)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        code = booth.code(ticket)
        await play(served, EIGHT_OF_EIGHT)
        first = await screen.ask("ask_supervisor", ticket=ticket, code=code, refund=False)
        served.floor.clock.forward(minutes=15)
        await screen.until(lambda state: state["waiting"][0]["state"] == "lapsed")
        [waiting] = screen.state["waiting"]
        assert waiting == first | {"state": "lapsed"}
        assert not (await looked_at(booth, screen, ticket))["needs"][0]["done"]
        again = await screen.ask("ask_supervisor", ticket=ticket, code=code, refund=False)
        assert again["authorisation"] == first["authorisation"] + 1
        await screen.until(lambda state: len(state["waiting"]) == 2)
        assert [each["state"] for each in screen.state["waiting"]] == ["lapsed", "pending"]
        no = {"approve": False, "passphrase": "", "reason": "Not here.", "second": SECOND}
        await screen.refused("not_possible_now", "authorise", **no,
                             authorisation=first["authorisation"])  # fmt: skip
        yes = {"approve": True, "passphrase": PASSPHRASE, "reason": "", "second": SECOND}
        await screen.ask("authorise", authorisation=again["authorisation"], **yes)
        await booth.paper_with("uthorisation")
        assert (await looked_at(booth, screen, ticket))["needs"][0]["done"]


async def test_undrawn_games_are_refunded(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed(draft(games="20"))
        await play(served, FIVE_OF_EIGHT)
        shown = await looked_at(booth, screen, ticket)
        refund = shown["refund"]
        assert (refund["games"], refund["total_cents"]) == (19, 9_00 + 19_00)
        payment = {"cash_cents": 28_00}
        gave = await screen.ask("refund", ticket=ticket, code=booth.code(ticket), payment=payment)
        assert gave == {"ticket": ticket, "total_cents": 28_00}
        await screen.in_state(ticket, "refunded")
        paper = " ".join((await booth.paper_with("$28.00")).split())
        assert "19 games not drawn, A-2 to A-20." in paper


async def test_what_is_scanned(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        code = booth.code(ticket)
        four = " ".join(code[at : at + 4] for at in range(0, 16, 4))
        for text in (
            f"A-{ticket}-{code}", f"HTTPS://KENO.EXAMPLE/T/A-{ticket}-{code}", f"{ticket} {code}",
            f" a-{ticket} {four.lower()} ", f"{ticket} {four}",
        ):  # fmt: skip
            found = await screen.ask("find", text=text)
            assert found == {"kind": "ticket", "ticket": ticket, "code": code}, text
        no = await screen.refused("other_location", "find", text=f"B-{ticket}-{code}")
        assert "B" in str(no)
        await screen.refused("malformed", "find", text="nonsense")
        await screen.refused("no_code", "find", text="A-12")
        await screen.refused("no_code", "find", text="418 2276")
        typed = "1 2 3 4/5 6 7 8/K77: AK1@1.25S B@2.00 x5"
        found = await screen.ask("find", text=typed)
        assert found["kind"] == "request"
        assert found["draft"]["origin"] == {"kind": "digital", "submitted": typed}
        await screen.refused("price_differs", "find", text=f"{typed} =1.00")
        priced = await screen.price(found["draft"])
        assert priced["price_cents"] == 5 * (1_25 + 2_00)
        await screen.refused("unknown_ticket", "look", ticket=77, code=code)
        await screen.refused("altered", "look", ticket=ticket, code=code[::-1])


async def test_15_6_a_a_ticket_of_another_location_is_paid_here(
    served: Served, tmp_path: Path
) -> None:
    floor = served.floor
    await give_key(served)
    east = await second_location(floor)
    named = SimpleNamespace(location="east")  # it is asked nothing but its name
    served.server.conductors["east"] = cast("Conductor", named)
    small, large = await floor.sell(east), await floor.sell(east)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        own = await screen.sell_printed()
        assert own == small.ticket  # numbers are of a location
        await floor.play(FIVE_OF_EIGHT, "east")
        text = f"B-{small.ticket}-{small.code}"
        await screen.refused("other_location", "find", text=text)
        found = await screen.ask("find", text=text, pay=True)
        paper = {"ticket": small.ticket, "code": small.code, "letter": "B"}
        assert found == {"kind": "ticket"} | paper
        shown = await screen.ask("look", **paper)
        assert (shown["total_cents"], shown["letter"], shown["sold_in"]) == (9_00, "B", "East")
        assert shown["claim_until_ms"] is not None
        done = await screen.ask("pay", payments=[paper | {"payment": {"cash_cents": 9_00}}])
        assert done["paid"] == [{"ticket": small.ticket, "letter": "B", "total_cents": 9_00}]
        slip = await booth.paper_with("Payout slip")
        for words in (f"B-{small.ticket}", "Sold at", "East (B)", "Paid at", "Main Floor (A)"):
            assert words in slip
        wrong = {"ticket": large.ticket, "code": large.code, "letter": "Z"}
        await screen.refused("unknown_ticket", "look", **wrong)
        await booth.dealt_with()


async def test_15_3_b_a_ticket_of_another_location_is_scanned_and_played_again_here(
    served: Served, tmp_path: Path
) -> None:
    floor = served.floor
    east = await second_location(floor)
    served.server.conductors["east"] = cast("Conductor", SimpleNamespace(location="east"))
    lost = await floor.sell(east, "9 10 11: 1/3@1.00")
    live, refunded = [await floor.sell(east, "9 10 11: 1/3@1.00 x3") for _ in range(2)]
    await floor.play(FIVE_OF_EIGHT, "east")
    await refund(floor, east, refunded, Payment(2_00))
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        own = await screen.sell_printed()
        assert own == lost.ticket  # numbers are of a location
        found = await screen.ask("find", text=f"B-{lost.ticket}-{lost.code}", pay=True)
        paper = {name: found[name] for name in ("ticket", "code", "letter")}
        again = await screen.ask("again", **paper)
        origin = {"kind": "previous", "change_confirmed": False} | paper
        assert (again["draft"]["origin"], again["live"]) == (origin, False)
        priced = await screen.price(again["draft"])
        assert (priced["price_cents"], priced["changed"]) == (1_00, False)
        changed = await screen.price(again["draft"] | {"games": "2"})
        assert changed["changed"]
        ticket = await screen.sell_printed(again["draft"])
        for other, why in ((live, "still_live"), (refunded, "cancelled")):
            await screen.refused(why, "again", ticket=other.ticket, code=other.code, letter="B")
    [row] = await rows(floor, "SELECT origin FROM tickets WHERE location = 'main' AND number = ?",
                       ticket)  # fmt: skip
    assert json.loads(row["origin"]) == {
        "kind": "previous", "ticket": lost.ticket, "changed": False, "letter": "B",
    }  # fmt: skip


async def test_15_3_c_a_supervisor_decides_here_about_a_ticket_of_another_location(
    served: Served, tmp_path: Path
) -> None:
    floor = served.floor
    east = await second_location(floor)
    named = SimpleNamespace(location="east")
    served.server.conductors["east"] = cast("Conductor", named)
    sold = await floor.sell(east)
    number = await floor.lock("east")
    await floor.declare_not_issued(east, sold)
    await floor.draw(number, FIVE_OF_EIGHT, "east")
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        own = await screen.sell_printed()
        assert own == sold.ticket  # numbers are of a location
        paper = {"ticket": sold.ticket, "code": sold.code}
        shown = await screen.ask("look", **paper, letter="B")
        assert (shown["why_not"]["code"], shown["location"]) == ("held_not_issued", "east")
        says = {"issued": True, "reason": "he came back", "second": SECOND}
        await screen.refused("altered", "confirm_not_issued", **paper, **says)
        await screen.ask("confirm_not_issued", **paper, **says, location=shown["location"])
        shown = await screen.ask("look", **paper, letter="B")
        assert (shown["why_not"], shown["total_cents"]) == (None, 9_00)
        assert [need["kind"] for need in shown["needs"]] == ["supervisor", "signature"]
        await floor.ledger.halt(Irregular(HaltFault.BOOK, "something", location="main"))
        await screen.refused("halted", "confirm_not_issued", **paper, **says, location="east")
        await screen.refused("halted", "take_not_issued", **paper, location="east",
                             reason="found", second=SECOND)  # fmt: skip


async def test_a_yes_from_the_console_after_a_restart(served: Served, tmp_path: Path) -> None:
    """The station does not keep codes on its disk; the slip comes out once all the same."""
    await give_key(served)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        await play(served, EIGHT_OF_EIGHT)
        code = booth.code(ticket)
        await screen.ask("ask_supervisor", ticket=ticket, code=code, refund=False)
    async with at_work(tmp_path / "booth", served) as (booth, screen), served.console("S1") as desk:
        await screen.sign_in()
        [waiting] = screen.state["waiting"]
        assert (waiting["state"], waiting["code"]) == ("pending", None)
        said = {"type": "authorise", "request_id": "yes", "approve": True,
                "authorisation": waiting["authorisation"], "passphrase": PASSPHRASE}  # fmt: skip
        assert (await desk.post("/api/command", said))[0] == 200
        await screen.until(lambda state: state["waiting"][0]["state"] == "approved")
        await booth.paper_with("uthorisation")
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.sign_in()
        await screen.ask("test_page")  # whatever else had to come out is out before it
        papers = [paper for paper in booth.papers() if "uthorisation" in paper]
        assert len(papers) == 1
