"""What can be put on paper: plain values that a station or the server fills in.

Times are local to the location and know their zone. `copy` counts reprints: a paper with a copy
above zero is marked, and a spool never prints the same copy of the same paper twice.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from keno.domain.money import Cents
from keno.domain.ratecard import AggregateShare, RateCard
from keno.domain.ticket import CODE_ALPHABET, CODE_LENGTH
from keno.domain.wager import KenoRequest

_SCANNED = re.compile(rf"(?:.*/)?([A-Z])-([0-9]{{1,18}})-([{CODE_ALPHABET}]{{{CODE_LENGTH}}})")


@dataclass(frozen=True, slots=True)
class PrintedLocation:
    """Where the paper comes from: the casino, the location and its letter."""

    casino: str
    location: str
    letter: str
    no_value: bool = False
    """A test or a demonstration: every paper says NO VALUE."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a ticket says of its rate card (15.4(c)7, 11 and 13)."""

    card: str
    maximum_cents: Cents
    share: AggregateShare
    claim_minutes: int
    marks: Mapping[str, str] = field(default_factory=dict)
    """What is printed behind a price, by rate code; nothing for the default rate."""

    @classmethod
    def of_card(cls, card: RateCard) -> "Terms":
        """The terms of a card that the station has in full."""
        marks = {code: card.mark_of(code) for code in card.rates}
        return cls(
            card.version, card.aggregate_max_cents, card.aggregate_share, card.claim_minutes, marks
        )


@dataclass(frozen=True, slots=True)
class Printed:
    """What every paper has: where, when, at which station and by whom."""

    place: PrintedLocation
    at: datetime
    station: str
    writer: str

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("the time on a paper needs its location's zone")


@dataclass(frozen=True, slots=True)
class TicketPaper:
    """A keno ticket; `by` is its sale."""

    by: Printed
    number: int
    code: str
    first_game: int
    request: KenoRequest
    price_cents: Cents
    terms: Terms
    commitment: str
    scan_prefix: str = ""
    """What stands before number and code in the QR code: the address where a ticket is checked."""
    void: bool = False
    copy: int = 0

    @property
    def last_game(self) -> int:
        return self.first_game + self.request.games - 1

    @property
    def key(self) -> str:
        return f"ticket {self.by.place.letter}-{self.number}"

    @property
    def scanned(self) -> str:
        """What the QR code holds."""
        return f"{self.scan_prefix}{self.by.place.letter}-{self.number}-{self.code}"


def read_scan(text: str) -> tuple[str, int, str]:
    """Letter, number and code from what a scanner read; anything else is a ValueError."""
    match = _SCANNED.fullmatch(text.strip())
    if match is None:
        raise ValueError("this is not the code of a keno ticket")
    return match[1], int(match[2]), match[3]


@dataclass(frozen=True, slots=True)
class VoidSlip:
    """15.4(e): what stays in the drawer with a void ticket."""

    by: Printed
    ticket: int
    cash_cents: Cents
    coupon_cents: Cents = 0
    coupon: str | None = None
    rewritten_as: int | None = None
    copy: int = 0

    @property
    def key(self) -> str:
        return f"void {self.by.place.letter}-{self.ticket}"


@dataclass(frozen=True, slots=True)
class PaidPaper:
    """A payout slip, or, if games are cancelled, the document of their refund (15.4(d), 15.6)."""

    by: Printed
    ticket: int
    awards_cents: Cents
    cash_cents: Cents
    returns_cents: Cents = 0
    refund_cents: Cents = 0
    coupon_cents: Cents = 0
    coupon: str | None = None
    withheld_cents: Cents = 0
    check_cents: Cents = 0
    check_number: str | None = None
    authorised_by: str | None = None
    cancelled: tuple[int, int] | None = None
    """The first and the last of the games that a refund cancels."""
    copy: int = 0

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents

    @property
    def key(self) -> str:
        kind = "payout" if self.cancelled is None else "refund"
        return f"{kind} {self.by.place.letter}-{self.ticket}"


@dataclass(frozen=True, slots=True)
class AuthorisationSlip:
    """15.6(b): a supervisor's yes, to be attached to the ticket."""

    by: Printed
    authorisation: int
    ticket: int
    amount_cents: Cents
    supervisor: str
    signature: str = ""
    copy: int = 0

    @property
    def key(self) -> str:
        return f"authorisation {self.by.place.letter}-{self.authorisation}"


@dataclass(frozen=True, slots=True)
class DrawerSlip:
    """A numbered fill or credit slip with two persons."""

    by: Printed
    slip: int
    fill: bool
    cents: Cents
    second: str
    copy: int = 0

    @property
    def key(self) -> str:
        return f"{'fill' if self.fill else 'credit'} {self.by.place.letter}-{self.slip}"


@dataclass(frozen=True, slots=True)
class CheckoutSheet:
    """What a drawer should hold, what was counted, and the tickets to surrender."""

    by: Printed
    shift: int
    expected_cents: Mapping[str, Cents]
    counted_cents: Mapping[str, Cents]
    tickets: tuple[int, ...]
    second: str
    copy: int = 0

    @property
    def key(self) -> str:
        return f"checkout {self.by.place.letter}-{self.shift}"


@dataclass(frozen=True, slots=True)
class TrialPage:
    """Everything the printer must be able to do, on one paper."""

    by: Printed
    printer: str
    copy: int = 0

    @property
    def key(self) -> str:
        return f"test {self.by.at.isoformat()}"


PrintDocument = (
    TicketPaper | VoidSlip | PaidPaper | AuthorisationSlip | DrawerSlip | CheckoutSheet | TrialPage
)
