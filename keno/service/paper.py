"""Check of a ticket's paper, keyed by a supervisor, against ledger and signed book (15.7, 15.3(c)).

The validation code is recomputed over what the paper shows. If it differs from the code on the
paper, the paper was altered. If it fits and the ledger shows something else, the root that W
countersigned decides. If the root contains the ledger's ticket, the paper is forged with a stolen
code key and is refused. If it contains the paper's ticket, the ledger is wrong and the location
halts.
"""

import asyncio
import logging
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

import numpy as np
from msgspec.structs import asdict

from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.halt import HaltFault
from keno.domain.request_text import parse
from keno.domain.roles import SUPERVISORS
from keno.domain.states import Ending, TicketState
from keno.domain.ticket import check_code
from keno.draw.coordinator import genesis_of, load
from keno.protocol.paper import KeyPaper, PaperRuling
from keno.service.binding import answers
from keno.service.by_paper import found_wrong, wrong_record
from keno.service.common import (
    StaffContext,
    answer_once,
    check_values,
    require_game,
    require_ticket,
    require_user,
)
from keno.service.house import House
from keno.store import queries
from keno.store.book import (
    Book,
    content_bytes,
    fields,
    leaf_bytes,
    leaf_hash,
    lines_text,
    load_book,
    request_text,
)
from keno.store.paper_queries import KeyedPaper
from keno.store.rows import TicketRow
from keno.store.transaction import Reads, Transaction, row_text
from rng.tree import root
from rng.verify import NotVerified, check_game

log = logging.getLogger(__name__)

AGREES, FORGED, LEDGER_WRONG = "agrees", "forged", "ledger_wrong"
"""Verdicts on a keyed paper."""
SECOND_MS = 1000
"""Milliseconds in a second: the paper shows seconds, so each millisecond of one is tried."""
ALTERED = "The code on this paper does not belong to what it shows: it was altered."
WORDS = {
    AGREES: "The paper and the ledger agree.",
    FORGED: "The paper is refused: the signed book has this ticket as the ledger shows it. Its "
    "code fits all the same: somebody can make codes. Keep the paper and call the inspector.",
    LEDGER_WRONG: "The paper is right and the ledger is wrong: the signed book has the paper's "
    "ticket.",
}
NEXT = {
    AGREES: "Pay or refuse it as the station says.",
    LEDGER_WRONG: "It is paid by its paper after both keyholders have signed a resume.",
}
"""What follows for a ticket that has not ended."""


@dataclass(frozen=True)
class _Found:
    """A keyed paper with a right code, the ledger's row, and the signed book of its first game."""

    row: TicketRow
    paper: KeyedPaper
    same: bool
    """Whether the row shows the same as the paper."""
    wrong: Irregular
    """The irregularity to halt for if the book has the paper's ticket."""
    book: Book | None = None
    """None if paper and row agree and the row is graded and awarded as its request."""
    signed: str = ""
    """The root that W countersigned."""


@answers(KeyPaper)
async def key_paper(house: House, by: StaffContext, command: KeyPaper) -> PaperRuling:
    """Return the ruling on a ticket's paper that a supervisor keyed: agrees, forged, ledger wrong.

    Any ruling but `agrees` is recorded. If the ledger is wrong, or the book fits neither the
    ledger nor the paper, the location halts.
    """
    check_values((by, command))
    found = await house.ledger.read(lambda reads: _look(house, reads, by, command))
    row, game = found.row, found.paper.first_game
    verdict = await asyncio.to_thread(_arbitrate, house, found)
    if verdict is None:
        said = f"The book of game {game} does not match its signed root."
        raise await house.ledger.halt(Irregular(HaltFault.BOOK, said, location=row.location))

    def work(tx: Transaction) -> PaperRuling:
        require_user(tx, by.person, SUPERVISORS)
        if verdict != AGREES:
            tx.insert("papers", paper=queries.next_key(tx, "papers", "paper"),
                      location=row.location, ticket=row.number, verdict=verdict,
                      content=row_text(found.paper), actor=by.person, ms=tx.now_ms)  # fmt: skip
        words = " ".join(filter(None, (WORDS[verdict], _next(tx, row, verdict))))
        return PaperRuling(row.location, row.number, verdict, words, tx.now_ms)

    ruling = await answer_once(house, by, command, work)
    if verdict == FORGED:
        log.critical("a paper of ticket %d has a code of ours and was never sold", row.number)
    elif verdict == LEDGER_WRONG:
        await house.ledger.halt(found.wrong)
    return ruling


def _next(reads: Reads, row: TicketRow, verdict: str) -> str | None:
    """Return a sentence that says what to do after a ruling; None for a forged paper.

    For a ticket that has ended, the sentence says how and when it ended.
    """
    ending = queries.ending(reads, row.location, row.number)
    if ending is None or verdict not in NEXT:
        return NEXT.get(verdict)
    at = datetime.fromtimestamp(ending["ms"] // 1000, _zone(reads, row.location))
    return f"It ended on {at:%Y-%m-%d at %H:%M:%S}: {Ending(ending['kind']).word}. Nothing is paid."


def _zone(reads: Reads, location: str) -> ZoneInfo:
    place = queries.location(reads, location)
    return ZoneInfo("UTC" if place is None else place["zone"])


def _look(house: House, reads: Reads, by: StaffContext, command: KeyPaper) -> _Found:
    require_user(reads, by.person, SUPERVISORS)
    row = require_ticket(reads, command.location, command.ticket)
    paper = _keyed(house, reads, command)
    stored = content_bytes(house.site, fields(row))
    same = stored == content_bytes(house.site, asdict(paper)) and paper.code == row.code
    wrong = found_wrong(house, reads, row)
    found = _Found(row, paper, same, wrong or wrong_record(row))
    return found if same and wrong is None else _with_book(reads, found)


def _keyed(house: House, reads: Reads, command: KeyPaper) -> KeyedPaper:
    """Return the keyed paper with its code and the millisecond of its sale.

    The paper shows seconds, so each millisecond is tried until the code fits. Refuse if none fits:
    the paper was altered.
    """
    if queries.card_text(reads, command.card) is None:
        raise Refused(Refusal.UNKNOWN_CARD, "There is no such rate card.", "card")
    card = house.card(reads, command.card)
    request = parse(command.request, card)
    zone = _zone(reads, command.location)
    shown = {
        "location": command.location,
        "number": command.ticket,
        "card": command.card,
        "first_game": command.first_game,
        "last_game": command.first_game + request.games - 1,
        "price_cents": command.price_cents,
        "request": request_text(request, lines_text(request.lines)),
        "station": command.station,
        "writer": command.writer,
    }
    for second_ms in _seconds(command.sold, zone):
        for sold_ms in range(second_ms, second_ms + SECOND_MS):
            code = house.code(content_bytes(house.site, shown | {"sold_ms": sold_ms}))
            try:
                check_code(command.code, code)
            except Refused:
                continue
            return KeyedPaper(**shown, sold_ms=sold_ms, code=code)  # type: ignore[arg-type]
    raise Refused(Refusal.ALTERED, ALTERED)


def _seconds(sold: str, zone: ZoneInfo) -> list[int]:
    """Return the local time on the paper as UTC milliseconds; two in autumn's repeated hour.

    Refuse text that is no time.
    """
    try:
        local = datetime.fromisoformat(sold).replace(tzinfo=zone, microsecond=0)
    except ValueError:
        raise Refused(Refusal.MALFORMED, "Key the time as 2026-11-16 02:00:05.", "sold") from None
    return sorted({int(local.replace(fold=fold).timestamp()) * 1000 for fold in (0, 1)})


def _with_book(reads: Reads, found: _Found) -> _Found:
    """Return `found` with the stored book of the paper's first game and the root that W signed.

    Refused before the book is signed. Raises `Irregular`, which halts, if the signed draw does not
    verify.
    """
    row = found.row
    game = require_game(reads, row.location, found.paper.first_game)
    made, genesis = load(reads, row.location, game.game), genesis_of(reads, row.location)
    if genesis is None or "countersign" not in made:
        raise Refused(
            Refusal.NOT_POSSIBLE_NOW,
            f"The book of game {game.game} is not signed yet: key the paper again after its draw.",
        )
    try:
        check_game(made, genesis)
    except NotVerified:
        said = f"The signed draw of game {game.game} does not verify."
        raise Irregular(HaltFault.BOOK, said, location=row.location) from None
    return replace(found, book=load_book(reads, game), signed=str(made["close"]["root"]))


def _arbitrate(house: House, found: _Found) -> str | None:
    """Return the verdict on a paper by the root that W signed.

    The root is compared with that of the book with the ledger's ticket, and with the paper's. None
    if it matches neither.
    """
    if found.book is None:
        return AGREES
    row, book, game = found.row, found.book, found.paper.first_game
    index = int(np.searchsorted(book.numbers, row.number))
    stored = index < len(book.numbers) and int(book.numbers[index]) == row.number
    before, after = book.leaves[:index], book.leaves[index + stored :]
    plays = row.ended_game is None or game < row.ended_game
    ledgers = leaf_bytes(house.site, fields(row), TicketState.LIVE if plays else row.state)
    papers = leaf_bytes(house.site, asdict(found.paper), TicketState.LIVE)
    # A row that shows the same and is graded by other numbers is wrong all the same.
    against = [] if found.same else [([leaf_hash(ledgers)] if stored else [], FORGED)]
    for middle, verdict in (*against, ([leaf_hash(papers)], LEDGER_WRONG)):
        if root([*before, *middle, *after]).hex() == found.signed:
            return verdict
    return None
