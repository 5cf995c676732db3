"""Handles the page's requests that price a draft, and sell, rewrite or void a ticket.

It also handles tickets that are printed but not issued, because the patron did not pay for them.
"""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from keno.domain.request_json import to_written
from keno.domain.wager import KenoRequest
from keno.protocol import (
    ConfirmNotIssued,
    DeclareNotIssued,
    DigitalOrigin,
    FindCoupon,
    PaperOrigin,
    PreviousOrigin,
    QuickPickOrigin,
    SellTicket,
    Sold,
    Surrender,
    TakeNotIssued,
    Tendered,
    Void,
    VoidAndRewrite,
    Voided,
)
from writer_station import draft, papers
from writer_station.client import new_id
from writer_station.draft import Reading, read_draft
from writer_station.page_protocol import (
    Draft,
    PageConfirmNotIssued,
    PageCoupon,
    PageNotIssued,
    PageRewrite,
    PageSell,
    PageSurrender,
    PageTakeNotIssued,
    PageVoid,
)
from writer_station.prints import Prints
from writer_station.refusals import RequestRefused
from writer_station.station import Station


@dataclass(eq=False)
class Selling:
    """The handlers of the page's requests about drafts, sales and tickets not issued."""

    station: Station
    prints: Prints
    under_way: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Sales in progress, in the form in which the page lists tickets, by request id."""
    drafts: dict[str, Draft] = field(default_factory=dict)
    """Drafts of sales in progress, by request id; the same draft is refused meanwhile."""
    previous: dict[tuple[str, int], KenoRequest] = field(default_factory=dict)
    """Requests of finished tickets that the writer plays again, by letter and number.

    The letter is empty for tickets of this station's location.
    """

    def read(self, typed: Draft) -> Reading:
        """Read and price a draft by the rate card of the open game.

        `RequestRefused` if no game is open or its rate card is not loaded yet.
        """
        return read_draft(typed, self.station.card_in_force)

    def answer(self, reading: Reading) -> dict[str, Any]:
        """Return what the page shows of a draft that was read: price, ways, faults and so on."""
        origin = reading.draft.origin
        before = None
        if isinstance(origin, PreviousOrigin):
            before = self.previous.get((origin.letter or "", origin.ticket))
        return draft.answer(reading, before)

    async def sell(self, asked: PageSell) -> dict[str, Any]:
        """Sell a ticket and queue it for the printer; return its number, first game and change.

        `RequestRefused` if the draft cannot be sold as the writer saw it, or the server refuses.
        """
        sale = msgspec.structs.replace(await self._sale(asked), second=asked.second)
        self._begin(sale, asked.draft)
        try:
            async with self.station.noted("sell", sale.request_id, first_game=sale.first_game):
                sold = await self.station.ask(sale)
                await self.prints.sold(sold)
        finally:
            self._end(sale)
        return _sold(sold)

    async def rewrite(self, asked: PageRewrite) -> dict[str, Any]:
        """Void a live ticket and sell its replacement; the server does both or neither.

        Print the new ticket and the void slip, and return the new ticket's number and first game,
        its change, and what changes hands in all, kind for kind.
        """
        sale = await self._sale(asked)
        command = VoidAndRewrite(new_id(), asked.ticket, asked.code, sale, in_cash=asked.in_cash,
                                 second=asked.second)  # fmt: skip
        self._begin(sale, asked.draft)
        self.station.asking.add(sale.request_id)
        try:
            about = {"ticket": asked.ticket}
            async with self.station.noted("rewrite", command.request_id, **about) as note:
                done = await self.station.ask(command)
                note.stays = True
                voided, sold = done.voided, done.sold
                await self.prints.sold(sold)
                slip = papers.void_slip(
                    self.prints.booth, voided, self.station.person, sold.ticket, done.net
                )
                await self.prints.slip(slip, "void slip")
        finally:
            self.station.asking.discard(sale.request_id)
            self._end(sale)
        await self._owes(voided)
        return _sold(sold) | {"net": msgspec.to_builtins(done.net)} | _owed(voided)

    async def coupon(self, asked: PageCoupon) -> dict[str, Any]:
        """Look a coupon up on the server; return its value and end, or refuse as a sale would."""
        found = await self.station.ask(FindCoupon(new_id(), asked.serial, asked.rewrites))
        return {"serial": found.serial, "cents": found.cents, "until": found.until}

    async def void(self, asked: PageVoid) -> dict[str, Any]:
        """Void a ticket before its first game closes, and print the void slip.

        Return what is given back, kind for kind, and the serial of the coupon among it.
        """
        command = Void(new_id(), asked.ticket, asked.code or None, in_cash=asked.in_cash)
        async with self.station.noted("void", command.request_id, ticket=asked.ticket) as note:
            voided = await self.station.ask(command)
            note.stays = True
            slip = papers.void_slip(self.prints.booth, voided, self.station.person)
            await self.prints.slip(slip, "void slip")
        await self._owes(voided)
        given = {"given_back": msgspec.to_builtins(voided.given_back), "coupon": voided.coupon}
        return given | _owed(voided)

    async def _owes(self, voided: Voided) -> None:
        """15.6(b): show the authorisation of what a void owes; its code is kept to pay it later."""
        if voided.owed_cents:
            self.station.codes["", voided.ticket] = voided.code
            await self.station.refresh()

    async def surrender(self, asked: PageSurrender) -> dict[str, Any]:
        """Send a request to end a ticket by its number alone, which the server refuses."""
        command = Surrender(new_id(), asked.ticket, asked.second, asked.reason)
        async with self.station.noted("surrender", command.request_id, ticket=asked.ticket):
            await self.station.ask(command)
        return {}

    async def not_issued(self, asked: PageNotIssued) -> dict[str, Any]:
        """Declare a printed ticket not issued, because it was not paid for.

        That is possible after lock-out and before the draw. The server then holds the ticket until
        a supervisor decides with its paper.
        """
        command = DeclareNotIssued(new_id(), asked.ticket)
        async with self.station.noted("not_issued", command.request_id, ticket=asked.ticket):
            await self.station.ask(command)
        return {}

    async def confirm_not_issued(self, asked: PageConfirmNotIssued) -> dict[str, Any]:
        """Send the server a supervisor's decision about a ticket that was declared not issued.

        The supervisor has its paper at this station, and decides whether the ticket was issued
        after all.
        """
        command = ConfirmNotIssued(new_id(), asked.ticket, asked.code, asked.reason,
                                   issued=asked.issued, location=asked.location,
                                   second=asked.second)  # fmt: skip
        await self.station.ask(command)
        await self.station.refresh()
        return {}

    async def take_not_issued(self, asked: PageTakeNotIssued) -> dict[str, Any]:
        """Record on the server that a supervisor took the paper of a ticket that was not issued.

        This is for a ticket found to be not issued only after its draw.
        """
        command = TakeNotIssued(new_id(), asked.ticket, asked.code, asked.reason,
                                location=asked.location, second=asked.second)  # fmt: skip
        await self.station.ask(command)
        await self.station.refresh()
        return {}

    async def _sale(self, asked: PageSell | PageRewrite) -> SellTicket:
        """Return the command that sells a draft in the game and at the price that the writer saw.

        `RequestRefused` if the draft is not sellable, its price or game has changed, the printer is
        stopped, or the same draft is already being sold.
        """
        reading = self.read(asked.draft)
        priced = reading.priced
        if not reading.sellable or priced is None:
            if reading.faults:
                raise RequestRefused.of(reading.faults[0])
            raise RequestRefused("malformed", reading.missing or "This draft is not finished.")
        if priced.price_cents != asked.price_cents:
            raise RequestRefused(
                "price_differs", "The price has changed: look at it again.", "price_cents"
            )
        if asked.game != self.station.open_game:
            raise RequestRefused("game_closed", f"Game {asked.game} is closed.")
        await self.station.require_printer()
        if asked.draft in self.drafts.values():
            raise RequestRefused("too_fast", "This very draft is being sold.")
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
    """Return the command that sells a draft from a game on; a ValueError if not sellable."""
    request, pick = reading.request, reading.pick
    if request is None or reading.priced is None:
        raise ValueError("this draft cannot be sold")
    origin: PaperOrigin | DigitalOrigin | PreviousOrigin | QuickPickOrigin = reading.draft.origin
    if pick is not None:
        origin = QuickPickOrigin(pick.spots, pick.rate, pick.wager_cents, pick.games)
    return SellTicket(
        request_id=new_id(),
        first_game=game,
        card_version=reading.card.version,
        price_cents=reading.priced.price_cents,
        origin=origin,
        request=None if pick is not None else to_written(request),
        tender=tender,
    )


def _sold(sold: Sold) -> dict[str, Any]:
    return {"ticket": sold.ticket, "game": sold.first_game, "change_cents": sold.change_cents}


def _games(sale: SellTicket) -> int:
    if sale.request is not None:
        return int(sale.request.get("games", 1))
    return sale.origin.games if isinstance(sale.origin, QuickPickOrigin) else 1


def _owed(voided: Voided) -> dict[str, int]:
    """Return what a void owes until a supervisor authorises it; empty if it owes nothing."""
    return {"owed_cents": voided.owed_cents} if voided.owed_cents else {}
