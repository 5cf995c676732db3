"""Runs the witness W as a process with socket, clock and printer; reads its journal for people."""

import asyncio
import signal
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

from rng.asking import Halted, Question, Rejected, answer_line
from rng.ceremony import new_seed_file, read_genesis_file, read_seed_file
from rng.console import Stopped
from rng.draw import system_entropy
from rng.journal import Corrupt, Entry, NotDurable, read_entries
from rng.paper import Paper, Wording, paper_at
from rng.serving import EXIT_HALTED, EXIT_NOT_DURABLE, keep_memory_to_itself, listen, say
from rng.witness import Witness

JOURNAL = "witness.journal"
KEY = "witness.key"
MARK = "printed"
"""Names of W's files in its folder: journal, key, and count of entries printed."""
TICK_S = 1.0
"""Seconds between two checks for overdue results."""


def clock_ms() -> int:
    """Return the time of W's machine in milliseconds since 1970, UTC."""
    return time.time_ns() // 1_000_000


def new_key(folder: Path) -> str:
    """Make W's folder and its key file; return the public key."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return new_seed_file("W", folder / KEY)


def run(folder: Path, address: str | None, printer: str | None, geneses: Sequence[Path]) -> int:
    """Run the witness until a signal; return the exit code: 0, or that of a halt or a failed disk.

    The genesis files are stored first. Without an address or a printer, files in W's folder are
    used.
    """
    try:
        _run(folder.resolve(), address, printer, geneses)
    except NotDurable as error:
        say(f"ALARM: {error}. The witness ends; nothing was answered.")
        return EXIT_NOT_DURABLE
    except (Halted, Corrupt) as error:
        say(f"ALARM: HALTED: {error}")
        return EXIT_HALTED
    return 0


def _run(folder: Path, address: str | None, printer: str | None, geneses: Sequence[Path]) -> None:
    keep_memory_to_itself()
    signer = read_seed_file(folder / KEY, "W")
    write = paper_at(printer or f"file:{folder / 'journal.txt'}")
    witness = Witness(folder / JOURNAL, signer, system_entropy, clock_ms)
    for file in geneses:
        message = read_genesis_file(file)
        try:
            witness.ask(Question("genesis", message.digest, 0, [message]))
        except Rejected as refusal:
            raise Stopped(f"{file} is not taken: {refusal}") from None
    paper = Paper(write, folder / MARK, witness.alarm)
    paper.load(witness.entries())
    witness.listen(paper.take)
    witness.listen(_say_alarms)
    asyncio.run(_serve(witness, paper, address or f"unix:{folder / 'witness.socket'}"))
    witness.close()


def _say_alarms(entry: Entry) -> None:
    if entry["kind"] == "alarm":
        say(f"ALARM: {entry['text']}")


async def _serve(witness: Witness, paper: Paper, address: str) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    server = await listen(address, lambda line: answer_line(line, witness.ask))
    say(f"The witness listens at {address}.")
    tasks = [
        asyncio.create_task(paper.run()),
        asyncio.create_task(_watch_the_clock(witness)),
        asyncio.create_task(stopping.wait()),
    ]
    done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    server.close()
    for task in others:
        task.cancel()
    for task in done:
        task.result()


async def _watch_the_clock(witness: Witness) -> None:
    while True:
        witness.look_at_the_clock()
        await asyncio.sleep(TICK_S)


def journal_lines(folder: Path, day: date | None) -> Iterator[str]:
    """Yield the printed lines of one day (UTC) from W's journal; None yields those of all days."""
    wording = Wording()
    for entry in read_entries(folder / JOURNAL):
        lines = wording.lines(entry)
        if lines and (day is None or _day_of(lines[0]) == day):
            yield from lines


def _day_of(line: str) -> date:
    return datetime.strptime(line[:10], "%Y-%m-%d").replace(tzinfo=UTC).date()
