"""A printer that fails in every way it can, over TCP: each job ends as printed, not printed or
unknown, as it should, and no ticket is printed twice unmarked.
"""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from printer.documents import TicketPaper
from printer.escpos import CLEAR_BUFFER, IN_DOUBT
from printer.png import read_png
from printer.spool import AlreadySent, Spool, open_spool
from printer.transport import Outcome, Printer, PrintState, Timeouts
from tests.integration.printer.simulator import Simulator, simulator
from tests.unit.printer.papers import KING, MARKED, TICKETS, ticket

QUICK = Timeouts(connect_s=2.0, answer_s=0.5, job_s=0.5, grace_s=0.2, bytes_a_second=1e9)
PATIENT = replace(QUICK, answer_s=20.0, job_s=20.0)
"""For a printer that answers, on a machine that is busy; the grace stays short."""
TICKET = TICKETS["king"]
STATUS_BYTES = 12
"""What is asked before the first byte of a job."""


@pytest.fixture
async def booth(tmp_path: Path) -> AsyncIterator[tuple[Simulator, Spool]]:
    """A simulated printer and a running spool."""
    async with simulator(tmp_path / "paper") as simulated:
        printer = Printer(simulated.address, PATIENT)
        spool = await open_spool(tmp_path / "spool", printer, lambda: 1)
        running = asyncio.create_task(spool.run())
        yield simulated, spool
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await spool.close()


async def print_ticket(spool: Spool, paper: TicketPaper = TICKET) -> Outcome:
    async with asyncio.timeout(20):
        return await spool.outcome((await spool.submit(paper)).number)


def papers(simulated: Simulator) -> list[str]:
    return [file.read_text() for file in sorted(simulated.device.folder.glob("*.txt"))]


def unmarked(simulated: Simulator) -> int:
    """How many whole papers came out without REPRINT."""
    return sum(
        "Key A-" in text and "REPRINT" not in text and IN_DOUBT not in text
        for text in papers(simulated)
    )


async def reaches(spool: Spool, number: int, state: PrintState) -> None:
    async with asyncio.timeout(10):
        while spool.jobs[number].state is not state:  # noqa: ASYNC110 states are not announced
            await asyncio.sleep(0.001)


Booth = tuple[Simulator, Spool]


async def test_a_good_printer_confirms(booth: Booth) -> None:
    simulated, spool = booth
    assert await print_ticket(spool) == Outcome(PrintState.PRINTED, "The printer confirmed it.")
    assert len(papers(simulated)) == 1
    assert await print_ticket(spool, MARKED["reprint"]) == Outcome(
        PrintState.PRINTED, "The printer confirmed it."
    )
    assert simulated.connections == 1


async def test_paper_out_before_is_not_printed_and_may_be_printed_later(booth: Booth) -> None:
    simulated, spool = booth
    simulated.device.trouble("paper-out", there=True)
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.NOT_PRINTED
    assert "The paper is out: put in a new roll." in outcome.reason
    simulated.device.load()
    assert (await print_ticket(spool)).state is PrintState.PRINTED
    assert unmarked(simulated) == 1


async def test_paper_out_during_is_unknown_and_nothing_follows_on_the_new_roll(
    booth: Booth,
) -> None:
    simulated, spool = booth
    simulated.device.load(600)
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.UNKNOWN
    assert "The paper is out" in outcome.reason
    assert "was cleared" in outcome.reason
    assert simulated.device.uncut == 600
    simulated.device.load()
    await asyncio.sleep(0.1)
    assert simulated.device.uncut == 600
    assert papers(simulated) == []
    with pytest.raises(AlreadySent):
        await spool.submit(TICKET)
    assert (await print_ticket(spool, replace(TICKET, copy=1))).state is PrintState.PRINTED
    assert unmarked(simulated) == 0
    torn, whole = papers(simulated)
    assert torn.endswith(IN_DOUBT + "\n")
    assert "Key A-" not in torn
    assert whole.count("Key A-") == 1


async def test_paper_out_after_is_printed(booth: Booth) -> None:
    simulated, spool = booth
    await print_ticket(spool, replace(TICKET, number=1))
    [first] = simulated.device.folder.glob("*.png")
    length = len(read_png(first.read_bytes()))
    simulated.device.load(length + 50)  # long enough for one more
    assert (await print_ticket(spool)).state is PrintState.PRINTED
    assert (await spool.printer.status()).paper_low
    simulated.device.trouble("paper-out", there=True)
    outcome = await print_ticket(spool, replace(TICKET, number=2))
    assert outcome.state is PrintState.NOT_PRINTED
    assert len(papers(simulated)) == 2


@pytest.mark.parametrize(
    ("trouble", "words"),
    [("cover-open", "The cover is open"), ("cutter-jammed", "The cutter is jammed")],
)
async def test_cover_and_cutter_before_and_during(booth: Booth, trouble: str, words: str) -> None:
    simulated, spool = booth
    simulated.device.trouble(trouble, there=True)
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.NOT_PRINTED
    assert words in outcome.reason
    simulated.device.trouble(trouble, there=False)
    simulated.trouble_after = (20_000, trouble)
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.UNKNOWN
    assert words in outcome.reason
    simulated.device.trouble(trouble, there=False)
    assert papers(simulated) == []


@pytest.mark.parametrize("after", [STATUS_BYTES, 200, 20_000, 60_000])
async def test_a_line_cut_in_the_middle_is_unknown(booth: Booth, after: int) -> None:
    simulated, spool = booth
    await print_ticket(spool, replace(TICKET, number=1))
    simulated.cut_after = len(simulated.received) + after
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.UNKNOWN
    assert "The line to the printer broke" in outcome.reason
    assert "was cleared" in outcome.reason  # on a line of its own
    assert bytes(simulated.received).count(CLEAR_BUFFER) == 1
    assert len(papers(simulated)) == 1
    assert (await print_ticket(spool, replace(TICKET, copy=1))).state is PrintState.PRINTED
    assert unmarked(simulated) == 1  # ticket 1


@pytest.mark.parametrize("after", [200, 40_000])
async def test_a_power_cycle_in_the_middle_is_unknown(booth: Booth, after: int) -> None:
    simulated, spool = booth
    simulated.power_cycle_after = after
    assert (await print_ticket(spool)).state is PrintState.UNKNOWN
    assert (await print_ticket(spool, replace(TICKET, copy=1))).state is PrintState.PRINTED
    assert unmarked(simulated) == 0


async def test_a_power_cycle_between_jobs_costs_a_new_line_only(booth: Booth) -> None:
    simulated, spool = booth
    await print_ticket(spool)
    simulated.device.power_cycle()
    simulated.cut_after = 0
    outcome = await print_ticket(spool, replace(TICKET, number=2))
    assert outcome.state is PrintState.NOT_PRINTED  # the line broke before a byte of it left
    assert (await print_ticket(spool, replace(TICKET, number=2))).state is PrintState.PRINTED
    assert len(papers(simulated)) == 2


async def test_an_answer_past_the_timeout_is_unknown_until_it_comes(booth: Booth) -> None:
    simulated, spool = booth
    await print_ticket(spool, replace(TICKET, number=1))
    spool.printer.timeouts = QUICK
    simulated.confirms_late_s = 2.0
    job = await spool.submit(TICKET)
    outcome = await spool.outcome(job.number)
    assert outcome.state is PrintState.UNKNOWN
    assert "did not confirm it in time" in outcome.reason
    await reaches(spool, job.number, PrintState.PRINTED)
    assert spool.jobs[job.number].reason == "The printer confirmed it late."
    with pytest.raises(AlreadySent):
        await spool.submit(TICKET)


async def test_a_printer_that_says_nothing_is_a_fault(booth: Booth) -> None:
    simulated, spool = booth
    spool.printer.timeouts = QUICK
    simulated.mute = True
    outcome = await print_ticket(spool)
    assert outcome == Outcome(PrintState.NOT_PRINTED, "The printer does not answer.")
    assert papers(simulated) == []


async def test_a_printer_that_falls_silent_is_unknown(booth: Booth) -> None:
    simulated, spool = booth
    spool.printer.timeouts = QUICK
    simulated.confirms = False
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.UNKNOWN
    job = spool.unknown[0]
    assert (await spool.resolve(job.number, printed=True, by="W1")).state is PrintState.PRINTED
    with pytest.raises(ValueError, match="not unknown"):
        await spool.resolve(job.number, printed=False, by="W1")


async def test_nobody_there_and_somebody_who_hangs_up(booth: Booth, tmp_path: Path) -> None:
    simulated, spool = booth
    simulated.refuses = True
    assert (await print_ticket(spool)).state is PrintState.NOT_PRINTED
    simulated.refuses = False
    assert (await print_ticket(spool)).state is PrintState.PRINTED
    nobody = Printer("tcp://127.0.0.1:9", QUICK)
    other = await open_spool(tmp_path / "other", nobody, lambda: 1)
    running = asyncio.create_task(other.run())
    outcome = await print_ticket(other)
    assert outcome.state is PrintState.NOT_PRINTED
    assert "Connection refused" in outcome.reason
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await other.close()


async def test_a_printer_without_gs_h_is_asked_by_gs_r(tmp_path: Path) -> None:
    async with simulator(tmp_path / "paper") as simulated:
        simulated.confirms = False
        printer = Printer(simulated.address + "?confirm=received", QUICK)
        spool = await open_spool(tmp_path / "spool", printer, lambda: 1)
        running = asyncio.create_task(spool.run())
        assert (await print_ticket(spool)).state is PrintState.PRINTED
        simulated.device.load(600)
        assert (await print_ticket(spool, replace(TICKET, number=2))).state is PrintState.UNKNOWN
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await spool.close()


async def test_jobs_come_out_in_the_order_they_were_given(booth: Booth) -> None:
    simulated, spool = booth
    jobs = [await spool.submit(ticket(KING, number=number)) for number in range(1, 13)]
    outcomes = [await spool.outcome(job.number) for job in jobs]
    assert {outcome.state for outcome in outcomes} == {PrintState.PRINTED}
    found = [text.split("Key A-")[1].split(" code")[0] for text in papers(simulated)]
    assert found == [str(number) for number in range(1, 13)]


async def test_a_feed_button_held_for_a_moment_is_no_doubt(booth: Booth) -> None:
    simulated, spool = booth
    simulated.says_first = b"\x58\x00\x00\x0f\x10\x00\x00\x0f"  # offline, then ready
    simulated.confirms_late_s = 0.4  # after the grace
    assert (await print_ticket(spool)).state is PrintState.PRINTED


async def test_half_a_paper_on_each_of_two_rolls_is_not_printed_in_silence(booth: Booth) -> None:
    simulated, spool = booth
    simulated.says_first = b"\x18\x00\x0c\x0f\x10\x00\x00\x0f"  # paper out, a new roll at once
    simulated.confirms_late_s = 0.4
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.UNKNOWN
    assert "The paper is out" in outcome.reason
    await asyncio.sleep(0.5)  # the answer came meanwhile, and says nothing about two halves
    assert [job.state for job in spool.unknown] == [PrintState.UNKNOWN]


async def test_a_confirmation_after_it_went_on_leaves_the_question(booth: Booth) -> None:
    simulated, spool = booth
    simulated.says_first = b"\x18\x00\x0c\x0f\x10\x00\x00\x0f"
    simulated.confirms_late_s = 0.1  # within the grace
    outcome = await print_ticket(spool)
    assert outcome.state is PrintState.UNKNOWN
    assert outcome.reason.endswith("Then it went on: is the paper whole?")


async def test_paper_out_while_the_answer_is_on_its_way_is_printed(booth: Booth) -> None:
    simulated, spool = booth
    simulated.says_first = b"\x18\x00\x0c\x0f"
    simulated.confirms_late_s = 0.1
    assert (await print_ticket(spool)).state is PrintState.PRINTED
