"""Selling: a draft is answered, a ticket sold, corrected, voided or surrendered."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from keno.domain.request_json import to_written
from keno.domain.wager import KenoRequest
from keno.protocol import PreviousOrigin, SellTicket, Surrender, Tendered, Void, VoidAndRewrite
from writer_station import draft, page_protocol, papers
from writer_station.client import new_id
from writer_station.draft import Reading, read_draft
from writer_station.page_protocol import Draft
from writer_station.prints import Prints
from writer_station.refusals import No
from writer_station.station import Station


@dataclass(eq=False)
class Selling:
    """The writer's sales."""

    station: Station
    prints: Prints
    under_way: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Sales without an answer yet, by their request id."""
    drafts: dict[str, Draft] = field(default_factory=dict)
    """And their drafts: none is sold twice by a key that was pressed twice."""
    previous: dict[int, KenoRequest] = field(default_factory=dict)
    """Requests of tickets that were looked up to be played again."""

    def read(self, typed: Draft) -> Reading:
        """A draft under the card in force."""
        return read_draft(typed, self.station.card_in_force)

    def answer(self, reading: Reading) -> dict[str, Any]:
        """What the page shows of it."""
        origin = reading.draft.origin
        before = self.previous.get(origin.ticket) if isinstance(origin, PreviousOrigin) else None
        return draft.answer(reading, before)

    async def sell(self, asked: page_protocol.Sell) -> dict[str, Any]:
        """Sell a ticket; its paper follows."""
        sale = await self._sale(asked)
        self._begin(sale, asked.draft)
        try:
            async with self.station.noted("sell", sale.request_id, first_game=sale.first_game):
                sold = await self.station.ask(sale)
                await self.prints.sold(sold)
        finally:
            self._end(sale)
        return {"ticket": sold["ticket"], "game": sold["first_game"]}

    async def rewrite(self, asked: page_protocol.Rewrite) -> dict[str, Any]:
        """Void a live ticket and sell its successor, both or neither."""
        sale = await self._sale(asked)
        command = VoidAndRewrite(new_id(), asked.ticket, asked.code, sale)
        self._begin(sale, asked.draft)
        self.station.asking.add(sale.request_id)
        try:
            about = {"ticket": asked.ticket}
            async with self.station.noted("rewrite", command.request_id, **about) as note:
                done = await self.station.ask(command)
                note.stays = True
                voided, sold = done["voided"], done["sold"]
                await self.prints.sold(sold)
                slip = papers.void_slip(
                    self.prints.booth, voided, self.station.person, sold["ticket"]
                )
                await self.prints.slip(slip, "void slip")
        finally:
            self.station.asking.discard(sale.request_id)
            self._end(sale)
        return {"ticket": sold["ticket"], "game": sold["first_game"]}

    async def void(self, asked: page_protocol.Void) -> dict[str, Any]:
        """Void a whole ticket before its first game closes."""
        command = Void(new_id(), asked.ticket, asked.code or None)
        async with self.station.noted("void", command.request_id, ticket=asked.ticket) as note:
            voided = await self.station.ask(command)
            note.stays = True
            slip = papers.void_slip(self.prints.booth, voided, self.station.person)
            await self.prints.slip(slip, "void slip")
        return {name: voided[name] for name in ("cash_cents", "coupon_cents", "coupon")}

    async def surrender(self, asked: page_protocol.Surrender) -> dict[str, Any]:
        """A printed ticket that nobody paid for goes to the supervisor."""
        command = Surrender(new_id(), asked.ticket, asked.second, asked.reason)
        async with self.station.noted("surrender", command.request_id, ticket=asked.ticket):
            await self.station.ask(command)
        return {}

    async def _sale(self, asked: page_protocol.Sell | page_protocol.Rewrite) -> SellTicket:
        """The sale as the writer saw it, or why there is none."""
        reading = self.read(asked.draft)
        priced = reading.priced
        if not reading.sellable or priced is None:
            if reading.faults:
                raise No.of(reading.faults[0])
            raise No("malformed", reading.missing or "This draft is not finished.")
        if priced.price_cents != asked.price_cents:
            raise No("price_differs", "The price has changed: look at it again.", "price_cents")
        if asked.game != self.station.open_game:
            raise No("game_closed", f"Game {asked.game} is closed.")
        await self.station.require_printer()
        if asked.draft in self.drafts.values():
            raise No("too_fast", "This very draft is being sold.")
        return sale_of(reading, asked.game, asked.tender)

    def _begin(self, sale: SellTicket, typed: Draft) -> None:
        self.drafts[sale.request_id] = typed
        games = _games(sale)
        self.under_way[sale.request_id] = {
            "ticket": None, "price_cents": sale.price_cents, "first_game": sale.first_game,
            "last_game": sale.first_game + games - 1, "state": "selling", "reason": "",
        }  # fmt: skip
        self.station.changed()

    def _end(self, sale: SellTicket) -> None:
        self.under_way.pop(sale.request_id, None)
        self.drafts.pop(sale.request_id, None)
        self.station.changed()


def sale_of(reading: Reading, game: int, tender: list[Tendered]) -> SellTicket:
    """The command that sells a draft that can be sold."""
    request, pick = reading.request, reading.pick
    if request is None or reading.priced is None:
        raise ValueError("this draft cannot be sold")
    origin = msgspec.to_builtins(reading.draft.origin)
    if pick is not None:
        origin = {"kind": "quick_pick", "spots": pick.spots, "rate": pick.rate,
                  "wager_cents": pick.wager_cents, "games": pick.games}  # fmt: skip
    written = {
        "type": "sell_ticket",
        "request_id": new_id(),
        "first_game": game,
        "card_version": reading.card.version,
        "price_cents": reading.priced.price_cents,
        "origin": origin,
        "request": None if pick is not None else to_written(request),
        "tender": msgspec.to_builtins(tender),
    }
    return msgspec.convert(written, SellTicket)


def _games(sale: SellTicket) -> int:
    written = msgspec.to_builtins(sale)
    games: int = (written["request"] or written["origin"]).get("games", 1)
    return games
