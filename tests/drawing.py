"""A test house that draws with the real generator and witness, each a process of its own."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from keno.domain.roles import SYSTEM
from keno.draw.coordinator import DrawCoordinator, over_socket, verifier
from keno.service import games
from keno.service.common import require_game
from keno.service.signed_numbers import drawn_numbers
from tests.houses import Clock, Floor, new_floor, open_first, reopened
from tests.rng_processes import Processes


@dataclass
class DrawingHouse:
    """A test house whose games are drawn by R and W."""

    floor: Floor
    side: DrawCoordinator

    async def lock(self) -> int:
        """Commit to the next game, lock the open one out, and return its number."""
        game = await self.floor.open_game()
        commitment = await self.side.commit(game.game + 1)
        command = games.LockOut(self.floor.id(), "main", game.game, commitment, SYSTEM)
        await games.lock_out(self.floor.house, command)
        await games.close_book(self.floor.house, "main", game.game)
        return game.game

    async def finish(self, game: int) -> list[int]:
        """Draw a locked game, record, show and settle it, and return its numbers."""
        proof = await self.side.draw(game)
        house = self.floor.house
        await games.record_draw(house, "main", game, proof, verifier(self.side.genesis))
        await games.show(house, "main", game)
        await games.settle(house, "main", game)
        row = await self.floor.ledger.read(lambda reads: require_game(reads, "main", game))
        return drawn_numbers(row)

    async def play(self) -> list[int]:
        return await self.finish(await self.lock())


def side_of(floor: Floor, processes: Processes) -> DrawCoordinator:
    return DrawCoordinator(
        floor.ledger,
        processes.house.genesis,
        processes.keys.signers["S"],
        over_socket(str(processes.socket_r)),
        over_socket(str(processes.socket_w)),
    )


class WallClock(Clock):
    """The real time, because W uses its own clock."""

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000


@asynccontextmanager
async def drawing_house(folder: Path, processes: Processes) -> AsyncIterator[DrawingHouse]:
    """Open a new house whose first game R and W have committed to."""
    async with new_floor(
        folder, clock=WallClock(), site="example-casino", first_game=False
    ) as floor:
        side = side_of(floor, processes)
        await side.begin()
        await open_first(floor, await side.commit(1))
        yield DrawingHouse(floor, side)


@asynccontextmanager
async def drawing_again(path: Path, processes: Processes) -> AsyncIterator[DrawingHouse]:
    """Open an existing house again, as after a restart."""
    async with reopened(path, WallClock()) as floor:
        side = side_of(floor, processes)
        await side.begin()
        yield DrawingHouse(floor, side)
