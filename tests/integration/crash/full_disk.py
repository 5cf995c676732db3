"""A house whose disk runs full and gets space again, all in one process: child of the disk tests.

    python -m tests.integration.crash.full_disk FOLDER remount|ballast|limit

Standard output has one line of JSON: what happened in each act, and what is wrong with the books.
"""

import asyncio
import json
import os
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Awaitable, Iterable
from pathlib import Path

from keno import protocol
from keno.domain.errors import Fault, Refused
from keno.domain.roles import SYSTEM
from keno.protocol import Sold
from keno.service import games, payouts, tickets
from keno.service.common import WriterContext
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from tests.houses import Floor, new_floor
from tests.integration.crash.witness import complaints, rows
from tests.integration.crash.workload import many_sales

ONE_SPOT = "1: 1/1@1.00"
FIRST_TWENTY = list(range(1, 21))


class Space:
    """The space on the disk, and how it is taken away and given back."""

    def __init__(self, folder: Path, way: str) -> None:
        self.folder = folder
        self.way = way
        self.ballast = folder / "ballast"

    def fill(self) -> None:
        if self.way == "limit":
            # SIGXFSZ is ignored by Python, so a write beyond the limit is an error like another.
            size = max(file.stat().st_size for file in self.folder.iterdir())
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
            return
        free = os.statvfs(self.folder).f_bavail
        self.ballast.write_bytes(bytes(os.statvfs(self.folder).f_frsize) * free)
        assert os.statvfs(self.folder).f_bavail == 0

    def free(self) -> None:
        if self.way == "limit":
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        elif self.way == "remount":
            subprocess.run(["mount", "-o", "remount,size=64m", str(self.folder)], check=True)
        else:
            self.ballast.unlink()


async def outcomes(asked: Iterable[Awaitable[object]]) -> Counter[str]:
    """How often each kind of answer came."""
    answers = await asyncio.gather(*asked, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, Refused | Fault):
            raise answer
    return Counter(type(answer).__name__ for answer in answers)


async def until_full(floor: Floor, sales: list[Sale]) -> dict[str, int]:
    """Sell one by one until it is refused for want of space; what was acknowledged."""
    sold: dict[str, int] = {}
    for sale in sales:
        try:
            sold[sale.request_id] = (await sell_ticket(floor.house, sale)).ticket
        except Fault:
            return sold
    raise AssertionError("the disk never ran full")


def everything(
    floor: Floor, booth: WriterContext, winner: Sold, live: Sold
) -> list[Awaitable[object]]:
    """A payout, a void, a lock-out, in this order."""
    payment = protocol.Payment(3_00)
    return [
        payouts.redeem(
            floor.house, booth, protocol.Redeem("redeem", winner.ticket, winner.code, payment)
        ),
        tickets.void(floor.house, booth, protocol.Void("void", live.ticket, live.code)),
        games.lock_out(floor.house, games.LockOut("lock", "main", 2, "commitment 3", SYSTEM)),
    ]


async def story(folder: Path, way: str) -> dict[str, object]:
    space = Space(folder, way)
    async with new_floor(folder) as floor:
        booth = await floor.booth()
        winner = await floor.sell(booth, ONE_SPOT)
        await floor.play(FIRST_TWENTY)
        live = await floor.sell(booth, ONE_SPOT)
        one_by_one = await many_sales(floor, booth, ONE_SPOT, 2_000)
        at_once = await many_sales(floor, booth, ONE_SPOT, 50)

        space.fill()
        sold = await until_full(floor, one_by_one)
        full = await outcomes(sell_ticket(floor.house, sale) for sale in at_once)
        full_commands = [await outcomes([one]) for one in everything(floor, booth, winner, live)]
        seen = await floor.ledger.read(lambda reads: reads.value("SELECT count(*) FROM tickets"))
        kept = {
            row["request_id"]: row["number"]
            for row in rows(floor.path, "SELECT request_id, number FROM tickets")
        }

        space.free()
        again = await outcomes(sell_ticket(floor.house, sale) for sale in at_once)
        again += await outcomes(sell_ticket(floor.house, sale) for sale in at_once)
        commands = [await outcomes([one]) for one in everything(floor, booth, winner, live)]
        await floor.draw(2)
        return {
            "sold": len(sold),
            "lost": len(sold.items() - kept.items()),
            "full": full,
            "full_commands": full_commands,
            "seen": seen == len(kept) == len(sold) + 2,
            "again": again,
            "commands": commands,
            "died": floor.ledger.died.done(),
            "complaints": complaints(floor.path),
        }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(story(Path(sys.argv[1]), sys.argv[2]))))
