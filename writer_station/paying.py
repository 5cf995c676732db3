"""Handles the page's requests about tickets that patrons present: find, show, pay, refund.

It also makes the draft that plays a ticket again, and asks a supervisor to authorise payouts.
"""

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

import msgspec

from keno import protocol
from keno.domain.errors import Refused
from keno.domain.pricing import price
from keno.domain.request_json import from_written
from keno.domain.request_text import read_request
from keno.domain.states import AuthorisationState, Ending, GameState, TicketState
from keno.domain.ticket import CODE_LENGTH
from printer.documents import read_scan
from writer_station import papers
from writer_station.client import new_id
from writer_station.draft import to_draft
from writer_station.page_protocol import (
    PageAgain,
    PageAskSupervisor,
    PageAuthorise,
    PageFind,
    PageLook,
    PagePay,
    PageRefund,
)
from writer_station.payout_view import Drawer, ticket_shown
from writer_station.prints import Prints
from writer_station.refusals import RequestRefused
from writer_station.selling import Selling
from writer_station.station import Station

_KEYED = re.compile(r"(?:([A-Z])[- ])?([0-9][0-9 -]*?)[- ]+((?:[0-9A-Z][ -]?){16})", re.ASCII)
_NUMBER = re.compile(r"(?:[A-Z][- ]?)?[0-9][0-9 -]{0,19}", re.ASCII)
SCAN_MAX = 300
_LOOKALIKES = str.maketrans("OIL", "011")


def read_ticket(text: str) -> tuple[str, int, str] | None:
    """Return location letter, number and code of a ticket from scanned or keyed text.

    The letter is empty if it was not keyed. None if the text is no ticket with a code.
    """
    if len(text) > SCAN_MAX:
        return None
    try:
        return read_scan(text)
    except ValueError:
        match = _KEYED.fullmatch(text.strip().upper())
    if match is None:
        return None
    # The number may be keyed in groups as it is printed: the code is the last sixteen characters.
    keyed = re.sub("[ -]", "", f"{match[2]}{match[3]}")
    number, code = keyed[:-CODE_LENGTH], keyed[-CODE_LENGTH:].translate(_LOOKALIKES)
    if not number.isdigit() or len(number) > 15:
        return None
    return match[1] or "", int(number), code


def _total_cents(paid: protocol.Paid) -> int:
    return paid.awards_cents + paid.returns_cents + paid.refund_cents


def _check_over(view: protocol.TicketView) -> None:
    """Raise `RequestRefused` for a ticket that cannot be played again.

    That is a void or refunded ticket, and one whose last game is neither settled nor void.
    """
    if view.state == Ending.VOID:
        raise RequestRefused("void", "A void ticket cannot be the request for another.")
    if view.state in (Ending.REFUND, TicketState.CANCELLED):
        raise RequestRefused("cancelled", "A refunded ticket cannot be the request for another.")
    last = [game.state for game in view.games if game.game == view.last_game]
    if last not in ([GameState.SETTLED], [GameState.VOID]):
        raise RequestRefused("still_live", "This ticket is still being played.")


@dataclass(eq=False)
class Paying:
    """The handlers of the page's requests about tickets that patrons present."""

    station: Station
    prints: Prints
    selling: Selling
    slips: set[int] = field(default_factory=set)
    """Ids of authorisations whose slip this process has sent to the printer."""

    def __post_init__(self) -> None:
        self.station.on_desk.append(self.print_approved)

    async def find(self, asked: PageFind) -> dict[str, Any]:
        """Recognise scanned or keyed text and return what it is.

        It is a ticket (number and code), or a patron's keno request (a draft). `RequestRefused` for
        any other text, and for another location's ticket unless it may be of any location (`pay`).
        """
        found = read_ticket(asked.text)
        if found is not None:
            letter, number, code = found
            here = self.prints.booth.place.letter
            other = "" if letter == here else letter
            if other and not asked.pay:
                raise RequestRefused(
                    "other_location",
                    f"This ticket was sold at location {letter}; this station is at {here}.",
                )
            found_ticket = {"kind": "ticket", "ticket": number, "code": code}
            return found_ticket | ({"letter": other} if other else {})
        text = asked.text.strip()
        if _NUMBER.fullmatch(text.upper()):
            raise RequestRefused("no_code", "The code is missing: 16 characters behind the number.")
        if not text.startswith("{") and ":" not in text:
            raise RequestRefused(
                "malformed", "This is neither the code of a ticket nor a keno request."
            )
        card = self.station.card_in_force
        try:
            request = read_request(text, card)
            if request.price_cents is not None:
                price(request, card)  # a stated price must be the card's
        except Refused as no:
            raise RequestRefused.of(no) from None
        return {
            "kind": "request",
            "draft": to_draft(request, card, {"kind": "digital", "submitted": text}),
        }

    async def look(self, asked: PageLook) -> dict[str, Any]:
        """Look a presented ticket up on the server; return what the page shows for its payout."""
        command = protocol.Lookup(new_id(), asked.ticket, asked.code, asked.letter or None)
        found = await self.station.ask(command)
        card = await self.station.card(found.ticket.card, found.ticket.location)
        desk = self.station.desk
        approved = {
            (self._other(each.letter), each.ticket): each.amount_cents
            for each in (() if desk is None else desk.authorisations)
            if each.state == AuthorisationState.APPROVED
        }
        drawer = Drawer(self.station.cash_cents, approved, self._other(found.ticket.letter))
        return await asyncio.to_thread(ticket_shown, found, asked.code, card, drawer)

    def _other(self, letter: str) -> str:
        """Return a location's letter; empty if it is that of this station's own location."""
        return "" if letter == self.prints.booth.place.letter else letter

    async def again(self, asked: PageAgain) -> dict[str, Any]:
        """Return the draft that plays a finished ticket of any location again.

        For a live ticket of this location whose first game is open, return the draft of its
        rewrite, with `live`, what came in for it (`paid`, kind for kind) and the coupons among it.
        `RequestRefused` for any other ticket.
        """
        command = protocol.Lookup(new_id(), asked.ticket, asked.code, asked.letter or None)
        found = await self.station.ask(command)
        view = found.ticket
        request = from_written(view.request)
        card = self.station.card_in_force
        live = view.state == TicketState.LIVE and view.first_game == self.station.open_game
        if live and not self._other(view.letter):
            return {
                "draft": to_draft(request, card, {"kind": "paper"}), "live": True,
                "paid": msgspec.to_builtins(view.gives_back),
                "coupons": msgspec.to_builtins(view.coupons),
            }  # fmt: skip
        _check_over(view)
        self.selling.previous[asked.letter, asked.ticket] = request
        origin = {
            "kind": "previous", "ticket": asked.ticket, "code": asked.code,
            "change_confirmed": False,
        } | ({"letter": asked.letter} if asked.letter else {})  # fmt: skip
        draft = to_draft(request, card, origin)
        return {"draft": draft, "live": False, "paid": [], "coupons": []}

    async def pay(self, asked: PagePay) -> dict[str, Any]:
        """Pay tickets one after the other; return which were paid, and which refused and why.

        A refused ticket does not stop the others. Owed chips or tokens that the drawer lacks are
        paid in cash if the page says so.
        """
        paid, refused = [], []
        for each in asked.payments:
            command = protocol.Redeem(
                new_id(), each.ticket, each.code, each.payment, each.letter or None, each.in_cash
            )
            which: dict[str, Any] = {"ticket": each.ticket}
            which |= {"letter": each.letter} if each.letter else {}
            try:
                answer = await self._pay("redeem", command, {})
            except RequestRefused as no:
                refused.append(which | {"code": no.code, "message": no.message})
            else:
                paid.append(which | {"total_cents": _total_cents(answer)})
        return {"paid": paid, "refused": refused}

    async def refund(self, asked: PageRefund) -> dict[str, Any]:
        """Cancel the games of a multi-race that are not closed; pay their price and any awards.

        Return the ticket's number, the total in cents, and how much of it waits for a supervisor.
        """
        found = await self.station.ask(protocol.Lookup(new_id(), asked.ticket, asked.code))
        view = found.ticket
        games = view.last_game - view.first_game + 1
        about = {"last_game": view.last_game, "one_game_cents": view.price_cents // games}
        command = protocol.Refund(new_id(), asked.ticket, asked.code, asked.payment)
        answer = await self._pay("refund", command, about)
        if answer.owed_cents:
            self.station.codes["", asked.ticket] = asked.code
            await self.station.refresh()
        done = {"ticket": asked.ticket, "total_cents": _total_cents(answer)}
        return done | ({"owed_cents": answer.owed_cents} if answer.owed_cents else {})

    async def _pay(
        self, kind: str, command: protocol.Redeem | protocol.Refund, about: dict[str, Any]
    ) -> protocol.Paid:
        """Have the server pay or refund a ticket, print its slip, and return the payment."""
        person = self.station.person
        about = {"ticket": command.ticket} | about
        async with self.station.noted(kind, command.request_id, **about) as note:
            answer = await self.station.ask(command)
            note.stays = True
            cancelled = papers.cancelled_games(answer, about)
            paper = papers.paid(self.prints.booth, answer, person, cancelled)
            await self.prints.slip(paper, papers.NAMES[kind])
        self.station.codes.pop((self._other(answer.letter), command.ticket), None)
        return answer

    # ------------------------------------------------------------ the supervisor

    async def ask_supervisor(self, asked: PageAskSupervisor) -> dict[str, Any]:
        """Ask for a supervisor's authorisation of a payout or refund.

        Return it in the state pending, as the page shows it.
        """
        self.station.codes[asked.letter, asked.ticket] = asked.code
        command = protocol.RequestAuthorisation(
            new_id(), asked.ticket, asked.code, asked.refund, asked.letter or None
        )
        made = await self.station.ask(command)
        if asked.refund:
            self.station.for_refund.add(made.authorisation)
        await self.station.refresh()
        waiting = protocol.StationAuthorisation(
            made.authorisation, made.ticket, made.amount_cents, made.state, made.supervisor, None,
            made.letter,
        )  # fmt: skip
        return self.waiting_one(waiting)

    async def authorise(self, asked: PageAuthorise) -> dict[str, Any]:
        """Send the server the decision of a supervisor who signs at this station."""
        command = protocol.Authorise(
            new_id(), asked.authorisation, asked.approve, asked.passphrase, asked.reason,
            asked.second,
        )  # fmt: skip
        await self.station.ask(command)
        await self.station.refresh()
        return {}

    def waiting(self) -> list[dict[str, Any]]:
        """Return this station's requests to a supervisor, answered or not, for the page."""
        desk = self.station.desk
        return [self.waiting_one(each) for each in (() if desk is None else desk.authorisations)]

    def waiting_one(self, asked: protocol.StationAuthorisation) -> dict[str, Any]:
        other = self._other(asked.letter)
        return {
            "authorisation": asked.authorisation,
            "ticket": asked.ticket,
            "letter": other,
            "amount_cents": asked.amount_cents,
            "state": asked.state,
            "answered_by": asked.answered_by,
            "reason": asked.reason,
            "code": self.station.codes.get((other, asked.ticket)),
            "refund": asked.authorisation in self.station.for_refund,
        }

    def print_approved(self) -> None:
        """Print the slip of each approved authorisation, once.

        It is called after each refresh of `desk` and at each check of the printer.
        """
        desk, writer, booth = self.station.desk, self.station.writer, self.station.booth
        if desk is None or writer is None or booth is None:
            return
        for asked in desk.authorisations:
            if asked.state == AuthorisationState.APPROVED:
                slip = papers.authorisation_slip(booth, asked, writer.person, self.station.now_ms())
                if asked.authorisation not in self.slips and not self.prints.has(slip.key):
                    self.slips.add(asked.authorisation)
                    self.station.spawn(self.prints.slip(slip, "authorisation slip"))
