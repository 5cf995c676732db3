"""A house that sells as fast as it can until it is killed: the child of the kill tests.

    python -m tests.integration.crash.seller DATABASE LIFE CALLERS plain|mixed [SALES]

Standard output has one line for each request before it is made (`ask`) and one for each answer
(`ack`, `no` with the refusal, or `fault`), flushed. After SALES sales each, if given, all rest.
"""

import asyncio
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import msgspec

from keno.domain.errors import Fault, Refused
from keno.service import games
from keno.service.common import WriterContext
from keno.service.house import House
from keno.store import queries
from keno.store.rows import GameRow
from keno.store.transaction import Reads
from tests.houses import proof_of, verify
from tests.integration.crash.workload import SellerRequest, ask, booths, opened


def say(*words: str) -> None:
    print(*words, sep="\t", flush=True)


@dataclass
class Shop:
    """What the callers of one life share."""

    house: House
    life: str
    game: int = 1
    settled: int = 0
    """Up to here games can be paid."""
    to_pay: deque[tuple[int, int, str]] = field(default_factory=deque)
    """Printed tickets nobody has paid: game, number, code."""
    ids: "count[int]" = field(default_factory=count)

    async def ask(self, kind: str, booth: WriterContext, **details: int | str) -> str | None:
        """Make one request, saying so before and after; None if it was refused."""
        asked = SellerRequest(f"{self.life}.{next(self.ids)}", kind, booth, **details)  # type: ignore[arg-type]
        say("ask", msgspec.json.encode(asked).decode())
        try:
            answer = await ask(self.house, asked)
        except Refused as refused:
            say("no", asked.request_id, refused.reason)
            return None
        except Fault as fault:
            say("fault", asked.request_id, str(fault))
            if self.house.ledger.died.done():
                raise
            await asyncio.sleep(0.01)
            return None
        say("ack", asked.request_id, answer)
        return answer

    async def sell_only(self, booth: WriterContext, sales: int) -> None:
        for _ in range(sales):
            await self.ask("sell", booth, game=self.game)

    async def sell_print_void(self, booth: WriterContext, sales: int) -> None:
        for turn in range(sales):
            answer = await self.ask("sell", booth, game=self.game)
            if answer is None:
                continue
            sold = msgspec.json.decode(answer)
            number, code = sold["ticket"], sold["code"]
            await self.ask("print", booth, ticket=number)
            if turn % 4 == 3:
                await self.ask("void", booth, ticket=number, code=code)
            else:
                self.to_pay.append((sold["first_game"], number, code))

    async def pay(self, booth: WriterContext) -> None:
        """Redeem what is settled; every ticket here wins."""
        while True:
            if not self.to_pay or self.to_pay[0][0] > self.settled:
                await asyncio.sleep(0.001)
                continue
            _, number, code = self.to_pay.popleft()
            await self.ask("redeem", booth, ticket=number, code=code)

    async def conduct(self, booth: WriterContext) -> None:
        """Play one game after the other, from wherever the last life left it."""
        while True:
            locked = await self.house.ledger.read(_unsettled)
            if locked is None:
                await asyncio.sleep(0.02)
                await self.ask("lock", booth, game=self.game)
                continue
            drawn = proof_of(list(range(61, 81)))
            if locked.state == "locked":
                await games.close_book(self.house, "main", locked.game)
                await games.record_draw(self.house, "main", locked.game, drawn, verify)
            await games.show(self.house, "main", locked.game)
            await games.settle(self.house, "main", locked.game)
            self.game, self.settled = locked.game + 1, locked.game


def _unsettled(reads: Reads) -> GameRow | None:
    found = (game for game in _games(reads) if game.state in ("locked", "drawn"))
    return next(found, None)


def _settled(reads: Reads) -> int:
    return max((game.game for game in _games(reads) if game.state == "settled"), default=0)


def _games(reads: Reads) -> list[GameRow]:
    return queries.games_between(reads, "main", 1, 2**53)


def _unpaid(reads: Reads) -> list[tuple[int, int, str]]:
    rows = reads.rows(
        "SELECT first_game, number, code FROM tickets WHERE printed = 1 AND state = 'live'"
        " AND number NOT IN (SELECT ticket FROM endings) ORDER BY number"
    )
    return [(row["first_game"], row["number"], row["code"]) for row in rows]


async def live(database: Path, life: str, callers: int, workload: str, sales: int) -> None:
    async with opened(database, lambda: time.time_ns() // 1_000_000) as house:
        shop = Shop(house, life)
        game = await house.ledger.read(lambda reads: queries.open_game(reads, "main"))
        shop.game = 1 if game is None else game.game
        shop.settled = await house.ledger.read(_settled)
        stations = await booths(house)
        async with asyncio.TaskGroup() as group:
            work = shop.sell_only if workload == "plain" else shop.sell_print_void
            for caller in range(callers):
                group.create_task(work(stations[caller % len(stations)], sales))
            if workload == "mixed":
                shop.to_pay.extend(await house.ledger.read(_unpaid))
                group.create_task(shop.conduct(stations[0]))
                for booth in stations:
                    group.create_task(shop.pay(booth))
        say("rest")
        await asyncio.Event().wait()


if __name__ == "__main__":
    _, file, name, how_many, what, *limit = sys.argv
    asyncio.run(live(Path(file), name, int(how_many), what, int(limit[0]) if limit else 10**9))
