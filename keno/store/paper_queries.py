"""Queries of papers that a supervisor keyed and that disagree with the ledger; of awards (15.7)."""

import msgspec

from keno.domain.money import Cents
from keno.store.exact_sums import total
from keno.store.transaction import Reads


class KeyedPaper(msgspec.Struct, frozen=True):
    """A ticket as its paper shows it, with the millisecond of sale at which its code is valid."""

    location: str
    number: int
    card: str
    first_game: int
    last_game: int
    price_cents: int
    request: str
    station: str
    writer: str
    sold_ms: int
    code: str


def confirmed_paper(reads: Reads, location: str, number: int) -> KeyedPaper | None:
    """Return the paper of a ticket that the signed book confirmed, or None.

    A book confirms at most one paper of a ticket.
    """
    row = reads.one(
        "SELECT content FROM papers WHERE location = ? AND ticket = ?"
        " AND verdict = 'ledger_wrong' ORDER BY paper LIMIT 1",
        location,
        number,
    )
    return None if row is None else msgspec.json.decode(row["content"], type=KeyedPaper)


class RecordedAward(msgspec.Struct, frozen=True):
    """A ticket's recorded award in one game, in cents before and after the maximum was shared."""

    graded_cents: Cents
    award_cents: Cents
    left_out: int
    """1 if the ticket was declared not issued, so that its award is no part of the game's total."""


def recorded_awards(reads: Reads, location: str, number: int) -> dict[int, RecordedAward]:
    """Return a ticket's recorded awards by game.

    Those of a ticket declared not issued are included.
    """
    rows = reads.rows(
        "SELECT game, graded_cents, award_cents, 0 AS left_out FROM awards"
        " WHERE location = ?1 AND ticket = ?2 UNION ALL"
        " SELECT game, graded_cents, award_cents, 1 FROM not_issued_awards"
        " WHERE location = ?1 AND ticket = ?2",
        location,
        number,
    )
    return {
        row["game"]: RecordedAward(row["graded_cents"], row["award_cents"], row["left_out"])
        for row in rows
    }


def winners_beside(reads: Reads, location: str, game: int, ticket: int) -> list[tuple[int, Cents]]:
    """Return the other winners of a game: numbers, and cents before the maximum was shared."""
    rows = reads.rows(
        "SELECT ticket, graded_cents FROM awards WHERE location = ? AND game = ? AND ticket <> ?"
        " ORDER BY ticket",
        location,
        game,
        ticket,
    )
    return [(row["ticket"], row["graded_cents"]) for row in rows]


def graded_total(reads: Reads, location: str, game: int) -> Cents:
    """Return what the tickets of a game won in cents before the maximum was shared, exactly.

    It reads all winners: a settled game has the total stored, unless no column holds it.
    """
    rest = "FROM awards WHERE location = ? AND game = ?"
    return total(reads.connection, "graded_cents", rest, location, game)


# The balance.


def on_top(reads: Reads, location: str) -> Cents:
    """Return the cents that a location's tickets were paid by their papers, beyond the maximum."""
    return total(reads.connection, "award_cents", "FROM paper_awards WHERE location = ?", location)


def never_paid(reads: Reads, location: str) -> Cents:
    """Return the cents of recorded awards whose tickets were paid by their papers instead.

    Such a ticket's record was wrong.
    """
    return total(reads.connection, RECORDED, NEVER_PAID, location)


RECORDED = "coalesce(a.award_cents, 0) + coalesce(x.award_cents, 0)"
"""A recorded award in cents, in the rows of NEVER_PAID."""
NEVER_PAID = """
    FROM paper_awards p
    LEFT JOIN awards a ON a.location = p.location AND a.ticket = p.ticket AND a.game = p.game
    LEFT JOIN not_issued n ON n.location = p.location AND n.ticket = p.ticket
        AND n.decision = 'issued'
    LEFT JOIN not_issued_awards x ON x.location = n.location AND x.ticket = n.ticket
        AND x.game = p.game
    WHERE p.location = ?1
"""
