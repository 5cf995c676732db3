"""What the server answered, as papers for the printer. Pure.

Times on paper are those of the location, by its zone; the terms of a ticket are those of the card
it was sold under.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from printer.documents import (
    AuthorisationSlip,
    CheckoutSheet,
    DrawerSlip,
    PaidPaper,
    Printed,
    PrintedLocation,
    Terms,
    TicketPaper,
    TrialPage,
    VoidSlip,
)

Answer = Mapping[str, Any]
NAMES = {
    "rewrite": "void slip", "void": "void slip", "redeem": "payout slip",
    "refund": "refund document", "fill": "fill slip", "credit": "credit slip",
    "close_shift": "checkout sheet",
}  # fmt: skip
"""What a writer calls the paper of each request."""


@dataclass(frozen=True, slots=True)
class PrintContext:
    """Where papers come from: the place, its zone, this station."""

    place: PrintedLocation
    zone: ZoneInfo
    station: str
    scan_prefix: str = ""
    """The address where a ticket is checked, before its number and code."""

    @classmethod
    def of(cls, told: Answer) -> "PrintContext":
        """From what the server said when the station proved its key."""
        try:
            zone = ZoneInfo(told.get("zone", "UTC"))
        except (ZoneInfoNotFoundError, ValueError):
            zone = ZoneInfo("UTC")
        place = PrintedLocation(
            told.get("casino", "Keno"), told.get("name", told["location"]),
            told.get("letter", "?"), told.get("no_value", True),
        )  # fmt: skip
        return cls(place, zone, told["station"], told.get("scan_prefix", ""))

    def by(self, ms: int, writer: str, station: str | None = None) -> Printed:
        """Who printed it, when and where."""
        at = datetime.fromtimestamp(ms // 1000, UTC).astimezone(self.zone)
        return Printed(self.place, at, station or self.station, writer)


def ticket(booth: PrintContext, sold: Answer, card: RateCard) -> TicketPaper:
    """A ticket; a reprint by its count."""
    return TicketPaper(
        booth.by(sold["sold_ms"], sold["writer"], sold["station"]),
        sold["ticket"],
        sold["code"],
        sold["first_game"],
        from_written(json.loads(sold["request_json"])),
        sold["price_cents"],
        Terms.of_card(card),
        sold["commitment"],
        booth.scan_prefix,
        copy=sold["reprints"],
    )


def ticket_key(letter: str, number: int) -> str:
    """Under which the spool knows the papers of a ticket."""
    return f"ticket {letter}-{number}"


def void_slip(
    booth: PrintContext, voided: Answer, writer: str, rewritten_as: int | None = None
) -> VoidSlip:
    return VoidSlip(
        booth.by(voided["voided_ms"], writer),
        voided["ticket"],
        voided["cash_cents"],
        voided["coupon_cents"],
        voided["coupon"],
        rewritten_as,
    )


def paid(
    booth: PrintContext, answer: Answer, writer: str, cancelled: tuple[int, int] | None = None
) -> PaidPaper:
    """A payout slip, or the document of a refund."""
    names = (
        "awards_cents", "cash_cents", "returns_cents", "refund_cents", "coupon_cents", "coupon",
        "withheld_cents", "check_cents", "check_number", "authorised_by",
    )  # fmt: skip
    fields = {name: answer[name] for name in names}
    return PaidPaper(
        booth.by(answer["paid_ms"], writer), answer["ticket"], **fields, cancelled=cancelled
    )


def cancelled_games(answer: Answer, about: Answer) -> tuple[int, int] | None:
    """The first and the last game that a refund cancels, from the ticket's last game and price."""
    if answer["kind"] != "refund":
        return None
    games = answer["refund_cents"] // about["one_game_cents"]
    return about["last_game"] - games + 1, about["last_game"]


def authorisation_slip(
    booth: PrintContext, asked: Answer, writer: str, ms: int
) -> AuthorisationSlip:
    return AuthorisationSlip(
        booth.by(ms, writer),
        asked["authorisation"],
        asked["ticket"],
        asked["amount_cents"],
        asked["answered_by"] or "",
    )


def drawer_slip(booth: PrintContext, slip: Answer, writer: str, second: str, ms: int) -> DrawerSlip:
    fill = slip["kind"] == "fill"
    return DrawerSlip(booth.by(ms, writer), slip["slip"], fill, slip["cents"], second)


def checkout(
    booth: PrintContext, closed: Answer, writer: str, second: str, ms: int
) -> CheckoutSheet:
    return CheckoutSheet(
        booth.by(ms, writer),
        closed["shift"],
        closed["expected_cents"],
        closed["counted_cents"],
        tuple(closed["tickets"]),
        second,
    )


def slip_of(
    booth: PrintContext, kind: str, answer: Answer, about: Answer
) -> VoidSlip | PaidPaper | DrawerSlip | CheckoutSheet | None:
    """The paper of a request that was noted, from its answer; None if it has no paper."""
    match kind:
        case "rewrite":
            new = answer["sold"]["ticket"]
            return void_slip(booth, answer["voided"], about["writer"], new)
        case "void":
            return void_slip(booth, answer, about["writer"])
        case "redeem" | "refund":
            return paid(booth, answer, about["writer"], cancelled_games(answer, about))
        case "fill" | "credit":
            return drawer_slip(booth, answer, about["writer"], about["second"], about["at"])
        case "close_shift":
            return checkout(booth, answer, about["writer"], about["second"], about["at"])
    return None


def trial_page(booth: PrintContext, writer: str, ms: int, printer: str) -> TrialPage:
    return TrialPage(booth.by(ms, writer), printer)
