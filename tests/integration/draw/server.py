"""S as a process of its own: sells, locks and draws game after game until it is killed.

Says a line for whatever it has promised, after it is durable. Started again it goes on from its
ledger alone.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from keno import protocol
from keno.domain.errors import Fault
from keno.domain.roles import SYSTEM
from keno.draw import proofs
from keno.draw.coordinator import DrawCoordinator, over_socket, verifier
from keno.protocol import Second
from keno.service import games, sell
from keno.service.common import StaffContext, WriterContext
from keno.store import queries
from rng.canonical import decode_line
from rng.records import Signer, read_genesis
from rng.voiding import VoidRequest
from tests.drawing import WallClock
from tests.houses import Floor, reopened
from tests.rng_vector import SEEDS

T = TypeVar("T")
AGAIN_S = 0.02
VOID_EVERY = 4
"""Every so many games two people void one, each time after another step."""
VOID_AFTER = ("commit_w", "close", "countersign", "result")


def say(*words: object) -> None:
    print(*words, flush=True)


async def patiently(work: Callable[[], Awaitable[T]]) -> T:
    """Ask again until the one who is away is back."""
    while True:
        try:
            return await work()
        except Fault as fault:
            say("fault", fault)
            await asyncio.sleep(AGAIN_S)


async def play(floor: Floor, side: DrawCoordinator, booth: WriterContext) -> None:
    """Finish the game before, if it is not; then sell a ticket for the open one and lock it."""
    game = (await floor.open_game()).game
    if game > 1:
        await finish(floor, side, game - 1)
    sale = await floor.sale(booth, "1 2 3 4 5 6 7 8: 1/8@1.00 x2", request_id=f"sale {game}")
    sold = await sell.sell(floor.house, sale)
    say("sold", sold.ticket, sold.code, sold.commitment)
    commitment = await side.commit(game + 1)
    say("promised", game + 1, commitment)
    lock = games.LockOut(f"lock {game}", "main", game, commitment, SYSTEM)
    await games.lock_out(floor.house, lock)
    say("locked", game)


async def finish(floor: Floor, side: DrawCoordinator, game: int) -> None:
    """Draw a locked game, wherever it stopped."""
    row = await floor.ledger.read(lambda reads: queries.game(reads, "main", game))
    if row is None or row.state in ("settled", "void"):
        return
    if game % VOID_EVERY == 0:
        await end_by_void(floor, side, game)
        return
    house = floor.house
    if row.state == "locked":
        await games.close_book(house, "main", game)
        close = await side.close(game)
        say("closed", game, close.digest)
        proof = await side.draw(game)
        await games.record_draw(house, "main", game, proof, verifier(side.genesis))
    await games.show(house, "main", game)
    row = await floor.ledger.read(lambda reads: queries.game(reads, "main", game))
    assert row is not None
    say("shown", game, row.numbers)
    await games.settle(house, "main", game)


async def end_by_void(floor: Floor, side: DrawCoordinator, game: int) -> None:
    """Two people order a void; asked again, their order is the same to the byte."""
    await games.close_book(floor.house, "main", game)
    after = game // VOID_EVERY % len(VOID_AFTER)
    made = await side._made(game)  # noqa: SLF001
    for step in VOID_AFTER[1 : after + 1]:
        if step == "close":
            made["close"] = await side.close(game)
        elif step not in made and "void" not in made:
            await side._step(game, step, made)  # noqa: SLF001
    order = made.get("void")
    if order is None:
        wanted = proofs.void_request(game)
        (line,) = await floor.ledger.read(lambda reads: list(wanted(reads, "main")))
        request = VoidRequest.read(line)
        people = (Signer(SEEDS[part]) for part in ("inspector", "supervisor"))
        order = request.order("smoke in the room", made["commit_w"]["time_ms"], *people)
    await side.void(game, order)
    reason = str(order["reason"])
    by = StaffContext("S1", "I1")
    declared = protocol.DeclareVoid(f"void {game}", "main", game, reason, Second("I1", ""), {})
    await games.declare_void(floor.house, by, declared)
    say("voided", game, order.digest)


async def serve(folder: Path, socket_r: str, socket_w: str) -> None:
    """Open the ledger and play until the process ends."""
    seed: Any = decode_line((folder / "server.key").read_bytes())
    genesis = read_genesis(decode_line((folder / "genesis").read_bytes()))
    async with reopened(folder / "ledger.db", WallClock()) as floor:
        signer = Signer(bytes.fromhex(seed["seed"]))
        side = DrawCoordinator(
            floor.ledger, genesis, signer, over_socket(socket_r), over_socket(socket_w)
        )
        await patiently(side.begin)
        booth = await floor.booth()
        say("begun")
        while True:
            await patiently(partial(play, floor, side, booth))


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), sys.argv[2], sys.argv[3]))
