"""The printer fails, and nothing is lost or printed twice unmarked: the writer is asked."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from printer.spool import open_spool
from printer.transport import Printer, PrintState
from tests.integration.printer.simulator import Simulator, simulator
from tests.integration.station.booth import (
    PATIENCE_S,
    SECOND,
    Screen,
    StationInProcess,
    at_work,
    draw,
    lock,
    play,
)
from tests.integration.web.served import Served
from tests.unit.printer.papers import TICKETS


@asynccontextmanager
async def at_simulator(
    folder: Path, served: Served
) -> AsyncIterator[tuple[Simulator, StationInProcess, Screen]]:
    """A station whose printer hangs on a faulty line."""
    async with (
        simulator(folder / "paper") as printer,
        at_work(folder, served, printer=printer.address) as (booth, screen),
    ):
        yield printer, booth, screen


async def test_nothing_is_sold_while_the_printer_is_stopped(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        booth.trouble("cover-open", there=True)
        await screen.until(lambda state: not state["printer"]["ok"])
        typed = {"kind": "currency", "cents": 100}
        fields = {"draft": {"number": 1, "groups": [[1]]}, "game": 1, "price_cents": 100,
                  "tender": [typed]}  # fmt: skip
        no = await screen.refused("printer_stopped", "sell", **fields)
        assert "cover" in str(no)
        assert (await served.money())["tickets"] == []
        booth.trouble("cover-open", there=False)
        await screen.sell_printed()  # it asks again by itself


async def test_15_4_c_a_ticket_is_confirmed_once_its_paper_is_out(
    served: Served, tmp_path: Path
) -> None:
    """By the task that waits for the printer, before any look at the server's overview."""
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        booth.up.acts.station.on_desk.clear()
        ticket = await screen.sell()
        async with asyncio.timeout(PATIENCE_S):
            while not (await served.money())["tickets"][0]["printed"]:  # noqa: ASYNC110 no event
                await asyncio.sleep(0.05)
        assert len(booth.of_ticket(ticket)) == 1


async def test_what_was_never_sent_is_printed_as_the_original(
    served: Served, tmp_path: Path
) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start(bank_cents=0)
        booth.trouble("paper-out", there=True)  # nobody has noticed yet
        ticket = await screen.sell()
        asked = await screen.question(ticket)
        assert (asked["kind"], asked["voidable"], asked["supervisor"]) == ("unprinted", True, False)
        assert "paper is out" in asked["reason"]
        await screen.in_state(ticket, "unprinted")
        await screen.refused("printer_stopped", "resolve", ticket=ticket, printed=False)
        booth.trouble("paper-out", there=False)
        await screen.ask("resolve", ticket=ticket, printed=False, second=None)
        await screen.in_state(ticket, "printed")
        [paper] = booth.of_ticket(ticket)
        assert "REPRINT" not in paper
        assert screen.state["questions"] == []


async def test_what_was_never_sent_may_be_voided_instead(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start(bank_cents=0)
        booth.trouble("paper-out", there=True)
        ticket = await screen.sell()
        await screen.question(ticket)
        gave = await screen.ask("void", ticket=ticket, code=None)
        assert gave["given_back"] == [{"kind": "cash", "cents": 100}]
        await screen.until(lambda state: state["questions"] == [])
        await screen.in_state(ticket, "void")
        await screen.until(lambda state: state["told"])  # the void slip did not come out either
        assert "void slip" in screen.state["told"][0]["text"]


async def test_after_the_close_only_a_supervisor_has_it_printed(
    served: Served, tmp_path: Path
) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        booth.trouble("paper-out", there=True)
        ticket = await screen.sell()
        await screen.question(ticket)
        game = await lock(served)
        await screen.until(lambda state: state["questions"][0]["supervisor"])
        assert not screen.state["questions"][0]["voidable"]
        booth.trouble("paper-out", there=False)
        await screen.refused("authorisation_needed", "resolve", ticket=ticket, printed=False)
        await draw(served, game)
        await screen.ask("resolve", ticket=ticket, printed=False, second=SECOND)
        await booth.paper_with(f"Key A-{ticket} code")
        [paper] = booth.of_ticket(ticket)
        assert "REPRINT" in paper
        await screen.in_state(ticket, "printed")
        await screen.until(lambda state: state["questions"] == [])
        await booth.dealt_with()


async def test_half_a_ticket_is_a_question(served: Served, tmp_path: Path) -> None:
    async with at_simulator(tmp_path / "booth", served) as (printer, booth, screen):
        await screen.start()
        whole = await screen.sell_printed()
        printer.device.roll_dots = 300
        ticket = await screen.sell()
        asked = await screen.question(ticket)
        assert asked["kind"] == "unknown"
        await screen.in_state(ticket, "unknown")
        printer.device.load()
        await screen.until(lambda state: state["printer"]["ok"])
        await screen.ask("resolve", ticket=ticket, printed=False, second=None)
        await screen.in_state(ticket, "printed")
        marked = [paper for paper in booth.of_ticket(ticket) if "REPRINT" in paper]
        assert len(marked) == 1
        assert len(booth.of_ticket(ticket)) == 1
        assert len(booth.of_ticket(whole)) == 1


async def test_it_came_out_after_all(served: Served, tmp_path: Path) -> None:
    async with at_simulator(tmp_path / "booth", served) as (printer, booth, screen):
        await screen.start()
        printer.confirms = False  # it prints and does not say so
        ticket = await screen.sell()
        assert (await screen.question(ticket))["kind"] == "unknown"
        printer.confirms = True
        await screen.ask("resolve", ticket=ticket, printed=True, second=None)
        await screen.in_state(ticket, "printed")
        assert len(booth.of_ticket(ticket)) == 1
        assert screen.state["questions"] == []


async def test_a_printer_that_answers_late(served: Served, tmp_path: Path) -> None:
    async with at_simulator(tmp_path / "booth", served) as (printer, booth, screen):
        await screen.start()
        printer.confirms_late_s = 3.5
        ticket = await screen.sell()
        await screen.question(ticket)
        await screen.in_state(ticket, "printed")
        assert screen.state["questions"] == []
        assert len(booth.of_ticket(ticket)) == 1


async def test_a_confirmation_that_comes_after_the_result(served: Served, tmp_path: Path) -> None:
    async with at_simulator(tmp_path / "booth", served) as (printer, booth, screen):
        await screen.start()
        printer.confirms_late_s = 1.5
        ticket = await screen.sell()
        await play(served)
        asked = await screen.question(ticket)
        assert asked["supervisor"]
        printer.confirms_late_s = 0.0
        await screen.refused("print_unconfirmed", "resolve", ticket=ticket, printed=True)
        await screen.ask("resolve", ticket=ticket, printed=False, second=SECOND)
        await screen.in_state(ticket, "printed")
        await booth.paper_with("REPRINT")
        await screen.until(lambda state: state["questions"] == [])


async def test_a_reprint_of_a_ticket_that_the_patron_holds(served: Served, tmp_path: Path) -> None:
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        await screen.refused("authorisation_needed", "reprint", ticket=ticket)
        await screen.ask("reprint", ticket=ticket, second=SECOND)
        await booth.paper_with("REPRINT")
        assert len(booth.of_ticket(ticket)) == 2
        await booth.dealt_with()
        async with asyncio.timeout(PATIENCE_S):
            while True:  # the list still shows the first print until the second is confirmed
                [row] = (await served.money())["tickets"]
                if (row["printed"], row["reprints"]) == (1, 1):
                    break
                await asyncio.sleep(0.05)


async def test_15_3_c_a_ticket_is_declared_not_issued_and_confirmed_with_its_paper(
    served: Served, tmp_path: Path
) -> None:
    reason = "Nobody paid for it."
    async with at_work(tmp_path / "booth", served) as (_, screen):
        await screen.start()
        ticket = await screen.sell_printed()
        [row] = (await served.money())["tickets"]
        await lock(served)
        await screen.refused("paper_needed", "surrender", ticket=ticket, second=SECOND,
                             reason=reason)  # fmt: skip
        await screen.ask("not_issued", ticket=ticket)
        asked = {"ticket": ticket, "reason": reason, "second": SECOND, "issued": False}
        await screen.refused("altered", "confirm_not_issued", code="0" * 16, **asked)
        await screen.ask("confirm_not_issued", code=row["code"], **asked)
        await screen.in_state(ticket, "surrendered")


async def test_a_slip_comes_out_when_the_printer_is_ready(served: Served, tmp_path: Path) -> None:
    """Also if the station was restarted meanwhile, and once."""
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.start()
        tickets = [await screen.sell_printed() for _ in range(2)]
        booth.trouble("paper-out", there=True)
        for ticket in tickets:
            await screen.ask("void", ticket=ticket, code=booth.code(ticket))
        await screen.until(lambda state: len(state["told"]) == 2)
        assert len(booth.up.acts.station.notes.open) == 2
    async with at_work(tmp_path / "booth", served) as (booth, screen):
        await screen.sign_in()
        await screen.until(lambda state: not state["printer"]["ok"])
        assert not [paper for paper in booth.papers() if "Void slip" in paper]
        booth.trouble("paper-out", there=False)
        await booth.dealt_with()
        assert len([paper for paper in booth.papers() if "Void slip" in paper]) == 2


async def test_a_queued_paper_can_be_taken_back_before_the_spool_runs(tmp_path: Path) -> None:
    spool = await open_spool(tmp_path / "spool", Printer(f"virtual:{tmp_path / 'paper'}"), int)
    job = await spool.submit(TICKETS["straight"])
    assert spool.queued == [job]
    gone = await spool.withdraw(job.number, "Nobody wants it.")
    assert (gone.state, gone.sent, spool.queued, spool.idle) == (
        PrintState.NOT_PRINTED,
        False,
        [],
        True,
    )
    with pytest.raises(ValueError, match="not queued"):
        await spool.withdraw(job.number, "Again.")
    await spool.submit(TICKETS["straight"])  # no byte of it ever left: it may still be printed
    await spool.close()
    spool = await open_spool(tmp_path / "spool", Printer(f"virtual:{tmp_path / 'paper'}"), int)
    assert [each.state for each in spool.jobs.values()] == [
        PrintState.NOT_PRINTED,
        PrintState.QUEUED,
    ]
    await spool.close()
