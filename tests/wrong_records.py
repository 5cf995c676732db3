"""Helpers that change a ticket's record on disk, and the ruling that its paper is right."""

from keno.domain.grading import pack
from keno.domain.request_text import parse
from keno.protocol import Sold
from keno.service.by_paper import wrong_record
from keno.service.paper import LEDGER_WRONG
from keno.store import queries
from keno.store.book import lines_text, request_text
from keno.store.paper_queries import KeyedPaper
from keno.store.rows import TicketRow
from keno.store.transaction import Transaction, row_text
from tests.halting import alter, resume
from tests.houses import Floor
from tests.rng_house import Keys


async def row_of(floor: Floor, sold: Sold) -> TicketRow:
    row = await floor.ledger.read(lambda reads: queries.ticket(reads, sold.location, sold.ticket))
    assert row is not None
    return row


async def give_other_numbers(floor: Floor, sold: Sold, text: str, *, shown: bool = True) -> None:
    """Change a ticket's numbers for grading in the ledger's file; with `shown` its request too."""
    card = await floor.ledger.read(lambda reads: floor.house.card(reads, sold.card))
    request = parse(text, card)
    alter(floor.path, "UPDATE tickets SET masks = ? WHERE number = ?", pack(request), sold.ticket)
    if shown:
        said = request_text(request, lines_text(request.lines))
        alter(floor.path, "UPDATE tickets SET request = ? WHERE number = ?", said, sold.ticket)


async def rule_for_paper(
    floor: Floor, paper: TicketRow, keys: Keys | None, verdict: str = LEDGER_WRONG
) -> None:
    """Record a ruling, that the ledger is wrong and this paper right, as if it had been keyed.

    With `keys` the house also halts, and both keyholders end the halt.
    """
    kept = KeyedPaper(**{name: getattr(paper, name) for name in KeyedPaper.__struct_fields__})

    def work(tx: Transaction) -> None:
        tx.insert("papers", paper=queries.next_key(tx, "papers", "paper"), location=paper.location,
                  ticket=paper.number, verdict=verdict, content=row_text(kept), actor="S1",
                  ms=tx.now_ms)  # fmt: skip

    await floor.ledger.write("KeyPaper", "S1", work)
    if keys is not None:
        await floor.ledger.halt(wrong_record(paper))
        await resume(floor, keys)
