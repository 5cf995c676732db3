"""A station that prints so many tickets and is killed meanwhile: python -m … SPOOL ADDRESS COUNT

It does what a station does after a crash: what is unknown is printed again as a marked copy.
"""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from printer.spool import Spool, open_spool
from printer.transport import Printer, PrintState, Timeouts
from tests.unit.printer.papers import STRAIGHT, ticket


async def missing(spool: Spool, count: int) -> list[tuple[int, int]]:
    """Tickets that are not known to be on paper or on their way, and which copy to print now."""
    wanted = []
    for number in range(1, count + 1):
        jobs = [job for job in spool.jobs.values() if job.key == f"ticket A-{number}"]
        if not any(job.state in (PrintState.PRINTED, PrintState.QUEUED) for job in jobs):
            sent = [job.copy for job in jobs if job.sent]
            wanted.append((number, max(sent) + 1 if sent else 0))
    return wanted


async def main(path: str, address: str, count: int) -> None:
    timeouts = Timeouts(answer_s=2.0, job_s=5.0)
    spool = await open_spool(Path(path), Printer(address, timeouts), lambda: 1)
    running = asyncio.create_task(spool.run())
    while wanted := await missing(spool, count):
        jobs = [
            await spool.submit(replace(ticket(STRAIGHT, number=number), copy=copy))
            for number, copy in wanted
        ]
        for job in jobs:
            await spool.outcome(job.number)
            print(job.key, spool.jobs[job.number].state, flush=True)
    for job in list(spool.jobs.values()):
        await spool.outcome(job.number)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await spool.close()
    print("done", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
