"""15.6(b): at a station the money of a large void or refund waits for a supervisor."""

from pathlib import Path

from tests.houses import PASSPHRASE
from tests.integration.station.booth import SECOND, at_work, draft, give_key, play
from tests.integration.station.test_paying import EIGHT_OF_EIGHT, looked_at
from tests.integration.web.served import Served

DEAR = draft(groups=[[n] for n in range(1, 11)], conditioning="45/2@20.00", games="2")
"""Costs $1,800.00."""


async def test_15_6_b_a_large_void_waits_for_a_supervisor_and_its_slip_says_so(
    served: Served, tmp_path: Path
) -> None:
    await give_key(served)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed(DEAR)
        code = booth.code(ticket)
        gave = await screen.ask("void", ticket=ticket, code=code)
        assert gave == {"coupon": None, "given_back": [], "owed_cents": 1_800_00}
        await screen.in_state(ticket, "void")
        slip = await booth.paper_with("waits for a supervisor")
        assert "$1,800.00" in slip
        assert code in slip
        [waiting] = screen.state["waiting"]
        assert (waiting["ticket"], waiting["code"], waiting["state"]) == (ticket, code, "pending")
        shown = await looked_at(booth, screen, ticket)
        assert (shown["state"], shown["total_cents"], shown["why_not"]) == ("void", 1_800_00, None)
        assert [need["kind"] for need in shown["needs"]] == ["supervisor", "signature"]
        assert shown["needs"][1]["text"].endswith("Hand over: $1,800.00 cash.")
        one = {"ticket": ticket, "code": code, "payment": {"cash_cents": 1_800_00}}
        done = await screen.ask("pay", payments=[one])
        assert done["refused"][0]["code"] == "authorisation_needed"
        await screen.ask(
            "authorise", authorisation=waiting["authorisation"], approve=True,
            passphrase=PASSPHRASE, reason="", second=SECOND,
        )  # fmt: skip
        done = await screen.ask("pay", payments=[one])
        assert done["paid"] == [{"ticket": ticket, "total_cents": 1_800_00}]
        await booth.paper_with("Owed for a void ticket")


async def test_15_6_b_a_large_refund_is_refunded_before_a_supervisor_answers(
    served: Served, tmp_path: Path
) -> None:
    await give_key(served)
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed(draft(games="3"))
        code = booth.code(ticket)
        await play(served, EIGHT_OF_EIGHT)
        shown = await looked_at(booth, screen, ticket)
        assert (shown["refund"]["total_cents"], shown["refund"]["needs"]) == (25_002_00, [])
        payment = {"cash_cents": 25_002_00}
        done = await screen.ask("refund", ticket=ticket, code=code, payment=payment)
        assert done == {"ticket": ticket, "total_cents": 25_002_00, "owed_cents": 25_002_00}
        await booth.paper_with("waits for a supervisor")
        shown = await looked_at(booth, screen, ticket)
        kinds = ["supervisor", "signature", "tax_form", "check"]
        assert [need["kind"] for need in shown["needs"]] == kinds
