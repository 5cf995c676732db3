"""Paying: a ticket is found, shown, paid, refunded or played again; a supervisor is asked."""

import asyncio
import re
from dataclasses import dataclass, field
from typing import Any

from keno import protocol
from keno.domain.errors import Refused
from keno.domain.pricing import price
from keno.domain.request_json import from_written
from keno.domain.request_text import read_request
from keno.domain.ticket import CODE_LENGTH
from printer.documents import read_scan
from writer_station import page_protocol, papers
from writer_station.client import new_id
from writer_station.draft import to_draft
from writer_station.payout_view import Drawer, ticket_shown
from writer_station.prints import Prints
from writer_station.refusals import No
from writer_station.selling import Selling
from writer_station.station import Station

_KEYED = re.compile(r"(?:([A-Z])[- ])?([0-9][0-9 -]*?)[- ]+((?:[0-9A-Z][ -]?){16})", re.ASCII)
_NUMBER = re.compile(r"(?:[A-Z][- ]?)?[0-9][0-9 -]{0,19}", re.ASCII)
SCAN_MAX = 300
_LOOKALIKES = str.maketrans("OIL", "011")


def read_ticket(text: str) -> tuple[str, int, str] | None:
    """Letter (or nothing), number and code of a ticket that was scanned or keyed."""
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


def _check_over(view: dict[str, Any]) -> None:
    """Only a ticket whose last game is drawn may be the request of another."""
    if view["state"] == "void":
        raise No("void", "A void ticket cannot be the request for another.")
    last = [game["state"] for game in view["games"] if game["game"] == view["last_game"]]
    if last not in (["settled"], ["void"]):
        raise No("still_live", "This ticket is still being played.")


@dataclass(eq=False)
class Paying:
    """What happens with tickets that are presented."""

    station: Station
    prints: Prints
    selling: Selling
    slips: set[int] = field(default_factory=set)
    """Authorisations whose slip was given to the printer by this process."""

    def __post_init__(self) -> None:
        self.station.on_desk.append(self.print_approved)

    async def find(self, asked: page_protocol.Find) -> dict[str, Any]:
        """What was scanned or keyed: a ticket, or a patron's request."""
        found = read_ticket(asked.text)
        if found is not None:
            letter, number, code = found
            here = self.prints.booth.place.letter
            if letter and letter != here:
                raise No(
                    "other_location",
                    f"This ticket was sold at location {letter}; this station is at {here}.",
                )
            return {"kind": "ticket", "ticket": number, "code": code}
        text = asked.text.strip()
        if _NUMBER.fullmatch(text.upper()):
            raise No("no_code", "The code is missing: 16 characters behind the number.")
        if not text.startswith("{") and ":" not in text:
            raise No("malformed", "This is neither the code of a ticket nor a keno request.")
        card = self.station.card_in_force
        try:
            request = read_request(text, card)
            if request.price_cents is not None:
                price(request, card)  # what the patron reckoned must be the card's price
        except Refused as no:
            raise No.of(no) from None
        return {
            "kind": "request",
            "draft": to_draft(request, card, {"kind": "digital", "submitted": text}),
        }

    async def look(self, asked: page_protocol.Look) -> dict[str, Any]:
        """A ticket to pay."""
        found = await self.station.ask(protocol.Lookup(new_id(), asked.ticket, asked.code))
        card = await self.station.card(found["ticket"]["card"])
        desk = self.station.desk
        approved = {
            each["ticket"]: each["amount_cents"]
            for each in ([] if desk is None else desk["authorisations"])
            if each["state"] == "approved"
        }
        drawer = Drawer(self.station.currency_cents, approved)
        return await asyncio.to_thread(ticket_shown, found, asked.code, card, drawer)

    async def again(self, asked: page_protocol.Again) -> dict[str, Any]:
        """A ticket as the request of a new one, or, if its game is open, to be changed."""
        found = await self.station.ask(protocol.Lookup(new_id(), asked.ticket, asked.code))
        view = found["ticket"]
        request = from_written(view["request"])
        card = self.station.card_in_force
        if view["state"] == "live" and view["first_game"] == self.station.open_game:
            return {"draft": to_draft(request, card, {"kind": "paper"}), "live": True}
        _check_over(view)
        self.selling.previous[asked.ticket] = request
        origin = {
            "kind": "previous", "ticket": asked.ticket, "code": asked.code,
            "change_confirmed": False,
        }  # fmt: skip
        return {"draft": to_draft(request, card, origin), "live": False}

    async def pay(self, asked: page_protocol.Pay) -> dict[str, Any]:
        """Pay tickets one by one; one that is refused does not keep the others."""
        paid, refused = [], []
        for each in asked.payments:
            command = protocol.Redeem(new_id(), each.ticket, each.code, each.payment)
            try:
                total = await self._pay("redeem", command, {})
            except No as no:
                refused.append({"ticket": each.ticket, "code": no.code, "message": no.message})
            else:
                paid.append({"ticket": each.ticket, "total_cents": total})
        return {"paid": paid, "refused": refused}

    async def refund(self, asked: page_protocol.Refund) -> dict[str, Any]:
        """Cancel the games of a multi-race that are not closed, and pay what is due."""
        found = await self.station.ask(protocol.Lookup(new_id(), asked.ticket, asked.code))
        view = found["ticket"]
        games = view["last_game"] - view["first_game"] + 1
        about = {"last_game": view["last_game"], "one_game_cents": view["price_cents"] // games}
        command = protocol.Refund(new_id(), asked.ticket, asked.code, asked.payment)
        total = await self._pay("refund", command, about)
        return {"ticket": asked.ticket, "total_cents": total}

    async def _pay(
        self, kind: str, command: protocol.Redeem | protocol.Refund, about: dict[str, Any]
    ) -> int:
        """Hand it over, once; the paper says it."""
        person = self.station.person
        about = {"ticket": command.ticket} | about
        async with self.station.noted(kind, command.request_id, **about) as note:
            answer = await self.station.ask(command)
            note.stays = True
            cancelled = papers.cancelled_games(answer, about)
            paper = papers.paid(self.prints.booth, answer, person, cancelled)
            await self.prints.slip(paper, papers.NAMES[kind])
        self.station.codes.pop(command.ticket, None)
        total: int = answer["awards_cents"] + answer["returns_cents"] + answer["refund_cents"]
        return total

    # ------------------------------------------------------------ the supervisor

    async def ask_supervisor(self, asked: page_protocol.AskSupervisor) -> dict[str, Any]:
        """Ask for a yes; sales go on meanwhile."""
        self.station.codes[asked.ticket] = asked.code
        command = protocol.RequestAuthorisation(new_id(), asked.ticket, asked.code, asked.refund)
        told = await self.station.ask(command)
        if asked.refund:
            self.station.for_refund.add(told["authorisation"])
        await self.station.refresh()
        return self.waiting_one(told | {"answered_by": told["supervisor"], "reason": None})

    async def authorise(self, asked: page_protocol.Authorise) -> dict[str, Any]:
        """The supervisor is here and says yes or no."""
        command = protocol.Authorise(
            new_id(), asked.authorisation, asked.approve, asked.passphrase, asked.reason,
            asked.second,
        )  # fmt: skip
        await self.station.ask(command)
        await self.station.refresh()
        return {}

    def waiting(self) -> list[dict[str, Any]]:
        """Payouts that wait for a supervisor."""
        desk = self.station.desk
        return [self.waiting_one(each) for each in ([] if desk is None else desk["authorisations"])]

    def waiting_one(self, asked: dict[str, Any]) -> dict[str, Any]:
        names = ("authorisation", "ticket", "amount_cents", "state", "answered_by", "reason")
        return {
            **{name: asked[name] for name in names},
            "code": self.station.codes.get(asked["ticket"]),
            "refund": asked["authorisation"] in self.station.for_refund,
        }

    def print_approved(self) -> None:
        """The slip of each yes, once."""
        desk, writer, booth = self.station.desk, self.station.writer, self.station.booth
        if desk is None or writer is None or booth is None:
            return
        for asked in desk["authorisations"]:
            if asked["state"] == "approved":
                slip = papers.authorisation_slip(
                    booth, asked, writer["person"], self.station.now_ms()
                )
                if asked["authorisation"] not in self.slips and not self.prints.has(slip.key):
                    self.slips.add(asked["authorisation"])
                    self.station.spawn(self.prints.slip(slip, "authorisation slip"))
