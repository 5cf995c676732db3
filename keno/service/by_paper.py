"""Payment by the paper for tickets whose record in the ledger is wrong (15.7).

After the resume such a ticket counts as its paper shows it. What the paper's numbers would have won
is paid on top of the maximum aggregate payoff. The award of the wrong record is never paid. The
awards of other tickets in a settled game do not change.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
import numpy as np
from msgspec.structs import asdict

from keno.domain.aggregate import STORED_MAX, share_bounds, share_if_among
from keno.domain.errors import Irregular, Refusal, Refused
from keno.domain.grading import grade, pack
from keno.domain.halt import WRONG_AWARD, WRONG_RECORD, HaltFault
from keno.domain.money import Cents
from keno.domain.request_json import from_written
from keno.domain.states import GameState
from keno.service.house import House
from keno.service.signed_numbers import signed_numbers
from keno.store import paper_queries, queries
from keno.store.book import content_bytes, fields, shape_from, structure_of
from keno.store.paper_queries import KeyedPaper, RecordedAward
from keno.store.rows import GameRow, TicketRow
from keno.store.transaction import Reads, Transaction


@dataclass(frozen=True, slots=True)
class PaperAward:
    """What a ticket wins in one game by its paper, where the recorded award differs."""

    game: int
    graded_cents: Cents
    award_cents: Cents


def wrong_record(row: TicketRow, found: str = WRONG_RECORD) -> Irregular:
    """Return, for the caller to raise, the `Irregular` that halts the location of a wrong ticket.

    `found` is the finding, with a place for the ticket's number.
    """
    found = found.format(row.number)
    return Irregular(HaltFault.ROW, found, location=row.location, reason=Refusal.ALTERED)


def found_wrong(house: House, reads: Reads, row: TicketRow) -> Irregular | None:
    """Return the `Irregular` for a ticket whose row or awards are wrong; None if both are right.

    A row is right if its validation code fits its content, and its numbers and shape fit its
    request. Its awards are checked by grading again.
    """
    sold = house.code(content_bytes(house.site, fields(row))) == row.code
    if not sold or not is_graded_as_sold(reads, row):
        return wrong_record(row)
    if awarded_otherwise(house, reads, row, row):
        return wrong_record(row, WRONG_AWARD)
    return None


def refuse_wrong_record(house: House, reads: Reads, row: TicketRow) -> None:
    """15.7: raise if a ticket's row or awards are wrong; do nothing if they are right.

    Before a resume raise `Irregular`, which halts the location. After the resume raise `Refused`,
    which asks for the ticket's paper.
    """
    if not _is_right(house, reads, row):
        raise Refused(
            Refusal.ALTERED,
            "The record of this ticket is wrong: a supervisor keys its paper at the console.",
        )


def may_expire(house: House, reads: Reads, row: TicketRow) -> bool:
    """15.7: return whether a ticket's claim may expire: its record is right, or its paper rules.

    Raise `Irregular`, which halts, if the record is wrong and no resume covers it.
    """
    return ruled_paper(house, reads, row) is not None or _is_right(house, reads, row)


def _is_right(house: House, reads: Reads, row: TicketRow) -> bool:
    """Return whether a ticket's row and awards are right.

    Raise `Irregular` if they are wrong and no resume covers the finding.
    """
    wrong = found_wrong(house, reads, row)
    if wrong is not None and not _is_signed_off(house, wrong):
        raise wrong
    return wrong is None


def is_graded_as_sold(reads: Reads, row: TicketRow) -> bool:
    """Return whether the stored numbers and shape used for grading are those of the request.

    Neither the ticket's validation code nor its leaf in the book covers these two columns.
    """
    request = from_written(msgspec.json.decode(row.request))
    shape = queries.shapes(reads, [row.shape]).get(row.shape)
    return row.masks == pack(request) and shape == (row.card, structure_of(request))


def _is_resumed(house: House, row: TicketRow) -> bool:
    return any(
        _is_signed_off(house, wrong_record(row, found)) for found in (WRONG_RECORD, WRONG_AWARD)
    )


def _is_signed_off(house: House, wrong: Irregular) -> bool:
    return house.halts.signed_off(wrong.location or "", wrong.fault, wrong.message)


def ruled_paper(house: House, reads: Reads, row: TicketRow) -> KeyedPaper | None:
    """Return the keyed paper by which a ticket is paid; None for a ticket paid by its record.

    A ticket is paid by its paper if the signed book confirmed the paper and a resume signed by both
    keyholders ended the halt for its record.
    """
    if not _is_resumed(house, row):
        return None
    return paper_queries.confirmed_paper(reads, row.location, row.number)


def as_ruled(house: House, reads: Reads, row: TicketRow) -> TicketRow:
    """Return a ticket's row with the fields of its paper if the ticket is paid by its paper.

    Any other row is returned unchanged.
    """
    paper = ruled_paper(house, reads, row)
    return row if paper is None else replace(row, **asdict(paper))


def awards_by_paper(house: House, reads: Reads, row: TicketRow) -> list[PaperAward]:
    """Return the settled games in which a ticket's award by its paper differs from the record.

    The list is empty for a ticket that is not paid by its paper.
    """
    paper = ruled_paper(house, reads, row)
    if paper is None:
        return []
    return [
        PaperAward(game, cents, _share(house, reads, row, game, cents) if cents else 0)
        for game, cents in sorted(awarded_otherwise(house, reads, row, paper).items())
    ]


def awarded_otherwise(
    house: House, reads: Reads, row: TicketRow, shown: TicketRow | KeyedPaper
) -> dict[int, Cents]:
    """Return the games whose recorded award is wrong, with the right award in cents before sharing.

    The ticket is graded again from `shown` (its row or its paper), by the numbers that R signed.
    Its recorded share of the maximum is only checked against bounds that follow from the game's
    total, because reading all winners would take too long.
    """
    recorded = paper_queries.recorded_awards(reads, row.location, row.number)
    last = shown.last_game if row.ended_game is None else row.ended_game - 1
    played = queries.games_between(reads, row.location, shown.first_game, last)
    settled = [game for game in played if game.state == GameState.SETTLED]
    won = _graded(house, reads, shown, settled)
    otherwise = dict.fromkeys(recorded.keys() - won.keys(), 0)
    for game in settled:
        kept, cents = recorded.get(game.game), won[game.game]
        if cents if kept is None else not _is_award_of(house, reads, game, kept, cents):
            otherwise[game.game] = cents
    return otherwise


def _is_award_of(
    house: House, reads: Reads, game: GameRow, kept: RecordedAward, cents: Cents
) -> bool:
    if kept.graded_cents != cents or game.graded_cents is None:
        return False
    total = game.graded_cents
    if total == STORED_MAX:
        total = paper_queries.graded_total(reads, game.location, game.game)
    total += cents * kept.left_out
    card = house.card(reads, game.card)
    least, most = share_bounds(cents, total, card.aggregate_max_cents, card.aggregate_share)
    return least <= kept.award_cents <= most


def _graded(
    house: House, reads: Reads, shown: TicketRow | KeyedPaper, games: Sequence[GameRow]
) -> dict[int, Cents]:
    request = from_written(msgspec.json.decode(shown.request))
    shape = shape_from(structure_of(request), house.card(reads, shown.card))
    one, masks = np.zeros(1, dtype=np.int64), pack(request)
    return {
        game.game: int(grade([shape], one, masks, signed_numbers(house, reads, game))[0])
        for game in games
    }


def _share(house: House, reads: Reads, row: TicketRow, number: int, graded: Cents) -> Cents:
    """15.3(e): return what a paper's award `graded` is paid in cents among the game's winners.

    The ticket's own recorded award is left out.
    """
    game = queries.game(reads, row.location, number)
    if game is None:
        raise ValueError(f"there is no game {number}")
    others = paper_queries.winners_beside(reads, row.location, number, row.number)
    tickets, awards = np.array(others, dtype=np.int64).reshape(-1, 2).T
    card = house.card(reads, game.card)
    left_out = (row.number, graded)
    return share_if_among(
        (tickets, awards), left_out, card.aggregate_max_cents, card.aggregate_share
    )


def record_awards_by_paper(house: House, tx: Transaction, row: TicketRow) -> None:
    """Insert a row for each award by paper that differs from the record, when a ticket is paid.

    Inserts nothing for a ticket that is paid by its record.
    """
    for each in awards_by_paper(house, tx, row):
        tx.insert("paper_awards", location=row.location, ticket=row.number, game=each.game,
                  graded_cents=each.graded_cents, award_cents=each.award_cents)  # fmt: skip
