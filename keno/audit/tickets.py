"""Checks every ticket by itself: its price under its card, its code, its origin and leaves."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from keno.audit.findings import GARBAGE, FindingPlace, Step, shown
from keno.audit.replayed_state import At, Row, SaleSeen, as_row
from keno.audit.requests import Prices, StoredRequest
from keno.audit.watcher import ReplayWatcher
from keno.domain.ticket import CODE_ALPHABET, CODE_LENGTH
from keno.store import read_only
from keno.store.book import leaf_bytes, leaf_hash

ORIGINS = {
    "paper": {"kind"},
    "digital": {"kind", "submitted"},
    "previous": {"kind", "ticket", "changed"},
    "quick_pick": {"kind"},
    "rewrite": {"kind", "ticket"},
}
"""The fields that the JSON of an origin has, by kind of origin."""
_CODE_SIGNS = frozenset(CODE_ALPHABET)
_PAPER = '{"kind":"paper"}'


@dataclass
class TicketChecks(ReplayWatcher):
    """Checks, while the chain is replayed, each ticket at its sale, and its leaf at its end."""

    prices: Prices = field(default_factory=Prices)

    def __post_init__(self) -> None:
        self._find = read_only.by_key(self.audit.connection, "tickets")
        self.changed["tickets"] = self._ended

    def sale(self, sold: SaleSeen) -> None:
        ticket, request = sold.ticket, sold.request
        try:
            self._price(ticket, request)
        except GARBAGE as error:
            self._say(ticket, "request", f"cannot be sold under card {ticket['card']}: {error}")
        code = ticket["code"]
        if len(code) != CODE_LENGTH or not _CODE_SIGNS.issuperset(code):
            self._say(ticket, "code", "is no validation code.")
        if sold.sale.origin != _PAPER:
            self._origin(sold.at, ticket, request)

    def _ended(self, at: At, before: Row, values: Row) -> None:
        if "ended_leaf" not in values:
            return
        state = values.get("state", before["state"])
        expected = leaf_hash(leaf_bytes(self.audit.picture.site(), before, state))
        if values["ended_leaf"] != expected:
            told = shown(values["ended_leaf"])
            self._say(before, "ended_leaf", f"was written in row {at.seq} as {told}.")

    def _price(self, ticket: Row, request: StoredRequest | None) -> None:
        if request is None:
            raise ValueError("it is not in its normal form")
        card = self.audit.picture.card(ticket["card"])
        one_game = self.prices.one_game_cents(ticket["request"], request, card)
        cents = one_game * request.games
        if ticket["price_cents"] != cents:
            told = ticket["price_cents"]
            self._say(ticket, "price_cents", f"is {told}; under its card it is {cents}.")
        last = ticket["first_game"] + request.games - 1
        if ticket["last_game"] != last:
            self._say(ticket, "last_game", f"is {ticket['last_game']}; it plays until {last}.")

    def _origin(self, at: At, ticket: Row, request: StoredRequest | None) -> None:
        """15.1, 15.3(b): report a ticket whose origin (how its request was made) is impossible.

        A quick pick must be a straight ticket. A previous ticket must be an earlier one of the
        house that is not void and whose games are over. A rewrite must be of an earlier ticket, and
        made by its own command. A digital request must be at a location that accepts them.
        """
        try:
            origin: dict[str, Any] = msgspec.json.decode(ticket["origin"], type=dict[str, Any])
            kind = origin["kind"]
            place = self.audit.picture.get("locations", ticket["location"])
            of = self._sold_in(ticket, origin)
            sound = origin.keys() == ORIGINS[kind] and (kind == "rewrite") == (at.kind != "sell")
            if kind in ("previous", "rewrite") and of == ticket["location"]:
                sound &= 0 < origin["ticket"] < ticket["number"]
            if kind == "previous":
                sound &= self._replayable(at, of, origin["ticket"])
            if kind == "quick_pick":
                sound &= request is not None and _straight(request)
            if kind == "digital":
                sound &= place is not None and bool(place["digital_requests"])
        except GARBAGE:
            sound = False
        if not sound:
            self._say(ticket, "origin", f"is {shown(ticket['origin'])}, which cannot be.")

    def _sold_in(self, ticket: Row, origin: dict[str, Any]) -> str:
        """Return the location of the ticket that an origin names; its letter is then taken away.

        Raise KeyError for a letter that no location has.
        """
        letter = origin.pop("letter", None) if origin["kind"] == "previous" else None
        if letter is None:
            return str(ticket["location"])
        places = self.audit.picture.held["locations"].values()
        return {row["letter"]: str(row["location"]) for row in places}[letter]

    def _replayable(self, at: At, location: str, number: int) -> bool:
        """15.3(b): return whether a ticket may be the request for another one.

        Its last game must be drawn, settled or void, and the ticket itself not voided; from ledger
        version 10 on not refunded either. An unknown ticket may not.
        """
        stored = self._find((location, number))
        if stored is None:
            return False
        picture, last = self.audit.picture, as_row("tickets", stored)["last_game"]
        game = picture.game(location, last)
        resolved = game is not None and game["state"] not in ("open", "locked")
        never = {"void"} if picture.is_before(at, 10) else {"void", "cancelled"}
        return resolved and picture.marked(location, number, "state") not in never

    def _say(self, ticket: Row, column: str, message: str) -> None:
        key = {"location": ticket["location"], "number": ticket["number"]}
        place = FindingPlace("tickets", key, column, ticket["sold_ms"])
        self.audit.found.add(Step.TICKETS, place, message)


def _straight(request: StoredRequest) -> bool:
    [line] = msgspec.json.decode(request.lines)
    return len(request.sizes) == 1 and not request.kings and line["ways"] == 1
