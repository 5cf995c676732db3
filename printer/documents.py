"""The documents that a printer prints, as plain data classes that a station fills in.

Times are local to the location and have a time zone. `copy` is 0 for the original and n for its
n-th reprint, which is marked as such. `key` names a document; a spool never prints the same copy of
the same key twice.
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
    """The location that issues a document: casino, location name and location letter."""

    casino: str
    location: str
    letter: str
    no_value: bool = False
    """Whether documents are stamped NO VALUE because they are of a test or a demonstration."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of the rate card that a ticket prints (15.4(c)7, 11 and 13).

    `card` is the version of the rate card.
    """

    card: str
    maximum_cents: Cents
    share: AggregateShare
    claim_minutes: int
    marks: Mapping[str, str] = field(default_factory=dict)
    """The mark printed after a wager, by rate code; empty for the default rate."""

    @classmethod
    def of_card(cls, card: RateCard) -> "Terms":
        """Return the terms that tickets of this rate card print."""
        marks = {code: card.mark_of(code) for code in card.rates}
        return cls(
            card.version, card.aggregate_max_cents, card.aggregate_share, card.claim_minutes, marks
        )


@dataclass(frozen=True, slots=True)
class Printed:
    """What every document prints about its issue: location, time, station and writer.

    A time without a zone raises a ValueError.
    """

    place: PrintedLocation
    at: datetime
    station: str
    writer: str

    def __post_init__(self) -> None:
        if self.at.tzinfo is None:
            raise ValueError("the time on a paper needs its location's zone")


@dataclass(frozen=True, slots=True)
class TicketPaper:
    """A keno ticket to print; `by` has location, time, station and writer of its sale."""

    by: Printed
    number: int
    code: str
    first_game: int
    request: KenoRequest
    price_cents: Cents
    terms: Terms
    commitment: str
    scan_prefix: str = ""
    """Web address that the QR code has before the ticket's number and code; may be empty."""
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
        """The text of the QR code: prefix, then letter, number and code joined by hyphens."""
        return f"{self.scan_prefix}{self.by.place.letter}-{self.number}-{self.code}"


def read_scan(text: str) -> tuple[str, int, str]:
    """Return location letter, ticket number and code from a scanned QR code.

    Any other text raises a ValueError.
    """
    match = _SCANNED.fullmatch(text.strip())
    if match is None:
        raise ValueError("this is not the code of a keno ticket")
    return match[1], int(match[2]), match[3]


@dataclass(frozen=True, slots=True)
class OwedMoney:
    """15.6(b): what a slip still owes, and with what the patron presents it later.

    The ticket itself stays in the drawer: the slip with number and code is the claim.
    """

    kinds: tuple[tuple[str, Cents], ...]
    """What is owed, by kind."""
    authorisation: int
    code: str

    @property
    def total_cents(self) -> Cents:
        return sum(cents for _, cents in self.kinds)


@dataclass(frozen=True, slots=True)
class VoidSlip:
    """A slip about a void ticket, kept in the drawer with the ticket (15.4(e)).

    It has what was paid back in cash, as a coupon and in other kinds, and the number of the ticket
    that replaces it (`rewritten_as`), or None.
    """

    by: Printed
    ticket: int
    cash_cents: Cents
    coupon_cents: Cents = 0
    coupon: str | None = None
    rewritten_as: int | None = None
    copy: int = 0
    other: tuple[tuple[str, Cents], ...] = ()
    """What was paid back in chips and tokens: kinds with their cents."""
    in_cash_cents: Cents = 0
    """The part of the cash that is in place of chips or tokens."""
    net: tuple[tuple[str, Cents], ...] = ()
    """What changed hands in all if the ticket was written again: kinds with their cents.

    They were handed to the patron, or, if negative, received.
    """
    owed: OwedMoney | None = None
    """What is not paid back before a supervisor has authorised it."""

    @property
    def total_cents(self) -> Cents:
        return self.cash_cents + self.coupon_cents + sum(cents for _, cents in self.other)

    @property
    def key(self) -> str:
        return f"void {self.by.place.letter}-{self.ticket}"


@dataclass(frozen=True, slots=True)
class PaidPaper:
    """The document of a payment (15.4(d), 15.6).

    It is a payout slip, or a refund document if `cancelled` is set.
    """

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
    """First and last game that the refund cancels; None for a payout slip."""
    copy: int = 0
    sold_letter: str = ""
    """Letter of the location that sold the ticket if it is another one (15.6(a)), else empty.

    `sold_in` is the name of that location.
    """
    sold_in: str = ""
    owed: OwedMoney | None = None
    """What a refund does not pay before a supervisor has authorised it."""
    other: tuple[tuple[str, Cents], ...] = ()
    """What was paid in chips and tokens, of what a void had owed; `cash_cents` is without it."""
    of_void: bool = False
    """Whether it pays what a void or rewrite had owed."""

    @property
    def total_cents(self) -> Cents:
        return self.awards_cents + self.returns_cents + self.refund_cents

    @property
    def key(self) -> str:
        kind = "payout" if self.cancelled is None else "refund"
        return f"{kind} {self.sold_letter or self.by.place.letter}-{self.ticket}"


@dataclass(frozen=True, slots=True)
class AuthorisationSlip:
    """A slip of a supervisor's authorisation of a payout, attached to the ticket (15.6(b))."""

    by: Printed
    authorisation: int
    ticket: int
    amount_cents: Cents
    supervisor: str
    signature: str = ""
    copy: int = 0
    sold_letter: str = ""
    """Letter of the location that sold the ticket if it is another one, else empty."""

    @property
    def key(self) -> str:
        return f"authorisation {self.by.place.letter}-{self.authorisation}"


@dataclass(frozen=True, slots=True)
class DrawerSlip:
    """A numbered slip for what was put into a drawer or taken out of it.

    `kind` is ``fill``, ``credit`` or ``opening`` (a bank); `second` is empty for a bank that one
    person issued; `tender` is what was moved.
    """

    by: Printed
    slip: int
    kind: str
    cents: Cents
    second: str
    copy: int = 0
    tender: str = "cash"

    @property
    def key(self) -> str:
        return f"{self.kind} {self.by.place.letter}-{self.slip}"


@dataclass(frozen=True, slots=True)
class CheckoutSheet:
    """The sheet printed when a shift is closed: expected and counted cents by kind of tender.

    `tickets` are the numbers of the tickets whose paper the writer hands in.
    """

    by: Printed
    shift: int
    expected_cents: Mapping[str, Cents]
    counted_cents: Mapping[str, Cents]
    tickets: tuple[int, ...]
    second: str
    copy: int = 0
    of: str = ""
    """The writer whose drawer two other persons counted; empty if the writer counted it."""
    other_tickets: tuple[str, ...] = ()
    """Tickets of other locations that this drawer paid, as printed, such as ``B-12``."""
    denominations: Mapping[str, int] = field(default_factory=dict)
    """The pieces of cash that were counted, by the cents of their denomination; may be empty."""

    @property
    def key(self) -> str:
        return f"checkout {self.by.place.letter}-{self.shift}"


@dataclass(frozen=True, slots=True)
class TrialPage:
    """A test page with fonts, shapes, a large amount and a QR code; `printer` is the address."""

    by: Printed
    printer: str
    copy: int = 0

    @property
    def key(self) -> str:
        return f"test {self.by.at.isoformat()}"


PrintDocument = (
    TicketPaper | VoidSlip | PaidPaper | AuthorisationSlip | DrawerSlip | CheckoutSheet | TrialPage
)
