"""Converts the server's responses into documents for the printer. Pure.

Printed times are in the location's time zone. A ticket's terms are those of the rate card that it
was sold under.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from keno.domain.ratecard import RateCard
from keno.domain.request_json import from_written
from keno.domain.states import Ending
from keno.protocol import (
    CheckedOut,
    KindCents,
    Paid,
    Rewritten,
    ShiftState,
    Slip,
    Sold,
    StationAuthorisation,
    StationPlace,
    Voided,
)
from printer.documents import (
    AuthorisationSlip,
    CheckoutSheet,
    DrawerSlip,
    OwedMoney,
    PaidPaper,
    Printed,
    PrintedLocation,
    Terms,
    TicketPaper,
    TrialPage,
    VoidSlip,
)

NAMES = {
    "rewrite": "void slip", "void": "void slip", "redeem": "payout slip",
    "refund": "refund document", "fill": "fill slip", "credit": "credit slip",
    "open_shift": "opening slip",
    "close_shift": "checkout sheet", "close_other_shift": "checkout sheet",
}  # fmt: skip
"""The name of the document that each kind of request prints, as the writer reads it."""


@dataclass(frozen=True, slots=True)
class PrintContext:
    """What all documents of a station share: location, time zone, station, prefix of QR codes."""

    place: PrintedLocation
    zone: ZoneInfo
    station: str
    scan_prefix: str = ""
    """Web address that a ticket's QR code has before its number and code; may be empty."""

    @classmethod
    def of(cls, place: StationPlace) -> "PrintContext":
        """Return the context from the server's response to the station's authentication.

        An unknown time zone is replaced by UTC.
        """
        try:
            zone = ZoneInfo(place.zone)
        except (ZoneInfoNotFoundError, ValueError):
            zone = ZoneInfo("UTC")
        printed = PrintedLocation(
            place.casino, place.name or place.location, place.letter, place.no_value
        )
        return cls(printed, zone, place.station, place.scan_prefix)

    def by(self, ms: int, writer: str, station: str | None = None) -> Printed:
        """Return location, time, station and writer of a document, as every document prints them.

        `ms` is Unix time in milliseconds; `station` is this station unless it is given.
        """
        at = datetime.fromtimestamp(ms // 1000, UTC).astimezone(self.zone)
        return Printed(self.place, at, station or self.station, writer)


def ticket(booth: PrintContext, sold: Sold, card: RateCard) -> TicketPaper:
    """Return the document of a ticket that was sold under this rate card.

    It is the original, or the reprint of the number that the server has counted.
    """
    return TicketPaper(
        booth.by(sold.sold_ms, sold.writer, sold.station),
        sold.ticket,
        sold.code,
        sold.first_game,
        from_written(sold.request),
        sold.price_cents,
        Terms.of_card(card),
        sold.commitment,
        booth.scan_prefix,
        copy=sold.reprints,
    )


def ticket_key(letter: str, number: int) -> str:
    """Return the key that names a ticket's documents in the spool: ``ticket A-418``."""
    return f"ticket {letter}-{number}"


def void_slip(
    booth: PrintContext,
    voided: Voided,
    writer: str,
    rewritten_as: int | None = None,
    net: Iterable[KindCents] = (),
) -> VoidSlip:
    """Return the slip of a void; of a rewrite, with its successor and what changed hands."""
    other = [each for each in voided.given_back if each.kind in ("gaming_chips", "slot_tokens")]
    return VoidSlip(
        booth.by(voided.voided_ms, writer),
        voided.ticket,
        voided.cash_cents,
        voided.coupon_cents,
        voided.coupon,
        rewritten_as,
        other=_kinds(other),
        in_cash_cents=voided.in_cash_cents,
        net=_kinds(net),
        owed=_claim(_kinds(voided.owed), voided.authorisation, voided.code),
    )


def _claim(
    kinds: tuple[tuple[str, int], ...], authorisation: int | None, code: str
) -> OwedMoney | None:
    """Return what a slip owes until a supervisor authorises it; None if it owes nothing."""
    return None if authorisation is None else OwedMoney(kinds, authorisation, code)


def _kinds(amounts: Iterable[KindCents]) -> tuple[tuple[str, int], ...]:
    return tuple((each.kind, each.cents) for each in amounts)


def paid(
    booth: PrintContext, answer: Paid, writer: str, cancelled: tuple[int, int] | None = None
) -> PaidPaper:
    """Return the document of a payment: a payout slip, or a refund document with `cancelled`.

    `cancelled` has the first and last game that a refund cancels. If another location sold the
    ticket, the document names that location (15.6(a)).
    """
    elsewhere = answer.letter not in ("", booth.place.letter)
    of_void = answer.kind == Ending.VOID
    other = [each for each in answer.given_back if each.kind in ("gaming_chips", "slot_tokens")]
    return PaidPaper(
        booth.by(answer.paid_ms, writer),
        answer.ticket,
        awards_cents=answer.awards_cents,
        cash_cents=answer.cash_cents - sum(each.cents for each in other),
        returns_cents=answer.returns_cents,
        refund_cents=answer.refund_cents,
        coupon_cents=answer.coupon_cents,
        coupon=answer.coupon,
        withheld_cents=answer.withheld_cents,
        check_cents=answer.check_cents,
        check_number=answer.check_number,
        authorised_by=answer.authorised_by,
        cancelled=cancelled,
        sold_letter=answer.letter if elsewhere else "",
        sold_in=answer.location_name if elsewhere else "",
        owed=_claim((("cash", answer.owed_cents),), answer.authorisation, answer.code),
        other=_kinds(other),
        of_void=of_void,
    )


def cancelled_games(answer: Paid, about: Mapping[str, Any]) -> tuple[int, int] | None:
    """Return the first and last game that a refund cancels; None if the payment is no refund.

    `about` has the ticket's last game (`last_game`) and its price of one game (`one_game_cents`).
    The payment of what a refund had owed cancels nothing: it lacks them.
    """
    if answer.kind != Ending.REFUND or "last_game" not in about:
        return None
    games = answer.refund_cents // about["one_game_cents"]
    return about["last_game"] - games + 1, about["last_game"]


def authorisation_slip(
    booth: PrintContext, asked: StationAuthorisation, writer: str, ms: int
) -> AuthorisationSlip:
    return AuthorisationSlip(
        booth.by(ms, writer),
        asked.authorisation,
        asked.ticket,
        asked.amount_cents,
        asked.answered_by or "",
        sold_letter="" if asked.letter == booth.place.letter else asked.letter,
    )


def drawer_slip(booth: PrintContext, slip: Slip, writer: str, second: str, ms: int) -> DrawerSlip:
    """Return the numbered slip of a fill, a credit or a bank; a bank may have no second person."""
    by = booth.by(ms, writer)
    return DrawerSlip(by, slip.slip, slip.kind, slip.cents, second, tender=slip.tender)


def checkout(
    booth: PrintContext, closed: CheckedOut, writer: str, second: str, ms: int, of: str = ""
) -> CheckoutSheet:
    """Return the checkout sheet of a shift that `writer` and `second` counted and closed.

    `of` names the shift's own writer if two other persons counted the drawer; otherwise it is
    empty.
    """
    return CheckoutSheet(
        booth.by(ms, writer),
        closed.shift,
        closed.expected_cents,
        closed.counted_cents,
        closed.tickets,
        second,
        of=of,
        other_tickets=closed.other_tickets,
        denominations=closed.denominations or {},
    )


def slip_of(
    booth: PrintContext, kind: str, answer: dict[str, Any], about: Mapping[str, Any]
) -> VoidSlip | PaidPaper | DrawerSlip | CheckoutSheet | None:
    """Return the slip of a finished request, from the server's response; None if it has no slip.

    `kind` and `about` come from the note of the pending request. `about` has what the response does
    not say, such as the writer and the second person.
    """
    match kind:
        case "rewrite":
            done = msgspec.convert(answer, Rewritten)
            return void_slip(booth, done.voided, about["writer"], done.sold.ticket, done.net)
        case "void":
            return void_slip(booth, msgspec.convert(answer, Voided), about["writer"])
        case "redeem" | "refund":
            payout = msgspec.convert(answer, Paid)
            return paid(booth, payout, about["writer"], cancelled_games(payout, about))
        case "fill" | "credit" | "open_shift":
            if kind == "open_shift":
                slip = msgspec.convert(answer, ShiftState).opening
            else:
                slip = msgspec.convert(answer, Slip)
            people = (about["writer"], about["second"])
            return None if slip is None else drawer_slip(booth, slip, *people, about["at"])
        case "close_shift" | "close_other_shift":
            closed = msgspec.convert(answer, CheckedOut)
            people = (about["writer"], about["second"])
            return checkout(booth, closed, *people, about["at"], about.get("of", ""))
    return None


def trial_page(booth: PrintContext, writer: str, ms: int, printer: str) -> TrialPage:
    return TrialPage(booth.by(ms, writer), printer)
