"""Checks tickets paid by their papers because the ledger's record was wrong (15.7).

A paper pays only after it was ruled right and the halt was resumed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np

from keno.audit.context import Audit
from keno.audit.findings import FindingPlace, Step
from keno.audit.replayed_state import WRONG, At, Row, SaleSeen, as_row
from keno.audit.sample import share
from keno.audit.watcher import ReplayWatcher, place_of
from keno.domain.grading import grade, pack
from keno.domain.halt import WRONG_AWARD, WRONG_RECORD, HaltFault
from keno.domain.money import Cents
from keno.domain.request_json import from_written
from keno.store import read_only
from keno.store.book import leaf_bytes, leaf_hash, shape_from, structure_of

PAID = frozenset({"payout", "refund"})


@dataclass
class PaidByPaper(ReplayWatcher):
    """Checks, while the chain is replayed, papers ruled right and tickets paid by their papers."""

    leaves: dict[tuple[str, int], str] = field(default_factory=dict)
    """Leaf hashes in hex, from the sale, of tickets whose paper was keyed later."""

    def __post_init__(self) -> None:
        papers = (as_row("papers", row) for row in read_only.whole(self.audit.connection, "papers"))
        self._keyed = {(row["location"], row["ticket"]) for row in papers}
        self.inserted = {"papers": self._ruled, "endings": self._paid, "paper_awards": self._award}

    def sale(self, sold: SaleSeen) -> None:
        key = sold.sale.location, sold.sale.sold
        if key in self._keyed:
            self.leaves[key] = sold.sale.leaf

    def _award(self, at: At, row: Row) -> None:
        if at.kind not in ("Redeem", "Refund"):
            self._say(at, "paper_awards", row, "ticket", f"is by a row of the kind {at.kind}.")

    def _ruled(self, at: At, row: Row) -> None:
        """Report a paper that was ruled right, although its content is not that of the sale."""
        if row["verdict"] != WRONG:
            return
        paper = msgspec.json.decode(row["content"], type=dict[str, Any])
        try:
            leaf = leaf_hash(leaf_bytes(self.audit.picture.site(), paper, "live")).hex()
        except KeyError:
            leaf = ""
        if leaf != self.leaves.get((row["location"], row["ticket"])):
            self._say(at, "papers", row, "content", "was ruled right, and was not sold so.")

    def _paid(self, at: At, row: Row) -> None:
        picture, key = self.audit.picture, (row["location"], row["ticket"])
        paper = picture.confirmed_paper(*key)
        if paper is None or row["kind"] not in PAID:
            return
        picture.paid_by_paper[key] = paper
        found = [text.format(row["ticket"]) for text in (WRONG_RECORD, WRONG_AWARD)]
        if not any(
            (halt["location"], halt["fault"]) == (key[0], HaltFault.ROW)
            and halt["found"] in found
            and halt["resumed_ms"] is not None
            for halt in picture.held["halts"].values()
        ):
            self._say(at, "endings", row, "kind", "was paid by its paper without a resume.")

    def _say(self, at: At, table: str, row: Row, column: str, message: str) -> None:
        self.audit.found.add(Step.ENDINGS, place_of(table, row, column, at), message)


def due_by_paper(audit: Audit, ending: Row) -> dict[int, tuple[Cents, Cents]]:
    """Return the awards that a paper makes, in the games where the recorded ones differ.

    The result is graded cents and award cents by game, of games settled by the time of `ending`. It
    is empty if the ticket was not paid by its paper.
    """
    location, ticket = ending["location"], ending["ticket"]
    paper = audit.picture.paid_by_paper.get((location, ticket))
    if paper is None:
        return {}
    recorded = read_only.recorded_of(audit.connection, location, ticket)
    due: dict[int, tuple[Cents, Cents]] = {}
    played = range(paper["first_game"], paper["last_game"] + 1)
    for number in sorted({*recorded, *played}):
        game = audit.picture.game(location, number)
        if game is None or game["state"] != "settled" or game["settled_ms"] > ending["ms"]:
            continue
        cents = _graded(audit, paper, game) if number in played else 0
        made = (cents, _among(audit, game, ticket, cents))
        if made != recorded.get(number, (0, 0)):
            due[number] = made
    return due


def _graded(audit: Audit, paper: Mapping[str, Any], game: Row) -> Cents:
    request = from_written(msgspec.json.decode(paper["request"]))
    shape = shape_from(structure_of(request), audit.picture.card(paper["card"]))
    drawn = msgspec.json.decode(game["numbers"], type=list[int])
    return int(grade([shape], np.zeros(1, dtype=np.int64), pack(request), drawn)[0])


def _among(audit: Audit, game: Row, ticket: int, cents: Cents) -> Cents:
    """15.3(e): return the paper's award in cents, its share among the game's recorded winners.

    `cents` is the graded amount. The altered record of the same ticket is left out.
    """
    if not cents:
        return 0
    winners = read_only.graded_in(audit.connection, game["location"], game["game"])
    card = audit.picture.card(game["card"])
    shared = share(winners | {ticket: cents}, card.aggregate_max_cents, card.aggregate_share)
    return shared[ticket]


def compare_paper_awards(audit: Audit, ending: Row) -> None:
    """Report paper awards stored for a ticket's ending that differ from those its paper makes."""
    location, ticket = ending["location"], ending["ticket"]
    due = due_by_paper(audit, ending)
    stored = {
        row["game"]: (row["graded_cents"], row["award_cents"])
        for row in audit.picture.held["paper_awards"].values()
        if (row["location"], row["ticket"]) == (location, ticket)
    }
    for game in sorted(due.keys() | stored.keys()):
        if due.get(game) == stored.get(game):
            continue
        key = {"location": location, "ticket": ticket, "game": game}
        place = FindingPlace("paper_awards", key, "award_cents", ending["ms"])
        recorded = f"is {stored[game]}" if game in stored else "is missing"
        made = f"the paper makes {due[game]}" if game in due else "the paper makes none"
        audit.found.add(Step.GRADING, place, f"{recorded}; {made}.")
