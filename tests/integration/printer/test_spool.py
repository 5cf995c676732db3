"""The spool on a real disk: killed at any moment, torn, damaged, opened twice, grown too large."""

import asyncio
import os
import re
import signal
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from printer import journal
from printer.journal import Journal, SpoolDamaged, SpoolInUse
from printer.spool import AlreadySent, Spool, open_spool
from printer.transport import Printer, PrintState, Timeouts
from tests.counts import soaking
from tests.full_disk import file_size_limit
from tests.integration.printer.simulator import Simulator, simulator
from tests.unit.printer.papers import STRAIGHT, TICKETS, ticket

TICKET = TICKETS["straight"]
COUNT = 12


PATIENT = Timeouts(connect_s=60, answer_s=60, job_s=120, grace_s=30)
"""No test here is about a slow printer, and the machine may be busy."""


async def opened(path: Path, folder: Path) -> Spool:
    return await open_spool(path, Printer(f"virtual:{folder}", PATIENT), lambda: 1)


async def start(spool: Path, simulated: Simulator) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.integration.printer.spooler", str(spool),
        simulated.address, str(COUNT), stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip


async def test_a_killed_station_prints_every_ticket_and_none_twice_unmarked(tmp_path: Path) -> None:
    """SIGKILL after ever more papers; whatever was in doubt comes out as a marked copy."""
    async with asyncio.timeout(300), simulator(tmp_path / "paper") as simulated:
        for papers in range(0, 2 * COUNT if soaking() else COUNT, 2):
            process = await start(tmp_path / "spool", simulated)
            await wait_for_papers(simulated, papers, process)
            if process.returncode is None:
                os.kill(process.pid, signal.SIGKILL)
            await process.communicate()
        process = await start(tmp_path / "spool", simulated)
        said, _ = await process.communicate()
        assert said.decode().endswith("done\n")
        texts = [file.read_text() for file in (tmp_path / "paper").glob("*.txt")]
    numbers: Counter[int] = Counter()
    unmarked: Counter[int] = Counter()
    for text in texts:
        for number in map(int, re.findall(r"Key A-(\d+) code", text)):
            numbers[number] += 1
            unmarked[number] += "REPRINT" not in text
    assert set(numbers) == set(range(1, COUNT + 1))
    assert max(unmarked.values()) == 1


async def wait_for_papers(
    simulated: Simulator, more: int, process: asyncio.subprocess.Process
) -> None:
    """Until a few papers more are out and some bytes of the next have come."""
    wanted = simulated.device.papers + more % 3
    moved = len(simulated.received) + 5_000 * more
    while process.returncode is None:
        if simulated.device.papers >= wanted and len(simulated.received) >= moved:
            return
        await asyncio.sleep(0.002)


async def test_what_was_queued_is_printed_after_a_restart(tmp_path: Path) -> None:
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    jobs = [await spool.submit(ticket(STRAIGHT, number=number)) for number in (1, 2, 3)]
    await spool.close()
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    assert [job.state for job in spool.jobs.values()] == [PrintState.QUEUED] * 3
    running = asyncio.create_task(spool.run())
    assert {(await spool.outcome(job.number)).state for job in jobs} == {PrintState.PRINTED}
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await spool.close()
    assert len(list((tmp_path / "paper").glob("*.png"))) == 3


async def test_what_was_sent_is_unknown_after_a_restart_and_never_sent_again(
    tmp_path: Path,
) -> None:
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    job = await spool.submit(TICKET)
    record = {"job": job.number, "key": job.key, "copy": 0, "state": "sent", "reason": "",
              "ms": 1, "sent": True}  # fmt: skip
    spool.journal.append(record)
    await spool.close()
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    assert [job.number for job in spool.unknown] == [job.number]
    with pytest.raises(AlreadySent):
        await spool.submit(TICKET)
    resolved = await spool.resolve(job.number, printed=False, by="W1")
    assert (resolved.state, resolved.reason) == (PrintState.NOT_PRINTED, "W1 looked.")
    with pytest.raises(AlreadySent):  # somebody's word does not make it unsent
        await spool.submit(TICKET)
    await spool.submit(replace(TICKET, copy=1))
    await spool.close()
    assert not list((tmp_path / "paper").glob("*.png"))


async def test_the_same_paper_is_not_queued_twice(tmp_path: Path) -> None:
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    await spool.submit(TICKET)
    with pytest.raises(AlreadySent):
        await spool.submit(TICKET)
    await spool.close()


async def test_a_torn_end_never_happened_wherever_it_tore(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    spool = await opened(path, tmp_path / "paper")
    await spool.submit(ticket(STRAIGHT, number=1))
    whole = path.read_bytes()
    await spool.submit(ticket(STRAIGHT, number=2))
    await spool.close()
    both = path.read_bytes()
    for length in (len(whole) + 1, len(whole) + 9, len(whole) + 500, len(both) - 1):
        path.write_bytes(both[:length])
        spool = await opened(path, tmp_path / "paper")
        assert [job.key for job in spool.jobs.values()] == ["ticket A-1"]
        await spool.close()
        assert path.read_bytes() == whole


async def test_damage_before_the_end_stops_everything(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    spool = await opened(path, tmp_path / "paper")
    await spool.submit(ticket(STRAIGHT, number=1))
    await spool.submit(ticket(STRAIGHT, number=2))
    await spool.close()
    content = bytearray(path.read_bytes())
    content[50] ^= 1
    path.write_bytes(content)
    with pytest.raises(SpoolDamaged):
        await opened(path, tmp_path / "paper")
    assert path.read_bytes() == content


async def test_one_process_at_a_time(tmp_path: Path) -> None:
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    with pytest.raises(SpoolInUse):
        await opened(tmp_path / "spool", tmp_path / "paper")
    await spool.close()
    await (await opened(tmp_path / "spool", tmp_path / "paper")).close()


async def test_a_large_file_is_shortened_and_forgets_nothing_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "spool"
    spool = await opened(path, tmp_path / "paper")
    running = asyncio.create_task(spool.run())
    for number in (1, 2, 3):
        await spool.outcome((await spool.submit(ticket(STRAIGHT, number=number))).number)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await spool.submit(ticket(STRAIGHT, number=4))
    await spool.close()
    before = path.stat().st_size
    monkeypatch.setattr(journal, "COMPACT_BYTES", 1_000)
    spool = await opened(path, tmp_path / "paper")
    await spool.submit(ticket(STRAIGHT, number=5))
    await spool.close()
    assert path.stat().st_size < before
    spool = await opened(path, tmp_path / "paper")
    states = [job.state for job in spool.jobs.values()]
    assert states == [PrintState.PRINTED] * 3 + [PrintState.QUEUED] * 2
    with pytest.raises(AlreadySent):
        await spool.submit(ticket(STRAIGHT, number=2))
    await spool.close()


def test_a_folder_that_cannot_be_written_lets_go_of_the_lock(tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    with pytest.raises(IsADirectoryError):
        Journal(tmp_path / "spool")


async def test_a_full_disk_leaves_no_half_line_behind(tmp_path: Path) -> None:
    path = tmp_path / "spool"
    spool = await opened(path, tmp_path / "paper")
    await spool.submit(ticket(STRAIGHT, number=1))
    before = path.read_bytes()
    with file_size_limit(len(before) + 300), pytest.raises(OSError, match="File too large"):
        await spool.submit(ticket(STRAIGHT, number=2))
    assert path.read_bytes() == before
    await spool.submit(ticket(STRAIGHT, number=2))
    await spool.close()
    spool = await opened(path, tmp_path / "paper")
    assert [job.key for job in spool.jobs.values()] == ["ticket A-1", "ticket A-2"]
    await spool.close()


async def test_every_state_is_on_the_disk_before_it_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A power failure cannot be tested here; that the disk is told to keep each line can."""
    spool = await opened(tmp_path / "spool", tmp_path / "paper")
    synced: list[int] = []
    fsync = os.fsync

    def counted(fd: int) -> None:
        fsync(fd)
        synced.append((tmp_path / "spool").read_bytes().count(b"\n"))

    monkeypatch.setattr("printer.journal.os.fsync", counted)
    job = await spool.submit(TICKET)
    assert synced == [1]
    running = asyncio.create_task(spool.run())
    await spool.outcome(job.number)
    assert synced == [1, 2, 3]  # queued, sent, printed
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await spool.close()
