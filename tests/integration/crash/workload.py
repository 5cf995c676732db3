"""What the process that gets killed asks of the ledger, and how anybody asks the same again.

Child and parent make the same command of the same `SellerRequest`. So the parent can repeat a
request whose answer died with the child, as a station would after a power cut.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from keno import protocol
from keno.domain.roles import SYSTEM
from keno.domain.shift import Tender
from keno.domain.states import TenderKind
from keno.domain.wager import EveryWay, KenoRequest
from keno.protocol import PaperOrigin
from keno.service import games, payouts, people, tickets
from keno.service.common import WriterContext
from keno.service.house import House
from keno.service.sale import Sale
from keno.service.sell import sell as sell_ticket
from keno.store.ledger import Clock, Ledger
from keno.store.transaction import Reads
from tests.houses import CODE_KEY, Floor, new_floor

WINNING = 61
"""`Floor.draw` draws 61 to 80, so this one-spot always pays."""
WAGER_CENTS = 1_00
AWARD_CENTS = 3_00
STATIONS = {"1": "W1", "2": "W2", "3": "W3"}


@dataclass(frozen=True, slots=True)
class SellerRequest:
    """One request as one line."""

    request_id: str
    kind: str
    booth: WriterContext
    game: int = 0
    ticket: int = 0
    code: str = ""


async def ask(house: House, asked: SellerRequest) -> str:
    """Carry a request out, or get its first answer again; the answer as text."""
    answer: object
    if asked.kind == "sell":
        answer = await sell_ticket(house, _sale(asked))
    elif asked.kind == "print":
        by = asked.booth
        confirm = protocol.ConfirmPrint(asked.request_id, asked.ticket)
        answer = await tickets.confirm_print(house, by, confirm)
    elif asked.kind == "void":
        by = asked.booth
        void = protocol.Void(asked.request_id, asked.ticket, asked.code)
        answer = await tickets.void(house, by, void)
    elif asked.kind == "redeem":
        payment = protocol.Payment(AWARD_CENTS)
        redeem = protocol.Redeem(asked.request_id, asked.ticket, asked.code, payment)
        answer = await payouts.redeem(house, asked.booth, redeem)
    elif asked.kind == "lock":
        following = f"commitment {asked.game + 1}"
        lock = games.LockOut(asked.request_id, "main", asked.game, following, SYSTEM)
        answer = await games.lock_out(house, lock)
    else:
        raise ValueError(f"nobody asks for {asked.kind}")
    return msgspec.json.encode(answer).decode()


def _sale(asked: SellerRequest) -> Sale:
    line = EveryWay(1, 1, "regular", WAGER_CENTS)
    return Sale(
        request_id=asked.request_id,
        booth=asked.booth,
        first_game=asked.game,
        card="1",
        price_cents=WAGER_CENTS,
        origin=PaperOrigin(),
        request=KenoRequest(((WINNING,),), (), (line,), 1),
        tender=(Tender(TenderKind.CURRENCY, WAGER_CENTS),),
    )


def furnish(folder: Path) -> Path:
    """A house with three writers at their stations, at rest; the path of its ledger."""
    for name, content in _furnished().items():
        (folder / name).write_bytes(content)
    return folder / "ledger.db"


@cache
def _furnished() -> dict[str, bytes]:
    """Its files, made once."""

    async def begin(folder: Path) -> None:
        async with new_floor(folder) as floor:
            for station, writer in STATIONS.items():
                await floor.booth(writer, station, bank_cents=1_000_000_00)

    with TemporaryDirectory() as folder:
        asyncio.run(begin(Path(folder)))
        return {file.name: file.read_bytes() for file in Path(folder).iterdir()}


async def many_sales(floor: Floor, booth: WriterContext, text: str, many: int) -> list[Sale]:
    """So many sales of the same request, each with a request id of its own."""
    sale = await floor.sale(booth, text)
    return [replace(sale, request_id=floor.id()) for _ in range(many)]


@asynccontextmanager
async def opened(database: Path, clock: Clock) -> AsyncIterator[House]:
    """The house of a ledger, started as the server would start it."""
    ledger = await Ledger.open(database, clock)
    try:
        yield await people.open_house(ledger, CODE_KEY)
    finally:
        await ledger.close()


async def booths(house: House) -> list[WriterContext]:
    """Everybody whose shift is open."""

    def load(reads: Reads) -> list[WriterContext]:
        rows = reads.rows("SELECT * FROM shifts WHERE closed_ms IS NULL ORDER BY shift")
        return [WriterContext(r["location"], r["station"], r["writer"], r["shift"]) for r in rows]

    return await house.ledger.read(load)
