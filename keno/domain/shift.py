"""Drawers and shifts: tender by kind, what a drawer should hold, and whether the house balances."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from keno.domain.errors import Refusal, Refused, counted
from keno.domain.money import Cents, format_dollars


class TenderKind(StrEnum):
    """15.3(b): what a wager may be made with. Nothing else is accepted."""

    CURRENCY = "currency"
    COIN = "coin"
    GAMING_CHIPS = "gaming_chips"
    COUPON = "coupon"
    SLOT_TOKENS = "slot_tokens"


@dataclass(frozen=True, slots=True)
class Tender:
    """One kind of tender towards a price, after change; a coupon has its serial."""

    kind: TenderKind
    cents: Cents
    serial: str | None = None


def check_tender(tender: Iterable[Tender], price_cents: Cents) -> None:
    """15.4(c): the ticket is issued for tender equal to its price, each part of it positive."""
    parts = list(tender)
    total = sum([part.cents for part in parts])
    if total != price_cents or any(part.cents <= 0 for part in parts):
        raise Refused(
            Refusal.TENDER_DIFFERS,
            f"The ticket costs {format_dollars(price_cents)} and {format_dollars(total)} "
            "was tendered.",
            "tender",
        )
    coupons = [part.serial for part in parts if part.kind is TenderKind.COUPON]
    if coupons and (not all(coupons) or len(set(coupons)) < len(coupons)):
        raise Refused(
            Refusal.COUPON_NEEDS_SERIAL, "Each coupon needs its own serial number.", "tender"
        )


class DrawerEvent(StrEnum):
    """What changes a drawer, and the direction it goes."""

    OPENING = "opening"
    SALE = "sale"
    FILL = "fill"
    VOID = "void"
    REFUND = "refund"
    RETURN = "return"
    PAYOUT = "payout"
    CREDIT = "credit"


INTO_THE_DRAWER = frozenset({DrawerEvent.OPENING, DrawerEvent.SALE, DrawerEvent.FILL})


@dataclass(frozen=True, slots=True)
class DrawerEntry:
    """One movement of one kind of tender; always a positive amount."""

    event: DrawerEvent
    kind: TenderKind
    cents: Cents

    @property
    def change_cents(self) -> Cents:
        return self.cents if self.event in INTO_THE_DRAWER else -self.cents


def expected_cents(entries: Iterable[DrawerEntry]) -> dict[TenderKind, Cents]:
    """Opening + sales + fills - voids - refunds - returns - payouts - credits, by kind."""
    expected = dict.fromkeys(TenderKind, 0)
    for entry in entries:
        expected[entry.kind] += entry.change_cents
    return expected


@dataclass(frozen=True)
class Checkout:
    """The end of a shift: expected against counted."""

    expected: Mapping[TenderKind, Cents]
    counted: Mapping[TenderKind, Cents]
    over_short: Mapping[TenderKind, Cents] = field(init=False)

    def __post_init__(self) -> None:
        over_short = {
            kind: self.counted.get(kind, 0) - self.expected.get(kind, 0) for kind in TenderKind
        }
        object.__setattr__(self, "over_short", over_short)

    @property
    def over_short_cents(self) -> Cents:
        """Over if positive, short if negative."""
        return sum(self.over_short.values())


@dataclass(frozen=True)
class Shift:
    """A writer and a drawer; not a station, so that it can move."""

    writer: str
    closed: bool = False
    prints_unconfirmed: int = 0
    authorisations_pending: int = 0


def check_may_close(shift: Shift) -> None:
    """A shift does not end with open questions in its drawer."""
    if shift.closed:
        raise Refused(Refusal.SHIFT_CLOSED, "This shift is already closed.")
    if shift.prints_unconfirmed:
        raise Refused(
            Refusal.PRINTS_UNCONFIRMED,
            f"Settle the unconfirmed print of {counted(shift.prints_unconfirmed, 'ticket')} first.",
        )
    if shift.authorisations_pending:
        raise Refused(
            Refusal.AUTHORISATIONS_PENDING,
            f"{shift.authorisations_pending} payouts wait for a supervisor: settle them first.",
        )


@dataclass(frozen=True)
class HouseBalance:
    """The two equations a house satisfies to the cent at any moment."""

    sales_cents: Cents = 0
    voids_cents: Cents = 0
    refunds_cents: Cents = 0
    returns_due_cents: Cents = 0
    undrawn_multi_race_cents: Cents = 0
    handle_drawn_cents: Cents = 0
    awards_cents: Cents = 0
    paid_cents: Cents = 0
    open_cents: Cents = 0
    expired_cents: Cents = 0

    @property
    def handle_difference_cents(self) -> Cents:
        """Sales - voids - refunds - returns due - undrawn multi-race - handle of drawn games."""
        return (
            self.sales_cents
            - self.voids_cents
            - self.refunds_cents
            - self.returns_due_cents
            - self.undrawn_multi_race_cents
            - self.handle_drawn_cents
        )

    @property
    def awards_difference_cents(self) -> Cents:
        """Awards - paid - open - expired."""
        return self.awards_cents - self.paid_cents - self.open_cents - self.expired_cents

    @property
    def balanced(self) -> bool:
        return self.handle_difference_cents == 0 and self.awards_difference_cents == 0
